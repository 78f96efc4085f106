//! Cycles against values found otherwise: by long simulation, in closed form, by other solvers.
use crate::{near, scenario};
use stiction::analysis::cycle::{self, BifurcationKind, BranchEnd, Continuation, Cycle, follow_branch};
use stiction::scenario::Scenario;
use stiction::sim::StopFlag;

fn found(name: &str, set: &[&str]) -> Cycle {
    cycle::find(&scenario(name, set)).expect("a cycle")
}
#[test]
fn stick_slip_and_hunting_have_their_known_periods() {
    // to the digits they are known to, from long runs of other solvers
    for (name, period) in [("a7", 4.6385527), ("a12", 24.436786), ("o5", 6.572445692)] {
        let cycle = found(name, &[]);
        near(cycle.period, period, 2e-8);
        assert!(cycle.stable, "{name}: {:?}", cycle.multipliers);
    }
    let cycle = found("a12", &[]);
    // known to seven digits
    near(cycle.amplitude("cart.x").expect("a column"), 0.06390251, 2e-7);
    // two stops, at either end, and two slips
    assert_eq!(cycle.stick_slip[0].sticks, 2);
}

#[test]
fn a_cycle_is_periodic_and_sticks_as_long_as_its_events_say() {
    // coulomb under 1.5 sin t: sticks when it comes to rest, slips when 1.5 sin t = 1
    let system = scenario("g5", &[]);
    let cycle = cycle::find(&system).expect("a cycle");
    // the period of the drive, to rounding
    near(cycle.period, std::f64::consts::TAU, 1e-12);
    let trace = cycle.trace(&system.simulation().expect("a simulation")).expect("a trace");
    let (first, last) = (&trace.rows[0], &trace.rows[trace.rows.len() - 1]);
    // the tolerance of the runs is 1e-12 a step
    assert!(first.iter().zip(last).skip(1).all(|(a, b)| (a - b).abs() < 1e-8), "{first:?} {last:?}");
    let events: Vec<f64> = trace.events.iter().map(|e| e.t).collect();
    // stick, slip, stick, slip, from within a slip
    assert_eq!(events.len(), 4);
    let stuck = events[1] - events[0] + events[3] - events[2];
    // events of a run at 1e-12 a step
    near(cycle.stick_slip[0].stick, stuck, 1e-9);
    // whatever it was, it is forgotten while it sticks
    // differences over 1e-6 of runs at 1e-12
    assert!(cycle.multipliers.iter().all(|z| z.abs() < 1e-6), "{:?}", cycle.multipliers);
}

/// Neither is known to the linear analysis; both are refused by name, before anything is computed.
#[test]
fn cycles_of_lossy_and_planetary_gears_and_of_switched_springs_are_refused() {
    let told = |scenario: &Scenario| cycle::find(scenario).expect_err("no cycle").to_string();
    assert!(told(&scenario("worm-hoist", &[])).contains("'worm' has an efficiency"));
    let bodies = "[body.s]\ninertia = 1\n[body.r]\ninertia = 1\n[body.c]\ninertia = 1\n";
    let gear = "[planetary.p]\nsun = 's'\nring = 'r'\ncarrier = 'c'\nratio = 2\nstiffness = 9\n";
    let force = "[force.f]\non = 's'\nforce = { sine = { amplitude = 1, omega = 3 } }\n";
    let text = format!("[run]\nend = 1\n{bodies}{gear}{force}");
    let planetary = Scenario::parse(&text, std::path::Path::new("test.toml"), &[""; 0]).expect("a scenario");
    assert!(told(&planetary).contains("'p' is a planetary gear"));
    // the place that a switch moves its rest position to is no coordinate
    let spring = "[spring.pull]\nbetween = ['block', 'ground']\nstiffness = 9\nenable = { pulses = { start = 1, width = 1, period = 2 } }\n";
    let text = format!("[run]\nend = 20\n\n[body.block]\nmass = 1\n\n{spring}");
    let switched = Scenario::parse(&text, std::path::Path::new("test.toml"), &[""; 0]).expect("a scenario");
    assert!(told(&switched).contains("a signal switches 'pull'"));
}

