//! A run as drawings, one for each instant of a film: what `motion_page` shows in a browser.
use crate::number::{round, short};
use crate::plot::Theme;
use crate::plot::drawing::{Anchor, Colour, Pen, Scene, Shape, Text};
use crate::sim::Column;
use crate::system::System;

/// Width of a drawing, height of a lane, left edge of the rails, and size of a block, in pixels.
const WIDTH: f64 = 640.0;
const LANE: f64 = 52.0;
const EDGE: f64 = 96.0;
const SIZE: f64 = 30.0;
/// Size of text.
const FONT: f64 = 13.0;
/// Height of the scale and the clock below the lanes.
const FOOT: f64 = 48.0;
/// Length of the film \[s\], as on the page.
const LENGTH: f64 = 12.0;
/// Time that each drawing is shown, in hundredths of a second: 25 drawings a second, of which no viewer makes fewer.
pub const HUNDREDTHS: u16 = 4;

/// A body that moves.
struct Body<'a> {
    name: &'a str,
    turns: bool,
    values: &'a [f64],
    /// Height of its middle.
    y: f64,
}

/// A film of a run.
pub struct MotionFilm<'a> {
    times: &'a [f64],
    bodies: Vec<Body<'a>>,
    /// Springs and dampers between two bodies, by number; true for springs.
    links: Vec<([usize; 2], bool)>,
    /// Middle and width of what is in sight \[m\]; without a middle, the picture goes with the bodies.
    middle: Option<f64>,
    span: f64,
    theme: Theme,
}

impl<'a> MotionFilm<'a> {
    /// The film of a run: its system, the column of time \[s\], and what moves, as [`super::motion_page::places`] finds it.
    pub fn new(system: &System, times: &'a [f64], places: &'a [(&'a Column, Vec<f64>)], theme: Theme) -> Self {
        let bodies: Vec<Body<'_>> = (places.iter().enumerate())
            .map(|(k, (column, values))| Body {
                name: column.name.rsplit_once('.').map_or(&*column.name, |(body, _)| body),
                turns: column.unit == "rad",
                values,
                y: LANE * k as f64 + 28.0,
            })
            .collect();
        let sliding: Vec<&Body<'_>> = bodies.iter().filter(|body| !body.turns).collect();
        let range = |values: &mut dyn Iterator<Item = f64>| {
            let finite = values.filter(|x| x.is_finite());
            finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)])
        };
        let [low, high] = range(&mut sliding.iter().flat_map(|body| body.values.iter().copied()));
        let apart = |k: usize| range(&mut sliding.iter().filter_map(|body| body.values.get(k).copied()));
        let spread = (0..times.len()).map(apart).map(|[a, b]| b - a).filter(|x| x.is_finite()).fold(0.0, f64::max);
        // where bodies travel far together, the picture goes with them
        let follows = sliding.len() > 1 && spread > 0.0 && high - low > 5.0 * spread;
        let whole = if high > low { 1.08 * (high - low) } else { 1.0 };
        let links = system.springs.iter().filter_map(|spring| {
            let part = &spring.component;
            let at = |k: usize| {
                let name = &system.nodes[spring.ends[k].0].name;
                bodies.iter().position(|body| body.name == name && !body.turns)
            };
            Some(([at(0)?, at(1)?], part.stiffness != 0.0 || part.curve.is_some()))
        });
        let links = links.collect();
        let middle = (!follows).then_some(if low <= high { 0.5 * (low + high) } else { 0.0 });
        Self { times, links, middle, span: if follows { 2.2 * spread } else { whole }, bodies, theme }
    }
    /// Its drawings.
    pub fn scenes(&self) -> impl Iterator<Item = Scene> + '_ {
        let count = (LENGTH * 100.0 / f64::from(HUNDREDTHS)) as usize;
        let [begin, end] = [self.times.first(), self.times.last()].map(|t| t.copied().unwrap_or(0.0));
        (0..=count).map(move |k| self.scene(begin + (end - begin) * k as f64 / count as f64))
    }
    /// The drawing of an instant.
    fn scene(&self, t: f64) -> Scene {
        let [paper, ink, soft, grid, block] = match self.theme {
            Theme::Light => [0xff_ff_ff, 0x22_22_22, 0x66_6b_73, 0xdd_dd_dd, 0x00_72_b2],
            Theme::Dark => [0x15_18_1d, 0xdd_df_e2, 0x93_99_a2, 0x31_36_3e, 0x5a_b0_f2],
        }
        .map(Colour);
        let height = LANE * self.bodies.len() as f64 + FOOT;
        let mut shapes = Vec::new();
        let now: Vec<f64> = self.bodies.iter().map(|body| at(self.times, body.values, t)).collect();
        let here = || now.iter().zip(&self.bodies).filter(|(_, body)| !body.turns).map(|(x, _)| *x);
        let middle = self
            .middle
            .unwrap_or_else(|| 0.5 * (here().fold(f64::INFINITY, f64::min) + here().fold(f64::NEG_INFINITY, f64::max)));
        let px = |x: f64| EDGE + 0.5 * SIZE + ((x - middle) / self.span + 0.5) * (WIDTH - EDGE - SIZE - 12.0);
        if here().next().is_some() {
            let foot = LANE * self.bodies.len() as f64 + 6.0;
            for value in ticks(middle - 0.5 * self.span, middle + 0.5 * self.span) {
                let x = px(value);
                shapes.push(strokes(vec![vec![(x, 4.0), (x, foot)]], grid, 1.0));
                let text = format!("{} m", short(round(value, 6)));
                shapes.push(Shape::Text(Text::new((x, foot + 14.0), Anchor::Middle, FONT, text)));
            }
        }
        let place = |k: usize| if self.bodies[k].turns { 0.5 * (EDGE + WIDTH) } else { px(now[k]) };
        for body in &self.bodies {
            let y = body.y + 0.5 * SIZE;
            shapes.push(strokes(vec![vec![(EDGE, y), (WIDTH - 10.0, y)]], soft, 1.2));
        }
        for (ends, spring) in &self.links {
            let [a, b] = ends.map(|k| (place(k), self.bodies[k].y));
            shapes.push(strokes(vec![coil(a, b, *spring)], soft, 1.6));
        }
        for (k, body) in self.bodies.iter().enumerate() {
            let (x, y, half) = (place(k), body.y, 0.5 * SIZE);
            if body.turns {
                let radius = half + 4.0;
                shapes.push(Shape::Dot { at: (x, y), radius, colour: block });
                let (sin, cos) = now[k].sin_cos();
                shapes.push(strokes(vec![vec![(x, y), (x + radius * cos, y - radius * sin)]], paper, 3.0));
            } else {
                let ring = vec![(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)];
                shapes.push(Shape::Fill { rings: vec![ring], colour: block, opacity: 1.0 });
            }
            let name: String = body.name.chars().take(12).collect();
            shapes.push(Shape::Text(Text::new((4.0, y + 5.0), Anchor::Start, FONT, name)));
        }
        let clock = format!("t = {t:.2} s");
        shapes.push(Shape::Text(Text::new((WIDTH - 10.0, height - 8.0), Anchor::End, FONT, clock)));
        Scene { size: (WIDTH, height), zoom: 1.0, paper, ink, shapes }
    }
}

