//! Derivatives of runs by parameters: closed forms.
use super::{contact, coulomb, ramp};
use stiction_sim::SimError;
use stiction_sim::sim::{
    RELATIVE_CHANGE, RunSummary, SensitivityFlagKind, SensitivityReport, Simulation, SimulationOptions, Trace,
    VariedParameter,
};
use stiction_sim::system::{Body, Curve, GROUND, Signal, Spring, Stop, System};

/// A run with its derivatives by one parameter.
struct Differentiated {
    summary: RunSummary,
    trace: Trace,
    report: SensitivityReport,
}

impl Differentiated {
    /// The derivative of a column in the last row.
    fn last(&self, column: &str) -> f64 {
        let columns = &self.summary.columns;
        let i = columns.iter().position(|c| c.name == column).expect("a column");
        self.summary.row[columns.len() + i - 1]
    }
    /// The derivative of the time of event number `k`.
    fn dt(&self, k: usize) -> f64 {
        self.report.events[k].dt[0]
    }
}

fn try_differentiate(
    build: impl Fn(f64) -> System,
    p: f64,
    options: &SimulationOptions,
) -> Result<Differentiated, SimError> {
    let h = RELATIVE_CHANGE * if p == 0.0 { 1.0 } else { p.abs() };
    let (system, low, high) = (build(p), build(p - h), build(p + h));
    let parameter = VariedParameter { name: "p".to_owned(), systems: [(p - h - p, &low), (p + h - p, &high)] };
    let mut trace = Trace::default();
    let (summary, report) = Simulation::new(&system)?.run_with_sensitivities(&[parameter], options, &mut trace)?;
    assert!(summary.failure.is_none(), "{:?}", summary.failure);
    Ok(Differentiated { summary, trace, report })
}

fn differentiate(build: impl Fn(f64) -> System, p: f64, options: &SimulationOptions) -> Differentiated {
    try_differentiate(build, p, options).expect("derivatives")
}

fn until(end: f64) -> SimulationOptions {
    SimulationOptions { end, ..SimulationOptions::default() }
}

/// Partial derivatives by a parameter are central differences, with errors of about `RELATIVE_CHANGE²` = 4e-11.
fn close(got: f64, wanted: f64, what: &str) {
    assert!((got - wanted).abs() <= 1e-9 * wanted.abs().max(1e-6), "{what}: {got} for {wanted}");
}

/// A block that slides with Coulomb friction.
fn sliding_block(mass: f64, v: f64, fc: f64) -> System {
    let mut system = System::new();
    let block = system.body("block", Body { mass, v, ..Body::default() }).expect("a body");
    system.contact("table", block, GROUND, coulomb(fc)).expect("a contact");
    system
}

#[test]
fn a_block_slides_to_rest() {
    // x = m·v²/(2·fc) and t = m·v/fc
    let (m, v, fc) = (2.0, 0.7, 1.3);
    let run = differentiate(|fc| sliding_block(m, v, fc), fc, &until(2.0));
    close(run.last("block.x"), -m * v * v / (2.0 * fc * fc), "x by fc");
    close(run.dt(0), -m * v / (fc * fc), "t by fc");
    assert_eq!(run.last("block.v"), 0.0);
    let run = differentiate(|v| sliding_block(m, v, fc), v, &until(2.0));
    close(run.last("block.x"), m * v / fc, "x by v");
    close(run.dt(0), m / fc, "t by v");
    let run = differentiate(|m| sliding_block(m, v, fc), m, &until(2.0));
    close(run.last("block.x"), v * v / (2.0 * fc), "x by m");
    assert!(run.report.flags.is_empty());
    // while it slides: v − fc·t/m
    let row = run.trace.rows.iter().find(|row| row[0] > 0.5).expect("a row");
    close(row[run.summary.columns.len() + 1], fc * row[0] / (m * m), "v by m");
}

#[test]
fn a_run_is_the_same_with_and_without_derivatives() {
    for law in ["coulomb", "lugre", "stribeck"] {
        let build = |stiffness: f64| {
            let mut system = System::new();
            let block = system.body("block", Body::default()).expect("a body");
            let hand = system.motion("hand", ramp(0.3), false).expect("a motion");
            system.spring("pull", block, hand, Spring::linear(stiffness)).expect("a spring");
            system.contact("table", block, GROUND, contact(law, &[])).expect("a contact");
            system
        };
        let run = differentiate(build, 2.0, &until(5.0));
        let (summary, trace) = super::simulate(&build(2.0), &until(5.0));
        let count = summary.columns.len();
        assert_eq!(trace.events, run.trace.events, "{law}");
        assert_eq!(trace.rows.len(), run.trace.rows.len(), "{law}");
        for (a, b) in trace.rows.iter().zip(&run.trace.rows) {
            assert_eq!(a[..], b[..count], "{law}");
        }
    }
}

