//! Every law against every property. A new law is tested by being listed.
mod contact;
mod cycles;
mod derivatives;
mod load;
mod numbers;
mod registry;
mod settling;
mod stepping;
mod wild;
mod wrapped;

use stiction_core::{Input, Law, Param, StateVector, models};

/// A property of one law: returns what is wrong with it, if anything.
pub trait Property {
    /// How many parameter sets to check it with; one for a property that draws its own.
    const SETS: u64 = 3;
    /// Checks a law with the parameters it has.
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String>;
}

struct Collect<'a, P>(&'a P, Vec<String>, usize);
impl<P: Property> models::LawVisitor for Collect<'_, P> {
    fn visit<M: Law<f64>>(&mut self) {
        self.2 += 1;
        for set in 0..P::SETS {
            let p = parameters::<M>(set);
            if let Err(e) = self.0.check(&M::from_slice(&p)) {
                self.1.push(format!("{}: {e}\n  with {p:?}", M::NAME));
            }
        }
    }
}

/// Set 0: the defaults. Others: every value moved by up to a quarter, and nothing left neutral, neither an exponent of 1
/// nor a coefficient of 0, so that a term that vanishes at the defaults is seen.
pub fn parameters<M: Law<f64>>(set: u64) -> Vec<f64> {
    let awake = |p: &Param| match p.name {
        "vd" => 2e-3,
        "gamma" if p.max == 1.0 => 0.7,
        "shape" => 1.4,
        "nu" => 1.6,
        "b2" => 0.004,
        "delta" if p.unit == "-" => 0.2,
        "fv" if p.default == 0.0 => 0.3,
        _ => p.default,
    };
    let value = |(i, p): (usize, &Param)| match set {
        0 => p.default,
        _ if p.name == "seed" => set as f64,
        _ => (awake(p) * (0.75 + 0.5 * random(100 + set, i as u64))).clamp(p.min, p.max),
    };
    let p: Vec<f64> = M::PARAMS.iter().enumerate().map(value).collect();
    M::check(&p).unwrap_or_else(|e| panic!("{}: {e}", M::NAME));
    p
}

/// Checks a property on every law and reports all that fail.
pub fn all(p: &impl Property) {
    let mut c = Collect(p, Vec::new(), 0);
    models::for_each(&mut c);
    assert!(c.2 > 20, "the list of laws is missing");
    assert!(c.1.is_empty(), "{}", c.1.join("\n"));
}

/// Fails a property with a message unless the condition holds.
#[macro_export]
macro_rules! ensure {
    ($cond:expr, $($msg:tt)*) => {
        let holds: bool = $cond;
        if !holds {
            return Err(format!($($msg)*));
        }
    };
}

/// A repeatable uniform number in [0, 1): `stiction_core`'s own generator is under test elsewhere.
pub fn random(stream: u64, k: u64) -> f64 {
    let mut x = (stream << 32 | k).wrapping_mul(0x2545_F491_4F6C_DD1D) ^ 0x1234_5678_9ABC_DEF0;
    for _ in 0..3 {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    (x >> 11) as f64 / (1u64 << 53) as f64
}

/// Velocities of a jerky motion: speeds over six decades, many reversals, some rests.
pub fn motion(stream: u64, n: u64) -> impl Iterator<Item = (f64, f64)> {
    (0..n).map(move |k| {
        let r = |j| random(stream, 8 * k + j);
        let speed = 10f64.powf(-6.0 + 6.0 * r(0));
        let v = if r(1) < 0.05 {
            0.0
        } else if r(2) < 0.5 {
            -speed
        } else {
            speed
        };
        // a travel between a nanometre and a millimetre
        let dt = 10f64.powf(-9.0 + 6.0 * r(3)) / speed;
        (v, dt)
    })
}

/// States that the law really reaches: along [`motion`] from the zero memory, with the input that led there.
pub fn reached<M: Law<f64>>(m: &M, stream: u64, n: u64) -> Vec<(M::State, f64)> {
    let mut z = M::State::zero();
    let mut out = vec![(z, 1e-3)];
    for (v, dt) in motion(stream, n) {
        z = m.step(&z, &Input::at(v), dt);
        out.push((z, v));
    }
    out
}

/// The largest steady force at moderate speeds, to measure errors against.
pub fn scale<M: Law<f64>>(m: &M) -> f64 {
    [1e-6, 1e-3, 1e-1].iter().map(|&v| m.steady(&Input::at(v)).abs()).fold(0.0, f64::max)
}
