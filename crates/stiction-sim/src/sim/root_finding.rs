//! The first zero of a guard function within a step.
//!
//! A guard is sampled at five points of the step; the quartic through them is written in Bernstein form. If its coefficients
//! have one sign it has no zero, so no zero is missed, not even a double crossing. Otherwise the interval is halved until the
//! first zero is isolated.
//!
//! The quartic only proposes a crossing; the guard itself confirms it. A guard that starts at zero with zero slope, as the
//! velocity does after break-away, grows with the square of the time, while the error of the quartic grows in proportion to it:
//! near the start the sign of the quartic means nothing. Where the guard does not confirm the quartic, the interval is divided
//! there and both parts are sampled anew. The error of a quartic falls with the fifth power of the length.

/// Sample points of a guard, as fractions of the step.
pub(super) const NODES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Bernstein coefficients of the quartic through values at [`NODES`].
#[inline(always)]
pub(super) fn bernstein(g: &[f64; 5]) -> [f64; 5] {
    let [a, b, c, d, e] = *g;
    [
        a,
        -13.0 / 12.0 * a + 4.0 * b - 3.0 * c + 4.0 / 3.0 * d - 0.25 * e,
        13.0 / 18.0 * a - 32.0 / 9.0 * b + 20.0 / 3.0 * c - 32.0 / 9.0 * d + 13.0 / 18.0 * e,
        -0.25 * a + 4.0 / 3.0 * b - 3.0 * c + 4.0 * d - 13.0 / 12.0 * e,
        e,
    ]
}

/// An interval (lo, hi] of the step in which a guard first changes sign, if it does.
///
/// `side` is the sign of the guard just after the start, even where its value there is zero. Values below `noise` count
/// as zero. A guard that is not finite has no crossing: the state is not finite either, and ends the run.
pub(super) fn first_crossing(g: &[f64; 5], side: f64, noise: f64) -> Option<(f64, f64)> {
    // most guards have no zero in most steps
    let b = bernstein(g).map(|x| x * side);
    if b[1..].iter().all(|&x| x > noise) {
        return None;
    }
    if b.iter().all(|x| x.is_finite()) {
        return search(b, noise);
    }
    // the absolute weights of a coefficient add up to 15.3: a sixteenth of finite values does not overflow
    let b = bernstein(&g.map(|x| x / 16.0)).map(|x| x * side);
    if b.iter().all(|x| x.is_finite()) { search(b, noise / 16.0) } else { None }
}

/// Most divisions of a step in which the guard does not confirm its quartic. Each makes the quartic at least 2⁵ times more
/// accurate; ten bring an error of the size of the guard down to rounding.
const MAX_DIVISIONS: u32 = 10;

/// The first zero of guard `g` in (0, 1] at which it changes sign, as a point just beyond it. `values` are those of `g` at
/// [`NODES`], `side` and `noise` as in [`first_crossing`].
pub(super) fn first_zero(g: &mut impl FnMut(f64) -> f64, values: &[f64; 5], side: f64, noise: f64) -> Option<f64> {
    first_zero_between(g, values, (0.0, 1.0), side, noise, MAX_DIVISIONS)
}

/// The same between `start` and `end`; `values` are those at [`NODES`] of this interval.
fn first_zero_between(
    g: &mut impl FnMut(f64) -> f64,
    values: &[f64; 5],
    (start, end): (f64, f64),
    side: f64,
    noise: f64,
    divisions: u32,
) -> Option<f64> {
    let (lo, hi) = first_crossing(values, side, noise)?;
    let at = |x: f64| if x >= 1.0 { end } else { start + x * (end - start) };
    // most intervals end at sample points, where the value is known
    let mut is_beyond = |x: f64| {
        let node = (4.0 * x) as usize;
        let value = if node as f64 == 4.0 * x { values[node] } else { g(at(x)) };
        value * side < -noise
    };
    let mut division = hi;
    if is_beyond(hi) {
        if lo <= 0.0 || !is_beyond(lo) {
            return Some(at(refine_by_quartic(|x| g(at(x)), values, side, lo, hi)));
        }
        // the guard crosses before the quartic does
        division = lo;
    }
    if divisions == 0 || !(division > 0.0 && division < 1.0) {
        return None;
    }
    let division = at(division);
    [(start, division), (division, end)].into_iter().find_map(|(start, end)| {
        let values = NODES.map(|x| g(start + x * (end - start)));
        first_zero_between(g, &values, (start, end), side, noise, divisions - 1)
    })
}

