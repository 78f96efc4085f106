//! Equilibria and their stability.
use crate::Report;
use crate::text::{table, wrap};
use serde_json::{Map, Value, json};
use stiction::Error;
use stiction::analysis::equilibrium::{Equilibrium, LocalStability, find};
use stiction::analysis::stability_over_speed::{StabilityChange, StabilityChangeKind, driver, stability_changes};
use stiction::linalg::Complex;
use stiction::number::{self, round, short};
use stiction::plot::{Axis, Figure, Panel};
use stiction::scenario::Scenario;
use stiction::sim::Column;

/// The equilibria of a scenario.
pub struct EquilibriumReport {
    name: String,
    title: String,
    t: f64,
    states: Vec<Column>,
    equilibria: Vec<Equilibrium>,
    driver: Option<String>,
    speeds: [f64; 2],
    changes: Vec<StabilityChange>,
}

impl EquilibriumReport {
    /// Finds the equilibria of a scenario, which is called `name`, and over `speeds` of what drives it the changes of
    /// stability.
    ///
    /// # Errors
    /// As [`find`] and [`stability_changes`].
    pub fn find(name: &str, mut scenario: Scenario, speeds: [f64; 2]) -> Result<Self, Error> {
        let t = scenario.options.end;
        let equilibria = find(&scenario.system, t)?;
        let states = scenario.simulation()?.states().into_iter().map(|(column, _)| column).collect();
        let driver = driver(&scenario.system, t).map(str::to_owned);
        let changes = stability_changes(&mut scenario.system, t, (speeds[0], speeds[1]))?;
        Ok(Self { name: name.to_owned(), title: scenario.title, t, states, equilibria, driver, speeds, changes })
    }
}

impl Report for EquilibriumReport {
    fn text(&self) -> String {
        let mut out = format!("{}: {}\n", self.name, self.title);
        if self.equilibria.is_empty() {
            out += "\nno equilibrium: the forces balance neither at rest nor at any constant speed\n";
        }
        self.equilibria.iter().for_each(|e| out += &text(e, &self.states));
        if let Some(driver) = &self.driver {
            // 17 digits determine a double
            let speeds = number::interval(self.speeds, 17);
            out += &format!("\nSteady sliding, over the speed of '{driver}' from {speeds}\n");
            let rows: Vec<_> = self.changes.iter().map(|c| [digits(c.v), "m/s".to_owned(), says(&c.what)]).collect();
            out += &if rows.is_empty() { "  no change of stability\n".to_owned() } else { table(&rows, &[]) };
        }
        out
    }
    fn json(&self) -> Value {
        json!({
            "t": self.t,
            "equilibria": self.equilibria.iter().map(|e| value(e, &self.states)).collect::<Vec<_>>(),
            "driver": self.driver,
            "changes": self.changes.iter().map(change).collect::<Vec<_>>(),
        })
    }
    fn figures(&self) -> Vec<(&'static str, Figure)> {
        vec![("eigenvalues", plane(&self.name, &self.equilibria))]
    }
}

/// The eigenvalues of every equilibrium; those to the right of the line are unstable.
fn plane(name: &str, found: &[Equilibrium]) -> Figure {
    let mut panel = Panel::new(Axis::linear("real part [1/s]"), Axis::linear("imaginary part [rad/s]"));
    for (k, e) in found.iter().enumerate() {
        let points = e.local_stability.iter().flat_map(|answer| &answer.eigenvalues).map(|z| (z.re, z.im));
        let kind = if e.contacts.iter().any(|c| c.v != 0.0) { "sliding" } else { "at rest" };
        let label = if found.len() > 1 { format!("{kind}, {}", k + 1) } else { kind.to_owned() };
        panel = panel.points(label, points);
    }
    Figure::new(format!("{name}: eigenvalues")).panel(panel.vertical_line("", 0.0))
}

/// Digits of numbers that are printed.
const DIGITS: usize = 8;

fn digits(x: f64) -> String {
    short(round(x, DIGITS) + 0.0)
}

fn text(e: &Equilibrium, states: &[Column]) -> String {
    let slides = e.contacts.iter().any(|c| c.v != 0.0);
    let kind = if slides { "Sliding" } else { "At rest" };
    let verdict = match e.stable {
        _ if e.undecided => "neutral",
        true => "stable",
        false => "not stable",
    };
    let mut out = format!("\n{kind}, {verdict}\n");
    if e.undecided {
        let oscillates = |a: &LocalStability| (0..a.eigenvalues.len()).any(|k| a.is_neutral(k) && !a.is_zero(k));
        let text = if e.local_stability.iter().any(oscillates) {
            "an oscillation is neither damped nor growing within rounding: the linear system cannot tell whether it dies away. \
             'stiction run' can"
        } else {
            "an eigenvalue is zero within rounding: with integral action and friction the linear system \
             cannot tell whether it stays here or hunts. 'stiction run' and 'stiction cycle' can"
        };
        out += &wrap("  ", text, 2);
    }
    let rows: Vec<_> =
        states.iter().zip(&e.state.y).map(|(c, x)| [c.name.clone(), digits(*x), c.unit.to_owned()]).collect();
    out += &table(&rows, &[1]);
    for c in &e.contacts {
        let how = if c.v != 0.0 {
            format!("slides at {} with {}, slope of the steady curve {}", digits(c.v), digits(c.force), digits(c.slope))
        } else {
            let (low, high) = c.limits;
            let held = if c.held { "held" } else { "at rest" };
            format!("{held} with {}, can carry {}", digits(c.force), number::interval([low, high], DIGITS))
        };
        out += &format!("  {}: {how}\n", c.name);
    }
    if !e.set.is_empty() {
        out += "  it is in equilibrium anywhere within\n";
        let rows = e.set.iter().map(|(name, unit, lo, hi)| {
            let [lo, hi] = number::pair([*lo, *hi], DIGITS);
            [format!("  {name}"), lo, "to".to_owned(), hi, (*unit).to_owned()]
        });
        out += &table(&rows.collect::<Vec<_>>(), &[1, 3]);
    }
    e.local_stability.iter().for_each(|answer| out += &linear(answer));
    out
}

