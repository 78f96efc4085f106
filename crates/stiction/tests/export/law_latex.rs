//! The equations of every law in LaTeX: complete, well formed, and compiled where pdfLaTeX is.
use crate::build::{folder, run, save};
use crate::skip::skip;
use std::path::Path;
use std::process::Command;
use stiction::core::models;
use stiction::export::law::{LawCode, latex};
use stiction::{LawFile, Spec};

/// The commands, letters and signs of a text, without comments and spaces.
fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.lines() {
        let mut letters = line.chars().peekable();
        while let Some(c) = letters.next() {
            match c {
                '%' => break,
                '\\' => {
                    let mut name = "\\".to_owned();
                    while let Some(letter) = letters.next_if(char::is_ascii_alphabetic) {
                        name.push(letter);
                    }
                    if name.len() == 1 {
                        name.extend(letters.next());
                    }
                    out.push(name);
                }
                c if c.is_whitespace() => {}
                c => out.push(c.to_string()),
            }
        }
    }
    out
}

/// Whether a symbol stands in a text, and not only the beginning of one with an index.
fn occurs(symbol: &str, text: &[String]) -> bool {
    let symbol = tokens(symbol);
    let places = text.windows(symbol.len()).enumerate().filter(|(_, window)| *window == symbol);
    let indexed = symbol.iter().any(|token| token == "_");
    places.into_iter().any(|(at, _)| indexed || text.get(at + symbol.len()).is_none_or(|next| next != "_"))
}

/// Braces, environments and growing delimiters are closed in the order in which they were opened.
fn assert_balanced(text: &str, what: &str) {
    let tokens = tokens(text);
    let mut open: Vec<String> = Vec::new();
    let name = |at: usize| tokens[at + 2..].iter().take_while(|token| *token != "}").cloned().collect::<String>();
    for (at, token) in tokens.iter().enumerate() {
        let closes = match token.as_str() {
            "{" => {
                open.push("{".to_owned());
                continue;
            }
            "\\left" => {
                open.push("left".to_owned());
                continue;
            }
            "\\begin" => {
                open.push(name(at));
                continue;
            }
            "}" => "{".to_owned(),
            "\\right" => "left".to_owned(),
            "\\end" => name(at),
            _ => continue,
        };
        assert_eq!(open.pop(), Some(closes), "{what}, token {at}");
    }
    assert!(open.is_empty(), "{what}: {open:?}");
}

#[test]
fn every_symbol_of_every_law_stands_in_its_equations() {
    for law in models::ALL {
        let equations = latex::equations(law).unwrap_or_else(|| panic!("{} has no equations", law.name));
        let text = tokens(&equations.text);
        assert_eq!((equations.params.len(), equations.states.len()), (law.params.len(), law.states.len()));
        let all: Vec<_> = equations.params.iter().chain(&equations.states).collect();
        for symbol in &all {
            let found = occurs(&symbol.in_equations, &text);
            assert!(found, "{}: {} as {}", law.name, symbol.name, symbol.in_equations);
        }
        // a symbol has one meaning
        for (k, symbol) in all.iter().enumerate() {
            let other = all[..k].iter().find(|other| other.latex == symbol.latex);
            assert!(other.is_none(), "{}: {symbol:?} and {other:?}", law.name);
        }
        for state in &equations.states {
            assert!(!state.meaning.is_empty(), "{}: {}", law.name, state.name);
        }
        let files = latex::files(&LawCode::new(law).unwrap());
        assert_eq!(files.len(), 3, "{}: fragment, bibliography, document", law.name);
        for file in &files {
            assert_balanced(&file.text, &file.path);
        }
        for key in law.cite {
            assert!(files[1].text.contains(&format!("{{{key},")), "{}: {key}", law.name);
        }
    }
    // the check itself
    let text = tokens("F_C \\sigma_0 z_{12} % a");
    assert!(occurs("F_C", &text) && occurs("z_{12}", &text));
    assert!(!occurs("F", &text) && !occurs("\\sigma", &text) && !occurs("a", &text));
}

