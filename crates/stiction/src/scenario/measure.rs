//! What to find out, and what to show.
use super::build::Builder;
use super::keys::{Component, Kind, may, must, num, or};
use super::section::{Section, nobody};
use crate::Error;
use crate::sim::Probe;
use crate::tree::{At, Value};

pub(super) static MEASURE: Component = Component {
    name: "measure",
    form: "[measure]",
    doc: "Numbers to find out, with the accuracy of the solver: NAME = { one of event, column with at, max, min, period, count }.",
    keys: &[
        may("event", Kind::Text, "", "CONTACT.KIND or STOP.KIND: the value of a column at an event."),
        num("nth", "", 1.0, "With event: which one, from 1; from the end if negative."),
        or("column", Kind::Text, "", "t", "With event or at: which column."),
        may("at", Kind::Number, "s", "The value of a column at a time."),
        may("max", Kind::Text, "", "The largest value of a column."),
        may("min", Kind::Text, "", "The smallest value of a column."),
        or("from", Kind::Number, "s", "start", "With event, max and min: not before this time."),
        or("to", Kind::Number, "s", "end", "With max and min: not after this time."),
        may("show", Kind::Text, "", "With max and min: another column (t, say) at that place."),
        may("period", Kind::Text, "", "CONTACT.KIND: time from one such event to another, at the end of the run."),
        num("every", "", 1.0, "With period: how many such events make one period."),
        may("count", Kind::Text, "", "CONTACT.KIND: how many such events."),
    ],
    law: false,
};
pub(super) static PLOT: Component = Component {
    name: "plot",
    form: "[[plot]]",
    doc: "A picture: one panel, or several above each other with the same horizontal axis.",
    keys: &[
        or("name", Kind::Text, "", "plot-1, ...", "Name of its file."),
        or("title", Kind::Text, "", "that of the scenario", "What stands above it."),
        or("x", Kind::Text, "", "t", "Column of the horizontal axis."),
        must("y", Kind::Other, "", "A list of columns; or a list of such lists, one for each panel."),
    ],
    law: false,
};

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Name of its file, without ending.
    pub name: String,
    /// What stands above it.
    pub title: String,
    /// Column of the horizontal axis.
    pub x: String,
    /// Panels, from above.
    pub panels: Vec<Panel>,
}

/// Columns in one panel.
pub type Panel = Vec<String>;

/// The kinds of event, and those that count through a law's guards.
const EVENTS: [&str; 10] =
    ["stick", "slip", "slip+", "slip-", "reverse", "reverse+", "reverse-", "impact", "rest", "leave"];

/// Adds a probe for each measure; returns their names.
pub(super) fn measures(build: &mut Builder<'_>) -> Result<Vec<String>, Error> {
    let Some(table) = build.table("measure")? else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for entry in &table.0 {
        let path = format!("measure.{}", entry.key);
        let s = Section::new(&path, entry.node.table(&path)?, &entry.at, &MEASURE)?;
        let probe = probe(build, &s)?;
        build.options.probes.push(probe);
        names.push(entry.key.clone());
    }
    Ok(names)
}

