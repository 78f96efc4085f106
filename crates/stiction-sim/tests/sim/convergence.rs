//! Convergence of every stepper across stick, slip, reversal and impact, against exact solutions.
//!
//! What slope to expect. An adaptive method of order p with an error estimate of order p − 1 has an estimate ∝ hᵖ, which the
//! controller keeps at the tolerance: h ∝ rtol^(1/p). The global error of the solution of order p is ∝ hᵖ, so ∝ rtol: slope 1. (`atol`
//! is a thousandth of `rtol` throughout.) On linear equations that do not depend on time Rodas5P is of order 6, because its stability
//! function agrees with the exponential function up to z⁶: slope 6/5. An event does not change that if it is located as accurately as
//! the step itself is. The Taylor series has no error but rounding. A method without events makes an error ∝ h in the step that contains one; the slopes that
//! follow stand beside those tests.
//!
//! The book's page docs/numerics/convergence.md shows the numbers; each test compares them with what it measures.
use crate::order::slope;
use crate::power_series::{Block, EventCounts};
use crate::{contact, law, ramp, skip};
use stiction_sim::sim::batch::Ensemble;
use stiction_sim::sim::{IntegrationMethod, NullObserver, Probe, Simulation, SimulationOptions, SolverStatistics};
use stiction_sim::system::{Body, Contact, GROUND, Signal, Spring, System};

/// Tolerances over which a slope is fitted. At 1e-11 the rounding of some exact solutions begins to show.
const TOLERANCES: [f64; 7] = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];

/// Steps of methods with a fixed step \[s\].
const STEPS: [f64; 5] = [1.6e-2, 8e-3, 4e-3, 2e-3, 1e-3];

/// The largest error over some problems at each tolerance or step.
struct ConvergenceStudy {
    /// As in the first column of the book's table.
    name: &'static str,
    /// Tolerances or steps.
    sizes: Vec<f64>,
    errors: Vec<f64>,
    expected: f64,
}

impl ConvergenceStudy {
    fn new(name: &'static str, expected: f64, sizes: &[f64], error: impl FnMut(f64) -> f64) -> Self {
        Self { name, sizes: sizes.to_vec(), errors: sizes.iter().copied().map(error).collect(), expected }
    }
    /// Checks the slope against the expected one, and the numbers against the row of the book's table.
    #[track_caller]
    fn check(&self, allowed: f64) {
        let mut errors = self.errors.iter();
        let slope = slope(&self.sizes, |_| *errors.next().expect("an error for each size"));
        let shown: Vec<f64> = self.errors.iter().copied().step_by(2).collect();
        let cells: String = shown.iter().map(|e| format!(" {e:.0e} |")).collect();
        eprintln!("| {} | {} | {slope:.2} |{cells}", self.name, self.expected);
        assert!((slope - self.expected).abs() < allowed, "{}: slope {slope} for {}", self.name, self.expected);
        let page = include_str!("../../../../docs/numerics/convergence.md");
        let begin = format!("| {} |", self.name);
        let row = page.lines().find(|line| line.starts_with(&begin)).unwrap_or_else(|| panic!("no row '{begin}'"));
        let cells: Vec<f64> = row.split('|').skip(3).filter_map(|cell| cell.trim().parse().ok()).collect();
        assert_eq!(cells.len(), 2 + shown.len(), "{row}");
        // processors round differently, which moves events and with them single errors, and the slope a little; the exact solutions are
        // themselves rounded to about 2e-13
        assert!((cells[1] - slope).abs() < 0.1, "{row}: slope {slope}");
        for (cell, error) in cells[2..].iter().zip(&shown) {
            let [cell, error] = [cell.max(2e-13), error.max(2e-13)];
            assert!(cell < 3.0 * error && error < 3.0 * cell, "{row}: {error:e}");
        }
    }
}

/// The largest error of position and velocity of blocks that are simulated, together with the statistics.
fn error_of(blocks: &[Block], end: f64, system: &System, options: &SimulationOptions) -> (f64, SolverStatistics) {
    let options = SimulationOptions { end, sample: end, ..options.clone() };
    let summary = Simulation::new(system).expect("a system").run(&options, &mut NullObserver).expect("a run");
    let mut worst = 0.0_f64;
    for (i, block) in blocks.iter().enumerate() {
        let ([x, v], _) = block.solve(end);
        let last = |k: &str| summary.last(&format!("b{i}.{k}")).expect("a column");
        worst = worst.max((last("x") - x).abs()).max((last("v") - v).abs());
    }
    (worst, summary.stats)
}

/// A system of one block.
fn alone(block: &Block, is_linear: bool) -> System {
    let mut system = System::new();
    block.build(&mut system, 0, is_linear);
    system
}

