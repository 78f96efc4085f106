//! What can be wrong with a law file.
use stiction_io::expression::{Function, SyntaxErrorKind};
use stiction_io::number::{round, short};
use stiction_io::similar_names::suggestion;

/// What is wrong with a law file. Its position in the file is kept beside it, see [`Error::At`](crate::Error::At).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LawFileError {
    /// A name that is not allowed.
    #[error("'{name}' is not a name for a {what}")]
    Name {
        /// The name.
        name: String,
        /// What it should name.
        what: &'static str,
        /// Why not.
        why: &'static str,
    },
    /// The name of a law that is compiled into the program.
    #[error("'{name}' is the name of a built-in law")]
    BuiltIn {
        /// The name.
        name: String,
    },
    /// A name that is given twice.
    #[error("'{name}' is already the name of {what}")]
    Taken {
        /// The name.
        name: String,
        /// What it names.
        what: &'static str,
    },
    /// A name that means the same in every law, given to a quantity of this one.
    #[error("'{name}' has a meaning of its own in every law: {meaning}")]
    Reserved {
        /// The name.
        name: String,
        /// What it stands for.
        meaning: &'static str,
        /// All such names.
        all: Vec<&'static str>,
    },
    /// A name that means the same in every law, where it has no value.
    #[error("'{name}' has no value here: it is {meaning}")]
    NotHere {
        /// The name.
        name: String,
        /// What it stands for.
        meaning: &'static str,
        /// Where it may stand.
        place: &'static str,
    },
    /// A table or key that a law needs.
    #[error("{key} is missing")]
    Missing {
        /// The key.
        key: String,
        /// What to write.
        example: String,
    },
    /// A key of the whole law within a table.
    #[error("'{key}' is a key of the whole law, not of this table")]
    Misplaced {
        /// The key.
        key: String,
    },
    /// A unit that is not known.
    #[error("'{name}' is not a unit")]
    Unit {
        /// The part of the unit.
        name: String,
        /// Similar units.
        near: Vec<String>,
        /// The unit that it is a multiple of, and how many of these it is.
        multiple: Option<(&'static str, &'static str)>,
    },
    /// A default or a bound that is not a number.
    #[error("{what} of '{name}' is not a number")]
    NoNumber {
        /// The parameter.
        name: String,
        /// Which of its values.
        what: &'static str,
    },
    /// Bounds in the wrong order.
    #[error("min = {} of '{name}' is above max = {}", short(*min), short(*max))]
    Bounds {
        /// The parameter.
        name: String,
        /// Its lower bound.
        min: f64,
        /// Its upper bound.
        max: f64,
    },
    /// A default outside its bounds.
    #[error("the default {} of '{name}' is outside {} to {}", short(*default), short(*min), short(*max))]
    Default {
        /// The parameter.
        name: String,
        /// Its default.
        default: f64,
        /// Its bounds.
        min: f64,
        /// Its bounds.
        max: f64,
    },
    /// Defaults that do not satisfy a condition.
    #[error("the defaults do not satisfy {text}")]
    Require {
        /// The condition.
        text: String,
    },
    /// An expression that cannot be read.
    #[error("{0}")]
    Syntax(SyntaxErrorKind),
    /// A name in an equation that means nothing.
    #[error("there is no '{name}' here")]
    UnknownName {
        /// The name.
        name: String,
        /// Similar names.
        near: Vec<String>,
        /// The names that may be used.
        known: Vec<String>,
    },
    /// An equation that uses one defined after it.
    #[error("'{name}' is defined further down")]
    Later {
        /// The name.
        name: String,
    },
    /// An equation that uses its own value.
    #[error("'{name}' is defined by itself")]
    OfItself {
        /// The name.
        name: String,
    },
    /// A function that laws cannot use.
    #[error("'{}' cannot be used in a law", .0.name())]
    Function(Function),
    /// A column number.
    #[error("a law has no columns")]
    Column,
    /// Quantities of different units added, compared or chosen between.
    #[error("{what} of different units: {left} and {right}")]
    Mixed {
        /// What is done with them.
        what: &'static str,
        /// The unit of one.
        left: String,
        /// The unit of the other.
        right: String,
    },
    /// An argument that must be a plain number.
    #[error("{what} must have no unit, but has {found}")]
    NotPlain {
        /// Which one.
        what: &'static str,
        /// Its unit.
        found: String,
    },
    /// An equation of the wrong unit.
    #[error("{name} must be in {expected}, but is in {found}")]
    WrongUnit {
        /// The equation.
        name: String,
        /// The unit it must have.
        expected: String,
        /// The unit it has.
        found: String,
    },
    /// A condition where a number is needed.
    #[error("a condition where a number is needed")]
    Condition,
    /// A condition as a guard.
    #[error("a condition as a guard, which is a number")]
    GuardCondition,
    /// A number where a condition is needed.
    #[error("a number where a condition is needed")]
    Number,
    /// A division by zero at rest.
    #[error("at rest this divides by zero")]
    DivisionAtRest,
    /// A value that is not finite at rest.
    #[error("{name} is not a finite number at rest, at the default parameters")]
    NotFinite {
        /// The equation.
        name: String,
    },
    /// A law that is too large.
    #[error("the law is too large: {what}")]
    TooLarge {
        /// What exceeds its limit.
        what: String,
    },
    /// A curve with more points than one of fewer follows.
    #[error("the {what} has {count} points; a curve through {most} of them leaves others off by {}, more than a thousandth of the largest value, {}", short(round(*deviation, 3)), short(round(*allowed, 3)))]
    TooManyPoints {
        /// A curve, or a direction of a table.
        what: &'static str,
        /// How many it has.
        count: usize,
        /// How many it may have.
        most: usize,
        /// The largest deviation that is left.
        deviation: f64,
        /// The largest deviation that is allowed.
        allowed: f64,
    },
    /// A table of more loads than the program of a law has curves for.
    #[error("the table has {count} loads, more than {most}")]
    TooManyLoads {
        /// How many different loads it has.
        count: usize,
        /// How many it may have.
        most: usize,
    },
    /// A curve that cannot be interpolated.
    #[error("the curve {why}")]
    Curve {
        /// What is wrong.
        why: String,
    },
    /// A measured table that makes no law.
    #[error("the table {why}")]
    Table {
        /// What is wrong.
        why: String,
    },
}

