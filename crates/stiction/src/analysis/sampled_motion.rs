//! A law along a sampled motion: the force and the memory after each sample.
//!
//! ```
//! use stiction::Spec;
//! use stiction::analysis::sampled_motion::SampledMotion;
//!
//! let law = Spec::new("coulomb")?.build()?;
//! let motion = SampledMotion { v: &[0.1, -0.1], dt: &[1e-3], load: &[] };
//! let (mut force, mut memory) = ([0.0; 2], []);
//! motion.drive(law.as_ref(), &mut memory, &mut force, &mut [], || true)?;
//! assert_eq!(force, [1.0, -1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
use stiction_core::Input;
use stiction_core::registry::DynLaw;
use stiction_io::number::short;

/// Samples between two questions whether to continue: below a millisecond of computing.
const SAMPLES_PER_QUESTION: usize = 4096;

/// Velocity and load, each constant over a sample.
#[derive(Clone, Copy, Debug)]
pub struct SampledMotion<'a> {
    /// Velocity of each sample \[m/s\].
    pub v: &'a [f64],
    /// Length of each sample, or one for all \[s\].
    pub dt: &'a [f64],
    /// Load of each sample, or one for all; empty: 1, the nominal load.
    pub load: &'a [f64],
}

/// A motion that cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SampledMotionError {
    /// A list that is neither one number nor as long as the velocity.
    #[error("{name} has {found} values for {samples} samples")]
    Length {
        /// Of what.
        name: &'static str,
        /// Its length.
        found: usize,
        /// The number of velocities.
        samples: usize,
    },
    /// A value that is not finite, a speed beyond what laws compute with, or a time that is negative.
    #[error("{name}[{index}] = {}: {requirement}", short(*value))]
    Value {
        /// Of what.
        name: &'static str,
        /// Number of the sample, from zero.
        index: usize,
        /// The value.
        value: f64,
        /// What it must be.
        requirement: &'static str,
    },
    /// Room for results that is too small or too large.
    #[error("room for {found} values of the {name} instead of {expected}")]
    Room {
        /// Of what.
        name: &'static str,
        /// Its length.
        found: usize,
        /// The length that fits.
        expected: usize,
    },
}

impl SampledMotionError {
    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Length { .. } => Some("give one number, or one for each sample"),
            Self::Value { value, .. } if value.is_nan() => {
                Some("fill gaps in measured data first, or cut the record there")
            }
            Self::Value { .. } | Self::Room { .. } => None,
        }
    }
}

impl SampledMotion<'_> {
    /// Drives a law whose memory is `z`: `force` has the force after each sample, `memory` the first numbers of the memory, one row for each
    /// sample; it may be empty. Asks `should_continue` now and then, and returns the number of samples done.
    ///
    /// # Errors
    /// [`SampledMotionError`]; samples before the one that it names are done.
    pub fn drive(
        &self,
        law: &dyn DynLaw,
        z: &mut [f64],
        force: &mut [f64],
        memory: &mut [f64],
        mut should_continue: impl FnMut() -> bool,
    ) -> Result<usize, SampledMotionError> {
        self.check_lengths(law.len(), z.len(), force.len(), memory.len())?;
        let width = memory.len().checked_div(self.v.len()).unwrap_or(0);
        let mut rows = memory.chunks_exact_mut(width.max(1));
        for (k, (&v, force)) in self.v.iter().zip(force).enumerate() {
            if k % SAMPLES_PER_QUESTION == 0 && k > 0 && !should_continue() {
                return Ok(k);
            }
            let (dt, load) = (at(self.dt, k, 0.0), at(self.load, k, 1.0));
            check(k, v, dt, load)?;
            *force = law.sample(z, &Input { v, load }, dt);
            if let Some(row) = rows.next() {
                row.iter_mut().zip(&*z).for_each(|(to, z)| *to = *z);
            }
        }
        Ok(self.v.len())
    }
    fn check_lengths(&self, states: usize, z: usize, force: usize, memory: usize) -> Result<(), SampledMotionError> {
        let samples = self.v.len();
        let fits = |list: &[f64], may_be_empty: bool| {
            list.len() == 1 || list.len() == samples || may_be_empty && list.is_empty()
        };
        for (name, list, may_be_empty) in [("dt", self.dt, false), ("load", self.load, true)] {
            if !fits(list, may_be_empty) {
                return Err(SampledMotionError::Length { name, found: list.len(), samples });
            }
        }
        for (name, found, expected) in [("state", z, states), ("force", force, samples)] {
            if found != expected {
                return Err(SampledMotionError::Room { name, found, expected });
            }
        }
        let whole_rows = memory.checked_rem(samples).unwrap_or(memory) == 0;
        if !whole_rows || memory > samples * states {
            return Err(SampledMotionError::Room { name: "states", found: memory, expected: samples * states });
        }
        Ok(())
    }
}