/// All events of some problems.
fn count(blocks: &[Block], end: f64) -> EventCounts {
    blocks.iter().map(|block| block.solve(end).1).fold(EventCounts::default(), |sum, one| EventCounts {
        sticks: sum.sticks + one.sticks,
        slips: sum.slips + one.slips,
        reversals: sum.reversals + one.reversals,
        impacts: sum.impacts + one.impacts,
    })
}

fn tolerance(rtol: f64) -> SimulationOptions {
    SimulationOptions { rtol, ..SimulationOptions::default() }
}

/// A block that swings on a spring until it sticks, and is then pulled along.
fn swinging(fv: f64) -> Vec<Block> {
    let make =
        |i| Block { stiffness: 10.0 + 1.5 * f64::from(i), wall: 1.0, slope: 0.5, start: 4.0, fv, ..Block::default() };
    (0..6).map(make).collect()
}

/// A block that a sine moves to and fro: at small amplitudes with rests, at large ones without.
fn pushed(fv: f64) -> Vec<Block> {
    (0..6).map(|i| Block { amplitude: 1.3 + 0.5 * f64::from(i), phase: 0.3, fv, ..Block::default() }).collect()
}

/// A block on a spring that strikes stops on both sides, swings freely, and sticks.
fn striking(fv: f64) -> Vec<Block> {
    let make = |i| Block {
        v: 3.7 + 0.13 * f64::from(i),
        stiffness: 10.0,
        reach: 0.5,
        restitution: 0.8,
        fv,
        ..Block::default()
    };
    (0..6).map(make).collect()
}

#[test]
fn the_taylor_stepper_has_no_error_but_rounding() {
    let blocks: Vec<Block> = swinging(0.0).into_iter().chain(pushed(0.0)).collect();
    let events = count(&blocks, 6.0);
    assert!(events.sticks > 5 && events.slips > 5 && events.reversals > 5, "{events:?}");
    for rtol in [1e-2, 1e-4, 1e-8, 1e-12] {
        for block in &blocks {
            let (error, stats) = error_of(&[*block], 6.0, &alone(block, true), &tolerance(rtol));
            assert_eq!(stats.taylor_steps, stats.steps, "{block:?}");
            // the exact solution rounds a velocity of some 3 m/s in each of its 300 pieces: 300 · 3 · 2e-16
            assert!(error < 2e-13, "{rtol:e}: {error:e}, {block:?}");
        }
    }
}

#[test]
fn the_single_contact_kernel_converges() {
    #[cfg(target_arch = "x86_64")]
    if !std::is_x86_feature_detected!("fma") {
        return skip("without fused products the kernel is not used");
    }
    let blocks = swinging(0.3);
    let events = count(&blocks, 6.0);
    assert!(events.sticks > 2 && events.slips > 2 && events.reversals > 5, "{events:?}");
    // below 1e-8 the errors are those of the rounding of the exact solutions
    let study = ConvergenceStudy::new("single-contact kernel, linear", 1.4, &TOLERANCES[..5], |rtol| {
        let one = |block: &Block| {
            let (error, stats) = error_of(&[*block], 6.0, &alone(block, false), &tolerance(rtol));
            // a rest is linear; a step after an event is taken outside of the kernel if the event had no length
            let nonlinear = stats.steps - stats.taylor_steps;
            assert!(stats.single_contact_steps > nonlinear / 2, "{stats:?}");
            error
        };
        blocks.iter().map(one).fold(0.0, f64::max)
    });
    study.check(0.15);
    let reference: Vec<f64> = blocks.iter().map(|block| curved(block, true, 1e-13)).collect();
    let study = ConvergenceStudy::new("single-contact kernel, curved", 1.2, &TOLERANCES, |rtol| {
        let one = |(block, exact): (&Block, &f64)| (curved(block, false, rtol) - exact).abs();
        blocks.iter().zip(&reference).map(one).fold(0.0, f64::max)
    });
    study.check(0.15);
}

/// The place of a block at 6 s on Stribeck's curve, for which there is no closed form. In two equal parts the law does not suit the
/// kernel, and the steps are those of fixed size.
fn curved(block: &Block, in_two_parts: bool, rtol: f64) -> f64 {
    let mut values = vec![("fc", 1.0), ("fs", 1.5), ("vs", 0.5), ("fv", 0.1)];
    if in_two_parts {
        values.push(("reverse.fc", 1.0));
    }
    let mut system = System::new();
    let node = system.body("block", Body::default()).expect("a body");
    system.contact("table", node, GROUND, contact("stribeck", &values)).expect("a contact");
    let wall = Signal::Ramp { offset: block.wall, slope: block.slope, start: block.start, end: f64::INFINITY };
    let wall = system.motion("wall", wall, false).expect("a motion");
    system.spring("spring", wall, node, Spring::linear(block.stiffness)).expect("a spring");
    let options = SimulationOptions { end: 6.0, sample: 6.0, ..tolerance(rtol) };
    let summary = Simulation::new(&system).expect("a system").run(&options, &mut NullObserver).expect("a run");
    let stats = summary.stats;
    assert_eq!(stats.single_contact_steps > (stats.steps - stats.taylor_steps) / 2, !in_two_parts, "{stats:?}");
    summary.last("block.x").expect("x")
}

