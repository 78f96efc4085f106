//! One step of Rodas5P for a point of an ensemble, recorded as a program: stages, solution of their equations, error, dense output.
//!
//! The stages are those of the simulator, [`stages`], and the equations are solved as its lanes solve them: positions first,
//! `kq = e·(rq + kv)` with `e = hγ`; then the memory of each contact, by the small matrix `1/e − ∂rate/∂z`; what is left is a matrix of
//! the size of the bodies, eliminated without pivoting.
use super::law_programs::LawPrograms;
use crate::export::law_recording::{MOST_OPERATIONS, N};
use crate::export::recorder::{call, record_at_most};
use crate::sim::batch::Coefficients;
use crate::sim::rodas5p::{D, GAMMA, H, LinearisedSystem, NODES, STAGES, stages};
use stiction_core::Real;
use stiction_core::program::Program;

/// Speed at which a law is evaluated instead of zero, so that its direction is defined \[m/s\].
pub(super) const TINY: f64 = 1e-200;

/// Different times at which the stages of a step look at the signals: those of the first stages.
pub(super) const TIMES: usize = 6;

/// The inputs of the programs of a point, in this order: time, length of the step, state, sides, modes, waves, and the numbers in which
/// points differ.
pub(super) struct PointInputs<'a> {
    pub t: N,
    pub h: N,
    pub state: &'a [N],
    pub sides: &'a [N],
    /// The memory that only jumps.
    pub modes: &'a [N],
    /// Of each wave its sine at the times of the stages, then its cosine.
    pub waves: &'a [N],
    pub coefficients: Coefficients<N>,
}

/// What the programs of all points share.
pub(super) struct Equations<'a> {
    pub law: &'a LawPrograms,
    /// The coefficients; those that are the same at every point are literals.
    pub coefficients: &'a Coefficients<CoefficientSource>,
    /// How many differ from point to point.
    pub varied: usize,
}

/// Where a coefficient comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CoefficientSource {
    /// It is the same at every point.
    Literal(f64),
    /// It is this number of a point.
    Point(usize),
}

