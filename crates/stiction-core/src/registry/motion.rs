//! A law driven along a measured motion, with exact derivatives of its force by parameters.
use super::wrapped::{end_slide, hold_of_sides};
use super::{DynLaw, LawEntry, LawSource, STATES_MAX, Wrappers};
use crate::program::{LawProgram, ProgramLaw};
use crate::wrap::{Affine, Asymmetric, ONLY_A_SIGN};
use crate::{Dual, Friction, Input, Law, ParamError, Params, Real, StateVector};
use alloc::vec;
use alloc::vec::Vec;

/// Derivatives computed in one pass.
const DERIVATIVES_PER_PASS: usize = 4;

/// In the list of slots: a parameter whose derivative is not computed.
pub const NO_DERIVATIVE: usize = usize::MAX;

/// A motion sample by sample. Lists are as long as `dt`, unless they may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeasuredMotion<'a> {
    /// Length of each sample \[s\].
    pub dt: &'a [f64],
    /// Mean velocity over the sample, which moves the memory \[m/s\].
    pub mean: &'a [f64],
    /// Velocity at its end, where the force is computed \[m/s\].
    pub v: &'a [f64],
    /// Load at its end; empty: nominal.
    pub load: &'a [f64],
    /// The friction force that the motion requires at its end. Where the body rests and the law allows an interval of
    /// forces, the nearest one to this is taken. Empty: the middle of the interval.
    pub need: &'a [f64],
    /// Whether the memory begins as in steady sliding at the first velocity; else as in a contact that has never moved.
    pub settled: bool,
    /// How far a contact that had never moved was displaced before the first sample, unless the memory begins settled \[m\].
    pub displaced: f64,
    /// The speed of that displacement \[m/s\].
    pub displaced_at: f64,
    /// Where the motion begins \[m\], for laws that depend on the position.
    pub position: f64,
}

/// The laws of either direction of known type, with their map of the load, run over dual numbers: force and derivatives.
pub(super) type Slopes = fn(&[f64], &Wrappers<'_>, &MeasuredMotion<'_>, &[usize], &mut [f64], &mut [f64]);

/// See [`super::LawEntry::force_along`].
pub(super) fn track(
    entry: &LawEntry,
    values: &[f64],
    wrappers: &Wrappers<'_>,
    track: &MeasuredMotion<'_>,
    slots: &[usize],
    force: &mut [f64],
    slopes: &mut [f64],
) -> Result<(), ParamError> {
    entry.check(values)?;
    wrappers.reverse.map_or(Ok(()), |values| entry.check(values))?;
    wrappers.load.map_or(Ok(()), Affine::<f64>::check)?;
    if !slopes.is_empty() {
        match entry.source {
            LawSource::Compiled { slopes: run, .. } => run(values, wrappers, track, slots, force, slopes),
            LawSource::Program(program) => program_slopes(program, values, wrappers, track, slots, force, slopes),
            LawSource::None => return Err(ParamError::Count { expected: 0, given: values.len() }),
        }
        return Ok(());
    }
    let (forward, reverse) = (entry.build(values)?, entry.build(wrappers.reverse.unwrap_or(values))?);
    let map = Affine::<f64>::from_slice(wrappers.load.unwrap_or(&[]));
    let position = entry.program().and_then(|program| program.equations.position);
    let laws = Models { forward: &*forward, reverse: &*reverse, z: [0.0; STATES_MAX], position };
    drive(laws, &map, track, |x| x, |x| x, &mut |k, f: f64| {
        if let Some(to) = force.get_mut(k) {
            *to = f;
        }
    });
    Ok(())
}

/// A number with the derivatives of one pass.
type Slope = Dual<f64, DERIVATIVES_PER_PASS>;

/// See [`Slopes`].
pub(super) fn slopes<M: Law<f64>>(
    values: &[f64],
    wrappers: &Wrappers<'_>,
    track: &MeasuredMotion<'_>,
    slots: &[usize],
    force: &mut [f64],
    slopes: &mut [f64],
) {
    let forward = M::from_slice(values);
    let reverse = wrappers.reverse.map_or(forward, M::from_slice);
    passes(wrappers, track, slots, force, slopes, |seed| Typed {
        forward: forward.cast(&mut *seed),
        reverse: reverse.cast(&mut *seed),
        z: StateVector::zero(),
    });
}

