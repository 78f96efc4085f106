//! Partial derivatives of a law behind [`super::Model`], by dual numbers.
use crate::wrap::Dressed;
use crate::{Dual, Friction, Input, State};

/// A number with two derivatives: most laws have one state, so velocity and state fill one register.
type Pair = Dual<f64, 2>;

/// See [`super::Model::partials`].
pub(super) fn plain<M: Friction<f64>>(
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
        strided(law, z, u, which, by_load, rows, 3 + which.len());
    }
}

/// The same for a memory that flows as a whole and has fewer than `D` numbers, at constant load.
#[inline(always)]
fn whole<M: Friction<f64>, const D: usize>(law: &M, z: &[f64], u: &Input<f64>, rows: &mut [f64]) {
    let len = M::State::LEN;
    let law = law.cast(Dual::<f64, D>::constant);
    let mut zd = <<M::With<Dual<f64, D>> as Friction<Dual<f64, D>>>::State as State<Dual<f64, D>>>::zero();
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

/// The same, into rows of `wide` numbers.
fn strided<M: Friction<f64>>(
    law: &M,
    z: &[f64],
    u: &Input<f64>,
    which: &[usize],
    by_load: bool,
    rows: &mut [f64],
    wide: usize,
) {
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
        let mut zd = <<M::With<Pair> as Friction<Pair>>::State as State<Pair>>::zero();
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

/// A dressed law: the law of the present direction at its load, plus noise.
pub(super) fn dressed<M: Friction<f64>>(
    law: &Dressed<M, f64>,
    z: &[f64],
    u: &Input<f64>,
    which: &[usize],
    by_load: bool,
    rows: &mut [f64],
) {
    let (wide, inner) = (3 + which.len(), &law.law);
    let own = which.iter().filter(|&&i| i < M::State::LEN).count();
    let side = if u.v < 0.0 { &inner.law.reverse } else { &inner.law.forward };
    let within = Input { v: u.v, load: inner.map.base + inner.map.slope * u.load };
    rows.fill(0.0);
    strided(side, z, &within, which.get(..own).unwrap_or(which), by_load, rows, wide);
    for row in rows.chunks_exact_mut(wide) {
        if let Some(by_load) = row.get_mut(2) {
            *by_load *= inner.map.slope;
        }
    }
    let get = |i: usize| z.get(M::State::LEN + i).copied().unwrap_or(0.0);
    let noise = law.noise.slopes(get(0), get(1), u.v);
    let mut rows = rows.chunks_exact_mut(wide);
    if let Some(force) = rows.next() {
        let value = force.first().copied().unwrap_or(0.0);
        if noise.force.abs() < value.abs() {
            if let Some(first) = force.first_mut() {
                *first += noise.force;
            }
            if own < which.len()
                && let Some(cell) = force.get_mut(3 + own)
            {
                *cell = noise.force_by_place;
            }
        } else {
            // noise is limited to the friction it is part of, and so follows it
            let gain = if (noise.force < 0.0) == (value < 0.0) { 2.0 } else { 0.0 };
            force.iter_mut().for_each(|x| *x *= gain);
        }
    }
    if let Some(place) = rows.nth(own) {
        for (cell, x) in place.iter_mut().zip([noise.pace, noise.pace_by_v]) {
            *cell = x;
        }
    }
}
