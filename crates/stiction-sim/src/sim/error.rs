//! Errors of a simulation: before it starts, and while it runs.
use super::unsupported::Unsupported;
use crate::{LawError, SystemError};
use std::fmt::{self, Display, Formatter};
use stiction_io::number::short;

/// Why a simulation could not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum SimError {
    /// A friction law with an unknown name or an invalid parameter.
    #[error(transparent)]
    Law(#[from] LawError),
    /// A system that cannot be simulated.
    #[error(transparent)]
    System(#[from] SystemError),
    /// A run that could not start or had to stop.
    #[error("at t = {}: {kind}", short(*t))]
    Run {
        /// Simulation time \[s\].
        t: f64,
        /// The cause.
        kind: SimErrorKind,
    },
    /// A system that cannot be run in lanes.
    #[error("not an ensemble for lanes: {0}")]
    Unsupported(Unsupported),
    /// The caller's function that makes the points of an ensemble failed.
    #[error(transparent)]
    Point(Box<dyn std::error::Error + Send + Sync>),
}

impl SimError {
    /// Advice on how to avoid the error.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Law(error) => error.hint(),
            Self::System(error) => Some(error.hint().to_owned()),
            Self::Run { kind, .. } => Some(kind.hint()),
            Self::Unsupported(_) => Some("the ordinary simulator runs it".to_owned()),
            Self::Point(_) => None,
        }
    }
}

/// Why a run could not start or had to stop.
#[derive(Clone, Debug, PartialEq)]
pub enum SimErrorKind {
    /// An option outside its valid range.
    InvalidOption {
        /// Its name.
        key: &'static str,
        /// Its value.
        value: f64,
        /// The condition it must satisfy, as in "must be positive".
        requirement: &'static str,
    },
    /// A probe names a column or component that does not exist.
    UnknownProbe {
        /// The name.
        name: String,
        /// Existing names with a similar spelling.
        suggestions: Vec<String>,
    },
    /// A state became infinite or not a number.
    NotFinite,
    /// The step size fell below the resolution of the time.
    Stalled {
        /// The last step size that was tried \[s\].
        step: f64,
    },
    /// The step limit was reached before the end of the run.
    MaxSteps {
        /// The limit, `max_steps`.
        limit: u64,
        /// Time left to the end of the run \[s\].
        remaining: f64,
        /// The contact or stop to whose events most steps led, if there is one.
        busiest: Option<EventRate>,
    },
    /// The limit of the computing time was exceeded before the end of the run.
    MaxSeconds {
        /// The limit, `max_seconds` \[s\].
        limit: f64,
        /// Time left to the end of the run \[s\].
        remaining: f64,
        /// The contact or stop to whose events most steps led, if there is one.
        busiest: Option<EventRate>,
    },
    /// The steps are so short that the end of the run is out of reach: near the end they could not advance the time.
    NoProgress {
        /// Number of steps looked at.
        steps: u64,
        /// Time at which they began \[s\].
        from: f64,
        /// Time left to the end of the run \[s\].
        remaining: f64,
    },
    /// A prescribed motion leaves no room between stops.
    NoRoom {
        /// The stops that contradict each other, or the one that is hit.
        stops: Vec<String>,
    },
    /// A stop is switched on, and the displacement is not between its ends.
    ClosesOutside {
        /// The stop.
        stop: String,
        /// The displacement.
        x: f64,
    },
    /// A contact or stop switches its mode again and again at the same instant.
    Chatter {
        /// The contact or stop.
        contact: String,
    },
    /// The solver found no forces that satisfy the stick and slip conditions of all contacts at rest.
    NoStickSlipSolution,
    /// The mass matrix of the system is singular.
    SingularMassMatrix,
    /// Sensitivities are not available for this run.
    NoSensitivity {
        /// What they are not available for.
        why: String,
    },
    /// The load of a contact is larger than laws compute with.
    LoadTooLarge {
        /// The contact, or the body on a plane.
        contact: String,
        /// The load over the load at which the law's parameters hold.
        factor: f64,
    },
    /// A contact holds more than it slides with, and the method knows no rest.
    PeakWithoutRest {
        /// The contact.
        contact: String,
        /// The method.
        method: &'static str,
    },
    /// A system with a lossy gear does not have this.
    NotWithLossyGear {
        /// The gear.
        gear: String,
        /// What it does not have.
        what: &'static str,
    },
    /// A signal switches a rigid gear, and the method has no events.
    SwitchedGearWithoutEvents {
        /// The gear.
        gear: String,
        /// The method.
        method: &'static str,
    },
    /// Bodies on a plane do not have this.
    NotOnPlane {
        /// What they do not have.
        what: &'static str,
    },
    /// The matrices of the method would not fit into memory.
    TooLarge {
        /// Number of velocities and contact states.
        states: usize,
        /// Number of these that each depends on, by the order of the components.
        width: usize,
    },
}

