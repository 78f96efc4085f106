//! Break-away against the rate of the force or the time at rest.
use crate::text::{digits, digits_or_dash, table};
use crate::{Report, ReportTable};
use serde::Serialize;
use serde_json::{Value, json};
use stiction::Error;
use stiction::analysis::breakaway::{Breakaway, BreakawayTest, breakaway, force_per_decade};
use stiction::analysis::regression_line::LineFit;
use stiction::analysis::test_rig::TestRig;
use stiction::plot::{Axis, Figure, Panel};
use stiction::table::ColumnHeaders;
use stiction::units::LawUnits;

/// Speed of sliding before a rest, if none is given \[m/s\].
const DEFAULT_SLIDING_SPEED: f64 = 0.01;

/// The tests to do: one for each rate, or for each time at rest at the first rate.
#[derive(Clone, Debug)]
pub struct BreakawayStudy {
    /// Mass \[kg\], or inertia.
    pub mass: f64,
    /// Rates at which the force rises \[N/s\].
    pub rates: Vec<f64>,
    /// Times at rest \[s\]; empty: none, the rates are varied.
    pub dwells: Vec<f64>,
    /// Speed of sliding before the rest \[m/s\]; none: the contact has never moved, or a default before a rest.
    pub slid: Option<f64>,
}

#[derive(Serialize)]
struct BreakawayRow {
    rate: f64,
    dwell: f64,
    force: Option<f64>,
    distance: Option<f64>,
    time: Option<f64>,
    by: &'static str,
}

#[derive(Serialize)]
struct LogarithmicFit {
    per_decade: f64,
    rest: f64,
}

