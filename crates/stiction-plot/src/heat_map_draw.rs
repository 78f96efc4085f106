//! The colours of a heat map, and its contour lines.
use super::axis_transform::{AxisTransform, Tick};
use super::clip::Frame;
use super::colour_map::{text_colour_on, viridis};
use super::heat_map::{HeatMap, edges};
use super::scene::{Anchor, Pen, Point, Shape, TEXT, Text, add_strokes};
use super::theme::Colours;
use super::{Panel, contour, markup};
use std::collections::BTreeMap;
use stiction_io::number::{round, short};

/// Number of different colours.
pub const SHADES: u32 = 64;
/// Most cells in a row or column; of more, every second, third... is drawn.
const CELLS: usize = 320;
/// A contour line shorter than this has no number on it.
const MIN_LABELLED_LENGTH: f64 = 90.0;

/// The transform from values to 0..1.
pub fn scale(heat: &HeatMap) -> AxisTransform {
    AxisTransform::new(&heat.z, heat.all(), (0.0, 1.0), 0.0)
}

/// Ticks of the colour bar.
pub fn ticks(heat: &HeatMap) -> Vec<Tick> {
    scale(heat).ticks(0.16)
}

/// The values of the contour lines.
pub fn levels(heat: &HeatMap) -> Vec<f64> {
    let named = || ticks(heat).into_iter().filter(|tick| !tick.text.is_empty()).map(|tick| tick.value);
    heat.contours.clone().unwrap_or_else(|| named().collect())
}

pub fn draw(
    shapes: &mut Vec<Shape>,
    panel: &Panel,
    (x, y): (&AxisTransform, &AxisTransform),
    inside: Frame,
    colours: &Colours,
) {
    let Some(heat) = &panel.heat_map else { return };
    let edges = [edges(&heat.x, panel.x.scale), edges(&heat.y, panel.y.scale)];
    hatch(shapes, heat, &edges, (x, y), inside, colours);
    cells(shapes, heat, edges, (x, y), inside);
    let z = scale(heat);
    let at = |i: usize, j: usize| (x.place(heat.x[i]), y.place(heat.y[j]));
    let value =
        |i: usize, j: usize| if (at(i, j).0 + at(i, j).1).is_finite() { z.place(heat.value(i, j)) } else { f64::NAN };
    // as on the colour bar, if it has this value
    let named = ticks(heat);
    let name = |level: f64| {
        let known = named.iter().find(|tick| tick.value == level && !tick.text.is_empty());
        markup::number(&known.map_or_else(|| short(round(level, 4)), |tick| tick.text.clone()))
    };
    let mut numbers = Vec::new();
    for level in levels(heat) {
        let shade = z.place(level);
        if !(0.0..=1.0).contains(&shade) {
            continue;
        }
        let lines = contour::lines((heat.x.len(), heat.y.len()), at, value, shade);
        let cut = lines.iter().flat_map(|line| pieces(&inside.line(line)));
        let lines: Vec<Vec<Point>> = cut.collect();
        let (paper, ink) = (viridis(shade), text_colour_on(viridis(shade)));
        numbers.extend(number(&lines, &name(level), inside).map(|text| Text {
            ink: Some(ink),
            halo: Some(paper),
            ..text
        }));
        add_strokes(shapes, lines, Pen::solid(ink, 1.0));
    }
    shapes.extend(numbers.into_iter().map(Shape::Text));
}

/// The parts of a clipped line.
fn pieces(line: &[Point]) -> Vec<Vec<Point>> {
    line.split(|p| !(p.0 + p.1).is_finite()).filter(|piece| piece.len() > 1).map(<[Point]>::to_vec).collect()
}

