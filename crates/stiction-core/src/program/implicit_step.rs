//! The flow of a memory over a time at constant velocity, without changes of mode: in closed form, in steps of controlled error (see the module
//! `controlled_step`), or as one implicit step, where the memory stays on a surface that several states share, or a sample is left over.
//!
//! The memory follows `dz/dt = f(z)`. The step is the diagonally implicit Runge–Kutta method of two stages with `γ = 1 − 1/√2`: of
//! second order, and L-stable, so that a fast decay is over after a step of any length instead of oscillating. Each stage
//! `Z = base + γ dt f(Z)` is solved by Newton's iteration with the exact derivative of the program; its number of iterations is
//! bounded. Where every rate is linear in its own
//! state and depends on no other, as in most bristle laws, the flow is known in closed form and used instead.
//!
//! On a surface `g(z) = 0` towards which the flows of both sides point, `f⁻` below it and `f⁺` above, the memory stays, and moves along
//! it with the mean of the two that is tangent to it [Filippov1988]: `f = f⁻ + λ (f⁺ − f⁻)`, `0 ≤ λ ≤ 1`, `∇g·f = 0`. A stage then has
//! `g(Z) = 0` as one more equation and `λ` as one more unknown. A surface that is a value of one state, and decides about the rate of that
//! state alone, needs no `λ`: that state rests.
use super::law::{PROGRAM_STATES_MAX, ProgramLaw};
use super::switching::SWITCHES_MAX;
use crate::{Input, Real, step::root};
use alloc::vec::Vec;

/// `1 − 1/√2`
const GAMMA: f64 = 1.0 - core::f64::consts::FRAC_1_SQRT_2;

/// Newton iterations of a stage. They are over once nothing changes. Far from the solution of a quadratic equation an iteration halves
/// the distance, so this many begin 2⁴⁰ times its size away.
const ITERATIONS: usize = 40;

/// Relative change of a number below which an iteration leaves it: a few units in the last place.
const UNCHANGED: f64 = 8.0 * f64::EPSILON;

/// Whether an iteration leaves a number that this change would hardly move. A change that is no number is none of these: where a rate is
/// not defined, neither is the memory after a step.
#[inline(always)]
fn is_small<R: Real>(change: R, x: R) -> R::Mask {
    let change = change.abs();
    change.lt(R::lit(f64::INFINITY)) & !(R::lit(UNCHANGED) * x.abs()).lt(change)
}

/// Most states of a law whose steps of controlled error have their eight stages and their elimination written out, which is quicker than a loop. With
/// eight states that all act on each other an exported `contact` has 46 thousand operations so, with twelve more than the 100 thousand that a
/// function may have.
pub(super) const WRITTEN_OUT_STATES_MAX: usize = 8;

/// The mode of each comparison of states: −1 or +1 for a side of its surface, 0 on it.
pub(super) type Mode<R> = [R; SWITCHES_MAX];

/// Whether a mode is on the surface.
pub(super) fn on_surface<R: Real>(side: R) -> R::Mask {
    !(side.lt(R::lit(0.0)) | R::lit(0.0).lt(side))
}

/// A loop that makes all of its turns.
pub(super) fn never<R: Real>() -> R::Mask {
    R::lit(0.0).lt(R::lit(0.0))
}

/// The rates of a law at constant input, in a mode if it compares states.
pub(super) struct Field<'a, 'p, R> {
    pub law: &'a ProgramLaw<'p, R>,
    pub u: &'a Input<R>,
    pub mode: Option<&'a Mode<R>>,
    /// Whether the memory has moved at this input for a time not much shorter than the next, so that a first step of all of it is tried.
    pub goes_on: bool,
}

