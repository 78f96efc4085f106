//! The papers' figures by the embedded scenarios, at their own tolerance, against values computed by others.
use crate::{SAME, reference};
use std::collections::HashMap;
use stiction::scenario::Scenario;
use stiction::sim::NullObserver;

/// Runs a scenario with some values changed, and compares measures with keys of an experiment.
struct Check {
    wanted: HashMap<(String, String), f64>,
    wrong: Vec<String>,
    compared: usize,
}

impl Check {
    fn new() -> Self {
        Self { wanted: reference(), wrong: Vec::new(), compared: 0 }
    }
    fn run(&mut self, experiment: &str, scenario: &str, set: &[String], pairs: &[(String, &str)]) {
        let scenario = Scenario::named(scenario, set).expect("a scenario");
        let summary =
            scenario.simulation().expect("a system").run(&scenario.options, &mut NullObserver).expect("a run");
        for (key, measure) in pairs {
            let at =
                scenario.measures.iter().position(|name| name == measure).unwrap_or_else(|| panic!("no {measure}"));
            let got = summary.probes[at].unwrap_or(f64::NAN);
            let wanted = self.wanted[&(experiment.to_owned(), key.clone())];
            self.compared += 1;
            if (got - wanted).abs() > SAME * wanted.abs() || got.is_nan() {
                self.wrong.push(format!("{experiment} {key}: {got} for {wanted}"));
            }
        }
    }
    /// The scenario as it is; keys are names of measures.
    fn plain(&mut self, experiment: &str, scenario: &str, keys: &[&str]) {
        let pairs: Vec<(String, &str)> = keys.iter().map(|&key| (key.to_owned(), key)).collect();
        self.run(experiment, scenario, &[], &pairs);
    }
    fn done(self, least: usize) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
        assert!(self.compared >= least, "only {} compared", self.compared);
    }
}

#[test]
fn olsson_and_astrom() {
    let mut check = Check::new();
    check.plain("O4", "o4", &["x_first_turn", "t_first_turn", "x_second_turn"]);
    let keys = [
        "t_break_1",
        "t_break_2",
        "t_break_3",
        "t_stick_1",
        "t_stick_2",
        "v_max",
        "F_restick",
        "F_undershoot",
        "x(25)",
    ];
    check.plain("O5", "o5", &keys);
    check.done(12);
}

#[test]
fn astrom_slides() {
    let mut check = Check::new();
    check.plain("A1", "a1", &["F_turn"]);
    check.plain("A3", "a3", &["step_peak", "step_0.1", "step_1.0", "step_5.0"]);
    check.plain("A5", "a5", &["z_end"]);
    for force in ["2.0", "4.0", "5.0", "7.0"] {
        check.run("A6", "a6", &[format!("force.push.force={force}")], &[(format!("x_{force}"), "x(1)")]);
    }
    for (slope, end) in [("0.1", 65.0), ("1.0", 7.0), ("10.0", 1.2), ("50.0", 0.4)] {
        let set = [format!("force.push.force.ramp.slope={slope}"), format!("run.end={end}")];
        check.run("A6", "a6-ramp", &set, &[(format!("breakaway_{slope}"), "breakaway")]);
    }
    check.plain("A7", "a7", &["period", "v_max", "v_min", "l_max", "l_min", "F_break", "t_break_1"]);
    check.run("A7", "a7", &["contact.table.from.normal=9.81".to_owned()], &[("g9.81.period".to_owned(), "period")]);
    for k in ["0.5", "5", "8"] {
        let pairs = [(format!("k{k}.period"), "period"), (format!("k{k}.v_max"), "v_max")];
        check.run("A8", "a8", &[format!("spring.pull.stiffness={k}")], &pairs);
    }
    for s in ["0.05", "0.1", "0.15"] {
        check.run("A9", "a9", &[format!("contact.table.sigma2={s}")], &[(format!("s{s}.period"), "period")]);
    }
    for v in ["0.5", "1", "5"] {
        check.run(
            "A10",
            "a10",
            &[format!("motion.hand.position.ramp.slope={v}")],
            &[(format!("v{v}.period"), "period")],
        );
    }
    check.plain("A12", "a12", &["overshoot", "period"]);
    check.plain("A13", "a13", &["x(1)", "x(5)", "x(10)", "x(20)"]);
    check.done(35);
}

#[test]
fn gros_and_nouri() {
    let mut check = Check::new();
    check.plain("G1", "g1", &["t_stop", "x_stop"]);
    check.plain("G5", "g5", &["slip_1", "stick_1", "slip_2", "stick_2"]);
    check.plain("G6", "g6", &["sqrt.t_stop"]);
    // a difference of places that agree to three digits: the solver must have six more
    for gamma in ["100", "1000"] {
        let set = [format!("contact.table.ktanh={gamma}"), "run.rtol=1e-10".to_owned()];
        check.run("G4", "g4", &set, &[(format!("gamma{gamma}.v_stop"), "v_stop")]);
    }
    check.plain("N5", "n5", &["t_break", "x_break"]);
    check.done(11);
}

#[test]
fn andersson() {
    let mut check = Check::new();
    check.plain("B1", "b1", &["turn_1", "turn_2", "turn_3", "turn_4", "turn_5", "t_stop"]);
    for kv in ["1", "5", "20"] {
        check.run("B2", "b2", &[format!("contact.table.fv={kv}")], &[(format!("kv{kv}.x(1)"), "x(1)")]);
    }
    check.plain("B3", "b3", &["x(1)", "x(10)", "x(50)"]);
    let small = ["motion.wall.position=0.005".to_owned()];
    check.run("B3", "b3", &small, &[("small.x(10)".to_owned(), "x(10)")]);
    check.plain("B4", "b4", &["x(10)"]);
    check.run("B4", "b4", &small, &[("small.x(20)".to_owned(), "x(20)")]);
    check.plain("B5", "b5", &["turn_1", "turn_2", "turn_3", "turn_4", "turn_5", "turn_6"]);
    let turns = ["turn_1", "turn_2", "turn_3", "turn_6"].map(|turn| (format!("small.{turn}"), turn));
    check.run("B5", "b5", &small, &turns);
    for i in ["1", "2"] {
        let pairs = ["turn_1", "turn_2", "turn_3"].map(|turn| (format!("i{i}.{turn}"), turn));
        check.run("B6", "b6", &[format!("contact.table.exponent={i}")], &pairs);
    }
    for c in [1.0, 10.0, 100.0, 1000.0] {
        for q in [0.1, 0.5, 5.0] {
            let set = [format!("contact.table.fmax={c}"), format!("motion.wall.position={}", q * c)];
            check.run("B7", "b7", &set, &[(format!("C{c}.{q}.turn_3"), "turn_3")]);
        }
    }
    for c in [1.0, 10.0] {
        let set = |kind: &str| {
            [format!("contact.table.fmax={c}"), format!("motion.wall.position.{kind}.amplitude={}", 5.0 * c)]
        };
        check.run("B8", "b8", &set("sine"), &[(format!("C{c}.const.X(60)"), "X(60)")]);
        check.run("B8", "b8-chirp", &set("chirp"), &[(format!("C{c}.chirp.X(100)"), "X(100)")]);
    }
    check.plain("B11", "b11", &["x(3)"]);
    check.done(48);
}
