//! The work of all lanes between two attempts; it does not depend on the law.
use super::block::{BODIES, Block, TIMES};
use super::task::Task;
use crate::dispatch::InPlaceKernel;
use crate::sim::rodas5p::{H, NODES, STAGES, dense_output};
use crate::sim::root_finding::NODES as PLACES;
use crate::sim::step_size::{ORDER, clip_to_breakpoint, factors, min_step};
use stiction_core::{LaneMask, Lanes, Real};

/// A function of time: the line it is on, where its signals are even.
#[derive(Clone)]
pub(super) struct TimeFunction<const N: usize> {
    pub line: [Lanes<N>; 2],
    pub uneven: bool,
}

/// A column that measures look at all along.
pub(super) struct ProbedColumn<const N: usize> {
    /// Numbers of the state it is linear in, and their weights.
    pub places: Vec<usize>,
    pub weights: Vec<Lanes<N>>,
    /// Which clock adds to it.
    pub clock: usize,
    /// Whether it is time itself.
    pub is_time: bool,
    /// The contact whose force it is.
    pub force: Option<usize>,
    /// Its values at the five places of the step.
    pub values: [Lanes<N>; 5],
}

/// The block and its step control, lane by lane. True is 1, false is 0.
pub(super) struct LaneState<const N: usize> {
    pub block: Block<N>,
    pub rtol: f64,
    pub atol: Vec<Lanes<N>>,
    pub active: Lanes<N>,
    /// Where the step must not pass, and the longest it may be.
    pub stop: Lanes<N>,
    pub limit: Lanes<N>,
    /// The step that the error allows.
    pub want: Lanes<N>,
    /// Whether the last attempt was rejected.
    pub stubborn: Lanes<N>,
    /// Whether the step lands on the stop.
    pub lands: Lanes<N>,
    pub ok: Lanes<N>,
    /// Whether a contact may have turned, or slows down at the start of the step and speeds up at its end.
    pub slows: Lanes<N>,
    /// Whether the step was repeated up to its lowest speed.
    pub repeated: Lanes<N>,
    /// Where the step ends, as a fraction.
    pub theta: Lanes<N>,
    /// Accepted steps, and their limit.
    pub steps: Lanes<N>,
    pub most_steps: f64,
    /// Whether a lane has reached its stop or its limit, or cannot go on.
    pub alarm: Lanes<N>,
    pub clocks: Vec<TimeFunction<N>>,
    /// The three coefficients of the dense output, each of a stride.
    pub dense: Vec<Lanes<N>>,
    /// The sliding velocities at the five places of the whole step, but for uneven signals.
    pub slips: Vec<[Lanes<N>; 5]>,
    pub columns: Vec<ProbedColumn<N>>,
    pub tasks: Vec<Task<N>>,
    /// Times and states at the five places of the step.
    pub times: [Lanes<N>; 5],
    pub states: Vec<[Lanes<N>; 5]>,
}

#[inline(always)]
fn truth<const N: usize>(m: LaneMask<N>) -> Lanes<N> {
    Lanes::select(m, Lanes::lit(1.0), Lanes::lit(0.0))
}
#[inline(always)]
fn holds<const N: usize>(x: Lanes<N>) -> LaneMask<N> {
    Lanes::lit(0.5).lt(x)
}

impl<const N: usize> LaneState<N> {
    /// The lanes in which `x` is true.
    pub fn each(x: &Lanes<N>) -> impl Iterator<Item = usize> + use<N> {
        let mut bits = 0_u64;
        for (i, x) in x.0.iter().enumerate() {
            bits |= u64::from(*x > 0.5) << i;
        }
        std::iter::from_fn(move || {
            let at = bits.trailing_zeros();
            bits &= bits.wrapping_sub(1);
            (at < 64).then_some(at as usize)
        })
    }
    /// Number `x` of the state at a fraction of the step, in one lane.
    pub fn at(&self, lane: usize, x: usize, theta: f64) -> f64 {
        let Block { y, y1, stride, .. } = &self.block;
        let d = [0, 1, 2].map(|row| self.dense[row * stride + x].0[lane]);
        dense_output(theta, y[x].0[lane], y1[x].0[lane], d)
    }
}

