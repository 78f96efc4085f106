//! Energy audit and events of a network run.
//!
//! Each term is force times distance as used by the step itself: a body moves by `h·vθ` with `vθ = θ·v⁺ + (1 − θ)·v`, spring
//! forces are those at the fraction θ, friction that of the whole step. What is missing from the balance is the numerical
//! dissipation of the method: `½·Δvᵀ M Δv + ½·Δxᵀ K Δx` at θ = 1, and neither term at θ = ½.
//!
//! A body at rest does no work, so only the bodies in the window are summed. The work of motions on all the others follows
//! from the sum of the spring forces on each motion, which is kept up to date.
use super::Network;
use crate::sim::EventKind;
use crate::system::SignalDerivatives;
use std::collections::BTreeMap;
use stiction_core::Input;

/// Energies up to the present time.
pub(super) struct EnergyAudit {
    pub work: f64,
    pub friction: f64,
    pub damping: f64,
    /// Events of the last step: index of the contact in the system, and kind.
    pub events: Vec<(usize, EventKind)>,
    /// Position of each motion, and the force of the linear springs on it.
    at: Vec<f64>,
    pull: Vec<f64>,
    /// Displacement of each motion in a step, and the force on it.
    moved: Vec<f64>,
    force: Vec<f64>,
    /// Stiffness and damping between pairs of motions.
    between: Vec<(usize, usize, [f64; 2])>,
    /// Slip direction of each contact; zero: it sticks.
    sides: Vec<f64>,
    /// Whether its law has static friction.
    can_stick: Vec<bool>,
}

impl EnergyAudit {
    pub fn new(network: &Network<'_>) -> Self {
        let Network { net, t, x, points, .. } = network;
        let jets: Vec<SignalDerivatives> = net.signals[..net.motions].iter().map(|s| s.eval(*t, *t)).collect();
        let mut pull = vec![0.0; net.motions];
        let mut between: BTreeMap<(usize, usize), [f64; 2]> = BTreeMap::new();
        for spring in &net.springs {
            let (row, what) = (&spring.row, spring.parameters);
            let hard = if what.curve.is_none() { what.stiffness } else { 0.0 };
            let stretch = row.x(x, &jets) - what.rest;
            for &(j, cj) in &row.m[..row.nm] {
                pull[j] += cj * hard * stretch;
                for &(k, ck) in &row.m[..row.nm] {
                    let [stiff, damp] = between.entry((j, k)).or_default();
                    *stiff += hard * cj * ck;
                    *damp += what.damping * cj * ck;
                }
            }
        }
        let can_stick = |contact: &super::model::NetworkContact<'_>| {
            let z = &network.memory[contact.at..contact.at + contact.law.len()];
            [-1.0, 1.0].iter().any(|&dir| contact.law.hold(z, &Input::at(0.0), dir) > 0.0)
        };
        Self {
            work: 0.0,
            friction: 0.0,
            damping: 0.0,
            events: Vec::with_capacity(points.len()),
            at: jets.iter().map(|jet| jet[0]).collect(),
            moved: vec![0.0; net.motions],
            force: vec![0.0; net.motions],
            pull,
            between: between.into_iter().map(|((j, k), pair)| (j, k, pair)).collect(),
            sides: points.iter().map(|p| if p.held { 0.0 } else { side(p.speed) }).collect(),
            can_stick: net.contacts.iter().map(can_stick).collect(),
        }
    }
    /// Updates the slip direction of contact `c`, number `index` of the system, and records the event, if any.
    fn note(&mut self, c: usize, index: usize, held: bool, speed: f64) {
        let (before, now) = (self.sides[c], if held { 0.0 } else { side(speed) });
        self.sides[c] = now;
        let up = now > 0.0;
        let kind = match (before, now) {
            _ if before == now => return,
            (_, 0.0) if self.can_stick[c] => EventKind::Stick,
            (0.0, _) if self.can_stick[c] => {
                if up {
                    EventKind::SlipUp
                } else {
                    EventKind::SlipDown
                }
            }
            // without static friction a contact only reverses: keep its direction while it passes through zero
            (_, 0.0) => {
                self.sides[c] = before;
                return;
            }
            (0.0, _) => return,
            _ => {
                if up {
                    EventKind::ReverseUp
                } else {
                    EventKind::ReverseDown
                }
            }
        };
        self.events.push((index, kind));
    }
}

/// The sign of a speed; zero for zero.
fn side(v: f64) -> f64 {
    if v == 0.0 { 0.0 } else { v.signum() }
}

