//! The topics of an MCAP file and their columns.
use super::container::{Container, Record, malformed};
use super::message::{Channels, Decoder, Entry, Value};
use super::{FORMAT, held, rows};
use crate::log::chunk::RowReader;
use crate::log::source::Source;
use crate::log::{Constant, Field, header};
use crate::{ContentError, DataError};
use std::collections::HashMap;
use stiction_io::printable;
use stiction_io::similar_names::similar;

/// Most columns of a file; a file with more is an error.
const MAX_COLUMNS: usize = 100_000;
/// The column of the time at which a message was logged, and of the time at which it was sent.
pub const LOG_TIME: &str = "log_time";
pub const PUBLISH_TIME: &str = "publish_time";

/// The columns of an MCAP file and their locations in messages.
#[derive(Default)]
pub struct FileIndex {
    pub fields: Vec<Field>,
    pub constants: Vec<Constant>,
    locations: Vec<ColumnLocation>,
    topics: Vec<Topic>,
    /// The topic whose messages are the rows, if one was chosen.
    rows_of: Option<usize>,
    /// The first log time \[ns\].
    pub start: u64,
}

/// The location of a column: its topic, and the path within the messages.
#[derive(Clone)]
pub struct ColumnLocation {
    pub topic: usize,
    pub path: String,
}

#[derive(Default)]
struct Topic {
    name: String,
    rows: u64,
    /// Why its messages are not read.
    unread: Option<String>,
    publish_time_differs: bool,
    /// Columns in the order of their first message.
    columns: Vec<(String, Kind)>,
    known: HashMap<String, usize>,
}

#[derive(Clone, PartialEq)]
enum Kind {
    Number,
    Seconds,
    Text(String),
}

