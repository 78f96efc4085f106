//! Units in which a picture is easy to read.

/// A factor for lengths of this size, and the unit that goes with it.
pub(crate) fn length(size: f64) -> (f64, &'static str) {
    if size < 5e-5 {
        (1e6, "µm")
    } else if size < 0.05 {
        (1e3, "mm")
    } else {
        (1.0, "m")
    }
}
