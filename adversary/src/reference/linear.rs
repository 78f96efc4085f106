//! Small dense problems at rest: linear equations, and which of several constraints hold.
//!
//! Constraint i carries a force λ_i within [low_i, high_i] and accelerates by a = b − Gλ, where b is its acceleration without
//! any of the forces. The conditions are a = 0 inside the limits, a ≥ 0 at the upper and a ≤ 0 at the lower one. The
//! sets "free", "at the lower limit" and "at the upper limit" are enumerated, those with most free constraints first.

/// Solves `G λ = b` for a symmetric positive semidefinite matrix by Gaussian elimination with complete pivoting, on the matrix
/// scaled to a unit diagonal. Unknowns without a pivot are zero; returns none if `definite` and there is one.
pub fn solve(g: &[Vec<f64>], b: &[f64], definite: bool) -> Option<Vec<f64>> {
    let n = b.len();
    let scale: Vec<f64> = (0..n).map(|i| 1.0 / g[i][i].max(1e-300).sqrt()).collect();
    let mut a: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| g[i][j] * scale[i] * scale[j]).chain([b[i] * scale[i]]).collect()).collect();
    let mut order: Vec<usize> = (0..n).collect();
    let mut rank = n;
    for k in 0..n {
        // the largest diagonal element of what is left
        let p = (k..n).max_by(|&i, &j| a[i][i].total_cmp(&a[j][j]))?;
        // unit diagonal: what is below this is the rounding of a row that depends on others
        if a[p][p] < 1e-13 {
            rank = k;
            break;
        }
        a.swap(k, p);
        a.iter_mut().for_each(|row| row.swap(k, p));
        order.swap(k, p);
        let (above, below) = a.split_at_mut(k + 1);
        let pivot = &above[k];
        for row in below {
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(pivot).skip(k).for_each(|(x, y)| *x -= factor * y);
        }
    }
    if rank < n && definite {
        return None;
    }
    let mut x = vec![0.0; n];
    for k in (0..rank).rev() {
        let rest: f64 = (k + 1..rank).map(|j| a[k][j] * x[j]).sum();
        x[k] = (a[k][n] - rest) / a[k][k];
    }
    let mut out = vec![0.0; n];
    for (k, &i) in order.iter().enumerate() {
        out[i] = x[k] * scale[i];
    }
    Some(out)
}

/// What becomes of a constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// It holds; its force is within the limits.
    Holds,
    /// It is at its limit on this side and does not accelerate, because others hold.
    Pinned(f64),
    /// It lets go towards this side.
    LetsGo(f64),
}

/// The constraints at rest.
pub struct RestProblem {
    pub g: Vec<Vec<f64>>,
    pub b: Vec<f64>,
    pub low: Vec<f64>,
    pub high: Vec<f64>,
    /// Constraints whose force has been seen to go beyond its limit, and on which side: they are not free.
    pub exceeded: Vec<Option<f64>>,
}

impl RestProblem {
    /// The outcome for every constraint; none if no set satisfies the conditions.
    pub fn solve(&self) -> Option<Vec<Outcome>> {
        let n = self.b.len();
        let mut sets: Vec<Vec<u8>> = (0..3usize.pow(n as u32))
            .map(|code| (0..n).map(|i| (code / 3usize.pow(i as u32) % 3) as u8).collect())
            .collect();
        sets.sort_by_key(|set| set.iter().filter(|s| **s != 0).count());
        sets.iter().find_map(|set| self.satisfied(set))
    }
    fn satisfied(&self, set: &[u8]) -> Option<Vec<Outcome>> {
        let n = set.len();
        let free: Vec<usize> = (0..n).filter(|&i| set[i] == 0).collect();
        let mut force = vec![0.0; n];
        for i in 0..n {
            match (set[i], self.exceeded[i]) {
                (0, Some(_)) => return None,
                (1, Some(side)) if side > 0.0 => return None,
                (2, Some(side)) if side < 0.0 => return None,
                (1, _) => force[i] = self.low[i],
                (2, _) => force[i] = self.high[i],
                _ => {}
            }
            if !force[i].is_finite() {
                return None;
            }
        }
        let left = |i: usize, force: &[f64]| self.b[i] - (0..n).map(|j| self.g[i][j] * force[j]).sum::<f64>();
        let g: Vec<Vec<f64>> = free.iter().map(|&i| free.iter().map(|&j| self.g[i][j]).collect()).collect();
        let b: Vec<f64> = free.iter().map(|&i| left(i, &force)).collect();
        let solved = solve(&g, &b, true)?;
        free.iter().zip(solved).for_each(|(&i, x)| force[i] = x);
        (0..n)
            .map(|i| {
                if set[i] == 0 {
                    let limits = [self.low[i].abs(), self.high[i].abs()].into_iter().filter(|x| x.is_finite());
                    let slack = 1e-11 * limits.fold(0.0, f64::max).max(1e-3 * force[i].abs());
                    let inside = force[i] >= self.low[i] - slack && force[i] <= self.high[i] + slack;
                    return inside.then_some(Outcome::Holds);
                }
                let side = if set[i] == 1 { -1.0 } else { 1.0 };
                let size: f64 = self.b[i].abs() + (0..n).map(|j| (self.g[i][j] * force[j]).abs()).sum::<f64>();
                let a = left(i, &force) * side;
                if a < -1e-11 * size {
                    None
                } else if a <= 1e-11 * size && self.depends(i, &free) {
                    Some(Outcome::Pinned(side))
                } else {
                    Some(Outcome::LetsGo(side))
                }
            })
            .collect()
    }
    /// Whether constraint `i` cannot move while those in `held` hold.
    fn depends(&self, i: usize, held: &[usize]) -> bool {
        let g: Vec<Vec<f64>> = held.iter().map(|&a| held.iter().map(|&b| self.g[a][b]).collect()).collect();
        let b: Vec<f64> = held.iter().map(|&a| self.g[a][i]).collect();
        let Some(x) = solve(&g, &b, false) else { return false };
        let left = self.g[i][i] - held.iter().zip(&x).map(|(&a, x)| self.g[i][a] * x).sum::<f64>();
        left < 1e-11 * self.g[i][i]
    }
}

