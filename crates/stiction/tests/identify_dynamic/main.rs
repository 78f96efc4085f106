//! Laws fitted to friction along a measured motion.
mod records;
mod slopes;
mod synthetic;

#[path = "../common/at_hand.rs"]
mod at_hand;
use at_hand::data;
