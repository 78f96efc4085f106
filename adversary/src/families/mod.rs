//! Families of systems that have a reference of their own: bodies on a plane, gears with losses, planetary gears, switched components, switched gears and laws written as formulas, by
//! time stepping.
//!
//! Time stepping knows no events: in each step the velocities after it are those that satisfy the friction law with the forces in its middle. It is
//! of first order, or of second away from events, and sticks truly. Every system is solved with steps of one, a half and a quarter of a length; the changes
//! of the solution bound the error of the last. `cargo x adversary --family NAME`.
mod drag;
mod lossy_gear;
mod plane;
mod planetary;
mod switched_gears;
mod switches;

use crate::random::Random;
use crate::toml_text::number;
use std::path::Path;
use stiction::scenario::Scenario;
use stiction::sim::Trace;

/// The names of the families.
pub const NAMES: [&str; 6] = ["plane", "lossy gear", "planetary gear", "switches", "switched gears", "drag"];

/// Times after the start at which values are compared.
const TIMES: usize = 16;
/// Steps between two of them, of the longest length.
const STEPS: usize = 2000;
/// The error that is allowed, over the changes of the reference as its steps become shorter.
const MARGIN: f64 = 4.0;
/// Changes of a reference above this share of the largest value decide nothing.
const MOST_CHANGE: f64 = 0.01;

/// A system: its scenario, and what solves it in another way.
pub struct FamilyCase {
    /// The components, without the run.
    text: String,
    end: f64,
    columns: Vec<&'static str>,
    reference: Box<dyn Reference>,
}

/// Solves a system by time stepping.
trait Reference {
    /// Takes a step of length `h` from time `t`.
    fn step(&self, t: f64, h: f64, state: &mut [f64]);
    /// The state at the start.
    fn start(&self) -> Vec<f64>;
    /// The compared values of a state.
    fn values(&self, state: &[f64]) -> Vec<f64>;
}

impl FamilyCase {
    /// Case `number` of a family.
    pub fn new(family: &str, seed: u64, number: u64) -> Self {
        let mut random = Random::new(seed, number);
        match family {
            "plane" => plane::case(&mut random),
            "lossy gear" => lossy_gear::case(&mut random),
            "planetary gear" => planetary::case(&mut random),
            "switched gears" => switched_gears::case(&mut random),
            "drag" => drag::case(&mut random),
            _ => switches::case(&mut random),
        }
    }
    /// The scenario.
    pub fn scenario(&self) -> String {
        let sample = number(self.end / TIMES as f64);
        format!("[run]\nend = {}\nrtol = 1e-9\nsample = {sample}\n{}", number(self.end), self.text)
    }
    fn solve(&self, steps: usize) -> Vec<Vec<f64>> {
        let h = self.end / (TIMES * steps) as f64;
        let mut state = self.reference.start();
        let mut out = Vec::new();
        for k in 0..TIMES {
            for i in 0..steps {
                self.reference.step((k * steps + i) as f64 * h, h, &mut state);
            }
            out.push(self.reference.values(&state));
        }
        out
    }
    /// The largest error over the allowed one, and where it is; none if the reference decides nothing.
    ///
    /// # Errors
    /// What the simulator says, or that its energy balance does not close.
    pub fn judge(&self) -> Result<Option<(f64, String)>, String> {
        let text = self.scenario();
        let scenario = Scenario::parse(&text, Path::new("adversary.toml"), &[""; 0]).map_err(|e| e.to_string())?;
        let simulation = scenario.simulation().map_err(|error| error.to_string())?;
        let mut trace = Trace::default();
        let summary = simulation.run(&scenario.options, &mut trace).map_err(|error| error.to_string())?;
        let (off, size) = (summary.energy.error().abs(), summary.energy.size());
        // a hundred times the tolerance
        if off > 1e-7 * size {
            return Err(format!("the energy balance is off by {off:e} of {size:e}"));
        }
        let find = |name: &&str| simulation.columns().iter().position(|column| column.name == **name);
        let columns: Vec<usize> = self.columns.iter().filter_map(find).collect();
        let at = |time: f64| {
            let row = trace.rows.iter().min_by(|a, b| (a[0] - time).abs().total_cmp(&(b[0] - time).abs()))?;
            ((row[0] - time).abs() <= 1e-9 * self.end).then_some(row)
        };
        let [coarse, middle, fine] = [1, 2, 4].map(|factor| self.solve(factor * STEPS));
        let scales: Vec<f64> =
            (0..columns.len()).map(|c| fine.iter().map(|row| row[c].abs()).fold(1e-12, f64::max)).collect();
        // the largest over the whole run: an event a part of a step late moves all columns, and one of them may agree by chance
        let mut change = 0.0_f64;
        for ((coarse, middle), fine) in coarse.iter().zip(&middle).zip(&fine) {
            for (c, scale) in scales.iter().enumerate() {
                change = change.max(((fine[c] - middle[c]).abs() + (middle[c] - coarse[c]).abs()) / scale);
            }
        }
        let share = MARGIN * change + 1e-7;
        let mut worst = (0.0, String::new());
        for (c, column) in columns.iter().enumerate() {
            for (k, fine) in fine.iter().enumerate() {
                let time = self.end * (k + 1) as f64 / TIMES as f64;
                let found = at(time).ok_or_else(|| format!("no row at t = {time}"))?[*column];
                let (error, allowed) = ((found - fine[c]).abs(), share * scales[c]);
                if change > MOST_CHANGE && error > allowed {
                    return Ok(None);
                }
                if error > allowed * worst.0 {
                    let name = self.columns[c];
                    let told = format!("{name} = {found:e} at t = {time}, {:e} ± {allowed:e}", fine[c]);
                    worst = (error / allowed, told);
                }
            }
        }
        Ok(Some(worst))
    }
}

/// What came of the systems of a family.
#[derive(Debug, Default)]
pub struct FamilyReport {
    pub passed: u64,
    pub excluded: u64,
    /// The largest error over the allowed one of those that passed.
    pub worst: f64,
    /// Number of the system, and what was wrong.
    pub failures: Vec<(u64, String)>,
}

/// Judges systems `from` to `from + count`.
pub fn judge_all(family: &str, seed: u64, from: u64, count: u64) -> FamilyReport {
    let mut report = FamilyReport::default();
    for number in from..from + count {
        match FamilyCase::new(family, seed, number).judge() {
            Ok(None) => report.excluded += 1,
            Ok(Some((ratio, _))) if ratio <= 1.0 => {
                report.passed += 1;
                report.worst = report.worst.max(ratio);
            }
            Ok(Some((_, told))) | Err(told) => report.failures.push((number, told)),
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::{NAMES, judge_all};

    #[test]
    fn systems_of_every_family_agree_with_time_stepping() {
        for family in NAMES {
            let report = judge_all(family, 1, 0, 40);
            assert!(report.failures.is_empty(), "{family}: {:#?}", report.failures);
            assert!(report.passed >= 36, "{family}: {report:?}");
        }
    }
}
