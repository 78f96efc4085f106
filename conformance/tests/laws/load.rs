//! Normal load: dry friction is proportional to it, distances and viscous terms do not know it.
use crate::{Property, all, ensure, reached};
use stiction_core::{Input, Law, StateVector};

struct Proportional;
impl Property for Proportional {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        // a gear's load is a torque: tested by itself in laws.rs
        if M::SIGNED_LOAD {
            return Ok(());
        }
        let mut loaded = false;
        for (z, v) in reached(m, 10, 200) {
            let u = |load: f64| Input { v, load };
            let [none, one, more] = [0.0, 1.0, 2.5].map(|load| m.force(&z, &u(load)));
            // differences of forces: a few roundings of the terms, which a damper of 300 N s/m makes 1e-13 of the force
            let (want, got) = (2.5 * (one - none), more - none);
            ensure!((got - want).abs() <= 1e-12 * (want.abs() + none.abs()), "load 2.5 gives {got} instead of {want}");
            loaded |= (one - none).abs() > 0.0;
            let hold = |load: f64| m.hold(&z, &u(load), 1.0);
            ensure!((hold(2.5) - 2.5 * hold(1.0)).abs() <= 1e-12 * hold(2.5), "hold is not proportional to load");
            // memory is kept at nominal load
            let (a, b) = (m.step(&z, &u(1.0), 1e-3), m.step(&z, &u(2.5), 1e-3));
            ensure!((0..M::State::LEN).all(|i| a.get(i).to_bits() == b.get(i).to_bits()), "the step depends on load");
            ensure!(m.force(&z, &u(-1.0)) == none, "a contact pulls");
        }
        ensure!(loaded != (M::NAME == "viscous"), "the force does not depend on load");
        Ok(())
    }
}
#[test]
fn dry_friction_is_proportional_to_load() {
    all(&Proportional);
}
