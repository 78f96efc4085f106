//! Where everything in a figure stands.
use super::grid::{self, Group};
use super::legend::Legend;
use super::map::{Map, Tick};
use super::scene::{Anchor, Scene, Shape, Text};
use super::theme::Colours;
use super::{Figure, Panel, bar, frame, matrix_draw, rich};

/// Free space above the first frame or legend, between frames, beside them, and below a frame for its ticks.
const TOP: f64 = 16.0;
const GAP: f64 = 16.0;
const GUTTER: f64 = 14.0;
const BELOW: f64 = 26.0;
/// The tallest frame with an x axis of its own, and of those that share one; and as parts of the width.
const TALL: (f64, f64) = (345.0, 0.72);
const LOW: (f64, f64) = (180.0, 0.45);
/// Sizes of text, and of its lines.
pub const TEXT: f64 = 14.0;
pub const LINE: f64 = 17.0;
const TITLE: f64 = 16.0;
/// Pixels to a tick, horizontally and vertically.
const TICKS: (f64, f64) = (88.0, 49.0);
/// The narrowest figure, and the widest.
const WIDTHS: (f64, f64) = (240.0, 20_000.0);

/// What a frame has beside it: numbers and label on the left, half a number or a bar of colours on the right.
#[derive(Clone, Copy, Default)]
struct Sides {
    left: f64,
    right: f64,
}

/// The place of a panel: its frame in pixels.
#[derive(Clone, Copy)]
pub struct Place {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

pub fn scene(figure: &Figure) -> Scene {
    let colours = figure.theme.colours();
    let width = if figure.width >= WIDTHS.0 { figure.width.min(WIDTHS.1) } else { WIDTHS.0 };
    let mut shapes = Vec::new();
    let mut top = TOP;
    if !figure.title.is_empty() {
        let (lines, size) = rich::fit(&figure.title, TITLE, width - 24.0);
        for line in lines {
            top += TITLE;
            shapes.push(Shape::Text(Text::new((0.5 * width, top - 1.0), Anchor::Middle, size, line)));
            top += 4.0;
        }
        top += 10.0;
    }
    let groups = grid::groups(&figure.panels);
    for group in &groups {
        top = draw(&mut shapes, group, &groups, width, top, colours) + GAP;
    }
    let mut right = width;
    for matrix in &figure.matrices {
        let (end, bottom) = matrix_draw::draw(&mut shapes, matrix, top, colours);
        right = right.max(end);
        top = bottom + GAP;
    }
    Scene { size: (right, (top - GAP).max(TOP).ceil()), paper: colours.paper, ink: colours.ink, shapes }
}

/// The part of the width that each of `n` panels beside each other has.
fn share(width: f64, n: usize) -> f64 {
    (width - GUTTER * (n as f64 - 1.0)) / n as f64
}

/// Height of the frames in a group.
fn height(group: &Group<'_>, width: f64) -> f64 {
    let n = group.rows[0].len();
    let (most, part) = if group.rows.len() == 1 { TALL } else { LOW };
    most.min(part * share(width, n))
}

/// Draws rows that share their x axes, from `top` on; returns where they end.
fn draw(shapes: &mut Vec<Shape>, group: &Group<'_>, all: &[Group<'_>], width: f64, top: f64, colours: &Colours) -> f64 {
    let n = group.rows[0].len();
    let tall = height(group, width);
    // all frames in a column start below each other, behind the longest number
    let sides: Vec<Sides> = (0..n).map(|column| sides(all, n, column, width)).collect();
    let ends = |column: usize| {
        let (share, side) = (share(width, n), sides[column]);
        let start = column as f64 * (share + GUTTER);
        (start + side.left, start + share - side.right)
    };
    let maps: Vec<Map> = (0..n).map(|column| x_map(group, column, ends(column))).collect();
    let ticks: Vec<Vec<Tick>> = maps.iter().map(x_ticks).collect();
    let mut top = top;
    for (k, row) in group.rows.iter().enumerate() {
        top += if k == 0 { 0.0 } else { GAP };
        let legends: Vec<Legend<'_>> =
            row.iter().enumerate().map(|(column, panel)| Legend::new(panel, ends(column), colours)).collect();
        top += legends.iter().map(Legend::height).fold(0.0, f64::max);
        for (column, panel) in row.iter().enumerate() {
            legends[column].draw(shapes, top);
            let place = Place { left: ends(column).0, right: ends(column).1, top, bottom: top + tall };
            let y = y_map(panel, (place.bottom, place.top));
            let rows = y.ticks(TICKS.1);
            frame::draw(shapes, panel, (&maps[column], &ticks[column]), (&y, &rows), place, colours);
            y_label(shapes, panel, &rows, place);
            bar::draw(shapes, panel, place, colours);
        }
        top += tall;
    }
    let mut below = top;
    for column in 0..n {
        for tick in &ticks[column] {
            let at = (maps[column].place(tick.value), top + 20.0);
            shapes.extend(words(Text::new(at, Anchor::Middle, TEXT, rich::number(&tick.text))));
        }
        let (left, right) = ends(column);
        let label = &group.rows[0][column].x.label;
        let (lines, size) = rich::fit(label, TEXT, right - left + 40.0);
        for (k, line) in lines.into_iter().enumerate() {
            let at = (f64::midpoint(left, right), top + BELOW + LINE * (k as f64 + 1.0));
            shapes.extend(words(Text::new(at, Anchor::Middle, size, line)));
            below = below.max(at.1 + 9.0);
        }
    }
    below
}