/// Most halvings of an interval: a step is searched down to 1e-12 of its length.
const MAX_HALVINGS: u32 = 40;
/// Most intervals that are looked at. By the variation diminishing property at most four intervals of each generation have
/// a zero of the quartic, and at most four more have a sign change of coefficients that is due to a pair of complex zeros.
/// Beyond that the signs are those of rounding: the guard is zero to all its digits, and crosses nothing.
const MAX_INTERVALS: u32 = 2 * 8 * MAX_HALVINGS;

/// The first interval in which the coefficients change from positive to negative once, by repeated halving.
fn search(b: [f64; 5], noise: f64) -> Option<(f64, f64)> {
    let mut intervals = MAX_INTERVALS;
    search_between(b, (0.0, 1.0), noise, MAX_HALVINGS, &mut intervals)
}

/// The same between `lo` and `hi`, in at most `halvings` halvings, while `intervals` are left to be looked at.
fn search_between(
    b: [f64; 5],
    (lo, hi): (f64, f64),
    noise: f64,
    halvings: u32,
    intervals: &mut u32,
) -> Option<(f64, f64)> {
    *intervals = intervals.checked_sub(1)?;
    if b.iter().all(|&x| x >= -noise) {
        return None;
    }
    if halvings == 0 || crosses_once(&b, noise) {
        return (b[4] < -noise).then_some((lo, hi));
    }
    let ((left, right), mid) = (halves(b), 0.5 * (lo + hi));
    search_between(left, (lo, mid), noise, halvings - 1, intervals)
        .or_else(|| search_between(right, (mid, hi), noise, halvings - 1, intervals))
}

/// Whether the guard is negative at the end and its coefficients change sign once at most: then so does the guard.
fn crosses_once(b: &[f64; 5], noise: f64) -> bool {
    b[4] < -noise && b.windows(2).filter(|w| (w[0] >= -noise) != (w[1] >= -noise)).count() <= 1
}

/// Bernstein coefficients on the two halves, by de Casteljau's algorithm.
fn halves(b: [f64; 5]) -> ([f64; 5], [f64; 5]) {
    let (mut left, mut right, mut row) = ([0.0; 5], [0.0; 5], b);
    for k in 0..5 {
        left[k] = row[0];
        right[4 - k] = row[4 - k];
        for i in 0..4 - k {
            row[i] = 0.5 * (row[i] + row[i + 1]);
        }
    }
    (left, right)
}

/// The inner sample near which a guard has a minimum close to zero, if any: within a fifth of its range over the step. That is
/// more than a sinusoid can fall between samples at 1/32 of its period.
pub(super) fn near_miss(g: &[f64; 5], side: f64) -> Option<usize> {
    let g = g.map(|x| x * side);
    let (least, most) = g.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), &x| (a.min(x), b.max(x)));
    let at = g.iter().position(|&x| x == least)?.clamp(1, 3);
    let turns = g[at] <= g[at - 1] || g[at] <= g[at + 1];
    (turns && least < 0.2 * (most - least)).then_some(at)
}

/// The minimum of a guard near sample `at`, and its value there, by successive parabolic interpolation.
pub(super) fn local_minimum(mut g: impl FnMut(f64) -> f64, at: usize) -> (f64, f64) {
    let (mut a, mut b, mut c) = (NODES[at - 1], NODES[at], NODES[at + 1]);
    let (mut ga, mut gb, mut gc) = (g(a), g(b), g(c));
    for _ in 0..20 {
        let (p, q) = ((b - a) * (gb - gc), (b - c) * (gb - ga));
        let x = b - 0.5 * ((b - a) * p - (b - c) * q) / (p - q);
        if !(x > a && x < c) || (x - b).abs() < 1e-7 {
            break;
        }
        let gx = g(x);
        match (x < b, gx < gb) {
            (true, true) => (c, gc, b, gb) = (b, gb, x, gx),
            (true, false) => (a, ga) = (x, gx),
            (false, true) => (a, ga, b, gb) = (b, gb, x, gx),
            (false, false) => (c, gc) = (x, gx),
        }
    }
    if ga < gb && ga <= gc {
        (a, ga)
    } else if gc < gb {
        (c, gc)
    } else {
        (b, gb)
    }
}

/// A speed counts as seen if the step was evaluated at speeds down to this many times it. Friction may rise towards rest as
/// fast as exp(−v/vs): what a step cannot see at a speed is then at most the power 0.9 of what is within its tolerance.
const SEEN: f64 = 1.0 / 0.9;

