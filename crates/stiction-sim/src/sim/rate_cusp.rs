//! Laws whose memory has a rate with a cusp at rest: `dz/dt = … − g·|s|^p` with 0 < p < 1, where the slope by the sliding velocity s is
//! unbounded.
//!
//! The rate itself is continuous, so a reversal is no singularity of the motion: with the acceleration a, s = a·τ and the rate is a
//! power of the time. But a step of an implicit method takes the slopes at its start for those within it. That of the cusp closes a loop: from the
//! velocity to the memory z, directly or through another number of memory to the force, and with the response R back to the velocity. A loop
//! of n integrators has the rate ω with
//!
//! ```text
//! ω(s)² = R |∂F/∂z| |∂ż/∂s|,    or    ω(s)³ = R |∂F/∂y| |∂ẏ/∂z| |∂ż/∂s|
//! ```
//!
//! which is unbounded at s = 0. A step much longer than 1/ω follows the equilibrium that this slope has, instead of the motion: an L-stable
//! method damps the velocity away, its error estimate included, and the body seems to rest. Within a step of length h from rest the speeds are
//! a·h, so their slope is representative as long as `h ω(a h) ≤ 1`. That defines the length
//!
//! ```text
//! h₀ ω(a h₀) = 1
//! ```
//!
//! The slowest speed that is resolved, s₀, is that with 1/ω(s₀) = h₀/16; below it the slopes are those at s₀. A step is no longer than 1/ω(s), or
//! than the time |s/a| in which the speed changes by its own size, whichever is longer. So lengths fall and grow in proportion to
//! the distance in time from the reversal, and the error estimate decides about the rest.
use super::components::{ContactMode, ContactState};
use super::flow::{Flow, TINY};
use stiction_core::Input;

/// Two speeds [m/s] between which slopes are compared, far below and above that of any motion that is resolved: their ratio shows the power of
/// the cusp.
const SPEEDS: [f64; 2] = [TINY, 1e-100];
/// Growth of a slope from the larger of these to the smaller above which it counts as unbounded: an exponent p below 0.997.
const UNBOUNDED: f64 = 2.0;

/// The time constant at the slowest speed that is resolved, over the length of a step at which its slope ceases to be representative.
const RESOLVED: f64 = 1.0 / 16.0;
/// The slowest speed that is resolved where the cusp does not act back on the velocity [m/s]: the error estimate alone decides there.
const SLOWEST: f64 = 1e-12;

/// A loop through the cusp of a law on one side.
#[derive(Clone, Copy)]
struct CuspLoop {
    /// Product of the slopes along the loop without the response of the velocity, that of the cusp at the smaller of [`SPEEDS`].
    gain: f64,
    /// Number of integrators in it.
    order: f64,
    /// The power of the speed with which the gain falls.
    power: f64,
}

impl CuspLoop {
    /// h₀ for a response and an acceleration.
    fn length(&self, response: f64, acceleration: f64) -> f64 {
        ((acceleration / TINY).powf(self.power) / (response * self.gain)).powf(1.0 / (self.order - self.power))
    }
    /// s₀.
    fn slowest(&self, response: f64, acceleration: f64) -> f64 {
        acceleration * self.length(response, acceleration) * RESOLVED.powf(self.order / self.power)
    }
    /// 1/ω at a speed.
    fn time_constant(&self, response: f64, speed: f64) -> f64 {
        (response * self.gain * (TINY / speed).powf(self.power)).powf(-1.0 / self.order)
    }
}

