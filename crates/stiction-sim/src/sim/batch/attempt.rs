//! One attempt at a step of [`rodas5p`](crate::sim::rodas5p), for all lanes and for one law.
//!
//! With `e = hγ` a stage solves `(1/e − J) k = r`. Positions go first, `kq = e·(rq + kv)`; then the memory of each contact,
//! whose matrix `1/e − ∂rate/∂z` has at most two rows; what is left is a matrix of the size of the bodies, eliminated
//! without pivoting: where that is inaccurate, the error estimate is large and a shorter step is tried.
use super::block::{BODIES, Block, CONTACTS, LARGE, MEMORY, SMALL, TIMES};
use super::contact_law::{Contact, Flow, Slopes, TypedLaw};
use super::laws::Kernels;
use crate::dispatch::InPlaceKernel;
use crate::sim::rodas5p::{D, GAMMA, LinearisedSystem, STAGES, stages};
use std::marker::PhantomData;
use stiction_core::{Lanes, Law, Real};

/// Evaluates the laws of the contacts.
trait ContactLaws<const N: usize> {
    fn flow(&mut self, contacts: &mut [Contact<N>], c: usize, z: &[Lanes<N>; MEMORY], v: Lanes<N>) -> Flow<N>;
    fn slopes(
        &mut self,
        contacts: &mut [Contact<N>],
        c: usize,
        z: &[Lanes<N>; MEMORY],
        v: Lanes<N>,
    ) -> (Flow<N>, Slopes<N>);
}

/// One contact whose law is part of the kernel.
impl<M: Law<f64>, const N: usize> ContactLaws<N> for TypedLaw<M, N> {
    #[inline(always)]
    fn flow(&mut self, _: &mut [Contact<N>], _: usize, z: &[Lanes<N>; MEMORY], v: Lanes<N>) -> Flow<N> {
        TypedLaw::flow(self, z, v)
    }
    #[inline(always)]
    fn slopes(&mut self, _: &mut [Contact<N>], _: usize, z: &[Lanes<N>; MEMORY], v: Lanes<N>) -> (Flow<N>, Slopes<N>) {
        TypedLaw::slopes(self, z, v)
    }
}

/// Contacts whose law is called through its kernels.
impl<const N: usize> ContactLaws<N> for Kernels<N> {
    #[inline(always)]
    fn flow(&mut self, contacts: &mut [Contact<N>], c: usize, z: &[Lanes<N>; MEMORY], v: Lanes<N>) -> Flow<N> {
        let contact = &mut contacts[c];
        (contact.z, contact.v) = (*z, v);
        (self.flow)(contact);
        contact.flow
    }
    #[inline(always)]
    fn slopes(
        &mut self,
        contacts: &mut [Contact<N>],
        c: usize,
        z: &[Lanes<N>; MEMORY],
        v: Lanes<N>,
    ) -> (Flow<N>, Slopes<N>) {
        let contact = &mut contacts[c];
        (contact.z, contact.v) = (*z, v);
        (self.slopes)(contact);
        (contact.flow, contact.slopes)
    }
}

/// One body with one contact of law `M`: every loop has a known end.
pub(super) struct SingleBody<M>(PhantomData<M>);
impl<M: Law<f64>, const N: usize> InPlaceKernel<Block<N>> for SingleBody<M> {
    #[inline(always)]
    fn run(b: &mut Block<N>) {
        let known = TypedLaw::<M, N>::new(&b.contacts[0]);
        let z = M::STATES.len().min(MEMORY);
        attempt::<_, SMALL, 1, 1, N>(b, known, 1, 1, z);
    }
}

/// One body with one contact whose law, with `Z` numbers of memory, is called through its kernels.
pub(super) struct SingleBodyShared<const Z: usize>;
impl<const Z: usize, const N: usize> InPlaceKernel<Block<N>> for SingleBodyShared<Z> {
    #[inline(always)]
    fn run(b: &mut Block<N>) {
        let kernels = b.kernels;
        attempt::<_, SMALL, 1, 1, N>(b, kernels, 1, 1, Z);
    }
}

/// Any other system.
pub(super) struct AnySystem;
impl<const N: usize> InPlaceKernel<Block<N>> for AnySystem {
    #[inline(always)]
    fn run(b: &mut Block<N>) {
        let (kernels, n, contacts, z) = (b.kernels, b.bodies, b.contacts.len(), b.memory);
        attempt::<_, LARGE, BODIES, CONTACTS, N>(b, kernels, n.min(BODIES), contacts.min(CONTACTS), z.min(MEMORY));
    }
}

/// What a contact does while the memory follows.
#[derive(Clone, Copy)]
struct ContactMatrices<const N: usize> {
    slopes: Slopes<N>,
    /// `(1/e − ∂rate/∂z)⁻¹`, and its product with the derivative of the rates by velocity.
    inverse: [[Lanes<N>; MEMORY]; MEMORY],
    follows: [Lanes<N>; MEMORY],
}

