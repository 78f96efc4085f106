//! Computations with known results, on this machine with this build.
use super::{Check, machine};
use std::io;
use stiction::DataError;
use stiction::core::{Dual, Friction, Input, Lanes, Params, Real, models::LuGre, models::Stribeck};
use stiction::dispatch::{self, Kernel, Level};
use stiction::number::{round, short};
use stiction::scenario::Scenario;
use stiction::sim::NullObserver;
use stiction::{Error, FEATURES, digest, table};

const REBUILD: &str = "this build computes wrong results: build it again ('cargo clean', then 'cargo build --release'); if \
                       that does not help, report it with the output of 'stiction doctor --json'";

/// Runs all of them.
pub fn run() -> Vec<Check> {
    let parquet = FEATURES.iter().any(|(name, _, with)| *name == "parquet" && *with);
    let tables = ["csv", "parquet"].into_iter().filter(|kind| *kind == "csv" || parquet);
    [stribeck(), slope(), period(), hold(), sha()].into_iter().chain([lanes()]).chain(tables.map(kept)).collect()
}

/// Compares a number with the known result, within a tolerance.
fn number(what: &'static str, got: Result<f64, Error>, wanted: f64, within: f64) -> Check {
    match got {
        Ok(got) => {
            let right = got == wanted || (got - wanted).abs() <= within * wanted.abs();
            let text = if right { short(round(got, 17)) } else { format!("{} for {}", short(got), short(wanted)) };
            Check::tested(what, text, right, REBUILD)
        }
        Err(error) => Check::tested(what, error.to_string(), false, REBUILD),
    }
}

fn law<R: Real>() -> Stribeck<R> {
    let lit = R::lit;
    Stribeck { fc: lit(1.0), fs: lit(1.5), vs: lit(0.1), exponent: lit(1.0), fv: lit(0.4) }
}

/// 1 + 0.5 exp(-2) + 0.4·0.2, to the last bit.
fn stribeck() -> Check {
    number("Stribeck curve", Ok(law::<f64>().steady(&Input::at(0.2))), 1.147_667_641_618_306_5, 0.0)
}

/// The slope of that curve, -5 exp(-2) + 0.4, by a dual number; the last digits depend on the order of the sum.
fn slope() -> Check {
    let v = Dual { re: 0.2, eps: [1.0] };
    let force = law::<Dual<f64, 1>>().steady(&Input::at(v));
    number("exact derivative", Ok(force.eps[0]), 0.4 - 5.0 * (-2.0_f64).exp(), 1e-14)
}

fn measured(scenario: &str, measure: &str) -> Result<f64, Error> {
    let scenario = Scenario::named(scenario, &[""; 0])?;
    let summary = scenario.simulation()?.run(&scenario.options, &mut NullObserver)?;
    let at = scenario.measures.iter().position(|name| name == measure);
    Ok(at.and_then(|at| summary.probes[at]).unwrap_or(f64::NAN))
}

/// The known value is from two other solvers, at tolerances that agree to eleven digits; ours keeps nine at its own
/// tolerance.
fn period() -> Check {
    number("period of stick-slip [s]", measured("a7", "period"), 4.638_552_687_94, 1e-8)
}

/// A body that is held does not move, to the last bit.
fn hold() -> Check {
    number("drift of a held body [m]", measured("hold", "drift"), 0.0, 0.0)
}

/// The example of FIPS 180-4.
fn sha() -> Check {
    let got = digest::sha256(&b"abc"[..]).unwrap_or_default();
    let right = got == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    Check::tested("SHA-256 of abc", format!("{}...", &got[..got.len().min(12)]), right, REBUILD)
}

const N: usize = 8;
const STEPS: usize = 500;

/// Speed of contact `lane` at sample `k`: both directions, rest, six decades.
fn speed(lane: usize, k: usize) -> f64 {
    let draw = |i: usize| f64::uniform(7.0, ((k * N + lane) * 2 + i) as f64);
    if k.is_multiple_of(50) { 0.0 } else { (2.0 * draw(1) - 1.0) * (-14.0 * draw(0)).exp() }
}

/// Forces of eight LuGre contacts over time.
struct LuGreKernel;
impl Kernel for LuGreKernel {
    type Out = Vec<[f64; N]>;
    #[inline(always)]
    fn run(self) -> Self::Out {
        let law = LuGre::<Lanes<N>>::nominal();
        let mut z = [Lanes([0.0; N])];
        let step = |k| {
            let u = Input::at(Lanes(std::array::from_fn(|lane| speed(lane, k))));
            z = law.step(&z, &u, Lanes::lit(1e-4));
            law.force(&z, &u).0
        };
        (0..STEPS).map(step).collect()
    }
}

/// Checks that all vector instructions give the same bits as scalar computation.
fn lanes() -> Check {
    let law = LuGre::<f64>::nominal();
    let scalar: Vec<Vec<f64>> = (0..N)
        .map(|lane| {
            let mut z = [0.0];
            let step = |k| {
                let u = Input::at(speed(lane, k));
                z = law.step(&z, &u, 1e-4);
                law.force(&z, &u)
            };
            (0..STEPS).map(step).collect()
        })
        .collect();
    let levels: Vec<Level> = Level::ALL.into_iter().filter(|level| level.available()).collect();
    let same = |level: &&Level| {
        let run = dispatch::dispatch_at(**level, LuGreKernel);
        run.iter().enumerate().all(|(k, row)| (0..N).all(|lane| row[lane].to_bits() == scalar[lane][k].to_bits()))
    };
    let wrong: Vec<&str> = levels.iter().filter(|level| !same(level)).map(|level| machine::name(*level)).collect();
    let names: Vec<&str> = levels.iter().map(|level| machine::name(*level)).collect();
    let text = match wrong.as_slice() {
        [] => format!("{}: the same bits as scalar code", names.join(", ")),
        wrong => format!("{}: other bits than scalar code", wrong.join(", ")),
    };
    Check::tested("vector instructions", text, wrong.is_empty(), REBUILD)
}

/// Checks that a table reads back as it was written.
fn kept(kind: &'static str) -> Check {
    let what = if kind == "csv" { "CSV file" } else { "Parquet file" };
    let path = std::env::temp_dir().join(format!("stiction-doctor-{}.{kind}", std::process::id()));
    let numbers = [0.1, -1.0 / 3.0, 5e-324, 1e300];
    let heads = table::ColumnHeaders::from([("x", "m")]);
    let written = table::write(&path, &heads, |row| numbers.iter().try_for_each(|x| row(&[*x]) as io::Result<()>));
    let read = written.map_err(DataError::from).and_then(|()| table::read(&path));
    let _ = std::fs::remove_file(&path);
    let advice =
        "see 'temporary' under folders; if that is ok, the disk is full or this build is broken: build it again";
    match read {
        Ok(table) => {
            let same =
                table.columns.len() == 1 && table.columns[0].iter().map(|x| x.to_bits()).eq(numbers.map(f64::to_bits));
            let text = if same { "reads back to the last bit" } else { "does not read back" };
            Check::tested(what, text, same, advice)
        }
        Err(error) => Check::tested(what, error.to_string(), false, advice),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn a_number_that_is_off_is_wrong() {
        assert!(number("x", Ok(1.0), 1.0, 0.0).passed());
        assert!(!number("x", Ok(1.0 + f64::EPSILON), 1.0, 0.0).passed());
        assert!(!number("x", Ok(f64::NAN), 1.0, 1.0).passed());
        assert!(number("x", Ok(1.1), 1.0, 0.2).passed());
    }
}
