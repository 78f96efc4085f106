//! Steps without leaving, for one law.
//!
//! A step waits for its law: eight times in a row, each time where the last answer leads. So all that is linear is
//! summed up beside it, and an answer goes into the next question by one product and sum.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::super::flow::TINY;
use super::super::rodas5p::{A, C, D, H, NODES, STAGES, WEIGHTS};
use super::super::root_finding::{NODES as PLACES, Quartic, approximate_root, bernstein, first_crossing, near_miss};
use super::super::rosenbrock::between;
use super::super::step_size::{RETAKE_OVERSHOOT, RETAKE_RANGE, StepSizeController, clip_to_breakpoint, min_step};
use super::course::Course;
use super::fused::Fused;
use super::inverse::Inverse;
use super::{Desk, GUARDS, Numbers, Solo, VALUES, WIDE, add};
use crate::dispatch::Job;
use std::hint::black_box;
use std::marker::PhantomData;
use stiction_core::{Dual, Friction, Input, Law, State};

/// Speeds beyond which laws do not compute [m/s].
const V_MAX: f64 = 1e15;

/// Takes steps of a system with law `M`.
pub(super) struct Lap<M>(PhantomData<M>);

impl<M: Law<f64>> Job<Solo> for Lap<M> {
    #[inline(always)]
    fn run(solo: &mut Solo) {
        let contact = Touch::<M>::new(&solo.values);
        let course = solo.course;
        let Solo { stop, due, limit, .. } = *solo;
        let (mut t, mut h, mut y, mut energies, mut control) = (solo.t, solo.h, solo.y, solo.energies, solo.control);
        let mut left = solo.budget;
        solo.stalled = false;
        loop {
            let slip = course.slip(&y);
            solo.fastest = solo.fastest.max(slip.abs());
            let slopes = contact.slopes(&course, &y, slip);
            let mut step = Trial::new(&mut solo.desk, &course, &slopes, t, &y, slip);
            let (mut stubborn, mut lands, mut clear) = (false, false, true);
            let mut look = Look::First;
            let mut found = slip.abs() <= V_MAX;
            while found {
                let (length, ends) = match look {
                    Look::First => clip_to_breakpoint(h.min(limit), stop - t, min_step(t)),
                    Look::Closer { short, .. } => (short, false),
                    Look::Back { long, ends } => (long, ends),
                };
                if stubborn && length <= min_step(t) || length <= 0.0 {
                    found = false;
                    break;
                }
                let error = step.attempt(&contact, &course, &slopes, length);
                if error <= 1.0 {
                    step.smooth();
                    lands = ends;
                    clear = contact.is_clear(&course, &step, &solo.sides);
                    match look {
                        Look::First => {
                            let next = length * control.accept(length, error, !stubborn);
                            h = if lands && length < h { h.max(next) } else { next };
                            if clear {
                                break;
                            }
                            let Some(short) = contact.closer(&course, &step, solo.unseen) else { break };
                            look = Look::Closer { short, long: length, ends };
                        }
                        Look::Closer { long, ends, .. } if clear => look = Look::Back { long, ends },
                        Look::Closer { .. } => break,
                        Look::Back { .. } => {
                            clear = false;
                            break;
                        }
                    }
                } else {
                    (stubborn, look) = (true, Look::First);
                    h = length * StepSizeController::reject(error);
                }
                // a step that was taken, but is taken otherwise, counts as one that was not
                solo.rejected += 1;
            }
            if found {
                solo.steps += 1;
                left -= 1;
                let end = t + step.h;
                if left > 0 && !lands && clear && end < due {
                    let grown = step.quadrature();
                    add(&mut energies, step.h, &grown);
                    (t, y) = (end, step.y1);
                    continue;
                }
                (solo.length, solo.lands, solo.clear, solo.y1) = (step.h, lands, clear, step.y1);
            }
            (solo.t, solo.h, solo.y, solo.energies, solo.control) = (t, h, y, energies, control);
            solo.stalled = !found;
            return;
        }
    }
}

