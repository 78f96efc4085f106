//! Contacts of rate and state that creep: between bodies that move, beside contacts and stops that hold.
use std::path::Path;
use stiction::scenario::Scenario;
use stiction::sim::{RunSummary, Trace};

/// Runs a scenario at a tolerance; one that would be endless fails instead. Also the times of its events.
fn run_with_events(text: &str, rtol: f64, max_steps: u64) -> (RunSummary, Vec<f64>) {
    let set = [format!("run.rtol={rtol}"), format!("run.max_steps={max_steps}")];
    let scenario = Scenario::parse(text, Path::new("test.toml"), &set).expect("a scenario");
    let (simulation, mut trace) = (scenario.simulation().expect("a system"), Trace::default());
    let summary = simulation.run(&scenario.options, &mut trace).expect("a run");
    (summary, trace.events.iter().map(|event| event.t).collect())
}

fn run(text: &str, rtol: f64, max_steps: u64) -> RunSummary {
    run_with_events(text, rtol, max_steps).0
}

fn last(summary: &RunSummary, name: &str) -> f64 {
    summary.last(name).expect("a column")
}

/// The largest difference of the positions and velocities of `bodies` between runs at two tolerances, relative to their sizes.
fn difference(text: &str, [loose, tight]: [f64; 2], bodies: &[&str], max_steps: u64) -> f64 {
    let [a, b] = [loose, tight].map(|rtol| run(text, rtol, max_steps));
    let columns = bodies.iter().flat_map(|body| ["x", "v"].map(|what| format!("{body}.{what}")));
    columns.map(|name| (last(&a, &name) / last(&b, &name) - 1.0).abs()).fold(0.0, f64::max)
}

/// The speed at which the two would creep, 1e-15 m/s, is below the rounding of their velocities.
const LANDS: &str = r#"
[run]
end = 0.0016152556580954372
rtol = 1e-8
sample = 2.6479600952384218e-5
[body.b0]
mass = 57.26676525279228
v = -3.1144532818257846
[body.b1]
mass = 8.037499286059004
[contact.c0]
between = ["b0", "b1"]
law = "dieterich"
mu0 = 0.6412557342923206
a = 0.016946843629510204
b = 0.014710230669936047
v0 = 10.048656805491671
normal = 41210.74489756407
dc = 2.5612736900801782
load = { step = { at = 0.6461022632381749, before = 1, after = 0 } }
[force.f0]
on = "b0"
force = 5864.396509334331
"#;

#[test]
fn a_body_that_lands_on_another_one_moves_on_with_it() {
    let summary = run(LANDS, 1e-8, 1000);
    let (m0, m1, t) = (57.266_765_252_792_28, 8.037_499_286_059_004, 0.001_615_255_658_095_437_2);
    let v = (m0 * -3.114_453_281_825_784_6 + 5_864.396_509_334_331 * t) / (m0 + m1);
    for body in ["b0.v", "b1.v"] {
        // momentum, by a hundred steps at 1e-8
        assert!((last(&summary, body) / v - 1.0).abs() < 1e-7, "{body}: {} for {v}", last(&summary, body));
    }
    // the force that accelerates the second
    let force = 5_864.396_509_334_331 * m1 / (m0 + m1);
    assert!((last(&summary, "c0.force") / force - 1.0).abs() < 1e-12);
}

/// At its stop the upper contact decelerates like any other mass: inertia dominates until its speed is zero.
const STOPS: &str = r#"
[run]
end = 0.55
rtol = 1e-7
sample = 0.009016393442622951
[body.b0]
mass = 0.16467938649987557
v = 138.866166255065
[body.b1]
mass = 0.16467938649987557
[motion.m0]
position = { sine = { mean = 0, amplitude = 5.7587659382830765, omega = 10.538259727122425, phase = 0 } }
[spring.s0]
between = ["b0", "ground"]
stiffness = 73.79579650112396
[contact.c0]
between = ["b0", "m0"]
law = "coulomb"
fc = 142.50678656184164
[contact.c1]
between = ["b1", "b0"]
law = "dieterich"
mu0 = 0.7129839837986351
a = 0.012002360872205303
b = 0.015494421073393272
v0 = 0.12614383110814556
normal = 123.19291723145118
dc = 0.04857812388772331
"#;

#[test]
fn a_fast_stack_comes_to_rest_in_its_upper_contact() {
    // a thousand steps, and five reversals that shift what follows
    assert!(difference(STOPS, [1e-7, 1e-9], &["b0", "b1"], 20_000) < 1e-5);
}

