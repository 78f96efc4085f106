//! Where everything in a figure stands.
use super::map::{Map, Tick};
use super::scene::{Anchor, Colour, Pen, Point, Scene, Shape};
use super::thin::thin;
use super::{Figure, Panel};

/// Width of a figure, and what is free to the right of its frames.
const WIDTH: f64 = 720.0;
const RIGHT: f64 = 28.0;
/// Height of a frame with an x axis of its own, and of one that shares it.
const TALL: f64 = 345.0;
const LOW: f64 = 180.0;
/// Free space above the first frame or legend, between frames, and below a frame for ticks and label.
const TOP: f64 = 16.0;
const GAP: f64 = 16.0;
const BELOW: f64 = 52.0;
/// A row of a legend, and the length of line it shows.
const ROW: f64 = 22.0;
const KEY: f64 = 26.0;
/// Sizes of text.
const TEXT: f64 = 14.0;
const TITLE: f64 = 16.0;
/// Pixels to a tick, horizontally and vertically.
const TICKS: Point = (88.0, 49.0);
/// Events of one kind that are drawn across the panel; more of them as ticks along its upper edge.
const ACROSS: usize = 60;

/// Colours that stay apart for the colour-blind on white: Okabe & Ito 2008 without their yellow. Then the same, dashed.
const COLOURS: [u32; 7] = [0x00_72_b2, 0xd5_5e_00, 0x00_9e_73, 0xcc_79_a7, 0xe6_9f_00, 0x56_b4_e9, 0x00_00_00];
const DASHES: [Option<(f64, f64)>; 3] = [None, Some((8.0, 4.0)), Some((2.5, 3.0))];
/// Events are grey and never solid.
const MARKS: [(u32, (f64, f64)); 3] = [(0x77_77_77, (5.0, 3.0)), (0x77_77_77, (1.5, 2.5)), (0x33_33_33, (9.0, 3.0))];

const MINOR: Pen = Pen::solid(0xf0_f0_f0, 1.0);
const GRID: Pen = Pen::solid(0xdd_dd_dd, 1.0);
const ZERO: Pen = Pen::solid(0x99_99_99, 1.0);
const FRAME: Pen = Pen::solid(0x44_44_44, 1.0);

fn line_pen(k: usize) -> Pen {
    let dash = DASHES[k / COLOURS.len() % DASHES.len()];
    Pen { dash, ..Pen::solid(COLOURS[k % COLOURS.len()], 2.0) }
}

fn event_pen(k: usize) -> Pen {
    let (colour, dash) = MARKS[k % MARKS.len()];
    Pen { dash: Some(dash), ..Pen::solid(colour, 1.2) }
}

/// Length of a text, near enough: a letter of the font is a little wider than half its height.
fn length(text: &str) -> f64 {
    0.57 * TEXT * text.chars().count() as f64
}

pub fn scene(figure: &Figure) -> Scene {
    let mut shapes = Vec::new();
    let mut top = TOP;
    if !figure.title.is_empty() {
        top += TITLE;
        text(&mut shapes, (0.5 * WIDTH, top - 1.0), Anchor::Middle, TITLE, &figure.title);
        top += 14.0;
    }
    let groups = || figure.panels.chunk_by(|a, b| a.x == b.x);
    let height = |group: &[Panel]| if group.len() == 1 { TALL } else { LOW };
    // all frames start below each other, behind the longest label
    let label = |panel: &Panel, height| {
        let ticks = y_map(panel, (height, 0.0)).ticks(TICKS.1);
        ticks.iter().map(|tick| length(&tick.text)).fold(0.0, f64::max)
    };
    let labels = groups().flat_map(|group| group.iter().map(move |panel| label(panel, height(group))));
    let left = (labels.fold(0.0, f64::max) + 42.0).ceil().max(66.0);
    let ends = (left, WIDTH - RIGHT);
    for group in groups() {
        let x = x_map(group, ends);
        let ticks = x.ticks(TICKS.0);
        for (k, panel) in group.iter().enumerate() {
            top += if k == 0 { 0.0 } else { GAP };
            top += legend(&mut shapes, panel, ends, top);
            let bottom = top + height(group);
            draw(&mut shapes, panel, &x, &ticks, (ends, (bottom, top)));
            top = bottom;
        }
        for tick in &ticks {
            text(&mut shapes, (x.place(tick.value), top + 20.0), Anchor::Middle, TEXT, &minus(&tick.text));
        }
        text(&mut shapes, (f64::midpoint(left, ends.1), top + 43.0), Anchor::Middle, TEXT, &group[0].x.label);
        top += BELOW + GAP;
    }
    Scene { size: (WIDTH, (top - GAP).max(TOP)), shapes }
}

/// The x axis that a group of panels shares. A line that turns back does not end at the frame.
fn x_map(group: &[Panel], ends: Point) -> Map {
    let lines = || group.iter().flat_map(|panel| &panel.lines);
    let rises =
        lines().all(|line| line.points.windows(2).all(|p| p[0].0 <= p[1].0 || p[0].0.is_nan() || p[1].0.is_nan()));
    Map::new(
        group[0].x.scale,
        lines().flat_map(|line| line.points.iter().map(|p| p.0)),
        ends,
        if rises { 0.0 } else { 0.04 },
    )
}

