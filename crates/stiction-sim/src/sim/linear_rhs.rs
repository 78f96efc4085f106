//! Rates and Jacobian of a system with a [`LinearPart`]: products of fixed size, and the contact laws.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::components::ContactMode;
use super::contact_force::{one_sided_force, one_sided_partials};
use super::flow::{DAMPING, FRICTION, Flow, WORK};
use super::jacobian::Jacobian;
use super::linear_part::{LinearPart, MAX_STATES};
use super::rodas5p::add;
use stiction_core::Input;

impl Flow<'_> {
    /// [`Flow::rates`] of such a system with `N` coordinates and `U` other states; `rates` must be zero at the start.
    #[inline(never)]
    pub(super) fn linear_part_rates<const N: usize, const U: usize, const W: usize>(
        &mut self,
        t: f64,
        y: &[f64; W],
        rates: &mut [f64; W],
        powers: &mut [f64; 4],
    ) {
        self.evaluations += 1;
        let s = &self.linear_part;
        let since = t - s.from;
        let (mut q, mut v) = ([0.0; N], [0.0; N]);
        for i in 0..N {
            (q[i], v[i]) = (y[i], y[s.vi[i]]);
        }
        if s.has_controller_states {
            for i in 0..W.min(MAX_STATES) {
                rates[i] = s.at[i] + since * s.by_t[i];
            }
            for j in 0..(N + U).min(MAX_STATES) {
                for i in 0..W.min(MAX_STATES) {
                    rates[i] += y[j] * s.by[j][i];
                }
            }
        } else {
            for i in 0..N {
                rates[i] = v[i];
                rates[s.vi[i]] = s.accelerations[i].value(since, &q, &v);
            }
        }
        let (mut work, mut friction, mut damping) = (s.work_line.value(since, &q, &v), 0.0, 0.0);
        if s.has_outer_forces {
            for i in 0..N {
                work += s.outer[i].value(since, y) * y[s.vi[i]];
            }
            for &(k, v, c, gain) in &s.nonlinear_forces {
                let f = self.components.applied_forces[k].signal.value(t, self.from);
                rates[v] += gain * f;
                work += c * f * y[v];
            }
        }
        for (slide, contact) in s.sliding_contacts.iter().zip(&mut self.components.contacts) {
            // the direction of slip may have changed without an event
            let ContactMode::Slip(side) = contact.mode else { continue };
            let (at, k) = (contact.at, contact.which.len());
            let slip = if N == 1 { slide.c[0] * v[0] + slide.drift } else { slide.speed(y) };
            let u = Input { v: slip, load: contact.load[0] };
            let sides = (side, contact.regularisation_speed);
            let f = one_sided_force(contact.law, &y[at..at + k], sides, u, &mut rates[at..at + k], &mut contact.rates2);
            rates[slide.v[0]] -= slide.gain[0] * f;
            if N > 1 {
                rates[slide.v[1]] -= slide.gain[1] * f;
            }
            friction += f * slip;
            work += f * slide.drift;
        }
        if s.has_damping {
            for i in 0..N {
                for j in 0..N {
                    damping += v[i] * s.damping[i][j] * v[j];
                }
            }
        }
        *powers = [work, friction, damping, 0.0];
    }
    /// [`Flow::jacobian`] of such a system.
    pub(super) fn linear_part_jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        dy: &mut [f64],
        powers: &mut [f64; 4],
        out: &mut Jacobian,
    ) {
        self.evaluations += 1;
        let s = &self.linear_part;
        let (n, all, since) = (self.components.n, self.components.n + self.components.nu, t - s.from);
        if out.revision == s.revision {
            out.by_u.copy_from(&out.base);
        } else {
            s.constants(out, n, all);
        }
        let mut state = [0.0; MAX_STATES];
        state[..all].copy_from_slice(&y[..all]);
        let mut rates = s.at;
        add(&mut rates, since, &s.by_t);
        for j in 0..all {
            add(&mut rates, state[j], &s.by[j]);
            out.power[j] = [s.work.by[j], 0.0, 0.0, 0.0];
        }
        *powers = [s.work.value(since, &state), 0.0, 0.0, 0.0];
        out.power_t[WORK] = s.work.by_t;
        if s.has_damping {
            for i in 0..n {
                for j in 0..n {
                    let (v, w) = (s.vi[i], s.damping[i][j] * y[s.vi[j]]);
                    powers[DAMPING] += y[v] * w;
                    out.power[v][DAMPING] += 2.0 * w;
                }
            }
        }
        if s.has_outer_forces {
            for (f, &v) in s.outer[..n].iter().zip(&s.vi) {
                let u = f.value(since, &state);
                powers[WORK] += u * y[v];
                out.power_t[WORK] += f.by_t * y[v];
                out.power[v][WORK] += u;
                for j in 0..all {
                    out.power[j][WORK] += f.by[j] * y[v];
                }
            }
            for &(k, v, c, gain) in &s.nonlinear_forces {
                let [f, by_t, ..] = self.components.applied_forces[k].signal.eval(t, self.from);
                rates[v] += gain * f;
                out.by_t[v - n] = s.by_t[v];
                powers[WORK] += c * f * y[v];
                out.power[v][WORK] += c * f;
                out.power_t[WORK] += c * by_t * y[v];
            }
            for &(k, v, _, gain) in &s.nonlinear_forces {
                out.by_t[v - n] += gain * self.components.applied_forces[k].signal.eval(t, self.from)[1];
            }
        }
        dy[..all].copy_from_slice(&rates[..all]);
        for (slide, contact) in s.sliding_contacts.iter().zip(&mut self.components.contacts) {
            let ContactMode::Slip(side) = contact.mode else { continue };
            let (slip, at, k) = (contact.known_speed(slide.speed(y)), contact.at, contact.which.len());
            let u = Input { v: slip, load: contact.load[0] };
            let speeds = (side, contact.regularisation_speed, contact.slope_speed);
            one_sided_partials(
                contact.law,
                (&y[at..at + k], &contact.which),
                speeds,
                u,
                false,
                &mut contact.rows,
                &mut contact.rates,
            );
            let ends = contact.row.nq;
            let (force, memory) = contact.rows.split_at(3 + k);
            let (f, by_v, by_z) = (force[0], force[1], &force[3..]);
            powers[FRICTION] += f * slip;
            powers[WORK] += f * slide.drift;
            for e in 0..ends {
                let (v, c, gain) = (slide.v[e], slide.c[e], slide.gain[e]);
                dy[v] -= gain * f;
                for o in 0..ends {
                    out.by_u.add(v - n, slide.v[o] - n, -gain * slide.c[o] * by_v);
                }
                for (l, by_z) in by_z.iter().enumerate() {
                    out.by_u.add(v - n, at + l - n, -gain * by_z);
                }
                out.power[v][FRICTION] += c * (by_v * slip + f);
                out.power[v][WORK] += c * by_v * slide.drift;
            }
            for (l, by_z) in by_z.iter().enumerate() {
                out.power[at + l][FRICTION] += by_z * slip;
                out.power[at + l][WORK] += by_z * slide.drift;
            }
            for (r, row) in memory.chunks_exact(3 + k).enumerate() {
                dy[at + r] = row[0];
                for e in 0..ends {
                    out.by_u.add(at + r - n, slide.v[e] - n, slide.c[e] * row[1]);
                }
                for (l, x) in row[3..].iter().enumerate() {
                    out.by_u.add(at + r - n, at + l - n, *x);
                }
            }
        }
    }
}

impl LinearPart {
    /// Writes the constant entries of the Jacobian.
    fn constants(&self, out: &mut Jacobian, n: usize, all: usize) {
        out.clear();
        for i in n..all {
            for (j, &v) in self.vi[..n].iter().enumerate() {
                out.by_q.set(i - n, v - n, self.by[j][i]);
            }
            for j in n..all {
                out.by_u.set(i - n, j - n, self.by[j][i]);
            }
            out.by_t[i - n] = self.by_t[i];
        }
        out.base.copy_from(&out.by_u);
        out.revision = self.revision;
    }
}
