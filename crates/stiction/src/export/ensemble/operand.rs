//! Coefficients as operands in the text of a kernel.
use super::equations::CoefficientSource;
use crate::export::language_c::C;
use crate::export::source_text::Syntax;
use stiction_core::program::Precision;

/// A number in C.
pub(super) fn number(x: f64) -> String {
    match x {
        x if x == f64::INFINITY => "1e300".to_owned(),
        x if x == f64::NEG_INFINITY => "-1e300".to_owned(),
        x => C("").number(Precision::Double, x),
    }
}

/// A coefficient as an operand.
pub(super) fn operand(source: &CoefficientSource) -> String {
    match source {
        CoefficientSource::Literal(value) => number(*value),
        CoefficientSource::Point(k) => format!("p[{k}]"),
    }
}

/// `+ factor·term`, nothing if the factor is zero.
pub(super) fn plus(source: &CoefficientSource, term: &str) -> String {
    match source {
        CoefficientSource::Literal(0.0) => String::new(),
        CoefficientSource::Literal(1.0) => format!(" + {term}"),
        source => format!(" + {} * {term}", operand(source)),
    }
}

/// A line in time.
pub(super) fn line(line: &[CoefficientSource; 2], t: &str) -> String {
    format!("{}{}", operand(&line[0]), plus(&line[1], t))
}