impl<const N: usize> ContactMatrices<N> {
    #[inline(always)]
    fn new(slopes: Slopes<N>, by_e: Lanes<N>, len: usize) -> Self {
        let (zero, one) = (Lanes::lit(0.0), Lanes::lit(1.0));
        let mut out = Self { slopes, inverse: [[zero; MEMORY]; MEMORY], follows: [zero; MEMORY] };
        let m = &slopes.rate_by_z;
        if len == 1 {
            // an infinite slope has no inverse: zero would hold the memory where it is; with two numbers of memory the products below are none
            out.inverse[0][0] = one / (by_e - m[0][0]) + zero * m[0][0];
        } else if len == 2 {
            let (a, d) = (by_e - m[0][0], by_e - m[1][1]);
            let by = one / (a * d - m[0][1] * m[1][0]);
            out.inverse = [[d * by, m[0][1] * by], [m[1][0] * by, a * by]];
        }
        for i in 0..len {
            for j in 0..len {
                out.follows[i] = out.follows[i] + out.inverse[i][j] * slopes.rate_by_v[j];
            }
        }
        out
    }
}

/// The memory of a contact that begins at `at`.
#[inline(always)]
fn memory<const N: usize>(y: &[Lanes<N>], at: usize, len: usize) -> [Lanes<N>; MEMORY] {
    let mut out = [Lanes([0.0; N]); MEMORY];
    out[..len].copy_from_slice(&y[at..at + len]);
    out
}

/// The attempt itself, for `n` bodies and `count` contacts with `z` numbers of memory each; `WIDE` is the stride of stages,
/// `B` and `R` the most there may be of bodies and contacts.
#[allow(clippy::needless_range_loop, reason = "index loops vectorise")]
#[inline(always)]
fn attempt<T: ContactLaws<N>, const WIDE: usize, const B: usize, const R: usize, const N: usize>(
    b: &mut Block<N>,
    mut touching: T,
    n: usize,
    count: usize,
    z: usize,
) {
    let zero = Lanes::<N>::lit(0.0);
    let wide = 2 * n + count * z;
    let Block { stiff, damp, arm, row, contacts, drive, drive_rate, belt, belt_rate, least, h, .. } = b;
    let (stiff, damp, arm, row) = (&stiff[..n * n], &damp[..n * n], &arm[..n * count], &row[..n * count]);
    let (drive, drive_rate, belt, belt_rate) = (&drive[..n], &drive_rate[..n], &belt[..count], &belt_rate[..count]);
    let (contacts, least) = (&mut contacts[..count], &mut least[..count]);
    let Some(k) = b.k.as_chunks_mut::<WIDE>().0.first_chunk_mut::<STAGES>() else { return };
    let (Some(y), Some(y1)) = (b.y.first_chunk::<WIDE>(), b.y1.first_chunk_mut::<WIDE>()) else { return };
    // one division for both
    let h = *h;
    let e = h * Lanes::lit(GAMMA);
    let by_e = Lanes::lit(1.0) / e;
    let by_h = by_e * Lanes::lit(GAMMA);
    let mut flows = [Flow::<N>::ZERO; R];
    let mut touch =
        [ContactMatrices { slopes: Slopes::<N>::ZERO, inverse: [[zero; MEMORY]; MEMORY], follows: [zero; MEMORY] }; R];
    let (mut matrix, mut pivots) = ([[zero; B]; B], [zero; B]);
    for i in 0..n {
        for j in 0..n {
            matrix[i][j] = damp[i * n + j] + e * stiff[i * n + j];
        }
        matrix[i][i] = matrix[i][i] + by_e;
    }
    for c in 0..count {
        let s = slide(row, belt, y, n, c, 0);
        let (flow, slopes) = touching.slopes(contacts, c, &memory(y, 2 * n + c * z, z), s);
        let t = ContactMatrices::new(slopes, by_e, z);
        least[c] = s * contacts[c].side;
        // derivative of the force by the velocity, with the memory eliminated
        let mut slope = slopes.by_v;
        for j in 0..z {
            slope = slope + slopes.by_z[j] * t.follows[j];
        }
        for i in 0..n {
            for j in 0..n {
                matrix[i][j] = matrix[i][j] + arm[i * count + c] * slope * row[c * n + j];
            }
        }
        (flows[c], touch[c]) = (flow, t);
    }
    for p in 0..n {
        pivots[p] = Lanes::lit(1.0) / matrix[p][p];
        for i in p + 1..n {
            let f = matrix[i][p] * pivots[p];
            matrix[i][p] = f;
            for j in p + 1..n {
                matrix[i][j] = matrix[i][j] - f * matrix[p][j];
            }
        }
    }
    let mut system = LaneSystem::<T, B, R, N> {
        touching,
        contacts,
        least,
        stiff,
        damp,
        arm,
        row,
        drive,
        drive_rate,
        belt,
        belt_rate,
        n,
        count,
        z,
        h,
        e,
        flows,
        touch,
        matrix,
        pivots,
    };
    let mut at = *y;
    stages::<_, _, _, 1>(&mut system, by_h, &y[..wide], &mut at[..wide], k);
    for x in 0..wide {
        y1[x] = at[x] + k[STAGES - 1][x];
    }
}

