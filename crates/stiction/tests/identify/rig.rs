//! Records as a rig would write them: the simulator's truth, then noise and steps of the sensors.
#![allow(dead_code, reason = "each test file uses its own part")]
use stiction::analysis::test_rig::{BODY, Drive, TestRig};
use stiction::fit::Random;
use stiction::identify::{IdentificationResult, MotionRecord};
use stiction::signal::SavitzkyGolay;
use stiction::sim::{Simulation, SimulationOptions, Trace};
use stiction::system::{Curve, GROUND, Signal, Spring};

/// What the sensors do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sensors {
    /// Deviation of the position \[m\].
    pub position: f64,
    /// Its step \[m\]; zero: none.
    pub quantum: f64,
    /// Deviation of the acceleration [m/s²]; none: there is no such sensor.
    pub acceleration: Option<f64>,
    /// Deviation of the force \[N\].
    pub force: f64,
}

/// Straight lines through points of time and value.
pub fn lines(points: &[(f64, f64)]) -> Signal {
    let (t, x) = points.iter().copied().unzip();
    Signal::Table(Curve::linear(t, x).expect("a curve"))
}

/// Runs a law and samples it evenly. The acceleration is that of the mass; of a prescribed motion there is none.
pub fn record(rig: &TestRig, drive: &Drive, end: f64, step: f64) -> MotionRecord {
    damped(rig, drive, 0.0, end, step).0
}

/// The same with a damper to the ground, whose force counts as known; and every row of the run, in the order of
/// `t, x, v, friction, v`, memory.
pub fn damped(rig: &TestRig, drive: &Drive, damping: f64, end: f64, step: f64) -> (MotionRecord, Vec<Vec<f64>>) {
    let options = SimulationOptions { end, sample: step, rtol: 1e-9, ..SimulationOptions::default() };
    let mut system = rig.system(drive, 0.0).expect("a system");
    if damping > 0.0 {
        let body = system.node(BODY).expect("a body");
        system.spring("damper", body, GROUND, Spring::damper(damping)).expect("a damper");
    }
    let mut trace = Trace::default();
    Simulation::new(&system).expect("a simulation").run(&options, &mut trace).expect("a run");
    let rows = trace.rows;
    let mut at = 0;
    let mut even = Vec::new();
    for k in 0..=(end / step).round() as usize {
        while at + 1 < rows.len() && rows[at][0] < (k as f64 - 1e-6) * step {
            at += 1;
        }
        even.push(at);
    }
    let of = |column: usize| even.iter().map(|&k| rows[k][column]).collect::<Vec<f64>>();
    let (t, position, velocity, friction) = (of(0), of(1), of(2), of(3));
    let motion = MotionRecord { name: "rig".to_owned(), t, position, velocity, ..MotionRecord::default() };
    let motion = match drive {
        Drive::Force { mass, force } => {
            let force = motion.t.iter().zip(&motion.velocity).map(|(t, v)| force.at(*t) - damping * v);
            let force: Vec<f64> = force.collect();
            let acceleration = force.iter().zip(&friction).map(|(f, r)| (f - r) / mass).collect();
            MotionRecord { force, acceleration, mass: Some(*mass), ..motion }
        }
        _ => MotionRecord { force: friction, mass: Some(0.0), ..motion },
    };
    (motion, rows)
}

/// The same as the sensors see it: the velocity is the slope of the position over 21 samples.
pub fn measured(motion: &MotionRecord, sensors: &Sensors, seed: u32) -> MotionRecord {
    let mut random = Random::new(seed);
    let mut noisy =
        |x: &[f64], deviation: f64| -> Vec<f64> { x.iter().map(|x| x + deviation * random.normal()).collect() };
    let mut position = noisy(&motion.position, sensors.position);
    if sensors.quantum > 0.0 {
        position.iter_mut().for_each(|x| *x = (*x / sensors.quantum).round() * sensors.quantum);
    }
    let force = noisy(&motion.force, sensors.force);
    let slope = |order, derivative| SavitzkyGolay { window: 21, order, derivative, step: motion.step() };
    let velocity = slope(2, 1).filter(&position).expect("samples");
    let acceleration = match sensors.acceleration {
        Some(deviation) => noisy(&motion.acceleration, deviation),
        None => slope(3, 2).filter(&position).expect("samples"),
    };
    MotionRecord { position, velocity, acceleration, force, ..motion.clone() }
}

/// How many standard errors an estimate is off.
pub fn off(result: &IdentificationResult, name: &str, truth: f64) -> f64 {
    let estimate = result.estimate(name).unwrap_or_else(|| panic!("no {name}"));
    (estimate.value - truth).abs() / estimate.error
}

/// Four standard errors: chance alone goes there once in 16 000 numbers.
pub const CHANCE: f64 = 4.0;

/// Whether a remark has these words.
pub fn says(result: &IdentificationResult, words: &str) -> bool {
    result.remarks.iter().any(|remark| remark.text.contains(words))
}
