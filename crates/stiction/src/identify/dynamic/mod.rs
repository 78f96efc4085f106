//! Laws with memory, fitted as a whole: any law of the registry driven by a measured motion.
//!
//! [`force`] drives a law by the velocity that was measured and compares its force with the friction that was measured. The
//! search is global first, on a thinned record, then by least squares on the whole of it, with derivatives by
//! parameters that are exact: the law's own steps over dual numbers.
mod excite;
mod force;
mod options;
mod range;
mod report;
mod run;
mod scales;
mod score;
mod sought;

pub(super) use range::{Role, by_default};

pub use force::{Fitted, force, force_fit};
pub use options::{Free, Mass, Options, Progress, Search, Stage};
pub use scales::Scales;
pub use score::{explained, scores};
