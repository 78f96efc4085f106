//! One run of a point: what to look at, and what was seen.
use super::atom::{Atom, Stat, Turn};
use crate::Error;
use crate::analysis::{Failure, cycle};
use crate::scenario::Scenario;
use crate::sim::{Column, Energy, Event, EventKind, Options, Probe, Simulation, Stats, Summary, Watch};

/// What a run has to give: answers to its probes, and the rest of its account.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// Answers to the probes of [`Measures::options`](super::Measures::options), in their order.
    pub probes: Vec<Option<f64>>,
    /// Where the energy went.
    pub energy: Energy,
    /// What it cost.
    pub stats: Stats,
    /// How often a contact came to rest since [`Measures::since`](super::Measures::since): it stuck, or its speed went
    /// through zero.
    pub rests: u64,
}

/// How to run a scenario so that it tells these atoms; columns are looked at from the time `from` on.
pub(super) fn options(scenario: &Scenario, atoms: &[Atom], from: Option<f64>) -> Options {
    let Options { start, end, .. } = scenario.options;
    let since = from.unwrap_or(start);
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
        _ => None,
    };
    // rows are for nobody
    Options { probes: atoms.iter().filter_map(probe).collect(), sample: end - start, ..scenario.options.clone() }
}

/// Runs it.
pub(super) fn run(simulation: &Simulation<'_>, contacts: usize, options: &Options, since: f64) -> Result<Ran, Error> {
    let mut rests = Rests { contacts, from: since, count: 0 };
    let Summary { probes, energy, stats, .. } = simulation.run(options, &mut rests)?;
    Ok(Ran { probes, energy, stats, rests: rests.count })
}

/// The values of atoms, in their order; none where something did not happen.
pub(super) fn values(
    atoms: &[Atom],
    ran: Option<&Ran>,
    cycle: Option<&cycle::Cycle>,
    columns: &[Column],
) -> Vec<Option<f64>> {
    let mut probes = ran.into_iter().flat_map(|ran| ran.probes.iter().copied());
    let value = |atom: &Atom| match (atom, ran) {
        (Atom::Named(_), _) => probes.next().flatten(),
        (Atom::Column(_, stat), _) => {
            let scale = if *stat == Stat::Amplitude { 0.5 } else { 1.0 };
            probes.next().flatten().map(|x| scale * x)
        }
        (Atom::Energy(of), Some(ran)) => Some(of(&ran.energy)),
        (Atom::Stats(of), Some(ran)) => Some(of(&ran.stats)),
        (Atom::Sticks, Some(ran)) => Some(ran.rests as f64),
        (Atom::Cycle(turn), _) => of_cycle(turn, cycle, columns),
        (_, None) => None,
    };
    atoms.iter().map(value).collect()
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
pub(super) fn turned(scenario: &Scenario) -> Result<Option<cycle::Cycle>, Error> {
    match cycle::find(scenario) {
        Ok(cycle) => Ok(Some(cycle)),
        Err(error) => match error.bare() {
            Error::Analysis(Failure::Still { .. } | Failure::NoReturn { .. } | Failure::NotFound { .. }) => Ok(None),
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
        Turn::Stick => cycle.phases.iter().map(|phase| phase.stick).reduce(f64::max),
        Turn::Amplitude(column) => cycle.amplitude(column),
    }
}
