//! Measures of a run.
use super::builder::Builder;
use super::component_table::{ComponentTable, unknown_name};
use super::keys::{Component, ValueKind, number, optional, optional_with_default};
use crate::Error;
use crate::number::short;
use crate::sim::{CrossingDirection, Probe};
use crate::toml_text;
use crate::toml_tree::SourceLocation;

pub(super) static MEASURE: Component = Component {
    name: "measure",
    form: "[measure]",
    doc: "Quantities to measure, with the accuracy of the solver: NAME = { one of event, at, max, min, range, mean, rms, final, settle, cross, period, count }.",
    keys: &[
        optional("event", ValueKind::Text, "", "NAME.KIND, such as table.slip: the value of a column at an event."),
        number("nth", "", 1.0, "With event and cross: which one, from 1; from the end if negative."),
        optional_with_default("column", ValueKind::Text, "", "t", "With event or at: which column."),
        optional("at", ValueKind::Number, "s", "The value of a column at a time."),
        optional("max", ValueKind::Text, "", "The largest value of a column."),
        optional("min", ValueKind::Text, "", "The smallest value of a column."),
        optional("range", ValueKind::Text, "", "Largest less smallest value of a column."),
        optional("mean", ValueKind::Text, "", "The mean of a column over time."),
        optional("rms", ValueKind::Text, "", "The root mean square of a column."),
        optional("final", ValueKind::Text, "", "The value of a column at the end."),
        optional("settle", ValueKind::Text, "", "The time after which a column stays near a value until the end."),
        optional(
            "cross",
            ValueKind::Text,
            "",
            "The time at which a column goes from one side of a value to the other.",
        ),
        number("value", "", 0.0, "With settle and cross: the value, in the column's unit."),
        optional(
            "band",
            ValueKind::Number,
            "",
            "With settle: largest deviation from the value that counts as settled.",
        ),
        optional_with_default("way", ValueKind::Text, "", "either", "With cross: rising, falling or either."),
        optional_with_default(
            "from",
            ValueKind::Number,
            "s",
            "start",
            "Not before this time; not with at, final, period, count.",
        ),
        optional_with_default(
            "to",
            ValueKind::Number,
            "s",
            "end",
            "With max, min, range, mean and rms: not after this time.",
        ),
        optional("show", ValueKind::Text, "", "With max, min and cross: another column, such as t, at that instant."),
        optional(
            "period",
            ValueKind::Text,
            "",
            "CONTACT.KIND: time after which the motion repeats, from one such event to another, at the end of the run.",
        ),
        optional_with_default(
            "every",
            ValueKind::Number,
            "",
            "found",
            "With period: how many such events make one period; left out, as many as there are until the motion repeats.",
        ),
        optional("count", ValueKind::Text, "", "CONTACT.KIND: how many such events."),
    ],
    law: false,
};
/// The kinds of event.
const EVENTS: [&str; 20] = [
    "stick",
    "slip",
    "slip+",
    "slip-",
    "reverse",
    "reverse+",
    "reverse-",
    "impact",
    "rest",
    "leave",
    "engage",
    "disengage",
    "touch",
    "touch+",
    "touch-",
    "separate",
    "separate+",
    "separate-",
    "enable",
    "disable",
];

/// Adds a probe for each measure; returns their names.
pub(super) fn measures(build: &mut Builder<'_>) -> Result<Vec<String>, Error> {
    let Some(table) = build.table("measure")? else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for entry in &table.0 {
        let path = format!("measure.{}", entry.key);
        let s = ComponentTable::new(&path, entry.node.table(&path)?, &entry.at, &MEASURE)?;
        let probe = probe(build, &s)?;
        let probe = if outside(build, &s)? { never(probe) } else { probe };
        build.options.probes.push(probe);
        names.push(entry.key.clone());
    }
    Ok(names)
}

