//! The layout of a figure: the positions of frames, labels and legends.
use super::axis_transform::{AxisTransform, Tick};
use super::legend::Legend;
use super::panel_grid::{self, PanelGroup};
use super::scene::{Anchor, FrameRect, LINE, Scene, Shape, TEXT, Text, add_text};
use super::theme::Colours;
use super::{Figure, Panel, colour_bar, markup, matrix_draw, panel_draw};

/// Free space above the first frame or legend, between frames, beside them, and below a frame for its ticks.
const TOP_MARGIN: f64 = 16.0;
const FRAME_GAP: f64 = 16.0;
const SIDE_MARGIN: f64 = 14.0;
const TICK_MARGIN: f64 = 26.0;
/// Largest height of a frame with an x axis of its own, and of frames that share one: absolute, and as a fraction of the width.
const MAX_HEIGHT_SINGLE: (f64, f64) = (345.0, 0.72);
const MAX_HEIGHT_SHARED: (f64, f64) = (180.0, 0.45);
/// Size of the text of the title.
const TITLE: f64 = 16.0;
/// Pixels per tick, horizontally and vertically.
const TICKS: (f64, f64) = (88.0, 49.0);
/// Fewest ticks of an axis.
const MIN_TICKS: usize = 3;
/// The narrowest frame.
const MIN_FRAME_WIDTH: f64 = 110.0;
/// An x axis shorter than this has closer ticks.
const SHORT_AXIS: f64 = 400.0;
/// The narrowest figure, and the widest.
const WIDTHS: (f64, f64) = (240.0, 20_000.0);
/// The smallest and the largest factor by which a given height changes the heights of frames.
const STRETCHES: (f64, f64) = (0.2, 20.0);
/// The smallest and the largest factor of the size of text.
const ZOOMS: (f64, f64) = (0.2, 10.0);

/// The margins beside a frame: numbers and label on the left, half a number or a colour bar on the right.
#[derive(Clone, Copy, Default)]
struct SideMargins {
    /// Length of the longest number.
    numbers: f64,
    /// Most lines of a label.
    lines: f64,
    left: f64,
    right: f64,
}

/// The size that frames are to fit into.
#[derive(Clone, Copy)]
struct Space {
    width: f64,
    /// Factor of the usual height of frames.
    stretch: f64,
}

/// The drawing of a figure. Everything is laid out for text of one size, on a paper of that much more or less room, and then enlarged.
pub fn scene(figure: &Figure) -> Scene {
    let zoom = figure.font_size / TEXT;
    let zoom = if zoom.is_finite() { zoom.clamp(ZOOMS.0, ZOOMS.1) } else { 1.0 };
    let (usual, frames) = scene_of(figure, zoom, 1.0);
    match figure.height {
        Some(height) if height.is_finite() && frames > 0.0 => {
            let stretch = 1.0 + (height / zoom - usual.size.1) / frames;
            scene_of(figure, zoom, stretch.clamp(STRETCHES.0, STRETCHES.1)).0
        }
        _ => usual,
    }
}

/// The drawing with frames of `stretch` times their usual height, and the sum of these heights from above to below.
fn scene_of(figure: &Figure, zoom: f64, stretch: f64) -> (Scene, f64) {
    let colours = figure.theme.colours();
    let groups = panel_grid::groups(&figure.panels);
    let width = figure.width / zoom;
    let width = if width >= WIDTHS.0 { width.min(WIDTHS.1) } else { WIDTHS.0 };
    let width = width.max(least(&groups, Space { width, stretch }));
    let space = Space { width, stretch };
    let frames = groups.iter().map(|group| group.rows.len() as f64 * height(group, space)).sum();
    // a matrix determines its own width
    let matrices = figure.matrices.iter().map(|matrix| matrix_draw::draw(&mut Vec::new(), matrix, 0.0, colours).0);
    let matrices = matrices.reduce(f64::max);
    let right = matrices.map_or(width, |end| if figure.panels.is_empty() { end } else { end.max(width) });
    let mut shapes = Vec::new();
    let mut top = TOP_MARGIN;
    if !figure.title.is_empty() {
        let (lines, size) = markup::fit(&figure.title, TITLE, right - 24.0);
        for line in lines {
            top += TITLE;
            shapes.push(Shape::Text(Text::new((0.5 * right, top - 1.0), Anchor::Middle, size, line)));
            top += 4.0;
        }
        top += 10.0;
    }
    for group in &groups {
        top = draw(&mut shapes, group, &groups, space, top, colours) + FRAME_GAP;
    }
    for matrix in &figure.matrices {
        top = matrix_draw::draw(&mut shapes, matrix, top, colours).1 + FRAME_GAP;
    }
    let size = (right, (top - FRAME_GAP).max(TOP_MARGIN).ceil());
    (Scene { size, zoom, paper: colours.paper, ink: colours.ink, shapes }, frames)
}

