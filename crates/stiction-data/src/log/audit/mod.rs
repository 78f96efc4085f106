//! The quality of a record: sampling, gaps, missing numbers, resolution, saturation, delay.
//!
//! An [`Auditor`] is a [`RowConsumer`]: it examines a file of any length in one pass and bounded memory. Counts and extremes
//! are exact. Medians and resolutions are exact up to [`SAMPLE_ROWS`] rows; beyond, they come from blocks of rows spread
//! evenly over the file.
//!
//! ```
//! use stiction_data::log::{ColumnSelection, DataFile, ReadOptions, audit::Auditor};
//!
//! let log: String = (0..50).map(|k| format!("{},{}\n", k as f64 * 0.01, k % 7)).collect();
//! let file = DataFile::from_bytes("log.csv", format!("t,x\n{log}").as_bytes(), &ReadOptions::default())?;
//! let columns = ColumnSelection::all(&file);
//! let mut auditor = Auditor::new(columns.fields(), Some(0));
//! columns.stream(&mut auditor)?;
//! let audit = auditor.finish();
//! assert!(audit.time.as_ref().is_some_and(|time| time.uniform && (time.step.median - 0.01).abs() < 1e-12));
//! assert_eq!(audit.signals[0].resolution, Some(1.0));
//! println!("{audit}");
//! # Ok::<(), stiction_data::DataError>(())
//! ```
pub mod delay;
mod display;
mod extreme;
mod quantisation;
mod report;
mod sample;
mod signal;
mod time;

pub use quantisation::quantisation_step;
pub use report::{Audit, CellCount, Extreme, Gaps, SamplingIntervals, SignalAudit, TimeAudit};
pub use sample::SAMPLE_ROWS;
pub use signal::extremes;

use super::{Chunk, Field, RowConsumer};
use crate::DataError;
use signal::SignalAuditor;
use time::TimeAuditor;

/// Examines a record as its rows are read.
pub struct Auditor {
    rows: u64,
    time_auditor: Option<TimeAuditor>,
    signals: Vec<SignalAuditor>,
    /// The index of the time column.
    time: Option<usize>,
}

impl Auditor {
    /// For a record with these columns, of which one may be time.
    pub fn new<'a>(fields: impl IntoIterator<Item = &'a Field>, time: Option<usize>) -> Self {
        let (mut time_auditor, mut signals) = (None, Vec::new());
        for (at, field) in fields.into_iter().enumerate() {
            if time == Some(at) {
                time_auditor = Some(TimeAuditor::new(field));
            } else {
                signals.push(SignalAuditor::new(field));
            }
        }
        Self { rows: 0, time_auditor, signals, time }
    }
    /// The results.
    pub fn finish(self) -> Audit {
        let signals = self.signals.into_iter().map(SignalAuditor::finish).collect();
        Audit { rows: self.rows, time: self.time_auditor.map(TimeAuditor::finish), signals }
    }
}

impl RowConsumer for Auditor {
    type Error = DataError;

    fn take(&mut self, chunk: &Chunk) -> Result<(), DataError> {
        self.rows += chunk.rows() as u64;
        let mut signals = self.signals.iter_mut();
        for (at, values) in chunk.columns.iter().enumerate() {
            if self.time == Some(at) {
                self.time_auditor.iter_mut().for_each(|time| time.take(values, chunk));
            } else if let Some(signal) = signals.next() {
                signal.take(values, chunk);
            }
        }
        Ok(())
    }
}

/// The time column, recognised by its name or unit.
pub fn find_time_column<'a>(fields: impl IntoIterator<Item = &'a Field>) -> Option<usize> {
    let fields: Vec<&Field> = fields.into_iter().collect();
    let named = |names: &[&str]| {
        fields.iter().position(|field| {
            let name = field.name.rsplit('.').next().unwrap_or(&field.name).to_lowercase();
            names
                .iter()
                .any(|known| name == *known || name.strip_suffix("_s").or(name.strip_suffix("_ms")) == Some(known))
        })
    };
    let seconds = |field: &&Field| field.unit.as_deref().and_then(crate::unit::si).is_some_and(|(_, unit)| unit == "s");
    named(&["t", "time", "timestamp", "times", "zeit", "temps", "tiempo"])
        .or_else(|| named(&["log_time"]))
        .or_else(|| fields.first().filter(|field| seconds(field)).map(|_| 0))
}
