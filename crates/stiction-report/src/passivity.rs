//! Passivity: energy stored, dissipated and released.
use crate::Report;
use crate::text::{digits, table, wrap};
use serde_json::{Value, json};
use stiction::analysis::energy::search::SearchEffort;
use stiction::analysis::energy::{
    Excitation, LoopEnergy, Passivity, PassivityCondition, StorageFunction, loop_energy, passivity,
};
use stiction::analysis::test_rig::TestRig;
use stiction::core::models::ALL;
use stiction::parallel;
use stiction::sim::StopFlag;
use stiction::units::LawUnits;
use stiction::{Error, Spec};

/// Amplitudes of the loops, in characteristic lengths of the law: within presliding, about its end, far beyond.
const LOOP_AMPLITUDES: [f64; 3] = [0.3, 1.0, 30.0];
/// Largest speed of the loops, in characteristic speeds of the law.
const LOOP_SPEED: f64 = 1e-2;

/// Whether a law is passive.
pub struct PassivityReport {
    spec: Spec,
    passivity: Passivity,
    loops: Vec<LoopEnergy>,
}

impl PassivityReport {
    /// Searches for a motion by which the law releases energy, until the flag is raised.
    ///
    /// # Errors
    /// As [`passivity`] and [`loop_energy`].
    pub fn search(spec: &Spec, effort: &SearchEffort, stop: &StopFlag) -> Result<Self, Error> {
        let passivity = passivity(spec, effort, stop)?;
        let rig = TestRig::new(spec).with_stop(stop);
        let scales = &passivity.scales;
        let one = |times: &f64| loop_energy(&rig, times * scales.length, LOOP_SPEED * scales.speed);
        let loops = LOOP_AMPLITUDES.iter().map(one).collect::<Result<_, _>>()?;
        Ok(Self { spec: spec.clone(), passivity, loops })
    }
}

impl Report for PassivityReport {
    fn json(&self) -> Value {
        let Passivity { conditions, scales, worst, taken, tried } = &self.passivity;
        json!({
            "law": self.spec.law().name,
            "verdict": self.passivity.verdict(),
            "passive": if self.passivity.gains() { json!(false) } else if self.passivity.proved() { json!(true) } else { Value::Null },
            "conditions": conditions.iter().map(|c| json!({ "text": c.text, "holds": c.holds, "why": c.why, "cite": c.cite })).collect::<Vec<_>>(),
            "worst": {
                "velocity": velocity(worst),
                "period": worst.period(),
                "energy": taken.work,
                "travel": taken.travel,
                "relative": self.passivity.relative(),
                "repeats": taken.repeats,
                "gains": self.passivity.gains(),
            },
            "tried": tried,
            "scales": { "peak": scales.peak, "kinetic": scales.kinetic, "speed": scales.speed, "length": scales.length },
            "storage": StorageFunction::of(&self.spec).map(|s| s.text),
            "loops": self.loops.iter().map(|l| json!({ "amplitude": l.amplitude, "dissipated": l.dissipated, "stored": l.stored, "loss_factor": l.loss() })).collect::<Vec<_>>(),
        })
    }
    fn text(&self) -> String {
        let Passivity { conditions, scales, worst, taken, tried } = &self.passivity;
        let LawUnits { displacement: way, speed, force } = LawUnits::of(self.spec.law());
        let mut out = format!("{}\n\n", self.spec.law().name);
        out += &wrap("  ", self.passivity.verdict(), 2);
        out += "\nSufficient conditions\n";
        if conditions.is_empty() {
            out += "  none known\n";
        }
        conditions.iter().for_each(|c| out += &condition(c));
        let sign = if taken.work < 0.0 { "gained" } else { "taken" };
        out += &format!("\nThe worst velocity of the {tried} tried\n");
        let mut rows: Vec<[String; 2]> = describe(worst, speed, way);
        let row = |name: &str, value: String| [name.to_owned(), value];
        rows.push(row("period", format!("{} s", digits(worst.period()))));
        rows.push(row(&format!("energy {sign}"), format!("{} J in a period", digits(taken.work.abs()))));
        let relative = format!(
            "{} times the largest friction, {} {force}, times the distance, {} {way}",
            digits(self.passivity.relative().abs()),
            digits(scales.peak),
            digits(taken.travel)
        );
        rows.push(row("that is", relative));
        if !taken.repeats {
            rows.push(row("note", "the force is not periodic: this is a mean over several periods".to_owned()));
        }
        if taken.work < 0.0 && !self.passivity.gains() {
            rows.push(row(
                "note",
                "not counted as a gain: within the error of the simulation, or the state is not periodic yet"
                    .to_owned(),
            ));
        }
        if self.passivity.gains() && self.passivity.at_edge() {
            rows.push(row("note", "at the largest speed of the search: faster motions may gain more".to_owned()));
        }
        out += &table(&rows, &[]);
        out += &format!("\nSlow loops, at most {} {speed}\n", digits(LOOP_SPEED * scales.speed));
        let head = ["amplitude", "lost [J]", "stored [J]", "lost/(2 pi stored)"].map(str::to_owned);
        let none = || "-".to_owned();
        let rows = self.loops.iter().map(|l| {
            [
                format!("{} {way}", digits(l.amplitude)),
                digits(l.dissipated),
                l.stored.map_or_else(none, digits),
                l.loss().map_or_else(none, digits),
            ]
        });
        out += &table(&[head].into_iter().chain(rows).collect::<Vec<_>>(), &[]);
        match StorageFunction::of(&self.spec) {
            Some(storage) => out += &format!("  stored: maximum minus minimum of {}\n", storage.text),
            None => out += "  the law stores no energy, or its stored energy is not known\n",
        }
        out
    }
}

