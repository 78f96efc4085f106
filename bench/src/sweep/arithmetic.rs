//! What the arithmetic of an attempt at a step allows.
//!
//! Counted are the operations that one lane needs: those of the law by a number that counts, seven times for the stages and
//! once with two derivatives; those of the method from its tableau; those of the step control. Additions, products,
//! comparisons, selections and the like all use the same two ports and count as one; divisions and roots have a unit of
//! their own and are counted apart. The peak rate of each is measured in the same lanes, on independent numbers. What is
//! left out: loads, stores, masks, signals, events, measures, refilling.
use std::cell::Cell;
use std::hint::black_box;
use stiction::core::models::LuGre;
use stiction::core::{Dual, Friction, Input, Lanes, Real};
use stiction::dispatch::{self, Kernel};

thread_local! {
    static COUNTS: Cell<[u64; 2]> = const { Cell::new([0; 2]) };
}

/// A number that counts what is done to it: operations, and divisions.
#[derive(Clone, Copy, Debug)]
struct Counted(f64);

fn note(operations: u64, divisions: u64) {
    COUNTS.with(|c| {
        let [a, b] = c.get();
        c.set([a + operations, b + divisions]);
    });
}

macro_rules! counted {
    ($($Trait:ident $f:ident $op:tt $n:literal $d:literal)*) => {$(
        impl std::ops::$Trait for Counted {
            type Output = Self;
            fn $f(self, o: Self) -> Self {
                note($n, $d);
                Self(self.0 $op o.0)
            }
        }
    )*};
}
counted! { Add add + 1 0 Sub sub - 1 0 Mul mul * 1 0 Div div / 0 1 }
impl std::ops::Neg for Counted {
    type Output = Self;
    fn neg(self) -> Self {
        note(1, 0);
        Self(-self.0)
    }
}

/// Operations of the exponential and the logarithm of `stiction::core::math`, as they stand there.
const EXP: u64 = 38;
const LN: u64 = 36;

impl Real for Counted {
    type Mask = bool;
    fn lit(x: f64) -> Self {
        Self(x)
    }
    fn lt(self, o: Self) -> bool {
        note(1, 0);
        self.0 < o.0
    }
    fn select(m: bool, yes: Self, no: Self) -> Self {
        note(1, 0);
        if m { yes } else { no }
    }
    fn select_lazy(m: bool, yes: impl FnOnce() -> Self, no: Self) -> Self {
        if m { yes() } else { no }
    }
    fn all(m: bool) -> bool {
        m
    }
    fn min(self, o: Self) -> Self {
        note(1, 0);
        Self(self.0.min(o.0))
    }
    fn max(self, o: Self) -> Self {
        note(1, 0);
        Self(self.0.max(o.0))
    }
    fn abs(self) -> Self {
        note(1, 0);
        Self(self.0.abs())
    }
    fn exp(self) -> Self {
        note(EXP, 0);
        Self(self.0.exp())
    }
    fn exp_m1(self) -> Self {
        note(EXP, 0);
        Self(self.0.exp_m1())
    }
    fn ln(self) -> Self {
        note(LN, 1);
        Self(self.0.ln())
    }
    fn ln_1p(self) -> Self {
        note(LN, 2);
        Self(self.0.ln_1p())
    }
    fn tanh(self) -> Self {
        note(EXP, 1);
        Self(self.0.tanh())
    }
    fn powf(self, y: Self) -> Self {
        // exponents 1 and 2, which is all that happens here
        Self(self.0.powf(y.0))
    }
    fn sqrt(self) -> Self {
        note(0, 1);
        Self(self.0.sqrt())
    }
    fn floor(self) -> Self {
        note(4, 0);
        Self(self.0.floor())
    }
    fn uniform(seed: Self, k: Self) -> Self {
        Self(f64::uniform(seed.0, k.0))
    }
}

fn count(work: impl FnOnce()) -> [u64; 2] {
    COUNTS.with(|c| c.set([0; 2]));
    work();
    COUNTS.with(Cell::get)
}

/// Operations and divisions of one attempt with one body and one LuGre contact.
fn attempt() -> [u64; 2] {
    let law = LuGre::<f64>::from_contact(0.3, 10.0, 3e-3, 1.0);
    let law = LuGre { fs: 6.0, vs: 0.1, exponent: 1.0, ..law }.map(Counted);
    let flow = count(|| {
        black_box(law.flow(&[Counted(1e-3)], &Input::at(Counted(0.3))));
    });
    let slopes = count(|| {
        let law = law.map(Dual::<Counted, 2>::constant);
        let u = Input { v: Dual::var(Counted(0.3), 0), load: Dual::constant(Counted(1.0)) };
        black_box(law.flow(&[Dual::var(Counted(1e-3), 1)], &u));
    });
    // reciprocals of parameters are the same in all stages
    let invariant = 2;
    // sums over earlier stages: two products and two sums for the first six, one each for the last two; three numbers
    let sums = 3 * (4 * (1 + 2 + 3 + 4 + 5) + 2 * (6 + 7) + 2 + 1);
    // velocity and side 5; right-hand sides 14; elimination 10; the least velocity 2
    let stages = 8 * 31;
    // the matrix 12; drives at six times 24; step control and acceptance 60, with a logarithm and an exponential
    let rest = 12 + 24 + 60 + LN + EXP;
    let operations = 7 * flow[0] + slopes[0] + sums + stages + rest;
    // of the method three, of the step control one for each number and one in the logarithm
    let divisions = 7 * (flow[1] - invariant) + invariant + slopes[1] + 3 + 4;
    [operations, divisions]
}

const WIDE: usize = 64;
const ROUNDS: usize = 2000;

/// Independent numbers under one kind of operation.
struct Peak(bool, Lanes<WIDE>);
impl Kernel for Peak {
    type Out = Lanes<WIDE>;
    #[inline(always)]
    fn run(self) -> Lanes<WIDE> {
        let (mut x, a, b) = (self.1, black_box(Lanes::lit(0.7)), black_box(Lanes::lit(0.3)));
        if self.0 {
            for _ in 0..ROUNDS {
                x = a / x;
            }
        } else {
            for _ in 0..ROUNDS {
                x = x * a + b;
            }
        }
        x
    }
}

/// Says how near an attempt of one lane, which takes `seconds`, comes to what its arithmetic allows.
pub fn report(seconds: f64, attempts: f64) {
    let [operations, divisions] = attempt();
    let rate = |divides: bool, each: usize| {
        crate::clock::time(&mut || {
            black_box(dispatch::dispatch(Peak(divides, black_box(Lanes::lit(1.5)))));
            ROUNDS * WIDE * each
        })
    };
    let (operation, division) = (rate(false, 2), rate(true, 1));
    let allowed = operations as f64 * operation + divisions as f64 * division;
    let taken = 1e9 * seconds / attempts;
    eprintln!(
        "\none attempt of one lane: {operations} operations at {operation:.4} ns, {divisions} divisions at {division:.3} ns"
    );
    eprintln!(
        "  allow {allowed:.1} ns; it takes {taken:.1} ns, {:.0} % of that rate; {attempts:.0} attempts a trajectory",
        100.0 * allowed / taken
    );
}
