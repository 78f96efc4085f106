//! Nouri's paper: experiments N1 to N5.
use super::Experiment;

pub(super) const ALL: &[Experiment] = &[];
