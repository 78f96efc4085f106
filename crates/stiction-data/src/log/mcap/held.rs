//! Columns of several topics, one row for each message of one of them: a column of another topic has the value of the last
//! message at or before the row, by log time, and none before its first message.
//!
//! Messages of different topics need not be in the order of time in the file, so that the wanted numbers are kept in memory.
use super::index::ColumnLocation;
use super::rows::{Messages, Wanted};
use crate::DataError;
use crate::log::Chunk;
use crate::log::chunk::RowReader;
use crate::log::source::Source;
use std::collections::HashMap;

/// The wanted numbers of a topic: times in ascending order, and one column for each of `outputs`.
#[derive(Default)]
struct Series {
    outputs: Vec<usize>,
    times: Vec<u64>,
    /// Row after row.
    values: Vec<f64>,
    /// The first message after the present row.
    next: usize,
}

impl Series {
    fn sort(&mut self) {
        if self.times.is_sorted() {
            return;
        }
        let mut order: Vec<usize> = (0..self.times.len()).collect();
        order.sort_by_key(|&k| self.times[k]);
        let width = self.outputs.len();
        self.values = order.iter().flat_map(|&k| &self.values[k * width..(k + 1) * width]).copied().collect();
        self.times = order.iter().map(|&k| self.times[k]).collect();
    }
}

struct Reader {
    rows: Vec<u64>,
    at: usize,
    series: Vec<Series>,
}

/// The rows of `topic`; `tables` are the topics of the locations.
pub fn open<'a>(
    source: &'a Source,
    start: u64,
    topic: &str,
    tables: &[&str],
    locations: &[&ColumnLocation],
) -> Result<Box<dyn RowReader + 'a>, DataError> {
    let mut series: HashMap<String, Series> = HashMap::new();
    // the index of a column among those of its topic
    let mut within = vec![0; locations.len()];
    series.entry(topic.to_owned()).or_default();
    for (at, table) in tables.iter().enumerate() {
        let own = series.entry((*table).to_owned()).or_default();
        within[at] = own.outputs.len();
        own.outputs.push(at);
    }
    let wanted: HashMap<String, Wanted> = series
        .iter()
        .map(|(name, own)| (name.clone(), Wanted::new(own.outputs.iter().map(|&at| (at, locations[at])))))
        .collect();
    let mut messages = Messages::open(source, start)?;
    let mut found: Vec<(usize, f64)> = Vec::new();
    let mut head = (String::new(), 0);
    loop {
        found.clear();
        let more =
            messages.next(&wanted, &mut |topic, time| head = (topic.to_owned(), time), &mut |_, at, value| {
                found.push((at, value));
            })?;
        if !more {
            break;
        }
        if let Some(own) = series.get_mut(&head.0) {
            let begin = own.values.len();
            own.times.push(head.1);
            own.values.resize(begin + own.outputs.len(), f64::NAN);
            for &(at, value) in &found {
                own.values[begin + within[at]] = value;
            }
        }
    }
    for own in series.values_mut() {
        own.sort();
    }
    let rows = series.get(topic).map(|own| own.times.clone()).unwrap_or_default();
    Ok(Box::new(Reader { rows, at: 0, series: series.into_values().collect() }))
}

impl RowReader for Reader {
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        let end = (self.at + rows).min(self.rows.len());
        for own in &mut self.series {
            let width = own.outputs.len();
            for &time in &self.rows[self.at..end] {
                own.next += own.times[own.next..].iter().take_while(|later| **later <= time).count();
                for (k, &output) in own.outputs.iter().enumerate() {
                    let last = own.next.checked_sub(1).map(|at| own.values[at * width + k]);
                    chunk.columns[output].push(last.unwrap_or(f64::NAN));
                }
            }
        }
        self.at = end;
        Ok(())
    }
}
