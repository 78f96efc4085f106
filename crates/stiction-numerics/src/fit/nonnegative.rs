//! Linear least squares in which some coefficients must not be negative (Lawson1995, chapter 23).
use crate::linalg::Qr;

/// The coefficients that minimise `xᵀ·G·x − 2·rᵀ·x`, those marked in `constrained` zero or above. `gram` is `AᵀA`, `right` is
/// `Aᵀb`.
///
/// The active-set method of Lawson and Hanson: coefficients without a constraint are always free; of the others, one after
/// another is freed while that lowers the sum of squares, and those that would become negative are held at zero again. Each
/// round lowers the sum of squares, so no set of free coefficients occurs twice.
pub fn nonnegative(gram: &[f64], right: &[f64], constrained: &[bool]) -> Vec<f64> {
    let n = right.len();
    let mut free: Vec<bool> = constrained.iter().map(|held| !held).collect();
    let mut x = solve_free(gram, right, &free);
    // rounding in the products below: the sums have n terms of the size of `right`
    let tolerance = |j: usize| 8.0 * n as f64 * f64::EPSILON * (right[j].abs() + f64::MIN_POSITIVE);
    // there are 2^n sets at most; three rounds for each coefficient are the usual number
    for _ in 0..3 * n + 1 {
        let slope = |j: usize| right[j] - (0..n).map(|k| gram[j * n + k] * x[k]).sum::<f64>();
        let gain = |j: &usize| slope(*j) / gram[j * n + j].sqrt();
        let next = (0..n).filter(|&j| !free[j] && slope(j) > tolerance(j)).max_by(|a, b| gain(a).total_cmp(&gain(b)));
        let Some(next) = next else { break };
        free[next] = true;
        loop {
            let target = solve_free(gram, right, &free);
            let blocks = |j: &usize| constrained[*j] && free[*j] && target[*j] <= 0.0;
            let reach = (0..n).filter(blocks).map(|j| x[j] / (x[j] - target[j])).fold(1.0_f64, f64::min);
            if !(0..n).any(|j| blocks(&j)) {
                x = target;
                break;
            }
            for j in 0..n {
                x[j] += reach.max(0.0) * (target[j] - x[j]);
                if constrained[j] && free[j] && (x[j] <= 0.0 || target[j] <= 0.0 && x[j] <= tolerance(j)) {
                    (x[j], free[j]) = (0.0, false);
                }
            }
            if !free[next] {
                return x;
            }
        }
    }
    x
}

/// The minimum with only these coefficients; the others are zero.
fn solve_free(gram: &[f64], right: &[f64], free: &[bool]) -> Vec<f64> {
    let n = right.len();
    let rows: Vec<usize> = (0..n).filter(|&j| free[j]).collect();
    let columns: Vec<Vec<f64>> = rows.iter().map(|&j| rows.iter().map(|&i| gram[i * n + j]).collect()).collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let mut out = vec![0.0; n];
    if !rows.is_empty() {
        let b: Vec<f64> = rows.iter().map(|&j| right[j]).collect();
        Qr::new(&columns).solve(&b).iter().zip(&rows).for_each(|(x, &j)| out[j] = *x);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::Random;

    /// The best of all sets of free coefficients whose solution is feasible: slow and certain.
    fn by_trial(gram: &[f64], right: &[f64], constrained: &[bool]) -> Vec<f64> {
        let n = right.len();
        let cost = |x: &[f64]| -> f64 {
            (0..n).map(|i| x[i] * ((0..n).map(|j| gram[i * n + j] * x[j]).sum::<f64>() - 2.0 * right[i])).sum()
        };
        let mut best = (f64::INFINITY, Vec::new());
        for set in 0_u32..1 << n {
            let free: Vec<bool> = (0..n).map(|j| !constrained[j] || set >> j & 1 == 1).collect();
            let x = solve_free(gram, right, &free);
            if x.iter().zip(constrained).all(|(x, held)| !held || *x >= 0.0) && cost(&x) < best.0 {
                best = (cost(&x), x);
            }
        }
        best.1
    }

    #[test]
    fn the_best_of_all_sets_is_found() {
        let mut random = Random::new(5);
        let mut held = 0;
        for round in 0..400 {
            let (n, m) = (1 + random.below(6), 12);
            let columns: Vec<Vec<f64>> =
                (0..n).map(|j| (0..m).map(|_| random.normal() * 10.0_f64.powi(j as i32 - 2) + 0.3).collect()).collect();
            let b: Vec<f64> = (0..m).map(|_| random.normal()).collect();
            let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
            let gram: Vec<f64> = (0..n * n).map(|k| dot(&columns[k / n], &columns[k % n])).collect();
            let right: Vec<f64> = columns.iter().map(|c| dot(c, &b)).collect();
            let constrained: Vec<bool> = (0..n).map(|_| random.uniform() < 0.7).collect();
            let (x, want) = (nonnegative(&gram, &right, &constrained), by_trial(&gram, &right, &constrained));
            for j in 0..n {
                // normal equations of columns that differ in size by 1e4 lose at most eight digits
                assert!(
                    (x[j] - want[j]).abs() <= 1e-7 * (want[j].abs() + 10.0_f64.powi(2 - j as i32)),
                    "round {round}: {x:?}, {want:?}"
                );
                held += usize::from(constrained[j] && x[j] == 0.0);
            }
        }
        assert!(held > 100, "the constraints must matter: {held}");
    }
}
