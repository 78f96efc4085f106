//! A controller as source code: what it consists of and what a sample costs.
use crate::Report;
use crate::text::quote;
use serde_json::{Map, Value, json};
use std::path::Path;
use stiction::Error;
use stiction::ParameterGroup;
use stiction::export::{
    ControllerProgram, ExportPlan, OperationCount, Precision, SourceFile, StructField, TargetLanguage, emit_c,
    emit_rust,
};
use stiction::scenario::ControllerPart;

/// Operations of a sample above which a warning is due.
const LONG_SAMPLE: usize = 100_000;

fn counts(cost: &OperationCount) -> Map<String, Value> {
    cost.rows().into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect()
}

fn cost(of: &OperationCount) -> Value {
    let mut out = counts(of);
    let calls = of.calls.iter().map(|(function, count)| (function.name().to_owned(), Value::from(*count)));
    out.insert("calls".to_owned(), calls.collect::<Map<_, _>>().into());
    let all = of.expanded();
    out.insert("with_functions".to_owned(), counts(&all).into());
    out.insert("operations".to_owned(), all.total().into());
    out.into()
}

fn fields(list: &[StructField]) -> Value {
    list.iter().map(|f| json!({ "name": f.name, "unit": f.unit, "is": f.doc })).collect()
}

fn part(part: &ControllerPart) -> Value {
    let rows = part.entry.params.iter().zip(&part.values).map(|(p, x)| (p.name.to_owned(), Value::from(*x)));
    let mut out = json!({ "part": part.entry.name, "values": rows.collect::<Map<_, _>>() });
    if let Some(law) = &part.law {
        let table = |part: ParameterGroup| -> Map<String, Value> {
            law.rows(part).into_iter().map(|(p, x)| (p.name.to_owned(), Value::from(x))).collect()
        };
        let mut model = json!({ "name": law.law().name, "values": table(ParameterGroup::Law) });
        for part in [ParameterGroup::Reverse, ParameterGroup::Load].into_iter().filter(|part| law.has(*part)) {
            model[part.prefix()] = table(part).into();
        }
        out["law"] = model;
    }
    out
}

/// A controller in a language.
pub struct ControllerCode {
    plan: ExportPlan,
    step: ControllerProgram,
    target: TargetLanguage,
}

impl ControllerCode {
    /// Records the controller of a plan.
    ///
    /// # Errors
    /// As [`ExportPlan::record`].
    pub fn record(plan: ExportPlan, target: TargetLanguage) -> Result<Self, Error> {
        let step = plan.record()?;
        Ok(Self { plan, step, target })
    }
    /// The code in one file, without its test.
    pub fn source(&self) -> String {
        match self.target {
            TargetLanguage::C => emit_c::single_file(&self.plan, &self.step),
            TargetLanguage::Rust => emit_rust::library(&self.plan, &self.step),
        }
    }
    /// The code and its test.
    ///
    /// # Errors
    /// Of the simulation that makes the test.
    pub fn files(&self) -> Result<Vec<SourceFile>, Error> {
        match self.target {
            TargetLanguage::C => emit_c::files(&self.plan, &self.step),
            TargetLanguage::Rust => emit_rust::files(&self.plan, &self.step),
        }
    }
    /// Whether some of its operations are in loops, which end early in most samples.
    fn has_loops(&self) -> bool {
        self.step.program.loops().next().is_some()
    }
    /// A warning if the longest sample has more than 100 000 operations.
    pub fn warning(&self) -> Option<String> {
        let most = self.step.cost.expanded().total();
        (most > LONG_SAMPLE).then(|| {
            format!(
                "a sample has up to {most} operations, if every loop makes all of its turns; {LONG_SAMPLE} take a millisecond at 100 MHz and one \
                 operation a cycle. Measure the longest sample on your processor, or give the law file step.NAME for its states, which needs no loops"
            )
        })
    }
    /// How to compile the code in a folder and run its test.
    pub fn next(&self, folder: &Path) -> String {
        let folder = quote(&folder.to_string_lossy());
        let command = match self.target {
            TargetLanguage::C => {
                let name = &self.plan.name;
                format!("cd {folder} && cc -std=c99 -O2 {name}.c {name}_test.c -o test && ./test")
            }
            TargetLanguage::Rust => format!("cd {folder} && cargo test"),
        };
        format!("\nNext: {command}\n")
    }
}

impl Report for ControllerCode {
    /// The cost of a sample.
    fn text(&self) -> String {
        let (own, all) = (&self.step.cost, self.step.cost.expanded());
        let mut out = format!("{:<10} {:>8} {:>15}\n", "a sample", "itself", "with functions");
        for ((name, count), (_, expanded)) in own.rows().into_iter().zip(all.rows()) {
            out += &format!("{name:<10} {count:>8} {expanded:>15}\n");
        }
        for (function, count) in &own.calls {
            out += &format!("{:<10} {count:>8} {:>15}\n", function.name(), "-");
        }
        out += &format!("{:<10} {:>8} {:>15}\n", "all", own.total(), all.total());
        out += &format!("{} numbers of memory\n", self.step.state.len());
        if self.has_loops() {
            out += "loops are counted with all the turns they may take; they end when nothing changes any more\n";
        }
        out
    }
    /// Everything about it except the code.
    fn json(&self) -> Value {
        let Self { plan, step, target } = self;
        json!({
            "name": plan.name,
            "target": match target { TargetLanguage::C => "c", TargetLanguage::Rust => "rust" },
            "precision": match plan.precision { Precision::Single => "f32", Precision::Double => "f64" },
            "source": plan.source,
            "sample": plan.period,
            "limit": plan.limit,
            "jump": plan.jump,
            "parts": plan.parts.iter().map(part).collect::<Vec<_>>(),
            "input": fields(&step.signals),
            "state": fields(&step.state),
            "cost": cost(&step.cost),
        })
    }
}
