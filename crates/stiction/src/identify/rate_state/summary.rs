//! Result of a fit of velocity steps.
use super::fit::{RateStateFit, RateStateOptions, Trend};
use super::model::{COUNT, PARAMETERS};
use super::noise::Clock;
use super::record::VelocitySteps;
use super::spring_slider::StateEvolution;
use crate::Spec;
use crate::identify::result::{TimeComparison, goodness_of_fit};
use crate::identify::{Estimate, Identifiability, IdentificationResult, ResidualSeries, ResultTable, Severity};
use crate::number::{round, short};

/// Records with a figure.
const MAX_FIGURES: usize = 8;

fn show(x: f64) -> String {
    short(round(x, 3))
}

pub(super) fn summarise(
    records: &[VelocitySteps],
    options: &RateStateOptions,
    found: &RateStateFit,
) -> IdentificationResult {
    let law = match options.evolution {
        StateEvolution::Ageing => "ageing law",
        StateEvolution::Slip => "slip law",
        StateEvolution::PerrinRiceZheng => "law of Perrin, Rice and Zheng",
        StateEvolution::Nagata => "law of Nagata",
    };
    let states = if options.states == 2 { "two states" } else { "one state" };
    let mut result = IdentificationResult::new("rate-state", format!("rate and state: {law}, {states}"));
    let used = |j: &usize| match PARAMETERS[*j].0 {
        "b2" | "dc2" => options.states == 2,
        "c" => options.evolution == StateEvolution::Nagata,
        "trend" => options.trend != Trend::None,
        _ => true,
    };
    result.estimates = (0..COUNT).filter(used).map(|j| estimate(j, options, found)).collect();
    order(&mut result);
    for i in 0..found.fitted.len() {
        let j = COUNT + i;
        let error = found.fit.standard_errors()[j];
        let interval = found.intervals[j].map(|x| x.unwrap_or(f64::NAN));
        let mut e = Estimate::new(&format!("step{}", i + 1), "s", found.fit.values[j], error, interval);
        e.identifiability = Identifiability::Good;
        result.estimates.push(e);
    }
    result.estimates.push(Estimate::given("v0", "m/s", found.v0));
    result.law = spec(&result, options);
    let mut at = 0;
    for steps in records {
        let rows = at..at + steps.t.len();
        let model = found.residual[rows.clone()].iter().zip(&steps.friction).map(|(r, f)| r + f).collect();
        let (name, quantity) = (steps.name.clone(), "friction [-]".to_owned());
        result.residuals.push(ResidualSeries {
            name,
            quantity,
            t: steps.t.clone(),
            measured: steps.friction.clone(),
            model,
        });
        at = rows.end;
    }
    result.curves = TimeComparison::of_records(&result.residuals, MAX_FIGURES);
    let free = found.fit.bound.iter().filter(|bound| !**bound).count();
    result.scores = goodness_of_fit(&result.residuals, free, "");
    // with the likelihood of the correlated noise
    let count = found.residual.len().max(1) as f64;
    for score in &mut result.scores {
        match score.key.as_str() {
            "aic" => score.value = found.deviance + 2.0 * free as f64,
            "bic" => score.value = found.deviance + count.ln() * free as f64,
            _ => {}
        }
    }
    result.tables.push(table(records, found));
    remarks(&mut result, records, found);
    result
}

