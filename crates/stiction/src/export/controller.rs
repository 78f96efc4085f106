//! A controller to be exported: its parts, and the program of one sample.
use super::cost::Cost;
use super::op::{Function, Precision};
use super::program::Program;
use super::tape::{Node, record};
use crate::Error;
use crate::scenario::{Piece, Slot, assemble};
use std::collections::BTreeSet;
use stiction_core::control::registry::{Block, Guarding, Role};
use stiction_core::control::{Guard, Motion, Signals};
use stiction_core::{Params, Real};

/// What to export.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Prefix of its names in C, name of the crate in Rust.
    pub name: String,
    /// Where it comes from, for the head of the file.
    pub source: String,
    /// Its parts.
    pub pieces: Vec<Piece>,
    /// Largest command [N or N·m].
    pub limit: f64,
    /// Largest change of the position in a sample [m or rad]; none: any.
    pub jump: Option<f64>,
    /// Sample time \[s\].
    pub period: f64,
    /// Its arithmetic.
    pub precision: Precision,
    /// Whether it is told the normal load, as a factor on the nominal one.
    pub load: bool,
}

/// A field of a struct in the exported code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// What it is.
    pub doc: String,
}

/// One sample of a controller as a program.
#[derive(Clone, Debug)]
pub struct Step {
    /// Inputs: first `signals`, then `state`. Outputs: command, fault, then the state after it.
    pub program: Program,
    /// What it is told.
    pub signals: Vec<Field>,
    /// What it remembers; all zero to begin with.
    pub state: Vec<Field>,
    /// What a sample costs, always.
    pub cost: Cost,
}

impl Step {
    /// The name of an input of the program.
    pub(super) fn name(&self, i: u32) -> String {
        self.signals.iter().chain(&self.state).nth(i as usize).map_or(String::new(), |field| field.name.clone())
    }
}

/// Outputs before the state.
pub(super) const OUTPUTS: usize = 2;

impl Plan {
    /// A plan without parts, in double, without a limit.
    pub fn new(name: &str, period: f64) -> Self {
        Self {
            name: name.to_owned(),
            source: String::new(),
            pieces: Vec::new(),
            limit: 1e9,
            jump: None,
            period,
            precision: Precision::Double,
            load: false,
        }
    }
    /// The controller over a number, guarded, and the names of its memory.
    ///
    /// # Errors
    /// As [`assemble`].
    pub fn block<R: Real>(&self) -> Result<(Guarding<R>, Vec<Slot>), Error> {
        let (assembly, mut memory) = assemble(&self.pieces, self.limit)?;
        let guard = Guard { jump: self.jump.unwrap_or(f64::INFINITY) };
        let own = Guard::<f64>::STATES.iter();
        memory.extend(own.map(|state| Slot { part: Guard::<f64>::NAME, name: state.name, unit: state.unit }));
        Ok((Guarding { guard: guard.map(R::lit), inner: Box::new(assembly) }, memory))
    }
    /// Whether it makes its own velocity of the position.
    pub fn estimates(&self) -> bool {
        self.pieces.iter().any(|piece| piece.entry.role() == Role::Estimator)
    }
    /// What it is told at each sample, in order.
    pub fn signals(&self) -> Vec<Field> {
        let field = |name: &str, unit, doc: &str| Field { name: name.to_owned(), unit, doc: doc.to_owned() };
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
    /// One sample over any number: inputs as in [`Plan::signals`], the memory in place. Gives the command; the fault is
    /// the last number of the memory.
    pub fn sample<R: Real>(&self, block: &Guarding<R>, signals: &[R], memory: &mut [R]) -> R {
        let mut given = signals.iter().copied();
        let mut next = || given.next().unwrap_or(R::lit(0.0));
        let wanted = Motion { x: next(), v: next(), a: next() };
        let x = next();
        let seen = if self.estimates() { Motion::rest(x) } else { Motion { x, v: next(), a: next() } };
        let mut now = Signals::new(wanted, seen);
        if self.load {
            now.load = next();
        }
        block.step(memory, &now, R::lit(self.period))
    }
    /// Records one sample.
    ///
    /// # Errors
    /// [`Error::Analysis`] for a sample time or a limit that makes no sense, [`Error::Clash`] for a law that is random,
    /// and as [`assemble`].
    pub fn record(&self) -> Result<Step, Error> {
        self.check()?;
        let signals = self.signals();
        let (told, memory) = (signals.len(), self.block::<f64>()?.1);
        let mut failed = None;
        let program = record(self.precision, (told + memory.len()) as u32, |inputs| {
            let (told, state) = inputs.split_at(told);
            let block = match self.block::<Node>() {
                Ok((block, _)) => block,
                Err(error) => {
                    failed = Some(error);
                    return Vec::new();
                }
            };
            let mut state = state.to_vec();
            let command = self.sample(&block, told, &mut state);
            let fault = state.last().copied().unwrap_or(command);
            [command, fault].into_iter().chain(state).collect()
        });
        if let Some(error) = failed {
            return Err(error);
        }
        if program.functions().contains(&Function::Uniform) {
            let law = self.pieces.iter().find_map(|piece| piece.law.as_ref());
            let key = law.map_or("law", |law| law.law().name);
            return Err(Error::Clash { key, why: "is random: a controller cannot know its force" });
        }
        let (program, alive) = alive(&program, told);
        let state = fields(&alive.iter().map(|i| memory[*i]).collect::<Vec<_>>());
        let cost = Cost::of(&program);
        Ok(Step { program, signals, state, cost })
    }
    fn check(&self) -> Result<(), Error> {
        let value = |key: &'static str, x: f64, must: &'static str| {
            Err(Error::Analysis(crate::analysis::Failure::Value { key, value: crate::number::short(x), must }))
        };
        // controllers count others as the nearest of these
        if !(1e-7..=100.0).contains(&self.period) {
            return value("sample", self.period, "1e-7 to 100 s");
        }
        if !(self.limit > 0.0 && self.limit <= 1e12) {
            return value("limit", self.limit, "above 0, and 1e12 at most");
        }
        match self.jump {
            Some(jump) if !(1e-12..=1e30).contains(&jump) => value("jump", jump, "1e-12 to 1e30"),
            _ => self.pieces.iter().try_for_each(|piece| piece.check(|_| true)),
        }
    }
}

/// The program without memory that never reaches command or fault, and which numbers of the memory are left.
fn alive(program: &Program, told: usize) -> (Program, Vec<usize>) {
    let mut alive: BTreeSet<usize> = BTreeSet::new();
    let all = |alive: &BTreeSet<usize>| (0..OUTPUTS).chain(alive.iter().map(|i| OUTPUTS + i)).collect::<Vec<_>>();
    let program = loop {
        let cut = program.keep(&all(&alive));
        let seen: BTreeSet<usize> = cut.used().iter().filter_map(|i| (*i as usize).checked_sub(told)).collect();
        if seen == alive {
            break cut;
        }
        alive = seen;
    };
    let alive: Vec<usize> = alive.into_iter().collect();
    // the inputs that are left, close together
    let place = |i: u32| {
        let from = (i as usize).checked_sub(told).and_then(|i| alive.iter().position(|k| *k == i));
        from.map_or(i, |k| (told + k) as u32)
    };
    (program.with_inputs((told + alive.len()) as u32, place), alive)
}

/// Names for numbers of the memory that both languages take, each once.
fn fields(memory: &[Slot]) -> Vec<Field> {
    let mut out: Vec<Field> = Vec::new();
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
        out.push(Field { name, unit: slot.unit, doc });
    }
    out
}
