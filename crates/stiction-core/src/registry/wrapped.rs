//! A law in wrappers behind [`DynLaw`]. It calls the laws within through that trait, so it is compiled once, not once per
//! law. The typed wrappers in [`crate::wrap`] compute the same numbers.
use super::{DynLaw, LawEntry, STATES_MAX, Wrappers};
use crate::wrap::{Affine, Noise, ONLY_A_SIGN, carried, noise_guards, noisy_hold};
use crate::{Dual, Input, ParamError, Params, Real};
use alloc::boxed::Box;

/// A law per direction of motion, a map of the load, and noise. The memory is the law's, then the noise's two numbers.
pub(crate) struct DynWrapped {
    forward: Box<dyn DynLaw>,
    reverse: Box<dyn DynLaw>,
    map: Affine<f64>,
    noise: Option<Noise<f64>>,
}

impl DynWrapped {
    /// Checks all values, also those of a noise that is left out.
    pub(crate) fn new(
        entry: &LawEntry,
        values: &[f64],
        wrappers: &Wrappers<'_>,
        noise: Option<Noise<f64>>,
    ) -> Result<Self, ParamError> {
        let forward = entry.build(values)?;
        let reverse = entry.build(wrappers.reverse.unwrap_or(values))?;
        wrappers.load.map_or(Ok(()), Affine::<f64>::check)?;
        wrappers.noise.map_or(Ok(()), Noise::<f64>::check)?;
        Ok(Self { forward, reverse, map: Affine::from_slice(wrappers.load.unwrap_or(&[])), noise })
    }
    /// The law for velocity or direction `v`.
    fn side(&self, v: f64) -> &dyn DynLaw {
        if v < 0.0 { &*self.reverse } else { &*self.forward }
    }
    /// See [`Asymmetric`](crate::wrap::Asymmetric).
    fn end_slide(&self, z: &mut [f64], u: &Input<f64>) {
        end_slide([&*self.forward, &*self.reverse], z, &self.inner(u));
    }
    /// Numbers of the guards of the law within.
    fn law_guards(&self) -> usize {
        self.forward.guard_count().max(self.reverse.guard_count())
    }
    /// What the law within sees.
    fn inner(&self, u: &Input<f64>) -> Input<f64> {
        Input { load: self.map.base + self.map.slope * u.load, ..*u }
    }
    /// Number `i` of the noise's memory.
    fn noise_state(&self, z: &[f64], i: usize) -> f64 {
        z.get(self.forward.len() + i).copied().unwrap_or(0.0)
    }
    fn set_noise_state(&self, z: &mut [f64], state: [f64; 2]) {
        for (x, new) in z.iter_mut().skip(self.forward.len()).zip(state) {
            *x = new;
        }
    }
    /// Cell and position within it after one sample.
    fn advanced(&self, noise: &Noise<f64>, z: &[f64], u: &Input<f64>, dt: f64) -> [f64; 2] {
        noise.advance([self.noise_state(z, 0), self.noise_state(z, 1)], u, dt)
    }
}

