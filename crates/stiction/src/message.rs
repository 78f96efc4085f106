//! What an error says. What to do about it stands in `hint.rs`.
use crate::number::short;
use crate::spec::Part;
use crate::system::BadCurve;
use crate::{Error, Place};
use std::fmt::{self, Display, Formatter};
use stiction_core::registry;

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownLaw { name, .. } => write!(f, "there is no law '{name}'"),
            Self::UnknownParam { law, name, .. } => write!(f, "law '{law}' has no parameter '{name}'"),
            Self::UnknownInput { law, name, .. } => write!(f, "law '{law}' cannot be made from '{name}'"),
            Self::NoRecipe { law, given } => write!(f, "law '{law}' cannot be made from {} together", given.join(", ")),
            Self::Value { name, param: p, value } => {
                let (min, max) = (short(p.min), short(p.max));
                write!(f, "parameter '{name}' = {} is outside {min} to {max} [{}]", short(*value), p.unit)
            }
            Self::Relation { law, part, text, values, .. } => {
                match part {
                    Part::Law if registry::find(law).is_some() => write!(f, "law '{law}'")?,
                    Part::Law => write!(f, "'{law}'")?,
                    Part::Reverse => write!(f, "law '{law}' in reverse")?,
                    Part::Load | Part::Noise => f.write_str(part.prefix())?,
                }
                let values: Vec<_> =
                    values.iter().map(|(key, p, x)| format!("{key} = {} [{}]", short(*x), p.unit)).collect();
                write!(f, " requires that {text}, but {}", values.join(", "))
            }
            Self::Count { law, expected, given } => {
                write!(f, "law '{law}' has {expected} parameters, {given} values were given")
            }
            Self::File { path, action, io } => write!(f, "cannot {action} {}: {io}", path.display()),
            Self::Toml { message } => write!(f, "not valid TOML: {message}"),
            Self::UnknownKey { name, .. } => write!(f, "there is no key '{name}' here"),
            Self::UnknownName { what, name, .. } => write!(f, "there is no {what} '{name}'"),
            Self::Lacks { name, key, .. } if name.is_empty() => write!(f, "the scenario lacks {key}"),
            Self::Lacks { name, key, .. } => write!(f, "[{name}] lacks {key}"),
            Self::OneOf { name, keys, given } if given.is_empty() => write!(f, "[{name}] needs {}", keys.join(" or ")),
            Self::OneOf { name, given, .. } => write!(f, "[{name}] has {}: only one can be", given.join(" and ")),
            Self::Clash { key, why } => write!(f, "'{key}' {why}"),
            Self::Beyond { name, key, value, run: [start, end] } => {
                let (value, start, end) = (short(*value), short(*start), short(*end));
                let does = if *key == "at" { "looks at" } else { "begins at" };
                write!(f, "'{name}' {does} {value} s, but the run goes from {start} s to {end} s (run.end = {end})")
            }
            Self::Block { name, chain, count } => {
                write!(
                    f,
                    "there is no '{name}': the chain '{chain}' has {count} blocks (chain.{chain}.count = {count})"
                )
            }
            Self::Foreign { law, name, .. } => write!(f, "law '{law}' has no parameter '{name}'"),
            Self::Points { problem: BadCurve::Few, .. } => f.write_str("a table needs two points at least"),
            Self::Points { problem: BadCurve::Order { at }, values: [x, before] } => {
                write!(
                    f,
                    "the table is not sorted: {} in row {} does not lie above {}",
                    short(*x),
                    at + 1,
                    short(*before)
                )
            }
            Self::Points { problem: BadCurve::Value { at }, values: [x, _] } => {
                write!(f, "row {} of the table has {}, which is no place for a curve", at + 1, short(*x))
            }
            Self::Row { text } => write!(f, "'{text}' is not a number"),
            Self::Assignment { text } => write!(f, "--set '{text}' is not PATH=VALUE"),
            Self::Set { text, error } => write!(f, "--set {text}: {error}"),
            Self::Outside { name, table } => write!(f, "'{name}' stands outside [{table}]"),
            Self::Missing { key } => write!(f, "{key} is missing"),
            Self::Kind { key, expected, found } => write!(f, "'{key}' must be a {expected}, found {found}"),
            Self::System { name, problem } => write!(f, "'{name}': {problem}"),
            Self::Data { path, problem } => write!(f, "{}: {problem}", path.display()),
            Self::Analysis(failure) => write!(f, "{failure}"),
            Self::Samples(flaw) => write!(f, "{flaw}"),
            Self::Sweep(problem) => write!(f, "{problem}"),
            Self::Simulation { t, trouble } => write!(f, "at t = {}: {trouble}", short(*t)),
            Self::Unsupported(why) => write!(f, "not an ensemble for lanes: {why}"),
            Self::At { place: Place { path, line, column }, error } => {
                write!(f, "{}:{line}:{column}: {error}", path.display())
            }
        }
    }
}