impl LawFileError {
    /// What the user can do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Name { why, .. } => (*why).to_owned(),
            Self::BuiltIn { name } => format!("choose another name, such as my-{name}"),
            Self::Reserved { all, .. } => {
                format!("choose another name; taken are {} and the names of functions", all.join(", "))
            }
            Self::NotHere { place, .. } => (*place).to_owned(),
            Self::Taken { .. } => "choose another name".to_owned(),
            Self::Missing { example, .. } => format!("add {example}"),
            Self::Misplaced { key } => format!("put '{key} = ...' above the first [table], beside name"),
            Self::Unit { name, multiple: Some((unit, factor)), .. } => {
                format!("units are SI units without prefixes: give the numbers in {unit}, 1 {name} = {factor} {unit}")
            }
            Self::Unit { near, .. } if !near.is_empty() => {
                format!("did you mean '{}'? Units are SI units without prefixes, as in N·s/m", near.join("' or '"))
            }
            Self::Unit { .. } => "units are SI units without prefixes, as in N·s/m; - for none".to_owned(),
            Self::NoNumber { what, .. } => format!("give a number, as in {what} = 1.0"),
            Self::Bounds { .. } => "exchange them: min is the smaller one".to_owned(),
            Self::Default { .. } => "change default, min or max".to_owned(),
            Self::Require { .. } => "change the defaults, or the condition".to_owned(),
            Self::Syntax(SyntaxErrorKind::UnknownFunction { near, .. }) => {
                let known: Vec<String> = Function::ALL.iter().filter(|f| !matches!(f, Function::Sin | Function::Cos | Function::Tan)).map(|f| f.name().to_owned()).collect();
                let near: Vec<String> = near.iter().filter(|name| known.contains(name)).cloned().collect();
                suggestion(&near, &known)
            }
            Self::Syntax(kind) => kind.hint(),
            Self::UnknownName { near, known, .. } => suggestion(near, known),
            Self::Later { .. } => "move it above this equation".to_owned(),
            Self::OfItself { .. } => {
                "an equation uses those above it; what follows from its own past is a state with a rate".to_owned()
            }
            Self::Function(_) => {
                "use exp, ln, tanh, sqrt, abs, sign, min, max, pow, clip and where; their derivatives are known"
                    .to_owned()
            }
            Self::Column => "write the name of a parameter or a state".to_owned(),
            Self::Mixed { .. } => "a plain number has no unit: make it a parameter with a unit".to_owned(),
            Self::NotPlain { .. } => "divide by a parameter of the same unit, as in exp(-(v/vs)^2)".to_owned(),
            Self::WrongUnit { expected, found, .. } if expected == "N" && found == "N·m" => {
                "a law of a rotation, with N·m and rad/s, is one with a parameter whose unit has rad: add one, such as \
                 fv = { unit = \"N·m·s/rad\", default = 0.0, min = 0.0 }, and '+ fv*v' to the force"
                    .to_owned()
            }
            Self::WrongUnit { .. } => "check the units of the parameters in it".to_owned(),
            Self::Condition => "write where(condition, yes, no)".to_owned(),
            Self::GuardCondition => "write the condition as if = \"...\"; a guard is the number whose zero is waited for, as in guard = \"abs(z) - z0\"".to_owned(),
            Self::Number => "write a comparison, as in v > 0".to_owned(),
            Self::DivisionAtRest => {
                "a law is evaluated at v = 0 and zero memory, too: keep the divisor above zero, as in max(abs(v), v0)"
                    .to_owned()
            }
            Self::NotFinite { .. } => "a law is evaluated at v = 0 and zero memory, too".to_owned(),
            Self::TooLarge { .. } => "shorten its equations or tables".to_owned(),
            Self::TooManyPoints { count, most, .. } => format!(
                "the rows scatter: give at most {most}, such as the means of {} neighbours each; the curve between rows is cubic, so rows need to be close only where it bends",
                count.div_ceil(*most)
            ),
            Self::TooManyLoads { .. } => {
                "a row is velocity, force and load, in this order, and all rows of a load have the same number for it; between loads the force is linear, so that few are needed"
                    .to_owned()
            }
            Self::Curve { .. } => "write rows of an argument and a value, the arguments in rising order".to_owned(),
            Self::Table { .. } => {
                "write rows of velocity and force, all with the load beside them or none; each velocity once for every load".to_owned()
            }
        }
    }
}