/// The fraction of a step at which a sliding speed has a minimum that the step did not see. Friction varies fastest at the lowest speeds, and a
/// step knows the law where it evaluates it. Of these places only the two ends lie on the solution: the states of the stages in
/// between agree with it to first order in the step, so that a long one through a minimum of the speed may evaluate the law at any other speed.
/// Given are the sliding velocities at [`NODES`], and their side.
#[inline(always)]
pub(super) fn unseen_minimum(velocities: &[f64; 5], side: f64) -> Option<f64> {
    let speeds = velocities.map(|v| v * side);
    let [a, b, c, d, e] = speeds;
    let (inside, ends) = (b.min(c).min(d), a.min(e));
    // the slopes of the quartic at both ends, times three quarters of the step
    let start = 48.0 * b - 25.0 * a - 36.0 * c + 16.0 * d - 3.0 * e;
    let end = 25.0 * e - 48.0 * d + 36.0 * c - 16.0 * b + 3.0 * a;
    if inside < ends || (start < 0.0 && end > 0.0) { minimum_within(&speeds, ends) } else { None }
}

#[inline(never)]
fn minimum_within(speeds: &[f64; 5], ends: f64) -> Option<f64> {
    let lowest_sample = speeds.iter().copied().fold(f64::INFINITY, f64::min);
    let (speed, at) = (Quartic::new(speeds), speeds.iter().position(|&x| x == lowest_sample)?.clamp(1, 3));
    let (theta, lowest) = local_minimum(|theta| speed.at(theta), at);
    (ends > SEEN * lowest).then_some(theta)
}

/// The quartic through values at [`NODES`], in powers of the distance from the middle in units of a quarter step.
pub(super) struct Quartic([f64; 5]);
impl Quartic {
    pub fn new(g: &[f64; 5]) -> Self {
        let [a, b, c, d, e] = *g;
        Self([
            c,
            (a - e + 8.0 * (d - b)) / 12.0,
            (16.0 * (b + d) - a - e - 30.0 * c) / 24.0,
            (e - a + 2.0 * (b - d)) / 12.0,
            (a + e - 4.0 * (b + d) + 6.0 * c) / 24.0,
        ])
    }
    pub fn at(&self, theta: f64) -> f64 {
        let ([a, b, c, d, e], u) = (self.0, 4.0 * theta - 2.0);
        a + u * (b + u * (c + u * (d + u * e)))
    }
    fn slope(&self, theta: f64) -> f64 {
        let ([_, b, c, d, e], u) = (self.0, 4.0 * theta - 2.0);
        4.0 * (b + u * (2.0 * c + u * (3.0 * d + u * 4.0 * e)))
    }
}

/// The point in (lo, hi] where `g` changes sign, to a few bits, for a `g` that is expensive and close to the quartic through
/// its values at [`NODES`]: the root of the quartic, improved by Newton's method with its slope, then a point just beyond.
pub(super) fn refine_by_quartic(mut g: impl FnMut(f64) -> f64, values: &[f64; 5], side: f64, lo: f64, hi: f64) -> f64 {
    let picture = Quartic::new(values);
    let mut x = approximate_root(|x| picture.at(x), side, lo, hi);
    // one Newton step on the quartic
    x = (x - picture.at(x) / picture.slope(x)).clamp(lo, hi);
    let slope = picture.slope(x);
    for _ in 0..4 {
        let value = g(x);
        if value == 0.0 && x > lo {
            return x;
        }
        let next = x - value / slope;
        if !(next > lo && next <= hi) {
            break;
        }
        let moved = (next - x).abs();
        x = next;
        if moved <= 4.0 * f64::EPSILON * x {
            // a point that has certainly changed sign, in spite of rounding
            for bits in [2.0, 8.0, 32.0] {
                let beyond = (x * (1.0 + bits * f64::EPSILON)).min(hi);
                if g(beyond) * side < 0.0 {
                    return beyond;
                }
            }
            break;
        }
    }
    refine_root(g, side, lo, hi)
}

/// The point in (lo, hi] where `g` changes sign, to the last bit: the Illinois variant of regula falsi, with bisection in
/// every fourth iteration.
pub(super) fn refine_root(g: impl FnMut(f64) -> f64, side: f64, lo: f64, hi: f64) -> f64 {
    // enough bisections for a zero at 1e-6 of the interval, to the last bit
    narrow(g, side, lo, hi, 400)
}

/// The same in a few iterations, to about six digits.
pub(super) fn approximate_root(g: impl FnMut(f64) -> f64, side: f64, lo: f64, hi: f64) -> f64 {
    narrow(g, side, lo, hi, 7)
}

/// Halvings after which a zero is taken to be at the very start of a step: within so small a share of its length the state changes by
/// less than its rounding, or in proportion to the time where it starts from zero, so that the sign of a guard does not change.
const TOWARDS_ZERO: u32 = 60;

