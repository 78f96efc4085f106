//! Periodic motions over a parameter.
use crate::Report;
use crate::cycle::{digits, value};
use crate::text::table;
use serde_json::{Value, json};
use stiction::Error;
use stiction::analysis::cycle::{
    Bifurcation, BifurcationKind, BranchEnd, Continuation, Cycle, CycleBranch, CyclePoint, StickSlipBoundary,
    follow_branch, stick_slip_boundaries,
};
use stiction::number::{interval, round, short};
use stiction::plot::{Axis, Figure, Panel};

/// The cycles of a scenario over one of its values.
pub struct CycleBranchReport {
    name: String,
    title: String,
    path: String,
    range: [f64; 2],
    /// The curve of cycles.
    pub branch: CycleBranch,
    borders: Vec<StickSlipBoundary>,
}

impl CycleBranchReport {
    /// Follows the cycles of a scenario over its value `path`, and locates where a motion from rest ceases to stick.
    ///
    /// # Errors
    /// As [`follow_branch`].
    pub fn follow(name: &str, title: &str, path: &str, what: &Continuation<'_>) -> Result<Self, Error> {
        let borders = stick_slip_boundaries(what.at, what.range)?;
        let branch = follow_branch(what)?;
        let (lo, hi) = what.range;
        let (name, title, path) = (name.to_owned(), title.to_owned(), path.to_owned());
        Ok(Self { name, title, path, range: [lo, hi], branch, borders })
    }
    /// Whether it was stopped before its ends.
    pub fn is_interrupted(&self) -> bool {
        self.branch.ends.contains(&BranchEnd::Interrupted)
    }
}

impl Report for CycleBranchReport {
    fn text(&self) -> String {
        branch_text(self)
    }
    fn json(&self) -> Value {
        branch_value(&self.path, &self.branch, &self.borders)
    }
    fn figures(&self) -> Vec<(&'static str, Figure)> {
        vec![("branch", diagram(self))]
    }
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

fn branch_text(report: &CycleBranchReport) -> String {
    let CycleBranchReport { name, path, range, branch, borders, .. } = report;
    // 17 digits determine a double
    let mut out = format!("{name}: cycles over {path} from {}\n\n", interval(*range, 17));
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
fn diagram(report: &CycleBranchReport) -> Figure {
    let CycleBranchReport { title, path, branch, borders, .. } = report;
    let mut top = Panel::new(Axis::linear(path), Axis::linear("period [s]"));
    let speed = branch.points.first().and_then(|p| {
        let size = |i: &usize| p.cycle.ranges[*i].max - p.cycle.ranges[*i].min;
        let speeds = (0..p.cycle.ranges.len()).filter(|&i| p.cycle.ranges[i].name.ends_with(".v"));
        speeds.max_by(|a, b| size(a).total_cmp(&size(b)))
    });
    for stable in [true, false] {
        let name = if stable { "stable" } else { "unstable" };
        // a line breaks where the other kind begins
        let part = |f: &dyn Fn(&Cycle) -> f64| -> Vec<(f64, f64)> {
            let shown = |p: &CyclePoint| {
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
    let mut figure = Figure::new(format!("{title}: cycles")).panel(top);
    if let Some(speed) = speed {
        let name = &branch.points[0].cycle.ranges[speed].name;
        let mut panel = Panel::new(Axis::linear(path), Axis::linear(format!("{name} [m/s]")));
        let extreme = |f: &dyn Fn(&Cycle) -> f64| branch.points.iter().map(|p| (p.p, f(&p.cycle))).collect::<Vec<_>>();
        panel = panel.line("largest", extreme(&|cycle| cycle.ranges[speed].max));
        panel = panel.line("smallest", extreme(&|cycle| cycle.ranges[speed].min));
        figure = figure.panel(panel);
    }
    figure
}
