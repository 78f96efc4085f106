//! What the user can do about an error.
use super::Error;
use stiction_io::number::short;
use stiction_io::similar_names::{did_you_mean, suggestion};
use stiction_sim::system::CurveError;

impl Error {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Self::UnknownKey { near, known, .. } => {
                return did_you_mean(near).or_else(|| Some(format!("use one of: {}", known.join(", "))));
            }
            Self::LawFile => "give it to a contact of a scenario: law = \"FILE.toml\"",
            Self::UnknownName { near, known, .. } => return Some(suggestion(near, known)),
            Self::NotVariable { .. } => "choose a number of a body, spring, contact, stop, signal, plant or controller",
            Self::AmbiguousName { known, .. } => return Some(format!("write one of: {}", known.join(", "))),
            Self::AmbiguousGain { name, value, parts } => {
                let each = parts.iter().map(|part| format!("{part}.{name}={}", short(*value)));
                return Some(format!("write {}", each.collect::<Vec<_>>().join(" or ")));
            }
            Self::MissingKey { name, doc, .. } if name.is_empty() => return Some(format!("add {doc}")),
            Self::MissingKey { key, doc, .. } => return Some(format!("{key}: {doc}")),
            Self::ExactlyOne { keys, given, .. } if given.is_empty() => {
                return Some(format!("give one of: {}", keys.join(", ")));
            }
            Self::ExactlyOne { given, .. } => return Some(format!("remove {}", given.join(" or "))),
            Self::Conflict { .. } => "'stiction scenarios --keys' explains every key",
            Self::PlotUnit { name, own, .. } => {
                return Some(format!(
                    "write '{name}', or a multiple or a fraction of {own} in the brackets, as in '{name} [m{own}]'"
                ));
            }
            Self::BeforeStart { name, .. } => return Some(format!("change {name}.at, or run.start")),
            Self::UnknownBlock { chain, count, .. } => {
                return Some(format!("name a block from {chain}-1 to {chain}-{count}, or change chain.{chain}.count"));
            }
            Self::ForeignParameter { name, laws, .. } => {
                return Some(format!("remove this line, or choose a law that has '{name}': {}", laws.join(", ")));
            }
            Self::Curve { problem: CurveError::TooFewPoints, .. } => {
                "write points = [[0, 0], [1, 2]], or name a file of such rows"
            }
            Self::Curve { problem: CurveError::NotIncreasing { .. }, .. } => {
                "sort the rows by their first column; only a table of straight lines over time may have two rows, not more, with the same time: a jump, not at its ends"
            }
            Self::Curve { .. } | Self::NotANumber { .. } => "numbers look like 0.2, -3 or 1e-6",
            Self::InvalidPath { .. } => {
                "write parts with dots, as in spring.pull.stiffness; items of a list are counted from 1, as in spring.jaw.gap.2"
            }
            Self::Assignment { text } if text.contains('[') => {
                "items of a list are counted from 1 and follow a dot: --set spring.jaw.gap.2=0.001"
            }
            Self::Assignment { .. } => "write --set run.end=5, or --set body.block.mass=2",
            Self::Set { error, .. } => match error.without_position() {
                Self::WrongType { expected: "number", .. } => "numbers look like 0.2, -3 or 1e-6, with a decimal point",
                _ => return error.hint(),
            },
            Self::OutsideTable { table, .. } => return Some(format!("put [{table}] on a line above it")),
            Self::WrongType { key, expected, .. } => return Some(example(key, expected)),
            Self::File(error) => return Some(error.hint()),
            Self::Law(error) => return error.hint(),
            Self::LawEquation(error) => return Some(error.hint()),
            Self::LawCode(error) => error.hint(),
            Self::ControllerRequest(error) => error.hint(),
            Self::Fmu(error) => error.hint(),
            Self::Robot(error) => return Some(error.hint()),
            Self::Toml { .. } => "a line is [table], key = 1.5 (with a decimal point), key = \"text\" or # a comment",
            Self::Missing { .. } => "a parameter file begins with [model] and, for example, name = \"lugre\"",
            Self::System(error) => error.hint(),
            Self::Data(error) => return Some(error.hint()),
            Self::Analysis(error) => return Some(error.hint()),
            Self::Identification(error) => return Some(error.hint()),
            Self::Numerics(error) => return Some(error.hint()),
            Self::Sweep(error) => return Some(error.hint()),
            Self::Accelerator(error) => error.hint(),
            Self::Simulation { kind, .. } => return Some(kind.hint()),
            Self::Unsupported(_) => "the simulator for single runs supports every system",
            Self::Caller(_) => return None,
            Self::At { error, .. } => return error.hint(),
        };
        Some(text.to_owned())
    }
}

/// An example of a value of the expected type.
fn example(key: &str, expected: &str) -> String {
    let name = key.rsplit('.').next().unwrap_or(key);
    match expected {
        "list" => format!("write {name} = [1, 2], in brackets"),
        "signal" => format!("write {name} = 2, or {name} = {{ sine = {{ amplitude = 2, omega = 3 }} }}"),
        pair if pair.starts_with("pair of ") && pair != "pair of names" => {
            format!("write {name} = [NUMBER, NUMBER], a {pair}")
        }
        "pair" => "a point is a pair, as in points = [[0, 0], [1, 2]]".to_owned(),
        "pair of names" => "write between = [\"block\", \"ground\"]".to_owned(),
        "list of columns" => format!("write {name} = [\"block.x\", \"block.v\"]"),
        "flag" => format!("write {name} = true, or false"),
        "number" => format!("write {name} = 2, without quotes"),
        "string" => format!("write {name} = \"...\", in quotes"),
        "table" => format!("write [{key}] on a line of its own"),
        other => format!("write {name} as {other}"),
    }
}
