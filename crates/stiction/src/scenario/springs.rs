//! Springs, dampers, stops and gears.
use super::builder::Builder;
use super::component_table::ComponentTable;
use super::contacts;
use super::curve_points;
use super::freewheel::freewheels;
use super::keys::{Component, ValueKind, number, optional, optional_with_default, required};
use super::lossy_gear::{bearing, lossy_gear};
use super::planetary::planetary_gears;
use super::signal::TABLE;
use super::switch::{ENABLE, switch};
use super::switched_damper::switched_damper;
use crate::Error;
use crate::system::{Contact, ErrorWave, GROUND, KinematicError, Load, Node, Spring, Stop, SwitchedGear};
use crate::toml_tree::TomlValue;

const BETWEEN: super::keys::Key = required(
    "between",
    ValueKind::Nodes,
    "",
    "The two places it joins; displacement and velocity are those of the first relative to the second.",
);

pub(super) static SPRING: Component = Component {
    name: "spring",
    form: "[spring.NAME]",
    doc: "A spring: linear with a stiffness, or any curve with a table.",
    keys: &[
        BETWEEN,
        optional("stiffness", ValueKind::Number, "N/m, N·m/rad", "Stiffness."),
        optional(
            "table",
            ValueKind::Table,
            "",
            "Force [N, N·m] over stretch [m, rad], instead of the stiffness; extrapolated linearly beyond its ends.",
        ),
        number("rest", "m, rad", 0.0, "Displacement at which it has no force."),
        optional("preload", ValueKind::Number, "N, N·m", "Force at the beginning, instead of rest."),
        number("damping", "N·s/m, N·m·s/rad", 0.0, "Damping in parallel."),
        optional_with_default(
            "gap",
            ValueKind::Numbers,
            "m, rad",
            "none",
            "Two displacements from rest, as [-0.001, 0.001] or [-inf, 0]: between them it is slack. Beyond, it presses and never pulls; damping is at most as large as the elastic force.",
        ),
        ENABLE,
    ],
    law: false,
};
pub(super) static DAMPER: Component = Component {
    name: "damper",
    form: "[damper.NAME]",
    doc: "A linear damper.",
    keys: &[
        BETWEEN,
        required("damping", ValueKind::Number, "N·s/m, N·m·s/rad", "Damping."),
        optional_with_default(
            "enable",
            ValueKind::Signal,
            "",
            "1",
            "Factor of the damping: 1 is on, 0 is off. With it, its force on the first place is NAME.u, and its work counts as that of a controller.",
        ),
    ],
    law: false,
};
pub(super) static STOP: Component = Component {
    name: "stop",
    form: "[stop.NAME]",
    doc: "A hard stop: the displacement stays between lo and hi. Give one of them, or both.",
    keys: &[
        BETWEEN,
        number("lo", "m, rad", f64::NEG_INFINITY, "Smallest displacement."),
        number("hi", "m, rad", f64::INFINITY, "Largest displacement."),
        number(
            "restitution",
            "-",
            0.0,
            "Coefficient of restitution, speed after over speed before an impact, from 0 to 1.",
        ),
        ENABLE,
    ],
    law: false,
};
pub(super) static GEAR: Component = Component {
    name: "gear",
    form: "[gear.NAME]",
    doc: "A gear between two bodies, straight or turning: rigid, or with a stiffness.",
    keys: &[
        BETWEEN,
        optional(
            "ratio",
            ValueKind::Number,
            "",
            "Speed of the first over speed of the second; negative reverses the direction. Give it, lead or radii.",
        ),
        optional(
            "lead",
            ValueKind::Number,
            "m",
            "A screw: travel of the place that moves straight in a turn of the other; negative for a thread to the left.",
        ),
        optional(
            "radii",
            ValueKind::Numbers,
            "m",
            "A belt, or a pinion and rack: radii at the first and the second, 1 for a place that moves straight; the speeds at the belt are equal.",
        ),
        optional_with_default(
            "stiffness",
            ValueKind::Number,
            "N/m, N·m/rad",
            "rigid",
            "Stiffness, referred to the first.",
        ),
        number("damping", "N·s/m, N·m·s/rad", 0.0, "Damping in parallel with the stiffness."),
        number(
            "backlash",
            "m, rad",
            0.0,
            "Play at the first, from one flank to the other; it needs a stiffness, whose damping acts while flanks touch.",
        ),
        optional_with_default(
            "efficiency",
            ValueKind::Other,
            "-",
            "1",
            "Part of the power that a rigid gear passes on, at most 1: a number, or a table 'efficiency'.",
        ),
        optional_with_default(
            "bearing",
            ValueKind::Law,
            "",
            "none",
            "A law for the friction of the first against the ground. The contact is called NAME-bearing.",
        ),
        optional_with_default(
            "loss",
            ValueKind::Law,
            "",
            "none",
            "A law for the friction at the first, whose load is the transmitted torque; it needs a stiffness. The contact is called NAME-loss.",
        ),
        optional_with_default(
            "error",
            ValueKind::Other,
            "",
            "none",
            "Kinematic error: a table 'error' or a list of them. It needs a stiffness, and no backlash.",
        ),
        ENABLE,
    ],
    law: false,
};
pub(super) static ERROR: Component = Component {
    name: "error",
    form: "error = { ... }",
    doc: "Kinematic error of a gear: without a force the first is ahead by amplitude·sin(per_turn·angle + phase).",
    keys: &[
        required("amplitude", ValueKind::Number, "m, rad", "Amplitude, at the first."),
        number("per_turn", "-", 2.0, "Waves in a turn; 2 in a harmonic drive, whose wave generator has two lobes."),
        number("phase", "rad", 0.0, "Phase."),
        optional_with_default(
            "of",
            ValueKind::Node,
            "",
            "the one that turns, or the faster",
            "The place whose angle it is a function of: one of the two.",
        ),
    ],
    law: false,
};

