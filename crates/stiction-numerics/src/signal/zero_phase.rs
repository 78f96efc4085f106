//! A filter run forwards and backwards: no delay, the gain squared.
use super::Filter;
use crate::NumericsError;
use crate::check::enough_samples;

/// How far a signal is continued at its ends before it is filtered, by turning it about its end points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Padding {
    /// Three times the order plus one, as SciPy's `filtfilt` and `sosfiltfilt` do.
    #[default]
    Scipy,
    /// Three times the order, as MATLAB's `filtfilt` does.
    Matlab,
    /// So many samples.
    Samples(usize),
}

impl Filter {
    /// The signal filtered forwards, then backwards. Each pass begins as if its first sample had been there for ever.
    pub fn zero_phase(&self, x: &[f64], padding: Padding) -> Result<Vec<f64>, NumericsError> {
        let pad = match padding {
            Padding::Scipy => 3 * (self.order + 1),
            Padding::Matlab => 3 * self.order,
            Padding::Samples(n) => n,
        };
        enough_samples("samples for this filter", x, pad + 1)?;
        let (first, last) = (x[0], x[x.len() - 1]);
        let mut out = Vec::with_capacity(x.len() + 2 * pad);
        out.extend((1..=pad).rev().map(|k| 2.0 * first - x[k]));
        out.extend_from_slice(x);
        out.extend((1..=pad).map(|k| 2.0 * last - x[x.len() - 1 - k]));
        for _ in 0..2 {
            let start = out[0];
            self.pass(&mut out, Some(start));
            out.reverse();
        }
        out.truncate(pad + x.len());
        out.drain(..pad);
        Ok(out)
    }
}