/// Whether a measure begins after the end of the run, which happens if the run is made shorter: then it has no value, and
/// the scenario says so.
fn outside(build: &mut Builder<'_>, s: &ComponentTable<'_>) -> Result<bool, Error> {
    let end = build.options.end;
    let key = if s.get("at").is_some() { "at" } else { "from" };
    let Some(begin) = s.optional_number(key)? else { return Ok(false) };
    // a single time may be the end itself, a span may not
    if begin < end || begin == end && key == "at" {
        return Ok(false);
    }
    let (name, begin, end) = (toml_text::key(s.name()), short(begin), short(end));
    let lies = if key == "at" { "after" } else { "not before" };
    let why = format!("{key} = {begin} s is {lies} the end of the run, run.end = {end} s");
    build.notes.push(format!("measure.{name} has no value: {why}"));
    build.no_value.push((s.name().to_owned(), why));
    Ok(true)
}

/// The same probe at a time that no run reaches.
fn never(probe: Probe) -> Probe {
    let late = f64::MAX;
    match probe {
        Probe::At { column, .. } => Probe::At { column, t: late },
        Probe::Max { column, .. } => Probe::Max { column, from: late, to: late },
        Probe::Min { column, .. } => Probe::Min { column, from: late, to: late },
        Probe::MaxAt { column, show, .. } => Probe::MaxAt { column, from: late, to: late, show },
        Probe::MinAt { column, show, .. } => Probe::MinAt { column, from: late, to: late, show },
        Probe::Range { column, .. } => Probe::Range { column, from: late, to: late },
        Probe::Mean { column, .. } => Probe::Mean { column, from: late, to: late },
        Probe::Rms { column, .. } => Probe::Rms { column, from: late, to: late },
        // of these, what begins later than the run has no answer by itself
        other => other,
    }
}

/// The kinds of measure, with the further keys that each takes.
const MEASURE_KINDS: [(&str, &[&str]); 12] = [
    ("event", &["nth", "column", "from"]),
    ("at", &["column"]),
    ("max", &["from", "to", "show"]),
    ("min", &["from", "to", "show"]),
    ("range", &["from", "to"]),
    ("mean", &["from", "to"]),
    ("rms", &["from", "to"]),
    ("final", &[]),
    ("settle", &["value", "band", "from"]),
    ("cross", &["value", "way", "nth", "from", "show"]),
    ("period", &["every"]),
    ("count", &[]),
];

fn probe(build: &mut Builder<'_>, s: &ComponentTable<'_>) -> Result<Probe, Error> {
    let (kind, node) = s.exactly_one(&MEASURE_KINDS.map(|(kind, _)| kind))?;
    let fits = MEASURE_KINDS.iter().find(|(name, _)| *name == kind).map_or(&[][..], |(_, fits)| fits);
    for key in ["nth", "column", "value", "band", "way", "from", "to", "show", "every"] {
        if let Some(node) = s.get(key).filter(|_| !fits.contains(&key)) {
            return Err(node.at.error(Error::Conflict { key, why: "does not go with this kind of measure" }));
        }
    }
    let (start, end) = (build.options.start, build.options.end);
    let from = s.optional_number("from")?.unwrap_or(start);
    let to = s.optional_number("to")?.unwrap_or(end);
    if fits.contains(&"to") {
        s.check("to", to, to > from || s.get("to").is_none() && from >= end, "after from")?;
    }
    let mut column = |key: &'static str| match s.get(key) {
        Some(node) => Ok(Some(build.column(node.text(key)?, &node.at))),
        None => Ok::<_, Error>(None),
    };
    let show = column("show")?;
    let other = column("column")?;
    match kind {
        "event" | "period" | "count" => return event_probe(build, s, kind, from, other),
        "at" => {
            let t = s.number("at")?;
            if t < start {
                let at = s.get("at").map_or(s.head, |node| &node.at);
                return Err(at.error(Error::BeforeStart {
                    name: format!("measure.{}", toml_text::key(s.name())),
                    at: t,
                    start,
                }));
            }
            let column = other.map_or_else(|| s.required("column").map(|_| String::new()), Ok)?;
            return Ok(Probe::At { column, t });
        }
        _ => {}
    }
    let column = build.column(node.text(kind)?, &node.at);
    Ok(match (kind, show) {
        ("max", None) => Probe::Max { column, from, to },
        ("max", Some(show)) => Probe::MaxAt { column, from, to, show },
        ("min", None) => Probe::Min { column, from, to },
        ("min", Some(show)) => Probe::MinAt { column, from, to, show },
        ("range", _) => Probe::Range { column, from, to },
        ("mean", _) => Probe::Mean { column, from, to },
        ("rms", _) => Probe::Rms { column, from, to },
        ("settle", _) => {
            let (value, band) = (s.number("value")?, s.number("band")?);
            s.check("band", band, band > 0.0, "positive")?;
            Probe::Settle { column, value, band, from }
        }
        ("cross", show) => {
            let way = match s.choice("way", &["either", "rising", "falling"])? {
                "rising" => CrossingDirection::Rising,
                "falling" => CrossingDirection::Falling,
                _ => CrossingDirection::Either,
            };
            let show = show.unwrap_or_else(|| "t".to_owned());
            Probe::Cross { column, value: s.number("value")?, way, nth: nth(s)?, from, show }
        }
        _ => Probe::Final { column },
    })
}

