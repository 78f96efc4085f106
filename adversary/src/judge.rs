//! Compares the simulator on one model with the reference and with itself.
//!
//! An error passes if it is at most
//!
//! ```text
//! 100 (rtol scale + atol) + 10 D + the error that the reference expects of itself
//! ```
//!
//! where `scale` is the largest value of the column and D is how far the column moves when the numbers of the model are changed by up
//! to 10 rtol (and initial values by 10 atol), see [`perturb`]: a hundred times the tolerance, carried along by the system. D comes
//! from the reference, which a defect of the simulator cannot make larger; from the simulator at a closer tolerance where the
//! reference cannot follow. A value that may be off by more than a hundredth of its scale decides nothing: the comparison is
//! then counted as excluded, unless the two agree as if the system were not sensitive at all.
use crate::closed_forms;
use crate::model::{Model, ROWS, RunSettings};
use crate::random::Random;
use crate::reference::{self, Leeway, ReferenceError, ReferenceSolution};
use crate::simulate::{RunError, SimulatedRun, Simulator, run};
use crate::toml_text;
use crate::trajectory::Trajectory;
use crate::transform::{Perturbation, delay, memory_errors, mirror, perturb};

/// Names of all comparisons, in the order in which they are made.
pub const COMPARISONS: [&str; 10] = [
    "reference",
    "closed form",
    "tolerance",
    "max_step",
    "row spacing",
    "order of components",
    "time shift",
    "mirror",
    "run end",
    "energy",
];

/// Most rows of a comparison that may be undecided without excluding it. An event whose instant is uncertain makes the rows on
/// both sides of a jump undecided: these are two such events.
const MOST_JUMP_ROWS: usize = 4;

/// What a comparison showed.
#[derive(Clone, Debug)]
pub struct ComparisonResult {
    pub name: &'static str,
    /// Largest error over the error that is allowed.
    pub ratio: f64,
    /// Whether it is excluded as too sensitive.
    pub excluded: bool,
    /// The place and the numbers, in words.
    pub detail: String,
}

impl ComparisonResult {
    /// Whether the error is larger than allowed.
    pub fn fails(&self) -> bool {
        !self.excluded && (self.ratio > 1.0 || self.ratio.is_nan())
    }
}

/// What came of one model.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The scenario is refused.
    pub invalid: Option<String>,
    pub results: Vec<ComparisonResult>,
    /// Why there was no reference.
    pub without_reference: Option<ReferenceError>,
    /// The model on which a run for the sensitivity failed, and its settings.
    pub changed: Option<Box<(Model, RunSettings)>>,
}

impl Verdict {
    /// The worst comparison that failed.
    pub fn failure(&self) -> Option<&ComparisonResult> {
        let failed = self.results.iter().filter(|result| result.fails());
        failed.max_by(|a, b| a.ratio.total_cmp(&b.ratio))
    }
}

/// Which error is allowed where, on one model.
struct Allowance {
    /// 100 (rtol scale + atol), per column.
    plain: Vec<f64>,
    scale: Vec<f64>,
    /// The rest, value by value; not a number where the model does not determine the value.
    extra: Trajectory,
}

impl Allowance {
    /// The largest ratio of error to allowance over all values.
    fn compare(
        &self,
        name: &'static str,
        a: &Trajectory,
        b: &Trajectory,
        factor: f64,
        model: &Model,
    ) -> ComparisonResult {
        let mut worst = ComparisonResult { name, ratio: 0.0, excluded: false, detail: String::new() };
        let mut sensitive = Vec::new();
        for (k, (row, other)) in a.rows.iter().zip(&b.rows).enumerate() {
            for (c, (x, y)) in row.iter().zip(other).enumerate() {
                if self.extra.rows[k][c].is_nan() {
                    continue;
                }
                let error = (x - y).abs();
                let allowed = factor * (self.plain[c] + self.extra.rows[k][c]);
                let undecided = allowed > 0.01 * self.scale[c] && self.extra.rows[k][c] > self.plain[c];
                if undecided && error > factor * self.plain[c] {
                    sensitive.push(k);
                    continue;
                }
                // where nothing moves, nothing is allowed
                let ratio = if error == 0.0 { 0.0 } else { error / allowed };
                if ratio > worst.ratio || ratio.is_nan() {
                    worst.ratio = ratio;
                    worst.detail = format!(
                        "{} at t = {:.6}: {x:.9e} against {y:.9e}, error {error:.2e}, allowed {allowed:.2e}",
                        a.columns[c],
                        model.row_time(k)
                    );
                }
            }
        }
        // the rows beside a jump are undecided in every system
        sensitive.dedup();
        worst.excluded = sensitive.len() > MOST_JUMP_ROWS && worst.ratio <= 1.0;
        worst
    }
    /// The largest allowance of a column over the largest value of all columns of its kind.
    fn relative(&self) -> f64 {
        let kind = |name: &str| name.rsplit('.').next().map(str::to_owned);
        let names = &self.extra.columns;
        let mut most = 0.0f64;
        for (c, name) in names.iter().enumerate() {
            let alike = names.iter().zip(&self.scale).filter(|(other, _)| kind(other) == kind(name));
            let scale = alike.map(|(_, scale)| *scale).fold(0.0, f64::max);
            if scale > 0.0 {
                most = most.max((self.extra.largest(c) + self.plain[c]) / scale);
            }
        }
        most
    }
}

