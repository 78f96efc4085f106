//! The equations of a law for a paper, in LaTeX.
//!
//! Those of the laws in the program are written by hand, one file each in the folder `laws`, with the symbols of their papers; those of a
//! law file are typeset from its own expressions. What is written is a fragment for `\input` with the equations, a table of their
//! symbols and the citation, the entries of the bibliography, and a document that holds the fragment and compiles by itself.
mod expression;
mod file;
mod symbols;
mod text;
mod wrappers;

pub use symbols::Symbol;

use super::LawCode;
use crate::LawFile;
use crate::export::SourceFile;
use crate::export::source_text::wrapped;
use stiction_core::registry::LawEntry;
use text::{comment, escaped};

/// The sources of the laws, as BibTeX.
const REFERENCES: &str = include_str!("../../../../../../docs/references.bib");

/// The laws that have equations written by hand, with their text.
macro_rules! written {
    ($($name:literal),* $(,)?) => {
        const WRITTEN: &[(&str, &str)] = &[$(($name, include_str!(concat!("laws/", $name, ".tex")))),*];
    };
}
written!(
    "armstrong",
    "bliman-sorine",
    "bouc-wen",
    "bristle",
    "carlson-langer",
    "coulomb",
    "coulomb-sat",
    "coulomb-tanh",
    "dahl",
    "dankowicz",
    "dieterich",
    "elasto-plastic",
    "gear",
    "gms",
    "hysteresis",
    "karnopp",
    "lugre",
    "rate-state",
    "reset-integrator",
    "ruina",
    "simscape",
    "slip-variable",
    "stiction",
    "stribeck",
    "stribeck-dankowicz",
    "stribeck-sat",
    "stribeck-tanh",
    "viscous",
);

/// The equations of a law and the symbols in them.
#[derive(Clone, Debug)]
pub struct LawEquations {
    /// Displayed equations and sentences.
    pub text: String,
    /// The symbols of the parameters, in the order of the law.
    pub params: Vec<Symbol>,
    /// The symbols of the memory.
    pub states: Vec<Symbol>,
    /// Whether the load factor has a sign.
    pub signed_load: bool,
}

/// The equations of a law; none for one that is neither in the program nor from a file.
pub fn equations(law: &LawEntry) -> Option<LawEquations> {
    if let Some(written) = LawFile::of(law) {
        return file::equations(law, &written);
    }
    let (_, text) = WRITTEN.iter().find(|(name, _)| *name == law.name)?;
    let symbol = |name: &str| symbols::built_in(law.name, name);
    let params = law.params.iter().map(|p| symbol(p.name)).collect::<Option<_>>()?;
    let states = law.states.iter().map(|s| symbol(s.name)).collect::<Option<_>>()?;
    Some(LawEquations { text: (*text).to_owned(), params, states, signed_load: false })
}

/// The equations of a law with its wrappers: parameters for each direction, a load in its own unit.
pub fn equations_of(code: &LawCode) -> Option<LawEquations> {
    equations(code.law).map(|law| wrappers::around(code, law))
}

/// The fragment, the bibliography and the document.
pub fn files(code: &LawCode) -> Vec<SourceFile> {
    let Some(equations) = equations_of(code) else { return Vec::new() };
    let file = |path: String, text: String| SourceFile { path, text };
    let mut out = vec![file(format!("{}.tex", code.name), fragment(code, &equations))];
    let entries = bibliography(code.law);
    if !entries.is_empty() {
        out.push(file(format!("{}.bib", code.name), entries.join("\n\n") + "\n"));
    }
    out.push(file(format!("{}_document.tex", code.name), document(code, !entries.is_empty())));
    out
}

/// The comment at the head of a file.
fn header(code: &LawCode, what: &str) -> String {
    let law = code.law;
    let mut lines = vec![format!("{what} {}: {}", law.name, comment(law.doc.lines().next().unwrap_or_default()))];
    if !law.cite.is_empty() {
        lines.push(format!("Published in {}.", comment(&law.cite.join(", "))));
    }
    lines.push(format!("Made by stiction {}.", env!("CARGO_PKG_VERSION")));
    wrapped(&lines, 100).iter().map(|line| format!("% {line}\n")).collect()
}

fn fragment(code: &LawCode, equations: &LawEquations) -> String {
    let law = code.law;
    let mut out = header(code, "Equations of the friction law");
    out += &format!("% For \\input in a text with amsmath; \\eqref{{eq:{}}} refers to them.\n", law.name);
    out += &format!("\\begin{{subequations}}\\label{{eq:{}}}\n", law.name);
    // the equations are numbered by letters, of which there are 26
    if equations.text.matches("\\\\").count() + equations.text.matches("\\begin{").count() > 26 {
        out += "\\renewcommand{\\theequation}{\\theparentequation.\\arabic{equation}}%\n";
    }
    out += equations.text.trim_end();
    out += "\n\\end{subequations}\n";
    out += &conventions(equations, code);
    out += &citation(law);
    let rows = table(code, equations);
    if !rows.is_empty() {
        out += "\n\\begin{center}\n\\begin{tabular}{llp{0.48\\linewidth}ll}\n\\hline\n";
        out += "Symbol & Name & Meaning & Unit & Default\\\\\n\\hline\n";
        out += &rows;
        out += "\\hline\n\\end{tabular}\n\\end{center}\n";
    }
    out
}

