//! Allocation of time to segments: continuous shares, then integer repetitions.
use super::information_matrix::InformationMatrix;

/// Optimality tolerance: possible gain of `log det` per parameter.
const OPTIMALITY_TOLERANCE: f64 = 1e-3;
/// Maximum number of exchanges of shares, and of whole segments.
const MAX_MOVES: usize = 5000;
const MAX_EXCHANGES: usize = 200;

/// Shares of time that maximise `log det`, and an upper bound of it. `worth` is the information of each segment if it had all the
/// time.
pub(super) fn optimal_shares(worth: &[InformationMatrix], prior: &InformationMatrix) -> (Vec<f64>, f64) {
    let n = worth.len();
    let mut share = vec![1.0 / n as f64; n];
    let mut sum = prior.clone();
    worth.iter().for_each(|m| sum.add(1.0 / n as f64, m));
    let mut bound = f64::INFINITY;
    for _ in 0..MAX_MOVES {
        let Some(inverse) = sum.inverse() else { break };
        let gain: Vec<f64> = worth.iter().map(|m| inverse.dot(m)).collect();
        let mean: f64 = gain.iter().zip(&share).map(|(g, w)| g * w).sum();
        let Some(best) = (0..n).max_by(|&i, &j| gain[i].total_cmp(&gain[j])) else { break };
        // log det is concave: every design lies below the tangent
        bound = bound.min(sum.log_det() + gain[best] - mean);
        if gain[best] - mean < OPTIMALITY_TOLERANCE * prior.n as f64 {
            break;
        }
        let held = (0..n).filter(|&i| share[i] > 0.0 && i != best);
        let Some(worst) = held.min_by(|&i, &j| gain[i].total_cmp(&gain[j])) else { break };
        let at = |part: f64| sum.plus(part, &worth[best]).plus(-part, &worth[worst]);
        let part = largest(share[worst], |part| at(part).log_det());
        if part <= 0.0 {
            break;
        }
        share[worst] -= part;
        share[best] += part;
        // recompute the sum to avoid the accumulation of rounding errors
        sum = prior.clone();
        worth.iter().zip(&share).filter(|(_, w)| **w > 0.0).for_each(|(m, w)| sum.add(*w, m));
    }
    (share, bound)
}

/// The maximum of a concave function between 0 and `end`, by golden-section search.
fn largest(end: f64, f: impl Fn(f64) -> f64) -> f64 {
    let golden = 0.5 * (5f64.sqrt() - 1.0);
    let (mut low, mut high) = (0.0, end);
    for _ in 0..40 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if f(a) > f(b) { high = b } else { low = a }
    }
    let middle = 0.5 * (low + high);
    [middle, end].into_iter().fold(0.0, |best, x| if f(x) > f(best) { x } else { best })
}

/// Repetitions of each segment, of `counts` samples, within `room` samples. `worth` is the information of one repetition.
pub(super) fn repetitions(
    worth: &[InformationMatrix],
    counts: &[usize],
    share: &[f64],
    room: usize,
    prior: &InformationMatrix,
) -> Vec<usize> {
    let mut times: Vec<usize> =
        share.iter().zip(counts).map(|(w, count)| (w * room as f64 / *count as f64) as usize).collect();
    let mut sum = prior.clone();
    worth.iter().zip(&times).for_each(|(m, k)| sum.add(*k as f64, m));
    let used = |times: &[usize]| times.iter().zip(counts).map(|(k, count)| k * count).sum::<usize>();
    for _ in 0..MAX_EXCHANGES {
        let free = room - used(&times).min(room);
        let now = sum.log_det();
        // exchange nothing, or one repetition of a segment, for as many of another as fit
        let mut best = (now + 1e-9, None);
        let out = std::iter::once(None).chain((0..times.len()).filter(|&i| times[i] > 0).map(Some));
        for out in out {
            let (without, space) = match out {
                None => (sum.clone(), free),
                Some(i) => (sum.plus(-1.0, &worth[i]), free + counts[i]),
            };
            for (j, m) in worth.iter().enumerate() {
                let most = space / counts[j];
                if most == 0 || out == Some(j) {
                    continue;
                }
                let value = without.plus(most as f64, m).log_det();
                if value > best.0 {
                    best = (value, Some((out, j, most)));
                }
            }
        }
        let Some((out, j, most)) = best.1 else { break };
        if let Some(i) = out {
            times[i] -= 1;
            sum.add(-1.0, &worth[i]);
        }
        times[j] += most;
        sum.add(most as f64, &worth[j]);
    }
    times
}

#[cfg(test)]
mod tests {
    use super::{optimal_shares, repetitions};
    use crate::identify::excitation::information_matrix::InformationMatrix;

    /// A straight line over [−1, 1]: half of the samples at either end is best, det = 1 (Fedorov1972).
    #[test]
    fn a_line_is_measured_at_its_ends() {
        let worth: Vec<InformationMatrix> = (-4..=4)
            .map(|k| f64::from(k) / 4.0)
            .map(|x| InformationMatrix { n: 2, a: vec![1.0, x, x, x * x] })
            .collect();
        let (share, bound) = optimal_shares(&worth, &InformationMatrix::diagonal(2, 1e-9));
        // as close as the search is told to come
        assert!((share[0] - 0.5).abs() < 0.02 && (share[8] - 0.5).abs() < 0.02, "{share:?}");
        assert!((0.0..4e-3).contains(&bound), "{bound}");
        let times = repetitions(&worth, &[3; 9], &share, 31, &InformationMatrix::diagonal(2, 1e-9));
        assert_eq!(times, [5, 0, 0, 0, 0, 0, 0, 0, 5]);
    }

    /// A parabola takes a third at either end and in the middle.
    #[test]
    fn a_parabola_takes_three_places() {
        let row = |x: f64| vec![1.0, x, x * x, x, x * x, x.powi(3), x * x, x.powi(3), x.powi(4)];
        let worth: Vec<InformationMatrix> =
            (-10..=10).map(|k| InformationMatrix { n: 3, a: row(f64::from(k) / 10.0) }).collect();
        let (share, bound) = optimal_shares(&worth, &InformationMatrix::diagonal(3, 1e-9));
        // as close as the search is told to come, here and for the bound
        for k in [0, 10, 20] {
            assert!((share[k] - 1.0 / 3.0).abs() < 0.02, "{share:?}");
        }
        // det of a third of each: 4/27
        assert!((bound - (4.0_f64 / 27.0).ln()).abs() < 4e-3, "{bound}");
    }
}
