//! Measured data and tables.
//!
//! [`log`] reads files that others wrote, whatever their format, units and decimal marks; [`table`] writes and reads back
//! tables of named columns.
mod error;
pub mod log;
pub mod table;

pub use error::DataError;
