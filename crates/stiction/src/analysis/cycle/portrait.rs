//! Description of a cycle: the range of every column, and how long contacts stick and slip.
use super::return_map::ReturnMap;
use super::{Cycle, Multipliers};
use crate::Error;
use crate::analysis::AnalysisError;
use crate::scenario::Scenario;
use crate::sim::{EventKind, Probe, Simulation, SimulationOptions, SystemState, Trace};
use crate::system::NodeKind;

/// Rows of a period.
const ROWS_PER_PERIOD: f64 = 4000.0;
/// A contact of a law without true sticking counts as stuck below this fraction of its largest speed.
const STUCK_SPEED: f64 = 1e-2;

/// The range of a column over a cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnRange {
    /// The column.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Least value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

/// How long a contact sticks and slips in a period.
#[derive(Clone, Debug, PartialEq)]
pub struct StickSlipTimes {
    /// The contact.
    pub contact: String,
    /// How long it sticks \[s\]: with true sticking, or, for a law without it, slower than a hundredth of its largest
    /// speed.
    pub stick: f64,
    /// How long it slips \[s\].
    pub slip: f64,
    /// Number of times it starts to stick.
    pub sticks: usize,
}

/// The range of each state variable over a cycle; for one that is constant a small fraction of its value.
pub(super) fn state_ranges(map: &ReturnMap<'_>, state: &SystemState) -> Result<Vec<f64>, Error> {
    let mut trace = Trace::default();
    let Some(returned) = map.sampled(state, 400.0, &mut trace)? else {
        return Err(Error::Analysis(AnalysisError::NoMotion { t: map.t }));
    };
    let columns = map.simulation.columns();
    let size = |(i, (column, _)): (usize, &(crate::sim::Column, _))| {
        let least = 1e-6 * (state.y[i].abs() + returned.state.y[i].abs()) + 1e-12;
        let Some(at) = columns.iter().position(|c| c.name == column.name) else {
            return least.max((state.y[i] - returned.state.y[i]).abs()).max(0.1 * state.y[i].abs());
        };
        let drift = if map.moves_freely(i) { mean_velocity(&trace.rows, at) } else { map.drift(i) };
        let (lo, hi) = range(&trace.rows, at, drift);
        (hi - lo).max(least)
    };
    Ok(map.simulation.states().iter().enumerate().map(size).collect())
}

fn range(rows: &[Vec<f64>], at: usize, drift: f64) -> (f64, f64) {
    let values = || rows.iter().map(|row| row[at] - drift * row[0]);
    (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
}

/// The mean velocity of a position over the rows of a period.
fn mean_velocity(rows: &[Vec<f64>], at: usize) -> f64 {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return 0.0 };
    (last[at] - first[at]) / (last[0] - first[0])
}

/// One period in rows.
pub(super) fn trace(
    simulation: &Simulation<'_>,
    cycle: &Cycle,
    probes: Vec<Probe>,
) -> Result<(Trace, Vec<Option<f64>>), Error> {
    let (start, end) = (cycle.t, cycle.t + cycle.period);
    let options = SimulationOptions {
        start,
        end,
        rtol: 1e-10,
        sample: cycle.period / ROWS_PER_PERIOD,
        probes,
        ..SimulationOptions::default()
    };
    let mut trace = Trace::default();
    let summary = simulation.run_from(Some(&cycle.state), &options, &mut trace)?;
    Ok((trace, summary.probes))
}

pub(super) fn describe(
    scenario: &Scenario,
    simulation: &Simulation<'_>,
    map: &ReturnMap<'_>,
    state: SystemState,
    period: f64,
    multipliers: Multipliers,
) -> Result<Cycle, Error> {
    let mut cycle = Cycle {
        period,
        returns: map.returns,
        state: map.absolute(&state),
        relative: state,
        t: map.t,
        stable: multipliers.growth() <= 0.0,
        neutral: multipliers.growth() == 0.0,
        multipliers: multipliers.values,
        ranges: Vec::new(),
        stick_slip: Vec::new(),
        drifts: Vec::new(),
    };
    let columns = simulation.columns();
    let names = || columns.iter().skip(1);
    let (from, to) = (f64::NEG_INFINITY, f64::INFINITY);
    let probes = names().flat_map(|c| {
        let column = c.name.clone();
        [Probe::Min { column: column.clone(), from, to }, Probe::Max { column, from, to }]
    });
    let (trace, found) = trace(simulation, &cycle, probes.collect())?;
    let drifts: Vec<f64> = (0..scenario.system.bodies.len()).map(|i| drift(simulation, map, &trace, i)).collect();
    for (k, column) in names().enumerate() {
        let drift = column.name.strip_suffix(".x").map_or(0.0, |place| node_drift(scenario, map, &drifts, place));
        let (min, max) = match (drift, found[2 * k], found[2 * k + 1]) {
            (0.0, Some(min), Some(max)) => (min, max),
            (drift, ..) => range(&trace.rows, k + 1, drift),
        };
        cycle.ranges.push(ColumnRange { name: column.name.clone(), unit: column.unit, min, max });
    }
    for place in &scenario.system.nodes {
        if let NodeKind::Coordinate { index, scale, .. } = place.kind {
            cycle.drifts.push((place.name.clone(), drifts[index] * scale));
        }
    }
    cycle.stick_slip = phases(scenario, simulation, &trace, period);
    Ok(cycle)
}

