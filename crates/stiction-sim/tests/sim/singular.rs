//! Laws without a bounded slope: rate and state over decades of speed, powers of the speed, Dahl's law with a shape below one.
use crate::{contact, ramp, sine};
use stiction_sim::sim::{RunSummary, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{Body, Contact, GROUND, Load, Signal, Spring, System};

fn run(system: &System, options: &SimulationOptions, max_steps: u64) -> RunSummary {
    // what would hang fails instead
    let options = SimulationOptions { max_steps, sample: options.end, ..options.clone() };
    Simulation::new(system).expect("a system").run(&options, &mut Trace::default()).expect("a run")
}

/// A block on granite, pulled through a spring as soft as it takes for stick-slip: the critical stiffness is 2.5e6 N/m.
fn laboratory(law: &str, mass: f64, speed: f64, swing: f64) -> System {
    let granite = [("mu0", 0.6), ("a", 0.005), ("b", 0.01), ("dc", 1e-5), ("v0", 1e-6), ("normal", 5000.0)];
    let mut fault: Contact = contact(law, &granite);
    if swing > 0.0 {
        let load = Signal::Sine { mean: 1.0, amplitude: swing, omega: 0.5, phase: 0.0 };
        fault = fault.with_load(Load::Signal(load));
    }
    let mut system = System::new();
    let block = system.body("block", Body { mass, ..Body::default() }).expect("a body");
    let plate = system.motion("plate", ramp(speed), false).expect("a motion");
    system.spring("machine", plate, block, Spring::linear(1e6)).expect("a spring");
    system.contact("fault", block, GROUND, fault).expect("a contact");
    system
}

/// A block that a sine pushes, on a contact of rate and state with its defaults.
fn pushed(law: &str, mass: f64, push: f64) -> System {
    let mut system = System::new();
    let block = system.body("block", Body { mass, ..Body::default() }).expect("a body");
    system.contact("table", block, GROUND, contact(law, &[])).expect("a contact");
    system.force("push", block, sine(push, 5.0)).expect("a force");
    system
}

#[test]
fn rate_and_state_under_a_swinging_load_runs_through_its_cycles() {
    let options = SimulationOptions { end: 1000.0, ..SimulationOptions::default() };
    let summary = run(&laboratory("dieterich", 1.0, 1e-5, 0.05), &options, 30_000);
    let x = summary.last("block.x").expect("x");
    // Radau's method of order 5 in asinh(v/c), c the law's own speed, with a time of two numbers, tolerance 1e-8; two dozen slips
    // at the default tolerance of 1e-8
    assert!((x / 7.434_385_212e-3 - 1.0).abs() < 1e-7, "{x}");
    assert!(summary.energy.error().abs() < 1e-8 * summary.energy.size(), "{:?}", summary.energy);
}

#[test]
fn rate_and_state_under_a_swinging_load_runs_for_every_mass_and_swing() {
    for law in ["dieterich", "ruina"] {
        for (mass, swing) in [(1e-6, 0.05), (1e-3, 0.2), (1.0, 0.01), (1e3, 0.1)] {
            let system = laboratory(law, mass, 5e-5, swing);
            let [loose, tight] = [1e-4, 1e-6].map(|rtol| {
                let options = SimulationOptions { end: 100.0, rtol, ..SimulationOptions::default() };
                run(&system, &options, 10_000).last("block.x").expect("x")
            });
            // some five slips, each of which shifts all that follow: ten times the tolerance at most
            assert!((loose / tight - 1.0).abs() < 1e-3, "{law}, {mass} kg, {swing}: {loose}, {tight}");
        }
    }
}

/// Place of the block after 3e7 s \[m\].
const YEAR: f64 = 2.681_424_3e-2;

#[test]
fn a_plate_of_a_nanometre_a_second_slips_for_a_year() {
    let options = SimulationOptions { end: 3e7, rtol: 1e-6, ..SimulationOptions::default() };
    let summary = run(&laboratory("dieterich", 1.0, 1e-9, 0.0), &options, 40_000);
    let x = summary.last("block.x").expect("x");
    // the same method at 1e-7; some ten slips, each of which may be off by the tolerance of 1e-6
    assert!((x / YEAR - 1.0).abs() < 1e-5, "{x}");
    assert!(summary.energy.error().abs() < 1e-6 * summary.energy.size(), "{:?}", summary.energy);
}

#[test]
fn a_swinging_force_on_rate_and_state_moves_light_bodies_alike() {
    for law in ["dieterich", "ruina"] {
        // creep, in which forces balance: without inertia all masses move alike
        let [micro, milli] = [1e-6, 1e-3].map(|mass| {
            let options = SimulationOptions { end: 2.0, rtol: 1e-7, ..SimulationOptions::default() };
            run(&pushed(law, mass, 0.59), &options, 10_000).last("block.x").expect("x")
        });
        // a few nanometres to and fro, of which a part remains; speeds below 1e-13 m/s count as rest
        assert!(micro > 1e-10 && (micro - milli).abs() < 1e-13, "{law}: {micro:e}, {milli:e}");
        // beyond its level it runs away and comes back
        for rtol in [1e-4, 1e-6] {
            let options = SimulationOptions { end: 2.0, rtol, ..SimulationOptions::default() };
            let summary = run(&pushed(law, 1e-6, 0.65), &options, 10_000);
            let energy = summary.energy;
            // some thousand steps, each of which may be off by the tolerance
            assert!(energy.error().abs() < 1e3 * rtol * energy.size(), "{law}, {rtol:e}: {energy:?}");
        }
    }
}

#[test]
fn a_shaken_table_is_a_shaken_block() {
    // on a table at A sin ωt a block of mass m moves as under the force m A ω² sin ωt on a table at rest
    let (amplitude, omega, mass) = (0.002, 5.0, 100.0);
    let options = SimulationOptions { end: 1.5, ..SimulationOptions::default() };
    let mut shaken = System::new();
    let block = shaken.body("block", Body { mass, ..Body::default() }).expect("a body");
    let table = shaken.motion("table", sine(amplitude, omega), false).expect("a motion");
    shaken.contact("foot", block, table, contact("dieterich", &[])).expect("a contact");
    let summary = run(&shaken, &options, 10_000);
    let relative = summary.last("block.x").expect("x") - summary.last("table.x").expect("x");
    let mut pushed = System::new();
    let start = Body { mass, v: -amplitude * omega, ..Body::default() };
    let block = pushed.body("block", start).expect("a body");
    pushed.contact("foot", block, GROUND, contact("dieterich", &[])).expect("a contact");
    pushed.force("push", block, sine(mass * amplitude * omega * omega, omega)).expect("a force");
    let x = run(&pushed, &options, 10_000).last("block.x").expect("x");
    // a thousand steps at 1e-8 of a millimetre
    assert!((relative - x).abs() < 1e-9, "{relative} for {x}");
}

#[test]
fn stacked_contacts_of_rate_and_state_share_what_they_creep() {
    let mut system = System::new();
    let block = system.body("block", Body::default()).expect("a body");
    let plate = system.body("plate", Body { mass: 1e-3, ..Body::default() }).expect("a body");
    system.contact("upper", block, plate, contact("dieterich", &[])).expect("a contact");
    system.contact("lower", plate, GROUND, contact("dieterich", &[])).expect("a contact");
    // 0.62 N are more than the level of 0.6 N: it creeps faster and faster, but slowly at first
    system.force("push", block, Signal::Constant(0.62)).expect("a force");
    let options = SimulationOptions { end: 0.5, rtol: 1e-6, ..SimulationOptions::default() };
    let summary = run(&system, &options, 10_000);
    let [upper, lower] = ["upper.v", "lower.v"].map(|name| summary.last(name).expect("v"));
    // the same law under the same force: a light plate does not share it unevenly
    assert!(lower > 0.0 && (upper / lower - 1.0).abs() < 1e-2, "{upper:e}, {lower:e}");
}

/// A body that a spring holds to the ground, on a table that swings, and Dahl's law between them.
fn carried(shape: f64) -> System {
    let mut system = System::new();
    let b = system.body("b", Body { mass: 0.7, x: -0.05, ..Body::default() }).expect("a body");
    let table = system.motion("table", sine(0.05, 5.0), false).expect("a motion");
    let law = contact("dahl", &[("shape", shape), ("fc", 2.25), ("sigma", 5e4)]);
    system.contact("c", b, table, law).expect("a contact");
    system.spring("s", b, GROUND, Spring::linear(140.0)).expect("a spring");
    system
}

#[test]
fn dahl_with_shape_half_is_carried_at_its_limit() {
    for shape in [0.2, 0.5, 0.8] {
        let speeds = [1e-5, 1e-7, 1e-11].map(|rtol| {
            let options = SimulationOptions { end: 2.0, rtol, ..SimulationOptions::default() };
            // fifty reversals; it took millions of steps
            run(&carried(shape), &options, 20_000).last("b.v").expect("v")
        });
        let [loose, tight, exact] = speeds;
        // some fifty reversals, after each of which the stiff bristle swings
        assert!((loose - exact).abs() < 1e-3 * exact.abs(), "{shape}: {speeds:?}");
        assert!((tight - exact).abs() < 1e-5 * exact.abs(), "{shape}: {speeds:?}");
    }
}

#[test]
fn dahl_with_a_shape_below_one_loses_the_energy_of_its_loop() {
    // moved by 2·amplitude from its limit to the other one: with y = 1 − F/fc over the travel s, dy/ds = −y^i·sigma/fc from y = 2 on, the
    // force falls short of fc by fc·∫y ds = fc²/sigma·2^(2−i)/(2−i) in each direction
    let (fc, sigma, amplitude) = (1.0, 1e4, 5e-4);
    for shape in [0.3, 0.5, 0.8] {
        let mut system = System::new();
        let position = Signal::Sine { mean: 0.0, amplitude, omega: 3.0, phase: std::f64::consts::FRAC_PI_2 };
        let hand = system.motion("hand", position, false).expect("a motion");
        let law = contact("dahl", &[("shape", shape), ("fc", fc), ("sigma", sigma)]);
        system.contact("c", hand, GROUND, law).expect("a contact");
        let period = std::f64::consts::TAU / 3.0;
        for rtol in [1e-5, 1e-7, 1e-9] {
            let [one, two] = [1.0, 2.0].map(|periods| {
                let options = SimulationOptions { end: periods * period, rtol, ..SimulationOptions::default() };
                run(&system, &options, 10_000).energy.friction
            });
            let exact = 2.0 * fc * (2.0 * amplitude - fc / sigma * 2.0_f64.powf(2.0 - shape) / (2.0 - shape));
            // the energy of a step is as accurate as its states, and the limit is reached in every stroke
            assert!(((two - one) / exact - 1.0).abs() < 10.0 * rtol, "{shape} {rtol:e}: {} for {exact}", two - one);
        }
    }
}
