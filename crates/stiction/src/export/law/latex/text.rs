//! Text, numbers and units in LaTeX.
use crate::number::short;

/// Greek letters that LaTeX has a command for, and their characters.
pub(super) const GREEK: [(&str, char); 35] = [
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("epsilon", 'ϵ'),
    ("varepsilon", 'ε'),
    ("zeta", 'ζ'),
    ("eta", 'η'),
    ("theta", 'θ'),
    ("iota", 'ι'),
    ("kappa", 'κ'),
    ("lambda", 'λ'),
    ("mu", 'μ'),
    ("mu", 'µ'),
    ("nu", 'ν'),
    ("xi", 'ξ'),
    ("pi", 'π'),
    ("rho", 'ρ'),
    ("sigma", 'σ'),
    ("tau", 'τ'),
    ("upsilon", 'υ'),
    ("phi", 'ϕ'),
    ("varphi", 'φ'),
    ("chi", 'χ'),
    ("psi", 'ψ'),
    ("omega", 'ω'),
    ("Gamma", 'Γ'),
    ("Delta", 'Δ'),
    ("Theta", 'Θ'),
    ("Lambda", 'Λ'),
    ("Sigma", 'Σ'),
    ("Phi", 'Φ'),
    ("Psi", 'Ψ'),
    ("Omega", 'Ω'),
    ("Xi", 'Ξ'),
];

/// Signs that text may have and that LaTeX writes in formulas.
const SIGNS: [(char, &str); 12] = [
    ('≤', "$\\le$"),
    ('≥', "$\\ge$"),
    ('≠', "$\\ne$"),
    ('±', "$\\pm$"),
    ('×', "$\\times$"),
    ('·', "$\\cdot$"),
    ('−', "$-$"),
    ('∞', "$\\infty$"),
    ('√', "$\\surd$"),
    ('°', "$^\\circ$"),
    ('²', "$^2$"),
    ('³', "$^3$"),
];

/// Plain text, with what LaTeX reads as commands written out. A character that pdfLaTeX does not know becomes a question mark.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if let Some((name, _)) = GREEK.iter().find(|(_, letter)| *letter == c) {
            out += &format!("$\\{name}$");
        } else if let Some((_, sign)) = SIGNS.iter().find(|(known, _)| *known == c) {
            out += sign;
        } else {
            match c {
                '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
                '\\' => out += "\\textbackslash{}",
                '~' => out += "\\textasciitilde{}",
                '^' => out += "\\textasciicircum{}",
                '<' | '>' | '|' => out += &format!("${c}$"),
                '–' => out += "--",
                '—' => out += "---",
                '‘' | '’' => out.push('\''),
                '“' | '”' => out.push('"'),
                c if c.is_whitespace() => out.push(' '),
                // letters with accents
                c if c.is_ascii() || ('\u{c0}'..='\u{17f}').contains(&c) => out.push(c),
                _ => out.push('?'),
            }
        }
    }
    out
}

/// A text for a comment: on one line.
pub(super) fn comment(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A number as it stands in a formula, and whether it is a product or a power.
pub(super) fn number(x: f64) -> (String, NumberForm) {
    let text = short(x);
    let Some((mantissa, exponent)) = text.split_once('e') else { return (text, NumberForm::Decimal) };
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    match mantissa {
        "1" | "-1" => (format!("{sign}10^{{{exponent}}}"), NumberForm::Power),
        _ => (format!("{mantissa}\\cdot 10^{{{exponent}}}"), NumberForm::Product),
    }
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberForm {
    Decimal,
    Product,
    Power,
}

/// A value for a table: seven digits, and a sign that says so if that is not all of them.
pub(super) fn value(x: f64) -> String {
    let rounded: f64 = format!("{x:.6e}").parse().unwrap_or(x);
    let (text, _) = number(rounded);
    if rounded == x { format!("${text}$") } else { format!("$\\approx {text}$") }
}

/// A unit: `N·s/m` becomes an upright formula. Without unit it is a dash.
pub(super) fn unit(text: &str) -> String {
    if text.trim().is_empty() || text == "-" {
        return "--".to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    let (mut out, mut at) = (String::new(), 0);
    while let Some(&c) = letters.get(at) {
        at += 1;
        if c == '^' {
            let end = match letters.get(at) {
                Some('(') => letters[at..].iter().position(|c| *c == ')').map_or(letters.len(), |k| at + k + 1),
                _ => {
                    let run = letters[at..].iter().take_while(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
                    at + run.count().max(1)
                }
            };
            let end = end.min(letters.len());
            let inner = letters[at..end].iter().filter(|c| !matches!(c, '(' | ')')).map(|c| unit_sign(*c));
            out += &format!("^{{{}}}", inner.collect::<String>());
            at = end;
        } else {
            out += &unit_sign(c);
        }
    }
    format!("$\\mathrm{{{out}}}$")
}

fn unit_sign(c: char) -> String {
    match c {
        '·' | '*' | '⋅' => "\\,".to_owned(),
        '²' => "^{2}".to_owned(),
        '³' => "^{3}".to_owned(),
        '°' => "{}^{\\circ}".to_owned(),
        '%' => "\\%".to_owned(),
        '−' => "-".to_owned(),
        c if c.is_ascii_alphanumeric() || matches!(c, '/' | '(' | ')' | '-' | '+' | '.') => c.to_string(),
        c if c.is_whitespace() => "\\,".to_owned(),
        c => GREEK.iter().find(|(_, letter)| *letter == c).map_or("?".to_owned(), |(name, _)| format!("\\{name} ")),
    }
}
