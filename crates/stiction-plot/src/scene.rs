//! The shapes of a drawing, independent of the output format. Units are pixels of the SVG, y points down.
use super::markup;

/// Right and down.
pub type Point = (f64, f64);

/// A drawing: its size, and shapes from back to front.
pub struct Scene {
    /// Width and height.
    pub size: Point,
    /// By how much it is enlarged where it is drawn.
    pub zoom: f64,
    /// What is behind everything.
    pub paper: Colour,
    /// The colour of text.
    pub ink: Colour,
    /// From back to front.
    pub shapes: Vec<Shape>,
}

/// Red, green and blue, a byte each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour(pub u32);

/// A part of a drawing.
pub enum Shape {
    /// Lines through points, drawn with one pen.
    Strokes {
        /// Points of each line.
        strokes: Vec<Vec<Point>>,
        /// Colour, width and dashes.
        pen: Pen,
    },
    /// Polygons.
    Fill {
        /// Corners of each polygon.
        rings: Vec<Vec<Point>>,
        /// Its colour.
        colour: Colour,
        /// 1 hides what is behind.
        opacity: f64,
    },
    /// Rectangles by two corners that touch without a seam.
    Cells {
        /// Two opposite corners of each.
        cells: Vec<(Point, Point)>,
        /// Their colour.
        colour: Colour,
    },
    /// A filled circle.
    Dot {
        /// Its middle.
        at: Point,
        /// Its radius.
        radius: f64,
        /// Its colour.
        colour: Colour,
    },
    /// A line of text.
    Text(Text),
}

/// A line of text.
#[derive(Clone)]
pub struct Text {
    /// Position of its baseline.
    pub at: Point,
    /// With `_{}` and `^{}`.
    pub text: String,
    /// Which part of it is at the position.
    pub anchor: Anchor,
    /// Degrees, clockwise.
    pub turn: f64,
    /// Size of its letters.
    pub size: f64,
    /// Colour; `None`: that of all text.
    pub ink: Option<Colour>,
    /// Colour of an outline that separates it from what is behind.
    pub halo: Option<Colour>,
}

impl Text {
    /// A level text in the colour of all text.
    pub fn new(at: Point, anchor: Anchor, size: f64, text: impl Into<String>) -> Self {
        // control characters have no glyphs
        let text = text.into().chars().filter(|c| !c.is_control()).collect();
        Self { at, text, anchor, turn: 0.0, size, ink: None, halo: None }
    }
    /// The same, turned clockwise by degrees.
    #[must_use]
    pub fn turned(self, turn: f64) -> Self {
        Self { turn, ..self }
    }
    /// The corners of its bounding box.
    pub fn corners(&self) -> [Point; 4] {
        let width = markup::width(&self.text, self.size);
        let left = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -0.5 * width,
            Anchor::End => -width,
        };
        let (sin, cos) = self.turn.to_radians().sin_cos();
        // height of letters above and depth below the baseline
        let (up, down) = (-0.8 * self.size, 0.25 * self.size);
        [(left, up), (left + width, up), (left + width, down), (left, down)]
            .map(|(x, y)| (self.at.0 + x * cos - y * sin, self.at.1 + x * sin + y * cos))
    }
}

/// How lines are drawn.
#[derive(Clone, Copy)]
pub struct Pen {
    /// Their colour.
    pub colour: Colour,
    /// Their width.
    pub width: f64,
    /// Lengths of dashes and of the gaps after them; none: solid.
    pub dash: &'static [f64],
}

impl Pen {
    /// A line without dashes.
    pub const fn solid(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: &[] }
    }
}

/// Which part of a text is at its position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// Size of ordinary text, and the height of its lines.
pub const TEXT: f64 = 14.0;
pub const LINE: f64 = 17.0;

/// The frame of a panel, in pixels.
#[derive(Clone, Copy)]
pub struct FrameRect {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// Adds lines, if there are any.
pub fn add_strokes(shapes: &mut Vec<Shape>, strokes: Vec<Vec<Point>>, pen: Pen) {
    if !strokes.is_empty() {
        shapes.push(Shape::Strokes { strokes, pen });
    }
}

/// Adds a text, unless it is empty.
pub fn add_text(shapes: &mut Vec<Shape>, text: Text) {
    if !text.text.is_empty() {
        shapes.push(Shape::Text(text));
    }
}
