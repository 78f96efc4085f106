//! A first-order lag between a command and its force: the current in a motor's winding, the pressure behind a valve.
use super::{ContinuousController, ControllerInput};

/// A first-order lag, `time·df/dt = command − f`, with `f` the force. Its only measurement is the command.
pub struct FirstOrderLag {
    /// Time constant \[s\].
    pub time: f64,
}

impl ContinuousController for FirstOrderLag {
    fn states(&self) -> usize {
        1
    }
    fn state(&self, _: usize) -> String {
        "force".to_owned()
    }
    fn eval(&self, now: &ControllerInput<'_>, w: &[f64], rate: &mut [f64]) -> f64 {
        rate[0] = (now.y[0] - w[0]) / self.time;
        w[0]
    }
    fn partials(&self, now: &ControllerInput<'_>, w: &[f64], rows: &mut [f64]) {
        let slope = 1.0 / self.time;
        // value, then by time, command and force
        rows.copy_from_slice(&[w[0], 0.0, 0.0, 1.0, slope * (now.y[0] - w[0]), 0.0, slope, -slope]);
    }
    fn is_linear(&self) -> bool {
        true
    }
}