const THREE: &str = r#"
[run]
end = 0.085
rtol = 1e-9
sample = 0.0013934426229508198
[body.b0]
mass = 3.389302878159796
v = 1.2805565327319934
[body.b1]
mass = 50.65198650379982
v = 9.68019475302827
[body.b2]
mass = 2.789665301980072
[motion.m0]
position = { sine = { mean = 0, amplitude = 0.549074189627347, omega = 40.38594916964965, phase = 0 } }
[contact.c1]
between = ["b1", "b0"]
law = "carlson-langer"
fc = 1150.1813327066318
fs = 1899.2900867040764
vs = 136.00575155139703
[contact.c2]
between = ["b2", "b1"]
law = "dieterich"
mu0 = 0.5981799505242662
a = 0.0065339707868804385
b = 0.01155438579486598
v0 = 0.07874644989717353
normal = 2877.3716101299224
dc = 0.012342534294459036
[force.f0]
on = "b0"
force = { table = { points = [[0, 2474.3970128668916], [0.17082134196457555, 919.8500200347997], [0.3416426839291511, -1676.9446549330664], [0.5124640258937266, 1388.0694012585645], [0.6832853678583022, -894.9161936449641]] } }
"#;

#[test]
fn the_uppermost_of_three_bodies_comes_to_rest() {
    // a thousand steps
    assert!(difference(THREE, [1e-7, 1e-9], &["b0", "b1", "b2"], 20_000) < 1e-5);
}

/// With its own load in each direction the force has a kink at rest, not a jump: a reversal below the tolerance is no event.
const KINKED: &str = r#"
[run]
end = 1.4
rtol = 1e-6
sample = 0.022950819672131147
[body.b0]
mass = 0.08726057262973926
v = -0.276217614469106
[body.b1]
mass = 0.0302212201927982
[motion.m0]
position = { sine = { mean = 0, amplitude = 0.09669762837302928, omega = 12.006285883913906, phase = 0 } }
[spring.s0]
between = ["b0", "ground"]
stiffness = 53.82201398926609
[contact.c0]
between = ["b0", "m0"]
law = "karnopp"
fc = 0.26891336558742257
fs = 0.3644263771578135
vs = 0.6303056396560847
exponent = 2
fv = 0.0017262483184156056
band = 0.0001064058592583547
[contact.c1]
between = ["b1", "b0"]
law = "ruina"
mu0 = 0.45041492514720066
a = 0.01810901677220598
b = 0.01573467362602576
v0 = 0.007738499456822915
normal = 0.6195621517788232
dc = 4.2947777709432275e-5
reverse = { normal = 0.5097435549982092 }
"#;

#[test]
fn a_creeping_contact_with_two_loads_passes_through_rest() {
    // a thousand steps and eighteen switches
    assert!(difference(KINKED, [1e-6, 1e-8], &["b0", "b1"], 20_000) < 1e-3);
}

/// A pair of bodies under a sine on the lower one: masses, velocity of the lower body and of the upper one against it, law, mu0, a, b, v0, dc,
/// normal load, amplitude and angular frequency of the force, and end of the run. What the upper body has moved against the lower one,
/// the memory psi, and place and velocity of the lower body are those of Radau's method of order 5 in asinh(s/c), with the velocity of the
/// centre of mass and the sliding velocity s as variables, so that no s is a difference; at tolerances 1e-11 and 1e-9 they agree to the
/// digits given.
struct Pair {
    masses: [f64; 2],
    v: [f64; 2],
    law: &'static str,
    parameters: [f64; 6],
    force: [f64; 2],
    end: f64,
    shift: f64,
    psi: f64,
    lower: [f64; 2],
}

