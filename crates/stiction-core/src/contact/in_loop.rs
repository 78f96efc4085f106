//! A body's step with the law evaluated in one place of one loop.
//!
//! [`solve`](super::solve) evaluates the law in six places: at rest, where the bracket of the speed is enlarged, next to rest, in
//! each iteration for the speed, and once more for the memory. Recorded, each of them is the law's whole sample, four with their derivatives. Here
//! the turns of one loop do the same one after the other, in phases, with the same numbers: a recorded step has the sample and its derivative once, however
//! many states the law has.
use super::{AtRest, ContactStep, ENLARGED, ITERATIONS, Momentum, NEAR, SlidingBody, first_speed};
use crate::real::Carried;
use crate::step::{root_start, root_turn};
use crate::{Input, Real};

/// The law is evaluated at rest.
const REST: f64 = 0.0;
/// The speed is enlarged until it is beyond the solution.
const ENLARGE: f64 = 1.0;
/// Next to rest, for the first speed of the iteration.
const BEGIN: f64 = 2.0;
/// The iteration for the speed.
const ITERATE: f64 = 3.0;
/// At the speed that was found, for the memory.
const FOUND: f64 = 4.0;
const DONE: f64 = 5.0;

/// As [`solve`](super::solve), with the memory after the step: `sample` gives the force after a sample at a velocity, its derivative and the
/// memory, `hold` the half-width of the set at rest for the memory after a sample at rest and a direction. `memory` is any of the law's shape.
#[inline(always)]
pub fn solve_in_loop<R: Real, Z: Carried<R>>(
    u: &Input<R>,
    body: &SlidingBody<R>,
    dt: R,
    band: R,
    memory: Z,
    hold: impl Fn(&Z, R) -> R,
    sample: impl Fn(R) -> (R, R, Z),
) -> ContactStep<R, Z> {
    let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
    let momentum = Momentum::new(u, body, dt);
    let number = |mask: R::Mask| R::select(mask, one, zero);
    // phase and turns in it; direction, whether the momentum is dropped and whether the body is held; end of the bracket and speed to be tried,
    // or the velocity that was found; the iteration for the speed
    let first = ((([R::lit(REST), zero], [zero; 3]), ([zero; 2], [zero; 5])), memory);
    let turns = 1 + ENLARGED + 1 + ITERATIONS + 1;
    let (((_, [_, slow, stuck]), ([_, v], _)), memory) = R::repeat(turns, first, |state| {
        let ((([phase, count], [dir, slow, stuck]), ([far, y], search)), before) = state;
        let is = |which: f64| !phase.lt(R::lit(which - 0.5)) & phase.lt(R::lit(which + 0.5));
        let (rests, enlarges, begins, iterates, ends) = (is(REST), is(ENLARGE), is(BEGIN), is(ITERATE), is(FOUND));
        let at = R::select(rests, zero, R::select(ends, y, dir * y));
        let (force, slope, after) = sample(at);
        let (value, rise) = momentum.residual(dir, y, (force, slope));
        let rest: AtRest<R> = momentum.at_rest(force, |dir| hold(&after, dir), band);
        // where the bracket is enlarged, where it is known, and where the speed is
        let pushes = value.lt(zero);
        let enlarged = R::select(pushes, far + far, far);
        let is_enlarged = !pushes | R::lit(ENLARGED as f64 - 1.5).lt(count);
        let begin = root_start(zero, far, first_speed(y, far, (value, rise)));
        let (next, settled) = root_turn(search, (value, rise));
        let is_found = settled | R::lit(ITERATIONS as f64 - 1.5).lt(count);
        let leaves = rests | begins | (enlarges & is_enlarged) | (iterates & is_found);
        let known = R::select(rest.known, R::lit(ENLARGE), R::lit(FOUND));
        let from_rest = R::select(rest.stuck, R::lit(DONE), known);
        let next_phase = R::select(rests, from_rest, R::select(ends, R::lit(DONE), phase + number(leaves)));
        let next_far = R::select(rests, momentum.far(force), R::select(enlarges, enlarged, far));
        let nowhere = R::select(rest.stuck, zero, R::lit(f64::NAN));
        let from_rest = R::select(rest.stuck | !rest.known, nowhere, next_far);
        let from_bracket = R::select(is_enlarged, enlarged * R::lit(NEAR), enlarged);
        let iterated = R::select(is_found, dir * next[4], next[4]);
        let next_y = R::select(rests, from_rest, R::select(enlarges, from_bracket, y));
        let next_y = R::select(begins, begin[4], R::select(iterates, iterated, next_y));
        let next_search =
            core::array::from_fn(|i| R::select(begins, begin[i], R::select(iterates, next[i], search[i])));
        let flags = [(rest.dir, dir), (number(rest.slow), slow), (number(rest.stuck), stuck)];
        let next_flags = flags.map(|(at_rest, now)| R::select(rests, at_rest, now));
        let takes = ends | (rests & rest.stuck);
        let memory = after.zip_with(before, |after, before| R::select(takes, after, before));
        let next_count = R::select(leaves, zero, count + one);
        let next = ((([next_phase, next_count], next_flags), ([next_far, next_y], next_search)), memory);
        (next, R::lit(FOUND + 0.5).lt(next_phase))
    });
    let force = momentum.force(v, half.lt(slow));
    ContactStep { v, force, stuck: half.lt(stuck), memory }
}