/// The room beside the frames of a column, in all rows of so many panels.
fn sides(all: &[Group<'_>], n: usize, column: usize, width: f64) -> Sides {
    let mut sides = Sides { left: 66.0f64.min(0.2 * width), right: 16.0 };
    for group in all.iter().filter(|group| group.rows[0].len() == n) {
        let tall = height(group, width);
        for panel in group.rows.iter().map(|row| &row[column]) {
            let longest = |ticks: &[Tick]| {
                ticks.iter().map(|tick| rich::width(&rich::number(&tick.text), TEXT)).fold(0.0, f64::max)
            };
            let numbers = longest(&y_map(panel, (tall, 0.0)).ticks(TICKS.1));
            let lines = rich::fit(&panel.y.label, TEXT, tall).0.len() as f64;
            sides.left = sides.left.max((numbers + 42.0 + LINE * (lines - 1.0)).ceil());
            // a number may stand at the very end of the x axis
            let x = x_map(group, column, (0.0, share(width, n) - sides.left - sides.right));
            let half = 0.5 * longest(&x_ticks(&x)) + 4.0;
            sides.right = sides.right.max(half.ceil()).max(bar::room(panel, tall));
        }
    }
    sides
}

fn x_map(group: &Group<'_>, column: usize, ends: (f64, f64)) -> Map {
    let panels = || group.rows.iter().map(|row| &row[column]);
    Map::new(&group.rows[0][column].x, panels().flat_map(Panel::xs), ends, grid::margin_x(panels()))
}

pub fn y_map(panel: &Panel, ends: (f64, f64)) -> Map {
    Map::new(&panel.y, panel.ys(), ends, grid::margin_y(panel))
}

/// Ticks of an x axis, so far apart that their numbers do not meet.
fn x_ticks(map: &Map) -> Vec<Tick> {
    let mut gap = TICKS.0;
    loop {
        let ticks = map.ticks(gap);
        let ends = ticks.iter().filter(|tick| !tick.text.is_empty()).map(|tick| {
            let (at, half) = (map.place(tick.value), 0.5 * rich::width(&rich::number(&tick.text), TEXT));
            (at - half, at + half)
        });
        let ends: Vec<_> = ends.collect();
        if ends.windows(2).all(|pair| pair[0].1 + 6.0 < pair[1].0) || gap > WIDTHS.1 {
            return ticks;
        }
        gap *= 1.3;
    }
}

/// Numbers and name of a y axis.
fn y_label(shapes: &mut Vec<Shape>, panel: &Panel, ticks: &[Tick], place: Place) {
    let y = y_map(panel, (place.bottom, place.top));
    let mut longest = 0.0f64;
    for tick in ticks {
        let text = rich::number(&tick.text);
        longest = longest.max(rich::width(&text, TEXT));
        shapes.extend(words(Text::new((place.left - 8.0, y.place(tick.value) + 5.0), Anchor::End, TEXT, text)));
    }
    let (lines, size) = rich::fit(&panel.y.label, TEXT, place.bottom - place.top);
    // the last line beside the numbers, the others further out
    let count = lines.len() as f64;
    for (k, line) in lines.into_iter().enumerate() {
        let x = place.left - longest - 22.0 - LINE * (count - 1.0 - k as f64);
        let at = (x, f64::midpoint(place.top, place.bottom));
        shapes.extend(words(Text::new(at, Anchor::Middle, size, line).turned(-90.0)));
    }
}

pub fn words(text: Text) -> Option<Shape> {
    (!text.text.is_empty()).then_some(Shape::Text(text))
}
