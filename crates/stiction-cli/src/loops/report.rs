//! The report on hysteresis loops, as text, JSON, pictures and tables.
use crate::text::{digits, digits_or_dash, table, wrap};
use serde::Serialize;
use stiction::analysis::loops::HysteresisLoop;
use stiction::plot::{Axis, Figure, Panel};
use stiction::table::ColumnHeaders;

/// Largest number of lines in a picture.
const MAX_LINES: usize = 12;

/// The measures of a loop.
#[derive(Clone, Serialize)]
pub struct LoopMeasures {
    amplitude: f64,
    mean: f64,
    omega: Option<f64>,
    area: f64,
    width: Option<f64>,
    turns: [f64; 2],
    residual: [Option<f64>; 2],
    damping: Option<f64>,
    secant: f64,
    harmonic: f64,
    closure: f64,
    /// For a trace: whether the loop lies within a larger one.
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<bool>,
    /// For a law: cycles until the force is periodic, and whether it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<bool>,
    #[serde(skip)]
    pub points: Vec<(f64, f64)>,
}

impl LoopMeasures {
    pub fn new(l: &HysteresisLoop, points: Vec<(f64, f64)>) -> Self {
        Self {
            amplitude: l.amplitude(),
            mean: 0.5 * (l.x[0] + l.x[1]),
            omega: l.omega,
            area: l.area,
            width: Some(l.width).filter(|w| w.is_finite()),
            turns: l.turns,
            residual: l.residual,
            damping: l.damping,
            secant: l.secant,
            harmonic: l.harmonic,
            closure: l.closure,
            inner: None,
            cycles: None,
            repeats: None,
            points,
        }
    }
    #[must_use]
    pub fn driven(self, omega: f64, cycles: f64, repeats: bool) -> Self {
        Self { omega: Some(omega), cycles: Some(cycles), repeats: Some(repeats), ..self }
    }
    #[must_use]
    pub fn within(self, inner: bool) -> Self {
        Self { inner: Some(inner), ..self }
    }
    fn name(&self) -> String {
        let omega = self.omega.map_or(String::new(), |omega| format!(", ω = {}", digits3(omega)));
        format!("X = {}{omega}", digits3(self.amplitude))
    }
    fn numbers(&self, k: usize) -> Vec<f64> {
        let none = |x: Option<f64>| x.unwrap_or(f64::NAN);
        let [down, up] = [self.residual[0], self.residual[1]].map(none);
        let [low, high] = self.turns;
        let place = [k as f64, self.amplitude, self.mean, none(self.omega)];
        let rest = [self.area, none(self.width), low, high, down, up, none(self.damping)];
        place.into_iter().chain(rest).chain([self.secant, self.harmonic, self.closure]).collect()
    }
}

fn digits3(x: f64) -> String {
    stiction::number::short(stiction::number::round(x, 3))
}

/// A property of the memory, the deviation from it, and whether it holds.
#[derive(Serialize)]
pub struct MemoryProperty {
    pub name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amplitude: Option<f64>,
    pub error: f64,
    pub holds: bool,
}

/// How the loops of one amplitude depend on frequency.
#[derive(Serialize)]
pub struct RateDependence {
    pub amplitude: f64,
    pub area_exponent: Option<f64>,
    pub width_exponent: Option<f64>,
    pub area_spread: f64,
}

