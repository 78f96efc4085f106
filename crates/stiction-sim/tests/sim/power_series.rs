//! The exact motion of a block of 1 kg with Coulomb and viscous friction, by power series.
//!
//! ```text
//! x'' = k (w(t) − x) + A sin(ωt + φ) − c x' − s fc,     s = sgn x'; at rest any force up to fc
//! ```
//!
//! Between events the equation is linear, and the coefficients of x in powers of time follow from each other. Pieces are short against
//! every period and decay, so that the series is summed to rounding; an event is found by bisection on the series. Nothing of this is
//! shared with the simulator.
use crate::contact;
use stiction_sim::system::{Body, Contact, GROUND, Signal, Spring, Stop, System};

/// Length of a piece \[s\]: the fastest motion here has 10 rad/s, so that term n of the series is below 0.2ⁿ/n!.
const PIECE: f64 = 0.02;
/// Terms of a series: 0.2¹⁴/14! is below 1e-20.
const TERMS: usize = 16;

/// A block, and what acts on it.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Position and velocity at the start.
    pub x: f64,
    pub v: f64,
    /// Stiffness of the spring to the wall; place of the wall, which from `start` on moves with `slope`.
    pub stiffness: f64,
    pub wall: f64,
    pub slope: f64,
    pub start: f64,
    /// The force A sin(ωt + φ).
    pub amplitude: f64,
    pub omega: f64,
    pub phase: f64,
    /// Coulomb's level and the viscous coefficient.
    pub fc: f64,
    pub fv: f64,
    /// Stops at ± this place, and their coefficient of restitution.
    pub reach: f64,
    pub restitution: f64,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            x: 0.0,
            v: 0.0,
            stiffness: 0.0,
            wall: 0.0,
            slope: 0.0,
            start: 0.0,
            amplitude: 0.0,
            omega: 1.0,
            phase: 0.0,
            fc: 1.0,
            fv: 0.0,
            reach: f64::INFINITY,
            restitution: 0.0,
        }
    }
}

/// How often something happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct EventCounts {
    pub sticks: u32,
    pub slips: u32,
    pub reversals: u32,
    pub impacts: u32,
}

