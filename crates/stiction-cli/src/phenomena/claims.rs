//! Where laws do otherwise than is said of them.
use super::figure;
use crate::text::{table, wrap};
use stiction::analysis::phenomena::PhenomenaReport;
use stiction::analysis::phenomena::published_claims::{Difference, LAW_PAGE, claims_about, differences, unsaid};

/// Where experiments contradict what is said of a law: what it is about, and who says what, in words.
pub fn contradicted(report: &PhenomenaReport) -> Vec<(&'static str, String)> {
    let one = |d: Difference<'_>| {
        let what = d.claim.what.criterion();
        let said = if d.claim.shows { "to show it" } else { "not to show it" };
        let who = match d.claim.cite {
            LAW_PAGE => format!("its page ('{}')", d.claim.place),
            cite => format!("{cite}, {}", d.claim.place),
        };
        let measured = format!("{}, {} {}", d.result.verdict.name(), what.figure, figure(d.result));
        (what.key, format!("said {said} by {who}; measured: {measured}"))
    };
    differences(report).into_iter().map(one).collect()
}

/// Differences between claims and outcomes, and what pages do not say.
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
    // without figures: of a creep, 0 is the best there is, and reads like none
    let silent: Vec<[String; 2]> = reports
        .iter()
        .map(|report| (report.spec.law().name.to_owned(), unsaid(report)))
        .filter(|(_, cells)| !cells.is_empty())
        .map(|(law, cells)| [law, cells.iter().map(|c| c.criterion.key).collect::<Vec<_>>().join(", ")])
        .collect();
    if !silent.is_empty() {
        out += "\nShown, but not said on the law's page\n";
        out += &table(&silent, &[]);
    }
    if reports.len() > 1 {
        out += &wrap(
            "\n",
            "A claim is one sentence of a paper put into one word here: see the place named before blaming its authors.",
            0,
        );
    }
    out
}