/// Marks cells that failed: grey with a diagonal line.
fn hatch(
    shapes: &mut Vec<Shape>,
    heat: &HeatMap,
    edges: &[Vec<f64>; 2],
    (x, y): (&AxisTransform, &AxisTransform),
    inside: Frame,
    colours: &Colours,
) {
    let cell = |&(i, j): &(usize, usize)| {
        let at = |edges: &Vec<f64>, k: usize, map: &AxisTransform| edges.get(k).map(|edge| map.place(*edge));
        let (left, right) = (at(&edges[0], i, x)?, at(&edges[0], i + 1, x)?);
        let (a, b) = (at(&edges[1], j, y)?, at(&edges[1], j + 1, y)?);
        let (low, high) = ((left, a.min(b)), (right, a.max(b)));
        (inside.has(low) || inside.has(high)).then(|| {
            let clamp = |p: Point| (p.0.clamp(inside.low.0, inside.high.0), p.1.clamp(inside.low.1, inside.high.1));
            (clamp(low), clamp(high))
        })
    };
    let cells: Vec<(Point, Point)> = heat.failed.iter().filter_map(cell).collect();
    if !cells.is_empty() {
        let across = cells.iter().map(|(low, high)| vec![(low.0, high.1), (high.0, low.1)]).collect();
        shapes.push(Shape::Cells { cells, colour: colours.grid });
        add_strokes(shapes, across, Pen::solid(colours.zero, 1.0));
    }
}

/// Draws the cells, those of one colour together; equal neighbours in a row are one rectangle.
fn cells(
    shapes: &mut Vec<Shape>,
    heat: &HeatMap,
    edges: [Vec<f64>; 2],
    (x, y): (&AxisTransform, &AxisTransform),
    inside: Frame,
) {
    let z = scale(heat);
    let mut shades: BTreeMap<u32, Vec<(Point, Point)>> = BTreeMap::new();
    let step = |n: usize| n.div_ceil(CELLS).max(1);
    let (across, down) = (step(heat.x.len()), step(heat.y.len()));
    let [columns, rows] = [(&edges[0], x), (&edges[1], y)]
        .map(|(edges, map)| -> Vec<f64> { edges.iter().map(|edge| map.place(*edge)).collect() });
    for j in (0..heat.y.len()).step_by(down) {
        let [a, b] = [rows[j], rows[(j + down).min(heat.y.len())]].map(|at| at.clamp(inside.low.1, inside.high.1));
        let mut run: Option<(u32, f64, f64)> = None;
        for i in (0..=heat.x.len()).step_by(across) {
            let last = i + across > heat.x.len() || i == heat.x.len();
            let value = if i < heat.x.len() { z.place(heat.value(i, j)) } else { f64::NAN };
            let shade = (value.clamp(0.0, 1.0) * f64::from(SHADES - 1)).round() as u32;
            let [start, end] =
                [i, (i + across).min(heat.x.len())].map(|k| columns[k].clamp(inside.low.0, inside.high.0));
            let here = (value.is_finite() && end > start && (b - a).abs() > 0.0).then_some((shade, start, end));
            run = match (run, here) {
                (Some((s, from, _)), Some((shade, _, end))) if s == shade => Some((s, from, end)),
                (before, here) => {
                    keep(&mut shades, before, (a, b));
                    here
                }
            };
            if last {
                keep(&mut shades, run.take(), (a, b));
            }
        }
    }
    for (shade, cells) in shades {
        shapes.push(Shape::Cells { cells, colour: viridis(f64::from(shade) / f64::from(SHADES - 1)) });
    }
}

fn keep(shades: &mut BTreeMap<u32, Vec<(Point, Point)>>, run: Option<(u32, f64, f64)>, (a, b): (f64, f64)) {
    if let Some((shade, from, to)) = run {
        shades.entry(shade).or_default().push(((from, a.min(b)), (to, a.max(b))));
    }
}

/// The number of a contour, in the middle of its longest line.
fn number(lines: &[Vec<Point>], name: &str, inside: Frame) -> Option<Text> {
    let length = |line: &[Point]| line.windows(2).map(|p| (p[1].0 - p[0].0).hypot(p[1].1 - p[0].1)).sum::<f64>();
    let longest = lines.iter().max_by(|a, b| length(a).total_cmp(&length(b)))?;
    let half = 0.5 * length(longest);
    let mut gone = 0.0;
    let middle = longest.windows(2).find(|pair| {
        gone += length(pair);
        gone >= half
    })?[0];
    let text = Text::new((middle.0, middle.1 + 4.5), Anchor::Middle, TEXT - 2.0, name);
    (2.0 * half > MIN_LABELLED_LENGTH && text.corners().iter().all(|p| inside.has(*p))).then_some(text)
}
