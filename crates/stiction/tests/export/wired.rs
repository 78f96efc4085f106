//! The compiled C in the loop with the simulator, in the place of the controller it was made from.
use super::build::{compile_c, driver_c, folder};
use super::{METHODS, lugre, plan};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use stiction::export::ExportPlan;
use stiction::scenario::assemble;
use stiction::sim::{Simulation, SimulationOptions, Trace};
use stiction::system::{
    self, Actuation, Body, Contact, Controller, ControllerInput, Encoder, GROUND, Measurement, SampledController,
    Servo, Signal, System,
};

const ENCODER: Encoder = Encoder { quantum: 1e-4, noise: 2e-5, seed: 3.0 };

fn reference() -> Signal {
    Signal::Sine { mean: 0.0, amplitude: 0.2, omega: 4.0, phase: 0.0 }
}

/// A process that answers samples.
struct Wired(Mutex<Child>);

impl Wired {
    fn new(program: &Path) -> Self {
        let child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        Self(Mutex::new(child))
    }
}

impl Drop for Wired {
    fn drop(&mut self) {
        let child = self.0.get_mut().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl SampledController for Wired {
    /// How many samples it took.
    fn memory(&self) -> usize {
        1
    }
    fn sample(&self, memory: &mut [f64], now: &ControllerInput<'_>) -> f64 {
        let [x, v, a, _] = reference().eval(now.t, now.from);
        let row = [x, v, a, ENCODER.read(now.y[0], memory[0] as u64)];
        memory[0] += 1.0;
        let mut child = self.0.lock().unwrap();
        let stdin = child.stdin.as_mut().unwrap();
        stdin.write_all(&row.map(f64::to_ne_bytes).concat()).unwrap();
        stdin.flush().unwrap();
        let mut answer = [0; 16];
        child.stdout.as_mut().unwrap().read_exact(&mut answer).unwrap();
        let [command, fault] = [0, 8].map(|i| f64::from_ne_bytes(answer[i..i + 8].try_into().unwrap()));
        assert_eq!(fault, 0.0, "a sample of the simulator is no fault");
        command
    }
}

/// The whole trace of a body under this controller.
fn trace(plan: &ExportPlan, control: Box<dyn SampledController>) -> Vec<Vec<f64>> {
    let mut system = System::new();
    let cart = system.body("cart", Body::default()).unwrap();
    system.contact("friction", cart, GROUND, Contact::new(&lugre()).unwrap()).unwrap();
    let controller = Controller::Sampled { period: plan.period, control };
    system
        .control(
            "servo",
            controller,
            vec![Measurement::Position(cart), Measurement::Velocity(cart)],
            Actuation::Force(cart),
        )
        .unwrap();
    let options = SimulationOptions { end: 3.0, sample: plan.period, ..SimulationOptions::default() };
    let mut trace = Trace::default();
    Simulation::new(&system).unwrap().run(&options, &mut trace).unwrap();
    trace.rows
}

#[test]
fn in_the_simulator_the_compiled_c_moves_the_body_to_the_last_bit_alike() {
    let mut compared = 0;
    for (name, parts) in METHODS.iter().filter(|(_, parts)| ["kalman", "difference", "tracker"].contains(&parts[0].0)) {
        let plan = plan(&format!("wired_{name}"), &lugre(), parts);
        let step = plan.record().unwrap();
        let at = folder(&plan.name);
        fs::write(at.join("driver.c"), driver_c(&plan, &step)).unwrap();
        let Some(program) = compile_c(&plan, &step, &at, "driver.c", &["-std=c99", "-O2"]) else { return };
        let own = system::ServoConfig {
            assembly: assemble(&plan.parts, plan.limit).unwrap().0,
            reference: reference(),
            encoder: ENCODER,
            period: plan.period,
            delay: 0,
        };
        let (wired, own) = (trace(&plan, Box::new(Wired::new(&program))), trace(&plan, Box::new(Servo::new(own))));
        assert!(own.len() > 3000 && wired.len() == own.len(), "{name}: {} and {} rows", wired.len(), own.len());
        for (a, b) in wired.iter().zip(&own) {
            let same = a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(same, "{name} at t = {}: {a:?} and {b:?}", a[0]);
        }
        compared += 1;
    }
    assert!(compared > 4);
}
