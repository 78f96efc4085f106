//! The right-hand side of small systems whose springs are linear and whose motions are even: all but the contacts is
//! then linear in state and time, with coefficients that stay the same from one event to the next.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::flow::{DAMPING, FRICTION, Flow, WORK, sided};
use super::jacobian::Jacobian;
use super::parts::{Elastic, Mode, Parts, Weight};
use crate::system::{Jet, Signal};
use stiction_core::Input;

/// Most coordinates.
pub(super) const MOST: usize = 4;

/// A number that is linear in time, positions and velocities.
#[derive(Clone, Copy, Debug, Default)]
struct Linear {
    at: f64,
    by_t: f64,
    by_q: [f64; MOST],
    by_v: [f64; MOST],
}

impl Linear {
    /// The force of a spring.
    fn spring(spring: &Elastic<'_>, motions: &[Jet]) -> Self {
        let (k, c, row) = (spring.what.stiffness, spring.what.damping, &spring.row);
        let [x, v] = [0, 1].map(|order| row.driven(motions, order));
        let mut out = Self { at: k * (row.offset - spring.what.rest + x) + c * v, by_t: k * v, ..Self::default() };
        for (i, weight) in row.coordinates() {
            out.by_q[i] += k * weight;
            out.by_v[i] += c * weight;
        }
        out
    }
    fn add(&mut self, other: &Self, gain: f64) {
        self.at += gain * other.at;
        self.by_t += gain * other.by_t;
        for i in 0..MOST {
            self.by_q[i] += gain * other.by_q[i];
            self.by_v[i] += gain * other.by_v[i];
        }
    }
    #[inline(always)]
    fn value<const N: usize>(&self, t: f64, q: &[f64; N], v: &[f64; N]) -> f64 {
        let mut x = self.at + self.by_t * t;
        for i in 0..N {
            x += self.by_q[i] * q[i] + self.by_v[i] * v[i];
        }
        x
    }
}

/// What does not change between events.
#[derive(Clone, Debug, Default)]
pub(super) struct Straight {
    /// Whether the system is of this kind, in the modes it is in.
    pub holds: bool,
    /// When time begins.
    from: f64,
    /// Forces on the coordinates, and the work done through prescribed motions.
    force: [Linear; MOST],
    work: Linear,
    /// Coefficients of damping, if any.
    damps: bool,
    damping: [[f64; MOST]; MOST],
    inverse: [f64; MOST],
    vi: [usize; MOST],
}

