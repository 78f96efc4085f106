//! A law driven along a measured motion, with exact derivatives of its force by parameters.
use super::Dress;
use crate::{Dual, Friction, Input, Law, ParamError, Params, Real, State, wrap::Affine};

/// Derivatives that one pass computes.
const WIDE: usize = 4;

/// No derivative: what stands in the list of slots for a parameter that is held.
pub const HELD: usize = usize::MAX;

/// A motion sample by sample. Lists are as long as `dt`, unless they may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Track<'a> {
    /// Length of each sample \[s\].
    pub dt: &'a [f64],
    /// Mean velocity over the sample, which moves the memory \[m/s\].
    pub mean: &'a [f64],
    /// Velocity at its end, where the force is asked for \[m/s\].
    pub v: &'a [f64],
    /// Load at its end; empty: nominal.
    pub load: &'a [f64],
    /// The force that friction had to have at its end. Where the body rests and the law allows a whole set of forces, the
    /// one nearest to this is taken. Empty: the middle of the set.
    pub need: &'a [f64],
    /// Whether the memory begins as after sliding for ever at the first velocity; else as if it had never moved.
    pub settled: bool,
}

/// See [`super::Entry::track`].
pub(super) type Run = fn(&[f64], &Dress<'_>, &Track<'_>, &[usize], &mut [f64], &mut [f64]) -> Result<(), ParamError>;

/// See [`super::Entry::track`].
pub(super) fn track<M: Law<f64>>(
    values: &[f64],
    dress: &Dress<'_>,
    track: &Track<'_>,
    slots: &[usize],
    force: &mut [f64],
    slopes: &mut [f64],
) -> Result<(), ParamError> {
    M::check(values)?;
    dress.reverse.map_or(Ok(()), M::check)?;
    dress.load.map_or(Ok(()), Affine::<f64>::check)?;
    let forward = M::from_slice(values);
    let reverse = dress.reverse.map_or(forward, M::from_slice);
    // without a map the load is the load factor
    let map = Affine::<f64>::from_slice(dress.load.unwrap_or(&[]));
    let count = track.dt.len();
    if slopes.is_empty() {
        drive::<f64, M>([&forward, &reverse], &map, track, |x| x, |x| x, &mut |k, f: f64| {
            if let Some(to) = force.get_mut(k) {
                *to = f;
            }
        });
    }
    for (chunk, columns) in slopes.chunks_mut(WIDE * count.max(1)).enumerate() {
        let mut next = 0;
        let mut seed = |x: f64| {
            let slot = slots.get(next).copied().unwrap_or(HELD);
            next += 1;
            Dual::<f64, WIDE>::var(x, slot.checked_sub(chunk * WIDE).unwrap_or(WIDE))
        };
        let (forward, reverse) = (forward.cast(&mut seed), reverse.cast(&mut seed));
        let map = map.map(&mut seed);
        drive([&forward, &reverse], &map, track, Dual::constant, |x| x.re, &mut |k, f: Dual<f64, WIDE>| {
            if let Some(to) = force.get_mut(k) {
                *to = f.re;
            }
            for (column, e) in columns.chunks_exact_mut(count).zip(f.eps) {
                if let Some(to) = column.get_mut(k) {
                    *to = e;
                }
            }
        });
    }
    Ok(())
}

/// Runs the law of either direction along the track.
#[inline(always)]
fn drive<R: Real, F: Friction<R>>(
    [forward, reverse]: [&F; 2],
    map: &Affine<R>,
    track: &Track<'_>,
    lift: impl Fn(f64) -> R,
    value: impl Fn(R) -> f64,
    emit: &mut impl FnMut(usize, R),
) {
    let side = |v: f64| if v < 0.0 { reverse } else { forward };
    let input = |v: f64, load: R| Input { v: lift(v), load };
    let factor = |k: usize| map.base + map.slope * lift(track.load.get(k).copied().unwrap_or(1.0));
    let mut z = F::State::zero();
    if let (true, Some(&v)) = (track.settled, track.mean.first()) {
        z = side(v).settled(&input(v, factor(0)));
    }
    for (k, ((&dt, &mean), &v)) in track.dt.iter().zip(track.mean).zip(track.v).enumerate() {
        let load = factor(k);
        z = side(mean).step(&z, &input(mean, load), lift(dt));
        let u = input(v, load);
        let mut f = side(v).force(&z, &u);
        if let Some(&need) = track.need.get(k)
            && v.abs() <= value(side(v).band(&u))
        {
            let rest = input(0.0, load);
            f = forward.force(&z, &rest);
            let off = need - value(f);
            let dir = if off < 0.0 { -1.0 } else { 1.0 };
            let hold = side(off).hold(&z, &rest, lift(dir));
            f = if off.abs() <= value(hold) { lift(need) } else { f + hold * lift(dir) };
        }
        emit(k, f);
    }
}
