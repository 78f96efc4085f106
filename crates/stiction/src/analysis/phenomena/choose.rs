//! Which law to use: the cheapest that shows what is needed.
use super::{Phenomenon, Report, Shown};

/// A law that shows all that is needed.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The law.
    pub report: &'a Report,
    /// Whether all is proved; else passivity is open.
    pub proved: bool,
    /// Its place by size: memory first, then parameters. From 1.
    pub by_size: usize,
}

/// The laws that show all of `needs`, the cheapest first by the time of a sample.
pub fn choose<'a>(reports: &'a [Report], needs: &[Phenomenon]) -> Vec<Choice<'a>> {
    let fits = |report: &&Report| needs.iter().all(|need| report.shows(*need));
    let mut found: Vec<&Report> = reports.iter().filter(fits).collect();
    found.sort_by_key(|report| report.cost.size());
    let proved =
        |report: &Report| needs.iter().all(|need| report.cell(*need).is_some_and(|cell| cell.shown == Shown::Yes));
    let mut out: Vec<Choice<'a>> = found
        .into_iter()
        .enumerate()
        .map(|(k, report)| Choice { report, proved: proved(report), by_size: k + 1 })
        .collect();
    out.sort_by(|a, b| a.report.cost.ns.total_cmp(&b.report.cost.ns));
    out
}
