//! A matrix as shapes.
use super::colour_map::{mix, text_colour_on};
use super::scene::{Anchor, Colour, Pen, Point, Shape, TEXT, Text, add_strokes, add_text};
use super::theme::Colours;
use super::{CellMark, Matrix, markup};
use std::f64::consts::TAU;

/// Free space left of the names, and height of a row.
const LEFT_MARGIN: f64 = 16.0;
const ROW_HEIGHT: f64 = 23.0;
/// Least width of a column; its name is above it, slanted.
const MIN_COLUMN_WIDTH: f64 = 30.0;
const LABEL_ANGLE: f64 = -50.0;
/// Size of the text in a cell, and radius of a mark.
const CELL_TEXT_SIZE: f64 = 12.0;
const RADIUS: f64 = 5.0;
/// Opacity of a shade of 1.
const MAX_OPACITY: f64 = 0.9;

/// Draws a matrix from `top` down; returns its right and lower edge.
pub fn draw(shapes: &mut Vec<Shape>, matrix: &Matrix, top: f64, colours: &Colours) -> Point {
    let length = |text: &str, size: f64| markup::width(text, size);
    let names = matrix.rows.iter().map(|(name, _)| length(name, TEXT)).fold(0.0, f64::max);
    let left = (LEFT_MARGIN + names + 10.0).ceil();
    let cells = || matrix.rows.iter().flat_map(|(_, row)| row);
    let texts = cells().map(|cell| length(&cell.text, CELL_TEXT_SIZE)).fold(0.0, f64::max);
    let marks = if cells().any(|cell| cell.mark.is_some()) { 2.0 * RADIUS + 4.0 } else { 0.0 };
    let wide = (texts + marks + 10.0).ceil().max(MIN_COLUMN_WIDTH);
    let (sin, cos) = (LABEL_ANGLE.to_radians().sin().abs(), LABEL_ANGLE.to_radians().cos());
    let high = matrix.columns.iter().map(|name| length(name, TEXT) * sin).fold(0.0, f64::max) + 16.0;
    let head = (top + high).ceil();
    let mut end: f64 = left + wide * matrix.columns.len() as f64 + LEFT_MARGIN;
    for (k, name) in matrix.columns.iter().enumerate() {
        let at = (left + wide * (k as f64 + 0.5) + 5.0, head - 6.0);
        end = end.max(at.0 + length(name, TEXT) * cos + TEXT);
        add_text(shapes, Text::new(at, Anchor::Start, TEXT, name).turned(LABEL_ANGLE));
    }
    let mut y = head;
    for (name, row) in &matrix.rows {
        add_text(shapes, Text::new((left - 8.0, y + 16.0), Anchor::End, TEXT, name));
        for k in 0..matrix.columns.len() {
            let Some(cell) = matrix.cell(row, k) else { continue };
            let x = left + wide * k as f64;
            let shade = if cell.shade > 0.0 { MAX_OPACITY * cell.shade.min(1.0) } else { 0.0 };
            let paper = mix(colours.paper, colours.line(0).colour, shade);
            if shade > 0.0 {
                shapes.push(Shape::Cells { cells: vec![((x, y), (x + wide, y + ROW_HEIGHT))], colour: paper });
            }
            let ink = if shade > 0.0 { text_colour_on(paper) } else { colours.ink };
            let used = length(&cell.text, CELL_TEXT_SIZE) + if cell.mark.is_some() { marks } else { 0.0 };
            let mut start = x + 0.5 * (wide - used);
            if let Some(mark) = cell.mark {
                let gap = if cell.text.is_empty() { 0.5 * marks } else { RADIUS };
                circle(shapes, (start + gap, y + 0.5 * ROW_HEIGHT), mark, ink);
                start += marks;
            }
            let text =
                Text { ink: Some(ink), ..Text::new((start, y + 16.0), Anchor::Start, CELL_TEXT_SIZE, &cell.text) };
            add_text(shapes, text);
        }
        y += ROW_HEIGHT;
    }
    let (right, rows) = (left + wide * matrix.columns.len() as f64, matrix.rows.len());
    let level = |k: usize| vec![(left, head + ROW_HEIGHT * k as f64), (right, head + ROW_HEIGHT * k as f64)];
    let upright = |k: usize| vec![(left + wide * k as f64, head), (left + wide * k as f64, y)];
    let lines = (0..=rows).map(level).chain((0..=matrix.columns.len()).map(upright)).collect();
    add_strokes(shapes, lines, Pen::solid(colours.grid, 1.0));
    let mut x = left;
    for (mark, meaning) in &matrix.key {
        circle(shapes, (x + RADIUS, y + 20.0), *mark, colours.ink);
        add_text(shapes, Text::new((x + 2.0 * RADIUS + 6.0, y + 25.0), Anchor::Start, TEXT, meaning));
        x += 2.0 * RADIUS + 6.0 + length(meaning, TEXT) + 20.0;
    }
    end = end.max(x);
    (end.ceil(), y + if matrix.key.is_empty() { 12.0 } else { 38.0 })
}

/// A circle, filled from the bottom.
fn circle(shapes: &mut Vec<Shape>, at: Point, mark: CellMark, colour: Colour) {
    let round = |from: f64, to: f64| -> Vec<Point> {
        let corner = |k: u32| (from + (to - from) * f64::from(k) / 24.0) * TAU;
        (0..=24).map(|k| (at.0 + RADIUS * corner(k).cos(), at.1 + RADIUS * corner(k).sin())).collect()
    };
    let filled = match mark {
        CellMark::Empty => None,
        CellMark::Half => Some(round(0.0, 0.5)),
        CellMark::Full => Some(round(0.0, 1.0)),
    };
    shapes.extend(filled.map(|ring| Shape::Fill { rings: vec![ring], colour, opacity: 1.0 }));
    shapes.push(Shape::Strokes { strokes: vec![round(0.0, 1.0)], pen: Pen::solid(colour, 1.2) });
}
