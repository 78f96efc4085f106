//! A drawing as pixels: outlines by `tiny-skia`, glyphs from the font of `ttf-noto-sans`.
use super::markup::{TextRun, text_runs};
use super::scene::{Anchor, Colour, Pen, Point, Scene, Shape, Text};
use std::io;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

pub fn draw(scene: &Scene, scale: f64) -> io::Result<Vec<u8>> {
    pixels(scene, scale)?.encode_png().map_err(io::Error::other)
}

/// The picture, `scale` pixels to the unit.
pub fn pixels(scene: &Scene, scale: f64) -> io::Result<Pixmap> {
    let scale = scale * scene.zoom;
    let [width, height] = [scene.size.0, scene.size.1].map(|x| (x * scale).ceil() as u32);
    let size = || io::Error::new(io::ErrorKind::InvalidInput, format!("a picture of {width} by {height} pixels"));
    let mut pixels = Pixmap::new(width, height).ok_or_else(size)?;
    let face = Face::parse(ttf_noto_sans::REGULAR, 0).map_err(io::Error::other)?;
    let [_, red, green, blue] = scene.paper.0.to_be_bytes();
    pixels.fill(Color::from_rgba8(red, green, blue, 255));
    let scale = Transform::from_scale(scale as f32, scale as f32);
    for shape in &scene.shapes {
        match shape {
            Shape::Strokes { strokes, pen } => {
                if let Some(path) = outline(strokes, false) {
                    pixels.stroke_path(&path, &paint(pen.colour, 1.0), &stroke(pen), scale, None);
                }
            }
            Shape::Fill { rings, colour, opacity } => {
                if let Some(path) = outline(rings, true) {
                    pixels.fill_path(&path, &paint(*colour, *opacity), FillRule::Winding, scale, None);
                }
            }
            Shape::Cells { cells, colour } => {
                let mut paint = paint(*colour, 1.0);
                paint.anti_alias = false;
                for (a, b) in cells {
                    let rect = Rect::from_ltrb(a.0 as f32, a.1 as f32, b.0 as f32, b.1 as f32);
                    rect.into_iter().for_each(|rect| pixels.fill_rect(rect, &paint, scale, None));
                }
            }
            Shape::Dot { at, radius, colour } => {
                if let Some(path) = PathBuilder::from_circle(at.0 as f32, at.1 as f32, *radius as f32) {
                    pixels.fill_path(&path, &paint(*colour, 1.0), FillRule::Winding, scale, None);
                }
            }
            Shape::Text(line) => text(&mut pixels, &face, scene.ink, line, scale),
        }
    }
    Ok(pixels)
}

fn text(pixels: &mut Pixmap, face: &Face, ink: Colour, line: &Text, scale: Transform) {
    let em = f32::from(face.units_per_em());
    let (path, width) = glyphs(face, &text_runs(&line.text), line.size);
    let shift = match line.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -0.5 * width,
        Anchor::End => -width,
    };
    // the font's y points up
    let size = line.size as f32 / em;
    let place = scale
        .pre_translate(line.at.0 as f32, line.at.1 as f32)
        .pre_concat(Transform::from_rotate(line.turn as f32))
        .pre_scale(size, -size)
        .pre_translate(shift, 0.0);
    let Some(path) = path else { return };
    if let Some(halo) = line.halo {
        let rim = Stroke { width: 3.0 / size, line_join: LineJoin::Round, ..Stroke::default() };
        pixels.stroke_path(&path, &paint(halo, 1.0), &rim, place, None);
    }
    pixels.fill_path(&path, &paint(line.ink.unwrap_or(ink), 1.0), FillRule::Winding, place, None);
}

fn paint(Colour(rgb): Colour, opacity: f64) -> Paint<'static> {
    let [_, red, green, blue] = rgb.to_be_bytes();
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, (opacity * 255.0).round() as u8);
    paint
}

fn stroke(pen: &Pen) -> Stroke {
    let dash = StrokeDash::new(pen.dash.iter().map(|x| *x as f32).collect(), 0.0).filter(|_| !pen.dash.is_empty());
    Stroke { width: pen.width as f32, line_join: LineJoin::Round, line_cap: LineCap::Butt, dash, ..Stroke::default() }
}

fn outline(strokes: &[Vec<Point>], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for stroke in strokes {
        for (k, (x, y)) in stroke.iter().enumerate() {
            let (x, y) = (*x as f32, *y as f32);
            if k == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        if closed {
            path.close();
        }
    }
    path.finish()
}

/// The outline of a text from the origin on, and its length, in units of the font at this size.
fn glyphs(face: &Face, runs: &[TextRun], size: f64) -> (Option<Path>, f32) {
    let mut pen = Glyphs { path: PathBuilder::new(), x: 0.0, y: 0.0, scale: 1.0 };
    for run in runs {
        let (small, shift) = run.size_and_shift(size);
        pen.scale = (small / size) as f32;
        pen.y = (shift / size) as f32 * f32::from(face.units_per_em());
        for letter in run.text.chars() {
            let glyph = face.glyph_index(letter).unwrap_or_default();
            face.outline_glyph(glyph, &mut pen);
            pen.x += pen.scale * f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
        }
    }
    (pen.path.finish(), pen.x)
}

/// Outlines of letters at a position and in a size.
struct Glyphs {
    path: PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Glyphs {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, self.y + self.scale * y)
    }
}

impl OutlineBuilder for Glyphs {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.path.close();
    }
}