const PAIRS: [Pair; 4] = [
    // slides for all of the time
    Pair {
        masses: [1.93, 0.519],
        v: [-0.777, -0.0777],
        law: "dieterich",
        parameters: [0.707, 0.0174, 0.0138, 6.33e-6, 3.65e-4, 3.33],
        force: [12.8, 3.16],
        end: 2.38,
        shift: 0.016_048_790_19,
        psi: -4.736_646_060,
        lower: [1.550_024_464_91, 0.320_417_651_76],
    },
    // comes to rest, and creeps at 1e-14 m/s on a body of 70 m/s
    Pair {
        masses: [0.645, 1.73],
        v: [41.8, 4.18],
        law: "dieterich",
        parameters: [0.554, 0.0138, 0.00532, 3.63e-4, 7.76e-4, 121.0],
        force: [52.5, 1.54],
        end: 1.55,
        shift: 0.053_295_344_68,
        psi: -0.336_374_814,
        lower: [85.334_733_819_4, 69.656_531_568_9],
    },
    // comes to rest, lets go, comes to rest again at 1e-26 m/s
    Pair {
        masses: [0.0267, 6.46],
        v: [-1.82, -0.182],
        law: "ruina",
        parameters: [0.668, 0.00937, 0.00331, 1.77e-4, 2.51e-4, 539.0],
        force: [404.0, 6.13],
        end: 0.55,
        shift: -0.860_083_615_4,
        psi: -6.494_810_150,
        lower: [5.721_607_280_1, 18.051_569_862_7],
    },
    Pair {
        masses: [41.9, 5.56],
        v: [-6.8, -0.68],
        law: "ruina",
        parameters: [0.637, 0.0177, 0.00383, 4.34e-5, 0.0052, 9.88],
        force: [19.8, 6.51],
        end: 0.398,
        shift: -0.171_290_380_22,
        psi: -8.569_953_587,
        lower: [-2.697_683_620_6, -6.737_296_500_8],
    },
];

impl Pair {
    /// The scenario, with all velocities and forces times `sign`.
    fn text(&self, sign: f64) -> String {
        let ([m0, m1], [v, over], law) = (self.masses, self.v.map(|v| sign * v), self.law);
        let ([mu0, a, b, v0, dc, normal], [amplitude, omega]) = (self.parameters, self.force);
        format!(
            r#"
run = {{ end = {} }}
body.lower = {{ mass = {m0}, v = {v} }}
body.upper = {{ mass = {m1}, v = {} }}
contact.c = {{ between = ["upper", "lower"], law = "{law}", mu0 = {mu0}, a = {a}, b = {b}, v0 = {v0}, dc = {dc}, normal = {normal} }}
force.push = {{ on = "lower", force = {{ sine = {{ amplitude = {}, omega = {omega} }} }} }}
"#,
            self.end,
            v + over,
            sign * amplitude
        )
    }
}

#[test]
fn pairs_under_rate_and_state_move_as_in_the_logarithm_of_their_own_speed() {
    for (k, pair) in PAIRS.iter().enumerate() {
        for (sign, rtol) in [(1.0, 1e-5), (-1.0, 1e-8)] {
            let summary = run(&pair.text(sign), rtol, 20_000);
            let [x0, x1, v0, psi] = ["lower.x", "upper.x", "lower.v", "c.psi"].map(|name| last(&summary, name));
            // some hundred steps at 1e-5, some thousand at 1e-8: the errors that random systems had were at most ten times the tolerance
            let allowed = 20.0 * rtol;
            for (what, got, wanted) in [
                ("shift", sign * (x1 - x0), pair.shift),
                ("x", sign * x0, pair.lower[0]),
                ("v", sign * v0, pair.lower[1]),
                ("psi", psi, pair.psi),
            ] {
                assert!((got / wanted - 1.0).abs() < allowed, "pair {k}, {rtol:e}: {what} {got} for {wanted}");
            }
        }
    }
}

/// Stiction holds 0.18 N and slides with 0.1 N; what creeps beside it does not move, so its force is zero.
const BESIDE_STICTION: &str = r#"
[run]
end = 0.32
rtol = 1e-8
sample = 0.005245901639344262
[body.b0]
mass = 1
[contact.c0]
between = ["b0", "ground"]
law = "dieterich"
mu0 = 0.5
a = 0.009
b = 0.01
v0 = 0.0001
normal = 0.07
dc = 0.0005
[contact.c1]
between = ["b0", "ground"]
law = "stiction"
fc = 0.1
fs = 0.18
fv = 0
[force.f0]
on = "b0"
force = { ramp = { offset = 0, slope = 1, start = 0.1, end = 0.32 } }
"#;

#[test]
fn a_contact_that_sticks_keeps_the_one_beside_it_from_creeping() {
    // the force, 1 N/s from 0.1 s on, is 0.18 N at 0.28 s
    let ends = [1e-5, 1e-8].map(|rtol| {
        let (summary, events) = run_with_events(BESIDE_STICTION, rtol, 10_000);
        assert!(events.len() == 2 && events.iter().all(|t| (t - 0.28).abs() < 1e-13), "{events:?}");
        last(&summary, "b0.v")
    });
    // a hundred steps at 1e-5
    assert!((ends[0] / ends[1] - 1.0).abs() < 1e-4, "{ends:?}");
}