#[test]
fn a_ramp_breaks_a_block_away() {
    // at t = fc/slope; then x = slope·τ³/(6·m) with τ = t − fc/slope
    let (m, slope, fc, end) = (1.5, 0.8, 1.1, 3.0);
    let build = |fc: f64| {
        let mut system = sliding_block(m, 0.0, fc);
        system.force("push", stiction_sim::system::Node(1), ramp(slope)).expect("a force");
        system
    };
    let run = differentiate(build, fc, &until(end));
    close(run.dt(0), 1.0 / slope, "t by fc");
    let tau = end - fc / slope;
    close(run.last("block.x"), -tau * tau / (2.0 * m), "x by fc");
    close(run.last("block.v"), -tau / m, "v by fc");
}

#[test]
fn break_away_with_a_jump_of_the_force() {
    // stiction above the sliding force: released at t = fs/slope with the acceleration (fs − fc)/m, then + slope·τ/m
    let (m, slope, fs, fc, end) = (1.5, 0.8, 1.4, 1.1, 3.0);
    let build = |fs: f64| {
        let mut system = System::new();
        let block = system.body("block", Body { mass: m, ..Body::default() }).expect("a body");
        let law = contact("stiction", &[("fs", fs), ("fc", fc), ("fv", 0.0)]);
        system.contact("table", block, GROUND, law).expect("a contact");
        system.force("push", block, ramp(slope)).expect("a force");
        system
    };
    let run = differentiate(build, fs, &until(end));
    close(run.dt(0), 1.0 / slope, "t by fs");
    // v = ((fs − fc)·τ + slope·τ²/2)/m with dτ/dfs = −1/slope
    let tau = end - fs / slope;
    close(run.last("block.v"), (tau - (fs - fc) / slope - tau) / m, "v by fs");
    close(run.last("block.x"), (tau * tau / 2.0 - (fs - fc) * tau / slope - tau * tau / 2.0) / m, "x by fs");
}

/// A ball that falls on the floor.
fn ball(height: f64, gravity: f64, restitution: f64) -> System {
    let mut system = System::new();
    let ball = system.body("ball", Body { x: height, ..Body::default() }).expect("a body");
    let stop = Stop { lo: 0.0, hi: f64::INFINITY, restitution };
    system.stop("floor", ball, GROUND, stop).expect("a stop");
    system.force("weight", ball, Signal::Constant(-gravity)).expect("a force");
    system
}

#[test]
fn a_ball_bounces() {
    // hits at T = √(2h/g) with g·T; after one bounce v = e·g·T − g·(t − T)
    let (h, g, e) = (1.0_f64, 9.81, 0.8);
    let t1 = (2.0 * h / g).sqrt();
    let end = t1 * (1.0 + e);
    let tau = end - t1;
    let run = differentiate(|e| ball(h, g, e), e, &until(end));
    close(run.last("ball.v"), g * t1, "v by e");
    close(run.last("ball.x"), g * t1 * tau, "x by e");
    let run = differentiate(|h| ball(h, g, e), h, &until(end));
    let by_h = 0.5 * t1 / h;
    close(run.dt(0), by_h, "t by h");
    close(run.last("ball.v"), (e + 1.0) * g * by_h, "v by h");
    // x = e·g·T·τ − g·τ²/2
    close(run.last("ball.x"), e * g * by_h * tau - e * g * t1 * by_h + g * tau * by_h, "x by h");
    let run = differentiate(|g| ball(h, g, e), g, &until(end));
    let by_g = -0.5 * t1 / g;
    close(run.last("ball.v"), e * (t1 + g * by_g) - (tau - g * by_g), "v by g");
}

#[test]
fn the_third_bounce() {
    // T₃ = T·(1 + 2e + 2e²), hit with e²·g·T
    let (h, g, e) = (1.0_f64, 9.81, 0.8);
    let t1 = (2.0 * h / g).sqrt();
    let run = differentiate(|e| ball(h, g, e), e, &until(t1 * (1.0 + 2.0 * e + 2.0 * e * e) + 0.1));
    let third = run.report.events.iter().filter(|e| e.event.kind.name() == "impact").nth(2).expect("three impacts");
    close(third.dt[0], t1 * (2.0 + 4.0 * e), "t3 by e");
    close(run.last("ball.v"), 3.0 * e * e * g * t1 + g * t1 * (2.0 + 4.0 * e), "v by e");
}

