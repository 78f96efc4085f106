//! One run of a point: what to look at, and what was seen.
use super::atom::{Atom, Stat, Turn};
use crate::Error;
use crate::analysis::{AnalysisError, cycle};
use crate::scenario::Scenario;
use crate::sim::{Column, Probe, RunSummary, SimulationOptions};

/// How to run a scenario so that it tells these atoms; columns are looked at from the time `from` on.
pub(super) fn options(scenario: &Scenario, atoms: &[Atom], from: Option<f64>) -> SimulationOptions {
    let SimulationOptions { start, end, .. } = scenario.options;
    let since = from.unwrap_or(start);
    // what comes to rest in the beginning may not come to rest again
    let late = from.unwrap_or(f64::midpoint(start, end));
    let probe = |atom: &Atom| match atom {
        Atom::Named(k) => scenario.options.probes.get(*k).cloned(),
        Atom::Column(column, stat) => {
            let (column, from, to) = (column.clone(), since, end);
            Some(match stat {
                Stat::Max => Probe::Max { column, from, to },
                Stat::Min => Probe::Min { column, from, to },
                Stat::Range | Stat::Amplitude => Probe::Range { column, from, to },
                Stat::Mean => Probe::Mean { column, from, to },
                Stat::Rms => Probe::Rms { column, from, to },
                Stat::Final => Probe::Final { column },
            })
        }
        Atom::Sticks => Some(Probe::Rests { from: late }),
        _ => None,
    };
    // rows are for nobody
    SimulationOptions {
        probes: atoms.iter().filter_map(probe).collect(),
        sample: end - start,
        ..scenario.options.clone()
    }
}

/// The values of atoms, in their order, from answers to probes and the account of the run; none where something did not
/// happen.
pub(super) fn values(
    atoms: &[Atom],
    (probes, ran): (&[Option<f64>], Option<&RunSummary>),
    cycle: Option<&cycle::Cycle>,
    columns: &[Column],
) -> Vec<Option<f64>> {
    let mut probes = probes.iter().copied();
    let value = |atom: &Atom| match (atom, ran) {
        (Atom::Named(_) | Atom::Sticks, _) => probes.next().flatten(),
        (Atom::Column(_, stat), _) => {
            let scale = if *stat == Stat::Amplitude { 0.5 } else { 1.0 };
            probes.next().flatten().map(|x| scale * x)
        }
        (Atom::Energy(of), Some(ran)) => Some(of(&ran.energy)),
        (Atom::Statistics(of), Some(ran)) => Some(of(&ran.stats)),
        (Atom::Cycle(turn), _) => of_cycle(turn, cycle, columns),
        (_, None) => None,
    };
    atoms.iter().map(value).collect()
}

/// The periodic motion that it leads to; none if there is none.
pub(super) fn turned(scenario: &Scenario) -> Result<Option<cycle::Cycle>, Error> {
    match cycle::find(scenario) {
        Ok(cycle) => Ok(Some(cycle)),
        Err(error) => match error.bare() {
            Error::Analysis(
                AnalysisError::Still { .. } | AnalysisError::NoReturn { .. } | AnalysisError::NotFound { .. },
            ) => Ok(None),
            _ => Err(error),
        },
    }
}

fn of_cycle(turn: &Turn, cycle: Option<&cycle::Cycle>, columns: &[Column]) -> Option<f64> {
    let flag = |yes: bool| Some(f64::from(u8::from(yes)));
    if *turn == Turn::Exists {
        return flag(cycle.is_some());
    }
    let cycle = cycle?;
    match turn {
        Turn::Exists => None,
        Turn::Period => Some(cycle.period),
        Turn::Stable => flag(cycle.stable),
        Turn::Multiplier => cycle.multipliers.first().map(|z| z.abs()),
        Turn::Swing => {
            let (x, _, _) = cycle.widest(columns)?;
            cycle.amplitude(&columns[x].name)
        }
        Turn::Stick => cycle.stick_slip.iter().map(|phase| phase.stick).reduce(f64::max),
        Turn::Amplitude(column) => cycle.amplitude(column),
    }
}
