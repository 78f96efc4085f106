//! Noise of friction: white noise of the instrument beside a wander that forgets itself over a time or a travel.
//!
//! Residuals of real records are correlated, over seconds or, where asperities pass by, over micrometres. Their model is white noise plus
//! an Ornstein-Uhlenbeck process. A Kalman filter turns them into independent ones of equal variance, whatever the sampling; the
//! share and the length of the wander maximise the restricted likelihood (Patterson1971), which allows for the fitted parameters.
use super::record::VelocitySteps;
use crate::fit::inverse_gram;
use crate::linalg::{Qr, dot};

/// What the wander forgets itself over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    Time,
    Travel,
}

/// Variance of the wander over that of the white noise, and its length \[s or m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wander {
    pub clock: Clock,
    pub share: f64,
    pub length: f64,
}

/// The filter that whitens residuals of all records, one after another.
#[derive(Clone, Debug)]
pub(super) struct Whitening {
    /// What is left of the wander since the sample before; zero where a record begins.
    decay: Vec<f64>,
    gain: Vec<f64>,
    /// One over the standard deviation of the prediction.
    scale: Vec<f64>,
    /// Sum of the logarithms of the variances.
    log_variance: f64,
}

/// Clocks of all records: NaN where a record begins, else the distance from the sample before.
pub(super) struct Distances {
    time: Vec<f64>,
    travel: Vec<f64>,
    weight: Vec<f64>,
}

impl Distances {
    pub fn new(records: &[VelocitySteps]) -> Self {
        let mut out = Self { time: Vec::new(), travel: Vec::new(), weight: Vec::new() };
        for r in records {
            let travel = r.load.travel(&r.t);
            for (list, x) in [(&mut out.time, &r.t), (&mut out.travel, &travel)] {
                list.push(f64::NAN);
                list.extend(x.windows(2).map(|w| w[1] - w[0]));
            }
            // weights relative to their mean, so that the variance is that of a typical sample
            let mean = r.weight.iter().sum::<f64>() / r.weight.len().max(1) as f64;
            let relative = |k: usize| if mean > 0.0 { r.weight.get(k).map_or(1.0, |w| w / mean) } else { 1.0 };
            out.weight.extend((0..r.t.len()).map(relative));
        }
        out
    }
    fn of(&self, clock: Clock) -> &[f64] {
        match clock {
            Clock::Time => &self.time,
            Clock::Travel => &self.travel,
        }
    }
    /// Shortest and longest length of a wander that the records can show: from a sample to the whole.
    fn range(&self, clock: Clock) -> [f64; 2] {
        let list: Vec<f64> = self.of(clock).iter().copied().filter(|d| *d > 0.0).collect();
        let total: f64 = list.iter().sum();
        let mean = total / list.len().max(1) as f64;
        [mean, total.max(2.0 * mean)]
    }
    pub fn whitening(&self, wander: Option<Wander>) -> Whitening {
        let n = self.weight.len();
        let mut out = Whitening { decay: vec![0.0; n], gain: vec![0.0; n], scale: vec![1.0; n], log_variance: 0.0 };
        let (share, length, distance) = match wander {
            Some(w) => (w.share, w.length, self.of(w.clock)),
            None => (0.0, 1.0, self.of(Clock::Time)),
        };
        let mut p = share;
        for (k, &d) in distance.iter().enumerate().take(n) {
            if d.is_nan() {
                p = share;
            } else {
                let decay = (-d / length).exp();
                out.decay[k] = decay;
                p = share + (p - share) * decay * decay;
            }
            let w = self.weight[k];
            if w > 0.0 {
                let s = p + 1.0 / w;
                out.gain[k] = p / s;
                out.scale[k] = 1.0 / s.sqrt();
                out.log_variance += s.ln();
                p /= w * s;
            } else {
                out.scale[k] = 0.0;
            }
        }
        out
    }
}

impl Whitening {
    /// Whitens a series in place.
    pub fn apply(&self, x: &mut [f64]) {
        let mut wander = 0.0;
        for (k, x) in x.iter_mut().enumerate().take(self.decay.len()) {
            wander *= self.decay[k];
            let surprise = *x - wander;
            wander += self.gain[k] * surprise;
            *x = surprise * self.scale[k];
        }
    }
    /// Sum of the logarithms of the variances of the samples, for white noise of deviation one.
    pub fn log_variance(&self) -> f64 {
        self.log_variance
    }
    /// Samples that count.
    pub fn samples(&self) -> usize {
        self.scale.iter().filter(|s| **s > 0.0).count()
    }
}

