//! Force and moment of a disc under uniform pressure that slides and spins, of Coulomb friction.
//!
//! The slip velocity at a point is the spin about an instantaneous centre at the distance ε·R from the middle, ε = v/(|ω|·R). The power of friction is therefore f·|ω|
//! times the mean distance of the disc's points from that centre, f·|ω|·R·d(ε), and force and moment are its derivatives by v and ω (Farkas2003 has
//! the same by integration): F = f·d′, M = f·R·(d − ε·d′). With the complete elliptic integrals K, E and
//! D = (K − E)/k², B = K − D, C = (D − B)/k², in which nothing cancels, of modulus k = min(ε, 1/ε),
//!
//! ```text
//! ε ≤ 1:  d′ = 4/(3π)·ε·(E + B)      d − ε·d′ = 4/(9π)·(3E + ε²·(B − 2E))      d″ = 4/(3π)·(E + (1 − ε²)·D)
//! ε ≥ 1:  d′ = 4/(3π)·(E + K − D)    d − ε·d′ = 4/(9π)·k·(C + 3K − 4D)         d″ = 4/(3π)·k³·(D − C)
//! ```
use std::f64::consts::{FRAC_PI_2, PI};

/// Below this ratio a speed beside another has no effect on derivatives that vanish with it.
const NEGLIGIBLE: f64 = 1e-6;
/// Halvings of an interval of ratios, to the last bit.
const HALVINGS: usize = 64;

/// The complete elliptic integrals of a modulus from 0 to 1.
struct EllipticIntegrals {
    k: f64,
    e: f64,
    b: f64,
    c: f64,
    d: f64,
}

impl EllipticIntegrals {
    /// By the arithmetic-geometric mean.
    fn new(modulus: f64) -> Self {
        // at 1 the integral K is infinite, but only its product with 1 − k² is used
        let complement = ((1.0 - modulus) * (1.0 + modulus)).max(f64::MIN_POSITIVE).sqrt();
        let (mut a, mut b) = (1.0, complement);
        // c² over k⁴, which keeps its digits
        let mut c = 1.0 / (2.0 * (1.0 + complement));
        let (mut weight, mut sum) = (1.0, 0.0);
        let k2 = modulus * modulus;
        for _ in 0..16 {
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
            sum += weight * c * c;
            weight *= 2.0;
            // c of the next is c²/(4a)
            let next = c * c * k2 / (4.0 * 0.5 * (a + b));
            if next * next * weight <= f64::EPSILON * f64::EPSILON * sum {
                break;
            }
            c = next;
        }
        let k = FRAC_PI_2 / a;
        // D = K·(1/2 + k²·sum), so that 2D − K = 2K·k²·sum
        let d = k * (0.5 + k2 * sum);
        Self { k, e: k - k2 * d, b: k - d, c: 2.0 * k * sum, d }
    }
}

/// What a disc of level 1 and radius 1 does at a speed v ≥ 0 and a spin speed u ≥ 0 of its edge, not both zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiscForce {
    /// Force over v, and moment over u.
    pub force_over_speed: f64,
    pub moment_over_speed: f64,
    /// Derivatives of both by v and u.
    pub force_slopes: [f64; 2],
    pub moment_slopes: [f64; 2],
}

/// The force and the moment at speeds v and u.
pub(super) fn disc_force(v: f64, u: f64) -> DiscForce {
    let (force, moment) = (4.0 / (3.0 * PI), 4.0 / (9.0 * PI));
    if v <= u {
        let ratio = v / u;
        let EllipticIntegrals { e, b, d, .. } = EllipticIntegrals::new(ratio);
        let p = force * (e + b) / u;
        let q = moment * (3.0 * e + ratio * ratio * (b - 2.0 * e)) / u;
        let bend = force * (e + (1.0 - ratio * ratio) * d) / u;
        let by_v = if ratio > NEGLIGIBLE { (bend - p) / v } else { 0.0 };
        return DiscForce {
            force_over_speed: p,
            moment_over_speed: q,
            force_slopes: [by_v, -bend / u],
            moment_slopes: [-ratio * bend / u, (ratio * ratio * bend - q) / u],
        };
    }
    let ratio = u / v;
    let EllipticIntegrals { k, e, c, d, .. } = EllipticIntegrals::new(ratio);
    let p = force * (e + k - d) / v;
    let q = moment * (c + 3.0 * k - 4.0 * d) / v;
    let bend = force * (d - c) / v;
    let by_u = if ratio > NEGLIGIBLE { (bend - q) / u } else { 0.0 };
    DiscForce {
        force_over_speed: p,
        moment_over_speed: q,
        force_slopes: [(ratio * ratio * bend - p) / v, -ratio * bend / v],
        moment_slopes: [-bend / v, by_u],
    }
}

/// Force and moment of a disc of level 1 and radius 1 in the direction t of its motion, from 0, a spin, to 1, without spin: v = t and u = 1 − t.
fn limit(t: f64) -> [f64; 2] {
    let (v, u) = (t, 1.0 - t);
    let found = disc_force(v, u);
    [found.force_over_speed * v, found.moment_over_speed * u]
}

