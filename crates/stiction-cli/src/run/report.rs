//! The report of a run, as text and as JSON.
use super::recorder::{MAX_EVENTS, Recorder};
use super::sensitivity::Sensitivities;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use stiction::number::{round, short};
use stiction::scenario::Scenario;
use stiction::sim::{Column, EnergyBalance, RunFailure, RunSummary};
use stiction_report::text::table;

/// Largest number of final values in the text.
const MAX_VALUES: usize = 40;
/// Largest number of states of a contact in the text.
const MAX_STATES: usize = 6;
/// Number of events shown at the beginning and at the end.
const EVENTS_AT_EACH_END: usize = 5;

/// A run and its results.
pub struct RunReport<'a> {
    /// Name of the scenario.
    pub name: &'a str,
    /// Changes of the scenario, as given.
    pub set: &'a [String],
    /// The scenario.
    pub scenario: &'a Scenario,
    /// How it ended.
    pub summary: &'a RunSummary,
    /// What was recorded.
    pub recorder: &'a Recorder<'a>,
    /// Files written.
    pub files: &'a [String],
    /// Derivatives by values of the scenario, if they were asked for.
    pub sensitivities: Option<Sensitivities<'a>>,
}

impl RunReport<'_> {
    /// The report as text; `spent` is the computing time.
    pub fn text(&self, spent: Duration) -> String {
        let RunSummary { stats, energy, probes, .. } = self.summary;
        let title = if self.scenario.title.is_empty() { String::new() } else { format!(": {}", self.scenario.title) };
        let mut out = format!("{}{title}\n", self.name);
        if let Some(failure) = &self.summary.failure {
            out += &format!("failed at t = {} s, before its end: {}\n", digits(failure.t), failure.kind);
        } else if !self.summary.complete {
            out += &format!("stopped at t = {} s, before its end\n", digits(self.summary.t));
        }
        let mut section = |title: &str, body: String| {
            if !body.is_empty() {
                out += &format!("\n{title}\n{body}");
            }
        };
        section("Final values", self.values());
        section(&format!("Events: {}", stats.events), self.events());
        let measure = |(name, x): (&String, &Option<f64>)| {
            let why = self.scenario.no_value.iter().find(|(late, _)| late == name);
            let none = || why.map_or("did not happen".to_owned(), |(_, why)| format!("no value: {why}"));
            [name.clone(), x.map_or_else(none, digits)]
        };
        let rows: Vec<_> = self.scenario.measures.iter().zip(probes).map(measure).collect();
        section("Measures", table(&rows, &[]));
        if let Some(sensitivities) = &self.sensitivities {
            section("Final derivatives", sensitivities.text());
        }
        section("Energy [J]", audit(energy));
        let cost = format!(
            "  {} steps, {} rejected, {} evaluations, {} Jacobians, {:.3} ms\n",
            stats.steps,
            stats.rejected,
            stats.evaluations,
            stats.jacobians,
            1e3 * spent.as_secs_f64()
        );
        section("Cost", cost);
        out
    }
    /// The last values of the recorded columns.
    fn kept(&self) -> impl Iterator<Item = (&Column, &f64)> {
        let (RunSummary { columns, row, .. }, record) = (self.summary, &self.scenario.record);
        let kept = |i: usize, column: &Column| i == 0 || record.is_empty() || record.contains(&column.name);
        columns.iter().zip(row).enumerate().filter(move |(i, (column, _))| kept(*i, column)).map(|(_, pair)| pair)
    }
    /// The last values. Of a law with many states, only the first few are shown.
    fn values(&self) -> String {
        let shown = self.folded();
        let line = |(c, x): &(&Column, &f64)| [c.name.clone(), digits(**x), c.unit.into()];
        let mut out = table(&shown.iter().take(MAX_VALUES).map(line).collect::<Vec<_>>(), &[1]);
        let left = [
            (self.kept().count() - shown.len(), "states of contacts"),
            (shown.len().saturating_sub(MAX_VALUES), "values"),
        ];
        let left: Vec<String> =
            left.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} more {what}")).collect();
        if !left.is_empty() {
            out += &format!("  and {}: --json and the files have all\n", left.join(", "));
        }
        out
    }
    /// The recorded columns without the later states of laws with many: force and velocity of a contact come first,
    /// then its states.
    fn folded(&self) -> Vec<(&Column, &f64)> {
        let part = |column: &Column| column.name.rsplit_once('.').map_or(String::new(), |(part, _)| part.to_owned());
        let mut count: HashMap<String, usize> = HashMap::new();
        self.summary.columns.iter().for_each(|column| *count.entry(part(column)).or_default() += 1);
        let mut seen: HashMap<String, usize> = HashMap::new();
        let mut far = HashSet::new();
        for column in &self.summary.columns {
            let part = part(column);
            let place = seen.entry(part.clone()).or_default();
            *place += 1;
            if !part.is_empty() && count[&part] > 2 + MAX_STATES && *place > 2 + MAX_STATES {
                far.insert(column.name.as_str());
            }
        }
        self.kept().filter(|(column, _)| !far.contains(column.name.as_str())).collect()
    }
    /// The first events and the last.
    fn events(&self) -> String {
        let (events, total) = (&self.recorder.events, self.summary.stats.events);
        let line = |e: &super::recorder::RecordedEvent| [digits(e.t), self.recorder.part(e).to_owned(), e.kind.name()];
        let mut rows: Vec<[String; 3]> = events.iter().take(2 * EVENTS_AT_EACH_END).map(line).collect();
        if total as usize > 2 * EVENTS_AT_EACH_END {
            rows.truncate(EVENTS_AT_EACH_END);
            rows.push([String::from("..."), String::new(), String::new()]);
            if events.len() == total as usize {
                rows.extend(events[events.len() - EVENTS_AT_EACH_END..].iter().map(line));
            } else {
                rows.extend(self.recorder.last.iter().map(line));
            }
        }
        table(&rows, &[])
    }
}

