//! The Jacobian against difference quotients.
use super::Jacobian;
use crate::Spec;
use crate::sim::components::ContactMode;
use crate::sim::flow::Flow;
use crate::sim::lossy_gear::GearMode;
use crate::system::{
    Actuation, Body, Contact, Controller, Curve, Efficiency, ErrorWave, Feedback, GROUND, KinematicError, Load,
    LossyGear, Measurement, Plant, Signal, Spring, System,
};

fn contact(law: &str) -> Contact {
    Contact::new(&Spec::new(law).expect("a law")).expect("a contact")
}
fn wave() -> Signal {
    Signal::Sine { mean: 1.2, amplitude: 0.5, omega: 3.0, phase: 0.4 }
}

/// Compares every entry with a central difference, at an arbitrary state. `held` contacts stick.
fn check(name: &str, system: &System, held: &[usize]) {
    let mut flow = Flow::new(system);
    let (n, nu, len, t) = (flow.components.n, flow.components.nu, flow.len() + 4, 0.37);
    let mut y: Vec<f64> = (0..len).map(|i| 0.1 + 0.07 * ((i * i) as f64).sin()).collect();
    for contact in &mut flow.components.contacts {
        // bristles within their range of deflection
        (0..contact.which.len()).for_each(|k| y[contact.at + k] = 1e-6 * (1.0 + k as f64));
    }
    flow.set_motions(t);
    for contact in &mut flow.components.contacts {
        contact.mode = ContactMode::Slip(contact.row.v(&y, &flow.motions).signum());
    }
    held.iter().for_each(|&c| flow.components.contacts[c].mode = ContactMode::Stuck);
    for gear in &mut flow.components.lossy_gears {
        gear.mode = GearMode::Turning { side: gear.speed(&y).signum(), flank: 1.0 };
    }
    flow.regroup();
    flow.groups.align(&mut y, &flow.components.vi, &flow.motions);
    let (mut dy, mut powers) = (vec![0.0; len], [0.0; 4]);
    let mut j = Jacobian::new(n, nu, None);
    flow.jacobian(t, &y, &mut dy, &mut powers, &mut j);
    let vi = flow.components.vi.clone();
    // rates and powers with state number `k` changed; number n + nu is time
    let mut at = |k: usize, d: f64| {
        let (mut moved, mut t, mut out) = (y.clone(), t, vec![0.0; len]);
        if k == n + nu {
            t += d
        } else {
            moved[k] += d
        }
        flow.rhs(t, &moved, &mut out);
        out
    };
    for k in 0..=n + nu {
        let d = 1e-6 * if k < n + nu { y[k].abs() } else { t };
        let (up, down) = (at(k, d), at(k, -d));
        for row in n..n + nu + 3 {
            let wanted = (up[row] - down[row]) / (2.0 * d);
            let got = match (row < n + nu, k) {
                (true, k) if k < n => j.by_q.get(row - n, vi[k] - n),
                (true, k) if k < n + nu => j.by_u.get(row - n, k - n),
                (true, _) => j.by_t[row - n],
                (false, k) if k < n + nu => j.power[k][row - n - nu],
                (false, _) => j.power_t[row - n - nu],
            };
            // truncation: 1e-12 relative, or 1e-6 where a law bends within a thousandth of the value; and rounding of the
            // rate over the step
            let noise = 1e-9 * (1.0 + wanted.abs()) + 1e-13 * up[row].abs() / d;
            assert!((got - wanted).abs() < 1e-6 * wanted.abs() + noise, "{name}: d{row}/d{k}: {got} for {wanted}");
        }
    }
}

#[test]
fn every_entry_is_a_difference_quotient() {
    let plants = [
        Plant::Pendulum { mass: 0.7, length: 0.4, inertia: 0.02, gravity: 9.81 },
        Plant::CartPendulum { cart: 1.3, mass: 0.4, length: 0.5, inertia: 0.01, gravity: 9.81 },
        Plant::Furuta { arm_inertia: 0.3, arm: 0.5, mass: 0.4, length: 0.6, inertia: 0.02, gravity: 9.81 },
    ];
    for plant in plants {
        let mut system = System::new();
        let nodes = system.plant("p", plant, &[], &[]).expect("a plant");
        system.contact("joint", nodes[0], GROUND, contact("lugre")).expect("a contact");
        let feedback = Feedback {
            gains: vec![2.0, 0.5],
            ki: 0.3,
            reference: wave(),
            extra: wave(),
            friction: Some((Spec::new("lugre").and_then(|s| s.build()).expect("a law"), 1)),
        };
        let measures = vec![Measurement::Position(nodes[0]), Measurement::Velocity(nodes[0])];
        let controller = Controller::Continuous(Box::new(feedback));
        system.control("c", controller, measures, Actuation::Force(nodes[0])).expect("a controller");
        check(&format!("{plant:?}"), &system, &[]);
    }
}

