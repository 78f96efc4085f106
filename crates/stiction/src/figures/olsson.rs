//! Olsson and Åström 1993: experiments O1 to O5.
use super::Experiment;

pub(super) const ALL: &[Experiment] = &[];
