//! The numbers of a message, whatever its encoding.
use super::container::Record;
use super::ros2::Definition;
use crate::DataError;
use crate::log::json::{JsonScanner, Scalar, scalars};
use crate::log::source::Source;
use std::collections::HashMap;

/// A number or text in a message, and the path to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub path: String,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f64),
    /// A time or duration.
    Seconds(f64),
    Text(String),
}

/// How the messages of a channel are decoded.
pub enum Decoder {
    Json,
    Ros2(Box<Definition>),
    /// The name of an encoding that is not read, or why.
    Unknown(String),
}

/// The channels of a file.
#[derive(Default)]
pub struct Channels {
    schemas: HashMap<u16, (String, String, String)>,
    channels: HashMap<u16, (String, Decoder)>,
}

impl Channels {
    /// Keeps schemas and channels.
    pub fn add(&mut self, record: Record) {
        match record {
            Record::Schema { id, encoding, name, text } => {
                self.schemas.insert(id, (encoding, name, text));
            }
            Record::Channel { id, schema, topic, encoding } => {
                let schema = self.schemas.get(&schema);
                let decoder = match (encoding.as_str(), schema) {
                    ("json", _) => Decoder::Json,
                    ("cdr", Some((kind, name, text))) if kind == "ros2msg" => Definition::parse(name, text)
                        .map_or_else(Decoder::Unknown, |definition| Decoder::Ros2(Box::new(definition))),
                    ("cdr", Some((kind, ..))) => Decoder::Unknown(format!("cdr with a schema of kind {kind}")),
                    _ => Decoder::Unknown(format!("{encoding} messages")),
                };
                self.channels.insert(id, (topic, decoder));
            }
            Record::Message(_) => {}
        }
    }
    /// Topic and decoder of a channel.
    pub fn get(&self, id: u16) -> Option<&(String, Decoder)> {
        self.channels.get(&id)
    }
}

impl Decoder {
    /// The numbers and texts of a message; `start` is subtracted from times \[ns\].
    pub fn decode(&self, source: &Source, data: &[u8], start: u64) -> Result<Vec<Entry>, String> {
        let mut entries = match self {
            Self::Json => json(source, data)?,
            Self::Ros2(definition) => definition.decode(data, start)?,
            Self::Unknown(_) => Vec::new(),
        };
        name_elements(&mut entries);
        Ok(entries)
    }
}

fn json(source: &Source, data: &[u8]) -> Result<Vec<Entry>, String> {
    let reason = |error: DataError| match error {
        DataError::Content { error, .. } => error.to_string(),
        error => error.to_string(),
    };
    let mut scan = JsonScanner::of_bytes(source, data);
    let mut out = Vec::new();
    scalars(&mut scan, "", 0, &mut |path, scalar| {
        let value = match scalar {
            Scalar::Number(x) => Value::Number(x),
            Scalar::Text(text) => Value::Text(text),
        };
        // a message that is a single number
        let path = if path.is_empty() { "value" } else { path }.to_owned();
        out.push(Entry { path, value });
    })
    .map_err(reason)?;
    match scan.peek().map_err(reason)? {
        Some(_) => Err("unexpected text after the end".to_owned()),
        None => Ok(out),
    }
}

/// Where a message has a list of names, as `sensor_msgs/JointState`, the elements of lists of the same length beside it are called
/// by these names: `position.2` is `position.elbow`.
fn name_elements(entries: &mut Vec<Entry>) {
    const LISTS: [&str; 3] = ["name", "names", "joint_names"];
    // folder, list and number of an element: `joints.position.2`
    fn element(path: &str) -> Option<(&str, &str, &str)> {
        let (list, number) = path.rsplit_once('.')?;
        number.parse::<usize>().ok()?;
        let (folder, list) = list.rsplit_once('.').unwrap_or(("", list));
        Some((folder, list, number))
    }
    let is_name = |entry: &Entry| element(&entry.path).is_some_and(|(_, list, _)| LISTS.contains(&list));
    if !entries.iter().any(is_name) {
        return;
    }
    let mut counts: HashMap<(String, String), usize> = HashMap::new();
    let mut names: HashMap<(String, String), String> = HashMap::new();
    for entry in entries.iter() {
        let Some((folder, list, number)) = element(&entry.path) else { continue };
        *counts.entry((folder.to_owned(), list.to_owned())).or_default() += 1;
        if let (true, Value::Text(name)) = (LISTS.contains(&list), &entry.value) {
            names.insert((folder.to_owned(), number.to_owned()), name.clone());
        }
    }
    // names that are empty or repeated name nothing
    let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
    let mut lengths: HashMap<&str, usize> = HashMap::new();
    for ((folder, _), name) in &names {
        *seen.entry((folder, name)).or_default() += 1;
        *lengths.entry(folder).or_default() += 1;
    }
    let usable = |folder: &str| {
        lengths.get(folder).copied().filter(|_| {
            seen.iter().filter(|((own, _), _)| *own == folder).all(|((_, name), count)| !name.is_empty() && *count == 1)
        })
    };
    entries.retain_mut(|entry| {
        let Some((folder, list, number)) = element(&entry.path) else { return true };
        let Some(length) = usable(folder) else { return true };
        if LISTS.contains(&list) {
            return false;
        }
        let same = counts.get(&(folder.to_owned(), list.to_owned())) == Some(&length);
        if let (true, Some(name)) = (same, names.get(&(folder.to_owned(), number.to_owned()))) {
            let before = &entry.path[..entry.path.len() - number.len()];
            entry.path = format!("{before}{name}");
        }
        true
    });
}