/// Estimated noise.
#[derive(Clone, Debug)]
pub(super) struct NoiseEstimate {
    pub wander: Option<Wander>,
    /// Standard deviation of the white part, of a sample of mean weight.
    pub white: f64,
    /// Number of independent samples that know the mean as well.
    pub effective: f64,
    /// Degrees of freedom of each free parameter; empty for white noise.
    pub freedom: Vec<f64>,
}

/// The restricted likelihood at a wander.
struct Restricted {
    /// Twice its negative logarithm, at the best variance of the white part.
    cost: f64,
    /// That variance.
    variance: f64,
    freedom: f64,
    /// Variances of the parameters, in units of that variance.
    parameters: Vec<f64>,
}

fn restricted(
    distances: &Distances,
    wander: Option<Wander>,
    residual: &[f64],
    columns: &[&[f64]],
    variances: bool,
) -> Restricted {
    let whitening = distances.whitening(wander);
    let mut r = residual.to_vec();
    whitening.apply(&mut r);
    let white: Vec<Vec<f64>> = columns
        .iter()
        .map(|column| {
            let mut x = column.to_vec();
            whitening.apply(&mut x);
            x
        })
        .collect();
    let parameters = if variances {
        let views: Vec<&[f64]> = white.iter().map(Vec::as_slice).collect();
        let n = views.len();
        let (gram, _) = inverse_gram(&views);
        (0..n).map(|j| gram[j * n + j]).collect()
    } else {
        Vec::new()
    };
    // orthogonal directions of the columns: their sizes give the determinant, their shares are taken from the residual
    let mut log_determinant = 0.0;
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(white.len());
    for mut column in white {
        let size = dot(&column, &column);
        for q in &basis {
            let share = dot(q, &column);
            column.iter_mut().zip(q).for_each(|(x, q)| *x -= share * q);
        }
        let left = dot(&column, &column);
        if left > 1e-18 * size {
            log_determinant += left.ln();
            let by = 1.0 / left.sqrt();
            column.iter_mut().for_each(|x| *x *= by);
            let share = dot(&column, &r);
            r.iter_mut().zip(&column).for_each(|(x, q)| *x -= share * q);
            basis.push(column);
        }
    }
    let freedom = (whitening.samples() as f64 - basis.len() as f64).max(1.0);
    let variance = (dot(&r, &r) / freedom).max(f64::MIN_POSITIVE);
    let cost = freedom * variance.ln() + whitening.log_variance + log_determinant;
    Restricted { cost, variance, freedom, parameters }
}

/// Estimates the noise from residuals; `columns` are their derivatives by the fitted parameters.
pub(super) fn estimate(distances: &Distances, residual: &[f64], columns: &[&[f64]]) -> NoiseEstimate {
    let cost = |wander: Option<Wander>| restricted(distances, wander, residual, columns, false).cost;
    let mut best = (cost(None), None);
    for clock in [Clock::Time, Clock::Travel] {
        let [short, long] = distances.range(clock);
        let wander = |u: [f64; 2]| Wander { clock, share: u[0].exp(), length: u[1].exp().clamp(short, long) };
        let mut local = (f64::INFINITY, [0.0; 2]);
        let lengths = 6;
        for i in 0..lengths {
            let length = short.ln() + (long / short).ln() * f64::from(i) / f64::from(lengths - 1);
            for j in 0..6 {
                let u = [-4.0 + 2.5 * f64::from(j), length];
                let c = cost(Some(wander(u)));
                if c < local.0 {
                    local = (c, u);
                }
            }
        }
        // a search along the axes with shrinking steps: two smooth coordinates
        let mut step = [1.2, (long / short).ln() / 8.0];
        for _ in 0..24 {
            let mut moved = false;
            for axis in 0..2 {
                for sign in [-1.0, 1.0] {
                    let mut u = local.1;
                    u[axis] += sign * step[axis];
                    let c = cost(Some(wander(u)));
                    if c < local.0 {
                        local = (c, u);
                        moved = true;
                    }
                }
            }
            if !moved {
                step.iter_mut().for_each(|s| *s *= 0.4);
            }
            if step[0] < 0.03 {
                break;
            }
        }
        if local.0 < best.0 {
            best = (local.0, Some(wander(local.1)));
        }
    }
    let wander = best.1;
    let variance = restricted(distances, wander, residual, columns, false).variance;
    let whitening = distances.whitening(wander);
    let mut ones = vec![1.0; residual.len()];
    whitening.apply(&mut ones);
    let effective = dot(&ones, &ones) * (1.0 + wander.map_or(0.0, |w| w.share));
    let freedom = wander.map_or_else(Vec::new, |wander| freedom(distances, wander, residual, columns));
    NoiseEstimate { wander, white: variance.sqrt(), effective, freedom }
}