/// The energy balance and its error.
fn audit(energy: &EnergyBalance) -> String {
    let EnergyBalance { work, friction, damping, impact, switching, before, after, .. } = *energy;
    let lines = [
        ("work done on it", work),
        ("taken by friction", friction),
        ("taken by dampers", damping),
        ("lost in impacts", impact),
        ("lost by switching", switching),
        ("stored before", before),
        ("stored after", after),
        ("closing error", energy.error()),
    ];
    table(&lines.map(|(name, x)| [name.to_owned(), short(round(x, 6) + 0.0)]), &[])
}

/// A number in the text.
fn digits(x: f64) -> String {
    // no minus before a zero
    short(round(x, 10) + 0.0)
}

impl Serialize for RunReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let RunSummary { t, complete, failure, stats, energy, probes, .. } = self.summary;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("stiction", env!("CARGO_PKG_VERSION"))?;
        map.serialize_entry("scenario", self.name)?;
        map.serialize_entry("set", self.set)?;
        map.serialize_entry("title", &self.scenario.title)?;
        map.serialize_entry("notes", &self.scenario.notes)?;
        map.serialize_entry("complete", complete)?;
        if let Some(RunFailure { t, kind }) = failure {
            let why = [("t", json!(t)), ("error", json!(kind.to_string())), ("hint", json!(kind.hint()))];
            map.serialize_entry("failed", &OrderedMap(why.into()))?;
        }
        map.serialize_entry("t", t)?;
        map.serialize_entry("final", &OrderedMap(self.kept().map(|(c, x)| (c.name.as_str(), x)).collect()))?;
        map.serialize_entry("units", &OrderedMap(self.kept().map(|(c, _)| (c.name.as_str(), c.unit)).collect()))?;
        map.serialize_entry("measures", &OrderedMap(self.scenario.measures.iter().zip(probes).collect()))?;
        let EnergyBalance { work, friction, damping, impact, switching, before, after, .. } = energy;
        let error = energy.error();
        let parts = [
            ("work", work),
            ("friction", friction),
            ("damping", damping),
            ("impact", impact),
            ("switching", switching),
        ];
        let parts = parts.into_iter().chain([("before", before), ("after", after), ("error", &error)]);
        map.serialize_entry("energy", &OrderedMap(parts.collect()))?;
        let counts = [("steps", stats.steps), ("rejected", stats.rejected), ("evaluations", stats.evaluations)];
        let counts = counts.into_iter().chain([("jacobians", stats.jacobians), ("events", stats.events)]);
        map.serialize_entry("stats", &OrderedMap(counts.collect()))?;
        map.serialize_entry("events", &EventsJson(self.recorder))?;
        // says if the list is incomplete
        map.serialize_entry("events_left_out", &stats.events.saturating_sub(MAX_EVENTS as u64))?;
        if let Some(sensitivities) = &self.sensitivities {
            map.serialize_entry("sensitivities", &sensitivities.json())?;
        }
        if !self.files.is_empty() {
            map.serialize_entry("files", self.files)?;
        }
        map.end()
    }
}

/// Pairs as a map, in their order.
struct OrderedMap<K, V>(Vec<(K, V)>);
impl<K: Serialize, V: Serialize> Serialize for OrderedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

struct EventsJson<'a>(&'a Recorder<'a>);
impl Serialize for EventsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct EventJson<'a> {
            t: f64,
            contact: &'a str,
            kind: String,
        }
        let mut list = serializer.serialize_seq(Some(self.0.events.len()))?;
        for event in &self.0.events {
            list.serialize_element(&EventJson { t: event.t, contact: self.0.part(event), kind: event.kind.name() })?;
        }
        list.end()
    }
}