fn linear(answer: &LocalStability) -> String {
    if answer.states.is_empty() {
        return "  nothing can move\n".to_owned();
    }
    let side = match answer.side {
        Some(side) if side > 0.0 => " forwards",
        Some(_) => " backwards",
        None => "",
    };
    let mut out = format!("  linear system{side} over {}\n", answer.states.join(", "));
    let number = |(k, z): (usize, &Complex)| {
        if answer.is_zero(k) {
            return "0 (within rounding)".to_owned();
        }
        let real = if answer.is_neutral(k) { 0.0 } else { z.re };
        if z.im == 0.0 {
            digits(real)
        } else {
            format!("{} {} {}i", digits(real), if z.im < 0.0 { "-" } else { "+" }, digits(z.im.abs()))
        }
    };
    let list = |values: &[f64]| values.iter().map(|x| digits(*x)).collect::<Vec<_>>().join(", ");
    let mut rows = vec![
        [
            "    eigenvalues".to_owned(),
            answer.eigenvalues.iter().enumerate().map(number).collect::<Vec<_>>().join(", "),
        ],
        ["    polynomial".to_owned(), list(&answer.polynomial)],
        ["    Hurwitz".to_owned(), list(&answer.hurwitz)],
    ];
    for (frequency, damping) in answer.oscillations() {
        rows.push([
            "    oscillation".to_owned(),
            format!("{} rad/s, damping ratio {}", digits(frequency), digits(damping)),
        ]);
    }
    out += &table(&rows, &[]);
    out
}

fn says(what: &StabilityChangeKind) -> String {
    match what {
        StabilityChangeKind::Stable => "above, sliding is stable".to_owned(),
        StabilityChangeKind::Unstable => "above, sliding is not stable".to_owned(),
        StabilityChangeKind::Rises(name) => format!("above, the steady curve of '{name}' rises"),
        StabilityChangeKind::Falls(name) => format!("above, the steady curve of '{name}' falls"),
    }
}

fn change(change: &StabilityChange) -> Value {
    let (what, contact) = match &change.what {
        StabilityChangeKind::Stable => ("stable", None),
        StabilityChangeKind::Unstable => ("unstable", None),
        StabilityChangeKind::Rises(name) => ("rises", Some(name)),
        StabilityChangeKind::Falls(name) => ("falls", Some(name)),
    };
    json!({ "v": change.v, "above": what, "contact": contact })
}

fn value(e: &Equilibrium, states: &[Column]) -> Value {
    let state: Map<String, Value> = states.iter().zip(&e.state.y).map(|(c, x)| (c.name.clone(), json!(x))).collect();
    let contacts: Map<String, Value> = e
        .contacts
        .iter()
        .map(|c| {
            let limits = [c.limits.0, c.limits.1];
            (c.name.clone(), json!({ "v": c.v, "force": c.force, "held": c.held, "limits": limits, "slope": c.slope }))
        })
        .collect();
    let set: Map<String, Value> = e.set.iter().map(|(name, _, lo, hi)| (name.clone(), json!([lo, hi]))).collect();
    let answers: Vec<Value> = e
        .local_stability
        .iter()
        .map(|a| {
            json!({
                "side": a.side,
                "states": a.states,
                "matrix": a.matrix.chunks(a.states.len().max(1)).collect::<Vec<_>>(),
                "eigenvalues": a.eigenvalues.iter().map(|z| [z.re, z.im]).collect::<Vec<_>>(),
                "polynomial": a.polynomial,
                "hurwitz": a.hurwitz,
                "neutral": a.neutral(),
                "max_real": if a.states.is_empty() { Value::Null } else { json!(a.growth()) },
                "oscillations": a.oscillations().iter().map(|(w, d)| json!({ "omega": w, "damping": d })).collect::<Vec<_>>(),
            })
        })
        .collect();
    let kind = if e.contacts.iter().any(|c| c.v != 0.0) { "sliding" } else { "rest" };
    json!({ "kind": kind, "stable": e.stable, "undecided": e.undecided, "state": state, "contacts": contacts, "set": set, "linear": answers })
}