/// Fixes the length of the next step, and what even signals are within it.
pub(super) struct Prepare;
impl<const N: usize> InPlaceKernel<LaneState<N>> for Prepare {
    #[inline(always)]
    fn run(f: &mut LaneState<N>) {
        let b = &mut f.block;
        let room = f.stop - b.t;
        let (h, lands) = clip_to_breakpoint(f.want.min(f.limit), room, min_step(b.t));
        (b.h, f.lands) = (h, truth(lands));
        let mut times = [b.t; TIMES];
        for (time, node) in times.iter_mut().zip(&NODES) {
            *time = b.t + h * Lanes::lit(*node);
        }
        for (i, clock) in f.clocks.iter().enumerate() {
            let (out, rate) = if i < b.bodies {
                (&mut b.drive[i], &mut b.drive_rate[i])
            } else if i < b.bodies + b.contacts.len() {
                (&mut b.belt[i - b.bodies], &mut b.belt_rate[i - b.bodies])
            } else {
                break;
            };
            *rate = clock.line[1];
            for j in 0..TIMES {
                out[j] = clock.line[0] + clock.line[1] * times[j];
            }
        }
    }
}

/// Decides what becomes of an attempt.
pub(super) struct CheckError;
impl<const N: usize> InPlaceKernel<LaneState<N>> for CheckError {
    #[inline(always)]
    fn run(f: &mut LaneState<N>) {
        let b = &f.block;
        let (zero, one) = (Lanes::<N>::lit(0.0), Lanes::lit(1.0));
        let (wide, n) = (b.wide(), b.bodies);
        let (mut sum, mut size) = (zero, zero);
        for x in 0..wide {
            let (a, c) = (b.y[x].abs(), b.y1[x].abs());
            let ratio = b.k[(STAGES - 1) * b.stride + x] / (f.atol[x] + Lanes::lit(f.rtol) * a.max(c));
            sum = sum + ratio * ratio;
            size = size + c;
        }
        // the square of the error over what is allowed; not a number where the step went wrong
        let error = sum * Lanes::lit(1.0 / wide as f64);
        let ok = !one.lt(error) & size.lt(Lanes::lit(1e300)) & holds(f.active);
        let [accepted, rejected] = factors(error, ORDER, !holds(f.stubborn));
        let next = b.h * accepted;
        // a step cut short by a stop says little about the next
        let next = Lanes::select(holds(f.lands), next.max(f.want), next);
        let back = b.h * rejected;
        f.want = Lanes::select(ok, next, back);
        f.ok = truth(ok);
        f.stubborn = one - f.ok;
        // the slopes of the velocities at both ends of the dense output, times the step
        let mut slopes = [[zero; 2]; BODIES];
        for (j, slopes) in slopes.iter_mut().enumerate().take(n) {
            let (x, mut d) = (n + j, [zero; H.len()]);
            for (d, weights) in d.iter_mut().zip(&H) {
                for (i, w) in weights.iter().enumerate() {
                    *d = *d + Lanes::lit(*w) * b.k[i * b.stride + x];
                }
            }
            let rise = b.y1[x] - b.y[x];
            *slopes = [rise + d[0], rise - d[0] - d[1] - d[2]];
        }
        let mut slows = zero.lt(zero);
        for (c, contact) in b.contacts.iter().enumerate() {
            let clock = &f.clocks[n + c];
            let mut s = b.belt[c][TIMES - 1];
            let mut slope = [clock.line[1] * b.h; 2];
            for (j, by_body) in slopes.iter().enumerate().take(n) {
                let row = b.row[c * n + j];
                s = s + row * b.y1[n + j];
                slope = [0, 1].map(|end| slope[end] + row * by_body[end]);
            }
            let turned = (s * contact.side).lt(zero) | b.least[c].lt(zero);
            let dips = (slope[0] * contact.side).lt(zero) & zero.lt(slope[1] * contact.side);
            // other motions are looked at lane by lane
            slows = slows | turned | if clock.uneven { ok } else { dips };
        }
        f.slows = truth(slows & ok);
        f.theta = one;
    }
}

