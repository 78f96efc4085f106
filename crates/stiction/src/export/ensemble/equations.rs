//! One step of Rodas5P for a point of an ensemble, recorded as a program: stages, solution of their equations, error, dense output.
//!
//! The stages are those of the simulator, [`stages`], and the equations are solved as its lanes solve them: positions first,
//! `kq = e·(rq + kv)` with `e = hγ`; then the memory of each contact, by the small matrix `1/e − ∂rate/∂z`; what is left is a matrix of
//! the size of the bodies, eliminated without pivoting.
use crate::export::law_recording::{LawRecording, MOST_OPERATIONS, N, memory};
use crate::export::recorder::{call, record_at_most};
use crate::sim::batch::Coefficients;
use crate::sim::rodas5p::{D, GAMMA, H, LinearisedSystem, NODES, STAGES, stages};
use stiction_core::program::{Program, ProgramLaw, derivative};
use stiction_core::registry::LawEntry;
use stiction_core::{Friction, Input, Real, StateVector};

/// Speed at which a law is evaluated instead of zero, so that its direction is defined \[m/s\].
pub(super) const TINY: f64 = 1e-200;

/// Force and rates of a law, with the inputs velocity, load, memory, parameters.
struct FlowOfLaw;

impl LawRecording for FlowOfLaw {
    const INPUTS: usize = 2;
    fn compiled<F: Friction<N>>(law: &F, x: &[N]) -> Vec<N> {
        let (rate, force) = law.flow(&memory::<F>(x, 2), &Input { v: x[0], load: x[1] });
        let mut out = vec![force];
        out.extend((0..F::State::LEN).map(|i| rate.get(i)));
        // whether all of this changes its sign with velocity and memory
        out.push(N::lit(if F::ODD { 1.0 } else { 0.0 }));
        out
    }
    fn of_programs(law: &ProgramLaw<'_, N>, x: &[N]) -> Vec<N> {
        let mut rate = x[2..2 + law.len()].to_vec();
        let force = law.flow(&x[2..2 + law.len()], &Input { v: x[0], load: x[1] }, &mut rate);
        let mut out = vec![force];
        out.extend(rate);
        out.push(N::lit(0.0));
        out
    }
}

/// A law as the step needs it.
pub(super) struct LawPrograms {
    /// Force, then rates.
    flow: Program,
    /// The same, then their derivatives by the velocity, then by each number of the memory.
    slopes: Program,
    /// Numbers of memory.
    memory: usize,
    /// Whether force and rates change their sign with velocity and memory.
    odd: bool,
}

impl LawPrograms {
    /// None if the law is too long, has no derivatives, or is written with a loop.
    pub fn new(law: &LawEntry) -> Option<Self> {
        let (all, memory) = (FlowOfLaw::record(law)?, law.states.len());
        let odd = !all.is_zero(1 + memory);
        let flow = all.with_outputs(&(0..=memory).collect::<Vec<_>>());
        let by: Vec<u32> = [0].into_iter().chain((0..memory as u32).map(|i| 2 + i)).collect();
        let slopes = derivative(&flow, &by).filter(|program| program.len() <= MOST_OPERATIONS)?;
        let loops = flow.loops().next().is_some();
        (!loops).then_some(Self { flow, slopes, memory, odd })
    }
}