#[test]
fn also_where_all_but_the_contacts_is_linear() {
    let mut system = System::new();
    let [a, b] = ["a", "b"].map(|name| {
        let body = Body { mass: 1.0 + name.len() as f64, ..Body::default() };
        system.body(name, body).expect("a body")
    });
    let ramp = |slope| Signal::Ramp { offset: 0.3, slope, start: -1.0, end: f64::INFINITY };
    let belt = system.motion("belt", ramp(0.2), false).expect("a motion");
    system.spring("k", a, b, Spring { damping: 0.7, ..Spring::linear(3.0) }).expect("a spring");
    system.spring("pull", b, belt, Spring::linear(5.0)).expect("a spring");
    system.force("even", a, ramp(0.6)).expect("a force");
    system.force("wave", b, wave()).expect("a force");
    system.contact("ab", a, b, contact("lugre")).expect("a contact");
    system.contact("ride", b, belt, contact("slip-variable")).expect("a contact");
    let extra = ramp(-0.4);
    let feedback = Feedback { gains: vec![2.0, 0.5], ki: 0.3, reference: ramp(0.1), extra, friction: None };
    let measures = vec![Measurement::Position(a), Measurement::Velocity(belt)];
    system
        .control("c", Controller::Continuous(Box::new(feedback)), measures, Actuation::Force(b))
        .expect("a controller");
    let mut flow = Flow::new(&system);
    flow.regroup();
    assert!(flow.linear_part.applies);
    check("linear but for the contacts", &system, &[]);
}

#[test]
fn also_with_loads_springs_and_what_is_held() {
    let mut system = System::new();
    let [a, b, c] = ["a", "b", "c"]
        .map(|name| system.body(name, Body { mass: 1.0 + name.len() as f64, ..Body::default() }).expect("a body"));
    let belt = system.motion("belt", wave(), false).expect("a motion");
    let curve = Curve::cubic(vec![-1.0, 0.0, 1.0], vec![-3.0, 0.0, 5.0]).expect("a curve");
    system.spring("k", a, b, Spring { damping: 0.7, ..Spring::linear(3.0) }).expect("a spring");
    system.spring("table", b, belt, Spring { curve: Some(curve), ..Spring::linear(0.0) }).expect("a spring");
    system.spring("gear", b, c, Spring { ratio: -2.0, damping: 0.2, ..Spring::linear(4.0) }).expect("a gear");
    let wave_of = |amplitude, per_turn| ErrorWave { amplitude, per_turn, phase: 0.3 };
    let error = Some(KinematicError { of_second: true, waves: vec![wave_of(0.2, 2.0), wave_of(-0.1, 3.0)] });
    system.spring("wobble", a, c, Spring { error, ratio: 1.5, damping: 0.4, ..Spring::linear(6.0) }).expect("a gear");
    let error = Some(KinematicError { of_second: true, waves: vec![wave_of(0.3, 2.0)] });
    system.spring("cam", b, belt, Spring { error, ratio: 0.5, damping: 0.1, ..Spring::linear(2.0) }).expect("a gear");
    system.force("f", c, wave()).expect("a force");
    system.contact("ab", a, b, contact("lugre").with_load(Load::Signal(wave()))).expect("a contact");
    let loss = contact("stribeck-tanh").with_load(Load::Spring { name: "k".to_owned(), gain: 0.6 });
    system.contact("loss", c, GROUND, loss).expect("a contact");
    system.contact("ride", c, belt, contact("stribeck")).expect("a contact");
    check("free", &system, &[]);
    // one body sticks to the belt: its reaction does work
    check("held", &system, &[2]);
    let plant = Plant::CartPendulum { cart: 1.3, mass: 0.4, length: 0.5, inertia: 0.01, gravity: 9.81 };
    let mut system = System::new();
    let nodes = system.plant("p", plant, &[], &[]).expect("a plant");
    let belt = system.motion("belt", wave(), false).expect("a motion");
    system.contact("ride", nodes[0], belt, contact("stribeck")).expect("a contact");
    check("plant on a belt", &system, &[0]);
}

#[test]
fn also_with_a_lossy_gear() {
    let curve = || Efficiency::Curve(Curve::cubic(vec![0.0, 0.1, 0.4], vec![0.5, 0.6, 0.9]).expect("a curve"));
    for (forward, backward) in [(curve(), Efficiency::Constant(0.3)), (Efficiency::Constant(0.3), curve())] {
        for ratio in [1.7, -0.6] {
            let mut system = System::new();
            let [a, b, c] = ["a", "bb", "ccc"].map(|name| {
                system.body(name, Body { mass: 1.0 + name.len() as f64, ..Body::default() }).expect("a body")
            });
            let gear = LossyGear { ratio, forward: forward.clone(), backward: backward.clone() };
            system.lossy_gear("gear", a, b, gear).expect("a gear");
            system.spring("k", b, c, Spring { damping: 0.7, ..Spring::linear(3.0) }).expect("a spring");
            system.force("f", a, wave()).expect("a force");
            system.contact("rub", a, GROUND, contact("stribeck")).expect("a contact");
            system.contact("slide", a, c, contact("lugre").with_load(Load::Signal(wave()))).expect("a contact");
            check("gear", &system, &[]);
        }
    }
}