/// How often a contact or stop has events.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRate {
    /// The contact or stop.
    pub part: String,
    /// Its events so far.
    pub events: u64,
    /// How many there were in a second of the run at last, on average over at least half of them \[1/s\].
    pub rate: f64,
}

impl Display for EventRate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} events of '{}', {:.3e} per second at last", self.events, self.part, self.rate)
    }
}

impl Display for SimErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidOption { key, value, requirement } => {
                write!(f, "{key} = {} must be {requirement}", short(*value))
            }
            Self::UnknownProbe { name, .. } => write!(f, "no column or component is called '{name}'"),
            Self::NotFinite => f.write_str("a state is no longer a finite number"),
            Self::Stalled { step } => {
                write!(f, "the step size fell to {} s, too short to advance the time", short(*step))
            }
            Self::MaxSteps { limit, remaining, busiest } => {
                write!(f, "max_steps = {limit} reached, {} s before the end", short(*remaining))?;
                busiest.iter().try_for_each(|busiest| write!(f, "; {busiest}"))
            }
            Self::MaxSeconds { limit, remaining, busiest } => {
                let [limit, remaining] = [limit, remaining].map(|x| short(*x));
                write!(f, "max_seconds = {limit} of computing time reached, {remaining} s before the end")?;
                busiest.iter().try_for_each(|busiest| write!(f, "; {busiest}"))
            }
            Self::NoProgress { steps, from, remaining } => {
                let [from, remaining] = [from, remaining].map(|x| short(*x));
                write!(f, "no progress: {steps} steps since t = {from}, and {remaining} s to the end")
            }
            Self::NoRoom { stops } => {
                let names: Vec<String> = stops.iter().map(|name| format!("'{name}'")).collect();
                let place = if names.len() == 1 { "at the stop" } else { "between the stops" };
                write!(f, "a prescribed motion leaves no room {place} {}", names.join(" and "))
            }
            Self::ClosesOutside { stop, x } => {
                write!(
                    f,
                    "the stop '{stop}' is switched on at a displacement of {}, which is not between its ends",
                    short(*x)
                )
            }
            Self::Chatter { contact } => write!(f, "'{contact}' switches again and again at the same time"),
            Self::NoStickSlipSolution => f.write_str("no solution was found for which contacts stick and which slip"),
            Self::SingularMassMatrix => f.write_str("the mass matrix is singular"),
            Self::NoSensitivity { why } => write!(f, "sensitivities are not available: {why}"),
            Self::LoadTooLarge { contact, factor } => {
                let [factor, most] = [*factor, stiction_core::model::LOAD_MAX].map(short);
                write!(f, "the load of '{contact}' is {factor} times its nominal load, and laws are limited to {most}")
            }
            Self::PeakWithoutRest { contact, method } => {
                write!(f, "the method {method} has no state of rest, so that the peak of '{contact}' has no effect")
            }
            Self::NotWithLossyGear { gear, what } => {
                write!(f, "{what} are not available with the gear '{gear}', which has an efficiency")
            }
            Self::SwitchedGearWithoutEvents { gear, method } => {
                write!(
                    f,
                    "a signal switches the rigid gear '{gear}', whose constraint the method {method} does not know"
                )
            }
            Self::NotOnPlane { what } => write!(f, "{what} are not available for bodies on a plane"),
            Self::TooLarge { states, width } => {
                write!(f, "the system is too large for this method: a matrix of {states} times {width} numbers")
            }
        }
    }
}

