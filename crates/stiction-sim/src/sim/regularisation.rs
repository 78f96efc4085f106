//! Laws that are singular at rest: their detection, the speed below which their contacts stick, and the forces at rest.
use super::components::{ContactMode, ContactState};
use super::flow::{Flow, NEGLIGIBLE, TINY};
use crate::system::SignalDerivatives;
use stiction_core::Input;

/// Rounding of a difference of two velocities, relative to them: each is the result of a few operations.
pub(super) const VELOCITY_ROUNDING: f64 = 4.0 * f64::EPSILON;
/// The least ratio of a sliding speed, or of the speed below which the law is linear, to the rounding of the velocities it is the
/// difference of: their rounding then changes the logarithm of the speed by a hundredth, which is small against the unit on which the
/// law varies. Nearer to the rounding the force of the law is noise.
pub(super) const RESOLVED_RATIO: f64 = 100.0;

/// A law counts as singular at rest if its slope there exceeds this many times the mean slope up to the speed tolerance.
const SINGULAR_SLOPE_RATIO: f64 = 10.0;
/// Ratio of speed to speed tolerance up to which such a slope hides the error of a step.
const SINGULAR_SPEED_RATIO: f64 = 1e4;
/// Upper bound of the regularisation speed, however loose the tolerance [m/s].
const MAX_REGULARISATION_SPEED: f64 = 1e-6;

/// Rounding of the force of a law, relative to it: a few operations.
const FORCE_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Speeds [m/s] whose steady states show what the memory may do to the slope at rest: contacts that age for ever, or are worn.
const SETTLING_SPEEDS: [f64; 6] = [1e-30, 1e-20, 1e-12, 1e-6, 1.0, 1e3];

/// Speed at which a regularised contact is released over the speed at which it sticks. The force of a law that is singular at
/// rest differs between the two, by a·N·ln 2 for rate and state: far more than rounding, so that a contact does not stick
/// again when it is released.
const RELEASE_RATIO: f64 = 2.0;

