//! Bodies on a plane: two slip directions, friction as a vector.
use super::build::{finite, not_negative, positive, problem};
use super::{Signal, System, SystemError, SystemErrorKind};
use crate::{LawError, ParameterGroup, Spec};
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// The plane on which bodies slide, and gravity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Angle to the horizontal \[rad\], from 0 to below a right angle.
    pub tilt: f64,
    /// Direction of steepest descent, as an angle from the x axis \[rad\].
    pub downhill: f64,
    /// Acceleration of gravity [m/s²].
    pub gravity: f64,
}

impl Default for Plane {
    fn default() -> Self {
        Self { tilt: 0.0, downhill: -std::f64::consts::FRAC_PI_2, gravity: 9.81 }
    }
}

impl Plane {
    /// The acceleration of gravity along the plane [m/s²].
    pub fn slope_acceleration(&self) -> [f64; 2] {
        let (sin, cos) = self.downhill.sin_cos();
        [cos, sin].map(|x| x * self.gravity * self.tilt.sin())
    }
    /// The normal force on a body of this mass \[N\].
    pub fn normal_force(&self, mass: f64) -> f64 {
        mass * self.gravity * self.tilt.cos()
    }
}

/// The friction of a body on the plane.
pub struct PlaneContact {
    /// The law, ready for evaluation: its force over the speed of sliding.
    pub law: Box<dyn DynLaw>,
    /// The law by name, with its parameter values.
    pub spec: Spec,
    /// The normal force for which the law's parameters hold \[N\]; none: that of the body. With 1 N, forces are coefficients of friction.
    pub nominal: Option<f64>,
    /// Factor on the normal force.
    pub load: Signal,
    /// Direction `along` which the law holds, as an angle from the x axis \[rad\].
    pub grain: f64,
    /// Friction across this direction over friction along it.
    pub across: f64,
}

impl PlaneContact {
    /// A contact under the body's own normal force, the same in all directions.
    ///
    /// # Errors
    /// As [`Spec::build`]; [`LawError::Unsuited`] for a law that has no meaning in the plane.
    pub fn new(spec: &Spec) -> Result<Self, LawError> {
        let law = spec.build()?;
        let sided = [ParameterGroup::Reverse, ParameterGroup::Noise].iter().any(|&group| spec.has(group));
        if sided {
            let why =
                "has parameters 'reverse' or 'noise', which need a single direction; in the plane it must do without";
            return Err(LawError::Unsuited { why });
        }
        let moving = Input { v: 1.0, load: 1.0 };
        let has_vector_bristles = matches!(spec.law().name, "lugre" | "elasto-plastic");
        let has_memory = !law.is_empty() || law.guard_count() > 1;
        if !has_vector_bristles && has_memory || law.band(&moving) > 0.0 || spec.law().signed_load() {
            let why = "has a memory, modes or a band of rest, which are not known as vectors; in the plane use a law of the \
                       speed alone, such as coulomb or stribeck, or lugre or elasto-plastic";
            return Err(LawError::Unsuited { why });
        }
        let (nominal, load) = (None, Signal::Constant(1.0));
        Ok(Self { law, spec: spec.clone(), nominal, load, grain: 0.0, across: 1.0 })
    }
}

/// A rigid body on the plane.
pub struct PlaneBody {
    /// Its name, and that of its contact.
    pub name: String,
    /// Mass \[kg\].
    pub mass: f64,
    /// Initial position \[m\].
    pub position: [f64; 2],
    /// Initial velocity [m/s].
    pub velocity: [f64; 2],
    /// Radius of a disc under uniform pressure \[m\], which also turns; none: a point, which does not. A disc has the law `coulomb` and no grain.
    pub radius: Option<f64>,
    /// Moment of inertia of a disc about its axis [kg·m²]; none: that of a homogeneous one, half the mass times the square of the radius.
    pub inertia: Option<f64>,
    /// Initial angle \[rad\].
    pub angle: f64,
    /// Initial spin [rad/s].
    pub spin: f64,
    /// Its friction.
    pub contact: PlaneContact,
}

