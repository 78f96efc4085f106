//! Numbers that a method begins with, from the loop, the model and the encoder, where the scenario gives none.
use super::method::{Method, stays};
use super::task::Task;
use crate::analysis::scales::Scales;
use crate::scenario::Piece;
use crate::{Error, Spec};
use stiction_core::Input;
use stiction_core::control::registry::Role;

/// Dither beyond break-away, so that the contact lets go.
const SHAKE: f64 = 1.2;
/// Samples to a period of the dither.
const SAMPLES: f64 = 8.0;
/// Mass that acceleration feedback adds, in masses of the body, and the samples over which it smooths.
const HEAVIER: (f64, f64) = (2.0, 10.0);
/// Learning forgets at this part of the rate at which it learns.
const FORGET: f64 = 0.01;

impl Task {
    /// The parts of the controller with a method: those that stay, and those that it adds. A part that the scenario has
    /// keeps its numbers; laws are the model.
    ///
    /// # Errors
    /// [`Error::Lacks`] if a part needs the mass and it is not known, and as [`crate::Spec::build`].
    pub fn pieces(&self, method: &Method) -> Result<Vec<Piece>, Error> {
        let mut out: Vec<Piece> = self.servo.pieces.iter().filter(|p| stays(p.entry)).cloned().collect();
        for name in &method.parts {
            let own = self.servo.pieces.iter().find(|p| p.entry.name == *name).cloned();
            let piece = match own {
                Some(piece) => piece,
                None => self.start(name)?,
            };
            let law = (piece.entry.role() == Role::Compensator).then(|| self.model.clone());
            out.push(Piece { law, ..piece });
        }
        Ok(out)
    }

    fn start(&self, name: &str) -> Result<Piece, Error> {
        let unknown = || Error::Clash { key: "--with", why: "has no such part" };
        let mut piece = Piece::new(name).ok_or_else(unknown)?;
        let (servo, scales, setting) = (&self.servo, &self.scales, &self.setting);
        let [_, kx, kv] = setting.gains;
        let dt = servo.period;
        if name == "adaptive" {
            self.learned(&mut piece)?;
            return Ok(piece);
        }
        let mut set = |rows: &[(&str, f64)]| rows.iter().for_each(|(name, x)| piece.set(name, *x));
        match name {
            // on the wanted velocity where there is one; else on what is seen
            "feedforward" if self.moves => set(&[("ahead", 1.0)]),
            "feedforward" => set(&[("ahead", 0.0), ("mass", self.known_mass()?)]),
            "observer" => {
                // an error of a count bends the bristles to their end within the time of the loop
                let far = servo.quantum.max(1e-3 * self.reach);
                let inject = if far > 0.0 { scales.length * setting.bandwidth() / far } else { 0.0 };
                let kv = if kx > 0.0 { inject * kv / kx } else { 0.0 };
                set(&[("kx", inject), ("kv", kv), ("mass", self.known_mass()?)]);
            }
            "adaptive-scale" => {
                let rate = self.learning()?;
                let least = f64::MIN_POSITIVE;
                set(&[("gamma", rate / scales.peak.max(least).powi(2)), ("lambda", kx / kv.max(least))]);
                set(&[("leak", FORGET * rate / kv.max(least))]);
            }
            "dither" => set(&[("amplitude", SHAKE * setting.law.breakaway), ("frequency", 1.0 / (SAMPLES * dt))]),
            "acceleration-feedback" => {
                let mass = self.known_mass()?;
                set(&[("mass", mass), ("gain", HEAVIER.0 * mass), ("tau", HEAVIER.1 * dt)]);
            }
            "disturbance-observer" => set(&[("mass", self.known_mass()?), ("cutoff", setting.bandwidth())]),
            "smooth-stop" => {
                // within half a count nobody can tell; a whole one lets go
                let count = if servo.quantum > 0.0 { servo.quantum } else { 1e-3 * self.reach };
                let still = setting.bandwidth() * count / 3.0;
                set(&[("release", 0.99 * count), ("band", 0.51 * count), ("still", still)]);
            }
            _ => {}
        }
        Ok(piece)
    }
    /// Adaptive friction that begins with the model's levels.
    fn learned(&self, piece: &mut Piece) -> Result<(), Error> {
        let [_, kx, kv] = self.setting.gains;
        let [fc, fv] = levels(piece, &self.model, &self.scales, self.setting.speeds[1])?;
        let (rate, least) = (self.learning()?, f64::MIN_POSITIVE);
        for (name, x) in [
            ("gain_c", rate),
            ("gain_x", 0.0),
            ("gain_v", rate * (fv / fc.max(least)).powi(2)),
            ("lambda", kx / kv.max(least)),
            ("leak", FORGET * rate / kv.max(least)),
            ("ahead", f64::from(u8::from(self.moves))),
        ] {
            piece.set(name, x);
        }
        Ok(())
    }
    /// The rate at which levels are learned: error and estimate together, m s² + kv s + rate, are damped twice over.
    fn learning(&self) -> Result<f64, Error> {
        let [_, _, kv] = self.setting.gains;
        Ok(kv * kv / (16.0 * self.known_mass()?))
    }
}

/// The levels that adaptive friction begins with, those of a law: Coulomb level and viscosity are given back. Viscosity is
/// the slope of the steady curve at the fastest speed asked for, or well beyond its fall.
pub(crate) fn levels(piece: &mut Piece, model: &Spec, scales: &Scales, fastest: f64) -> Result<[f64; 2], Error> {
    let law = model.build()?;
    let v = fastest.max(20.0 * scales.speed);
    let fv = ((law.steady(&Input::at(v)) - law.steady(&Input::at(0.5 * v))) / (0.5 * v)).max(0.0);
    let (fc, fx) = (scales.kinetic, scales.peak - scales.kinetic);
    for (name, x) in [("max_c", 10.0 * fc), ("max_x", 10.0 * fx), ("max_v", 10.0 * fv)] {
        piece.set(name, x);
    }
    for (name, x) in [("fc", fc), ("fx", fx), ("fv", fv), ("vs", scales.speed), ("delta", scales.length)] {
        piece.set(name, x);
    }
    Ok([fc, fv])
}