/// How a step is looked at: for the first time; again, up to an event that was seen in it; or, if it is not seen then, as
/// the first time after all.
#[derive(Clone, Copy)]
enum Look {
    First,
    Closer { short: f64, long: f64, ends: bool },
    Back { long: f64, ends: bool },
}

/// Force and rates of the memory, and their derivatives by sliding velocity and memory.
pub(super) struct Slopes {
    pub f: f64,
    pub by_v: f64,
    pub by_w: [f64; 2],
    pub rate: [f64; 2],
    pub rate_by_v: [f64; 2],
    pub rate_by_w: [[f64; 2]; 2],
}

/// Force, and rates of the memory.
#[derive(Clone, Copy)]
struct Answer {
    f: f64,
    rates: [f64; 2],
}

/// The law over the numbers of the kernel, and over plain ones for what is rare.
struct Touch<M: Law<f64>> {
    law: M::With<Fused>,
    plain: M,
}

impl<M: Law<f64>> Touch<M> {
    /// Numbers of its memory.
    const LEN: usize = <M::State as State<f64>>::LEN;

    #[inline(always)]
    fn new(values: &[f64; VALUES]) -> Self {
        let plain = M::from_slice(&values[..M::PARAMS.len().min(VALUES)]);
        Self { law: plain.cast(Fused), plain }
    }
    #[inline(always)]
    fn slopes(&self, course: &Course, y: &Numbers, slip: f64) -> Slopes {
        let moves = slip * course.side >= course.quiet;
        let v = if moves { slip } else { course.side * course.quiet.max(TINY) };
        let mut out = if Self::LEN < 2 { self.dual::<2>(course, y, v) } else { self.dual::<3>(course, y, v) };
        if !moves {
            // slopes at a speed that is told from rest, as for all systems, but force and rates as they are
            let rest = self.beyond(course, &[y[2], y[3]], course.side * (slip * course.side).max(0.0));
            out.f = rest.f;
            out.rate[..Self::LEN.min(2)].copy_from_slice(&rest.rates[..Self::LEN.min(2)]);
        }
        out
    }
    #[inline(always)]
    fn dual<const N: usize>(&self, course: &Course, y: &Numbers, v: f64) -> Slopes {
        let law = self.plain.cast(|x| Dual::<Fused, N>::constant(Fused(x)));
        let mut z = <<M::With<Dual<Fused, N>> as Friction<Dual<Fused, N>>>::State as State<Dual<Fused, N>>>::zero();
        for i in 0..Self::LEN.min(2) {
            z.set(i, Dual::var(Fused(y[2 + i]), 1 + i));
        }
        let u = Input { v: Dual::var(Fused(v), 0), load: Dual::constant(Fused(course.load)) };
        let (rate, force) = law.flow(&z, &u);
        let mut out = Slopes {
            f: force.re.0,
            by_v: force.eps[0].0,
            by_w: [0.0; 2],
            rate: [0.0; 2],
            rate_by_v: [0.0; 2],
            rate_by_w: [[0.0; 2]; 2],
        };
        for i in 0..Self::LEN.min(2) {
            let rate = rate.get(i);
            out.by_w[i] = force.eps[1 + i].0;
            (out.rate[i], out.rate_by_v[i]) = (rate.re.0, rate.eps[0].0);
            for j in 0..Self::LEN.min(2) {
                out.rate_by_w[i][j] = rate.eps[1 + j].0;
            }
        }
        out
    }
    /// Force and rates; beyond zero the law is continued by its reflection, as for all systems.
    #[inline(always)]
    fn flow(&self, course: &Course, memory: &[f64; 2], slip: f64) -> Answer {
        let over = slip * course.side;
        if !(over > 0.0 && over < V_MAX) {
            return self.beyond(course, memory, slip);
        }
        let mut z = <M::With<Fused> as Friction<Fused>>::State::zero();
        for i in 0..Self::LEN.min(2) {
            z.set(i, Fused(memory[i]));
        }
        let (rates, f) = self.law.flow(&z, &Input { v: Fused(slip), load: Fused(course.load) });
        Answer { f: f.0, rates: [rates.get(0).0, rates.get(1).0] }
    }
    #[cold]
    #[inline(never)]
    fn beyond(&self, course: &Course, memory: &[f64; 2], slip: f64) -> Answer {
        let (z, load) = (Self::memory(memory), course.load);
        let at = |v: f64| {
            let (rates, f) = self.plain.flow(&z, &Input { v, load });
            Answer { f, rates: [rates.get(0), rates.get(1)] }
        };
        if slip * course.side > 0.0 {
            return at(slip);
        }
        let rest = at(course.side * TINY);
        if slip == 0.0 {
            return rest;
        }
        let mirrored = at(-slip);
        let reflect = |rest: f64, other: f64| 2.0 * rest - other;
        Answer { f: reflect(rest.f, mirrored.f), rates: [0, 1].map(|i| reflect(rest.rates[i], mirrored.rates[i])) }
    }
    #[inline(always)]
    fn memory(numbers: &[f64; 2]) -> M::State {
        let mut z = M::State::zero();
        for i in 0..Self::LEN.min(2) {
            z.set(i, numbers[i]);
        }
        z
    }
    /// Whether neither the velocity nor a guard of the law comes near zero in the step.
    #[inline(always)]
    fn is_clear(&self, course: &Course, step: &Trial<'_>, sides: &[f64; GUARDS]) -> bool {
        let (slips, guards) = self.watched(course, step);
        let mut clear = stays(&slips, course.side);
        for i in 0..Self::GUARDED {
            clear &= stays(&guards[i], sides[i]) && near_miss(&guards[i], sides[i]).is_none();
        }
        clear
    }
    /// The length of a step to just beyond where the velocity turns, if that is well within the step. Below the speed `unseen`
    /// a contact may turn unseen if it cannot be held. Laws with guards of their own are left as they are: where modes
    /// follow each other at one place, steps that end there would have no end.
    #[cold]
    #[inline(never)]
    fn closer(&self, course: &Course, step: &Trial<'_>, unseen: f64) -> Option<f64> {
        let (slips, _) = self.watched(course, step);
        let most = slips.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let (memory, rest) = (Self::memory(&[step.y0[2], step.y0[3]]), Input { v: 0.0, load: course.load });
        let is_single = [-1.0, 1.0].iter().all(|&dir| self.plain.hold(&memory, &rest, dir) == 0.0);
        if Self::GUARDED > 0 || is_single && most < unseen {
            return None;
        }
        let (lo, hi) = first_crossing(&slips, course.side, 1e-13 * most)?;
        let quartic = Quartic::new(&slips);
        let theta = approximate_root(|theta| quartic.at(theta), course.side, lo, hi);
        RETAKE_RANGE.contains(&theta).then_some(RETAKE_OVERSHOOT * theta * step.h)
    }
    /// Guards of the law but for the velocity.
    const GUARDED: usize = {
        let count = <M::Guards as State<f64>>::LEN;
        if count > GUARDS { GUARDS } else { count - 1 }
    };
    /// The sliding velocity and the guards of the law at five places of the step.
    #[inline(always)]
    fn watched(&self, course: &Course, step: &Trial<'_>) -> ([f64; 5], [[f64; 5]; GUARDS]) {
        let dense = &step.desk.dense;
        let at = |i: usize, theta: f64| between(theta, step.y0[i], step.y1[i], [dense[0][i], dense[1][i], dense[2][i]]);
        let slips = PLACES.map(|theta| course.c * at(1, theta) + course.drift);
        let mut guards = [[0.0; 5]; GUARDS];
        if Self::GUARDED > 0 {
            for (place, theta) in PLACES.into_iter().enumerate() {
                let memory = [at(2, theta), at(3, theta)];
                let v = if slips[place] == 0.0 { course.side * TINY } else { slips[place] };
                let g = self.plain.guards(&Self::memory(&memory), &Input { v, load: course.load });
                for i in 0..Self::GUARDED {
                    guards[i][place] = g.get(i + 1);
                }
            }
        }
        (slips, guards)
    }
}

