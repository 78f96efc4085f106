//! Large networks: true stick, energy, agreement with the event-driven simulation, and what is published of the chain.
use crate::{contact, noise, ramp};
use stiction_sim::SimError;
use stiction_sim::sim::network::{BurridgeKnopoffChain, Network, SlipEvent};
use stiction_sim::sim::{NullObserver, SimErrorKind, Simulation, SimulationOptions};
use stiction_sim::system::{Body, GROUND, Signal, Spring, Stop, System};

/// Positions at `end` by the event-driven simulation, to ten digits.
fn exact(system: &System, bodies: usize, end: f64) -> Vec<f64> {
    let options = SimulationOptions { end, rtol: 1e-10, ..SimulationOptions::default() };
    let summary = Simulation::new(system).unwrap().run(&options, &mut NullObserver).unwrap();
    (0..bodies).map(|i| summary.last(&format!("b{i}.x")).unwrap()).collect()
}

/// The largest error of the positions at `end` with steps of `h`.
fn error(system: &System, exact: &[f64], end: f64, h: f64) -> f64 {
    let mut network = Network::new(system).unwrap();
    network.run_until(end, h, |_| {}).unwrap();
    assert_eq!(network.t(), end);
    network.positions().iter().zip(exact).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Observed order over a list of steps, each half the one before: the slope of the last halvings.
fn order(system: &System, bodies: usize, end: f64, h: f64) -> (f64, f64) {
    let wanted = exact(system, bodies, end);
    let errors: Vec<f64> = (0..5).map(|k| error(system, &wanted, end, h / f64::from(1 << k))).collect();
    ((errors[1] / errors[4]).log2() / 3.0, errors[4])
}

#[test]
fn what_holds_does_not_move_at_all() {
    let mut system = System::new();
    let belt = system.motion("belt", ramp(0.3), false).unwrap();
    let law = || contact("stribeck", &[("fs", 1.0), ("fc", 0.5), ("vs", 0.1), ("fv", 0.0)]);
    let mut before = None;
    for i in 0..30 {
        let node = system.body(&format!("b{i}"), Body::default()).unwrap();
        system.contact(&format!("f{i}"), node, GROUND, law()).unwrap();
        system.force(&format!("u{i}"), node, Signal::Constant(0.9)).unwrap();
        if let Some(before) = before.replace(node) {
            system.spring(&format!("k{i}"), before, node, Spring::linear(50.0)).unwrap();
        }
    }
    // one rides on a belt, and another on that one
    let rider = system.body("rider", Body { v: 0.3, ..Body::default() }).unwrap();
    system.contact("ride", rider, belt, law()).unwrap();
    let top = system.body("top", Body { v: 0.3, ..Body::default() }).unwrap();
    system.contact("stack", top, rider, law()).unwrap();
    system.force("push", top, Signal::Sine { mean: 0.0, amplitude: 0.4, omega: 1.0, phase: 0.0 }).unwrap();
    let mut network = Network::new(&system).unwrap();
    for _ in 0..2000 {
        network.step(0.05).unwrap();
        assert!(network.velocities()[..30].iter().all(|&v| v == 0.0));
        assert_eq!(network.velocities()[30..], [0.3, 0.3]);
        assert_eq!(network.contact("stack").unwrap().0, 0.0);
    }
    assert!(network.positions()[..30].iter().all(|&x| x == 0.0));
    // the belt's 0.3·100 m, summed up in 2000 roundings of 30
    assert!((network.positions()[30] - 30.0).abs() < 1e-11);
    // the contact with the belt carries the load on the body above
    let sum = network.contact("ride").unwrap().1 - 0.4 * network.t().sin();
    // the rounds of a step end within 1e-10 of their forces
    assert!(sum.abs() < 1e-9, "{sum}");
}

#[test]
fn energy_is_never_made() {
    // steps short and long; a law that falls steeply, bristles, and one contact between bodies
    for h in [1e-3, 0.05, 1.0] {
        for name in ["coulomb", "stribeck", "lugre", "gms"] {
            let mut system = System::new();
            let mut before = None;
            for i in 0..20 {
                let (x, v) = (0.1 * noise(i), noise(100 + i));
                let node = system.body(&format!("b{i}"), Body { x, v, ..Body::default() }).unwrap();
                system.contact(&format!("f{i}"), node, GROUND, contact(name, &[])).unwrap();
                if let Some(before) = before.replace(node) {
                    system
                        .spring(&format!("k{i}"), before, node, Spring { damping: 0.1, ..Spring::linear(100.0) })
                        .unwrap();
                    if i % 3 == 0 {
                        system.contact(&format!("g{i}"), before, node, contact("coulomb", &[("fc", 0.2)])).unwrap();
                    }
                }
            }
            let mut network = Network::new(&system).unwrap();
            let mut energy = network.energy();
            for k in 0..200 {
                network.step(h).unwrap();
                let after = network.energy();
                // what bristles have stored they may give back: half a newton times their microns
                let stored = if matches!(name, "lugre" | "gms") { 20.0 * 1e-4 } else { 0.0 };
                assert!(
                    // rounding of a sum over twenty bodies
                    after <= energy * (1.0 + 1e-12) + 1e-14 + stored,
                    "{name}, h = {h}, step {k}: {energy} to {after}"
                );
                energy = after;
            }
            assert!(energy.is_finite());
        }
    }
}

#[test]
fn one_block_slips_as_in_the_event_driven_simulation() {
    let system = BurridgeKnopoffChain {
        blocks: 1,
        alpha: 1.0,
        plate_speed: 0.1,
        roughness: 0.0,
        ..BurridgeKnopoffChain::default()
    }
    .system()
    .unwrap();
    // Loaded from rest, two slips, and at rest again. While slip grows, as at 30, so do errors, and steps of 0.02 do not
    // show the order yet.
    // the next term of the error bends the slope by some percent; a sixteenth of 0.02, times what errors have grown
    let (order, last) = order(&system, 1, 35.0, 0.02);
    assert!((order - 1.0).abs() < 0.03 && last < 0.006, "order {order}, error {last}");
}

#[test]
fn few_blocks_of_every_kind_converge_to_the_event_driven_simulation() {
    let mut system = System::new();
    let wall =
        system.motion("wall", Signal::Sine { mean: 0.0, amplitude: 1.0, omega: 2.0, phase: 0.0 }, false).unwrap();
    let body = |mass, v| Body { mass, v, ..Body::default() };
    let a = system.body("b0", body(1.0, 0.0)).unwrap();
    let b = system.body("b1", body(2.0, 0.5)).unwrap();
    let c = system.body("b2", body(0.5, 0.0)).unwrap();
    system.spring("drive", a, wall, Spring { damping: 0.2, ..Spring::linear(10.0) }).unwrap();
    system.spring("ab", a, b, Spring { rest: 0.1, ..Spring::linear(20.0) }).unwrap();
    system.spring("bc", b, c, Spring { damping: 0.1, ..Spring::linear(5.0) }).unwrap();
    system.force("u", c, Signal::Sine { mean: 0.2, amplitude: 1.0, omega: 3.0, phase: 0.5 }).unwrap();
    system.contact("fa", a, GROUND, contact("coulomb", &[("fc", 1.0)])).unwrap();
    system.contact("fb", b, c, contact("stribeck", &[("fs", 1.0), ("fc", 0.6), ("vs", 0.1), ("fv", 0.1)])).unwrap();
    // bristles that bend within a few steps: the impulse of their damping, σ1 times the bend, is lost on longer steps
    let bristles = [("fs", 0.5), ("fc", 0.4), ("sigma0", 500.0), ("sigma1", 3.0), ("vs", 0.05)];
    system.contact("fc", c, wall, contact("lugre", &bristles)).unwrap();
    let (order, last) = order(&system, 3, 6.0, 4e-3);
    // the same, and some steps more than elsewhere straddle a kink
    assert!((order - 1.0).abs() < 0.15 && last < 5e-3, "order {order}, error {last}");
}

#[test]
fn loading_costs_nothing_and_release_is_exact() {
    // the plate must move by one length: at 1e-9 that takes 1e9 units of time
    let system =
        BurridgeKnopoffChain { blocks: 1, plate_speed: 1e-9, roughness: 0.0, ..BurridgeKnopoffChain::default() }
            .system()
            .unwrap();
    let mut network = Network::new(&system).unwrap();
    let mut quakes: Vec<SlipEvent> = Vec::new();
    network.run_until(1.5e9, 0.01, |quake| quakes.push(*quake)).unwrap();
    // a slow drive lets slip grow from nothing, by e^{2αt}
    assert_eq!(quakes.len(), 1);
    // exact while all hold: rounding
    assert!((quakes[0].start / 1e9 - 1.0).abs() < 1e-12, "{:?}", quakes[0]);
    assert!(network.statistics().steps < 2000, "{:?}", network.statistics());
    // a block without friction would overshoot to twice the stretch
    assert!((1.0..2.0).contains(&quakes[0].moment), "{:?}", quakes[0]);
}

#[test]
fn a_window_gives_what_the_whole_chain_gives() {
    // the same chain, once with a contact that keeps it from resting: a far body that slides on a belt
    let chain = BurridgeKnopoffChain { blocks: 60, ..BurridgeKnopoffChain::default() };
    let (short, mut long) = (chain.system().unwrap(), chain.system().unwrap());
    let belt = long.motion("belt", ramp(1.0), false).unwrap();
    let far = long.body("far", Body { v: 1.0, ..Body::default() }).unwrap();
    long.contact("ride", far, belt, contact("coulomb", &[])).unwrap();
    let (mut a, mut b) = (Network::new(&short).unwrap(), Network::new(&long).unwrap());
    for _ in 0..12_000 {
        a.step(0.02).unwrap();
        b.step(0.02).unwrap();
        assert_eq!(a.positions(), &b.positions()[..60], "t = {}", a.t());
    }
    assert!(a.positions().iter().any(|x| x.abs() > 0.1));
    assert!(a.statistics().solved_rows * 2 < b.statistics().solved_rows);
}

#[test]
fn what_a_network_cannot_have_is_refused() {
    let mut system = BurridgeKnopoffChain { blocks: 3, ..BurridgeKnopoffChain::default() }.system().unwrap();
    let node = system.node("b0").unwrap();
    system.stop("wall", node, GROUND, Stop { lo: -1.0, hi: 1.0, restitution: 0.0 }).unwrap();
    let error = Network::new(&system).err().unwrap();
    assert_eq!(error.to_string(), "'wall': a network cannot have a stop");
    assert!(error.hint().is_some());
    let error = Network::new(&BurridgeKnopoffChain { blocks: 2, ..BurridgeKnopoffChain::default() }.system().unwrap())
        .unwrap()
        .step(0.0)
        .err()
        .unwrap();
    assert!(matches!(error, SimError::Run { .. }));
    assert!(BurridgeKnopoffChain { alpha: -1.0, ..BurridgeKnopoffChain::default() }.system().is_err());
}

#[test]
fn every_law_settles_in_a_random_network() {
    for entry in stiction_core::models::ALL {
        let mut system = System::new();
        let mut before = None;
        for i in 0..7 {
            let node = system.body(&format!("b{i}"), Body { v: noise(i), ..Body::default() }).unwrap();
            let ends = if i % 4 == 3 { before.unwrap_or(GROUND) } else { GROUND };
            system.contact(&format!("f{i}"), node, ends, contact(entry.name, &[])).unwrap();
            if let Some(before) = before.replace(node) {
                system.spring(&format!("k{i}"), before, node, Spring::linear(10f64.powf(3.0 * noise(50 + i)))).unwrap();
            }
            let push = Signal::Sine { mean: noise(20 + i), amplitude: 2.0, omega: 3.0, phase: 0.0 };
            system.force(&format!("u{i}"), node, push).unwrap();
        }
        // rate-and-state friction falls too steeply at creep for a long step: the solution is not unique
        let falls = matches!(entry.name, "dieterich" | "ruina" | "rate-state");
        for h in [1e-4, 1e-2] {
            let mut network = Network::new(&system).unwrap();
            for k in 0..20 {
                match network.step(h) {
                    Ok(_) => {}
                    Err(SimError::Run { kind: SimErrorKind::Chatter { .. }, .. }) if falls && h > 1e-3 => break,
                    Err(error) => panic!("{}, h = {h}, step {k}: {error}", entry.name),
                }
            }
            assert!(network.positions().iter().all(|x| x.is_finite()), "{}", entry.name);
        }
    }
}

/// Exponent of a density `m^{−1−b}` on `lo..hi`, by maximum likelihood, and how many there are.
fn exponent(moments: &[f64], lo: f64, hi: f64) -> (f64, usize) {
    let inside: Vec<f64> = moments.iter().filter(|m| (lo..hi).contains(*m)).map(|m| (m / lo).ln()).collect();
    let (mean, range) = (inside.iter().sum::<f64>() / inside.len() as f64, (hi / lo).ln());
    // the mean of ln(m/lo) falls with b
    let (mut low, mut high) = (1e-6, 20.0);
    for _ in 0..60 {
        let b: f64 = 0.5 * (low + high);
        if 1.0 / b - range / (b * range).exp_m1() > mean { low = b } else { high = b }
    }
    (low, inside.len())
}

/// (Carlson1991): the rate of quakes of magnitude ln M falls as e^{−b·ln M}, b about 1, from the slip of a few blocks up to
/// quakes that run away, of which there are more than the small ones would let expect. Their law and parameters, and the
/// plate stands still during a quake. What the steps take from waves would count as friction: at θ = 1 these chains gave
/// b = 0.80 with h = 0.02 and 0.89 with 0.005. At θ = ½ ten seeds gave 1.00 ± 0.06 with 0.02 and 0.99 ± 0.08 with 0.01, and
/// an independent program (explicit steps, the plate advanced by hand) 0.95 to 0.96. The limits are three of these
/// deviations: small quakes come in swarms, and whoever changes the arithmetic draws others.
#[test]
fn small_quakes_obey_the_power_law_of_carlson_and_langer() {
    let chain = BurridgeKnopoffChain {
        blocks: 100,
        wave_speed: 10.0,
        alpha: 3.0,
        stress_drop: 0.01,
        plate_speed: 1e-5,
        roughness: 0.01,
        seed: 1,
    };
    let run = |h| {
        let system = chain.system().unwrap();
        let mut network = Network::new(&system).unwrap().with_theta(0.5).unwrap();
        let mut moments = Vec::new();
        // the first quakes remember how the blocks lay
        let count = |quake: &SlipEvent| moments.extend((quake.start * chain.plate_speed > 3.0).then_some(quake.moment));
        network.run_until(18.0 / chain.plate_speed, h, count).unwrap();
        moments
    };
    let runs: [Vec<f64>; 2] = std::thread::scope(|scope| {
        let runs = [0.02, 0.01].map(|h| scope.spawn(move || run(h)));
        runs.map(|run| run.join().unwrap())
    });
    for moments in runs {
        // quakes of one, two and three blocks stand out one by one
        let (b, count) = exponent(&moments, 5.0 * chain.smallest_moment(), chain.runaway_moment());
        assert!((0.8..1.2).contains(&b) && count > 250, "exponent {b} of {count} quakes");
        // the same power would let less than one in two thousand of these run away
        let great = moments.iter().filter(|m| **m > chain.runaway_moment()).count();
        assert!(great > 10 && 100 * great > count, "{great} of {count}");
        // a quake can be no smaller than that of one block, but for what the steps miss of its half swing
        let least = moments.iter().copied().fold(f64::INFINITY, f64::min);
        assert!((least / chain.smallest_moment() - 1.0).abs() < 0.02, "{least} for {}", chain.smallest_moment());
    }
}

#[test]
fn half_way_springs_lose_nothing() {
    // no friction to speak of: a wave in a chain, whose energy the step at the end damps and the one half-way keeps
    let mut system = System::new();
    let mut before = None;
    for i in 0..10 {
        let node = system.body(&format!("b{i}"), Body { v: noise(i), ..Body::default() }).unwrap();
        system.contact(&format!("f{i}"), node, GROUND, contact("coulomb", &[("fc", 1e-9)])).unwrap();
        if let Some(before) = before.replace(node) {
            system.spring(&format!("k{i}"), before, node, Spring::linear(100.0)).unwrap();
        }
    }
    let kept = |theta: f64| {
        let mut network = Network::new(&system).unwrap().with_theta(theta).unwrap();
        let energy = network.energy();
        (0..1000).for_each(|_| assert!(network.step(0.01).is_ok()));
        network.energy() / energy
    };
    // friction of 1e-9 N takes 1e-8 of it, and the rounds of a step leave 1e-10 of its forces
    assert!((kept(0.5) - 1.0).abs() < 1e-7);
    assert!(kept(1.0) < 0.5);
    assert!(Network::new(&system).unwrap().with_theta(0.4).is_err());
}

#[test]
fn rate_and_state_from_rest_converges_to_the_event_driven_run() {
    for law in ["dieterich", "ruina"] {
        let mut system = System::new();
        let block = system.body("b0", Body::default()).expect("a body");
        let hand = system.motion("m", ramp(0.1), false).expect("a motion");
        system.spring("s", hand, block, Spring::linear(10.0)).expect("a spring");
        system.contact("c", block, GROUND, contact(law, &[])).expect("a contact");
        let right = exact(&system, 1, 1.0);
        let errors = [1e-3, 5e-4].map(|h| error(&system, &right, 1.0, h) / right[0]);
        // implicit Euler is of first order; the step is a thousandth of the time in which the body moves by itself
        assert!(errors[0] < 0.02 && errors[1] < 0.6 * errors[0], "{law}: {errors:?}");
    }
}
