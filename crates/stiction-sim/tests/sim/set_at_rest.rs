//! The set of forces at rest of laws whose parameters differ between the directions: it contains the forces of both sides, so that
//! a body at rest always has a solution.
use crate::{contact, law, simulate, sine};
use stiction_sim::sim::SimulationOptions;
use stiction_sim::system::{Body, Contact, GROUND, Signal, Spring, System};

type Values<'a> = &'a [(&'a str, f64)];

fn end_at(end: f64, rtol: f64) -> SimulationOptions {
    SimulationOptions { end, rtol, max_steps: 50_000, ..SimulationOptions::default() }
}

/// A body on a law whose stiffness differs between the directions, with this deflection, under a constant force.
fn deflected(z: f64, force: f64) -> System {
    let mut system = System::new();
    let body = system.body("b0", Body { mass: 2.0, ..Body::default() }).expect("a body");
    let values = [("fmax", 1.0), ("delta", 1e-3), ("reverse.fmax", 2.0), ("reverse.delta", 1e-3)];
    // a law in wrappers has two more states, those of a noise
    let contact = Contact { memory: vec![z, 0.0, 0.0], ..contact("dankowicz", &values) };
    system.contact("c0", body, GROUND, contact).expect("a contact");
    system.force("f0", body, Signal::Constant(force)).expect("a force");
    system
}

#[test]
fn a_force_between_those_of_both_sides_is_held() {
    // at -delta/2 the force is -1 N just below rest and -0.5 N just above
    for (force, moves) in [(-0.75, 0.0), (-0.51, 0.0), (-0.99, 0.0), (-0.49, 1.0), (-1.01, -1.0)] {
        let (summary, _) = simulate(&deflected(-5e-4, force), &end_at(1e-3, 1e-8));
        let v = summary.last("b0.v").expect("a velocity");
        if moves == 0.0 {
            assert_eq!((v, summary.last("b0.x")), (0.0, Some(0.0)), "{force}");
            // one rounding
            let held = summary.last("c0.force").expect("a force");
            assert!((held - force).abs() < 1e-15, "{held} for {force}");
        } else {
            assert!(v * moves > 0.0, "{force}: {v}");
        }
    }
    // at +delta/2 it falls from 1 N to 0.5 N across rest: any force moves the body, none chatters
    for force in [0.3, 0.49, 0.51, 0.75, 0.99, 1.01, 1.3] {
        let (summary, trace) = simulate(&deflected(5e-4, force), &end_at(1e-3, 1e-8));
        assert!(summary.last("b0.v").expect("a velocity") != 0.0 && trace.events.is_empty(), "{force}");
    }
}

/// A body on three contacts, and the same in the mirror, where the parameters of the two directions are exchanged.
struct Parallel<'a> {
    mass: f64,
    stiffness: f64,
    law: &'a str,
    both: Values<'a>,
    forward: Values<'a>,
    reverse: Values<'a>,
    others: [(&'a str, Values<'a>); 2],
    push: [(f64, f64); 2],
}

impl Parallel<'_> {
    fn system(&self, side: f64) -> System {
        let (up, down) = if side > 0.0 { (self.forward, self.reverse) } else { (self.reverse, self.forward) };
        let mut spec = law(self.law, &[self.both, up].concat());
        for (name, value) in down {
            spec.set(&format!("reverse.{name}"), *value).expect("a parameter");
        }
        let mut system = System::new();
        let body = system.body("b0", Body { mass: self.mass, ..Body::default() }).expect("a body");
        system.contact("c0", body, GROUND, Contact::new(&spec).expect("a contact")).expect("a contact");
        for (name, (law, values)) in ["c1", "c2"].into_iter().zip(self.others) {
            system.contact(name, body, GROUND, contact(law, values)).expect("a contact");
        }
        system.spring("s0", body, GROUND, Spring::linear(self.stiffness)).expect("a spring");
        let [(amplitude, omega), (constant, _)] = self.push;
        let push = Signal::Sum(vec![sine(side * amplitude, omega), Signal::Constant(side * constant)]);
        system.force("f0", body, push).expect("a force");
        system
    }
    /// Runs both, which must be mirror images, and returns the place of the body at the end.
    fn run(&self, end: f64, rtol: f64) -> f64 {
        let [there, mirrored] = [1.0, -1.0].map(|side| {
            let (summary, trace) = simulate(&self.system(side), &end_at(end, rtol));
            ([summary.last("b0.x"), summary.last("b0.v")].map(|x| side * x.expect("a column")), trace.events.len())
        });
        // the same operations but for signs; the order of events at one instant, and steps about them, may differ
        let near = |k: usize| (there.0[k] - mirrored.0[k]).abs() < 1e3 * rtol * there.0[k].abs();
        assert!(near(0) && near(1) && there.1 == mirrored.1, "{there:?} and {mirrored:?}");
        there.0[0]
    }
}

