//! Contacts of rate and state that creep: between bodies that move, beside contacts and stops that hold.
use std::path::Path;
use stiction::scenario::Scenario;
use stiction::sim::{RunSummary, Trace};

/// Runs a scenario at a tolerance; one that would be endless fails instead.
fn run(text: &str, rtol: f64, max_steps: u64) -> RunSummary {
    let set = [format!("run.rtol={rtol}"), format!("run.max_steps={max_steps}")];
    let scenario = Scenario::parse(text, Path::new("test.toml"), &set).expect("a scenario");
    let simulation = scenario.simulation().expect("a system");
    simulation.run(&scenario.options, &mut Trace::default()).expect("a run")
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
