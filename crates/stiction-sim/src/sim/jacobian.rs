//! Exact derivatives of the right-hand side; those of the contact laws come from dual numbers.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::components::{
    Components, ConstraintRow, ContactMode, ControllerKind, ControllerState, NormalLoad, SpringState,
};
use super::flow::{DAMPING, FRICTION, Flow, WORK};
use super::matrix::Matrix;
use crate::system::{ControllerInput, SignalDerivatives};

/// The Jacobian: derivatives by positions, by velocities and other states, and by time. The column of a position has the
/// index of its velocity.
pub(super) struct Jacobian {
    pub by_q: Matrix,
    pub by_u: Matrix,
    pub by_t: Vec<f64>,
    /// The derivatives of the three powers: by positions, then by velocities and other states; and by time.
    pub power: Vec<[f64; 4]>,
    pub power_t: [f64; 4],
    /// The part of `by_u` that is constant between events, for systems with a
    /// [`LinearPart`](super::linear_part::LinearPart), and its revision number.
    pub base: Matrix,
    pub revision: u64,
}

impl Jacobian {
    pub fn new(n: usize, nu: usize, band: Option<usize>) -> Self {
        let matrix = || band.map_or_else(|| Matrix::full(nu), |band| Matrix::banded(nu, band));
        Self {
            by_q: matrix(),
            by_u: matrix(),
            by_t: vec![0.0; nu],
            power: vec![[0.0; 4]; n + nu],
            power_t: [0.0; 4],
            base: matrix(),
            revision: 0,
        }
    }
    pub fn clear(&mut self) {
        self.by_q.clear();
        self.by_u.clear();
        self.by_t.fill(0.0);
        self.power.fill([0.0; 4]);
        self.power_t = [0.0; 4];
        self.revision = 0;
    }
}

/// The derivatives of a scalar: by positions (indexed by coordinate), by velocities and other states (by their index in the
/// Jacobian), and by time.
#[derive(Clone, Debug, Default)]
pub(super) struct Gradient {
    q: Vec<(usize, f64)>,
    u: Vec<(usize, f64)>,
    t: f64,
}
impl Gradient {
    fn clear(&mut self) {
        self.q.clear();
        self.u.clear();
        self.t = 0.0;
    }
    fn by_x(&mut self, row: &ConstraintRow, slope: f64, motions: &[SignalDerivatives]) {
        if slope != 0.0 {
            self.q.extend(row.coordinates().map(|(i, c)| (i, slope * c)));
            self.t += slope * row.driven(motions, 1);
        }
    }
    fn by_v(&mut self, row: &ConstraintRow, slope: f64, motions: &[SignalDerivatives], n: usize) {
        if slope != 0.0 {
            self.u.extend(row.speeds().map(|(i, c)| (i - n, slope * c)));
            self.t += slope * row.driven(motions, 2);
        }
    }
    fn append(&mut self, other: &Self, gain: f64) {
        self.q.extend(other.q.iter().map(|&(i, x)| (i, gain * x)));
        self.u.extend(other.u.iter().map(|&(i, x)| (i, gain * x)));
        self.t += gain * other.t;
    }
    fn add_to_row(&self, jacobian: &mut Jacobian, row: usize, gain: f64, vi: &[usize], n: usize) {
        for &(i, x) in &self.q {
            jacobian.by_q.add(row, vi[i] - n, gain * x);
        }
        for &(i, x) in &self.u {
            jacobian.by_u.add(row, i, gain * x);
        }
        jacobian.by_t[row] += gain * self.t;
    }
    fn add_to_power(&self, jacobian: &mut Jacobian, power: usize, gain: f64, n: usize) {
        for &(i, x) in &self.q {
            jacobian.power[i][power] += gain * x;
        }
        for &(i, x) in &self.u {
            jacobian.power[n + i][power] += gain * x;
        }
        jacobian.power_t[power] += gain * self.t;
    }
}

