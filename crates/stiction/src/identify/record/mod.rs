//! From measured files to motions ready for identification.
mod block_average;
mod channel_shift;
mod column_roles;
mod force_limits;
mod gaps;
mod motion;
mod prepare;
pub(in crate::identify) mod sensor;
mod uniform_sampling;

pub use column_roles::{ColumnRole, ColumnRoles, RawRecord};
pub use motion::{ForceTerm, MotionRecord};
pub use prepare::{Preparation, PreparedMotion, Smoothing, prepare};

use super::result::{Remark, Severity};