impl Equations<'_> {
    pub fn bodies(&self) -> usize {
        self.coefficients.drive.len()
    }
    pub fn contacts(&self) -> usize {
        self.coefficients.belt.len()
    }
    pub fn states(&self) -> usize {
        self.coefficients.state.len()
    }
    /// How many inputs the programs have, the place of the first wave, and that of the first number of a point.
    pub fn inputs(&self) -> usize {
        self.first_number() + self.varied + 2 * self.signals()
    }
    /// Signals that are made of lines: behind the numbers of a point stand their values at time zero and their slopes.
    pub fn signals(&self) -> usize {
        self.coefficients.drive_pieces.len() / self.bodies().max(1)
    }
    pub fn first_wave(&self) -> usize {
        2 + self.states() + self.contacts() + self.modes()
    }
    /// Numbers of memory that only jump.
    pub fn modes(&self) -> usize {
        self.coefficients.modes.len()
    }
    pub fn first_number(&self) -> usize {
        self.first_wave() + 2 * TIMES * self.coefficients.waves.len()
    }
    fn record(&self, run: impl FnOnce(&PointInputs<'_>) -> Vec<N>) -> Option<Program> {
        let (states, wave, first) = (self.states(), self.first_wave(), self.first_number());
        let mode = wave - self.modes();
        record_at_most(MOST_OPERATIONS, self.inputs() as u32, |x| {
            let mut coefficients = self.coefficients.map(|from| match *from {
                CoefficientSource::Literal(value) => N::lit(value),
                CoefficientSource::Point(k) => x[first + k],
            });
            for (i, weights) in self.coefficients.drive_pieces.chunks(self.signals().max(1)).enumerate() {
                let place = i * weights.len();
                for (k, _) in
                    weights.iter().enumerate().filter(|(_, pair)| **pair != [CoefficientSource::Literal(0.0); 2])
                {
                    let [weight, by_rate] = coefficients.drive_pieces[place + k];
                    let [at_zero, slope] = [0, 1].map(|j| x[first + self.varied + 2 * k + j]);
                    let [value, rate] = coefficients.drive[i];
                    coefficients.drive[i] = [value + weight * at_zero + by_rate * slope, rate + weight * slope];
                }
            }
            let (state, sides) = (&x[2..2 + states], &x[2 + states..mode]);
            let (modes, waves) = (&x[mode..wave], &x[wave..first]);
            run(&PointInputs { t: x[0], h: x[1], state, sides, modes, waves, coefficients })
        })
    }
    /// The step: the state at its end, the estimated error, and the three coefficients of the dense output, each for the whole state.
    pub fn step(&self) -> Option<Program> {
        let states = self.states();
        self.record(|x| {
            let mut system = PointSystem::new(self.law, x);
            let (mut at, mut k) = (x.state.to_vec(), [(); STAGES].map(|()| vec![N::lit(0.0); states]));
            let by_h = system.by_e * N::lit(GAMMA);
            stages::<N, _, Vec<N>, 1>(&mut system, by_h, x.state, &mut at, &mut k);
            let mut out: Vec<N> = (0..states).map(|i| at[i] + k[STAGES - 1][i]).collect();
            out.extend(&k[STAGES - 1]);
            for weights in &H {
                out.extend((0..states).map(|i| sum(weights.iter().zip(&k).map(|(w, k)| N::lit(*w) * k[i]))));
            }
            out
        })
    }
    /// The force of each contact in a state; that of one at rest is what keeps it there.
    pub fn forces(&self) -> Option<Program> {
        self.record(|x| {
            let force = |c: usize| {
                let sliding = flow(self.law, x, c, x.state, 0)[0];
                match self.law.set_at_rest {
                    Some(_) => N::select((x.sides[c] * x.sides[c]).lt(N::lit(0.5)), holding_force(x), sliding),
                    None => sliding,
                }
            };
            (0..self.contacts()).map(force).collect()
        })
    }
    /// The guards of each contact in a state, but for its velocity.
    pub fn guards(&self) -> Option<Program> {
        let modes = self.law.modes.as_ref()?;
        self.record(|x| (0..self.contacts()).flat_map(|c| call(&modes.guards, &self.at_one_side(x, c))).collect())
    }
    /// The memory of each contact after a jump.
    pub fn jumped(&self) -> Option<Program> {
        let modes = self.law.modes.as_ref()?;
        self.record(|x| (0..self.contacts()).flat_map(|c| call(&modes.jump, &self.at_one_side(x, c))).collect())
    }
    /// The inputs of the law of contact `c` in a state, on the side on which it slides.
    fn at_one_side(&self, x: &PointInputs<'_>, c: usize) -> Vec<N> {
        let v = (slide(x, c, x.state, 0) * x.sides[c]).max(N::lit(TINY));
        let mut inputs = vec![v * x.sides[c], x.coefficients.load[c]];
        inputs.extend(memory(self.law, x, c, x.state));
        inputs.extend(&x.coefficients.parameters[c]);
        inputs
    }
    /// A single contact at rest: the force that keeps the body there, and the ends of the set that it may be of.
    pub fn rest(&self) -> Option<Program> {
        let set = self.law.set_at_rest.as_ref()?;
        self.record(|x| {
            let mut inputs = vec![x.coefficients.load[0]];
            inputs.extend(&x.coefficients.parameters[0]);
            let ends = call(set, &inputs);
            vec![holding_force(x), ends[0], ends[1]]
        })
    }
}

/// A sum that begins with its first term.
fn sum(mut terms: impl Iterator<Item = N>) -> N {
    let first = terms.next().unwrap_or(N::lit(0.0));
    terms.fold(first, |sum, term| sum + term)
}

/// A function of time at stage `i` of the step, a line and these weights of waves, plus `shift` times what it changes by in the whole step
/// at its rate at the start.
fn at_stage(x: &PointInputs<'_>, line: &[N; 2], weights: &[[N; 2]], i: usize, shift: f64) -> N {
    let even = line[0] + line[1] * x.t + N::lit(NODES[i] + shift) * (line[1] * x.h);
    let time = i.min(TIMES - 1);
    let waves = weights.iter().zip(x.waves.chunks(2 * TIMES)).zip(&x.coefficients.waves);
    waves.fold(even, |sum, (([of_sine, of_cosine], wave), [omega, _])| {
        let (now, rate) = (
            *of_sine * wave[time] + *of_cosine * wave[TIMES + time],
            *omega * (*of_sine * wave[TIMES] - *of_cosine * wave[0]),
        );
        sum + now + N::lit(shift) * (x.h * rate)
    })
}

