//! What a user may do about an error.
use crate::Error;
use crate::near::near;
use crate::number::short;
use crate::spec::Part;
use crate::system::BadCurve;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use stiction_core::registry;

/// How many names a hint may list.
const MANY: usize = 20;

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
            Self::UnknownName { near, known, .. } => return Some(meant(near, known)),
            Self::Lacks { name, doc, .. } if name.is_empty() => return Some(format!("say {doc}")),
            Self::Lacks { key, doc, .. } => return Some(format!("{key}: {doc}")),
            Self::OneOf { keys, given, .. } if given.is_empty() => {
                return Some(format!("give one of: {}", keys.join(", ")));
            }
            Self::OneOf { given, .. } => return Some(format!("remove {}", given.join(" or "))),
            Self::Clash { .. } => "see 'stiction scenarios --keys'",
            Self::Beyond { name, key, .. } => return Some(format!("change {name}.{key}, or run.end")),
            Self::Block { chain, count, .. } => {
                return Some(format!("name a block from {chain}-1 to {chain}-{count}, or change chain.{chain}.count"));
            }
            Self::Foreign { name, laws, .. } => {
                return Some(format!("remove this line, or take a law that has '{name}': {}", laws.join(", ")));
            }
            Self::Points { problem: BadCurve::Few, .. } => {
                "write points = [[0, 0], [1, 2]], or name a file of such rows"
            }
            Self::Points { problem: BadCurve::Order { .. }, .. } => {
                "sort the rows by their first column, each place once"
            }
            Self::Points { .. } | Self::Row { .. } => "numbers look like 0.2, -3 or 1e-6",
            Self::Assignment { .. } => "write --set run.end=5, or --set body.block.mass=2",
            Self::Set { error, .. } => match error.bare() {
                Self::Kind { expected: "number", .. } => "numbers look like 0.2, -3 or 1e-6, with a point",
                _ => return error.hint(),
            },
            Self::Outside { table, .. } => return Some(format!("put [{table}] above it")),
            Self::Kind { key, expected, .. } => return Some(example(key, expected)),
            Self::File { path, action, io } => return Some(file(path, action, io)),
            Self::Toml { .. } => "a line is [table], key = 1.5 (a point, no comma), key = \"text\" or # a comment",
            Self::Missing { .. } => "a parameter file begins with [model] and name = \"lugre\", say",
            Self::Count { .. } => "give one value for each parameter",
            Self::System { problem, .. } => problem.hint(),
            Self::Data { problem, .. } => return Some(problem.hint()),
            Self::Analysis(failure) => return Some(failure.hint()),
            Self::Samples(flaw) => return Some(flaw.hint()),
            Self::Sweep(problem) => return Some(problem.hint()),
            Self::Simulation { trouble, .. } => return Some(trouble.hint()),
            Self::Unsupported(_) => "the ordinary simulator runs it",
            Self::At { error, .. } => return error.hint(),
        };
        Some(text.to_owned())
    }
}

/// What to do about a file that cannot be read or written.
fn file(path: &Path, action: &str, io: &io::Error) -> String {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let text = match io.kind() {
        ErrorKind::NotFound if !above.is_dir() => {
            let make = if action == "read" { "" } else { " make it first (mkdir -p), or" };
            return format!("there is no folder {}:{make} check the path", above.display());
        }
        ErrorKind::NotFound if action == "write" => "check the path",
        ErrorKind::NotFound => return missing(path, above),
        ErrorKind::IsADirectory => "this is a folder: name a file",
        ErrorKind::NotADirectory => "a file is in the way: name a folder that is not there yet, or one written before",
        ErrorKind::PermissionDenied => return format!("you may not {action} this: check its permissions"),
        ErrorKind::StorageFull => "free some space on the disk",
        ErrorKind::ReadOnlyFilesystem => "nothing can be written there: name another place",
        ErrorKind::InvalidData => "it is no text: save it as UTF-8, or name a file of the right kind",
        ErrorKind::UnexpectedEof => "name a file with rows of numbers below a line of names",
        ErrorKind::Unsupported => {
            "use another ending, such as .csv or .svg; 'stiction doctor' lists what this build has"
        }
        ErrorKind::FileTooLarge if action == "read" => {
            "a file of this kind has at most 1 MiB: is it one? Long tables go into CSV files"
        }
        ErrorKind::InvalidInput => "name a plain file",
        _ if action == "read" => "it is damaged, or not what the end of its name says: name another file",
        _ => "check the path",
    };
    text.to_owned()
}

/// A file that is not there: names near it in its folder, or at least what was looked through.
fn missing(path: &Path, above: &Path) -> String {
    let names: Vec<String> = fs::read_dir(above)
        .map(|entries| entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let shown = near(&wanted, names.iter().map(String::as_str)).into_iter().map(|name| {
        let known = Path::new(name);
        if above == Path::new(".") { known.to_owned() } else { above.join(known) }.display().to_string()
    });
    let place = if above == Path::new(".") { "this folder".to_owned() } else { above.display().to_string() };
    did_you_mean(&shown.collect::<Vec<_>>())
        .unwrap_or_else(|| format!("there is no such file in {place}: check name and ending, or give the whole path"))
}

/// The names of all laws.
pub(crate) fn law_names() -> impl Iterator<Item = &'static str> {
    stiction_core::models::ALL.iter().map(|law| law.name)
}

fn join(names: impl Iterator<Item = impl AsRef<str>>, between: &str) -> String {
    names.map(|name| name.as_ref().to_owned()).collect::<Vec<_>>().join(between)
}

/// What a name may have been meant for, or what there is.
pub(crate) fn meant(near: &[String], known: &[String]) -> String {
    let few = join(known.iter().take(MANY), ", ") + if known.len() > MANY { ", ..." } else { "" };
    let none = if known.is_empty() { "leave it out: there is none".to_owned() } else { format!("there is {few}") };
    did_you_mean(near).unwrap_or(none)
}

fn did_you_mean(near: &[impl AsRef<str>]) -> Option<String> {
    let names = near.iter().map(|name| format!("'{}'", name.as_ref()));
    (!near.is_empty()).then(|| format!("did you mean {}?", join(names, " or ")))
}

/// How to write a value of the right kind.
fn example(key: &str, expected: &str) -> String {
    let name = key.rsplit('.').next().unwrap_or(key);
    match expected {
        "list" => format!("write {name} = [1, 2], in brackets"),
        "signal" => format!("write {name} = 2, or {name} = {{ sine = {{ amplitude = 2, omega = 3 }} }}"),
        "pair" => "a point is a pair, as in points = [[0, 0], [1, 2]]".to_owned(),
        "pair of names" => "write between = [\"block\", \"ground\"]".to_owned(),
        "list of columns" => format!("write {name} = [\"block.x\", \"block.v\"]"),
        "flag" => format!("write {name} = true, or false"),
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
