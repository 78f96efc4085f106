//! `stiction energy`.
use crate::error::CommandError;
use crate::law::{LawArgs, LawNames, brief};
use crate::stream;
use crate::text::{table, wrap};
use serde_json::{Value, json};
use stiction::analysis::energy::search::SearchEffort;
use stiction::analysis::energy::{
    Excitation, LoopEnergy, Passivity, PassivityCondition, StorageFunction, loop_energy, passivity,
};
use stiction::core::models::ALL;
use stiction::parallel;
use stiction::units::LawUnits;
use stiction::{Error, Spec};

/// Find out whether a law is passive: energy stored, dissipated and released.
///
/// A passive law dissipates energy in every periodic motion. The search looks for a periodic velocity with which the
/// law releases energy instead: two harmonics about a mean, and jumps between two speeds, in one direction and to and
/// fro. Speeds range from 1e-4 to 1e3 times the characteristic speed of the law, distances from 1e-3 to 100 times its
/// characteristic length. The simulator confirms the result. Released energy proves that the law is not passive. If
/// none is found, that proves nothing, unless one of the sufficient conditions, which are printed, holds. Without a
/// law, all laws are tested with their defaults.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction energy lugre\n  stiction energy lugre --set sigma2=200\n  stiction energy lugre --set vd=0.001 --json\n  stiction energy axis2.toml\n  stiction energy"
)]
pub struct Args {
    /// A law, or a parameter file (a path or anything that ends in .toml).
    #[arg(value_name = "NAME|FILE.toml", value_parser = LawNames { wrappers: false }, hide_possible_values = true)]
    law: Option<String>,
    /// Set a parameter, also reverse.NAME, load.NAME or noise.NAME; repeatable, the last one counts.
    #[arg(long, value_name = "NAME=NUMBER", requires = "law")]
    set: Vec<String>,
    /// Compute parameters from a known quantity; repeatable. Values of --set take precedence.
    #[arg(long, value_name = "NAME=NUMBER", requires = "law")]
    from: Vec<String>,
}

/// Amplitudes of the loops, in characteristic lengths of the law: within presliding, about its end, far beyond.
const LOOP_AMPLITUDES: [f64; 3] = [0.3, 1.0, 30.0];
/// Largest speed of the loops, in characteristic speeds of the law.
const LOOP_SPEED: f64 = 1e-2;

struct EnergyReport {
    spec: Spec,
    passivity: Passivity,
    loops: Vec<LoopEnergy>,
}

impl EnergyReport {
    fn new(spec: &Spec, effort: &SearchEffort) -> Result<Self, Error> {
        let passivity = passivity(spec, effort)?;
        let scales = &passivity.scales;
        let one = |times: &f64| loop_energy(spec, times * scales.length, LOOP_SPEED * scales.speed);
        let loops = LOOP_AMPLITUDES.iter().map(one).collect::<Result<_, _>>()?;
        Ok(Self { spec: spec.clone(), passivity, loops })
    }
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
        rows.push(row("period", format!("{} s", brief(worst.period()))));
        rows.push(row(&format!("energy {sign}"), format!("{} J in a period", brief(taken.work.abs()))));
        let relative = format!(
            "{} times the largest friction, {} {force}, times the distance, {} {way}",
            brief(self.passivity.relative().abs()),
            brief(scales.peak),
            brief(taken.travel)
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
        out += &format!("\nSlow loops, at most {} {speed}\n", brief(LOOP_SPEED * scales.speed));
        let head = ["amplitude", "lost [J]", "stored [J]", "lost/(2 pi stored)"].map(str::to_owned);
        let none = || "-".to_owned();
        let rows = self.loops.iter().map(|l| {
            [
                format!("{} {way}", brief(l.amplitude)),
                brief(l.dissipated),
                l.stored.map_or_else(none, brief),
                l.loss().map_or_else(none, brief),
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
                brief(*size),
                brief(*mean),
                brief(*second),
                brief(*phase),
                brief(*omega)
            );
            vec![["velocity".to_owned(), text]]
        }
        Excitation::Pieces(parts) => {
            let one = |(k, (v, x)): (usize, &(f64, f64))| {
                let name = if k == 0 { "velocity" } else { "then" };
                [name.to_owned(), format!("{} {speed} for {} {way}", brief(*v), brief(*x))]
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

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    if let Some(law) = &args.law {
        let spec = LawArgs::new(law, &args.set, &args.from).file()?.spec;
        let found = EnergyReport::new(&spec, &SearchEffort::FULL)?;
        return if json { stream::json(&found.json()) } else { stream::text(&found.text()) };
    }
    let specs = ALL.iter().map(|law| Spec::new(law.name)).collect::<Result<Vec<_>, _>>()?;
    let found = parallel::map(&specs, |spec| EnergyReport::new(spec, &SearchEffort::QUICK))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    if json {
        return stream::json(&found.iter().map(EnergyReport::json).collect::<Vec<_>>());
    }
    let head = ["law", "condition", "worst", "verdict"].map(str::to_owned);
    let rows = found.iter().map(|f| {
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
    stream::text(&out)
}

/// Rounded to four decimals, without a sign before zero.
fn four(x: f64) -> String {
    let text = format!("{x:.4}");
    if text == "-0.0000" { "0.0000".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::{EnergyReport, SearchEffort, Spec, brief};

    /// The text calls a gain a gain, and gives its size and ratio as positive numbers.
    #[test]
    fn a_gain_has_one_sign() {
        let report = EnergyReport::new(&Spec::new("lugre").unwrap(), &SearchEffort::QUICK).unwrap();
        let relative = report.passivity.relative();
        assert!(relative < 0.0);
        let text = report.text();
        let ratio = format!("that is        {} times the largest friction", brief(-relative));
        assert!(text.contains("energy gained  ") && text.contains(&ratio), "{text}");
    }
}
