//! The flow of a memory over a time at constant velocity by steps whose length follows from their estimated error.
//!
//! A memory may relax within nanoseconds and creep for minutes, and a sample may be longer than either. The steps are those of Rodas5P
//! (see [`crate::rodas5p`]): L-stable, so that a step much longer than every time constant lands on the settled memory; of order five, so that few
//! are needed where the memory moves; and without iterations. A step is tried again, shorter, where the estimate of its error is above
//! [`TOLERANCE`] times the largest size of that number so far in the sample. Lengths are the sample's times literals: a dual number's
//! derivatives are those of the same steps, and a recording number sees one loop. The number of steps is bounded; what is left of a sample
//! after the last is one implicit step (see the module `implicit_step`), which is no more than stable. The stages of a step are written out for few
//! states and a loop for many (see the module `rosenbrock_loop`), so that a recorded step is not too long for any number of them.
use super::implicit_step::{Field, WRITTEN_OUT_STATES_MAX, never, room, stage_matrix};
use crate::rodas5p::{A, C, GAMMA, STAGES};
use crate::{Real, step::root};
use alloc::vec::Vec;

/// Estimated error of a step relative to the largest size of each number in the sample. The estimate is that of the embedded method of order
/// four; the step itself is some hundred times as accurate, so that what is reached is mostly a millionth, and some
/// hundred-thousandths where one step does all.
const TOLERANCE: f64 = 1e-4;

/// Most steps that are tried in a sample. From a hundred-thousandth of the sample's length to its end, with a decay on the way, it takes 20 to 40.
const STEPS: usize = 80;

/// The next step's length over that of this one: the first factor whose bound is not below the ratio of estimated to allowed error. The error grows with
/// the fifth power of the length. Behind a wave of short steps the lengths grow quickly, as the error says nothing about them.
const FACTORS: [(f64, f64); 10] = [
    (5e-6, 8.0),
    (1e-3, 4.0),
    (0.025, 2.0),
    (0.07, 1.6),
    (0.2, 1.3),
    (0.5, 1.0),
    (1.0, 0.8),
    (6.0, 0.6),
    (60.0, 0.35),
    (1e4, 0.12),
];

/// The factor where the error is larger yet, or no number.
const SHORTEST: f64 = 1.0 / 64.0;

