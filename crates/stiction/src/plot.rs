//! Figures as SVG, without a dependency: lines on a grid with labelled axes.
use crate::number::short;
use std::fmt::Write;

/// Size of a figure and margins of its frame, in pixels.
const SIZE: (f64, f64) = (720.0, 450.0);
const FRAME: (f64, f64, f64, f64) = (80.0, 700.0, 45.0, 390.0);

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By decades; values must be positive.
    Log,
}

/// An axis: what it shows, with its unit, and how.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Label, `v [m/s]`.
    pub label: String,
    /// Division.
    pub scale: Scale,
}

impl Axis {
    /// An evenly divided axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear }
    }
    /// An axis divided by decades.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log }
    }
}

/// A picture of lines over common axes.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Title.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Lines, each a sequence of points.
    pub lines: Vec<Vec<(f64, f64)>>,
}

impl Figure {
    /// The figure as an SVG document. Points that are not finite are left out.
    pub fn svg(&self) -> String {
        let (left, right, top, bottom) = FRAME;
        let finite = |p: &&(f64, f64)| p.0.is_finite() && p.1.is_finite();
        let points = || self.lines.iter().flatten().filter(finite);
        let x = Map::new(self.x.scale, points().map(|p| p.0), left, right, 0.0);
        let y = Map::new(self.y.scale, points().map(|p| p.1), bottom, top, 0.06);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
             font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"14\" fill=\"#222\">\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n",
            w = SIZE.0,
            h = SIZE.1
        );
        // grid and tick labels
        for (value, text) in x.ticks() {
            let at = x.place(value);
            line(&mut out, (at, top), (at, bottom), shade(value));
            label(&mut out, (at, bottom + 20.0), "middle", &text);
        }
        for (value, text) in y.ticks() {
            let at = y.place(value);
            line(&mut out, (left, at), (right, at), shade(value));
            label(&mut out, (left - 8.0, at + 5.0), "end", &text);
        }
        for points in &self.lines {
            let path: Vec<_> =
                points.iter().filter(finite).map(|p| format!("{:.2},{:.2}", x.place(p.0), y.place(p.1))).collect();
            let path = path.join(" ");
            let _ = writeln!(
                out,
                "<polyline points=\"{path}\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2.2\" stroke-linejoin=\"round\"/>"
            );
        }
        let _ = writeln!(
            out,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#444\"/>",
            right - left,
            bottom - top
        );
        let middle = f64::midpoint(left, right);
        label(&mut out, (middle, top - 16.0), "middle", &self.title);
        label(&mut out, (middle, bottom + 46.0), "middle", &self.x.label);
        let (cx, cy) = (22.0, f64::midpoint(top, bottom));
        let _ = writeln!(out, "<g transform=\"rotate(-90 {cx} {cy})\">");
        label(&mut out, (cx, cy), "middle", &self.y.label);
        out += "</g>\n</svg>\n";
        out
    }
}

/// From values to pixels.
struct Map {
    scale: Scale,
    lo: f64,
    hi: f64,
    from: f64,
    to: f64,
}

impl Map {
    /// Takes in all `values`, with a `margin` of their span on either side.
    fn new(scale: Scale, values: impl Iterator<Item = f64>, from: f64, to: f64, margin: f64) -> Self {
        let inner = |v| if scale == Scale::Log { f64::log10(v) } else { v };
        let (lo, hi) = values
            .map(inner)
            .filter(|v| v.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let (lo, hi) = if lo > hi { (0.0, 1.0) } else { (lo, hi) };
        // a single value still gets a span
        let span = if hi > lo { hi - lo } else { lo.abs().max(1.0) };
        let (lo, hi) = if hi > lo { (lo, hi) } else { (lo - 0.5 * span, hi + 0.5 * span) };
        Self { scale, lo: lo - margin * span, hi: hi + margin * span, from, to }
    }
    fn place(&self, value: f64) -> f64 {
        let v = if self.scale == Scale::Log { value.log10() } else { value };
        self.from + (v - self.lo) / (self.hi - self.lo) * (self.to - self.from)
    }
    /// Round values within the axis, with their text.
    fn ticks(&self) -> Vec<(f64, String)> {
        // steps of 1, 2 or 5 times a power of ten, whole decades on a logarithmic axis; some five to ten of them
        let rough = (self.hi - self.lo) / 7.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(power);
        let step = if self.scale == Scale::Log { step.ceil() } else { step };
        let (first, last) = ((self.lo / step - 1e-9).ceil() as i64, (self.hi / step + 1e-9).floor() as i64);
        let value = |k: i64| {
            // rounded to the step's own digits: 0.3, not 0.30000000000000004
            let tidy: f64 = format!("{:.9e}", k as f64 * step).parse().unwrap_or(0.0);
            if self.scale == Scale::Log { 10f64.powf(tidy) } else { tidy }
        };
        (first..=last).map(value).map(|v| (v, short(v))).collect()
    }
}

/// Colour of a grid line; that through zero is darker.
fn shade(value: f64) -> &'static str {
    if value == 0.0 { "#999" } else { "#ddd" }
}

fn line(out: &mut String, a: (f64, f64), b: (f64, f64), colour: &str) {
    let _ = writeln!(
        out,
        "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" stroke=\"{colour}\"/>",
        a.0, a.1, b.0, b.1
    );
}

fn label(out: &mut String, at: (f64, f64), anchor: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(out, "<text x=\"{:.2}\" y=\"{:.2}\" text-anchor=\"{anchor}\">{text}</text>", at.0, at.1);
}

#[cfg(test)]
mod tests {
    use super::{Axis, Figure, Map, Scale};

    #[test]
    fn ticks_are_round_and_inside() {
        let map = Map::new(Scale::Linear, [-0.5, 0.5].into_iter(), 0.0, 100.0, 0.0);
        let text: Vec<_> = map.ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(text, ["-0.4", "-0.2", "0", "0.2", "0.4"]);
        let map = Map::new(Scale::Log, [1e-6, 1.0].into_iter(), 0.0, 100.0, 0.0);
        assert_eq!(map.ticks().len(), 7);
        assert!((map.place(1e-3) - 50.0).abs() < 1e-9, "the middle decade is in the middle");
    }

    #[test]
    fn any_data_gives_a_whole_document() {
        let figure = |points: &[(f64, f64)]| Figure {
            title: "a < b & c".into(),
            x: Axis::linear("x"),
            y: Axis::linear("y"),
            lines: vec![points.to_vec()],
        };
        for points in
            [&[][..], &[(1.0, 2.0)], &[(0.0, 0.0), (0.0, 0.0)], &[(f64::NAN, 1.0), (1.0, f64::INFINITY), (2.0, 3.0)]]
        {
            let svg = figure(points).svg();
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("a &lt; b &amp; c"), "{svg}");
        }
    }
}
