//! Random systems from a tape of numbers: a shorter tape, or one with smaller numbers, is a simpler system, so that
//! what fails shrinks by itself.
use std::fmt::Debug;
use stiction_core::{models::ALL, registry::WRAPPERS};
use stiction_sim::sim::{IntegrationMethod, SimulationOptions};
use stiction_sim::system::{
    Actuation, Body, Contact, ContinuousController, Controller, ControllerInput, Curve, Feedback, GROUND, Load,
    Measurement, Node, Plant, SampledFeedback, Signal, Spring, Stop, System,
};
use stiction_sim::{ParameterGroup, SimError, Spec};

pub struct Tape<'a> {
    numbers: &'a [u16],
    /// What was made of them.
    pub story: Vec<String>,
}

impl<'a> Tape<'a> {
    pub fn new(numbers: &'a [u16]) -> Self {
        Self { numbers, story: Vec::new() }
    }
    fn next(&mut self) -> u16 {
        let Some((&first, rest)) = self.numbers.split_first() else { return 0 };
        self.numbers = rest;
        first
    }
    fn note(&mut self, what: impl Debug) {
        self.story.push(format!("{what:?}"));
    }
    fn pick(&mut self, n: usize) -> usize {
        usize::from(self.next()) % n
    }
    /// 0 to 1, with both ends and the middle as likely as all between.
    fn unit(&mut self) -> f64 {
        match self.next() {
            x if x % 8 == 0 => 0.0,
            x if x % 8 == 1 => 1.0,
            x if x % 8 == 2 => 0.5,
            x => f64::from(x) / 65535.0,
        }
    }
    fn within(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }
    /// By decades.
    fn decades(&mut self, lo: f64, hi: f64) -> f64 {
        lo * (hi / lo).powf(self.unit())
    }
    /// Zero, or a number of either sign up to `most`.
    fn signed(&mut self, most: f64) -> f64 {
        self.within(0.0, most) * [1.0, -1.0][self.pick(2)]
    }

    pub fn signal(&mut self, size: f64) -> Signal {
        match self.pick(8) {
            0 => Signal::Constant(0.0),
            1 => Signal::Constant(self.signed(size)),
            2 => Signal::Step { before: self.signed(size), after: self.signed(size), at: self.within(0.0, 1.0) },
            3 => {
                let start = self.within(0.0, 1.0);
                Signal::Ramp {
                    offset: self.signed(size),
                    slope: self.signed(4.0 * size),
                    start,
                    end: start + self.unit(),
                }
            }
            4 => {
                let omega = self.decades(0.1, 100.0);
                Signal::Sine { mean: self.signed(size), amplitude: self.signed(size), omega, phase: self.signed(3.0) }
            }
            5 => Signal::Chirp {
                amplitude: self.signed(size),
                omega: self.signed(20.0),
                rate: self.signed(10.0),
                phase: 0.0,
            },
            6 => {
                let x: Vec<f64> = (0..4).map(|i| 0.3 * f64::from(i)).collect();
                let y: Vec<f64> = (0..4).map(|_| self.signed(size)).collect();
                Signal::Table(
                    if self.pick(2) == 0 { Curve::linear(x, y) } else { Curve::cubic(x, y) }.expect("a curve"),
                )
            }
            _ => Signal::Sum(vec![self.signal(size), self.signal(size)]),
        }
    }

