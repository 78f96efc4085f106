//! Units of a law: a law is for rotation if its parameters are.
use stiction::Spec;
use stiction::analysis::drive::rotates;

/// Units of force, displacement and velocity.
pub struct Units {
    pub force: &'static str,
    pub way: &'static str,
    pub speed: &'static str,
}

/// Those of a law.
pub fn of(spec: &Spec) -> Units {
    if rotates(spec) {
        Units { force: "N·m", way: "rad", speed: "rad/s" }
    } else {
        Units { force: "N", way: "m", speed: "m/s" }
    }
}
