//! A damper that a signal switches, such as the short-circuited winding of a motor.
use super::builder::Builder;
use super::component_table::ComponentTable;
use crate::Error;
use crate::system::{Actuation, ContinuousController, Controller, ControllerInput, GROUND, Measurement, Node, Signal};

/// The force `−factor·damping·(v₁ − v₂)` of a damper on one of its ends; a second velocity may be missing.
struct SwitchedDamper {
    damping: f64,
    factor: Signal,
}

impl ContinuousController for SwitchedDamper {
    fn signals(&self) -> Vec<&Signal> {
        vec![&self.factor]
    }
    fn eval(&self, now: &ControllerInput<'_>, _: &[f64], _: &mut [f64]) -> f64 {
        let relative = now.y.first().unwrap_or(&0.0) - now.y.get(1).unwrap_or(&0.0);
        -self.damping * self.factor.eval(now.t, now.from)[0] * relative
    }
    fn partials(&self, now: &ControllerInput<'_>, w: &[f64], rows: &mut [f64]) {
        let [factor, by_t, ..] = self.factor.eval(now.t, now.from);
        let relative = now.y.first().unwrap_or(&0.0) - now.y.get(1).unwrap_or(&0.0);
        rows[0] = self.eval(now, w, &mut []);
        rows[1] = -self.damping * by_t * relative;
        for (k, row) in rows[2..2 + now.y.len()].iter_mut().enumerate() {
            *row = if k == 0 { -self.damping * factor } else { self.damping * factor };
        }
    }
    fn next_breakpoint(&self, t: f64) -> f64 {
        self.factor.next_breakpoint(t)
    }
    fn max_resolved_step(&self, t: f64) -> f64 {
        self.factor.max_resolved_step(t)
    }
}

/// Adds a damper that the signal `enable` switches: the force NAME.u on its first end, and NAME-reaction.u on its second.
pub(super) fn switched_damper(build: &mut Builder<'_>, s: &ComponentTable<'_>, [a, b]: [Node; 2]) -> Result<(), Error> {
    let damping = s.number("damping")?;
    s.check("damping", damping, damping >= 0.0 && damping.is_finite(), "0 or more")?;
    let factor = build.signal(s, "enable")?;
    for (name, on, other) in [(s.name().to_owned(), a, b), (format!("{}-reaction", s.name()), b, a)] {
        if on == GROUND {
            continue;
        }
        let mut measures = vec![Measurement::Velocity(on)];
        if other != GROUND {
            measures.push(Measurement::Velocity(other));
        }
        let control = Controller::Continuous(Box::new(SwitchedDamper { damping, factor: factor.clone() }));
        build.system.control(&name, control, measures, Actuation::Force(on)).map_err(|error| s.at_key(error))?;
    }
    Ok(())
}
