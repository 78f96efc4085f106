//! The figures of the papers' experiments, all of them, against values computed by other methods.
use crate::{SAME, reference};
use std::collections::HashMap;
use stiction::{figures, parallel};

/// Every figure there must be: experiment, keys.
const KEYS: &[(&str, &str)] = &[
    ("O1", "F(0.001) F(0.01) F(0.04) F(0.1) F(0.5) v_min F_min"),
    ("O2", "w4.area w4.F_max w4.F_min w4.width w20.area w20.F_max w20.F_min w20.width"),
    ("O3", "energy F_before_reversal F_after_reversal s_at_reversal"),
    ("O4", "x_first_turn t_first_turn x_second_turn"),
    (
        "O5",
        "t_break_1 t_break_2 t_break_3 t_stick_1 t_stick_2 v_max F_restick F_undershoot slip_distance \
         x(25)",
    ),
    ("A1", "F_turn area F_turn_fast virgin_0.5 virgin_1.5 virgin_2.0"),
    ("A2", "s_peak F_peak path_1 path_2 path_3 path_4 path_5"),
    ("A3", "mu(1e-08) mu(1e-06) mu(0.0001) step_0.1 step_1.0 step_5.0 step_peak"),
    ("A5", "z_end int_zv dissipated"),
    ("A6", "x_2.0 x_4.0 x_5.0 x_7.0 F_critical breakaway_0.1 breakaway_1.0 breakaway_10.0 breakaway_50.0"),
    ("A7", "period v_max v_min l_max l_min F_break t_break_1 g9.81.period"),
    ("A8", "k0.5.period k0.5.v_max k5.period k5.v_max k8.period k8.v_max"),
    ("A9", "s0.05.period s0.1.period s0.15.period sigma2_critical"),
    ("A10", "v0.5.period v1.period v5.period pull_critical k_critical"),
    ("A11", "v_slope_zero v_routh_zero v0.1.max_real v0.5.max_real v1.0.max_real"),
    ("A12", "overshoot period amplitude"),
    ("A13", "x(1) x(5) x(10) x(20)"),
    ("G1", "t_stop x_stop"),
    ("G2", "h0.03.drift h0.007.drift"),
    ("G4", "gamma100.x_error gamma100.v_stop gamma1000.x_error gamma1000.v_stop"),
    ("G5", "slip_1 stick_1 slip_2 stick_2"),
    ("G6", "sqrt.t_stop"),
    ("N1", "Fd(5e-05) Fd(0.0002) Fd(0.001) z_full"),
    ("N2", "F20.loaded F20.residual F40.loaded F40.residual F75.loaded F75.residual energy"),
    (
        "N3",
        "seq_1 seq_2 seq_3 seq_4 seq_5 seq_6 seq_7 seq_8 seq_9 seq_10 seq_11 seq_12 random_1 random_10 \
         random_20 random_40",
    ),
    ("N5", "t_break x_break"),
    ("B1", "turn_1 turn_2 turn_3 turn_4 turn_5 t_stop"),
    ("B2", "kv1.x(1) kv5.x(1) kv20.x(1)"),
    ("B3", "x(1) x(10) x(50) small.x(10)"),
    ("B4", "x(10) small.x(20)"),
    ("B5", "turn_1 turn_2 turn_3 turn_4 turn_5 turn_6 small.turn_1 small.turn_2 small.turn_3 small.turn_6"),
    ("B6", "i1.turn_1 i2.turn_1 i1.turn_2 i2.turn_2 i1.turn_3 i2.turn_3"),
    (
        "B7",
        "C1.0.1.turn_3 C1.0.5.turn_3 C1.5.turn_3 C10.0.1.turn_3 C10.0.5.turn_3 C10.5.turn_3 \
         C100.0.1.turn_3 C100.0.5.turn_3 C100.5.turn_3 C1000.0.1.turn_3 C1000.0.5.turn_3 C1000.5.turn_3",
    ),
    ("B8", "C1.const.X(60) C1.chirp.X(100) C10.const.X(60) C10.chirp.X(100)"),
    ("B9", "i0.5.area i2.area i3.area"),
    ("B11", "x(3)"),
    (
        "B12",
        "eq8(-0.2) eq8(0.0005) eq8(0.01) eq9(-0.2) eq9(0.0005) eq9(0.01) eq10(-0.2) eq10(0.0005) \
         eq10(0.01) eq11(-0.2) eq11(0.0005) eq11(0.01) eq12(-0.2) eq12(0.0005) eq12(0.01)",
    ),
];

/// What is wrong with an experiment.
fn compare(id: &str, keys: &str, wanted: &HashMap<(String, String), f64>) -> Vec<String> {
    let outcome = match figures::find(id).and_then(|experiment| (experiment.run)()) {
        Ok(outcome) => outcome,
        Err(error) => return vec![format!("{id}: {error}")],
    };
    let mut wrong = Vec::new();
    if outcome.pictures.is_empty() || outcome.pictures.iter().any(|figure| figure.panels.is_empty()) {
        wrong.push(format!("{id}: nothing to see"));
    }
    if outcome.given.is_empty() {
        wrong.push(format!("{id}: nothing given"));
    }
    for key in keys.split_whitespace() {
        let got: Vec<f64> = outcome.values.iter().filter(|value| value.key == key).map(|value| value.value).collect();
        match (&got[..], wanted.get(&(id.to_owned(), key.to_owned()))) {
            ([got], Some(wanted)) if (got - wanted).abs() <= SAME * wanted.abs() => {}
            (got, wanted) => wrong.push(format!("{id} {key}: {got:?} for {wanted:?}")),
        }
    }
    wrong
}

/// Runs the experiments whose id begins with `family`, and compares all their figures.
fn check(family: &str) {
    let wanted = reference();
    let those: Vec<&(&str, &str)> = KEYS.iter().filter(|(id, _)| id.starts_with(family)).collect();
    assert!(!those.is_empty());
    let wrong = parallel::map(&those, |(id, keys)| compare(id, keys, &wanted)).concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn olsson_and_astrom() {
    check("O");
}

#[test]
fn astrom_slides() {
    check("A");
}

#[test]
fn gros_slides() {
    check("G");
}

#[test]
fn nouri() {
    check("N");
}

#[test]
fn andersson() {
    check("B");
}

#[test]
fn experiments_are_in_order() {
    let ids: Vec<&str> = figures::all().map(|experiment| experiment.id).collect();
    let order = |id: &&str| ("OAGNB".find(&id[..1]), id[1..].parse::<u32>().expect("a number"));
    assert!(ids.is_sorted_by(|a, b| order(a) < order(b)), "{ids:?}");
}
