//! Every law, every method, in f32 and f64, plain and wrapped, and every controller, without std and without a way to
//! panic.
#![no_std]
#![no_main]
use core::hint::black_box;
use stiction_core::contact::{self, SlidingBody};
use stiction_core::control::{self, Control, MotionSample, ServoPlant, Signals, stability};
use stiction_core::models::{LuGre, LawVisitor, for_each};
use stiction_core::wrap::{Affine, Asymmetric, Wrapped, Loaded, Noise, Stochastic};
use stiction_core::{Friction, Input, Law, Params, Real, StateVector};

unsafe extern "C" {
    /// Defined nowhere: a link error here names the crate's sin.
    fn stiction_core_must_not_panic() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: never linked, let alone called
    unsafe { stiction_core_must_not_panic() }
}

/// The precompiled `core` refers to it; nothing unwinds.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

fn exercise<R: Real, M: Friction<R>>(m: &M) {
    let mut z = M::State::zero();
    for v in black_box([1e-3, -1e-3, 0.0, 0.1]) {
        let (u, dt) = (Input::at(R::lit(v)), R::lit(black_box(1e-3)));
        let (next, force) = m.sample(&z, &u, dt);
        black_box((force, m.rate(&z, &u), m.steady(&u), m.hold(&z, &u, R::lit(1.0)), m.guards(&z, &u)));
        z = m.jump(&next, &u);
        let body = SlidingBody { mass: R::lit(black_box(1.0)), applied: R::lit(v) };
        black_box(contact::step(m, &z, &u, &body, dt));
    }
    black_box(z);
}

struct All;
impl LawVisitor for All {
    fn visit<M: Law<f64>>(&mut self) {
        let m = black_box(M::nominal());
        exercise(&m);
        exercise(&m.cast(|x| x as f32));
        let wrapped: Wrapped<M, f64> = Stochastic {
            law: Loaded { law: Asymmetric { forward: m, reverse: m }, map: Affine::nominal() },
            noise: Noise::nominal(),
        };
        exercise(&wrapped);
        let _ = black_box(M::check(black_box(&[1.0])).is_ok());
    }
}

fn drive<R: Real, C: Control<R>>(c: &C) {
    let mut w = C::State::zero();
    for x in black_box([1e-3, -1e-3, 0.0, 0.1]) {
        let at = MotionSample { x: R::lit(x), v: R::lit(-x), a: R::lit(x) };
        let (next, command) = c.step(&w, &Signals::new(MotionSample::rest(R::lit(0.0)), at), R::lit(black_box(1e-3)));
        black_box(command);
        w = next;
    }
    black_box(w);
}

impl control::ControllerVisitor for All {
    fn visit<C: Control<f64>>(&mut self, _: &'static str, c: C) {
        let c = black_box(c);
        drive(&c);
        drive(&c.cast(|x| x as f32));
    }
}

/// What tells whether a loop is stable runs on the same processor.
fn judge() {
    let plant = black_box(ServoPlant { mass: 1.0, damping: 0.0, period: 1e-3, delay: 0.0 });
    let law = black_box(LuGre::nominal());
    black_box(control::Pid::nominal().stability(&plant));
    let rest = stability::Presliding::of(&law);
    black_box(control::ObserverGains::nominal().stability(&rest, &plant, &black_box([4.0, 3.0, 6.0])));
    black_box(control::Dither::for_law(&rest, &plant, 1e-4).stability(&rest, &plant, 10.0));
    black_box(control::DisturbanceObserver::nominal().stability(&plant, 0.01));
    black_box(stability::dissipative(&law));
}

/// Entry point of a program without a runtime.
#[unsafe(no_mangle)]
pub extern "C" fn _start() -> ! {
    for_each(&mut All);
    control::for_each(&mut All);
    judge();
    loop {}
}
