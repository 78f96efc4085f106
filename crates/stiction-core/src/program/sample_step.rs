//! One sample of a law whose rates are known only as a program, and the limit of many.
//!
//! At constant velocity the memory follows `dz/dt = f(z)`, and `f` is smooth but for surfaces `g(z) = 0`, the zeros of the law's guards:
//! there a mode changes and the memory jumps, or a comparison of states within a rate changes its side. A sample is cut into pieces
//! that end at such zeros. Within a piece the flow is that of one mode, continued beyond its surfaces (see the module `implicit_step`),
//! so it is smooth, and the end of the piece is the first zero along it, found by Newton's iteration within a bracket.
//!
//! At a surface of a comparison the next mode follows from the flows of both sides, `f⁻` where `g < 0` and `f⁺` where `g > 0`:
//!
//! - `∇g·f⁺ > 0`: the memory goes on above the surface;
//! - `∇g·f⁻ < 0`: it goes on below;
//! - neither: both flows point to the surface, or end on it, and the memory stays on it until one of them points away.
//!
//! Where both flows run along the surface, as in a state that begins at the zero of a comparison about it and does not move yet, their accelerations
//! `∇g·J·f` decide in the same way. Flows that are the same on both sides hold no memory there.
//!
//! The number of pieces is bounded; what is left of the sample after the last flows in the last mode.
use super::implicit_step::{Field, Mode, load, never, on_surface};
use super::law::{PROGRAM_STATES_MAX, ProgramLaw};
use super::switching::{SWITCHES_MAX, Switching};
use crate::{Input, Real, step::root};
use alloc::vec;
use alloc::vec::Vec;

/// Most guards that are watched.
const GUARDS_MAX: usize = 64;

/// Pieces of a sample of a law with so many guards. At constant velocity a guard is crossed once, and hardly again after the mode has
/// changed; a memory that rests on a surface within rounding meets it twice.
fn most_pieces(guards: usize) -> usize {
    2 * guards + 2
}

/// The memory after a sample.
pub(super) fn step<R: Real>(law: &ProgramLaw<'_, R>, z: &mut [R], u: &Input<R>, dt: R) {
    sample(law, z, u, dt, false);
}

/// The same; `goes_on`: the sample goes on from one at the same velocity that was not much shorter.
fn sample<R: Real>(law: &ProgramLaw<'_, R>, z: &mut [R], u: &Input<R>, dt: R, goes_on: bool) {
    law.jump(z, u);
    match law.len() {
        0 => {}
        // room for so many states, and for their rates with all derivatives
        1 => pieces::<R, 1, 2>(law, z, u, dt, goes_on),
        2 => pieces::<R, 2, 6>(law, z, u, dt, goes_on),
        3..=4 => pieces::<R, 4, 20>(law, z, u, dt, goes_on),
        5..=8 => pieces::<R, 8, 72>(law, z, u, dt, goes_on),
        // the derivatives of more are not kept on the stack
        9..=16 => pieces::<R, 16, 0>(law, z, u, dt, goes_on),
        _ => pieces::<R, PROGRAM_STATES_MAX, 0>(law, z, u, dt, goes_on),
    }
}