/// Break-away of a law in several tests.
pub struct BreakawayReport {
    law: &'static str,
    mass: f64,
    slid: Option<f64>,
    units: [&'static str; 2],
    /// The quantity that was varied: `rate` or `dwell`.
    against: &'static str,
    tests: Vec<BreakawayRow>,
    fit: Option<LogarithmicFit>,
    /// What was assumed.
    pub notes: Vec<String>,
}

impl BreakawayReport {
    /// Does the tests.
    ///
    /// # Errors
    /// As [`breakaway`].
    pub fn measure(rig: &TestRig, study: &BreakawayStudy) -> Result<Self, Error> {
        let BreakawayStudy { mass, rates, dwells, mut slid } = study.clone();
        let mut notes = Vec::new();
        let ageing = !dwells.is_empty();
        if slid.is_none() && ageing {
            slid = Some(DEFAULT_SLIDING_SPEED);
            notes.push(format!("assumed that it slid at {} m/s before the rest", digits(DEFAULT_SLIDING_SPEED)));
        }
        let tests: Vec<BreakawayTest> = if ageing {
            let rate = rates.first().copied().unwrap_or(1.0);
            if rates.len() > 1 {
                notes.push(format!("loaded at the first rate, {}", digits(rate)));
            }
            dwells.iter().map(|&dwell| BreakawayTest { mass, rate, dwell, slid }).collect()
        } else {
            rates.iter().map(|&rate| BreakawayTest { mass, rate, dwell: 0.0, slid }).collect()
        };
        let found = tests.iter().map(|test| breakaway(rig, test)).collect::<Result<Vec<Breakaway>, Error>>()?;
        let line = force_per_decade(&found, if ageing { |test| test.dwell } else { |test| test.rate });
        let LawUnits { speed, force, .. } = LawUnits::of(rig.spec.law());
        let row = |b: &Breakaway| {
            let BreakawayTest { rate, dwell, .. } = b.test;
            BreakawayRow { rate, dwell, force: b.force, distance: b.distance, time: b.time, by: b.criterion.name() }
        };
        Ok(Self {
            law: rig.spec.law().name,
            mass,
            slid,
            units: [speed.trim_end_matches("/s"), force],
            against: if ageing { "dwell" } else { "rate" },
            tests: found.iter().map(row).collect(),
            fit: line.map(|LineFit { slope, rest, .. }| LogarithmicFit { per_decade: slope, rest }),
            notes,
        })
    }
    /// Force and distance against the quantity that was varied.
    fn picture(&self) -> Figure {
        let [x, f] = self.units;
        let axis = match self.against {
            "dwell" => Axis::log("dwell [s]"),
            _ => Axis::log(format!("rate [{f}/s]")),
        };
        let points = |what: fn(&BreakawayRow) -> Option<f64>| {
            let mut list: Vec<(f64, f64)> =
                self.tests.iter().filter_map(|t| Some((self.varied(t), what(t)?))).collect();
            list.sort_by(|a, b| a.0.total_cmp(&b.0));
            list
        };
        // marks show the measured points: between them the line is only a guide
        let panel = |label: String, name: &str, list: Vec<(f64, f64)>| {
            Panel::new(axis.clone(), Axis::linear(label)).line(name, list.clone()).points(name, list)
        };
        let none: Vec<String> =
            self.tests.iter().filter(|t| t.force.is_none()).map(|t| digits(self.varied(t))).collect();
        let title = if none.is_empty() { String::new() } else { format!("none found at {}", none.join(", ")) };
        let force = panel(format!("force [{f}]"), "force", points(|t| t.force)).title(title);
        let figure = Figure::new(format!("{}: break-away", self.law)).panel(force);
        let way = points(|t| t.distance);
        if way.iter().all(|p| p.1 == 0.0) {
            return figure;
        }
        figure.panel(panel(format!("distance [{x}]"), "distance", way))
    }
    /// The value in a test of the quantity that was varied.
    fn varied(&self, test: &BreakawayRow) -> f64 {
        if self.against == "dwell" { test.dwell } else { test.rate }
    }
    fn table(&self) -> ReportTable {
        let [x, f] = self.units;
        let rate = format!("{f}/s");
        let heads = ColumnHeaders::from([
            ("rate", rate.as_str()),
            ("dwell", "s"),
            ("force", f),
            ("distance", x),
            ("time", "s"),
        ]);
        let none = |x: Option<f64>| x.unwrap_or(f64::NAN);
        let rows = self.tests.iter().map(|t| vec![t.rate, t.dwell, none(t.force), none(t.distance), none(t.time)]);
        ("breakaway", heads, rows.collect())
    }
}

impl Report for BreakawayReport {
    fn text(&self) -> String {
        let [x, f] = self.units;
        let heads = [format!("rate [{f}/s]"), "dwell [s]".into(), format!("force [{f}]"), format!("distance [{x}]")];
        let [a, b, c, d] = heads;
        let mut rows = vec![[a, b, c, d, "time [s]".into(), "by".into()]];
        rows.extend(self.tests.iter().map(|t| {
            let [force, distance, time] = [t.force, t.distance, t.time].map(digits_or_dash);
            [digits(t.rate), digits(t.dwell), force, distance, time, t.by.to_owned()]
        }));
        let mut out = format!("{}: break-away of {} kg\n\n", self.law, digits(self.mass));
        out += &table(&rows, &[0, 1, 2, 3, 4]);
        if self.tests.iter().any(|t| t.force.is_none()) {
            out += "\n  none: under this force, friction has no maximum and approaches no level\n";
        }
        if let Some(fit) = &self.fit {
            let (slope, rest) = (digits(fit.per_decade), digits(fit.rest));
            let against = if self.against == "dwell" { "dwell time" } else { "rate" };
            out += &format!("\n  {slope} {f} per decade of the {against}; {rest} {f} from a straight line\n");
        }
        out
    }
    fn json(&self) -> Value {
        json!({
            "law": self.law,
            "mass": self.mass,
            "slid": self.slid,
            "units": self.units,
            "against": self.against,
            "tests": self.tests,
            "fit": self.fit,
        })
    }
    fn figures(&self) -> Vec<(&'static str, Figure)> {
        vec![("breakaway", self.picture())]
    }
    fn tables(&self) -> Vec<ReportTable> {
        vec![self.table()]
    }
}