impl ContactState<'_> {
    /// The velocity at which the law is evaluated when the contact slides at `v` on a side. As in the rates, the side decides: where a
    /// slip ends, rounding may give a velocity beyond zero, at which the force of a law that jumps there has the other sign. A side of
    /// zero means the bare law.
    #[inline(always)]
    pub fn regularised_velocity(&self, side: f64, v: f64) -> f64 {
        if side == 0.0 { v } else { self.one_sided_velocity(side, v) }
    }
    /// The velocity at which jumps and guards of the law are evaluated when the contact slides at `v` on a side. The mode
    /// decides the direction, not a velocity that is zero but for rounding.
    #[inline(always)]
    pub fn one_sided_velocity(&self, side: f64, v: f64) -> f64 {
        if v * side > 0.0 { v } else { side * self.regularisation_speed.max(TINY) }
    }
    /// Whether a reversal at rest leaves the force as it is: the law is single-valued there, and where its states jump at a
    /// reversal its force does not.
    pub fn reverses_continuously(&mut self, y: &[f64], load: f64) -> bool {
        let kept = std::mem::replace(&mut self.load[0], load);
        let (low, high) = self.limits();
        self.load[0] = kept;
        if low != high || self.jump_free {
            return low == high;
        }
        self.load_memory(y);
        let [down, up] = [-TINY, TINY].map(|v| {
            let u = Input { v, load };
            self.rates.copy_from_slice(&self.memory);
            self.law.jump(&mut self.rates, &u);
            self.law.force(&self.rates, &u)
        });
        // equal but for rounding, and for what comes only from evaluating the law at ±TINY
        (up - down).abs() <= FORCE_ROUNDING * up.abs().max(down.abs()) + NEGLIGIBLE
    }
    /// Whether the slope of the law at rest is much larger than its mean slope up to `speed`, so that no step can follow it.
    /// Differences at the level of rounding do not count. A contact without load counts as if it had one.
    pub fn is_singular_below(&mut self, speed: f64) -> bool {
        let load = if self.load[0] > 0.0 { self.load[0] } else { 1.0 };
        [-1.0, 1.0].into_iter().any(|side| {
            self.law.partials(&self.memory, &Input { v: side * TINY, load }, &[], false, &mut self.rows);
            let (rest, slope) = (self.rows[0], self.rows[1]);
            let fast = self.law.force(&self.memory, &Input { v: side * speed, load });
            slope.abs() * speed > SINGULAR_SLOPE_RATIO * (fast - rest).abs() + 1e-12 * (rest.abs() + fast.abs())
        })
    }
    /// Whether the law is singular below `speed` with its present memory, or with one that long sliding at some speed leaves.
    fn may_be_singular_below(&mut self, speed: f64) -> bool {
        let present = self.memory.clone();
        let any = self.is_singular_below(speed)
            || SETTLING_SPEEDS.into_iter().any(|v| {
                self.law.settled(&Input::at(v), &mut self.memory);
                self.is_singular_below(speed)
            });
        self.memory = present;
        any
    }
    /// Detects a law that is singular at rest. If it is single-valued there and has no bristle that yields, its speed is stepped
    /// in the logarithm (see [`LogSpeeds`](super::log_speed::LogSpeeds)), which pays from speeds not far above the tolerance
    /// `base` on. While it is singular down to `speed`, it is regularised: it sticks below that speed, with the force that it has
    /// there. Other laws may have a cusp, see [`Cusp`](super::cusp::Cusp), or keep the slopes of `speed` below it. `resolution` is that of
    /// the clock.
    pub fn detect_singular_slopes(&mut self, speed: f64, base: f64, resolution: f64) {
        let speed = speed.min(MAX_REGULARISATION_SPEED);
        let (steep, load) = (self.is_singular_below(speed), self.load[0]);
        if steep {
            self.slope_speed = speed;
        }
        self.law.rate(&self.memory, &Input { v: speed, load }, &mut self.rates);
        self.law.rate(&self.memory, &Input { v: -speed, load }, &mut self.rates2);
        // the rate of a bristle changes its sign with the velocity; that of an age, a heat or a place in noise may have another size in reverse
        let yields = self.rates.iter().zip(&self.rates2).take(self.own_states).any(|(a, b)| a != b && a * b <= 0.0);
        if self.row.nq == 0 || yields || !self.is_single_valued(self.load[0]) {
            if self.row.nq > 0 {
                self.detect_cusp(resolution);
            }
            return;
        }
        self.singular_at_rest =
            steep || self.may_be_singular_below((SINGULAR_SPEED_RATIO * base).min(MAX_REGULARISATION_SPEED));
        if self.singular_at_rest {
            (self.slope_speed, self.min_regularisation_speed) = (f64::MIN_POSITIVE, speed);
        }
        if steep {
            self.regularisation_speed = speed;
        }
    }
    /// The speed below which the law is linear on a side, from its slopes at rest and at `speed`: an inverse hyperbolic sine has the slope
    /// 1/√(s² + c²). Also the slope at `speed`. None if the law is not steeper at rest.
    pub fn linear_speed(&mut self, side: f64, speed: f64) -> Option<(f64, f64)> {
        let load = self.load[0];
        let [at_rest, slope] = [TINY, speed].map(|v| {
            self.law.partials(&self.memory, &Input { v: side * v, load }, &[], false, &mut self.rows);
            self.rows[1].abs()
        });
        let ratio = at_rest / slope;
        (ratio > 1.0 + 1e-9).then(|| (speed / ((ratio - 1.0) * (ratio + 1.0)).sqrt(), slope))
    }
    /// Rounding of the sliding velocity in state `y`; none if it is not a difference.
    pub fn velocity_rounding(&self, y: &[f64], motions: &[SignalDerivatives]) -> f64 {
        let differs = self.row.nq + self.row.nm > 1;
        if differs { VELOCITY_ROUNDING * self.row.speed_size(y, motions) } else { 0.0 }
    }
    /// Updates the regularisation speed in state `y`. A law with memory may become singular, or cease to be. Between surfaces that
    /// move, the contact also sticks where its law varies within what the rounding of their velocities leaves of their difference: it
    /// creeps more slowly than that speed, and so moves by less than the rounding of the distance that they cover.
    pub fn update_regularisation(&mut self, y: &[f64], motions: &[SignalDerivatives], rtol: f64) {
        if !self.may_be_regularised() {
            return;
        }
        self.load_memory(y);
        let rounding = self.velocity_rounding(y, motions);
        let resolved = RESOLVED_RATIO * rounding;
        let mut least = self.min_regularisation_speed.max(resolved);
        let [down, up] = [-1.0, 1.0].map(|side| self.linear_speed(side, least));
        let is_noise = |linear: Option<(f64, f64)>| linear.is_some_and(|(c, _)| c < resolved);
        let is_regularised = is_noise(down) || is_noise(up) || self.is_singular_below(self.min_regularisation_speed);
        if down.is_none() || up.is_none() {
            // a law that noise cuts off near rest is not stepped in the logarithm, but in velocities, which are known to their tolerance
            least = least.max(rtol / VELOCITY_ROUNDING * rounding);
        }
        let speed = if is_regularised { least } else { f64::MIN_POSITIVE };
        // the limits of a contact at rest do not shrink below a force that they hold: those would be no limits of the law, but of rounding
        let is_held = !matches!(self.mode, ContactMode::Slip(_));
        self.regularisation_speed = if is_held { speed.max(self.regularisation_speed) } else { speed };
    }
    /// The sliding velocity at which a regularised contact is released from stick towards a side.
    pub fn release_velocity(&self, side: f64) -> f64 {
        side * (RELEASE_RATIO * self.regularisation_speed).max(TINY)
    }
    /// Whether the force with which it begins to slide towards a side differs from `limit`, the end of its set at rest.
    pub fn drops_from(&self, limit: f64, side: f64) -> bool {
        let u = Input { v: self.release_velocity(side), load: self.load[0] };
        let sliding = self.law.force(&self.memory, &u);
        (sliding - limit).abs() > 1e-12 * limit.abs()
    }
    /// Whether its law may become so steep at rest that a set of forces there stands for it.
    pub fn may_be_regularised(&self) -> bool {
        self.singular_at_rest && self.cusp.is_none()
    }
    pub fn is_regularised(&self) -> bool {
        self.regularisation_speed > TINY
    }
    /// Whether the law has a single force at rest under this load: no friction limit, so no stick.
    pub fn is_single_valued(&self, load: f64) -> bool {
        let u = Input { v: 0.0, load };
        [-1.0, 1.0].iter().all(|&dir| self.law.hold(&self.memory, &u, dir) == 0.0)
    }
    /// Whether the set of forces at rest is more than one force. Forces that come only from evaluating the law at ±TINY are none.
    pub fn can_stick(&self) -> bool {
        let (low, high) = self.limits();
        high - low > NEGLIGIBLE
    }
    /// Whether others keep it from sliding, with its own force at a limit.
    pub fn is_pinned_at_limit(&self) -> bool {
        matches!(self.mode, ContactMode::Pinned(side) if side != 0.0) && self.can_stick()
    }
    /// The force of a contact that others keep from sliding: at its limit on a side, or with side 0 that of its law at rest.
    pub fn pinned_force(&self, side: f64) -> f64 {
        match side {
            0.0 => self.law.force(&self.memory, &Input { v: 0.0, load: self.load[0] }),
            side if side > 0.0 => self.limits().1,
            _ => self.limits().0,
        }
    }
    /// Smallest and largest force at rest; the same number if they differ by rounding only. One that creeps beside another contact at
    /// its limit ceases to do so at the force of rest.
    pub fn limits(&self) -> (f64, f64) {
        if self.is_regularised() {
            let [low, high] = [-1.0, 1.0].map(|side| {
                let v = if self.creep_side * side < 0.0 { 0.0 } else { self.release_velocity(side) };
                self.law.force(&self.memory, &Input { v, load: self.load[0] })
            });
            return (low, high);
        }
        let u = Input { v: 0.0, load: self.load[0] };
        let centre = self.law.force(&self.memory, &u);
        let [down, up] = [-1.0, 1.0].map(|dir| self.law.hold(&self.memory, &u, dir));
        let (low, high) = (centre - down, centre + up);
        // a sum of a few forces, the largest of which the centre may be; and what comes only from evaluating the law at ±TINY
        if (high - low).abs() <= FORCE_ROUNDING * (centre.abs() + high.abs()) + NEGLIGIBLE {
            let middle = 0.5 * (low + high);
            return (middle, middle);
        }
        (low, high)
    }
}

impl Flow<'_> {
    /// Updates the regularisation speeds of all contacts in state `y`, for which the motions are set.
    pub fn update_regularisations(&mut self, y: &[f64]) {
        let (motions, rtol) = (&self.motions, self.rtol);
        self.components.contacts.iter_mut().for_each(|contact| contact.update_regularisation(y, motions, rtol));
    }
}
