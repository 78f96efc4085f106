//! Power spectral density by Welch's method: the mean over overlapping segments.
use crate::NumericsError;
use crate::check::{enough_samples, positive};
use realfft::RealFftPlanner;
use std::f64::consts::PI;

/// The trend removed from each segment before the transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detrend {
    /// None.
    None,
    /// The mean.
    #[default]
    Mean,
    /// The line of least squares: for signals that travel far.
    Line,
}

/// A one-sided power spectral density.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// Frequencies from zero to half the sampling rate \[Hz\].
    pub frequency: Vec<f64>,
    /// Power per hertz; its sum times the frequency step is the variance.
    pub density: Vec<f64>,
    /// Number of segments averaged.
    pub segments: usize,
}

/// Segments of `length` samples with a Hann window and half overlap: `scipy.signal.welch`.
///
/// # Errors
/// Fewer samples than one segment, samples that are not finite, or a segment shorter than four samples.
pub fn welch(x: &[f64], rate: f64, length: usize, detrend: Detrend) -> Result<Spectrum, NumericsError> {
    positive("sampling rate", rate)?;
    if length < 4 {
        return Err(NumericsError::InvalidValue {
            name: "length of a piece",
            value: length as f64,
            must: "four at least",
        });
    }
    enough_samples("samples for this length of pieces", x, length)?;
    let window: Vec<f64> = (0..length).map(|k| (PI * k as f64 / length as f64).sin().powi(2)).collect();
    let transform = RealFftPlanner::<f64>::new().plan_fft_forward(length);
    let (mut segment, mut bins) = (transform.make_input_vec(), transform.make_output_vec());
    let mut scratch = transform.make_scratch_vec();
    let mut power = vec![0.0; bins.len()];
    let mut segments = 0;
    for samples in x.windows(length).step_by(length - length / 2) {
        segment.copy_from_slice(samples);
        remove_trend(&mut segment, detrend);
        segment.iter_mut().zip(&window).for_each(|(x, w)| *x *= w);
        transform.process_with_scratch(&mut segment, &mut bins, &mut scratch).expect("the transform made the buffers");
        power.iter_mut().zip(&bins).for_each(|(power, bin)| *power += bin.norm_sqr());
        segments += 1;
    }
    let scale = 1.0 / (rate * window.iter().map(|w| w * w).sum::<f64>() * f64::from(segments));
    // all but the first and, for an even length, the last frequency stand for a negative one, too
    let sides = |k: usize| if k == 0 || 2 * k == length { 1.0 } else { 2.0 };
    let density = power.iter().enumerate().map(|(k, p)| p * scale * sides(k)).collect();
    let frequency = (0..=length / 2).map(|k| k as f64 * rate / length as f64).collect();
    Ok(Spectrum { frequency, density, segments: segments as usize })
}

fn remove_trend(x: &mut [f64], detrend: Detrend) {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let middle = 0.5 * (n - 1.0);
    let slope = match detrend {
        Detrend::None => return,
        Detrend::Mean => 0.0,
        Detrend::Line => {
            let sum: f64 = x.iter().enumerate().map(|(k, x)| (k as f64 - middle) * (x - mean)).sum();
            12.0 * sum / (n * (n * n - 1.0))
        }
    };
    x.iter_mut().enumerate().for_each(|(k, x)| *x -= mean + slope * (k as f64 - middle));
}
