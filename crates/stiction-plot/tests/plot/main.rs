//! Figures as SVG, PNG and terminal text.
mod figure;
#[path = "../../../../tests/common/noise.rs"]
mod noise;
mod terminal;

use stiction_plot::{Axis, Panel};

/// An empty panel of a position over time.
fn axes() -> Panel {
    Panel::new(Axis::linear("t [s]"), Axis::linear("x [m]"))
}
