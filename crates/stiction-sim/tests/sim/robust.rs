//! Random systems, random options: never a panic, a hang, or a NaN without an error.

use crate::random::Tape;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use stiction_sim::SimError;
use stiction_sim::Spec;
use stiction_sim::SystemError;
use stiction_sim::sim::{Event, IntegrationMethod, Observer, SimErrorKind, Simulation, SimulationOptions};
use stiction_sim::system::{
    Actuation, Body, Contact, Controller, Feedback, GROUND, Load, Measurement, Signal, Spring, System, SystemErrorKind,
};

/// Follows a run for so many steps, and looks at everything it is told.
struct Strict {
    left: u32,
    last: f64,
    wrong: Option<String>,
}
impl Strict {
    fn new(start: f64) -> Self {
        Self { left: 150, last: start, wrong: None }
    }
    fn clock(&mut self, what: &str, t: f64) {
        // rows between the steps may be rounded by the last bit
        if t.is_nan() || t < self.last - 1e-12 * t.abs().max(1e-3) {
            self.wrong = Some(format!("{what} at {t} after {}", self.last));
        }
        self.last = t;
    }
}
impl Observer for Strict {
    fn row(&mut self, row: &[f64]) {
        self.clock("row", row[0]);
        if let Some(i) = row.iter().position(|x| !x.is_finite()) {
            self.wrong = Some(format!("column {i} is {} at {}", row[i], row[0]));
        }
    }
    fn event(&mut self, event: &Event) {
        self.clock("event", event.t);
    }
    fn should_continue(&mut self, _: f64) -> bool {
        self.left -= 1;
        self.left > 0 && self.wrong.is_none()
    }
}

fn check(tape: &[u16], method: IntegrationMethod) -> Result<(), String> {
    let mut tape = Tape::new(tape);
    let options = tape.options(method);
    let options = SimulationOptions { end: options.start + 1.0, ..options };
    let system = tape.system();
    let Ok(simulation) = Simulation::new(&system) else { return Ok(()) };
    let mut watch = Strict::new(options.start);
    let result = simulation.run(&options, &mut watch);
    let told = |wrong: String| format!("{wrong} with {options:?}:\n{}\n", tape.story.join("\n"));
    if let Some(wrong) = watch.wrong {
        return Err(told(wrong));
    }
    match result {
        Ok(summary) => {
            let energy = summary.energy;
            let sum = energy.work + energy.friction + energy.damping + energy.impact + energy.before + energy.after;
            if sum.is_finite() { Ok(()) } else { Err(told(format!("{energy:?}"))) }
        }
        // a run may fail for a reason, if it says which
        Err(SimError::Run { kind: SimErrorKind::InvalidOption { .. } | SimErrorKind::UnknownProbe { .. }, .. }) => {
            Err("options".into())
        }
        Err(SimError::Run { t, .. }) if t.is_finite() => Ok(()),
        Err(SimError::System(SystemError { kind: SystemErrorKind::UnsupportedInNetwork { .. }, .. }))
            if !method.supports_all_components() =>
        {
            Ok(())
        }
        Err(error) => Err(told(error.to_string())),
    }
}

fn robust(method: IntegrationMethod, cases: u32) {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 1500, ..Config::default() };
    let strategy = prop::collection::vec(any::<u16>(), 0..120);
    let result = TestRunner::new_with_rng(config, rng)
        .run(&strategy, |tape| check(&tape, method).map_err(|wrong| TestCaseError::fail(format!("{wrong}{tape:?}"))));
    result.unwrap_or_else(|error| panic!("{}: {error}", method.name()));
}

#[test]
fn the_event_driven_method_is_robust() {
    robust(IntegrationMethod::Rodas5P, 150);
}

#[test]
fn the_explicit_methods_are_robust() {
    for method in IntegrationMethod::ALL.into_iter().filter(|method| !method.has_events()) {
        robust(method, 30);
    }
}

#[test]
fn the_network_method_is_robust() {
    // its steps are of fixed length and many: fewer systems where they are slow
    robust(IntegrationMethod::Network, if cfg!(debug_assertions) { 60 } else { 150 });
}

