//! Signals that are made of lines, such as a force from a record: where they bend, and what they are in between, as tables of a kernel.
use super::equations::{CoefficientSource, Equations};
use super::operand::{number, plus};
use crate::sim::batch::PiecewiseSignals;

/// Most spans of a kernel: its text has a line for each.
pub(super) const MOST_SPANS: usize = 1 << 17;

/// Numbers in a table that every multiprocessor keeps at hand.
const MOST_AT_HAND: usize = 64;

/// A table of numbers in the text of a kernel; a long one lies in the memory of the device.
pub(super) fn table(name: &str, numbers: &[f64]) -> String {
    let storage = if numbers.len() <= MOST_AT_HAND { "STICTION_CONSTANT" } else { "STICTION_TABLE" };
    let mut out = format!("static {storage} const double {name}[{}] = {{", numbers.len().max(1));
    for (k, x) in numbers.iter().enumerate() {
        out += if k == 0 { "" } else { ", " };
        out += if k > 0 && k % 8 == 0 { "\n    " } else { "" };
        out += &number(*x);
    }
    out + "};\n"
}

/// Where steps end: at these stops, and where a signal bends or jumps; the end of the run is the last. And the lines of the signals between them.
pub(super) fn spans(signals: &PiecewiseSignals, stops: &[f64], end: f64) -> (Vec<f64>, Vec<f64>) {
    let mut ends: Vec<f64> = signals.begins.iter().skip(1).chain(stops).copied().filter(|t| *t < end).collect();
    ends.sort_unstable_by(f64::total_cmp);
    ends.dedup();
    ends.push(end);
    let mut lines = Vec::new();
    let mut span = 0;
    for k in 0..ends.len() {
        // the span that holds where the steps up to this end begin
        while k > 0 && signals.begins.get(span + 1).is_some_and(|begin| *begin <= ends[k - 1]) {
            span += 1;
        }
        lines.extend(signals.lines.get(span).into_iter().flatten().flatten());
    }
    (ends, lines)
}

/// What signals made of lines add to a function of time, from the numbers behind those of the point.
pub(super) fn pieces(equations: &Equations<'_>, weights: &[[CoefficientSource; 2]], t: &str) -> String {
    let place = |k: usize| equations.varied + 2 * k;
    weights.iter().enumerate().fold(String::new(), |text, (k, [weight, by_rate])| {
        let (at_zero, slope) = (place(k), place(k) + 1);
        text + &plus(weight, &format!("(p[{at_zero}] + p[{slope}] * {t})")) + &plus(by_rate, &format!("p[{slope}]"))
    })
}
