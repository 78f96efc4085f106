//! Reports: the results of analyses as text, JSON, pictures and tables. The program prints them, the Python package shows
//! them; neither computes anything itself.
//!
//! ```
//! use stiction::scenario::Scenario;
//! use stiction_report::{Report, cycle::CycleReport};
//!
//! let report = CycleReport::find("a7", &Scenario::named("a7", &[""; 0])?)?;
//! assert!(report.text().contains("period 4.63855"));
//! assert_eq!(report.json()["stable"], true);
//! # Ok::<(), stiction::Error>(())
//! ```
#![warn(missing_docs)]
pub mod breakaway;
pub mod compensation;
mod compensation_pictures;
pub mod controller_code;
pub mod cycle;
pub mod cycle_branch;
pub mod data_audit;
pub mod describing_function;
pub mod device;
pub mod equilibrium;
pub mod fmu;
pub mod harmonic_balance;
pub mod hysteresis;
pub mod hysteresis_comparison;
pub mod installation;
pub mod law_check;
pub mod law_code;
pub mod mujoco_plugin;
pub mod paper_figures;
pub mod passivity;
pub mod phenomena;
pub mod references;
pub mod robot;
pub mod slurm;
pub mod sweep_map;
pub mod text;

use serde_json::Value;
use stiction::plot::Figure;
use stiction::table::ColumnHeaders;

/// A table in a file: its name, the names and units of its columns, and its rows.
pub type ReportTable = (&'static str, ColumnHeaders, Vec<Vec<f64>>);

/// The results of an analysis, for people and for programs.
pub trait Report {
    /// As text for a terminal.
    fn text(&self) -> String;
    /// As an object of JSON.
    fn json(&self) -> Value;
    /// As pictures, each with the name of its file.
    fn figures(&self) -> Vec<(&'static str, Figure)> {
        Vec::new()
    }
    /// As tables.
    fn tables(&self) -> Vec<ReportTable> {
        Vec::new()
    }
}