fn y_map(panel: &Panel, ends: Point) -> Map {
    let values = panel.lines.iter().flat_map(|line| line.points.iter().map(|p| p.1));
    Map::new(panel.y.scale, values, ends, 0.06)
}

/// Draws the names of several lines, and of events, in rows from `top` on; returns how far down they reach.
fn legend(shapes: &mut Vec<Shape>, panel: &Panel, (left, right): Point, top: f64) -> f64 {
    let lines = panel.lines.iter().enumerate().filter(|_| panel.lines.len() > 1).map(|(k, l)| (&l.name, line_pen(k)));
    let events = panel.events.iter().enumerate().map(|(k, e)| (&e.name, event_pen(k)));
    let entries: Vec<_> = lines.chain(events).filter(|(name, _)| !name.is_empty()).collect();
    let (mut x, mut y) = (left, top + 12.0);
    for (name, pen) in &entries {
        let width = KEY + 6.0 + length(name);
        if x > left && x + width > right {
            (x, y) = (left, y + ROW);
        }
        shapes.push(Shape::Strokes { strokes: vec![vec![(x, y - 5.0), (x + KEY, y - 5.0)]], pen: *pen });
        text(shapes, (x + KEY + 6.0, y), Anchor::Start, TEXT, name);
        x += width + 18.0;
    }
    if entries.is_empty() { 0.0 } else { y - 12.0 + ROW - top }
}

/// Draws a panel without its x labels.
fn draw(shapes: &mut Vec<Shape>, panel: &Panel, x: &Map, ticks: &[Tick], (across, down): (Point, Point)) {
    let ((left, right), (bottom, top)) = (across, down);
    let y = y_map(panel, down);
    let rows = y.ticks(TICKS.1);
    let upright = |tick: &Tick| (tick_pen(tick), vec![(x.place(tick.value), top), (x.place(tick.value), bottom)]);
    let level = |tick: &Tick| (tick_pen(tick), vec![(left, y.place(tick.value)), (right, y.place(tick.value))]);
    let grid: Vec<_> = ticks.iter().map(upright).chain(rows.iter().map(level)).collect();
    for pen in [MINOR, GRID, ZERO] {
        let of_pen = grid.iter().filter(|line| line.0 == pen.colour).map(|line| line.1.clone());
        strokes(shapes, of_pen.collect(), pen);
    }
    for tick in &rows {
        text(shapes, (left - 8.0, y.place(tick.value) + 5.0), Anchor::End, TEXT, &minus(&tick.text));
    }
    for (k, events) in panel.events.iter().enumerate() {
        let mut at: Vec<_> = events.at.iter().map(|v| x.place(*v)).filter(|at| (left..=right).contains(at)).collect();
        at.sort_by(f64::total_cmp);
        at.dedup_by(|b, a| *b - *a < 1.0);
        let few = at.len() <= ACROSS;
        let end = if few { bottom } else { top + 9.0 };
        let pen = if few { event_pen(k) } else { Pen { dash: None, ..event_pen(k) } };
        strokes(shapes, at.into_iter().map(|at| vec![(at, top), (at, end)]).collect(), pen);
    }
    for (k, line) in panel.lines.iter().enumerate() {
        let points: Vec<_> = line.points.iter().map(|p| (x.place(p.0), y.place(p.1))).collect();
        let (dots, lines): (Vec<_>, Vec<_>) = thin(&points).into_iter().partition(|stroke| stroke.len() == 1);
        strokes(shapes, lines, line_pen(k));
        shapes.extend(dots.iter().map(|dot| Shape::Dot { at: dot[0], radius: 3.0, colour: line_pen(k).colour }));
    }
    let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top), (right, top)];
    strokes(shapes, vec![corners], FRAME);
    let (at, label) = ((20.0, f64::midpoint(top, bottom)), plain(&panel.y.label));
    shapes.push(Shape::Text { at, text: label, anchor: Anchor::Middle, turned: true, size: TEXT });
}

/// The grid line through zero is darker.
fn tick_pen(tick: &Tick) -> Colour {
    let pen = if tick.text.is_empty() { MINOR } else { GRID };
    if tick.value == 0.0 { ZERO.colour } else { pen.colour }
}

fn strokes(shapes: &mut Vec<Shape>, strokes: Vec<Vec<Point>>, pen: Pen) {
    if !strokes.is_empty() {
        shapes.push(Shape::Strokes { strokes, pen });
    }
}

fn text(shapes: &mut Vec<Shape>, at: Point, anchor: Anchor, size: f64, text: &str) {
    if !text.is_empty() {
        shapes.push(Shape::Text { at, text: plain(text), anchor, turned: false, size });
    }
}

/// Without what no picture can show and XML forbids.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// A number with a minus sign instead of a hyphen.
fn minus(text: &str) -> String {
    text.replace('-', "−")
}
