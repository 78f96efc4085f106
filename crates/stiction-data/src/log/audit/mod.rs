//! What a record is worth: sampling, gaps, missing numbers, resolution, saturation, delay.
//!
//! An [`Auditor`] is a [`Sink`]: it looks at a file of any length in one pass and bounded memory. Counts and
//! extremes are exact; medians and resolutions are, too, up to [`KEEP`] rows, beyond which they come from blocks of rows
//! spread evenly over the file.
//!
//! ```
//! use stiction_data::log::{Options, Plan, Table, audit::Auditor};
//!
//! let log: String = (0..50).map(|k| format!("{},{}\n", k as f64 * 0.01, k % 7)).collect();
//! let table = Table::from_bytes("log.csv", format!("t,x\n{log}").as_bytes(), &Options::default())?;
//! let plan = Plan::all(&table);
//! let mut auditor = Auditor::new(plan.fields(), Some(0));
//! plan.stream(&mut auditor)?;
//! let audit = auditor.finish();
//! assert!(audit.time.as_ref().is_some_and(|time| time.uniform && (time.step.median - 0.01).abs() < 1e-12));
//! assert_eq!(audit.signals[0].quantum, Some(1.0));
//! println!("{audit}");
//! # Ok::<(), stiction_data::DataError>(())
//! ```
mod clock;
pub mod delay;
mod extreme;
mod quantum;
mod report;
mod sample;
mod signal;
mod text;

pub use quantum::quantum;
pub use report::{Audit, Cells, Extreme, Gaps, Signal, Steps, Time};
pub use sample::KEEP;

use super::{Chunk, Field, Sink};
use crate::DataError;
use clock::Clock;
use signal::Watch;

/// Looks at a record as it passes.
pub struct Auditor {
    rows: u64,
    clock: Option<Clock>,
    signals: Vec<Watch>,
    /// Which column is time.
    time: Option<usize>,
}

impl Auditor {
    /// For a record with these columns, of which one may be time.
    pub fn new<'a>(fields: impl IntoIterator<Item = &'a Field>, time: Option<usize>) -> Self {
        let (mut clock, mut signals) = (None, Vec::new());
        for (at, field) in fields.into_iter().enumerate() {
            if time == Some(at) {
                clock = Some(Clock::new(field));
            } else {
                signals.push(Watch::new(field));
            }
        }
        Self { rows: 0, clock, signals, time }
    }
    /// What was seen.
    pub fn finish(self) -> Audit {
        let signals = self.signals.into_iter().map(Watch::finish).collect();
        Audit { rows: self.rows, time: self.clock.map(Clock::finish), signals }
    }
}

impl Sink for Auditor {
    fn take(&mut self, chunk: &Chunk) -> Result<(), DataError> {
        self.rows += chunk.rows() as u64;
        let mut signals = self.signals.iter_mut();
        for (at, values) in chunk.columns.iter().enumerate() {
            if self.time == Some(at) {
                self.clock.iter_mut().for_each(|clock| clock.take(values, chunk));
            } else if let Some(signal) = signals.next() {
                signal.take(values, chunk);
            }
        }
        Ok(())
    }
}

/// The column that is time, as far as names and units tell.
pub fn clock<'a>(fields: impl IntoIterator<Item = &'a Field>) -> Option<usize> {
    let fields: Vec<&Field> = fields.into_iter().collect();
    let named = |names: &[&str]| {
        fields.iter().position(|field| {
            let name = field.name.rsplit('.').next().unwrap_or(&field.name).to_lowercase();
            names
                .iter()
                .any(|known| name == *known || name.strip_suffix("_s").or(name.strip_suffix("_ms")) == Some(known))
        })
    };
    let seconds = |field: &&Field| field.unit.as_deref().and_then(super::unit::si).is_some_and(|(_, unit)| unit == "s");
    named(&["t", "time", "timestamp", "times", "zeit", "temps", "tiempo"])
        .or_else(|| fields.first().filter(|field| seconds(field)).map(|_| 0))
}