impl FileIndex {
    /// Reads the whole file once. `rows_of` is the topic whose messages are the rows.
    pub fn build(source: &Source, rows_of: Option<&str>) -> Result<Self, DataError> {
        let mut index = Self { start: u64::MAX, ..Self::default() };
        let mut container = Container::open(source, true)?;
        let mut channels = Channels::default();
        let mut by_name: HashMap<String, usize> = HashMap::new();
        let mut columns = 0;
        while let Some(record) = container.next()? {
            let Record::Message(message) = record else {
                channels.add(record);
                continue;
            };
            let Some((name, decoder)) = channels.get(message.channel) else {
                return Err(malformed(
                    source,
                    format!("a message of channel {}, which is not described", message.channel),
                ));
            };
            let at = *by_name.entry(name.clone()).or_insert_with(|| {
                index.topics.push(Topic { name: name.clone(), ..Topic::default() });
                index.topics.len() - 1
            });
            // not always that of the first message
            index.start = index.start.min(message.log_time);
            let topic = &mut index.topics[at];
            topic.rows += 1;
            topic.publish_time_differs |= message.publish_time != message.log_time;
            if let Decoder::Unknown(what) = decoder {
                topic.unread = Some(what.clone());
                continue;
            }
            let entries = decoder
                .decode(source, message.data, 0)
                .map_err(|reason| wrong_message(source, &topic.name, topic.rows, &reason))?;
            columns += topic.add(entries);
            if columns > MAX_COLUMNS {
                return Err(source.content_error(ContentError::TooManyColumns { limit: MAX_COLUMNS }));
            }
        }
        if index.topics.is_empty() {
            return Err(source.content_error(ContentError::NoMessages { format: FORMAT }));
        }
        index.make_fields();
        index.choose_rows(source, rows_of)?;
        if index.fields.iter().all(|field| field.text.is_some()) {
            return Err(source.content_error(match index.fields.is_empty() {
                true => ContentError::NoNumbers,
                false => ContentError::Unsupported {
                    what: "MCAP without JSON messages and without ROS 2 messages (cdr, ros2msg)",
                    hint: "write the topics you need as JSON or CSV",
                },
            }));
        }
        Ok(index)
    }
    /// The topics that are read and those that are not, for the user.
    pub fn description(&self) -> String {
        let unread: Vec<String> = self
            .topics
            .iter()
            .filter_map(|topic| Some(format!("{} ({})", printable(&topic.name), printable(topic.unread.as_deref()?))))
            .collect();
        let read = self.topics.len() - unread.len();
        let plural = if read == 1 { "" } else { "s" };
        let rest = if unread.is_empty() { String::new() } else { format!(", not read: {}", unread.join(", ")) };
        format!("MCAP, {read} topic{plural}{rest}")
    }
    /// Whether a column belongs to the topic whose messages are the rows.
    pub fn has_own_rows(&self, column: usize) -> bool {
        self.rows_of.is_none_or(|topic| self.locations.get(column).is_some_and(|location| location.topic == topic))
    }
    fn make_fields(&mut self) {
        for (at, topic) in self.topics.iter().enumerate() {
            let prefix = column_prefix(&topic.name);
            let table = Some(topic.name.clone());
            let mut push = |path: &str, unit: Option<&str>, text: Option<String>| {
                let (above, last) = path.rsplit_once('.').map_or(("", path), |(above, last)| (above, last));
                let (short, own) = header::split(last);
                let parts: Vec<&str> = [&prefix, above, &short].into_iter().filter(|part| !part.is_empty()).collect();
                let name = parts.join(".");
                let unit = unit.map(str::to_owned).or(own);
                self.fields.push(Field { name, unit, rows: Some(topic.rows), text, table: table.clone() });
                self.locations.push(ColumnLocation { topic: at, path: path.to_owned() });
            };
            if let Some(what) = &topic.unread {
                push("", None, Some(what.clone()));
                continue;
            }
            push(LOG_TIME, Some("s"), None);
            if topic.publish_time_differs {
                push(PUBLISH_TIME, Some("s"), None);
            }
            for (path, kind) in &topic.columns {
                match kind {
                    Kind::Number => push(path, None, None),
                    Kind::Seconds => push(path, Some("s"), None),
                    Kind::Text(text) => push(path, None, Some(text.clone())),
                }
            }
        }
        self.constants.push(Constant { name: "log_start".to_owned(), value: self.start as f64 / 1e9 });
    }
    /// Makes the messages of one topic the rows of every column.
    fn choose_rows(&mut self, source: &Source, topic: Option<&str>) -> Result<(), DataError> {
        let Some(wanted) = topic else { return Ok(()) };
        let readable = || self.topics.iter().enumerate().filter(|(_, topic)| topic.unread.is_none());
        let found = readable()
            .find(|(_, topic)| topic.name == wanted)
            .or_else(|| readable().find(|(_, topic)| column_prefix(&topic.name) == column_prefix(wanted)));
        let Some((at, topic)) = found else {
            let known: Vec<String> = readable().map(|(_, topic)| topic.name.clone()).collect();
            let near = similar(wanted, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
            let name = wanted.to_owned();
            return Err(source.content_error(ContentError::UnknownTopic { name, near, known }));
        };
        let rows = topic.rows;
        for field in &mut self.fields {
            field.rows = Some(rows);
            field.table = None;
        }
        self.rows_of = Some(at);
        Ok(())
    }
    pub fn open<'a>(&'a self, source: &'a Source, wanted: &[usize]) -> Result<Box<dyn RowReader + 'a>, DataError> {
        let locations: Vec<&ColumnLocation> = wanted.iter().map(|&at| &self.locations[at]).collect();
        let topic_of = self.rows_of.or_else(|| locations.first().map(|location| location.topic)).unwrap_or(0);
        let name = |at: usize| self.topics.get(at).map_or("", |topic| topic.name.as_str());
        if locations.iter().all(|location| location.topic == topic_of) {
            return rows::open(source, self.start, name(topic_of), &locations);
        }
        let tables: Vec<&str> = locations.iter().map(|location| name(location.topic)).collect();
        held::open(source, self.start, name(topic_of), &tables, &locations)
    }
}

impl Topic {
    /// Adds the columns that earlier messages did not have; how many.
    fn add(&mut self, entries: Vec<Entry>) -> usize {
        let before = self.columns.len();
        for Entry { path, value } in entries {
            let kind = match value {
                Value::Number(_) => Kind::Number,
                Value::Seconds(_) => Kind::Seconds,
                Value::Text(text) => Kind::Text(text),
            };
            match self.known.get(&path) {
                // a column of numbers in which a text occurs is text
                Some(&at) if matches!(kind, Kind::Text(_)) => self.columns[at].1 = kind,
                Some(_) => {}
                None => {
                    self.known.insert(path.clone(), self.columns.len());
                    self.columns.push((path, kind));
                }
            }
        }
        self.columns.len() - before
    }
}

/// The beginning of the names of a topic's columns: `/arm/joint_states` is `arm.joint_states`, which needs no braces in an
/// expression.
fn column_prefix(topic: &str) -> String {
    topic.trim_matches('/').replace('/', ".")
}

pub fn wrong_message(source: &Source, topic: &str, row: u64, reason: &str) -> DataError {
    malformed(source, format!("message {row} of {topic}: {reason}"))
}