/// The measures of all loops.
#[derive(Serialize)]
pub struct HysteresisReport {
    pub stiction: &'static str,
    pub source: String,
    pub set: Vec<String>,
    pub units: [&'static str; 2],
    pub loops: Vec<LoopMeasures>,
    pub properties: Vec<MemoryProperty>,
    pub rates: Vec<RateDependence>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

impl HysteresisReport {
    pub fn text(&self) -> String {
        let [x, f] = self.units;
        let mut out = format!("{}\n\nLoops\n", self.source);
        let place = |l: &LoopMeasures| [digits(l.amplitude), digits_or_dash(l.omega)];
        let [amplitude, omega] = [format!("X [{x}]"), "ω [rad/s]".to_owned()];
        let forces = ["width", "F-", "F+"].map(|name| format!("{name} [{f}]"));
        let [width, low, high] = forces;
        let head = [amplitude.clone(), omega.clone(), "area [J]".into(), width, low, high, format!("left [{x}]")];
        let row = |l: &LoopMeasures| {
            let ([amplitude, omega], [low, high]) = (place(l), l.turns.map(digits));
            let left = digits_or_dash(l.residual[1].map(|x| x - l.mean));
            [amplitude, omega, digits(l.area), digits_or_dash(l.width), low, high, left]
        };
        out += &table(&[head].into_iter().chain(self.loops.iter().map(row)).collect::<Vec<_>>(), &[0, 1, 2, 3, 4, 5]);
        out += "\nEquivalents\n";
        let stiffness = ["secant", "harmonic"].map(|name| format!("{name} [{f}/{x}]"));
        let [secant, harmonic] = stiffness;
        let head = [amplitude, omega, format!("c [{f}·s/{x}]"), secant, harmonic, String::new()];
        let row = |l: &LoopMeasures| {
            let note = match (l.inner, l.cycles, l.repeats) {
                (Some(true), ..) => "an inner loop".to_owned(),
                (_, Some(cycles), Some(false)) => format!("not periodic after {} cycles", digits(cycles)),
                _ => String::new(),
            };
            let [amplitude, omega] = place(l);
            [amplitude, omega, digits_or_dash(l.damping), digits(l.secant), digits(l.harmonic), note]
        };
        out += &table(&[head].into_iter().chain(self.loops.iter().map(row)).collect::<Vec<_>>(), &[0, 1, 2, 3, 4]);
        if !self.properties.is_empty() {
            out += "\nMemory: deviation from each property, relative to the range of the force\n";
            let row = |p: &MemoryProperty| {
                let error = stiction::number::short(stiction::number::round(p.error, 3));
                let verdict = if p.holds { "holds" } else { "does not hold" };
                [p.amplitude.map_or(String::new(), digits), p.name.to_owned(), error, verdict.to_owned()]
            };
            out += &table(&self.properties.iter().map(row).collect::<Vec<_>>(), &[0]);
        }
        if !self.rates.is_empty() {
            out += "\nRate: area ~ ω^p, width ~ ω^q\n";
            for r in &self.rates {
                let [p, q] = [r.area_exponent, r.width_exponent].map(digits_or_dash);
                let spread = digits(100.0 * r.area_spread);
                let text = format!("p = {p}, q = {q}; areas within {spread} % of each other");
                out += &wrap(&format!("  X = {}  ", digits(r.amplitude)), &text, 4);
            }
        }
        out
    }
    /// The loops, and how they depend on frequency.
    pub fn pictures(&self) -> Vec<(&'static str, Figure)> {
        let [x, f] = self.units;
        let title = self.source.split_once(": ").map_or(self.source.as_str(), |(name, _)| name).to_owned();
        let mut panel = Panel::new(Axis::linear(format!("x [{x}]")), Axis::linear(format!("F [{f}]")));
        // the largest first, so that small ones lie on top
        let mut shown: Vec<&LoopMeasures> = self.loops.iter().collect();
        shown.sort_by(|a, b| b.amplitude.total_cmp(&a.amplitude));
        for l in shown.into_iter().take(MAX_LINES) {
            panel = panel.line(l.name(), l.points.iter().copied());
        }
        let mut out = vec![("loops", Figure::new(format!("{title}: loops")).panel(panel))];
        if !self.rates.is_empty() {
            let axis = || Axis::log("ω [rad/s]");
            // an exponent is a slope between logarithms; what is not positive has none
            let log = |positive: bool| if positive { Axis::log } else { Axis::linear };
            let positive = |x: Option<f64>| x.is_some_and(|x| x > 0.0);
            let areas = log(self.loops.iter().all(|l| l.area > 0.0));
            let widths = log(self.loops.iter().all(|l| positive(l.width)));
            let mut area = Panel::new(axis(), areas("area [J]".to_owned()));
            let mut width = Panel::new(axis(), widths(format!("width [{f}]")));
            for r in &self.rates {
                let of = || self.loops.iter().filter(|l| (l.amplitude / r.amplitude - 1.0).abs() < 1e-9);
                let name = format!("X = {}", digits3(r.amplitude));
                let mut areas: Vec<_> = of().filter_map(|l| Some((l.omega?, l.area))).collect();
                let mut widths: Vec<_> = of().filter_map(|l| Some((l.omega?, l.width?))).collect();
                areas.sort_by(|a, b| a.0.total_cmp(&b.0));
                widths.sort_by(|a, b| a.0.total_cmp(&b.0));
                area = area.line(name.clone(), areas);
                width = width.line(name, widths);
            }
            out.push(("rate", Figure::new(format!("{title}: rate dependence")).panel(area).panel(width)));
        }
        out
    }
    /// The measures of the loops, and their points.
    pub fn tables(&self) -> Vec<(&'static str, ColumnHeaders, Vec<Vec<f64>>)> {
        let [x, f] = self.units;
        let c = format!("{f}·s/{x}");
        let k = format!("{f}/{x}");
        let heads = ColumnHeaders::from([
            ("loop", ""),
            ("amplitude", x),
            ("mean", x),
            ("omega", "rad/s"),
            ("area", "J"),
            ("width", f),
            ("force_low", f),
            ("force_high", f),
            ("residual_up", x),
            ("residual_down", x),
            ("damping", &c),
            ("secant", &k),
            ("harmonic", &k),
            ("closure", f),
        ]);
        let rows = self.loops.iter().enumerate().map(|(k, l)| l.numbers(k + 1)).collect();
        let points = self.loops.iter().enumerate();
        let points = points.flat_map(|(k, l)| l.points.iter().map(move |p| vec![k as f64 + 1.0, p.0, p.1])).collect();
        vec![("loops", heads, rows), ("points", ColumnHeaders::from([("loop", ""), ("x", x), ("force", f)]), points)]
    }
}
