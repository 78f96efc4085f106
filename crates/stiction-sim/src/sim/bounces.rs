//! When a series of bounces has come to its end, see [`impacts`](super::impacts).
use super::components::{ConstraintRow, StopMode, StopState};
use super::event_driven::EventDrivenRun;
use super::flow::Flow;
use super::impact_law::StopContact;
use super::step_size::min_step;

/// The bounces at one stop, as far as they tell how fast they fade.
///
/// Where an impact, or dry friction during a flight, takes a share of the speed, the flights are a geometric series: the speed
/// halves in the same number of impacts again and again. Where the share is itself proportional to the speed, as with viscous
/// friction during the flights, every halving takes twice as many as the one before: `w ~ 1/n`, and the sum of the flights has no
/// limit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BounceSeries {
    /// Speed and height of the departure from which the present halving is counted.
    speed: f64,
    height: f64,
    /// Impacts since then, and in the halving before.
    impacts: u32,
    former: u32,
    /// Whether the last halving that is complete took more impacts than those of a geometric series.
    slow: bool,
    /// Whether the height fell, too, in the halving before.
    sinks: bool,
    /// By how much the tolerance of the speed leaves open where in a flight the body is, in flights: each that lasts `2w/a` adds
    /// the tolerance over w. Of flights so low that the tolerance of the position does not tell it.
    open: f64,
}

impl BounceSeries {
    /// A departure at `speed`, to this `height`, of which `rounding` is open.
    fn depart(&mut self, speed: f64, height: f64, rounding: f64) {
        let is_same = (height - self.height).abs() <= rounding;
        if speed > self.speed && !is_same {
            *self = Self { speed, height, open: self.open, ..Self::default() };
            return;
        }
        self.impacts = self.impacts.saturating_add(1);
        if speed <= 0.5 * self.speed {
            // where the pressing force changes slowly, without losses, speed and height do not both fall
            let sinks = height < self.height;
            let slow = sinks && self.is_late();
            *self = Self { speed, height, impacts: 0, former: self.impacts, slow, sinks, open: self.open };
        }
    }
    /// Whether the present halving takes more impacts than in a geometric series. The ratio of their numbers is 1 there and 2 where the loss is proportional
    /// to the speed; both numbers are uncertain by one.
    fn is_late(&self) -> bool {
        let most = 1.5 * f64::from(self.former.saturating_add(1)) + 1.0;
        self.former > 0 && f64::from(self.impacts) > most
    }
    /// Whether the series fades more slowly than a geometric one: by its last halving, or already by the present one, which need not come to an end.
    fn fades_slowly(&self) -> bool {
        self.slow || self.sinks && self.is_late()
    }
    /// The share of the speed that was left from one departure to the next in a series that sank and is late now: the root of one half, of the number of
    /// impacts in its last halving, which is uncertain by one.
    fn former_ratio(&self) -> Option<f64> {
        (self.sinks && self.is_late()).then(|| 0.5_f64.powf(1.0 / (f64::from(self.former) + 1.0)))
    }
}

/// A stop that is open, in the terms of its bounces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    gap: f64,
    /// Speed towards the end, and acceleration towards it.
    closing: f64,
    a: f64,
}

impl Flight {
    /// The square of the speed at the end, if it gets there at this acceleration.
    fn square_at_end(&self) -> f64 {
        self.closing * self.closing + 2.0 * self.a * self.gap
    }
    /// The largest distance from the end.
    fn height(&self) -> f64 {
        if self.a > 0.0 { 0.5 * self.square_at_end() / self.a } else { self.gap }
    }
    /// Time until the end is reached, at this acceleration \[s\].
    pub(super) fn duration(&self) -> f64 {
        let square = self.square_at_end();
        let returns = self.a > 0.0 || self.closing > 0.0 && square >= 0.0;
        if !returns {
            return f64::INFINITY;
        }
        let root = square.max(0.0).sqrt();
        // the form without cancellation
        if self.closing > 0.0 { 2.0 * self.gap / (root + self.closing) } else { (root - self.closing) / self.a }
    }
}

/// Whether a flight is so low that an error of the position within its tolerance shifts the impact by a whole flight: the time
/// `position/w` is as long as `2w/a`.
fn is_low(height: f64, position: f64) -> bool {
    4.0 * height <= position
}

