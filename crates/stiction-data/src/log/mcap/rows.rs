//! The messages of one topic as rows, in the order of the file.
use super::container::{Container, Message, Record};
use super::index::{ColumnLocation, LOG_TIME, PUBLISH_TIME, wrong_message};
use super::message::{Channels, Value};
use crate::DataError;
use crate::log::Chunk;
use crate::log::chunk::RowReader;
use crate::log::source::Source;
use std::collections::HashMap;

/// The wanted columns of a topic, by the path within its messages.
pub struct Wanted {
    columns: HashMap<String, Vec<usize>>,
    count: usize,
}

impl Wanted {
    /// For columns with numbers.
    pub fn new<'p>(locations: impl IntoIterator<Item = (usize, &'p ColumnLocation)>) -> Self {
        let mut wanted = Self { columns: HashMap::new(), count: 0 };
        for (at, location) in locations {
            wanted.columns.entry(location.path.clone()).or_default().push(at);
            wanted.count += 1;
        }
        wanted
    }
    /// Whether messages need not be decoded.
    fn only_times(&self) -> bool {
        self.columns.keys().all(|path| path == LOG_TIME || path == PUBLISH_TIME)
    }
}

/// The messages of some topics, one after the other.
pub struct Messages<'a> {
    source: &'a Source,
    start: u64,
    container: Container<'a>,
    channels: Channels,
    /// Number of messages of each topic so far.
    counts: HashMap<String, u64>,
}

impl<'a> Messages<'a> {
    pub fn open(source: &'a Source, start: u64) -> Result<Self, DataError> {
        let container = Container::open(source, false)?;
        Ok(Self { source, start, container, channels: Channels::default(), counts: HashMap::new() })
    }
    /// The next message of a topic in `wanted`: calls `row` with its topic and log time \[ns\], then `number` for each of its wanted columns.
    /// False at the end.
    pub fn next(
        &mut self,
        wanted: &HashMap<String, Wanted>,
        row: &mut dyn FnMut(&str, u64),
        number: &mut dyn FnMut(&str, usize, f64),
    ) -> Result<bool, DataError> {
        while let Some(record) = self.container.next()? {
            let Record::Message(Message { channel, log_time, publish_time, data }) = record else {
                self.channels.add(record);
                continue;
            };
            let Some((topic, decoder)) = self.channels.get(channel) else { continue };
            let Some(columns) = wanted.get(topic) else { continue };
            let count = self.counts.entry(topic.clone()).or_default();
            *count += 1;
            row(topic, log_time);
            let seconds = |time: u64| (i128::from(time) - i128::from(self.start)) as f64 / 1e9;
            let mut put = |path: &str, value: f64| {
                for at in columns.columns.get(path).into_iter().flatten() {
                    number(topic, *at, value);
                }
            };
            put(LOG_TIME, seconds(log_time));
            put(PUBLISH_TIME, seconds(publish_time));
            if !columns.only_times() {
                let entries = decoder
                    .decode(self.source, data, self.start)
                    .map_err(|reason| wrong_message(self.source, topic, *count, &reason))?;
                for entry in entries {
                    if let Value::Number(value) | Value::Seconds(value) = entry.value {
                        put(&entry.path, value);
                    }
                }
            }
            return Ok(true);
        }
        Ok(false)
    }
}

struct Reader<'a> {
    messages: Messages<'a>,
    wanted: HashMap<String, Wanted>,
}

/// The rows of one topic.
pub fn open<'a>(
    source: &'a Source,
    start: u64,
    topic: &str,
    locations: &[&ColumnLocation],
) -> Result<Box<dyn RowReader + 'a>, DataError> {
    let wanted = Wanted::new(locations.iter().copied().enumerate());
    Ok(Box::new(Reader {
        messages: Messages::open(source, start)?,
        wanted: HashMap::from([(topic.to_owned(), wanted)]),
    }))
}

impl RowReader for Reader<'_> {
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        let mut row = vec![f64::NAN; self.wanted.values().map(|wanted| wanted.count).sum()];
        for _ in 0..rows {
            row.fill(f64::NAN);
            if !self.messages.next(&self.wanted, &mut |_, _| {}, &mut |_, at, value| row[at] = value)? {
                return Ok(());
            }
            for (column, value) in chunk.columns.iter_mut().zip(&row) {
                column.push(*value);
            }
        }
        Ok(())
    }
}
