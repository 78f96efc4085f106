//! Measured data: tables of numbers from files that others wrote, inspected, computed with and read in chunks.
//!
//! A [`DataFile`] is an opened file: its columns with units, and its constants. The format is recognised from the content:
//! text in columns (any delimiter, with or without a header), JSON, MATLAB version 5, and with features Parquet,
//! MATLAB 7.3 and MCAP. A [`ColumnSelection`] lists the columns, or expressions over them, to read; rows then go in chunks to a
//! [`RowConsumer`], so that a file may be larger than memory. A [`Record`] is the consumer that keeps everything.
//!
//! ```
//! use stiction_data::log::{ColumnSelection, DataFile, ReadOptions};
//!
//! let log = "t [s];x [mm]\n0;0,5\n0,01;0,75\n";
//! let file = DataFile::from_bytes("log.csv", log.as_bytes(), &ReadOptions::default())?;
//! let record = ColumnSelection::new(&file).with("x [m]", "1e-3*x", &[])?.read()?;
//! assert_eq!(record.columns[0].values, [0.5e-3, 0.75e-3]);
//! # Ok::<(), stiction_data::DataError>(())
//! ```
#[cfg(any(feature = "mat", feature = "hdf5"))]
mod array_shape;
pub mod audit;
mod chosen_columns;
mod chunk;
mod column_delay;
mod data_file;
mod field;
#[cfg(feature = "hdf5")]
mod hdf5;
mod header;
mod json;
#[cfg(feature = "mat")]
mod mat;
#[cfg(feature = "mcap")]
mod mcap;
mod memory;
#[cfg(feature = "parquet")]
mod parquet;
mod read_options;
mod record;
mod row_sample;
mod selection;
mod source;
mod text;

pub use crate::{ColumnNameError, ContentError, expression, find_column, unit};
pub use chosen_columns::ChosenColumns;
pub use chunk::{Chunk, Downsampler, RowConsumer};
pub use column_delay::column_delay;
pub use data_file::{DataFile, Format};
pub use field::{Constant, Field};
pub use read_options::ReadOptions;
pub use record::{Column, Record};
pub use row_sample::RowSample;
pub use selection::{ColumnSelection, ReadSummary};