/// A unit mass with a contact of this law, in one of the things that people do to it.
fn everyday(law: &str, what: &str, start: f64) -> System {
    let contact = || Contact::new(&Spec::new(law).expect("a law")).expect("a contact");
    let sine = |mean, amplitude, omega| Signal::Sine { mean, amplitude, omega, phase: 0.0 };
    // a level that makes this law slide
    let push = if law == "hysteresis" { 180.0 } else { 3.0 };
    let mut system = System::new();
    let v = if what == "slides to rest" { 0.5 } else { 0.0 };
    let block = system.body("block", Body { v, ..Body::default() }).expect("a body");
    match what {
        "slides to rest" => {}
        "pulled" => {
            let ramp = Signal::Ramp { offset: 0.0, slope: 0.1, start, end: f64::INFINITY };
            let hand = system.motion("hand", ramp, false).expect("a motion");
            system.spring("spring", block, hand, Spring::linear(10.0 * push)).expect("a spring");
        }
        "carried" => system.spring("spring", block, GROUND, Spring::linear(2.0 * push)).expect("a spring"),
        "servo" => {
            let pid = Feedback {
                gains: vec![30.0, 6.0],
                ki: 4.0,
                reference: Signal::Step { at: start + 0.1, before: 0.0, after: 0.5 },
                extra: Signal::Constant(0.0),
                friction: None,
            };
            let measures = vec![Measurement::Position(block), Measurement::Velocity(block)];
            let controller = Controller::Continuous(Box::new(pid));
            system.control("servo", controller, measures, Actuation::Force(block)).expect("a controller");
        }
        _ => system.force("push", block, sine(0.0, push, 5.0)).expect("a force"),
    }
    match what {
        "carried" => {
            let belt = system.motion("belt", sine(0.0, 0.1, 5.0), false).expect("a motion");
            system.contact("table", block, belt, contact()).expect("a contact");
        }
        // the load goes through zero, and stays below it for a while
        "load" => {
            let load = Load::Signal(sine(0.5, 1.0, 7.0));
            system.contact("table", block, GROUND, contact().with_load(load)).expect("a contact");
        }
        "stacked" => {
            let plate = system.body("plate", Body { mass: 0.5, ..Body::default() }).expect("a body");
            system.contact("upper", block, plate, contact()).expect("a contact");
            system.contact("lower", plate, GROUND, contact()).expect("a contact");
        }
        _ => system.contact("table", block, GROUND, contact()).expect("a contact"),
    }
    system
}

/// Every law with its defaults, early and late: no trouble at all, and the energy audit closes.
#[test]
fn every_law_runs_in_everyday_systems() {
    let mut failed = Vec::new();
    for entry in stiction_core::models::ALL {
        for what in ["slides to rest", "pushed to and fro", "pulled", "load", "stacked", "carried", "servo"] {
            for start in [0.0, 1e5] {
                let system = everyday(entry.name, what, start);
                let rtol = 1e-6;
                let options =
                    SimulationOptions { start, end: start + 0.5, rtol, sample: 0.1, ..SimulationOptions::default() };
                // a brush of bristles snaps thousands of times: a part of the run will do
                let left = if entry.name == "bristle" { 200 } else { 2500 };
                let mut watch = Strict { left, ..Strict::new(start) };
                let result = Simulation::new(&system).expect("a system").run(&options, &mut watch);
                let wrong = match result {
                    Err(error) => Some(error.to_string()),
                    Ok(summary) if !summary.complete && entry.name != "bristle" => {
                        Some(format!("slow at {}", summary.t))
                    }
                    Ok(summary) => {
                        let energy = summary.energy;
                        let size = energy.work.abs() + energy.friction.abs() + energy.before.abs() + energy.after.abs();
                        // up to 2500 steps, each of which may be off by the tolerance
                        let bad = energy.error().abs() > 1e3 * rtol * size.max(1e-6);
                        bad.then(|| format!("energy is off by {} of {size}", energy.error()))
                    }
                };
                failed
                    .extend(wrong.or(watch.wrong).map(|wrong| format!("{} {what} from {start}: {wrong}", entry.name)));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