/// The sentence on what every law has.
fn conventions(equations: &LawEquations, code: &LawCode) -> String {
    let text = &equations.text;
    let mut out = if code.turns() {
        "Here $v$ is the angular velocity and $F$ the torque of friction, so that a body of inertia $J$ under the applied torque $M_a$\nturns by $J\\,\\dot v = M_a - F$".to_owned()
    } else {
        "Here $v$ is the sliding velocity and $F$ the friction force, so that a body of mass $m$ under the applied force $F_a$ moves\nby $m\\,\\dot v = F_a - F$".to_owned()
    };
    if code.maps_load() {
        // the equation of the load says it
    } else if text.contains("\\bar N") && equations.signed_load {
        out += "; $\\bar N$ is the load over that at which the parameters hold, with a sign";
    } else if text.contains("\\bar N") {
        out += "; $\\bar N = N/N_0 \\ge 0$ is the normal load over the load at which the parameters hold";
    }
    if text.contains("\\operatorname{sgn}") {
        out += "; $\\operatorname{sgn}(0)=0$";
    }
    out + ".\n"
}

/// The sources: those in the bibliography by their keys, others in words.
fn citation(law: &LawEntry) -> String {
    let (keys, words): (Vec<&str>, Vec<&str>) = law.cite.iter().copied().partition(|key| entry(key).is_some());
    let mut parts = Vec::new();
    if !keys.is_empty() {
        parts.push(format!("\\cite{{{}}}", keys.join(",")));
    }
    parts.extend(words.iter().map(|text| escaped(text)));
    if parts.is_empty() { String::new() } else { format!("The law is published in {}.\n", parts.join("; ")) }
}

/// The entry of the bibliography with this key.
fn entry(key: &str) -> Option<&'static str> {
    REFERENCES.split("\n@").skip(1).find_map(|entry| {
        let (_, rest) = entry.split_once('{')?;
        let known = rest.split_once(',')?.0;
        // up to the brace that closes it, at the beginning of a line
        (known == key).then(|| entry.find("\n}").map_or(entry, |end| &entry[..end + 2]))
    })
}

fn bibliography(law: &LawEntry) -> Vec<String> {
    law.cite.iter().filter_map(|key| entry(key)).map(|entry| format!("@{entry}")).collect()
}

/// The rows of the table of symbols.
fn table(code: &LawCode, equations: &LawEquations) -> String {
    let mut out = String::new();
    for ((p, key), symbol) in code.params().iter().zip(code.keys()).zip(&equations.params) {
        let cells = [
            format!("${}$", symbol.latex),
            format!("\\texttt{{{}}}", escaped(&key)),
            escaped(&match key.split_once('.') {
                Some(("reverse", name)) => format!("{}, backwards", meaning(p.doc, name)),
                _ => meaning(p.doc, p.name),
            }),
            text::unit(p.unit),
            text::value(p.default),
        ];
        out += &format!("{}\\\\\n", cells.join(" & "));
    }
    let states: Vec<(&Symbol, &str)> = equations.states.iter().zip(code.law.states.iter().map(|s| s.unit)).collect();
    let same = |a: &(&Symbol, &str), b: &(&Symbol, &str)| a.0.in_equations == b.0.in_equations;
    for group in states.chunk_by(same) {
        let (Some((first, unit)), Some((last, _))) = (group.first(), group.last()) else { continue };
        let range = |of: fn(&Symbol) -> &str, dots: &str| {
            if group.len() == 1 { of(first).to_owned() } else { format!("{}{dots}{}", of(first), of(last)) }
        };
        let is_position = |name: &str| {
            let at = code.law.program().and_then(|program| program.equations.position);
            at.and_then(|i| code.law.states.get(i)).is_some_and(|state| state.name == name)
        };
        let what = match &*first.meaning {
            "" if is_position(&first.name) => "Position",
            "" => "State",
            meaning => meaning,
        };
        let names = escaped(&range(|s| &s.name, " ... "));
        let symbols = range(|s| &s.latex, ",\\dots,");
        out += &format!("${symbols}$ & \\texttt{{{names}}} & {what} & {} & state\\\\\n", text::unit(unit));
    }
    out
}

/// The description of a parameter without a symbol such as Fc at its end, which has a column of its own, and without a full stop.
fn meaning(doc: &str, name: &str) -> String {
    let doc = doc.trim().trim_end_matches('.');
    match doc.rsplit_once(' ') {
        Some((rest, last)) if last.len() <= 3 && last.to_lowercase() == name => rest.to_owned(),
        _ => doc.to_owned(),
    }
}

fn document(code: &LawCode, cites: bool) -> String {
    let mut out = header(code, "A document with the equations of the friction law");
    out += "% pdflatex compiles it; run bibtex in between for the references.\n";
    out += "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage{amsmath}\n";
    out += "\\usepackage[a4paper,margin=20mm]{geometry}\n\\begin{document}\n";
    out += &format!("\\section*{{The friction law \\texttt{{{}}}}}\n", escaped(code.law.name));
    out += &format!("{}\n\n", escaped(code.law.doc.lines().next().unwrap_or_default()));
    out += &format!("\\input{{{}}}\n", code.name);
    if cites {
        out += &format!("\\bibliographystyle{{plain}}\n\\bibliography{{{}}}\n", code.name);
    }
    out + "\\end{document}\n"
}