/// The same for a law of programs.
fn program_slopes(
    program: &'static LawProgram,
    values: &[f64],
    wrappers: &Wrappers<'_>,
    track: &MeasuredMotion<'_>,
    slots: &[usize],
    force: &mut [f64],
    slopes: &mut [f64],
) {
    let reverse = wrappers.reverse.unwrap_or(values);
    passes(wrappers, track, slots, force, slopes, |seed| {
        let [forward, reverse] = [values, reverse]
            .map(|values| ProgramLaw::new(program, values.iter().map(|x| seed(*x)).collect::<Vec<Slope>>()));
        Programs { forward, reverse, z: vec![Slope::lit(0.0); program.len()] }
    });
}

/// One pass for every [`DERIVATIVES_PER_PASS`] derivatives. `laws` makes the laws from numbers that it seeds in order.
fn passes<L: Sides<Slope>>(
    wrappers: &Wrappers<'_>,
    track: &MeasuredMotion<'_>,
    slots: &[usize],
    force: &mut [f64],
    slopes: &mut [f64],
    laws: impl Fn(&mut dyn FnMut(f64) -> Slope) -> L,
) {
    // without a map the load is the load factor
    let map = Affine::<f64>::from_slice(wrappers.load.unwrap_or(&[]));
    let count = track.dt.len();
    for (chunk, columns) in slopes.chunks_mut(DERIVATIVES_PER_PASS * count.max(1)).enumerate() {
        let mut next = 0;
        let mut seed = |x: f64| {
            let slot = slots.get(next).copied().unwrap_or(NO_DERIVATIVE);
            next += 1;
            Slope::var(x, slot.checked_sub(chunk * DERIVATIVES_PER_PASS).unwrap_or(DERIVATIVES_PER_PASS))
        };
        let laws = laws(&mut seed);
        let map = map.map(&mut seed);
        drive(laws, &map, track, Dual::constant, |x| x.re, &mut |k, f: Slope| {
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
}

/// The laws of either direction with their common memory. `reverse` chooses the law.
trait Sides<R: Real> {
    fn settle(&mut self, reverse: bool, u: &Input<R>);
    /// Sets the position of a law that depends on it.
    fn place(&mut self, _position: R) {}
    fn step(&mut self, reverse: bool, u: &Input<R>, dt: R);
    fn force(&self, reverse: bool, u: &Input<R>) -> R;
    fn band(&self, reverse: bool, u: &Input<R>) -> R;
    /// Half-width of the set at rest, from the force of the forward law at rest.
    fn hold(&self, reverse: bool, rest: &Input<R>, dir: R) -> R;
}

/// Laws of known type.
struct Typed<R: Real, F: Friction<R>> {
    forward: F,
    reverse: F,
    z: F::State,
}
impl<R: Real, F: Friction<R>> Typed<R, F> {
    #[inline(always)]
    fn law(&self, reverse: bool) -> &F {
        if reverse { &self.reverse } else { &self.forward }
    }
}
impl<R: Real, F: Friction<R>> Sides<R> for Typed<R, F> {
    #[inline(always)]
    fn settle(&mut self, reverse: bool, u: &Input<R>) {
        self.z = self.law(reverse).settled(u);
    }
    #[inline(always)]
    fn step(&mut self, reverse: bool, u: &Input<R>, dt: R) {
        let ended = Asymmetric { forward: self.forward, reverse: self.reverse }.end_slide(&self.z, u);
        self.z = self.law(reverse).step(&ended, u, dt);
    }
    #[inline(always)]
    fn force(&self, reverse: bool, u: &Input<R>) -> R {
        self.law(reverse).force(&self.z, u)
    }
    #[inline(always)]
    fn band(&self, reverse: bool, u: &Input<R>) -> R {
        self.law(reverse).band(u)
    }
    #[inline(always)]
    fn hold(&self, _: bool, rest: &Input<R>, dir: R) -> R {
        Asymmetric { forward: self.forward, reverse: self.reverse }.hold(&self.z, rest, dir)
    }
}

/// Laws of programs.
struct Programs<'p, R> {
    forward: ProgramLaw<'p, R>,
    reverse: ProgramLaw<'p, R>,
    z: Vec<R>,
}
impl<'p, R: Real> Programs<'p, R> {
    fn law(&self, reverse: bool) -> &ProgramLaw<'p, R> {
        if reverse { &self.reverse } else { &self.forward }
    }
}
impl<R: Real> Sides<R> for Programs<'_, R> {
    fn settle(&mut self, reverse: bool, u: &Input<R>) {
        let law = if reverse { &self.reverse } else { &self.forward };
        law.settled(u, &mut self.z);
    }
    fn place(&mut self, position: R) {
        let own = self.forward.program().equations.position;
        if let Some(x) = own.and_then(|i| self.z.get_mut(i)) {
            *x = position;
        }
    }
    fn step(&mut self, reverse: bool, u: &Input<R>, dt: R) {
        let law = if reverse { &self.reverse } else { &self.forward };
        law.step(&mut self.z, u, dt);
    }
    fn force(&self, reverse: bool, u: &Input<R>) -> R {
        self.law(reverse).force(&self.z, u)
    }
    fn band(&self, reverse: bool, u: &Input<R>) -> R {
        self.law(reverse).band(u)
    }
    // as `Asymmetric`
    fn hold(&self, reverse: bool, rest: &Input<R>, dir: R) -> R {
        let side = self.law(reverse);
        let mut moved = self.z.clone();
        side.jump(&mut moved, &rest.with_v(dir * R::lit(ONLY_A_SIGN)));
        side.hold(&moved, rest, dir) + dir * (side.force(&moved, rest) - self.forward.force(&self.z, rest))
    }
}

