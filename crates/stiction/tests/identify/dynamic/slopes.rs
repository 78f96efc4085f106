//! Derivatives along a whole record against differences, for every law and parameter, bare and wrapped.
use stiction::core::models::ALL;
use stiction::core::registry::{LawEntry, MeasuredMotion, NO_DERIVATIVE, Wrappers};
use stiction::core::{Input, Param};

const COUNT: usize = 120;
const STEP: f64 = 2e-3;

/// Velocities with fast and slow parts, reversals within presliding, and a rest.
fn velocities() -> Vec<f64> {
    let at = |k: usize| {
        let t = k as f64 * STEP;
        let v = 3e-3 * (40.0 * t).sin() + 2e-2 * (13.0 * t + 1.0).sin() * (3.0 * t).cos();
        if (40..44).contains(&k) { 0.0 } else { v }
    };
    (0..COUNT).map(at).collect()
}

fn forces(law: &LawEntry, all: &[f64], n: usize, v: &[f64], load: &[f64]) -> Vec<f64> {
    let dt = vec![STEP; COUNT];
    let track = MeasuredMotion { dt: &dt, mean: v, v, load, settled: true, ..MeasuredMotion::default() };
    let wrappers = Wrappers { reverse: Some(&all[n..2 * n]), load: Some(&all[2 * n..]), noise: None };
    let mut force = vec![0.0; COUNT];
    law.force_along(&all[..n], &wrappers, &track, &[], &mut force, &mut []).expect("admissible values");
    force
}

/// Off a bound, where there is only one side, and off the kinks that whole numbers make in a power.
fn inside(p: &Param) -> f64 {
    if p.name == "delta" && p.unit == "-" {
        // bouc-wen's own is as large as it may be beside gamma
        0.9 * p.default
    } else if p.default == p.min {
        p.default + 1e-3 * p.default.abs().max(1e-3)
    } else if p.default == p.max {
        p.default - 1e-3 * p.default.abs().max(1e-3)
    } else {
        p.default
    }
}

#[test]
fn derivatives_of_every_law_are_differences() {
    let v = velocities();
    let load: Vec<f64> = (0..COUNT).map(|k| 2.0 + 0.5 * (0.1 * k as f64).sin()).collect();
    for law in ALL {
        let n = law.params.len();
        let values: Vec<f64> = law.params.iter().map(inside).collect();
        let mut all = values.clone();
        all.extend(&values);
        all.extend([0.2, 0.4]);
        // a parameter belongs to both directions, except the last, which has one of its own for each
        let mut slots: Vec<usize> = (0..n).collect();
        slots.extend((0..n).map(|i| if i == n - 1 { n } else { i }));
        slots.extend([n + 1, n + 2]);
        let columns = n + 3;
        let dt = vec![STEP; COUNT];
        let track =
            MeasuredMotion { dt: &dt, mean: &v, v: &v, load: &load, settled: true, ..MeasuredMotion::default() };
        let wrappers = Wrappers { reverse: Some(&all[n..2 * n]), load: Some(&all[2 * n..]), noise: None };
        let (mut force, mut slopes) = (vec![0.0; COUNT], vec![f64::NAN; columns * COUNT]);
        law.force_along(&all[..n], &wrappers, &track, &slots, &mut force, &mut slopes).expect("admissible values");
        let middle = forces(law, &all, n, &v, &load);
        assert_eq!(force, middle, "{}: forces with and without derivatives", law.name);
        let size = middle.iter().fold(0.0_f64, |most, f| most.max(f.abs()));
        let (mut tried, mut compared) = (0, 0);
        for column in 0..columns {
            let own: Vec<usize> = (0..all.len()).filter(|&i| slots[i] == column).collect();
            // a seed is a whole number
            if own.iter().any(|&i| i < n && law.params[i].name == "seed") {
                continue;
            }
            let h = 1e-5 * all[own[0]].abs().max(1e-6);
            let moved = |by: f64| {
                let mut all = all.clone();
                own.iter().for_each(|&i| all[i] += by);
                forces(law, &all, n, &v, &load)
            };
            let (left, right) = (moved(-h), moved(h));
            for k in 0..COUNT {
                let (low, high) = ((middle[k] - left[k]) / h, (right[k] - middle[k]) / h);
                let central = 0.5 * (low + high);
                // rounding of the force over the step of the difference
                let noise = 1e-13 * size / h;
                tried += 1;
                // a kink within reach: left and right disagree, nothing to compare
                if (low - high).abs() > 0.02 * central.abs() + 10.0 * noise {
                    continue;
                }
                compared += 1;
                let got = slopes[column * COUNT + k];
                // the second difference bounds the truncation
                let allowed = (low - high).abs() + 1e-4 * central.abs() + 100.0 * noise;
                assert!(
                    (got - central).abs() <= allowed,
                    "{}, column {column}, sample {k}: dual {got}, difference {central}",
                    law.name
                );
            }
        }
        assert!(compared * 10 > tried * 8, "{}: only {compared} of {tried} could be compared", law.name);
    }
}

/// The bare law runs as [`DynLaw::sample`](stiction::core::registry::DynLaw::sample) does.
#[test]
fn a_track_is_a_row_of_samples() {
    let v = velocities();
    for law in ALL {
        let values: Vec<f64> = law.params.iter().map(|p| p.default).collect();
        let model = law.build(&values).expect("admissible values");
        let mut z = vec![0.0; model.len()];
        let wanted: Vec<f64> = v.iter().map(|&v| model.sample(&mut z, &Input::at(v), STEP)).collect();
        let dt = vec![STEP; COUNT];
        let track = MeasuredMotion { dt: &dt, mean: &v, v: &v, ..MeasuredMotion::default() };
        let mut force = vec![0.0; COUNT];
        law.force_along(&values, &Wrappers::default(), &track, &[NO_DERIVATIVE], &mut force, &mut [])
            .expect("admissible values");
        for (got, wanted) in force.iter().zip(&wanted) {
            // a law may share work within a sample, at the cost of the last digits
            assert!((got - wanted).abs() <= 1e-9 * wanted.abs().max(1e-9), "{}: {got} for {wanted}", law.name);
        }
    }
}

/// At rest a force within the set that the law holds is taken as it is; beyond it, the edge.
#[test]
fn at_rest_any_force_that_is_held_will_do() {
    let law = stiction::core::models::find("coulomb").expect("a law");
    let (dt, v) = ([1e-3; 3], [0.0; 3]);
    let need = [0.4, 3.0, -3.0];
    let track = MeasuredMotion { dt: &dt, mean: &v, v: &v, need: &need, ..MeasuredMotion::default() };
    let (mut force, mut slopes) = ([0.0; 3], [f64::NAN; 3]);
    law.force_along(&[1.5], &Wrappers::default(), &track, &[0, 0], &mut force, &mut slopes).expect("admissible values");
    assert_eq!(force, [0.4, 1.5, -1.5]);
    assert_eq!(slopes, [0.0, 1.0, -1.0]);
}
