//! Units of length for axes.

/// Factor and unit for lengths of this size.
pub(super) fn length_unit(size: f64) -> (f64, &'static str) {
    if size < 5e-5 {
        (1e6, "µm")
    } else if size < 0.05 {
        (1e3, "mm")
    } else {
        (1.0, "m")
    }
}
