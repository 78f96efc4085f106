//! Logs as machines write them: angles within one turn, clocks that count from 1970, velocities that a drive holds, coarse encoders, currents that
//! are cut off before they become torques, machines that warm up, records of different machines.
use crate::rig::{CHANCE, off};
use stiction::data::{DataFile, ReadOptions};
use stiction::fit::Random;
use stiction::identify::sliding::{self, SlidingLaw, SlidingOptions};
use stiction::identify::{ColumnRoles, IdentificationResult, Preparation, PreparedMotion, Smoothing, prepare};

const RATE: f64 = 1000.0;
const MASS: f64 = 2.0;
const LEVEL: f64 = 5.0;
const VISCOUS: f64 = 20.0;
const SLIDING: [(&str, f64); 3] = [("mass", MASS), ("fc", LEVEL), ("fv", VISCOUS)];

/// Position, velocity and acceleration of three sines.
fn motion(t: f64) -> [f64; 3] {
    let sines = [(0.05, 0.8, 0.0), (0.02, 2.3, 1.0), (0.012, 3.7, 2.5)];
    sines.iter().fold([0.0; 3], |[x, v, a], (size, hertz, phase)| {
        let w = std::f64::consts::TAU * hertz;
        let (sin, cos) = (w * t + phase).sin_cos();
        [x + size * sin, v + size * w * cos, a - size * w * w * sin]
    })
}

/// A sample of the true motion.
struct MotionSample {
    t: f64,
    x: f64,
    v: f64,
    force: f64,
}

/// Rows with noise of the force, whose level of friction is `level(t, x)`.
fn rows(seconds: f64, mass: f64, level: impl Fn(f64, f64) -> f64) -> Vec<MotionSample> {
    let mut random = Random::new(7);
    let mut row = |k: usize| {
        let t = k as f64 / RATE;
        let [x, v, a] = motion(t);
        MotionSample { t, x, v, force: mass * a + level(t, x) * v.signum() + VISCOUS * v + 0.05 * random.normal() }
    };
    (0..(seconds * RATE) as usize).map(&mut row).collect()
}

fn plain(seconds: f64) -> Vec<MotionSample> {
    rows(seconds, MASS, |_, _| LEVEL)
}

/// A table with this header, a line for each row.
fn table(header: &str, rows: &[MotionSample], line: impl Fn(usize, &MotionSample) -> String) -> String {
    rows.iter().enumerate().fold(format!("{header}\n"), |text, (k, row)| text + &line(k, row) + "\n")
}

/// The prepared motions, and what is told of them.
fn prepared(name: &str, text: &str, roles: &ColumnRoles, how: &Preparation) -> (Vec<PreparedMotion>, String) {
    let table = DataFile::from_bytes(name, text.as_bytes(), &ReadOptions::default()).expect("a table");
    let (motions, remarks) = prepare(&roles.read(&table).expect("columns"), how).expect("a motion");
    (motions, remarks.iter().map(|r| r.text.clone()).collect::<Vec<_>>().join("\n"))
}

fn read(text: &str, roles: &ColumnRoles) -> (Vec<PreparedMotion>, String) {
    prepared("log.csv", text, roles, &Preparation::default())
}

fn slide(motions: &[PreparedMotion]) -> IdentificationResult {
    let options = SlidingOptions { curve: Some(SlidingLaw::Viscous), ..SlidingOptions::default() };
    sliding::identify(motions, &options).expect("a fit")
}

fn known(result: &IdentificationResult, names: &[(&str, f64)]) {
    for &(name, truth) in names {
        assert!(off(result, name, truth) < CHANCE, "{name}: {:?}", result.estimate(name));
    }
}

fn told(result: &IdentificationResult) -> String {
    result.remarks.iter().map(|r| r.text.clone()).collect::<Vec<_>>().join("\n")
}