/// The direction t at which `g`, positive at 0, changes its sign.
fn bisect(g: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if g(middle) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The level of friction that a force and a moment over the radius need, both from 0.
pub(super) fn required_level(force: f64, moment: f64) -> f64 {
    // the point of the limit curve in their direction
    let t = bisect(|t| {
        let [f, m] = limit(t);
        force * m - moment * f
    });
    let [f, m] = limit(t);
    force.hypot(moment) / f.hypot(m)
}

/// Speeds v and u, up to a factor, with which a disc begins to move under a force and a moment over the radius, both from 0, against a level that cannot hold them:
/// with accelerations a and b, force = mass·a + level·F(a, b), moment = inertia·b + level·M(a, b). `inertia` is that over the square of the radius.
pub(super) fn onset_speeds(force: f64, moment: f64, level: f64, mass: f64, inertia: f64) -> [f64; 2] {
    let t = bisect(|t| {
        let [f, m] = limit(t);
        (1.0 - t) * (force - level * f) / mass - t * (moment - level * m) / inertia
    });
    [t, 1.0 - t]
}

#[cfg(test)]
mod tests {
    use super::{disc_force, limit, onset_speeds, required_level};
    use std::f64::consts::{PI, TAU};

    /// Force and moment by the midpoint rule over the disc.
    fn quadrature(v: f64, u: f64) -> [f64; 2] {
        let n = 1000;
        let (mut force, mut moment) = (0.0, 0.0);
        for i in 0..n {
            let r = (f64::from(i) + 0.5) / f64::from(n);
            for j in 0..n {
                let (sin, cos) = (TAU * (f64::from(j) + 0.5) / f64::from(n)).sin_cos();
                let slip = [v - u * r * sin, u * r * cos];
                let size = slip[0].hypot(slip[1]);
                force += r * slip[0] / size;
                moment += r * r * (cos * slip[1] - sin * slip[0]) / size;
            }
        }
        let element = TAU / f64::from(n) / f64::from(n) / PI;
        [force * element, moment * element]
    }

    #[test]
    fn force_and_moment_are_the_integrals_over_the_disc() {
        for (v, u) in [(1.0, 0.2), (0.3, 1.0), (1.0, 0.9), (0.9, 1.0), (1.0, 1.0), (0.653, 1.0), (5.0, 0.1)] {
            let found = disc_force(v, u);
            let [force, moment] = quadrature(v, u);
            // the integrand is bounded and jumps at one point: a million cells
            assert!(
                (found.force_over_speed * v - force).abs() < 2e-6,
                "{v} {u}: {} {force}",
                found.force_over_speed * v
            );
            assert!((found.moment_over_speed * u - moment).abs() < 2e-6, "{v} {u}");
        }
        // pure spin: 2/3; pure sliding: 1
        assert!((limit(0.0)[1] - 2.0 / 3.0).abs() < 1e-15 && (limit(1.0)[0] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn derivatives_are_those_of_the_values() {
        for (v, u) in [(1.0, 0.2), (0.3, 1.0), (1.0, 0.9), (0.9, 1.0), (3.0, 0.001), (0.001, 3.0)] {
            let found = disc_force(v, u);
            let h = 1e-6;
            let slope = |of: fn(f64, f64) -> f64, by: [f64; 2]| {
                (of(v + h * v * by[0], u + h * u * by[1]) - of(v - h * v * by[0], u - h * u * by[1]))
                    / (2.0 * h * (v * by[0] + u * by[1]))
            };
            let force = |v: f64, u: f64| disc_force(v, u).force_over_speed;
            let moment = |v: f64, u: f64| disc_force(v, u).moment_over_speed;
            for (by, axis) in [([1.0, 0.0], 0), ([0.0, 1.0], 1)] {
                let (a, b) = (slope(force, by), slope(moment, by));
                // difference quotients with a relative step of 1e-6, of values of order one over the larger speed
                let scale = 1.0 / (v.max(u) * [v, u][axis]);
                assert!((a - found.force_slopes[axis]).abs() < 1e-8 * scale, "{v} {u}: {a} {:?}", found.force_slopes);
                assert!((b - found.moment_slopes[axis]).abs() < 1e-8 * scale, "{v} {u}: {b} {:?}", found.moment_slopes);
            }
        }
    }

    #[test]
    fn small_and_large_ratios_keep_their_digits() {
        for ratio in [1e-3, 1e-5, 1e-8, 0.0] {
            let (slow, fast) = (disc_force(ratio, 1.0), disc_force(1.0, ratio));
            // mean distances: 2/3 + ε²/2 − ε⁴/32 and ε + 1/(8ε) + 1/(192ε³), so that F/ε = 1 − ε²/8 and M·ε = 1/4 + 1/(48ε²)
            assert!((slow.force_over_speed - (1.0 - ratio * ratio / 8.0)).abs() < 1e-12, "{ratio}");
            assert!((fast.moment_over_speed - (0.25 + ratio * ratio / 48.0)).abs() < 1e-12, "{ratio}");
        }
    }

    #[test]
    fn the_level_and_the_beginning_of_motion_agree_on_the_limit() {
        for t in [0.05, 0.4, 0.5, 0.8, 0.97] {
            let [f, m] = limit(t);
            // bisection to the last bits
            assert!((required_level(3.0 * f, 3.0 * m) - 3.0).abs() < 1e-12, "{t}");
            let [v, u] = onset_speeds(f + 1e-9 * t, m + 1e-9 * (1.0 - t), 1.0, 1.0, 1.0);
            assert!((v - t).abs() < 1e-4 && (u - (1.0 - t)).abs() < 1e-4, "{t}: {v} {u}");
        }
        assert!((required_level(2.0, 0.0) - 2.0).abs() < 1e-12 && (required_level(0.0, 2.0) - 3.0).abs() < 1e-12);
    }
}
