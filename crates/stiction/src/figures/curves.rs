//! Static curves, for the pictures of laws.
use crate::{Error, Spec};
use stiction_core::Input;

/// `n + 1` places from `a` to `b`.
pub(super) fn span(a: f64, b: f64, n: u32) -> impl DoubleEndedIterator<Item = f64> + Clone {
    (0..=n).map(move |k| a + (b - a) * f64::from(k) / f64::from(n))
}

/// The law `name` with some of its values.
pub(super) fn law(name: &str, values: &[(&str, f64)]) -> Result<Spec, Error> {
    let mut spec = Spec::new(name)?;
    for (key, value) in values {
        spec.set(key, *value)?;
    }
    Ok(spec)
}

/// Steady force over velocities from `-top` to `top`: closer near rest, and up to it on either side, so that a jump is
/// upright.
pub(super) fn steady(spec: &Spec, top: f64) -> Result<Vec<(f64, f64)>, Error> {
    let law = spec.build()?;
    let speeds = || span(0.0, 1.0, 500).map(move |part| top * (part * part).max(1e-12));
    let all = speeds().rev().map(|v| -v).chain(speeds());
    Ok(all.map(|v| (v, law.steady(&Input::at(v)))).collect())
}
