//! Whether a law in wrappers has a set of forces at rest.
use crate::{ParameterGroup, Spec};
use stiction_core::registry::DynLaw;
use stiction_core::{Input, Real};

/// A law with parameters for each direction has a set at rest wherever the directions make different forces of one memory, as with different
/// stiffness. Its half-width is a program that is seldom the number zero, though it is zero in every memory that motion leads to: with
/// different levels alone. So the law is moved to and fro, at rest in between, and the half-width there tells.
pub(super) fn is_reached(law: &dyn DynLaw, load: f64) -> bool {
    const SEED: f64 = 11.0;
    const MOVES: usize = 256;
    /// Of the largest force: far above rounding, far below what a set means.
    const NEGLIGIBLE: f64 = 1e-9;
    let (mut memory, mut at_rest) = (vec![0.0; law.len()], vec![0.0; law.len()]);
    let (mut widest, mut largest) = (0.0_f64, 0.0_f64);
    let rest = Input { v: 0.0, load };
    for k in 0..MOVES {
        let draw = |j: usize| f64::uniform(SEED, (4 * k + j) as f64);
        let between = |j: usize, low: f64, high: f64| 10_f64.powf(low + (high - low) * draw(j));
        let v = if draw(0) < 0.5 { -1.0 } else { 1.0 } * between(1, -6.0, 0.0);
        largest = largest.max(law.sample(&mut memory, &Input { v, load }, between(2, -6.0, 0.0)).abs());
        at_rest.copy_from_slice(&memory);
        law.jump(&mut at_rest, &rest);
        let half_widths = [-1.0, 1.0].map(|dir| law.hold(&at_rest, &rest, dir).abs());
        widest = half_widths.into_iter().fold(widest, f64::max);
    }
    widest > NEGLIGIBLE * largest
}

/// Which of these parameters of reverse motion make a set of forces at rest if they differ from the forward ones, by their places among those of the law:
/// each is tried with other values.
pub(super) fn makers(spec: &Spec, reverse: &[usize], load: f64) -> Vec<usize> {
    let law = spec.law();
    let makes = |i: &&usize| {
        let param = &law.params[**i];
        let forward = spec.values(ParameterGroup::Law)[**i];
        let key = ParameterGroup::Reverse.key(param.name);
        // far from the forward value on either side; bounds and conditions of the law may leave out one of them
        [0.5 * forward, 2.0 * forward + f64::from(u8::from(forward == 0.0))].into_iter().any(|value| {
            let mut other = spec.clone();
            let built = other.set(&key, value).ok().and_then(|other| other.build().ok());
            built.is_some_and(|built| is_reached(&*built, load))
        })
    };
    reverse.iter().filter(makes).copied().collect()
}
