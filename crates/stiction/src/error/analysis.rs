//! Why an analysis has no result.

/// Why an analysis has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnalysisError {
    /// A motion, force, load or controller changes with time.
    #[error("'{0}' changes with time, so there is no equilibrium")]
    TimeVaryingInput(String),
    /// The ends of a spring have different mean velocities.
    #[error("the ends of spring '{0}' move apart, so its force grows without limit")]
    DivergingSpring(String),
    /// A sampled controller, whose internal state is not part of the state of the system.
    #[error("controller '{0}' is sampled and keeps internal states that the analysis cannot set")]
    SampledController(String),
    /// A contact warms up: its heat grows without end, so that nothing is steady or repeats.
    #[error("the contact '{0}' warms up: its heat neither stays nor repeats")]
    WarmsUp(String),
    /// A contact whose law has a random force.
    #[error("contact '{0}' has a random force, so the motion never repeats")]
    RandomForce(String),
    /// A stop.
    #[error("'{0}' is a stop; equilibria of systems with stops are not computed")]
    HasStop(String),
    /// A component that a signal switches.
    #[error("a signal switches '{0}'; equilibria and cycles of systems with switches are not computed")]
    HasSwitch(String),
    /// A freewheel.
    #[error("'{0}' is a freewheel; equilibria of systems with freewheels are not computed")]
    HasFreewheel(String),
    /// A gear with an efficiency.
    #[error("'{0}' has an efficiency; equilibria and cycles of systems with such gears are not computed")]
    HasLossyGear(String),
    /// A planetary gear.
    #[error("'{0}' is a planetary gear; equilibria and cycles of systems with planetary gears are not computed")]
    HasPlanetaryGear(String),
    /// A spring with a gap.
    #[error("'{0}' has a gap; equilibria of systems with gaps are not computed")]
    HasGap(String),
    /// An input that neither settles nor repeats.
    #[error("the input of '{0}' neither settles nor repeats, so there is no cycle")]
    AperiodicInput(String),
    /// Inputs without a common period.
    #[error("the inputs do not repeat together: no few periods of the slowest are whole periods of the others")]
    IncommensurateInputs,
    /// The system is at rest, or no longer oscillates.
    #[error("there is no cycle: after t = {t} s the system no longer oscillates")]
    NoMotion {
        /// The time \[s\].
        t: f64,
    },
    /// The motion did not repeat.
    #[error("no cycle found: the motion did not repeat within {turns} oscillations")]
    NotPeriodic {
        /// Number of oscillations that were simulated.
        turns: usize,
    },
    /// Newton's iteration did not converge.
    #[error("no {what} found: Newton's iteration stopped with a relative error of {off:.1e}")]
    NotConverged {
        /// What was to be found.
        what: &'static str,
        /// Relative error of the last iterate.
        off: f64,
    },
    /// The analysis was ended from outside.
    #[error("interrupted")]
    Interrupted,
    /// A system that is not one contact in a linear loop.
    #[error("describing functions need one contact at rest in a linear loop: {why}")]
    NotALinearLoop {
        /// What the system has or lacks.
        why: &'static str,
    },
    /// A value that is not allowed.
    #[error("{key} = {value} must be {must}")]
    InvalidValue {
        /// Its name.
        key: &'static str,
        /// The value.
        value: String,
        /// The condition that it does not meet.
        must: &'static str,
    },
}

impl AnalysisError {
    /// What the user can do about it.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::TimeVaryingInput(_) => "'stiction cycle' finds the periodic motion under a periodic input",
            Self::DivergingSpring(_) => "let one end follow the other, or fix both",
            Self::SampledController(_) => {
                "'stiction run' shows what it does, and 'stiction compensate' whether it hunts; for this analysis give the controller without a period, as one that acts at all times"
            }
            Self::HasStop(_)
            | Self::HasFreewheel(_)
            | Self::HasSwitch(_)
            | Self::HasLossyGear(_)
            | Self::HasPlanetaryGear(_)
            | Self::HasGap(_) => "'stiction run' shows where the system comes to rest",
            Self::AperiodicInput(_) => {
                "'stiction run' simulates it; for a cycle let the input settle before run.end, or repeat"
            }
            Self::IncommensurateInputs => "choose frequencies whose ratios are those of small whole numbers",
            Self::WarmsUp(_) => "leave out the heating for the analysis",
            Self::RandomForce(_) => "remove noise.* for the analysis",
            Self::NoMotion { .. } => {
                "'stiction equilibrium' finds where it rests; for a cycle try another initial velocity (--set body.NAME.v=...)"
            }
            Self::NotPeriodic { .. } => "raise run.end, so that the transient decays",
            Self::NotConverged { .. } => "start closer to the solution: raise run.end, or change the initial state",
            Self::Interrupted => "start it again",
            Self::NotALinearLoop { .. } => "'stiction cycle' finds the periodic motion of any system by simulation",
            Self::InvalidValue { key: "sample", .. } => "1 kHz is --sample 1e-3",
            Self::InvalidValue { key: "limit", .. } => "give the largest force of the drive in newtons: --limit 100",
            Self::InvalidValue { key: "jump", .. } => {
                "give the largest change of the position in one sample in metres: --jump 1e-3; without it none is a fault"
            }
            Self::InvalidValue { key, must, .. } => return format!("choose {key} {must}"),
        };
        text.to_owned()
    }
}
