//! Laws fitted to friction along a measured motion.
mod beginning;
mod late;
mod measured;
mod records;
mod slopes;
mod stepped;
mod synthetic;

use crate::published::data;
