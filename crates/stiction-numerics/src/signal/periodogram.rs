//! How much of a series a sine explains that repeats along places which need not be evenly spaced: the periodogram by least squares
//! [Lomb1976], for all frequencies at once by two Fourier transforms, after Press and Rybicki [Press1989].
//!
//! At a frequency `f`, with the phases `φ = 2πfx` of the places `x` of `n` values `y`, a sine and a cosine are fitted together. Their normal equations
//! have the sums of `y cos φ` and `y sin φ`, a transform of the values at `f`, and those of `cos² φ`, `sin² φ` and `cos φ sin φ`, which follow from the
//! sums of `cos 2φ` and `sin 2φ`: a transform of ones at `2f`. For the transforms each sample is shared between the two points of a grid on either
//! side of its place, as a straight line does it. That multiplies a wave of the frequency `f` by `sinc²(fh)`, with the spacing `h` of the grid, which is taken
//! out again; what is left is the fold of `1/h − f`, `(fh/(1 − fh))²` of it: 2 % for a wave of eight points, the shortest.
use crate::NumericsError;
use crate::check::{positive, same_length};
use realfft::RealFftPlanner;
use realfft::num_complex::Complex;
use std::f64::consts::PI;

/// Points of the grid to the shortest wave.
const POINTS_PER_WAVE: f64 = 8.0;
/// Where the sine and the cosine follow from each other to this share, either explains what the other does, and the error of the grid decides.
const LEAST_DETERMINANT: f64 = 0.1;

/// The squares that a sine and a cosine explain, for the frequencies `0, spacing, 2 spacing …` up to `last`.
#[derive(Clone, Debug, PartialEq)]
pub struct Periodogram {
    /// Distance between frequencies, at most what was asked for.
    pub spacing: f64,
    /// Squares explained at each of them, to a few hundredths; zero where a sine and a cosine cannot be told apart.
    pub explained: Vec<f64>,
}

/// The periodogram of values at these places.
///
/// # Errors
/// Lists of different lengths, or a frequency or a spacing that is not positive.
pub fn periodogram(places: &[f64], values: &[f64], last: f64, spacing: f64) -> Result<Periodogram, NumericsError> {
    same_length("values", values.len(), places.len())?;
    positive("highest frequency", last)?;
    positive("spacing of frequencies", spacing)?;
    let low = places.iter().copied().fold(f64::INFINITY, f64::min);
    let high = places.iter().copied().fold(low, f64::max);
    let h = 1.0 / (POINTS_PER_WAVE * last);
    // room for all places and for this spacing, of a length that transforms quickly
    let points = ((high - low) / h + 2.0).max(1.0 / (spacing * h));
    let length = (points.ceil() as usize).next_power_of_two();
    let transform = RealFftPlanner::<f64>::new().plan_fft_forward(length);
    let mut scratch = transform.make_scratch_vec();
    let mut transformed = |of: &dyn Fn(usize) -> f64| -> Vec<Complex<f64>> {
        let (mut grid, mut out) = (transform.make_input_vec(), transform.make_output_vec());
        for (k, x) in places.iter().enumerate() {
            let at = (x - low) / h;
            let (left, share) = (at.floor() as usize, at.fract());
            grid[left] += (1.0 - share) * of(k);
            grid[left + 1] += share * of(k);
        }
        transform.process_with_scratch(&mut grid, &mut out, &mut scratch).expect("the transform made the buffers");
        for (j, x) in out.iter_mut().enumerate().skip(1) {
            let turn = PI * j as f64 / length as f64;
            *x /= (turn.sin() / turn).powi(2);
        }
        out
    };
    let (with, ones) = (transformed(&|k| values[k]), transformed(&|_| 1.0));
    let (count, n) = ((last * h * length as f64).floor() as usize, places.len() as f64);
    let explained = (0..=count).map(|j| {
        let (y, double) = (with[j], ones[2 * j]);
        let (cc, ss, sc) = (0.5 * (n + double.re), 0.5 * (n - double.re), -0.5 * double.im);
        let (yc, ys) = (y.re, -y.im);
        let determinant = ss * cc - sc * sc;
        if determinant <= LEAST_DETERMINANT * 0.25 * n * n {
            return 0.0;
        }
        (cc * ys * ys - 2.0 * sc * ys * yc + ss * yc * yc) / determinant
    });
    Ok(Periodogram { spacing: 1.0 / (h * length as f64), explained: explained.collect() })
}

#[cfg(test)]
mod tests {
    use super::periodogram;
    use crate::fit::{LinearOptions, linear};
    use crate::linalg::dot;
    use std::f64::consts::TAU;

    /// Places to and fro along a way, values with two waves: what is explained is what a fit of sine and cosine explains, for long waves and short ones.
    #[test]
    fn a_periodogram_is_that_of_least_squares() {
        let place = |k: usize| (0.37 * k as f64).sin() + 0.2 * (0.0171 * k as f64).cos();
        let x: Vec<f64> = (0..700).map(place).collect();
        let wave = |x: f64| (TAU * 11.0 * x + 0.3).sin() + 0.5 * (TAU * 3.0 * x).cos() + 0.1 * (1e3 * x).sin();
        let y: Vec<f64> = x.iter().map(|x| wave(*x)).collect();
        let found = periodogram(&x, &y, 20.0, 0.05).expect("a periodogram");
        assert!(found.spacing <= 0.05 && found.spacing > 0.0);
        assert_eq!(found.explained.len(), (20.0 / found.spacing).floor() as usize + 1);
        let all = dot(&y, &y);
        let mut compared = 0;
        for (j, explained) in found.explained.iter().enumerate().filter(|(_, x)| **x > 0.0) {
            let f = found.spacing * j as f64;
            let columns = [f64::sin, f64::cos].map(|of| x.iter().map(|x| of(TAU * f * x)).collect::<Vec<f64>>());
            let fit = linear(&[&columns[0], &columns[1]], &y, &LinearOptions::default()).expect("a fit");
            let exact = all - dot(&fit.residual, &fit.residual);
            // the fold of a wave of eight points is 2 % of its amplitude, in each of four sums
            assert!((explained - exact).abs() < 0.08 * exact + 0.01 * all, "{f}: {explained} for {exact}");
            compared += 1;
        }
        // all but the longest, along which a sine and a cosine are alike
        assert!(compared + 20 > found.explained.len(), "{compared}");
    }

    #[test]
    fn places_that_are_all_the_same_explain_nothing() {
        let found = periodogram(&[0.3; 20], &[1.0; 20], 10.0, 0.1).expect("a periodogram");
        assert!(found.explained.iter().all(|x| *x == 0.0));
    }
}