impl SimErrorKind {
    /// Advice on how to avoid the error.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::InvalidOption { key, .. } => {
                return format!("change {key} or end in [run], or with --set run.{key}=NUMBER");
            }
            Self::UnknownProbe { suggestions, .. } if !suggestions.is_empty() => {
                return format!("did you mean '{}'?", suggestions.join("' or '"));
            }
            Self::UnknownProbe { .. } => "use a column of the trace, or the name of a contact or stop",
            Self::NotFinite => "the system is unstable, or a parameter is wrong by orders of magnitude",
            Self::Stalled { .. } => {
                "use a larger rtol, or check for a stiffness or mass that is wrong by orders of magnitude"
            }
            Self::MaxSteps { busiest: Some(_), .. } | Self::MaxSeconds { busiest: Some(_), .. } => {
                "every switch of a law, snap of a bristle and impact is an event, and a step ends at each: raise the limit, \
                 end the run earlier, or use a smooth law; a contact or stop that should not switch so often has a stiffness, \
                 length or force that is wrong by orders of magnitude"
            }
            Self::MaxSteps { .. } => {
                "raise max_steps or use a larger rtol; steps become short where a light body vibrates on undamped \
                 bristles, and where an explicit method meets a stiff system"
            }
            Self::MaxSeconds { .. } => {
                "raise max_seconds in [run] or with --max-seconds (0: no limit), shorten the run, or use a larger rtol"
            }
            Self::NoProgress { .. } => {
                "an end so far away is out of reach with steps so short: end the run earlier, or check for a stiffness, \
                 mass, force or frequency that is wrong by orders of magnitude"
            }
            Self::NoRoom { .. } => {
                "rigid bodies cannot be compressed: end the motion earlier, move a stop, or put a spring between"
            }
            Self::ClosesOutside { .. } => {
                "switch it on where the body is between lo and hi; for a surface that gives way use a spring with a gap"
            }
            Self::Chatter { .. } => {
                "try another rtol, use a law with presliding stiffness, or connect the bodies by a spring"
            }
            Self::NoStickSlipSolution => {
                "check for a mass or a friction limit that differs from its neighbours by orders of magnitude"
            }
            Self::TooLarge { .. } => {
                "use method = \"network\" in [run], whose cost grows with the number of bodies only, or fewer bodies"
            }
            Self::LoadTooLarge { .. } => {
                "check the signal, spring or controller that presses it; else give the law its parameters for a larger nominal load"
            }
            Self::PeakWithoutRest { .. } => {
                "use the default method, rodas5p, or leave the peak out: explicit methods integrate the bare law"
            }
            Self::NotWithLossyGear { what: "explicit methods", .. } => {
                "use the default method, rodas5p: explicit methods know no rest; or leave the efficiency out"
            }
            Self::NotWithLossyGear { .. } => {
                "leave the efficiency out, or give the gear a stiffness and a law for its loss"
            }
            Self::SwitchedGearWithoutEvents { .. } => "use the default method, rodas5p; or give the gear a stiffness",
            Self::NotOnPlane { .. } => "run it as it is; the chapter on friction in the plane says what there is",
            Self::SingularMassMatrix => "give every coordinate a mass or inertia",
            Self::NoSensitivity { .. } => {
                "run it twice with slightly different values and take the difference, at a small rtol; the book's chapter \
                 on sensitivities lists what they are available for"
            }
        };
        text.to_owned()
    }
}
