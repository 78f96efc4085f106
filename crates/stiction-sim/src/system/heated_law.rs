//! A law whose contact warms up.
//!
//! The power of the friction force goes into a lumped mass, which loses heat to its surroundings, and the force follows the temperature:
//!
//! ```text
//! F  = exp(−softening·θ)·F_law          θ: temperature above the surroundings
//! Q' = F·v                              Q: heat
//! C·θ' = F·v − G·θ                      C: capacity, G: conductance
//! ```
//!
//! The memory is that of the law, then Q and θ. In a law with bristles the power of the force is partly stored, and Q is the heat but for what
//! the bristles hold.
use super::wrapped_law::LawWrapper;
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// How a contact warms up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heating {
    /// Heat capacity [J/K]; infinite: the temperature stays.
    pub capacity: f64,
    /// Conductance to the surroundings [W/K].
    pub conductance: f64,
    /// By which part the force falls per kelvin, for small changes [1/K].
    pub softening: f64,
}

/// States after those of the law: heat and temperature.
pub(crate) const STATES: usize = 2;

pub(super) struct HeatedLaw {
    pub law: Box<dyn DynLaw>,
    pub heating: Heating,
}

impl HeatedLaw {
    /// Index of the heat; that of the temperature is the next.
    fn heat(&self) -> usize {
        self.law.len()
    }
    fn temperature(&self, z: &[f64]) -> f64 {
        z.get(self.heat() + 1).copied().unwrap_or(0.0)
    }
    /// The force over that of the law.
    fn factor(&self, z: &[f64]) -> f64 {
        (-self.heating.softening * self.temperature(z)).exp()
    }
    /// Writes the rates of heat and temperature at this power.
    fn store(&self, z: &[f64], power: f64, rate: &mut [f64]) {
        let Heating { capacity, conductance, .. } = self.heating;
        let new = [power, (power - conductance * self.temperature(z)) / capacity];
        rate.iter_mut().skip(self.heat()).zip(new).for_each(|(to, x)| *to = x);
    }
    /// The temperature after sliding for ever with this power at the temperature of the surroundings; without a conductance, after a second.
    fn settled_temperature(&self, power: f64) -> f64 {
        let Heating { capacity, conductance, softening } = self.heating;
        if conductance == 0.0 || capacity == f64::INFINITY {
            return power.abs() / capacity;
        }
        // G·θ = P·exp(−b·θ) has one solution for b ≥ 0, below P/G
        let [mut low, mut high] = [0.0, power.abs() / conductance * if softening < 0.0 { 2.0 } else { 1.0 }];
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if conductance * middle < power.abs() * (-softening * middle).exp() { low = middle } else { high = middle }
        }
        low
    }
}

