//! The controller to export: its parts, and one sample of it as a program.
use super::operation_count::OperationCount;
use super::recorder::{RecordedNumber, record};
use crate::Error;
use crate::scenario::{ControllerPart, ControllerStateInfo, assemble};
use std::collections::BTreeSet;
use stiction_core::control::registry::{CompensatorNumber, DynControl, DynMonitored, Role};
use stiction_core::control::{InputMonitor, MotionSample, Signals};
use stiction_core::program::Program;
use stiction_core::program::{Function, Precision};
use stiction_core::{Params, Real};

/// What to export.
#[derive(Clone, Debug)]
pub struct ExportPlan {
    /// Prefix of all names in C, name of the crate in Rust.
    pub name: String,
    /// Origin of the controller, for the header comment.
    pub source: String,
    /// Its parts.
    pub parts: Vec<ControllerPart>,
    /// Largest command [N or N·m].
    pub limit: f64,
    /// Largest change of the position in a sample [m or rad]; none: any.
    pub jump: Option<f64>,
    /// Sample time \[s\].
    pub period: f64,
    /// Floating-point precision of the generated code.
    pub precision: Precision,
    /// Whether the normal load is an input, as a factor on the nominal load.
    pub load: bool,
}

/// A field of a struct in the exported code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructField {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// Description.
    pub doc: String,
}

/// One sample of a controller as a program.
#[derive(Clone, Debug)]
pub struct ControllerProgram {
    /// Inputs: first `signals`, then `state`. Outputs: command, fault, then the state after it.
    pub program: Program,
    /// Inputs at each sample.
    pub signals: Vec<StructField>,
    /// State kept between samples, initially zero.
    pub state: Vec<StructField>,
    /// Operations per sample.
    pub cost: OperationCount,
}

impl ControllerProgram {
    /// The name of an input of the program.
    pub(super) fn name(&self, i: u32) -> String {
        self.signals.iter().chain(&self.state).nth(i as usize).map_or(String::new(), |field| field.name.clone())
    }
}

/// Outputs before the state.
pub(super) const OUTPUTS: usize = 2;

