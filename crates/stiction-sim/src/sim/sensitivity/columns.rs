//! Derivatives of the columns of a row.
use super::super::components::ContactMode;
use super::super::flow::Flow;
use super::super::rosenbrock::Step;
use super::{Sensitivity, derivative};
use stiction_core::Input;

impl Sensitivity<'_> {
    /// Appends the derivatives of a row within a step, at its fraction `theta` and time `t` in state `y`.
    pub fn append_in_step(
        &mut self,
        run: &Flow<'_>,
        step: &Step,
        theta: f64,
        (t, y): (f64, &[f64]),
        row: &mut Vec<f64>,
    ) {
        let s = self.at_fraction(step, theta);
        self.append(run, &s, (t, y), row);
    }
    /// Appends the derivatives of a row between steps or within a transition.
    pub fn append_now(&mut self, run: &Flow<'_>, (t, y): (f64, &[f64]), row: &mut Vec<f64>) {
        self.follow(run);
        let rates = self.base.rates(t, y)[..self.numbers].to_vec();
        let now = |parameter: &super::Parameter<'_>| {
            // E − f·dt*/dp with the rates of the present modes: S⁻ before they change, S⁺ after
            let dt = if parameter.dt.is_finite() { parameter.dt } else { 0.0 };
            parameter.s.iter().zip(&rates).map(|(s, f)| s - f * dt).collect()
        };
        let s: Vec<Vec<f64>> = self.parameters.iter().map(now).collect();
        self.append(run, &s, (t, y), row);
    }
    /// For each parameter, the derivatives of all columns but the time.
    fn append(&mut self, run: &Flow<'_>, s: &[Vec<f64>], (t, y): (f64, &[f64]), row: &mut Vec<f64>) {
        self.follow(run);
        let count = row.len();
        let mut base = Vec::new();
        self.base.layout.fill(&mut self.base.flow, t, y, &mut base);
        for (k, s) in s.iter().enumerate() {
            if self.parameters[k].lost {
                row.extend(std::iter::repeat_n(f64::NAN, count - 1));
                continue;
            }
            let along = self.columns_along((t, y), s, &base);
            let parameter = &mut self.parameters[k];
            let [mut first, mut second] = [Vec::new(), Vec::new()];
            parameter.with_laws_of(&self.base, |varied| {
                for (varied, out) in varied.iter_mut().zip([&mut first, &mut second]) {
                    varied.layout.fill(&mut varied.flow, t, y, out);
                }
            });
            let mut all: Vec<f64> =
                (0..count).map(|i| along[i] + parameter.quotient(base[i], [first[i], second[i]])).collect();
            for c in (0..parameter.laws.len()).filter(|&c| !parameter.laws[c].is_empty()) {
                if let ContactMode::Slip(_) = self.base.flow.components.contacts[c].mode {
                    let mut rates = vec![0.0; self.base.flow.components.contacts[c].memory.len()];
                    all[self.base.layout.force(c)] += parameter.law_by_parameters(&mut self.base, c, y, &mut rates);
                }
            }
            row.extend_from_slice(&all[1..]);
        }
    }
    /// The derivatives of the columns `base` along a direction in state space.
    fn columns_along(&mut self, (t, y): (f64, &[f64]), s: &[f64], base: &[f64]) -> Vec<f64> {
        let factor = self.factor(y, s);
        let mut moved = y.to_vec();
        // by central differences over the whole and half the change, extrapolated as in `derivative`
        let mut values = |x: f64| {
            moved.iter_mut().zip(y).zip(s).for_each(|((to, y), s)| *to = y + x * s);
            let mut out = Vec::new();
            self.base.layout.fill(&mut self.base.flow, t, &moved, &mut out);
            out
        };
        let mut out = vec![0.0; base.len()];
        if factor > 0.0 {
            let at = [factor, -factor, 0.5 * factor, -0.5 * factor];
            let rows = at.map(&mut values);
            for (i, out) in out.iter_mut().enumerate() {
                let value = |x: f64| at.iter().position(|at| *at == x).map_or(0.0, |k| rows[k][i]);
                *out = derivative(factor, value);
            }
        }
        // linear columns, and forces of laws on their own side of rest
        self.base.layout.fill(&mut self.base.flow, t, y, &mut Vec::new());
        for (k, node) in self.base.layout.node_rows().iter().enumerate() {
            out[1 + 2 * k] = node.coordinates().map(|(i, c)| c * s[i]).sum();
            out[2 + 2 * k] = node.own_speed(s);
        }
        let loads: Vec<f64> =
            (0..self.base.flow.components.contacts.len()).map(|c| self.load_along(c, (t, y), s)).collect();
        for (c, load) in loads.into_iter().enumerate() {
            let at = self.base.layout.force(c);
            let contact = &mut self.base.flow.components.contacts[c];
            let ContactMode::Slip(side) = contact.mode else { continue };
            let own = contact.row.own_speed(s);
            out[at + 1] = own;
            let v = contact.row.v(y, &self.base.flow.motions);
            let u = Input { v: contact.regularised_velocity(side, v), load: contact.load[0] };
            let wide = 3 + contact.which.len();
            let mut rows = vec![0.0; (1 + contact.which.len()) * wide];
            contact.load_memory(y);
            contact.law.partials(&contact.memory, &u, &contact.which, true, &mut rows);
            let by_state: f64 = rows[3..wide].iter().enumerate().map(|(k, by)| by * s[contact.at + k]).sum();
            out[at] = rows[1] * own + rows[2] * load + by_state;
        }
        out
    }
    /// The derivative of the load of contact `c` along a direction in state space.
    fn load_along(&mut self, c: usize, (t, y): (f64, &[f64]), s: &[f64]) -> f64 {
        use super::super::components::NormalLoad;
        use super::super::normal_load::load_at;
        if matches!(self.base.flow.components.contacts[c].normal_load, NormalLoad::Constant(_) | NormalLoad::Signal(_))
        {
            return 0.0;
        }
        let factor = self.factor(y, s);
        let mut moved = y.to_vec();
        self.base.flow.set_motions(t);
        derivative(factor, |x| {
            moved.iter_mut().zip(y).zip(s).for_each(|((to, y), s)| *to = y + x * s);
            load_at(&mut self.base.flow, c, t, &moved)
        })
    }
}
