//! Conditions on samples and options, each an error if it does not hold.
use crate::NumericsError;

/// All samples are finite.
///
/// # Errors
/// [`NumericsError::NotFinite`] with the first sample that is not.
pub fn all_finite(what: &'static str, x: &[f64]) -> Result<(), NumericsError> {
    x.iter().position(|x| !x.is_finite()).map_or(Ok(()), |at| Err(NumericsError::NotFinite { what, at }))
}

/// There are at least `need` samples, all finite.
///
/// # Errors
/// [`NumericsError::TooFew`] or [`NumericsError::NotFinite`].
pub fn enough_samples(what: &'static str, x: &[f64], need: usize) -> Result<(), NumericsError> {
    if x.len() < need { Err(NumericsError::TooFew { what, need, have: x.len() }) } else { all_finite(what, x) }
}

/// A list has the required length.
///
/// # Errors
/// [`NumericsError::LengthMismatch`].
pub fn same_length(what: &'static str, have: usize, need: usize) -> Result<(), NumericsError> {
    if have == need { Ok(()) } else { Err(NumericsError::LengthMismatch { what, need, have }) }
}

/// Times are finite and strictly increasing.
///
/// # Errors
/// [`NumericsError::NotFinite`] or [`NumericsError::TimeNotIncreasing`].
pub fn increasing(t: &[f64]) -> Result<(), NumericsError> {
    all_finite("time", t)?;
    let late = t.windows(2).position(|w| w[1] <= w[0]);
    late.map_or(Ok(()), |k| Err(NumericsError::TimeNotIncreasing { at: k + 1, times: [t[k], t[k + 1]] }))
}

/// An option is finite and above zero.
///
/// # Errors
/// [`NumericsError::InvalidValue`].
pub fn positive(name: &'static str, value: f64) -> Result<(), NumericsError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(NumericsError::InvalidValue { name, value, must: "above zero" })
    }
}
