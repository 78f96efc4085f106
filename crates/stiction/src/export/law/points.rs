//! Points at which the functions of a law are tried, with what the law itself gives there.
use super::{FunctionKind, LawCode};
use stiction_core::contact::SlidingBody;
use stiction_core::registry::DynLaw;
use stiction_core::{Input, Real};

/// Inputs of a function and its outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct TestPoint {
    /// In the order of [`LawCode::inputs`].
    pub inputs: Vec<f64>,
    /// In the order of [`LawCode::outputs`].
    pub outputs: Vec<f64>,
}

/// Number of points.
pub(super) const COUNT: usize = 64;
/// Seed of the random numbers.
const SEED: f64 = 41.0;

/// Points over six decades of speed, forwards, backwards and at rest, with loads from half to three halves, parameters within ten
/// percent of their defaults, and memories between nothing and a fifth more than in steady sliding. A body is pushed with up to twice
/// the force that it meets, so that some are held. Points at which the law itself gives no number, because its memory grows beyond all
/// bounds or because it is not defined there, are left out: there is nothing to agree with. What was written says how many.
pub(super) fn of(code: &LawCode, kind: FunctionKind) -> Vec<TestPoint> {
    (0..COUNT).filter_map(|k| point(code, kind, k)).collect()
}

fn point(code: &LawCode, kind: FunctionKind, k: usize) -> Option<TestPoint> {
    let law = code.law;
    let draw = |j: usize| f64::uniform(SEED, (512 * k + j) as f64);
    let decades = |j: usize, low: f64, high: f64| 10_f64.powf(low + (high - low) * draw(j));
    let side = |j: usize| if draw(j) < 0.5 { -1.0 } else { 1.0 };
    let near = |i: usize| {
        let p = &code.params[i];
        (p.default * (1.0 + 0.2 * (draw(16 + i) - 0.5))).clamp(p.min, p.max)
    };
    let defaults: Vec<f64> = code.params.iter().map(|p| p.default).collect();
    let varied: Vec<f64> = (0..code.params.len()).map(near).collect();
    // whole numbers stay so
    let whole = defaults.iter().zip(&varied).zip(&code.params);
    let varied: Vec<f64> =
        whole.map(|((d, x), p)| if p.unit == "-" && d.fract() == 0.0 && *d > 2.0 { *d } else { *x }).collect();
    let (values, built) = match code.build(&varied) {
        Some(built) => (varied, built),
        None => (defaults.clone(), code.build(&defaults)?),
    };
    let v = if k % 8 == 7 { 0.0 } else { side(1) * decades(0, -6.0, 0.0) };
    let u = Input { v, load: 0.5 + draw(2) };
    let mut memory = vec![0.0; law.states.len()];
    if !k.is_multiple_of(16) {
        built.settled(&Input::at(if v == 0.0 { 1e-3 } else { side(3) * v }), &mut memory);
        memory.iter_mut().enumerate().for_each(|(i, z)| *z *= 1.2 * draw(128 + i));
    }
    let dt = decades(4, -6.0, -1.0);
    let body = SlidingBody { mass: decades(5, -1.0, 1.0), applied: 0.0 };
    let level = built.steady(&u.with_v(1e-3)).abs() + built.hold(&memory, &u.with_v(0.0), 1.0);
    let body = SlidingBody { applied: level * (4.0 * draw(6) - 2.0), ..body };
    let mut inputs = Vec::new();
    for signal in kind.signals() {
        inputs.push(match signal.name {
            "v" => u.v,
            "load" => u.load,
            "dt" => dt,
            "mass" => body.mass,
            _ => body.applied,
        });
    }
    if kind.takes_memory() {
        inputs.extend(&memory);
    }
    inputs.extend(&values);
    let outputs = outputs(kind, built.as_ref(), &mut memory, &u, dt, &body);
    let finite = inputs.iter().chain(&outputs).all(|x| x.is_finite());
    finite.then_some(TestPoint { inputs, outputs })
}

fn outputs(
    kind: FunctionKind,
    law: &dyn DynLaw,
    memory: &mut [f64],
    u: &Input<f64>,
    dt: f64,
    body: &SlidingBody<f64>,
) -> Vec<f64> {
    let mut out = match kind {
        FunctionKind::Steady => vec![law.steady(u)],
        FunctionKind::Force => vec![law.force(memory, u)],
        FunctionKind::Rate => {
            let now = memory.to_vec();
            law.rate(&now, u, memory);
            Vec::new()
        }
        FunctionKind::Step => vec![law.sample(memory, u, dt)],
        FunctionKind::Contact => {
            let step = law.contact(memory, u, body, dt);
            vec![step.v, step.force, f64::from(u8::from(step.stuck))]
        }
    };
    if kind.gives_memory() {
        out.extend(&*memory);
    }
    out
}
