//! Laws with a cusp at rest: Stribeck curves with an exponent a below one.
//!
//! Near rest such a force is `F(s) = F(0±) − c·|s|^a` with 0 < a < 1, so its slope is unbounded. With the response R of the
//! sliding velocity s to a force, and φ(τ) ≥ 0 the excess of the other forces over F(0) at a time τ after release,
//!
//! ```text
//! ds/dτ = R (φ(τ) + c s^a),    s(0) = 0
//! ```
//!
//! is not Lipschitz at s = 0, but its solution with s > 0 for τ > 0 is unique: for φ = 0 it is
//! `s = ((1 − a) R c τ)^(1/(1 − a))`, and any other would be the same, shifted in time. Relative errors of s die away as 1/τ, absolute
//! ones grow as `τ^(a/(1 − a))`. So the speed has to be followed with a *relative* accuracy, from the time on that the clock
//! resolves: in the logarithm of the speed (see [`LogSpeeds`](super::log_speed::LogSpeeds)), with steps that grow in proportion to τ.
//! A step from s = 0 itself would see an unbounded growth rate, which an L-stable method damps away: it would follow the unstable
//! equilibrium in the continuation of the law beyond rest.
//!
//! The *start speed* is the speed at which the time constant of the law, 1/(R |F′(s)|), is the resolution of the clock, or c·s^a exceeds the
//! rounding of the balance of forces, or s the rounding of velocities whose difference it is, whichever is largest. What happens below
//! it cannot be resolved: a contact that starts from rest starts with it. The instant of release is resolved as the clock is, and so is
//! the balance of forces there: φ may begin below zero, which would turn the contact back. Then it starts where c·s^a exceeds what is
//! missing. Where inertia dominates (a contact that stops, or is pushed with φ ≫ c s^a), errors stay bounded, and steps are taken in s to the tolerances of velocities.
use super::components::{ContactMode, ContactState};
use super::flow::{Flow, NEGLIGIBLE, TINY};
use super::regularisation::VELOCITY_ROUNDING;
use stiction_core::Input;

/// A second speed far below all others [m/s]: the slopes there and at [`TINY`] show with which power of the speed a law begins.
const SMALL: f64 = 1e-100;
/// Growth of the slope from [`SMALL`] to [`TINY`] above which it counts as unbounded: an exponent below 0.997. A bounded slope is the
/// same at both, and that of a larger exponent does not vary by more than this over all speeds that matter.
const UNBOUNDED: f64 = 2.0;
/// Largest start speed [m/s], however heavy the friction on however light a body.
const MAX_START_SPEED: f64 = 1e-6;
/// Rounding of the balance of forces at rest, relative to the friction force, as a step sees it: a sum of some ten terms, which the stages of
/// Rodas5P enlarge thirtyfold before the last two (the coefficients of the tableau with their absolute values).
pub(super) const FORCE_ROUNDING: f64 = 30.0 * 16.0 * f64::EPSILON;

/// Most that is missing to the balance of forces at the located instant of release, relative to the friction force: more is no error of that instant.
const MOST_MISSING: f64 = 1e-9;

/// What a contact needs to know of the cusp of its law.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cusp {
    /// Resolution of the clock in this run \[s\].
    resolution: f64,
    /// Start speed in the present state [m/s or rad/s]; 0 if the law has no cusp in this state.
    pub start_speed: f64,
}

/// A law near rest: its slope falls with a power of the speed.
struct Power {
    /// Force at rest on this side, and slope at [`TINY`], without their signs.
    force: f64,
    slope: f64,
    /// The power: one less the exponent a.
    power: f64,
}

impl Power {
    /// The speed at which the law has this slope.
    fn speed_of_slope(&self, slope: f64) -> f64 {
        TINY * (self.slope / slope).powf(1.0 / self.power)
    }
    /// The speed at which the force differs from that at rest by `drop`: s·F′(s)/a.
    fn speed_of_drop(&self, drop: f64) -> f64 {
        let exponent = 1.0 - self.power;
        TINY * (drop * exponent / (self.slope * TINY)).powf(1.0 / exponent)
    }
}

