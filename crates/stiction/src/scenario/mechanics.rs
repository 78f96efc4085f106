//! Options of the run; bodies, prescribed motions, plants and forces.
use super::builder::Builder;
use super::component_table::ComponentTable;
use super::keys::{Component, ValueKind, number, optional, optional_with_default, required};
use crate::sim::{IntegrationMethod, SimErrorKind, check_options};
use crate::system::{Body, Plant};
use crate::{Error, SimError};

pub(super) static RUN: Component = Component {
    name: "run",
    form: "[run]",
    doc: "Duration, accuracy and output of the run.",
    keys: &[
        required("end", ValueKind::Number, "s", "When it ends."),
        number("start", "s", 0.0, "When it begins."),
        number("rtol", "-", 1e-8, "Error allowed in one step, relative to each state."),
        optional_with_default("atol", ValueKind::Number, "m, m/s", "rtol/1000", "Error allowed in one step, absolute."),
        number("max_step", "s", f64::INFINITY, "Longest step."),
        optional_with_default(
            "method",
            ValueKind::Text,
            "",
            "rodas5p",
            "The solver. network: many bodies, first order. For teaching, without events: euler, rk4, bogacki-shampine, dormand-prince.",
        ),
        optional_with_default(
            "step",
            ValueKind::Number,
            "s",
            "1/1000 of the run",
            "Step of the methods with a fixed step: network, euler, rk4.",
        ),
        number(
            "theta",
            "-",
            1.0,
            "network: where in a step springs and forces are taken, 0.5 to 1; at 0.5 waves are not damped.",
        ),
        optional_with_default(
            "max_steps",
            ValueKind::Number,
            "",
            "no limit",
            "Largest number of accepted steps, with every method; a run that needs more ends with an error.",
        ),
        number(
            "max_seconds",
            "s",
            3600.0,
            "Longest computing time; a run that needs more ends with an error. 0: no limit.",
        ),
        optional_with_default(
            "sample",
            ValueKind::Number,
            "s",
            "1/1000 of the run",
            "Time between rows of the trace; events have rows of their own, but not with network.",
        ),
        optional_with_default(
            "record",
            ValueKind::Columns,
            "",
            "all",
            "Columns to keep in files and in the summary; t is always kept.",
        ),
    ],
    law: false,
};
pub(super) static BODY: Component = Component {
    name: "body",
    form: "[body.NAME]",
    doc: "A rigid body with one coordinate: it translates if it has a mass, and rotates if it has an inertia.",
    keys: &[
        optional("mass", ValueKind::Number, "kg", "Mass of a body that translates."),
        optional("inertia", ValueKind::Number, "kg·m²", "Inertia of a body that rotates."),
        number("x", "m, rad", 0.0, "Position at the beginning."),
        number("v", "m/s, rad/s", 0.0, "Velocity at the beginning."),
    ],
    law: false,
};
pub(super) static MOTION: Component = Component {
    name: "motion",
    form: "[motion.NAME]",
    doc: "A place with a prescribed motion, whatever force that takes. Give position or velocity.",
    keys: &[
        optional("position", ValueKind::Signal, "m, rad", "Position."),
        optional(
            "velocity",
            ValueKind::Signal,
            "m/s, rad/s",
            "Velocity; the position is 0 at t = 0. Any signal but a chirp.",
        ),
        optional_with_default("turns", ValueKind::Flag, "", "false", "Rotates instead of translating."),
    ],
    law: false,
};
pub(super) static PLANT: Component = Component {
    name: "plant",
    form: "[plant.NAME]",
    doc: "A mechanism with its own mass matrix. Its coordinates are places: NAME.angle; NAME.cart and NAME.angle; NAME.arm and NAME.angle.",
    keys: &[
        required(
            "kind",
            ValueKind::Text,
            "",
            "\"pendulum\" (angle 0 hanging), \"cart-pendulum\" or \"furuta\" (angle 0 upright).",
        ),
        required("mass", ValueKind::Number, "kg", "Mass of the pendulum."),
        required("length", ValueKind::Number, "m", "From the joint to the centre of mass."),
        number("inertia", "kg·m²", 0.0, "Of the pendulum about its centre of mass."),
        number("gravity", "m/s²", 9.81, "Acceleration of gravity."),
        optional("cart", ValueKind::Number, "kg", "cart-pendulum: mass of the cart."),
        optional("arm", ValueKind::Number, "m", "furuta: length of the arm."),
        optional(
            "arm_inertia",
            ValueKind::Number,
            "kg·m²",
            "furuta: inertia of the arm with its motor about the vertical.",
        ),
        optional_with_default("x", ValueKind::Numbers, "m, rad", "zeros", "Coordinates at the beginning."),
        optional_with_default("v", ValueKind::Numbers, "m/s, rad/s", "zeros", "Their velocities."),
    ],
    law: false,
};
pub(super) static FORCE: Component = Component {
    name: "force",
    form: "[force.NAME]",
    doc: "A force or torque on a body.",
    keys: &[
        required("on", ValueKind::Node, "", "What it acts on."),
        required("force", ValueKind::Signal, "N, N·m", "The force."),
    ],
    law: false,
};

