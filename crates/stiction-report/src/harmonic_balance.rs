//! Hunting, predicted by harmonic balance and simulated.
use crate::Report;
use crate::text::{digits, digits_or_dash, table, wrap};
use serde_json::{Value, json};
use stiction::Error;
use stiction::analysis::describing_function::{HarmonicBalance, PredictedOscillation, harmonic_balance};
use stiction::number::interval;
use stiction::scenario::Scenario;

/// The hunting of a scenario.
pub struct HarmonicBalanceReport {
    name: String,
    title: String,
    found: HarmonicBalance,
}

impl HarmonicBalanceReport {
    /// Predicts the hunting of a scenario, which is called `name`, and simulates it.
    ///
    /// # Errors
    /// As [`harmonic_balance`].
    pub fn predict(name: &str, scenario: &Scenario) -> Result<Self, Error> {
        let found = harmonic_balance(scenario)?;
        Ok(Self { name: name.to_owned(), title: format!("{name}: {}", scenario.title), found })
    }
}

impl Report for HarmonicBalanceReport {
    fn text(&self) -> String {
        text(&self.title, &self.found)
    }
    fn json(&self) -> Value {
        value(&self.name, &self.found)
    }
}

/// Relative difference of a number from another, in percent.
fn off(x: f64, from: f64) -> String {
    format!("{:+.1} %", 100.0 * (x / from - 1.0))
}

fn text(title: &str, found: &HarmonicBalance) -> String {
    let mut out =
        format!("{title}\n\nOscillations by harmonic balance, 1 + N G = 0, contact '{}'\n", found.plant.contact);
    let [(x0, x1), (w0, w1)] = found.searched;
    if found.predictions.is_empty() {
        let [x, omega, least] = found.nearest;
        out += &wrap(
            "  ",
            &format!(
                "none for amplitudes from {} and frequencies from {} rad/s; |1 + N G| is never below {}, at {} and {} rad/s",
                interval([x0, x1], 6),
                interval([w0, w1], 6),
                digits(least),
                digits(x),
                digits(omega)
            ),
            2,
        );
    } else {
        let head = ["amplitude", "period [s]", "by Loeb", "3rd/1st harmonic of the force"].map(str::to_owned);
        let row = |p: &PredictedOscillation| {
            let stable = if p.stable { "stable" } else { "unstable" };
            [digits(p.at.amplitude), digits(p.period()), stable.to_owned(), digits(p.at.third)]
        };
        out += &table(&[head].into_iter().chain(found.predictions.iter().map(row)).collect::<Vec<_>>(), &[]);
    }
    out += "\nSimulated\n";
    match &found.simulated {
        None => out += "  it comes to rest: no cycle\n",
        Some(cycle) => {
            let rows = [
                ["period [s]".to_owned(), digits(cycle.period)],
                ["amplitude".to_owned(), digits_or_dash(cycle.amplitude)],
                ["sticking".to_owned(), format!("{:.0} % of the time", 100.0 * cycle.still)],
            ];
            out += &table(&rows, &[]);
        }
    }
    out += "\n";
    out + &wrap("", &says(found), 0)
}

/// The result of the comparison in words.
fn says(found: &HarmonicBalance) -> String {
    let stable = found.predictions.iter().filter(|p| p.stable).count();
    match (&found.simulated, stable) {
        (None, 0) => "Harmonic balance predicts no sustained oscillation, and the simulation comes to rest.".to_owned(),
        (None, _) => "Harmonic balance predicts hunting, but the simulation comes to rest.".to_owned(),
        (Some(cycle), 0) => {
            let why = if found.plant.integrates && cycle.still > 0.0 {
                format!(
                    " A sinusoidal motion never sticks; this contact sticks for {:.0} % of the time while the controller's integral grows, and that drives the cycle.",
                    100.0 * cycle.still
                )
            } else {
                String::new()
            };
            let period = digits(cycle.period);
            format!("Harmonic balance predicts no hunting, but the simulation hunts with a period of {period} s.{why}")
        }
        (Some(cycle), _) => {
            let best = found.predictions.iter().filter(|p| p.stable).min_by(|a, b| {
                let far = |p: &PredictedOscillation| (p.period() / cycle.period).ln().abs();
                far(a).total_cmp(&far(b))
            });
            let Some(best) = best else { return String::new() };
            let size = cycle
                .amplitude
                .map_or(String::new(), |x| format!("; error of its amplitude: {}", off(best.at.amplitude, x)));
            format!(
                "Error of the period of the nearest stable oscillation: {}{size}.",
                off(best.period(), cycle.period)
            )
        }
    }
}

fn value(name: &str, found: &HarmonicBalance) -> Value {
    let prediction = |p: &PredictedOscillation| {
        json!({
            "amplitude": p.at.amplitude, "omega": p.at.omega, "period": p.period(), "stable": p.stable,
            "gain": [p.at.gain.re, p.at.gain.im], "third": p.at.third, "residual": p.residual,
        })
    };
    let [x, omega, least] = found.nearest;
    let [amplitude, frequency] = found.searched.map(|(lo, hi)| [lo, hi]);
    json!({
        "scenario": name,
        "contact": found.plant.contact,
        "states": found.plant.states,
        "predictions": found.predictions.iter().map(prediction).collect::<Vec<_>>(),
        "searched": { "amplitude": amplitude, "omega": frequency },
        "nearest": { "amplitude": x, "omega": omega, "off": least },
        "simulated": found.simulated.map(|s| json!({ "period": s.period, "amplitude": s.amplitude, "still": s.still })),
        "says": says(found),
    })
}
