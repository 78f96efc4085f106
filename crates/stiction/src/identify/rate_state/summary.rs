//! Result of a fit of velocity steps.
use super::fit::{PARAMETERS, RateStateOptions, VelocitySteps};
use super::spring_slider::StateEvolution;
use crate::Spec;
use crate::fit::Fit;
use crate::identify::result::{TimeComparison, goodness_of_fit};
use crate::identify::{Estimate, Identifiability, IdentificationResult, ResidualSeries, Severity};
use crate::number::{round, short};

/// Records with a figure.
const MAX_FIGURES: usize = 8;

pub(super) fn summarise(
    records: &[VelocitySteps],
    options: &RateStateOptions,
    v0: f64,
    fit: &Fit,
) -> IdentificationResult {
    let law = match options.evolution {
        StateEvolution::Ageing => "ageing law",
        StateEvolution::Slip => "slip law",
        StateEvolution::PerrinRiceZheng => "law of Perrin, Rice and Zheng",
    };
    let states = if options.states == 2 { "two states" } else { "one state" };
    let mut result = IdentificationResult::new("rate-state", format!("rate and state: {law}, {states}"));
    let one = |j: usize| {
        let (name, unit) = PARAMETERS[j];
        let mut e = Estimate::new(name, unit, fit.values[j], fit.standard_errors()[j], fit.interval(j, options.level));
        if fit.bound[j] {
            e = e.at_bound();
        }
        e
    };
    let used = |j: &usize| match PARAMETERS[*j].0 {
        "b2" | "dc2" => options.states == 2,
        "trend" => options.trend,
        _ => true,
    };
    result.estimates = (0..PARAMETERS.len()).filter(used).map(one).collect();
    order(&mut result);
    result.estimates.push(Estimate::given("v0", "m/s", v0));
    result.law = spec(&result, options);
    let mut at = 0;
    for steps in records {
        let rows = at..at + steps.t.len();
        let model = fit.residual[rows.clone()].iter().zip(&steps.friction).map(|(r, f)| r + f).collect();
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
    let free = fit.bound.iter().filter(|bound| !**bound).count();
    result.scores = goodness_of_fit(&result.residuals, free, "");
    remarks(&mut result, fit);
    instants(&mut result, records);
    result
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
        StateEvolution::PerrinRiceZheng => return None,
    };
    let mut spec = Spec::new(name).ok()?;
    for e in result.estimates.iter().filter(|e| spec_key(&e.name)) {
        spec.set(&e.name, e.value).ok()?;
    }
    Some(spec)
}

fn spec_key(name: &str) -> bool {
    !matches!(name, "k" | "trend")
}

/// Travel of the load point in a sampling interval, relative to the travel over which friction changes, below which the
/// unknown instant of a step is negligible: the estimates are then off by about one percent.
const NEGLIGIBLE_TRAVEL: f64 = 0.02;

/// Adds a warning if unknown instants of steps matter.
fn instants(result: &mut IdentificationResult, records: &[VelocitySteps]) {
    let value = |name: &str| result.estimate(name).map_or(f64::NAN, |e| e.value);
    let (a, dc, k) = (value("a"), value("dc"), value("k"));
    let matters = |steps: &VelocitySteps, j: usize| {
        let [before, after] = [steps.velocity[j - 1], steps.velocity[j]];
        let way = before.max(after) * (steps.t[j] - steps.t[j - 1]);
        // friction changes over dc, and while the spring stretches by the direct effect
        let need = dc.min(a * (after / before).ln().abs() / k);
        way > NEGLIGIBLE_TRAVEL * need
    };
    let count =
        records.iter().flat_map(|s| s.unsure.iter().map(move |&j| (s, j))).filter(|(s, j)| matters(s, *j)).count();
    if count > 0 {
        let steps = if count == 1 { "a step".to_owned() } else { format!("{count} steps") };
        let lie = if count == 1 { "lies" } else { "lie" };
        let text = format!(
            "{steps} of the speed {lie} between two samples; its instant is not known from velocities, which changes dc \
             and k by more than their standard errors: give the displacement of the load point (--position), or sample faster"
        );
        result.remark(Severity::Critical, text);
    }
}

fn remarks(result: &mut IdentificationResult, fit: &Fit) {
    if !fit.reason.converged() {
        result.remark(Severity::Warning, format!("the fit did not converge: {}", fit.reason.text()));
    }
    let value = |name: &str| result.estimate(name).map(|e| e.value);
    let (a, b) = (value("a").unwrap_or(0.0), value("b").unwrap_or(0.0) + value("b2").unwrap_or(0.0));
    let show = |x: f64| short(round(x, 3));
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
    let unknown: Vec<String> = result
        .estimates
        .iter()
        .filter(|e| e.identifiability == Identifiability::Unidentifiable)
        .map(|e| e.name.clone())
        .collect();
    if !unknown.is_empty() {
        let text = format!(
            "{} cannot be identified from this record: it needs larger steps of speed, held until friction is steady, \
             and samples closer than the critical distance",
            unknown.join(", ")
        );
        result.remark(Severity::Critical, text);
    }
}
