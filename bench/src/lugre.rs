//! LuGre step and force at each register width, beside a hand-written peer over the standard library's `exp`.
use crate::clock::{Timing, time, velocities};
use std::hint::black_box;
use stiction::core::models::LuGre;
use stiction::core::{Friction, Input, Lanes, Params, Real};
use stiction::dispatch::{Kernel, Level, dispatch_at};

const STEPS: usize = 16_384;

/// What an engineer would type for one contact: the same exact step, constants folded, nothing generic.
fn peer(v: &[f64; 256]) -> f64 {
    let (fc, fs, vs, s0, s1, s2, dt) = black_box((1.0, 1.5, 1e-3, 1e5, 316.227_766, 0.4, 1e-4));
    let (mut z, mut sum) = (0.0_f64, 0.0);
    for _ in 0..STEPS / 256 {
        for &v in v {
            let (r, speed): (f64, f64) = (v / vs, v.abs());
            let g = fc + (fs - fc) * (-r * r).exp();
            let a = s0 * speed / g;
            let e = (-a * dt).exp();
            z = if a > 0.0 { z * e + v / a * (1.0 - e) } else { z };
            sum += s0 * z + s1 * (v - a * z) + s2 * v;
        }
    }
    sum
}

struct TimedSteps<const N: usize>(LuGre<Lanes<N>>, [f64; 256]);
impl<const N: usize> Kernel for TimedSteps<N> {
    type Out = Lanes<N>;
    #[inline(always)]
    fn run(self) -> Lanes<N> {
        let (m, dt) = (self.0, Lanes::lit(1e-4));
        let (mut z, mut sum) = ([Lanes::lit(0.0)], Lanes::<N>::lit(0.0));
        for _ in 0..STEPS / 256 {
            for v in self.1 {
                let mut lanes = [v; N];
                for (k, l) in lanes.iter_mut().enumerate() {
                    *l = v * (1.0 + 0.01 * k as f64);
                }
                let u = Input::at(Lanes(lanes));
                let (next, force) = m.sample(&z, &u, dt);
                (z, sum) = (next, sum + force);
            }
        }
        sum
    }
}

fn lanes<const N: usize>(level: Level, exponent: f64, v: [f64; 256]) -> f64 {
    let m = LuGre { exponent: Lanes::lit(exponent), ..LuGre::<Lanes<N>>::nominal() };
    time(&mut || {
        black_box(dispatch_at(level, TimedSteps(black_box(m), black_box(v))));
        STEPS * N
    })
}

fn scalar(exponent: f64, v: [f64; 256]) -> f64 {
    let m = LuGre { exponent, ..LuGre::<f64>::nominal() };
    time(&mut || {
        let (m, v) = (black_box(m), black_box(v));
        let (mut z, mut sum) = ([0.0], 0.0);
        for _ in 0..STEPS / 256 {
            for v in v {
                let u = Input::at(v);
                let (next, force) = m.sample(&z, &u, 1e-4);
                (z, sum) = (next, sum + force);
            }
        }
        black_box(sum);
        STEPS
    })
}

/// Runs all.
pub fn run() -> Vec<Timing> {
    let v = velocities();
    let mut rows = Vec::new();
    let mut row =
        |name: &str, number: &str, ns: f64| rows.push(Timing { name: name.into(), number: number.into(), ns });
    row(
        "peer (hand-written std::exp)",
        "f64",
        time(&mut || {
            black_box(peer(black_box(&v)));
            STEPS
        }),
    );
    for exponent in [2.0, 1.5] {
        row(&format!("lugre exponent {exponent}"), "f64", scalar(exponent, v));
        for level in Level::ALL.into_iter().filter(|l| l.available()) {
            row(
                &format!("lugre exponent {exponent}"),
                &format!("lanes8 {}", level.name()),
                lanes::<8>(level, exponent, v),
            );
            row(
                &format!("lugre exponent {exponent}"),
                &format!("lanes16 {}", level.name()),
                lanes::<16>(level, exponent, v),
            );
            row(
                &format!("lugre exponent {exponent}"),
                &format!("lanes32 {}", level.name()),
                lanes::<32>(level, exponent, v),
            );
        }
    }
    rows
}