fn strokes(strokes: Vec<Vec<(f64, f64)>>, colour: Colour, width: f64) -> Shape {
    Shape::Strokes { strokes, pen: Pen::solid(colour, width) }
}

/// The value of a column at a time, on the straight line between two rows.
fn at(times: &[f64], values: &[f64], t: f64) -> f64 {
    let after = times.partition_point(|other| *other <= t).clamp(1, times.len().saturating_sub(1).max(1));
    let (Some(&a), Some(&b)) = (values.get(after - 1), values.get(after)) else {
        return values.first().copied().unwrap_or(0.0);
    };
    let long = times[after] - times[after - 1];
    let share = if long > 0.0 { ((t - times[after - 1]) / long).clamp(0.0, 1.0) } else { 0.0 };
    a + share * (b - a)
}

/// A spring as a zigzag, a damper as a line.
fn coil(a: (f64, f64), b: (f64, f64), spring: bool) -> Vec<(f64, f64)> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let long = dx.hypot(dy).max(1.0);
    let point = |s: f64, side: f64| (a.0 + s * dx - side * dy / long, a.1 + s * dy + side * dx / long);
    if !spring {
        return vec![a, b];
    }
    let turns = (0..12).map(|k| point(0.12 + 0.76 * (f64::from(k) + 0.5) / 12.0, if k % 2 == 0 { -6.0 } else { 6.0 }));
    [a, point(0.12, 0.0)].into_iter().chain(turns).chain([point(0.88, 0.0), b]).collect()
}

/// Some five round numbers between two others.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let raw = (high - low) / 5.0;
    let power = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|step| *step >= raw).unwrap_or(raw);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).take(12).map(|k| k as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::{EDGE, LANE, LENGTH, SIZE, WIDTH};
    use crate::export::motion_page::FILM_SCRIPT;

    /// The film and the page are drawn by two programs, in one frame.
    #[test]
    fn the_page_has_the_frame_of_the_film() {
        for line in [
            format!("[LANE, EDGE, SIZE] = [{LANE}, {EDGE}, {SIZE}];"),
            // but for that of a telephone
            format!(" : {WIDTH};"),
            format!("LENGTH = {LENGTH};"),
            "LANE * k + 28,".to_owned(),
            "name.slice(0, 12)".to_owned(),
        ] {
            assert!(FILM_SCRIPT.contains(&line), "{line}");
        }
    }
}