impl Block {
    /// Adds the block to a system of the simulator, under a law that is linear in each direction. `is_linear`: by Coulomb's law, which
    /// the simulator knows to be linear; else by Stribeck's with equal levels, which it does not.
    pub fn build(&self, system: &mut System, number: usize, is_linear: bool) {
        let Self { fc, fv, .. } = *self;
        let table: Contact = if is_linear {
            assert_eq!(fv, 0.0, "Coulomb's law has no viscous part");
            contact("coulomb", &[("fc", fc)])
        } else {
            contact("stribeck", &[("fc", fc), ("fs", fc), ("vs", 1.0), ("fv", fv)])
        };
        let node =
            system.body(&format!("b{number}"), Body { x: self.x, v: self.v, ..Body::default() }).expect("a body");
        system.contact(&format!("c{number}"), node, GROUND, table).expect("a contact");
        if self.stiffness > 0.0 {
            let ramp = Signal::Ramp { offset: self.wall, slope: self.slope, start: self.start, end: f64::INFINITY };
            let wall = system.motion(&format!("w{number}"), ramp, false).expect("a motion");
            system.spring(&format!("s{number}"), wall, node, Spring::linear(self.stiffness)).expect("a spring");
        }
        if self.amplitude != 0.0 {
            let Self { amplitude, omega, phase, .. } = *self;
            let push = Signal::Sine { mean: 0.0, amplitude, omega, phase };
            system.force(&format!("f{number}"), node, push).expect("a force");
        }
        if self.reach.is_finite() {
            let stop = Stop { lo: -self.reach, hi: self.reach, restitution: self.restitution };
            system.stop(&format!("e{number}"), node, GROUND, stop).expect("a stop");
        }
    }
    /// The force of spring and signal at a place.
    fn force(&self, t: f64, x: f64) -> f64 {
        let wall = self.wall + self.slope * (t - self.start).max(0.0);
        self.stiffness * (wall - x) + self.amplitude * (self.omega * t + self.phase).sin()
    }
    /// The series of x about `t` while the block slides in direction `side`.
    fn series(&self, t: f64, [x, v]: [f64; 2], side: f64) -> [f64; TERMS] {
        let mut c = [0.0; TERMS];
        (c[0], c[1]) = (x, v);
        let (sin, cos) = (self.omega * t + self.phase).sin_cos();
        // sin(ωt + φ) differentiated n times, times ωⁿ/n!
        let (wave, mut scale) = ([sin, cos, -sin, -cos], self.amplitude);
        for n in 0..TERMS - 2 {
            let mut f = scale * wave[n % 4];
            let moves = if t >= self.start { self.slope } else { 0.0 };
            match n {
                0 => f += self.stiffness * (self.wall + moves * (t - self.start)) - side * self.fc,
                1 => f += self.stiffness * moves,
                _ => {}
            }
            let k = n as f64;
            c[n + 2] = (f - self.stiffness * c[n] - self.fv * (k + 1.0) * c[n + 1]) / ((k + 1.0) * (k + 2.0));
            scale *= self.omega / (k + 1.0);
        }
        c
    }
    /// Direction in which the block goes on from rest; 0 if it stays.
    fn direction(&self, t: f64, x: f64) -> f64 {
        let f = self.force(t, x);
        if f.abs() > self.fc { f.signum() } else { 0.0 }
    }
    /// Position and velocity at the end.
    pub fn solve(&self, end: f64) -> ([f64; 2], EventCounts) {
        let (mut t, mut state, mut counts) = (0.0, [self.x, self.v], EventCounts::default());
        let mut side = if self.v == 0.0 { self.direction(0.0, self.x) } else { self.v.signum() };
        while t < end {
            let mut h = PIECE.min(end - t);
            if t < self.start {
                h = h.min(self.start - t);
            }
            if side == 0.0 {
                let excess = |tau: f64| self.force(t + tau, state[0]).abs() - self.fc;
                if excess(h) > 0.0 {
                    h = root(h, excess);
                    side = self.force(t + h, state[0]).signum();
                    counts.slips += 1;
                }
                t += h;
                continue;
            }
            let c = self.series(t, state, side);
            let velocity = |tau: f64| (1..TERMS).rev().fold(0.0, |sum, n| sum * tau + n as f64 * c[n]);
            let place = |tau: f64| c.iter().rev().fold(0.0, |sum, c| sum * tau + c);
            let turn = (side * velocity(h) < 0.0).then(|| root(h, |tau| -side * velocity(tau)));
            let strike = (place(h).abs() > self.reach).then(|| root(h, |tau| place(tau).abs() - self.reach));
            let tau = turn.unwrap_or(h).min(strike.unwrap_or(h));
            t = if tau == h && t + h >= end { end } else { t + tau };
            state = [place(tau), velocity(tau)];
            if strike == Some(tau) {
                state = [self.reach.copysign(state[0]), -self.restitution * state[1]];
                side = -side;
                counts.impacts += 1;
            } else if turn == Some(tau) {
                state[1] = 0.0;
                side = self.direction(t, state[0]);
                if side == 0.0 { counts.sticks += 1 } else { counts.reversals += 1 }
            }
        }
        (state, counts)
    }
}

/// Where a function that is positive at `h` and not just after 0 becomes positive, by bisection to the last bit.
fn root(h: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, h);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if f(middle) > 0.0 { high = middle } else { low = middle }
    }
}

/// The series against formulas: B1 of the papers (half cosines about 1 ∓ fc/k), and a fall onto a stop.
#[test]
fn the_power_series_is_the_closed_form() {
    let block = Block { stiffness: 100.0, wall: 1.0, fc: 9.81, ..Block::default() };
    let (found, counts) = block.solve(2.0);
    // each of five swings to the other side of 1 loses 2 fc/k
    let rest = 1.0 + (1.0 - 5.0 * 2.0 * 9.81 / 100.0);
    // rounding of a hundred pieces
    assert!((found[0] - rest).abs() < 1e-13 && found[1] == 0.0, "{found:?} for {rest}");
    assert_eq!((counts.reversals, counts.sticks), (4, 1));
    // decelerated by 1 m/s²: strikes the stop at 1 m with √7 m/s
    let block = Block { v: 3.0, reach: 1.0, restitution: 0.5, ..Block::default() };
    let (found, counts) = block.solve(1.0);
    let (t, speed) = (3.0 - 7.0_f64.sqrt(), 7.0_f64.sqrt());
    let left = 1.0 - t;
    let x = 1.0 - 0.5 * speed * left + 0.5 * left * left;
    assert!((found[0] - x).abs() < 1e-13 && (found[1] + 0.5 * speed - left).abs() < 1e-13, "{found:?} for {x}");
    assert_eq!(counts.impacts, 1);
}
