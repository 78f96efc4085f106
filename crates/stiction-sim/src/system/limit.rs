//! A controller whose output is limited, as by a supply or a current loop.
use super::{Control, Moment, Sampled};

/// A controller with its output held within `±limit`. Its own states go on as without: an integral winds up.
pub struct Limited<C: ?Sized> {
    /// The largest output.
    pub limit: f64,
    /// The controller.
    pub control: Box<C>,
}

impl Control for Limited<dyn Control> {
    fn states(&self) -> usize {
        self.control.states()
    }
    fn state(&self, k: usize) -> String {
        self.control.state(k)
    }
    fn eval(&self, now: &Moment<'_>, w: &[f64], rate: &mut [f64]) -> f64 {
        self.control.eval(now, w, rate).clamp(-self.limit, self.limit)
    }
    fn partials(&self, now: &Moment<'_>, w: &[f64], rows: &mut [f64]) {
        self.control.partials(now, w, rows);
        let wide = 2 + now.y.len() + w.len();
        if rows[0].abs() > self.limit {
            let at = self.limit.copysign(rows[0]);
            rows[..wide].fill(0.0);
            rows[0] = at;
        }
    }
    fn stop_after(&self, t: f64) -> f64 {
        self.control.stop_after(t)
    }
    fn pace(&self, t: f64) -> f64 {
        self.control.pace(t)
    }
}

impl Sampled for Limited<dyn Sampled> {
    fn fresh(&self) -> Box<dyn Sampled> {
        Box::new(Self { limit: self.limit, control: self.control.fresh() })
    }
    fn sample(&mut self, now: &Moment<'_>) -> f64 {
        self.control.sample(now).clamp(-self.limit, self.limit)
    }
}