impl LawWrapper for HeatedLaw {
    fn inner(&self) -> &dyn DynLaw {
        &*self.law
    }
    fn len(&self) -> usize {
        self.law.len() + STATES
    }
    fn is_linear(&self) -> bool {
        false
    }
    // the heat grows without end
    fn settles(&self) -> bool {
        false
    }
    fn force(&self, z: &[f64], u: &Input<f64>) -> f64 {
        self.factor(z) * self.law.force(z, u)
    }
    fn rate(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]) {
        self.flow(z, u, out);
    }
    fn flows(&self, i: usize) -> bool {
        i >= self.law.len() || self.law.flows(i)
    }
    fn flow(&self, z: &[f64], u: &Input<f64>, rate: &mut [f64]) -> f64 {
        let force = self.factor(z) * self.law.flow(z, u, rate);
        self.store(z, force * u.v, rate);
        force
    }
    fn partials(&self, z: &[f64], u: &Input<f64>, which: &[usize], by_load: bool, rows: &mut [f64]) {
        let (len, wide) = (self.law.len(), 3 + which.len());
        // states are in rising order
        let own = which.iter().filter(|&&i| i < len).count();
        let narrow = 3 + own;
        let mut inner = vec![0.0; (1 + own) * narrow];
        self.law.partials(z, u, which.get(..own).unwrap_or(which), by_load, &mut inner);
        rows.fill(0.0);
        let factor = self.factor(z);
        let by_temperature = -self.heating.softening * factor;
        let place = which.iter().position(|&i| i == len + 1);
        let mut force = vec![0.0; wide];
        for (r, row) in inner.chunks_exact(narrow).enumerate() {
            if r > 0 {
                rows[r * wide..r * wide + narrow].copy_from_slice(row);
                continue;
            }
            force.iter_mut().zip(row).for_each(|(to, x)| *to = factor * x);
            if let Some(place) = place {
                force[3 + place] = by_temperature * row[0];
            }
        }
        rows[..wide].copy_from_slice(&force);
        // the power is force times velocity
        let mut power: Vec<f64> = force.iter().map(|x| x * u.v).collect();
        power[1] += force[0];
        let Heating { capacity, conductance, .. } = self.heating;
        for (r, &i) in which.iter().enumerate().skip(own) {
            let row = &mut rows[(1 + r) * wide..(2 + r) * wide];
            if i == len {
                row.copy_from_slice(&power);
                continue;
            }
            row.iter_mut().zip(&power).for_each(|(to, x)| *to = x / capacity);
            row[0] -= conductance * self.temperature(z) / capacity;
            if let Some(place) = place {
                row[3 + place] -= conductance / capacity;
            }
        }
    }
    fn settled(&self, u: &Input<f64>, out: &mut [f64]) {
        self.law.settled(u, out);
        let power = self.law.steady(u) * u.v;
        let new = [power, self.settled_temperature(power)];
        out.iter_mut().skip(self.heat()).zip(new).for_each(|(to, x)| *to = x);
    }
    fn steady(&self, u: &Input<f64>) -> f64 {
        let cold = self.law.steady(u);
        let conducts = self.heating.conductance > 0.0;
        let temperature = if conducts { self.settled_temperature(cold * u.v) } else { 0.0 };
        (-self.heating.softening * temperature).exp() * cold
    }
    fn step(&self, z: &mut [f64], u: &Input<f64>, dt: f64) {
        self.sample(z, u, dt);
    }
    fn sample(&self, z: &mut [f64], u: &Input<f64>, dt: f64) -> f64 {
        let law = self.law.sample(z, u, dt);
        let force = self.factor(z) * law;
        let Heating { capacity, conductance, .. } = self.heating;
        let (power, before) = (force * u.v, self.temperature(z));
        // exact for a power that stays
        let share = -(-conductance / capacity * dt).exp_m1();
        let after = if conductance > 0.0 && capacity < f64::INFINITY {
            before + (power / conductance - before) * share
        } else {
            before + power * dt / capacity
        };
        let heat = self.heat();
        for (to, x) in z.iter_mut().skip(heat).zip([None, Some(after)]) {
            *to = x.unwrap_or(*to + power * dt);
        }
        force
    }
    fn tangent(&self, z: &[f64], u: &Input<f64>, dt: f64) -> [f64; 2] {
        let factor = self.factor(z);
        self.law.tangent(z, u, dt).map(|x| factor * x)
    }
    fn hold(&self, z: &[f64], u: &Input<f64>, dir: f64) -> f64 {
        self.factor(z) * self.law.hold(z, u, dir)
    }
    fn flow_by_parameters(&self, z: &[f64], u: &Input<f64>, by: &[f64], rate: &mut [f64]) -> f64 {
        let own = self.law.parameters(&mut []);
        let number = |i: usize| by.get(own + i).copied().unwrap_or(0.0);
        let Heating { capacity, conductance, .. } = self.heating;
        let (factor, temperature) = (self.factor(z), self.temperature(z));
        let by_law = self.law.flow_by_parameters(z, u, by, rate);
        let cold = self.law.force(z, u);
        let force = factor * (by_law - number(2) * temperature * cold);
        let power = force * u.v;
        let warming = (factor * cold * u.v - conductance * temperature) / capacity;
        let by_capacity = if capacity < f64::INFINITY { warming / capacity * number(0) } else { 0.0 };
        let new = [power, (power - number(1) * temperature) / capacity - by_capacity];
        rate.iter_mut().skip(self.heat()).zip(new).for_each(|(to, x)| *to = x);
        force
    }
    fn parameters(&self, out: &mut [f64]) -> usize {
        let own = self.law.parameters(out);
        let Heating { capacity, conductance, softening } = self.heating;
        let values = [capacity, conductance, softening];
        out.iter_mut().skip(own).zip(values).for_each(|(to, x)| *to = x);
        own + values.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::wrapped_law::WrappedLaw;
    use super::{HeatedLaw, Heating};
    use crate::Spec;
    use stiction_core::Input;
    use stiction_core::registry::DynLaw;

    /// Every entry against a central difference, whose truncation and rounding are of the order 1e-10 of the value.
    #[test]
    fn partial_derivatives_are_difference_quotients() {
        for name in ["stribeck", "lugre"] {
            let heating = Heating { capacity: 3.0, conductance: 0.7, softening: 0.2 };
            let law = Spec::new(name).and_then(|s| s.build()).expect("a law");
            let law = WrappedLaw(HeatedLaw { law, heating });
            let mut z = vec![0.0; law.len()];
            let k = law.len();
            z.iter_mut().enumerate().for_each(|(i, z)| *z = if i + 2 < k { 3e-6 } else { 1.3 + i as f64 });
            let which: Vec<usize> = (0..k).collect();
            let wide = 3 + k;
            let mut rows = vec![0.0; (1 + k) * wide];
            let u = Input { v: 0.02, load: 1.1 };
            law.partials(&z, &u, &which, true, &mut rows);
            let at = |z: &[f64], u: &Input<f64>| {
                let mut rate = vec![0.0; k];
                let force = law.flow(z, u, &mut rate);
                std::iter::once(force).chain(rate).collect::<Vec<f64>>()
            };
            for column in 0..wide {
                let changed = |d: f64| {
                    let (mut z, mut u) = (z.clone(), u);
                    match column {
                        1 => u.v += d * u.v,
                        2 => u.load += d * u.load,
                        i if i > 2 => z[i - 3] += d * z[i - 3],
                        _ => {}
                    }
                    at(&z, &u)
                };
                let size = [1.0, u.v, u.load].into_iter().chain(z.iter().copied()).nth(column).expect("a size");
                let (low, high, middle) = (changed(-1e-5), changed(1e-5), changed(0.0));
                for r in 0..=k {
                    let got = rows[r * wide + column];
                    let wanted = if column == 0 { middle[r] } else { (high[r] - low[r]) / (2e-5 * size) };
                    let noise = 1e-7 * wanted.abs() + 1e-9 * middle[r].abs() / size;
                    assert!((got - wanted).abs() <= noise, "{name}: row {r}, column {column}: {got} for {wanted}");
                }
            }
        }
    }
}