/// `share` of what a function of time changes by in the whole step at its rate at the start.
fn changed(x: &PointInputs<'_>, line: &[N; 2], weights: &[[N; 2]], share: f64) -> N {
    let waves = weights.iter().zip(x.waves.chunks(2 * TIMES)).zip(&x.coefficients.waves);
    let rate = waves.fold(line[1], |sum, (([of_sine, of_cosine], wave), [omega, _])| {
        sum + *omega * (*of_sine * wave[TIMES] - *of_cosine * wave[0])
    });
    N::lit(share) * (rate * x.h)
}

/// Some weights of waves in the list of all: those of body or contact `i`.
fn waves_of<'a>(x: &'a PointInputs<'_>, all: &'a [[N; 2]], i: usize) -> &'a [[N; 2]] {
    let count = x.coefficients.waves.len();
    &all[i * count..(i + 1) * count]
}

/// The sliding velocity of contact `c` in state `y` at stage `i`.
fn slide(x: &PointInputs<'_>, c: usize, y: &[N], i: usize) -> N {
    let (p, n) = (&x.coefficients, x.coefficients.drive.len());
    let belt = at_stage(x, &p.belt[c], waves_of(x, &p.belt_waves, c), i, 0.0);
    (0..n).fold(belt, |s, j| s + p.row[c * n + j] * y[n + j])
}

/// The force that keeps a single body at rest on its contact, at the velocity that it then has.
fn holding_force(x: &PointInputs<'_>) -> N {
    let p = &x.coefficients;
    let by_row = N::lit(1.0) / p.row[0];
    let velocity = -(p.belt[0][0] + p.belt[0][1] * x.t) * by_row;
    let drive = at_stage(x, &p.drive[0], waves_of(x, &p.drive_waves, 0), 0, 0.0);
    let own = drive - p.stiffness[0] * x.state[0] - p.damping[0] * velocity;
    (own + p.belt[0][1] * by_row) * (N::lit(1.0) / p.arm[0])
}

/// The memory of contact `c`: from the state `y` what changes continuously, and what only jumps.
fn memory(law: &LawPrograms, x: &PointInputs<'_>, c: usize, y: &[N]) -> Vec<N> {
    let (flowing, jumping) = (law.flowing.len(), law.memory - law.flowing.len());
    let mut state = y[2 * x.coefficients.drive.len() + c * flowing..].iter();
    let mut modes = x.modes[c * jumping..].iter();
    let number = |i: usize| if law.flowing.contains(&i) { state.next() } else { modes.next() };
    (0..law.memory).filter_map(number).copied().collect()
}

/// The outputs of a program of the law of contact `c` at a speed, in the direction of sliding; the first `values` of them are values, then
/// derivatives. An odd law is evaluated forwards, where the signs within it are known when the kernel is written.
fn evaluate(law: &LawPrograms, program: &Program, x: &PointInputs<'_>, c: usize, y: &[N], speed: N) -> Vec<N> {
    let side = x.sides[c];
    let z = memory(law, x, c, y);
    // the product of a side and a speed next to nothing would be none
    let v = if law.odd { speed } else { N::select(side.lt(N::lit(0.0)), -speed, speed) };
    let mut inputs = vec![v, x.coefficients.load[c]];
    inputs.extend(z.iter().map(|z| if law.odd { *z * side } else { *z }));
    inputs.extend(&x.coefficients.parameters[c]);
    let mut out = call(program, &inputs);
    if law.odd {
        // derivatives by velocity and memory are even
        out.iter_mut().take(1 + law.flowing.len()).for_each(|value| *value = *value * side);
    }
    out
}

/// The speed at which a law is evaluated: not zero.
fn speed(v: N) -> N {
    v.abs().max(N::lit(TINY))
}

/// Force and rates of contact `c`. Beyond zero the law is continued by its reflection in the point at zero, so that a step that
/// oversteps the kink does not see it.
fn flow(law: &LawPrograms, x: &PointInputs<'_>, c: usize, y: &[N], i: usize) -> Vec<N> {
    let v = slide(x, c, y, i);
    let over = (v * x.sides[c]).lt(N::lit(0.0));
    let here = evaluate(law, &law.flow, x, c, y, speed(v));
    // at rest nearly all of a law is known
    let rest = evaluate(law, &law.flow, x, c, y, N::lit(TINY));
    here.iter().zip(rest).map(|(here, rest)| N::select(over, N::lit(2.0) * rest - *here, *here)).collect()
}