const AWKWARD: &str = r#"
name = "awkward"
summary = "50 % of {nothing} & _all_ of $it$: µ ≥ 0\\"
cite = ["Dahl1977", "A. Nobody & Sons, 100 % unknown, 1999"]
[params]
lambda = { unit = "N", default = 1.0, min = 0.0, max = 10.0, doc = "The level_of & things" }
load2 = { unit = "-", default = 2.0, min = 1.0, max = 3.0 }
F = { unit = "N·s/m", default = 2.5e-7 }
mu_drive_2 = { unit = "-", default = 0.5 }
exponent = { unit = "-", default = 2.0 }
reach = { unit = "m", default = 1e-5 }
delta = { unit = "m^2/s^2", default = 1e-12 }
[states]
in = "m"
end = "-"
[curve.shape]
input = "abs(v)"
unit = "N"
rows = [[0.0, 1.5], [1e-3, 1.2], [0.1, 1.0]]
[equations]
class = "-(lambda - shape)*-load2"
ratio = "(v^2/delta)^exponent - (v^2 - (delta - 2*delta))/delta"
rate.in = "where(abs(v) < load2*1e-3*sqrt(delta), v, where(v > 0, 2*v, 3*v))"
force = "load*class*tanh(in/reach*end^2)*1 + F*rate.in + F*v*min(1, ratio, 2)"
hold = "load*where(dir*mu_drive_2 < 0 and not (load2 > 2), lambda, 2*lambda)"
[[when]]
if = "end*v <= 0 or end == 0"
guard = "in - 3*reach"
direction = "falling"
set.end = "clip(sign(v), -1, 1)"
"#;

const TABLE: &str = r#"
name = "measured-table"
cite = "Stribeck1902"
[table]
rows = [[0.0, 1.5, 1.0], [0.1, 1.0, 1.0], [0.0, 3.5, 2.0], [0.1, 2.0, 2.0], [-0.1, -1.0, 1.0], [-0.2, -1.5, 1.0], [-0.1, -2.0, 2.0], [-0.2, -2.5, 2.0]]
"#;

fn from_file(text: &str) -> LawCode {
    LawCode::new(LawFile::parse(text, Path::new("law.toml")).unwrap().entry()).unwrap()
}

