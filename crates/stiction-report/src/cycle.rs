//! A periodic motion.
use crate::Report;
use crate::text::table;
use serde_json::{Map, Value, json};
use stiction::Error;
use stiction::analysis::cycle::{Cycle, find};
use stiction::number::{round, short};
use stiction::plot::{Axis, Figure, Panel};
use stiction::scenario::Scenario;
use stiction::sim::{Column, Trace};

/// The periodic motion of a scenario.
pub struct CycleReport {
    name: String,
    title: String,
    columns: Vec<Column>,
    /// The motion.
    pub cycle: Cycle,
    /// One period in rows.
    pub trace: Trace,
}

impl CycleReport {
    /// Finds the cycle of a scenario, which is called `name`.
    ///
    /// # Errors
    /// As [`find`].
    pub fn find(name: &str, scenario: &Scenario) -> Result<Self, Error> {
        let cycle = find(scenario)?;
        let simulation = scenario.simulation()?;
        let trace = cycle.trace(&simulation)?;
        let columns = simulation.columns().to_vec();
        Ok(Self { name: name.to_owned(), title: scenario.title.clone(), columns, cycle, trace })
    }
}

impl Report for CycleReport {
    fn text(&self) -> String {
        text(&self.name, &self.title, &self.cycle)
    }
    fn json(&self) -> Value {
        value(&self.cycle)
    }
    fn figures(&self) -> Vec<(&'static str, Figure)> {
        vec![("cycle", portrait(self))]
    }
}

/// A number with eight digits.
pub(crate) fn digits(x: f64) -> String {
    short(round(x, 8))
}

fn text(name: &str, title: &str, cycle: &Cycle) -> String {
    let verdict = match cycle.stable {
        _ if cycle.neutral => "neutral: a multiplier has the absolute value one within its error",
        true => "stable",
        false => "not stable",
    };
    let mut out = format!("{name}: {title}\n\nCycle, {verdict}\n");
    out += &format!("  period {} s\n", digits(cycle.period));
    let multipliers = cycle.multipliers.iter().map(|z| match z.im {
        0.0 => short(round(z.re, 6)),
        im => format!("{} {} {}i", short(round(z.re, 6)), if im < 0.0 { "-" } else { "+" }, short(round(im.abs(), 6))),
    });
    out += &format!("  Floquet multipliers {}\n", multipliers.collect::<Vec<_>>().join(", "));
    out += "\nRange over a period; positions without their mean motion\n";
    let rows: Vec<_> = cycle
        .ranges
        .iter()
        .map(|s| [s.name.clone(), digits(s.min), "to".to_owned(), digits(s.max), s.unit.to_owned()])
        .collect();
    out += &table(&rows, &[1, 3]);
    out += "\nContacts\n";
    for phase in &cycle.stick_slip {
        let times = if phase.sticks == 1 { "once" } else { &format!("{} times", phase.sticks) };
        out += &format!(
            "  {}: sticks {times} a period, for {} s in all, slips for {} s\n",
            phase.contact,
            short(round(phase.stick, 5)),
            short(round(phase.slip, 5))
        );
    }
    out
}

/// A cycle as JSON.
pub(crate) fn value(cycle: &Cycle) -> Value {
    let swings: Map<String, Value> =
        cycle.ranges.iter().map(|s| (s.name.clone(), json!({ "min": s.min, "max": s.max, "unit": s.unit }))).collect();
    let phases: Map<String, Value> = cycle
        .stick_slip
        .iter()
        .map(|p| (p.contact.clone(), json!({ "stick": p.stick, "slip": p.slip, "sticks": p.sticks })))
        .collect();
    json!({
        "period": cycle.period,
        "stable": cycle.stable,
        "neutral": cycle.neutral,
        "multipliers": cycle.multipliers.iter().map(|z| [z.re, z.im]).collect::<Vec<_>>(),
        "range": swings,
        "contacts": phases,
    })
}

/// Velocity against position without its mean motion, and forces over a period.
fn portrait(report: &CycleReport) -> Figure {
    let CycleReport { name, title, columns, cycle, trace } = report;
    let label = |i: usize| format!("{} [{}]", columns[i].name, columns[i].unit);
    let mut figure = Figure::new(if title.is_empty() { name } else { title });
    if let Some((x, v, drift)) = cycle.widest(columns) {
        let relative =
            if drift == 0.0 { label(x) } else { format!("{}, relative [{}]", columns[x].name, columns[x].unit) };
        let panel = Panel::new(Axis::linear(relative), Axis::linear(label(v)));
        figure = figure.panel(panel.line("", trace.rows.iter().map(|row| (row[x] - drift * row[0], row[v]))));
    }
    let forces: Vec<usize> = (1..columns.len()).filter(|&i| columns[i].name.ends_with(".force")).take(4).collect();
    if let Some(&first) = forces.first() {
        let y = if forces.len() == 1 { label(first) } else { format!("force [{}]", columns[first].unit) };
        let mut panel = Panel::new(Axis::linear("t [s]"), Axis::linear(y));
        for i in forces {
            panel = panel.line(columns[i].name.as_str(), trace.rows.iter().map(|row| (row[0] - cycle.t, row[i])));
        }
        figure = figure.panel(panel);
    }
    figure
}
