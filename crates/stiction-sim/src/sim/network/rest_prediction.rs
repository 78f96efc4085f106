//! Prediction of rest and slip: which contact will slip first, and which bodies take part.
use super::model::NetworkModel;
use super::{GraphPoint, Network, SlipEvent};
use crate::SimError;
use crate::sim::SimErrorKind;
use std::ops::Range;
use stiction_core::Input;

/// Number of surplus bodies in the window below which it is not narrowed.
const WINDOW_SURPLUS: usize = 16;

/// Most kinks of signals that are passed at rest before the caller can end the run.
const MAX_KINKS: usize = 4096;

/// When sticking contacts will reach their limits.
#[derive(Clone, Debug, Default)]
pub(super) struct RestPrediction {
    /// For each body \[s\]; valid while neither it nor a neighbour has moved since, and no signal has had a kink.
    release: Vec<f64>,
    /// The earliest of those outside the window.
    first: f64,
    /// The next kink of a signal.
    kink: f64,
}

impl RestPrediction {
    pub fn new(net: &NetworkModel<'_>) -> Self {
        let release = if net.rest_is_predictable { vec![f64::NEG_INFINITY; net.n] } else { Vec::new() };
        Self { release, first: f64::NEG_INFINITY, kink: f64::NEG_INFINITY }
    }
}

