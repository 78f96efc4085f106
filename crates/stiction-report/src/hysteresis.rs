//! Hysteresis loops of a law that is driven to and fro, or of a measured path.
use crate::text::{digits, digits_or_dash, table, wrap};
use crate::{Report, ReportTable};
use serde::Serialize;
use serde_json::{Value, json};
use std::f64::consts::FRAC_2_PI;
use stiction::Error;
use stiction::analysis::hysteresis::{HarmonicMotion, HysteresisResult, drive_harmonic, rate_dependence};
use stiction::analysis::loops::{ForcePath, HysteresisLoop, LoopDetection, congruency, find_loops, return_point};
use stiction::analysis::nonlocal_memory::memory_checks;
use stiction::analysis::test_rig::TestRig;
use stiction::plot::{Axis, Figure, Panel};
use stiction::table::ColumnHeaders;
use stiction::units::LawUnits;

/// Largest number of lines in a picture.
const MAX_LINES: usize = 12;

/// The measures of a loop.
#[derive(Clone, Serialize)]
pub(crate) struct LoopMeasures {
    pub amplitude: f64,
    mean: f64,
    pub omega: Option<f64>,
    pub area: f64,
    pub width: Option<f64>,
    pub turns: [f64; 2],
    residual: [Option<f64>; 2],
    damping: Option<f64>,
    pub secant: f64,
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
    fn new(l: &HysteresisLoop, points: Vec<(f64, f64)>) -> Self {
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
    fn driven(self, omega: f64, cycles: f64, repeats: bool) -> Self {
        Self { omega: Some(omega), cycles: Some(cycles), repeats: Some(repeats), ..self }
    }
    fn within(self, inner: bool) -> Self {
        Self { inner: Some(inner), ..self }
    }
    pub fn name(&self) -> String {
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
pub(crate) struct MemoryProperty {
    pub name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    amplitude: Option<f64>,
    error: f64,
    pub holds: bool,
}

/// How the loops of one amplitude depend on frequency.
#[derive(Serialize)]
struct RateDependence {
    amplitude: f64,
    area_exponent: Option<f64>,
    width_exponent: Option<f64>,
    area_spread: f64,
}

/// The motions by which a law is driven.
#[derive(Clone, Debug)]
pub struct HysteresisStudy {
    /// Amplitudes [m or rad].
    pub amplitudes: Vec<f64>,
    /// Angular frequencies \[rad/s\]; empty: quasi-static.
    pub omegas: Vec<f64>,
    /// Mean displacement [m or rad].
    pub mean: f64,
    /// Whether to test the memory of the law.
    pub memory: bool,
}

/// Names and units of a measured path.
#[derive(Clone, Debug)]
pub struct PathNames {
    /// What it is, as a title.
    pub source: String,
    /// Units of displacement and force.
    pub units: [&'static str; 2],
}

/// A path in which no loops can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathError {
    /// A fraction of the detection is not one.
    NoFraction,
    /// The time decreases.
    TimeDecreases,
    /// A value is not finite.
    NotFinite,
    /// There is no closed loop.
    NoLoop,
}

impl PathError {
    /// What is wrong.
    pub fn text(self) -> &'static str {
        match self {
            Self::NoFraction => "noise and miss must be fractions",
            Self::TimeDecreases => "the time decreases in some rows",
            Self::NotFinite => "the trace has values that are not finite",
            Self::NoLoop => "the trace has no closed loop",
        }
    }
    /// What to do about it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::NoFraction => "give numbers from 0 to below 1",
            Self::TimeDecreases => "choose the column of the time",
            Self::NotFinite => "cut them out, or choose other columns",
            Self::NoLoop => {
                "the displacement must reverse twice and return: check the columns, or allow a larger miss of the ends"
            }
        }
    }
}

/// Largest deviation that does not contradict a property in measured data.
const MEASURED_TOLERANCE: f64 = 0.01;

