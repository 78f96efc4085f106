//! The frame of a panel and its content.
use super::axis_transform::{AxisTransform, Tick};
use super::clip::Frame;
use super::scene::{Colour, FrameRect, Pen, Point, Shape, add_strokes};
use super::simplify::simplify;
use super::theme::Colours;
use super::{Panel, SeriesStyle, annotation_draw, heat_map_draw, marker};

/// Most events of one kind that are drawn across the panel; if there are more, they are ticks along its upper edge.
const MAX_EVENT_LINES: usize = 60;
/// Half the width of the cap of an error bar.
const CAP_HALF_WIDTH: f64 = 3.5;

pub fn draw(
    shapes: &mut Vec<Shape>,
    panel: &Panel,
    (x, columns): (&AxisTransform, &[Tick]),
    (y, rows): (&AxisTransform, &[Tick]),
    place: FrameRect,
    colours: &Colours,
) {
    let FrameRect { left, right, top, bottom } = place;
    let inside = Frame::new((left, top), (right, bottom));
    if panel.heat_map.is_some() {
        heat_map_draw::draw(shapes, panel, (x, y), inside, colours);
        // a grid would hide the colours: ticks outside instead
        let size = |tick: &Tick| if tick.text.is_empty() { 3.0 } else { 5.0 };
        let below = columns.iter().map(|t| vec![(x.place(t.value), bottom), (x.place(t.value), bottom + size(t))]);
        let beside = rows.iter().map(|t| vec![(left - size(t), y.place(t.value)), (left, y.place(t.value))]);
        add_strokes(shapes, below.chain(beside).collect(), Pen::solid(colours.frame, 1.0));
    } else {
        let upright =
            |tick: &Tick| (tick_pen(tick, colours), vec![(x.place(tick.value), top), (x.place(tick.value), bottom)]);
        let level =
            |tick: &Tick| (tick_pen(tick, colours), vec![(left, y.place(tick.value)), (right, y.place(tick.value))]);
        let grid: Vec<_> = columns.iter().map(upright).chain(rows.iter().map(level)).collect();
        for colour in [colours.minor, colours.grid, colours.zero] {
            let lines = grid.iter().filter(|line| line.0 == colour).map(|line| line.1.clone());
            add_strokes(shapes, lines.collect(), Pen::solid(colour, 1.0));
        }
    }
    let at = |p: &Point| (x.place(p.0), y.place(p.1));
    let pens = panel.pens();
    let of = |style: SeriesStyle| panel.series.iter().zip(&pens).filter(move |(series, _)| series.style == style);
    for (series, k) in of(SeriesStyle::Area) {
        let ring = inside.ring(&series.points.iter().map(at).collect::<Vec<_>>());
        if !ring.is_empty() {
            shapes.push(marker::fill(vec![ring], &colours.line(*k)));
        }
    }
    for (k, events) in panel.events.iter().enumerate() {
        let mut at: Vec<_> = events.at.iter().map(|v| x.place(*v)).filter(|at| (left..=right).contains(at)).collect();
        at.sort_by(f64::total_cmp);
        at.dedup_by(|b, a| *b - *a < 1.0);
        let few = at.len() <= MAX_EVENT_LINES;
        let end = if few { bottom } else { top + 9.0 };
        let pen = if few { colours.event(k) } else { Pen { dash: &[], ..colours.event(k) } };
        add_strokes(shapes, at.into_iter().map(|at| vec![(at, top), (at, end)]).collect(), pen);
    }
    for (series, k) in of(SeriesStyle::Cloud) {
        let points: Vec<Point> = series.points.iter().map(at).filter(|p| inside.has(*p)).collect();
        shapes.extend(marker::cloud(&points, &colours.line(*k)));
    }
    let mut drawn: Vec<Vec<Point>> = Vec::new();
    for (series, k) in of(SeriesStyle::Line) {
        let points = inside.line(&series.points.iter().map(at).collect::<Vec<_>>());
        let (dots, lines): (Vec<_>, Vec<_>) = simplify(&points).into_iter().partition(|stroke| stroke.len() == 1);
        drawn.extend(lines.iter().cloned());
        add_strokes(shapes, lines, colours.line(*k));
        shapes.extend(dots.iter().map(|dot| Shape::Dot { at: dot[0], radius: 3.0, colour: colours.line(*k).colour }));
    }
    annotation_draw::references(shapes, panel, (x, y), inside, colours);
    for (series, k) in of(SeriesStyle::Points) {
        let pen = colours.line(*k);
        let points: Vec<Point> = series.points.iter().map(at).collect();
        let bars = points.iter().zip(&series.bars).filter(|(p, _)| inside.has(**p)).flat_map(|(p, bar)| {
            let [low, high] = [bar.0, bar.1].map(|v| y.place(v).clamp(top, bottom));
            let cap = |at: f64| vec![(p.0 - CAP_HALF_WIDTH, at), (p.0 + CAP_HALF_WIDTH, at)];
            [vec![(p.0, low), (p.0, high)], cap(low), cap(high)]
        });
        let bars = bars.filter(|bar| bar.iter().all(|p| p.1.is_finite())).collect();
        add_strokes(shapes, bars, Pen::solid(pen.colour, 1.3));
        let points: Vec<Point> = points.into_iter().filter(|p| inside.has(*p)).collect();
        marker::draw(shapes, &points, *k, &pen, colours);
        drawn.extend(points.into_iter().map(|p| vec![p, p]));
    }
    let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top), (right, top)];
    add_strokes(shapes, vec![corners], Pen::solid(colours.frame, 1.0));
    annotation_draw::words(shapes, panel, (x, y), inside, &drawn, colours);
}

/// The grid line through zero is darker.
fn tick_pen(tick: &Tick, colours: &Colours) -> Colour {
    let colour = if tick.text.is_empty() { colours.minor } else { colours.grid };
    if tick.value == 0.0 { colours.zero } else { colour }
}