fn condition(c: &PassivityCondition) -> String {
    let cite = c.cite.map_or(String::new(), |key| format!(" ({key})"));
    wrap(if c.holds { "  holds  " } else { "  fails  " }, &format!("{}; {}{cite}", c.text, c.why), 9)
}

fn describe(worst: &Excitation, speed: &str, way: &str) -> Vec<[String; 2]> {
    match worst {
        Excitation::Harmonic { speed: size, omega, mean, second, phase } => {
            let text = format!(
                "{} {speed} times ({} + sin a + {} sin(2 a + {})), a = {} rad/s t",
                digits(*size),
                digits(*mean),
                digits(*second),
                digits(*phase),
                digits(*omega)
            );
            vec![["velocity".to_owned(), text]]
        }
        Excitation::Pieces(parts) => {
            let one = |(k, (v, x)): (usize, &(f64, f64))| {
                let name = if k == 0 { "velocity" } else { "then" };
                [name.to_owned(), format!("{} {speed} for {} {way}", digits(*v), digits(*x))]
            };
            parts.iter().enumerate().map(one).collect()
        }
    }
}

fn velocity(worst: &Excitation) -> Value {
    match worst {
        Excitation::Harmonic { speed, omega, mean, second, phase } => {
            json!({ "kind": "harmonic", "speed": speed, "omega": omega, "mean": mean, "second": second, "phase": phase })
        }
        Excitation::Pieces(parts) => json!({ "kind": "parts", "velocity_and_way": parts }),
    }
}

/// Whether each law is passive, with its default parameters; a quick search.
pub struct PassivityOverview {
    laws: Vec<PassivityReport>,
}

impl PassivityOverview {
    /// Searches for all laws.
    ///
    /// # Errors
    /// As [`PassivityReport::search`].
    pub fn search() -> Result<Self, Error> {
        let specs = ALL.iter().map(|law| Spec::new(law.name)).collect::<Result<Vec<_>, _>>()?;
        let laws =
            parallel::map(&specs, |spec| PassivityReport::search(spec, &SearchEffort::QUICK, &StopFlag::default()));
        Ok(Self { laws: laws.into_iter().collect::<Result<_, _>>()? })
    }
}

impl Report for PassivityOverview {
    fn json(&self) -> Value {
        self.laws.iter().map(PassivityReport::json).collect()
    }
    fn text(&self) -> String {
        let head = ["law", "condition", "worst", "verdict"].map(str::to_owned);
        let rows = self.laws.iter().map(|f| {
            let p = &f.passivity;
            let condition = if p.conditions.is_empty() {
                "none known"
            } else if p.proved() {
                "holds"
            } else {
                "fails"
            };
            let verdict = if p.gains() {
                "not passive"
            } else if p.proved() {
                "passive"
            } else {
                "open: no gain found"
            };
            [f.spec.law().name.to_owned(), condition.to_owned(), four(p.relative()), verdict.to_owned()]
        });
        let mut out = table(&[head].into_iter().chain(rows).collect::<Vec<_>>(), &[2]);
        out += "\n";
        out += &wrap(
            "",
            "'worst' is the smallest energy dissipated in a period, relative to the largest friction force times the distance; \
             below 0, energy is gained. 'stiction energy NAME' searches more thoroughly, and shows the velocity.",
            0,
        );
        out
    }
}

/// Rounded to four decimals, without a sign before zero.
fn four(x: f64) -> String {
    let text = format!("{x:.4}");
    if text == "-0.0000" { "0.0000".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::{PassivityReport, SearchEffort, Spec, StopFlag, digits};
    use crate::Report;

    /// The text calls a gain a gain, and gives its size and ratio as positive numbers.
    #[test]
    fn a_gain_has_one_sign() {
        let report =
            PassivityReport::search(&Spec::new("lugre").unwrap(), &SearchEffort::QUICK, &StopFlag::default()).unwrap();
        let relative = report.passivity.relative();
        assert!(relative < 0.0);
        let text = report.text();
        let ratio = format!("that is        {} times the largest friction", digits(-relative));
        assert!(text.contains("energy gained  ") && text.contains(&ratio), "{text}");
    }
}