/// The value of sample `k`.
fn at(list: &[f64], k: usize, default: f64) -> f64 {
    if let [one] = list { *one } else { list.get(k).copied().unwrap_or(default) }
}

fn check(index: usize, v: f64, dt: f64, load: f64) -> Result<(), SampledMotionError> {
    let wrong = |name, value, requirement| Err(SampledMotionError::Value { name, index, value, requirement });
    if !v.is_finite() {
        return wrong("v", v, "a velocity is a finite number");
    }
    if Input::at(v).slip() != v {
        return wrong("v", v, "too large to compute with");
    }
    if !load.is_finite() {
        return wrong("load", load, "a load is a finite number");
    }
    if !(dt.is_finite() && dt >= 0.0) {
        return wrong("dt", dt, "a time is a finite number of zero or more");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{SAMPLES_PER_QUESTION, SampledMotion, SampledMotionError};
    use crate::Spec;
    use stiction_core::Input;

    #[test]
    fn it_is_the_law_sampled_one_by_one() {
        let law = Spec::new("lugre").expect("a law").build().expect("builds");
        let v: Vec<f64> = (0..100).map(|k| 1e-3 * f64::from(k).sin()).collect();
        let load: Vec<f64> = (0..100).map(|k| 1.0 + 0.1 * f64::from(k).cos()).collect();
        let (mut force, mut memory) = (vec![0.0; 100], vec![0.0; 100]);
        let mut z = [0.0];
        let motion = SampledMotion { v: &v, dt: &[1e-3], load: &load };
        assert_eq!(motion.drive(law.as_ref(), &mut z, &mut force, &mut memory, || true), Ok(100));
        let mut one = [0.0];
        for k in 0..100 {
            assert_eq!(force[k], law.sample(&mut one, &Input { v: v[k], load: load[k] }, 1e-3));
            assert_eq!(memory[k], one[0]);
        }
        assert_eq!(z, one);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let law = Spec::new("lugre").expect("a law").build().expect("builds");
        let drive = |v: &[f64], dt: &[f64], load: &[f64]| {
            let mut force = vec![0.0; v.len()];
            SampledMotion { v, dt, load }.drive(law.as_ref(), &mut [0.0], &mut force, &mut [], || true)
        };
        assert_eq!(
            drive(&[1.0; 3], &[1.0, 2.0], &[]),
            Err(SampledMotionError::Length { name: "dt", found: 2, samples: 3 })
        );
        assert!(drive(&[1.0; 3], &[], &[]).is_err() && drive(&[], &[1.0], &[]) == Ok(0));
        let error = drive(&[1.0, f64::NAN], &[1.0], &[]).expect_err("not a number");
        assert_eq!(error.to_string(), "v[1] = NaN: a velocity is a finite number");
        let error = drive(&[1e300], &[1.0], &[]).expect_err("beyond the speeds of laws");
        assert_eq!(error.to_string(), "v[0] = 1e300: too large to compute with");
        assert!(drive(&[1.0], &[-1.0], &[]).is_err() && drive(&[1.0], &[1.0], &[f64::INFINITY]).is_err());
    }

    #[test]
    fn it_ends_early_if_asked_to() {
        let law = Spec::new("coulomb").expect("a law").build().expect("builds");
        let (v, mut force) = (vec![1.0; 3 * SAMPLES_PER_QUESTION], vec![0.0; 3 * SAMPLES_PER_QUESTION]);
        let motion = SampledMotion { v: &v, dt: &[1e-3], load: &[] };
        assert_eq!(motion.drive(law.as_ref(), &mut [], &mut force, &mut [], || false), Ok(SAMPLES_PER_QUESTION));
        assert_eq!(force[SAMPLES_PER_QUESTION], 0.0);
    }
}
