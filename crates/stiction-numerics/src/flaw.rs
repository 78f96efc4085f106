//! What can be wrong with samples, or with what is asked of them.
//!
//! ```
//! use stiction_numerics::fit::{LinearOptions, linear};
//! use stiction_numerics::flaw::Flaw;
//!
//! // a line through one point
//! let flaw = linear(&[&[1.0], &[2.0]], &[3.0], &LinearOptions::default()).unwrap_err();
//! assert!(matches!(flaw, Flaw::Few { .. } | Flaw::Dependent { .. }));
//! assert!(!flaw.hint().is_empty());
//! ```
use std::fmt::{self, Display, Formatter};
use stiction_io::number::short;

/// Why samples cannot be filtered or fitted.
#[derive(Clone, Debug, PartialEq)]
pub enum Flaw {
    /// Too few samples.
    Few {
        /// Of what.
        what: &'static str,
        /// How many it takes.
        need: usize,
        /// How many there are.
        have: usize,
    },
    /// Two lists that must be equally long are not.
    Length {
        /// Which one.
        what: &'static str,
        /// How long it must be.
        need: usize,
        /// How long it is.
        have: usize,
    },
    /// A sample that is not a number, or without limit.
    NotFinite {
        /// Of what.
        what: &'static str,
        /// Which one, from zero.
        at: usize,
    },
    /// Time that does not go on.
    Order {
        /// Which sample does not lie after the one before it.
        at: usize,
        /// Time before, and there \[s\].
        times: [f64; 2],
    },
    /// A value asked for that makes no sense.
    Value {
        /// Its name.
        name: &'static str,
        /// The value.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// Samples that are all the same where a change is needed.
    Constant {
        /// Which ones.
        what: &'static str,
    },
    /// Columns of a linear fit that are not independent.
    Dependent {
        /// A sum of columns that vanishes: which, and how often.
        sum: Vec<(usize, f64)>,
    },
    /// A model that gives no number where the fit begins.
    Start {
        /// The residual that is no number.
        at: usize,
    },
    /// A drive too weak to move what it should.
    Weak {
        /// The force there is \[N\].
        have: f64,
        /// The force it takes \[N\].
        need: f64,
    },
    /// Records in which no body breaks away.
    Still {
        /// How often one began to move without a jump that stands out from the noise.
        starts: usize,
    },
    /// Limits within which there is no motion.
    Cramped {
        /// The time there is \[s\].
        duration: f64,
        /// Samples to the second \[Hz\].
        rate: f64,
    },
}

impl Display for Flaw {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Few { what, need, have } => write!(f, "{have} {what} are too few, it takes {need}"),
            Self::Length { what, need, have } => write!(f, "{what}: {have} where {need} are needed"),
            Self::NotFinite { what, at } => write!(f, "{what}: sample {at} is not a number"),
            Self::Order { at, times: [before, there] } => {
                write!(f, "time goes from {} to {} at sample {at}", short(*before), short(*there))
            }
            Self::Value { name, value, must } => write!(f, "{name} = {} must be {must}", short(*value)),
            Self::Constant { what } => write!(f, "{what} do not change"),
            Self::Dependent { sum } => {
                let terms: Vec<_> = sum.iter().map(|(k, by)| format!("{by:.3}·column {k}")).collect();
                write!(f, "columns are not independent: {} = 0", terms.join(" + ").replace("+ -", "- "))
            }
            Self::Start { at } => write!(f, "the model gives no number at the start: residual {at}"),
            Self::Weak { have, need } => {
                let [have, need] = [have, need].map(|x| short(stiction_io::number::round(*x, 4)));
                write!(f, "a force of {have} N moves nothing: the law, as guessed, takes {need} N")
            }
            Self::Still { starts: 0 } => write!(f, "no body breaks away in these records"),
            Self::Still { starts } => write!(
                f,
                "no body breaks away in these records: {starts} times one begins to move, without a jump that stands out from the noise"
            ),
            Self::Cramped { duration, rate } => {
                let [duration, rate] = [duration, rate].map(|x| short(*x));
                write!(f, "no motion fits within the limits, in a quarter of {duration} s at {rate} Hz")
            }
        }
    }
}

impl Flaw {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::Few { .. } => "take a longer record, drop or average fewer samples, or ask for less",
            Self::Length { .. } => "columns of one record have one length",
            Self::NotFinite { .. } => "cut such samples out, or fill them in, before",
            Self::Order { .. } => "sort the rows by time, and keep each instant once",
            Self::Value { name, must, .. } => return format!("choose {name} {must}"),
            Self::Constant { .. } => "an experiment must move what is to be identified",
            Self::Dependent { .. } => "leave out one of these columns, or measure a motion that tells them apart",
            Self::Start { .. } => "start from other parameters, or narrow their bounds",
            Self::Weak { .. } => "allow a larger force, or guess other values of the law",
            Self::Still { .. } => "raise the force slowly, from rest, until the body moves",
            Self::Cramped { .. } => "allow more time, more samples, a larger acceleration or a shorter stroke",
        };
        text.to_owned()
    }
}

impl std::error::Error for Flaw {}

/// That all samples are numbers.
pub fn finite(what: &'static str, x: &[f64]) -> Result<(), Flaw> {
    x.iter().position(|x| !x.is_finite()).map_or(Ok(()), |at| Err(Flaw::NotFinite { what, at }))
}

/// That there are enough samples, all numbers.
pub fn enough(what: &'static str, x: &[f64], need: usize) -> Result<(), Flaw> {
    if x.len() < need { Err(Flaw::Few { what, need, have: x.len() }) } else { finite(what, x) }
}

/// That a list has the length it must have.
pub fn long(what: &'static str, have: usize, need: usize) -> Result<(), Flaw> {
    if have == need { Ok(()) } else { Err(Flaw::Length { what, need, have }) }
}

/// That times are numbers and go on.
pub fn rising(t: &[f64]) -> Result<(), Flaw> {
    finite("time", t)?;
    let late = t.windows(2).position(|w| w[1] <= w[0]);
    late.map_or(Ok(()), |k| Err(Flaw::Order { at: k + 1, times: [t[k], t[k + 1]] }))
}

/// That a value asked for is a number above zero.
pub fn positive(name: &'static str, value: f64) -> Result<(), Flaw> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(Flaw::Value { name, value, must: "above zero" }) }
}
