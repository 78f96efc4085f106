//! The phenomena that laws show, measured.
pub mod claims;
mod law_report;
mod matrix;
mod requirements;

use crate::Report;
use serde_json::{Value, json};
use stiction::analysis::phenomena::published_claims::{claims_about, contradictions, undocumented_phenomena};
use stiction::analysis::phenomena::{
    ALL_PHENOMENA, ExperimentResult, PhenomenaReport, Phenomenon, Verdict, criteria, measure_all,
};
use stiction::core::models::ALL;
use stiction::plot::Figure;
use stiction::sim::StopFlag;
use stiction::{Error, Spec};

/// What some laws show, and which of them shows all that is needed.
pub struct PhenomenaSummary {
    laws: Vec<PhenomenaReport>,
    needs: Vec<Phenomenon>,
}

impl PhenomenaSummary {
    /// Measures what laws show: the given ones, or all with their default parameters. With `needs`, names of phenomena, the
    /// smallest law that shows them all is chosen; if only `brief`, nothing else is measured then. The flag ends it.
    ///
    /// # Errors
    /// A name that is not that of a phenomenon; and as [`measure_all`].
    pub fn measure(specs: Vec<Spec>, needs: &[String], brief: bool, stop: &StopFlag) -> Result<Self, Error> {
        let needs = requirements::parse(needs)?;
        let specs = if specs.is_empty() {
            ALL.iter().map(|law| Spec::new(law.name)).collect::<Result<Vec<_>, _>>()?
        } else {
            specs
        };
        let some = brief && !needs.is_empty();
        let laws = measure_all(&specs, if some { &needs } else { &ALL_PHENOMENA }, stop)?;
        Ok(Self { laws, needs })
    }
    /// Whether a law shows all that is needed.
    pub fn is_answered(&self) -> bool {
        self.needs.is_empty() || requirements::answered(&self.laws, &self.needs)
    }
}

impl Report for PhenomenaSummary {
    fn text(&self) -> String {
        match &self.laws[..] {
            laws if !self.needs.is_empty() => requirements::text(laws, &self.needs),
            [one] => law_report::text(one),
            all => matrix::text(all) + &claims::text(all),
        }
    }
    fn json(&self) -> Value {
        let choice = (!self.needs.is_empty()).then(|| requirements::value(&self.laws, &self.needs));
        json!({
            "phenomena": criteria::ALL.iter().map(explain).collect::<Vec<_>>(),
            "laws": self.laws.iter().map(value).collect::<Vec<_>>(),
            "choice": choice,
        })
    }
    fn figures(&self) -> Vec<(&'static str, Figure)> {
        vec![("matrix", matrix::figure(&self.laws))]
    }
}

fn explain(kind: &criteria::Criterion) -> Value {
    json!({
        "key": kind.key, "title": kind.title, "figure": kind.value, "threshold": kind.threshold,
        "counts": if kind.below { "at most" } else { "at least" }, "why": kind.why,
    })
}

/// A measured value with three digits.
pub fn figure(result: &ExperimentResult) -> String {
    let short = |x: f64| stiction::number::short(stiction::number::round(x, 3) + 0.0);
    // zero within rounding is zero
    result.value.map_or("-".to_owned(), |x| if x.abs() < 1e-12 { "0".to_owned() } else { short(x) })
}

/// The symbol of a cell of the table.
pub fn mark(result: &ExperimentResult) -> &'static str {
    match (result.verdict, result.value) {
        (Verdict::Yes, _) => "+",
        (Verdict::Open, _) => "o",
        (Verdict::No, Some(_)) => ".",
        (Verdict::No, None) => " ",
    }
}

/// The results of a law as JSON.
fn value(report: &PhenomenaReport) -> Value {
    let s = &report.scales;
    let cell = |c: &ExperimentResult| {
        let note = if c.note.is_empty() { Value::Null } else { json!(c.note) };
        (
            c.criterion.key.to_owned(),
            json!({ "shown": c.verdict.name(), "figure": c.value, "threshold": c.criterion.threshold, "note": note }),
        )
    };
    let claim = |c: stiction::analysis::phenomena::published_claims::Claim| json!({ "phenomenon": c.phenomenon.criterion().key, "shows": c.shows, "cite": c.cite, "place": c.place });
    json!({
        "law": report.spec.law().name,
        "phenomena": report.results.iter().map(cell).collect::<serde_json::Map<_, _>>(),
        "scales": { "peak": s.peak, "kinetic": s.kinetic, "speed": s.speed, "length": s.length, "stiffness": s.stiffness, "mass": s.mass() },
        "cost": { "ns": report.cost.ns, "states": report.cost.states, "params": report.cost.params },
        "claims": claims_about(report.spec.law().name).into_iter().map(claim).collect::<Vec<_>>(),
        "differs": contradictions(report).into_iter().map(|d| json!({ "claim": claim(d.claim), "shown": d.result.verdict.name(), "figure": d.result.value })).collect::<Vec<_>>(),
        "unsaid": undocumented_phenomena(report).iter().map(|c| c.criterion.key).collect::<Vec<_>>(),
    })
}
