//! A controller with output saturation, as by a power supply or a current limit.
use super::{ContinuousController, ControllerInput, SampledController, Signal};

/// A controller whose output is limited to `±limit`. Its states do not know of the limit: an integrator winds up.
pub struct SaturatedController<C: ?Sized> {
    /// The largest output.
    pub limit: f64,
    /// The controller.
    pub control: Box<C>,
}

impl ContinuousController for SaturatedController<dyn ContinuousController> {
    fn reference(&self) -> Option<&Signal> {
        self.control.reference()
    }
    fn reference_mut(&mut self) -> Option<&mut Signal> {
        self.control.reference_mut()
    }
    fn signals(&self) -> Vec<&Signal> {
        self.control.signals()
    }
    fn states(&self) -> usize {
        self.control.states()
    }
    fn state(&self, k: usize) -> String {
        self.control.state(k)
    }
    fn eval(&self, now: &ControllerInput<'_>, w: &[f64], rate: &mut [f64]) -> f64 {
        self.control.eval(now, w, rate).clamp(-self.limit, self.limit)
    }
    fn partials(&self, now: &ControllerInput<'_>, w: &[f64], rows: &mut [f64]) {
        self.control.partials(now, w, rows);
        let wide = 2 + now.y.len() + w.len();
        if rows[0].abs() > self.limit {
            let at = self.limit.copysign(rows[0]);
            rows[..wide].fill(0.0);
            rows[0] = at;
        }
    }
    fn next_breakpoint(&self, t: f64) -> f64 {
        self.control.next_breakpoint(t)
    }
    fn max_resolved_step(&self, t: f64) -> f64 {
        self.control.max_resolved_step(t)
    }
}

impl SampledController for SaturatedController<dyn SampledController> {
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
        self.control.sample(memory, now).clamp(-self.limit, self.limit)
    }
}
