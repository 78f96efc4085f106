//! A record of velocity steps.
use super::load_point::{LoadPoint, LoadPointOption};
use crate::NumericsError;
use crate::check::{all_finite, increasing, same_length};

/// A record of velocity steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VelocitySteps {
    /// Name.
    pub name: String,
    /// Time \[s\].
    pub t: Vec<f64>,
    /// Friction coefficient.
    pub friction: Vec<f64>,
    /// Weight of each sample, the inverse of its variance in any unit; 0 leaves it out. Empty: all alike.
    pub weight: Vec<f64>,
    /// The motion of the load point.
    pub load: LoadPoint,
}

/// Most stretches of constant velocity in what counts as a velocity step without being called so.
const MAX_STRETCHES: usize = 30;

/// What a record is made of.
#[derive(Clone, Debug, Default)]
pub struct VelocityStepOptions {
    /// The motion of the load point.
    pub load: LoadPointOption,
    /// Start and end of the part of the record that is used \[s\]; infinite for all of it.
    pub window: Option<[f64; 2]>,
}

/// The rows within the window and without repeated times: a trace repeats the time of a jump, with the first row before the jump.
fn rows(t: &[f64], window: Option<[f64; 2]>) -> Vec<usize> {
    let [from, to] = window.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    let inside = |t: f64| t >= from && t <= to;
    (0..t.len()).filter(|&k| inside(t[k]) && (k == 0 || t[k] != t[k - 1])).collect()
}

impl VelocitySteps {
    /// From the velocity of the load point. The instant of a step is known only if the record contains it twice, before and
    /// after the step; else it is fitted within its interval.
    ///
    /// # Errors
    /// [`NumericsError`] if the motion of the load point cannot be found.
    pub fn from_velocity(
        name: &str,
        t: &[f64],
        friction: &[f64],
        velocity: &[f64],
        options: &VelocityStepOptions,
    ) -> Result<Self, NumericsError> {
        let rows = rows(t, options.window);
        let pick = |x: &[f64]| rows.iter().filter_map(|&k| x.get(k).copied()).collect::<Vec<f64>>();
        let twice = |j: usize| rows.get(j).is_some_and(|&row| t.get(row + 1) == Some(&t[row]));
        let at = pick(t);
        all_finite("velocity", velocity)?;
        let load = LoadPoint::from_velocity(&at, &pick(velocity), &twice, &options.load)?;
        Ok(Self { name: name.to_owned(), t: at, friction: pick(friction), weight: Vec::new(), load })
    }
    /// From the displacement of the load point.
    ///
    /// # Errors
    /// [`NumericsError`] if the motion of the load point cannot be found.
    pub fn from_displacement(
        name: &str,
        t: &[f64],
        friction: &[f64],
        displacement: &[f64],
        options: &VelocityStepOptions,
    ) -> Result<Self, NumericsError> {
        let rows = rows(t, options.window);
        let pick = |x: &[f64]| rows.iter().filter_map(|&k| x.get(k).copied()).collect::<Vec<f64>>();
        let at = pick(t);
        all_finite("displacement", displacement)?;
        let load = LoadPoint::from_displacement(&at, &pick(displacement), &options.load)?;
        Ok(Self { name: name.to_owned(), t: at, friction: pick(friction), weight: Vec::new(), load })
    }
    /// The same with a weight of each row of the file.
    #[must_use]
    pub fn with_weights(self, t: &[f64], weight: &[f64], options: &VelocityStepOptions) -> Self {
        let weight = rows(t, options.window).iter().filter_map(|&k| weight.get(k).copied()).collect();
        Self { weight, ..self }
    }
    /// Whether the load point goes one way: the means over parts of its displacement rise, those of its velocity are not
    /// negative. Needs little time, so that logs of other motions are passed over at once.
    pub fn goes_one_way(motion: &[f64], displacement: bool) -> bool {
        let parts = 50;
        if motion.len() < 2 * parts {
            return false;
        }
        let mean = |k: usize| {
            let part = &motion[k * motion.len() / parts..(k + 1) * motion.len() / parts];
            part.iter().sum::<f64>() / part.len() as f64
        };
        let means: Vec<f64> = (0..parts).map(mean).collect();
        let rise = means[parts - 1] - means[0];
        if displacement {
            // noise may turn a slow part back by a little
            rise > 0.0 && means.windows(2).all(|w| w[1] - w[0] > -1e-3 * rise)
        } else {
            means.iter().all(|v| *v >= 0.0) && means.iter().any(|v| *v > 0.0)
        }
    }
    /// Whether the record looks like a velocity step: few velocities, two of which differ by a factor of two or more and are held for
    /// a tenth of the record each.
    pub fn is_velocity_step(&self) -> bool {
        let (Some(from), Some(to)) = (self.t.first(), self.t.last()) else { return false };
        let load = &self.load;
        if self.check().is_err() || load.velocity.len() > MAX_STRETCHES {
            return false;
        }
        let held = |i: usize| load.start.get(i + 1).unwrap_or(to) - load.start[i] > 0.1 * (to - from);
        let long: Vec<f64> = (0..load.velocity.len()).filter(|&i| held(i)).map(|i| load.velocity[i]).collect();
        let (slow, fast) =
            long.iter().filter(|v| **v > 0.0).fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(*v), h.max(*v)));
        fast >= 2.0 * slow
    }
    pub(super) fn check(&self) -> Result<(), NumericsError> {
        increasing(&self.t)?;
        same_length("friction", self.friction.len(), self.t.len())?;
        all_finite("friction", &self.friction)?;
        if !self.weight.is_empty() {
            same_length("weight", self.weight.len(), self.t.len())?;
            if let Some(w) = self.weight.iter().find(|w| !(**w >= 0.0 && w.is_finite())) {
                return Err(NumericsError::InvalidValue { name: "weight", value: *w, must: "zero or more" });
            }
        }
        self.load.check()
    }
}
