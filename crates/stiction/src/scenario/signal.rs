//! Signals: functions of time.
use super::component_table::ComponentTable;
use super::curve_points;
use super::keys::{Component, ValueKind, number, optional, optional_with_default, required};
use crate::Error;
use crate::system::Signal;
use crate::toml_tree::{TomlNode, TomlValue};
use std::f64::consts::TAU;
use std::path::Path;

pub(super) static SIGNAL: Component = Component {
    name: "signal",
    form: "{ KIND = { ... } }",
    doc: "A function of time: a number, which is constant, or exactly one of these.",
    keys: &[
        optional("ramp", ValueKind::Table, "", "Constant, then rising or falling steadily, then constant."),
        optional("step", ValueKind::Table, "", "One value, then another."),
        optional("move", ValueKind::Table, "", "One value, then a smooth transition to another."),
        optional("sine", ValueKind::Table, "", "mean + amplitude sin(omega t + phase)."),
        optional("chirp", ValueKind::Table, "", "amplitude sin(omega t + rate t² + phase)."),
        optional("table", ValueKind::Table, "", "A curve through points in time."),
        optional("pulses", ValueKind::Table, "", "One value, and another for a while, once or again and again."),
        optional("noise", ValueKind::Table, "", "Random numbers at even instants, the same for the same seed."),
        optional("sum", ValueKind::Other, "", "A list of signals, added."),
        optional("product", ValueKind::Other, "", "A list of signals, multiplied."),
    ],
    law: false,
};
pub(super) static RAMP: Component = Component {
    name: "ramp",
    form: "{ ramp = { slope = ... } }",
    doc: "A signal that changes steadily for a while.",
    keys: &[
        required("slope", ValueKind::Number, "1/s", "Rise per second, in the unit of the signal."),
        number("start", "s", 0.0, "When it begins."),
        number("end", "s", f64::INFINITY, "When it ends."),
        number("offset", "", 0.0, "Value before it."),
    ],
    law: false,
};
pub(super) static STEP: Component = Component {
    name: "step",
    form: "{ step = { at = ..., after = ... } }",
    doc: "A signal that jumps.",
    keys: &[
        required("at", ValueKind::Number, "s", "When it jumps."),
        number("before", "", 0.0, "Value before."),
        required("after", ValueKind::Number, "", "Value from then on."),
    ],
    law: false,
};
pub(super) static MOVE: Component = Component {
    name: "move",
    form: "{ move = { after = ..., time = ... } }",
    doc: "A smooth transition from one value to another: speed and acceleration are zero at both ends.",
    keys: &[
        number("start", "s", 0.0, "When it begins."),
        required("time", ValueKind::Number, "s", "How long it takes."),
        number("before", "", 0.0, "Value before."),
        required("after", ValueKind::Number, "", "Value after."),
    ],
    law: false,
};
pub(super) static SINE: Component = Component {
    name: "sine",
    form: "{ sine = { amplitude = ..., omega = ... } }",
    doc: "A harmonic signal. Give omega or frequency.",
    keys: &[
        required("amplitude", ValueKind::Number, "", "Amplitude."),
        optional("omega", ValueKind::Number, "rad/s", "Angular frequency."),
        optional("frequency", ValueKind::Number, "Hz", "Frequency."),
        number("phase", "rad", 0.0, "Phase at t = 0."),
        number("mean", "", 0.0, "Mean."),
    ],
    law: false,
};
pub(super) static CHIRP: Component = Component {
    name: "chirp",
    form: "{ chirp = { amplitude = ..., omega = ..., rate = ... } }",
    doc: "A harmonic signal whose frequency rises: angular frequency omega + 2 rate t.",
    keys: &[
        required("amplitude", ValueKind::Number, "", "Amplitude."),
        optional("omega", ValueKind::Number, "rad/s", "Angular frequency at t = 0."),
        optional("frequency", ValueKind::Number, "Hz", "Frequency at t = 0."),
        required("rate", ValueKind::Number, "rad/s²", "Half the rise of the angular frequency per second."),
        number("phase", "rad", 0.0, "Phase at t = 0."),
    ],
    law: false,
};
pub(super) static PULSES: Component = Component {
    name: "pulses",
    form: "{ pulses = { width = ..., period = ... } }",
    doc: "Pulses that begin at start and then every period; without a period a single one, a window in time.",
    keys: &[
        number("start", "s", 0.0, "When the first begins."),
        required("width", ValueKind::Number, "s", "How long one lasts."),
        optional_with_default(
            "period",
            ValueKind::Number,
            "s",
            "a single pulse",
            "Time from one beginning to the next.",
        ),
        optional_with_default("count", ValueKind::Number, "-", "without end", "How many there are, with a period."),
        number("high", "", 1.0, "Value during a pulse."),
        number("low", "", 0.0, "Value otherwise."),
    ],
    law: false,
};
pub(super) static NOISE: Component = Component {
    name: "noise",
    form: "{ noise = { deviation = ..., interval = ... } }",
    doc: "Normal random numbers of mean zero at multiples of the interval, independent of each other.",
    keys: &[
        required(
            "deviation",
            ValueKind::Number,
            "",
            "Standard deviation of the numbers; straight lines between them have 0.82 of it.",
        ),
        required("interval", ValueKind::Number, "s", "Time between two numbers."),
        number("seed", "-", 1.0, "A whole number; another one gives other numbers."),
        optional_with_default(
            "interpolation",
            ValueKind::Text,
            "",
            "linear",
            "\"linear\": straight lines; \"hold\": each value until the next.",
        ),
    ],
    law: false,
};
pub(super) static TABLE: Component = Component {
    name: "table",
    form: "{ table = { points = [[x, y], ...] } }",
    doc: "A curve through points: over time, or over the stretch of a spring. Give points or a file.",
    keys: &[
        optional(
            "points",
            ValueKind::Other,
            "",
            "A list of pairs; the first numbers must increase. Over time, two pairs with the same first number are a jump of straight lines.",
        ),
        optional(
            "file",
            ValueKind::Text,
            "",
            "A CSV file, beside the scenario or from there; a first line of names is allowed.",
        ),
        optional_with_default(
            "columns",
            ValueKind::Columns,
            "",
            "the first two",
            "Names of the two columns of the file.",
        ),
        optional_with_default(
            "interpolation",
            ValueKind::Text,
            "",
            "linear",
            "\"linear\": straight lines; \"cubic\": a natural spline; \"hold\": each value until the next point, over time only.",
        ),
        number("delay", "s", 0.0, "Over time only: how much later the curve comes; its first value holds until then."),
    ],
    law: false,
};