/// A mass of 0.0096 kg for 0.02 was found, and a delay suspected.
#[test]
fn an_angle_within_one_turn_is_continued() {
    // forty times the stroke: three turns to either side
    let rows = plain(8.0);
    for (turn, low) in [(360.0, 0.0), (360.0, -180.0), (std::f64::consts::TAU, 0.0), (4096.0, 0.0), (10.0, -5.0)] {
        let text = table("t,x,force", &rows, |_, row| {
            let x = 40.0 * turn * row.x;
            format!("{},{},{}", row.t, (x - low).rem_euclid(turn) + low, row.force)
        });
        let (motions, told) = read(&text, &ColumnRoles::default());
        assert!(told.contains("begins anew") && told.contains("continued"), "{turn}: {told}");
        let scale = 40.0 * turn;
        known(&slide(&motions), &[("mass", MASS / scale), ("fc", LEVEL), ("fv", VISCOUS / scale)]);
    }
    // a position that goes to and fro between two ends within a sample is no angle
    let text = table("t,x,force", &rows, |_, row| format!("{},{},{}", row.t, row.x.signum() + 0.01 * row.x, row.force));
    assert!(!read(&text, &ColumnRoles::default()).1.contains("begins anew"));
}

/// A position of zero for forty rows gave 2.2 kg for 4, with nothing said of the position.
#[test]
fn a_position_that_jumps_is_told() {
    let text = table("t,x,force", &plain(8.0), |k, row| {
        format!("{},{},{}", row.t, if (4000..4040).contains(&k) { 0.3 } else { row.x }, row.force)
    });
    let (_, told) = read(&text, &ColumnRoles::default());
    assert!(told.contains("the position jumps 2 times") && told.contains("line 4002"), "{told}");
    assert!(
        !read(&table("t,x,force", &plain(8.0), |_, r| format!("{},{},{}", r.t, r.x, r.force)), &ColumnRoles::default())
            .1
            .contains("jumps")
    );
}

/// Milliseconds from 1970 gave a mass a million times too large; nanoseconds an error about a bound.
#[test]
fn a_clock_that_counts_from_1970_is_in_seconds() {
    let rows = plain(8.0);
    for (per_second, unit) in [(1e3, "milliseconds"), (1e6, "microseconds"), (1e9, "nanoseconds")] {
        let text = table("timestamp,x,force", &rows, |_, row| {
            format!("{:.0},{},{}", 1.7e9 * per_second + (row.t * per_second).round(), row.x, row.force)
        });
        let (motions, told) = read(&text, &ColumnRoles::default());
        assert!(told.contains(unit), "{told}");
        known(&slide(&motions), &SLIDING);
    }
    // milliseconds from the start could be seconds: told alone, and only without a unit
    let line = |_, row: &MotionSample| format!("{},{},{}", 1e3 * row.t, row.x, row.force);
    assert!(read(&table("t,x,force", &rows, line), &ColumnRoles::default()).1.contains("no unit of time"));
    let (motions, told) = read(&table("t [ms],x,force", &rows, line), &ColumnRoles::default());
    assert!(!told.contains("no unit of time"), "{told}");
    known(&slide(&motions), &SLIDING);
}

/// 500 Hz for 1000 Hz gave four times the mass without a word.
#[test]
fn a_rate_that_the_stamps_contradict_is_told() {
    let text = table("t [s],x,force", &plain(8.0), |_, row| format!("{},{},{}", row.t, row.x, row.force));
    let told = |rate: f64| {
        let how = Preparation { rate: Some(rate), ..Preparation::default() };
        prepared("log.csv", &text, &ColumnRoles::default(), &how).1
    };
    assert!(told(500.0).contains("1000 Hz, by --rate at 500 Hz"), "{}", told(500.0));
    assert!(!told(1000.0).contains("--rate"));
}

