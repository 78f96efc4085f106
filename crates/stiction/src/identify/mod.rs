//! Identification of friction laws from measured records, with confidence intervals.
//!
//! A file becomes a [`RawRecord`] by its [`ColumnRoles`] (the meaning of each column), then one or more [`MotionRecord`]s by
//! [`prepare`] (resampled, smoothed, differentiated). A procedure turns motions into an [`IdentificationResult`]: estimates
//! with confidence intervals, a law, measures of the fit, the data of figures, and remarks on what the data do not
//! determine. [`report`] draws results.
//!
//! | folder | job |
//! |---|---|
//! | `record` | from files to motions |
//! | `result` | results as plain data |
//! | `parameter` | free parameters and the progress of fits |
//! | [`sliding`], [`presliding`], [`breakaway`], [`dynamic`], [`rate_state`] | procedures |
//! | [`excitation`] | design of experiments |
//! | `law_selection` | choice between laws with and without memory |
//! | `record_set`, `motion_task` | all records of an identification, and the procedure that is asked for |
//! | `refit` | refits of a bootstrap |
//! | [`report`] | figures and HTML |
//!
//! ```
//! use stiction::data::{DataFile, ReadOptions};
//! use stiction::identify::sliding::{self, SlidingOptions};
//! use stiction::identify::{ColumnRoles, Preparation, prepare};
//!
//! // a log: 2 kg moved to and fro against 3 N and 5 N·s/m
//! let mut log = String::from("t [s],x [m],force [N]\n");
//! for k in 0..2000 {
//!     let t = f64::from(k) * 5e-3;
//!     let (x, v, a) = (-0.1 * t.cos(), 0.1 * t.sin(), 0.1 * t.cos());
//!     log += &format!("{t},{x},{}\n", 2.0 * a + 3.0 * v.signum() + 5.0 * v);
//! }
//! let table = DataFile::from_bytes("log.csv", log.as_bytes(), &ReadOptions::default())?;
//! let raw = ColumnRoles::default().read(&table)?;                            // columns by their names
//! let (motions, _) = prepare(&raw, &Preparation::default())?;
//! let result = sliding::identify(&motions, &SlidingOptions::default())?;
//! let mass = result.estimates.iter().find(|e| e.name == "mass").unwrap();
//! assert!(mass.interval[0] < 2.01 && mass.interval[1] > 1.99);
//! # Ok::<(), stiction::Error>(())
//! ```
pub mod breakaway;
pub mod dynamic;
pub mod excitation;
mod law_check;
mod law_comparison;
mod law_selection;
mod motion_task;
mod parameter;
pub mod presliding;
pub mod rate_state;
mod record;
mod record_set;
mod refit;
pub mod report;
pub mod result;
pub mod sliding;

pub use crate::error::IdentificationError;
pub use law_check::LawCheck;
pub use law_comparison::{ComparedLaw, LawComparison, compare_laws};
pub use law_selection::{LawSelectionOptions, select_law, warn_about_sliding_misfit};
pub use motion_task::{MotionTask, TaskProgress, check_term_names};
pub use parameter::{FitCheckpoint, FitProgress, FitStage, FreeParameter, GlobalSearch, MassOption, RoundState};
pub use record::{
    ColumnRole, ColumnRoles, ForceTerm, MotionRecord, Preparation, PreparedMotion, RawRecord, Smoothing, prepare,
};
pub use record_set::{RecordSet, repeated};
pub use refit::{FoundFit, Refits};
pub use result::{
    Estimate, EstimateCovariance, Identifiability, IdentificationResult, Remark, ResidualSeries, ResultTable, Score,
    Severity,
};