/// The alternator behind the freewheel moves at any speed: its mean motion follows from one period, in which its position changes by as much
/// as the swing of its speed about the mean allows.
#[test]
fn positions_that_nothing_holds_are_without_their_mean_motion() {
    let cycle = found("freewheel", &[]);
    let (x, v) = (cycle.amplitude("alternator.x"), cycle.amplitude("alternator.v"));
    let (x, v) = (x.expect("a column"), v.expect("a column"));
    // a swing of ± v about the mean over a period T: less than v·T/4 from the middle
    assert!(x > 0.0 && x < 0.25 * v * cycle.period, "{x} {v}");
    let drift = cycle.drifts.iter().find(|(name, _)| name == "alternator").expect("a drift").1;
    // between its slowest and its fastest speed
    assert!(drift > 104.0 && drift < 115.0, "{drift}");
}

/// Two bodies that only a spring connects, with a swinging force between them and a steady one on both: their distance is that of one body with the
/// reduced mass, and both move with the speed at which viscous friction balances the steady force.
#[test]
fn connected_bodies_that_nothing_holds_have_a_cycle() {
    let text = "[run]\nend = 60\n[body.a]\nmass = 1\n[body.b]\nmass = 2\n[spring.s]\nbetween = [\"a\", \"b\"]\n\
                stiffness = 50\ndamping = 2\n[contact.ca]\nbetween = [\"a\", \"ground\"]\nlaw = \"viscous\"\nfv = 0.5\n\
                [contact.cb]\nbetween = [\"b\", \"ground\"]\nlaw = \"viscous\"\nfv = 1\n\
                [force.push]\non = \"a\"\nforce = { sine = { mean = 1, amplitude = 1, omega = 4 } }\n\
                [force.pull]\non = \"b\"\nforce = { sine = { mean = 2, amplitude = -1, omega = 4 } }\n";
    let none: [&str; 0] = [];
    let scenario = Scenario::parse(text, "pair.toml".as_ref(), &none).expect("a scenario");
    let cycle = cycle::find(&scenario).expect("a cycle");
    assert!(cycle.stable && cycle.multipliers.len() == 3, "{:?}", cycle.multipliers);
    cycle.drifts.iter().for_each(|(_, drift)| near(*drift, 2.0, 1e-8));
    // the masses' ratio is that of the frictions: the distance r obeys μ r'' + (c + μ f) r' + k r = sin 4t with μ = 2/3 and f = 0.5
    let mu = 2.0_f64 / 3.0;
    let distance = 1.0 / (50.0 - 16.0 * mu).hypot(4.0 * (2.0 + 0.5 * mu));
    // the common motion has no part in it, so that the first body moves by two thirds of the distance
    near(cycle.amplitude("a.x").expect("a column"), distance * mu, 1e-6);
}

