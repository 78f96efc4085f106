//! MCAP, the log format of robots: messages of many topics, each with the time at which it was logged.
//!
//! A topic is a table: one row per message, one column per number in its messages. JSON and ROS 2 messages (CDR, decoded by the
//! schema in the file) are read. The container is read by hand: the crate `mcap` would bring 15 crates and 20 s of
//! processor time; it writes the files of the tests.
mod container;
mod held;
mod index;
mod message;
mod ros2;
mod rows;

pub use index::FileIndex;

const FORMAT: &str = "MCAP";
