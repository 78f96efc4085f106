//! Markers of points, of different shapes.
use super::scene::{Pen, Point, Shape};
use super::theme::Colours;
use std::collections::HashSet;
use std::f64::consts::TAU;

const RADIUS: f64 = 3.8;
/// Radius and opacity of a dot of a cloud.
const CLOUD_DOT_RADIUS: f64 = 1.4;
const CLOUD_DOT_OPACITY: f64 = 0.5;
/// Opacity of an area.
const OPACITY: f64 = 0.22;

/// Corners, and the direction of the first one in turns: circle, square, triangle, diamond, triangle down, hexagon,
/// pentagon. Every other one is hollow.
const SHAPES: [(u32, f64); 7] = [(20, 0.0), (4, 0.125), (3, 0.75), (4, 0.0), (3, 0.25), (6, 0.0), (5, 0.75)];

/// A marker of kind `k` at each point; of several on one pixel only one.
pub fn draw(shapes: &mut Vec<Shape>, points: &[Point], k: usize, pen: &Pen, colours: &Colours) {
    let mut seen = HashSet::new();
    let (corners, start) = SHAPES[k % SHAPES.len()];
    let corner = |at: Point, i: u32| {
        let (sin, cos) = ((f64::from(i) / f64::from(corners) + start) * TAU).sin_cos();
        (at.0 + RADIUS * cos, at.1 + RADIUS * sin)
    };
    let points =
        points.iter().filter(|p| (p.0 + p.1).is_finite() && seen.insert((p.0.round() as i64, p.1.round() as i64)));
    let rings: Vec<Vec<Point>> = points.map(|p| (0..corners).map(|i| corner(*p, i)).collect()).collect();
    if rings.is_empty() {
        return;
    }
    let hollow = k % 2 == 1;
    let colour = if hollow { colours.paper } else { pen.colour };
    let outline = |ring: &Vec<Point>| ring.iter().chain(&ring[..2]).copied().collect();
    let strokes = rings.iter().map(outline).collect();
    shapes.push(Shape::Fill { rings, colour, opacity: 1.0 });
    if hollow {
        shapes.push(Shape::Strokes { strokes, pen: Pen::solid(pen.colour, 1.5) });
    }
}

/// A small dot at each point, paler than a marker; of several on one pixel only one.
pub fn cloud(points: &[Point], pen: &Pen) -> Option<Shape> {
    let mut seen = HashSet::new();
    let points =
        points.iter().filter(|p| (p.0 + p.1).is_finite() && seen.insert((p.0.round() as i64, p.1.round() as i64)));
    let ring = |p: &Point| {
        let corner = |i: u32| {
            let (sin, cos) = (f64::from(i) / 8.0 * TAU).sin_cos();
            (p.0 + CLOUD_DOT_RADIUS * cos, p.1 + CLOUD_DOT_RADIUS * sin)
        };
        (0..8).map(corner).collect::<Vec<_>>()
    };
    let rings: Vec<Vec<Point>> = points.map(ring).collect();
    (!rings.is_empty()).then_some(Shape::Fill { rings, colour: pen.colour, opacity: CLOUD_DOT_OPACITY })
}

/// An area in the colour of a pen.
pub fn fill(rings: Vec<Vec<Point>>, pen: &Pen) -> Shape {
    Shape::Fill { rings, colour: pen.colour, opacity: OPACITY }
}