/// The impulses of an impact of several stops by Poisson's law, all speeds counted as separating. Compression ends with
/// u = w + Gλ ≥ 0; restitution returns a share of each impulse, and what else it takes to keep stops shut. `restitution(i, blow)` is the
/// share of stop i, where `blow` is the change of its speed by its own impulse of compression: the speed of approach, if it is struck
/// by itself. Returns the impulses and the shares, or none if there is no solution.
pub fn impulses(g: &[Vec<f64>], w: &[f64], restitution: impl Fn(usize, f64) -> f64) -> Option<(Vec<f64>, Vec<f64>)> {
    let push = |w: &[f64], p: &[f64]| -> Vec<f64> {
        w.iter().zip(g).map(|(w, row)| w + row.iter().zip(p).map(|(g, p)| g * p).sum::<f64>()).collect()
    };
    let scale = w.iter().fold(0.0f64, |most, w| most.max(w.abs()));
    let compression = one_sided(g, w, scale)?;
    let e: Vec<f64> = compression.iter().enumerate().map(|(i, p)| restitution(i, g[i][i] * p)).collect();
    let returned: Vec<f64> = compression.iter().zip(&e).map(|(p, e)| (1.0 + e) * p).collect();
    let more = one_sided(g, &push(w, &returned), scale)?;
    Some((returned.iter().zip(more).map(|(a, b)| a + b).collect(), e))
}

/// p ≥ 0 with w + G p ≥ 0, one of the two zero in every row: by enumeration. `scale` is the size of speeds.
fn one_sided(g: &[Vec<f64>], w: &[f64], scale: f64) -> Option<Vec<f64>> {
    let n = w.len();
    (0..1usize << n).find_map(|set| {
        let active: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        let sub: Vec<Vec<f64>> = active.iter().map(|&i| active.iter().map(|&j| g[i][j]).collect()).collect();
        let solved = solve(&sub, &active.iter().map(|&i| -w[i]).collect::<Vec<_>>(), true)?;
        let mut p = vec![0.0; n];
        active.iter().zip(solved).for_each(|(&i, x)| p[i] = x);
        let largest = p.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let open = |i: usize| w[i] + (0..n).map(|j| g[i][j] * p[j]).sum::<f64>() >= -1e-13 * scale;
        ((0..n).all(open) && p.iter().all(|p| *p >= -1e-12 * largest)).then_some(p)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One stop that can only push: it holds what presses on it and lets go of what leaves.
    #[test]
    fn a_stop_does_not_pull() {
        let outcome = |b: f64| {
            let (low, high) = (vec![f64::NEG_INFINITY], vec![0.0]);
            RestProblem { g: vec![vec![1.0]], b: vec![b], low, high, exceeded: vec![None] }.solve()
        };
        assert_eq!(outcome(-30.0), Some(vec![Outcome::Holds]));
        assert_eq!(outcome(30.0), Some(vec![Outcome::LetsGo(1.0)]));
    }
    /// Two contacts of 1 N and 2 N on one body of 1 kg: they hold 2.9 N together, and both let go at 3.1 N.
    #[test]
    fn redundant_contacts_share_what_they_hold() {
        let outcome = |push: f64| {
            let (g, b) = (vec![vec![1.0; 2]; 2], vec![push; 2]);
            RestProblem { g, b, low: vec![-1.0, -2.0], high: vec![1.0, 2.0], exceeded: vec![None; 2] }.solve()
        };
        assert_eq!(outcome(2.9), Some(vec![Outcome::Pinned(1.0), Outcome::Holds]));
        assert_eq!(outcome(3.1), Some(vec![Outcome::LetsGo(1.0); 2]));
    }
    /// Equal masses that run into a third from both sides at 1 m/s with e = 0.5: they leave at 0.5 m/s, and it stays.
    #[test]
    fn a_symmetric_impact_is_symmetric() {
        // gaps between neighbours of three unit masses
        let g = vec![vec![2.0, -1.0], vec![-1.0, 2.0]];
        let (p, _) = impulses(&g, &[-1.0, -1.0], |_, _| 0.5).expect("impulses");
        assert!(p.iter().all(|p| (p - 1.5).abs() < 1e-14), "{p:?}");
        // three balls that touch, struck by the first with e = 1: impulses 4/3 and 2/3, speeds -1/3, 2/3, 2/3
        let (p, _) = impulses(&g, &[-1.0, 0.0], |_, _| 1.0).expect("impulses");
        assert!((p[0] - 4.0 / 3.0).abs() < 1e-14 && (p[1] - 2.0 / 3.0).abs() < 1e-14, "{p:?}");
    }
}