/// The limit of the flow from zero memory at constant velocity: steps of growing length. An L-stable step much longer than
/// every time constant is Newton's iteration for `f(z) = 0`. The result is the largest size of each number on the way, its range.
pub(super) fn settle<R: Real>(law: &ProgramLaw<'_, R>, z: &mut [R], u: &Input<R>) -> [R; PROGRAM_STATES_MAX] {
    // forty steps from a nanosecond, each eight times as long as the last: the last is 1e26 s, in which the slowest motion
    // below slides over kilometres
    const STEPS: usize = 40;
    let zero = R::lit(0.0);
    let still = !(u.v.lt(zero) | zero.lt(u.v));
    let u = u.with_v(R::select(still, R::lit(SLOWEST), u.v));
    if law.program().is_decoupled() && !law.program().jumps() && law.program().switching().is_none() {
        step(law, z, &u, R::lit(1e26));
        // each number goes one way, from zero to its limit
        return load::<R, PROGRAM_STATES_MAX>(z).map(R::abs);
    }
    let len = law.len();
    let start = [zero; PROGRAM_STATES_MAX];
    let first = ((start, start), (start, [R::lit(1e-9)]));
    let ((now, before), (range, _)) = R::repeat(STEPS, first, |((mut now, _), (mut range, [dt]))| {
        let before = now;
        sample(law, &mut now[..len], &u, dt, true);
        for i in 0..len {
            range[i] = range[i].max(now[i].abs());
        }
        (((now, before), (range, [dt * R::lit(8.0)])), never::<R>())
    });
    z.copy_from_slice(&now[..len]);
    if law.program().settles {
        // The last step was seven times as long as all before it together, so a memory that it has moved by more than a millionth
        // of its range on the way is not the limit: not a number is better than a wrong one. The limit itself is no measure, as
        // it may be zero.
        let mut found = !never::<R>();
        for i in 0..len {
            found = found & !(R::lit(1e-6) * range[i]).lt((now[i] - before[i]).abs());
        }
        for x in z.iter_mut() {
            *x = R::select(found, *x, R::lit(f64::NAN));
        }
    }
    range
}

/// The velocity whose settled memory stands for that at rest \[m/s\].
const SLOWEST: f64 = 1e-15;

/// A sample in pieces.
#[inline(never)]
fn pieces<R: Real, const N: usize, const B: usize>(
    law: &ProgramLaw<'_, R>,
    z: &mut [R],
    u: &Input<R>,
    dt: R,
    goes_on: bool,
) {
    let len = law.len().min(N);
    let start: [R; N] = load(z);
    let switching = law.program().switching();
    if !law.program().jumps() && switching.is_none() {
        let end = Field { law, u, mode: None, goes_on }.flow::<N, B>(&start, dt);
        z.iter_mut().zip(end).for_each(|(to, x)| *to = x);
        return;
    }
    let most = most_pieces(law.program().guard_count().min(GUARDS_MAX));
    let first = ((start, [dt]), mode_at(law, &start[..len], u));
    let ((mut now, [left]), mode) = R::repeat(most, first, |((mut now, [left]), mut mode)| {
        let field = Field { law, u, mode: switching.map(|_| &mode), goes_on };
        let mut watched = Watched::new(&field, &now[..len]);
        let mut end = field.flow::<N, B>(&now, left);
        let crossed = watched.beyond(&field, &end[..len]);
        let complete = !R::lit(0.0).lt(crossed.largest().0);
        let mut time = left;
        if !R::all(complete) {
            watched.keep(&crossed);
            time = watched.first_zero::<N, B>(&field, &now, left, &crossed, complete);
            end = field.flow::<N, B>(&now, time);
        }
        let reached = watched.beyond(&field, &end[..len]);
        now = end;
        if let Some(switching) = switching.filter(|_| !R::all(complete)) {
            // guards beyond the last one that is watched are never met
            let beyond = |k: usize| reached.0.get(switching.guards[k]).map_or(R::lit(-1.0), |guard| guard.0);
            let met = |k: usize| !complete & !beyond(k).lt(R::lit(0.0));
            mode = next_mode(law, switching, &now[..len], u, &mode, met);
        }
        let before = now;
        law.jump(&mut now[..len], u);
        if switching.is_some() && law.program().jumps() {
            let after = mode_at(law, &now[..len], u);
            let mut moved = never::<R>();
            for i in 0..len {
                moved = moved | before[i].lt(now[i]) | now[i].lt(before[i]);
            }
            for (to, x) in mode.iter_mut().zip(after) {
                *to = R::select(moved, x, *to);
            }
        }
        let left = R::select(complete, R::lit(0.0), left - time);
        (((now, [left]), mode), complete)
    });
    let more = R::lit(0.0).lt(left);
    if !R::all(!more) {
        let mut end = Field { law, u, mode: switching.map(|_| &mode), goes_on }.flow::<N, B>(&now, left);
        law.jump(&mut end[..len], u);
        for i in 0..len {
            now[i] = R::select(more, end[i], now[i]);
        }
    }
    z.iter_mut().zip(now).for_each(|(to, x)| *to = x);
}