/// The system of all lanes about the start of a step: `n` bodies, and `count` contacts with `z` numbers of memory each.
struct LaneSystem<'a, T, const B: usize, const R: usize, const N: usize> {
    touching: T,
    contacts: &'a mut [Contact<N>],
    least: &'a mut [Lanes<N>],
    stiff: &'a [Lanes<N>],
    damp: &'a [Lanes<N>],
    arm: &'a [Lanes<N>],
    row: &'a [Lanes<N>],
    drive: &'a [[Lanes<N>; TIMES]],
    drive_rate: &'a [Lanes<N>],
    belt: &'a [[Lanes<N>; TIMES]],
    belt_rate: &'a [Lanes<N>],
    n: usize,
    count: usize,
    z: usize,
    h: Lanes<N>,
    e: Lanes<N>,
    flows: [Flow<N>; R],
    touch: [ContactMatrices<N>; R],
    /// The factored matrix of the velocities, and the reciprocals of its diagonal.
    matrix: [[Lanes<N>; B]; B],
    pivots: [Lanes<N>; B],
}

impl<T: ContactLaws<N>, const B: usize, const R: usize, const N: usize> LinearisedSystem<Lanes<N>>
    for LaneSystem<'_, T, B, R, N>
{
    #[allow(clippy::needless_range_loop, reason = "index loops vectorise")]
    #[inline(always)]
    fn solve(&mut self, i: usize, at: &[Lanes<N>], k: &mut [Lanes<N>]) {
        let Self { n, count, z, e, .. } = *self;
        let Self { touching, contacts, least, stiff, damp, arm, row, flows, touch, matrix, pivots, .. } = self;
        let zero = Lanes::<N>::lit(0.0);
        let time = i.min(TIMES - 1);
        if i > 0 {
            for c in 0..count {
                let s = slide(row, self.belt, at, n, c, time);
                flows[c] = touching.flow(contacts, c, &memory(at, 2 * n + c * z, z), s);
                least[c] = least[c].min(s * contacts[c].side);
            }
        }
        let shift = Lanes::lit(D[i]) * self.h;
        let (mut kq, mut kv) = ([zero; B], [zero; B]);
        for j in 0..n {
            kq[j] = at[n + j] + k[j];
        }
        for j in 0..n {
            let mut a = self.drive[j][time] + k[n + j] + shift * self.drive_rate[j];
            for m in 0..n {
                a = a - stiff[j * n + m] * (at[m] + e * kq[m]) - damp[j * n + m] * at[n + m];
            }
            kv[j] = a;
        }
        let mut kz = [[zero; MEMORY]; R];
        for c in 0..count {
            let t = &touch[c];
            let moved = shift * self.belt_rate[c];
            let mut force = flows[c].force + t.slopes.by_v * moved;
            let mut r = [zero; MEMORY];
            for j in 0..z {
                r[j] = flows[c].rates[j] + k[2 * n + c * z + j] + t.slopes.rate_by_v[j] * moved;
            }
            for j in 0..z {
                let mut x = zero;
                for m in 0..z {
                    x = x + t.inverse[j][m] * r[m];
                }
                kz[c][j] = x;
                force = force + t.slopes.by_z[j] * x;
            }
            for j in 0..n {
                kv[j] = kv[j] - arm[j * count + c] * force;
            }
        }
        for p in 0..n {
            for j in p + 1..n {
                kv[j] = kv[j] - matrix[j][p] * kv[p];
            }
        }
        for p in (0..n).rev() {
            for j in p + 1..n {
                kv[p] = kv[p] - matrix[p][j] * kv[j];
            }
            kv[p] = kv[p] * pivots[p];
        }
        for j in 0..n {
            k[j] = (kq[j] + kv[j]) * e;
            k[n + j] = kv[j];
        }
        for c in 0..count {
            let mut s = zero;
            for j in 0..n {
                s = s + row[c * n + j] * kv[j];
            }
            for j in 0..z {
                k[2 * n + c * z + j] = kz[c][j] + touch[c].follows[j] * s;
            }
        }
    }
}

/// The sliding velocity of contact `c` in state `y` at one of the times of a step.
#[inline(always)]
fn slide<const N: usize>(
    row: &[Lanes<N>],
    belt: &[[Lanes<N>; TIMES]],
    y: &[Lanes<N>],
    n: usize,
    c: usize,
    time: usize,
) -> Lanes<N> {
    let mut s = belt[c][time];
    for j in 0..n {
        s = s + row[c * n + j] * y[n + j];
    }
    s
}
