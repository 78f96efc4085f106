//! Experiments and published figures against independent values.
mod experiments;
mod papers;
mod papers_gnb;
