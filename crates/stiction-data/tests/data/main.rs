//! Reading, checking and writing measured data and tables.
mod audit;
mod expression;
mod formats;
mod logs;
#[path = "../../../../tests/common/published.rs"]
mod published;
#[path = "../../../../tests/common/skip.rs"]
mod skip;
mod table;
mod text;