impl PlaneBody {
    /// The moment of inertia [kg·m²]; that of a point has no effect.
    pub fn inertia(&self) -> f64 {
        self.inertia.unwrap_or(0.5 * self.mass * self.radius.map_or(1.0, |radius| radius * radius))
    }
}

/// A force on a body of the plane.
pub struct PlaneForce {
    /// Its name.
    pub name: String,
    /// Index of the body.
    pub on: usize,
    /// Components \[N\].
    pub force: [Signal; 2],
    /// Moment about the middle of a disc \[N·m\].
    pub moment: Signal,
}

/// Where the second end of a spring is.
pub enum PlaneAnchor {
    /// A body, by its index.
    Body(usize),
    /// A point with a prescribed motion.
    Point(Box<[Signal; 2]>),
}

/// A spring with a damper in parallel, from a body to another or to a moving point.
pub struct PlaneSpring {
    /// Its name.
    pub name: String,
    /// Index of the body.
    pub on: usize,
    /// Its other end.
    pub anchor: PlaneAnchor,
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Damping coefficient [N·s/m].
    pub damping: f64,
    /// Length without force \[m\]. Without a length, spring and damper act on the displacement as a vector; with one, along the line between
    /// the ends.
    pub length: f64,
    /// The only direction in which it acts, as an angle from the x axis \[rad\]: a guide without friction moves across it. The length is then a displacement
    /// in this direction.
    pub direction: Option<f64>,
}

/// Bodies on a plane with what acts on them.
#[derive(Default)]
pub struct PlaneSystem {
    /// The plane.
    pub plane: Plane,
    /// The bodies.
    pub bodies: Vec<PlaneBody>,
    /// Applied forces.
    pub forces: Vec<PlaneForce>,
    /// Springs.
    pub springs: Vec<PlaneSpring>,
}

impl PlaneSystem {
    /// The index of a body.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }
    /// All functions of time.
    pub fn signals(&self) -> impl Iterator<Item = &Signal> {
        let points = self.springs.iter().filter_map(|spring| match &spring.anchor {
            PlaneAnchor::Body(_) => None,
            PlaneAnchor::Point(point) => Some(point.iter()),
        });
        let forces = self.forces.iter().flat_map(|force| force.force.iter().chain([&force.moment]));
        self.bodies.iter().map(|body| &body.contact.load).chain(forces).chain(points.flatten())
    }
}

