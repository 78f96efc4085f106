//! Laws fitted to friction along a measured motion.
mod beginning;
mod late;
mod measured;
mod records;
mod slopes;
mod synthetic;

use crate::published::data;
