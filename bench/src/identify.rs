//! How often the truth lies inside the stated intervals, and how long a fit of a long record takes.
//!
//! Records are made by laws along known motions and go the way of the program: text, columns by their names, filter, fit.
//! All have noise on the force; `clean` ones nothing else, `steps` ones also a position in steps of an encoder; of the `uneven`
//! ones each sample was taken at the instant it says, early or late, and those of `stamps` were taken evenly, but the
//! instants they say are wrong.
use crate::clock::print_machine;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use stiction::core::Input;
use stiction::data::{Options as Layout, Table};
use stiction::fit::Random;
use stiction::identify::sliding::{self, Curve};
use stiction::identify::{Finding, Motion, Prepared, Raw, Recipe, Roles, dynamic, prepare};
use stiction::{Error, Spec, parallel};

/// What is wrong with a record, beside the noise of its force.
#[derive(Clone, Copy, PartialEq)]
enum Data {
    Clean,
    Steps,
    Uneven,
    Stamps,
}

/// How a law is identified.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// From what slides, with mass and offset.
    Sliding(Curve),
    /// Along the motion, with the offset.
    Along,
}

/// A law that is identified from records that it made.
struct Case {
    way: Way,
    law: &'static str,
    /// Half of its way \[m\].
    size: f64,
    values: &'static [(&'static str, f64)],
}

const CASES: &[Case] = &[
    Case { way: Way::Sliding(Curve::Coulomb), law: "coulomb", size: 0.05, values: &[("fc", 10.0)] },
    Case {
        way: Way::Sliding(Curve::Viscous),
        law: "stribeck",
        size: 0.05,
        values: &[("fc", 10.0), ("fs", 10.0), ("fv", 50.0)],
    },
    Case {
        way: Way::Sliding(Curve::Stribeck(20)),
        law: "stribeck",
        size: 0.05,
        values: &[("fc", 10.0), ("fs", 15.0), ("vs", 0.03), ("fv", 50.0)],
    },
    Case { way: Way::Along, law: "viscous", size: 0.05, values: &[("fv", 50.0)] },
    Case { way: Way::Along, law: "coulomb", size: 0.05, values: &[("fc", 10.0)] },
    Case { way: Way::Along, law: "stiction", size: 0.05, values: &[("fc", 10.0), ("fs", 12.0), ("fv", 50.0)] },
    Case {
        way: Way::Along,
        law: "stribeck",
        size: 0.05,
        values: &[("fc", 10.0), ("fs", 15.0), ("vs", 0.03), ("fv", 50.0)],
    },
    Case { way: Way::Along, law: "coulomb-tanh", size: 0.05, values: &[("fc", 10.0), ("ktanh", 30.0)] },
    Case { way: Way::Along, law: "dahl", size: 2e-3, values: &[("fc", 10.0), ("sigma", 5e4)] },
    Case { way: Way::Along, law: "dankowicz", size: 2e-3, values: &[("fmax", 10.0), ("delta", 3e-4)] },
    Case { way: Way::Along, law: "bouc-wen", size: 2e-3, values: &[("alpha", 5e4), ("beta", 5e3), ("fv", 50.0)] },
    Case {
        way: Way::Along,
        law: "lugre",
        size: 2e-3,
        values: &[("fc", 10.0), ("fs", 15.0), ("vs", 5e-3), ("sigma0", 5e4), ("sigma1", 100.0), ("sigma2", 50.0)],
    },
    Case {
        way: Way::Along,
        law: "elasto-plastic",
        size: 2e-3,
        values: &[("fc", 10.0), ("fs", 15.0), ("vs", 5e-3), ("sigma0", 5e4), ("sigma1", 100.0), ("sigma2", 50.0)],
    },
    Case {
        way: Way::Along,
        law: "gms",
        size: 2e-3,
        values: &[
            ("fc", 3.0),
            ("fs", 4.5),
            ("vs", 5e-3),
            ("c", 2e3),
            ("sigma2", 50.0),
            ("k1", 5e4),
            ("k2", 2.5e4),
            ("k3", 1.2e4),
            ("k4", 6e3),
        ],
    },
];

/// Samples to the second, and seconds of a record.
const RATE: f64 = 500.0;
const SECONDS: f64 = 4.0;
/// Deviation of the noise of the force \[N\], where levels are about ten.
const NOISE: f64 = 0.1;
/// The constant force, and the mass where it is sought.
const OFFSET: f64 = 0.3;
const MASS: f64 = 2.0;
/// Steps of the encoder to half of the way, and deviation of the instants in samples.
const STEPS: f64 = 2e4;
const JITTER: f64 = 0.02;
/// Steps of the law to a sample, so that what the fit makes of a sample is its own.
const FINE: usize = 16;

