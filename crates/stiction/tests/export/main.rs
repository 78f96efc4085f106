//! What is exported is what is simulated, bit for bit.
mod awkward;
mod build;
mod fmu;
mod fmu_calls;
mod fmu_driver;
mod fmu_exchange;
mod fmu_importer;
mod fmu_scenario;
mod fmu_sources;
mod law_code;
mod law_languages;
mod law_latex;
mod law_matlab;
mod law_modelica;
mod law_python;
mod law_size;
mod law_table;
mod law_wasm;
mod live_page;
mod mujoco_plugin;
mod robot;
mod robot_model;
mod robot_reader;
mod single;
#[path = "../../../../tests/common/skip.rs"]
mod skip;
mod wired;

use build::{STRICT, compile_c, compile_rust, drive, driver_c, driver_rust, folder, run};
use single::Single;
use std::fs;
use std::process::Command;
use stiction::core::control::registry::Role;
use stiction::core::{Input, Real, models};
use stiction::export::{ExportPlan, Precision};
use stiction::scenario::ControllerPart;
use stiction::{Error, LawFile, Spec};

/// A part and its numbers.
pub type PartValues = (&'static str, &'static [(&'static str, f64)]);

/// A plan of these parts, those with a law around `law`.
pub fn plan(name: &str, law: &Spec, parts: &[PartValues]) -> ExportPlan {
    let part = |(key, values): &PartValues| {
        let mut part = ControllerPart::new(key).unwrap();
        for (name, x) in *values {
            assert!(part.get(name).is_some(), "{key} has no {name}");
            part.set(name, *x);
        }
        part.law = (part.entry.role() == Role::Compensator).then(|| law.clone());
        part
    };
    ExportPlan { parts: parts.iter().map(part).collect(), limit: 20.0, ..ExportPlan::new(name, 1e-3) }
}

/// Methods, each with what it needs; every part is in one of them.
const METHODS: [(&str, &[PartValues]); 9] = [
    ("ahead", &[("feedforward", &[])]),
    ("seen", &[("kalman", &[]), ("state-feedback", &[]), ("feedforward", &[("ahead", 0.3), ("mass", 1.0)])]),
    ("observer", &[("difference", &[]), ("pid", &[]), ("observer", &[("kx", 0.01), ("kv", 0.02), ("mass", 1.5)])]),
    ("scaled", &[("tracker", &[]), ("pid", &[]), ("observer", &[("kx", 0.01)]), ("adaptive-scale", &[("leak", 0.1)])]),
    ("adaptive", &[("kalman", &[]), ("pid", &[("kick", 0.5)]), ("adaptive", &[("gain_x", 3.0), ("dead", 1e-4)])]),
    ("dob", &[("kalman", &[]), ("pid", &[]), ("disturbance-observer", &[])]),
    ("shaken", &[("pid", &[]), ("dither", &[("frequency", 61.0)])]),
    ("accelerated", &[("state-feedback", &[]), ("acceleration-feedback", &[])]),
    (
        "stopped",
        &[
            ("kalman", &[]),
            ("pid", &[]),
            ("observer", &[("kx", 0.01)]),
            ("smooth-stop", &[("band", 2e-3), ("release", 3e-3), ("still", 0.05), ("fade", 0.3)]),
        ],
    ),
];

/// A body with this friction in a loop with the controller: what it was told, and what it answered. Now and then the
/// sensor says what cannot be, or jumps.
fn servo(plan: &ExportPlan, law: &Spec, samples: u32) -> (Vec<Vec<f64>>, Vec<[f64; 2]>) {
    let (block, names) = plan.block::<f64>().unwrap();
    let (mut memory, friction) = (vec![0.0; names.len()], law.build().unwrap());
    let mut z = vec![0.0; friction.len()];
    let (mut x, mut v, mut a) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut told, mut answers) = (Vec::new(), Vec::new());
    for k in 0..samples {
        let draw = |j: u32| f64::uniform(17.0, f64::from(8 * k + j));
        let t = f64::from(k) * plan.period;
        // moves, reverses, and rests
        let rest = t.rem_euclid(1.0) > 0.8;
        let phase = 2.0 * t.min(t.floor() + 0.8);
        let wanted =
            [phase.sin(), if rest { 0.0 } else { 2.0 * phase.cos() }, if rest { 0.0 } else { -4.0 * phase.sin() }];
        let seen = match draw(0) {
            d if d < 0.01 => f64::NAN,
            d if d < 0.015 => f64::NEG_INFINITY,
            d if d < 0.03 => x + 0.5 * (draw(1) - 0.5),
            _ => ((x + 1e-5 * draw(2)) / 1e-4).round() * 1e-4,
        };
        let mut now = wanted.to_vec();
        now.push(seen);
        if !plan.estimates() {
            now.extend([v, a]);
        }
        if plan.load {
            now.push(1.0 + 0.2 * draw(3));
        }
        if draw(4) < 0.003 {
            now[0] = f64::NAN;
        }
        let command = plan.sample(&block, &now, &mut memory);
        answers.push([command, *memory.last().unwrap()]);
        told.push(now);
        for _ in 0..4 {
            let h = plan.period / 4.0;
            let body = stiction::core::contact::SlidingBody { mass: 1.0, applied: command };
            let before = v;
            v = friction.contact(&mut z, &Input::at(v), &body, h).v;
            a = (v - before) / h;
            x += h * v;
        }
    }
    (told, answers)
}

fn lugre() -> Spec {
    Spec::new("lugre").unwrap()
}

/// Every method over LuGre in every precision.
fn methods() -> impl Iterator<Item = ExportPlan> {
    METHODS.iter().flat_map(|(name, parts)| {
        [(Precision::Double, ""), (Precision::Single, "_single")].map(|(precision, ending)| ExportPlan {
            precision,
            jump: (*name != "ahead").then_some(0.2),
            load: *name == "observer",
            ..plan(&format!("{name}{ending}"), &lugre(), parts)
        })
    })
}

/// Flags with which GCC fuses products and sums, the last one for processors that can.
const FUSING: [&str; 3] = ["-std=gnu99", "-O3", "-mfma"];

fn fuses() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Bits of what was answered, for equality.
fn bits(answers: &[[f64; 2]]) -> Vec<[u64; 2]> {
    answers.iter().map(|pair| pair.map(f64::to_bits)).collect()
}

/// Samples of the loops below.
const SAMPLES: u32 = 6000;

/// What single precision whose functions are rounded from double makes of these samples.
fn in_single(plan: &ExportPlan, told: &[Vec<f64>]) -> Vec<[f64; 2]> {
    let (block, names) = plan.block::<Single>().unwrap();
    let mut memory = vec![Single(0.0); names.len()];
    let mut answer = |now: &Vec<f64>| {
        let now: Vec<Single> = now.iter().map(|x| Single(*x as f32)).collect();
        let command = plan.sample(&block, &now, &mut memory);
        [command, *memory.last().unwrap()].map(|x| f64::from(x.0))
    };
    told.iter().map(&mut answer).collect()
}

#[test]
fn in_a_loop_with_friction_every_command_and_fault_is_the_same() {
    let mut faults = 0;
    for plan in methods() {
        let (told, mut want) = servo(&plan, &lugre(), SAMPLES);
        if plan.precision == Precision::Single {
            want = in_single(&plan, &told);
        }
        let seen = want.iter().filter(|[_, fault]| *fault != 0.0).count();
        assert!(seen > 50 && seen < 1000, "{}: {seen} faults", plan.name);
        assert!(want.iter().all(|[command, _]| command.is_finite()), "{}", plan.name);
        let moved = want.windows(2).filter(|w| w[0][0].to_bits() != w[1][0].to_bits()).count();
        assert!(moved > 3000, "{}: the command changes in {moved} samples only", plan.name);
        faults += seen;
        let step = plan.record().unwrap();
        let at = folder(&plan.name);
        fs::write(at.join("driver.c"), driver_c(&plan, &step)).unwrap();
        fs::write(at.join("driver.rs"), driver_rust(&plan, &step)).unwrap();
        let want = bits(&want);
        let mut programs = vec![compile_rust(&plan, &step, &at, "driver.rs", false)];
        programs.extend(compile_c(&plan, &step, &at, "driver.c", &["-std=c99", "-O2"]));
        for program in programs {
            let got = bits(&drive(&program, plan.precision, &told));
            let off = got.iter().zip(&want).position(|(a, b)| a != b);
            assert!(off.is_none() && got.len() == want.len(), "{}: sample {off:?}", program.display());
        }
    }
    assert!(faults > 1000);
}

/// What the core's own single precision makes of these samples, with its functions from another library.
fn in_f32(plan: &ExportPlan, told: &[Vec<f64>]) -> Vec<[f64; 2]> {
    let (block, names) = plan.block::<f32>().unwrap();
    let mut memory = vec![0.0_f32; names.len()];
    let mut answer = |now: &Vec<f64>| {
        let now: Vec<f32> = now.iter().map(|x| *x as f32).collect();
        let command = plan.sample(&block, &now, &mut memory);
        [command, *memory.last().unwrap()].map(f64::from)
    };
    told.iter().map(&mut answer).collect()
}

#[test]
fn in_single_it_is_the_core_within_ulps() {
    for plan in methods().filter(|plan| plan.precision == Precision::Single) {
        let (told, _) = servo(&plan, &lugre(), SAMPLES);
        let (got, want) = (in_single(&plan, &told), in_f32(&plan, &told));
        let ulps = |[a, b]: [f64; 2]| (i64::from((a as f32).to_bits()) - i64::from((b as f32).to_bits())).abs();
        let mut all: Vec<i64> = got.iter().zip(&want).map(|(a, b)| ulps([a[0], b[0]])).collect();
        all.sort_unstable();
        // both libraries round functions to half an ulp or a little more: a digit of one term in a hundred samples
        assert!(all[all.len() / 2] == 0 && all[all.len() * 99 / 100] <= 2, "{}: {all:?}", plan.name);
        // where terms cancel, an ulp of a term is many of the sum: so in ulps of the largest command
        let limit = plan.limit as f32;
        let ulp = f64::from(limit.next_up() - limit);
        let most = got.iter().zip(&want).map(|(a, b)| (a[0] - b[0]).abs() / ulp).fold(0.0, f64::max);
        assert!(most <= 2.0, "{}: {most} ulp", plan.name);
        assert!(got.iter().zip(&want).all(|(a, b)| a[1] == b[1]), "{}: another fault", plan.name);
    }
}

#[test]
fn each_export_passes_the_test_that_comes_with_it() {
    for plan in methods() {
        let plan = ExportPlan { name: format!("own_{}", plan.name), ..plan };
        let step = plan.record().unwrap();
        let at = folder(&plan.name);
        let said = run(&mut Command::new(compile_rust(&plan, &step, &at, "tests/vector.rs", true)));
        assert!(String::from_utf8_lossy(&said).contains("1 passed"));
        let main = format!("{}_test.c", plan.name);
        if let Some(program) = compile_c(&plan, &step, &at, &main, &STRICT) {
            let said = run(&mut Command::new(program));
            assert!(String::from_utf8_lossy(&said).contains("240 samples agree"));
        }
        // where compilers fuse products and sums unless told not to
        if let Some(program) = compile_c(&plan, &step, &at, &main, &FUSING[..if fuses() { 3 } else { 2 }]) {
            run(&mut Command::new(program));
        }
    }
}

#[test]
fn every_law_can_be_exported_unless_it_is_random() {
    let mut refused = Vec::new();
    let file = LawFile::parse(include_str!("../law_file/laws/file-gms.toml"), "file-gms.toml".as_ref()).unwrap();
    let laws = models::ALL.iter().chain([file.entry()]);
    for (law, precision) in laws.flat_map(|law| [(law, Precision::Double), (law, Precision::Single)]) {
        let spec = Spec::of(law);
        let name = format!("law_{}_{precision:?}", law.name.replace('-', "_")).to_lowercase();
        let plan = ExportPlan { precision, ..plan(&name, &spec, METHODS[2].1) };
        let step = match plan.record() {
            Ok(step) => step,
            Err(error) => {
                assert!(matches!(error, Error::Conflict { key, .. } if key == law.name), "{name}: {error}");
                refused.push(law.name);
                continue;
            }
        };
        let at = folder(&name);
        if let Some(program) = compile_c(&plan, &step, &at, &format!("{name}_test.c"), &STRICT) {
            run(&mut Command::new(program));
        }
    }
    assert_eq!(refused, ["bristle"; 2]);
}
