//! Identification of parameters from measured and simulated records.
mod breakaway;
mod channels;
mod dynamic;
mod emps;
mod excitation;
mod odd;
mod plant;
mod presliding;
#[path = "../../../../tests/common/published.rs"]
mod published;
mod rate_state;
mod resume;
mod rig;
mod sliding;
