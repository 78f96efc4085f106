//! The run of one point: its probes, and the metrics from its result.
use super::metric::{ColumnStatistic, CycleMetric, Metric};
use crate::Error;
use crate::analysis::{AnalysisError, cycle};
use crate::scenario::Scenario;
use crate::sim::{Column, Probe, RunSummary, SimulationOptions};

/// The options of a run that yields these metrics; columns are evaluated from time `from` on.
pub(super) fn run_options(scenario: &Scenario, metrics: &[Metric], from: Option<f64>) -> SimulationOptions {
    let SimulationOptions { start, end, .. } = scenario.options;
    let since = from.unwrap_or(start);
    // a contact that comes to rest at the start may not do so again
    let late = from.unwrap_or(f64::midpoint(start, end));
    let probe = |metric: &Metric| match metric {
        Metric::Named(k) => scenario.options.probes.get(*k).cloned(),
        Metric::Column(column, stat) => {
            let (column, from, to) = (column.clone(), since, end);
            Some(match stat {
                ColumnStatistic::Max => Probe::Max { column, from, to },
                ColumnStatistic::Min => Probe::Min { column, from, to },
                ColumnStatistic::Range | ColumnStatistic::Amplitude => Probe::Range { column, from, to },
                ColumnStatistic::Mean => Probe::Mean { column, from, to },
                ColumnStatistic::Rms => Probe::Rms { column, from, to },
                ColumnStatistic::Final => Probe::Final { column },
            })
        }
        Metric::Sticks => Some(Probe::Rests { from: late }),
        _ => None,
    };
    // no rows are needed
    SimulationOptions {
        probes: metrics.iter().filter_map(probe).collect(),
        sample: end - start,
        ..scenario.options.clone()
    }
}

/// The values of metrics, in their order, from the probes and the summary of the run; none for an event that did not
/// happen.
pub(super) fn metric_values(
    metrics: &[Metric],
    (probes, ran): (&[Option<f64>], Option<&RunSummary>),
    cycle: Option<&cycle::Cycle>,
    columns: &[Column],
) -> Vec<Option<f64>> {
    let mut probes = probes.iter().copied();
    let value = |metric: &Metric| match (metric, ran) {
        (Metric::Named(_) | Metric::Sticks, _) => probes.next().flatten(),
        (Metric::Column(_, stat), _) => {
            let scale = if *stat == ColumnStatistic::Amplitude { 0.5 } else { 1.0 };
            probes.next().flatten().map(|x| scale * x)
        }
        (Metric::Energy(of), Some(ran)) => Some(of(&ran.energy)),
        (Metric::Statistics(of), Some(ran)) => Some(of(&ran.stats)),
        (Metric::Cycle(turn), _) => cycle_value(turn, cycle, columns),
        (_, None) => None,
    };
    metrics.iter().map(value).collect()
}

/// The limit cycle of a scenario; none if there is none.
pub(super) fn find_cycle(scenario: &Scenario) -> Result<Option<cycle::Cycle>, Error> {
    match cycle::find(scenario) {
        Ok(cycle) => Ok(Some(cycle)),
        Err(error) => match error.without_position() {
            Error::Analysis(
                AnalysisError::NoMotion { .. } | AnalysisError::NotPeriodic { .. } | AnalysisError::NotConverged { .. },
            ) => Ok(None),
            _ => Err(error),
        },
    }
}

fn cycle_value(turn: &CycleMetric, cycle: Option<&cycle::Cycle>, columns: &[Column]) -> Option<f64> {
    let flag = |yes: bool| Some(f64::from(u8::from(yes)));
    if *turn == CycleMetric::Exists {
        return flag(cycle.is_some());
    }
    let cycle = cycle?;
    match turn {
        CycleMetric::Exists => None,
        CycleMetric::Period => Some(cycle.period),
        CycleMetric::Stable => flag(cycle.stable),
        CycleMetric::Multiplier => cycle.multipliers.first().map(|z| z.abs()),
        CycleMetric::Swing => {
            let (x, _, _) = cycle.widest(columns)?;
            cycle.amplitude(&columns[x].name)
        }
        CycleMetric::Stick => cycle.stick_slip.iter().map(|phase| phase.stick).reduce(f64::max),
        CycleMetric::Amplitude(column) => cycle.amplitude(column),
    }
}
