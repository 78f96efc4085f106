//! A law fitted to measured friction.
use super::report::report;
use super::run::{Run, thin};
use super::sought::{Place, Sought};
use super::{Mass, Options, Progress, Scales, Search, Stage};
use crate::NumericsError;
use crate::fit::{
    self, Fit, LeastSquaresProblem, Noise, Parameter, cma_search, nonlinear_from, profile_likelihood, screen,
};
use crate::identify::{Finding, Motion};
use crate::{Error, ParameterGroup, Spec, parallel};

/// A fit, with all that is behind its report.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// What to tell.
    pub finding: Finding,
    /// The fit itself. Where a law requires that one parameter is not below another, the excess was sought.
    pub fit: Fit,
}

/// Fits a law to the friction in these records: see [`force_fit`].
///
/// # Errors
/// As [`force_fit`].
pub fn force(motions: &[Motion], law: &Spec, options: &Options) -> Result<Finding, Error> {
    force_fit(motions, law, options, &mut |_| true).map(|fitted| fitted.finding)
}

/// Fits a law to the friction `force − mass·acceleration − offset` in these records. The law runs along the measured velocity
/// with its own steps. Where the body rests and the law allows a set of forces, any of them will do.
///
/// `watch` is called often, and says whether to go on; what was found so far is returned if not.
///
/// # Errors
/// [`Error::Samples`] for records that are not sound or too short, [`Error::UnknownParam`] for a parameter that there is not.
pub fn force_fit(
    motions: &[Motion],
    law: &Spec,
    options: &Options,
    watch: &mut dyn FnMut(&Progress<'_>) -> bool,
) -> Result<Fitted, Error> {
    if motions.is_empty() {
        return Err(NumericsError::TooFew { what: "records", need: 1, have: 0 }.into());
    }
    motions.iter().try_for_each(Motion::check)?;
    let weighs = |m: &Motion| m.mass.is_some_and(|mass| mass != 0.0) || options.mass == Mass::Free;
    if let Some(bare) = motions.iter().find(|m| m.acceleration.is_empty() && weighs(m)) {
        return Err(NumericsError::LengthMismatch { what: "acceleration", need: bare.len(), have: 0 }.into());
    }
    let scales = Scales::of(motions);
    let mut spec = law.clone();
    let named = spec.has(ParameterGroup::Load) || options.free.iter().any(|free| free.key.starts_with("load."));
    let loaded = motions.iter().any(|m| !m.load.is_empty());
    if loaded && !named {
        // levels then hold at the usual load
        spec.set("load.slope", 1.0 / scales.load)?;
    }
    let sought = Sought::new(&spec, options, &scales)?;
    let runs: Vec<Run> = motions.iter().map(|motion| Run::new(motion, options)).collect();
    let fit = solve(&runs, &sought, options, watch)?;
    let profiles = if options.profile { profiles(&runs, &sought, options, &fit) } else { Vec::new() };
    let finding = report(motions, &runs, &sought, &fit, options, &scales, (loaded && !named, &profiles));
    Ok(Fitted { finding, fit })
}

/// The residuals of all records, what was needed less what the law says, and their derivatives if there is room for them.
fn residual(runs: &[Run], sought: &Sought, settled: bool, q: &[f64], out: &mut [f64], mut slopes: Option<&mut [f64]>) {
    let total = out.len();
    let mut at = 0;
    for run in runs {
        let (values, mass, offset) = sought.values(q, run.mass);
        let need = run.need(mass, offset);
        let (own, dress) = sought.parts(&values);
        let count = run.pieces();
        let mut model = vec![0.0; count];
        let wide = if slopes.is_some() { sought.columns } else { 0 };
        let mut columns = vec![0.0; wide * count];
        let track = run.track(&need, settled);
        let run_law = sought.spec.law().track(own, &dress, &track, &sought.slots, &mut model, &mut columns);
        let kept = run.count();
        let rows = &mut out[at..at + kept];
        if run_law.is_err() {
            // outside what the law allows: no number, and the fit turns back
            rows.fill(f64::NAN);
        } else {
            for (k, row) in rows.iter_mut().enumerate() {
                let i = run.end(run.from + k);
                // just when the force jumped, a sample cannot say
                *row = if sought.jumps && run.turns[run.from + k] { 0.0 } else { need[i] - model[i] };
            }
        }
        if let Some(slopes) = slopes.as_deref_mut() {
            sought.chain(&mut columns, count);
            for (j, unknown) in sought.unknowns.iter().enumerate() {
                for k in 0..kept {
                    let i = run.end(run.from + k);
                    // at rest within what the law holds, nothing changes anything
                    let rests = need[i] == model[i] || (sought.jumps && run.turns[run.from + k]);
                    slopes[j * total + at + k] = match unknown.place {
                        _ if rests => 0.0,
                        Place::Law(_) => -columns[j * count + i],
                        Place::Mass => -run.acceleration.get(run.from + k).copied().unwrap_or(0.0),
                        Place::Offset => -1.0,
                    };
                }
            }
        }
        at += kept;
    }
}

/// What the law says along a record, for values that were found.
pub(super) fn model(run: &Run, sought: &Sought, settled: bool, q: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut rest = vec![0.0; run.count()];
    residual(std::slice::from_ref(run), sought, settled, q, &mut rest, None);
    let (_, mass, offset) = sought.values(q, run.mass);
    let all = run.need(mass, offset);
    let need: Vec<f64> = (run.from..run.t.len()).map(|k| all[run.end(k)]).collect();
    let model = need.iter().zip(&rest).map(|(need, rest)| need - rest).collect();
    (need, model)
}

/// The interval of each number that is sought by itself, by its profile; none where the data set no limit.
fn profiles(runs: &[Run], sought: &Sought, options: &Options, fit: &Fit) -> Vec<Option<[f64; 2]>> {
    let count = runs.iter().map(Run::count).sum();
    let value = |q: &[f64], out: &mut [f64]| residual(runs, sought, options.settled, q, out, None);
    let slope = |q: &[f64], out: &mut [f64]| {
        residual(runs, sought, options.settled, q, &mut vec![0.0; count], Some(out));
    };
    let problem = LeastSquaresProblem::new(&sought.parameters, count, &value).with_jacobian(&slope);
    let quick = fit::FitOptions { noise: Noise::White, tolerance: 1e-7, evaluations: 60, ..options.fit.clone() };
    let free: Vec<usize> = (0..fit.values.len()).collect();
    parallel::map(&free, |&j| {
        // an excess over another is not a parameter by itself
        if fit.bound[j] || sought.unknowns[j].above.is_some() {
            return None;
        }
        match profile_likelihood(&problem, &quick, fit, j, options.level).ok()?.interval {
            [Some(low), Some(high)] => Some([low, high]),
            _ => None,
        }
    })
}

fn solve(
    runs: &[Run],
    sought: &Sought,
    options: &Options,
    watch: &mut dyn FnMut(&Progress<'_>) -> bool,
) -> Result<Fit, Error> {
    let names: Vec<String> = sought.unknowns.iter().map(|unknown| unknown.key.clone()).collect();
    let mut parameters: Vec<Parameter> = sought.parameters.iter().cloned().map(Parameter::settled).collect();
    let rms = |cost: f64, count: usize| (2.0 * cost / count.max(1) as f64).sqrt();
    if options.resume.is_none() && options.search != Search::None {
        let few = thin(runs, options.samples);
        let count = few.iter().map(Run::count).sum();
        let value = |q: &[f64], out: &mut [f64]| residual(&few, sought, options.settled, q, out, None);
        let slope = |q: &[f64], out: &mut [f64]| {
            residual(&few, sought, options.settled, q, &mut vec![0.0; count], Some(out));
        };
        let problem = LeastSquaresProblem::new(&parameters, count, &value).with_jacobian(&slope);
        // errors are not asked for here
        let quick = fit::FitOptions { noise: Noise::White, ..options.fit.clone() };
        let best = match &options.search {
            Search::Starts(how) => {
                let mut tell = |sight: &fit::ScreeningProgress<'_>| {
                    let (stage, done) = (Stage::Search, sight.done);
                    let rms = rms(sight.cost, count);
                    watch(&Progress { stage, done, rms, names: &names, values: sight.values, state: None })
                };
                screen(&problem, &quick, how, &mut tell)?.swap_remove(0).1
            }
            Search::Evolution(how) => cma_search(&problem, &quick, how)?.values,
            Search::None => Vec::new(),
        };
        parameters.iter_mut().zip(best).for_each(|(p, x)| p.start = x);
    }
    let count = runs.iter().map(Run::count).sum();
    let value = |q: &[f64], out: &mut [f64]| residual(runs, sought, options.settled, q, out, None);
    let slope = |q: &[f64], out: &mut [f64]| {
        residual(runs, sought, options.settled, q, &mut vec![0.0; count], Some(out));
    };
    let problem = LeastSquaresProblem::new(&parameters, count, &value).with_jacobian(&slope);
    let mut how = options.fit.clone();
    if let Noise::Correlated { breaks, .. } = &mut how.noise
        && breaks.is_empty()
    {
        let mut at = 0;
        breaks.extend(runs.iter().take(runs.len() - 1).map(|run| {
            at += run.count();
            at
        }));
    }
    let start: Vec<f64> = parameters.iter().map(|p| p.start).collect();
    let state = options.resume.clone().unwrap_or_else(|| problem.begin(&start));
    let most = how.evaluations.max(1) as f64;
    let mut tell = |step: &fit::FitProgress<'_>| {
        let done = (step.state.evaluations as f64 / most).min(1.0);
        let (stage, rms, state) = (Stage::Fit, rms(step.cost, count), Some(step.state));
        watch(&Progress { stage, done, rms, names: &names, values: step.values, state })
    };
    Ok(nonlinear_from(&problem, &how, &state, &mut tell)?)
}
