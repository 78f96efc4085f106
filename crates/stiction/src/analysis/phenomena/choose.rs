//! Which law to use: the smallest that shows what is needed.
use super::{Phenomenon, Report, Shown};

/// A law that shows all that is needed.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The law.
    pub report: &'a Report,
    /// Whether all is proved; else passivity is open.
    pub proved: bool,
}

/// The laws that show all of `needs`, the smallest first: memory, then parameters, then name. The time of a sample would be
/// another order every time.
pub fn choose<'a>(reports: &'a [Report], needs: &[Phenomenon]) -> Vec<Choice<'a>> {
    let fits = |report: &&Report| needs.iter().all(|need| report.shows(*need));
    let mut found: Vec<&Report> = reports.iter().filter(fits).collect();
    found.sort_by_key(|report| (report.cost.size(), report.spec.law().name));
    let proved =
        |report: &Report| needs.iter().all(|need| report.cell(*need).is_some_and(|cell| cell.shown == Shown::Yes));
    found.into_iter().map(|report| Choice { report, proved: proved(report) }).collect()
}