/// A run for the sensitivity that failed: what it was, why, and of which model with which settings.
struct FailedRun {
    which: &'static str,
    error: RunError,
    of: Box<(Model, RunSettings)>,
}

/// Judges one model. `only`: the one comparison that is of interest, for shrinking.
pub fn judge(simulator: &dyn Simulator, model: &Model, settings: &RunSettings, only: Option<&str>) -> Verdict {
    let mut verdict = Verdict::default();
    let base = match run(simulator, model, settings) {
        Ok(base) => base,
        Err(error) => {
            note_error(&mut verdict, "the run itself", error);
            return verdict;
        }
    };
    let solution = reference::solve(model);
    let solution = match solution {
        Ok(solution) => Some(solution),
        Err(error) => {
            verdict.without_reference = Some(error);
            None
        }
    };
    let allowance = match allowance(simulator, model, settings, &base, solution.as_ref()) {
        Ok(allowance) => allowance,
        Err(failed) => {
            note_error(&mut verdict, failed.which, failed.error);
            verdict.changed = Some(failed.of);
            return verdict;
        }
    };
    let wanted = |name: &str| only.is_none_or(|only| only == name);
    if let Some(solution) = solution.as_ref().filter(|_| wanted("reference")) {
        verdict.results.push(allowance.compare("reference", &base.trajectory, &solution.trajectory, 1.0, model));
    }
    if wanted("closed form")
        && let Some(form) = closed_forms::solution(model)
    {
        verdict.results.push(allowance.compare("closed form", &base.trajectory, &form, 1.0, model));
    }
    for name in COMPARISONS.iter().skip(2).take(7).filter(|name| wanted(name)) {
        match other_run(simulator, model, settings, name) {
            None => {}
            Some(Err(error)) => note_error(&mut verdict, name, error),
            // both runs may be off
            Some(Ok(other)) => verdict.results.push(allowance.compare(name, &base.trajectory, &other, 2.0, model)),
        }
    }
    if wanted("energy") {
        verdict.results.push(audit(model, settings, &base, &allowance));
    }
    verdict
}

fn note_error(verdict: &mut Verdict, which: &str, error: RunError) {
    if let RunError::Invalid(text) = error {
        verdict.invalid = Some(text);
        return;
    }
    let detail = format!("{which}: {}", error.message());
    // a run that is long by nature says nothing
    let excluded = matches!(error, RunError::Long(_));
    verdict.results.push(ComparisonResult { name: error.kind(), ratio: f64::INFINITY, excluded, detail });
}

/// The same motion by a run in which something else differs; none where that is not possible.
fn other_run(
    simulator: &dyn Simulator,
    model: &Model,
    settings: &RunSettings,
    name: &str,
) -> Option<Result<Trajectory, RunError>> {
    let span = model.end - model.start;
    let plain = |settings: &RunSettings| run(simulator, model, settings).map(|run| run.trajectory);
    Some(match name {
        "tolerance" => plain(&closer(settings)),
        "max_step" => plain(&RunSettings { max_step: span / 97.0, ..*settings }),
        "row spacing" => plain(&RunSettings { rows: 7 * ROWS, ..*settings }),
        "order of components" => {
            let text = toml_text::scenario(model, settings, Some(&mut Random::new(1, 1)));
            simulator.run(model, &text).map(|run| run.trajectory)
        }
        "time shift" => run(simulator, &delay(model, 3.0 * span), settings).map(|run| run.trajectory),
        "mirror" => run(simulator, &mirror(model)?, settings).map(|run| run.trajectory.mirrored()),
        _ => {
            // rows at the same instants, and eleven more
            let longer = Model { end: model.start + span * (1.0 + 11.0 / ROWS as f64), ..model.clone() };
            let text = toml_text::scenario(&longer, &RunSettings { rows: ROWS + 11, ..*settings }, None);
            simulator.run(model, &text).map(|run| run.trajectory)
        }
    })
}

/// A hundred times closer, as far as double precision goes.
fn closer(settings: &RunSettings) -> RunSettings {
    let factor = (1e-2f64).max(1e-12 / settings.rtol);
    RunSettings { rtol: settings.rtol * factor, atol: settings.effective_atol() * factor, ..*settings }
}

