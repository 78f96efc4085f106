//! The tables of a law from a file: parameters, states, conditions and the text that describes it. They live as long as the program.
use super::compile::Meaning;
use super::compiled_law::CompiledLaw;
use super::curve::Curve;
use super::source::{LawSource, ParamSource, StateSource};
use crate::Error;
use crate::error::LawFileError;
use stiction_core::registry::LawTables;
use stiction_core::{Param, Relation, StateInfo};

fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn leak_all<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}

pub(super) fn tables(source: &LawSource) -> Result<LawTables, Error> {
    let param = |p: &ParamSource| Param {
        name: leak(&p.name),
        unit: leak(&p.unit),
        doc: leak(&p.doc),
        default: p.default,
        min: p.min,
        max: p.max,
    };
    let state = |s: &StateSource| StateInfo { name: leak(&s.name), unit: leak(&s.unit) };
    Ok(LawTables {
        name: leak(&source.name),
        doc: leak(&documentation(source)),
        cite: leak_all(source.cite.iter().map(|key| leak(key)).collect()),
        params: leak_all(source.params.iter().map(param).collect()),
        states: leak_all(source.states.iter().map(state).collect()),
        relations: leak_all(relations(source)?),
        held: leak_all(source.params.iter().filter(|p| !p.is_fitted).map(|p| leak(&p.name)).collect()),
    })
}

/// The text that describes the law, in the form of those in the program: a summary, equations, remarks.
fn documentation(source: &LawSource) -> String {
    let summary =
        if source.summary.is_empty() { format!("{}: a law from a file.", source.name) } else { source.summary.clone() };
    let mut out = format!("{summary}\n\n```text\n");
    for (name, expression) in &source.definitions {
        out += &format!("{name} = {}\n", expression.text);
    }
    for (state, rate) in source.states.iter().zip(&source.rates) {
        if let Some(rate) = rate {
            out += &format!("d{}/dt = {}\n", state.name, rate.text);
        }
    }
    for (name, expression) in [("F", &source.force), ("hold", &source.hold), ("band", &source.band)] {
        if let Some(expression) = expression {
            out += &format!("{name} = {}\n", expression.text);
        }
    }
    for when in &source.whens {
        let mut conditions: Vec<String> = Vec::new();
        conditions.extend(when.condition.as_ref().map(|condition| condition.text.clone()));
        conditions
            .extend(when.guard.as_ref().map(|g| format!("{} {} 0", g.text, if when.falling { "<=" } else { ">=" })));
        let set = when.set.iter().map(|(i, to)| format!("{} := {}", source.states[*i].name, to.text));
        out += &format!("when {}: {}\n", conditions.join(" and "), set.collect::<Vec<_>>().join(", "));
    }
    for curve in &source.curves {
        out +=
            &format!("{}: interpolated over {} between {} points\n", curve.name, curve.input.text, curve.curve.len());
    }
    if let Some(table) = &source.table {
        let points: usize = table.curves().map(Curve::len).sum();
        out += &format!("F: interpolated in a table of {points} points\n");
    }
    out += "```\n";
    out += &source.kept_rows().into_iter().map(|line| line + "\n").collect::<String>();
    if !source.doc.is_empty() {
        out += &format!("{}\n", source.doc);
    }
    out
}

/// Conditions between parameters.
fn relations(source: &LawSource) -> Result<Vec<Relation>, Error> {
    let mut out = Vec::new();
    for require in &source.require {
        let mut law = CompiledLaw::new(source);
        law.compiler
            .names
            .retain(|name| matches!(&name.meaning, Meaning::Input { input, .. } if *input >= law.first_param));
        let holds = law.condition(require)?;
        let (one, zero) = (law.compiler.builder.number(1.0), law.compiler.builder.number(0.0));
        let value = law.compiler.builder.select(holds, one, zero);
        let program = law.compiler.builder.program(law.inputs, &[value]);
        let first = law.first_param as usize;
        let holds = move |values: &[f64]| {
            let mut all = vec![0.0; first];
            all.extend(values);
            program.evaluate(&all).first() == Some(&1.0)
        };
        let defaults: Vec<f64> = source.params.iter().map(|param| param.default).collect();
        if !holds(&defaults) {
            return Err(require.at.error(LawFileError::Require { text: require.text.clone() }));
        }
        out.push(Relation { text: leak(&require.text), holds: Box::leak(Box::new(holds)) });
    }
    Ok(out)
}