/// The inputs of the programs of a point, in this order: time, length of the step, state, sides, and the numbers in which points differ.
pub(super) struct PointInputs<'a> {
    pub t: N,
    pub h: N,
    pub state: &'a [N],
    pub sides: &'a [N],
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
    /// How many inputs the programs have, and the place of the first number of a point.
    pub fn inputs(&self) -> usize {
        self.first_number() + self.varied
    }
    pub fn first_number(&self) -> usize {
        2 + self.states() + self.contacts()
    }
    fn record(&self, run: impl FnOnce(&PointInputs<'_>) -> Vec<N>) -> Option<Program> {
        let (states, first) = (self.states(), self.first_number());
        record_at_most(MOST_OPERATIONS, self.inputs() as u32, |x| {
            let coefficients = self.coefficients.map(|from| match *from {
                CoefficientSource::Literal(value) => N::lit(value),
                CoefficientSource::Point(k) => x[first + k],
            });
            run(&PointInputs { t: x[0], h: x[1], state: &x[2..2 + states], sides: &x[2 + states..first], coefficients })
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
    /// The force of each contact in a state.
    pub fn forces(&self) -> Option<Program> {
        self.record(|x| (0..self.contacts()).map(|c| flow(self.law, x, c, x.state, 0.0)[0]).collect())
    }
}

/// A sum that begins with its first term.
fn sum(mut terms: impl Iterator<Item = N>) -> N {
    let first = terms.next().unwrap_or(N::lit(0.0));
    terms.fold(first, |sum, term| sum + term)
}

/// A line in time at fraction `node` of the step, plus `shift` times what it changes by in the whole step.
fn line(x: &PointInputs<'_>, line: &[N; 2], node: f64, shift: f64) -> N {
    line[0] + line[1] * x.t + N::lit(node + shift) * (line[1] * x.h)
}

/// The sliding velocity of contact `c` in state `y` at fraction `node` of the step.
fn slide(x: &PointInputs<'_>, c: usize, y: &[N], node: f64) -> N {
    let (p, n) = (&x.coefficients, x.coefficients.drive.len());
    (0..n).fold(line(x, &p.belt[c], node, 0.0), |s, j| s + p.row[c * n + j] * y[n + j])
}

/// The outputs of a program of the law of contact `c` at a speed, in the direction of sliding; the first `values` of them are values, then
/// derivatives. An odd law is evaluated forwards, where the signs within it are known when the kernel is written.
fn evaluate(law: &LawPrograms, program: &Program, x: &PointInputs<'_>, c: usize, y: &[N], speed: N) -> Vec<N> {
    let (side, at) = (x.sides[c], 2 * x.coefficients.drive.len() + c * law.memory);
    let z = &y[at..at + law.memory];
    let mut inputs = vec![if law.odd { speed } else { speed * side }, x.coefficients.load[c]];
    inputs.extend(z.iter().map(|z| if law.odd { *z * side } else { *z }));
    inputs.extend(&x.coefficients.parameters[c]);
    let mut out = call(program, &inputs);
    if law.odd {
        // derivatives by velocity and memory are even
        out.iter_mut().take(1 + law.memory).for_each(|value| *value = *value * side);
    }
    out
}

/// The speed at which a law is evaluated: not zero.
fn speed(v: N) -> N {
    v.abs().max(N::lit(TINY))
}

/// Force and rates of contact `c`. Beyond zero the law is continued by its reflection in the point at zero, so that a step that
/// oversteps the kink does not see it.
fn flow(law: &LawPrograms, x: &PointInputs<'_>, c: usize, y: &[N], node: f64) -> Vec<N> {
    let v = slide(x, c, y, node);
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
        let (n, contacts, z) = (p.drive.len(), p.belt.len(), law.memory);
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
            let all = evaluate(law, &law.slopes, x, c, x.state, speed(slide(x, c, x.state, 0.0)));
            let parts: Vec<Vec<N>> = all.chunks(1 + z).map(<[N]>::to_vec).collect();
            let (by_v, by_z) = (parts[1].clone(), parts[2..].to_vec());
            let inverse = inverse(z, |i, j| if i == j { by_e - by_z[j][1 + i] } else { -by_z[j][1 + i] });
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

/// The inverse of a matrix of up to two rows.
fn inverse(len: usize, entry: impl Fn(usize, usize) -> N) -> Vec<Vec<N>> {
    let one = N::lit(1.0);
    match len {
        0 => Vec::new(),
        1 => vec![vec![one / entry(0, 0)]],
        _ => {
            let (a, b, c, d) = (entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1));
            let by = one / (a * d - b * c);
            vec![vec![d * by, -(b * by)], vec![-(c * by), a * by]]
        }
    }
}

impl LinearisedSystem<N> for PointSystem<'_> {
    #[allow(clippy::needless_range_loop, reason = "indices are those of the equations")]
    fn solve(&mut self, i: usize, at: &[N], k: &mut [N]) {
        let (x, p, e, z) = (self.x, &self.x.coefficients, self.e, self.law.memory);
        let (n, contacts) = (p.drive.len(), p.belt.len());
        if i > 0 {
            self.flows = (0..contacts).map(|c| flow(self.law, x, c, at, NODES[i])).collect();
        }
        let kq: Vec<N> = (0..n).map(|j| at[n + j] + k[j]).collect();
        let mut kv = Vec::with_capacity(n);
        for j in 0..n {
            let mut a = line(x, &p.drive[j], NODES[i], D[i]) + k[n + j];
            for m in 0..n {
                a = a - p.stiffness[j * n + m] * (at[m] + e * kq[m]) - p.damping[j * n + m] * at[n + m];
            }
            kv.push(a);
        }
        let mut kz = vec![Vec::new(); contacts];
        for c in 0..contacts {
            let moved = N::lit(D[i]) * (p.belt[c][1] * x.h);
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
