//! Harmonic balance: the self-sustained oscillation of a loop with friction, approximated by a sine.
//!
//! `G(jω)` is the compliance of the contact without friction, `N(X, ω)` the describing function of friction. A sustained
//! sine has `1 + N·G = 0`, or `W = N + 1/G = 0`. Newton's iteration starts from every cell of a grid over amplitude and
//! frequency in which both parts of W change sign. A limit cycle is stable if `∂Re W/∂X·∂Im W/∂ω − ∂Re W/∂ω·∂Im W/∂X > 0`
//! (Loeb's criterion).
//!
//! The motion of a contact that sticks for most of a cycle is far from a sine: the third harmonic of the force indicates
//! how accurate the prediction is, and the simulated cycle gives its actual error.
use super::{DescribingFunction, LinearPlant, approximate_gain, describe};
use crate::Error;
use crate::analysis::AnalysisError;
use crate::analysis::characteristic_scales::CharacteristicScales;
use crate::analysis::cycle;
use crate::analysis::test_rig::TestRig;
use crate::linalg::Complex;
use crate::parallel;
use crate::scenario::Scenario;

/// Decades of the searched amplitudes, relative to the length scale of the law.
const AMPLITUDE_DECADES: (f64, f64) = (-2.0, 7.0);
/// The searched frequencies extend this many decades beyond the slowest and the fastest eigenvalue.
const FREQUENCY_MARGIN: f64 = 2.0;
/// Grid points per decade.
const PER_DECADE: f64 = 4.0;
/// Steps of Newton's iteration, and the residual, in parts of |1/G|, at which it has arrived.
const MAX_ITERATIONS: usize = 40;
const RESIDUAL_TOLERANCE: f64 = 1e-6;

/// A predicted oscillation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictedOscillation {
    /// Amplitude, frequency and describing function, by the simulator.
    pub at: DescribingFunction,
    /// Whether it is stable by Loeb's criterion.
    pub stable: bool,
    /// Magnitude of 1 + N·G with the accurate N.
    pub residual: f64,
}
impl PredictedOscillation {
    /// Period \[s\].
    pub fn period(&self) -> f64 {
        std::f64::consts::TAU / self.at.omega
    }
}

/// The cycle that the simulation leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatedOscillation {
    /// Period \[s\].
    pub period: f64,
    /// Half the range of the contact's displacement, where that is the position of a body.
    pub amplitude: Option<f64>,
    /// Fraction of the period in which the contact sticks or barely moves.
    pub still: f64,
}

/// Predicted and simulated oscillations of a loop.
#[derive(Clone, Debug)]
pub struct HarmonicBalance {
    /// The linear system seen from the contact.
    pub plant: LinearPlant,
    /// Predicted oscillations, sorted by amplitude.
    pub predictions: Vec<PredictedOscillation>,
    /// The simulated cycle; none if the system comes to rest.
    pub simulated: Option<SimulatedOscillation>,
    /// Ranges of the searched amplitudes and frequencies.
    pub searched: [(f64, f64); 2],
    /// Amplitude, frequency and |1 + N·G| at its minimum on the grid: 0 is a balance, 1 is the value without friction or
    /// without a loop.
    pub nearest: [f64; 3],
}

