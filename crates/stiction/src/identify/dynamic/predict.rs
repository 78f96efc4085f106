//! Prediction of friction by a law along a record.
use super::DataScales;
use super::DynamicOptions;
use super::friction_fit::model;
use super::parameter_vector::ParameterVector;
use super::trajectory::{DrivenTrajectory, PlantForces};
use crate::identify::MassOption;
use crate::identify::{MotionRecord, ResidualSeries};
use crate::{Error, ParameterGroup, Spec};

/// Measured friction for these other forces, and the friction by the law. Terms of the record beyond those of `plant` count as zero.
///
/// # Errors
/// The errors of the law for parameter values that it does not allow.
pub fn predict(motion: &MotionRecord, law: &Spec, plant: &PlantForces) -> Result<ResidualSeries, Error> {
    let mut spec = law.clone();
    for part in [ParameterGroup::Law, ParameterGroup::Reverse, ParameterGroup::Load] {
        for (param, value) in law.rows(part) {
            spec.set(&part.key(param.name), value)?;
        }
    }
    spec.check()?;
    let mut force: Vec<f64> = motion.force.iter().map(|f| f - plant.offset).collect();
    for (term, factor) in motion.terms.iter().zip(&plant.terms) {
        force.iter_mut().zip(&term.values).for_each(|(f, x)| *f -= factor * x);
    }
    let motion =
        MotionRecord { mass: Some(plant.mass), force, terms: Vec::new(), slides: Vec::new(), ..motion.clone() };
    let options = DynamicOptions { mass: MassOption::Given, offset: false, ..DynamicOptions::default() };
    let vector = ParameterVector::new(&spec, &options, &DataScales::of(std::slice::from_ref(&motion)))?.fixed();
    let trajectory = DrivenTrajectory::new(&motion, &options, vector.jumps);
    let (measured, model) = model(&trajectory, &vector, options.settled, &[]);
    let quantity = "friction [N]".to_owned();
    Ok(ResidualSeries { name: motion.name, quantity, t: trajectory.t[trajectory.all()].to_vec(), measured, model })
}
