//! `stiction breakaway`.
use crate::error::CommandError;
use crate::law::{LawArgs, finite};
use crate::picture::PictureArgs;
use crate::result_folder::save_with;
use crate::text::{digits, digits_or_dash, table};
use crate::{number_list, stream};
use serde::Serialize;
use std::path::PathBuf;
use stiction::analysis::breakaway::{Breakaway, BreakawayTest, breakaway, force_per_decade};
use stiction::analysis::regression_line::LineFit;
use stiction::plot::{Axis, Figure, Panel};
use stiction::table::ColumnHeaders;
use stiction::units::LawUnits;

/// Measure break-away: the force on a mass at rest rises until the mass slides.
///
/// Break-away is the start of slip for a law that holds any force at rest (coulomb, stribeck, karnopp, rate-state,
/// ...), else the first maximum of the friction force (lugre, gms, hysteresis, armstrong, ...), else the level that
/// the force approaches (dahl, coulomb-tanh, ...), at the distance where 99 % of it is reached. The column "by" says
/// which of the three applies.
///
/// With --rate, the break-away force is measured against the rate at which the applied force rises, on a contact that
/// has never moved unless --slid is given. With --dwell, it is measured against the time at rest: the mass has slid at
/// the speed --slid, stopped, rested under the force left in its bristles, and is then loaded at the first --rate.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction breakaway lugre --rate 0.1,1,10,100\n  stiction breakaway rate-state --rate 10 --dwell 1,10,100,1000 -o ageing\n  stiction breakaway armstrong --rate 100 --dwell 0.01,0.1,1,10 --plot"
)]
pub struct Args {
    #[command(flatten)]
    law: LawArgs,
    /// Normal load: a multiple of the nominal load, or a load in the unit of load.slope, if that is set.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    load: Option<String>,
    /// Mass in kg, or inertia.
    #[arg(long, value_name = "NUMBER", default_value = "1", allow_hyphen_values = true)]
    mass: String,
    /// Rates at which the force rises [N/s]: numbers, LO:HI:N or log:LO:HI:N, separated by commas; repeatable.
    #[arg(long, value_name = "R1,R2,...", allow_hyphen_values = true, default_value = "0.1,1,10,100")]
    rate: Vec<String>,
    /// Times at rest before the test (s), in the same form; repeatable.
    #[arg(long, value_name = "T1,T2,...", allow_hyphen_values = true)]
    dwell: Vec<String>,
    /// Speed of sliding before the rest [m/s]; default: 0.01 with --dwell, otherwise the contact has never moved.
    #[arg(long, value_name = "NUMBER")]
    slid: Option<String>,
    /// Write a picture (SVG and PNG), a table (CSV) and a summary to this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// Speed of sliding before a rest, if none is given \[m/s\].
const DEFAULT_SLIDING_SPEED: f64 = 0.01;

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

#[derive(Serialize)]
struct BreakawayReport {
    stiction: &'static str,
    law: &'static str,
    mass: f64,
    slid: Option<f64>,
    units: [&'static str; 2],
    /// The quantity that was varied: `rate` or `dwell`.
    against: &'static str,
    tests: Vec<BreakawayRow>,
    fit: Option<LogarithmicFit>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let rig = args.law.rig(args.load.as_deref())?;
    let mass = finite("--mass", &args.mass)?;
    let (rates, dwells) = (number_list::list("--rate", &args.rate)?, number_list::list("--dwell", &args.dwell)?);
    let mut slid = args.slid.as_deref().map(|text| finite("--slid", text)).transpose()?;
    let ageing = !dwells.is_empty();
    let assumed = slid.is_none() && ageing;
    if assumed {
        slid = Some(DEFAULT_SLIDING_SPEED);
    }
    let tests: Vec<BreakawayTest> = if ageing {
        let rate = rates.first().copied().unwrap_or(1.0);
        dwells.iter().map(|&dwell| BreakawayTest { mass, rate, dwell, slid }).collect()
    } else {
        rates.iter().map(|&rate| BreakawayTest { mass, rate, dwell: 0.0, slid }).collect()
    };
    let found =
        tests.iter().map(|test| Ok(breakaway(&rig, test)?)).collect::<Result<Vec<Breakaway>, CommandError>>()?;
    if assumed {
        stream::note(format_args!("assumed --slid {}", digits(DEFAULT_SLIDING_SPEED)));
    }
    if ageing && rates.len() > 1 {
        stream::note(format_args!("loaded at the first --rate, {}", digits(rates[0])));
    }
    let line = force_per_decade(&found, if ageing { |test| test.dwell } else { |test| test.rate });
    let LawUnits { speed, force, .. } = LawUnits::of(rig.spec.law());
    let row = |b: &Breakaway| {
        let BreakawayTest { rate, dwell, .. } = b.test;
        BreakawayRow { rate, dwell, force: b.force, distance: b.distance, time: b.time, by: b.criterion.name() }
    };
    let mut report = BreakawayReport {
        stiction: env!("CARGO_PKG_VERSION"),
        law: rig.spec.law().name,
        mass,
        slid,
        units: [speed.trim_end_matches("/s"), force],
        against: if ageing { "dwell" } else { "rate" },
        tests: found.iter().map(row).collect(),
        fit: line.map(|LineFit { slope, rest, .. }| LogarithmicFit { per_decade: slope, rest }),
        files: Vec::new(),
    };
    if let Some(path) = &args.output {
        let (pictures, tables) = ([("breakaway", report.picture().theme(args.picture.theme()))], [report.table()]);
        report = save_with(path, &pictures, &tables, |files| BreakawayReport { files, ..report })?;
    }
    if json {
        stream::json(&report)?;
    } else {
        let text = report.text();
        stream::text(&text)?;
    }
    args.picture.show(&[report.picture().theme(args.picture.theme())], json)
}

impl BreakawayReport {
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
    fn table(&self) -> (&'static str, ColumnHeaders, Vec<Vec<f64>>) {
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