impl System {
    /// Sets the plane.
    ///
    /// # Errors
    /// [`SystemError`] for an invalid value.
    pub fn plane(&mut self, plane: Plane) -> Result<(), SystemError> {
        finite("plane", &[("downhill", plane.downhill)])?;
        not_negative("plane", "gravity", plane.gravity)?;
        if !(0.0..std::f64::consts::FRAC_PI_2).contains(&plane.tilt) {
            let requirement = "from 0 to below a right angle, 1.5708 rad";
            return Err(problem(
                "plane",
                SystemErrorKind::InvalidValue { key: "tilt", value: plane.tilt, requirement },
            ));
        }
        self.plane_system.plane = plane;
        Ok(())
    }
    /// Adds a body on the plane.
    ///
    /// # Errors
    /// [`SystemError`] for an invalid value or name.
    pub fn plane_body(&mut self, body: PlaneBody) -> Result<(), SystemError> {
        let name = &body.name;
        self.free(name)?;
        positive(name, "mass", body.mass)?;
        let ([x, y], [vx, vy]) = (body.position, body.velocity);
        finite(name, &[("x", x), ("y", y), ("vx", vx), ("vy", vy), ("grain", body.contact.grain)])?;
        positive(name, "across", body.contact.across)?;
        if let Some(nominal) = body.contact.nominal {
            positive(name, "nominal", nominal)?;
        }
        finite(name, &[("angle", body.angle), ("omega", body.spin)])?;
        match body.radius {
            Some(radius) => {
                positive(name, "radius", radius)?;
                positive(name, "inertia", body.inertia())?;
                let wrong = |key, value, requirement| {
                    Err(problem(name, SystemErrorKind::InvalidValue { key, value, requirement }))
                };
                if body.contact.spec.law().name != "coulomb" {
                    return wrong("radius", radius, "left out: only the law coulomb is known for a disc");
                }
                if body.contact.across != 1.0 {
                    return wrong("across", body.contact.across, "1 for a disc");
                }
            }
            None => {
                let given = |key: &'static str, value: f64| (value != 0.0).then_some((key, value));
                let inertia = body.inertia.map(|inertia| ("inertia", inertia));
                if let Some((key, value)) = inertia.or(given("omega", body.spin)).or(given("angle", body.angle)) {
                    let requirement = "left out without a radius: a point does not turn";
                    return Err(problem(name, SystemErrorKind::InvalidValue { key, value, requirement }));
                }
            }
        }
        self.take(name);
        self.plane_system.bodies.push(body);
        Ok(())
    }
    /// Applies a force to a body on the plane.
    ///
    /// # Errors
    /// [`SystemError`] for an invalid name or a body that does not exist.
    pub fn plane_force(&mut self, force: PlaneForce) -> Result<(), SystemError> {
        self.free(&force.name)?;
        self.on_plane(&force.name, force.on)?;
        if force.moment != Signal::Constant(0.0) && self.plane_system.bodies[force.on].radius.is_none() {
            let requirement = "left out: the body is a point, which does not turn";
            let kind = SystemErrorKind::InvalidValue { key: "moment", value: force.moment.at(0.0), requirement };
            return Err(problem(&force.name, kind));
        }
        self.take(&force.name);
        self.plane_system.forces.push(force);
        Ok(())
    }
    /// Connects a body on the plane to another, or to a moving point.
    ///
    /// # Errors
    /// [`SystemError`] for an invalid value, name or body, or a point whose position jumps.
    pub fn plane_spring(&mut self, spring: PlaneSpring) -> Result<(), SystemError> {
        let name = &spring.name;
        self.free(name)?;
        self.on_plane(name, spring.on)?;
        not_negative(name, "stiffness", spring.stiffness)?;
        not_negative(name, "damping", spring.damping)?;
        if let Some(direction) = spring.direction {
            finite(name, &[("direction", direction), ("length", spring.length)])?;
        } else {
            not_negative(name, "length", spring.length)?;
        }
        match &spring.anchor {
            PlaneAnchor::Body(other) => {
                self.on_plane(name, *other)?;
                if *other == spring.on {
                    return Err(problem(name, SystemErrorKind::NoRelativeMotion));
                }
            }
            PlaneAnchor::Point(point) => {
                if point.iter().any(Signal::jumps) {
                    return Err(problem(name, SystemErrorKind::MotionJumps { motion: name.clone() }));
                }
            }
        }
        self.take(name);
        self.plane_system.springs.push(spring);
        Ok(())
    }
    /// Whether its bodies are on the plane.
    pub fn is_planar(&self) -> bool {
        !self.plane_system.bodies.is_empty()
    }
    /// Checks that the bodies are all on the plane, or none.
    pub(super) fn check_plane(&self) -> Result<(), SystemError> {
        let others = self.nodes.iter().skip(1).map(|node| &node.name);
        match others.chain(self.controllers.iter().map(|slot| &slot.name)).next() {
            Some(name) if self.is_planar() => Err(problem(name, SystemErrorKind::NotOnPlane)),
            _ => Ok(()),
        }
    }
    fn on_plane(&self, name: &str, body: usize) -> Result<(), SystemError> {
        if body < self.plane_system.bodies.len() {
            Ok(())
        } else {
            Err(problem(name, SystemErrorKind::NoRelativeMotion))
        }
    }
}
