//! Identification of the parameters of a scenario by simulating the plant, in open or closed loop.
//!
//! The section `[identify]` of the scenario defines the free parameters, the values that depend on them, the signals that come
//! from the record, and the columns to match. Every record is simulated from its first row, and the difference between
//! simulation and record is minimised by least squares.
//!
//! Simulations are event-driven: the instants of stick, slip and reversal depend on the parameters. Derivatives are therefore
//! finite differences of whole simulations, with a step that follows from the tolerance of the solver; they are valid as
//! long as no event appears or vanishes within the step. The fit to friction, [`super::fit()`], has exact derivatives.
mod bound_record;
mod check;
mod contact_law;
mod correlation;
mod device_fits;
mod device_record;
mod fit;
mod free_parameters;
mod global_search;
mod input_delay;
mod intervals;
mod log;
mod record_residuals;
mod repetition;
mod summary;
mod unknown_values;

pub use check::{CHECK, check, judge, validate};
pub use device_fits::{DeviceFit, DeviceFits, DeviceStart, Resampling};
pub use fit::{PlantFit, PlantOptions, fit};
pub use log::PlantLog;
