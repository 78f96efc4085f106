//! Every law over every number: one step and one force.
use crate::clock::{Timing, time, velocities};
use std::hint::black_box;
use stiction::core::models::{LawVisitor, for_each};
use stiction::core::{Dual, Friction, Input, Lanes, Law, Real, StateVector};
use stiction::dispatch::{Kernel, dispatch};

/// Steps per round; a multiple of the table.
const STEPS: usize = 4096;
const LANES: usize = 16;

/// A stretch of motion at constant sample time; returns what it did, so that nothing is optimised away.
struct TimedSteps<M, R>(M, [R; 256], R);
impl<R: Real, M: Friction<R>> Kernel for TimedSteps<M, R> {
    type Out = R;
    #[inline(always)]
    fn run(self) -> R {
        let TimedSteps(m, v, dt) = self;
        let (mut z, mut sum) = (M::State::zero(), R::lit(0.0));
        for _ in 0..STEPS / 256 {
            for v in v {
                let u = Input::at(v);
                let (next, force) = m.sample(&z, &u, dt);
                (z, sum) = (next, sum + force);
            }
        }
        sum
    }
}

/// Times law `m` over number `R`, with the instructions that every machine has.
fn measure<R: Real, M: Friction<R>>(m: M, lift: impl Fn(f64) -> R) -> f64 {
    timed(m, lift, Kernel::run)
}

/// The same at the widest registers of the machine. Only lanes gain by them, and each width is compiled anew.
fn measure_wide<R: Real, M: Friction<R>>(m: M, lift: impl Fn(f64) -> R) -> f64 {
    timed(m, lift, dispatch)
}

fn timed<R: Real, M: Friction<R>>(m: M, lift: impl Fn(f64) -> R, run: fn(TimedSteps<M, R>) -> R) -> f64 {
    let (v, dt) = (velocities().map(lift), R::lit(1e-4));
    time(&mut || {
        black_box(run(TimedSteps(black_box(m), black_box(v), dt)));
        STEPS
    })
}

struct Bench(Vec<Timing>);
impl LawVisitor for Bench {
    fn visit<M: Law<f64>>(&mut self) {
        let m = M::nominal();
        let mut row = |number: &str, ns: f64| {
            self.0.push(Timing { name: M::NAME.into(), number: number.into(), ns });
        };
        row("f64", measure(m, |v| v));
        row("f32", measure(m.cast(|x| x as f32), |v| v as f32));
        row("dual4", measure(m.cast(Dual::<f64, 4>::lit), |v| Dual::var(v, 0)));
        // neighbouring lanes at different phases of the motion
        let spread = |v: f64| Lanes::<LANES>(std::array::from_fn(|k| v * (1.0 + 0.01 * k as f64)));
        row("lanes", measure_wide(m.cast(Lanes::<LANES>::lit), spread) / LANES as f64);
    }
}

/// Runs all.
pub fn run() -> Vec<Timing> {
    let mut b = Bench(Vec::new());
    for_each(&mut b);
    b.0
}