/// The mode at a memory.
fn mode_at<R: Real>(law: &ProgramLaw<'_, R>, z: &[R], u: &Input<R>) -> Mode<R> {
    let mut mode = [R::lit(0.0); SWITCHES_MAX];
    let Some(switching) = law.program().switching() else { return mode };
    let mut guards = [R::lit(0.0); GUARDS_MAX];
    law.guards(z, u, &mut guards);
    for (to, guard) in mode.iter_mut().zip(&switching.guards) {
        *to = guards.get(*guard).map_or(R::lit(1.0), |x| x.sign());
    }
    let on = mode.map(on_surface);
    if R::all(!on[..switching.guards.len()].iter().fold(never::<R>(), |any, on| any | *on)) {
        return mode;
    }
    next_mode(law, switching, z, u, &mode, |k| on[k])
}

/// The mode after a surface was met, by the directions of the flows of both sides.
fn next_mode<R: Real>(
    law: &ProgramLaw<'_, R>,
    switching: &Switching,
    z: &[R],
    u: &Input<R>,
    mode: &Mode<R>,
    met: impl Fn(usize) -> R::Mask,
) -> Mode<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let met: [R::Mask; SWITCHES_MAX] =
        core::array::from_fn(|k| if k < switching.guards.len() { met(k) } else { never::<R>() });
    let mut out = *mode;
    for k in 0..switching.guards.len() {
        if R::all(!met[k]) {
            continue;
        }
        let modes = sides(law, switching, z, u, mode, &met, k);
        let [below, above] = rises(law, switching, z, u, &modes, k);
        let points_away =
            |below: R, above: R, else_to: R| R::select(zero.lt(above), one, R::select(below.lt(zero), -one, else_to));
        let mut next = points_away(below, above, zero);
        let along = met[k] & !(below.lt(zero) | zero.lt(below) | above.lt(zero) | zero.lt(above));
        if !R::all(!along) {
            let ([below, above], same) = accelerations(law, switching, z, u, &modes, k);
            next = R::select(along, points_away(below, above, R::select(same, one, zero)), next);
        }
        out[k] = R::select(met[k], next, out[k]);
    }
    out
}

/// The modes below and above a surface. Other surfaces that are met at the same point are on the side to which the gradient of this one
/// points, or from which it does.
fn sides<R: Real>(
    law: &ProgramLaw<'_, R>,
    switching: &Switching,
    z: &[R],
    u: &Input<R>,
    mode: &Mode<R>,
    met: &[R::Mask; SWITCHES_MAX],
    k: usize,
) -> [Mode<R>; 2] {
    let guards = law.guard_slopes(z, u);
    let count = law.program().guard_count();
    let slope = |k: usize, j: usize| guards[count * (1 + j) + switching.guards[k]];
    let aligned = |other: usize| (0..z.len()).fold(R::lit(0.0), |sum, j| sum + slope(other, j) * slope(k, j)).sign();
    let directions: Mode<R> = core::array::from_fn(|other| match other {
        _ if other == k => R::lit(1.0),
        _ if other < switching.guards.len() => R::select(met[other], aligned(other), R::lit(0.0)),
        _ => R::lit(0.0),
    });
    [-1.0, 1.0].map(|side| {
        core::array::from_fn(|k| R::select(on_surface(directions[k]), mode[k], R::lit(side) * directions[k]))
    })
}

/// How fast a guard rises in the modes below and above its surface: `∇g·f⁻`, `∇g·f⁺`.
fn rises<R: Real>(
    law: &ProgramLaw<'_, R>,
    switching: &Switching,
    z: &[R],
    u: &Input<R>,
    modes: &[Mode<R>; 2],
    k: usize,
) -> [R; 2] {
    let guards = law.guard_slopes(z, u);
    modes.each_ref().map(|mode| {
        let mut rates = [R::lit(0.0); PROGRAM_STATES_MAX];
        Field { law, u, mode: Some(mode), goes_on: false }.rates(z, &mut rates[..z.len()]);
        rise(law, &guards, switching.guards[k], &rates[..z.len()])
    })
}

