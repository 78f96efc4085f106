//! The result of a sweep as a map: two columns as axes, a third one in colours.
use crate::Report;
use crate::text::digits;
use serde_json::{Value, json};
use stiction::number::{round, short};
use stiction::plot::Figure;
use stiction::sweep::result_map::ResultMap;

/// A map, with curves over it.
pub struct MapReport {
    /// The map.
    pub map: ResultMap,
    lines: Vec<(String, Vec<(f64, f64)>)>,
}

impl MapReport {
    /// A map without curves.
    pub fn new(map: ResultMap) -> Self {
        Self { map, lines: Vec::new() }
    }
    /// Also draws a curve.
    #[must_use]
    pub fn with_line(mut self, name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        self.lines.push((name.into(), points));
        self
    }
    /// The picture.
    pub fn figure(&self) -> Figure {
        let map = &self.map;
        let mut title: Vec<String> =
            map.chosen.iter().map(|(name, x)| format!("{name} = {}", short(round(*x, 6)))).collect();
        if map.failed() > 0 {
            title.push(format!("hatched: {} of {} points failed", map.failed(), map.points.len()));
        }
        let mut panel = map.panel().title(title.join("; "));
        for (name, points) in &self.lines {
            panel = panel.line(name.clone(), points.iter().copied());
        }
        let title = if map.title.is_empty() { map.axes[2].label.clone() } else { map.title.clone() };
        Figure::new(title).panel(panel)
    }
}

impl Report for MapReport {
    fn text(&self) -> String {
        let map = &self.map;
        let [x, y, color] = &map.axes;
        let over = if map.curve().is_some() { x.label.clone() } else { format!("{} and {}", x.label, y.label) };
        let at: Vec<String> =
            map.chosen.iter().map(|(name, x)| format!(" at {name} = {}", short(round(*x, 6)))).collect();
        let range = map.range().map(|(low, high)| format!(", from {} to {}", digits(low), digits(high)));
        let failed = if map.failed() > 0 { format!(", {} failed", map.failed()) } else { String::new() };
        let (at, range, count) = (at.join(","), range.unwrap_or_default(), map.points.len());
        format!("{} over {over}{at}{range}: {count} points{failed}\n", color.label)
    }
    fn json(&self) -> Value {
        let map = &self.map;
        let axis = |k: usize| json!({ "label": map.axes[k].label, "log": map.axes[k].log });
        // in a curve, the measured column is the vertical axis
        let curve = map.curve();
        let [y, color] = if curve.is_some() { [axis(2), Value::Null] } else { [axis(1), axis(2)] };
        json!({
            "x": axis(0), "y": y, "color": color, "points": map.points.len(),
            "failed": map.failed(), "grid": map.is_grid(), "curve": curve,
            "min": map.range().map(|range| range.0), "max": map.range().map(|range| range.1),
        })
    }
    fn figures(&self) -> Vec<(&'static str, Figure)> {
        vec![("map", self.figure())]
    }
}
