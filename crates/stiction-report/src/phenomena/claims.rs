//! Contradictions between measured phenomena and published claims.
use super::figure;
use crate::text::{table, wrap};
use stiction::analysis::phenomena::PhenomenaReport;
use stiction::analysis::phenomena::published_claims::{
    Contradiction, LAW_PAGE, claims_about, contradictions, undocumented_phenomena,
};

/// The claims about a law that experiments contradict: the phenomenon, and the claim with its source.
pub fn contradicted(report: &PhenomenaReport) -> Vec<(&'static str, String)> {
    let one = |d: Contradiction<'_>| {
        let what = d.claim.phenomenon.criterion();
        let said = if d.claim.shows { "to show it" } else { "not to show it" };
        let who = match d.claim.cite {
            LAW_PAGE => format!("its page ('{}')", d.claim.place),
            cite => format!("{cite}, {}", d.claim.place),
        };
        let measured = format!("{}, {} {}", d.result.verdict.name(), what.value, figure(d.result));
        (what.key, format!("said {said} by {who}; measured: {measured}"))
    };
    contradictions(report).into_iter().map(one).collect()
}

/// The contradicted claims, and the phenomena that law pages do not mention.
pub fn text(reports: &[PhenomenaReport]) -> String {
    let claims: usize = reports.iter().map(|r| claims_about(r.spec.law().name).len()).sum();
    let mut rows = Vec::new();
    for report in reports {
        for (what, text) in contradicted(report) {
            rows.push([report.spec.law().name.to_owned(), what.to_owned(), text]);
        }
    }
    let mut out = format!("\nClaims of papers and pages: {claims}, of which experiments contradict {}\n", rows.len());
    out += &table(&rows, &[]);
    // without values: for creep, 0 is the best value, but reads like none
    let silent: Vec<[String; 2]> = reports
        .iter()
        .map(|report| (report.spec.law().name.to_owned(), undocumented_phenomena(report)))
        .filter(|(_, cells)| !cells.is_empty())
        .map(|(law, cells)| [law, cells.iter().map(|c| c.criterion.key).collect::<Vec<_>>().join(", ")])
        .collect();
    if !silent.is_empty() {
        out += "\nShown, but not mentioned on the page of the law\n";
        out += &table(&silent, &[]);
    }
    if reports.len() > 1 {
        out += &wrap(
            "\n",
            "Here a claim is one sentence of a paper reduced to one word: read the cited passage before blaming its authors.",
            0,
        );
    }
    out
}
