//! The friction phenomena that a law shows: a set of experiments in its characteristic scales, with a number for each.
//!
//! ```
//! use stiction::{Spec, analysis::phenomena::{Phenomenon, measure}};
//!
//! let report = measure(&Spec::new("lugre")?, &[Phenomenon::Stribeck, Phenomenon::NoDrift])?;
//! assert!(report.shows(Phenomenon::Stribeck));
//! assert!(!report.shows(Phenomenon::NoDrift));                        // it drifts under vibration
//! # Ok::<(), stiction::Error>(())
//! ```
//! Each result comes from an experiment; [`criteria`] defines the thresholds and their reasons. The claims of papers and of the
//! documentation of the laws are in [`published_claims`], for comparison.
mod at_rest;
mod breakaway_forces;
pub mod criteria;
mod evaluation_cost;
mod law_choice;
mod mass_on_law;
mod presliding;
pub mod published_claims;
mod sliding;
mod sustained_oscillation;

pub use criteria::{Criterion, Phenomenon};
pub use evaluation_cost::EvaluationCost;
pub use law_choice::{LawChoice, choose};

use super::characteristic_scales::CharacteristicScales;
use super::energy::{passivity, search::SearchEffort};
use crate::analysis::test_rig::not_interrupted;
use crate::parallel;
use crate::sim::StopFlag;
use crate::{Error, Spec};
use mass_on_law::MassOnLaw;
use std::cell::OnceCell;

/// Whether a law shows a phenomenon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Yes,
    /// Neither proved nor disproved.
    Open,
    /// It does not.
    No,
}

impl Verdict {
    /// `yes`, `open`, `no`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::Open => "open",
            Self::No => "no",
        }
    }
}

/// The outcome of one experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentResult {
    /// The criterion.
    pub criterion: &'static Criterion,
    /// The measured value; none if the experiment does not apply to the law.
    pub value: Option<f64>,
    /// Whether it counts.
    pub verdict: Verdict,
    /// A remark; may be empty.
    pub note: String,
}

/// The results for one law.
#[derive(Clone, Debug)]
pub struct PhenomenaReport {
    /// The law.
    pub spec: Spec,
    /// Its scales.
    pub scales: CharacteristicScales,
    /// The results, in the order of [`criteria::ALL`].
    pub results: Vec<ExperimentResult>,
    /// Cost of an evaluation.
    pub cost: EvaluationCost,
}

impl PhenomenaReport {
    /// The result for a phenomenon, if it was measured.
    pub fn result(&self, what: Phenomenon) -> Option<&ExperimentResult> {
        self.results.iter().find(|result| result.criterion.phenomenon == what)
    }
    /// Whether it shows a phenomenon, proved or not.
    pub fn shows(&self, what: Phenomenon) -> bool {
        self.result(what).is_some_and(|result| result.verdict != Verdict::No)
    }
}

fn could_not(error: &Error) -> String {
    format!("the simulation failed: {error}")
}

/// The result of an experiment; `without` explains a missing number.
fn outcome(what: Phenomenon, found: Result<Option<f64>, Error>, without: &str) -> ExperimentResult {
    let criterion = what.criterion();
    let (value, note) = match found {
        Ok(Some(value)) if value.is_finite() => (Some(value), String::new()),
        Ok(_) => (None, without.to_owned()),
        Err(error) => (None, could_not(&error)),
    };
    let verdict = if value.is_some_and(|x| criterion.is_met(x)) { Verdict::Yes } else { Verdict::No };
    ExperimentResult { criterion, value, verdict, note }
}

/// All phenomena.
pub const ALL_PHENOMENA: [Phenomenon; criteria::ALL.len()] = {
    let mut all = [Phenomenon::Hold; criteria::ALL.len()];
    let mut k = 0;
    while k < all.len() {
        all[k] = criteria::ALL[k].phenomenon;
        k += 1;
    }
    all
};

/// Measures the phenomena `wanted` of one law.
///
/// # Errors
/// As [`Spec::build`]. A failed experiment is a result with a note.
pub fn measure(spec: &Spec, wanted: &[Phenomenon]) -> Result<PhenomenaReport, Error> {
    with_cost(spec, EvaluationCost::measure(spec)?, wanted, &StopFlag::default())
}

fn with_cost(
    spec: &Spec,
    cost: EvaluationCost,
    wanted: &[Phenomenon],
    stop: &StopFlag,
) -> Result<PhenomenaReport, Error> {
    not_interrupted(stop)?;
    let scales = CharacteristicScales::measure(spec)?;
    let experiments = Experiments { bench: MassOnLaw::new(spec, &scales, stop), away: OnceCell::new() };
    let kinds = criteria::ALL.iter().filter(|kind| wanted.contains(&kind.phenomenon));
    let mut results = Vec::new();
    for kind in kinds {
        results.push(experiments.run(kind.phenomenon));
        // a failed experiment is a result, but one that was ended is none
        not_interrupted(stop)?;
    }
    Ok(PhenomenaReport { spec: spec.clone(), scales, results, cost })
}