#[test]
fn equations_of_files_are_typeset_with_their_meaning() {
    let code = from_file(AWKWARD);
    let equations = latex::equations(code.law).unwrap();
    let text = &equations.text;
    for part in [
        // a sum is not a factor without parentheses, nor a sign
        "\\mathrm{class} &= -(\\lambda - \\mathrm{shape})\\, (-\\mathrm{load}_2)",
        "\\left(\\frac{v^{2}}{\\delta}\\right)^{\\mathrm{exponent}} - \\frac{v^{2} - (\\delta - 2\\, \\delta)}{\\delta}",
        // a choice within the last row is another row
        "v, & |v| < \\mathrm{load}_2 \\cdot 0.001\\, \\sqrt{\\delta},\\\\ ",
        "2\\, v, & v > 0,\\\\ 3\\, v, & \\text{otherwise}",
        // the symbol of the force is taken
        "\\mathtt{F}\\, \\frac{\\mathrm{d}\\mathrm{in}}{\\mathrm{d}t}",
        "(\\pm 1)\\, \\mu_{\\mathrm{drive},2} < 0 \\text{ and } \\lnot (\\mathrm{load}_2 > 2)",
        "\\mathrm{end} &\\leftarrow \\max(-1,\\, \\min(\\operatorname{sgn}(v),\\, 1))",
        "\\mathrm{in} - 3\\, \\mathrm{reach} \\le 0",
        "(\\mathrm{end}\\, v \\le 0 \\text{ or } \\mathrm{end} = 0) \\text{ and }",
        "$(0.001,\\,1.2)$",
    ] {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
    let tokens = tokens(text);
    for symbol in equations.params.iter().chain(&equations.states) {
        assert!(occurs(&symbol.in_equations, &tokens), "{symbol:?}");
    }
    for code in [code, from_file(TABLE)] {
        for file in latex::files(&code) {
            assert_balanced(&file.text, &file.path);
        }
    }
}

/// More equations than there are letters, and parameters named like what the text says of every law.
fn long() -> String {
    let mut out = "name = \"long\"\n[params]\nm = { unit = \"N\", default = 1.0 }\nN = { unit = \"-\", default = 1.0 }\nF_a = { unit = \"-\", default = 1.0 }\n[equations]\nq0 = \"N*F_a\"\n".to_owned();
    (1..30).for_each(|i| out += &format!("q{i} = \"q{} + 1\"\n", i - 1));
    out + "force = \"load*m*q29*sign(v)\"\nhold = \"load*m*q29\"\n"
}

#[test]
fn symbols_and_numbers_of_a_long_law_are_distinct() {
    let code = from_file(&long());
    let equations = latex::equations(code.law).unwrap();
    let symbols: Vec<&str> = equations.params.iter().map(|symbol| symbol.latex.as_str()).collect();
    assert_eq!(symbols, ["\\mathtt{m}", "\\mathtt{N}", "\\mathtt{F\\_a}"]);
    assert!(latex::files(&code)[0].text.contains("\\theparentequation.\\arabic{equation}"));
    let gear = &latex::files(&LawCode::new(models::ALL.iter().find(|law| law.name == "gear").unwrap()).unwrap())[0];
    assert_eq!(gear.text.matches("Here $v$").count(), 1, "{}", gear.text);
}

fn wrapped(law: &str, values: &[(&str, f64)]) -> LawCode {
    let mut spec = Spec::new(law).unwrap();
    values.iter().for_each(|(key, x)| assert!(spec.set(key, *x).is_ok(), "{law}: {key}"));
    LawCode::of(&spec).unwrap()
}

fn wrapped_laws() -> [LawCode; 4] {
    [
        wrapped("stribeck", &[("reverse.fs", 1.9), ("reverse.vs", 0.002), ("load.base", 0.5), ("load.slope", 0.25)]),
        wrapped("lugre", &[("reverse.sigma0", 2e4)]),
        wrapped("gms", &[("reverse.k2", 7e4)]),
        wrapped("gear", &[("reverse.mu_drive", 0.1), ("load.base", 0.0), ("load.slope", 0.2)]),
    ]
}

#[test]
fn parameters_for_each_direction_and_the_load_have_equations_of_their_own() {
    let text = |code: &LawCode| latex::files(code)[0].text.clone();
    let [stribeck, lugre, gms, gear] = &wrapped_laws().map(|code| {
        latex::files(&code).iter().for_each(|file| assert_balanced(&file.text, &file.path));
        text(&code)
    });
    for part in [
        "F_S &= \\begin{cases} F_S^{+}, & v \\ge 0,\\\\ F_S^{-}, & v < 0 \\end{cases},\\\\",
        "v_S &= \\begin{cases} v_S^{+}, & v \\ge 0,\\\\ v_S^{-}, & v < 0 \\end{cases}.",
        "\\bar N &= \\max(0,\\; b_{\\mathrm{load}} + s_{\\mathrm{load}}\\,N).",
        "$F_S^{+}$ & \\texttt{fs} ",
        "$F_S^{-}$ & \\texttt{reverse.fs} & Break-away level, backwards & ",
        "$s_{\\mathrm{load}}$ & \\texttt{load.slope} ",
        "At $v=0$ the forces reach from",
        // the other parameters are as they were
        "$F_C$ & \\texttt{fc} ",
    ] {
        assert!(stribeck.contains(part), "{part}\nis not in\n{stribeck}");
    }
    // the load has one meaning
    assert!(!stribeck.contains("N/N_0") && !stribeck.contains("The states are"), "{stribeck}");
    assert!(lugre.contains("The states are the same in both directions.") && lugre.contains("At $v=0$"), "{lugre}");
    assert!(gms.contains("k_2 &= \\begin{cases} k_2^{+}") && !gms.contains("At $v=0$ the forces"), "{gms}");
    // its load has a sign
    assert!(gear.contains("\\bar T &= b_{\\mathrm{load}} + s_{\\mathrm{load}}\\,N."), "{gear}");
}

/// Compiles the documents of all laws with the pdfLaTeX that the environment names.
#[test]
fn every_document_compiles() {
    let Some(pdflatex) = std::env::var_os("STICTION_PDFLATEX") else {
        return skip("STICTION_PDFLATEX does not name a pdfLaTeX, so the equations are not compiled");
    };
    let folder = folder("latex");
    let files = ["armstrong", "gear", "gms", "karnopp", "lugre", "reset-integrator"].map(|name| {
        let path = format!("{}/tests/law_file/laws/file-{name}.toml", env!("CARGO_MANIFEST_DIR"));
        LawCode::new(LawFile::read(Path::new(&path)).unwrap().entry()).unwrap()
    });
    let laws = models::ALL.iter().map(|law| LawCode::new(law).unwrap()).chain(files).chain([
        from_file(AWKWARD),
        from_file(TABLE),
        from_file(&long()),
    ]);
    let laws = laws.chain(wrapped_laws());
    for code in laws {
        save(&folder, latex::files(&code));
        let document = format!("{}_document.tex", code.name);
        run(Command::new(&pdflatex).current_dir(&folder).args([
            "-interaction=nonstopmode",
            "-halt-on-error",
            &document,
        ]));
    }
}
