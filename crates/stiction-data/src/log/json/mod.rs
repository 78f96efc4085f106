//! JSON: an object of arrays, an array of objects or of rows, objects one after the other, and any of these nested; a
//! column is called by the way to it, `case.friction`. Nothing is kept in memory but where the arrays begin.
mod map;
mod rows;
mod scan;

pub use map::Map;

const FORMAT: &str = "JSON";
