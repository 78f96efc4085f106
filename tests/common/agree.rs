//! Comparison with values of fifteen digits. A test program includes this with
//! `#[path = "../../../tests/common/agree.rs"] mod agree;`.

/// Twelve digits: the values carry fifteen, the laws a few roundings.
pub const ROUNDING: f64 = 1e-12;

/// Agreement to a relative tolerance.
#[track_caller]
pub fn near(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance * want.abs(), "{got} instead of {want}");
}

/// Agreement to [`ROUNDING`].
#[track_caller]
pub fn agree(got: f64, want: f64) {
    near(got, want, ROUNDING);
}