/// Reads how to run; returns the columns to keep.
pub(super) fn run(build: &mut Builder<'_>) -> Result<Vec<String>, Error> {
    let Some(s) = build.single(&RUN)? else { return Err(build.lacks("[run]", "how long: [run] and end = 10")) };
    let (start, end) = (s.number("start")?, s.number("end")?);
    s.check("end", end, end > start, "after the start")?;
    let positive = |key: &str| {
        let x = s.number(key)?;
        s.check(key, x, x > 0.0, "positive").map(|()| x)
    };
    let (rtol, max_step) = (positive("rtol")?, positive("max_step")?);
    let [atol, sample, step, max_steps] = ["atol", "sample", "step", "max_steps"].map(|key| {
        let x = s.optional_number(key)?;
        x.map_or(Ok(0.0), |x| s.check(key, x, x > 0.0, "positive").map(|()| x))
    });
    let method = s.choice("method", &IntegrationMethod::ALL.map(IntegrationMethod::name))?;
    let theta = s.number("theta")?;
    s.check("theta", theta, (0.5..=1.0).contains(&theta), "from 0.5 to 1")?;
    let record = s.texts("record")?;
    build.wanted.extend(record.iter().map(|(name, at)| ((*name).to_owned(), (*at).clone())));
    let mut options = build.options.clone();
    (options.start, options.end, options.rtol, options.max_step) = (start, end, rtol, max_step);
    options.max_seconds = s.number("max_seconds")?;
    (options.atol, options.sample, options.step, options.theta) = (atol?, sample?, step?, theta);
    (options.method, options.max_steps) = (IntegrationMethod::find(method).unwrap_or_default(), max_steps? as u64);
    // errors of the simulation options are reported here, with their position
    if let Err(SimError::Run { kind: SimErrorKind::InvalidOption { key, value, requirement }, .. }) =
        check_options(&options)
    {
        s.check(key, value, false, requirement)?;
    }
    build.options = options;
    Ok(record.into_iter().map(|(name, _)| name.to_owned()).collect())
}

/// Adds bodies, motions and plants.
pub(super) fn nodes(build: &mut Builder<'_>) -> Result<(), Error> {
    for s in build.each(&BODY)? {
        let (key, _) = s.exactly_one(&["mass", "inertia"])?;
        let body = Body { mass: s.number(key)?, x: s.number("x")?, v: s.number("v")?, rotates: key == "inertia" };
        build.system.body(s.name(), body).map_err(|error| s.at_key(error))?;
    }
    for s in build.each(&MOTION)? {
        let (key, node) = s.exactly_one(&["position", "velocity"])?;
        let given = build.signal(&s, key)?;
        let position = if key == "position" { Some(given) } else { given.integral(build.options.start) };
        let why = "has no integral among the signals: give the position";
        let position = position.ok_or_else(|| node.at.error(Error::Conflict { key: "velocity", why }))?;
        build.system.motion(s.name(), position, s.flag("turns")?).map_err(|error| s.at_key(error))?;
    }
    for s in build.each(&PLANT)? {
        let plant = plant(&s)?;
        let [x, v] = [s.numbers("x")?, s.numbers("v")?];
        for (key, list) in [("x", &x), ("v", &v)] {
            let (count, axes) = (list.len(), plant.axes().len());
            s.check(key, count as f64, count <= axes, "a list of one number for each coordinate")?;
        }
        build.system.plant(s.name(), plant, &x, &v).map_err(|error| s.at_key(error))?;
    }
    Ok(())
}

fn plant(s: &ComponentTable<'_>) -> Result<Plant, Error> {
    s.required("kind")?;
    let kind = s.choice("kind", &["pendulum", "cart-pendulum", "furuta"])?;
    let foreign: &[&'static str] = match kind {
        "pendulum" => &["cart", "arm", "arm_inertia"],
        "cart-pendulum" => &["arm", "arm_inertia"],
        _ => &["cart"],
    };
    if let Some((key, node)) = foreign.iter().find_map(|key| Some((*key, s.get(key)?))) {
        return Err(node.at.error(Error::Conflict { key, why: "belongs to another kind of plant" }));
    }
    let (mass, length) = (s.number("mass")?, s.number("length")?);
    let (inertia, gravity) = (s.number("inertia")?, s.number("gravity")?);
    Ok(match kind {
        "pendulum" => Plant::Pendulum { mass, length, inertia, gravity },
        "cart-pendulum" => Plant::CartPendulum { cart: s.number("cart")?, mass, length, inertia, gravity },
        _ => {
            let (arm_inertia, arm) = (s.number("arm_inertia")?, s.number("arm")?);
            Plant::Furuta { arm_inertia, arm, mass, length, inertia, gravity }
        }
    })
}

/// Adds forces.
pub(super) fn forces(build: &mut Builder<'_>) -> Result<(), Error> {
    for s in build.each(&FORCE)? {
        let (node, force) = (build.named_node(&s, "on")?, build.signal(&s, "force")?);
        build.system.force(s.name(), node, force).map_err(|error| s.at_key(error))?;
    }
    Ok(())
}
