//! Kinematic errors of gears.

/// A wave of a kinematic error: `amplitude·sin(per_turn·φ + phase)` of the angle φ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorWave {
    /// Amplitude, in the unit of the displacement of the gear [m or rad].
    pub amplitude: f64,
    /// Waves in a turn.
    pub per_turn: f64,
    /// Phase \[rad\].
    pub phase: f64,
}

/// A kinematic error: the displacement at which a gear has no force is not constant, but a sum of waves of the angle of one of its ends. In
/// a harmonic drive the strongest has two waves in a turn of the wave generator.
#[derive(Clone, Debug, PartialEq)]
pub struct KinematicError {
    /// Whether the angle is that of the second end; otherwise that of the first.
    pub of_second: bool,
    /// The waves.
    pub waves: Vec<ErrorWave>,
}

impl KinematicError {
    /// The error at an angle, and its first and second derivative.
    pub fn at(&self, angle: f64) -> [f64; 3] {
        let mut out = [0.0; 3];
        for &ErrorWave { amplitude, per_turn, phase } in &self.waves {
            let (sin, cos) = (per_turn * angle + phase).sin_cos();
            let values = [sin, per_turn * cos, -per_turn * per_turn * sin];
            out.iter_mut().zip(values).for_each(|(out, x)| *out += amplitude * x);
        }
        out
    }
}