/// Adds a rigid gear: one that signals switch, if it has one that is not always 1.
fn rigid_gear(build: &mut Builder<'_>, s: &ComponentTable<'_>, [a, b]: [Node; 2], ratio: f64) -> Result<(), Error> {
    let enable = build.signal_or(s, ENABLE.name, 1.0)?;
    let is_switched = !(enable.is_constant() && enable.at(0.0) == 1.0);
    let added = match (lossy_gear(build, s, ratio)?, is_switched) {
        (Some(gear), true) => build.system.switched_lossy_gear(s.name(), [a, b], gear, enable),
        (Some(gear), false) => build.system.lossy_gear(s.name(), a, b, gear),
        (None, true) => build.system.switched_gear(s.name(), a, b, SwitchedGear { ratio }, enable),
        (None, false) => build.system.gear(s.name(), a, b, 1.0 / ratio),
    };
    added.map_err(|error| s.at_key(error))
}

/// Where a rigid gear is on at the start, its places begin with speeds in its ratio. Whether one began to move.
fn begin_rigid_gear(build: &mut Builder<'_>, s: &ComponentTable<'_>) -> Result<bool, Error> {
    let is_on = build.signal_or(s, ENABLE.name, 1.0)?.at(build.options.start) == 1.0;
    if s.optional_number("stiffness")?.is_some() || !is_on {
        return Ok(false);
    }
    let ends = build.between(s)?;
    let ratio = gear_ratio(build, s, ends)?;
    build.system.begin_geared(s.name(), ends, ratio).map_err(|error| s.at_key(error))
}

/// Adds springs, dampers, gears, stops and freewheels.
pub(super) fn springs(build: &mut Builder<'_>) -> Result<(), Error> {
    for s in build.each(&SPRING)? {
        let ends = build.between(&s)?;
        let spring = spring(build, &s, ends)?;
        build.system.spring(s.name(), ends[0], ends[1], spring).map_err(|error| s.at_key(error))?;
        switch(build, &s, &[s.name()])?;
    }
    for s in build.each(&DAMPER)? {
        let [a, b] = build.between(&s)?;
        if s.get("enable").is_some() {
            switched_damper(build, &s, [a, b])?;
            continue;
        }
        let damper = Spring::damper(s.number("damping")?);
        build.system.spring(s.name(), a, b, damper).map_err(|error| s.at_key(error))?;
    }
    for s in build.each(&GEAR)? {
        gear(build, &s)?;
    }
    // speeds are passed on from gear to gear, in whatever order they stand in the file
    let gears = build.each(&GEAR)?;
    let mut follows = !gears.is_empty();
    while std::mem::take(&mut follows) {
        for s in &gears {
            follows |= begin_rigid_gear(build, s)?;
        }
    }
    for s in build.each(&STOP)? {
        let [a, b] = build.between(&s)?;
        if s.get("lo").is_none() && s.get("hi").is_none() {
            s.exactly_one(&["lo", "hi"])?;
        }
        let stop = Stop { lo: s.number("lo")?, hi: s.number("hi")?, restitution: s.number("restitution")? };
        build.system.stop(s.name(), a, b, stop).map_err(|error| s.at_key(error))?;
        switch(build, &s, &[s.name()])?;
    }
    planetary_gears(build)?;
    freewheels(build)
}