/// Harmonic balance of a scenario with one contact.
///
/// # Errors
/// [`AnalysisError::NotALinearLoop`] if the scenario is not such a loop; as [`describe`].
pub fn harmonic_balance(scenario: &Scenario) -> Result<HarmonicBalance, Error> {
    let plant = LinearPlant::new(&scenario.system, scenario.options.start)?;
    let what = &scenario.system.contacts[0].component;
    let rig = TestRig::new(&what.spec).with_load(plant.load).with_stop(&scenario.options.stop);
    let scales = CharacteristicScales::measure(&what.spec)?;
    let size = |z: &Complex| Some(z.abs()).filter(|size| *size > 0.0);
    let sizes: Vec<f64> = plant.eigenvalues().iter().filter_map(size).collect();
    let (slow, fast) = sizes.iter().fold((f64::INFINITY, 0.0_f64), |(lo, hi), x| (lo.min(*x), hi.max(*x)));
    let (slow, fast) = if sizes.is_empty() { (1.0, 1.0) } else { (slow, fast) };
    let amplitudes =
        steps(scales.length * 10_f64.powf(AMPLITUDE_DECADES.0), scales.length * 10_f64.powf(AMPLITUDE_DECADES.1));
    let omegas = steps(slow * 10_f64.powf(-FREQUENCY_MARGIN), fast * 10_f64.powf(FREQUENCY_MARGIN));
    // the sum, and 1/G in it
    let w = |x: f64, omega: f64| {
        let stiffness = Complex::new(1.0, 0.0) / plant.compliance(omega);
        (approximate_gain(what.law.as_ref(), plant.load, x, omega) + stiffness, stiffness.abs())
    };
    let scaled = |x: f64, omega: f64| {
        let (sum, size) = w(x, omega);
        Complex::new(sum.re / size, sum.im / size)
    };
    let rows = parallel::map(&amplitudes, |x| omegas.iter().map(|omega| scaled(*x, *omega)).collect::<Vec<_>>());
    let mut starts = Vec::new();
    for i in 0..amplitudes.len() - 1 {
        for j in 0..omegas.len() - 1 {
            let corners = [rows[i][j], rows[i + 1][j], rows[i][j + 1], rows[i + 1][j + 1]];
            let changes = |part: fn(&Complex) -> f64| {
                corners.iter().any(|z| part(z) > 0.0) && corners.iter().any(|z| part(z) <= 0.0)
            };
            if changes(|z| z.re) && changes(|z| z.im) {
                starts.push(((amplitudes[i] * amplitudes[i + 1]).sqrt(), (omegas[j] * omegas[j + 1]).sqrt()));
            }
        }
    }
    let found = parallel::map(&starts, |&(x, omega)| newton(&w, x, omega));
    let mut predictions: Vec<PredictedOscillation> = Vec::new();
    for (x, omega, stable) in found.into_iter().flatten() {
        let near =
            |p: &PredictedOscillation| (p.at.amplitude / x).ln().abs() < 1e-3 && (p.at.omega / omega).ln().abs() < 1e-3;
        if !predictions.iter().any(near) {
            let at = describe(&rig, x, omega)?;
            let residual = (Complex::new(1.0, 0.0) + at.gain * plant.compliance(omega)).abs();
            predictions.push(PredictedOscillation { at, stable, residual });
        }
    }
    predictions.sort_by(|a, b| a.at.amplitude.total_cmp(&b.at.amplitude));
    let simulated = match cycle::find(scenario) {
        Ok(cycle) => {
            let amplitude = plant.position.as_deref().and_then(|column| cycle.amplitude(column));
            let phase = cycle.stick_slip.first();
            let still = phase.map_or(0.0, |phase| phase.stick / cycle.period);
            Some(SimulatedOscillation { period: cycle.period, amplitude, still })
        }
        Err(Error::Analysis(
            AnalysisError::NoMotion { .. } | AnalysisError::NotConverged { .. } | AnalysisError::NotPeriodic { .. },
        )) => None,
        Err(error) => return Err(error),
    };
    let ends = |list: &[f64]| (list[0], list[list.len() - 1]);
    let places = (0..amplitudes.len()).flat_map(|i| (0..omegas.len()).map(move |j| (i, j)));
    let nearest = places.min_by(|a, b| rows[a.0][a.1].abs().total_cmp(&rows[b.0][b.1].abs()));
    let nearest = nearest.map_or([f64::NAN; 3], |(i, j)| [amplitudes[i], omegas[j], rows[i][j].abs()]);
    Ok(HarmonicBalance { plant, predictions, simulated, searched: [ends(&amplitudes), ends(&omegas)], nearest })
}

fn steps(from: f64, to: f64) -> Vec<f64> {
    let count = ((to / from).log10() * PER_DECADE).ceil().max(1.0);
    (0..=count as u32).map(|k| from * (to / from).powf(f64::from(k) / count)).collect()
}

/// Newton's iteration in the logarithms of amplitude and frequency; with stability by Loeb's criterion.
fn newton(w: &impl Fn(f64, f64) -> (Complex, f64), x: f64, omega: f64) -> Option<(f64, f64, bool)> {
    let (mut p, mut q) = (x.ln(), omega.ln());
    let at = |p: f64, q: f64| w(p.exp(), q.exp());
    let h = 1e-4;
    for _ in 0..MAX_ITERATIONS {
        let (z, size) = at(p, q);
        let slope = |a: Complex, b: Complex| Complex::new((a.re - b.re) / (2.0 * h), (a.im - b.im) / (2.0 * h));
        let by_p = slope(at(p + h, q).0, at(p - h, q).0);
        let by_q = slope(at(p, q + h).0, at(p, q - h).0);
        let det = by_p.re * by_q.im - by_q.re * by_p.im;
        if z.abs() < RESIDUAL_TOLERANCE * size {
            // the sign is that for X and ω: their logarithms rise with them
            return Some((p.exp(), q.exp(), det > 0.0));
        }
        let dp = (z.re * by_q.im - z.im * by_q.re) / det;
        let dq = (by_p.re * z.im - by_p.im * z.re) / det;
        let most = dp.abs().max(dq.abs());
        if !most.is_finite() || (p - x.ln()).abs() > 3.0 || (q - omega.ln()).abs() > 3.0 {
            return None;
        }
        // at most half an e-fold: the derivatives are not valid further away
        let short = (0.5 / most).min(1.0);
        (p, q) = (p - short * dp, q - short * dq);
    }
    None
}