/// A drive that computes the velocity every tenth cycle gave a mass of 0.005 kg [0, 0.011] for 4.
#[test]
fn a_velocity_that_a_drive_holds_is_not_differentiated() {
    let rows = plain(8.0);
    let held = |k: usize| rows[k - k % 10].v;
    let text = table("t,x,v,force", &rows, |k, row| format!("{},{},{},{}", row.t, row.x, held(k), row.force));
    let (motions, told) = read(&text, &ColumnRoles::default());
    assert!(told.contains("held over 10 rows"), "{told}");
    known(&slide(&motions), &SLIDING);
    let text = table("t,v,force", &rows, |k, row| format!("{},{},{}", row.t, held(k), row.force));
    let (motions, told) = read(&text, &ColumnRoles::default());
    assert!(told.contains("one of 10 counts"), "{told}");
    known(&slide(&motions), &SLIDING);
}

/// An encoder with a step in every fifth sample was smoothed at a third of the sampling rate, and nothing seemed to slide.
#[test]
fn an_encoder_with_seldom_steps_is_smoothed_where_they_end() {
    let rows = plain(16.0);
    let step = 1e-3;
    let text = table("t,x,force", &rows, |_, row| format!("{},{},{}", row.t, (row.x / step).round() * step, row.force));
    let (motions, told) = read(&text, &ColumnRoles::default());
    assert!(told.contains("steps of the sensor"), "{told}");
    let result = slide(&motions);
    // errors of the steps are no noise, and smoothing rounds the turns: a twentieth, where there was no result
    for (name, truth) in SLIDING {
        let value = result.estimate(name).expect("estimated").value;
        assert!((value / truth - 1.0).abs() < 0.05, "{name}: {value}");
    }
}

/// In a sum the largest force never repeats, and the audit of the sum saw nothing.
#[test]
fn a_current_that_is_cut_off_before_a_sum_is_left_out_and_told() {
    let slow = |t: f64| 3.0 * (0.9 * t).sin();
    let rows = plain(8.0);
    let text = table("t,x,i,b", &rows, |_, row| {
        format!("{},{},{},{}", row.t, row.x, (0.5 * (row.force - slow(row.t))).clamp(-7.0, 7.0), slow(row.t))
    });
    let roles = |force: &str| ColumnRoles { force: Some(force.to_owned()), ..ColumnRoles::default() };
    let (motions, told) = read(&text, &roles("2*i+b"));
    assert!(
        told.contains("in the expression of the force i stays at its limit of -7 and 7") && told.contains("cut off"),
        "{told}"
    );
    let result = slide(&motions);
    known(&result, &SLIDING);
    assert!(result.score("saturated").is_some_and(|count| count > 0.0));
    // the same in the expression itself
    let text = table("t,x,i,b", &rows, |_, row| {
        format!("{},{},{},{}", row.t, row.x, 0.5 * (row.force - slow(row.t)), slow(row.t))
    });
    let (motions, told) = read(&text, &roles("2*min(max(i, -7), 7)+b"));
    assert!(told.contains("cut off"), "{told}");
    known(&slide(&motions), &SLIDING);
    let (_, told) = read(&text, &roles("2*i+b"));
    assert!(!told.contains("limit"), "{told}");
}

/// A level that fell by a third gave 5.88 ± 0.17 for all of it.
#[test]
fn a_level_that_changes_in_time_or_along_the_way_is_told() {
    let told_of = |level: &dyn Fn(f64, f64) -> f64| {
        let rows = rows(24.0, MASS, level);
        let text = table("t,x,force", &rows, |_, row| format!("{},{},{}", row.t, row.x, row.force));
        told(&slide(&read(&text, &ColumnRoles::default()).0))
    };
    let warm = told_of(&|t, _| LEVEL * (1.0 + 0.5 * (-t / 10.0).exp()));
    assert!(warm.contains("friction changes in the course of a record, by -"), "{warm}");
    let along = told_of(&|_, x| LEVEL * (1.0 + 6.0 * x));
    assert!(along.contains("level of friction differs with the position") && !along.contains("delay"), "{along}");
    let even = told_of(&|_, _| LEVEL);
    assert!(!even.contains("changes in the course") && !even.contains("differs with the position"), "{even}");
}

