//! Andersson, Söderberg and Björklund 2007: experiments B1 to B12.
use super::Experiment;

pub(super) const ALL: &[Experiment] = &[];