/// The measures of all loops.
pub struct HysteresisReport {
    source: String,
    pub(crate) units: [&'static str; 2],
    pub(crate) loops: Vec<LoopMeasures>,
    pub(crate) properties: Vec<MemoryProperty>,
    rates: Vec<RateDependence>,
    /// Values that were set for the law, as text.
    pub set: Vec<String>,
}

impl HysteresisReport {
    /// Drives a law to and fro until its force is periodic.
    ///
    /// # Errors
    /// As [`drive_harmonic`] and [`memory_checks`].
    pub fn of_law(rig: &TestRig, study: &HysteresisStudy) -> Result<Self, Error> {
        let mut omegas: Vec<Option<f64>> = study.omegas.iter().copied().map(Some).collect();
        if omegas.is_empty() {
            omegas.push(None);
        }
        let mut driven: Vec<HysteresisResult> = Vec::new();
        let mut properties = Vec::new();
        for &amplitude in &study.amplitudes {
            for &omega in &omegas {
                let motion = HarmonicMotion { omega, mean: study.mean, ..HarmonicMotion::new(amplitude) };
                driven.push(drive_harmonic(rig, &motion)?);
            }
            if study.memory {
                // as fast as the slowest of the motions, on average
                let motion = HarmonicMotion {
                    omega: study.omegas.iter().copied().reduce(f64::min),
                    ..HarmonicMotion::new(amplitude)
                };
                let speed = amplitude * motion.frequency() * FRAC_2_PI;
                properties.extend(memory_checks(rig, amplitude, speed)?.into_iter().map(|c| MemoryProperty {
                    name: c.name,
                    amplitude: Some(amplitude),
                    error: c.error,
                    holds: c.holds,
                }));
            }
        }
        let rates = rate_dependence(&driven).into_iter().map(|r| RateDependence {
            amplitude: r.amplitude,
            area_exponent: r.area,
            width_exponent: r.width,
            area_spread: r.spread,
        });
        let LawUnits { speed, force, .. } = LawUnits::of(rig.spec.law());
        let how = if study.omegas.is_empty() { ", quasi-static" } else { "" };
        Ok(Self {
            source: format!("{}: driven to and fro{how}", rig.spec.law().name),
            set: Vec::new(),
            units: [speed.trim_end_matches("/s"), force],
            rates: rates.collect(),
            loops: driven
                .iter()
                .map(|d| LoopMeasures::new(&d.last, d.points()).driven(d.motion.frequency(), d.cycles, d.repeats))
                .collect(),
            properties,
        })
    }
    /// Finds and measures the loops of a path of displacement and force, over `time` if it is known.
    ///
    /// # Errors
    /// [`PathError`].
    pub fn of_path(
        names: PathNames,
        [x, force]: [&[f64]; 2],
        time: Option<&[f64]>,
        finding: &LoopDetection,
    ) -> Result<Self, PathError> {
        if !(0.0..1.0).contains(&finding.noise) || !(0.0..1.0).contains(&finding.miss) {
            return Err(PathError::NoFraction);
        }
        if time.is_some_and(|t| t.windows(2).any(|w| w[0] > w[1])) {
            return Err(PathError::TimeDecreases);
        }
        if !x.iter().chain(force).chain(time.unwrap_or(&[])).all(|value| value.is_finite()) {
            return Err(PathError::NotFinite);
        }
        let rows: Vec<f64> = (0..x.len()).map(|k| k as f64).collect();
        let path = ForcePath { t: time.unwrap_or(&rows), x, force, timed: time.is_some() };
        let found = find_loops(&path, finding);
        if found.is_empty() {
            return Err(PathError::NoLoop);
        }
        let property = |name, error: Option<f64>| {
            error.map(|error| MemoryProperty { name, amplitude: None, error, holds: error < MEASURED_TOLERANCE })
        };
        let properties = [
            property("return point", return_point(&path, &found)),
            property("congruency", congruency(&path, &found, finding.miss.max(1e-6))),
        ];
        Ok(Self {
            source: names.source,
            set: Vec::new(),
            units: names.units,
            loops: found.iter().map(|l| LoopMeasures::new(l, l.points(&path)).within(l.rows.inner)).collect(),
            properties: properties.into_iter().flatten().collect(),
            rates: Vec::new(),
        })
    }
}

impl Report for HysteresisReport {
    fn text(&self) -> String {
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
    fn json(&self) -> Value {
        json!({
            "source": self.source,
            "set": self.set,
            "units": self.units,
            "loops": self.loops,
            "properties": self.properties,
            "rates": self.rates,
        })
    }
    /// The loops, and how they depend on frequency.
    fn figures(&self) -> Vec<(&'static str, Figure)> {
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
    fn tables(&self) -> Vec<ReportTable> {
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