/// 2 kg for 4 were taken as given, and only a difference of rising and falling speed was told.
#[test]
fn a_given_mass_that_the_motion_contradicts_is_told() {
    let text = table("t,x,force", &plain(8.0), |_, row| format!("{},{},{}", row.t, row.x, row.force));
    let told = |mass: f64| {
        let how = Preparation { mass: Some(mass), ..Preparation::default() };
        told(&slide(&prepared("log.csv", &text, &ColumnRoles::default(), &how).0))
    };
    assert!(told(1.0).contains("the motion tells a mass of 2"), "{}", told(1.0));
    assert!(!told(MASS).contains("the motion tells"), "{}", told(MASS));
}

/// A record with 6 kg beside one with 4 gave 4.98 [4.75, 5.22] without a word.
#[test]
fn records_of_different_masses_are_told() {
    let motions = |masses: [f64; 2]| -> Vec<PreparedMotion> {
        let one = |(k, mass): (usize, f64)| {
            let text =
                table("t,x,force", &rows(8.0, mass, |_, _| LEVEL), |_, r| format!("{},{},{}", r.t, r.x, r.force));
            prepared(["one.csv", "two.csv"][k], &text, &ColumnRoles::default(), &Preparation::default()).0
        };
        masses.into_iter().enumerate().flat_map(one).collect()
    };
    let different = told(&slide(&motions([MASS, 1.5 * MASS])));
    assert!(different.contains("does not agree with the other records") && different.contains("mass"), "{different}");
    assert!(!told(&slide(&motions([MASS, MASS]))).contains("does not agree"));
}

/// "columns are not independent: -0.050·column 2 + 1.000·column 3 = 0"
#[test]
fn what_one_speed_cannot_tell_apart_is_named() {
    let mut random = Random::new(3);
    let text = (0..8000).fold("t,v,force\n".to_owned(), |text, k| {
        let v: f64 = if k / 1000 % 2 == 0 { 0.05 } else { -0.05 };
        text + &format!("{},{v},{}\n", f64::from(k) / RATE, LEVEL * v.signum() + VISCOUS * v + 0.05 * random.normal())
    });
    let how = Preparation { smooth: Smoothing::None, mass: Some(0.0), ..Preparation::default() };
    let (motions, _) = prepared("log.csv", &text, &ColumnRoles::default(), &how);
    let options = SlidingOptions { curve: Some(SlidingLaw::Viscous), ..SlidingOptions::default() };
    let error = sliding::identify(&motions, &options).expect_err("one speed").to_string();
    assert!(error.starts_with("fc, fv cannot be told apart"), "{error}");
}

/// The column was used by nobody, and nobody said so; "a" was an acceleration although it was a current.
#[test]
fn columns_whose_names_mislead_are_told() {
    let rows = plain(8.0);
    let text = table("t,x,force,load", &rows, |_, row| format!("{},{},{},{}", row.t, row.x, row.force, 100.0 + row.x));
    assert!(read(&text, &ColumnRoles::default()).1.contains("the column load is not used"));
    let given = ColumnRoles { load: Some("load".to_owned()), ..ColumnRoles::default() };
    assert!(!read(&text, &given).1.contains("is not used"));
    let text = table("t,x,a", &rows, |_, row| format!("{},{},{}", row.t, row.x, row.force / 3.0));
    let roles = ColumnRoles { force: Some("3*a".to_owned()), ..ColumnRoles::default() };
    assert!(read(&text, &roles).1.contains("although --force is computed with it"));
    let text = table("t,angle [deg],torque", &rows, |_, row| format!("{},{},{}", row.t, row.x, row.force));
    let roles = ColumnRoles {
        position: Some("angle-1".to_owned()),
        force: Some("torque".to_owned()),
        ..ColumnRoles::default()
    };
    assert!(read(&text, &roles).1.contains("computed with angle in deg"));
}