/// An estimate with its interval, one-sided where the data bound it on one side.
fn estimate(j: usize, options: &RateStateOptions, found: &RateStateFit) -> Estimate {
    let (name, unit) = PARAMETERS[j];
    let unit = if name == "trend" && options.trend == Trend::Time { "1/s" } else { unit };
    let value = found.fit.values[j];
    if options.constraints.iter().any(|c| c.key == name && c.low.is_some() && c.low == c.high) {
        return Estimate::given(name, unit, value);
    }
    let [low, high] = found.intervals[j];
    let (low, high) = (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
    let error = if found.fit.bound[j] { f64::NAN } else { found.fit.standard_errors()[j] };
    let mut e = Estimate::new(name, unit, value, error, [low, high]);
    // zero is a value like any other for the evolution effects and the trend: a is their measure
    let size = match name {
        "b" | "b2" => value.abs().max(found.fit.values[1]),
        "trend" => f64::INFINITY,
        _ => value.abs(),
    };
    let half = 0.5 * (high - low);
    e.identifiability = if !half.is_finite() {
        Identifiability::Unidentifiable
    } else if half > 2.0 * size {
        Identifiability::Weak
    } else {
        Identifiability::Good
    };
    e
}

/// The steps of the load point.
fn table(records: &[VelocitySteps], found: &RateStateFit) -> ResultTable {
    let mut rows = Vec::new();
    for (record, r) in records.iter().enumerate() {
        for i in r.load.steps() {
            let fitted = found.fitted.iter().position(|step| step.record == record && step.first == i);
            let time = fitted.map_or(r.load.start[i], |k| found.fit.values[COUNT + k]);
            let error = fitted.map_or(f64::NAN, |k| found.fit.standard_errors()[COUNT + k]);
            rows.push((r.name.clone(), vec![time, error, r.load.velocity[i - 1], r.load.velocity[i]]));
        }
    }
    ResultTable {
        key: "steps".to_owned(),
        title: "Steps of the load point".to_owned(),
        columns: ["record", "time [s]", "error [s]", "before [m/s]", "after [m/s]"].map(str::to_owned).to_vec(),
        rows,
    }
}

/// Orders the two states: the shorter critical distance first.
fn order(result: &mut IdentificationResult) {
    let at = |name: &str| result.estimates.iter().position(|e| e.name == name);
    let (Some(b), Some(dc), Some(b2), Some(dc2)) = (at("b"), at("dc"), at("b2"), at("dc2")) else { return };
    if result.estimates[dc].value > result.estimates[dc2].value {
        for (i, j) in [(b, b2), (dc, dc2)] {
            let [one, two] = [i, j].map(|k| result.estimates[k].name.clone());
            result.estimates.swap(i, j);
            result.estimates[i].name = one;
            result.estimates[j].name = two;
        }
    }
}

/// The corresponding law of the registry; none if there is none.
fn spec(result: &IdentificationResult, options: &RateStateOptions) -> Option<Spec> {
    let name = match options.evolution {
        StateEvolution::Ageing => "dieterich",
        StateEvolution::Slip => "ruina",
        StateEvolution::PerrinRiceZheng | StateEvolution::Nagata => return None,
    };
    let mut spec = Spec::new(name).ok()?;
    for e in result.estimates.iter().filter(|e| spec_key(&e.name)) {
        spec.set(&e.name, e.value).ok()?;
    }
    Some(spec)
}

fn spec_key(name: &str) -> bool {
    !matches!(name, "k" | "trend") && !name.starts_with("step")
}

/// Standard errors beyond which the start of a record counts as unsteady: by chance once in some hundred records.
const UNSTEADY: f64 = 4.0;

fn remarks(result: &mut IdentificationResult, records: &[VelocitySteps], found: &RateStateFit) {
    if !found.fit.reason.converged() {
        result.remark(Severity::Warning, format!("the fit did not converge: {}", found.fit.reason.text()));
    }
    for r in records.iter().filter(|r| r.load.noise > 0.0) {
        let (count, noise) = (r.load.steps().len(), show(r.load.noise));
        let steps = if count == 1 { "1 step".to_owned() } else { format!("{count} steps") };
        let text = format!(
            "{}: the load point is taken as straight between {steps}; what was measured lies about that with a deviation of {noise}",
            r.name
        );
        result.remark(Severity::Info, text);
    }
    if found.held_steps > 0 {
        let text =
            format!("the times of {} steps are uncertain and were held at those of the load point", found.held_steps);
        result.remark(Severity::Warning, text);
    }
    if let Some(wander) = found.noise.wander.filter(|w| w.share * found.noise.white.powi(2) > 0.0) {
        let over = match wander.clock {
            Clock::Time => format!("{} s", show(wander.length)),
            Clock::Travel => format!("{} µm of travel", show(1e6 * wander.length)),
        };
        let text = format!(
            "friction wanders by {} over {over} beside white noise of {}: intervals allow for it, as for {} independent samples",
            show(found.noise.white * wander.share.sqrt()),
            show(found.noise.white),
            show(found.noise.effective.max(1.0).round())
        );
        result.remark(Severity::Info, text);
    }
    let value = |name: &str| result.estimate(name).map(|e| e.value);
    let (a, b) = (value("a").unwrap_or(0.0), value("b").unwrap_or(0.0) + value("b2").unwrap_or(0.0));
    let text = if a > b {
        format!("friction grows with speed, a - b = {}: sliding is stable on any spring", show(a - b))
    } else {
        let dc = value("dc").unwrap_or(1.0).max(value("dc2").unwrap_or(0.0));
        let critical = show((b - a) / dc);
        format!(
            "friction falls with speed, a - b = {}: stick-slip on a spring softer than {critical} per metre",
            show(a - b)
        )
    };
    // for two states the critical stiffness has no simple closed form
    if a > b || value("b2").is_none() {
        result.remark(Severity::Info, text);
    }
    if found.unsteady > UNSTEADY {
        let text = format!(
            "the record does not begin in steady sliding: friction at the start differs from it by {} standard errors; \
             begin later (--window FROM:TO)",
            show(found.unsteady)
        );
        result.remark(Severity::Warning, text);
    }
    let mut unknown = Vec::new();
    for e in result.estimates.iter().filter(|e| e.identifiability == Identifiability::Unidentifiable) {
        unknown.push(match e.interval {
            [low, high] if low.is_finite() && high.is_infinite() => {
                format!("{} (only that it is above {})", e.name, show(low))
            }
            [low, high] if high.is_finite() && low.is_infinite() => {
                format!("{} (only that it is below {})", e.name, show(high))
            }
            _ => e.name.clone(),
        });
    }
    if !unknown.is_empty() {
        let text = format!(
            "{} cannot be identified from this record: it needs larger steps of speed, held until friction is steady, \
             and samples closer than the critical distance; a value that is known can be held (--set k=NUMBER)",
            unknown.join(", ")
        );
        result.remark(Severity::Critical, text);
    }
}