impl Flow<'_> {
    /// Computes the rates and their derivatives.
    pub fn jacobian(&mut self, t: f64, y: &[f64], dy: &mut [f64], powers: &mut [f64; 4], out: &mut Jacobian) {
        if self.linear_part.applies {
            return self.linear_part_jacobian(t, y, dy, powers, out);
        }
        // values, loads, spring forces and accelerations
        self.differentiates = true;
        self.rates(t, y, dy, powers);
        self.differentiates = false;
        out.clear();
        let n = self.components.n;
        self.force_by_t.fill(0.0);
        let Self {
            components: Components { springs, contacts, applied_forces, controllers, vi, .. },
            motions,
            from,
            gradient: g,
            ..
        } = self;
        for spring in springs.iter() {
            g.clear();
            spring_gradient(spring, y, motions, n, g);
            scatter(g, &spring.row, -1.0, out, vi, n);
            let error = spring.error(y, motions);
            if let Some([_, slope, _]) = error {
                scatter(g, &spring.error_row, slope, out, vi, n);
            }
            if spring.row.nm > 0 {
                g.add_to_power(out, WORK, spring.driven_speed(y, motions), n);
                out.power_t[WORK] += spring.force * spring.row.driven(motions, 2);
            }
            if let Some([_, slope, bend]) = error {
                // the direction in which the force acts on the coordinates turns with the angle
                g.clear();
                g.by_x(&spring.error_row, spring.force * bend, motions);
                scatter(g, &spring.error_row, 1.0, out, vi, n);
                g.add_to_power(out, WORK, -spring.error_row.driven(motions, 1), n);
                out.power_t[WORK] -= spring.force * slope * spring.error_row.driven(motions, 2);
            }
            if spring.parameters.damping != 0.0 {
                let v = spring.v(y, motions);
                let force = spring.at(spring.x(y, motions), v);
                g.clear();
                displacement_gradient(
                    spring,
                    [force.damping_by_x * v, force.damping + force.damping_by_v * v],
                    (y, motions, n),
                    g,
                );
                g.add_to_power(out, DAMPING, 1.0, n);
            }
        }
        for applied in applied_forces.iter() {
            let [f, by_t, ..] = applied.signal.eval(t, *from);
            for ((_, c), (v, _)) in applied.row.coordinates().zip(applied.row.speeds()) {
                out.by_t[v - n] += c * by_t;
                out.power[v][WORK] += c * f;
                out.power_t[WORK] += c * by_t * y[v];
            }
        }
        for controller in controllers.iter_mut() {
            if let ControllerKind::Continuous(control) = controller.kind {
                let now = ControllerInput { t, from: *from, y: &controller.y };
                control.partials(&now, &y[controller.at..controller.at + controller.states], &mut controller.rows);
                for k in 0..controller.states {
                    g.clear();
                    steer_gradient(controller, 1 + k, motions, n, g);
                    g.add_to_row(out, controller.at - n + k, 1.0, vi, n);
                }
            }
            if let Some(row) = controller.on {
                g.clear();
                if matches!(controller.kind, ControllerKind::Continuous(_)) {
                    steer_gradient(controller, 0, motions, n, g);
                }
                scatter(g, &row, 1.0, out, vi, n);
                for (v, c) in row.speeds() {
                    g.add_to_power(out, WORK, c * y[v], n);
                    out.power[v][WORK] += c * controller.output;
                }
            }
        }
        for contact in contacts.iter_mut() {
            let v = contact.known_speed(contact.row.v(y, motions));
            let k = contact.which.len();
            let wide = 3 + k;
            let by_load = !matches!(contact.normal_load, NormalLoad::Constant(_));
            let slips = matches!(contact.mode, ContactMode::Slip(_));
            if contact.which.is_empty() && !slips {
                continue;
            }
            let mut load = Gradient::default();
            match contact.normal_load {
                NormalLoad::Constant(_) => {}
                NormalLoad::Signal(signal) => load.t = signal.eval(t, *from)[1],
                NormalLoad::Spring(i, gain) => {
                    g.clear();
                    spring_gradient(&springs[i], y, motions, n, g);
                    load.append(g, gain);
                    g.clear();
                }
                NormalLoad::Control(i) => {
                    if matches!(controllers[i].kind, ControllerKind::Continuous(_)) {
                        steer_gradient(&controllers[i], 0, motions, n, &mut load);
                    }
                }
            }
            for r in 0..=k {
                let row = &contact.rows[r * wide..(r + 1) * wide];
                if r == 0 && !slips {
                    continue;
                }
                g.clear();
                if slips {
                    g.by_v(&contact.row, row[1], motions, n);
                }
                if by_load {
                    g.append(&load, row[2]);
                }
                g.u.extend(row[3..].iter().enumerate().map(|(j, &x)| (contact.at - n + j, x)));
                if r > 0 {
                    g.add_to_row(out, contact.at - n + r - 1, 1.0, vi, n);
                    continue;
                }
                let f = row[0];
                scatter(g, &contact.row, -1.0, out, vi, n);
                g.add_to_power(out, FRICTION, v, n);
                if contact.row.nm > 0 {
                    g.add_to_power(out, WORK, contact.row.driven(motions, 1), n);
                    out.power_t[WORK] += f * contact.row.driven(motions, 2);
                }
                g.clear();
                g.by_v(&contact.row, f, motions, n);
                g.add_to_power(out, FRICTION, 1.0, n);
            }
        }
        self.plant_jacobian(out);
        self.project(out);
        self.turn_gear_rows(y, out);
    }
    fn plant_jacobian(&mut self, out: &mut Jacobian) {
        let n = self.components.n;
        for (k, &(plant, first)) in self.plants.iter().enumerate() {
            let (count, d) = (plant.axes().len(), &self.dynamics[k]);
            let angle = self.components.vi[first + count - 1] - n;
            for i in 0..count {
                let row = self.components.vi[first + i] - n;
                // d/dθ of A·(g − h) is A·(dg − dh − dM·a)
                let mut by_angle = d.bias_by_angle[i];
                for j in 0..count {
                    by_angle += d.mass_by_angle[i][j] * self.acceleration[first + j];
                    out.by_u.add(row, self.components.vi[first + j] - n, -d.bias_by_speed[i][j]);
                }
                out.by_q.add(row, angle, -by_angle);
            }
            for &(j, m, factor) in &self.groups.driven {
                for i in (first..first + count).filter(|&i| i != j) {
                    out.by_t[self.components.vi[i] - n] -= self.mass(i, j) * factor * self.motions[m][3];
                }
            }
        }
    }
    /// Converts derivatives of forces into derivatives of accelerations, and adds the power of driven coordinates.
    fn project(&mut self, out: &mut Jacobian) {
        let (n, nu) = (self.components.n, self.components.nu);
        let vi = &self.components.vi;
        for &(i, k, factor) in &self.groups.driven {
            let (speed, row) = (factor * self.motions[k][1], vi[i] - n);
            for (j, v) in vi.iter().enumerate() {
                let v = v - n;
                if out.by_q.columns(row).contains(&v) {
                    out.power[j][WORK] -= speed * out.by_q.get(row, v);
                }
            }
            for j in out.by_u.columns(row) {
                out.power[n + j][WORK] -= speed * out.by_u.get(row, j);
            }
            let inertia = self.mass(i, i) * factor * self.motions[k][3];
            let reaction = self.reaction(i);
            out.power_t[WORK] += speed * (inertia - out.by_t[row]) + factor * self.motions[k][2] * reaction;
        }
        if self.groups.is_full {
            // rows of velocities are combined; all others stay
            self.rows.clear();
            for by in [&out.by_q, &out.by_u] {
                for i in 0..n {
                    self.rows.extend((0..nu).map(|j| by.get(vi[i] - n, j)));
                }
            }
            self.force_by_t.iter_mut().zip(vi).for_each(|(f, v)| *f = out.by_t[v - n]);
            for i in 0..n {
                let a = &self.groups.full[i * n..(i + 1) * n];
                for (half, by) in [&mut out.by_q, &mut out.by_u].into_iter().enumerate() {
                    for j in 0..nu {
                        let sum = (0..n).map(|k| a[k] * self.rows[(half * n + k) * nu + j]).sum();
                        by.set(vi[i] - n, j, sum);
                    }
                }
                out.by_t[vi[i] - n] = (0..n).map(|k| a[k] * self.force_by_t[k]).sum();
            }
        } else {
            for (i, &v) in vi.iter().enumerate() {
                let by = self.groups.inverse[i];
                out.by_q.scale_row(v - n, by);
                out.by_u.scale_row(v - n, by);
                out.by_t[v - n] *= by;
            }
        }
        for &(i, k, factor) in &self.groups.driven {
            let row = vi[i] - n;
            out.by_q.scale_row(row, 0.0);
            out.by_u.scale_row(row, 0.0);
            out.by_t[row] = factor * self.motions[k][3];
        }
        if self.has_plants() {
            // a driven coordinate also carries the inertia of the other coordinates of its plant
            for &(i, k, factor) in &self.groups.driven {
                let speed = factor * self.motions[k][1];
                for (j, v) in vi.iter().enumerate().filter(|&(j, _)| j != i) {
                    let (gain, row) = (speed * self.mass(i, j), v - n);
                    for (q, v) in vi.iter().enumerate() {
                        out.power[q][WORK] += gain * out.by_q.get(row, v - n);
                    }
                    for u in 0..nu {
                        out.power[n + u][WORK] += gain * out.by_u.get(row, u);
                    }
                    out.power_t[WORK] += gain * out.by_t[row];
                }
            }
        }
    }
}

