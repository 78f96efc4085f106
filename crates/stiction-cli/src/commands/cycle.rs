//! `stiction cycle`.
use crate::error::CommandError;
use crate::interrupt::Interrupt;
use crate::interval::Interval;
use crate::picture::PictureArgs;
use crate::result_folder;
use crate::scenario::ScenarioArgs;
use crate::stream;
use crate::text::table;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::str::FromStr;
use stiction::analysis::cycle::{
    Bifurcation, BifurcationKind, BranchEnd, Continuation, Cycle, CycleBranch, StickSlipBoundary, find, follow_branch,
    stick_slip_boundaries,
};
use stiction::number::{round, short};
use stiction::plot::{Axis, Figure, Panel};
use stiction::scenario::Scenario;
use stiction::sim::{StopFlag, Trace};

/// Find the periodic motion of a scenario, and continue it in a parameter.
///
/// A simulation comes near the cycle; then Newton iterations on the map from one turning point to the next find it to
/// the accuracy of the solver, with its sticking phases. Floquet multipliers are the factors by which small
/// disturbances grow in a period: the cycle is stable if all are below one in magnitude. With --follow, the cycle is
/// continued in a parameter of the scenario, also around folds, and the values of the parameter are located beyond
/// which a motion that starts from rest never sticks again.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction cycle a7\n  stiction cycle a12 --json\n  stiction cycle a7 --follow contact.table.sigma2=0:0.4 -o a9\n  stiction cycle a7 --set contact.table.sigma2=0.2 --follow spring.pull.stiffness=0.5:4\n  stiction cycle g5 --plot"
)]
pub struct Args {
    #[command(flatten)]
    chosen: ScenarioArgs,
    /// Continue the cycle in this value of the scenario.
    #[arg(long, value_name = "PATH=LO:HI", allow_hyphen_values = true)]
    follow: Option<ContinuationRange>,
    /// Largest number of points on the curve in either direction.
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    points: u16,
    /// Write the results and pictures to this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// A parameter and its range.
#[derive(Clone)]
struct ContinuationRange {
    path: String,
    range: Interval,
}

impl FromStr for ContinuationRange {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (path, range) = text.split_once('=').ok_or("write PATH=LO:HI, as spring.pull.stiffness=0.5:4")?;
        Ok(Self { path: path.trim().to_owned(), range: range.parse()? })
    }
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let scenario = args.chosen.load()?;
    match &args.follow {
        Some(through) => followed(args, through, &scenario, json),
        None => single(args, &scenario, json),
    }
}

fn single(args: &Args, scenario: &Scenario, json: bool) -> Result<(), CommandError> {
    let cycle = find(scenario)?;
    let found = value(&cycle);
    let trace = cycle.trace(&scenario.simulation()?)?;
    let figure = portrait(&args.chosen.name(), scenario, &cycle, &trace)?.theme(args.picture.theme());
    if let Some(dir) = &args.output {
        result_folder::save(dir, &found, &[("cycle".to_owned(), figure.clone())])?;
    }
    if json {
        stream::json(&found)?;
    } else {
        let text = text(&args.chosen.name(), scenario, &cycle);
        stream::text(&text)?;
    }
    args.picture.show(&[figure], json)
}

fn digits(x: f64) -> String {
    short(round(x, 8))
}

fn text(name: &str, scenario: &Scenario, cycle: &Cycle) -> String {
    let mut out =
        format!("{name}: {}\n\nCycle, {}\n", scenario.title, if cycle.stable { "stable" } else { "not stable" });
    out += &format!("  period {} s\n", digits(cycle.period));
    let multipliers = cycle.multipliers.iter().map(|z| match z.im {
        0.0 => short(round(z.re, 6)),
        im => format!("{} {} {}i", short(round(z.re, 6)), if im < 0.0 { "-" } else { "+" }, short(round(im.abs(), 6))),
    });
    out += &format!("  Floquet multipliers {}\n", multipliers.collect::<Vec<_>>().join(", "));
    out += "\nRange over a period; positions without their mean motion\n";
    let rows: Vec<_> = cycle
        .ranges
        .iter()
        .map(|s| [s.name.clone(), digits(s.min), "to".to_owned(), digits(s.max), s.unit.to_owned()])
        .collect();
    out += &table(&rows, &[1, 3]);
    out += "\nContacts\n";
    for phase in &cycle.stick_slip {
        let times = if phase.sticks == 1 { "once" } else { &format!("{} times", phase.sticks) };
        out += &format!(
            "  {}: sticks {times} a period, for {} s in all, slips for {} s\n",
            phase.contact,
            short(round(phase.stick, 5)),
            short(round(phase.slip, 5))
        );
    }
    out
}

