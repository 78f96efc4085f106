//! What a user may do about an error.
use crate::Error;
use crate::number::short;
use crate::spec::Part;
use std::io::ErrorKind;
use stiction_core::registry;

impl Error {
    /// What the user may do about it.
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Self::UnknownLaw { near, .. } => {
                return did_you_mean(near).or_else(|| Some(format!("the laws are: {}", join(law_names(), ", "))));
            }
            Self::UnknownParam { law, name, near } => return did_you_mean(near).or_else(|| params(law, name)),
            Self::UnknownInput { law, near, .. } => return did_you_mean(near).or_else(|| recipes(law)),
            Self::NoRecipe { law, .. } => return recipes(law),
            Self::Value { param, .. } => {
                let about = param.doc.trim().trim_end_matches('.');
                return Some(format!("{about}; the default is {}", short(param.default)));
            }
            Self::Relation { values, assumed, .. } if assumed.is_empty() => {
                return Some(format!("change {}", join(values.iter().map(|(key, ..)| key), " or ")));
            }
            Self::Relation { assumed, .. } => {
                return Some(format!("set {} too; left at its default it does not fit", assumed.join(" and ")));
            }
            Self::UnknownKey { near, known, .. } => {
                return did_you_mean(near).or_else(|| Some(format!("use one of: {}", known.join(", "))));
            }
            Self::Outside { table, .. } => return Some(format!("put [{table}] above it")),
            Self::Kind { key, expected, .. } => return Some(example(key, expected)),
            Self::File { action, io, .. } => match io.kind() {
                ErrorKind::IsADirectory => "this is a folder: name a file",
                ErrorKind::PermissionDenied => {
                    return Some(format!("you may not {action} this: check its permissions"));
                }
                ErrorKind::StorageFull => "free some space on the disk",
                ErrorKind::InvalidData => "save the file as UTF-8",
                ErrorKind::FileTooLarge if *action == "read" => "a parameter file has at most 1 MiB: is this one?",
                _ => "check the path",
            },
            Self::Toml { .. } => "a line is [model], fc = 1.5, name = \"lugre\" or # a comment",
            Self::Missing { .. } => "a parameter file begins with [model] and name = \"lugre\", say",
            Self::Count { .. } => "give one value for each parameter",
            Self::At { error, .. } => return error.hint(),
        };
        Some(text.to_owned())
    }
}

/// The names of all laws.
pub(crate) fn law_names() -> impl Iterator<Item = &'static str> {
    stiction_core::models::ALL.iter().map(|law| law.name)
}

fn join(names: impl Iterator<Item = impl AsRef<str>>, between: &str) -> String {
    names.map(|name| name.as_ref().to_owned()).collect::<Vec<_>>().join(between)
}

fn did_you_mean(near: &[impl AsRef<str>]) -> Option<String> {
    let names = near.iter().map(|name| format!("'{}'", name.as_ref()));
    (!near.is_empty()).then(|| format!("did you mean {}?", join(names, " or ")))
}

/// How to write a value of the right kind.
fn example(key: &str, expected: &str) -> String {
    let name = key.rsplit('.').next().unwrap_or(key);
    match expected {
        "number" => format!("write {name} = 2, without quotes"),
        "string" => format!("write {name} = \"...\", in quotes"),
        _ => format!("write [{key}] on a line of its own"),
    }
}

/// The parameters of the part that `name` speaks of.
fn params(law: &str, name: &str) -> Option<String> {
    let part = name.split_once('.').and_then(|(prefix, _)| Part::wrapper(prefix)).unwrap_or(Part::Law);
    let names = part.params(registry::find(law)?).iter().map(|p| part.key(p.name));
    Some(format!("its parameters are: {}", join(names, ", ")))
}

fn recipes(law: &str) -> Option<String> {
    let law = registry::find(law)?;
    let each = law.recipes.iter().map(|recipe| join(recipe.inputs.iter().map(|p| p.name), ", "));
    Some(match join(each, "; or from ").as_str() {
        "" => format!("law '{}' is made from its own parameters only", law.name),
        each => format!("it can be made from {each}"),
    })
}
