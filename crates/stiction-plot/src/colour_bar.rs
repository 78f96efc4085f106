//! The colour bar of a heat map.
use super::axis_transform::{AxisTransform, Tick};
use super::colour_map::viridis;
use super::heat_map_draw::{SHADES, levels, scale, ticks};
use super::scene::{Anchor, FrameRect, LINE, Pen, Shape, TEXT, Text, add_strokes, add_text};
use super::theme::Colours;
use super::{Panel, markup};

const BAR_GAP: f64 = 12.0;
const WIDTH: f64 = 14.0;

/// Its width, with labels, to the right of a frame of this height.
pub fn room(panel: &Panel, height: f64) -> f64 {
    let Some(heat) = &panel.heat_map else { return 0.0 };
    let numbers = longest(&ticks(heat));
    let lines = markup::fit(&scale(heat).label(&heat.z), TEXT, height).0.len() as f64;
    BAR_GAP + WIDTH + 6.0 + numbers + 8.0 + LINE * lines + 6.0
}

fn longest(ticks: &[Tick]) -> f64 {
    ticks.iter().map(|tick| markup::width(&markup::number(&tick.text), TEXT)).fold(0.0, f64::max)
}

pub fn draw(shapes: &mut Vec<Shape>, panel: &Panel, place: FrameRect, colours: &Colours) {
    let Some(heat) = &panel.heat_map else { return };
    let FrameRect { right, top, bottom, .. } = place;
    let (left, right) = (right + BAR_GAP, right + BAR_GAP + WIDTH);
    let map = AxisTransform::new(&heat.z, heat.all(), (bottom, top), 0.0);
    let ticks = ticks(heat);
    let step = (bottom - top) / f64::from(SHADES);
    for k in 0..SHADES {
        let y = bottom - f64::from(k + 1) * step;
        let colour = viridis(f64::from(k) / f64::from(SHADES - 1));
        shapes.push(Shape::Cells { cells: vec![((left, y), (right, y + step))], colour });
    }
    let levels = levels(heat).into_iter().map(|level| map.place(level)).filter(|y| (top..=bottom).contains(y));
    add_strokes(shapes, levels.map(|y| vec![(left, y), (right, y)]).collect(), Pen::solid(colours.paper, 1.0));
    let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    add_strokes(shapes, vec![corners], Pen::solid(colours.frame, 1.0));
    for tick in &ticks {
        let at = (right + 6.0, map.place(tick.value) + 5.0);
        add_text(shapes, Text::new(at, Anchor::Start, TEXT, markup::number(&tick.text)));
    }
    let (lines, size) = markup::fit(&map.label(&heat.z), TEXT, bottom - top);
    for (k, line) in lines.into_iter().enumerate() {
        let x = right + 6.0 + longest(&ticks) + 8.0 + LINE * (k as f64 + 1.0) - 3.0;
        let text = Text::new((x, f64::midpoint(top, bottom)), Anchor::Middle, size, line);
        add_text(shapes, text.turned(-90.0));
    }
}