impl ContactState<'_> {
    /// The cusp of the law on a side; none if its slope is bounded there.
    fn cusp_at(&mut self, side: f64, load: f64) -> Option<Power> {
        let [at_rest, small] = [TINY, SMALL].map(|v| {
            self.law.partials(&self.memory, &Input { v: side * v, load }, &[], false, &mut self.rows);
            self.rows[1].abs()
        });
        let force = self.rows[0].abs();
        // a force that comes only from evaluating the law at ±TINY has no shape
        (at_rest > UNBOUNDED * small && force > NEGLIGIBLE).then(|| Power {
            force,
            slope: at_rest,
            power: (at_rest / small).log10() / (SMALL / TINY).log10(),
        })
    }
    /// Whether the law has a cusp with its present memory, or with one that sliding leaves.
    pub fn may_have_cusp(&mut self) -> bool {
        let present = self.memory.clone();
        let has_cusp = [0.0, -1.0, 1.0].into_iter().any(|v| {
            if v != 0.0 {
                self.law.settled(&Input::at(v), &mut self.memory);
            }
            [-1.0, 1.0].into_iter().any(|side| self.cusp_at(side, 1.0).is_some())
        });
        self.memory = present;
        has_cusp
    }
    /// Detects a cusp. `resolution` is that of the clock.
    pub fn detect_cusp(&mut self, resolution: f64) {
        if self.may_have_cusp() {
            self.cusp = Some(Cusp { resolution, start_speed: 0.0 });
            self.singular_at_rest = true;
        }
    }
    /// Updates the start speed on a side in state `y`, for a `response` of the sliding velocity to a unit force; the
    /// velocity and acceleration are those of the prescribed motions. `missing` is the force by which the others fall short of friction.
    fn update_start_speed(
        &mut self,
        side: f64,
        response: f64,
        y: &[f64],
        [speed, acceleration]: [f64; 2],
        missing: f64,
    ) {
        let Some(cusp) = self.cusp else { return };
        self.load_memory(y);
        let start_speed = match self.cusp_at(side, self.load[0]) {
            Some(power) => {
                let size: f64 = self.row.speeds().map(|(i, c)| (c * y[i]).abs()).sum();
                let differs = if self.row.nq + self.row.nm > 1 { size + speed.abs() } else { 0.0 };
                let rounding = VELOCITY_ROUNDING * differs + acceleration.abs() * cusp.resolution;
                // twice what is missing, so that as much is left to start with
                let missing = 2.0 * missing.clamp(0.0, MOST_MISSING * power.force);
                power
                    .speed_of_slope(1.0 / (response * cusp.resolution))
                    .max(power.speed_of_drop(FORCE_ROUNDING * power.force + missing))
                    .max(rounding)
                    .clamp(TINY, MAX_START_SPEED)
            }
            None => 0.0,
        };
        self.cusp = Some(Cusp { start_speed, ..cusp });
        // slopes below it are not those of any speed that is resolved
        self.slope_speed = start_speed.max(f64::MIN_POSITIVE);
    }
}

impl Flow<'_> {
    /// Updates the start speeds of sliding contacts whose law has a cusp, in state `y`; returns these contacts. `released`: for contacts that
    /// begin to slide, with the accelerations of the last evaluation.
    pub fn update_start_speeds(&mut self, y: &[f64], released: bool) -> Vec<usize> {
        let mut sliding = Vec::new();
        let mut answer = Vec::new();
        for c in 0..self.components.contacts.len() {
            let contact = &self.components.contacts[c];
            let (ContactMode::Slip(side), true, row) = (contact.mode, contact.cusp.is_some(), contact.row) else {
                continue;
            };
            answer.resize(self.components.n, 0.0);
            self.answer(&row, &mut answer);
            let response: f64 = row.coordinates().map(|(i, c)| c * answer[i]).sum();
            let driven = [1, 2].map(|k| row.driven(&self.motions, k));
            let missing = if released { -side * self.sliding_acceleration(c) / response } else { 0.0 };
            self.components.contacts[c].update_start_speed(side, response, y, driven, missing);
            sliding.push(c);
        }
        sliding
    }
    /// Gives contacts whose law has a cusp at rest, and that begin to slide, their start speed.
    pub fn start_from_rest(&mut self, y: &mut [f64]) {
        let sliding = self.update_start_speeds(y, true);
        if sliding.is_empty() {
            return;
        }
        for (&c, direction) in sliding.iter().zip(self.starting_directions(&sliding, y)) {
            let contact = &self.components.contacts[c];
            let (ContactMode::Slip(side), Some(cusp), Some(direction)) = (contact.mode, contact.cusp, direction) else {
                continue;
            };
            let change = side * cusp.start_speed - contact.row.v(y, &self.motions);
            if change * side > 0.0 {
                direction.iter().for_each(|&(i, b)| y[i] += b * change);
            }
        }
    }
}
