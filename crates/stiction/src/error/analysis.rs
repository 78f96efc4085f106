//! Why an analysis has no answer.
use std::fmt::{self, Display, Formatter};

/// Why an analysis has no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum AnalysisError {
    /// A signal goes on changing.
    Signal(String),
    /// A spring joins what moves apart.
    Apart(String),
    /// A controller acts by the clock.
    Sampled(String),
    /// A law carries noise.
    Noise(String),
    /// There is a stop.
    Stop(String),
    /// Nothing moves any more.
    Still {
        /// Since when \[s\].
        t: f64,
    },
    /// What repeats did not come back to itself.
    NoReturn {
        /// How often it came round.
        turns: usize,
    },
    /// Newton's iteration did not arrive.
    NotFound {
        /// What was sought.
        what: &'static str,
        /// How far off it still was, in parts of its size.
        off: f64,
    },
    /// A system that is not one contact in a linear loop.
    Loop {
        /// What it has or lacks.
        why: &'static str,
    },
    /// A value asked for that makes no sense.
    Value {
        /// Its name.
        key: &'static str,
        /// The value.
        value: String,
        /// What it must be.
        must: &'static str,
    },
}

impl Display for AnalysisError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signal(name) => write!(f, "'{name}' goes on changing, so there is no equilibrium"),
            Self::Apart(name) => write!(f, "spring '{name}' joins what moves apart, so its force grows without end"),
            Self::Sampled(name) => write!(f, "controller '{name}' keeps a memory of its own between samples"),
            Self::Stop(name) => write!(f, "'{name}' is a stop; equilibria against stops are not sought"),
            Self::Noise(name) => write!(f, "contact '{name}' carries noise, so nothing repeats"),
            Self::Still { t } => write!(f, "there is no cycle: nothing moves to and fro any more after {t} s"),
            Self::NoReturn { turns } => write!(f, "no cycle found: the motion did not repeat within {turns} turns"),
            Self::NotFound { what, off } => {
                write!(f, "no {what} found: the last guess is off by {off:.1e} of its size")
            }
            Self::Loop { why } => write!(f, "describing functions are for one contact at rest in a linear loop: {why}"),
            Self::Value { key, value, must } => write!(f, "{key} = {value} must be {must}"),
        }
    }
}

impl AnalysisError {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::Signal(_) => "'stiction cycle' finds the periodic motion under a periodic signal",
            Self::Apart(_) => "let one end go along, or hold both",
            Self::Sampled(_) => "use a continuous controller for the analysis",
            Self::Stop(_) => "'stiction run' shows where it comes to rest",
            Self::Noise(_) => "leave out noise.* for the analysis",
            Self::Still { .. } => {
                "'stiction equilibrium' tells where it rests; a cycle may need another start (--set body.NAME.v=...)"
            }
            Self::NoReturn { .. } => "raise run.end, so that what is left of the start dies away",
            Self::NotFound { .. } => "start nearer to it: raise run.end, or change the start",
            Self::Loop { .. } => "'stiction cycle' finds the periodic motion of any system by simulation",
            Self::Value { key, must, .. } => return format!("choose {key} {must}"),
        };
        text.to_owned()
    }
}
