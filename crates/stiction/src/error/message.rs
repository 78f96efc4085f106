//! Parts of the messages of [`Error`](super::Error) that depend on several values.
use stiction_io::number::short;
use stiction_sim::system::CurveError;

/// The component that lacks a key; without a name it is the scenario.
pub(super) fn component(name: &str) -> String {
    if name.is_empty() { "the scenario".to_owned() } else { format!("[{name}]") }
}

/// That exactly one of `keys` must be given.
pub(super) fn one_of(keys: &[&str], given: &[&str]) -> String {
    if given.is_empty() {
        format!("needs {}", keys.join(" or "))
    } else {
        format!("has {}: only one of them is allowed", given.join(" and "))
    }
}

/// Why points do not define a curve.
pub(super) fn curve(problem: &CurveError, [x, before]: &[f64; 2]) -> String {
    let (x, before) = (short(*x), short(*before));
    match problem {
        CurveError::TooFewPoints => "a table needs at least two points".to_owned(),
        CurveError::NotIncreasing { at } => {
            format!("the table is not sorted: {x} in row {} is not greater than {before}", at + 1)
        }
        CurveError::NotFinite { at } => format!("row {} of the table has {x}, which is not a finite number", at + 1),
    }
}