/// The gap of a spring, if it has one.
fn gap(s: &ComponentTable<'_>, kind: &str) -> Result<Option<[f64; 2]>, Error> {
    let Some(node) = s.get("gap") else { return Ok(None) };
    if kind == "table" {
        return Err(node.at.error(Error::Conflict { key: "gap", why: "needs a stiffness: a table has its own" }));
    }
    match s.numbers("gap")?[..] {
        [low, high] if low <= high && low < f64::INFINITY && high > f64::NEG_INFINITY => Ok(Some([low, high])),
        _ => Err(node.wrong("gap", "pair of displacements that rise")),
    }
}

fn spring(build: &Builder<'_>, s: &ComponentTable<'_>, ends: [Node; 2]) -> Result<Spring, Error> {
    let (kind, node) = s.exactly_one(&["stiffness", "table"])?;
    let mut spring = Spring { damping: s.number("damping")?, ..Spring::linear(0.0) };
    if kind == "table" {
        let path = format!("{}.table", s.path);
        spring.curve =
            Some(curve_points::curve_over_displacement(&ComponentTable::of(&path, node, &TABLE)?, build.folder)?);
    } else {
        spring.stiffness = s.number("stiffness")?;
    }
    spring.gap = gap(s, kind)?;
    spring.rest = match s.at_most_one(&["rest", "preload"])? {
        Some(("preload", node)) if spring.gap.is_some() => {
            let why = "is for springs without a gap: give the rest";
            return Err(node.at.error(Error::Conflict { key: "preload", why }));
        }
        Some(("preload", node)) if kind == "table" || spring.stiffness == 0.0 => {
            let why = "needs a stiffness: with a table, give the rest";
            return Err(node.at.error(Error::Conflict { key: "preload", why }));
        }
        Some(("preload", _)) => {
            let [a, b] = ends.map(|end| build.system.start(end, build.options.start));
            a - b - s.number("preload")? / spring.stiffness
        }
        _ => s.number("rest")?,
    };
    Ok(spring)
}

/// Speed of the first end over that of the second.
fn gear_ratio(build: &Builder<'_>, s: &ComponentTable<'_>, ends: [Node; 2]) -> Result<f64, Error> {
    let (key, node) = s.exactly_one(&["ratio", "lead", "radii"])?;
    let turning = ends.map(|end| build.system.nodes[end.0].rotates);
    match key {
        "lead" => {
            let lead = s.number("lead")?;
            s.check("lead", lead, lead != 0.0 && lead.is_finite(), "other than zero")?;
            let travel = lead / std::f64::consts::TAU;
            match turning {
                [false, true] => Ok(travel),
                [true, false] => Ok(1.0 / travel),
                _ => {
                    let why = "is of a screw: one of the two places turns, and the other moves straight";
                    Err(node.at.error(Error::Conflict { key: "lead", why }))
                }
            }
        }
        "radii" => match s.numbers("radii")?[..] {
            [first, second]
                if matches!(
                    (turning, [first == 1.0, second == 1.0]),
                    ([true, false], [_, false]) | ([false, true], [false, _])
                ) =>
            {
                let why = "has 1 for the place that moves straight, and the radius for the place that turns";
                Err(node.at.error(Error::Conflict { key: "radii", why }))
            }
            [first, second] if first * second != 0.0 && (second / first).is_finite() => Ok(second / first),
            _ => Err(node.wrong("radii", "pair of radii other than zero")),
        },
        _ => {
            let ratio = s.number("ratio")?;
            s.check("ratio", ratio, ratio != 0.0, "other than zero")?;
            Ok(ratio)
        }
    }
}