fn probe(build: &mut Builder<'_>, s: &Section<'_>) -> Result<Probe, Error> {
    let (kind, node) = s.one(&["event", "at", "max", "min", "period", "count"])?;
    let fits: &[&str] = match kind {
        "event" => &["nth", "column", "from"],
        "at" => &["column"],
        "max" | "min" => &["from", "to", "show"],
        "period" => &["every"],
        _ => &[],
    };
    for key in ["nth", "column", "from", "to", "show", "every"] {
        if let Some(node) = s.get(key).filter(|_| !fits.contains(&key)) {
            return Err(node.at.error(Error::Clash { key, why: "does not go with this kind of measure" }));
        }
    }
    let (start, end) = (build.options.start, build.options.end);
    let from = s.maybe("from")?.unwrap_or(start);
    if kind == "max" || kind == "min" {
        let to = s.maybe("to")?.unwrap_or(end);
        s.check("to", to, to > from, "after from")?;
        let column = build.column(node.text(kind)?, &node.at);
        let show = match s.get("show") {
            Some(node) => Some(build.column(node.text("show")?, &node.at)),
            None => None,
        };
        return Ok(match (kind, show) {
            ("max", None) => Probe::Max { column, from, to },
            ("max", Some(show)) => Probe::MaxAt { column, from, to, show },
            (_, None) => Probe::Min { column, from, to },
            (_, Some(show)) => Probe::MinAt { column, from, to, show },
        });
    }
    let column = match s.get("column") {
        Some(node) => build.column(node.text("column")?, &node.at),
        None if kind == "at" => s.must("column").map(|_| String::new())?,
        None => "t".to_owned(),
    };
    if kind == "at" {
        let t = s.number("at")?;
        s.check("at", t, (start..=end).contains(&t), "within the run")?;
        return Ok(Probe::At { column, t });
    }
    let (part, what) = event(build, node.text(kind)?, &node.at)?;
    Ok(match kind {
        "event" => {
            let nth = s.whole("nth", -1e9)?;
            s.check("nth", nth, nth != 0.0, "1 or more, or negative")?;
            Probe::Event { part, kind: what, nth: nth as i32, column, from }
        }
        "period" => {
            let every = s.whole("every", 1.0)?;
            Probe::Period { part, kind: what, every: every as u32 }
        }
        _ => Probe::Count { part, kind: what },
    })
}

/// `table.slip+`: component and kind of an event.
fn event(build: &Builder<'_>, text: &str, at: &At) -> Result<(String, String), Error> {
    let system = &build.system;
    let parts: Vec<&str> =
        system.contacts.iter().map(|j| j.name.as_str()).chain(system.stops.iter().map(|j| j.name.as_str())).collect();
    let (part, kind) = text.rsplit_once('.').unwrap_or((text, ""));
    if !parts.contains(&part) {
        return Err(at.error(nobody("contact or stop", part, &parts)));
    }
    let guard = kind.strip_prefix("guard").map(|rest| rest.trim_end_matches(['+', '-']));
    if EVENTS.contains(&kind) || guard.is_some_and(|number| number.parse::<u8>().is_ok()) {
        return Ok((part.to_owned(), kind.to_owned()));
    }
    let known: Vec<&str> = EVENTS.into_iter().chain(["guard1+", "guard1-"]).collect();
    Err(at.error(nobody("event", kind, &known)))
}

/// Reads the pictures.
pub(super) fn plots(build: &mut Builder<'_>) -> Result<Vec<Plot>, Error> {
    let mut plots: Vec<Plot> = Vec::new();
    for (i, s) in build.list(&PLOT)?.into_iter().enumerate() {
        let text = |key: &str| s.text(key).map(|text| text.map(str::to_owned));
        let x = match s.get("x") {
            Some(node) => build.column(node.text("x")?, &node.at),
            None => "t".to_owned(),
        };
        let node = s.must("y")?;
        let list = node.list("y")?;
        let nested = list.iter().any(|item| matches!(item.value, Value::List(_)));
        let groups =
            if nested { list.iter().map(|item| item.list("y")).collect::<Result<_, _>>()? } else { vec![list] };
        let mut panels = Vec::new();
        for group in groups {
            let panel = group.iter().map(|item| Ok(build.column(item.text("y")?, &item.at)));
            panels.push(panel.collect::<Result<Panel, Error>>()?);
        }
        if panels.iter().any(Vec::is_empty) {
            return Err(node.wrong("y", "list of columns"));
        }
        let name = text("name")?.unwrap_or_else(|| format!("plot-{}", i + 1));
        let fits = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(fits) || plots.iter().any(|plot| plot.name == name) {
            let at = s.get("name").map_or(s.head, |node| &node.at);
            return Err(at.error(Error::Clash { key: "name", why: "must be of letters, digits, - and _, and its own" }));
        }
        plots.push(Plot { name, title: text("title")?.unwrap_or_default(), x, panels });
    }
    Ok(plots)
}

impl Builder<'_> {
    /// A column that must be there in the end.
    fn column(&mut self, name: &str, at: &At) -> String {
        self.wanted.push((name.to_owned(), at.clone()));
        name.to_owned()
    }
}