fn value(cycle: &Cycle) -> Value {
    let swings: Map<String, Value> =
        cycle.ranges.iter().map(|s| (s.name.clone(), json!({ "min": s.min, "max": s.max, "unit": s.unit }))).collect();
    let phases: Map<String, Value> = cycle
        .stick_slip
        .iter()
        .map(|p| (p.contact.clone(), json!({ "stick": p.stick, "slip": p.slip, "sticks": p.sticks })))
        .collect();
    json!({
        "period": cycle.period,
        "stable": cycle.stable,
        "multipliers": cycle.multipliers.iter().map(|z| [z.re, z.im]).collect::<Vec<_>>(),
        "range": swings,
        "contacts": phases,
    })
}

/// Velocity against position without its mean motion, and forces over a period.
fn portrait(name: &str, scenario: &Scenario, cycle: &Cycle, trace: &Trace) -> Result<Figure, CommandError> {
    let simulation = scenario.simulation()?;
    let columns = simulation.columns();
    let label = |i: usize| format!("{} [{}]", columns[i].name, columns[i].unit);
    let mut figure = Figure::new(if scenario.title.is_empty() { name } else { &scenario.title });
    if let Some((x, v, drift)) = cycle.widest(columns) {
        let relative =
            if drift == 0.0 { label(x) } else { format!("{}, relative [{}]", columns[x].name, columns[x].unit) };
        let panel = Panel::new(Axis::linear(relative), Axis::linear(label(v)));
        figure = figure.panel(panel.line("", trace.rows.iter().map(|row| (row[x] - drift * row[0], row[v]))));
    }
    let forces: Vec<usize> = (1..columns.len()).filter(|&i| columns[i].name.ends_with(".force")).take(4).collect();
    if let Some(&first) = forces.first() {
        let y = if forces.len() == 1 { label(first) } else { format!("force [{}]", columns[first].unit) };
        let mut panel = Panel::new(Axis::linear("t [s]"), Axis::linear(y));
        for i in forces {
            panel = panel.line(columns[i].name.as_str(), trace.rows.iter().map(|row| (row[0] - cycle.t, row[i])));
        }
        figure = figure.panel(panel);
    }
    Ok(figure)
}

fn followed(args: &Args, through: &ContinuationRange, scenario: &Scenario, json: bool) -> Result<(), CommandError> {
    let range = (through.range.lo, through.range.hi);
    let interrupt = Interrupt::new(None, "nothing was written")?;
    let stop = StopFlag::new(interrupt.flag().clone());
    let at = |p: f64| {
        let mut scenario = args.chosen.with(&[format!("{}={p:e}", through.path)])?;
        scenario.options.stop = stop.clone();
        Ok(scenario)
    };
    let named = |error| CommandError::of_option("--follow", &through.path, error);
    let borders = stick_slip_boundaries(&at, range).map_err(named)?;
    let points = args.points.into();
    let branch =
        follow_branch(&Continuation { at: &at, start: None, range, points, stop: stop.clone() }).map_err(named)?;
    interrupt.end_of_work();
    let found = branch_value(&through.path, &branch, &borders);
    let figure = diagram(through, scenario, &branch, &borders).theme(args.picture.theme());
    if let Some(dir) = &args.output {
        result_folder::save(dir, &found, &[("branch".to_owned(), figure.clone())])?;
    }
    if json {
        stream::json(&found)?;
    } else {
        let text = branch_text(&args.chosen.name(), through, &branch, &borders);
        stream::text(&text)?;
    }
    args.picture.show(&[figure], json)?;
    if branch.ends.contains(&BranchEnd::Interrupted) {
        return Err(CommandError::FollowInterrupted { points: branch.points.len() });
    }
    Ok(())
}

fn says(change: &Bifurcation) -> (&'static str, String) {
    match change.what {
        BifurcationKind::Fold { below: true } => {
            ("fold", "two cycles meet and vanish; there are none above".to_owned())
        }
        BifurcationKind::Fold { below: false } => {
            ("fold", "two cycles meet and vanish; there are none below".to_owned())
        }
        BifurcationKind::Flip => ("flip", "a multiplier passes -1: the period doubles".to_owned()),
        BifurcationKind::Torus => ("torus", "a pair of multipliers crosses the unit circle".to_owned()),
    }
}

fn end(end: BranchEnd) -> &'static str {
    match end {
        BranchEnd::Range => "the end of the range",
        BranchEnd::Shrinks => "the amplitude vanishes",
        BranchEnd::Sudden => "the cycle ends abruptly",
        BranchEnd::Points => "the largest number of points",
        BranchEnd::Interrupted => "interrupted",
    }
}

