//! One sample of a law whose rates are known only as a program: an implicit step, and the limit of many.
//!
//! At constant velocity the memory follows `dz/dt = f(z)`. The step is the diagonally implicit Runge–Kutta method of two stages
//! with `γ = 1 − 1/√2`: of second order, and L-stable, so that a fast decay is over after a step of any length instead of
//! oscillating. Each stage `Z = base + γ dt f(Z)` is solved by Newton's iteration with the exact derivative of the program; its
//! number of iterations is bounded. A single state that would cross an equilibrium takes the implicit Euler step instead. Where
//! every rate is linear in its own state and depends on no other, as in most bristle laws, the flow is known in closed form and
//! used instead. A step that ends beyond a change of mode is cut there, up to a bounded number of times.
use super::law::{PROGRAM_STATES_MAX, ProgramLaw};
use crate::{Input, Real};

/// `1 − 1/√2`
const GAMMA: f64 = 1.0 - core::f64::consts::FRAC_1_SQRT_2;

/// Newton iterations of a stage. They are over once nothing changes. Far from the solution of a quadratic equation an iteration halves
/// the distance, so this many begin 2⁴⁰ times its size away.
const ITERATIONS: usize = 40;

/// Relative change of a number below which an iteration leaves it: a few units in the last place.
const UNCHANGED: f64 = 8.0 * f64::EPSILON;

/// Changes of mode that a sample of a law with so many guards resolves one by one; a later one takes place at its end. At constant
/// velocity a guard is crossed once, and hardly again after the mode has changed; one of a curved flow is met in two pieces, because
/// the first ends by linear interpolation.
fn most_pieces(guards: usize) -> usize {
    2 * guards + 2
}

