//! Bodies on a plane.
use super::builder::Builder;
use super::component_table::{ComponentTable, unknown_name};
use super::keys::{Component, Key, ValueKind, number, optional, optional_with_default, required};
use super::{contacts, mechanics};
use crate::Error;
use crate::sim::IntegrationMethod;
use crate::system::{Plane, PlaneAnchor, PlaneBody, PlaneContact, PlaneForce, PlaneSpring, Signal};
use std::f64::consts::FRAC_PI_2;

pub(super) static PLANE: Component = Component {
    name: "plane",
    form: "[plane]",
    doc: "The plane on which bodies slide; without it, a level one.",
    keys: &[
        number("tilt", "rad", 0.0, "Angle to the horizontal, below a right angle."),
        number("downhill", "rad", -FRAC_PI_2, "Direction of steepest descent, from the x axis; the default is -y."),
        number("gravity", "m/s²", 9.81, "Acceleration of gravity."),
    ],
    law: false,
};
pub(super) static BODY: Component = Component {
    name: "plane_body",
    form: "[plane_body.NAME]",
    doc: "A body on the plane, with friction as a vector. The parameters of its law, the force over the speed of sliding, stand beside these keys.",
    keys: &[
        required("mass", ValueKind::Number, "kg", "Mass."),
        number("x", "m", 0.0, "Position at the beginning."),
        number("y", "m", 0.0, "The same."),
        number("vx", "m/s", 0.0, "Velocity at the beginning."),
        number("vy", "m/s", 0.0, "The same."),
        optional(
            "radius",
            ValueKind::Number,
            "m",
            "Radius of a disc under uniform pressure, which also turns; law coulomb, no grain. Without it, a point.",
        ),
        optional_with_default("inertia", ValueKind::Number, "kg·m²", "mass radius²/2", "Of a disc, about its axis."),
        number("angle", "rad", 0.0, "Of a disc, at the beginning."),
        number("omega", "rad/s", 0.0, "Spin of a disc at the beginning."),
        required(
            "law",
            ValueKind::Text,
            "",
            "A law of the speed alone, such as coulomb or stribeck, or lugre or elasto-plastic; or a parameter file.",
        ),
        contacts::DEFINITION,
        optional("from", ValueKind::Table, "", "Quantities to compute parameters from."),
        optional_with_default(
            "nominal",
            ValueKind::Number,
            "N",
            "that of the body",
            "Normal force for which the law's parameters hold; 1: forces of the law are coefficients of friction.",
        ),
        optional_with_default("load", ValueKind::Signal, "-", "1", "Factor on the normal force."),
        number("grain", "rad", 0.0, "Direction along which the law holds, from the x axis."),
        number("across", "-", 1.0, "Friction across this direction over friction along it."),
    ],
    law: true,
};
const ON: Key = required("on", ValueKind::Text, "", "The body on the plane that it acts on.");
pub(super) static FORCE: Component = Component {
    name: "plane_force",
    form: "[plane_force.NAME]",
    doc: "A force on a body on the plane.",
    keys: &[
        ON,
        optional_with_default("x", ValueKind::Signal, "N", "0", "Component along x."),
        optional_with_default("y", ValueKind::Signal, "N", "0", "Component along y."),
        optional_with_default("moment", ValueKind::Signal, "N·m", "0", "Moment on a disc."),
    ],
    law: false,
};
pub(super) static SPRING: Component = Component {
    name: "plane_spring",
    form: "[plane_spring.NAME]",
    doc: "A spring with a damper from a body on the plane to another, or to a point that moves as prescribed.",
    keys: &[
        ON,
        optional("to", ValueKind::Text, "", "Another body on the plane, instead of a point."),
        optional_with_default("x", ValueKind::Signal, "m", "0", "Position of the point."),
        optional_with_default("y", ValueKind::Signal, "m", "0", "The same."),
        number("stiffness", "N/m", 0.0, "Stiffness."),
        number("damping", "N·s/m", 0.0, "Damping coefficient."),
        number(
            "length",
            "m",
            0.0,
            "Length without force. With 0 it acts on the displacement as a vector, else along the line between its ends.",
        ),
        optional(
            "direction",
            ValueKind::Number,
            "rad",
            "The only direction in which it acts, from the x axis, as of a pusher with a smooth face.",
        ),
    ],
    law: false,
};

