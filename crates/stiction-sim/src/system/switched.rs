//! A controller that a signal switches on and off, as the torque of a servo is enabled.
use super::{ContinuousController, ControllerInput, SampledController, Signal};

/// A controller whose output is multiplied by a signal: 1 is on, 0 is off. Its states stand still while it is off.
pub struct SwitchedController<C: ?Sized> {
    /// The factor.
    pub enable: Signal,
    /// The controller.
    pub control: Box<C>,
}

impl ContinuousController for SwitchedController<dyn ContinuousController> {
    fn reference(&self) -> Option<&Signal> {
        self.control.reference()
    }
    fn reference_mut(&mut self) -> Option<&mut Signal> {
        self.control.reference_mut()
    }
    fn signals(&self) -> Vec<&Signal> {
        let mut out = self.control.signals();
        out.push(&self.enable);
        out
    }
    fn states(&self) -> usize {
        self.control.states()
    }
    fn state(&self, k: usize) -> String {
        self.control.state(k)
    }
    fn eval(&self, now: &ControllerInput<'_>, w: &[f64], rate: &mut [f64]) -> f64 {
        let on = self.enable.eval(now.t, now.from)[0];
        let u = self.control.eval(now, w, rate);
        rate.iter_mut().for_each(|rate| *rate *= on);
        on * u
    }
    fn partials(&self, now: &ControllerInput<'_>, w: &[f64], rows: &mut [f64]) {
        let [on, by_t, ..] = self.enable.eval(now.t, now.from);
        self.control.partials(now, w, rows);
        for row in rows.chunks_exact_mut(2 + now.y.len() + w.len()) {
            let value = row[0];
            row.iter_mut().for_each(|x| *x *= on);
            row[1] += by_t * value;
        }
    }
    fn next_breakpoint(&self, t: f64) -> f64 {
        self.control.next_breakpoint(t).min(self.enable.next_breakpoint(t))
    }
    fn max_resolved_step(&self, t: f64) -> f64 {
        self.control.max_resolved_step(t).min(self.enable.max_resolved_step(t))
    }
}

impl SampledController for SwitchedController<dyn SampledController> {
    fn reference(&self) -> Option<&Signal> {
        self.control.reference()
    }
    fn reference_mut(&mut self) -> Option<&mut Signal> {
        self.control.reference_mut()
    }
    fn memory(&self) -> usize {
        self.control.memory()
    }
    fn sample(&self, memory: &mut [f64], now: &ControllerInput<'_>) -> f64 {
        match self.enable.eval(now.t, now.from)[0] {
            0.0 => 0.0,
            on => on * self.control.sample(memory, now),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ContinuousController, ControllerInput, Curve, Feedback, Signal, SwitchedController};

    /// Rows against differences, on the slope of a signal that switches gradually; and off is off.
    #[test]
    fn the_factor_multiplies_output_and_rates() {
        let ramp = Signal::Ramp { offset: 0.0, slope: 0.5, start: 1.0, end: 3.0 };
        let feedback = Feedback {
            gains: vec![2.0],
            ki: 0.3,
            reference: ramp.clone(),
            extra: Signal::Constant(0.1),
            friction: None,
        };
        let control: Box<dyn ContinuousController> = Box::new(feedback);
        let switched = SwitchedController { enable: ramp, control };
        let at = |t: f64, y: f64, w: f64| {
            let mut rate = [0.0];
            let u = switched.eval(&ControllerInput { t, from: 1.0, y: &[y] }, &[w], &mut rate);
            [u, rate[0]]
        };
        let mut rows = [0.0; 8];
        switched.partials(&ControllerInput { t: 2.0, from: 1.0, y: &[0.7] }, &[0.4], &mut rows);
        let d = 1e-5;
        let moved = [
            (1, at(2.0 + d, 0.7, 0.4), at(2.0 - d, 0.7, 0.4)),
            (2, at(2.0, 0.7 + d, 0.4), at(2.0, 0.7 - d, 0.4)),
            (3, at(2.0, 0.7, 0.4 + d), at(2.0, 0.7, 0.4 - d)),
        ];
        for (column, up, down) in moved {
            for k in 0..2 {
                let slope = (up[k] - down[k]) / (2.0 * d);
                // products of at most two linear functions: a central difference is exact but for rounding
                assert!((slope - rows[4 * k + column]).abs() < 1e-9, "{column} {k}: {slope} {}", rows[4 * k + column]);
            }
        }
        let off = Signal::Table(Curve::hold(vec![0.0, 1.0, 2.0, 3.0], vec![1.0, 1.0, 0.0, 0.0]).expect("a curve"));
        assert_eq!([off.at(1.9), off.at(2.0), off.at(9.0)], [1.0, 0.0, 0.0]);
        // only where the value changes
        assert_eq!([off.next_breakpoint(-1.0), off.next_breakpoint(2.0)], [2.0, f64::INFINITY]);
        assert!(off.jumps());
    }
}