#[test]
fn a_ball_comes_to_rest_on_a_floor_that_the_parameter_moves() {
    let build = |lo: f64| {
        let mut system = ball(1.0, 9.81, 0.5);
        system.stops[0].component.lo = lo;
        system
    };
    let run = differentiate(build, 0.25, &until(3.0));
    close(run.last("ball.x"), 1.0, "x by lo");
    close(run.last("ball.v"), 0.0, "v by lo");
    // infinitely many bounces: the last are not resolved, and this is said
    assert_eq!(run.report.flags[0].kind, SensitivityFlagKind::Accumulation);
    assert!(run.report.events.last().is_some_and(|event| event.dt[0].is_nan()));
}

#[test]
fn a_touched_stop_has_no_derivative() {
    // thrown up with 1 m/s against 1 m/s²: the top is at 0.5 m
    let throw = |ceiling: f64, law: Option<f64>| {
        let mut system = System::new();
        let ball = system.body("ball", Body { v: 1.0, ..Body::default() }).expect("a body");
        let stop = Stop { lo: -10.0, hi: ceiling, restitution: 0.5 };
        system.stop("ceiling", ball, GROUND, stop).expect("a stop");
        system.force("weight", ball, Signal::Constant(-1.0)).expect("a force");
        if let Some(fv) = law {
            let law = contact("stribeck-tanh", &[("fc", 1e-3), ("fs", 1e-3), ("fv", fv)]);
            system.contact("air", ball, GROUND, law).expect("a contact");
        }
        system
    };
    // well below the top: hit with w = √(1 − 2·hi), dt/dhi = 1/w
    let run = differentiate(|hi| throw(hi, None), 0.42, &until(1.5));
    close(run.dt(0), 2.5, "t by hi");
    assert!(run.report.flags.is_empty());
    // so near to the top that the tolerance of a Rosenbrock step cannot tell a hit from a touch
    let top = |system: System| {
        let (_, trace) = super::simulate(&system, &SimulationOptions { rtol: 1e-10, ..until(1.5) });
        trace.rows.iter().fold(0.0_f64, |top, row| top.max(row[1]))
    };
    let most = top(throw(9.0, Some(0.1)));
    let mut flagged = 0;
    for below in [1e-9, 1e-10, 3e-11, 1e-11, 3e-12] {
        let run =
            differentiate(|hi| throw(hi, Some(0.1)), most - below, &SimulationOptions { max_step: 0.01, ..until(1.5) });
        let grazes = run.report.flags.iter().any(|flag| flag.kind == SensitivityFlagKind::Grazing);
        if grazes {
            assert!(run.last("ball.x").is_nan());
            flagged += 1;
        }
    }
    assert!(flagged > 0);
}

#[test]
fn impacts_at_one_instant_that_the_parameter_moves_apart() {
    // two equal balls strike one between them at the same instant; the start of one of them is the parameter, or that of both
    let build = |left: f64, right: f64| {
        let mut system = System::new();
        let [a, b, c] = [("a", -left, 1.0), ("b", 0.0, 0.0), ("c", right, -1.0)]
            .map(|(name, x, v)| system.body(name, Body { x, v, ..Body::default() }).expect("a body"));
        let stop = Stop { lo: 0.1, hi: f64::INFINITY, restitution: 0.5 };
        system.stop("left", b, a, stop).expect("a stop");
        system.stop("right", c, b, stop).expect("a stop");
        system
    };
    let run = differentiate(|x| build(x, x), 0.6, &until(1.0));
    assert!(run.report.flags.is_empty(), "{:?}", run.report.flags);
    close(run.dt(0), 1.0, "t by both");
    let run = differentiate(|x| build(x, 0.6), 0.6, &until(1.0));
    assert_eq!(run.report.flags[0].kind, SensitivityFlagKind::Simultaneous);
}

#[test]
fn a_parameter_that_would_set_a_sticking_contact_in_motion() {
    let run = differentiate(|v| sliding_block(1.0, v, 1.0), 0.0, &until(1.0));
    assert_eq!(run.report.flags[0].kind, SensitivityFlagKind::Grazing);
    assert!(run.last("block.x").is_nan());
}

#[test]
fn what_is_not_available_is_refused() {
    let creeping = |fc: f64| {
        let mut system = System::new();
        let block = system.body("block", Body { v: 0.1, ..Body::default() }).expect("a body");
        system.contact("table", block, GROUND, contact("dieterich", &[])).expect("a contact");
        system.force("push", block, Signal::Constant(fc)).expect("a force");
        system
    };
    let error = try_differentiate(creeping, 1.0, &until(0.1)).err().expect("an error").to_string();
    assert!(error.contains("'table' has an unbounded slope at rest"), "{error}");
    let method = stiction_sim::sim::IntegrationMethod::Euler;
    let options = SimulationOptions { method, ..until(0.1) };
    let error = try_differentiate(|fc| sliding_block(1.0, 0.1, fc), 1.0, &options).err().expect("an error").to_string();
    assert!(error.contains("method = \"euler\""), "{error}");
}