fn spring_gradient(spring: &SpringState<'_>, y: &[f64], motions: &[SignalDerivatives], n: usize, g: &mut Gradient) {
    let force = spring.at(spring.x(y, motions), spring.v(y, motions));
    displacement_gradient(spring, [force.by_x, force.by_v], (y, motions, n), g);
}

/// The derivatives of a function of the displacement of a spring and of its rate, from those by these two.
fn displacement_gradient(
    spring: &SpringState<'_>,
    [by_x, by_v]: [f64; 2],
    (y, motions, n): (&[f64], &[SignalDerivatives], usize),
    g: &mut Gradient,
) {
    g.by_x(&spring.row, by_x, motions);
    g.by_v(&spring.row, by_v, motions, n);
    if let Some([_, slope, bend]) = spring.error(y, motions) {
        let turning = spring.error_row.v(y, motions);
        g.by_x(&spring.error_row, -slope * by_x - bend * turning * by_v, motions);
        g.by_v(&spring.error_row, -slope * by_v, motions, n);
    }
}

/// Derivatives of row `r` of a controller: its output, or the rate of a state.
fn steer_gradient(
    controller: &ControllerState<'_>,
    r: usize,
    motions: &[SignalDerivatives],
    n: usize,
    g: &mut Gradient,
) {
    let ny = controller.measures.len();
    let row = &controller.rows[r * (2 + ny + controller.states)..][..2 + ny + controller.states];
    g.t += row[1];
    for ((measure, speed), &slope) in controller.measures.iter().zip(&row[2..]) {
        if *speed {
            g.by_v(measure, slope, motions, n);
        } else {
            g.by_x(measure, slope, motions);
        }
    }
    g.u.extend(row[2 + ny..].iter().enumerate().map(|(j, &x)| (controller.at - n + j, x)));
}

/// Adds the derivatives of a force to the coordinates it acts on.
fn scatter(g: &Gradient, row: &ConstraintRow, sign: f64, out: &mut Jacobian, vi: &[usize], n: usize) {
    for (v, c) in row.speeds() {
        g.add_to_row(out, v - n, sign * c, vi, n);
    }
}

#[cfg(test)]
mod tests;
