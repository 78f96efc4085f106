//! The Newton iteration of a step: tangents, a banded system, and the projection of every contact back to its graph.
use super::{GraphPoint, Network};
use crate::SimError;
use crate::sim::SimErrorKind;
use stiction_core::contact::SlidingBody;

/// Most Gauss–Seidel sweeps.
const MAX_SWEEPS: usize = 200;
/// Relative error of a contact force at which the iteration has converged; it is squared in the next iteration.
const FORCE_TOLERANCE: f64 = 1e-10;
/// Rounding of a sliding velocity, relative to the velocities of the bodies: that of a banded system and of their difference.
const SPEED_ROUNDING: f64 = 16.0 * f64::EPSILON;
/// Stiffness of the penalty spring of a sticking contact that is not eliminated, over the effective stiffness there.
pub(super) const PENALTY_STIFFNESS: f64 = 1e6;
/// Largest slope of a law, over the effective stiffness there.
const MAX_SLOPE: f64 = 1e9;
/// Fraction of a body's mass that the negative slopes of laws may cancel, so that the matrix stays positive definite.
const MAX_NEGATIVE_SLOPE: f64 = 0.9;

impl Network<'_> {
    /// Sets contact `c` to slip at `speed`, on the tangent there.
    pub(super) fn tangent(&mut self, c: usize, speed: f64, h: f64) {
        let contact = &self.net.contacts[c];
        let z = &self.memory[contact.at..contact.at + contact.law.len()];
        let [force, slope] = contact.law.tangent(z, &self.input(c, speed), h);
        // beyond the upper limit a law is practically vertical, and between two bodies a larger slope would spoil the condition of the
        // matrix; with the ground or a motion it is one entry of the diagonal, as large as may be
        let most = if contact.eliminates_body { f64::MAX } else { MAX_SLOPE * self.effective_impedance(c, h) };
        let slope = slope.max(-MAX_NEGATIVE_SLOPE * contact.mass / h).min(most);
        self.points[c] = GraphPoint { held: false, speed, force, slope, ..self.points[c] };
    }
    /// Effective impedance at contact `c`: force per velocity of its bodies over a step [N·s/m].
    pub(super) fn effective_impedance(&self, c: usize, h: f64) -> f64 {
        let contact = &self.net.contacts[c];
        if contact.eliminates_body {
            return self.matrix.get(contact.body, contact.body) / (h * contact.slip_per_speed * contact.slip_per_speed);
        }
        let yields: f64 = contact.row.coordinates().map(|(i, c)| c * c / self.matrix.get(i, i)).sum();
        1.0 / (h * yields.max(f64::MIN_POSITIVE))
    }
    /// Solves for the velocities with all contacts on their tangents.
    pub(super) fn solve(&mut self, h: f64) -> Result<(), SimError> {
        let (lo, hi) = (self.window.start, self.window.end);
        self.statistics.newton_iterations += 1;
        self.statistics.solved_rows += (hi - lo) as u64;
        self.factored.copy(&self.matrix, lo, hi);
        self.next[lo..hi].copy_from_slice(&self.right[lo..hi]);
        let contacts = self.contacts();
        for c in contacts.clone() {
            let (contact, p) = (&self.net.contacts[c], &self.points[c]);
            if p.held && contact.eliminates_body {
                continue;
            }
            let force = h * (p.force + p.slope * (p.driven - p.speed));
            if contact.eliminates_body {
                self.next[contact.body] -= contact.slip_per_speed * force;
                self.factored.add(
                    contact.body,
                    contact.body,
                    h * p.slope * contact.slip_per_speed * contact.slip_per_speed,
                );
                continue;
            }
            for (a, (i, ci)) in contact.row.coordinates().enumerate() {
                self.next[i] -= ci * force;
                for (j, cj) in contact.row.coordinates().take(a + 1) {
                    self.factored.add(i, j, h * p.slope * ci * cj);
                }
            }
        }
        for c in contacts {
            let (contact, p) = (&self.net.contacts[c], &self.points[c]);
            if p.held && contact.eliminates_body {
                self.factored.fix(contact.body, -p.driven / contact.slip_per_speed, &mut self.next, lo, hi);
            }
        }
        if self.factored.solve(&mut self.next, lo, hi) {
            return Ok(());
        }
        let finite = self.right[lo..hi].iter().all(|x| x.is_finite());
        Err(self.error_now(if finite { SimErrorKind::SingularMassMatrix } else { SimErrorKind::NotFinite }))
    }
    /// Projects every contact to its graph; returns one that was not on it. `slow`: each contact by itself, without Newton's
    /// method.
    pub(super) fn update_contacts(&mut self, h: f64, slow: bool) -> Option<usize> {
        let (lo, hi) = (self.window.start, self.window.end);
        let mut wrong = None;
        let contacts = self.contacts();
        if !self.net.rest_is_predictable {
            self.sum_contact_forces();
        }
        for c in contacts {
            let (contact, p) = (&self.net.contacts[c], self.points[c]);
            let (len, size) = (contact.law.len(), (p.high - p.low).abs());
            if p.held && contact.eliminates_body {
                let (i, ci) = (contact.body, contact.slip_per_speed);
                let taken = if self.net.rest_is_predictable { 0.0 } else { self.taken[i] };
                let force = ((self.right[i] - self.matrix.row_times(i, &self.next, lo, hi)) / h - taken) / ci;
                self.points[c].force = force;
                if force < p.low || force > p.high {
                    wrong = wrong.or(self.project(c, 0.0, force, h));
                }
                continue;
            }
            let w = p.driven + contact.rate(&self.next);
            let force = p.force + p.slope * (w - p.speed);
            // a force on a steep tangent is known no better than the velocity
            let rounding = SPEED_ROUNDING * p.slope.abs() * (p.driven.abs() + contact.speeds(&self.next));
            if p.held {
                self.points[c].force = force;
                if force < p.low || force > p.high {
                    wrong = wrong.or(self.project(c, 0.0, force, h));
                } else if (force - p.force).abs() > FORCE_TOLERANCE * (force.abs() + size) + rounding {
                    wrong = Some(c);
                }
                continue;
            }
            let same = w * p.speed > 0.0;
            if same || p.low >= p.high {
                self.tangent(c, w, h);
                let right = self.points[c].force;
                if (force - right).abs() <= FORCE_TOLERANCE * (force.abs() + right.abs() + size) + rounding {
                    // keep the force that agrees with the momentum of the bodies; it is that of the law within the tolerance
                    self.points[c].force = force;
                    continue;
                }
                wrong = Some(c);
                // along a branch of a law without states Newton's method converges by itself
                if same && len == 0 && !slow {
                    continue;
                }
            }
            wrong = self.project(c, w, force, h).or(wrong);
        }
        wrong
    }
    /// Sums the forces on each body of the contacts that are not eliminated.
    fn sum_contact_forces(&mut self) {
        self.taken.fill(0.0);
        for (contact, p) in self.net.contacts.iter().zip(&self.points) {
            if p.held && contact.eliminates_body {
                continue;
            }
            let w = p.driven + contact.rate(&self.next);
            for (i, c) in contact.row.coordinates() {
                self.taken[i] += c * (p.force + p.slope * (w - p.speed));
            }
        }
    }
    /// Projects contact `c` to the point on its graph nearest to velocity `w` and `force`, as for a single body. Returns the
    /// contact if its point changed.
    fn project(&mut self, c: usize, w: f64, force: f64, h: f64) -> Option<usize> {
        let (contact, hard) = (&self.net.contacts[c], self.effective_impedance(c, h));
        let was = self.points[c].held;
        let (body, rest) = (SlidingBody { mass: hard * h, applied: hard * w + force }, self.input(c, 0.0));
        let z = &mut self.scratch[..contact.law.len()];
        z.copy_from_slice(&self.memory[contact.at..contact.at + contact.law.len()]);
        let out = contact.law.contact(z, &rest, &body, h);
        if out.stuck {
            let slope = if contact.eliminates_body { 0.0 } else { PENALTY_STIFFNESS * hard };
            self.points[c] = GraphPoint { held: true, speed: 0.0, force: out.force, slope, ..self.points[c] };
            return (!was).then_some(c);
        }
        self.tangent(c, out.v, h);
        Some(c)
    }
    /// Gauss–Seidel sweeps: each body in turn with its own contact, the others fixed; false where convergence is not
    /// guaranteed.
    pub(super) fn sweep(&mut self, h: f64) -> bool {
        if self.net.contacts.iter().any(|contact| !contact.eliminates_body) {
            return false;
        }
        let (lo, hi) = (self.window.start, self.window.end);
        for _ in 0..MAX_SWEEPS {
            let (mut change, mut size) = (0.0_f64, 0.0_f64);
            let mut c = self.contacts().start;
            for i in lo..hi {
                let own = self.matrix.get(i, i);
                let rest = self.right[i] - self.matrix.row_times(i, &self.next, lo, hi) + own * self.next[i];
                let here =
                    self.net.contacts.get(c).filter(|contact| contact.body == i).map(|contact| contact.slip_per_speed);
                let v = match here {
                    None => rest / own,
                    Some(ci) => {
                        let driven = self.points[c].driven;
                        self.project(c, driven, rest / (h * ci), h);
                        c += 1;
                        (self.points[c - 1].speed - driven) / ci
                    }
                };
                change = change.max((v - self.next[i]).abs());
                size = size.max(v.abs());
                self.next[i] = v;
            }
            if change <= 1e-14 * size {
                break;
            }
        }
        true
    }
}
