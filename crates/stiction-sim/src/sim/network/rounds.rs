//! The rounds of a step: tangents, a banded system, and every contact put back on its graph.
use super::{Network, Point};
use crate::SimError;
use crate::sim::SimErrorKind;
use stiction_core::contact::Body;

/// Sweeps.
const SWEEPS: usize = 200;
/// Error of a contact's force, relative to it and to its limits. Newton's method squares it in the next round.
const TOLERANCE: f64 = 1e-10;
/// Stiffness of the spring that holds a contact which is not firm, over the stiffness it feels.
pub(super) const HARD: f64 = 1e6;
/// The steepest slope of a law, likewise.
const STEEP: f64 = 1e9;
/// Share of a body's mass that falling laws may use up, so that the matrix stays positive definite.
const FALL: f64 = 0.9;

impl Network<'_> {
    /// Lets contact `c` slip, at `speed`.
    pub(super) fn tangent(&mut self, c: usize, speed: f64, h: f64) {
        let rub = &self.net.rubs[c];
        let z = &self.memory[rub.at..rub.at + rub.law.len()];
        let [force, slope] = rub.law.tangent(z, &self.input(c, speed), h);
        // beyond the upper limit a law is as good as vertical, and more would drown the rest of the matrix
        let slope = slope.max(-FALL * rub.mass / h).min(STEEP * self.feels(c, h));
        self.points[c] = Point { held: false, speed, force, slope, ..self.points[c] };
    }
    /// Force per speed that contact `c` feels from its bodies over a step.
    pub(super) fn feels(&self, c: usize, h: f64) -> f64 {
        let rub = &self.net.rubs[c];
        if rub.firm {
            return self.matrix.get(rub.body, rub.body) / (h * rub.per * rub.per);
        }
        let yields: f64 = rub.row.coordinates().map(|(i, c)| c * c / self.matrix.get(i, i)).sum();
        1.0 / (h * yields.max(f64::MIN_POSITIVE))
    }
    /// Velocities with all contacts on their tangents.
    pub(super) fn solve(&mut self, h: f64) -> Result<(), SimError> {
        let (lo, hi) = (self.window.start, self.window.end);
        self.cost.rounds += 1;
        self.cost.rows += (hi - lo) as u64;
        self.factored.copy(&self.matrix, lo, hi);
        self.next[lo..hi].copy_from_slice(&self.right[lo..hi]);
        let contacts = self.contacts();
        for c in contacts.clone() {
            let (rub, p) = (&self.net.rubs[c], &self.points[c]);
            if p.held && rub.firm {
                continue;
            }
            let force = h * (p.force + p.slope * (p.driven - p.speed));
            if rub.firm {
                self.next[rub.body] -= rub.per * force;
                self.factored.add(rub.body, rub.body, h * p.slope * rub.per * rub.per);
                continue;
            }
            for (a, (i, ci)) in rub.row.coordinates().enumerate() {
                self.next[i] -= ci * force;
                for (j, cj) in rub.row.coordinates().take(a + 1) {
                    self.factored.add(i, j, h * p.slope * ci * cj);
                }
            }
        }
        for c in contacts {
            let (rub, p) = (&self.net.rubs[c], &self.points[c]);
            if p.held && rub.firm {
                self.factored.fix(rub.body, -p.driven / rub.per, &mut self.next, lo, hi);
            }
        }
        if self.factored.solve(&mut self.next, lo, hi) {
            return Ok(());
        }
        let finite = self.right[lo..hi].iter().all(|x| x.is_finite());
        Err(self.trouble(if finite { SimErrorKind::SingularMassMatrix } else { SimErrorKind::NotFinite }))
    }
    /// Puts every contact on its graph again; returns one that was not there. `slow`: by bodies alone, not by Newton.
    pub(super) fn judge(&mut self, h: f64, slow: bool) -> Option<usize> {
        let (lo, hi) = (self.window.start, self.window.end);
        let mut wrong = None;
        let contacts = self.contacts();
        if !self.net.rests {
            self.share();
        }
        for c in contacts {
            let (rub, p) = (&self.net.rubs[c], self.points[c]);
            let (len, size) = (rub.law.len(), (p.high - p.low).abs());
            if p.held && rub.firm {
                let (i, ci) = (rub.body, rub.per);
                let taken = if self.net.rests { 0.0 } else { self.taken[i] };
                let force = ((self.right[i] - self.matrix.row_times(i, &self.next, lo, hi)) / h - taken) / ci;
                self.points[c].force = force;
                if force < p.low || force > p.high {
                    wrong = wrong.or(self.place(c, 0.0, force, h));
                }
                continue;
            }
            let w = p.driven + rub.rate(&self.next);
            let force = p.force + p.slope * (w - p.speed);
            if p.held {
                self.points[c].force = force;
                if force < p.low || force > p.high {
                    wrong = wrong.or(self.place(c, 0.0, force, h));
                } else if (force - p.force).abs() > TOLERANCE * (force.abs() + size) {
                    wrong = Some(c);
                }
                continue;
            }
            let same = w * p.speed > 0.0;
            if same || p.low >= p.high {
                self.tangent(c, w, h);
                let right = self.points[c].force;
                if (force - right).abs() <= TOLERANCE * (force.abs() + right.abs() + size) {
                    // the bodies' momentum has this force, which the law has but for the tolerance
                    self.points[c].force = force;
                    continue;
                }
                wrong = Some(c);
                // along the same branch of a law without memory Newton's method knows the way
                if same && len == 0 && !slow {
                    continue;
                }
            }
            wrong = self.place(c, w, force, h).or(wrong);
        }
        wrong
    }
    /// What contacts that are not held firmly take of each body's force.
    fn share(&mut self) {
        self.taken.fill(0.0);
        for (rub, p) in self.net.rubs.iter().zip(&self.points) {
            if p.held && rub.firm {
                continue;
            }
            let w = p.driven + rub.rate(&self.next);
            for (i, c) in rub.row.coordinates() {
                self.taken[i] += c * (p.force + p.slope * (w - p.speed));
            }
        }
    }
    /// The point on the graph of contact `c` nearest to speed `w` and `force`, as its body would find it alone. Returns
    /// the contact if that changes anything.
    fn place(&mut self, c: usize, w: f64, force: f64, h: f64) -> Option<usize> {
        let (rub, hard) = (&self.net.rubs[c], self.feels(c, h));
        let was = self.points[c].held;
        let (body, rest) = (Body { mass: hard * h, applied: hard * w + force }, self.input(c, 0.0));
        let z = &mut self.scratch[..rub.law.len()];
        z.copy_from_slice(&self.memory[rub.at..rub.at + rub.law.len()]);
        let out = rub.law.contact(z, &rest, &body, h);
        if out.stuck {
            let slope = if rub.firm { 0.0 } else { HARD * hard };
            self.points[c] = Point { held: true, speed: 0.0, force: out.force, slope, ..self.points[c] };
            return (!was).then_some(c);
        }
        self.tangent(c, out.v, h);
        Some(c)
    }
    /// Sweeps over the bodies, each against its own contact with the others as they are; false where that is not known
    /// to converge.
    pub(super) fn sweep(&mut self, h: f64) -> bool {
        if self.net.rubs.iter().any(|rub| !rub.firm) {
            return false;
        }
        let (lo, hi) = (self.window.start, self.window.end);
        for _ in 0..SWEEPS {
            let (mut change, mut size) = (0.0_f64, 0.0_f64);
            let mut c = self.contacts().start;
            for i in lo..hi {
                let own = self.matrix.get(i, i);
                let rest = self.right[i] - self.matrix.row_times(i, &self.next, lo, hi) + own * self.next[i];
                let here = self.net.rubs.get(c).filter(|rub| rub.body == i).map(|rub| rub.per);
                let v = match here {
                    None => rest / own,
                    Some(ci) => {
                        let driven = self.points[c].driven;
                        self.place(c, driven, rest / (h * ci), h);
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
