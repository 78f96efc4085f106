//! Force and rates of one contact in its present mode, with their derivatives.
use super::components::{ContactState, NormalLoad};
use super::flow::TINY;
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// Force and rates of a contact at sliding velocity `v`, continued smoothly from the side of its mode. Beyond zero the law
/// is reflected about its value at zero, so that a step beyond an event sees no kink. At rest the law is evaluated at
/// `regularisation_speed`.
#[inline(always)]
pub(super) fn one_sided_force(
    law: &dyn DynLaw,
    z: &[f64],
    (side, regularisation_speed): (f64, f64),
    u: Input<f64>,
    rates: &mut [f64],
    other: &mut [f64],
) -> f64 {
    let Input { v, load } = u;
    // a side of zero means the bare law
    if v * side > 0.0 || side == 0.0 {
        return law.flow(z, &u, rates);
    }
    let at_rest = law.flow(z, &Input { v: side * regularisation_speed.max(TINY), load }, rates);
    if v * side >= -regularisation_speed {
        return at_rest;
    }
    let mirrored = law.flow(z, &Input { v: -v, load }, other);
    for (rate, other) in rates.iter_mut().zip(other) {
        *rate = 2.0 * *rate - *other;
    }
    2.0 * at_rest - mirrored
}

/// Force and rates of a contact with their derivatives, at sliding velocity `v` on the side of its mode. The slope of some
/// laws is unbounded towards rest and does not describe the law at the speeds within a step; below `slope_speed` the slopes
/// are those at `slope_speed`.
#[inline(always)]
pub(super) fn one_sided_partials(
    law: &dyn DynLaw,
    (z, which): (&[f64], &[usize]),
    (side, regularisation_speed, slope_speed): (f64, f64, f64),
    u: Input<f64>,
    by_load: bool,
    rows: &mut [f64],
    rates: &mut [f64],
) {
    let over = u.v * side;
    if over >= slope_speed {
        return law.partials(z, &u, which, by_load, rows);
    }
    law.partials(z, &Input { v: side * slope_speed.max(TINY), load: u.load }, which, by_load, rows);
    let wide = 3 + which.len();
    let v = if over > 0.0 { u.v } else { side * regularisation_speed.max(TINY) };
    rows[0] = law.flow(z, &Input { v, load: u.load }, rates);
    for (k, &i) in which.iter().enumerate() {
        rows[(1 + k) * wide] = rates[i];
    }
}

impl ContactState<'_> {
    /// The sliding velocity that the velocities of a state give as `v`, with all digits that are known.
    #[inline(always)]
    pub fn known_speed(&self, v: f64) -> f64 {
        let [noted, rounding] = self.noted_speed;
        if (v - noted).abs() <= rounding { noted } else { v }
    }
    /// Force at sliding velocity `v`; writes the rates of the continuous states to `dy`.
    #[inline(always)]
    pub fn slide(&mut self, side: f64, v: f64, y: &[f64], dy: &mut [f64]) -> f64 {
        let u = Input { v, load: self.load[0] };
        let (at, k) = (self.at, self.which.len());
        if self.fully_continuous {
            // from state vector to rates without a copy
            let sides = (side, self.regularisation_speed);
            return one_sided_force(self.law, &y[at..at + k], sides, u, &mut dy[at..at + k], &mut self.rates2);
        }
        self.load_memory(y);
        let force = one_sided_force(
            self.law,
            &self.memory,
            (side, self.regularisation_speed),
            u,
            &mut self.rates,
            &mut self.rates2,
        );
        self.store_rates(dy);
        force
    }
    /// Rates of the continuous states at rest; the force is a constraint force.
    pub fn rest(&mut self, y: &[f64], dy: &mut [f64]) {
        self.load_memory(y);
        self.law.rate(&self.memory, &Input { v: 0.0, load: self.load[0] }, &mut self.rates);
        self.store_rates(dy);
    }
    /// Copies the rates of the continuous states to `dy`.
    #[inline(always)]
    fn store_rates(&self, dy: &mut [f64]) {
        for (k, &i) in self.which.iter().enumerate() {
            dy[self.at + k] = self.rates[i];
        }
    }
    /// Force, rates and their derivatives at sliding velocity `v`; at rest if there is no side.
    pub fn differentiate(&mut self, side: Option<f64>, v: f64, y: &[f64], dy: &mut [f64]) -> f64 {
        let by_load = !matches!(self.normal_load, NormalLoad::Constant(_));
        let wide = 3 + self.which.len();
        self.load_memory(y);
        let Self { law, memory, which, rows, rates, regularisation_speed, slope_speed, .. } = self;
        let u = Input { v, load: self.load[0] };
        match side {
            Some(side) => one_sided_partials(
                *law,
                (memory, which),
                (side, *regularisation_speed, *slope_speed),
                u,
                by_load,
                rows,
                rates,
            ),
            None => law.partials(memory, &u, which, by_load, rows),
        }
        for (k, &i) in self.which.iter().enumerate() {
            self.rates[i] = self.rows[(1 + k) * wide];
        }
        self.store_rates(dy);
        self.rows[0]
    }
    /// Copies the continuous states from the state vector.
    #[inline(always)]
    pub fn load_memory(&mut self, y: &[f64]) {
        for (k, &i) in self.which.iter().enumerate() {
            self.memory[i] = y[self.at + k];
        }
    }
    /// Copies the continuous states back to the state vector.
    pub fn store(&self, y: &mut [f64]) {
        for (k, &i) in self.which.iter().enumerate() {
            y[self.at + k] = self.memory[i];
        }
    }
}