impl<R: Real> Field<'_, '_, R> {
    /// The rates in the mode. Those of states that rest on a surface are zero.
    pub fn rates(&self, z: &[R], out: &mut [R]) {
        match self.mode {
            None => {
                self.law.flow(z, self.u, out);
            }
            Some(mode) => {
                self.law.rates_in(mode, z, self.u, out);
                self.rest(mode, out);
            }
        }
    }
    /// Rates, then the derivatives of all rates by the first state, by the second, and so on.
    pub fn newton(&self, z: &[R], out: &mut [R]) {
        match self.mode {
            None => self.law.newton(z, self.u, out),
            Some(mode) => {
                self.law.newton_in(mode, z, self.u, out);
                self.rest(mode, out);
            }
        }
    }
    /// Sets the rates of states that rest on a surface to zero, and their derivatives.
    fn rest(&self, mode: &Mode<R>, out: &mut [R]) {
        let Some(own) = self.law.program().switching().and_then(|switching| switching.own_states.as_ref()) else {
            return;
        };
        for (state, side) in own.iter().zip(mode) {
            for x in out.iter_mut().skip(*state).step_by(self.law.len().max(1)) {
                *x = R::select(on_surface(*side), R::lit(0.0), *x);
            }
        }
    }
    /// The memory after a time.
    pub fn flow<const N: usize, const B: usize>(&self, z: &[R; N], dt: R) -> [R; N] {
        if self.law.program().is_decoupled() {
            return self.exponential::<N, B>(z, dt);
        }
        let Some(slides) = self.slides() else { return self.controlled::<N, B>(z, dt) };
        if R::all(!slides) {
            return self.controlled::<N, B>(z, dt);
        }
        let along = self.implicit::<N, B>(z, dt);
        if R::all(slides) {
            return along;
        }
        let mut out = self.controlled::<N, B>(z, dt);
        for i in 0..N {
            out[i] = R::select(slides, along[i], out[i]);
        }
        out
    }
    /// Whether the memory stays on a surface that several states share; none if there is no such surface.
    fn slides(&self) -> Option<R::Mask> {
        let switching = self.law.program().switching().filter(|switching| switching.own_states.is_none())?;
        let sides = self.mode?.iter().take(switching.guards.len());
        Some(sides.fold(never::<R>(), |any, side| any | on_surface(*side)))
    }
    /// The memory after one implicit step.
    pub fn implicit<const N: usize, const B: usize>(&self, z: &[R; N], dt: R) -> [R; N] {
        let part = R::lit(GAMMA) * dt;
        let ratio = R::lit((1.0 - GAMMA) / GAMMA);
        // two stages that differ in their base alone
        let (second, _) = R::repeat(2, (*z, *z), |(guess, base)| {
            let found = self.stage::<N, B>(&base, &guess, part);
            // γ dt f(Z₁) = Z₁ − z
            let mut next = *z;
            for i in 0..N {
                next[i] = z[i] + ratio * (found[i] - z[i]);
            }
            ((found, next), never::<R>())
        });
        second
    }
    /// The rate of a single state and its derivative.
    pub fn single(&self, x: R) -> (R, R) {
        let mut out = [R::lit(0.0); 2];
        self.newton(&[x], &mut out);
        (out[0], out[1])
    }
    /// Of several solutions of `Z = base + part·f(Z)` for a single state, that of the flow lies in the direction of the rate. Where
    /// Newton's iteration has found another one, the solution is looked for in a bracket.
    fn in_direction(&self, base: R, found: R, part: R) -> R {
        let zero = R::lit(0.0);
        let first = self.single(base).0;
        let wrong = (first * (found - base)).lt(zero);
        if R::all(!wrong) {
            return found;
        }
        // y − part |f(base ± y)| is negative at y = 0
        let direction = first.sign();
        let residual = |y: R| {
            let (rate, slope) = self.single(base + direction * y);
            (y - part * direction * rate, R::lit(1.0) - part * slope)
        };
        let [far] = R::repeat(8, [part * first.abs()], |[far]| {
            let short = residual(far).0.lt(zero);
            ([R::select(short, far + far, far)], !short)
        });
        let far = R::select(wrong, far, zero);
        R::select(wrong, base + direction * root::<R, 64>(zero, far, far, residual), found)
    }
    /// `z + f (e^{b dt} − 1)/b`, state by state, with the rate `f` and its derivative `b`.
    fn exponential<const N: usize, const B: usize>(&self, z: &[R; N], dt: R) -> [R; N] {
        let len = self.law.len().min(N);
        let (mut small, mut large) = ([R::lit(0.0); B], Vec::new());
        let slopes = room(len * (1 + len), &mut small, &mut large);
        self.newton(&z[..len], slopes);
        let mut out = *z;
        for i in 0..len {
            let (rate, slope) = (slopes[i], slopes[len * (1 + i) + i]);
            // an unstable rate grows no further than numbers do
            let exponent = (slope * dt).min(R::lit(700.0));
            let moves = R::lit(0.0).lt(exponent.abs());
            let length = R::select(moves, exponent.exp_m1() / R::select(moves, slope, R::lit(1.0)), dt);
            out[i] = z[i] + rate * length;
        }
        out
    }
    /// The solution of `Z = base + part·f(Z)`, from a guess.
    fn stage<const N: usize, const B: usize>(&self, base: &[R; N], guess: &[R; N], part: R) -> [R; N] {
        if let (Some(mode), Some(switching)) = (self.mode, self.law.program().switching())
            && switching.own_states.is_none()
        {
            let len = self.law.len().min(N);
            let (base, guess) = (&base[..len], &guess[..len]);
            return if len + switching.guards.len() <= 8 {
                load(&self.stage_on_surfaces::<8, 72>(mode, base, guess, part)[..len])
            } else {
                load(
                    &self.stage_on_surfaces::<{ PROGRAM_STATES_MAX + SWITCHES_MAX }, 0>(mode, base, guess, part)[..len],
                )
            };
        }
        let (zero, len) = (R::lit(0.0), self.law.len().min(N));
        let mut found = R::repeat(ITERATIONS, *guess, |mut z| {
            // rates, then a column of derivatives for each state
            let (mut small, mut large) = ([zero; B], Vec::new());
            let slopes = room(len * (1 + len), &mut small, &mut large);
            self.newton(&z[..len], slopes);
            let mut residual = [zero; N];
            for i in 0..len {
                residual[i] = base[i] + part * slopes[i] - z[i];
            }
            let delta = self.law.program().coupling().solve(stage_matrix(slopes, len, part), &residual);
            let mut done = !zero.lt(zero);
            for i in 0..len {
                let small = is_small(delta[i], z[i]);
                z[i] = R::select(small, z[i], z[i] + delta[i]);
                done = done & small;
            }
            (z, done)
        });
        if len == 1 {
            found[0] = self.in_direction(base[0], found[0], part);
        }
        found
    }
    /// The same where several states may share a surface: with `D = f⁺ − f⁻` for each surface, `Z = base + part·f⁻(Z) + Σ μ D(Z)` and
    /// `g(Z) = 0` on it, `μ = 0` off it; `μ = part·λ`. `T` is room for the states and all multipliers `μ`, which follow them in the
    /// result, and `B` for the rates with their derivatives.
    #[inline(never)]
    fn stage_on_surfaces<const T: usize, const B: usize>(
        &self,
        mode: &Mode<R>,
        base: &[R],
        guess: &[R],
        part: R,
    ) -> [R; T] {
        let program = self.law.program();
        let (zero, one, len) = (R::lit(0.0), R::lit(1.0), base.len());
        let start = load(guess);
        let Some(switching) = program.switching() else { return start };
        let count = switching.guards.len();
        let below = core::array::from_fn(|k| R::select(zero.lt(mode[k]), one, -one));
        R::repeat(ITERATIONS, start, |mut x| {
            let z = &x[..len];
            let size = len * (1 + len);
            let (mut small, mut large) = ([[zero; B]; 3], [const { Vec::new() }; 3]);
            let [plain_small, other_small, slopes_small] = &mut small;
            let [plain_large, other_large, slopes_large] = &mut large;
            let (plain, other) = (room(size, plain_small, plain_large), room(size, other_small, other_large));
            self.law.newton_in(&below, z, self.u, plain);
            let mut residual = [zero; T];
            for i in 0..len {
                residual[i] = base[i] + part * plain[i] - x[i];
            }
            // part·f' + Σ μ D'
            let slopes = room(size, slopes_small, slopes_large);
            slopes.iter_mut().zip(&*plain).for_each(|(to, x)| *to = part * *x);
            let guards = self.law.guard_slopes(z, self.u);
            let mut columns = [[zero; T]; SWITCHES_MAX];
            for k in 0..count {
                let slides = on_surface(mode[k]);
                residual[len + k] = R::select(slides, -guards[switching.guards[k]], -x[len + k]);
                if R::all(!slides) {
                    continue;
                }
                let mut above = below;
                above[k] = one;
                self.law.newton_in(&above, z, self.u, other);
                for i in 0..len {
                    columns[k][i] = R::select(slides, other[i] - plain[i], zero);
                    residual[i] = residual[i] + x[len + k] * columns[k][i];
                }
                for i in len..size {
                    slopes[i] = slopes[i] + R::select(slides, x[len + k] * (other[i] - plain[i]), zero);
                }
            }
            let slope = |k: usize, j: usize| guards[program.guard_count() * (1 + j) + switching.guards[k]];
            let entry = |i: usize, j: usize| {
                let unit = if i == j { one } else { zero };
                match (i < len, j < len) {
                    (true, true) => unit - slopes[len * (1 + j) + i],
                    (true, false) => -columns[j - len][i],
                    (false, true) => R::select(on_surface(mode[i - len]), slope(i - len, j), zero),
                    (false, false) => R::select(on_surface(mode[i - len]), zero, unit),
                }
            };
            let delta = switching.coupling.solve(entry, &residual);
            let mut done = !zero.lt(zero);
            for i in 0..len + count {
                let small = is_small(delta[i], x[i]);
                x[i] = R::select(small, x[i], x[i] + delta[i]);
                done = done & small;
            }
            (x, done)
        })
    }
}

/// The entries of `1 − part·J`, the matrix of every stage of an implicit step of `len` states: `slopes` are the rates, then the derivatives of all
/// rates by the first state, by the second, and so on, as `Field::newton` gives them.
pub(super) fn stage_matrix<R: Real>(slopes: &[R], len: usize, part: R) -> impl Fn(usize, usize) -> R {
    move |i, j| {
        let unit = R::lit(if i == j { 1.0 } else { 0.0 });
        unit - part * slopes[len * (1 + j) + i]
    }
}

/// Room for so many numbers: on the stack if they fit in there.
pub(super) fn room<'a, R: Real, const B: usize>(
    size: usize,
    small: &'a mut [R; B],
    large: &'a mut Vec<R>,
) -> &'a mut [R] {
    if let Some(room) = small.get_mut(..size) {
        return room;
    }
    large.resize(size, R::lit(0.0));
    large
}

/// The numbers, and zeros behind them.
pub(super) fn load<R: Real, const N: usize>(z: &[R]) -> [R; N] {
    let mut out = [R::lit(0.0); N];
    out.iter_mut().zip(z).for_each(|(to, x)| *to = *x);
    out
}