/// Friction of 0.5 N beside a contact whose level is 0.6 N, under 1.15 N sin t.
const BESIDE_COULOMB: &str = r#"
run = { end = 6 }
body.b = { mass = 1 }
contact.creeping = { between = ["b", "ground"], law = "dieterich", normal = 1 }
contact.dry = { between = ["b", "ground"], law = "coulomb", fc = 0.5 }
force.f = { on = "b", force = { sine = { amplitude = 1.15, omega = 1 } } }
"#;

#[test]
fn dry_friction_sticks_again_when_the_creep_beside_it_ends() {
    let limit = (0.5f64 / 1.15).asin();
    let ends = [1e-6, 1e-9].map(|rtol| {
        let (summary, events) = run_with_events(BESIDE_COULOMB, rtol, 20_000);
        // the dry contact lets go at 0.5 N; below that, on the way back, the creeping one holds nothing, and the dry one sticks
        for wanted in [limit, std::f64::consts::PI - limit, std::f64::consts::PI + limit, std::f64::consts::TAU - limit]
        {
            assert!(events.iter().any(|t| (t - wanted).abs() < 1e-12), "{wanted}: {events:?}");
        }
        assert_eq!(last(&summary, "creeping.force"), 0.0);
        // one rounding
        assert!((last(&summary, "dry.force") - last(&summary, "f.force")).abs() < 1e-15);
        last(&summary, "b.x")
    });
    // some hundred steps at 1e-6
    assert!((ends[0] / ends[1] - 1.0).abs() < 1e-5, "{ends:?}");
}

/// A body that is pushed to a wall, leaves it, creeps and returns.
const WALL: &str = r#"
run = { end = 1 }
body.b = { mass = 1, v = 0.1 }
stop.wall = { between = ["b", "ground"], hi = 0.01 }
contact.c = { between = ["b", "ground"], law = "ruina", normal = 1 }
force.f = { on = "b", force = { sine = { mean = 1, amplitude = 1.3, omega = 10 } } }
"#;

#[test]
fn a_wall_carries_all_that_presses_what_would_creep() {
    for law in ["ruina", "dieterich"] {
        for rtol in [1e-5, 1e-8, 1e-10] {
            let summary = run(&WALL.replace("ruina", law), rtol, 10_000);
            let [friction, wall, push] = ["c.force", "wall.force", "f.force"].map(|name| last(&summary, name));
            // one rounding
            assert!(friction == 0.0 && (wall - push).abs() < 1e-15, "{law}, {rtol:e}: {friction}, {wall}, {push}");
        }
    }
}

/// The body rests; only the work that the motion does on the spring changes.
const HELD: &str = r#"
[run]
end = 0.0099
rtol = 1e-10
sample = 0.00016229508196721312
[body.b0]
mass = 1
[motion.m0]
position = { sine = { mean = 0, amplitude = 0.05, omega = 20, phase = 0 } }
[spring.s0]
between = ["m0", "b0"]
stiffness = 1
[contact.c0]
between = ["b0", "ground"]
law = "rate-state"
mu0 = 0.7
a = 0.006
b = 0.007
v0 = 3e-5
normal = 0.3
theta0 = 0.01
d0 = 0.0001
"#;

#[test]
fn the_work_on_a_body_that_is_held_is_as_accurate_as_motion() {
    for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
        let energy = run(HELD, rtol, 1000).energy;
        // each step is within the tolerance, and their errors have one sign
        assert!(energy.error().abs() < 10.0 * rtol * energy.size(), "{rtol:e}: {energy:?}");
    }
}

#[test]
fn a_contact_that_nothing_presses_rests_without_switching() {
    // a load that ends, and one that has not begun: without load there is no limit at which the contact could stick
    for load in ["{ step = { at = 0.9, before = 1, after = 0 } }", "{ ramp = { slope = 10, start = 1.1, end = 1.2 } }"]
    {
        let text = format!(
            r#"
run = {{ end = 1 }}
body.b = {{ mass = 1 }}
contact.c = {{ between = ["b", "ground"], law = "ruina", normal = 0.1, load = {load} }}
"#
        );
        let summary = run(&text, 1e-8, 1000);
        // less than the regularisation speed, below which creep counts as rest: a thousandth of atol, which is a thousandth of rtol
        let moved = last(&summary, "b.x").abs() + last(&summary, "b.v").abs();
        assert!(moved < 1e-14, "{load}: {moved:e}");
    }
}