/// The least width at which every frame is at least [`MIN_FRAME_WIDTH`] wide.
fn least(groups: &[PanelGroup<'_>], space: Space) -> f64 {
    let row = |group: &PanelGroup<'_>| {
        let n = group.rows[0].len();
        let beside = (0..n).map(|column| sides(groups, n, column, space)).map(|side| side.left + side.right);
        n as f64 * (beside.fold(0.0, f64::max) + MIN_FRAME_WIDTH) + SIDE_MARGIN * (n as f64 - 1.0)
    };
    groups.iter().map(row).fold(0.0, f64::max).ceil()
}

/// The width of each of `n` panels beside each other, with its margins.
fn share(width: f64, n: usize) -> f64 {
    (width - SIDE_MARGIN * (n as f64 - 1.0)) / n as f64
}

/// Height of the frames in a group.
fn height(group: &PanelGroup<'_>, space: Space) -> f64 {
    let n = group.rows[0].len();
    let (most, part) = if group.rows.len() == 1 { MAX_HEIGHT_SINGLE } else { MAX_HEIGHT_SHARED };
    space.stretch * most.min(part * share(space.width, n))
}

/// Draws rows of panels that share their x axes, from `top` down; returns where they end.
fn draw<'a>(
    shapes: &mut Vec<Shape>,
    group: &PanelGroup<'a>,
    all: &[PanelGroup<'_>],
    space: Space,
    top: f64,
    colours: &Colours,
) -> f64 {
    let n = group.rows[0].len();
    let tall = height(group, space);
    // all frames in a column have the same left edge, right of the longest number
    let sides: Vec<SideMargins> = (0..n).map(|column| sides(all, n, column, space)).collect();
    let ends = |column: usize| {
        let (share, side) = (share(space.width, n), sides[column]);
        let start = column as f64 * (share + SIDE_MARGIN);
        (start + side.left, start + share - side.right)
    };
    let maps: Vec<AxisTransform> = (0..n).map(|column| x_map(group, column, ends(column))).collect();
    let ticks: Vec<Vec<Tick>> = maps.iter().map(x_ticks).collect();
    let mut top = top;
    for (k, row) in group.rows.iter().enumerate() {
        top += if k == 0 { 0.0 } else { FRAME_GAP };
        let above = |column: usize| k.checked_sub(1).map(|k| &group.rows[k][column]);
        let legend = |(column, panel): (usize, &'a Panel)| Legend::new(panel, above(column), ends(column), colours);
        let legends: Vec<Legend<'_>> = row.iter().enumerate().map(legend).collect();
        top += legends.iter().map(Legend::height).fold(0.0, f64::max);
        for (column, panel) in row.iter().enumerate() {
            legends[column].draw(shapes, top);
            let place = FrameRect { left: ends(column).0, right: ends(column).1, top, bottom: top + tall };
            let y = y_map(panel, (place.bottom, place.top));
            let rows = y_ticks(&y);
            panel_draw::draw(shapes, panel, (&maps[column], &ticks[column]), (&y, &rows), place, colours);
            y_label(shapes, panel, &rows, place, sides[column].numbers);
            colour_bar::draw(shapes, panel, place, colours);
        }
        top += tall;
    }
    let mut below = top;
    for column in 0..n {
        for tick in &ticks[column] {
            let at = (maps[column].place(tick.value), top + 20.0);
            add_text(shapes, Text::new(at, Anchor::Middle, TEXT, markup::number(&tick.text)));
        }
        let (left, right) = ends(column);
        let label = maps[column].label(&group.rows[0][column].x);
        let (lines, size) = markup::fit(&label, TEXT, right - left + 2.0 * sides[column].right.min(22.0) - 4.0);
        for (k, line) in lines.into_iter().enumerate() {
            let at = (f64::midpoint(left, right), top + TICK_MARGIN + LINE * (k as f64 + 1.0));
            add_text(shapes, Text::new(at, Anchor::Middle, size, line));
            below = below.max(at.1 + 9.0);
        }
    }
    below
}

/// The margins beside the frames of a column, over all rows with `n` panels.
fn sides(all: &[PanelGroup<'_>], n: usize, column: usize, space: Space) -> SideMargins {
    let mut sides = SideMargins { numbers: 0.0, lines: 1.0, left: 50.0, right: 16.0 };
    for group in all.iter().filter(|group| group.rows[0].len() == n) {
        let tall = height(group, space);
        for panel in group.rows.iter().map(|row| &row[column]) {
            let longest = |ticks: &[Tick]| {
                ticks.iter().map(|tick| markup::width(&markup::number(&tick.text), TEXT)).fold(0.0, f64::max)
            };
            let y = y_map(panel, (tall, 0.0));
            let numbers = longest(&y_ticks(&y));
            let lines = markup::fit(&y.label(&panel.y), TEXT, tall).0.len() as f64;
            sides.numbers = sides.numbers.max(numbers);
            sides.lines = sides.lines.max(lines);
            sides.left = sides.left.max((sides.numbers + 42.0 + LINE * (sides.lines - 1.0)).ceil());
            // a number may be at the very end of the x axis
            let x =
                x_map(group, column, (0.0, (share(space.width, n) - sides.left - sides.right).max(MIN_FRAME_WIDTH)));
            let half = 0.5 * longest(&x_ticks(&x)) + 4.0;
            sides.right = sides.right.max(half.ceil()).max(colour_bar::room(panel, tall));
        }
    }
    sides
}

fn x_map(group: &PanelGroup<'_>, column: usize, ends: (f64, f64)) -> AxisTransform {
    let panels = || group.rows.iter().map(|row| &row[column]);
    AxisTransform::new(&group.rows[0][column].x, panels().flat_map(Panel::xs), ends, panel_grid::margin_x(panels()))
}

pub fn y_map(panel: &Panel, ends: (f64, f64)) -> AxisTransform {
    AxisTransform::new(&panel.y, panel.ys(), ends, panel_grid::margin_y(panel))
}

/// Ticks of an x axis, far enough apart that their numbers do not overlap.
fn x_ticks(map: &AxisTransform) -> Vec<Tick> {
    let mut gap = if map.is_log() || map.length() < SHORT_AXIS { TICKS.1 } else { TICKS.0 };
    loop {
        let ticks = map.ticks(gap);
        let ends = ticks.iter().filter(|tick| !tick.text.is_empty()).map(|tick| {
            let (at, half) = (map.place(tick.value), 0.5 * markup::width(&markup::number(&tick.text), TEXT));
            (at - half, at + half)
        });
        let ends: Vec<_> = ends.collect();
        if ends.windows(2).all(|pair| pair[0].1 + 6.0 < pair[1].0) || gap > WIDTHS.1 {
            return ticks;
        }
        gap *= 1.3;
    }
}

/// Ticks of a y axis: closer if there would be fewer than [`MIN_TICKS`].
fn y_ticks(map: &AxisTransform) -> Vec<Tick> {
    let named = |ticks: &[Tick]| ticks.iter().filter(|tick| !tick.text.is_empty()).count();
    let mut tries = [1.0, 0.75, 0.5].map(|part| map.ticks(part * TICKS.1)).into_iter();
    let first = tries.next().unwrap_or_default();
    if named(&first) >= MIN_TICKS { first } else { tries.find(|ticks| named(ticks) >= MIN_TICKS).unwrap_or(first) }
}

/// Numbers and label of a y axis; the label is left of the `longest` number of all frames in its column.
fn y_label(shapes: &mut Vec<Shape>, panel: &Panel, ticks: &[Tick], place: FrameRect, longest: f64) {
    let y = y_map(panel, (place.bottom, place.top));
    for tick in ticks {
        let at = (place.left - 8.0, y.place(tick.value) + 5.0);
        add_text(shapes, Text::new(at, Anchor::End, TEXT, markup::number(&tick.text)));
    }
    let (lines, size) = markup::fit(&y.label(&panel.y), TEXT, place.bottom - place.top);
    // the last line is beside the numbers, the others further left
    let count = lines.len() as f64;
    for (k, line) in lines.into_iter().enumerate() {
        let x = place.left - longest - 22.0 - LINE * (count - 1.0 - k as f64);
        let at = (x, f64::midpoint(place.top, place.bottom));
        add_text(shapes, Text::new(at, Anchor::Middle, size, line).turned(-90.0));
    }
}

#[cfg(test)]
mod tests {
    use super::scene;
    use crate::scene::{Point, Scene, Shape, Text};
    use crate::{Axis, CellMark, Figure, HeatMap, Matrix, MatrixCell, Panel, Theme};

    const LONG: &str = "the angular velocity of the pendulum about its pivot ω_{max} [rad·s⁻¹]";

    fn texts(scene: &Scene) -> Vec<&Text> {
        scene.shapes.iter().filter_map(|shape| if let Shape::Text(text) = shape { Some(text) } else { None }).collect()
    }
    fn ends(text: &Text) -> (Point, Point) {
        let ends = |part: fn(&Point) -> f64| {
            let of = text.corners().map(|p| part(&p));
            (of.into_iter().fold(f64::INFINITY, f64::min), of.into_iter().fold(f64::NEG_INFINITY, f64::max))
        };
        (ends(|p| p.0), ends(|p| p.1))
    }
    fn panel(x: Axis, y: Axis, size: f64) -> Panel {
        let points = || (0..50).map(move |k| (size * f64::from(k), -size * f64::from(k * k)));
        let named = (0..5).fold(Panel::new(x, y), |panel, k| panel.line(format!("{LONG} {k}"), points()));
        named
            .title(LONG)
            .horizontal_line(LONG, -size)
            .vertical_line("v_{s}", 20.0 * size)
            .annotate("a word at the end", (49.0 * size, 0.0))
    }
    fn map() -> Panel {
        let at: Vec<f64> = (1..20).map(f64::from).collect();
        let values: Vec<Vec<f64>> = at.iter().map(|y| at.iter().map(|x| -1e-7 * x * y).collect()).collect();
        Panel::new(Axis::log("f [Hz]"), Axis::linear(LONG)).heat_map(HeatMap::new(
            Axis::linear(LONG),
            at.clone(),
            at,
            values,
        ))
    }
    /// Figures with everything that could stick out: long texts, exponents, signs, narrow frames.
    fn all() -> Vec<Figure> {
        let sizes = [1e-9, 1e-3, 1.0, 12345.0, 1e17];
        let axes = [Axis::linear(LONG), Axis::log("v [m/s]"), Axis::linear(LONG).limits(-1.0, 1.0)];
        let mut all = Vec::new();
        for width in [300.0, 420.0, 720.0] {
            for size in sizes {
                for x in &axes {
                    let one = || panel(x.clone(), Axis::linear(LONG), size);
                    all.push(Figure::new(LONG.repeat(3)).width(width).panel(one()).panel(one()).panel(map()));
                    let short = Panel::new(x.clone(), Axis::linear("x [m]")).line("", [(0.0, -1e-9), (1.0, 1e-9)]);
                    all.push(Figure::new("").width(width).panel(short).panel(one()));
                    all.push(Figure::new("").width(width).panel(one()).beside(map()).panel(one()).beside(map()));
                }
            }
            let row = || (0..15).map(|k| MatrixCell::new("0.25").shade(0.07 * f64::from(k)).mark(CellMark::Half));
            let matrix = Matrix::new((0..15).map(|k| format!("{LONG} {k}"))).row(LONG, row()).key(CellMark::Half, LONG);
            all.push(Figure::new(LONG).width(width).matrix(matrix).theme(Theme::Dark));
        }
        all
    }

    #[test]
    fn a_figure_has_the_size_that_was_asked_for() {
        let one = || Panel::new(Axis::linear("t [s]"), Axis::linear("x [m]")).line("", [(0.0, 0.0), (1.0, 2.0)]);
        for (width, height, font_size) in [(720.0, 300.0, 14.0), (500.0, 900.0, 10.0), (900.0, 700.0, 21.0)] {
            let figure = Figure::new("t").panel(one()).panel(one()).width(width).height(height).font_size(font_size);
            let (wide, tall) = figure.size();
            // the height is rounded up to a whole unit before it is enlarged
            assert!((wide - width).abs() < 1e-9 && (0.0..2.0).contains(&(tall - height)), "{wide} {tall}");
        }
        // text of half the size on half the paper is the same picture
        let [whole, half] = [1.0, 0.5].map(|k| Figure::new("t").panel(one()).width(720.0 * k).font_size(14.0 * k));
        let [a, b] = [&whole, &half].map(scene);
        assert_eq!(a.size, b.size);
        assert_eq!((whole.size().0, half.size().0), (720.0, 360.0));
    }

    #[test]
    fn no_text_sticks_out() {
        for figure in all() {
            let scene = scene(&figure);
            for text in texts(&scene) {
                let ((left, right), (top, bottom)) = ends(text);
                let inside = left >= 0.0 && right <= scene.size.0 && top >= 0.0 && bottom <= scene.size.1;
                assert!(inside, "'{}' at {:?} of {:?}, width {}", text.text, ends(text), scene.size, figure.width);
            }
        }
    }

    #[test]
    fn no_text_covers_another() {
        // notes and names of lines across go where they hide least, which may be over something
        let plain = |figure: &Figure| {
            let bare = |panel: &Panel| Panel { annotations: Vec::new(), references: Vec::new(), ..panel.clone() };
            Figure { panels: figure.panels.iter().map(bare).collect(), ..figure.clone() }
        };
        for figure in all().iter().filter(|figure| figure.matrices.is_empty()).map(plain) {
            let scene = scene(&figure);
            let texts: Vec<_> = texts(&scene).into_iter().map(|text| (&text.text, ends(text))).collect();
            for (k, (a, ((al, ar), (at, ab)))) in texts.iter().enumerate() {
                for (b, ((bl, br), (bt, bb))) in &texts[k + 1..] {
                    // a pixel: parts of letters that reach below the line are few
                    let apart = *al >= br - 1.0 || *bl >= ar - 1.0 || *at >= bb - 1.0 || *bt >= ab - 1.0;
                    assert!(apart, "'{a}' and '{b}' at {:?}, width {}", (al, at), figure.width);
                }
            }
        }
    }
}
