//! One run of a point, looked at for some atoms.
use super::atom::{Atom, Stat, Turn};
use crate::Error;
use crate::analysis::{Failure, cycle};
use crate::scenario::Scenario;
use crate::sim::{Event, EventKind, Options, Probe, Simulation, Summary, Watch};

/// The values of `atoms`, in their order; none where something did not happen. Columns are looked at from the time `from`
/// on; contacts that come to rest are counted from then on, or else in the second half of the run.
pub(super) fn look(scenario: &Scenario, atoms: &[&Atom], from: Option<f64>) -> Result<Vec<Option<f64>>, Error> {
    let simulation = scenario.simulation()?;
    let run = atoms.iter().any(|atom| !matches!(atom, Atom::Cycle(_))).then(|| ran(scenario, &simulation, atoms, from));
    let run = run.transpose()?;
    let cycle =
        atoms.iter().any(|atom| matches!(atom, Atom::Cycle(_))).then(|| turned(scenario)).transpose()?.flatten();
    let mut probes = run.iter().flat_map(|(summary, _)| summary.probes.iter().copied());
    let value = |atom: &&Atom| match (atom, &run) {
        (Atom::Named(_), _) => probes.next().flatten(),
        (Atom::Column(_, stat), _) => {
            let scale = if *stat == Stat::Amplitude { 0.5 } else { 1.0 };
            probes.next().flatten().map(|x| scale * x)
        }
        (Atom::Energy(of), Some((summary, _))) => Some(of(&summary.energy)),
        (Atom::Summary(of), Some((summary, _))) => Some(of(summary)),
        (Atom::Sticks, Some((_, rests))) => Some(*rests as f64),
        (Atom::Cycle(turn), _) => of_cycle(turn, cycle.as_ref(), &simulation),
        (_, None) => None,
    };
    Ok(atoms.iter().map(value).collect())
}

fn ran(
    scenario: &Scenario,
    simulation: &Simulation<'_>,
    atoms: &[&Atom],
    from: Option<f64>,
) -> Result<(Summary, u64), Error> {
    let Options { start, end, .. } = scenario.options;
    let since = from.unwrap_or(start);
    let probe = |atom: &&Atom| match atom {
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
        _ => None,
    };
    let probes = atoms.iter().filter_map(probe).collect();
    // rows are for nobody
    let options = Options { probes, sample: end - start, ..scenario.options.clone() };
    let mut rests =
        Rests { contacts: scenario.system.contacts.len(), from: from.unwrap_or(f64::midpoint(start, end)), count: 0 };
    let summary = simulation.run(&options, &mut rests)?;
    Ok((summary, rests.count))
}

/// Counts how often a contact comes to rest: it sticks, or its speed goes through zero.
struct Rests {
    contacts: usize,
    from: f64,
    count: u64,
}

impl Watch for Rests {
    fn row(&mut self, _: &[f64]) {}
    fn event(&mut self, event: &Event) {
        let rests = matches!(event.kind, EventKind::Stick | EventKind::ReverseUp | EventKind::ReverseDown);
        self.count += u64::from(rests && event.part < self.contacts && event.t >= self.from);
    }
}

/// The periodic motion that it leads to; none if there is none.
fn turned(scenario: &Scenario) -> Result<Option<cycle::Cycle>, Error> {
    match cycle::find(scenario) {
        Ok(cycle) => Ok(Some(cycle)),
        Err(error) => match error.bare() {
            Error::Analysis(Failure::Still { .. } | Failure::NoReturn { .. } | Failure::NotFound { .. }) => Ok(None),
            _ => Err(error),
        },
    }
}

fn of_cycle(turn: &Turn, cycle: Option<&cycle::Cycle>, simulation: &Simulation<'_>) -> Option<f64> {
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
            let (x, _, _) = cycle.widest(simulation.columns())?;
            cycle.amplitude(&simulation.columns()[x].name)
        }
        Turn::Stick => cycle.phases.iter().map(|phase| phase.stick).reduce(f64::max),
        Turn::Amplitude(column) => cycle.amplitude(column),
    }
}
