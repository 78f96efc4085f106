//! Signals: functions of time.
use super::keys::{Component, Kind, may, must, num, or};
use super::points;
use super::section::Section;
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
        may("ramp", Kind::Table, "", "Constant, then rising or falling steadily, then constant."),
        may("step", Kind::Table, "", "One value, then another."),
        may("move", Kind::Table, "", "One value, then without a jolt to another."),
        may("sine", Kind::Table, "", "mean + amplitude sin(omega t + phase)."),
        may("chirp", Kind::Table, "", "amplitude sin(omega t + rate t² + phase)."),
        may("table", Kind::Table, "", "A curve through points in time."),
        may("sum", Kind::Other, "", "A list of signals, added."),
    ],
    law: false,
};
pub(super) static RAMP: Component = Component {
    name: "ramp",
    form: "{ ramp = { slope = ... } }",
    doc: "A signal that changes steadily for a while.",
    keys: &[
        must("slope", Kind::Number, "1/s", "Rise per second, in the unit of the signal."),
        num("start", "s", 0.0, "When it begins."),
        num("end", "s", f64::INFINITY, "When it ends."),
        num("offset", "", 0.0, "Value before it."),
    ],
    law: false,
};
pub(super) static STEP: Component = Component {
    name: "step",
    form: "{ step = { at = ..., after = ... } }",
    doc: "A signal that jumps.",
    keys: &[
        must("at", Kind::Number, "s", "When it jumps."),
        num("before", "", 0.0, "Value before."),
        must("after", Kind::Number, "", "Value from then on."),
    ],
    law: false,
};
pub(super) static MOVE: Component = Component {
    name: "move",
    form: "{ move = { after = ..., time = ... } }",
    doc: "A signal that goes from one value to another without a jolt: speed and acceleration are zero at both ends.",
    keys: &[
        num("start", "s", 0.0, "When it begins."),
        must("time", Kind::Number, "s", "How long it takes."),
        num("before", "", 0.0, "Value before."),
        must("after", Kind::Number, "", "Value after."),
    ],
    law: false,
};
pub(super) static SINE: Component = Component {
    name: "sine",
    form: "{ sine = { amplitude = ..., omega = ... } }",
    doc: "A harmonic signal. Its pace is omega or frequency.",
    keys: &[
        must("amplitude", Kind::Number, "", "Amplitude."),
        may("omega", Kind::Number, "rad/s", "Angular frequency."),
        may("frequency", Kind::Number, "Hz", "Frequency."),
        num("phase", "rad", 0.0, "Phase at t = 0."),
        num("mean", "", 0.0, "Mean."),
    ],
    law: false,
};
pub(super) static CHIRP: Component = Component {
    name: "chirp",
    form: "{ chirp = { amplitude = ..., omega = ..., rate = ... } }",
    doc: "A harmonic signal whose frequency rises: angular frequency omega + 2 rate t.",
    keys: &[
        must("amplitude", Kind::Number, "", "Amplitude."),
        may("omega", Kind::Number, "rad/s", "Angular frequency at t = 0."),
        may("frequency", Kind::Number, "Hz", "Frequency at t = 0."),
        must("rate", Kind::Number, "rad/s²", "Half the rise of the angular frequency per second."),
        num("phase", "rad", 0.0, "Phase at t = 0."),
    ],
    law: false,
};
pub(super) static TABLE: Component = Component {
    name: "table",
    form: "{ table = { points = [[x, y], ...] } }",
    doc: "A curve through points: over time, or over the stretch of a spring. Give points or a file.",
    keys: &[
        may("points", Kind::Other, "", "A list of pairs, the first numbers rising."),
        may("file", Kind::Text, "", "A CSV file, beside the scenario or from there; a first line of names is allowed."),
        or("columns", Kind::Columns, "", "the first two", "Names of the two columns of the file."),
        or("interpolation", Kind::Text, "", "linear", "\"linear\": straight lines; \"cubic\": a natural spline."),
    ],
    law: false,
};

const KINDS: [&str; 7] = ["ramp", "step", "move", "sine", "chirp", "table", "sum"];

/// Reads a signal; `key` is what it is for, `folder` where its files are.
pub(super) fn signal(key: &str, node: &TomlNode, folder: &Path) -> Result<Signal, Error> {
    match &node.value {
        TomlValue::Number(x) if x.is_finite() => return Ok(Signal::Constant(*x)),
        TomlValue::Table(_) => {}
        _ => return Err(node.wrong(key, "signal")),
    }
    let (kind, inner) = Section::of(key, node, &SIGNAL)?.one(&KINDS)?;
    let path = format!("{key}.{kind}");
    let section = |component| Section::of(&path, inner, component);
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
        "table" => Signal::Table(points::curve(&section(&TABLE)?, folder)?),
        _ => Signal::Sum(inner.list(&path)?.iter().map(|part| signal(&path, part, folder)).collect::<Result<_, _>>()?),
    })
}

fn omega(s: &Section<'_>) -> Result<f64, Error> {
    let (key, _) = s.one(&["omega", "frequency"])?;
    let x = s.number(key)?;
    Ok(if key == "frequency" { TAU * x } else { x })
}
