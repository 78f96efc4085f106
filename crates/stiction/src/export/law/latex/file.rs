//! The equations of a law file.
use super::LawEquations;
use super::expression::{condition, formula, rate, side};
use super::symbols::{self, Symbol};
use super::text::{escaped, number};
use crate::LawFile;
use crate::law_file::{Expression, LawSource, MeasuredTable};
use std::collections::BTreeMap;
use stiction_core::registry::LawEntry;
use stiction_io::expression::{Node, Part, parse};

/// The equations of a law that was read from a file.
pub(super) fn equations(law: &LawEntry, written: &LawFile) -> Option<LawEquations> {
    let source = written.source().ok()?;
    let own = |names: &[&'static str]| names.to_vec();
    let (params, states) = (law.params.iter().map(|p| p.name), law.states.iter().map(|s| s.name));
    let (params, states) = (own(&params.collect::<Vec<_>>()), own(&states.collect::<Vec<_>>()));
    let defined = source.definitions.iter().map(|(name, _)| name.as_str());
    let curves = source.curves.iter().map(|curve| curve.name.as_str());
    let all = params.iter().chain(&states).copied().chain(defined).chain(curves);
    let mut names = symbols::of_names(all);
    let symbol = |name: &&str| {
        let latex = names.get(*name).cloned().unwrap_or_default();
        Symbol { name: (*name).to_owned(), in_equations: latex.clone(), latex, meaning: String::new() }
    };
    let (params, states) = (params.iter().map(symbol).collect(), states.iter().map(symbol).collect());
    for (name, latex) in [("v", "v"), ("load", "\\bar N"), ("pi", "\\pi"), ("dir", "(\\pm 1)")] {
        names.insert(name.to_owned(), latex.to_owned());
    }
    let text = match &source.table {
        Some(table) => measured(table),
        None => Writer { source: &source, names }.text(),
    };
    Some(LawEquations { text, params, states, signed_load: source.signed_load })
}

struct Writer<'a> {
    source: &'a LawSource,
    names: BTreeMap<String, String>,
}

impl Writer<'_> {
    fn symbol(&self, name: &str) -> &str {
        self.names.get(name).map_or("", String::as_str)
    }
    /// The parts of an expression. The file was read, so each of them is well formed.
    fn parts(expression: &Expression) -> Vec<Part> {
        parse(&expression.text).unwrap_or_default()
    }
    fn formula(&self, expression: &Expression) -> String {
        formula(&Self::parts(expression), &self.names)
    }
    fn text(&self) -> String {
        let source = self.source;
        let mut rows = Vec::new();
        for (state, expression) in source.states.iter().zip(&source.rates) {
            if let Some(expression) = expression {
                rows.push(format!("{} &= {}", rate(self.symbol(&state.name)), self.formula(expression)));
            }
        }
        if let Some(force) = &source.force {
            let moving = if source.hold.is_some() { ", & v &\\ne 0" } else { "" };
            rows.push(format!("F &= {}{moving}", self.formula(force)));
        }
        if let Some(hold) = &source.hold {
            rows.extend(self.hold(hold));
        }
        for (name, expression) in &source.definitions {
            rows.push(format!("{} &= {}", self.symbol(name), self.formula(expression)));
        }
        for (k, curve) in source.curves.iter().enumerate() {
            let argument = self.formula(&curve.input);
            rows.push(format!("{} &= \\mathcal{{I}}_{{{}}}({argument})", self.symbol(&curve.name), k + 1));
        }
        if let Some(band) = &source.band {
            rows.push(format!("D &= {}", self.formula(band)));
        }
        let mut out = align(&rows);
        if source.band.is_some() {
            out += "Speeds $|v|<D$ count as rest.\n";
        }
        for (k, curve) in source.curves.iter().enumerate() {
            out += &format!(
                "The function $\\mathcal{{I}}_{{{}}}$ is a cubic between the points {}, without extrema of its own, and constant beyond them.\n",
                k + 1,
                points(curve.curve.points())
            );
        }
        out + &self.jumps()
    }
    /// The set of forces at rest.
    fn hold(&self, hold: &Expression) -> Vec<String> {
        let sided = Self::parts(hold).iter().any(|part| matches!(&part.node, Node::Name(name) if name == "dir"));
        let (below, above, name) = if sided { ("H_-", "H_+", "H_\\pm") } else { ("H", "H", "H") };
        let rest = "\\left.F\\right|_{v=0}";
        vec![
            format!("F &\\in \\bigl[{rest} - {below},\\; {rest} + {above}\\bigr], & v &= 0"),
            format!("{name} &= {}", self.formula(hold)),
        ]
    }
    /// The changes of mode.
    fn jumps(&self) -> String {
        let source = self.source;
        if source.whens.is_empty() {
            return String::new();
        }
        let mut rows = Vec::new();
        for when in &source.whens {
            let mut conditions = Vec::new();
            conditions.extend(when.condition.as_ref().map(|only| match when.guard {
                Some(_) => condition(&Self::parts(only), &self.names),
                None => self.formula(only),
            }));
            if let Some(guard) = &when.guard {
                let (sign, direction) = if when.falling { ("\\le", "falling") } else { ("\\ge", "rising") };
                let guard = side(&Self::parts(guard), &self.names);
                conditions.push(format!("{guard} {sign} 0 \\text{{ ({direction})}}"));
            }
            let condition = conditions.join(" \\text{ and } ");
            for (k, (state, value)) in when.set.iter().enumerate() {
                let name = self.symbol(&source.states[*state].name);
                let when =
                    if k == 0 { format!("\\text{{if }} {condition}") } else { "\\text{in the same case}".to_owned() };
                rows.push(format!("{name} &\\leftarrow {}, && {when}", self.formula(value)));
            }
        }
        format!("The memory changes as soon as one of these conditions holds, in this order:\n{}", align(&rows))
    }
}

/// Displayed equations, aligned.
pub(super) fn align(rows: &[String]) -> String {
    format!("\\begin{{align}}\n{}.\n\\end{{align}}\n", rows.join(",\\\\\n"))
}

fn points(points: impl Iterator<Item = (f64, f64)>) -> String {
    points.map(|(x, y)| format!("$({},\\,{})$", number(x).0, number(y).0)).collect::<Vec<_>>().join(", ")
}

/// The equations of a measured table.
fn measured(table: &MeasuredTable) -> String {
    let (forward, reverse) = if table.has_reverse() { ("L_+", "L_-") } else { ("L", "L") };
    let mut rows = vec![format!("F &= {forward}(v,\\bar N), & v &> 0")];
    rows.push(format!("F &= -{reverse}(|v|,\\bar N), & v &< 0"));
    rows.push(format!("F &\\in \\bigl[-{reverse}(0,\\bar N),\\; {forward}(0,\\bar N)\\bigr], & v &= 0"));
    let mut out = align(&rows);
    out += "The levels are interpolated between the measured points $(|v|,|F|)$: by a cubic without extrema of its own in the speed, constant beyond the ends";
    out += match table.loads() {
        [_] => "; they are proportional to the load.\n",
        _ => {
            "; linear between the loads, in proportion to the load below the lowest of them, continued linearly above the highest, and never negative.\n"
        }
    };
    for (name, curves) in [(forward, table.forward()), (reverse, table.reverse())] {
        for (load, curve) in table.loads().iter().zip(curves) {
            let load = escaped(&crate::number::short(*load));
            out += &format!("At the load factor {load}, ${name}$: {}.\n", points(curve.points()));
        }
    }
    out
}
