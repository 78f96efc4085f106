//! Records as they are measured: positions with noise, bodies that rest, motions as fast as the sampling allows.
use crate::law;
use std::f64::consts::TAU;
use std::path::Path;
use stiction::core::Input;
use stiction::data::{DataFile, ReadOptions};
use stiction::fit::{Random, ScreeningOptions};
use stiction::identify::dynamic::{DynamicOptions, fit};
use stiction::identify::sliding::mark_sliding;
use stiction::identify::{
    ColumnRoles, GlobalSearch, IdentificationResult, MassOption, MotionRecord, Preparation, PreparedMotion, prepare,
};
use stiction::{LawFile, Spec};

/// Time, position and force as a table, prepared with its own cut-off.
fn prepared(rows: &[[f64; 3]], mass: Option<f64>) -> Vec<PreparedMotion> {
    let text: String =
        rows.iter().fold("t [s],x [m],force [N]\n".to_owned(), |text, [t, x, f]| text + &format!("{t},{x},{f}\n"));
    let table = DataFile::from_bytes("log.csv", text.as_bytes(), &ReadOptions::default()).expect("a table");
    let raw = ColumnRoles::default().read(&table).expect("columns");
    prepare(&raw, &Preparation { mass, ..Preparation::default() }).expect("a motion").0
}

fn quick() -> DynamicOptions {
    DynamicOptions {
        search: GlobalSearch::Multistart(ScreeningOptions { samples: 20, fits: 1, evaluations: 30, seed: 3 }),
        samples: 500,
        ..DynamicOptions::default()
    }
}

/// Strokes to and fro with pauses, in which the force is anything that friction can hold: a Stribeck curve written as a law file has
/// a sign in the pauses too, where noise alone moves the sensor, and must not be fitted there.
#[test]
fn pauses_tell_nothing_of_a_force_that_jumps() {
    let file = r#"
name = "curve"
summary = "A falling curve"
[params]
fc = { unit = "N", default = 1.0, min = 1e-9, max = 1e9 }
fs = { unit = "N", default = 1.5, min = 1e-9, max = 1e9 }
vs = { unit = "m/s", default = 0.01, min = 1e-9, max = 1e3 }
[equations]
g = "fc + (fs - fc)*exp(-(v/vs)^2)"
force = "load*g*sign(v)"
hold = "load*fs"
"#;
    let file = LawFile::parse(file, Path::new("curve.toml")).expect("a law");
    let (mass, fc, fs, vs) = (2.0, 8.0, 11.0, 0.05);
    let mut random = Random::new(3);
    let (step, pause, stroke) = (1e-3, 0.4, 0.6);
    let rows: Vec<[f64; 3]> = (0..12_000)
        .map(|k| {
            let t = step * f64::from(k);
            let count = (t / (pause + stroke)).floor();
            let since = (t - count * (pause + stroke) - pause).max(0.0);
            let forward = count % 2.0 == 0.0;
            // pairs of strokes of 10 to 40 mm, at up to 26 to 105 mm/s
            let length = 0.01 + 0.03 * (0.6 * (count / 2.0).floor()).sin().abs();
            let side = if forward { 0.5 * length } else { -0.5 * length };
            let w = TAU / (2.0 * stroke);
            let (sin, cos) = (w * since).sin_cos();
            let place = side * (1.0 - cos) + if forward { 0.0 } else { length };
            let (v, a) = if since > 0.0 { (side * w * sin, side * w * w * cos) } else { (0.0, 0.0) };
            let friction = if since == 0.0 {
                // below the break-away level, of either sign
                0.9 * fs * (9.0 * t).sin()
            } else {
                v.signum() * (fc + (fs - fc) * (-(v / vs).powi(2)).exp())
            };
            [t, place + 2e-6 * random.normal(), mass * a + friction + 0.05 * random.normal()]
        })
        .collect();
    let records = prepared(&rows, Some(mass));
    let find = |motions: &[MotionRecord]| -> IdentificationResult {
        fit(motions, &file.spec(), &quick(), &mut |_| true).expect("a fit").result
    };
    let found = find(&mark_sliding(&records, None));
    for (name, truth) in [("fc", fc), ("fs", fs), ("vs", vs)] {
        let e = found.estimate(name).expect("an estimate");
        // smoothing blurs the curve where it is steepest: half a percent beside the noise
        assert!((e.value - truth).abs() < 4.0 * e.error + 5e-3 * truth, "{name}: {e:?}");
    }
    assert!(found.remarks.iter().any(|r| r.text.contains("were not fitted")), "{:?}", found.remarks);
    // every residual belongs to a sample that slides, and is noise: 5 % for what the smoothing of the position leaves
    let rms = found.score("rms").expect("a score");
    assert!((0.045..0.15).contains(&rms), "{rms}");
    // with the pauses, the levels are not even near
    let motions: Vec<MotionRecord> = records.iter().map(|p| p.motion.clone()).collect();
    let wrong = find(&motions).estimate("fc").expect("a level").value;
    assert!((wrong / fc - 1.0).abs() > 0.05, "{wrong}");
}

/// Lines of up to a fifth of the sampling rate move a mass with a hysteresis: the acceleration must be that of the motion, or the mass is wrong.
#[test]
fn a_motion_near_the_sampling_rate_keeps_its_mass() {
    let (mass, rate, parts) = (2.0, 750.0, 20);
    let values = [("alpha", 5e4), ("beta", 2000.0)];
    let model = law("bouc-wen", &values).build().expect("admissible values");
    let mut random = Random::new(11);
    let lines: Vec<[f64; 3]> = (1..60)
        .map(|k| {
            let w = TAU * 2.5 * f64::from(k);
            [3e-4 / (1.0 + (w / 300.0).powi(2)), w, TAU * random.uniform()]
        })
        .collect();
    let motion = |t: f64| {
        lines.iter().fold([0.0; 3], |[x, v, a], [size, w, phase]| {
            let (sin, cos) = (w * t + phase).sin_cos();
            [x + size * sin, v + size * w * cos, a - size * w * w * sin]
        })
    };
    let mut z = vec![0.0; model.len()];
    let rows: Vec<[f64; 3]> = (0..3000)
        .map(|k| {
            let h = 1.0 / rate / f64::from(parts);
            let end = f64::from(k) / rate;
            for j in 0..parts {
                let t = end - h * f64::from(parts - j);
                model.step(&mut z, &Input::at((motion(t + h)[0] - motion(t)[0]) / h), h);
            }
            let [x, v, a] = motion(end);
            [end, x, mass * a + model.force(&z, &Input::at(v))]
        })
        .collect();
    let records = prepared(&rows, None);
    let motions: Vec<MotionRecord> = records.into_iter().map(|p| p.motion).collect();
    let options = DynamicOptions { mass: MassOption::Estimated, skip: 0.1, ..quick() };
    let found = fit(&motions, &Spec::new("bouc-wen").expect("a law"), &options, &mut |_| true).expect("a fit").result;
    let value = |name: &str| found.estimate(name).expect("an estimate").value;
    // twice 0.23 % for the fastest line, whose share of the acceleration is the largest
    assert!((value("mass") / mass - 1.0).abs() < 5e-3, "{:?}", found.estimate("mass"));
    // only its displacement over a sample is known of a motion that turns within a few samples
    assert!((value("alpha") / 5e4 - 1.0).abs() < 0.03, "{:?}", found.estimate("alpha"));
}