/// Index of the event, from 1, or from the end if negative.
fn nth(s: &ComponentTable<'_>) -> Result<i32, Error> {
    let nth = s.whole_number("nth", -1e9)?;
    s.check("nth", nth, nth != 0.0, "1 or more, or negative")?;
    Ok(nth as i32)
}

/// A measure of events.
fn event_probe(
    build: &Builder<'_>,
    s: &ComponentTable<'_>,
    kind: &'static str,
    from: f64,
    column: Option<String>,
) -> Result<Probe, Error> {
    let node = s.required(kind)?;
    let (part, what) = event(build, node.text(kind)?, &node.at)?;
    Ok(match kind {
        "event" => {
            let column = column.unwrap_or_else(|| "t".to_owned());
            Probe::Event { part, kind: what, nth: nth(s)?, column, from }
        }
        "period" if s.get("every").is_some() => {
            let every = Some(s.whole_number("every", 1.0)? as u32);
            Probe::Period { part, kind: what, every }
        }
        "period" => Probe::Period { part, kind: what, every: None },
        _ => Probe::Count { part, kind: what },
    })
}

/// `table.slip+`: component and kind of an event.
fn event(build: &Builder<'_>, text: &str, at: &SourceLocation) -> Result<(String, String), Error> {
    let system = &build.system;
    let gaps = system.springs.iter().filter(|j| j.component.gap.is_some()).map(|j| &j.name);
    let names = system.contacts.iter().map(|j| &j.name).chain(system.stops.iter().map(|j| &j.name));
    let names = names.chain(system.freewheels.iter().map(|j| &j.name)).chain(gaps);
    let names = names.chain(system.switched_gears.iter().map(|j| &j.name));
    let names = names.chain(system.lossy_gears.iter().map(|j| &j.name));
    let names = names.chain(system.plane_system.bodies.iter().map(|body| &body.name));
    let mut parts: Vec<&str> = names.map(String::as_str).collect();
    // springs without a gap have no events but these
    parts.extend(system.switches().map(|(name, _)| name).filter(|name| !parts.contains(name)).collect::<Vec<_>>());
    let (part, kind) = text.rsplit_once('.').unwrap_or((text, ""));
    if !parts.contains(&part) {
        let error = build.missing_block(part).unwrap_or_else(|| {
            unknown_name("contact, stop, freewheel, spring with a gap, gear with an efficiency or component that a signal switches", part, &parts)
        });
        return Err(at.error(error));
    }
    let guard = kind.strip_prefix("guard").map(|rest| rest.trim_end_matches(['+', '-']));
    if EVENTS.contains(&kind) || guard.is_some_and(|number| number.parse::<u8>().is_ok()) {
        return Ok((part.to_owned(), kind.to_owned()));
    }
    let known: Vec<&str> = EVENTS.into_iter().chain(["guard1+", "guard1-"]).collect();
    Err(at.error(unknown_name("event", kind, &known)))
}

impl Builder<'_> {
    /// A column that the simulation must have.
    pub fn column(&mut self, name: &str, at: &SourceLocation) -> String {
        self.wanted.push((name.to_owned(), at.clone()));
        name.to_owned()
    }
    /// A column or a formula of columns that a picture shows.
    pub fn quantity(&mut self, text: &str, at: &SourceLocation) -> String {
        self.shown.push((text.to_owned(), at.clone()));
        text.to_owned()
    }
}
