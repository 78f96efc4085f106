//! A servo on a controller: single precision, an encoder, friction that is learned while it runs. No heap, no clock: the
//! memory is a value, and one function makes the command.
//!
//! Run: `cargo run -p stiction --example 05_servo`
use stiction::core::contact::{SlidingBody, step};
use stiction::core::control::{
    AdaptiveScale, AdaptiveScaleGains, Feedforward, FeedforwardGains, Kalman, Loop, MotionSample, StateFeedback,
};
use stiction::core::models::LuGre;
use stiction::core::{Input, Params, StateVector};

/// Sample time [s].
const DT: f32 = 1e-3;
/// One count of the encoder [rad].
const COUNT: f32 = std::f32::consts::TAU / 4096.0;

fn main() {
    // the model knows half of the friction that the body has
    let real = LuGre::<f64>::nominal();
    let half = LuGre::<f32> { fc: 0.5, fs: 0.75, sigma0: 5e4, sigma1: 158.0, sigma2: 0.2, ..LuGre::nominal() };
    let model = Feedforward { law: half, gains: FeedforwardGains { share: 1.0, ahead: 1.0, mass: 0.0 } };
    let servo = Loop {
        estimator: Kalman { accel: 10.0, quantum: COUNT, noise: 1e-6 },
        control: (
            StateFeedback { kx: 100.0, kv: 20.0, ki: 0.0, mass: 1.0, ..StateFeedback::nominal() },
            AdaptiveScale {
                control: model,
                gains: AdaptiveScaleGains { gamma: 20.0, lambda: 5.0, ..AdaptiveScaleGains::nominal() },
            },
        ),
        limit: 20.0_f32,
    };
    let mut memory = StateVector::zero();

    let (mut x, mut v, mut z) = (0.0_f64, 0.0_f64, [0.0]);
    let mut worst = [0.0_f64; 2];
    for k in 0..20_000 {
        let (s, c) = (f64::from(k) * f64::from(DT)).sin_cos();
        let wanted = MotionSample { x: s as f32, v: c as f32, a: -s as f32 };
        let counts = (x as f32 / COUNT).round() * COUNT;
        let command;
        (memory, command) = servo.step(&memory, &wanted, counts, DT);
        // the body, in ten steps a sample
        for _ in 0..10 {
            let h = 0.1 * f64::from(DT);
            let out = step(&real, &z, &Input::at(v), &SlidingBody { mass: 1.0, applied: f64::from(command) }, h);
            (v, z) = (out.v, out.memory);
            x += h * v;
        }
        // the first turn, and what is left at the end
        let part = &mut worst[usize::from(k > 10_000)];
        *part = part.max((s - x).abs());
    }
    let theta = 1.0 + memory.1.0.1.1[0];
    println!(
        "factor {theta:.3}, largest error {:.1} mrad at first, {:.1} mrad at the end",
        1e3 * worst[0],
        1e3 * worst[1]
    );
    assert!((theta - 2.0).abs() < 0.1, "it finds that friction is twice the model: {theta}");
    assert!(worst[1] < 0.3 * worst[0], "and tracks better: {worst:?}");
}
