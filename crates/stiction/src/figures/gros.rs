//! Gros' slides: experiments G1 to G6.
use super::Experiment;

pub(super) const ALL: &[Experiment] = &[];
