//! A drawing as pixels: outlines by `tiny-skia`, glyphs from the font of `ttf-noto-sans`.
use super::scene::{Anchor, Colour, INK, Pen, Point, Scene, Shape};
use std::io;
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};
use ttf_parser::{Face, OutlineBuilder};

pub fn draw(scene: &Scene, scale: f64) -> io::Result<Vec<u8>> {
    let [width, height] = [scene.size.0, scene.size.1].map(|x| (x * scale).ceil() as u32);
    let size = || io::Error::new(io::ErrorKind::InvalidInput, format!("a picture of {width} by {height} pixels"));
    let mut pixels = Pixmap::new(width, height).ok_or_else(size)?;
    let face = Face::parse(ttf_noto_sans::REGULAR, 0).map_err(io::Error::other)?;
    pixels.fill(Color::WHITE);
    let scale = Transform::from_scale(scale as f32, scale as f32);
    for shape in &scene.shapes {
        match shape {
            Shape::Strokes { strokes, pen } => {
                if let Some(path) = outline(strokes) {
                    pixels.stroke_path(&path, &paint(pen.colour), &stroke(pen), scale, None);
                }
            }
            Shape::Dot { at, radius, colour } => {
                if let Some(path) = PathBuilder::from_circle(at.0 as f32, at.1 as f32, *radius as f32) {
                    pixels.fill_path(&path, &paint(*colour), FillRule::Winding, scale, None);
                }
            }
            Shape::Text { at, text, anchor, turned, size } => {
                let (path, width) = glyphs(&face, text);
                let shift = match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => -0.5 * width,
                    Anchor::End => -width,
                };
                // the font's y points up
                let em = *size as f32 / f32::from(face.units_per_em());
                let place = scale
                    .pre_translate(at.0 as f32, at.1 as f32)
                    .pre_concat(Transform::from_rotate(if *turned { -90.0 } else { 0.0 }))
                    .pre_scale(em, -em)
                    .pre_translate(shift, 0.0);
                if let Some(path) = path {
                    pixels.fill_path(&path, &paint(INK), FillRule::Winding, place, None);
                }
            }
        }
    }
    pixels.encode_png().map_err(io::Error::other)
}

fn paint(Colour(rgb): Colour) -> Paint<'static> {
    let [_, red, green, blue] = rgb.to_be_bytes();
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

fn stroke(pen: &Pen) -> Stroke {
    let dash = pen.dash.and_then(|(a, b)| StrokeDash::new(vec![a as f32, b as f32], 0.0));
    Stroke { width: pen.width as f32, line_join: LineJoin::Round, line_cap: LineCap::Butt, dash, ..Stroke::default() }
}

fn outline(strokes: &[Vec<Point>]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for stroke in strokes {
        for (k, (x, y)) in stroke.iter().enumerate() {
            let (x, y) = (*x as f32, *y as f32);
            if k == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
    }
    path.finish()
}

/// The outline of a text from the origin on, and its length, in units of the font.
fn glyphs(face: &Face, text: &str) -> (Option<Path>, f32) {
    let mut pen = Glyphs { path: PathBuilder::new(), x: 0.0 };
    for letter in text.chars() {
        let glyph = face.glyph_index(letter).unwrap_or_default();
        face.outline_glyph(glyph, &mut pen);
        pen.x += f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
    }
    (pen.path.finish(), pen.x)
}

struct Glyphs {
    path: PathBuilder,
    x: f32,
}

impl OutlineBuilder for Glyphs {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x + x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x + x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.x + x1, y1, self.x + x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.path.cubic_to(self.x + x1, y1, self.x + x2, y2, self.x + x, y);
    }
    fn close(&mut self) {
        self.path.close();
    }
}
