//! Figures: panels of lines over labelled axes, as SVG or, with the feature `png`, as pixels of the same look.
//!
//! ```
//! use stiction::plot::{Axis, Figure, Panel};
//!
//! let t = || (0..200).map(|k| f64::from(k) * 0.05);
//! let time = Axis::linear("t [s]");
//! let svg = Figure::new("A swing")
//!     .panel(Panel::new(time.clone(), Axis::linear("x [m]")).line("x", t().map(|t| (t, t.cos()))).events("turn", [3.14]))
//!     .panel(Panel::new(time, Axis::linear("v [m/s]")).line("v", t().map(|t| (t, -t.sin()))))
//!     .panel(Panel::new(Axis::linear("x [m]"), Axis::linear("v [m/s]")).line("", t().map(|t| (t.cos(), -t.sin()))))
//!     .svg();
//! assert!(svg.starts_with("<svg"));
//! ```
mod layout;
mod map;
#[cfg(feature = "png")]
mod png;
mod scene;
mod svg;
mod thin;

use crate::{Error, output};
use std::io;
use std::path::Path;

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By decades; values that are not positive are left out.
    Log,
}

/// An axis: what it shows, with its unit, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Label, `v [m/s]`.
    pub label: String,
    /// Division.
    pub scale: Scale,
}

impl Axis {
    /// An evenly divided axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear }
    }
    /// An axis divided by decades.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log }
    }
}

/// A line through points. It is broken at a point that is not finite, or that its axes cannot show.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it shows, for the legend; may be empty.
    pub name: String,
    /// The points, in order; x need not rise.
    pub points: Vec<(f64, f64)>,
}

/// Events of one kind, marked across a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Events {
    /// What happens, for the legend; may be empty.
    pub name: String,
    /// Where on the x axis.
    pub at: Vec<f64>,
}

/// Lines over common axes. Several get a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The lines.
    pub lines: Vec<Line>,
    /// The events; they do not widen the x axis.
    pub events: Vec<Events>,
}

impl Panel {
    /// A panel without lines.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self { x, y, lines: Vec::new(), events: Vec::new() }
    }
    /// Adds a line.
    #[must_use]
    pub fn line(mut self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.lines.push(Line { name: name.into(), points: points.into_iter().collect() });
        self
    }
    /// Adds events.
    #[must_use]
    pub fn events(mut self, name: impl Into<String>, at: impl IntoIterator<Item = f64>) -> Self {
        self.events.push(Events { name: name.into(), at: at.into_iter().collect() });
        self
    }
}

/// A picture: panels below each other. Neighbours with the same x axis share it.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Title; may be empty.
    pub title: String,
    /// The panels, from the top.
    pub panels: Vec<Panel>,
}

/// What a figure can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scalable Vector Graphics.
    Svg,
    /// Portable Network Graphics, two pixels to the unit.
    Png,
}

impl Format {
    /// What the name of a file asks for, if it is a picture.
    pub fn of(path: &Path) -> Option<Self> {
        let ends = |with: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(with));
        if ends("svg") { Some(Self::Svg) } else { ends("png").then_some(Self::Png) }
    }
}

impl Figure {
    /// A figure without panels.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), panels: Vec::new() }
    }
    /// Adds a panel at the bottom.
    #[must_use]
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }
    /// The figure as an SVG document. Long lines are thinned to what can be seen.
    pub fn svg(&self) -> String {
        svg::draw(&layout::scene(self))
    }
    /// The figure as a PNG file, with so many pixels to a unit of the SVG.
    ///
    /// # Errors
    /// If the picture is empty or too large.
    #[cfg(feature = "png")]
    pub fn png(&self, scale: f64) -> io::Result<Vec<u8>> {
        png::draw(&layout::scene(self), scale)
    }
    /// Writes the figure to a file.
    ///
    /// # Errors
    /// [`Error::File`] if the folder or the disk refuses, or for PNG without the feature `png`.
    pub fn write(&self, path: &Path, format: Format) -> Result<(), Error> {
        output::write(path, |out| match format {
            Format::Svg => out.write_all(self.svg().as_bytes()),
            #[cfg(feature = "png")]
            Format::Png => out.write_all(&self.png(2.0)?),
            #[cfg(not(feature = "png"))]
            Format::Png => Err(io::Error::new(io::ErrorKind::Unsupported, "built without the feature 'png'")),
        })
    }
}
