//! Parameters for each direction of motion, and a load in its own unit: what their equations add to those of the law.
use super::file::align;
use super::{LawEquations, Symbol};
use crate::export::law::LawCode;

/// Adds the equations of the wrappers, and gives the parameters their symbols: those of the law, then those of the wrappers.
pub(super) fn around(code: &LawCode, mut law: LawEquations) -> LawEquations {
    let wrapping = &code.wrapping;
    let mut rows = Vec::new();
    let mut more = Vec::new();
    for i in &wrapping.reverse {
        let Some(symbol) = law.params.get_mut(*i) else { continue };
        let plain = symbol.latex.clone();
        let [forward, reverse] = ["+", "-"].map(|side| format!("{}^{{{side}}}", base(&plain)));
        rows.push(format!("{plain} &= \\begin{{cases}} {forward}, & v \\ge 0,\\\\ {reverse}, & v < 0 \\end{{cases}}"));
        more.push(own(&format!("reverse.{}", symbol.name), reverse));
        symbol.latex.clone_from(&forward);
        symbol.in_equations = forward;
    }
    if !rows.is_empty() {
        law.text = law.text.trim_end().to_owned();
        law.text += "\nThe parameters depend on the direction of motion:\n";
        law.text += &align(&rows);
        law.text += &at_rest(code);
    }
    if wrapping.load {
        let factor = if law.text.contains("\\bar T") { "\\bar T" } else { "\\bar N" };
        let [base, slope] = ["b", "s"].map(|letter| format!("{letter}_{{\\mathrm{{load}}}}"));
        let sum = format!("{base} + {slope}\\,N");
        let value = if code.signed_load() { sum } else { format!("\\max(0,\\; {sum})") };
        law.text = format!("{}\nThe load factor follows from the load $N$ in its own unit:\n", law.text.trim_end());
        law.text += &align(&[format!("{factor} &= {value}")]);
        more.extend([own("load.base", base), own("load.slope", slope)]);
    }
    law.params.extend(more);
    law
}

/// What is true at rest, where neither direction is.
fn at_rest(code: &LawCode) -> String {
    let mut out = String::new();
    if code.hold().is_some() {
        out += "At $v=0$ the forces reach from the end that the parameters of $v<0$ give for motion backwards to the one that those of $v\\ge0$ give for motion forwards.\n";
    }
    if code.has_memory() {
        out += "The states are the same in both directions.\n";
    }
    out
}

/// A symbol that an exponent may follow.
fn base(symbol: &str) -> String {
    if symbol.contains('^') { format!("{{{symbol}}}") } else { symbol.to_owned() }
}

fn own(name: &str, latex: String) -> Symbol {
    Symbol { name: name.to_owned(), in_equations: latex.clone(), latex, meaning: String::new() }
}