/// Laws with their types erased.
struct Models<'a> {
    forward: &'a dyn DynLaw,
    reverse: &'a dyn DynLaw,
    z: [f64; STATES_MAX],
    position: Option<usize>,
}
impl Models<'_> {
    fn law(&self, reverse: bool) -> &dyn DynLaw {
        if reverse { self.reverse } else { self.forward }
    }
}
impl Sides<f64> for Models<'_> {
    fn settle(&mut self, reverse: bool, u: &Input<f64>) {
        let mut z = self.z;
        self.law(reverse).settled(u, &mut z);
        self.z = z;
    }
    fn place(&mut self, position: f64) {
        if let Some(x) = self.position.and_then(|i| self.z.get_mut(i)) {
            *x = position;
        }
    }
    fn step(&mut self, reverse: bool, u: &Input<f64>, dt: f64) {
        end_slide([self.forward, self.reverse], &mut self.z, u);
        let law = if reverse { self.reverse } else { self.forward };
        law.step(&mut self.z, u, dt);
    }
    fn force(&self, reverse: bool, u: &Input<f64>) -> f64 {
        self.law(reverse).force(&self.z, u)
    }
    fn band(&self, reverse: bool, u: &Input<f64>) -> f64 {
        self.law(reverse).band(u)
    }
    fn hold(&self, _: bool, rest: &Input<f64>, dir: f64) -> f64 {
        hold_of_sides([self.forward, self.reverse], &self.z, rest, dir)
    }
}

/// Runs the law of either direction along the track.
#[inline(always)]
fn drive<R: Real>(
    mut laws: impl Sides<R>,
    map: &Affine<R>,
    track: &MeasuredMotion<'_>,
    lift: impl Fn(f64) -> R,
    value: impl Fn(R) -> f64,
    emit: &mut impl FnMut(usize, R),
) {
    let input = |v: f64, load: R| Input { v: lift(v), load };
    let factor = |k: usize| map.base + map.slope * lift(track.load.get(k).copied().unwrap_or(1.0));
    if let (true, Some(&v)) = (track.settled, track.mean.first()) {
        laws.settle(v < 0.0, &input(v, factor(0)));
    } else if track.displaced != 0.0 && track.displaced_at > 0.0 {
        let (v, dt) = (track.displaced_at.copysign(track.displaced), track.displaced.abs() / track.displaced_at);
        laws.step(v < 0.0, &input(v, factor(0)), lift(dt));
    }
    laws.place(lift(track.position));
    for (k, ((&dt, &mean), &v)) in track.dt.iter().zip(track.mean).zip(track.v).enumerate() {
        let load = factor(k);
        laws.step(mean < 0.0, &input(mean, load), lift(dt));
        let need = track.need.get(k).filter(|_| v.abs() <= value(laws.band(v < 0.0, &input(v, load))));
        // one call of the force, at rest or in motion, so that the law is compiled once
        let at = if need.is_some() { 0.0 } else { v };
        let u = input(at, load);
        let mut f = laws.force(at < 0.0, &u);
        if let Some(&need) = need {
            let off = need - value(f);
            let dir = if off < 0.0 { -1.0 } else { 1.0 };
            let hold = laws.hold(off < 0.0, &u, lift(dir));
            f = if off.abs() <= value(hold) { lift(need) } else { f + hold * lift(dir) };
        }
        emit(k, f);
    }
}
