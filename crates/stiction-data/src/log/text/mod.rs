//! Text in columns: comma-separated values and their relatives.
mod cells;
mod layout;
mod lines;
mod rows;

pub use cells::number;
pub use layout::TextLayout;
pub use rows::open;