/// A body on a damper and a spring, driven by what is added: the response has the period of the drive, wherever that acts.
#[test]
fn a_cycle_has_the_period_of_the_drive() {
    let driven = |drive: &str| {
        let text = format!(
            "[run]\nend = 40\n[body.b]\nmass = 1\n[spring.s]\nbetween = [\"b\", \"ground\"]\nstiffness = 3\ndamping = 0.8\n{drive}"
        );
        let none: [&str; 0] = [];
        cycle::find(&Scenario::parse(&text, "driven.toml".as_ref(), &none).expect("a scenario"))
    };
    let tau = std::f64::consts::TAU;
    // the amplitude of m x'' + c x' + k x = sin(4 t)
    let size = |stiffness: f64, damping: f64| 1.0 / (stiffness - 16.0_f64).hypot(4.0 * damping);
    let sine = "{ sine = { amplitude = 1, omega = 4 } }";
    let reference =
        format!("[control.c]\non = \"b\"\nmeasure = [\"b.x\", \"b.v\"]\ngains = [1, 0.2]\nreference = {sine}\n");
    let formula = format!("[formula.f]\non = \"b\"\nformula = \"u\"\nsignals = {{ u = {sine} }}\n");
    let force = |signal: &str| format!("[force.f]\non = \"b\"\nforce = {signal}\n");
    for (drive, amplitude) in [(force(sine), size(3.0, 0.8)), (reference, size(4.0, 1.0)), (formula, size(3.0, 0.8))] {
        let cycle = driven(&drive).expect("a cycle");
        near(cycle.period, tau / 4.0, 1e-12);
        // the tolerance of the run, over some periods
        near(cycle.amplitude("b.x").expect("a column"), amplitude, 1e-6);
        // position and velocity: a controller without an integral gain has no integral
        assert!(cycle.stable && cycle.multipliers.len() == 2, "{:?}", cycle.multipliers);
    }
    let sines = |one: f64, other: f64| {
        let sine = |omega: f64| format!("{{ sine = {{ amplitude = 1, omega = {omega} }} }}");
        force(&format!("{{ sum = [{}, {}] }}", sine(one), sine(other)))
    };
    // two and three swings in the same time
    near(driven(&sines(4.0, 6.0)).expect("a cycle").period, tau / 2.0, 1e-12);
    let pulses = force("{ pulses = { width = 0.3, period = 1.1 } }");
    near(driven(&pulses).expect("a cycle").period, 1.1, 1e-12);
    for (drive, told) in [
        (sines(4.0, 5.656854249), "do not repeat together"),
        (force("{ noise = { deviation = 1, interval = 0.1 } }"), "input of 'f' neither settles nor repeats"),
        (force("{ chirp = { amplitude = 1, omega = 4, rate = 0.1 } }"), "neither settles nor repeats"),
        (force("{ product = [{ ramp = { slope = 1 } }, { sine = { amplitude = 1, omega = 4 } }] }"), "neither settles"),
        (force("{ table = { points = [[0, 0], [50, 1], [90, 0]] } }"), "neither settles nor repeats"),
    ] {
        let error = driven(&drive).expect_err(&drive).to_string();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn an_unforced_swing_dies_and_says_so() {
    let error = cycle::find(&scenario("b1", &[])).expect_err("no cycle");
    assert!(error.to_string().contains("no cycle"), "{error}");
    // sliding that is stable, from the start
    assert!(cycle::find(&scenario("a7", &["contact.table.sigma2=0.25"])).is_err());
}

#[test]
fn multipliers_tell_how_a_push_dies() {
    // a mass on a spring with a damper, driven: the multipliers are those of the linear system over a period
    let text = r#"
        [run]
        end = 40
        [body.m]
        mass = 1
        [spring.k]
        between = ["m", "ground"]
        stiffness = 4
        damping = 0.4
        [force.f]
        on = "m"
        force = { sine = { amplitude = 1, omega = 3 } }
        [contact.c]
        between = ["m", "ground"]
        law = "viscous"
        fv = 0.1
    "#;
    let scenario = Scenario::parse(text, "driven.toml".as_ref(), &[""; 0]).expect("a scenario");
    let cycle = cycle::find(&scenario).expect("a cycle");
    let (c, k, w) = (0.5_f64, 4.0_f64, 3.0_f64);
    let amplitude = 1.0 / ((k - w * w).powi(2) + (c * w).powi(2)).sqrt();
    // rows lie near the extremes, which are flat, and runs are at 1e-12
    near(cycle.amplitude("m.x").expect("a column"), amplitude, 1e-8);
    let size = (-0.5 * c * std::f64::consts::TAU / w).exp();
    for z in &cycle.multipliers {
        // differences over 1e-6 of runs at 1e-12
        near(z.abs(), size, 1e-5);
    }
}

/// The slide's three critical values, nobody being told where to look: above them a motion that leaves stick never
/// returns to it. The first is known from another solver.
#[test]
fn stick_slip_ends_where_nothing_returns_to_rest() {
    let border = |path: &str, range: (f64, f64), set: &[&str]| {
        let at = |p: f64| {
            let all: Vec<String> = set.iter().map(|&s| s.to_owned()).chain([format!("{path}={p:e}")]).collect();
            Scenario::named("a7", &all)
        };
        let found = cycle::stick_slip_boundaries(&at, range).expect("borders");
        assert_eq!(found.len(), 1, "{path}: {found:?}");
        assert!(found[0].below);
        found[0].p
    };
    // the values of another solver, to nine digits (tests/reference/figures.csv); the outcome is known long before 31 s
    near(border("contact.table.sigma2", (0.1, 0.3), &["run.end=31"]), 0.189965921, 1e-8);
    let damped = ["run.end=31", "contact.table.sigma2=0.2"];
    near(border("motion.hand.position.ramp.slope", (1.0, 3.0), &damped), 1.936841815, 1e-8);
    near(border("spring.pull.stiffness", (1.0, 3.0), &damped), 1.510516869, 1e-8);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation: cargo test --release --test analysis cycle")]
fn a_cycle_is_followed_until_it_loses_its_stability() {
    let at = |p: f64| Scenario::named("a7", &[format!("contact.table.sigma2={p:e}")]);
    let branch = follow_branch(&Continuation {
        at: &at,
        start: Some(0.185),
        range: (0.184, 0.188),
        points: 20,
        stop: StopFlag::default(),
    })
    .expect("a branch");
    assert_eq!(branch.ends, [BranchEnd::Range, BranchEnd::Range]);
    let flips: Vec<f64> = branch.bifurcations.iter().filter(|c| c.what == BifurcationKind::Flip).map(|c| c.p).collect();
    assert_eq!(flips.len(), 1, "{:?}", branch.bifurcations);
    // on either side, long runs: turns of equal length before it, of two lengths in turn after it
    let turns = |p: f64| -> f64 {
        let path = format!("contact.table.sigma2={p:e}");
        let scenario = scenario("a7", &[&path, "run.end=400"]);
        let mut trace = stiction::sim::Trace::default();
        scenario.simulation().expect("a simulation").run(&scenario.options, &mut trace).expect("a run");
        let times: Vec<f64> = trace.events.iter().filter(|e| e.kind.name() == "reverse-").map(|e| e.t).collect();
        let [.., a, b, c] = times[..] else { panic!("no turns at {p}") };
        ((c - b) - (b - a)).abs()
    };
    // successive periods are equal to the tolerance of the run before the bifurcation, and differ far above it after
    assert!(turns(flips[0] - 0.0015) < 1e-6, "one period below {}", flips[0]);
    assert!(turns(flips[0] + 0.0005) > 1e-3, "two periods above {}", flips[0]);
}

/// A driven Duffing oscillator has three cycles between two folds of its resonance curve.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation: cargo test --release --test analysis cycle")]
fn folds_are_gone_round() {
    let text = r#"
        [run]
        end = 200
        [body.m]
        mass = 1
        [spring.k]
        between = ["m", "ground"]
        table = { points = [[-4, -68], [-3, -30], [-2, -10], [-1, -2], [0, 0], [1, 2], [2, 10], [3, 30], [4, 68]], interpolation = "cubic" }
        damping = 0.1
        [force.f]
        on = "m"
        force = { sine = { amplitude = 0.4, omega = 1.8 } }
        [contact.c]
        between = ["m", "ground"]
        law = "viscous"
        fv = 0.1
    "#;
    let at = |p: f64| Scenario::parse(text, "duffing.toml".as_ref(), &[format!("force.f.force.sine.omega={p:e}")]);
    let branch = follow_branch(&Continuation {
        at: &at,
        start: Some(1.0),
        range: (0.8, 2.2),
        points: 200,
        stop: StopFlag::default(),
    })
    .expect("a branch");
    let folds: Vec<_> = branch.bifurcations.iter().filter(|c| matches!(c.what, BifurcationKind::Fold { .. })).collect();
    assert_eq!(folds.len(), 2, "{:?} {:?}", branch.bifurcations, branch.ends);
    // the cycle between the folds is the unstable one
    assert!(branch.points.iter().any(|point| !point.cycle.stable));
    assert_eq!(branch.ends, [BranchEnd::Range, BranchEnd::Range]);
}

/// A body on a spring without damping has a cycle through every state: neither stable nor unstable.
#[test]
fn a_cycle_without_damping_is_neutral() {
    for (k, m) in [(1.0, 1.0), (3.0, 0.7), (7.3, 1.9)] {
        let text = format!(
            "[run]\nend = 30\n[body.b]\nmass = {m}\nx = 0.4\n[spring.s]\nbetween = [\"b\", \"ground\"]\nstiffness = {k}\n"
        );
        let none: [&str; 0] = [];
        let scenario = Scenario::parse(&text, "free.toml".as_ref(), &none).expect("a scenario");
        let cycle = cycle::find(&scenario).expect("a cycle");
        near(cycle.period, std::f64::consts::TAU * f64::sqrt(m / k), 1e-8);
        assert!(cycle.neutral && cycle.stable, "{:?}", cycle.multipliers);
    }
    assert!(!found("a7", &[]).neutral);
}
