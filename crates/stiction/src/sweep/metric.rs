//! The metrics of a run, by name.
use crate::scenario::Scenario;
use crate::sim::{Column, EnergyBalance, SolverStatistics};
use crate::system::NodeKind;

/// A scalar result of a run.
#[derive(Clone, Debug)]
pub(super) enum Metric {
    /// A measure of the scenario, by its index.
    Named(usize),
    /// A statistic of a column.
    Column(String, ColumnStatistic),
    /// A term of the energy balance.
    Energy(EnergyTerm),
    /// A statistic of the solver.
    Statistics(fn(&SolverStatistics) -> f64),
    /// Number of times a contact comes to rest late in the run.
    Sticks,
    /// A property of the limit cycle.
    Cycle(CycleMetric),
}

/// A term of the energy balance.
type EnergyTerm = fn(&EnergyBalance) -> f64;

/// A statistic of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnStatistic {
    Max,
    Min,
    Range,
    Amplitude,
    Mean,
    Rms,
    Final,
}

/// A property of a limit cycle.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CycleMetric {
    /// One if there is a cycle, otherwise zero.
    Exists,
    Period,
    /// One if it is stable, otherwise zero.
    Stable,
    /// The largest Floquet multiplier.
    Multiplier,
    /// Half the range of the position with the largest amplitude.
    Swing,
    /// Sticking time of a contact in a period; the longest of several contacts.
    Stick,
    /// Half the range of a column.
    Amplitude(String),
}

/// A metric with its name and unit.
#[derive(Clone, Debug)]
pub(super) struct NamedMetric {
    pub name: String,
    pub unit: String,
    pub metric: Metric,
    /// Whether a short name prefers this metric: the motion of a body or of a plant.
    pub first: bool,
}

const STATISTICS: [(&str, ColumnStatistic); 7] = [
    ("max", ColumnStatistic::Max),
    ("min", ColumnStatistic::Min),
    ("range", ColumnStatistic::Range),
    ("amplitude", ColumnStatistic::Amplitude),
    ("mean", ColumnStatistic::Mean),
    ("rms", ColumnStatistic::Rms),
    ("final", ColumnStatistic::Final),
];

/// All metrics of a scenario with these columns.
pub(super) fn available_metrics(scenario: &Scenario, columns: &[Column]) -> Vec<NamedMetric> {
    let moves = |column: &str| {
        let places = scenario.system.nodes.iter().filter(|place| matches!(place.kind, NodeKind::Coordinate { .. }));
        column.rsplit_once('.').is_some_and(|(place, _)| places.into_iter().any(|other| other.name == place))
    };
    let unit_of = |name: &str| columns.iter().find(|column| column.name == name).map_or("", |column| column.unit);
    let mut out = Vec::new();
    let mut push = |name: &str, unit: &str, metric: Metric, first: bool| {
        let unit = if unit == "-" { "" } else { unit };
        out.push(NamedMetric { name: name.to_owned(), unit: unit.to_owned(), metric, first });
    };
    for (k, (name, probe)) in scenario.measures.iter().zip(&scenario.options.probes).enumerate() {
        push(name, probe.column().map_or("", unit_of), Metric::Named(k), true);
    }
    for column in columns.iter().skip(1) {
        for (name, stat) in STATISTICS {
            let metric = Metric::Column(column.name.clone(), stat);
            push(&format!("{}.{name}", column.name), column.unit, metric, moves(&column.name));
        }
        let turn = CycleMetric::Amplitude(column.name.clone());
        push(&format!("cycle.{}.amplitude", column.name), column.unit, Metric::Cycle(turn), moves(&column.name));
    }
    let energies: [(&str, EnergyTerm); 7] = [
        ("work", |e| e.work),
        ("friction", |e| e.friction),
        ("damping", |e| e.damping),
        ("impact", |e| e.impact),
        ("switching", |e| e.switching),
        ("dissipated", |e| e.friction + e.damping + e.impact + e.switching),
        ("error", EnergyBalance::error),
    ];
    for (name, of) in energies {
        push(&format!("energy.{name}"), "J", Metric::Energy(of), true);
    }
    push("sticks", "", Metric::Sticks, true);
    push("events", "", Metric::Statistics(|s| s.events as f64), true);
    push("steps", "", Metric::Statistics(|s| s.steps as f64), true);
    let widest = columns.iter().find(|column| column.name.ends_with(".x") && moves(&column.name));
    let swing = widest.map_or("", |column| column.unit);
    let turns = [
        ("cycle.exists", "", CycleMetric::Exists),
        ("cycle.period", "s", CycleMetric::Period),
        ("cycle.stable", "", CycleMetric::Stable),
        ("cycle.multiplier", "", CycleMetric::Multiplier),
        ("cycle.amplitude", swing, CycleMetric::Swing),
        ("cycle.stick", "s", CycleMetric::Stick),
    ];
    for (name, unit, turn) in turns {
        push(name, unit, Metric::Cycle(turn), true);
    }
    out
}
