//! Figures: panels of lines, points, areas and heat maps over labelled axes, and matrices; as SVG, with the feature `png` as
//! PNG of the same appearance, or as text for a terminal.
//!
//! ```
//! use stiction_plot::{Axis, Figure, Panel};
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
//!
//! Two panels beside each other, a measurement and a heat map, in dark colours and in a terminal:
//!
//! ```
//! use stiction_plot::{Axis, Figure, HeatMap, Panel, Terminal, Theme};
//!
//! let speeds = || (1..=9).map(|k| f64::from(k) * 1e-3);
//! let force = |v: f64| 1.0 + 0.5 * (-v / 2e-3).exp();
//! let fit = Panel::new(Axis::linear("v [m/s]"), Axis::linear("F [N]"))
//!     .bars("measured", speeds().map(|v| [v, force(v) + 0.01, force(v) - 0.03, force(v) + 0.05]))
//!     .line("fitted", speeds().map(|v| (v, force(v))))
//!     .horizontal_line("F_{c}", 1.0);
//! let rows: Vec<Vec<f64>> = speeds().map(|a| speeds().map(|b| a * b).collect()).collect();
//! let at: Vec<f64> = speeds().collect();
//! let map = Panel::new(Axis::log("a"), Axis::log("b")).heat_map(HeatMap::new(Axis::log("a b"), at.clone(), at, rows));
//! let figure = Figure::new("").panel(fit.title("(a)")).beside(map.title("(b)")).theme(Theme::Dark);
//! assert!(figure.svg().contains("measured"));
//! assert!(figure.text(&Terminal { width: 80, height: 12, colour: false, unicode: true }).contains("measured"));
//! ```
mod annotation_draw;
mod axis;
mod axis_transform;
mod canvas;
mod clip;
mod colour_bar;
mod colour_map;
mod contour;
/// What a drawing consists of.
pub mod drawing {
    pub use super::scene::{Anchor, Colour, Pen, Scene, Shape, Text};
}
#[cfg_attr(not(feature = "png"), path = "film_unavailable.rs")]
pub mod film;
mod heat_map;
mod heat_map_draw;
mod layout;
mod legend;
mod marker;
mod markup;
mod matrix;
mod matrix_draw;
mod matrix_terminal;
mod panel;
mod panel_draw;
mod panel_grid;
#[cfg(feature = "png")]
mod png;
mod scene;
mod simplify;
mod svg;
mod terminal;
mod terminal_draw;
mod theme;

pub use axis::{Axis, Scale};
pub use heat_map::HeatMap;
pub use matrix::{CellMark, Matrix, MatrixCell};
pub use panel::{Annotation, EventMarkers, Panel, ReferenceLine, Series, SeriesStyle};
pub use terminal::Terminal;
pub use theme::Theme;

use std::io;
use std::path::Path;
use stiction_io::{FileError, output};

/// Default width of a figure: that of a page.
const WIDTH: f64 = 720.0;

/// A figure: panels below or beside each other. Panels below each other with the same x axis share it.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Title; may be empty.
    pub title: String,
    /// The panels, from the top and from the left.
    pub panels: Vec<Panel>,
    /// Matrices, below the panels.
    pub matrices: Vec<Matrix>,
    /// Light or dark colours.
    pub theme: Theme,
    /// Width in units of the SVG. A matrix may need more.
    pub width: f64,
    /// Height in units of the SVG; none: as high as its panels usually are. Titles and legends may need more.
    pub height: Option<f64>,
    /// Size of ordinary text in units of the SVG. Lines and markers grow with it.
    pub font_size: f64,
}

/// The file format of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageFormat {
    /// Scalable Vector Graphics.
    Svg,
    /// Portable Network Graphics, two pixels to the unit.
    Png,
}

impl ImageFormat {
    /// The format that the ending of a file name stands for, if it is one of them.
    pub fn of(path: &Path) -> Option<Self> {
        let ends = |with: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(with));
        if ends("svg") { Some(Self::Svg) } else { ends("png").then_some(Self::Png) }
    }
    /// Whether this build can write it.
    pub fn available(self) -> bool {
        self == Self::Svg || cfg!(feature = "png")
    }
}

impl Figure {
    /// A figure without panels.
    pub fn new(title: impl Into<String>) -> Self {
        let (panels, matrices) = (Vec::new(), Vec::new());
        let (theme, width, height, font_size) = (Theme::Light, WIDTH, None, scene::TEXT);
        Self { title: title.into(), panels, matrices, theme, width, height, font_size }
    }
    /// The same figure with another title.
    #[must_use]
    pub fn named(mut self, title: &str) -> Self {
        title.clone_into(&mut self.title);
        self
    }
    /// Adds a panel at the bottom.
    #[must_use]
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }
    /// Adds a panel to the right of the last one.
    #[must_use]
    pub fn beside(self, panel: Panel) -> Self {
        self.panel(Panel { beside: true, ..panel })
    }
    /// Adds a matrix at the bottom.
    #[must_use]
    pub fn matrix(mut self, matrix: Matrix) -> Self {
        self.matrices.push(matrix);
        self
    }
    /// The same figure in other colours.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }
    /// The same figure with another width: 720 fits a page, 420 a column of two.
    #[must_use]
    pub fn width(mut self, width: f64) -> Self {
        self.width = width;
        self
    }
    /// The same figure with another height of its panels together with all around them.
    #[must_use]
    pub fn height(mut self, height: f64) -> Self {
        self.height = Some(height);
        self
    }
    /// The same figure with text of this size, 14 by default; lines and markers grow with it, the figure does not.
    #[must_use]
    pub fn font_size(mut self, size: f64) -> Self {
        self.font_size = size;
        self
    }
    /// The same figure with decimal commas in the numbers of its axes.
    #[must_use]
    pub fn decimal_comma(mut self) -> Self {
        for panel in &mut self.panels {
            let z = panel.heat_map.as_mut().map(|map| &mut map.z);
            [&mut panel.x, &mut panel.y].into_iter().chain(z).for_each(|axis| axis.decimal_comma = true);
        }
        self
    }
    /// Its width and height, in units of the SVG.
    pub fn size(&self) -> (f64, f64) {
        let scene = layout::scene(self);
        (scene.size.0 * scene.zoom, scene.size.1 * scene.zoom)
    }
    /// The figure as text, for a terminal.
    pub fn text(&self, screen: &Terminal) -> String {
        terminal_draw::draw(self, screen)
    }
    /// The figure as an SVG document. Long lines are simplified to what can be seen.
    pub fn svg(&self) -> String {
        svg::draw(&layout::scene(self))
    }
    /// The figure as a PNG file, with `scale` pixels per unit of the SVG.
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
    /// [`FileError`] if the file cannot be written, and for PNG without the feature `png`.
    pub fn write(&self, path: &Path, format: ImageFormat) -> Result<(), FileError> {
        output::write(path, |out| out.write_all(&self.bytes(format)?))
    }
    /// The figure as the content of a file.
    ///
    /// # Errors
    /// If the picture is empty or too large, and for PNG without the feature `png`.
    pub fn bytes(&self, format: ImageFormat) -> io::Result<Vec<u8>> {
        match format {
            ImageFormat::Svg => Ok(self.svg().into_bytes()),
            #[cfg(feature = "png")]
            ImageFormat::Png => self.png(2.0),
            #[cfg(not(feature = "png"))]
            ImageFormat::Png => Err(io::Error::new(io::ErrorKind::Unsupported, "built without the feature 'png'")),
        }
    }
}
