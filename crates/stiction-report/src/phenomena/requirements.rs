//! Chooses a law that shows the required phenomena.
use super::figure;
use crate::text::table;
use serde_json::{Value, json};
use stiction::Error;
use stiction::analysis::phenomena::{PhenomenaReport, Phenomenon, choose, criteria};
use stiction::similar_names::similar;

/// Reads a list of phenomena separated by commas.
pub fn parse(texts: &[String]) -> Result<Vec<Phenomenon>, Error> {
    let empty = |text: &&String| text.split(',').all(|name| name.trim().is_empty());
    if let Some(text) = texts.iter().find(empty) {
        let known = criteria::ALL.iter().map(|kind| kind.key.to_owned()).collect();
        return Err(Error::UnknownName { what: "phenomenon", name: text.clone(), near: Vec::new(), known });
    }
    let names = texts.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|name| !name.is_empty());
    names
        .map(|name| {
            criteria::find(name).map(|kind| kind.phenomenon).ok_or_else(|| {
                let known: Vec<String> = criteria::ALL.iter().map(|kind| kind.key.to_owned()).collect();
                let near = similar(name, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
                Error::UnknownName { what: "phenomenon", name: name.to_owned(), near, known }
            })
        })
        .collect()
}

fn shown(report: &PhenomenaReport, need: Phenomenon) -> String {
    report.result(need).map_or_else(|| "-".to_owned(), figure)
}

/// The answer as text.
pub fn text(reports: &[PhenomenaReport], needs: &[Phenomenon]) -> String {
    let found = choose(reports, needs);
    let keys: Vec<&str> = needs.iter().map(|need| need.criterion().key).collect();
    let keys = keys.join(", ");
    let Some(best) = found.first() else {
        // the nearest laws are more helpful than "none"
        let lacks =
            |report: &PhenomenaReport| needs.iter().filter(|need| !report.shows(**need)).copied().collect::<Vec<_>>();
        let least = reports.iter().map(|report| lacks(report).len()).min().unwrap_or(0);
        let rows: Vec<[String; 2]> = reports
            .iter()
            .filter(|report| lacks(report).len() == least)
            .map(|report| {
                let missing: Vec<String> = lacks(report)
                    .iter()
                    .map(|need| format!("{} ({})", need.criterion().key, shown(report, *need)))
                    .collect();
                [report.spec.law().name.to_owned(), format!("lacks {}", missing.join(", "))]
            })
            .collect();
        return format!("No law shows {keys}. The nearest:\n{}", table(&rows, &[]));
    };
    let mut out = format!("For {keys}: {}\n\n", best.report.spec.law().name);
    let head = ["law", "memory", "parameters", "ns", "figures"].map(str::to_owned);
    let rows = found.iter().map(|choice| {
        let r = choice.report;
        let figures: Vec<String> =
            needs.iter().map(|need| format!("{} {}", need.criterion().key, shown(r, *need))).collect();
        let open = if choice.proved { "" } else { "; open" };
        [
            r.spec.law().name.to_owned(),
            r.cost.states.to_string(),
            r.cost.params.to_string(),
            format!("{:.0}", r.cost.ns),
            figures.join(", ") + open,
        ]
    });
    out += &table(&[head].into_iter().chain(rows).collect::<Vec<_>>(), &[1, 2, 3]);
    out + "\nThe smallest first: memory, then parameters, then name; ns: the time of a sample, here and now.\n"
}

/// Whether there is a law that shows all of them.
pub fn answered(reports: &[PhenomenaReport], needs: &[Phenomenon]) -> bool {
    !choose(reports, needs).is_empty()
}

/// The answer as JSON.
pub fn value(reports: &[PhenomenaReport], needs: &[Phenomenon]) -> Value {
    let found = choose(reports, needs);
    let one = |choice: &stiction::analysis::phenomena::LawChoice<'_>| json!({ "law": choice.report.spec.law().name, "ns": choice.report.cost.ns, "states": choice.report.cost.states, "params": choice.report.cost.params, "proved": choice.proved });
    json!({
        "need": needs.iter().map(|need| need.criterion().key).collect::<Vec<_>>(),
        "use": found.first().map(|choice| choice.report.spec.law().name),
        "laws": found.iter().map(one).collect::<Vec<_>>(),
    })
}
