//! Laws of tests. A test program that has `Spec` in its root includes this with
//! `#[path = "../../../../tests/common/law.rs"] mod law;`.
use crate::Spec;

/// A law with these values, the others at their defaults.
pub fn law(name: &str, values: &[(&str, f64)]) -> Spec {
    let mut spec = Spec::new(name).expect("a law");
    for (key, value) in values {
        spec.set(key, *value).expect("a parameter");
    }
    spec
}
