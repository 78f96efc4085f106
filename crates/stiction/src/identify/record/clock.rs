//! What the numbers of a column of time mean, where the file gives no unit.
use super::{Remark, Severity};
use crate::number::{round, short};

/// Seconds from 1970 to the beginnings of 2001 and of 2100. Clocks of computers count from 1970; nothing else of a record is as large.
const YEARS: [f64; 2] = [978_307_200.0, 4_102_444_800.0];
/// Units in which such clocks count, with their names.
const UNITS: [(f64, &str); 3] = [(1e-3, "milliseconds"), (1e-6, "microseconds"), (1e-9, "nanoseconds")];
/// Time between rows, in the unit of the column, from which on the unit is hardly a second: machines are not logged so slowly.
const SLOW: f64 = 1.0;
/// Relative difference of two sampling rates that no drift of a clock explains.
const RATE_TOLERANCE: f64 = 0.02;

/// Turns times without a unit into seconds from the first row, if they count from 1970 in a smaller unit. What was done, and what
/// the reader should look at, is told.
pub(super) fn in_seconds(values: &mut [f64], file: &str) -> Option<Remark> {
    let first = values.iter().copied().find(|t| t.is_finite())?;
    let since_1970 = |factor: f64| (YEARS[0]..YEARS[1]).contains(&(first * factor));
    if let Some((factor, unit)) = UNITS.into_iter().find(|(factor, _)| since_1970(*factor)) {
        // the difference first: in nanoseconds these numbers leave no room for digits behind the point
        values.iter_mut().for_each(|t| *t = (*t - first) * factor);
        let text = format!("{file}: the time counts {unit} from 1970; taken in seconds from the first row");
        return Some(Remark::new(Severity::Info, text));
    }
    let step = usual_step(values)?;
    (step >= SLOW).then(|| {
        let text = format!(
            "{file}: the file gives no unit of time, and in seconds the rows are {} s apart: if these are milliseconds, --time '1e-3*NAME'",
            short(round(step, 3))
        );
        Remark::new(Severity::Warning, text)
    })
}

/// A warning, if the time stamps of the rows contradict the sampling rate that replaces them.
pub(super) fn contradiction(stamps: &[f64], rate: f64, file: &str) -> Option<Remark> {
    let step = mean_step(stamps)?;
    let brief = |x: f64| short(round(x, 4));
    ((rate * step - 1.0).abs() > RATE_TOLERANCE).then(|| {
        let text = format!(
            "{file}: by their stamps the rows follow at {} Hz, by --rate at {} Hz, which is taken: speeds grow with it, masses fall with its square",
            brief(1.0 / step),
            brief(rate)
        );
        Remark::new(Severity::Warning, text)
    })
}

/// The median time between rows.
fn usual_step(stamps: &[f64]) -> Option<f64> {
    let mut steps: Vec<f64> = stamps.windows(2).map(|t| t[1] - t[0]).filter(|step| *step > 0.0).collect();
    let middle = steps.len() / 2;
    (!steps.is_empty()).then(|| *steps.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// The mean time between rows; none if the stamps do not rise.
fn mean_step(stamps: &[f64]) -> Option<f64> {
    let finite: Vec<f64> = stamps.iter().copied().filter(|t| t.is_finite()).collect();
    let [first, .., last] = finite[..] else { return None };
    let step = (last - first) / (stamps.len() - 1) as f64;
    (step > 0.0).then_some(step)
}
