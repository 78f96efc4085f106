//! Laws whose force has a narrow hump or a narrow dip at a middle speed: no step may pass over it.
use crate::machine::{last, run};
use std::path::Path;
use stiction::LawFile;
use stiction::sim::{NullObserver, Simulation, SimulationOptions};
use stiction::system::{Body, Contact, GROUND, Signal, System};

const BRAKED: &str = "[run]
end = 2
[body.b0]
mass = 1
v = 1
[contact.c0]
between = ['b0', 'ground']
force = 'fc*sign(v) + h*exp(-((abs(v) - vm)/w)^2)*sign(v)'
fc = 0.4
h = 4
vm = 0.5
w = 0.004
";

/// The time from speed `from` to `to` under a force per mass that depends on the speed alone, by Gauss's rule on intervals that grow from the
/// `centre` of a hump of this `width` on.
fn time(rate: impl Fn(f64) -> f64, [from, to]: [f64; 2], centre: f64, width: f64) -> f64 {
    let mut ends = vec![from, to];
    let mut reach = 0.05 * width;
    while reach < 2.0 {
        ends.extend([centre - reach, centre + reach]);
        reach += 0.05 * reach.max(width);
    }
    let (low, high) = (from.min(to), from.max(to));
    ends.retain(|v| (low..=high).contains(v));
    ends.sort_by(f64::total_cmp);
    let nodes = [(0.0, 8.0 / 9.0), (0.6_f64.sqrt(), 5.0 / 9.0), (-0.6_f64.sqrt(), 5.0 / 9.0)];
    let piece = |ends: &[f64]| {
        let (middle, half) = (0.5 * (ends[0] + ends[1]), 0.5 * (ends[1] - ends[0]));
        nodes.iter().map(|(x, w)| w * half / rate(middle + half * x).abs()).sum::<f64>()
    };
    ends.windows(2).map(piece).sum()
}

/// `m v' = -F(v)`: the speed at the end is the one to which the motion takes the time of the run.
#[test]
fn a_narrow_hump_of_friction_at_a_middle_speed_is_not_passed_over() {
    for (centre, width, height) in
        [(0.5, 0.004, 4.0), (0.5, 4e-5, 4e3), (0.731, 1e-7, 4e4), (0.6, 0.3, 0.05), (0.47, 1e-3, -0.39)]
    {
        let force = |v: f64| 0.4 + height * (-((v - centre) / width).powi(2)).exp();
        let text = BRAKED
            .replace("vm = 0.5", &format!("vm = {centre}"))
            .replace("w = 0.004", &format!("w = {width}"))
            .replace("h = 4", &format!("h = {height}"));
        // alone, and beside another body, by the steps for every system
        for text in [
            text.clone(),
            format!("{text}[body.b1]\nmass = 1\n[spring.s1]\nbetween = ['b1', 'ground']\nstiffness = 3\n"),
        ] {
            let (_, summary) = run(&text);
            let took = time(force, [1.0, last(&summary, "b0.v")], centre, width);
            // the errors of some tens of steps at 1e-9, and of the rule
            assert!((took - 2.0).abs() < 1e-6, "{centre}, {width}, {height}: {took} s");
        }
    }
}

/// Driven through it, and with other values in reverse, which alone have the hump.
#[test]
fn a_narrow_hump_is_met_from_below_and_in_reverse() {
    let driven = BRAKED.replace("v = 1\n", "v = -0.2\n").replace("h = 4", "h = 1.2").replace("end = 2", "end = 1.2")
        + "reverse.h = 1.3\n[force.f0]\non = 'b0'\nforce = -2\n";
    let (_, summary) = run(&driven);
    let rate = |v: f64| 2.0 - 0.4 - 1.3 * (-((v - 0.5) / 0.004_f64).powi(2)).exp();
    let took = time(rate, [0.2, -last(&summary, "b0.v")], 0.5, 0.004);
    assert!((took - 1.2).abs() < 1e-6, "{took} s");
}

/// The tip between two points of a table, against steps that are too short to miss it.
#[test]
fn a_tip_in_a_table_is_not_passed_over() {
    let points = [[0.0, 0.4], [0.49, 0.4], [0.5, 4.4], [0.51, 0.4], [2.0, 0.4]];
    let text = BRAKED.split("force =").next().expect("a beginning").to_owned() + &format!("table = {points:?}\n");
    let (_, summary) = run(&text);
    let (_, short) = run(&text.replace("end = 2", "end = 2\nmax_step = 1e-4"));
    let [found, wanted] = [&summary, &short].map(|summary| last(summary, "b0.v"));
    assert!((found - wanted).abs() < 1e-7 && wanted < 0.19, "{found} for {wanted}");
}

