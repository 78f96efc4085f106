//! Prediction of friction by a law along a record.
use super::DataScales;
use super::DynamicOptions;
use super::friction_fit::model;
use super::parameter_vector::ParameterVector;
use super::trajectory::DrivenTrajectory;
use crate::identify::MassOption;
use crate::identify::{MotionRecord, ResidualSeries};
use crate::{Error, ParameterGroup, Spec};

/// Measured friction for this mass and constant force, and the friction by the law.
///
/// # Errors
/// The errors of the law for parameter values that it does not allow.
pub fn predict(motion: &MotionRecord, law: &Spec, mass: f64, offset: f64) -> Result<ResidualSeries, Error> {
    let mut spec = law.clone();
    for part in [ParameterGroup::Law, ParameterGroup::Reverse, ParameterGroup::Load] {
        for (param, value) in law.rows(part) {
            spec.set(&part.key(param.name), value)?;
        }
    }
    spec.check()?;
    let force = motion.force.iter().map(|f| f - offset).collect();
    let motion = MotionRecord { mass: Some(mass), force, ..motion.clone() };
    let options = DynamicOptions { mass: MassOption::Given, offset: false, ..DynamicOptions::default() };
    let vector = ParameterVector::new(&spec, &options, &DataScales::of(std::slice::from_ref(&motion)))?.fixed();
    let trajectory = DrivenTrajectory::new(&motion, &options);
    let (measured, model) = model(&trajectory, &vector, options.settled, &[]);
    let quantity = "friction [N]".to_owned();
    Ok(ResidualSeries { name: motion.name, quantity, t: trajectory.t[trajectory.from..].to_vec(), measured, model })
}
