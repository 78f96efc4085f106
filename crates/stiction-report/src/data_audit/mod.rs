//! What is in a file of measured data, how it was sampled, and what is wrong with it.
mod json;

use crate::Report;
use crate::text::list;
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;
use stiction::data::audit::Audit;
use stiction::data::audit::delay::Delay;
use stiction::data::{Constant, DataFile, Field, RowSample};
use stiction::number::{round, short};
use stiction::plot::{Axis, Figure, Panel};

/// Largest number of panels in a picture.
const MAX_PANELS: usize = 6;

/// A delay between two columns.
pub struct DelayEstimate {
    /// The columns: the second lags behind the first.
    pub between: (String, String),
    /// The delay.
    pub found: Delay,
}

/// What was read of a file.
#[derive(Default)]
pub struct ReadColumns {
    /// The columns that were read.
    pub fields: Vec<Field>,
    /// Which of them is time.
    pub time: Option<usize>,
    /// Whether the user chose them.
    pub chosen: bool,
    /// Whether the file ends in the middle of a row, which was left out.
    pub truncated: bool,
    /// Rows for the picture; none: there is no picture.
    pub sample: Option<RowSample>,
}

/// A file of measured data, examined.
pub struct DataReport {
    name: String,
    format: String,
    fields: Vec<Field>,
    constants: Vec<Constant>,
    topic: Option<String>,
    read: ReadColumns,
    /// The quality of the columns.
    pub audit: Audit,
    delay: Option<DelayEstimate>,
}

impl DataReport {
    /// The columns that were read from `file`, and their quality.
    pub fn new(file: &DataFile, read: ReadColumns, audit: Audit) -> Self {
        Self {
            name: file.name(),
            format: file.format().to_string(),
            fields: file.fields().to_vec(),
            constants: file.constants().to_vec(),
            topic: file.table_of([], &[]),
            read,
            audit,
            delay: None,
        }
    }
    /// Also tells of a delay between two columns.
    #[must_use]
    pub fn with_delay(mut self, delay: Option<DelayEstimate>) -> Self {
        self.delay = delay;
        self
    }
    /// What to know besides.
    pub fn notes(&self) -> Vec<String> {
        let mut out = Vec::new();
        if self.read.truncated {
            out.push("the last line is incomplete and was left out".to_owned());
        }
        let signals = self.read.fields.len() - usize::from(self.read.time.is_some());
        if self.read.sample.is_some() && signals > MAX_PANELS {
            out.push(format!("the picture shows the first {MAX_PANELS} columns: choose others with --column"));
        }
        let elsewhere = |topic: &str| self.fields.iter().any(|f| f.text.is_none() && f.table.as_deref() != Some(topic));
        if let Some(topic) = self.topic.as_deref().filter(|topic| !self.read.chosen && elsewhere(topic)) {
            out.push(format!(
                "these are the columns of {topic}: choose others with --column, or --topic NAME for all topics at the messages of one"
            ));
        }
        if self.audit.time.is_none() && self.audit.rows > 1 {
            out.push("no time column was recognised: name it with --time".to_owned());
        }
        out
    }
    /// Columns that were not read, with the reason.
    fn left(&self) -> Vec<String> {
        let shown: HashSet<&str> = self.read.fields.iter().map(|field| field.name.as_str()).collect();
        let left = self.fields.iter().filter(|field| !shown.contains(field.name.as_str()));
        left.map(|field| match (&field.text, field.rows) {
            (None, Some(rows)) => format!("{} ({rows} rows)", field.name),
            _ => format!("{} (text)", field.name),
        })
        .collect()
    }
    fn delay_text(&self, delay: &DelayEstimate) -> String {
        let DelayEstimate { between: (a, b), found } = delay;
        let time = self.audit.time.as_ref().map(|time| {
            let unit = time.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
            format!(", {}{unit}", short(round(time.step.median * found.samples, 4)))
        });
        let by = short(round(found.samples, 4));
        let sure = short(round(found.correlation, 3));
        format!("\n{b} lags behind {a} by {by} samples{} (correlation {sure})\n", time.unwrap_or_default())
    }
}

impl Report for DataReport {
    fn text(&self) -> String {
        let mut out = format!("{}: {}, {}", self.name, self.format, self.audit);
        if let Some(delay) = &self.delay {
            out += &self.delay_text(delay);
        }
        if !self.read.chosen {
            let constants = self.constants.iter().map(|c| format!("{} = {}", c.name, short(c.value))).collect();
            for (head, items) in [("Not shown", self.left()), ("Constants", constants)] {
                if !items.is_empty() {
                    out += &format!("\n{head}\n{}", list(&items));
                }
            }
        }
        out
    }
    fn json(&self) -> Value {
        json::value(self)
    }
    fn figures(&self) -> Vec<(&'static str, Figure)> {
        let Some(sample) = &self.read.sample else { return Vec::new() };
        let label = |field: &Field| match &field.unit {
            Some(unit) => format!("{} [{unit}]", field.name),
            None => field.name.clone(),
        };
        let (fields, time) = (&self.read.fields, self.read.time);
        let x = Axis::linear(time.map_or_else(|| "row".to_owned(), |at| label(&fields[at])));
        let name = Path::new(&self.name).file_name().map(|name| name.display().to_string());
        let mut figure = Figure::new(name.unwrap_or_default());
        let signals = fields.iter().enumerate().filter(|(at, _)| time != Some(*at));
        for (at, field) in signals.take(MAX_PANELS) {
            let points = sample.points(time, at);
            figure = figure.panel(Panel::new(x.clone(), Axis::linear(label(field))).line("", points));
        }
        vec![("data", figure)]
    }
}
