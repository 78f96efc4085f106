//! Reading, checking and writing measured data and tables.
mod audit;
#[cfg(feature = "parquet")]
mod episodes;
mod expression;
mod formats;
mod logs;
#[cfg(feature = "mcap")]
mod mcap;
#[path = "../../../../tests/common/published.rs"]
mod published;
#[path = "../../../../tests/common/skip.rs"]
mod skip;
mod table;
mod text;
