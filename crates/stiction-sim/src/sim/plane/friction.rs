//! The friction of a body on the plane.
use super::bristles::PlaneBristles;
use super::disc::{disc_force, onset_speeds, required_level};
use super::number::{Number, dot, length};
use crate::system::{Plane, PlaneBody, PlaneContact};
use stiction_core::Input;

/// A speed at which a law slides, and yet has the force of the beginning of sliding [m/s].
const ONSET_SPEED: f64 = 1e-200;
/// Most iterations for the nearest point of an ellipse: Newton's method from one side, whose error falls at least by half.
const MAX_ITERATIONS: usize = 100;

/// A contact with the plane.
pub(super) struct PlaneFriction<'s> {
    contact: &'s PlaneContact,
    /// Normal force over that for which the law's parameters hold.
    pub nominal_factor: f64,
    /// Cosine and sine of the direction of the grain.
    grain: [f64; 2],
    bristles: Option<PlaneBristles>,
    mass: f64,
    inertia: f64,
    /// Radius of a disc; none: a point.
    radius: Option<f64>,
}

/// What a contact can hold, and the force with which sliding begins \[N\].
#[derive(Clone, Copy)]
pub(super) struct ForceLevels {
    pub hold: f64,
    pub onset: f64,
}

/// How a body begins to slide: its motion at the speed 1, and the rate of that speed.
pub(super) struct SlipOnset {
    pub direction: [f64; 3],
    pub acceleration: f64,
}

