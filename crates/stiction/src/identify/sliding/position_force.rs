//! A force that depends on position and that the model does not have, such as gravity on an arm or the pull of a spring, or a level of friction that
//! does, as along a guide that is worn in the middle, or a force with the pitch of a motor or a screw: they distort levels, viscous coefficient and mass without making the fit look bad.
use super::cross_validation::{CrossValidation, splits};
use super::identifiability::brief;
use super::regression::RegressionFit;
use super::samples::SlidingSamples;
use crate::fit::{LinearOptions, effective_samples, linear};
use crate::identify::{IdentificationResult, Severity};
use crate::linalg::dot;
use crate::signal::{Periodogram, periodogram};
use crate::statistics::fisher_f_quantile;

/// Number of straight pieces over the positions: enough for half a turn of gravity, few enough for every piece to have samples.
const PIECES: usize = 6;
/// Fewest samples: twenty for each piece.
const MIN_SAMPLES: usize = 20 * PIECES;
/// Least share of the variance of what is left, on samples that the curve was not fitted to, that is worth a remark. A curve of six pieces
/// through noise alone makes such samples worse, not better.
const MIN_SHARE: f64 = 0.1;
/// Number of intervals of time, each of which is predicted from the others: a slow drift repeats in none of them.
const FOLDS: usize = 5;
/// The curve must predict so many of them better: of few samples, chance may favour one or two.
const MIN_BETTER: usize = 4;
/// Most pitches along the way: what is sought then takes some hundred megabytes.
const MOST_PITCHES: f64 = 32768.0;
/// Confidence that the curve is not chance: Fisher's test with as many samples as independent ones would tell as much.
const CONFIDENCE: f64 = 0.99;

/// A remark, if what the law leaves repeats at the same positions; whether it does.
pub fn remark(result: &mut IdentificationResult, fitted: &RegressionFit, samples: &SlidingSamples) -> bool {
    let Some((share, swing)) = share_and_swing(&fitted.residual, samples, &samples.constant) else {
        return remark_on_pitch(result, fitted, samples) || level(result, fitted, samples);
    };
    let text = format!(
        "a force that repeats with the position, {} N from its lowest to its highest, explains {:.0} % of the variance of what the law leaves: friction and mass are distorted by it; gravity on an arm is --term 'sin(q)' --term 'cos(q)', a spring, a cable or a slope --term q, with q the position; a force that is known --known",
        brief(swing),
        100.0 * share
    );
    result.remark(Severity::Warning, text);
    true
}

/// A remark, if a force repeats along the way of these samples, which may be others than those of the fit, with a pitch that is shorter than the pieces of
/// the curve; whether it does.
pub fn remark_on_pitch(result: &mut IdentificationResult, fitted: &RegressionFit, samples: &SlidingSamples) -> bool {
    let residual: Vec<f64> = samples.force.iter().zip(fitted.model(samples)).map(|(f, model)| f - model).collect();
    let Some(Pitch { length, share, swing }) = find_pitch(&residual, samples) else { return false };
    let wave = brief(std::f64::consts::TAU / length);
    let text = format!(
        "a force that repeats every {} m of the position, {} N from its lowest to its highest, explains {:.0} % of the variance of what the law leaves: \
         cogging of a motor, a screw, the teeth of a gear or the rollers of a chain; --term 'sin({wave}*q)' --term 'cos({wave}*q)', with q the position, takes it",
        brief(length),
        brief(swing),
        100.0 * share
    );
    result.remark(Severity::Warning, text);
    true
}

/// A force that is a sine of the position.
struct Pitch {
    /// Its wavelength \[m\].
    length: f64,
    /// The share of the variance of the residual that it predicts on samples that were left out.
    share: f64,
    /// From its lowest to its highest \[N\].
    swing: f64,
}

