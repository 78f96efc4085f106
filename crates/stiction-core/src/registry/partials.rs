//! Partial derivatives of a law behind [`super::DynLaw`], by dual numbers.
use crate::{Dual, Friction, Input, StateVector};

/// A number with two derivatives: most laws have one state, so velocity and state fill one register.
type Pair = Dual<f64, 2>;

/// See [`super::DynLaw::partials`].
pub(super) fn partials<M: Friction<f64>>(
    law: &M,
    z: &[f64],
    u: &Input<f64>,
    which: &[usize],
    by_load: bool,
    rows: &mut [f64],
) {
    // the usual: all of a short memory flows, at constant load; one pass, and every place is known
    let len = M::State::LEN;
    if !by_load && which.len() == len && len < 2 {
        whole::<M, 2>(law, z, u, rows);
    } else if !by_load && which.len() == len && len == 2 {
        whole::<M, 3>(law, z, u, rows);
    } else {
        strided(law, z, u, which, by_load, rows);
    }
}

/// The same for a memory that flows as a whole and has fewer than `D` numbers, at constant load.
#[inline(always)]
fn whole<M: Friction<f64>, const D: usize>(law: &M, z: &[f64], u: &Input<f64>, rows: &mut [f64]) {
    let len = M::State::LEN;
    let law = law.cast(Dual::<f64, D>::constant);
    let mut zd = <<M::With<Dual<f64, D>> as Friction<Dual<f64, D>>>::State as StateVector<Dual<f64, D>>>::zero();
    for i in 0..len {
        zd.set(i, Dual::var(z.get(i).copied().unwrap_or(0.0), 1 + i));
    }
    let (rate, force) = law.flow(&zd, &Input { v: Dual::var(u.v, 0), load: Dual::constant(u.load) });
    let mut write = |r: usize, value: Dual<f64, D>| {
        if let Some(row) = rows.get_mut(r * (3 + len)..(r + 1) * (3 + len))
            && let [x, by_v, _, by_z @ ..] = row
            && let [first, others @ ..] = &value.eps[..]
        {
            (*x, *by_v) = (value.re, *first);
            by_z.iter_mut().zip(others).for_each(|(to, x)| *to = *x);
        }
    };
    write(0, force);
    for i in 0..len {
        write(1 + i, rate.get(i));
    }
}

/// The same for any choice of variables.
fn strided<M: Friction<f64>>(law: &M, z: &[f64], u: &Input<f64>, which: &[usize], by_load: bool, rows: &mut [f64]) {
    let wide = 3 + which.len();
    // variables in the order of the columns after the value, two at a time
    let law = law.cast(Pair::constant);
    let place = |k: usize| if by_load || k == 0 { k } else { k + 1 };
    let count = 1 + usize::from(by_load) + which.len();
    for first in (0..count).step_by(2) {
        let [one, two] = [place(first), place(first + 1)];
        let var = |x: f64, column: usize| Pair {
            re: x,
            eps: [f64::from(u8::from(column == one)), f64::from(u8::from(column == two))],
        };
        let mut zd = <<M::With<Pair> as Friction<Pair>>::State as StateVector<Pair>>::zero();
        for (i, &x) in z.iter().enumerate() {
            zd.set(i, Pair::constant(x));
        }
        for (k, &i) in which.iter().enumerate() {
            zd.set(i, var(z.get(i).copied().unwrap_or(0.0), 2 + k));
        }
        let ud = Input { v: var(u.v, 0), load: var(u.load, 1) };
        let (rate, force) = law.flow(&zd, &ud);
        let values = core::iter::once(force).chain(which.iter().map(|&i| rate.get(i)));
        // a pair's second half may be of no use
        let second = if first + 1 < count { 1 + two } else { usize::MAX };
        // by the place of each number: to cut rows would cost a division
        for (r, value) in values.enumerate() {
            for (column, x) in [(0, value.re), (1 + one, value.eps[0]), (second, value.eps[1])] {
                if column < wide
                    && let Some(cell) = rows.get_mut(r * wide + column)
                {
                    *cell = x;
                }
            }
        }
    }
}

/// A number with one derivative, along a direction.
type One = Dual<f64, 1>;

fn one(re: f64, slope: Option<&f64>) -> One {
    One { re, eps: [slope.copied().unwrap_or(0.0)] }
}

/// A law whose parameters have these derivatives.
fn with_slopes<M: Friction<f64>>(law: &M, by: &[f64]) -> M::With<One> {
    let mut each = by.iter();
    law.cast(|x| one(x, each.next()))
}

/// See [`super::DynLaw::flow_by_parameters`].
pub(super) fn flow_by_parameters<M: Friction<f64>>(
    law: &M,
    z: &[f64],
    u: &Input<f64>,
    by: &[f64],
    rate: &mut [f64],
) -> f64 {
    let mut zd = <<M::With<One> as Friction<One>>::State as StateVector<One>>::zero();
    for i in 0..M::State::LEN {
        zd.set(i, One::constant(z.get(i).copied().unwrap_or(0.0)));
    }
    let ud = Input { v: One::constant(u.v), load: One::constant(u.load) };
    let (rates, force) = with_slopes(law, by).flow(&zd, &ud);
    for (i, to) in rate.iter_mut().take(M::State::LEN).enumerate() {
        *to = rates.get(i).eps[0];
    }
    force.eps[0]
}

/// See [`super::DynLaw::jump_along`].
pub(super) fn jump_along<M: Friction<f64>>(
    law: &M,
    z: &[f64],
    dz: &mut [f64],
    (u, du): (&Input<f64>, &Input<f64>),
    by: &[f64],
) {
    let law = with_slopes(law, by);
    let mut zd = <<M::With<One> as Friction<One>>::State as StateVector<One>>::zero();
    for i in 0..M::State::LEN {
        zd.set(i, one(z.get(i).copied().unwrap_or(0.0), dz.get(i)));
    }
    let next = law.jump(&zd, &Input { v: one(u.v, Some(&du.v)), load: one(u.load, Some(&du.load)) });
    for (i, to) in dz.iter_mut().take(M::State::LEN).enumerate() {
        *to = next.get(i).eps[0];
    }
}
