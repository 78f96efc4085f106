//! Limits of an axis.
use crate::NumericsError;
use crate::check::positive;

/// Smallest and largest number for which a library of segments is finite and of sensible size.
const RANGE: std::ops::RangeInclusive<f64> = 1e-15..=1e15;

/// Checks a length, a speed, a duration or a rate.
pub(super) fn within_range(name: &'static str, value: f64) -> Result<(), NumericsError> {
    positive(name, value)?;
    let must = "between 1e-15 and 1e15";
    if RANGE.contains(&value) { Ok(()) } else { Err(NumericsError::InvalidValue { name, value, must }) }
}

/// Limits of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisLimits {
    /// Travel \[m\]: positions lie between 0 and this.
    pub stroke: f64,
    /// Speed \[m/s\].
    pub speed: f64,
    /// Acceleration \[m/s²\]; infinite if only the force is limited.
    pub acceleration: f64,
    /// Force of the drive, for inertia and friction together \[N\]; may be infinite.
    pub force: f64,
    /// The moving mass \[kg\].
    pub mass: f64,
    /// Highest frequency of sines \[Hz\]; infinite: one twentieth of the sampling rate.
    pub frequency: f64,
    /// Smallest useful stroke, such as some steps of an encoder \[m\]; zero: 1e-5 of the stroke.
    pub resolution: f64,
}

impl AxisLimits {
    /// Limits of stroke, speed and acceleration alone.
    pub fn new(stroke: f64, speed: f64, acceleration: f64) -> Self {
        let (force, mass, frequency, resolution) = (f64::INFINITY, 0.0, f64::INFINITY, 0.0);
        Self { stroke, speed, acceleration, force, mass, frequency, resolution }
    }
    /// Checks the limits.
    pub(super) fn check(&self) -> Result<(), NumericsError> {
        within_range("stroke", self.stroke)?;
        within_range("speed", self.speed)?;
        let above = |name, value: f64, least: bool| {
            let good = value > 0.0 || (least && value == 0.0);
            let must = if least { "zero or above" } else { "above zero" };
            if good { Ok(()) } else { Err(NumericsError::InvalidValue { name, value, must }) }
        };
        above("acceleration", self.acceleration, false)?;
        above("force", self.force, false)?;
        above("frequency", self.frequency, false)?;
        above("mass", self.mass, true)?;
        above("resolution", self.resolution, true)?;
        if self.resolution > 0.0 {
            within_range("resolution", self.resolution)?;
        }
        let (name, value) = ("acceleration", self.acceleration());
        let must = "limited, by itself or by a force and a mass";
        if value.is_finite() && self.mass.is_finite() {
            Ok(())
        } else {
            Err(NumericsError::InvalidValue { name, value, must })
        }
    }
    /// Largest acceleration, without friction \[m/s²\].
    pub(super) fn acceleration(&self) -> f64 {
        if self.mass > 0.0 { self.acceleration.min(self.force / self.mass) } else { self.acceleration }
    }
    /// Smallest useful stroke \[m\].
    pub(super) fn least(&self) -> f64 {
        if self.resolution > 0.0 { self.resolution } else { 1e-5 * self.stroke }
    }
}