/// The sine of the position that explains most of the residual, beside what the law's own terms explain; none if it may be chance.
///
/// Wavelengths are sought from a third of the way, which is as short as the curve of straight pieces follows, down to four times the usual distance
/// between samples, at frequencies over which the phase at the ends of the way changes by an eighth of a turn, with all samples at once
/// ([`periodogram`]).
fn find_pitch(residual: &[f64], samples: &SlidingSamples) -> Option<Pitch> {
    let position = &samples.position;
    if position.len() != residual.len() || residual.len() < MIN_SAMPLES {
        return None;
    }
    let (low, high) = position.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    let mut steps: Vec<f64> = position.windows(2).map(|x| (x[1] - x[0]).abs()).filter(|d| *d > 0.0).collect();
    if steps.is_empty() {
        return None;
    }
    let middle = steps.len() / 2;
    let usual = *steps.select_nth_unstable_by(middle, f64::total_cmp).1;
    let way = high - low;
    let (first, spacing) = (3.0 / way, 0.125 / way);
    let last = (0.25 / usual).min(MOST_PITCHES / way);
    if last.is_nan() || last <= first {
        return None;
    }
    let own: [&[f64]; 4] = [&samples.constant, &samples.sign, &samples.v, &samples.a];
    let alone = linear(&own, residual, &LinearOptions::default()).ok()?;
    let Periodogram { spacing, explained } = periodogram(position, &alone.residual, last, spacing).ok()?;
    let tried = (first / spacing).ceil() as usize..explained.len();
    let best = tried.clone().max_by(|&a, &b| explained[a].total_cmp(&explained[b]))? as f64;
    let left = |per_metre: f64| left_by_waves(position, &alone.residual, per_metre);
    let per_metre = golden_section(spacing * (best - 1.0), spacing * (best + 1.0), &left);
    let [sine, cosine] = waves(position, per_metre);
    let with: Vec<&[f64]> = own.iter().copied().chain([&sine[..], &cosine[..]]).collect();
    let share = share_of_left_out(&own, &with, residual, samples)?;
    let fit = linear(&with, residual, &LinearOptions::default()).ok()?;
    let [without, squares] = [dot(&alone.residual, &alone.residual), dot(&fit.residual, &fit.residual)];
    let freedom = (effective_samples(&fit.residual) - with.len() as f64).max(1.0);
    let ratio = (without - squares) / 2.0 / (squares / freedom);
    // the best of so many: the chance of each is as much smaller (Bonferroni)
    let confidence = 1.0 - (1.0 - CONFIDENCE) / tried.len() as f64;
    if ratio.is_nan() || ratio <= fisher_f_quantile(confidence, 2.0, freedom) {
        return None;
    }
    let swing = 2.0 * fit.values[own.len()].hypot(fit.values[own.len() + 1]);
    Some(Pitch { length: 1.0 / per_metre, share, swing })
}

/// The squares that a sine and a cosine of the position leave of the residual.
fn left_by_waves(position: &[f64], residual: &[f64], per_metre: f64) -> f64 {
    let mut sums = [0.0; 6];
    for (x, r) in position.iter().zip(residual) {
        let (sine, cosine) = (std::f64::consts::TAU * per_metre * x).sin_cos();
        let products = [sine * sine, cosine * cosine, sine * cosine, sine * r, cosine * r, r * r];
        sums.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
    }
    let [ss, cc, sc, sr, cr, rr] = sums;
    let determinant = ss * cc - sc * sc;
    // where one follows from the other, neither explains anything
    if determinant <= 1e-9 * ss * cc {
        return f64::INFINITY;
    }
    rr - (cc * sr * sr - 2.0 * sc * sr * cr + ss * cr * cr) / determinant
}

fn waves(position: &[f64], per_metre: f64) -> [Vec<f64>; 2] {
    let phases = || position.iter().map(|x| std::f64::consts::TAU * per_metre * x);
    [phases().map(f64::sin).collect(), phases().map(f64::cos).collect()]
}

/// Where a function is least between these, to a thousandth of their distance.
fn golden_section(mut low: f64, mut high: f64, f: &dyn Fn(f64) -> f64) -> f64 {
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    let enough = 1e-3 * (high - low);
    let inside = |low: f64, high: f64| [high - ratio * (high - low), low + ratio * (high - low)];
    let [mut a, mut b] = inside(low, high);
    let (mut of_a, mut of_b) = (f(a), f(b));
    while high - low > enough {
        if of_a < of_b {
            (high, b, of_b) = (b, a, of_a);
            a = inside(low, high)[0];
            of_a = f(a);
        } else {
            (low, a, of_a) = (a, b, of_b);
            b = inside(low, high)[1];
            of_b = f(b);
        }
    }
    0.5 * (low + high)
}

/// A remark, if the level of friction differs with the position; whether it does.
fn level(result: &mut IdentificationResult, fitted: &RegressionFit, samples: &SlidingSamples) -> bool {
    let Some((share, swing)) = share_and_swing(&fitted.residual, samples, &samples.sign) else { return false };
    let text = format!(
        "the level of friction differs with the position, by {} N from its lowest to its highest, which explains {:.0} % of the variance of what the law \
         leaves: the level found is a mean along the way, and the mass is distorted by it; --term 'NAME=sign(v)*q', with v the velocity and q the \
         position, takes a level that grows along the way",
        brief(swing),
        100.0 * share
    );
    result.remark(Severity::Warning, text);
    true
}