/// The system about the start of a step.
struct PointSystem<'a> {
    law: &'a LawPrograms,
    x: &'a PointInputs<'a>,
    e: N,
    by_e: N,
    flows: Vec<Vec<N>>,
    /// Of each contact: derivatives of force and rates by the velocity, and by each number of the memory.
    by_v: Vec<Vec<N>>,
    by_z: Vec<Vec<Vec<N>>>,
    /// `(1/e − ∂rate/∂z)⁻¹`, and its product with the derivative of the rates by velocity.
    inverse: Vec<Vec<Vec<N>>>,
    follows: Vec<Vec<N>>,
    /// The factored matrix of the velocities, and the reciprocals of its diagonal.
    matrix: Vec<Vec<N>>,
    pivots: Vec<N>,
}

impl<'a> PointSystem<'a> {
    #[allow(clippy::needless_range_loop, reason = "indices are those of the equations")]
    fn new(law: &'a LawPrograms, x: &'a PointInputs<'a>) -> Self {
        let p = &x.coefficients;
        let (n, contacts, z) = (p.drive.len(), p.belt.len(), law.flowing.len());
        let e = x.h * N::lit(GAMMA);
        let by_e = N::lit(1.0) / e;
        let mut out = Self {
            law,
            x,
            e,
            by_e,
            flows: Vec::new(),
            by_v: Vec::new(),
            by_z: Vec::new(),
            inverse: Vec::new(),
            follows: Vec::new(),
            matrix: vec![vec![N::lit(0.0); n]; n],
            pivots: vec![N::lit(0.0); n],
        };
        for i in 0..n {
            for j in 0..n {
                out.matrix[i][j] = p.damping[i * n + j] + e * p.stiffness[i * n + j];
            }
            out.matrix[i][i] = out.matrix[i][i] + by_e;
        }
        for c in 0..contacts {
            let all = evaluate(law, &law.slopes, x, c, x.state, speed(slide(x, c, x.state, 0)));
            let parts: Vec<Vec<N>> = all.chunks(1 + z).map(<[N]>::to_vec).collect();
            let (by_v, by_z) = (parts[1].clone(), parts[2..].to_vec());
            let coupled = (0..z).any(|i| (0..z).any(|j| i != j && !law.slopes.is_zero((1 + z) * (2 + j) + 1 + i)));
            let entry = |i: usize, j: usize| if i == j { by_e - by_z[j][1 + i] } else { -by_z[j][1 + i] };
            let mut inverse = if coupled { inverse(z, entry) } else { inverse_diagonal(z, |i| entry(i, i)) };
            // an infinite slope has no inverse: zero would hold the memory where it is
            for i in 0..z {
                inverse[i][i] = inverse[i][i] + none_unless_finite(by_z[i][1 + i]);
            }
            let follows: Vec<N> = (0..z).map(|i| sum((0..z).map(|j| inverse[i][j] * by_v[1 + j]))).collect();
            // derivative of the force by the velocity, with the memory eliminated
            let slope = (0..z).fold(by_v[0], |slope, j| slope + by_z[j][0] * follows[j]);
            for i in 0..n {
                for j in 0..n {
                    out.matrix[i][j] = out.matrix[i][j] + p.arm[i * contacts + c] * slope * p.row[c * n + j];
                }
            }
            out.flows.push(parts[0].clone());
            out.by_v.push(by_v);
            out.by_z.push(by_z);
            out.inverse.push(inverse);
            out.follows.push(follows);
        }
        for q in 0..n {
            out.pivots[q] = N::lit(1.0) / out.matrix[q][q];
            for i in q + 1..n {
                let f = out.matrix[i][q] * out.pivots[q];
                out.matrix[i][q] = f;
                for j in q + 1..n {
                    out.matrix[i][j] = out.matrix[i][j] - f * out.matrix[q][j];
                }
            }
        }
        out
    }
}

/// Zero of a finite number; of any other it is none. A product with zero would vanish where the program is rewritten for finite numbers.
fn none_unless_finite(x: N) -> N {
    let same = x;
    x - same
}

