//! The numbers of a message, whatever its encoding.
use super::container::Record;
use super::ros2::Definition;
use crate::DataError;
use crate::log::json::{JsonScanner, Scalar, scalars};
use crate::log::source::Source;
use std::collections::{HashMap, HashSet};

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
    // names by folder and number
    let mut names: HashMap<String, HashMap<String, String>> = HashMap::new();
    for entry in entries.iter() {
        if let (Some((folder, list, number)), Value::Text(name)) = (element(&entry.path), &entry.value)
            && LISTS.contains(&list)
        {
            if !names.contains_key(folder) {
                names.insert(folder.to_owned(), HashMap::new());
            }
            names.get_mut(folder).into_iter().for_each(|own| {
                own.insert(number.to_owned(), name.clone());
            });
        }
    }
    // names that are empty or repeated name nothing
    names.retain(|_, own| {
        !own.values().any(String::is_empty) && own.values().collect::<HashSet<_>>().len() == own.len()
    });
    if names.is_empty() {
        return;
    }
    // elements of each list, by its path
    let mut counts: HashMap<String, usize> = HashMap::new();
    for entry in entries.iter() {
        let Some((list, _)) = entry.path.rsplit_once('.').filter(|_| element(&entry.path).is_some()) else { continue };
        match counts.get_mut(list) {
            Some(count) => *count += 1,
            None => drop(counts.insert(list.to_owned(), 1)),
        }
    }
    entries.retain_mut(|entry| {
        let Some((folder, list, number)) = element(&entry.path) else { return true };
        let Some(own) = names.get(folder) else { return true };
        if LISTS.contains(&list) {
            return false;
        }
        let before = entry.path.len() - number.len();
        let same = counts.get(&entry.path[..before - 1]) == Some(&own.len());
        if let (true, Some(name)) = (same, own.get(number)) {
            entry.path.truncate(before);
            entry.path.push_str(name);
        }
        true
    });
}
