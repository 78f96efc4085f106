//! What an error says. What to do about it stands in `hint.rs`.
use super::Error;
use std::fmt::{self, Display, Formatter};
use stiction_io::number::short;
use stiction_sim::system::CurveError;

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Toml { message } => write!(f, "not valid TOML: {message}"),
            Self::UnknownKey { name, .. } => write!(f, "there is no key '{name}' here"),
            Self::UnknownName { what, name, .. } => write!(f, "there is no {what} '{name}'"),
            Self::AmbiguousName { what, name, .. } => write!(f, "'{name}' may be more than one {what}"),
            Self::Lacks { name, key, .. } if name.is_empty() => write!(f, "the scenario lacks {key}"),
            Self::Lacks { name, key, .. } => write!(f, "[{name}] lacks {key}"),
            Self::OneOf { name, keys, given } if given.is_empty() => write!(f, "[{name}] needs {}", keys.join(" or ")),
            Self::OneOf { name, given, .. } => write!(f, "[{name}] has {}: only one can be", given.join(" and ")),
            Self::Clash { key, why } => write!(f, "'{key}' {why}"),
            Self::BeforeStart { name, at, start } => {
                write!(
                    f,
                    "{name}.at = {} s is before the start of the run, run.start = {} s",
                    short(*at),
                    short(*start)
                )
            }
            Self::Block { name, chain, count } => {
                write!(
                    f,
                    "there is no '{name}': the chain '{chain}' has {count} blocks (chain.{chain}.count = {count})"
                )
            }
            Self::Foreign { law, name, .. } => write!(f, "law '{law}' has no parameter '{name}'"),
            Self::Points { problem: CurveError::TooFewPoints, .. } => f.write_str("a table needs two points at least"),
            Self::Points { problem: CurveError::NotIncreasing { at }, values: [x, before] } => {
                write!(
                    f,
                    "the table is not sorted: {} in row {} does not lie above {}",
                    short(*x),
                    at + 1,
                    short(*before)
                )
            }
            Self::Points { problem: CurveError::NotFinite { at }, values: [x, _] } => {
                write!(f, "row {} of the table has {}, which is no place for a curve", at + 1, short(*x))
            }
            Self::Row { text } => write!(f, "'{text}' is not a number"),
            Self::Assignment { text } => write!(f, "--set '{text}' is not PATH=VALUE"),
            Self::Set { text, error } => write!(f, "--set {text}: {error}"),
            Self::Outside { name, table } => write!(f, "'{name}' stands outside [{table}]"),
            Self::Missing { key } => write!(f, "{key} is missing"),
            Self::Kind { key, expected, found } => write!(f, "'{key}' must be a {expected}, found {found}"),
            Self::Law(error) => write!(f, "{error}"),
            Self::File(error) => write!(f, "{error}"),
            Self::System(error) => write!(f, "{error}"),
            Self::Data(error) => write!(f, "{error}"),
            Self::Analysis(failure) => write!(f, "{failure}"),
            Self::Samples(flaw) => write!(f, "{flaw}"),
            Self::Sweep(problem) => write!(f, "{problem}"),
            Self::Simulation { t, kind } => write!(f, "at t = {}: {kind}", short(*t)),
            Self::Unsupported(why) => write!(f, "not an ensemble for lanes: {why}"),
            Self::Point(error) => write!(f, "{error}"),
            Self::At { position, error } => write!(f, "{position}: {error}"),
        }
    }
}
