//! A law that holds more at rest than the force with which it slides at first.
//!
//! The forces at rest are a set of half-width `hold`. In most laws its end is the force just after motion has begun; dry surfaces that have
//! rested hold more. Here the half-width is `peak` times that of the law within, and everything else is as it is there: once the limit is
//! passed, the force falls at once to that of sliding.
use super::wrapped_law::LawWrapper;
use stiction_core::Input;
use stiction_core::registry::DynLaw;

pub(super) struct PeakLaw {
    pub law: Box<dyn DynLaw>,
    pub peak: f64,
}

impl LawWrapper for PeakLaw {
    fn inner(&self) -> &dyn DynLaw {
        &*self.law
    }
    fn hold(&self, z: &[f64], u: &Input<f64>, dir: f64) -> f64 {
        self.peak * self.law.hold(z, u, dir)
    }
}