impl Flow<'_> {
    /// Notes what does not change from here to the next event.
    pub(super) fn straighten(&mut self) {
        let Parts { n, springs, rubs, pushes, steers, bumps, vi, motions, .. } = &self.parts;
        let even = |signal: &&Signal| matches!(signal, Signal::Constant(_) | Signal::Ramp { .. } | Signal::Step { .. });
        self.straight.holds = (1..=MOST).contains(n)
            && self.groups.is_simple
            && pushes.is_empty()
            && steers.is_empty()
            && bumps.is_empty()
            && motions.len() <= MOST
            && motions.iter().all(even)
            && springs.iter().all(|s| s.what.curve.is_none() && (s.what.damping == 0.0 || s.row.nm == 0))
            && rubs.iter().all(|rub| {
                matches!((rub.mode, &rub.weight), (Mode::Slip(_), Weight::Constant(_))) && rub.whole && rub.row.nq > 0
            });
        if !self.straight.holds {
            return;
        }
        let mut out = Straight { holds: true, from: self.from, ..Straight::default() };
        for i in 0..*n {
            (out.inverse[i], out.vi[i]) = (self.groups.inverse[i], vi[i]);
        }
        let mut jets = [[0.0; 4]; MOST];
        for (jet, signal) in jets.iter_mut().zip(motions) {
            *jet = signal.eval(self.from, self.from);
        }
        for spring in &self.parts.springs {
            let f = Linear::spring(spring, &jets);
            out.work.add(&f, spring.row.driven(&jets, 1));
            for (i, a) in spring.row.coordinates() {
                out.force[i].add(&f, -a);
                for (j, b) in spring.row.coordinates() {
                    out.damping[i][j] += spring.what.damping * a * b;
                }
            }
            out.damps |= spring.what.damping != 0.0;
        }
        for rub in &mut self.parts.rubs {
            rub.drift = rub.row.driven(&jets, 1);
            if let Weight::Constant(load) = rub.weight {
                rub.load[0] = load;
            }
        }
        self.straight = out;
    }
    /// [`Flow::rates`] of such a system with `N` coordinates.
    #[inline(never)]
    pub(super) fn straight_rates<const N: usize>(&mut self, t: f64, y: &[f64], dy: &mut [f64], powers: &mut [f64; 4]) {
        self.evaluations += 1;
        let s = &self.straight;
        let (mut q, mut v, mut force) = ([0.0; N], [0.0; N], [0.0; N]);
        for i in 0..N {
            (q[i], v[i]) = (y[i], y[s.vi[i]]);
            dy[i] = v[i];
        }
        let t = t - s.from;
        for i in 0..N {
            force[i] = s.force[i].value(t, &q, &v);
        }
        let (mut work, mut friction) = (s.work.value(t, &q, &v), 0.0);
        for rub in &mut self.parts.rubs {
            let Mode::Slip(side) = rub.mode else { continue };
            let slip = rub.row.own_speed(y) + rub.drift;
            let (at, k) = (rub.at, rub.which.len());
            let u = Input { v: slip, load: rub.load[0] };
            let f = sided(rub.law, &y[at..at + k], side, u, &mut dy[at..at + k], &mut rub.rates2);
            pull(&mut force, &rub.row.q, f);
            friction += f * slip;
            work += f * rub.drift;
        }
        for i in 0..N {
            dy[s.vi[i]] = s.inverse[i] * force[i];
        }
        *powers = [0.0; 4];
        powers[WORK] = work;
        powers[FRICTION] = friction;
        if s.damps {
            for i in 0..N {
                for j in 0..N {
                    powers[DAMPING] += v[i] * s.damping[i][j] * v[j];
                }
            }
        }
    }
    /// [`Flow::jacobian`] of such a system.
    pub(super) fn straight_jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        dy: &mut [f64],
        powers: &mut [f64; 4],
        out: &mut Jacobian,
    ) {
        self.evaluations += 1;
        let s = &self.straight;
        let (n, t) = (self.parts.n, t - s.from);
        out.clear();
        *powers = [0.0; 4];
        let (mut q, mut v, mut force) = ([0.0; MOST], [0.0; MOST], [0.0; MOST]);
        for i in 0..n {
            (q[i], v[i]) = (y[i], y[s.vi[i]]);
            dy[i] = v[i];
        }
        powers[WORK] = s.work.value(t, &q, &v);
        out.power_t[WORK] = s.work.by_t;
        for i in 0..n {
            let (f, by, row) = (&s.force[i], s.inverse[i], s.vi[i] - n);
            force[i] = f.value(t, &q, &v);
            out.by_t[row] = by * f.by_t;
            out.power[i][WORK] = s.work.by_q[i];
            out.power[s.vi[i]][WORK] = s.work.by_v[i];
            for j in 0..n {
                out.by_q.set(row, s.vi[j] - n, by * f.by_q[j]);
                out.by_u.set(row, s.vi[j] - n, by * f.by_v[j]);
                powers[DAMPING] += v[i] * s.damping[i][j] * v[j];
                out.power[s.vi[i]][DAMPING] += 2.0 * s.damping[i][j] * v[j];
            }
        }
        for rub in &mut self.parts.rubs {
            let Mode::Slip(side) = rub.mode else { continue };
            let slip = rub.row.own_speed(y) + rub.drift;
            let (at, k) = (rub.at, rub.which.len());
            let u = Input { v: if slip * side > 0.0 { slip } else { side * super::flow::TINY }, load: rub.load[0] };
            rub.law.partials(&y[at..at + k], &u, &rub.which, false, &mut rub.rows);
            let f = rub.rows[0];
            powers[FRICTION] += f * slip;
            powers[WORK] += f * rub.drift;
            pull(&mut force, &rub.row.q, f);
            let ends = &rub.row.q[..rub.row.nq];
            for r in 0..=k {
                let row = &rub.rows[r * (3 + k)..(r + 1) * (3 + k)];
                // a force goes to the coordinates it acts on, a rate to its own row
                let mut add = |to: usize, gain: f64| {
                    for (&(_, c), &v) in ends.iter().zip(&rub.row.v) {
                        out.by_u.add(to - n, v - n, gain * c * row[1]);
                    }
                    for (l, x) in row[3..].iter().enumerate() {
                        out.by_u.add(to - n, at + l - n, gain * x);
                    }
                };
                if r > 0 {
                    dy[at + r - 1] = row[0];
                    add(at + r - 1, 1.0);
                    continue;
                }
                for (&(i, c), &v) in ends.iter().zip(&rub.row.v) {
                    add(v, -c * s.inverse[i]);
                    out.power[v][FRICTION] += c * (row[1] * slip + f);
                    out.power[v][WORK] += c * row[1] * rub.drift;
                }
                for (l, x) in row[3..].iter().enumerate() {
                    out.power[at + l][FRICTION] += x * slip;
                    out.power[at + l][WORK] += x * rub.drift;
                }
            }
        }
        for i in 0..n {
            dy[s.vi[i]] = s.inverse[i] * force[i];
        }
    }
}

/// Takes a force along a displacement from the coordinates' own.
#[inline(always)]
fn pull<const N: usize>(force: &mut [f64; N], ends: &[(usize, f64); 2], f: f64) {
    if N == 1 {
        // both ends, should there be two, are the one coordinate
        force[0] -= ends[0].1 * f;
        return;
    }
    for &(i, c) in ends {
        force[i] -= c * f;
    }
}