impl DynLaw for DynWrapped {
    fn len(&self) -> usize {
        self.forward.len() + if self.noise.is_some() { 2 } else { 0 }
    }
    fn is_linear(&self) -> bool {
        false
    }
    fn settles(&self) -> bool {
        self.noise.is_none() && self.forward.settles() && self.reverse.settles()
    }
    fn guard_count(&self) -> usize {
        self.law_guards() + if self.noise.is_some() { 2 } else { 0 }
    }
    fn force(&self, z: &[f64], u: &Input<f64>) -> f64 {
        let law = self.side(u.v).force(z, &self.inner(u));
        let Some(noise) = &self.noise else { return law };
        law + carried(noise.force(self.noise_state(z, 0), self.noise_state(z, 1)), law)
    }
    fn rate(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]) {
        self.side(u.v).rate(z, &self.inner(u), out);
        if let Some(noise) = &self.noise {
            self.set_noise_state(out, [0.0, noise.pace(u.slip())]);
        }
    }
    fn flows(&self, i: usize) -> bool {
        // the position within the cell flows, the cell number jumps
        if i < self.forward.len() { self.forward.flows(i) } else { i == self.forward.len() + 1 }
    }
    fn flow(&self, z: &[f64], u: &Input<f64>, rate: &mut [f64]) -> f64 {
        self.rate(z, u, rate);
        self.force(z, u)
    }
    /// The partial derivatives of the law of the present direction at its load, plus those of the noise.
    fn partials(&self, z: &[f64], u: &Input<f64>, which: &[usize], by_load: bool, rows: &mut [f64]) {
        let len = self.forward.len();
        let (wide, own) = (3 + which.len(), which.iter().filter(|&&i| i < len).count());
        rows.fill(0.0);
        self.side(u.v).partials(z, &self.inner(u), which.get(..own).unwrap_or(which), by_load, rows);
        // the law has written rows without columns for the noise: spread them, the last first
        let narrow = 3 + own;
        for r in (0..=own).rev() {
            let (from, to) = (r * narrow, r * wide);
            if narrow < wide && to + wide <= rows.len() {
                rows.copy_within(from..from + narrow, to);
                rows[to + narrow..to + wide].fill(0.0);
            }
        }
        for row in rows.chunks_exact_mut(wide) {
            row[2] *= self.map.slope;
        }
        let Some(noise) = &self.noise else { return };
        let noise = noise.slopes(self.noise_state(z, 0), self.noise_state(z, 1), u.v);
        let mut rows = rows.chunks_exact_mut(wide);
        if let Some(force) = rows.next() {
            if noise.force.abs() < force[0].abs() {
                force[0] += noise.force;
                if own < which.len() {
                    force[3 + own] = noise.force_by_place;
                }
            } else {
                // noise is limited to the friction it is part of, and so follows it
                let gain = if (noise.force < 0.0) == (force[0] < 0.0) { 2.0 } else { 0.0 };
                force.iter_mut().for_each(|x| *x *= gain);
            }
        }
        if let Some(place) = rows.nth(own) {
            (place[0], place[1]) = (noise.pace, noise.pace_by_v);
        }
    }
    fn settled(&self, u: &Input<f64>, out: &mut [f64]) {
        self.side(u.v).settled(&self.inner(u), out);
        self.set_noise_state(out, [0.0; 2]);
    }
    // the steady curve is the law's own: the noise has no mean
    fn steady(&self, u: &Input<f64>) -> f64 {
        self.side(u.v).steady(&self.inner(u))
    }
    fn step(&self, z: &mut [f64], u: &Input<f64>, dt: f64) {
        self.end_slide(z, u);
        self.side(u.v).step(z, &self.inner(u), dt);
        if let Some(noise) = &self.noise {
            self.set_noise_state(z, self.advanced(noise, z, u, dt));
        }
    }
    fn sample(&self, z: &mut [f64], u: &Input<f64>, dt: f64) -> f64 {
        self.end_slide(z, u);
        let force = self.side(u.v).sample(z, &self.inner(u), dt);
        let Some(noise) = &self.noise else { return force };
        let [cell, within] = self.advanced(noise, z, u, dt);
        self.set_noise_state(z, [cell, within]);
        force + carried(noise.force(cell, within), force)
    }
    fn tangent(&self, z: &[f64], u: &Input<f64>, dt: f64) -> [f64; 2] {
        type One = Dual<f64, 1>;
        let mut ended = copy_of(z);
        self.end_slide(&mut ended, u);
        let [re, slope] = self.side(u.v).tangent(&ended, &self.inner(u), dt);
        let Some(noise) = &self.noise else { return [re, slope] };
        let force = One { re, eps: [slope] };
        let noise = noise.map(One::constant);
        let now = [0, 1].map(|i| One::constant(self.noise_state(z, i)));
        let ud = Input { v: One::var(u.v, 0), load: One::constant(u.load) };
        let [cell, within] = noise.advance(now, &ud, One::lit(dt));
        let total = force + carried(noise.force(cell, within), force);
        [total.re, total.eps[0]]
    }
    fn hold(&self, z: &[f64], u: &Input<f64>, dir: f64) -> f64 {
        let rest = self.inner(u).with_v(0.0);
        let centre = self.forward.force(z, &rest);
        let hold = hold_of_sides([&*self.forward, &*self.reverse], z, &rest, dir);
        let Some(noise) = &self.noise else { return hold };
        noisy_hold(noise.force(self.noise_state(z, 0), self.noise_state(z, 1)), centre, hold, dir)
    }
    fn band(&self, u: &Input<f64>) -> f64 {
        self.side(u.v).band(&self.inner(u))
    }
    fn guards(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]) {
        let (law, inner) = (self.side(u.v), self.inner(u));
        law.guards(z, &inner, out);
        if let Some(noise) = &self.noise {
            let noise = noise.force(self.noise_state(z, 0), self.noise_state(z, 1));
            let limits = noise_guards(noise, law.force(z, &inner), u);
            out.iter_mut().skip(self.law_guards()).zip(limits).for_each(|(out, guard)| *out = guard);
        }
    }
    fn extremum(&self, z: &[f64]) -> f64 {
        self.forward.extremum(z)
    }
    fn slides(&self, z: &[f64]) -> f64 {
        self.forward.slides(z)
    }
    fn jump(&self, z: &mut [f64], u: &Input<f64>) {
        self.end_slide(z, u);
        self.side(u.v).jump(z, &self.inner(u));
        if let Some(noise) = &self.noise {
            // the flow only changes the position; here it is carried over into the cell number
            self.set_noise_state(z, self.advanced(noise, z, u, 0.0));
        }
    }
    /// Of the law of the present direction; the noise, which is not smooth, keeps its derivatives.
    fn jump_along(&self, z: &[f64], dz: &mut [f64], u: &Input<f64>, du: &Input<f64>, by: &[f64]) {
        let (first, second) = (self.forward.parameters(&mut []), self.reverse.parameters(&mut []));
        let number = |i: usize| by.get(first + second + i).copied().unwrap_or(0.0);
        let load = self.map.slope * du.load + number(0) + number(1) * u.load;
        let from = if u.v < 0.0 { first } else { 0 };
        self.side(u.v).jump_along(z, dz, &self.inner(u), &Input { load, ..*du }, by.get(from..).unwrap_or(&[]));
    }
    /// Of the law of the present direction, by its own parameters and by its load; without noise.
    fn flow_by_parameters(&self, z: &[f64], u: &Input<f64>, by: &[f64], rate: &mut [f64]) -> f64 {
        let (first, second) = (self.forward.parameters(&mut []), self.reverse.parameters(&mut []));
        let number = |i: usize| by.get(first + second + i).copied().unwrap_or(0.0);
        let (from, load) = (if u.v < 0.0 { first } else { 0 }, number(0) + number(1) * u.load);
        let (law, inner) = (self.side(u.v), self.inner(u));
        let force = law.flow_by_parameters(z, &inner, by.get(from..).unwrap_or(&[]), rate);
        if load == 0.0 {
            return force;
        }
        let mut which = [0; STATES_MAX];
        let mut count = 0;
        for i in (0..law.len()).filter(|&i| law.flows(i)) {
            if let Some(to) = which.get_mut(count) {
                *to = i;
                count += 1;
            }
        }
        let (which, wide) = (which.get(..count).unwrap_or(&[]), 3 + count);
        let mut rows = alloc::vec![0.0; (1 + count) * wide];
        law.partials(z, &inner, which, true, &mut rows);
        for (k, &i) in which.iter().enumerate() {
            if let (Some(to), Some(by)) = (rate.get_mut(i), rows.get((1 + k) * wide + 2)) {
                *to += by * load;
            }
        }
        force + rows.get(2).copied().unwrap_or(0.0) * load
    }
    fn parameters(&self, out: &mut [f64]) -> usize {
        let first = self.forward.parameters(out);
        let second = self.reverse.parameters(out.get_mut(first..).unwrap_or_default());
        for (to, x) in out.iter_mut().skip(first + second).zip([self.map.base, self.map.slope]) {
            *to = x;
        }
        first + second + 2
    }
}

