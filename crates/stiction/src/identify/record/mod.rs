//! From measured files to motions ready for identification.
mod block_average;
mod channel_shift;
mod clock;
mod column_remarks;
mod column_roles;
mod continuous_position;
mod force_limits;
mod gaps;
mod held_signal;
mod motion;
mod prepare;
mod raw_record;
pub(in crate::identify) mod sensor;
mod uniform_sampling;
mod velocity_sensor;

pub use column_roles::{ColumnRole, ColumnRoles};
pub use motion::{ForceTerm, MotionRecord};
pub use prepare::{Preparation, PreparedMotion, Smoothing, prepare};
pub use raw_record::RawRecord;

use super::result::{Remark, Severity};