/// The kinematic error of a gear, if it has one.
fn kinematic_error(
    build: &Builder<'_>,
    s: &ComponentTable<'_>,
    ends: [Node; 2],
    ratio: f64,
) -> Result<Option<KinematicError>, Error> {
    let Some(node) = s.get("error") else { return Ok(None) };
    let items = if let TomlValue::List(items) = &node.value { &items[..] } else { std::slice::from_ref(node) };
    let turning = ends.map(|end| build.system.nodes[end.0].rotates);
    let mut error: Option<KinematicError> = None;
    for item in items {
        let wave = ComponentTable::of("error", item, &ERROR)?;
        let of = match wave.get("of") {
            // of a screw or a rack, the one that turns
            None if turning[0] != turning[1] => usize::from(turning[1]),
            None => usize::from(ratio.abs() < 1.0),
            Some(node) => {
                let place = build.named_node(&wave, "of")?;
                let of = ends.iter().position(|end| *end == place).ok_or_else(|| {
                    let why = "is not one of the two places that the gear joins";
                    node.at.error(Error::Conflict { key: "of", why })
                })?;
                if !turning[of] && turning[1 - of] {
                    let why = "is a place that moves straight: the waves are those of a turn of the other";
                    return Err(node.at.error(Error::Conflict { key: "of", why }));
                }
                of
            }
        };
        let error = error.get_or_insert(KinematicError { of_second: of == 1, waves: Vec::new() });
        if error.of_second != (of == 1) {
            let why = "has to be the same place in all waves of a gear";
            return Err(wave.head.error(Error::Conflict { key: "of", why }));
        }
        error.waves.push(ErrorWave {
            amplitude: wave.number("amplitude")?,
            per_turn: wave.number("per_turn")?,
            phase: wave.number("phase")?,
        });
    }
    if error.is_some() && s.get("backlash").is_some_and(|_| s.number("backlash").is_ok_and(|x| x > 0.0)) {
        let why = "cannot be combined with backlash: give them to two gears in series";
        return Err(node.at.error(Error::Conflict { key: "error", why }));
    }
    Ok(error)
}

fn gear(build: &mut Builder<'_>, s: &ComponentTable<'_>) -> Result<(), Error> {
    let [a, b] = build.between(s)?;
    let ratio = gear_ratio(build, s, [a, b])?;
    let Some(stiffness) = s.optional_number("stiffness")? else {
        for key in ["damping", "backlash", "loss", "error"] {
            if let Some(node) = s.get(key) {
                return Err(node.at.error(Error::Conflict {
                    key,
                    why: "needs a stiffness: without one the gear is rigid, and has no damping, play, loss or error",
                }));
            }
        }
        rigid_gear(build, s, [a, b], ratio)?;
        return bearing(build, s, a);
    };
    if let Some(node) = s.get("efficiency") {
        let why = "is of a rigid gear: with a stiffness, give the loss as a law";
        return Err(node.at.error(Error::Conflict { key: "efficiency", why }));
    }
    let backlash = s.number("backlash")?;
    s.check("backlash", backlash, backlash >= 0.0, "0 or more")?;
    let gap = (backlash > 0.0).then_some([-0.5 * backlash, 0.5 * backlash]);
    let error = kinematic_error(build, s, [a, b], ratio)?;
    let spring = Spring { damping: s.number("damping")?, ratio, gap, error, ..Spring::linear(stiffness) };
    build.system.spring(s.name(), a, b, spring).map_err(|error| s.at_key(error))?;
    switch(build, s, &[s.name()])?;
    if let Some(node) = s.get("loss") {
        let spec = contacts::law_at(build, "loss", node)?;
        let load = Load::Spring { name: s.name().to_owned(), gain: 1.0 };
        let name = format!("{}-loss", s.name());
        let contact = Contact::new(&spec).map_err(|error| node.at.error(error))?.with_load(load);
        build.system.contact(&name, a, GROUND, contact).map_err(|error| s.at_key(error))?;
        switch(build, s, &[&name])?;
    }
    bearing(build, s, a)
}
