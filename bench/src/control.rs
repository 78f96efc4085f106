//! Every controller over every number: one sample. Those with a law have LuGre.
use crate::clock::{Timing, time, velocities};
use std::hint::black_box;
use stiction::core::control::{
    AdaptiveScale, AdaptiveScaleGains, Control, ControllerVisitor, FrictionObserver, Kalman, Loop, MotionSample,
    ObserverGains, Signals, StateFeedback, for_each,
};
use stiction::core::models::LuGre;
use stiction::core::{Lanes, Params, Real, StateVector};
use stiction::dispatch::{Kernel, dispatch};

/// Samples per round; a multiple of the table.
const STEPS: usize = 4096;
const LANES: usize = 16;

/// A piece of measured motion; returns the last command, so that nothing is optimised away.
struct TimedSteps<C, R>(C, [R; 256], R);
impl<R: Real, C: Control<R>> Kernel for TimedSteps<C, R> {
    type Out = R;
    #[inline(always)]
    fn run(self) -> R {
        let TimedSteps(c, v, dt) = self;
        let (mut w, mut u, mut x) = (C::State::zero(), R::lit(0.0), R::lit(0.0));
        for _ in 0..STEPS / 256 {
            for v in v {
                x = x + v * dt;
                let measured = MotionSample { x, v, a: v };
                let now = Signals { applied: u, ..Signals::new(MotionSample { x: v, v, a: v }, measured) };
                (w, u) = c.step(&w, &now, dt);
            }
        }
        u
    }
}

/// Times controller `c` over number `R`, with the instructions that every machine has.
fn measure<R: Real, C: Control<R>>(c: C, lift: impl Fn(f64) -> R) -> f64 {
    timed(c, lift, Kernel::run)
}

/// The same at the widest registers of the machine. Only lanes gain by them, and each width is compiled anew.
fn measure_wide<R: Real, C: Control<R>>(c: C, lift: impl Fn(f64) -> R) -> f64 {
    timed(c, lift, dispatch)
}

fn timed<R: Real, C: Control<R>>(c: C, lift: impl Fn(f64) -> R, run: fn(TimedSteps<C, R>) -> R) -> f64 {
    let (v, dt) = (velocities().map(lift), R::lit(1e-3));
    time(&mut || {
        black_box(run(TimedSteps(black_box(c), black_box(v), dt)));
        STEPS
    })
}

struct Bench(Vec<Timing>);
impl ControllerVisitor for Bench {
    fn visit<C: Control<f64>>(&mut self, name: &'static str, c: C) {
        let mut row = |number: &str, ns: f64| self.0.push(Timing { name: name.into(), number: number.into(), ns });
        row("f64", measure(c, |v| v));
        row("f32", measure(c.cast(|x| x as f32), |v| v as f32));
        let spread = |v: f64| Lanes::<LANES>(std::array::from_fn(|k| v * (1.0 + 0.01 * k as f64)));
        row("lanes", measure_wide(c.cast(Lanes::<LANES>::lit), spread) / LANES as f64);
    }
}

/// Runs all, a compensator that predicts the middle of the sample (with its base), and a whole servo: Kalman filter, state feedback, LuGre observer with an adaptive scale.
pub fn run() -> Vec<Timing> {
    let mut b = Bench(Vec::new());
    for_each(&mut b);
    let injection = ObserverGains { kx: 0.01, kv: 0.01, ..ObserverGains::nominal() };
    let compensator = AdaptiveScale {
        control: FrictionObserver::new(LuGre::nominal(), injection),
        gains: AdaptiveScaleGains::nominal(),
    };
    let ahead = ObserverGains { mass: 1.0, ..injection };
    let predicting =
        AdaptiveScale { control: FrictionObserver::new(LuGre::nominal(), ahead), gains: AdaptiveScaleGains::nominal() };
    b.visit("adaptive-scale predicting", (StateFeedback::nominal(), predicting));
    let control = (StateFeedback::nominal(), compensator);
    b.visit(
        "servo (kalman + state-feedback + scaled observer)",
        Loop { estimator: Kalman::nominal(), control, limit: 10.0 },
    );
    b.0
}
