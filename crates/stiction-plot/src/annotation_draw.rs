//! Reference lines across a panel, and labels at positions where they hide least.
use super::axis_transform::AxisTransform;
use super::clip::Frame;
use super::scene::{Anchor, Point, Shape, TEXT, Text, add_strokes};
use super::theme::Colours;
use super::{Annotation, Panel, markup};

/// Radius of the dot of an annotation.
const DOT: f64 = 3.0;

/// Draws the reference lines.
pub fn references(
    shapes: &mut Vec<Shape>,
    panel: &Panel,
    (x, y): (&AxisTransform, &AxisTransform),
    inside: Frame,
    colours: &Colours,
) {
    let line = |reference: &super::ReferenceLine| match reference.vertical {
        true => [inside.low.1, inside.high.1].map(|end| (x.place(reference.at), end)),
        false => [inside.low.0, inside.high.0].map(|end| (end, y.place(reference.at))),
    };
    let lines = panel.references.iter().map(|r| line(r).to_vec()).filter(|line| line.iter().all(|p| inside.has(*p)));
    add_strokes(shapes, lines.collect(), colours.across());
}

/// Draws the labels of reference lines, and annotations: each at the one of a few candidate positions where it covers least
/// of what is drawn already.
pub fn words(
    shapes: &mut Vec<Shape>,
    panel: &Panel,
    (x, y): (&AxisTransform, &AxisTransform),
    inside: Frame,
    drawn: &[Vec<Point>],
    colours: &Colours,
) {
    // a label is at most as long as the frame is wide
    let room_for = inside.high.0 - inside.low.0 - 20.0;
    let inner = |at: Point, anchor: Anchor, text: &str, colours: &Colours| {
        let size = (TEXT - 1.0) * (room_for / markup::width(text, TEXT - 1.0)).min(1.0);
        Text { halo: Some(colours.paper), ..Text::new(at, anchor, size, text) }
    };
    let points =
        || panel.annotations.iter().map(|note| (x.place(note.at.0), y.place(note.at.1))).zip(&panel.annotations);
    let points = || points().filter(|(at, _)| inside.has(*at));
    let dot = |(at, _): (Point, &Annotation)| Frame::new((at.0 - DOT, at.1 - DOT), (at.0 + DOT, at.1 + DOT));
    let mut taken: Vec<Frame> = points().map(dot).collect();
    let mut put = |shapes: &mut Vec<Shape>, places: Vec<Text>| {
        let cost = |text: &Text| {
            let room = room(text);
            let out = text.corners().iter().filter(|p| !inside.has(**p)).count() as f64;
            let on = taken.iter().filter(|other| meet(other, &room)).count() as f64;
            1e6 * out + 1e4 * on + covered(&room, drawn)
        };
        let places = places.into_iter().map(|text| {
            let Frame { low, high } = room(&text);
            let by = (inside.low.0 + 2.0 - low.0).max(0.0) - (high.0 - inside.high.0 + 2.0).max(0.0);
            Text { at: (text.at.0 + by, text.at.1), ..text }
        });
        let best = places.min_by(|a, b| cost(a).total_cmp(&cost(b)));
        if let Some(text) = best.filter(|text| !text.text.is_empty()) {
            taken.push(room(&text));
            shapes.push(Shape::Text(text));
        }
    };
    let (low, high) = (inside.low, inside.high);
    for (at, note) in points() {
        shapes.push(Shape::Dot { at, radius: DOT, colour: colours.ink });
        let sides = [(1.0, -7.0), (-1.0, -7.0), (1.0, 17.0), (-1.0, 17.0), (1.0, 5.0), (-1.0, 5.0)];
        let text = |(side, down): (f64, f64)| {
            let anchor = if side > 0.0 { Anchor::Start } else { Anchor::End };
            inner((at.0 + 7.0 * side, at.1 + down), anchor, &note.text, colours)
        };
        put(shapes, sides.map(text).to_vec());
    }
    for reference in &panel.references {
        let places: Vec<Text> = if reference.vertical {
            let at = x.place(reference.at);
            let rows = [low.1 + 15.0, high.1 - 7.0, low.1 + 33.0, high.1 - 25.0];
            let sides = |row: f64| [(at + 5.0, Anchor::Start, row), (at - 5.0, Anchor::End, row)];
            rows.into_iter()
                .flat_map(sides)
                .map(|(at, anchor, row)| inner((at, row), anchor, &reference.name, colours))
                .collect()
        } else {
            let at = y.place(reference.at);
            let ends = [(high.0 - 6.0, Anchor::End), (low.0 + 6.0, Anchor::Start)];
            let sides = |(end, anchor)| [(end, anchor, at - 5.0), (end, anchor, at + 15.0)];
            ends.into_iter()
                .flat_map(sides)
                .map(|(end, anchor, row)| inner((end, row), anchor, &reference.name, colours))
                .collect()
        };
        let there = if reference.vertical { (x.place(reference.at), low.1) } else { (low.0, y.place(reference.at)) };
        if inside.has(there) {
            put(shapes, places);
        }
    }
}

fn room(text: &Text) -> Frame {
    let corners = text.corners();
    let fold = |pick: fn(f64, f64) -> f64| corners.iter().copied().reduce(|a, b| (pick(a.0, b.0), pick(a.1, b.1)));
    Frame::new(fold(f64::min).unwrap_or(text.at), fold(f64::max).unwrap_or(text.at))
}

fn meet(a: &Frame, b: &Frame) -> bool {
    a.low.0 < b.high.0 && b.low.0 < a.high.0 && a.low.1 < b.high.1 && b.low.1 < a.high.1
}

/// The length of lines that a text would cover, in pixels.
fn covered(room: &Frame, drawn: &[Vec<Point>]) -> f64 {
    let cover = |pair: &[Point]| room.part(pair[0], pair[1]).map_or(0.0, |(a, b)| 1.0 + (b.0 - a.0).hypot(b.1 - a.1));
    drawn.iter().flat_map(|line| line.windows(2).map(cover)).sum()
}
