//! Integration, as of acceleration to velocity, and the correction of its drift.
use crate::NumericsError;
use crate::check::{enough_samples, increasing, same_length};
use crate::linalg::Qr;
use std::ops::Range;

/// Correction of the drift of an integral. A sensor offset integrates to a ramp, its slow variation to a slow curve.
#[derive(Clone, Debug, PartialEq)]
pub enum DriftCorrection {
    /// No correction.
    Keep,
    /// Subtract the least-squares polynomial of this order: for motions of zero mean.
    Polynomial(usize),
    /// The integral is zero within these ranges of samples, in which the body is known to rest. Between two of them a straight line is
    /// subtracted, before the first and after the last one a constant.
    Rest(Vec<Range<usize>>),
}

/// Cumulative integral by the trapezoidal rule, zero at the first sample, with drift correction.
pub fn integral(x: &[f64], t: &[f64], drift: &DriftCorrection) -> Result<Vec<f64>, NumericsError> {
    enough_samples("samples", x, 2)?;
    same_length("times", t.len(), x.len())?;
    increasing(t)?;
    let mut out = Vec::with_capacity(x.len());
    let mut sum = 0.0;
    out.push(0.0);
    for k in 1..x.len() {
        sum += 0.5 * (x[k] + x[k - 1]) * (t[k] - t[k - 1]);
        out.push(sum);
    }
    match drift {
        DriftCorrection::Keep => {}
        DriftCorrection::Polynomial(order) => detrend(&mut out, t, *order)?,
        DriftCorrection::Rest(ranges) => settle(&mut out, t, ranges)?,
    }
    Ok(out)
}

/// Subtracts the least-squares polynomial, in powers of time scaled to −1 … 1.
fn detrend(x: &mut [f64], t: &[f64], order: usize) -> Result<(), NumericsError> {
    if order > 12 {
        return Err(NumericsError::InvalidValue {
            name: "order of the drift",
            value: order as f64,
            must: "12 or less",
        });
    }
    enough_samples("samples for this drift", x, order + 2)?;
    let (first, last) = (t[0], t[t.len() - 1]);
    let place: Vec<f64> = t.iter().map(|t| 2.0 * (t - first) / (last - first) - 1.0).collect();
    let columns: Vec<Vec<f64>> = (0..=order).map(|k| place.iter().map(|p| p.powi(k as i32)).collect()).collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let c = Qr::new(&columns).solve(x);
    for (x, p) in x.iter_mut().zip(&place) {
        *x -= c.iter().rev().fold(0.0, |sum, c| sum * p + c);
    }
    Ok(())
}

/// Makes the integral zero in the phases of rest.
fn settle(x: &mut [f64], t: &[f64], ranges: &[Range<usize>]) -> Result<(), NumericsError> {
    let mut done = 0;
    let mut last: Option<(usize, f64)> = None;
    if ranges.is_empty() {
        return Err(NumericsError::TooFew { what: "phases of rest", need: 1, have: 0 });
    }
    for range in ranges {
        if range.start < done || range.is_empty() || range.end > x.len() {
            let value = range.start as f64;
            return Err(NumericsError::InvalidValue {
                name: "phase of rest",
                value,
                must: "after the one before it, in the record",
            });
        }
        let entry = x[range.start];
        let (from, offset) = last.unwrap_or((range.start, entry));
        for k in done..range.start {
            let share = if last.is_some() { (t[k] - t[from]) / (t[range.start] - t[from]) } else { 0.0 };
            x[k] -= offset + share * (entry - offset);
        }
        let exit = x[range.end - 1];
        x[range.clone()].fill(0.0);
        last = Some((range.end - 1, exit));
        done = range.end;
    }
    if let Some((_, offset)) = last {
        x[done..].iter_mut().for_each(|x| *x -= offset);
    }
    Ok(())
}
