//! Choice of a law: the simplest that shows all required phenomena.
use super::{PhenomenaReport, Phenomenon, Verdict};

/// A law that shows all required phenomena.
#[derive(Clone, Copy, Debug)]
pub struct LawChoice<'a> {
    /// The law.
    pub report: &'a PhenomenaReport,
    /// Whether all are proved; otherwise passivity is open.
    pub proved: bool,
}

/// The laws that show all of `needs`, the smallest first: memory, then parameters, then name. The measured time is not
/// used, because it differs from run to run.
pub fn choose<'a>(reports: &'a [PhenomenaReport], needs: &[Phenomenon]) -> Vec<LawChoice<'a>> {
    let fits = |report: &&PhenomenaReport| needs.iter().all(|need| report.shows(*need));
    let mut found: Vec<&PhenomenaReport> = reports.iter().filter(fits).collect();
    found.sort_by_key(|report| (report.cost.size(), report.spec.law().name));
    let proved = |report: &PhenomenaReport| {
        needs.iter().all(|need| report.result(*need).is_some_and(|result| result.verdict == Verdict::Yes))
    };
    found.into_iter().map(|report| LawChoice { report, proved: proved(report) }).collect()
}