fn narrow(mut g: impl FnMut(f64) -> f64, side: f64, lo: f64, hi: f64, rounds: u32) -> f64 {
    let (mut a, mut b) = (lo, hi);
    let (mut ga, mut gb) = ((g(a) * side).max(0.0), g(b) * side);
    if gb >= 0.0 {
        // the samples differ by less than their rounding
        return b;
    }
    let mut kept = 0;
    for round in 0..rounds {
        let mid = 0.5 * (a + b);
        if mid <= a || mid >= b {
            break;
        }
        let guess = a + (b - a) * ga / (ga - gb);
        let x = if round % 4 == 3 || !(guess > a && guess < b) { mid } else { guess };
        let gx = g(x) * side;
        if gx < 0.0 {
            if kept == -1 {
                ga *= 0.5;
            }
            (b, gb, kept) = (x, gx, -1);
            if round == TOWARDS_ZERO && a == 0.0 && ga == 0.0 {
                // so far every round has halved the interval, as would all that are left
                let end = (round + 1..rounds).fold(b, |b, _| 0.5 * b);
                if g(end) * side < 0.0 {
                    return end;
                }
            }
        } else {
            if gx == 0.0 {
                return x;
            }
            if kept == 1 {
                gb *= 0.5;
            }
            (a, ga, kept) = (x, gx, 1);
        }
    }
    b
}

#[cfg(test)]
mod tests {
    use super::{NODES, Quartic, bernstein, first_crossing, first_zero, refine_by_quartic, refine_root};

    #[test]
    fn the_coefficients_are_those_of_the_quartic() {
        let quartic = |x: f64| 1.0 - 2.0 * x + 3.0 * x * x - 5.0 * x.powi(3) + 7.0 * x.powi(4);
        let b = bernstein(&NODES.map(quartic));
        for x in [0.1_f64, 0.37, 0.92] {
            let y = 1.0 - x;
            let sum = b[0] * y.powi(4)
                + 4.0 * b[1] * x * y.powi(3)
                + 6.0 * b[2] * x * x * y * y
                + 4.0 * b[3] * x.powi(3) * y
                + b[4] * x.powi(4);
            // values below ten, interpolated with weights of some tens: rounding
            assert!((sum - quartic(x)).abs() < 1e-13);
        }
    }

    #[test]
    fn the_quartic_and_its_slope_are_those_of_the_values() {
        let g = |x: f64| 1.0 + x * (-2.0 + x * (3.0 + x * (-5.0 + x * 7.0)));
        let quartic = Quartic::new(&NODES.map(g));
        for x in [0.0, 0.13, 0.61, 1.0] {
            let slope = -2.0 + x * (6.0 + x * (-15.0 + x * 28.0));
            // the same, and the slope of them
            assert!((quartic.at(x) - g(x)).abs() < 1e-14 && (quartic.slope(x) - slope).abs() < 1e-13, "{x}");
        }
    }

    #[test]
    fn a_guard_near_its_quartic_is_settled_in_a_few_looks() {
        let mut looks = 0;
        let g = |x: f64| (1.3 * x).cos() - 0.6;
        let values = NODES.map(g);
        let (lo, hi) = first_crossing(&values, 1.0, 0.0).expect("a crossing");
        let root = refine_by_quartic(
            |x| {
                looks += 1;
                g(x)
            },
            &values,
            1.0,
            lo,
            hi,
        );
        let exact = 0.6_f64.acos() / 1.3;
        // beyond the root, by a few units in the last place
        assert!(g(root) < 0.0 && (root - exact).abs() < 1e-14, "{root} for {exact}");
        assert!(looks <= 6, "{looks} looks");
    }

    #[test]
    fn a_double_crossing_between_two_samples_is_seen() {
        // below zero only from 0.6 to 0.65: every sample is positive
        let g = |x: f64| (x - 0.6) * (x - 0.65);
        let values = NODES.map(g);
        assert!(values.iter().all(|&x| x > 0.0));
        let (lo, hi) = first_crossing(&values, 1.0, 0.0).expect("a crossing");
        let root = refine_root(g, 1.0, lo, hi);
        // to the last bits
        assert!((root - 0.6).abs() < 1e-14, "{root}");
    }

    #[test]
    fn a_guard_that_only_touches_does_not_cross() {
        assert_eq!(first_crossing(&NODES.map(|x| (x - 0.6) * (x - 0.6) + 1e-9), 1.0, 0.0), None);
    }

