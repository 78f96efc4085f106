//! What a law says along a record that it was not fitted to.
use super::Options;
use super::force::model;
use super::run::Run;
use super::sought::Sought;
use super::{Mass, Scales};
use crate::identify::{Motion, Residual};
use crate::{Error, ParameterGroup, Spec};

/// Friction as the record needs it, for this mass and constant force, beside what the law says.
///
/// # Errors
/// [`Error::Relation`] for values that the law does not take.
pub fn predict(motion: &Motion, law: &Spec, mass: f64, offset: f64) -> Result<Residual, Error> {
    let mut spec = law.clone();
    for part in [ParameterGroup::Law, ParameterGroup::Reverse, ParameterGroup::Load] {
        for (param, value) in law.rows(part) {
            spec.set(&part.key(param.name), value)?;
        }
    }
    spec.check()?;
    let force = motion.force.iter().map(|f| f - offset).collect();
    let motion = Motion { mass: Some(mass), force, ..motion.clone() };
    let options = Options { mass: Mass::Known, offset: false, ..Options::default() };
    let sought = Sought::new(&spec, &options, &Scales::of(std::slice::from_ref(&motion)))?.held();
    let run = Run::new(&motion, &options);
    let (measured, model) = model(&run, &sought, options.settled, &[]);
    let what = "friction [N]".to_owned();
    Ok(Residual { name: motion.name, what, t: run.t[run.from..].to_vec(), measured, model })
}