fn allowance(
    simulator: &dyn Simulator,
    model: &Model,
    settings: &RunSettings,
    base: &SimulatedRun,
    solution: Option<&ReferenceSolution>,
) -> Result<Allowance, FailedRun> {
    let scale = solution.map_or(&base.trajectory, |solution| &solution.trajectory).scales();
    let (rtol, atol) = (settings.rtol, settings.effective_atol());
    let plain: Vec<f64> = scale
        .iter()
        .zip(&base.trajectory.columns)
        .map(|(scale, name)| 100.0 * (rtol * scale + if name.ends_with(".force") { 0.0 } else { atol }))
        .collect();
    let by = Perturbation { relative: 10.0 * rtol, absolute: 10.0 * atol };
    let perturbed = |number| perturb(model, by, &scale, number);
    let mut moved = Vec::new();
    if let Some(middle) = solution.and_then(|_| reference::solve_once(model, Leeway::default()).ok()) {
        let mut run = |model: &Model, leeway| {
            moved.extend(reference::solve_once(model, leeway).ok().map(|run| run.difference(&middle)));
        };
        for number in 0..2 {
            run(&perturbed(number), Leeway { memory: memory_errors(by, number), ..Leeway::default() });
        }
        if model.stops.len() > 1 {
            run(model, Leeway { together: [by.relative, by.absolute], ..Leeway::default() });
        }
    }
    if moved.is_empty() {
        let close = closer(settings);
        let failed = |which, error, model: &Model| FailedRun { which, error, of: Box::new((model.clone(), close)) };
        let middle = run(simulator, model, &close);
        let middle = middle.map_err(|error| failed("a run at a closer tolerance", error, model))?.trajectory;
        for number in 0..4 {
            let changed = perturbed(number);
            match run(simulator, &changed, &close) {
                Ok(run) => moved.push(run.trajectory.difference(&middle)),
                // refused, or with vibrations that the system itself does not have
                Err(RunError::Invalid(_) | RunError::Endless(_) | RunError::Long(_)) => {}
                Err(error) => return Err(failed("a run with changed numbers", error, &changed)),
            }
        }
    }
    let rows = base.trajectory.rows.len();
    let at = |k: usize, c: usize| {
        // an event may lie between two rows: what moves at one of them may have moved at its neighbours
        let near = k.saturating_sub(1)..(k + 2).min(rows);
        let most = |of: &Trajectory| near.clone().map(|k| of.rows[k][c]).fold(0.0, f64::max);
        let sensitivity = moved.iter().map(&most).fold(0.0, f64::max);
        let open = solution.is_some_and(|solution| solution.trajectory.rows[k][c].is_nan());
        if open { f64::NAN } else { 10.0 * sensitivity + solution.map_or(0.0, |solution| most(&solution.error)) }
    };
    let columns = base.trajectory.columns.clone();
    let extra = (0..rows).map(|k| (0..columns.len()).map(|c| at(k, c)).collect()).collect();
    Ok(Allowance { plain, scale, extra: Trajectory { columns, rows: extra } })
}

/// The energy that is missing at the end, over the energy that an error of the motion may cost.
fn audit(model: &Model, settings: &RunSettings, base: &SimulatedRun, allowance: &Allowance) -> ComparisonResult {
    let error = base.energy.error().abs();
    let relative = allowance.relative().max(100.0 * settings.rtol);
    let atol = settings.effective_atol();
    // momenta and spring forces of the motion: times a velocity or a position they are the energies that come and go on the way,
    // times the absolute tolerance their error
    let bodies = model.bodies.len();
    let reach = allowance.scale.iter().take(2 * bodies).step_by(2).fold(0.0f64, |most, x| most.max(*x));
    let momenta: Vec<[f64; 2]> = (model.bodies.iter().enumerate())
        .map(|(i, body)| {
            let inertia = body.pendulum.map_or(body.mass, |[length, _]| body.mass * length * length);
            let speed = allowance.scale[2 * i + 1] + atol;
            [inertia * speed, speed]
        })
        .collect();
    let springs = model.springs.iter().map(|spring| [spring.stiffness.abs(), spring.rest.abs()]);
    let elastic = springs.chain(model.controls.iter().map(|control| [control.gains[0].abs(), 0.0]));
    let forces: Vec<[f64; 2]> = elastic.map(|[k, rest]| [k * (reach + rest), reach + rest]).collect();
    let flows = momenta.iter().chain(&forces);
    let size = flows.clone().map(|[a, b]| a * b).fold(base.energy.size(), f64::max);
    // what applied forces do on the way that positions may be wrong by; friction at rest is no larger
    let applied: f64 = model.forces.iter().map(|force| force.force.bound(model.end)).sum();
    let floor = 100.0 * atol * (flows.map(|[a, _]| a).sum::<f64>() + applied);
    let allowed = 2.0 * relative * size + floor;
    let detail = format!("missing {error:.2e} J of {size:.2e} J, allowed {allowed:.2e} J");
    let excluded = relative > 0.01 && error > 200.0 * settings.rtol * size + floor;
    ComparisonResult { name: "energy", ratio: error / allowed.max(1e-290), excluded, detail }
}