#[test]
fn rosenbrock_steps_of_fixed_size_converge() {
    let (pushed, striking) = (pushed(0.3), striking(0.3));
    let events = count(&pushed, 9.0);
    assert!(events.sticks > 2 && events.slips > 2 && events.reversals > 5, "{events:?}");
    let events = count(&striking, 5.0);
    assert!(events.impacts > 5 && events.reversals > 5 && events.sticks > 2, "{events:?}");
    let study = |name, expected, blocks: &[Block], end| {
        ConvergenceStudy::new(name, expected, &TOLERANCES, |rtol| {
            let one = |block: &Block| {
                // one position and one velocity: a fixed size
                let (error, stats) = error_of(&[*block], end, &alone(block, false), &tolerance(rtol));
                assert!(stats.single_contact_steps == 0 && stats.steps > 2 * stats.taylor_steps, "{stats:?}");
                error
            };
            blocks.iter().map(one).fold(0.0, f64::max)
        })
    };
    study("Rodas5P, fixed size", 1.0, &pushed, 9.0).check(0.15);
    // linear, and without a force that depends on time
    study("Rodas5P, fixed size, impacts", 1.2, &striking, 5.0).check(0.15);
}

#[test]
fn rosenbrock_steps_of_any_size_converge() {
    // Five bodies, of which two pairs move alike: their springs join them in the Jacobian, and bear no force.
    let (pushed, striking) = (pushed(0.3), striking(0.3));
    let blocks = [pushed[0], pushed[0], pushed[2], striking[1], striking[1]];
    let mut system = System::new();
    for (i, block) in blocks.iter().enumerate() {
        block.build(&mut system, i, false);
    }
    for (name, a, b) in [("j0", "b0", "b1"), ("j1", "b3", "b4")] {
        let [a, b] = [a, b].map(|name| system.node(name).expect("a body"));
        system.spring(name, a, b, Spring { damping: 0.5, ..Spring::linear(7.0) }).expect("a spring");
    }
    // between 1, for the blocks pushed by a sine, and 6/5, for those on springs between stops
    let study = ConvergenceStudy::new("Rodas5P, any size", 1.1, &TOLERANCES, |rtol| {
        let (error, stats) = error_of(&blocks, 3.0, &system, &tolerance(rtol));
        assert!(stats.taylor_steps + stats.single_contact_steps + stats.log_speed_steps == 0, "{stats:?}");
        error
    });
    study.check(0.15);
}

/// Rate and state: there is no closed form. The reference is a run at the closest tolerance, on a law in two equal parts.
#[test]
fn steps_in_the_logarithm_of_the_speed_converge() {
    let granite = [("mu0", 0.6), ("a", 0.005), ("b", 0.01), ("dc", 1e-5), ("v0", 1e-6), ("normal", 5000.0)];
    let systems: Vec<System> = [1.0, 1e-3, 10.0]
        .into_iter()
        .map(|mass| {
            let mut system = System::new();
            let block = system.body("block", Body { mass, ..Body::default() }).expect("a body");
            let plate = system.motion("plate", ramp(5e-5), false).expect("a motion");
            system.spring("machine", plate, block, Spring::linear(1e6)).expect("a spring");
            system.contact("fault", block, GROUND, contact("dieterich", &granite)).expect("a contact");
            system
        })
        .collect();
    let at = |system: &System, rtol: f64| {
        let options = SimulationOptions { end: 150.0, sample: 150.0, ..tolerance(rtol) };
        let summary = Simulation::new(system).expect("a system").run(&options, &mut NullObserver).expect("a run");
        let stats = summary.stats;
        assert!(stats.log_speed_steps > stats.steps / 2, "{stats:?}");
        summary.last("block.x").expect("x")
    };
    let exact: Vec<f64> = systems.iter().map(|system| at(system, 1e-12)).collect();
    let study = ConvergenceStudy::new("logarithm of the speed", 1.0, &TOLERANCES[..5], |rtol| {
        let one = |(system, exact): (&System, &f64)| (at(system, rtol) / exact - 1.0).abs();
        systems.iter().zip(&exact).map(one).fold(0.0, f64::max)
    });
    study.check(0.15);
}