const SIGNAL_KINDS: [&str; 10] =
    ["ramp", "step", "move", "sine", "chirp", "table", "pulses", "noise", "sum", "product"];

/// Reads a signal; `key` is what it is for, `folder` where its files are.
pub(super) fn signal(key: &str, node: &TomlNode, folder: &Path) -> Result<Signal, Error> {
    match &node.value {
        TomlValue::Number(x) if x.is_finite() => return Ok(Signal::Constant(*x)),
        TomlValue::Table(_) => {}
        _ => return Err(node.wrong(key, "signal")),
    }
    let (kind, inner) = ComponentTable::of(key, node, &SIGNAL)?.exactly_one(&SIGNAL_KINDS)?;
    let path = format!("{key}.{kind}");
    let section = |component| ComponentTable::of(&path, inner, component);
    Ok(match kind {
        "ramp" => {
            let s = section(&RAMP)?;
            let (start, end) = (s.number("start")?, s.number("end")?);
            s.check("end", end, end >= start, "after the start")?;
            Signal::Ramp { offset: s.number("offset")?, slope: s.number("slope")?, start, end }
        }
        "step" => {
            let s = section(&STEP)?;
            Signal::Step { before: s.number("before")?, after: s.number("after")?, at: s.number("at")? }
        }
        "move" => {
            let s = section(&MOVE)?;
            let (start, time) = (s.number("start")?, s.number("time")?);
            s.check("time", time, time > 0.0, "above 0")?;
            Signal::MinimumJerk { before: s.number("before")?, after: s.number("after")?, start, time }
        }
        "sine" => {
            let s = section(&SINE)?;
            let (mean, phase) = (s.number("mean")?, s.number("phase")?);
            Signal::Sine { mean, amplitude: s.number("amplitude")?, omega: omega(&s)?, phase }
        }
        "chirp" => {
            let s = section(&CHIRP)?;
            let (rate, phase) = (s.number("rate")?, s.number("phase")?);
            Signal::Chirp { amplitude: s.number("amplitude")?, omega: omega(&s)?, rate, phase }
        }
        "table" => Signal::Table(curve_points::curve_over_time(&section(&TABLE)?, folder)?),
        "pulses" => pulses(&section(&PULSES)?)?,
        "noise" => noise(&section(&NOISE)?)?,
        _ => {
            let parts: Vec<Signal> =
                inner.list(&path)?.iter().map(|part| signal(&path, part, folder)).collect::<Result<_, _>>()?;
            match kind {
                "product" if parts.is_empty() => return Err(inner.wrong(&path, "list of signals, not empty")),
                "product" => Signal::Product(parts),
                _ => Signal::Sum(parts),
            }
        }
    })
}

fn pulses(s: &ComponentTable<'_>) -> Result<Signal, Error> {
    let (low, high, start) = (s.number("low")?, s.number("high")?, s.number("start")?);
    let width = s.number("width")?;
    s.check("width", width, width > 0.0 && width.is_finite(), "above 0")?;
    if s.get("period").is_none() {
        if let Some(node) = s.get("count") {
            return Err(node.at.error(Error::Conflict { key: "count", why: "needs a period" }));
        }
        return Ok(Signal::Pulses { low, high, start, width, period: width, count: 1.0 });
    }
    let period = s.number("period")?;
    s.check("period", period, period >= width && period.is_finite(), "the width or more")?;
    let count = if s.get("count").is_some() { s.number("count")? } else { f64::INFINITY };
    s.check("count", count, count >= 1.0 && count.fract() == 0.0 || count.is_infinite(), "a whole number from 1")?;
    Ok(Signal::Pulses { low, high, start, width, period, count })
}

fn noise(s: &ComponentTable<'_>) -> Result<Signal, Error> {
    let (deviation, interval, seed) = (s.number("deviation")?, s.number("interval")?, s.number("seed")?);
    s.check("deviation", deviation, deviation >= 0.0, "0 or more")?;
    s.check("interval", interval, interval > 0.0, "above 0")?;
    let whole = (0.0..=f64::from(u32::MAX)).contains(&seed) && seed.fract() == 0.0;
    s.check("seed", seed, whole, "a whole number from 0 to 4294967295")?;
    let held = s.choice("interpolation", &["linear", "hold"])? == "hold";
    Ok(Signal::Noise { deviation, interval, seed: seed as u32, held })
}

fn omega(s: &ComponentTable<'_>) -> Result<f64, Error> {
    let (key, _) = s.exactly_one(&["omega", "frequency"])?;
    let x = s.number(key)?;
    Ok(if key == "frequency" { TAU * x } else { x })
}
