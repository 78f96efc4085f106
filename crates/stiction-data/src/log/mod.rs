//! Measured data: tables of numbers from files that others wrote, looked at, computed with and read in pieces.
//!
//! A [`Table`] is an opened file: its columns with units, and its constants. What a file is, is told from its content:
//! text in columns (any delimiter, with or without a header), JSON, MATLAB version 5, and with features Parquet and
//! MATLAB 7.3. A [`Plan`] says which columns, or expressions over them, are wanted; rows then come in pieces to a
//! [`Sink`], so that a file may be larger than memory. A [`Record`] is the sink that keeps everything.
//!
//! ```
//! use stiction_data::log::{Options, Plan, Table};
//!
//! let log = "t [s];x [mm]\n0;0,5\n0,01;0,75\n";
//! let table = Table::from_bytes("log.csv", log.as_bytes(), &Options::default())?;
//! let record = Plan::new(&table).with("x [m]", "1e-3*x", &[])?.read()?;
//! assert_eq!(record.columns[0].values, [0.5e-3, 0.75e-3]);
//! # Ok::<(), stiction_data::DataError>(())
//! ```
pub mod audit;
pub mod expr;
#[cfg(feature = "hdf5")]
mod hdf5;
mod head;
mod json;
#[cfg(feature = "mat")]
mod mat;
mod names;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
mod problem;
mod record;
#[cfg(any(feature = "mat", feature = "hdf5"))]
mod shape;
mod sink;
mod source;
mod table;
mod text;
pub mod unit;

pub use names::find;
pub use plan::{Done, Plan};
pub use problem::Problem;
pub use record::{Column, Record};
pub use sink::{Chunk, Sink, Thin};
pub use table::{Constant, Field, Format, Options, Table};
