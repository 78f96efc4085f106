//! Nothing in a law, a wrapper, a contact or a controller touches the heap.
#![allow(unsafe_code, reason = "a counting allocator cannot be written without")]
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use stiction_core::contact::{self, SlidingBody};
use stiction_core::control::{self, Control, MotionSample, Signals};
use stiction_core::models::{LawVisitor, for_each};
use stiction_core::wrap::{Affine, Asymmetric, Loaded, Noise, Stochastic, Wrapped};
use stiction_core::{Dual, Friction, Input, Lanes, Law, Params, Real, StateVector};

struct Counting;
thread_local!(static COUNT: Cell<usize> = const { Cell::new(0) });
// SAFETY: forwards to the system allocator; the counter is a plain thread-local cell that never allocates
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        unsafe { System.dealloc(p, layout) }
    }
}
#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn exercise<R: Real, M: Friction<R>>(m: &M) {
    let mut z = M::State::zero();
    for v in [1e-3, -1e-3, 0.0, 0.1] {
        let u = Input::at(R::lit(v));
        z = m.step(&z, &u, R::lit(1e-3));
        z = m.jump(&z, &u);
        let _ = (m.force(&z, &u), m.rate(&z, &u), m.settled(&u), m.hold(&z, &u, R::lit(1.0)), m.guards(&z, &u));
        let body = SlidingBody { mass: R::lit(1.0), applied: R::lit(v) };
        let _ = contact::step(m, &z, &u, &body, R::lit(1e-3));
    }
}

struct Frugal(usize);
impl LawVisitor for Frugal {
    fn visit<M: Law<f64>>(&mut self) {
        let before = COUNT.get();
        let m = M::nominal();
        exercise(&m);
        exercise(&m.cast(|x| x as f32));
        exercise(&m.cast(Dual::<f64, 2>::lit));
        exercise(&m.cast(Lanes::<8>::lit));
        let wrapped: Wrapped<M, f64> = Stochastic {
            law: Loaded { law: Asymmetric { forward: m, reverse: m }, map: Affine::nominal() },
            noise: Noise::nominal(),
        };
        exercise(&wrapped);
        assert_eq!(COUNT.get(), before, "{} allocates", M::NAME);
        self.0 += 1;
    }
}
#[test]
fn laws_do_not_allocate() {
    let before = COUNT.get();
    drop(std::hint::black_box(Box::new(1)));
    assert!(COUNT.get() > before, "the counter counts");
    let mut f = Frugal(0);
    for_each(&mut f);
    assert!(f.0 > 20);
}

fn control<R: Real, C: Control<R>>(c: &C) {
    let mut w = C::State::zero();
    for x in [1e-3, -1e-3, 0.0, 0.1] {
        let at = MotionSample { x: R::lit(x), v: R::lit(-x), a: R::lit(1.0) };
        w = c.step(&w, &Signals::new(MotionSample::rest(R::lit(0.0)), at), R::lit(1e-3)).0;
    }
}
impl control::ControllerVisitor for Frugal {
    fn visit<C: Control<f64>>(&mut self, name: &'static str, c: C) {
        let before = COUNT.get();
        control(&c);
        control(&c.cast(|x| x as f32));
        control(&c.cast(Dual::<f64, 2>::lit));
        control(&c.cast(Lanes::<8>::lit));
        assert_eq!(COUNT.get(), before, "{name} allocates");
        self.0 += 1;
    }
}
#[test]
fn controllers_do_not_allocate() {
    let mut f = Frugal(0);
    control::for_each(&mut f);
    assert!(f.0 > 13);
}