/// Whether a number with these values at five places of the step stays on its side.
#[inline(always)]
fn stays(values: &[f64; 5], side: f64) -> bool {
    let most = values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    bernstein(values)[1..].iter().all(|x| x * side > 1e-13 * most)
}

/// A step that is tried.
struct Trial<'d> {
    h: f64,
    since: f64,
    y0: Numbers,
    y1: Numbers,
    /// Rates at the beginning, but for those of the memory.
    first: Numbers,
    desk: &'d mut Desk,
}

/// How far from the beginning a stage was evaluated, the stage but for the contact's part, and the contact's part: what
/// its force has changed by, and the rates. Forces that balance each other are subtracted before all else, so that what
/// rests under load does so without noise.
#[derive(Clone, Copy)]
struct Stage {
    far: Numbers,
    base: Numbers,
    push: f64,
    rates: [f64; 2],
}

impl<'d> Trial<'d> {
    #[inline(always)]
    fn new(desk: &'d mut Desk, course: &Course, s: &Slopes, t: f64, y: &Numbers, slip: f64) -> Self {
        let since = t - course.from;
        course.slopes_of_powers(s, since, y, slip, &mut desk.power, &mut desk.power_t);
        desk.powers[0] = course.powers(since, y, slip, s.f);
        let mut first = course.linear(since, y);
        first[1] -= course.gain * s.f;
        Self { h: 0.0, since, y0: *y, y1: *y, first, desk }
    }
    /// Tries a step of length `h`; returns the square of its error over what is allowed.
    #[inline(always)]
    fn attempt<M: Law<f64>>(&mut self, contact: &Touch<M>, course: &Course, slopes: &Slopes, h: f64) -> f64 {
        let system = Inverse::new(Touch::<M>::LEN, course, slopes, h);
        self.h = h;
        let mut r = self.first;
        add(&mut r, h * D[0], &course.by_t);
        let first = Stage { far: [0.0; WIDE], base: system.times(&r), push: 0.0, rates: slopes.rate };
        self.write::<M, 0>(&system, &first);
        let f = slopes.f;
        let last = self.next::<M, 1>(contact, course, &system, f, &first);
        let last = self.next::<M, 2>(contact, course, &system, f, &last);
        let last = self.next::<M, 3>(contact, course, &system, f, &last);
        let last = self.next::<M, 4>(contact, course, &system, f, &last);
        let last = self.next::<M, 5>(contact, course, &system, f, &last);
        let last = self.next::<M, 6>(contact, course, &system, f, &last);
        let last = self.next::<M, 7>(contact, course, &system, f, &last);
        // the last stage is the error, and little beside the state to which it is added
        let (mut squares, mut size) = ([0.0; WIDE], [0.0; WIDE]);
        for i in 0..WIDE {
            let y = self.y0[i] + last.far[i];
            let by = 1.0 / course.rtol.mul_add(self.y0[i].abs().max(y.abs()), course.atol[i]);
            let error = self.desk.k[STAGES - 1][i];
            squares[i] = (error * by) * (error * by);
            self.y1[i] = self.y0[i] + (last.far[i] + error);
            size[i] = self.y1[i].abs();
        }
        let sum = |x: [f64; WIDE]| (x[0] + x[1]) + (x[2] + x[3]);
        if sum(size) < 1e300 { sum(squares) * course.share } else { f64::INFINITY }
    }
    /// Stage `I`, after the `last`; at the beginning the contact's force was `f`.
    #[inline(always)]
    fn next<M: Law<f64>, const I: usize>(
        &mut self,
        contact: &Touch<M>,
        course: &Course,
        system: &Inverse,
        f: f64,
        last: &Stage,
    ) -> Stage {
        let len = Touch::<M>::LEN;
        // the last stages begin where the one before ends
        let ends = I >= STAGES - 2;
        let (gain, mut far) = if ends { (1.0, last.far) } else { (A[I][I - 1], [0.0; WIDE]) };
        for j in 0..if ends { 0 } else { I - 1 } {
            add(&mut far, A[I][j], &self.desk.k[j]);
        }
        // the question, straight from the last answer
        let near = |i: usize| {
            let mut x = self.y0[i] + gain.mul_add(last.base[i], far[i]);
            for j in (0..len.min(2)).rev() {
                x = last.rates[j].mul_add(gain * system.columns[2 + j][i], x);
            }
            (x, gain * system.force[i])
        };
        let (v, by_f) = near(1);
        let slip = last.push.mul_add(course.c * by_f, course.c.mul_add(v, course.drift));
        let memory = [near(2), near(3)].map(|(x, by_f)| last.push.mul_add(by_f, x));
        let answer = contact.flow(course, &memory, slip);
        // beside it, the stage but for the answer: what the last stage adds comes last
        self.desk.at[I] = far;
        let time = NODES[I] * self.h;
        let mut r = course.change(len, D[I].mul_add(self.h, time), black_box(&self.desk.at[I]));
        add(&mut r, 1.0, &self.first);
        let mut sum = [0.0; WIDE];
        for j in 0..I - 1 {
            add(&mut sum, C[I][j], &self.desk.k[j]);
        }
        add(&mut r, system.by_h, &sum);
        self.desk.rhs[I] = r;
        let mut base = system.times(black_box(&self.desk.rhs[I]));
        let k = self.desk.k[I - 1];
        for j in 0..WIDE {
            let (mut column, own) = ([0.0; WIDE], system.by_h * C[I][I - 1]);
            for i in 0..WIDE {
                column[i] = own * system.columns[j][i];
                if j < 2 || j >= 2 + len {
                    column[i] = gain.mul_add(system.moved[j][i], column[i]);
                }
            }
            add(&mut base, k[j], &column);
        }
        add(&mut far, gain, &k);
        self.desk.base[I] = base;
        let base = *black_box(&self.desk.base[I]);
        let stage = Stage { far, base, push: answer.f - f, rates: answer.rates };
        self.write::<M, I>(system, &stage);
        let mut y = self.y0;
        add(&mut y, 1.0, &far);
        self.desk.powers[I] = course.powers(self.since + time, &y, slip, answer.f);
        stage
    }
    #[inline(always)]
    fn write<M: Law<f64>, const I: usize>(&mut self, system: &Inverse, stage: &Stage) {
        let mut k = stage.base;
        for j in (0..Touch::<M>::LEN.min(2)).rev() {
            add(&mut k, stage.rates[j], &system.columns[2 + j]);
        }
        add(&mut k, stage.push, &system.force);
        self.desk.k[I] = k;
    }
    /// Prepares the dense output.
    #[inline(always)]
    fn smooth(&mut self) {
        for row in 0..3 {
            self.desk.dense[row] = self.weighed(&H[row]);
        }
    }
    #[inline(always)]
    fn weighed(&self, weights: &[f64; STAGES]) -> Numbers {
        let mut sum = [0.0; WIDE];
        for i in 0..STAGES {
            add(&mut sum, weights[i], &self.desk.k[i]);
        }
        sum
    }
    /// What the energies grow by, over `h`.
    #[inline(always)]
    fn quadrature(&self) -> Numbers {
        let (mut sum, mut by_t) = ([0.0; WIDE], 0.0);
        for i in 0..STAGES {
            add(&mut sum, WEIGHTS[0][i], &self.desk.powers[i]);
            by_t += WEIGHTS[0][i] * D[i];
        }
        add(&mut sum, self.h * by_t, &self.desk.power_t);
        let stages = self.weighed(&WEIGHTS[0]);
        for i in 0..WIDE {
            add(&mut sum, stages[i], &self.desk.power[i]);
        }
        sum
    }
}