/// The memory after a sample.
pub(super) fn step<R: Real>(law: &ProgramLaw<'_, R>, z: &mut [R], u: &Input<R>, dt: R) {
    law.jump(z, u);
    match law.len() {
        0 => {}
        // room for so many states, and for their rates with all derivatives
        1 => pieces::<R, 1, 2>(law, z, u, dt),
        2 => pieces::<R, 2, 6>(law, z, u, dt),
        3..=4 => pieces::<R, 4, 20>(law, z, u, dt),
        5..=8 => pieces::<R, 8, 72>(law, z, u, dt),
        _ => pieces::<R, PROGRAM_STATES_MAX, { PROGRAM_STATES_MAX * (1 + PROGRAM_STATES_MAX) }>(law, z, u, dt),
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
    if law.program().is_decoupled() && !law.program().jumps() {
        step(law, z, &u, R::lit(1e26));
        // each number goes one way, from zero to its limit
        return load::<R, PROGRAM_STATES_MAX>(z).map(R::abs);
    }
    let len = law.len();
    let start = [zero; PROGRAM_STATES_MAX];
    let first = ((start, start), (start, [R::lit(1e-9)]));
    let ((now, before), (range, _)) = R::repeat(STEPS, first, |((mut now, _), (mut range, [dt]))| {
        let before = now;
        step(law, &mut now[..len], &u, dt);
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

/// A loop that makes all of its turns.
fn never<R: Real>() -> R::Mask {
    R::lit(0.0).lt(R::lit(0.0))
}

/// The velocity whose settled memory stands for that at rest \[m/s\].
const SLOWEST: f64 = 1e-15;

fn load<R: Real, const N: usize>(z: &[R]) -> [R; N] {
    let mut out = [R::lit(0.0); N];
    out.iter_mut().zip(z).for_each(|(to, x)| *to = *x);
    out
}

/// A sample in pieces that end at changes of mode.
#[inline(never)]
fn pieces<R: Real, const N: usize, const B: usize>(law: &ProgramLaw<'_, R>, z: &mut [R], u: &Input<R>, dt: R) {
    let len = law.len().min(N);
    let mut now: [R; N] = load(z);
    let mut left = dt;
    if law.program().jumps() {
        let most = most_pieces(law.program().guard_count());
        (now, [left]) = R::repeat(most, (now, [left]), |(mut now, [left])| {
            let whole = flow::<R, N, B>(law, &now, u, left);
            let part = first_crossing(law, &now[..len], &whole[..len], u);
            let complete = !part.lt(R::lit(1.0));
            let cut = if R::all(complete) { whole } else { flow::<R, N, B>(law, &now, u, left * part) };
            for i in 0..len {
                now[i] = R::select(complete, whole[i], cut[i]);
            }
            law.jump(&mut now[..len], u);
            let left = R::select(complete, R::lit(0.0), left * (R::lit(1.0) - part));
            ((now, [left]), complete)
        });
    }
    // Where the pieces make up the whole sample, nothing is left, and what follows changes nothing.
    if !R::all(!R::lit(0.0).lt(left)) || !law.program().jumps() {
        now = flow::<R, N, B>(law, &now, u, left);
        law.jump(&mut now[..len], u);
    }
    z.iter_mut().zip(now).for_each(|(to, x)| *to = x);
}

/// The fraction of a piece after which the first guard changes its sign, by linear interpolation; 1 if none does.
fn first_crossing<R: Real>(law: &ProgramLaw<'_, R>, from: &[R], to: &[R], u: &Input<R>) -> R {
    const MOST: usize = 2 * PROGRAM_STATES_MAX;
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (mut before, mut after) = ([zero; MOST], [zero; MOST]);
    law.guards(from, u, &mut before);
    law.guards(to, u, &mut after);
    let mut first = one;
    for (a, b) in before.into_iter().zip(after).take(law.program().guard_count()) {
        let crosses = (a.lt(zero) & zero.lt(b)) | (b.lt(zero) & zero.lt(a));
        let at = a / R::select(crosses, a - b, one);
        first = R::select(crosses, first.min(at), first);
    }
    first
}

/// The flow over `dt`, without changes of mode.
fn flow<R: Real, const N: usize, const B: usize>(law: &ProgramLaw<'_, R>, z: &[R; N], u: &Input<R>, dt: R) -> [R; N] {
    if law.program().is_decoupled() {
        return exponential::<R, N, B>(law, z, u, dt);
    }
    let part = R::lit(GAMMA) * dt;
    let ratio = R::lit((1.0 - GAMMA) / GAMMA);
    // two stages that differ in their base alone
    let (second, _) = R::repeat(2, (*z, *z), |(guess, base)| {
        let found = stage::<R, N, B>(law, &base, &guess, u, part);
        // γ dt f(Z₁) = Z₁ − z
        let mut next = *z;
        for i in 0..N {
            next[i] = z[i] + ratio * (found[i] - z[i]);
        }
        ((found, next), never::<R>())
    });
    if law.len() == 1 { behind_equilibrium::<R, N, B>(law, z, second, u, dt) } else { second }
}

/// A single state never crosses a zero of its rate. Where a step of second order does, the implicit Euler step is taken, which does
/// not.
fn behind_equilibrium<R: Real, const N: usize, const B: usize>(
    law: &ProgramLaw<'_, R>,
    z: &[R; N],
    end: [R; N],
    u: &Input<R>,
    dt: R,
) -> [R; N] {
    let rate = |z: &[R; N]| {
        let mut out = [R::lit(0.0)];
        law.flow(&z[..1], u, &mut out);
        out[0]
    };
    let crossed = (rate(z) * rate(&end)).lt(R::lit(0.0));
    if R::all(!crossed) {
        return end;
    }
    let euler = stage::<R, N, B>(law, z, &end, u, dt);
    let mut out = end;
    out[0] = R::select(crossed, euler[0], end[0]);
    out
}

/// `z + f (e^{b dt} − 1)/b`, state by state, with the rate `f` and its derivative `b`.
fn exponential<R: Real, const N: usize, const B: usize>(
    law: &ProgramLaw<'_, R>,
    z: &[R; N],
    u: &Input<R>,
    dt: R,
) -> [R; N] {
    let len = law.len().min(N);
    let mut buffer = [R::lit(0.0); B];
    let room = &mut buffer[..len * (1 + len)];
    law.newton(&z[..len], u, room);
    let mut out = *z;
    for i in 0..len {
        let (rate, slope) = (room[i], room[len * (1 + i) + i]);
        // an unstable rate grows no further than numbers do
        let exponent = (slope * dt).min(R::lit(700.0));
        let moves = R::lit(0.0).lt(exponent.abs());
        let length = R::select(moves, exponent.exp_m1() / R::select(moves, slope, R::lit(1.0)), dt);
        out[i] = z[i] + rate * length;
    }
    out
}

/// The solution of `Z = base + part·f(Z)`, from a guess.
fn stage<R: Real, const N: usize, const B: usize>(
    law: &ProgramLaw<'_, R>,
    base: &[R; N],
    guess: &[R; N],
    u: &Input<R>,
    part: R,
) -> [R; N] {
    let len = law.len().min(N);
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    R::repeat(ITERATIONS, *guess, |mut z| {
        // rates, then a column of derivatives for each state
        let mut buffer = [zero; B];
        let room = &mut buffer[..len * (1 + len)];
        law.newton(&z[..len], u, room);
        let mut residual = [zero; N];
        for i in 0..len {
            residual[i] = base[i] + part * room[i] - z[i];
        }
        let entry = |i: usize, j: usize| {
            let unit = if i == j { one } else { zero };
            unit - part * room[len * (1 + j) + i]
        };
        let delta = law.program().coupling().solve(entry, &residual);
        let mut done = !zero.lt(zero);
        for i in 0..len {
            let small = !(R::lit(UNCHANGED) * z[i].abs()).lt(delta[i].abs());
            z[i] = R::select(small, z[i], z[i] + delta[i]);
            done = done & small;
        }
        (z, done)
    })
}