struct Experiments<'a> {
    bench: MassOnLaw<'a>,
    /// Shared by three phenomena.
    away: OnceCell<Result<breakaway_forces::BreakawayForces, Error>>,
}

impl Experiments<'_> {
    fn run(&self, what: Phenomenon) -> ExperimentResult {
        const SPRING: &str = "no presliding spring";
        let bench = &self.bench;
        match what {
            Phenomenon::Hold => outcome(what, at_rest::creep(bench).map(Some), ""),
            Phenomenon::Breakaway => self.broken(what, |away| away.ratio),
            Phenomenon::Stribeck => outcome(what, Ok(Some(sliding::force_drop(bench))), ""),
            Phenomenon::Presliding => self.presliding(),
            Phenomenon::Plastic => outcome(what, presliding::residual_displacement(bench), SPRING),
            Phenomenon::Hysteresis => outcome(what, presliding::loop_fill_ratio(bench), SPRING),
            Phenomenon::Nonlocal => outcome(
                what,
                presliding::closure_error(bench),
                "no hysteresis in presliding, or none on a smaller scale",
            ),
            Phenomenon::Lag => outcome(what, sliding::lag(bench).map(Some), ""),
            Phenomenon::Rate => self.broken(what, |away| away.rate),
            Phenomenon::Dwell => self.broken(what, |away| away.dwell),
            Phenomenon::NoDrift => outcome(what, at_rest::drift(bench).map(Some), ""),
            Phenomenon::StickSlip => outcome(what, sustained_oscillation::stick_slip(bench).map(Some), ""),
            Phenomenon::Hunting => outcome(what, sustained_oscillation::hunting(bench).map(Some), ""),
            Phenomenon::Passive => passive(bench),
            Phenomenon::Smooth => outcome(what, sliding::jump_at_zero_velocity(bench).map(Some), ""),
        }
    }
    fn broken(
        &self,
        what: Phenomenon,
        pick: fn(&breakaway_forces::BreakawayForces) -> Option<f64>,
    ) -> ExperimentResult {
        const NO_BREAKAWAY: &str = "no break-away: the force vanishes with the speed, or has no level";
        match self.away.get_or_init(|| breakaway_forces::breakaway_forces(&self.bench)) {
            Ok(found) => outcome(what, Ok(pick(found)), NO_BREAKAWAY),
            Err(error) => ExperimentResult { note: could_not(error), ..outcome(what, Ok(None), NO_BREAKAWAY) },
        }
    }
    fn presliding(&self) -> ExperimentResult {
        let (scales, what) = (self.bench.scales, Phenomenon::Presliding);
        match scales.stiffness {
            Some(stiffness) => {
                let note = format!("{stiffness:.3e} N/m over {:.2e} m", scales.length);
                ExperimentResult { note, ..outcome(what, Ok(Some(scales.presliding_share)), "") }
            }
            // the force builds up in time, or at once
            None => ExperimentResult { verdict: Verdict::No, ..outcome(what, Ok(Some(scales.presliding_share)), "") },
        }
    }
}

fn passive(bench: &MassOnLaw<'_>) -> ExperimentResult {
    let found = passivity(bench.spec, &SearchEffort::QUICK, bench.stop);
    let mut result =
        outcome(Phenomenon::Passive, found.as_ref().map(|p| Some(p.relative())).or(Ok(None)), "no velocity repeats");
    if let Ok(p) = found {
        let (verdict, note) = match (p.gains(), p.proved(), p.conditions.is_empty()) {
            (true, ..) => (Verdict::No, "a velocity was found that gains so much in every period"),
            (_, true, _) => (Verdict::Yes, "a sufficient condition holds, and no velocity was found that gains"),
            (.., true) => (Verdict::Open, "no condition is known, and no velocity was found that gains"),
            (.., false) => (Verdict::Open, "the condition fails, yet no velocity was found that gains"),
        };
        result.verdict = verdict;
        note.clone_into(&mut result.note);
    }
    result
}

/// Measures the phenomena `wanted` of several laws, on all threads, until the flag is raised. Costs are measured before, one law at a
/// time.
///
/// # Errors
/// As [`measure`]; [`AnalysisError::Interrupted`](crate::analysis::AnalysisError::Interrupted) if the flag is raised.
pub fn measure_all(specs: &[Spec], wanted: &[Phenomenon], stop: &StopFlag) -> Result<Vec<PhenomenaReport>, Error> {
    let cost = |spec: &Spec| {
        not_interrupted(stop)?;
        EvaluationCost::measure(spec)
    };
    let costs = specs.iter().map(cost).collect::<Result<Vec<_>, _>>()?;
    let tasks: Vec<(&Spec, EvaluationCost)> = specs.iter().zip(costs).collect();
    parallel::map(&tasks, |(spec, cost)| with_cost(spec, *cost, wanted, stop)).into_iter().collect()
}
