//! A unit in use: what the importer may do with it, and when.
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use stiction::export::fmu::{ScenarioRun, ScenarioState};

/// What the importer may do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Set parameters, set up.
    Instantiated,
    /// Set parameters and inputs.
    Initialising,
    /// Set inputs, take steps.
    Stepping,
    /// Read, reset, free.
    Ended,
}

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Self::Instantiated => "before the initialisation",
            Self::Initialising => "in initialisation mode",
            Self::Stepping => "between steps",
            Self::Ended => "after the end",
        }
    }
}

/// A state that the importer keeps.
#[derive(Clone)]
pub struct KeptState {
    phase: Phase,
    start: f64,
    state: ScenarioState,
}

/// A scenario in the hands of an importer.
pub struct Unit {
    run: ScenarioRun,
    phase: Phase,
    start: f64,
    /// Tells the importer why a call was refused.
    log: Box<dyn Fn(&str)>,
}

/// The numbers of results of calls, the same in both versions.
pub const OK: i32 = 0;
pub const ERROR: i32 = 3;

/// A result, or why there is none.
type Result<T> = std::result::Result<T, String>;

impl Unit {
    /// Reads the scenario in the folder of resources.
    pub fn new(resources: &Path, token: &str, log: Box<dyn Fn(&str)>) -> Option<Self> {
        let path = resources.join("scenario.toml");
        let read = || -> Result<ScenarioRun> {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let run = guarded(|| ScenarioRun::read(&text, &path).map_err(|error| error.to_string()))?;
            if run.token() == token {
                Ok(run)
            } else {
                Err("the GUID or instantiation token is not that of the model description".to_owned())
            }
        };
        match read() {
            Ok(run) => Some(Self { run, phase: Phase::Instantiated, start: 0.0, log }),
            Err(reason) => {
                log(&reason);
                None
            }
        }
    }
    /// The number of a result; the importer is told of an error.
    pub fn status(&self, result: Result<()>) -> i32 {
        match result {
            Ok(()) => OK,
            Err(reason) => {
                (self.log)(&reason);
                ERROR
            }
        }
    }
    fn allow(&self, phases: &[Phase], call: &str) -> Result<()> {
        if phases.contains(&self.phase) {
            return Ok(());
        }
        Err(format!("{call} is not allowed {}", self.phase.name()))
    }
    pub fn set_up(&mut self, start: f64) -> Result<()> {
        self.allow(&[Phase::Instantiated], "setting up an experiment")?;
        if !start.is_finite() {
            return Err("a start time is a finite number".to_owned());
        }
        self.start = start;
        Ok(())
    }
    pub fn enter_initialisation(&mut self) -> Result<()> {
        self.allow(&[Phase::Instantiated], "entering the initialisation")?;
        self.phase = Phase::Initialising;
        Ok(())
    }
    pub fn exit_initialisation(&mut self) -> Result<()> {
        self.allow(&[Phase::Initialising], "leaving the initialisation")?;
        let (run, start) = (&mut self.run, self.start);
        guarded(|| run.initialise(start).map_err(|error| error.to_string()))?;
        self.phase = Phase::Stepping;
        Ok(())
    }
    pub fn terminate(&mut self) -> Result<()> {
        self.allow(&[Phase::Stepping], "ending")?;
        self.phase = Phase::Ended;
        Ok(())
    }
    pub fn reset(&mut self) -> Result<()> {
        self.phase = Phase::Instantiated;
        self.start = 0.0;
        let run = &mut self.run;
        guarded(|| run.reset().map_err(|error| error.to_string()))
    }
    pub fn get(&self, references: &[u32], values: &mut [f64]) -> Result<()> {
        for (reference, value) in references.iter().zip(values) {
            *value = self.run.get(*reference as usize).ok_or("no number has this value reference")?;
        }
        Ok(())
    }
    pub fn set(&mut self, references: &[u32], values: &[f64]) -> Result<()> {
        self.allow(&[Phase::Instantiated, Phase::Initialising, Phase::Stepping], "setting a variable")?;
        for (reference, value) in references.iter().zip(values) {
            if !value.is_finite() {
                return Err("a value is not a finite number".to_owned());
            }
            if !self.run.set(*reference as usize, *value) {
                return Err("no number with this value reference may be set now".to_owned());
            }
        }
        Ok(())
    }
    pub fn step(&mut self, time: f64, length: f64) -> Result<()> {
        self.allow(&[Phase::Stepping], "a step")?;
        if !(time.is_finite() && length.is_finite() && length >= 0.0) {
            return Err("a step has a finite time, and a finite length of at least zero".to_owned());
        }
        let own = self.time();
        if !is_present(self.start, own, time) {
            return Err(format!("a step from {time} s, but the unit is at {own} s: steps follow each other"));
        }
        let before = self.run.state().clone();
        let run = &mut self.run;
        let result = guarded(|| run.step(time, length).map_err(|error| error.to_string()));
        if result.is_err() {
            // with the same parameters, setting a state does not fail
            let _ = self.run.set_state(&before);
        }
        result
    }
    /// The time after the last step.
    pub fn time(&self) -> f64 {
        self.run.get(0).unwrap_or_default()
    }
    pub fn keep(&self) -> KeptState {
        KeptState { phase: self.phase, start: self.start, state: self.run.state().clone() }
    }
    pub fn restore(&mut self, kept: &KeptState) -> Result<()> {
        let run = &mut self.run;
        guarded(|| run.set_state(&kept.state).map_err(|error| error.to_string()))?;
        (self.phase, self.start) = (kept.phase, kept.start);
        Ok(())
    }
    /// A state as bytes: the token, then numbers.
    pub fn serialise(&self, kept: &KeptState) -> Vec<u8> {
        let head = [f64::from(kept.phase as u8), kept.start];
        let numbers = head.into_iter().chain(kept.state.numbers());
        self.run.token().bytes().chain(numbers.flat_map(f64::to_le_bytes)).collect()
    }
    pub fn deserialise(&self, bytes: &[u8]) -> Result<KeptState> {
        let wrong = || "these bytes are not a state of this unit".to_owned();
        let rest = bytes.strip_prefix(self.run.token().as_bytes()).ok_or_else(wrong)?;
        let (numbers, []) = rest.as_chunks() else { return Err(wrong()) };
        let numbers: Vec<f64> = numbers.iter().copied().map(f64::from_le_bytes).collect();
        let [phase, start, state @ ..] = &numbers[..] else { return Err(wrong()) };
        let phases = [Phase::Instantiated, Phase::Initialising, Phase::Stepping, Phase::Ended];
        let phase = phases.into_iter().find(|known| f64::from(*known as u8) == *phase).ok_or_else(wrong)?;
        let state = ScenarioState::read(state, self.run.state()).ok_or_else(wrong)?;
        Ok(KeptState { phase, start: *start, state })
    }
}

/// Whether a step begins at the time `own` of the unit, but for the rounding of one step: as `is_present` in the C sources of units, which
/// derives it.
pub fn is_present(start: f64, own: f64, time: f64) -> bool {
    let largest = start.abs().max(own.abs()).max(time.abs());
    (time - own).abs() <= 8.0 * f64::EPSILON * largest
}

/// The result of `call`; a panic is an error, because it must not leave the library.
fn guarded<T>(call: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|_| Err("an error within the simulator; report it as a bug".to_owned()))
}

/// The folder of resources, which FMI 2.0 gives as an address file:///..., and FMI 3.0 as a path.
pub fn resource_folder(text: &str) -> PathBuf {
    let Some(address) = text.strip_prefix("file:") else { return PathBuf::from(text) };
    // the name of the machine, if there is one
    let path = address.strip_prefix("//").map_or(address, |rest| rest.find('/').map_or(rest, |at| &rest[at..]));
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}
