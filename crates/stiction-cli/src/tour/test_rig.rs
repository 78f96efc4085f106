//! The machine of the tour: the pneumatic rig of Nouri, simulated, and recorded through sensors, so that its records
//! look like logs.
use crate::error::CommandError;
use std::path::Path;
use stiction::fit::Random;
use stiction::scenario::Scenario;
use stiction::sim::Trace;
use stiction::system::{Load, Signal};
use stiction::table::{self, ColumnHeaders};
use stiction::{Error, ParameterGroup, Spec};

/// Body, contact and loop of the rig in its scenarios.
const BODY: &str = "slide";
const CONTACT: &str = "seal";
const COLUMNS: [&str; 2] = ["slide.x", "valve.u"];
/// Nominal supply pressure, for which force levels are given \[bar\]: the highest of Nouri2004, fig. 12.
pub const NOMINAL: f64 = 7.0;

/// A sensor: noise of this standard deviation is added, then the signal is rounded to steps of this width.
pub struct Sensor {
    pub noise: f64,
    pub step: f64,
}
/// A linear scale \[m\].
pub const POSITION: Sensor = Sensor { noise: 5e-8, step: 1e-7 };
/// The pressure difference times the piston's area \[N\]: a hundredth of the friction is noise.
pub const FORCE: Sensor = Sensor { noise: 1.0, step: 0.2 };
/// A manometer \[bar\].
pub const PRESSURE: Sensor = Sensor { noise: 0.02, step: 0.01 };
/// Seed of the noise: every tour has the same noise.
const SEED: u32 = 2004;

/// The scenarios, and the logs that they become.
pub const RECORDS: [(&str, &str); 4] =
    [("rig-slow", "slow.csv"), ("rig-small", "small.csv"), ("rig-fast", "fast.csv"), ("rig-check", "check.csv")];

/// A record as written to its file.
pub struct Log {
    /// Time \[s\], position \[m\], force \[N\], pressure \[bar\].
    pub columns: [Vec<f64>; 4],
}

/// The true values of the rig.
pub struct TrueValues {
    /// The law of the seal, with the map from pressure to load.
    pub law: Spec,
    /// The moving mass \[kg\].
    pub mass: f64,
}

impl Sensor {
    fn see(&self, x: f64, random: &mut Random) -> f64 {
        ((x + self.noise * random.normal()) / self.step).round() * self.step
    }
}

fn scenario(name: &str) -> Result<Scenario, Error> {
    Scenario::named(name, &[] as &[&str])
}

/// The error of a scenario of the rig that lacks something; only a change of the scenario can cause it.
fn lacks(key: &'static str) -> Error {
    Error::Missing { key }
}

/// Simulates record number `k` and measures it.
pub fn record(k: usize) -> Result<Log, Error> {
    let (name, _) = RECORDS[k];
    let scenario = scenario(name)?;
    let simulation = scenario.simulation()?;
    let mut trace = Trace::default();
    simulation.run(&scenario.options, &mut trace)?;
    let place = |name: &str| simulation.columns().iter().position(|column| column.name == name);
    let places = COLUMNS.map(place);
    let [Some(x), Some(u)] = places else { return Err(lacks("slide.x and valve.u")) };
    let pressure = pressure(&scenario)?;
    let step = scenario.options.sample;
    let mut random = Random::new(SEED + k as u32);
    let mut columns: [Vec<f64>; 4] = Default::default();
    let mut next = 0.0;
    for row in &trace.rows {
        // rows of events are left out
        if row[0] < (next - 1e-6) * step {
            continue;
        }
        let t = next * step;
        let seen = [
            t,
            POSITION.see(row[x], &mut random),
            FORCE.see(row[u], &mut random),
            PRESSURE.see(pressure.at(t), &mut random),
        ];
        columns.iter_mut().zip(seen).for_each(|(column, x)| column.push(x));
        next += 1.0;
    }
    Ok(Log { columns })
}

fn pressure(scenario: &Scenario) -> Result<Signal, Error> {
    match scenario.system.contact_named(CONTACT).map(|contact| &contact.load) {
        Some(Load::Signal(signal)) => Ok(signal.clone()),
        _ => Err(lacks("contact.seal.load.signal")),
    }
}

impl Log {
    /// Writes it.
    pub fn write(&self, path: &Path) -> Result<(), CommandError> {
        let heads = ColumnHeaders::from([("t", "s"), ("position", "m"), ("force", "N"), ("pressure", "bar")]);
        // the resolution of a sensor is decimal: further digits are rounding errors
        let digits = [6, 7, 1, 2];
        let [t, ..] = &self.columns;
        table::write(path, &heads, |row| {
            for k in 0..t.len() {
                let cells: [f64; 4] = std::array::from_fn(|i| decimal(self.columns[i][k], digits[i]));
                row(&cells)?;
            }
            Ok(())
        })?;
        Ok(())
    }
    /// One column over another from `from` to `to` seconds.
    pub fn over_time(&self, column: usize, from: f64, to: f64) -> Vec<(f64, f64)> {
        let [t, ..] = &self.columns;
        let all = t.iter().copied().zip(self.columns[column].iter().copied());
        all.filter(|(t, _)| (from..=to).contains(t)).collect()
    }
}

/// The number rounded to this many decimals.
fn decimal(x: f64, digits: i32) -> f64 {
    let scale = 10.0_f64.powi(digits);
    let x = (x * scale).round() / scale;
    if x == 0.0 { 0.0 } else { x }
}

impl TrueValues {
    /// The true values of the rig; a test checks that they are the same in all its scenarios.
    pub fn new() -> Result<Self, Error> {
        Self::of(RECORDS[0].0)
    }
    fn of(name: &str) -> Result<Self, Error> {
        let scenario = scenario(name)?;
        let law = scenario.system.contact_named(CONTACT).ok_or_else(|| lacks("contact.seal"))?.spec().clone();
        let mass = scenario.system.mass_of(BODY).ok_or_else(|| lacks("body.slide"))?;
        Ok(Self { law, mass })
    }
    /// A parameter of the law at nominal pressure. Dry forces and stiffnesses are proportional to the load factor,
    /// other parameters do not depend on it.
    pub fn at_nominal(&self, name: &str) -> Result<f64, Error> {
        let value = self.law.get(name)?;
        let params = ParameterGroup::Law.params(self.law.law());
        let dry = params.iter().any(|p| p.name == name && ["N", "N/m"].contains(&p.unit));
        Ok(if dry { value * self.law.load_factor(NOMINAL) } else { value })
    }
    /// Relative change of the load factor with pressure, at nominal pressure \[1/bar\].
    pub fn slope(&self) -> Result<f64, Error> {
        Ok(self.law.get("load.slope")? / self.law.load_factor(NOMINAL))
    }
}

#[cfg(test)]
mod tests {
    use super::{ParameterGroup, RECORDS, TrueValues};

    #[test]
    fn every_scenario_has_the_same_rig() {
        let truth = TrueValues::new().unwrap();
        for name in RECORDS.map(|(name, _)| name).into_iter().chain(["rig-servo"]) {
            let other = TrueValues::of(name).unwrap();
            assert_eq!(other.law.law().name, truth.law.law().name, "{name}");
            for part in ParameterGroup::ALL {
                assert_eq!(other.law.has(part), truth.law.has(part), "{name}");
                assert_eq!(other.law.values(part), truth.law.values(part), "{name}");
            }
            assert_eq!(other.mass, truth.mass, "{name}");
        }
    }
}
