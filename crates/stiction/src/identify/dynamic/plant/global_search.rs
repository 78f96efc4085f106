//! The global search before a fit of a scenario.
//!
//! Over a long record of something that swings, the sum of squares has a minimum for every period that a model is ahead of or behind the measured
//! motion, and fits from anywhere end in one of them. Over the first few swings it has few. So the search looks twice: at the beginning of the
//! records, with a fit that follows its minimum to twice as much of them each time, and at the whole of them. The better of the two ends is
//! where the fit begins.
use super::bound_record::BoundRecord;
use super::fit::PlantOptions;
use super::free_parameters::PriorResiduals;
use super::log::PlantLog;
use super::record_residuals::ResidualsOfRecords;
use crate::Error;
use crate::fit::{
    self, LeastSquaresProblem, NoiseModel, Parameter, ScreeningOptions, ScreeningProgress, SearchJournal, cma_search,
    screen,
};
use crate::identify::GlobalSearch;
use crate::scenario::{IdentificationTask, Template};

/// How often the part of the records is doubled up to the whole.
const DOUBLINGS: usize = 4;
/// Fewest rows of a part, for each parameter: fewer may be fitted by anything.
const ROWS_PER_PARAMETER: usize = 4;

/// What is simulated, and how.
pub(super) struct Plant<'a> {
    pub bare: &'a Template,
    pub identify: &'a IdentificationTask,
    pub priors: &'a PriorResiduals,
    pub scales: &'a [f64],
    /// The initial values, by whose residuals prior knowledge is weighed: costs with different weights cannot be compared.
    pub start: &'a [f64],
    pub options: &'a PlantOptions,
}

/// Progress of the search.
pub(super) struct SearchProgress<'a> {
    /// The share that is done.
    pub done: f64,
    /// Root of the mean square of the residuals.
    pub rms: f64,
    /// The best values so far.
    pub values: &'a [f64],
    /// What is finished, to continue from.
    pub journal: &'a SearchJournal,
}

/// Told the progress; returns whether to continue.
type Observer<'a> = &'a mut dyn FnMut(SearchProgress<'_>) -> bool;

/// The place where the fit should begin; none if there is no search. What the journal has of the search is not computed again.
pub(super) fn search(
    plant: &Plant<'_>,
    logs: &[PlantLog],
    parameters: &[Parameter],
    journal: &mut SearchJournal,
    watch: Observer<'_>,
) -> Result<Option<Vec<f64>>, Error> {
    let places = match &plant.options.search {
        GlobalSearch::None => return Ok(None),
        GlobalSearch::Multistart(places) => *places,
        GlobalSearch::CmaEs(cma) => {
            return plant
                .with_problem(logs, parameters, |problem, quick, rows| {
                    Ok(cma_search(problem, quick, cma, journal, &mut |sight| watch(progress(sight, rows)))?.values)
                })
                .map(Some);
        }
    };
    let grown = from_the_beginning(plant, logs, parameters, &places, journal, &mut |now| {
        watch(SearchProgress { done: 0.5 * now.done, ..now })
    })?;
    let none = ScreeningOptions { samples: 0, fits: 0, ..places };
    let mut ends = plant.ends(logs, parameters, &places, journal, &mut |now| {
        watch(SearchProgress { done: 0.5 + 0.5 * now.done, ..now })
    })?;
    if let Some(grown) = grown {
        let last = |now: SearchProgress<'_>| watch(SearchProgress { done: 1.0, ..now });
        ends.extend(plant.ends(logs, &starting_at(parameters, &grown), &none, journal, &mut { last })?);
    }
    Ok(ends.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, place)| place))
}

/// The minimum over the beginning of the records, followed to the whole of them.
fn from_the_beginning(
    plant: &Plant<'_>,
    logs: &[PlantLog],
    parameters: &[Parameter],
    places: &ScreeningOptions,
    journal: &mut SearchJournal,
    watch: Observer<'_>,
) -> Result<Option<Vec<f64>>, Error> {
    let free = parameters.iter().filter(|p| p.low < p.high).count();
    let mut found: Option<Vec<f64>> = None;
    for doubling in (1..=DOUBLINGS).rev() {
        let part = |log: &PlantLog| log.first_rows(log.columns.first().map_or(0, |(_, x)| x.len()) >> doubling);
        let parts: Vec<PlantLog> = logs.iter().map(part).collect();
        let rows: usize = parts.iter().map(|log| log.columns.first().map_or(0, |(_, x)| x.len())).sum();
        let short = parts.iter().any(|log| log.columns.first().is_none_or(|(_, x)| x.len() < 2));
        if short || rows < ROWS_PER_PARAMETER * free {
            continue;
        }
        let (from, how) = match &found {
            Some(place) => (starting_at(parameters, place), ScreeningOptions { samples: 0, fits: 0, ..*places }),
            None => (parameters.to_vec(), *places),
        };
        let done = 1.0 - doubling as f64 / (DOUBLINGS + 1) as f64;
        let ends = plant.ends(&parts, &from, &how, journal, &mut |now| watch(SearchProgress { done, ..now }))?;
        found = ends.into_iter().next().map(|(_, place)| place);
    }
    Ok(found)
}

fn starting_at(parameters: &[Parameter], place: &[f64]) -> Vec<Parameter> {
    parameters.iter().zip(place).map(|(p, x)| Parameter { start: *x, ..p.clone() }).collect()
}

/// The progress of a search with this number of residuals.
fn progress<'a>(sight: &ScreeningProgress<'a>, rows: usize) -> SearchProgress<'a> {
    let rms = (2.0 * sight.cost / rows as f64).sqrt();
    SearchProgress { done: sight.done, rms, values: sight.values, journal: sight.journal }
}

impl Plant<'_> {
    /// Ends of the fits of a screening, best first.
    fn ends(
        &self,
        logs: &[PlantLog],
        parameters: &[Parameter],
        places: &ScreeningOptions,
        journal: &mut SearchJournal,
        watch: Observer<'_>,
    ) -> Result<Vec<(f64, Vec<f64>)>, Error> {
        self.with_problem(logs, parameters, |problem, quick, rows| {
            Ok(screen(problem, quick, places, journal, &mut |sight| watch(progress(sight, rows)))?)
        })
    }
    /// Does something with the problem of these records, with options of a quick fit and the number of residuals.
    fn with_problem<T>(
        &self,
        logs: &[PlantLog],
        parameters: &[Parameter],
        act: impl FnOnce(&LeastSquaresProblem<'_>, &fit::FitOptions, usize) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let options = self.options;
        let bound = |log| BoundRecord::new(self.bare, self.identify, log, &options.constants, options.rtol);
        let bounds: Vec<BoundRecord<'_>> = logs.iter().map(bound).collect::<Result<_, _>>()?;
        let records = ResidualsOfRecords::new(&bounds, self.scales, self.priors);
        let weight = records.weight(&records.at(self.start));
        let value = |q: &[f64], out: &mut [f64]| records.write(q, weight, out);
        let problem = LeastSquaresProblem::new(parameters, records.count(), &value);
        let quick = fit::FitOptions { noise: NoiseModel::White, tolerance: 1e-3, ..options.settings() };
        act(&problem, &quick, records.data)
    }
}