/// How fast that changes along the flows, `∇g·J·f` of both sides, and whether both flows are the same. A guard that is curved in the memory would
/// add a term of its curvature.
fn accelerations<R: Real>(
    law: &ProgramLaw<'_, R>,
    switching: &Switching,
    z: &[R],
    u: &Input<R>,
    modes: &[Mode<R>; 2],
    k: usize,
) -> ([R; 2], R::Mask) {
    let (zero, len) = (R::lit(0.0), z.len());
    let guards = law.guard_slopes(z, u);
    let slopes = modes.each_ref().map(|mode| {
        let mut out = vec![zero; len * (1 + len)];
        Field { law, u, mode: Some(mode), goes_on: false }.newton(z, &mut out);
        out
    });
    let accelerations = slopes.each_ref().map(|slopes| {
        let of = |i: usize| (0..len).fold(zero, |sum, j| sum + slopes[len * (1 + j) + i] * slopes[j]);
        let accelerations: Vec<R> = (0..len).map(of).collect();
        rise(law, &guards, switching.guards[k], &accelerations)
    });
    let same = (0..len).fold(!never::<R>(), |same, i| {
        let [below, above] = [slopes[0][i], slopes[1][i]];
        same & !(below.lt(above) | above.lt(below))
    });
    (accelerations, same)
}

/// `∇g·f` of a guard.
fn rise<R: Real>(law: &ProgramLaw<'_, R>, guards: &[R], guard: usize, rates: &[R]) -> R {
    let count = law.program().guard_count();
    let by = |j: usize| guards.get(count * (1 + j) + guard).copied().unwrap_or(R::lit(0.0));
    rates.iter().enumerate().fold(R::lit(0.0), |sum, (j, rate)| sum + by(j) * *rate)
}

/// The guards of a piece: on which side of each it is, and how far on the other it begins, by rounding.
struct Watched<R: Real> {
    /// −1 or +1; 0 is not watched.
    side: [R; GUARDS_MAX],
    offset: [R; GUARDS_MAX],
    /// Whether its zero ends the piece, too, and not only what is beyond.
    open: [R::Mask; GUARDS_MAX],
    count: usize,
}

/// How far each guard is beyond its zero, and how fast it goes there.
struct Beyond<R>([(R, R); GUARDS_MAX]);

impl<R: Real> Beyond<R> {
    /// The largest.
    fn largest(&self) -> (R, R) {
        let (first, others) = (self.0[0], &self.0[1..]);
        others.iter().fold(first, |most, x| {
            let larger = most.0.lt(x.0);
            (R::select(larger, x.0, most.0), R::select(larger, x.1, most.1))
        })
    }
}