/// The inverse of a diagonal matrix.
fn inverse_diagonal(len: usize, entry: impl Fn(usize) -> N) -> Vec<Vec<N>> {
    let one = |i: usize, j: usize| if i == j { N::lit(1.0) / entry(i) } else { N::lit(0.0) };
    (0..len).map(|i| (0..len).map(|j| one(i, j)).collect()).collect()
}

/// The inverse of a matrix, whose diagonal outweighs the rest in a step that is short enough: by Gauss and Jordan without pivoting, for up to
/// two rows by its determinant.
#[allow(clippy::needless_range_loop, reason = "indices are those of the equations")]
fn inverse(len: usize, entry: impl Fn(usize, usize) -> N) -> Vec<Vec<N>> {
    let one = N::lit(1.0);
    match len {
        0 | 1 => inverse_diagonal(len, |i| entry(i, i)),
        2 => {
            let (a, b, c, d) = (entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1));
            let by = one / (a * d - b * c);
            vec![vec![d * by, -(b * by)], vec![-(c * by), a * by]]
        }
        _ => {
            let mut rows: Vec<Vec<N>> = (0..len).map(|i| (0..len).map(|j| entry(i, j)).collect()).collect();
            for q in 0..len {
                let by = one / rows[q][q];
                rows[q][q] = one;
                rows[q].iter_mut().for_each(|x| *x = *x * by);
                let pivot = rows[q].clone();
                for i in (0..len).filter(|i| *i != q) {
                    let f = std::mem::replace(&mut rows[i][q], N::lit(0.0));
                    for j in 0..len {
                        rows[i][j] = rows[i][j] - f * pivot[j];
                    }
                }
            }
            rows
        }
    }
}

impl LinearisedSystem<N> for PointSystem<'_> {
    #[allow(clippy::needless_range_loop, reason = "indices are those of the equations")]
    fn solve(&mut self, i: usize, at: &[N], k: &mut [N]) {
        let (x, p, e, z) = (self.x, &self.x.coefficients, self.e, self.law.flowing.len());
        let (n, contacts) = (p.drive.len(), p.belt.len());
        if i > 0 {
            self.flows = (0..contacts).map(|c| flow(self.law, x, c, at, i)).collect();
        }
        let kq: Vec<N> = (0..n).map(|j| at[n + j] + k[j]).collect();
        let mut kv = Vec::with_capacity(n);
        for j in 0..n {
            let mut a = at_stage(x, &p.drive[j], waves_of(x, &p.drive_waves, j), i, D[i]) + k[n + j];
            for m in 0..n {
                a = a - p.stiffness[j * n + m] * (at[m] + e * kq[m]) - p.damping[j * n + m] * at[n + m];
            }
            kv.push(a);
        }
        let mut kz = vec![Vec::new(); contacts];
        for c in 0..contacts {
            let moved = changed(x, &p.belt[c], waves_of(x, &p.belt_waves, c), D[i]);
            let mut force = self.flows[c][0] + self.by_v[c][0] * moved;
            let r: Vec<N> =
                (0..z).map(|j| self.flows[c][1 + j] + k[2 * n + c * z + j] + self.by_v[c][1 + j] * moved).collect();
            for j in 0..z {
                let value = sum((0..z).map(|m| self.inverse[c][j][m] * r[m]));
                force = force + self.by_z[c][j][0] * value;
                kz[c].push(value);
            }
            for j in 0..n {
                kv[j] = kv[j] - p.arm[j * contacts + c] * force;
            }
        }
        for q in 0..n {
            for j in q + 1..n {
                kv[j] = kv[j] - self.matrix[j][q] * kv[q];
            }
        }
        for q in (0..n).rev() {
            for j in q + 1..n {
                kv[q] = kv[q] - self.matrix[q][j] * kv[j];
            }
            kv[q] = kv[q] * self.pivots[q];
        }
        for j in 0..n {
            k[j] = (kq[j] + kv[j]) * e;
            k[n + j] = kv[j];
        }
        for c in 0..contacts {
            let s = sum((0..n).map(|j| p.row[c * n + j] * kv[j]));
            for j in 0..z {
                k[2 * n + c * z + j] = kz[c][j] + self.follows[c][j] * s;
            }
        }
    }
}