/// Weak prior knowledge of the logarithms of the wander's share and length: a deviation of three, a factor of twenty. It bounds their
/// uncertainty where the likelihood has no maximum, as for a wander longer than the record.
const PRIOR: f64 = 1.0 / 9.0;

/// Degrees of freedom of each parameter (Satterthwaite1946): `2/Var(ln V)`, where the variance `V` of the parameter depends on three
/// uncertain numbers, the logarithms of variance, share and length of the noise.
fn freedom(distances: &Distances, wander: Wander, residual: &[f64], columns: &[&[f64]]) -> Vec<f64> {
    // a step of a third: far above rounding, below the width of the likelihood
    let h = 0.3_f64;
    let at = |i: f64, j: f64| {
        let moved = Wander { share: wander.share * (i * h).exp(), length: wander.length * (j * h).exp(), ..wander };
        restricted(distances, Some(moved), residual, columns, true)
    };
    let [o, s_up, s_down, l_up, l_down] = [at(0., 0.), at(1., 0.), at(-1., 0.), at(0., 1.), at(0., -1.)];
    let (pp, mm) = (at(1., 1.), at(-1., -1.));
    let (pm, mp) = (at(1., -1.), at(-1., 1.));
    // half the cost is the negative logarithm, here with the variance at its best: the curvature of what is left
    let second = |up: f64, down: f64| 0.5 * (up - 2.0 * o.cost + down) / (h * h);
    let hss = second(s_up.cost, s_down.cost).max(0.0) + PRIOR;
    let hll = second(l_up.cost, l_down.cost).max(0.0) + PRIOR;
    let limit = 0.99 * (hss * hll).sqrt();
    let hsl = (0.5 * (pp.cost - pm.cost - mp.cost + mm.cost) / (4.0 * h * h)).clamp(-limit, limit);
    let determinant = hss * hll - hsl * hsl;
    let inverse = [hll / determinant, -hsl / determinant, hss / determinant];
    (0..columns.len())
        .map(|j| {
            // with the best variance at each share and length, of which an own part 2/freedom of uncertainty is left
            let v = |r: &Restricted| (r.parameters[j] * r.variance).max(f64::MIN_POSITIVE).ln();
            let (gs, gl) = ((v(&s_up) - v(&s_down)) / (2.0 * h), (v(&l_up) - v(&l_down)) / (2.0 * h));
            let spread = gs * gs * inverse[0] + 2.0 * gs * gl * inverse[1] + gl * gl * inverse[2];
            let freedom = 2.0 / (spread + 2.0 / o.freedom);
            if freedom.is_finite() { freedom.max(1.0) } else { 1.0 }
        })
        .collect()
}

/// The largest ratio of a coefficient to its standard error, among extra columns added one at a time to a whitened problem whose noise
/// has deviation one.
pub(super) fn largest_ratio(residual: &[f64], columns: &[&[f64]], extra: &[Vec<f64>]) -> f64 {
    let qr = Qr::new(columns);
    let without = |x: &[f64]| {
        let share = qr.solve(x);
        let mut rest = x.to_vec();
        for (column, c) in columns.iter().zip(&share) {
            rest.iter_mut().zip(*column).for_each(|(r, x)| *r -= c * x);
        }
        rest
    };
    let residual = without(residual);
    let ratio = |x: &Vec<f64>| {
        let rest = without(x);
        let size = dot(&rest, &rest);
        // a column that the others imply tells nothing
        if size > 1e-6 * dot(x, x) { (dot(&rest, &residual) / size.sqrt()).abs() } else { 0.0 }
    };
    extra.iter().map(ratio).fold(0.0, f64::max)
}
