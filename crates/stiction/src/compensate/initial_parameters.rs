//! Initial parameters of a method, derived from the loop, the friction model and the encoder, where the scenario gives none.
use super::method::{CompensationMethod, belongs_to_loop};
use super::task::ServoTask;
use crate::analysis::characteristic_scales::CharacteristicScales;
use crate::scenario::ControllerPart;
use crate::{Error, Spec};
use stiction_core::Input;
use stiction_core::control::registry::Role;

/// Dither amplitude as a multiple of the break-away force, so that the contact slips.
const DITHER_FACTOR: f64 = 1.2;
/// Samples per period of the dither.
const DITHER_SAMPLES: f64 = 8.0;
/// Virtual mass added by acceleration feedback, in masses of the body, and its filter time in samples.
const ADDED_MASS: (f64, f64) = (2.0, 10.0);
/// Share of the break-away force that the position gain may apply while a smooth stop holds the body.
const HELD_SHARE: f64 = 0.9;
/// Leakage rate of adaptation, as a share of the adaptation rate.
const LEAK_SHARE: f64 = 0.01;

impl ServoTask {
    /// The parts of the controller with a method: those of the loop, and those that the method adds. A part that the scenario
    /// defines keeps its parameters; its law is the friction model.
    ///
    /// # Errors
    /// [`Error::MissingKey`] if a part needs the mass and it is unknown, and as [`crate::Spec::build`].
    pub fn parts(&self, method: &CompensationMethod) -> Result<Vec<ControllerPart>, Error> {
        let mut out: Vec<ControllerPart> =
            self.servo.parts.iter().filter(|p| belongs_to_loop(p.entry)).cloned().collect();
        for name in &method.parts {
            let own = self.servo.parts.iter().find(|p| p.entry.name == *name).cloned();
            let part = match own {
                Some(part) => part,
                None => self.start(name)?,
            };
            let law = (part.entry.role() == Role::Compensator).then(|| self.model.clone());
            out.push(ControllerPart { law, ..part });
        }
        Ok(out)
    }

    fn start(&self, name: &str) -> Result<ControllerPart, Error> {
        let unknown = || Error::Conflict { key: "--with", why: "has no such part" };
        let mut part = ControllerPart::new(name).ok_or_else(unknown)?;
        let (servo, scales, setting) = (&self.servo, &self.scales, &self.setting);
        let [_, kx, kv] = setting.gains;
        let dt = servo.period;
        if name == "adaptive" {
            self.start_adaptive(&mut part)?;
            return Ok(part);
        }
        let mut set = |rows: &[(&str, f64)]| rows.iter().for_each(|(name, x)| part.set(name, *x));
        match name {
            // at the reference velocity if the reference moves; else at the estimated velocity
            "feedforward" if self.reference_moves => set(&[("ahead", 1.0)]),
            "feedforward" => set(&[("ahead", 0.0), ("mass", self.required_mass()?)]),
            "observer" => {
                // an error of one count deflects the bristles fully within the time constant of the loop
                let far = servo.quantum.max(1e-3 * self.reference_range);
                let inject = if far > 0.0 { scales.length * setting.bandwidth() / far } else { 0.0 };
                let kv = if kx > 0.0 { inject * kv / kx } else { 0.0 };
                set(&[("kx", inject), ("kv", kv), ("mass", self.required_mass()?)]);
            }
            "adaptive-scale" => {
                let rate = self.learning_rate()?;
                let least = f64::MIN_POSITIVE;
                set(&[("gamma", rate / scales.peak.max(least).powi(2)), ("lambda", kx / kv.max(least))]);
                set(&[("leak", LEAK_SHARE * rate / kv.max(least))]);
            }
            "dither" => {
                set(&[("amplitude", DITHER_FACTOR * setting.law.breakaway), ("frequency", 1.0 / (DITHER_SAMPLES * dt))])
            }
            "acceleration-feedback" => {
                let mass = self.required_mass()?;
                set(&[("mass", mass), ("gain", ADDED_MASS.0 * mass), ("tau", ADDED_MASS.1 * dt)]);
            }
            "disturbance-observer" => set(&[("mass", self.required_mass()?), ("cutoff", setting.bandwidth())]),
            "smooth-stop" => {
                // rest is allowed where the loop counts as settled and friction holds against the position gain; half a count cannot be
                // resolved, so an error of a full count may release the controller
                let count = if servo.quantum > 0.0 { servo.quantum } else { 1e-3 * self.reference_range };
                let held = HELD_SHARE * setting.law.breakaway / kx.max(f64::MIN_POSITIVE);
                let release = self.band.min(held).max(0.99 * count);
                let still = setting.bandwidth() * release / 3.0;
                set(&[("release", release), ("band", 0.51 * release), ("still", still)]);
            }
            _ => {}
        }
        Ok(part)
    }
    /// Initial values of adaptive friction: the levels of the friction model.
    fn start_adaptive(&self, part: &mut ControllerPart) -> Result<(), Error> {
        let [_, kx, kv] = self.setting.gains;
        let [fc, fv] = set_friction_levels(part, &self.model, &self.scales, self.setting.speeds[1])?;
        let (rate, least) = (self.learning_rate()?, f64::MIN_POSITIVE);
        for (name, x) in [
            ("gain_c", rate),
            ("gain_x", 0.0),
            ("gain_v", rate * (fv / fc.max(least)).powi(2)),
            ("lambda", kx / kv.max(least)),
            ("leak", LEAK_SHARE * rate / kv.max(least)),
            ("ahead", f64::from(u8::from(self.reference_moves))),
        ] {
            part.set(name, x);
        }
        Ok(())
    }
    /// Adaptation rate for which the characteristic polynomial of error and estimate, m s² + kv s + rate, has a damping ratio
    /// of two.
    fn learning_rate(&self) -> Result<f64, Error> {
        let [_, _, kv] = self.setting.gains;
        Ok(kv * kv / (16.0 * self.required_mass()?))
    }
}

/// Sets the initial levels of adaptive friction to those of a law; returns the Coulomb level and the viscous coefficient. The
/// viscous coefficient is the slope of the steady curve at the highest reference speed, at least well above the Stribeck
/// range.
pub(crate) fn set_friction_levels(
    part: &mut ControllerPart,
    model: &Spec,
    scales: &CharacteristicScales,
    fastest: f64,
) -> Result<[f64; 2], Error> {
    let law = model.build()?;
    let v = fastest.max(20.0 * scales.speed);
    let fv = ((law.steady(&Input::at(v)) - law.steady(&Input::at(0.5 * v))) / (0.5 * v)).max(0.0);
    let (fc, fx) = (scales.kinetic, scales.peak - scales.kinetic);
    for (name, x) in [("max_c", 10.0 * fc), ("max_x", 10.0 * fx), ("max_v", 10.0 * fv)] {
        part.set(name, x);
    }
    for (name, x) in [("fc", fc), ("fx", fx), ("fv", fv), ("vs", scales.speed), ("delta", scales.length)] {
        part.set(name, x);
    }
    Ok([fc, fv])
}
