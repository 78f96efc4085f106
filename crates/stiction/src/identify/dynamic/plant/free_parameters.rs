//! Which parameters of a scenario are free: those of its file, changed by the options of the fit.
use super::PlantOptions;
use crate::fit::Parameter;
use crate::scenario::{IdentificationTask, PriorKnowledge};
use crate::{Error, NumericsError};

/// The parameters and what is known of them, after the options.
pub(super) fn arrange(
    identify: &IdentificationTask,
    options: &PlantOptions,
) -> Result<(Vec<Parameter>, Vec<PriorKnowledge>), Error> {
    let mut parameters = identify.free.clone();
    let mut priors = identify.priors.clone();
    let place = |name: &str| {
        let known = || identify.free.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
        identify.free.iter().position(|p| p.name == name).ok_or_else(|| {
            let known = known();
            let near = crate::similar_names::similar(name, known.iter().map(String::as_str));
            let near = near.into_iter().map(str::to_owned).collect();
            Error::UnknownName { what: "free parameter", name: name.to_owned(), near, known }
        })
    };
    for wanted in options.free.iter().chain(&options.bounds) {
        let p = &mut parameters[place(&wanted.key)?];
        let (low, high) = (wanted.low.unwrap_or(p.low), wanted.high.unwrap_or(p.high));
        if p.log && low <= 0.0 {
            let must = "above zero: this parameter is fitted by its logarithm";
            return Err(NumericsError::InvalidValue { name: "lower bound", value: low, must }.into());
        }
        p.start = wanted.start.unwrap_or(p.start).clamp(low, high);
        *p = p.clone().within(low, high);
    }
    for (name, value) in &options.hold {
        let p = &mut parameters[place(name)?];
        *p = p.clone().fixed(*value);
        priors.retain(|prior| prior.name != *name);
    }
    if !options.free.is_empty() {
        for p in &mut parameters {
            if !options.free.iter().any(|wanted| wanted.key == p.name) {
                *p = p.clone().fixed(p.start);
                priors.retain(|prior| prior.name != p.name);
            }
        }
    }
    for prior in &options.priors {
        let p = &parameters[place(&prior.name)?];
        if p.low == p.high {
            let must = "for a parameter that is fitted: this one is held";
            return Err(NumericsError::InvalidValue { name: "prior", value: prior.mean, must }.into());
        }
        if p.log && prior.mean <= 0.0 {
            let must = "above zero: this parameter is fitted by its logarithm";
            return Err(NumericsError::InvalidValue { name: "prior", value: prior.mean, must }.into());
        }
        priors.retain(|known| known.name != prior.name);
        priors.push(prior.clone());
    }
    Ok((parameters, priors))
}

/// Prior knowledge as residuals, one for each, in standard deviations.
pub(super) struct PriorResiduals {
    /// Index of the parameter, prior, and whether its logarithm counts.
    rows: Vec<(usize, PriorKnowledge, bool)>,
}

impl PriorResiduals {
    pub fn new(parameters: &[Parameter], priors: &[PriorKnowledge]) -> Self {
        let row = |prior: &PriorKnowledge| {
            let at = parameters.iter().position(|p| p.name == prior.name)?;
            Some((at, prior.clone(), parameters[at].log))
        };
        Self { rows: priors.iter().filter_map(row).collect() }
    }
    pub fn count(&self) -> usize {
        self.rows.len()
    }
    /// Writes the deviation of each parameter from its prior, times `weight`.
    pub fn write(&self, q: &[f64], weight: f64, out: &mut [f64]) {
        for (out, (at, prior, log)) in out.iter_mut().zip(&self.rows) {
            let away = if *log { prior.mean * (q[*at] / prior.mean).ln() } else { q[*at] - prior.mean };
            *out = weight * away / prior.deviation;
        }
    }
    /// The prior of parameter `j`.
    pub fn of(&self, j: usize) -> Option<&PriorKnowledge> {
        self.rows.iter().find(|(at, ..)| *at == j).map(|(_, prior, _)| prior)
    }
}
