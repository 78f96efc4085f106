//! Numbers that look random and are always the same. A test program includes this with
//! `#[path = "../../../../tests/common/noise.rs"] mod noise;`.

/// Number `k`, in −1..1.
pub fn noise(k: usize) -> f64 {
    let x = (k as f64 * 12.9898).sin() * 43758.547;
    2.0 * (x - x.floor()) - 1.0
}
