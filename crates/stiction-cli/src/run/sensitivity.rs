//! Derivatives of a run by values of its scenario: the report on them.
use crate::error::CommandError;
use crate::output_folder::OutputFolder;
use serde_json::{Value, json};
use stiction::number::{round, short};
use stiction::output;
use stiction::scenario::{DerivativeColumn, VariedValue, derivative_notes};
use stiction::sim::{RunSummary, SensitivityReport, Simulation};
use stiction_report::text::table;

/// The file with the derivatives of the times of events.
pub const EVENT_TIMES: &str = "event_times.csv";
/// Most rows in the text.
const MAX_ROWS: usize = 40;

/// The derivatives of a finished run.
pub struct Sensitivities<'a> {
    pub values: &'a [VariedValue],
    pub columns: &'a [DerivativeColumn],
    pub report: &'a SensitivityReport,
    pub summary: &'a RunSummary,
}

impl Sensitivities<'_> {
    fn value(&self, column: &DerivativeColumn) -> f64 {
        self.summary.row.get(column.index).copied().unwrap_or(f64::NAN)
    }
    /// Final derivatives as text.
    pub fn text(&self) -> String {
        let digits = |x: f64| if x.is_nan() { "does not exist".to_owned() } else { short(round(x, 8) + 0.0) };
        let line = |c: &DerivativeColumn| [c.name.clone(), digits(self.value(c)), c.unit.clone()];
        let mut out = table(&self.columns.iter().take(MAX_ROWS).map(line).collect::<Vec<_>>(), &[1]);
        if self.columns.len() > MAX_ROWS {
            out += &format!("  and {} more: --json and the files have all\n", self.columns.len() - MAX_ROWS);
        }
        out
    }
    /// What to know about them.
    pub fn notes(&self) -> Vec<String> {
        derivative_notes(self.values, self.report)
    }
    pub fn json(&self) -> Value {
        let finite = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
        let values: serde_json::Map<String, Value> =
            self.columns.iter().map(|c| (c.name.clone(), finite(self.value(c)))).collect();
        let times: Vec<Vec<Value>> =
            self.report.events.iter().map(|event| event.dt.iter().map(|x| finite(*x)).collect()).collect();
        let by: Vec<&str> = self.values.iter().map(|value| value.path.as_str()).collect();
        json!({ "by": by, "final": values, "event_times": times, "notes": self.notes() })
    }
    /// Writes the derivatives of the times of events; a cell is empty where there is none.
    pub fn write(&self, folder: &OutputFolder, simulation: &Simulation<'_>) -> Result<(), CommandError> {
        output::write(&folder.path(EVENT_TIMES), |out| {
            write!(out, "t [s],contact,kind")?;
            for value in self.values {
                write!(out, ",d t / d {} [{}]", value.path, value.derivative_unit("s"))?;
            }
            writeln!(out)?;
            for event in &self.report.events {
                let (t, part, kind) = (event.event.t, simulation.part(event.event.part), event.event.kind.name());
                write!(out, "{},{part},{kind}", short(t))?;
                for dt in &event.dt {
                    write!(out, ",{}", if dt.is_finite() { short(*dt) } else { String::new() })?;
                }
                writeln!(out)?;
            }
            Ok(())
        })?;
        Ok(())
    }
}