/// Groups of stops that may pass impulses to each other: those that are connected through coordinates, each with the number
/// of its group.
pub(super) fn stop_groups(flow: &Flow<'_>) -> Vec<usize> {
    let stops = &flow.components.stops;
    if flow.has_plants() {
        // the inertia of a plant couples its coordinates
        return vec![0; stops.len()];
    }
    // a forest over the coordinates: the parent of each, or itself
    let mut parents: Vec<usize> = (0..flow.components.n).collect();
    let root = |parents: &mut [usize], mut i: usize| {
        while parents[i] != i {
            parents[i] = parents[parents[i]];
            i = parents[i];
        }
        i
    };
    let first = |row: &ConstraintRow| row.coordinates().next().map(|(i, _)| i);
    for stop in stops {
        for (i, _) in stop.row.coordinates() {
            let (from, to) = (root(&mut parents, i), first(&stop.row).map_or(i, |i| root(&mut parents, i)));
            parents[from] = to;
        }
    }
    stops.iter().map(|stop| first(&stop.row).map_or(usize::MAX, |i| root(&mut parents, i))).collect()
}

impl EventDrivenRun<'_, '_> {
    /// Tolerances of a displacement and of its velocity.
    pub(super) fn row_tolerances(&self, row: &ConstraintRow) -> (f64, f64) {
        let Self { step: super::rosenbrock::Step { y0, .. }, atol, options, .. } = self;
        let allowed = |(i, c): (usize, f64)| c.abs() * (atol[i] + options.rtol * y0[i].abs());
        (row.coordinates().map(allowed).sum(), row.speeds().map(allowed).sum())
    }
    /// Acceleration of a displacement, from the last evaluation of the right-hand side.
    pub(super) fn row_acceleration(&self, row: &ConstraintRow) -> f64 {
        let own: f64 = row.coordinates().map(|(i, c)| c * self.flow.acceleration[i]).sum();
        own + row.driven(&self.flow.motions, 2)
    }
    pub(super) fn flight(&self, stop: usize, end: f64, gap: f64) -> Flight {
        let row = &self.flow.components.stops[stop].row;
        let closing = end * row.v(&self.step.y0, &self.flow.motions);
        Flight { gap, closing, a: end * self.row_acceleration(row) }
    }
    /// Whether bounces of this `height`, with this square of the speed at the end, are within the tolerances from now on.
    fn is_negligible(&self, stop: usize, square: f64, height: f64) -> bool {
        let state = &self.flow.components.stops[stop];
        let (position, speed) = self.row_tolerances(&state.row);
        let e = state.parameters.restitution;
        let most = if e < 1.0 { 0.5 * (1.0 - e) * speed } else { speed };
        let series = &self.bounces[stop];
        square <= most * most && height <= position
            || is_low(height, position) && (series.fades_slowly() || e == 1.0 && series.open >= 1.0)
    }
    /// Whether another stop of the same group that strikes before the series at `stop` is over, within `duration`, keeps it going:
    /// one whose own bounces are not negligible.
    fn is_kept_going(&self, stop: usize, duration: f64) -> bool {
        let (y, motions) = (&self.step.y0, &self.flow.motions);
        self.flow.components.stops.iter().enumerate().any(|(k, other)| {
            let coupled = k != stop && self.stop_groups[k] == self.stop_groups[stop] && other.row.responds();
            if !coupled || other.mode != StopMode::Free || other.parameters.restitution == 0.0 {
                return false;
            }
            let (end, gap) = other.nearest_end(y, motions);
            let flight = self.flight(k, end, gap.max(0.0));
            flight.duration() < duration && !self.is_negligible(k, flight.square_at_end(), flight.height())
        })
    }
    /// Whether the bounces that follow the departure from `contact`, in the present state, end at once.
    pub(super) fn is_last_bounce(&self, contact: &StopContact) -> bool {
        let Flight { closing, a, .. } = self.flight(contact.stop, contact.end, 0.0);
        let (w, stop) = (-closing, &self.flow.components.stops[contact.stop]);
        if a <= 0.0 {
            return false;
        }
        let e = stop.parameters.restitution;
        let (position, _) = self.row_tolerances(&stop.row);
        let height = 0.5 * w * w / a;
        // a flight shorter than the shortest step, 2w/a, has a height of w/4 times that step
        let rounding = self.height_rounding(stop, w);
        // what is left of the energy from departure to departure, and what comes to it from rounding
        let (ratio, open) = match self.bounces[contact.stop].former_ratio() {
            Some(ratio) => (e.min(ratio), 2.0 * rounding),
            None => (e, rounding),
        };
        let left = ratio * ratio;
        let persists = left < 1.0 && height <= position && (1.0 - left) * height <= left * open;
        if height <= rounding || persists {
            return true;
        }
        // with e = 1 there is no series of its own that another stop could make longer, only the present flight
        let flights = if e < 1.0 { 1.0 / (1.0 - e) } else { 1.0 };
        self.is_negligible(contact.stop, w * w, height) && !self.is_kept_going(contact.stop, flights * 2.0 * w / a)
    }
    /// What the rounding of position and time leaves open of the height of a flight that begins or ends at `stop` with speed `w`.
    fn height_rounding(&self, stop: &StopState<'_>, w: f64) -> f64 {
        stop.row.position_rounding(&self.step.y0, &self.flow.motions) + 0.25 * w * min_step(self.t)
    }
    /// Counts the departure from `contact` in the present state, or its end at rest.
    pub(super) fn count_bounce(&mut self, contact: &StopContact) {
        let Flight { closing, a, .. } = self.flight(contact.stop, contact.end, 0.0);
        let stop = &self.flow.components.stops[contact.stop];
        let (rests, (position, speed)) = (stop.mode != StopMode::Free, self.row_tolerances(&stop.row));
        let rounding = 2.0 * self.height_rounding(stop, -closing);
        let series = &mut self.bounces[contact.stop];
        if rests || a <= 0.0 {
            *series = BounceSeries::default();
            return;
        }
        let (w, height) = (-closing, 0.5 * closing * closing / a);
        series.depart(w, height, rounding);
        series.open = if is_low(height, position) { series.open + speed / w } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::{BounceSeries, Flight};

    /// Bounces whose speed falls by the share `loss(w)` each time; whether they are told to fade slowly at the end.
    fn fades_slowly(loss: impl Fn(f64) -> f64) -> bool {
        let (mut series, mut w) = (BounceSeries::default(), 1.0);
        while w > 1e-3 {
            series.depart(w, 0.5 * w * w, 0.0);
            w *= 1.0 - loss(w);
        }
        series.fades_slowly()
    }

    #[test]
    fn only_bounces_without_a_limit_in_time_fade_slowly() {
        for e in [0.1, 0.3, 0.5, 0.8, 0.9, 0.99, 0.999] {
            assert!(!fades_slowly(|_| 1.0 - e), "{e}");
        }
        for c in [0.01, 0.1, 0.5, 0.9] {
            assert!(fades_slowly(|w| c * w), "{c}");
        }
        // viscous friction beside an impact that takes more
        assert!(!fades_slowly(|w| 0.1 + 0.01 * w));
    }

    #[test]
    fn bounces_that_cease_to_fade_fade_slowly() {
        let mut series = BounceSeries::default();
        let heights = |w: f64| 0.5 * w * w;
        [1.0, 0.4, 0.16].into_iter().for_each(|w| series.depart(w, heights(w), 0.0));
        assert!(!series.fades_slowly());
        // each flight is as high as the one before, but for its rounding
        (0..8).for_each(|k| series.depart(0.09 + 1e-3 * f64::from(k % 2), heights(0.09), 1e-4));
        assert!(series.fades_slowly());
    }

    #[test]
    fn a_force_that_grows_slowly_is_no_loss() {
        // the adiabatic invariant is w³/a
        let (mut series, mut a) = (BounceSeries::default(), 1.0_f64);
        while a > 1e-6 {
            let w = a.cbrt();
            series.depart(w, 0.5 * w * w / a, 0.0);
            assert!(!series.slow);
            a *= 1.0 - 1e-2 * a;
        }
    }

    #[test]
    fn the_duration_of_a_flight() {
        // g = 10 m/s²: 1 m up at the speed of √20 takes as long as down
        let up = Flight { gap: 0.0, closing: -20.0_f64.sqrt(), a: 10.0 };
        assert!((up.duration() - 0.8_f64.sqrt()).abs() < 1e-15);
        assert!((Flight { gap: 1.0, closing: 0.0, a: 10.0 }.duration() - 0.2_f64.sqrt()).abs() < 1e-15);
        // without a force, with one that turns it back before the end, and with one that does not
        assert_eq!(Flight { gap: 1.0, closing: 2.0, a: 0.0 }.duration(), 0.5);
        assert_eq!(Flight { gap: 1.0, closing: 2.0, a: -10.0 }.duration(), f64::INFINITY);
        assert!((Flight { gap: 0.15, closing: 2.0, a: -10.0 }.duration() - 0.1).abs() < 1e-15);
        assert_eq!(Flight { gap: 1.0, closing: -2.0, a: 0.0 }.duration(), f64::INFINITY);
    }
}