    #[test]
    fn a_guard_that_starts_at_zero_counts_by_its_side() {
        let rising = NODES.map(|x| x + x * x);
        assert_eq!(first_crossing(&rising, 1.0, 1e-18), None);
        let (lo, _) = first_crossing(&rising, -1.0, 1e-18).expect("the wrong side");
        assert_eq!(lo, 0.0);
    }

    #[test]
    fn a_zero_at_the_very_beginning_is_found_to_the_last_bits() {
        // a body that leaves a stop by a picometre, in a step of seconds
        let g = |x: f64| 2.7e-12 - 13.0 * x * x;
        let values = NODES.map(g);
        let (lo, hi) = first_crossing(&values, 1.0, 1e-13).expect("a crossing");
        let exact = (2.7e-12_f64 / 13.0).sqrt();
        for root in [refine_root(g, 1.0, lo, hi), refine_by_quartic(g, &values, 1.0, lo, hi)] {
            // to the last bits
            assert!((root / exact - 1.0).abs() < 1e-14, "{root:e} for {exact:e}");
        }
    }

    #[test]
    fn a_guard_that_is_not_finite_or_overflows_is_searched_in_no_time() {
        for g in [[f64::NAN; 5], [1.0, f64::INFINITY, f64::NAN, f64::INFINITY, -1.0], [1e308, f64::NAN, 1.0, 1.0, 1.0]]
        {
            assert_eq!(first_crossing(&g, 1.0, 0.0), None);
        }
        // a floor at -1e308, from which the distance is a number but four times the distance is not
        assert_eq!(first_crossing(&[1e308; 5], 1.0, 0.0), None);
        let falls = NODES.map(|x| 1e308 * (1.0 - 1.5 * x));
        let (lo, hi) = first_crossing(&falls, 1.0, 0.0).expect("a crossing");
        assert!(lo < 2.0 / 3.0 && hi >= 2.0 / 3.0, "{lo} to {hi}");
    }

    #[test]
    fn a_guard_that_is_rounding_alone_is_searched_in_no_time() {
        // coefficients whose signs alternate however often the interval is halved, and whose end is positive
        let tiny = f64::from_bits(1);
        for noise in [0.0, tiny] {
            let _ = first_crossing(&[0.0, -tiny, tiny, -tiny, 0.0], 1.0, noise);
            let _ = first_crossing(&[1.0, 1.0 - f64::EPSILON, 1.0, 1.0 - f64::EPSILON, 1.0], -1.0, 1.0);
        }
    }

    #[test]
    fn the_first_of_four_is_found() {
        let g = |x: f64| (x - 0.15) * (x - 0.4) * (x - 0.7) * (x - 0.9);
        let (lo, hi) = first_crossing(&NODES.map(g), 1.0, 0.0).expect("a crossing");
        // to the last bits
        assert!((refine_root(g, 1.0, lo, hi) - 0.15).abs() < 1e-14);
    }

    #[test]
    fn a_guard_that_starts_with_zero_slope_does_not_cross_where_only_its_quartic_does() {
        // the velocity after break-away under sin t against a level c: t0 = arcsin c, v = cos t0 − cos(t0 + s) − c·s
        for level in [0.8_f64, 0.95, 0.99, 0.999, 0.9997] {
            let start = level.asin();
            let g = |x: f64| {
                let s = 0.6 * x;
                // 2·sin·sin for the difference of cosines, without cancellation
                2.0 * (start + 0.5 * s).sin() * (0.5 * s).sin() - level * s
            };
            let mut true_zero = None;
            let mut before = 0.0;
            for k in 1..=100_000 {
                let x = f64::from(k) * 1e-5;
                if g(x) < 0.0 && before > 0.0 {
                    true_zero = Some(x);
                    break;
                }
                before = g(x);
            }
            // rounding of the difference
            let found = first_zero(&mut |x| g(x), &NODES.map(g), 1.0, 1e-16);
            match (found, true_zero) {
                // the table has steps of 1e-5
                (Some(found), Some(zero)) => assert!((found - zero).abs() < 2e-5, "{level}: {found} for {zero}"),
                (found, zero) => assert_eq!(found, zero, "{level}"),
            }
        }
    }

    #[test]
    fn a_zero_that_the_quartic_finds_too_late_is_found_in_time() {
        // a narrow dip between two samples, of which the quartic only sees the flank
        let g = |x: f64| 0.02 + (x - 0.3) * (x - 0.3) - 0.05 * (-((x - 0.31) / 0.02).powi(2)).exp() - 0.6 * x.powi(8);
        let values = NODES.map(g);
        let found = first_zero(&mut |x| g(x), &values, 1.0, 0.0).expect("a zero");
        assert!(g(found) < 0.0 && g(found - 1e-9) > 0.0, "{found}");
    }
}
