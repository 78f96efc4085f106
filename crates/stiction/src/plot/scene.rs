//! What a drawing is made of, whatever it is drawn on. Units are pixels of the SVG, y points down.

pub type Point = (f64, f64);

/// A drawing: its size, and shapes from back to front.
pub struct Scene {
    pub size: Point,
    pub shapes: Vec<Shape>,
}

/// Red, green and blue, a byte each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour(pub u32);

pub enum Shape {
    /// Lines through points, drawn with one pen.
    Strokes {
        strokes: Vec<Vec<Point>>,
        pen: Pen,
    },
    /// A filled circle.
    Dot {
        at: Point,
        radius: f64,
        colour: Colour,
    },
    Text {
        at: Point,
        text: String,
        anchor: Anchor,
        turned: bool,
        size: f64,
    },
}

#[derive(Clone, Copy)]
pub struct Pen {
    pub colour: Colour,
    pub width: f64,
    /// Lengths of a dash and of the gap after it; none: solid.
    pub dash: Option<(f64, f64)>,
}

impl Pen {
    pub const fn solid(colour: u32, width: f64) -> Self {
        Self { colour: Colour(colour), width, dash: None }
    }
}

/// Which part of a text stands at its place.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// Colour of all text.
pub const INK: Colour = Colour(0x22_22_22);