/// Prepares the dense output, and where the contacts slide along it.
pub(super) struct DenseOutput;
impl<const N: usize> InPlaceKernel<LaneState<N>> for DenseOutput {
    #[inline(always)]
    fn run(f: &mut LaneState<N>) {
        let b = &f.block;
        let (wide, stride) = (b.wide(), b.stride);
        for (row, weights) in H.iter().enumerate() {
            for x in 0..wide {
                let mut sum = Lanes::lit(0.0);
                for (i, w) in weights.iter().enumerate() {
                    sum = sum + Lanes::lit(*w) * b.k[i * stride + x];
                }
                f.dense[row * stride + x] = sum;
            }
        }
        let n = b.bodies;
        for (c, slips) in f.slips.iter_mut().enumerate() {
            let line = f.clocks[n + c].line;
            for (p, place) in PLACES.iter().enumerate() {
                let theta = Lanes::lit(*place);
                let mut s = line[0] + line[1] * (b.t + theta * b.h);
                for j in 0..n {
                    let x = n + j;
                    let d = [f.dense[x], f.dense[stride + x], f.dense[2 * stride + x]];
                    s = s + b.row[c * n + j] * dense_output(theta, b.y[x], b.y1[x], d);
                }
                slips[p] = s;
            }
        }
    }
}

/// Shows the columns at the five places of the step, but for forces of contacts and uneven signals.
pub(super) struct EvaluateColumns;
impl<const N: usize> InPlaceKernel<LaneState<N>> for EvaluateColumns {
    #[inline(always)]
    fn run(f: &mut LaneState<N>) {
        let b = &f.block;
        let (wide, stride) = (b.wide(), b.stride);
        for (p, place) in PLACES.iter().enumerate() {
            let theta = f.theta * Lanes::lit(*place);
            f.times[p] = b.t + theta * b.h;
            for x in 0..wide {
                let d = [f.dense[x], f.dense[stride + x], f.dense[2 * stride + x]];
                f.states[x][p] = dense_output(theta, b.y[x], b.y1[x], d);
            }
        }
        for column in &mut f.columns {
            for p in 0..PLACES.len() {
                if column.is_time {
                    column.values[p] = f.times[p];
                    continue;
                }
                let line = f.clocks[column.clock].line;
                let mut sum = line[0] + line[1] * f.times[p];
                for (x, w) in column.places.iter().zip(&column.weights) {
                    sum = sum + *w * f.states[*x][p];
                }
                column.values[p] = sum;
            }
        }
    }
}

/// Moves every lane whose attempt succeeded.
pub(super) struct Advance;
impl<const N: usize> InPlaceKernel<LaneState<N>> for Advance {
    #[inline(always)]
    fn run(f: &mut LaneState<N>) {
        let wide = f.block.wide();
        let LaneState { block: b, theta, ok, lands, stop, dense, alarm, active, steps, most_steps, repeated, .. } = f;
        let (ok, whole) = (holds(*ok), !theta.lt(Lanes::lit(1.0)));
        if Lanes::all(whole) {
            for x in 0..wide {
                b.y[x] = Lanes::select(ok, b.y1[x], b.y[x]);
            }
        } else {
            for x in 0..wide {
                let d = [dense[x], dense[b.stride + x], dense[2 * b.stride + x]];
                b.y[x] = Lanes::select(ok, dense_output(*theta, b.y[x], b.y1[x], d), b.y[x]);
            }
        }
        let t = Lanes::select(whole & holds(*lands), *stop, b.t + *theta * b.h);
        b.t = Lanes::select(ok, t, b.t);
        *steps = *steps + truth(ok);
        *repeated = Lanes::select(ok, Lanes::lit(0.0), *repeated);
        let (stuck, limited) = (!ok & !min_step(b.t).lt(b.h), !steps.lt(Lanes::lit(*most_steps)));
        *alarm = truth(holds(*active) & ((ok & !b.t.lt(*stop)) | stuck | limited));
    }
}