/// Adds the plane, and bodies, forces and springs on it.
pub(super) fn plane(build: &mut Builder<'_>) -> Result<(), Error> {
    let given = build.single(&PLANE)?;
    if let Some(s) = &given {
        let plane = Plane { tilt: s.number("tilt")?, downhill: s.number("downhill")?, gravity: s.number("gravity")? };
        build.system.plane(plane).map_err(|error| s.at_key(error))?;
    }
    for s in build.each(&BODY)? {
        let spec = contacts::law(build, &s)?;
        let contact = PlaneContact::new(&spec).map_err(|error| s.head.error(error))?;
        let contact = PlaneContact {
            nominal: s.optional_number("nominal")?,
            load: build.signal_or(&s, "load", 1.0)?,
            grain: s.number("grain")?,
            across: s.number("across")?,
            ..contact
        };
        if let Some(node) = s.get("grain").filter(|_| s.get("across").is_none()) {
            let why = "needs across: without it, friction is the same in all directions";
            return Err(node.at.error(Error::Conflict { key: "grain", why }));
        }
        let pair = |a: &str, b: &str| Ok::<_, Error>([s.number(a)?, s.number(b)?]);
        let (position, velocity) = (pair("x", "y")?, pair("vx", "vy")?);
        let body = PlaneBody {
            name: s.name().to_owned(),
            mass: s.number("mass")?,
            position,
            velocity,
            radius: s.optional_number("radius")?,
            inertia: s.optional_number("inertia")?,
            angle: s.number("angle")?,
            spin: s.number("omega")?,
            contact,
        };
        build.system.plane_body(body).map_err(|error| s.at_key(error))?;
    }
    for s in build.each(&FORCE)? {
        let (on, force) = (body(build, &s, "on")?, signals(build, &s)?);
        let force = PlaneForce { name: s.name().to_owned(), on, force, moment: build.signal_or(&s, "moment", 0.0)? };
        build.system.plane_force(force).map_err(|error| s.at_key(error))?;
    }
    for s in build.each(&SPRING)? {
        let anchor = match s.get("to") {
            Some(_) => {
                if let Some((key, node)) = ["x", "y"].iter().find_map(|key| Some((*key, s.get(key)?))) {
                    return Err(node.at.error(Error::Conflict { key, why: "is of a point, and 'to' names a body" }));
                }
                PlaneAnchor::Body(body(build, &s, "to")?)
            }
            None => PlaneAnchor::Point(Box::new(signals(build, &s)?)),
        };
        let spring = PlaneSpring {
            name: s.name().to_owned(),
            on: body(build, &s, "on")?,
            anchor,
            stiffness: s.number("stiffness")?,
            damping: s.number("damping")?,
            length: s.number("length")?,
            direction: s.optional_number("direction")?,
        };
        build.system.plane_spring(spring).map_err(|error| s.at_key(error))?;
    }
    if build.system.is_planar()
        && build.options.method != IntegrationMethod::Rodas5P
        && let Some(run) = build.single(&mechanics::RUN)?
    {
        let at = run.get("method").map_or(run.head, |node| &node.at);
        return Err(at.error(Error::Conflict { key: "method", why: "must be rodas5p for bodies on a plane" }));
    }
    match given {
        Some(s) if !build.system.is_planar() => Err(s.head.error(Error::MissingKey {
            name: String::new(),
            key: "[plane_body.NAME]",
            doc: "a body on the plane: [plane_body.NAME] with its mass and its law",
        })),
        _ => Ok(()),
    }
}

/// The body on the plane that `key` names.
fn body(build: &Builder<'_>, s: &ComponentTable<'_>, key: &'static str) -> Result<usize, Error> {
    let node = s.required(key)?;
    let name = node.text(key)?;
    let plane = &build.system.plane_system;
    let known: Vec<&str> = plane.bodies.iter().map(|body| body.name.as_str()).collect();
    plane.find(name).ok_or_else(|| node.at.error(unknown_name("body on the plane", name, &known)))
}

fn signals(build: &Builder<'_>, s: &ComponentTable<'_>) -> Result<[Signal; 2], Error> {
    Ok([build.signal_or(s, "x", 0.0)?, build.signal_or(s, "y", 0.0)?])
}
