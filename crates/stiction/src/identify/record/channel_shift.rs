//! Motion and force moved against each other in time.
use super::PreparedMotion;
use super::gaps::MIN_SAMPLES;
use super::motion::MotionRecord;
use crate::NumericsError;
use crate::signal::{between, between_linear};

impl MotionRecord {
    /// The same record if its force was measured later than the motion by `late` seconds: the force at each sample goes with the motion
    /// of so much earlier. The ends that have no partner are left out.
    ///
    /// The motion is moved, not the force: it is smooth, while straight lines between noisy samples of the force would have less noise
    /// the nearer the delay is to half a sample, and a fit would mistake that for a better delay.
    ///
    /// # Errors
    /// [`NumericsError::InvalidValue`] if too little of the record is left.
    pub fn with_delay(&self, late: f64) -> Result<Self, NumericsError> {
        if late == 0.0 {
            return Ok(self.clone());
        }
        let motion = self;
        let (n, by) = (motion.len(), late / motion.step());
        let most = by.abs().ceil();
        if !by.is_finite() || most + MIN_SAMPLES as f64 > n as f64 {
            let (name, must) = ("delay, in samples", "less than the record");
            return Err(NumericsError::InvalidValue { name, value: by, must });
        }
        let most = most as usize;
        let kept = if by > 0.0 { most..n } else { 0..n - most };
        let moved = |x: &[f64], of: fn(&[f64], f64) -> f64| -> Vec<f64> {
            if x.is_empty() { Vec::new() } else { kept.clone().map(|k| of(x, k as f64 - by)).collect() }
        };
        let both = |of: &[bool], wanted: bool| -> Vec<bool> {
            let is = |k: f64| of.get(k as usize).copied().unwrap_or(!wanted) == wanted;
            let at = |k: usize| k as f64 - by;
            let list = kept.clone().map(|k| (is(at(k).floor()) && is(at(k).ceil())) == wanted);
            if of.is_empty() { Vec::new() } else { list.collect() }
        };
        let cut = |x: &[f64]| x.get(kept.clone()).map(<[f64]>::to_vec).unwrap_or_default();
        Ok(Self {
            name: motion.name.clone(),
            t: cut(&motion.t),
            position: moved(&motion.position, between),
            velocity: moved(&motion.velocity, between),
            acceleration: moved(&motion.acceleration, between),
            force: cut(&motion.force),
            load: moved(&motion.load, between_linear),
            weight: cut(&motion.weight),
            // as the motion: a sample slides where both that it lies between do, and is unresolved where one of them is
            slides: both(&motion.slides, true),
            unresolved: both(&motion.unresolved, false),
            saturated: motion.saturated.get(kept.clone()).map(<[bool]>::to_vec).unwrap_or_default(),
            terms: motion.terms.iter().map(|term| term.with(moved(&term.values, between_linear))).collect(),
            mass: motion.mass,
            displaced: motion.displaced,
        })
    }
}

impl PreparedMotion {
    /// The same motion with the derivatives of lower order; none if it has no such derivatives.
    pub fn with_lower_order(&self) -> Option<Self> {
        let [velocity, acceleration] = self.lower_order.clone()?;
        let motion = MotionRecord { velocity, acceleration, ..self.motion.clone() };
        Some(Self { motion, lower_order: None, ..self.clone() })
    }
    /// The same with the delay of its motion; see [`MotionRecord::with_delay`].
    ///
    /// # Errors
    /// As [`MotionRecord::with_delay`].
    pub fn with_delay(&self, late: f64) -> Result<Self, NumericsError> {
        let motion = self.motion.with_delay(late)?;
        let mut out = Self { motion, ..self.clone() };
        if late != 0.0 {
            // as the motion, which lies between two samples now: it is resolved where both are
            let by = late / self.motion.step();
            let first = if by > 0.0 { self.motion.len() - out.motion.len() } else { 0 };
            let places = || (first..first + out.motion.len()).map(|k| k as f64 - by);
            if !self.unresolved.is_empty() {
                let unresolved = |k: f64| self.unresolved.get(k as usize).copied().unwrap_or(true);
                out.unresolved = places().map(|at| unresolved(at.floor()) || unresolved(at.ceil())).collect();
            }
            let moved = |x: &Vec<f64>| places().map(|at| between(x, at)).collect();
            out.lower_order = self.lower_order.as_ref().map(|both| both.each_ref().map(moved));
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use crate::identify::{MotionRecord, PreparedMotion};

    #[test]
    fn force_and_motion_come_together() {
        let t: Vec<f64> = (0..200).map(|k| 0.01 * f64::from(k)).collect();
        for late in [0.0231, -0.0157, 0.05] {
            let velocity: Vec<f64> = t.iter().map(|t| (5.0 * t).sin()).collect();
            let force = t.iter().map(|t| 3.0 * (5.0 * (t - late)).sin()).collect();
            let motion = MotionRecord { t: t.clone(), velocity, force, ..MotionRecord::default() };
            let record =
                PreparedMotion { motion, cutoff: 50.0, rest_speed: 0.0, unresolved: Vec::new(), lower_order: None };
            let moved = record.with_delay(late).unwrap().motion;
            assert_eq!(moved.len(), 200 - (late.abs() / 0.01).ceil() as usize);
            for (v, f) in moved.velocity.iter().zip(&moved.force).skip(3).take(moved.len() - 6) {
                // 125 samples to a period: the polynomial's error is far below rounding of the file's digits
                assert!((f - 3.0 * v).abs() < 1e-8, "{late}: {f} for {v}");
            }
        }
    }
    #[test]
    fn a_delay_as_long_as_the_record_is_refused() {
        let t: Vec<f64> = (0..50).map(f64::from).collect();
        let motion = MotionRecord { velocity: t.clone(), force: t.clone(), t, ..MotionRecord::default() };
        let record = PreparedMotion { motion, cutoff: 0.5, rest_speed: 0.0, unresolved: Vec::new(), lower_order: None };
        for late in [40.0, -40.0, f64::NAN, f64::INFINITY] {
            assert!(record.with_delay(late).is_err(), "{late}");
        }
    }
}
