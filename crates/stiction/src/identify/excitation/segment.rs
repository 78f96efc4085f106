//! Segments of an experiment.
use super::AxisLimits;
use super::segment_path::{Multisine, SegmentPath};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A motion that begins and ends at rest at the same position. Lengths in m, speeds in m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// A stroke there and back at one speed.
    Stroke {
        /// Length of the stroke.
        displacement: f64,
        /// The speed.
        speed: f64,
    },
    /// A stroke there and back in three parts: slow, fast, slow.
    Steps {
        /// Length of the stroke.
        displacement: f64,
        /// Speed of the first and the last third.
        slow: f64,
        /// Speed in between.
        fast: f64,
    },
    /// A stroke there and back with a rest before each.
    Rest {
        /// Duration of each rest \[s\].
        time: f64,
        /// Length of the stroke.
        displacement: f64,
        /// The speed.
        speed: f64,
    },
    /// One period of a sine.
    Sine {
        /// Peak-to-peak amplitude.
        displacement: f64,
        /// Frequency \[Hz\].
        frequency: f64,
    },
    /// One period of a multisine with equal velocity amplitudes.
    Multisine {
        /// Peak-to-peak amplitude.
        displacement: f64,
        /// Fundamental frequency \[Hz\].
        frequency: f64,
    },
}

/// Fewest samples of a blend between speeds.
const MIN_BLEND_SAMPLES: f64 = 8.0;
/// Fewest samples per period, where nothing else limits the frequency.
pub(super) const MIN_PERIOD_SAMPLES: f64 = 20.0;

impl Segment {
    /// Name for tables.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Stroke { .. } => "stroke",
            Self::Steps { .. } => "speed steps",
            Self::Rest { .. } => "rest and stroke",
            Self::Sine { .. } => "sine",
            Self::Multisine { .. } => "multisine",
        }
    }
    /// Peak-to-peak displacement \[m\].
    pub fn displacement(&self) -> f64 {
        match *self {
            Self::Stroke { displacement, .. }
            | Self::Steps { displacement, .. }
            | Self::Rest { displacement, .. }
            | Self::Sine { displacement, .. }
            | Self::Multisine { displacement, .. } => displacement,
        }
    }
    /// Constant speeds with their durations, and the duration of a blend; none for sines, or if the blends do not fit.
    fn levels(&self, limits: &AxisLimits, rate: f64) -> Option<(Vec<(f64, f64)>, f64)> {
        let blend = |speed: f64, displacement: f64| {
            let soft = FRAC_PI_2 * speed / limits.acceleration();
            // as smooth as possible within a twentieth of the duration
            soft.max(MIN_BLEND_SAMPLES / rate).max(0.05 * displacement / speed)
        };
        let (there, blend) = match *self {
            Self::Stroke { displacement, speed } => {
                let blend = blend(speed, displacement);
                (vec![(speed, displacement / speed - blend)], blend)
            }
            Self::Rest { time, displacement, speed } => {
                let blend = blend(speed, displacement);
                (vec![(0.0, time), (speed, displacement / speed - blend)], blend)
            }
            Self::Steps { displacement, slow, fast } => {
                let soft = FRAC_PI_2 * fast / limits.acceleration();
                let blend = soft.max(MIN_BLEND_SAMPLES / rate);
                // half of each blend belongs to either speed
                let hold = |speed: f64| displacement / 3.0 / speed - blend;
                (vec![(slow, hold(slow)), (fast, hold(fast)), (slow, hold(slow))], blend)
            }
            Self::Sine { .. } | Self::Multisine { .. } => return None,
        };
        if there.iter().any(|(_, hold)| *hold < 0.0) {
            return None;
        }
        let back = there.iter().map(|(v, hold)| (-v, *hold));
        Some((there.iter().copied().chain([(0.0, 0.0)]).chain(back).collect(), blend))
    }
    /// Number of samples; none if it violates a limit or is too short to be sampled.
    pub(super) fn count(&self, limits: &AxisLimits, rate: f64, tones: &Multisine) -> Option<usize> {
        // tolerance for rounding
        let slack = 1.0 + 1e-12;
        let within = |x: f64, limit: f64| x <= limit * slack;
        let top = limits.frequency.min(rate / MIN_PERIOD_SAMPLES);
        if !within(self.displacement(), limits.stroke) {
            return None;
        }
        match *self {
            Self::Stroke { speed, .. } | Self::Rest { speed, .. } | Self::Steps { fast: speed, .. } => {
                let (levels, blend) = self.levels(limits, rate)?;
                let time = levels.iter().map(|(_, hold)| hold + blend).sum::<f64>() + blend;
                within(speed, limits.speed).then_some((time * rate - 1e-9).ceil() as usize)
            }
            Self::Sine { displacement, frequency } => {
                let count = (rate / frequency).round();
                let f = rate / count;
                let good = within(PI * f * displacement, limits.speed)
                    && within(2.0 * (PI * f).powi(2) * displacement, limits.acceleration())
                    && within(f, top);
                good.then_some(count as usize)
            }
            Self::Multisine { displacement, frequency } => {
                let count = (rate / frequency).round();
                let omega = TAU * rate / count;
                let highest = Multisine::NUMBERS.iter().fold(1.0_f64, |a, b| a.max(*b));
                let good = within(tones.most[0] * omega * displacement, limits.speed)
                    && within(tones.most[1] * omega * omega * displacement, limits.acceleration())
                    && within(highest * rate / count, top);
                good.then_some(count as usize)
            }
        }
    }
    /// The motion; empty if [`Segment::count`] rejects it.
    pub(super) fn path(&self, limits: &AxisLimits, rate: f64, tones: &Multisine) -> SegmentPath {
        let Some(count) = self.count(limits, rate, tones) else { return SegmentPath::default() };
        match *self {
            Self::Sine { displacement, .. } => SegmentPath::sine(displacement, count, rate),
            Self::Multisine { displacement, .. } => SegmentPath::tones(tones, displacement, count, rate),
            _ => self
                .levels(limits, rate)
                .map_or_else(SegmentPath::default, |(levels, blend)| SegmentPath::levels(&levels, blend, rate)),
        }
    }
}