impl ExportPlan {
    /// A plan without parts, in double precision, with a limit of 1e9.
    pub fn new(name: &str, period: f64) -> Self {
        Self {
            name: name.to_owned(),
            source: String::new(),
            parts: Vec::new(),
            limit: 1e9,
            jump: None,
            period,
            precision: Precision::Double,
            load: false,
        }
    }
    /// The controller over a number type, with its guard against invalid inputs, and the names of its state.
    ///
    /// # Errors
    /// As [`assemble`].
    pub fn block<R: CompensatorNumber>(&self) -> Result<(DynMonitored<R>, Vec<ControllerStateInfo>), Error> {
        let (assembly, mut memory) = assemble(&self.parts, self.limit)?;
        let monitor = InputMonitor { jump: self.jump.unwrap_or(f64::INFINITY) };
        let own = InputMonitor::<f64>::STATES.iter();
        memory.extend(own.map(|state| ControllerStateInfo {
            part: InputMonitor::<f64>::NAME,
            name: state.name,
            unit: state.unit,
        }));
        Ok((DynMonitored { monitor: monitor.map(R::lit), inner: Box::new(assembly) }, memory))
    }
    /// Whether it estimates the velocity from the position.
    pub fn estimates(&self) -> bool {
        self.parts.iter().any(|part| part.entry.role() == Role::Estimator)
    }
    /// Its inputs at each sample, in order.
    pub fn signals(&self) -> Vec<StructField> {
        let field = |name: &str, unit, doc: &str| StructField { name: name.to_owned(), unit, doc: doc.to_owned() };
        let mut out = vec![
            field("wanted_x", "m", "Where the body should be"),
            field("wanted_v", "m/s", "How fast it should be"),
            field("wanted_a", "m/s²", "The acceleration it should have"),
            field("position", "m", "Where it is, measured"),
        ];
        if !self.estimates() {
            out.push(field("velocity", "m/s", "How fast it is, measured"));
            out.push(field("acceleration", "m/s²", "Its acceleration, measured; 0 where nothing uses it"));
        }
        if self.load {
            out.push(field("load", "-", "Normal load over its nominal value"));
        }
        out
    }
    /// One sample over any number type: inputs as in [`ExportPlan::signals`]; the state is updated in place. Returns the
    /// command; the fault is the last number of the state.
    pub fn sample<R: Real>(&self, block: &DynMonitored<R>, signals: &[R], memory: &mut [R]) -> R {
        let mut given = signals.iter().copied();
        let mut next = || given.next().unwrap_or(R::lit(0.0));
        let reference = MotionSample { x: next(), v: next(), a: next() };
        let x = next();
        let measured = if self.estimates() { MotionSample::rest(x) } else { MotionSample { x, v: next(), a: next() } };
        let mut now = Signals::new(reference, measured);
        if self.load {
            now.load = next();
        }
        block.step(memory, &now, R::lit(self.period))
    }
    /// Records one sample as a program.
    ///
    /// # Errors
    /// [`Error::Analysis`] for a sample time or a limit out of range, [`Error::Conflict`] for a random law, and as
    /// [`assemble`].
    pub fn record(&self) -> Result<ControllerProgram, Error> {
        self.check()?;
        let signals = self.signals();
        let (signal_count, memory) = (signals.len(), self.block::<f64>()?.1);
        let mut failed = None;
        let program = record(self.precision, (signal_count + memory.len()) as u32, |inputs| {
            let (signal_count, state) = inputs.split_at(signal_count);
            let block = match self.block::<RecordedNumber>() {
                Ok((block, _)) => block,
                Err(error) => {
                    failed = Some(error);
                    return Vec::new();
                }
            };
            let mut state = state.to_vec();
            let command = self.sample(&block, signal_count, &mut state);
            let fault = state.last().copied().unwrap_or(command);
            [command, fault].into_iter().chain(state).collect()
        });
        if let Some(error) = failed {
            return Err(error);
        }
        if program.functions().contains(&Function::Uniform) {
            let law = self.parts.iter().find_map(|part| part.law.as_ref());
            let key = law.map_or("law", |law| law.law().name);
            return Err(Error::Conflict { key, why: "is random: a controller cannot know its force" });
        }
        let (program, live_state) = live_state(&program, signal_count);
        let state = fields(&live_state.iter().map(|i| memory[*i]).collect::<Vec<_>>());
        let cost = OperationCount::of(&program);
        Ok(ControllerProgram { program, signals, state, cost })
    }
    fn check(&self) -> Result<(), Error> {
        let value = |key: &'static str, x: f64, must: &'static str| {
            Err(Error::Analysis(crate::analysis::AnalysisError::InvalidValue {
                key,
                value: crate::number::short(x),
                must,
            }))
        };
        // controllers clamp the sample time to this range
        if !(1e-7..=100.0).contains(&self.period) {
            return value("sample", self.period, "1e-7 to 100 s");
        }
        if !(self.limit > 0.0 && self.limit <= 1e12) {
            return value("limit", self.limit, "above 0, and 1e12 at most");
        }
        match self.jump {
            Some(jump) if !(1e-12..=1e30).contains(&jump) => value("jump", jump, "1e-12 to 1e30"),
            _ => self.parts.iter().try_for_each(|part| part.check(|_| true)),
        }
    }
}

/// The program without states that influence neither command nor fault, and the indices of the remaining states.
fn live_state(program: &Program, signal_count: usize) -> (Program, Vec<usize>) {
    let mut live_state: BTreeSet<usize> = BTreeSet::new();
    let all =
        |live_state: &BTreeSet<usize>| (0..OUTPUTS).chain(live_state.iter().map(|i| OUTPUTS + i)).collect::<Vec<_>>();
    let program = loop {
        let cut = program.with_outputs(&all(&live_state));
        let seen: BTreeSet<usize> =
            cut.used_inputs().iter().filter_map(|i| (*i as usize).checked_sub(signal_count)).collect();
        if seen == live_state {
            break cut;
        }
        live_state = seen;
    };
    let live_state: Vec<usize> = live_state.into_iter().collect();
    // the remaining inputs are renumbered without gaps
    let place = |i: u32| {
        let from = (i as usize).checked_sub(signal_count).and_then(|i| live_state.iter().position(|k| *k == i));
        from.map_or(i, |k| (signal_count + k) as u32)
    };
    (program.renumber_inputs((signal_count + live_state.len()) as u32, place), live_state)
}

/// Unique field names for the states that are valid in C and Rust.
fn fields(memory: &[ControllerStateInfo]) -> Vec<StructField> {
    let mut out: Vec<StructField> = Vec::new();
    for slot in memory {
        let text = if slot.part.is_empty() { slot.name.to_owned() } else { format!("{}_{}", slot.part, slot.name) };
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let base: String = text.chars().map(plain).collect();
        let taken = |name: &str| out.iter().any(|field| field.name == name);
        let numbered = (2..).map(|k| format!("{base}_{k}"));
        let name = std::iter::once(base.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(base);
        let doc = match slot.part {
            "" => "The last command".to_owned(),
            part => format!("'{}' of {part}", slot.name),
        };
        out.push(StructField { name, unit: slot.unit, doc });
    }
    out
}