/// A copy of a memory, as long as any.
fn copy_of(z: &[f64]) -> [f64; STATES_MAX] {
    let mut copy = [0.0; STATES_MAX];
    copy.iter_mut().zip(z).for_each(|(to, x)| *to = *x);
    copy
}

/// [`Asymmetric`](crate::wrap::Asymmetric): a slide that `u` does not continue is ended by the law of its direction. The laws are the
/// forward and the reverse one.
pub(super) fn end_slide([forward, reverse]: [&dyn DynLaw; 2], z: &mut [f64], u: &Input<f64>) {
    let slid = forward.slides(z);
    if slid != 0.0 && (u.v == 0.0 || slid * u.v < 0.0) {
        let law = if slid < 0.0 { reverse } else { forward };
        law.jump(z, &u.with_v(0.0));
    }
}

/// [`Asymmetric::hold`](crate::wrap::Asymmetric) of the forward and the reverse law; `rest` is the input at rest.
pub(super) fn hold_of_sides([forward, reverse]: [&dyn DynLaw; 2], z: &[f64], rest: &Input<f64>, dir: f64) -> f64 {
    let (mut moved, about_to_move) = (copy_of(z), rest.with_v(dir * ONLY_A_SIGN));
    let side = if dir < 0.0 { reverse } else { forward };
    end_slide([forward, reverse], &mut moved, &about_to_move);
    side.jump(&mut moved, &about_to_move);
    side.hold(&moved, rest, dir) + dir * (side.force(&moved, rest) - forward.force(z, rest))
}
