//! Hysteresis loops of several laws that are driven by the same motions, side by side.
use crate::hysteresis::HysteresisReport;
use crate::text::{digits, digits_or_dash, list, table};
use crate::{Report, ReportTable};
use serde_json::{Value, json};
use stiction::plot::{Axis, Figure, Panel};
use stiction::table::ColumnHeaders;

/// Largest number of lines in the picture.
const MAX_LINES: usize = 12;

/// The loops of several laws.
pub struct HysteresisComparison {
    laws: Vec<(String, HysteresisReport)>,
}

impl HysteresisComparison {
    /// Puts the loops of laws with these names side by side; none if their units differ, as those of rotation and of straight motion do.
    pub fn new(laws: Vec<(String, HysteresisReport)>) -> Option<Self> {
        let same = laws.windows(2).all(|pair| pair[0].1.units == pair[1].1.units);
        (same && !laws.is_empty()).then_some(Self { laws })
    }
    fn units(&self) -> [&'static str; 2] {
        self.laws[0].1.units
    }
}

impl Report for HysteresisComparison {
    fn text(&self) -> String {
        let [x, f] = self.units();
        let head = ["law", "amplitude", "ω", "area", "width", "turning points", "secant"].map(str::to_owned);
        let units = [String::new(), format!("[{x}]"), "[rad/s]".to_owned(), "[J]".to_owned(), format!("[{f}]")];
        let units = units.into_iter().chain([format!("[{f}]"), format!("[{f}/{x}]")]);
        let mut rows = vec![head];
        rows.extend(units.collect::<Vec<_>>().try_into().ok());
        for (name, report) in &self.laws {
            rows.extend(report.loops.iter().map(|l| {
                let [low, high] = l.turns.map(digits);
                let turns = format!("{low}, {high}");
                let (omega, width) = (digits_or_dash(l.omega), digits_or_dash(l.width));
                [name.clone(), digits(l.amplitude), omega, digits(l.area), width, turns, digits(l.secant)]
            }));
        }
        let mut out = format!("Loops of {} laws, driven to and fro\n", self.laws.len());
        out += &table(&rows, &[1, 2, 3, 4, 5, 6]);
        let broken = |report: &HysteresisReport| {
            let mut names: Vec<&str> = report.properties.iter().filter(|p| !p.holds).map(|p| p.name).collect();
            names.dedup();
            match names[..] {
                [] => "every property holds".to_owned(),
                [one] => format!("{one} does not hold"),
                _ => format!("{} do not hold", list(&names)),
            }
        };
        if self.laws.iter().any(|(_, report)| !report.properties.is_empty()) {
            out += "\nMemory\n";
            let rows: Vec<_> = self.laws.iter().map(|(name, report)| [name.clone(), broken(report)]).collect();
            out += &table(&rows, &[]);
        }
        out
    }
    fn json(&self) -> Value {
        let laws = self.laws.iter().map(|(name, report)| {
            let mut value = report.json();
            value["law"] = json!(name);
            value
        });
        json!({ "laws": laws.collect::<Vec<_>>() })
    }
    /// All loops in one picture.
    fn figures(&self) -> Vec<(&'static str, Figure)> {
        let [x, f] = self.units();
        let mut panel = Panel::new(Axis::linear(format!("x [{x}]")), Axis::linear(format!("F [{f}]")));
        let all = self.laws.iter().flat_map(|(name, report)| {
            let several = report.loops.len() > 1;
            report.loops.iter().map(move |l| {
                let name = if several { format!("{name}, {}", l.name()) } else { name.clone() };
                (name, l.points.iter().copied())
            })
        });
        for (name, points) in all.take(MAX_LINES) {
            panel = panel.line(name, points);
        }
        vec![("loops", Figure::new("Loops").panel(panel))]
    }
    /// The measures of the loops, and their points; laws count from one, in the order in which they were named.
    fn tables(&self) -> Vec<ReportTable> {
        let mut out: Vec<ReportTable> = Vec::new();
        for (k, (_, report)) in self.laws.iter().enumerate() {
            for (at, (name, heads, rows)) in report.tables().into_iter().enumerate() {
                let rows = rows.into_iter().map(|row| [vec![k as f64 + 1.0], row].concat());
                if let Some((.., known)) = out.get_mut(at) {
                    known.extend(rows);
                } else {
                    let own = heads.0.iter().map(|head| (head.name.as_str(), head.unit.as_str()));
                    let heads: ColumnHeaders = std::iter::once(("law", "")).chain(own).collect();
                    out.push((name, heads, rows.collect()));
                }
            }
        }
        out
    }
}
