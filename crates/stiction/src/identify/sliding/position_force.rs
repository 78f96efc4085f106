//! A force that depends on position and that the model does not have, such as gravity on an arm or the pull of a spring, or a level of friction that
//! does, as along a guide that is worn in the middle: they distort levels, viscous coefficient and mass without making the fit look bad.
use super::cross_validation::{CrossValidation, splits};
use super::identifiability::brief;
use super::regression::RegressionFit;
use super::samples::SlidingSamples;
use crate::fit::{LinearOptions, effective_samples, linear};
use crate::identify::{IdentificationResult, Severity};
use crate::linalg::dot;
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
/// Confidence that the curve is not chance: Fisher's test with as many samples as independent ones would tell as much.
const CONFIDENCE: f64 = 0.99;

/// A remark, if what the law leaves repeats at the same positions; whether it does.
pub fn remark(result: &mut IdentificationResult, fitted: &RegressionFit, samples: &SlidingSamples) -> bool {
    let Some((share, swing)) = share_and_swing(&fitted.residual, samples, &samples.constant) else {
        return level(result, fitted, samples);
    };
    let text = format!(
        "a force that repeats with the position, {} N from its lowest to its highest, explains {:.0} % of the variance of what the law leaves: friction and mass are distorted by it; gravity on an arm is --term 'sin(q)' --term 'cos(q)', a spring, a cable or a slope --term q, with q the position; a force that is known --known",
        brief(swing),
        100.0 * share
    );
    result.remark(Severity::Warning, text);
    true
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
    let [without, with_curve] = [left_over(&own, residual, samples)?, left_over(&with, residual, samples)?];
    let better = without.iter().zip(&with_curve).filter(|(without, with)| with < without).count();
    let share = 1.0 - with_curve.iter().sum::<f64>() / without.iter().sum::<f64>();
    if share.is_nan() || share < MIN_SHARE || better < MIN_BETTER {
        return None;
    }
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
