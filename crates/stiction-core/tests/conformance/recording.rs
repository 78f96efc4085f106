//! A number that records what is done to it. That every law runs over it, and that the recorded straight-line
//! program gives the law's own result at other inputs to the last bit, proves that no law branches on a value.
use crate::{Property, all, ensure, reached};
use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};
use stiction_core::control::{self, Control, Motion, Signals};
use stiction_core::{Friction, Input, Law, Mask, Real, State};

/// One instruction; operands are indices of earlier ones.
#[derive(Clone, Copy, Debug)]
enum Op {
    Input(usize),
    Lit(f64),
    One(fn(f64) -> f64, usize),
    Two(fn(f64, f64) -> f64, usize, usize),
    Lt(usize, usize),
    And(usize, usize),
    Or(usize, usize),
    Not(usize),
    Select(usize, usize, usize),
}

thread_local!(static TAPE: RefCell<Vec<Op>> = const { RefCell::new(Vec::new()) });

fn record(op: Op) -> usize {
    TAPE.with_borrow_mut(|t| {
        t.push(op);
        t.len() - 1
    })
}

/// Runs a recorded program; truth is 1, falsehood 0.
fn replay(tape: &[Op], inputs: &[f64]) -> Vec<f64> {
    let mut r: Vec<f64> = Vec::with_capacity(tape.len());
    for op in tape {
        let truth = |b| f64::from(u8::from(b));
        let value = match *op {
            Op::Input(i) => inputs[i],
            Op::Lit(x) => x,
            Op::One(f, a) => f(r[a]),
            Op::Two(f, a, b) => f(r[a], r[b]),
            Op::Lt(a, b) => truth(r[a] < r[b]),
            Op::And(a, b) => truth(r[a] != 0.0 && r[b] != 0.0),
            Op::Or(a, b) => truth(r[a] != 0.0 || r[b] != 0.0),
            Op::Not(a) => truth(r[a] == 0.0),
            Op::Select(m, a, b) => {
                if r[m] != 0.0 {
                    r[a]
                } else {
                    r[b]
                }
            }
        };
        r.push(value);
    }
    r
}

#[derive(Clone, Copy, Debug)]
struct Node(usize);
#[derive(Clone, Copy, Debug)]
struct Truth(usize);

macro_rules! binary {
    ($($tr:ident $f:ident)*) => {$(impl $tr for Node {
        type Output = Self;
        fn $f(self, o: Self) -> Self { Self(record(Op::Two($tr::$f, self.0, o.0))) }
    })*};
}
binary! { Add add Sub sub Mul mul Div div }
impl Neg for Node {
    type Output = Self;
    fn neg(self) -> Self {
        Self(record(Op::One(Neg::neg, self.0)))
    }
}
impl BitAnd for Truth {
    type Output = Self;
    fn bitand(self, o: Self) -> Self {
        Self(record(Op::And(self.0, o.0)))
    }
}
impl BitOr for Truth {
    type Output = Self;
    fn bitor(self, o: Self) -> Self {
        Self(record(Op::Or(self.0, o.0)))
    }
}
impl Not for Truth {
    type Output = Self;
    fn not(self) -> Self {
        Self(record(Op::Not(self.0)))
    }
}
impl Mask for Truth {}

macro_rules! unary {
    ($($f:ident)*) => {$(fn $f(self) -> Self { Self(record(Op::One(<f64 as Real>::$f, self.0))) })*};
}
impl Real for Node {
    type Mask = Truth;
    fn lit(x: f64) -> Self {
        Self(record(Op::Lit(x)))
    }
    fn lt(self, rhs: Self) -> Truth {
        Truth(record(Op::Lt(self.0, rhs.0)))
    }
    fn select(m: Truth, yes: Self, no: Self) -> Self {
        Self(record(Op::Select(m.0, yes.0, no.0)))
    }
    unary! { abs exp exp_m1 ln ln_1p tanh sqrt floor }
    fn powf(self, y: Self) -> Self {
        Self(record(Op::Two(<f64 as Real>::powf, self.0, y.0)))
    }
    fn uniform(seed: Self, k: Self) -> Self {
        Self(record(Op::Two(<f64 as Real>::uniform, seed.0, k.0)))
    }
}

struct Straight;
impl Property for Straight {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        // inputs: v, load, dt, then the memory; parameters become literals
        TAPE.with_borrow_mut(Vec::clear);
        let input = |i| Node(record(Op::Input(i)));
        let mr = m.cast(Node::lit);
        let u = Input { v: input(0), load: input(1) };
        let dt = input(2);
        let mut z = <M::With<Node> as Friction<Node>>::State::zero();
        for i in 0..M::State::LEN {
            z.set(i, input(3 + i));
        }
        let out = mr.force(&mr.step(&z, &u, dt), &u).0;
        let tape = TAPE.take();
        for (k, (z, v)) in reached(m, 8, 300).into_iter().enumerate() {
            let (u, dt) = (Input { v, load: 1.0 + 0.5 * (k as f64).sin() }, 10f64.powi(-((k % 7) as i32)));
            let mut inputs = vec![u.v, u.load, dt];
            inputs.extend((0..M::State::LEN).map(|i| z.get(i)));
            let (got, want) = (replay(&tape, &inputs)[out], m.force(&m.step(&z, &u, dt), &u));
            ensure!(got.to_bits() == want.to_bits(), "the recorded program gives {got} instead of {want}");
        }
        Ok(())
    }
}
#[test]
fn every_law_is_a_straight_line_program() {
    all(&Straight);
}

/// The same for controllers: inputs are the nine signals, dt, then the memory.
struct Controllers(usize);
impl control::Visit for Controllers {
    fn visit<C: Control<f64>>(&mut self, name: &'static str, c: C) {
        fn signals<R: Real>(x: impl Fn(usize) -> R) -> Signals<R> {
            let motion = |i| Motion { x: x(i), v: x(i + 1), a: x(i + 2) };
            Signals { wanted: motion(0), seen: motion(3), load: x(6), asked: x(7), applied: x(8) }
        }
        TAPE.with_borrow_mut(Vec::clear);
        let recorded = c.cast(Node::lit);
        let inputs: Vec<Node> = (0..10 + C::State::LEN).map(|i| Node(record(Op::Input(i)))).collect();
        let mut w = <C::With<Node> as Control<Node>>::State::zero();
        for i in 0..C::State::LEN {
            w.set(i, inputs[10 + i]);
        }
        let out = recorded.step(&w, &signals(|i| inputs[i]), inputs[9]).1.0;
        let tape = TAPE.take();
        let mut w = C::State::zero();
        for k in 0..300_u64 {
            let mut x: Vec<f64> = (0..9).map(|i| 2.0 * crate::random(21, 16 * k + i) - 1.0).collect();
            // now and then at rest, and where it should be
            if k % 3 == 0 {
                (x[1], x[4], x[3]) = (0.0, 0.0, x[0]);
            }
            x.push(10f64.powi(-((k % 4) as i32) - 1));
            x.extend((0..C::State::LEN).map(|i| w.get(i)));
            let (next, want) = c.step(&w, &signals(|i| x[i]), x[9]);
            let got = replay(&tape, &x)[out];
            assert_eq!(got.to_bits(), want.to_bits(), "{name}: the recorded program gives {got} instead of {want}");
            w = next;
        }
        self.0 += 1;
    }
}
#[test]
fn every_controller_is_a_straight_line_program() {
    let mut all = Controllers(0);
    control::for_each(&mut all);
    assert!(all.0 > 13);
}