    /// Any law with any admissible parameters, near the defaults or anywhere, in any wrappers.
    pub fn law(&mut self) -> Spec {
        let entry = &ALL[self.pick(ALL.len())];
        let reach = [0.0, 3.0, 1e3, 1e30][self.pick(4)];
        let mut spec = Spec::new(entry.name).expect("a law");
        let mut set = |spec: &mut Spec, prefix: &str, params: &[stiction_core::Param]| {
            for p in params {
                let by = if reach == 0.0 { 1.0 } else { self.decades(1.0 / reach, reach) };
                let value = if p.default == 0.0 { self.unit() * p.max.min(reach) } else { p.default * by };
                let mut trial = spec.clone();
                let clamped = value.clamp(p.min, p.max);
                // a relation it does not keep leaves the default
                if trial.set(&format!("{prefix}{}", p.name), clamped).is_ok() && trial.check().is_ok() {
                    *spec = trial;
                }
            }
        };
        set(&mut spec, "", entry.params);
        let worn = self.pick(8);
        let set = |spec: &mut Spec, prefix: &str, params: &[stiction_core::Param], by: f64| {
            for p in params {
                let mut trial = spec.clone();
                let value = (p.default * by).clamp(p.min, p.max);
                if trial.set(&format!("{prefix}{}", p.name), value).is_ok() && trial.check().is_ok() {
                    *spec = trial;
                }
            }
        };
        if worn & 1 != 0 {
            set(&mut spec, "reverse.", entry.params, 0.7);
        }
        if worn & 2 != 0 {
            set(&mut spec, "load.", WRAPPERS[0].params, 1.1);
        }
        if worn & 4 != 0 {
            set(&mut spec, "noise.", WRAPPERS[1].params, 1.0);
        }
        self.note((entry.name, ParameterGroup::ALL.map(|part| spec.values(part)), worn));
        spec
    }

    fn spring(&mut self) -> Spring {
        let curve = match self.pick(4) {
            0 => Some(Curve::linear(vec![-0.1, 0.0, 0.05, 0.2], vec![-20.0, 0.0, 0.0, 30.0]).expect("a curve")),
            1 => Some(Curve::cubic(vec![-0.1, 0.0, 0.05, 0.2], vec![-20.0, 0.0, 5.0, 30.0]).expect("a curve")),
            _ => None,
        };
        let damping = [0.0, 1.0, 30.0][self.pick(3)];
        Spring { curve, damping, rest: self.signed(0.1), ..Spring::linear(self.decades(0.1, 1e5)) }
    }

    fn plant(&mut self) -> Plant {
        let (mass, length) = (self.decades(0.01, 10.0), self.decades(0.1, 2.0));
        let (inertia, gravity) = (self.within(0.0, 0.1), self.within(0.0, 9.81));
        match self.pick(3) {
            0 => Plant::Pendulum { mass, length, inertia, gravity },
            1 => Plant::CartPendulum { cart: self.decades(0.1, 10.0), mass, length, inertia, gravity },
            _ => Plant::Furuta { arm_inertia: self.decades(0.01, 1.0), arm: 0.3, mass, length, inertia, gravity },
        }
    }

    fn feedback(&mut self) -> Feedback {
        let friction = if self.pick(3) == 0 { Some((self.law().build().expect("a law"), 1)) } else { None };
        let feedback = Feedback {
            gains: vec![self.within(0.0, 100.0), self.within(0.0, 10.0)],
            ki: self.within(0.0, 10.0),
            reference: self.signal(0.3),
            extra: Signal::Constant(0.0),
            friction,
        };
        self.note(("feedback", &feedback.gains, feedback.ki, &feedback.reference));
        feedback
    }

    fn control(&mut self, system: &mut System, name: &str, on: Node, load: bool) -> Result<(), SimError> {
        let controller = match self.pick(3) {
            0 => Controller::Continuous(Box::new(self.feedback())),
            1 => {
                let signal = self.signal(2.0);
                self.note(("press", &signal));
                Controller::Continuous(Box::new(Press(signal)))
            }
            _ => {
                let period = self.decades(1e-3, 0.3);
                self.note(("period", period));
                Controller::Sampled { period, control: Box::new(SampledFeedback::new(self.feedback(), period)) }
            }
        };
        let measures = vec![Measurement::Position(on), Measurement::Velocity(on)];
        Ok(system.control(name, controller, measures, if load { Actuation::Load } else { Actuation::Force(on) })?)
    }