/// The derivatives of the last row, against differences of whole runs at a tight tolerance.
fn against_differences(
    what: &str,
    build: impl Fn(f64) -> System,
    p: f64,
    end: f64,
    columns: &[&str],
) -> Differentiated {
    let options = SimulationOptions { end, rtol: 1e-11, ..SimulationOptions::default() };
    let run = differentiate(&build, p, &options);
    assert!(run.report.flags.is_empty(), "{what}: {:?}", run.report.flags);
    let h = 1e-4 * p.abs();
    let at = |p: f64| super::simulate(&build(p), &options).0;
    let [low, high, far_low, far_high] = [p - h, p + h, p - 2.0 * h, p + 2.0 * h].map(at);
    for column in columns {
        let difference = |a: &RunSummary, b: &RunSummary| b.last(column).unwrap() - a.last(column).unwrap();
        // central differences over two lengths, extrapolated: 1e-11 over h = 1e-4 of p is left of the errors of the runs, and
        // h⁴ of the derivatives, which are up to 1e6 of the value where the motion is steep
        let wanted = (8.0 * difference(&low, &high) - difference(&far_low, &far_high)) / (12.0 * h);
        let scale = run.summary.last(column).unwrap().abs() / p.abs();
        let got = run.last(column);
        assert!((got - wanted).abs() < 1e-5 * (wanted.abs() + scale), "{what}: {column}: {got} for {wanted}");
    }
    run
}

/// The force of a surface is continuous where it is touched and left, so derivatives pass these instants unchanged; what a surface does
/// between them is in the variational equation.
#[test]
fn derivatives_pass_through_gaps() {
    let build = |[k, c, gap, v, fc]: [f64; 5]| {
        let mut system = System::new();
        let block = system.body("block", Body { mass: 0.8, x: -0.02, v, ..Body::default() }).expect("a body");
        let other = system.body("other", Body { mass: 0.5, ..Body::default() }).expect("a body");
        let wall = |k, c, gap| Spring { damping: c, gap: Some(gap), ..Spring::linear(k) };
        system.spring("play", block, other, wall(k, c, [-gap, gap])).expect("a spring");
        system.spring("back", other, GROUND, Spring::linear(40.0)).expect("a spring");
        system.contact("table", block, GROUND, coulomb(fc)).expect("a contact");
        system
    };
    let values = [3e3, 8.0, 0.03, 1.1, 0.4];
    for (i, name) in ["stiffness", "damping", "gap", "speed", "friction"].into_iter().enumerate() {
        let with = |p: f64| {
            let mut values = values;
            values[i] = p;
            build(values)
        };
        let columns = ["block.x", "block.v", "other.x", "other.v"];
        let run = against_differences(name, with, values[i], 0.6, &columns);
        let touched = run.trace.events.iter().filter(|event| event.kind.name().starts_with("touch")).count();
        assert!(touched >= 2, "{touched} touches");
        // the instant of the first touch: −0.02 + v t − fc t²/2m = gap
        if i == 3 {
            let t = run.report.events[0].event.t;
            close(run.dt(0), -t / (1.1 - 0.4 / 0.8 * t), "touch by speed");
        }
    }
}

/// A touch without depth has no effect of first order: the derivatives go on through it.
#[test]
fn a_grazing_touch_of_a_surface_has_derivatives() {
    let build = |edge: f64| {
        let mut system = System::new();
        let ball = system.body("ball", Body { x: -1.0, ..Body::default() }).expect("a body");
        system.spring("own", ball, GROUND, Spring::linear(1.0)).expect("a spring");
        let wall = Spring { gap: Some([f64::NEG_INFINITY, edge]), ..Spring::linear(100.0) };
        system.spring("wall", ball, GROUND, wall).expect("a spring");
        system
    };
    // deep by 1e-12: less than the tolerance of the run
    let run = differentiate(build, 1.0 - 1e-12, &until(5.0));
    assert!(run.report.flags.is_empty(), "{:?}", run.report.flags);
    // pressed for a time of 2e-6 by a force of 1e-10
    assert!(run.last("ball.x").abs() < 1e-3, "{}", run.last("ball.x"));
}

/// The kinks of a table of straight lines are passed in the same way.
#[test]
fn derivatives_pass_through_the_kinks_of_a_table() {
    let build = |v: f64| {
        let mut system = System::new();
        let block = system.body("block", Body { mass: 0.8, v, ..Body::default() }).expect("a body");
        let curve = Curve::linear(vec![-0.3, -0.1, 0.05, 0.2], vec![-60.0, -5.0, 1.0, 40.0]).expect("a curve");
        let spring = Spring { curve: Some(curve), ..Spring::linear(0.0) };
        system.spring("table", block, GROUND, spring).expect("a spring");
        system
    };
    against_differences("speed", build, 3.0, 1.0, &["block.x", "block.v"]);
}
