//! Laws that are singular at rest: their detection, the speed below which their contacts stick, and the forces at rest.
use super::components::ContactState;
use super::flow::TINY;
use stiction_core::Input;

/// A law counts as singular at rest if its slope there exceeds this many times the mean slope up to the speed tolerance.
const SINGULAR_SLOPE_RATIO: f64 = 10.0;
/// Ratio of speed to speed tolerance up to which such a slope hides the error of a step.
const SINGULAR_SPEED_RATIO: f64 = 1e4;
/// Upper bound of the regularisation speed, however loose the tolerance [m/s].
const MAX_REGULARISATION_SPEED: f64 = 1e-6;

/// Speeds [m/s] whose steady states show what the memory may do to the slope at rest: contacts that age for ever, or are worn.
const SETTLING_SPEEDS: [f64; 6] = [1e-30, 1e-20, 1e-12, 1e-6, 1.0, 1e3];

/// Speed at which a regularised contact is released over the speed at which it sticks. The force of a law that is singular at
/// rest differs between the two, by a·N·ln 2 for rate and state: far more than rounding, so that a contact does not stick
/// again when it is released.
const RELEASE_RATIO: f64 = 2.0;

impl ContactState<'_> {
    /// The velocity at which the law is evaluated when the contact slides at `v` on a side.
    #[inline(always)]
    pub fn regularised_velocity(&self, side: f64, v: f64) -> f64 {
        if v.abs() >= self.regularisation_speed || v * side > 0.0 {
            v
        } else {
            side * self.regularisation_speed.max(TINY)
        }
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
        // equal but for the rounding of a few operations
        (up - down).abs() <= 16.0 * f64::EPSILON * up.abs().max(down.abs())
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
        let yields = self.rates != self.rates2;
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
    /// Updates the regularisation speed: a relative velocity is known only to `rtol` of the velocities it is the difference of. A
    /// law with memory may become singular, or cease to be.
    pub fn update_regularisation(&mut self, y: &[f64], rtol: f64) {
        if !self.singular_at_rest || self.cusp.is_some() {
            return;
        }
        self.regularisation_speed = f64::MIN_POSITIVE;
        if self.is_singular_below(self.min_regularisation_speed) {
            let differs = self.row.nq + self.row.nm > 1;
            let size: f64 = self.row.speeds().filter(|_| differs).map(|(i, c)| (c * y[i]).abs()).sum();
            self.regularisation_speed = self.min_regularisation_speed.max(rtol * size);
        }
    }
    /// The sliding velocity at which a regularised contact is released from stick towards a side.
    pub fn release_velocity(&self, side: f64) -> f64 {
        side * (RELEASE_RATIO * self.regularisation_speed).max(TINY)
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
        high - low > 1e-100
    }
    /// Smallest and largest force at rest.
    pub fn limits(&self) -> (f64, f64) {
        if self.is_regularised() {
            let [low, high] = [-1.0, 1.0].map(|side| {
                let u = Input { v: self.release_velocity(side), load: self.load[0] };
                self.law.force(&self.memory, &u)
            });
            return (low, high);
        }
        let u = Input { v: 0.0, load: self.load[0] };
        let centre = self.law.force(&self.memory, &u);
        let [down, up] = [-1.0, 1.0].map(|dir| self.law.hold(&self.memory, &u, dir));
        (centre - down, centre + up)
    }
}