impl Network<'_> {
    /// Adds a step of length `h` whose velocities have been found, before the bodies move.
    pub(super) fn audit(&self, audit: &mut EnergyAudit, h: f64) {
        let (net, theta, late, end) = (&self.net, self.theta, 1.0 - self.theta, self.t + h);
        let (lo, hi) = (self.window.start, self.window.end);
        let speed = |i: usize| theta * self.next[i] + late * self.v[i];
        let motion = |k: usize| self.inputs[k][1];
        for k in 0..net.motions {
            audit.moved[k] = net.signals[k].at(end) - audit.at[k];
        }
        audit.force.copy_from_slice(&audit.pull);
        let mut lost = 0.0;
        for &(j, k, [stiff, damp]) in &audit.between {
            audit.force[j] += stiff * (self.inputs[k][0] - audit.at[k]) + damp * motion(k);
            audit.pull[j] += stiff * audit.moved[k];
            lost += damp * motion(j) * motion(k);
        }
        for i in lo..hi {
            let (v, dampers) = (speed(i), &net.damping);
            lost +=
                v * (theta * dampers.row_times(i, &self.next, lo, hi) + late * dampers.row_times(i, &self.v, lo, hi));
            for drive in &net.drives[net.from[i]..net.from[i + 1]] {
                let k = drive.signal;
                if k >= net.motions {
                    audit.work += drive.value * self.inputs[k][0] * h * v;
                    continue;
                }
                audit.force[k] -= drive.value * theta * h * v + drive.speed * v;
                audit.pull[k] -= drive.value * h * v;
                lost -= 2.0 * drive.speed * v * motion(k);
            }
        }
        audit.damping += h * lost;
        for &k in &net.nonlinear_springs {
            let row = &net.springs[k].row;
            let (force, hard) = net.springs[k].elastic(self.stretch(k));
            let far: f64 = row.coordinates().map(|(i, c)| c * h * speed(i)).sum();
            for &(k, c) in &row.m[..row.nm] {
                audit.force[k] += c * (force + hard * theta * far);
            }
        }
        for c in self.contacts() {
            let (contact, p) = (&net.contacts[c], &self.points[c]);
            let slip = p.driven + theta * contact.rate(&self.next) + late * contact.rate(&self.v);
            audit.friction += p.force * slip * h;
            audit.work += p.force * p.driven * h;
            audit.note(c, contact.index, p.held, p.speed);
        }
        audit.close();
    }
    /// Adds the time until `end`, in which all bodies are at rest and signals are linear.
    pub(super) fn audit_rest(&self, audit: &mut EnergyAudit, end: f64) {
        let h = end - self.t;
        for (k, moved) in audit.moved.iter_mut().enumerate() {
            *moved = self.net.signals[k].at(end) - audit.at[k];
        }
        audit.force.copy_from_slice(&audit.pull);
        for &(j, k, [stiff, damp]) in &audit.between {
            let pull = stiff * audit.moved[k];
            audit.force[j] += 0.5 * pull + damp * audit.moved[k] / h;
            audit.pull[j] += pull;
            audit.damping += damp * audit.moved[j] * audit.moved[k] / h;
        }
        audit.close();
    }
}

impl EnergyAudit {
    /// Adds the work of the motions.
    fn close(&mut self) {
        for ((at, moved), force) in self.at.iter_mut().zip(&self.moved).zip(&self.force) {
            *at += moved;
            self.work += force * moved;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EnergyAudit, Network};
    use crate::Spec;
    use crate::sim::network::BurridgeKnopoffChain;
    use crate::system::{Body, Contact, Signal, System};

    /// Steps a chain; returns its energies and the numerical dissipation by formula, `½·Σ m Δv² + ½·Σ k Δs²` over all bodies and
    /// springs.
    fn follow(system: &System, drive: f64, steps: usize) -> ([f64; 4], f64) {
        let (h, stiff) = (0.02, BurridgeKnopoffChain::default().wave_speed.powi(2));
        let mut network = Network::new(system).expect("a network");
        network.audit = Some(EnergyAudit::new(&network));
        let (before, mut taken) = (network.energy(), 0.0);
        for _ in 0..steps {
            let (x, v) = (network.x[..60].to_vec(), network.v[..60].to_vec());
            network.step(h).expect("a step");
            let far: Vec<f64> = network.x.iter().zip(&x).map(|(new, old)| new - old).collect();
            taken += network.v.iter().zip(&v).map(|(new, old)| 0.5 * (new - old).powi(2)).sum::<f64>();
            taken += far.iter().map(|far| 0.5 * (far - drive * h).powi(2)).sum::<f64>();
            taken += far.windows(2).map(|pair| 0.5 * stiff * (pair[1] - pair[0]).powi(2)).sum::<f64>();
        }
        let audit = network.audit.as_ref().expect("books");
        ([audit.work, audit.friction, audit.damping, network.energy() - before], taken)
    }

    #[test]
    fn a_window_has_the_books_of_the_whole_chain() {
        // the same chain, once with a free body on a belt, which prevents the prediction of rest
        let chain = BurridgeKnopoffChain { blocks: 60, ..BurridgeKnopoffChain::default() };
        let [short, mut long] = [(), ()].map(|()| chain.system().expect("a chain"));
        let ramp = Signal::Ramp { offset: 0.0, slope: 1.0, start: 0.0, end: f64::INFINITY };
        let belt = long.motion("belt", ramp, false).expect("a motion");
        let far = long.body("far", Body { v: 1.0, ..Body::default() }).expect("a body");
        let rides = Contact::new(&Spec::new("coulomb").expect("a law")).expect("a contact");
        long.contact("ride", far, belt, rides).expect("a contact");
        let (a, taken) = follow(&short, chain.plate_speed, 7000);
        let (b, _) = follow(&long, chain.plate_speed, 7000);
        assert!(a[0] > 10.0 && a[1] > 1.0, "{a:?}");
        for (a, b) in a.iter().zip(&b) {
            // rounding of seven thousand sums
            assert!((a - b).abs() < 1e-9, "{a} and {b}");
        }
        let [work, friction, damping, gained] = a;
        // the same roundings
        assert!((work - friction - damping - gained - taken).abs() < 1e-9, "{a:?} and {taken}");
    }
}