/// Position, velocity and acceleration at a time: strokes that grow and shrink, at speeds from slow to fast.
fn motion(size: f64, t: f64) -> [f64; 3] {
    let sines = [(0.5, 0.55, 0.0), (0.3, 1.3, 1.0), (0.2, 2.9, 2.5)];
    let mut out = [0.0; 3];
    for (part, hertz, phase) in sines {
        let w = std::f64::consts::TAU * hertz;
        let (sin, cos) = (w * t + phase).sin_cos();
        let size = size * part;
        out = [out[0] + size * sin, out[1] + size * w * cos, out[2] - size * w * w * sin];
    }
    out
}

fn law(case: &Case) -> Result<Spec, Error> {
    let mut spec = Spec::new(case.law)?;
    for (key, value) in case.values {
        spec.set(key, *value)?;
    }
    Ok(spec)
}

/// A record as a file has it.
fn text(case: &Case, data: Data, seed: u32) -> Result<String, Error> {
    let model = law(case)?.build()?;
    let mut random = Random::new(seed);
    let mass = if case.way == Way::Along { 0.0 } else { MASS };
    let (mut z, mut last, mut before) = (vec![0.0; model.len()], motion(case.size, 0.0)[0], 0.0);
    let mut out = String::from("t [s],x [m],force [N]\n");
    for k in 0..(RATE * SECONDS) as usize {
        let off =
            if k > 0 && matches!(data, Data::Uneven | Data::Stamps) { JITTER / RATE * random.normal() } else { 0.0 };
        let said = k as f64 / RATE + off;
        let t = if data == Data::Uneven { said } else { k as f64 / RATE };
        for fine in 1..=if k == 0 { 0 } else { FINE } {
            let x = motion(case.size, before + (t - before) * fine as f64 / FINE as f64)[0];
            let dt = (t - before) / FINE as f64;
            model.step(&mut z, &Input::at((x - last) / dt), dt);
            last = x;
        }
        before = t;
        let [x, v, a] = motion(case.size, t);
        let force = model.force(&z, &Input::at(v)) + mass * a + OFFSET + NOISE * random.normal();
        let step = case.size / STEPS;
        let x = if data == Data::Clean { x } else { (x / step).round() * step };
        out += &format!("{said},{x},{force}\n");
    }
    Ok(out)
}

fn raw(text: &str) -> Result<Raw, Error> {
    Roles::default().read(&Table::from_bytes("log.csv", text.as_bytes(), &Layout::default())?)
}

/// One record made and identified.
fn find(case: &Case, data: Data, seed: u32) -> Result<Finding, Error> {
    let raw = raw(&text(case, data, seed)?)?;
    match case.way {
        Way::Sliding(curve) => {
            let (prepared, _) = prepare(&raw, &Recipe::default())?;
            sliding::find(&prepared, &sliding::Options { curve: Some(curve), ..sliding::Options::default() })
        }
        Way::Along => {
            let (prepared, _) = prepare(&raw, &Recipe { mass: Some(0.0), ..Recipe::default() })?;
            let motions: Vec<Motion> = prepared.into_iter().map(|p: Prepared| p.motion).collect();
            let options = dynamic::Options { offset: true, ..dynamic::Options::default() };
            dynamic::force(&motions, &Spec::new(case.law)?, &options)
        }
    }
}

/// The band that holds the true share with 95 %, after `inside` of `all` (Wilson's score interval).
fn band(inside: usize, all: usize) -> [f64; 2] {
    let (n, p, z) = (all as f64, inside as f64 / all as f64, 1.96_f64);
    let (middle, spread) = (p + z * z / (2.0 * n), z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt());
    [middle - spread, middle + spread].map(|x| x / (1.0 + z * z / n))
}

/// The interval stated for a parameter. Elements of a law that are alike but for their stiffness come back in any order: the
/// stiffest counts as the first.
fn interval(finding: &Finding, key: &str) -> Option<[f64; 2]> {
    let stiff = ["k1", "k2", "k3", "k4"];
    let Some(place) = stiff.iter().position(|k| *k == key) else { return finding.estimate(key).map(|e| e.interval) };
    let mut found: Vec<_> = stiff.iter().filter_map(|k| finding.estimate(k)).collect();
    found.sort_by(|a, b| b.value.total_cmp(&a.value));
    found.get(place).map(|e| e.interval)
}