/// The steady force of a bristle has the hump; its deflection follows it within micrometres.
#[test]
fn a_narrow_hump_of_a_bristle_is_not_passed_over() {
    let law = LawFile::parse(
        r#"
        name = "humped-bristle"
        summary = "A bristle with a hump in its steady force"
        [params]
        fc = { unit = "N", default = 0.4, min = 1e-9, max = 1e9 }
        h = { unit = "N", default = 4, min = 1e-9, max = 1e9 }
        vm = { unit = "m/s", default = 0.5, min = 1e-9, max = 1e9 }
        w = { unit = "m/s", default = 0.004, min = 1e-9, max = 1e9 }
        sigma = { unit = "N/m", default = 1e7, min = 1, max = 1e12 }
        [states]
        z = "m"
        [equations]
        rate.z = "v - sigma*abs(v)*z/(fc + h*exp(-((abs(v) - vm)/w)^2))"
        force = "load*sigma*z"
        "#,
        Path::new("humped-bristle.toml"),
    )
    .expect("a law");
    let mut system = System::new();
    let body = system.body("b0", Body { v: 1.0, ..Body::default() }).expect("a body");
    system.contact("c0", body, GROUND, Contact::new(&law.spec()).expect("a contact")).expect("a contact");
    system.force("f0", body, Signal::Constant(0.0)).expect("a force");
    let options = SimulationOptions { end: 2.0, rtol: 1e-9, ..SimulationOptions::default() };
    let summary = Simulation::new(&system).expect("a system").run(&options, &mut NullObserver).expect("a run");
    let force = |v: f64| 0.4 + 4.0 * (-((v - 0.5) / 0.004_f64).powi(2)).exp();
    let took = time(force, [1.0, last(&summary, "b0.v")], 0.5, 0.004);
    // what the deflection of the bristle, below a micrometre, takes up of the momentum
    assert!((took - 2.0).abs() < 1e-4, "{took} s");
}

const DRIVEN: &str = "[run]
end = 1
rtol = 1e-9
[motion.m0]
position = { sine = { mean = 0, amplitude = 0.1, omega = 10, phase = 0 } }
[contact.c0]
between = ['m0', 'ground']
force = 'fc*sign(v) + h*exp(-((abs(v) - vm)/w)^2)*sign(v)'
fc = 0.4
h = 4
vm = 0.5
w = 0.0004
";

/// The work of a force that depends on the speed alone against the motion 0.1 sin 10t in a second: over the angle φ = 10t the speed is |cos φ|, and
/// dt = dφ/10. By Gauss's rule on intervals that grow from the angles at which the speed is `centre` on.
fn work_of_a_swing(force: impl Fn(f64) -> f64, centre: f64, width: f64) -> f64 {
    let mut ends = vec![0.0, 10.0];
    ends.extend((0..4).map(|k| (f64::from(k) + 0.5) * std::f64::consts::PI));
    for k in 0..7 {
        for angle in [centre.acos(), -centre.acos()].map(|angle| angle + f64::from(k) * std::f64::consts::PI) {
            let mut reach = 0.05 * width;
            while reach < 1.0 {
                ends.extend([angle - reach, angle + reach]);
                reach += 0.05 * reach.max(width);
            }
        }
    }
    ends.retain(|angle| (0.0..=10.0).contains(angle));
    ends.sort_by(f64::total_cmp);
    let nodes = [(0.0, 8.0 / 9.0), (0.6_f64.sqrt(), 5.0 / 9.0), (-0.6_f64.sqrt(), 5.0 / 9.0)];
    let piece = |ends: &[f64]| {
        let (middle, half) = (0.5 * (ends[0] + ends[1]), 0.5 * (ends[1] - ends[0]));
        let power = |angle: f64| force(angle.cos().abs()) * angle.cos().abs();
        nodes.iter().map(|(x, w)| w * half * power(middle + half * x)).sum::<f64>()
    };
    ends.windows(2).map(piece).sum::<f64>() / 10.0
}

/// A motion moves a contact across narrow humps of friction. No state but the energies shows it: 0.0181 J of 0.2627 J were missing. So it is for a body
/// that sticks to the motion and rubs against the ground, and beside another body that moves.
#[test]
fn the_work_of_a_driven_contact_contains_narrow_humps() {
    let carried = DRIVEN.replace("['m0', 'ground']", "['b0', 'ground']")
        + "[body.b0]\nmass = 1\nv = 1\n[contact.c1]\nbetween = ['b0', 'm0']\nlaw = 'coulomb'\nfc = 1000\n";
    let beside =
        format!("{DRIVEN}[body.b1]\nmass = 1\nx = 0.01\n[spring.s1]\nbetween = ['b1', 'ground']\nstiffness = 3\n");
    for (centre, width, height) in [(0.5, 4e-4, 4.0), (0.9, 1e-2, 1.0), (0.3, 1e-6, 100.0), (0.47, 1e-3, -0.39)] {
        let force = |v: f64| 0.4 + height * (-((v - centre) / width).powi(2)).exp();
        let wanted = work_of_a_swing(force, centre, width);
        for text in [DRIVEN, carried.as_str(), beside.as_str()] {
            let text = text
                .replace("vm = 0.5", &format!("vm = {centre}"))
                .replace("w = 0.0004", &format!("w = {width}"))
                .replace("h = 4", &format!("h = {height}"));
            let (_, summary) = run(&text);
            // the tolerance of 1e-9 for each of some hundred steps
            let error = (summary.energy.friction / wanted - 1.0).abs();
            assert!(error < 1e-7, "{centre}, {width}, {height}: {} J of {wanted} J", summary.energy.friction);
        }
    }
}