#[test]
fn dankowicz_beside_coulomb_and_karnopp() {
    let system = Parallel {
        mass: 0.726,
        stiffness: 0.0,
        law: "dankowicz",
        both: &[("delta", 3.78e-5)],
        forward: &[("fmax", 0.0272)],
        reverse: &[("fmax", 0.0318)],
        others: [
            ("coulomb", &[("fc", 0.0169)]),
            (
                "karnopp",
                &[("fc", 0.0418), ("fs", 0.0418), ("vs", 0.0127), ("exponent", 1.0), ("fv", 0.0), ("band", 3.29e-5)],
            ),
        ],
        push: [(0.129, 1.61), (0.0451, 0.0)],
    };
    // the simulator's own value, with which the adversary's reference agrees within what it allows
    let x = system.run(4.6, 1e-10);
    assert!((x - 0.180_307_595_9).abs() < 1e-9, "{x}");
}

#[test]
fn slip_variable_beside_karnopp_and_stribeck() {
    let system = Parallel {
        mass: 5.592_013_275_172_866,
        stiffness: 51.187_787_301_649_9,
        law: "slip-variable",
        both: &[
            ("fv", 0.0),
            ("ks", 93_921.110_456_385_94),
            ("ds", 0.0),
            ("tau_lag", 0.001_943_297_275_719_553),
            ("tau_reset", 5.829_891_827_158_659e-4),
            ("vs", 0.099_020_121_452_958_02),
        ],
        forward: &[("fs", 6.920_030_464_106_121), ("fc", 6.891_336_399_740_732)],
        reverse: &[("fs", 8.402_559_181_484_207), ("fc", 8.367_717_777_932_866)],
        others: [
            (
                "karnopp",
                &[
                    ("fc", 8.447_543_933_230_794),
                    ("fs", 12.242_632_559_200_48),
                    ("vs", 0.492_843_403_645_106_04),
                    ("exponent", 0.5),
                    ("fv", 0.0),
                    ("band", 2.171_970_811_130_119_8e-4),
                ],
            ),
            (
                "stribeck",
                &[
                    ("fc", 3.831_448_023_913_125),
                    ("fs", 4.641_688_306_196_221),
                    ("vs", 0.004_140_975_892_247_918),
                    ("exponent", 1.0),
                    ("fv", 2.481_264_999_909_897_5),
                ],
            ),
        ],
        push: [(23.566_307_816_207_793, 35.599_323_164_178_54), (0.0, 0.0)],
    };
    system.run(0.925_274_773_460_584_3, 1e-10);
}