impl<'s> PlaneFriction<'s> {
    pub fn new(plane: &Plane, body: &'s PlaneBody) -> Self {
        let contact = &body.contact;
        let nominal_factor = contact.nominal.map_or(1.0, |nominal| plane.normal_force(body.mass) / nominal);
        let (sin, cos) = contact.grain.sin_cos();
        Self {
            contact,
            bristles: PlaneBristles::new(&contact.spec),
            nominal_factor,
            grain: [cos, sin],
            mass: body.mass,
            inertia: body.inertia(),
            radius: body.radius,
        }
    }
    /// Components along the grain and across it.
    fn to_grain<R: Number>(&self, [x, y]: [R; 2]) -> [R; 2] {
        let [cos, sin] = self.grain.map(R::lit);
        [x * cos + y * sin, y * cos - x * sin]
    }
    /// The same back along the axes.
    fn to_axes<R: Number>(&self, [along, across]: [R; 2]) -> [R; 2] {
        let [cos, sin] = self.grain.map(R::lit);
        [along * cos - across * sin, along * sin + across * cos]
    }
    /// The force of the law over the speed, under a load factor. At rest it is that of a speed next to zero: the slope of a law whose force is
    /// zero there.
    fn force_over_speed<R: Number>(&self, speed: R, load: R) -> R {
        speed.function(load, |speed, load| {
            let (mut row, v) = ([0.0; 3], speed.max(ONSET_SPEED));
            let load = load * self.nominal_factor;
            self.contact.law.partials(&[], &Input { v, load }, &[], true, &mut row);
            let [force, by_speed, by_load] = row;
            let ratio = force / v;
            let by_speed = if speed > ONSET_SPEED { (by_speed - ratio) / v } else { 0.0 };
            [ratio, by_speed, by_load * self.nominal_factor / v]
        })
    }
    /// Force and moment on a body that slides, against its motion.
    pub fn force<R: Number>(&self, [vx, vy, spin]: [R; 3], load: R) -> [R; 3] {
        let Some(radius) = self.radius else {
            let [x, y] = self.point_force([vx, vy], load);
            return [x, y, R::lit(0.0)];
        };
        let level = R::lit(self.levels(1.0).onset) * load;
        let (speed, edge) = (length([vx, vy]), length([R::lit(radius) * spin]));
        let part = |of: fn(f64, f64) -> [f64; 3]| {
            level * speed.function(edge, |v, u| if v + u > 0.0 { of(v, u) } else { [0.0; 3] })
        };
        let force = part(|v, u| {
            let disc = disc_force(v, u);
            [disc.force_over_speed, disc.force_slopes[0], disc.force_slopes[1]]
        });
        let moment = part(|v, u| {
            let disc = disc_force(v, u);
            [disc.moment_over_speed, disc.moment_slopes[0], disc.moment_slopes[1]]
        });
        [force * vx, force * vy, moment * R::lit(radius * radius) * spin]
    }
    /// The force on a point that slides with velocity `v`.
    fn point_force<R: Number>(&self, v: [R; 2], load: R) -> [R; 2] {
        let speed = length(v);
        let level = self.force_over_speed(speed, load);
        if self.contact.across == 1.0 {
            return v.map(|v| level * v);
        }
        let ([along, across], b) = (self.to_grain(v), R::lit(self.contact.across));
        let scaled = length([along, b * across]);
        let level = level
            * speed.function(scaled, |s, c| if c > 0.0 { [s / c, 1.0 / c, -s / (c * c)] } else { [1.0, 0.0, 0.0] });
        self.to_axes([level * along, level * b * b * across])
    }
    /// The bristles, if it has any.
    pub fn bristles(&self) -> Option<&PlaneBristles> {
        self.bristles.as_ref()
    }
    /// Rate of the bristles' deflection `z`, and the force of a contact with bristles.
    pub fn bristle_flow<R: Number>(&self, bristles: &PlaneBristles, z: [R; 2], v: [R; 2], load: R) -> [[R; 2]; 2] {
        let load = load * R::lit(self.nominal_factor);
        let [rate, force] = bristles.flow(self.to_grain(z), self.to_grain(v), self.contact.across, load);
        [self.to_axes(rate), self.to_axes(force)]
    }
    /// What it can hold under a load factor, and the level with which sliding begins.
    pub fn levels(&self, load: f64) -> ForceLevels {
        if self.bristles.is_some() {
            return ForceLevels { hold: 0.0, onset: 0.0 };
        }
        let (law, load) = (&self.contact.law, load * self.nominal_factor);
        let onset = law.force(&[], &Input { v: ONSET_SPEED, load });
        let hold = law.force(&[], &Input { v: 0.0, load }) + law.hold(&[], &Input { v: 0.0, load }, 1.0);
        ForceLevels { hold: hold.max(onset), onset }
    }
    /// The hold that a force and a moment need.
    pub fn required_hold(&self, [x, y, moment]: [f64; 3]) -> f64 {
        if let Some(radius) = self.radius {
            return required_level(x.hypot(y), moment.abs() / radius);
        }
        let [along, across] = self.to_grain([x, y]);
        along.hypot(across / self.contact.across)
    }
    /// How a body at rest begins to slide under a resultant that is outside of what can be held, against the level `onset`: the friction is the force of the
    /// set nearest to the resultant, by the inertia of the body.
    pub fn slip_onset(&self, resultant: [f64; 3], onset: f64) -> SlipOnset {
        let [x, y, moment] = resultant;
        let direction = match self.radius {
            Some(radius) => {
                let (force, inertia) = (x.hypot(y), self.inertia / (radius * radius));
                let [v, u] = onset_speeds(force, moment.abs() / radius, onset, self.mass, inertia);
                let unit = if force > 0.0 { [x / force, y / force] } else { [0.0; 2] };
                let size = v.hypot((inertia / self.mass).sqrt() * u);
                [unit[0] * v / size, unit[1] * v / size, (u / radius).copysign(moment) / size]
            }
            None => {
                let [x, y] = self.point_onset([x, y], onset);
                [x, y, 0.0]
            }
        };
        let acceleration = (dot(direction, resultant) - self.resistance(direction, onset)) / self.mass;
        SlipOnset { direction, acceleration }
    }
    /// The direction in which a point begins to slide.
    fn point_onset(&self, force: [f64; 2], onset: f64) -> [f64; 2] {
        let ([p, q], b) = (self.to_grain(force), self.contact.across);
        let b2 = b * b;
        // d is proportional to (p/(r + 1), q/(r + b²)), and λ is the point of the ellipse nearest to the force, if
        // p²/(r + 1)² + b²q²/(r + b²)² = onset²: convex and falling in r
        let mut r = 0.0;
        for _ in 0..MAX_ITERATIONS {
            let (u, w) = (p / (r + 1.0), b * q / (r + b2));
            let excess = u * u + w * w - onset * onset;
            let slope = -2.0 * (u * u / (r + 1.0) + w * w / (r + b2));
            let next = if onset > 0.0 { r - excess / slope } else { f64::INFINITY };
            // beyond this the ellipse is a point
            let next = next.min(1e30);
            if next.is_nan() || next <= r * (1.0 + f64::EPSILON) {
                break;
            }
            r = next;
        }
        let direction = [p / (r + 1.0), q / (r + b2)];
        let size = direction[0].hypot(direction[1]);
        self.to_axes(direction.map(|x| x / size))
    }
    /// The power of friction of a level against a motion.
    pub fn resistance(&self, motion: [f64; 3], level: f64) -> f64 {
        let [vx, vy, spin] = motion;
        if let Some(radius) = self.radius {
            let (v, u) = (vx.hypot(vy), radius * spin.abs());
            let disc = disc_force(v, u);
            return level * (disc.force_over_speed * v * v + disc.moment_over_speed * u * u);
        }
        let [along, across] = self.to_grain([vx, vy]);
        level * along.hypot(self.contact.across * across)
    }
}
