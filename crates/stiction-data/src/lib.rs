//! Measured data and tables.
//!
//! [`log`] reads files that others wrote, whatever their format, units and decimal marks; [`expression`] computes with their
//! columns; [`table`] writes tables of named columns and reads them back.
mod column_name;
mod content_error;
#[cfg(any(feature = "parquet", feature = "hdf5", feature = "mcap"))]
mod decoder_panic;
mod error;
pub mod expression;
pub mod log;
pub mod table;
pub mod unit;

pub use column_name::{ColumnNameError, find_column, list_columns};
pub use content_error::ContentError;
#[cfg(any(feature = "parquet", feature = "hdf5", feature = "mcap"))]
pub use decoder_panic::catch_decoder_panic;
pub use error::DataError;