impl<R: Real> Watched<R> {
    fn new(field: &Field<'_, '_, R>, z: &[R]) -> Self {
        let (program, zero) = (field.law.program(), R::lit(0.0));
        let count = program.guard_count().min(GUARDS_MAX);
        let mut guards = [zero; GUARDS_MAX];
        field.law.guards(z, field.u, &mut guards);
        let (mut side, mut offset) = ([zero; GUARDS_MAX], [zero; GUARDS_MAX]);
        for k in 0..count {
            side[k] = guards[k].sign();
        }
        if let (Some(switching), Some(mode)) = (program.switching(), field.mode) {
            for (guard, mode) in switching.guards.iter().zip(mode).filter(|(guard, _)| **guard < count) {
                side[*guard] = *mode;
                offset[*guard] = (-(*mode) * guards[*guard]).max(zero);
            }
        }
        let mut out = Self { side, offset, open: [!never::<R>(); GUARDS_MAX], count };
        // a surface that the memory stays on is left where a flow points away from it
        if let (Some(switching), Some(mode)) = (program.switching().filter(|_| !program.is_decoupled()), field.mode) {
            for (k, guard) in switching.guards.iter().enumerate().filter(|(_, guard)| **guard < count) {
                let on = on_surface(mode[k]);
                if !R::all(!on) {
                    let sides = sides(field.law, switching, z, field.u, mode, &mode.map(on_surface), k);
                    let [below, above] = rises(field.law, switching, z, field.u, &sides, k);
                    out.offset[*guard] = R::select(on, above.max(-below).max(zero), out.offset[*guard]);
                }
            }
        }
        out
    }
    /// Those that are beyond their zeros at the end, and those that are so before, end the piece; one that stays at its zero does not.
    fn keep(&mut self, end: &Beyond<R>) {
        for (open, (value, _)) in self.open.iter_mut().zip(&end.0) {
            *open = R::lit(0.0).lt(*value);
        }
    }
    /// At a memory in or behind the piece.
    fn beyond(&self, field: &Field<'_, '_, R>, z: &[R]) -> Beyond<R> {
        let (program, zero) = (field.law.program(), R::lit(0.0));
        let guards = field.law.guard_slopes(z, field.u);
        let mut rates = [zero; PROGRAM_STATES_MAX];
        field.rates(z, &mut rates[..z.len()]);
        let mut out = [(R::lit(f64::MIN), zero); GUARDS_MAX];
        for k in 0..self.count {
            let watched = !on_surface(self.side[k]);
            let value = -self.side[k] * guards[k] - self.offset[k];
            let slope = -self.side[k] * rise(field.law, &guards, k, &rates[..z.len()]);
            out[k] = (R::select(watched, value, out[k].0), R::select(watched, slope, zero));
        }
        if let (Some(switching), Some(mode)) = (program.switching().filter(|_| !program.is_decoupled()), field.mode) {
            for (k, guard) in switching.guards.iter().enumerate().filter(|(_, guard)| **guard < self.count) {
                let on = on_surface(mode[k]);
                if !R::all(!on) {
                    let sides = sides(field.law, switching, z, field.u, mode, &mode.map(on_surface), k);
                    let [below, above] = rises(field.law, switching, z, field.u, &sides, k);
                    out[*guard].0 = R::select(on, above.max(-below) - self.offset[*guard], out[*guard].0);
                }
            }
        }
        for (out, open) in out.iter_mut().zip(&self.open) {
            out.0 = R::select(*open | zero.lt(out.0), out.0, R::lit(f64::MIN));
        }
        Beyond(out)
    }
    /// The time after which the first guard has reached its zero, from the other side of it by rounding at most. Nothing is looked for
    /// where the piece is complete.
    fn first_zero<const N: usize, const B: usize>(
        &self,
        field: &Field<'_, '_, R>,
        z: &[R; N],
        time: R,
        to: &Beyond<R>,
        complete: R::Mask,
    ) -> R {
        let (zero, len) = (R::lit(0.0), field.law.len().min(N));
        let at = |time: R| self.beyond(field, &field.flow::<N, B>(z, time)[..len]).largest();
        // where all guards are straight lines, this is it
        let from = self.beyond(field, &z[..len]);
        let mut part = R::lit(1.0);
        for (from, to) in from.0.iter().zip(&to.0).take(self.count) {
            // one that begins at its zero has gone away from it and come back
            let crosses = zero.lt(to.0) & from.0.lt(zero);
            let at = from.0 / R::select(crosses, from.0 - to.0, R::lit(1.0));
            part = R::select(crosses, part.min(at), part);
        }
        let end = R::select(complete, zero, time);
        let mut found = root::<R, 64>(zero, end, end * part, at);
        if !field.law.program().is_decoupled() {
            // The rates at the end of an implicit step are not quite its derivative by the time. The number has converged all the
            // same; a dual number's derivatives do so in some more iterations.
            [found] = R::repeat(4, [found], |[found]| {
                let (value, slope) = at(found);
                let change = value / slope;
                let small = change.abs().lt(R::lit(1e-6) * found);
                ([R::select(small, found - change, found)], never::<R>())
            });
        }
        // Rounding may end it just before the zero.
        let [found, _] = R::repeat(60, [found, R::lit(f64::EPSILON) * found], |[found, more]| {
            let short = !complete & at(found).0.lt(zero);
            ([R::select(short, (found + more).min(end), found), more + more], !short)
        });
        R::select(complete, time, found)
    }
}