#[test]
fn a_stack_on_stribeck_dankowicz() {
    let mut system = System::new();
    let bodies = ["b0", "b1", "b2"].map(|name| {
        let body = Body { mass: 6.192_422_294_839_995, ..Body::default() };
        system.body(name, body).expect("a body")
    });
    let lowest = [
        ("fc", 22.179_083_339_370_98),
        ("fs", 39.145_704_850_297_406),
        ("vs", 1.168_747_976_700_051),
        ("exponent", 1.0),
        ("delta", 2.175_805_041_696_479_3e-5),
        ("fv", 0.0),
        ("reverse.fc", 20.356_464_119_683_153),
        ("reverse.fs", 35.928_812_928_451_08),
    ];
    let middle = [("fc", 22.441_750_712_869_66), ("fs", 26.739_076_684_417_732), ("fv", 0.0)];
    let upper = [
        ("fc", 62.826_449_094_640_466),
        ("fs", 62.826_449_094_640_466),
        ("vs", 0.245_272_795_576_415_76),
        ("exponent", 0.5),
        ("fv", 0.0),
        ("band", 2.071_687_961_840_381e-6),
    ];
    system.contact("c0", bodies[0], GROUND, contact("stribeck-dankowicz", &lowest)).expect("a contact");
    system.contact("c1", bodies[1], bodies[0], contact("stiction", &middle)).expect("a contact");
    system.contact("c2", bodies[2], bodies[1], contact("karnopp", &upper)).expect("a contact");
    let push = Signal::Ramp { offset: 0.0, slope: 2_846.449_427_895_413, start: 0.0, end: f64::INFINITY };
    system.force("f0", bodies[2], push).expect("a force");
    let (summary, _) = simulate(&system, &end_at(0.21, 1e-9));
    // the lowest body comes to rest between the forces of its two sides, and carries the Coulomb level of the middle contact
    assert_eq!(summary.last("b0.v"), Some(0.0));
    let force = summary.last("c0.force").expect("a force");
    // a few roundings
    assert!((force - 22.441_750_712_869_66).abs() < 1e-12, "{force}");
}

/// A slide that ends is ended by the law of its own direction: sticking leaves the dry force as it is, also where the forward law has
/// lower levels than the reverse one.
#[test]
fn armstrong_stops_with_the_force_of_its_slide() {
    let [low, high] = [[1.1, 1.1], [1.3, 1.5]];
    let places = [1.0, -1.0].map(|side| {
        let ([fc, fs], [back_fc, back_fs]) = if side > 0.0 { (low, high) } else { (high, low) };
        let values = [
            ("fc", fc),
            ("fs", fs),
            ("reverse.fc", back_fc),
            ("reverse.fs", back_fs),
            ("vs", 0.14),
            ("fv", 0.0),
            ("sigma0", 4900.0),
            ("tau_lag", 0.003),
            ("tau_dwell", 0.085),
        ];
        let contact = contact("armstrong", &values);
        // sliding against the side, with its lag caught up; a law in wrappers has two more states, those of a noise
        let contact = Contact { memory: vec![0.0, 0.01, 0.0, 0.0, -side, 0.0, 0.0], ..contact };
        let mut system = System::new();
        let body = system.body("b0", Body { mass: 3.0, v: -0.01 * side, ..Body::default() }).expect("a body");
        system.contact("c0", body, GROUND, contact).expect("a contact");
        system.force("f0", body, Signal::Constant(-1.35 * side)).expect("a force");
        let (summary, trace) = simulate(&system, &end_at(0.3, 1e-8));
        let turned = trace.events.first().expect("an event");
        let force = summary.columns.iter().position(|column| column.name == "c0.force").expect("a column");
        let before = trace.rows.iter().take_while(|row| row[0] < turned.t).last().expect("a row")[force];
        let after = trace.rows.iter().find(|row| row[0] > turned.t).expect("a row")[force];
        // the rows are 0.3 ms apart, in which the excess changes by 1e-3 N
        assert!((before - after).abs() < 2e-3, "{side}: {before} and {after}");
        summary.last("b0.x").expect("a place")
    });
    // both are rounded apart
    assert!((places[0] + places[1]).abs() < 1e-12 * places[0].abs(), "{places:?}");
}