impl Network<'_> {
    /// Advances to `end` in steps of at most `h`, and directly to the next slip where all contacts stick. Calls `report` for
    /// every slip event that has ended.
    ///
    /// # Errors
    /// As [`Network::step`].
    pub fn run_until(&mut self, end: f64, h: f64, mut report: impl FnMut(&SlipEvent)) -> Result<(), SimError> {
        if end.is_nan() || end < self.t {
            return Err(self.error_now(SimErrorKind::InvalidOption {
                key: "end",
                value: end,
                requirement: "after the present",
            }));
        }
        while self.t < end {
            let begin = self.t;
            self.skip_rest(end);
            let left = end - self.t;
            if left <= 0.0 {
                break;
            }
            if self.is_resting() && self.t > begin && self.t < self.rest.first.min(self.rest.kink) {
                continue;
            }
            // a tiny last step would only cost another matrix: lengthen the one before it
            let last = left <= h * (1.0 + 1e-9);
            if let Some(ended) = self.step(if last { left } else { h })? {
                report(&ended);
            }
            if last {
                self.t = end;
            }
        }
        Ok(())
    }
    /// Whether all contacts stick and will do so up to a known time.
    fn is_resting(&self) -> bool {
        self.net.rest_is_predictable && self.window.is_empty()
    }
    /// While at rest, advances to the next slip, at most to `end` and over a limited number of kinks of signals.
    pub(super) fn skip_rest(&mut self, end: f64) {
        for _ in 0..MAX_KINKS {
            if !self.is_resting() || self.t >= end {
                break;
            }
            let to = self.rest.first.min(self.rest.kink).min(end);
            if to <= self.t {
                break;
            }
            if let Some(mut audit) = self.audit.take() {
                self.audit_rest(&mut audit, to);
                self.audit = Some(audit);
            }
            self.t = to;
            if to == self.rest.kink {
                self.predict_release(0..self.net.n);
            }
        }
    }
    /// Chooses the bodies to compute in a step of `h`; false if there are none.
    pub(super) fn select_window(&mut self, h: f64) -> bool {
        if !self.net.rest_is_predictable || self.window.len() == self.net.n {
            return true;
        }
        let to = self.t + h;
        if to >= self.rest.kink {
            self.window = 0..self.net.n;
        } else if to >= self.rest.first {
            // those that may slip in this step, and their neighbours
            let ready = |i: &usize| self.rest.release[*i] <= to;
            let outside = |i: &usize| !self.window.contains(i);
            let due = (0..self.net.n).filter(outside).filter(ready);
            let (lo, hi) = due.fold((usize::MAX, 0), |(lo, hi), i| (lo.min(i), hi.max(i + 1)));
            if lo < hi {
                let now = self.window.clone();
                let (lo, hi) = if now.is_empty() { (lo, hi) } else { (lo.min(now.start), hi.max(now.end)) };
                self.window = self.around(lo..hi);
            }
            self.rest.first = self.first();
        }
        !self.window.is_empty()
    }
    /// The bodies affected by a slip of these.
    fn around(&self, bodies: Range<usize>) -> Range<usize> {
        let reach = self.net.stiffness.band.max(1);
        bodies.start.saturating_sub(reach)..(bodies.end + reach).min(self.net.n)
    }
    /// The window extended by all bodies affected by a slip.
    pub(super) fn affected_window(&self) -> Range<usize> {
        let now = self.window.clone();
        if !self.net.rest_is_predictable || now.len() == self.net.n {
            return now;
        }
        let slips = |i: &usize| !self.points[*i].held;
        let (Some(lo), Some(hi)) = (now.clone().find(slips), now.clone().rev().find(slips)) else { return now };
        let wide = self.around(lo..hi + 1);
        wide.start.min(now.start)..wide.end.max(now.end)
    }
    /// Adds bodies to the window during a step.
    pub(super) fn widen(&mut self, to: Range<usize>, h: f64) {
        let now = std::mem::replace(&mut self.window, to.clone());
        for part in [to.start..now.start, now.end..to.end] {
            self.prepare(part.clone(), h);
            self.assemble_rhs(part, h);
        }
    }
    /// Accepts the step, and updates the slip event.
    pub(super) fn commit(&mut self, h: f64) -> Option<SlipEvent> {
        let contacts = self.contacts();
        self.align(contacts.clone());
        if let Some(mut audit) = self.audit.take() {
            self.audit(&mut audit, h);
            self.audit = Some(audit);
        }
        let (theta, late) = (self.theta, 1.0 - self.theta);
        let (start, mut slips) = (self.t, false);
        for c in contacts.clone() {
            let (contact, p) = (&self.net.contacts[c], &mut self.points[c]);
            if !p.held || (late > 0.0 && p.slid != 0.0) {
                p.slid += h * (p.driven + theta * contact.rate(&self.next) + late * contact.rate(&self.v));
            }
        }
        for i in self.window.clone() {
            let v = std::mem::replace(&mut self.v[i], self.next[i]);
            self.x[i] += h * (theta * self.next[i] + late * v);
        }
        self.t += h;
        for c in contacts.clone() {
            let (contact, p) = (&self.net.contacts[c], &mut self.points[c]);
            slips |= !p.held;
            if !contact.law.is_empty() {
                let u = Input { v: if p.held { 0.0 } else { p.speed }, load: p.load };
                contact.law.step(&mut self.memory[contact.at..contact.at + contact.law.len()], &u, h);
            }
        }
        if slips {
            let (_, shaken) = self.begun.get_or_insert((start, contacts.clone()));
            *shaken = shaken.start.min(contacts.start)..shaken.end.max(contacts.end);
            self.narrow();
            return None;
        }
        let ended = self.begun.take().map(|(start, shaken)| self.count(start, shaken));
        if self.net.rest_is_predictable && !self.window.is_empty() {
            let moved = self.around(self.window.clone());
            self.window = 0..0;
            let all = self.t >= self.rest.kink;
            self.predict_release(if all { 0..self.net.n } else { moved });
        }
        ended
    }
    /// Removes bodies from the window that have come to rest far from those that slip.
    fn narrow(&mut self) {
        let now = self.window.clone();
        if !self.net.rest_is_predictable || self.t >= self.rest.kink {
            return;
        }
        let slips = |i: &usize| !self.points[*i].held;
        let (Some(lo), Some(hi)) = (now.clone().find(slips), now.clone().rev().find(slips)) else { return };
        let to = self.around(lo..hi + 1);
        // not for a few: the release time of each that leaves must be predicted
        if 2 * to.len() + WINDOW_SURPLUS < now.len() {
            self.window = to.clone();
            self.predict_release(now.start..to.start);
            self.predict_release(to.end..now.end);
        }
    }
    fn count(&mut self, start: f64, contacts: Range<usize>) -> SlipEvent {
        let (mut moment, mut blocks) = (0.0, 0);
        for GraphPoint { slid, .. } in &mut self.points[contacts] {
            moment += slid.abs();
            blocks += usize::from(*slid != 0.0);
            *slid = 0.0;
        }
        SlipEvent { start, end: self.t, moment, blocks }
    }
    /// Makes the velocities of bodies that stick together agree exactly.
    fn align(&mut self, contacts: Range<usize>) {
        if self.net.rest_is_predictable {
            return;
        }
        for c in contacts {
            let (contact, p) = (&self.net.contacts[c], &self.points[c]);
            if !p.held || contact.eliminates_body {
                continue;
            }
            match contact.row.q[..contact.row.nq] {
                [(i, ci)] => self.next[i] = -p.driven / ci,
                [(i, ci), (j, cj)] => {
                    let (from, cf, to, ct) = if i < j { (i, ci, j, cj) } else { (j, cj, i, ci) };
                    self.next[to] = -(p.driven + cf * self.next[from]) / ct;
                }
                _ => {}
            }
        }
    }
    /// Predicts when these bodies, at rest, will reach the limits of their contacts.
    fn predict_release(&mut self, bodies: Range<usize>) {
        let t = self.t;
        self.rest.kink = self.net.signals.iter().map(|s| s.next_breakpoint(t)).fold(f64::INFINITY, f64::min);
        for i in bodies {
            let ([force, rate], p) = (self.holding_force(i), &self.points[i]);
            let left = if rate > 0.0 { p.high - force } else { p.low - force };
            let outside = force > p.high || force < p.low;
            self.rest.release[i] = match () {
                () if outside => t,
                () if rate == 0.0 => f64::INFINITY,
                () => t + left / rate,
            };
        }
        self.rest.first = self.first();
    }
    /// The force needed to hold body `i` at rest by its contact, and its rate.
    pub(super) fn holding_force(&self, i: usize) -> [f64; 2] {
        let (net, t) = (&self.net, self.t);
        let mut force = net.preload[i] - net.stiffness.row_times(i, &self.x, 0, net.n);
        let mut rate = 0.0;
        for drive in &net.drives[net.from[i]..net.from[i + 1]] {
            let [value, speed, ..] = net.signals[drive.signal].eval(t, t);
            force += drive.value * value + drive.speed * speed;
            rate += drive.value * speed;
        }
        [force, rate].map(|x| x / net.contacts[i].slip_per_speed)
    }
    fn first(&self) -> f64 {
        let now = &self.window;
        let release = &self.rest.release;
        let least = |part: &[f64]| part.iter().copied().fold(f64::INFINITY, f64::min);
        if now.is_empty() { least(release) } else { least(&release[..now.start]).min(least(&release[now.end..])) }
    }
}
