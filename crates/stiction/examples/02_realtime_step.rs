//! LuGre in single precision at a fixed sample time, as on a controller. It uses only what `stiction-core` has:
//! no allocation, no standard library, the same work in every sample. Prints CSV.
//!
//! Run: `cargo run -p stiction --example 02_realtime_step`
use stiction::core::{Friction, Input, Params, models::LuGre};

/// Sample time [s].
const DT: f32 = 1e-3;

/// What a controller keeps from one sample to the next.
struct Observer {
    law: LuGre<f32>,
    z: [f32; 1],
}

impl Observer {
    /// Friction force [N] at the end of a sample with measured velocity `v` [m/s].
    fn sample(&mut self, v: f32) -> f32 {
        // step, then force: exact at constant v, stable for every DT
        let (z, force) = self.law.sample(&self.z, &Input::at(v), DT);
        self.z = z;
        force
    }
}

fn main() {
    let law = LuGre { fc: 2.0, fs: 3.0, vs: 0.01, ..LuGre::nominal() };
    let bound = law.fs / law.sigma0;
    let mut observer = Observer { law, z: [0.0] };

    println!("t [s],v [m/s],force [N]");
    for k in 0..400 {
        let t = k as f32 * DT;
        let v = 0.02 * (10.0 * std::f32::consts::TAU * t).sin(); // 10 Hz, 20 mm/s
        let force = observer.sample(v);
        assert!(force.is_finite() && observer.z[0].abs() <= bound * 1.000_001);
        if k % 20 == 0 {
            println!("{t},{v},{force}");
        }
    }
}