fn branch_text(name: &str, through: &ContinuationRange, branch: &CycleBranch, borders: &[StickSlipBoundary]) -> String {
    let mut out = format!("{name}: cycles over {} from {}\n\n", through.path, through.range);
    let mut rows = vec![["value", "period [s]", "largest multiplier", ""].map(str::to_owned)];
    // no more rows than a reader can follow
    let every = branch.points.len().div_ceil(30);
    for point in branch.points.iter().step_by(every.max(1)) {
        let most = point.cycle.multipliers.first().map_or(0.0, |z| z.abs());
        let stable = if point.cycle.stable { "stable" } else { "unstable" };
        rows.push([digits(point.p), digits(point.cycle.period), short(round(most, 3)), stable.to_owned()]);
    }
    out += &table(&rows, &[0, 1, 2]);
    let [low, high] = branch.ends.map(end);
    out += &format!("  ends of the curve: {low}; {high}\n");
    if !branch.bifurcations.is_empty() {
        out += "\nOn the curve\n";
        let rows: Vec<_> = branch.bifurcations.iter().map(|c| [digits(c.p), says(c).0.to_owned(), says(c).1]).collect();
        out += &table(&rows, &[0]);
    }
    out += "\nA motion that starts from rest, from the scenario's initial state\n";
    for border in borders {
        let (yes, no) = if border.below { ("below", "above") } else { ("above", "below") };
        out += &format!("  returns to v = 0 {yes} {}, and never {no}\n", short(round(border.p, 10)));
    }
    if borders.is_empty() {
        out += "  behaves the same over the whole range\n";
    }
    out
}

fn branch_value(path: &str, branch: &CycleBranch, borders: &[StickSlipBoundary]) -> Value {
    let points: Vec<Value> = branch
        .points
        .iter()
        .map(|point| {
            let mut value = value(&point.cycle);
            value["value"] = json!(point.p);
            value
        })
        .collect();
    let changes: Vec<Value> = branch
        .bifurcations
        .iter()
        .map(|c| {
            let below = if let BifurcationKind::Fold { below } = c.what { Some(below) } else { None };
            json!({ "value": c.p, "period": c.period, "what": says(c).0, "below": below })
        })
        .collect();
    let borders: Vec<Value> = borders.iter().map(|b| json!({ "value": b.p, "returns_below": b.below })).collect();
    json!({ "path": path, "points": points, "changes": changes, "ends": branch.ends.map(end), "restick": borders })
}

/// Period, largest and smallest speed against the parameter.
fn diagram(
    through: &ContinuationRange,
    scenario: &Scenario,
    branch: &CycleBranch,
    borders: &[StickSlipBoundary],
) -> Figure {
    let mut top = Panel::new(Axis::linear(&through.path), Axis::linear("period [s]"));
    let speed = branch.points.first().and_then(|p| {
        let size = |i: &usize| p.cycle.ranges[*i].max - p.cycle.ranges[*i].min;
        let speeds = (0..p.cycle.ranges.len()).filter(|&i| p.cycle.ranges[i].name.ends_with(".v"));
        speeds.max_by(|a, b| size(a).total_cmp(&size(b)))
    });
    for stable in [true, false] {
        let name = if stable { "stable" } else { "unstable" };
        // a line breaks where the other kind begins
        let part = |f: &dyn Fn(&Cycle) -> f64| -> Vec<(f64, f64)> {
            let shown = |p: &stiction::analysis::cycle::CyclePoint| {
                if p.cycle.stable == stable { f(&p.cycle) } else { f64::NAN }
            };
            branch.points.iter().map(|p| (p.p, shown(p))).collect()
        };
        if branch.points.iter().any(|p| p.cycle.stable == stable) {
            top = top.line(name, part(&|cycle| cycle.period));
        }
    }
    for border in borders {
        top = top.vertical_line("re-stick ends", border.p);
    }
    let mut figure = Figure::new(format!("{}: cycles", scenario.title)).panel(top);
    if let Some(speed) = speed {
        let name = &branch.points[0].cycle.ranges[speed].name;
        let mut panel = Panel::new(Axis::linear(&through.path), Axis::linear(format!("{name} [m/s]")));
        let extreme = |f: &dyn Fn(&Cycle) -> f64| branch.points.iter().map(|p| (p.p, f(&p.cycle))).collect::<Vec<_>>();
        panel = panel.line("largest", extreme(&|cycle| cycle.ranges[speed].max));
        panel = panel.line("smallest", extreme(&|cycle| cycle.ranges[speed].min));
        figure = figure.panel(panel);
    }
    figure
}
