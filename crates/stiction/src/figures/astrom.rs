//! Åström's slides: experiments A1 to A15.
use super::Experiment;

pub(super) const ALL: &[Experiment] = &[];