/// The share of the variance of the residual that a curve over position, times `factor`, predicts on samples that were left out, beyond what the law's
/// own terms predict there, and the height of that curve \[N\]; none if it is small.
fn share_and_swing(residual: &[f64], samples: &SlidingSamples, factor: &[f64]) -> Option<(f64, f64)> {
    if samples.position.len() != residual.len() || residual.len() < MIN_SAMPLES {
        return None;
    }
    let mut curve = hats(&samples.position)?;
    curve.iter_mut().for_each(|piece| piece.iter_mut().zip(factor).for_each(|(x, factor)| *x *= factor));
    let own: Vec<&[f64]> = vec![&samples.constant, &samples.sign, &samples.v, &samples.a];
    let with: Vec<&[f64]> = own.iter().copied().chain(curve.iter().map(Vec::as_slice)).collect();
    let share = share_of_left_out(&own, &with, residual, samples)?;
    let [alone, fit] = [
        linear(&own, residual, &LinearOptions::default()).ok()?,
        linear(&with, residual, &LinearOptions::default()).ok()?,
    ];
    let [without, squares] = [dot(&alone.residual, &alone.residual), dot(&fit.residual, &fit.residual)];
    // slow noise repeats at the same positions by chance, if there are few strokes
    let freedom = (effective_samples(&fit.residual) - with.len() as f64).max(1.0);
    let ratio = (without - squares) / PIECES as f64 / (squares / freedom);
    if ratio.is_nan() || ratio <= fisher_f_quantile(CONFIDENCE, PIECES as f64, freedom) {
        return None;
    }
    // at the knots the curve has the values of its coefficients, and zero at the first
    let heights = fit.values[own.len()..].iter().copied();
    let (low, high) = heights.fold((0.0_f64, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
    Some((share, high - low))
}

/// The share of the variance of the residual that columns predict beyond others on samples that were left out; none if it is small.
fn share_of_left_out(own: &[&[f64]], with: &[&[f64]], residual: &[f64], samples: &SlidingSamples) -> Option<f64> {
    let [without, with] = [left_over(own, residual, samples)?, left_over(with, residual, samples)?];
    let better = without.iter().zip(&with).filter(|(without, with)| with < without).count();
    let share = 1.0 - with.iter().sum::<f64>() / without.iter().sum::<f64>();
    (share >= MIN_SHARE && better >= MIN_BETTER).then_some(share)
}

/// The sums of squares that these columns leave on each interval of time, fitted to the others.
fn left_over(columns: &[&[f64]], y: &[f64], samples: &SlidingSamples) -> Option<Vec<f64>> {
    let mut sums = Vec::new();
    for (train, test) in splits(samples, CrossValidation::Blocks(FOLDS)).ok()? {
        let of = |x: &[f64]| train.iter().flat_map(|range| x[range.clone()].iter().copied()).collect::<Vec<f64>>();
        let train: Vec<Vec<f64>> = columns.iter().map(|x| of(x)).collect();
        let train: Vec<&[f64]> = train.iter().map(Vec::as_slice).collect();
        let fit = linear(&train, &of(y), &LinearOptions::default()).ok()?;
        let error = |k: usize| y[k] - columns.iter().zip(&fit.values).map(|(x, c)| c * x[k]).sum::<f64>();
        sums.push(test.map(|k| error(k) * error(k)).sum());
    }
    Some(sums)
}

/// A basis of the continuous curves of straight pieces that are zero at the lowest position, with the same number of samples in each piece.
fn hats(position: &[f64]) -> Option<Vec<Vec<f64>>> {
    let mut sorted = position.to_vec();
    sorted.sort_by(f64::total_cmp);
    let knots: Vec<f64> = (0..=PIECES).map(|k| sorted[k * (sorted.len() - 1) / PIECES]).collect();
    // positions that are the same for a sixth of the samples leave no curve to fit
    if knots.windows(2).any(|pair| pair[1] <= pair[0]) {
        return None;
    }
    let hat = |k: usize| {
        let value = |x: f64| {
            let rising = (x - knots[k - 1]) / (knots[k] - knots[k - 1]);
            let falling = knots.get(k + 1).map_or(1.0, |next| (next - x) / (next - knots[k]));
            rising.min(falling).clamp(0.0, 1.0)
        };
        position.iter().map(|x| value(*x)).collect()
    };
    Some((1..=PIECES).map(hat).collect())
}