impl ContactState<'_> {
    /// The loops through rates with an unbounded slope, those without gain included; none if all slopes are bounded.
    fn cusp_loops(&mut self, side: f64, load: f64) -> Vec<CuspLoop> {
        let (count, wide) = (self.which.len(), 3 + self.which.len());
        let mut far = vec![0.0; count];
        for speed in [SPEEDS[1], SPEEDS[0]] {
            if speed == SPEEDS[0] {
                far.iter_mut().enumerate().for_each(|(k, slope)| *slope = self.rows[(1 + k) * wide + 1].abs());
            }
            self.law.partials(&self.memory, &Input { v: side * speed, load }, &self.which, false, &mut self.rows);
        }
        let row = |k: usize| &self.rows[(1 + k) * wide..(2 + k) * wide];
        let by_memory = |k: usize| self.rows[3 + k].abs();
        let mut loops = Vec::new();
        for (k, far) in far.into_iter().enumerate() {
            let near = row(k)[1].abs();
            if far > 0.0 && near > UNBOUNDED * far {
                let power = (near / far).log10() / (SPEEDS[1] / SPEEDS[0]).log10();
                loops.push(CuspLoop { gain: near * by_memory(k), order: 2.0, power });
                let through = (0..count).filter(|j| *j != k).map(|j| row(j)[3 + k].abs() * by_memory(j));
                loops.extend(through.map(|gain| CuspLoop { gain: near * gain, order: 3.0, power }));
            }
        }
        loops
    }
    /// Whether a rate has a cusp with the present memory, or with one that sliding leaves.
    pub fn may_have_rate_cusp(&mut self) -> bool {
        let present = self.memory.clone();
        let found = [0.0, -1.0, 1.0].into_iter().any(|v| {
            if v != 0.0 {
                self.law.settled(&Input::at(v), &mut self.memory);
            }
            [-1.0, 1.0].into_iter().any(|side| !self.cusp_loops(side, 1.0).is_empty())
        });
        self.memory = present;
        found
    }
}

impl Flow<'_> {
    /// The longest step from state `y` with the rates `f` that laws with a cusp in a rate allow. Below the speeds within such a step their slopes
    /// are those at them, from the next evaluation on.
    pub fn longest_at_rate_cusps(&mut self, y: &[f64], f: &[f64]) -> f64 {
        let mut longest = f64::INFINITY;
        let mut answer = Vec::new();
        for c in 0..self.components.contacts.len() {
            let contact = &self.components.contacts[c];
            let (ContactMode::Slip(side), true, row) = (contact.mode, contact.has_rate_cusp, contact.row) else {
                continue;
            };
            answer.resize(self.components.n, 0.0);
            self.answer(&row, &mut answer);
            let response: f64 = row.coordinates().map(|(i, c)| c * answer[i]).sum();
            let speed = row.v(y, &self.motions);
            let acceleration = row.speeds().map(|(i, c)| c * f[i]).sum::<f64>() + row.driven(&self.motions, 2);
            let contact = &mut self.components.contacts[c];
            contact.load_memory(y);
            let load = contact.load[0];
            let side = if speed == 0.0 { side } else { speed.signum() };
            let loops = contact.cusp_loops(side, load);
            if loops.is_empty() {
                continue;
            }
            let size = acceleration.abs();
            let acts = |it: &&CuspLoop| response * it.gain > 0.0 && size > 0.0;
            contact.slope_speed = SLOWEST;
            for it in loops.iter().filter(acts) {
                let slowest = it.slowest(response, size).max(TINY);
                contact.slope_speed = contact.slope_speed.min(slowest);
                let time_constant = it.time_constant(response, speed.abs().max(slowest));
                longest = longest.min(time_constant.max(speed.abs() / size));
            }
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use crate::Spec;
    use crate::sim::components::Components;
    use crate::system::{Body, Contact, GROUND, System};

    /// No built-in law has one, so that none loses the kernel of a single contact, or lanes.
    #[test]
    fn rates_of_built_in_laws_have_slopes() {
        for law in stiction_core::models::ALL {
            let mut system = System::new();
            let body = system.body("block", Body::default()).expect("a body");
            let contact = Contact::new(&Spec::new(law.name).expect("a law")).expect("a contact");
            system.contact("table", body, GROUND, contact).expect("a contact");
            assert!(!Components::new(&system).contacts[0].may_have_rate_cusp(), "{}", law.name);
        }
    }
}