impl<R: Real> Field<'_, '_, R> {
    /// The memory after a time.
    pub(super) fn controlled<const N: usize, const B: usize>(&self, start: &[R; N], time: R) -> [R; N] {
        let (zero, one, half, infinite) = (R::lit(0.0), R::lit(1.0), R::lit(0.5), R::lit(f64::INFINITY));
        let len = self.law.len().min(N);
        let length = if self.goes_on { time } else { self.first_length::<N, B>(start, time) };
        let first = ((*start, start.map(R::abs)), [time, length]);
        let ((mut end, _), [left, _]) = R::repeat(STEPS, first, |((z, size), [left, length])| {
            let last = !length.lt(left);
            // the last but one is not so long that hardly anything is left
            let length = R::select(last, left, length.min(half * left));
            // as many as the states that there is room for: the other form is not compiled
            let (next, error) = if const { N > WRITTEN_OUT_STATES_MAX } {
                self.rosenbrock_in_loop::<N, B>(&z, length)
            } else {
                self.rosenbrock::<N, B>(&z, length)
            };
            let (mut sizes, mut ratio, mut is_number) = (size, zero, !never::<R>());
            for i in 0..len {
                sizes[i] = size[i].max(next[i].abs());
                let error = error[i].abs();
                is_number = is_number & error.lt(infinite) & next[i].abs().lt(infinite);
                let relative = R::select(zero.lt(error), error / (R::lit(TOLERANCE) * sizes[i]), zero);
                ratio = ratio.max(relative);
            }
            let mut factor = R::lit(SHORTEST);
            for (bound, by) in FACTORS.into_iter().rev() {
                factor = R::select(is_number & !R::lit(bound).lt(ratio), R::lit(by), factor);
            }
            let accepted = is_number & !one.lt(ratio);
            let (mut now, mut size) = (z, size);
            for i in 0..len {
                now[i] = R::select(accepted, next[i], z[i]);
                size[i] = R::select(accepted, sizes[i], size[i]);
            }
            let left = R::select(accepted, R::select(last, zero, left - length), left);
            (((now, size), [left, factor * length]), accepted & last)
        });
        let complete = !zero.lt(left) & !left.lt(zero) & left.lt(infinite);
        if !R::all(complete) {
            let rest = self.implicit::<N, B>(&end, left);
            for i in 0..len {
                end[i] = R::select(complete, end[i], rest[i]);
            }
        }
        if self.law.len() == 1 { self.before_equilibrium(start, end) } else { end }
    }
    /// A length that no time constant at the beginning is shorter than: the sample's over a power of four. With the derivatives `J` of the rates
    /// that is a length `h` with `h² Σ |J_ij J_ji| ≤ 1`, whatever the units of the states are. A long step from a memory
    /// near one that is settled but unstable would end there, and its estimated error would be small.
    fn first_length<const N: usize, const B: usize>(&self, z: &[R; N], time: R) -> R {
        let len = self.law.len().min(N);
        let (mut small, mut large) = ([R::lit(0.0); B], Vec::new());
        let slopes = room(len * (1 + len), &mut small, &mut large);
        self.newton(&z[..len], slopes);
        let slope = |i: usize, j: usize| slopes[len * (1 + j) + i];
        let coupling = self.law.program().coupling();
        let mut sum = R::lit(0.0);
        for i in 0..len {
            for j in (0..len).filter(|j| coupling.has(i, *j) && coupling.has(*j, i)) {
                sum = sum + (slope(i, j) * slope(j, i)).abs();
            }
        }
        // a quarter of a sample, thirty times over, is 1e-18 of it
        let [length] = R::repeat(30, [time], |[length]| {
            let long = R::lit(1.0).lt(length * length * sum);
            ([R::select(long, R::lit(0.25) * length, length)], !long)
        });
        length
    }
    /// One step: its end, and the estimate of its error.
    fn rosenbrock<const N: usize, const B: usize>(&self, z: &[R; N], length: R) -> ([R; N], [R; N]) {
        let (zero, gamma) = (R::lit(0.0), R::lit(GAMMA));
        let len = self.law.len().min(N);
        let (mut small, mut large) = ([zero; B], Vec::new());
        let slopes = room(len * (1 + len), &mut small, &mut large);
        self.newton(&z[..len], slopes);
        // (1 − γ h J) k = γ (h f + Σ C k)
        let factors = self.law.program().coupling().factor::<R, N>(stage_matrix(slopes, len, gamma * length));
        let mut k = [[zero; N]; STAGES];
        let mut rates = [zero; N];
        rates[..len].copy_from_slice(&slopes[..len]);
        let mut at = *z;
        for stage in 0..STAGES {
            if stage > 0 {
                for i in 0..len {
                    at[i] = if stage + 2 < STAGES {
                        (0..stage).fold(z[i], |sum, j| sum + R::lit(A[stage][j]) * k[j][i])
                    } else {
                        at[i] + k[stage - 1][i]
                    };
                }
                self.rates(&at[..len], &mut rates[..len]);
            }
            let mut right = [zero; N];
            for i in 0..len {
                let sum = (0..stage).fold(zero, |sum, j| sum + R::lit(C[stage][j]) * k[j][i]);
                right[i] = gamma * (length * rates[i] + sum);
            }
            k[stage] = factors.solve(&right);
        }
        let error = k[STAGES - 1];
        for i in 0..len {
            at[i] = at[i] + error[i];
        }
        (at, error)
    }
    /// A single state never crosses a zero of its rate. Where the end of a sample is beyond one, by its error, it is moved to the zero.
    fn before_equilibrium<const N: usize>(&self, start: &[R; N], end: [R; N]) -> [R; N] {
        let (zero, direction) = (R::lit(0.0), self.single(start[0]).0.sign());
        let crossed = (direction * self.single(end[0]).0).lt(zero) & zero.lt(direction * (end[0] - start[0]));
        if R::all(!crossed) {
            return end;
        }
        let way = R::select(crossed, direction * (end[0] - start[0]), zero);
        let found = root::<R, 64>(zero, way, way, |way| {
            let (rate, slope) = self.single(start[0] + direction * way);
            (-direction * rate, -slope)
        });
        let mut out = end;
        out[0] = R::select(crossed, start[0] + direction * found, end[0]);
        out
    }
}