/// Shares of intervals that hold the truth.
fn coverage(case: &Case, data: Data, seeds: u32) -> Result<(), Error> {
    let seeds: Vec<u32> = (1..=seeds).collect();
    let found: Vec<Finding> =
        parallel::each(&seeds, |seed| find(case, data, *seed)).into_iter().collect::<Result<_, _>>()?;
    let (way, extra) = match case.way {
        Way::Sliding(_) => ("sliding", vec![("mass", MASS), ("offset", OFFSET)]),
        Way::Along => ("along", vec![("offset", OFFSET)]),
    };
    let name = match data {
        Data::Clean => "clean",
        Data::Steps => "steps",
        Data::Uneven => "uneven",
        Data::Stamps => "stamps",
    };
    for (key, truth) in case.values.iter().copied().chain(extra) {
        let stated: Vec<[f64; 2]> = found
            .iter()
            .filter_map(|f| interval(f, key))
            .filter(|[low, high]| high > low && (high - low).is_finite())
            .collect();
        if stated.is_empty() {
            continue;
        }
        let inside = stated.iter().filter(|[low, high]| *low <= truth && truth <= *high).count();
        let [low, high] = band(inside, stated.len());
        println!(
            "coverage {way},{},{name},{key},{:.3},of {},{low:.3},{high:.3}",
            case.law,
            inside as f64 / stated.len() as f64,
            stated.len()
        );
    }
    Ok(())
}

/// Seconds for a million samples of Coulomb, viscous and Stribeck friction: columns in, law out; and what SciPy takes.
fn time() -> Result<(), Error> {
    const COUNT: usize = 1_000_000;
    let case = &CASES[2];
    let model = law(case)?.build()?;
    let mut random = Random::new(1);
    let mut columns = [const { Vec::new() }; 3];
    for k in 0..COUNT {
        let t = k as f64 / RATE;
        let [x, v, a] = motion(case.size, t);
        let step = case.size / STEPS;
        columns[0].push(t);
        columns[1].push((x / step).round() * step);
        columns[2].push(model.force(&[], &Input::at(v)) + MASS * a + OFFSET + NOISE * random.normal());
    }
    let mut text = String::from("t [s],x [m],force [N]\n");
    for ((t, x), f) in columns[0].iter().zip(&columns[1]).zip(&columns[2]) {
        text += &format!("{t},{x},{f}\n");
    }
    let start = Instant::now();
    let raw = raw(&text)?;
    let read = start.elapsed().as_secs_f64();
    drop(text);
    let (mut filter, mut fit, mut cutoff) = (f64::INFINITY, f64::INFINITY, 0.0);
    for _ in 0..3 {
        let start = Instant::now();
        let (prepared, _) = prepare(&raw, &Recipe::default())?;
        filter = filter.min(start.elapsed().as_secs_f64());
        cutoff = prepared[0].cutoff;
        let start = Instant::now();
        sliding::find(
            &prepared,
            &sliding::Options { curve: Some(Curve::Stribeck(20)), ..sliding::Options::default() },
        )?;
        fit = fit.min(start.elapsed().as_secs_f64());
    }
    let row = |what: &str, seconds: f64| println!("time sliding,stribeck,{COUNT} samples,{what},{seconds:.3},s,,");
    row("read from text", read);
    row("filter", filter);
    row("fit", fit);
    row("filter and fit", filter + fit);
    match peer(&columns, cutoff) {
        Some(peer) => peer.iter().for_each(|(what, seconds)| row(what, *seconds)),
        None => eprintln!("note: no peer measured; set STICTION_PEERS=python, one that has SciPy (see bench/peers)"),
    }
    Ok(())
}

/// The same by SciPy, if `STICTION_PEERS` names a Python that has it: what it did, and the seconds it took.
fn peer(columns: &[Vec<f64>; 3], cutoff: f64) -> Option<Vec<(String, f64)>> {
    let python = std::env::var_os("STICTION_PEERS")?;
    let path = std::env::temp_dir().join(format!("stiction-bench-{}.bin", std::process::id()));
    let bytes: Vec<u8> = columns.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    std::fs::File::create(&path).and_then(|mut file| file.write_all(&bytes)).ok()?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/identify.py");
    let out = Command::new(python).arg(script).arg(&path).arg(cutoff.to_string()).output();
    let _ = std::fs::remove_file(&path);
    let out = out.ok().filter(|out| out.status.success())?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let row =
        |line: &str| line.split_once(',').and_then(|(what, s)| Some((format!("peer {what}"), s.trim().parse().ok()?)));
    Some(text.lines().filter_map(row).collect())
}

/// Runs all and prints CSV. `seeds` records of each law.
pub fn run(seeds: u32) -> Result<(), Error> {
    print_machine();
    println!("what,law,data,name,value,unit,low,high");
    for case in CASES {
        for data in [Data::Clean, Data::Steps, Data::Uneven, Data::Stamps] {
            coverage(case, data, seeds)?;
        }
    }
    time()
}