/// Mean velocity of a coordinate: that of the steady motion, and from one period where nothing determines it.
fn drift(simulation: &Simulation<'_>, map: &ReturnMap<'_>, trace: &Trace, coordinate: usize) -> f64 {
    // positions are the first states
    let state = &simulation.states()[coordinate].0.name;
    match simulation.columns().iter().position(|column| column.name == *state) {
        Some(at) if map.moves_freely(coordinate) => mean_velocity(&trace.rows, at),
        _ => map.drift(coordinate),
    }
}

/// Mean velocity of a node.
fn node_drift(scenario: &Scenario, map: &ReturnMap<'_>, drifts: &[f64], node: &str) -> f64 {
    match scenario.system.nodes.iter().find(|place| place.name == node).map(|place| &place.kind) {
        Some(NodeKind::Motion(k)) => crate::analysis::steady_motion::mean_velocity(&scenario.system.motions[*k], map.t),
        Some(NodeKind::Coordinate { index, scale, .. }) => drifts[*index] * scale,
        _ => 0.0,
    }
}

fn phases(scenario: &Scenario, simulation: &Simulation<'_>, trace: &Trace, period: f64) -> Vec<StickSlipTimes> {
    let mut out = Vec::new();
    for (c, joint) in scenario.system.contacts.iter().enumerate() {
        let held = held(trace, c, period).or_else(|| {
            let at = simulation.columns().iter().position(|column| column.name == format!("{}.v", joint.name))?;
            Some(slow(trace, at))
        });
        if let Some((stick, sticks)) = held {
            out.push(StickSlipTimes { contact: joint.name.clone(), stick, slip: (period - stick).max(0.0), sticks });
        }
    }
    out
}

/// How long and how often contact `c` sticks, from its events; none if it has no events.
fn held(trace: &Trace, c: usize, period: f64) -> Option<(f64, usize)> {
    let is = |kind: EventKind| matches!(kind, EventKind::Stick | EventKind::SlipUp | EventKind::SlipDown);
    let events: Vec<_> = trace.events.iter().filter(|e| e.part == c && is(e.kind)).collect();
    let (first, start) = (events.first()?, trace.rows.first()?[0]);
    let mut since = (first.kind != EventKind::Stick).then_some(start);
    let (mut stick, mut sticks) = (0.0, 0);
    for event in events {
        if event.kind == EventKind::Stick {
            since = Some(event.t);
            sticks += 1;
        } else if let Some(from) = since.take() {
            stick += event.t - from;
        }
    }
    Some((stick + since.map_or(0.0, |from| start + period - from), sticks))
}

/// How long and how often the speed in column `at` is below [`STUCK_SPEED`] of its maximum.
fn slow(trace: &Trace, at: usize) -> (f64, usize) {
    let most = trace.rows.iter().map(|row| row[at].abs()).fold(0.0, f64::max);
    let is_slow = |row: &Vec<f64>| row[at].abs() <= STUCK_SPEED * most;
    let (mut stick, mut sticks) = (0.0, 0);
    for pair in trace.rows.windows(2) {
        let [a, b] = pair else { continue };
        let span = b[0] - a[0];
        stick += match (is_slow(a), is_slow(b)) {
            (true, true) => span,
            (false, false) => 0.0,
            (before, _) => {
                // the crossing of the threshold by linear interpolation
                let (from, to) = (a[at].abs(), b[at].abs());
                let part = if from == to { 0.5 } else { ((STUCK_SPEED * most - from) / (to - from)).clamp(0.0, 1.0) };
                sticks += usize::from(!before);
                span * if before { part } else { 1.0 - part }
            }
        };
    }
    (stick, sticks)
}
