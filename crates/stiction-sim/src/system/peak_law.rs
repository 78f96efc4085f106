//! A law that holds more at rest than the force with which it slides at first.
//!
//! The forces at rest are a set of half-width `hold`. In most laws its end is the force just after motion has begun; dry surfaces that have
//! rested hold more. Here the half-width is `peak` times that of the law within, and everything else is as it is there: once the limit is
//! passed, the force falls at once to that of sliding.
use stiction_core::Input;
use stiction_core::registry::DynLaw;

pub(super) struct PeakLaw {
    pub law: Box<dyn DynLaw>,
    pub peak: f64,
}

impl DynLaw for PeakLaw {
    fn len(&self) -> usize {
        self.law.len()
    }
    fn is_linear(&self) -> bool {
        self.law.is_linear()
    }
    fn settles(&self) -> bool {
        self.law.settles()
    }
    fn guard_count(&self) -> usize {
        self.law.guard_count()
    }
    fn force(&self, z: &[f64], u: &Input<f64>) -> f64 {
        self.law.force(z, u)
    }
    fn rate(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]) {
        self.law.rate(z, u, out);
    }
    fn flows(&self, i: usize) -> bool {
        self.law.flows(i)
    }
    fn flow(&self, z: &[f64], u: &Input<f64>, rate: &mut [f64]) -> f64 {
        self.law.flow(z, u, rate)
    }
    fn partials(&self, z: &[f64], u: &Input<f64>, which: &[usize], by_load: bool, rows: &mut [f64]) {
        self.law.partials(z, u, which, by_load, rows);
    }
    fn settled(&self, u: &Input<f64>, out: &mut [f64]) {
        self.law.settled(u, out);
    }
    fn steady(&self, u: &Input<f64>) -> f64 {
        self.law.steady(u)
    }
    fn step(&self, z: &mut [f64], u: &Input<f64>, dt: f64) {
        self.law.step(z, u, dt);
    }
    fn sample(&self, z: &mut [f64], u: &Input<f64>, dt: f64) -> f64 {
        self.law.sample(z, u, dt)
    }
    fn tangent(&self, z: &[f64], u: &Input<f64>, dt: f64) -> [f64; 2] {
        self.law.tangent(z, u, dt)
    }
    fn hold(&self, z: &[f64], u: &Input<f64>, dir: f64) -> f64 {
        self.peak * self.law.hold(z, u, dir)
    }
    fn band(&self, u: &Input<f64>) -> f64 {
        self.law.band(u)
    }
    fn guards(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]) {
        self.law.guards(z, u, out);
    }
    fn extremum(&self, z: &[f64]) -> f64 {
        self.law.extremum(z)
    }
    fn slides(&self, z: &[f64]) -> f64 {
        self.law.slides(z)
    }
    fn jump(&self, z: &mut [f64], u: &Input<f64>) {
        self.law.jump(z, u);
    }
    fn jump_along(&self, z: &[f64], dz: &mut [f64], u: &Input<f64>, du: &Input<f64>, by: &[f64]) {
        self.law.jump_along(z, dz, u, du, by);
    }
    fn flow_by_parameters(&self, z: &[f64], u: &Input<f64>, by: &[f64], rate: &mut [f64]) -> f64 {
        self.law.flow_by_parameters(z, u, by, rate)
    }
    fn parameters(&self, out: &mut [f64]) -> usize {
        self.law.parameters(out)
    }
}