    /// A system. Parts that make no sense together are refused, and left out.
    pub fn system(&mut self) -> System {
        let mut system = System::new();
        let mut nodes = Vec::new();
        for i in 0..1 + self.pick(4) {
            let body = Body { mass: self.decades(0.1, 10.0), x: self.signed(0.1), v: self.signed(1.0), rotates: false };
            self.note(body);
            nodes.extend(system.body(&format!("b{i}"), body));
        }
        if self.pick(4) == 3 {
            let plant = self.plant();
            self.note(plant);
            nodes.extend(system.plant("plant", plant, &[0.5], &[]).unwrap_or_default());
        }
        if self.pick(3) == 2 {
            let ratio = [2.0, -0.5, 1.0][self.pick(3)];
            self.note(("gear", ratio));
            let _ = system.gear("gear", nodes[0], nodes[nodes.len() - 1], ratio);
        }
        let mut places = nodes.clone();
        places.push(GROUND);
        if self.pick(2) == 1 {
            let motion = self.signal(0.2);
            self.note(("motion", &motion));
            places.extend(system.motion("hand", motion, false));
        }
        let pair = |tape: &mut Self| {
            (nodes[tape.pick(nodes.len())], places[(tape.pick(places.len()) + nodes.len()) % places.len()])
        };
        for i in 0..self.pick(4) {
            let (a, b) = pair(self);
            let spring = self.spring();
            self.note((a, b, &spring));
            let _ = system.spring(&format!("s{i}"), a, b, spring);
        }
        let steers = self.pick(3);
        for i in 0..steers {
            let on = nodes[self.pick(nodes.len())];
            self.note(("control", on, if i == 1 { "load" } else { "force" }));
            let _ = self.control(&mut system, &format!("u{i}"), on, i == 1);
        }
        for i in 0..1 + self.pick(3) {
            let (a, b) = pair(self);
            let load = match self.pick(5) {
                0 | 1 => Load::Signal(Signal::Constant(1.0)),
                2 => Load::Signal(self.signal(2.0)),
                3 => Load::Spring { name: "s0".into(), gain: self.signed(1.0) },
                _ => Load::Control("u1".into()),
            };
            let there = match &load {
                Load::Spring { .. } => system.spring("s0", a, b, Spring::linear(1.0)).is_err(),
                Load::Control(_) => steers > 1,
                Load::Signal(_) => true,
            };
            let load = if there { load } else { Load::Signal(Signal::Constant(1.0)) };
            self.note(("contact", a, b, &load));
            let _ =
                system.contact(&format!("c{i}"), a, b, Contact::new(&self.law()).expect("a contact").with_load(load));
        }
        for i in 0..self.pick(3) {
            let (a, b) = pair(self);
            let stop = Stop { lo: -0.3 - self.unit(), hi: 0.3 + self.unit(), restitution: self.unit() };
            self.note((a, b, stop));
            let _ = system.stop(&format!("e{i}"), a, b, stop);
        }
        for i in 0..self.pick(3) {
            let on = nodes[self.pick(nodes.len())];
            let force = self.signal(10.0);
            self.note(("force", on, &force));
            let _ = system.force(&format!("f{i}"), on, force);
        }
        system
    }

    pub fn options(&mut self, method: IntegrationMethod) -> SimulationOptions {
        SimulationOptions {
            method,
            start: [0.0, 0.0, -1.0, 1e5][self.pick(4)],
            rtol: [1e-6, 1e-8, 1e-3, 1e-11][self.pick(4)],
            atol: [0.0, 1e-6, 1e-12][self.pick(3)],
            max_step: [f64::INFINITY, 0.01][self.pick(2)],
            step: [1e-3, 1e-2][self.pick(2)],
            sample: 0.01,
            ..SimulationOptions::default()
        }
    }
}

/// A controller that knows only its signal, and leaves its derivatives to differences.
struct Press(Signal);
impl ContinuousController for Press {
    fn eval(&self, now: &ControllerInput<'_>, _: &[f64], _: &mut [f64]) -> f64 {
        self.0.eval(now.t, now.from)[0] - 0.1 * now.y[1]
    }
    fn next_breakpoint(&self, t: f64) -> f64 {
        self.0.next_breakpoint(t)
    }
    fn max_resolved_step(&self, t: f64) -> f64 {
        self.0.max_resolved_step(t)
    }
}