/// A block on bristles, pulled through a spring: slips, and reversals with the kink of |v| in the law.
fn bristles(stiffness: f64, in_two_parts: bool) -> System {
    let mut values = vec![("fc", 3.0), ("fs", 6.0), ("vs", 0.1), ("exponent", 1.0), ("sigma0", 1e3), ("sigma1", 63.2)];
    values.push(("sigma2", 0.0));
    if in_two_parts {
        values.push(("reverse.fc", 3.0));
    }
    let mut system = System::new();
    let block = system.body("block", Body::default()).expect("a body");
    let table = Contact::new(&law("lugre", &values)).expect("a contact");
    system.contact("table", block, GROUND, table).expect("a contact");
    let hand = system.motion("hand", ramp(2.0), false).expect("a motion");
    system.spring("pull", hand, block, Spring::linear(stiffness)).expect("a spring");
    system
}

#[test]
fn lanes_converge() {
    let stiffness = |i: u64| 2.0 + 0.2 * i as f64;
    let columns = ["block.x", "block.v"];
    let probes: Vec<Probe> = columns.iter().map(|c| Probe::Final { column: (*c).into() }).collect();
    let options = |rtol| SimulationOptions { end: 12.0, sample: 12.0, probes: probes.clone(), ..tolerance(rtol) };
    // the reference takes steps of fixed size, not those of the lanes
    let exact: Vec<Vec<f64>> = (0..6)
        .map(|i| {
            let system = bristles(stiffness(i), true);
            let summary = Simulation::new(&system).expect("a system").run(&options(1e-13), &mut NullObserver);
            let summary = summary.expect("a run");
            assert!(summary.stats.events > 3, "{:?}", summary.stats);
            columns.iter().map(|column| summary.last(column).expect("a column")).collect()
        })
        .collect();
    let study = ConvergenceStudy::new("lanes", 1.0, &TOLERANCES, |rtol| {
        let ensemble = Ensemble::new(&bristles(2.0, false), &options(rtol)).expect("a system").expect("lanes");
        let outcomes = ensemble.run_on(1, 0..6, &|i, numbers| ensemble.read(&bristles(stiffness(i), false), numbers));
        assert!(ensemble.attempts() > 0, "no lane has taken a step");
        let mut worst = 0.0_f64;
        for (outcome, exact) in outcomes.iter().zip(&exact) {
            let found = outcome.as_ref().expect("a run");
            worst = found.iter().zip(exact).map(|(a, b)| (a.expect("a value") - b).abs()).fold(worst, f64::max);
        }
        worst
    });
    study.check(0.15);
}

/// Blocks in motion from the start that reverse without a rest: what methods without events can do.
fn reversing() -> Vec<Block> {
    let make = |i| Block { v: 0.5, amplitude: 4.0 + 0.37 * f64::from(i), phase: 1.0, fv: 0.3, ..Block::default() };
    (0..12).map(make).collect()
}

/// The slope of an explicit method on problems with events.
fn explicit(
    name: &'static str,
    method: IntegrationMethod,
    expected: f64,
    sizes: &[f64],
    blocks: &[Block],
    end: f64,
) -> ConvergenceStudy {
    ConvergenceStudy::new(name, expected, sizes, |size| {
        let options = if method.is_adaptive() {
            SimulationOptions { method, ..tolerance(size) }
        } else {
            SimulationOptions { method, step: size, ..SimulationOptions::default() }
        };
        let one = |block: &Block| error_of(&[*block], end, &alone(block, false), &options).0;
        blocks.iter().map(one).fold(0.0, f64::max)
    })
}

/// The force jumps within a step: an error of the jump times a part of the step. A fixed step makes it ∝ h; an adaptive one is
/// repeated until its error is within the tolerance, so ∝ rtol.
#[test]
fn explicit_methods_converge_across_reversals() {
    use IntegrationMethod::{BogackiShampine, DormandPrince, Euler, Rk4};
    let blocks = reversing();
    let events = count(&blocks, 9.0);
    assert!(events.reversals > 20 && events.sticks == 0 && events.impacts == 0, "{events:?}");
    explicit("Euler", Euler, 1.0, &STEPS, &blocks, 9.0).check(0.25);
    explicit("Runge–Kutta of order 4", Rk4, 1.0, &STEPS, &blocks, 9.0).check(0.25);
    explicit("Bogacki–Shampine", BogackiShampine, 1.0, &TOLERANCES[..5], &blocks, 9.0).check(0.25);
    explicit("Dormand–Prince", DormandPrince, 1.0, &TOLERANCES, &blocks, 9.0).check(0.25);
}

/// First order in the step, by definition of the method; events are at the end of steps.
#[test]
fn the_network_method_converges() {
    let blocks: Vec<Block> = swinging(0.3).into_iter().chain(pushed(0.3)).collect();
    explicit("network", IntegrationMethod::Network, 1.0, &STEPS, &blocks, 6.0).check(0.15);
}
