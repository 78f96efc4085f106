//! State feedback with encoders: quantised positions, velocities from their differences.
use super::{ControllerInput, Measurement, SampledController, Signal};
use stiction_core::control::{Estimator, FilteredDifference};

/// A sampled controller with quantised positions. The velocity of a node whose position is quantised is the filtered
/// difference quotient of its counts; all other measurements are exact.
pub struct QuantisedController {
    control: Box<dyn SampledController>,
    period: f64,
    filter: FilteredDifference<f64>,
    /// For each quantised position: its index among the measurements, that of its velocity, and the width of a count.
    channels: Vec<Channel>,
}

struct Channel {
    position: usize,
    velocity: Option<usize>,
    quantum: f64,
}

/// How many numbers the differentiating filter of a channel remembers.
const FILTER_MEMORY: usize = 4;

impl QuantisedController {
    /// The controller behind encoders: `quanta` holds the width of a count for each position among the measurements, 0 for one
    /// that is exact; `tau` \[s\] is the time constant of the differentiating filter.
    pub fn new(
        control: Box<dyn SampledController>,
        measures: &[Measurement],
        quanta: &[f64],
        period: f64,
        tau: f64,
    ) -> Self {
        let positions = measures.iter().enumerate().filter_map(|(i, measure)| match measure {
            Measurement::Position(node) => Some((i, *node)),
            _ => None,
        });
        let channels =
            positions.zip(quanta).filter(|(_, quantum)| **quantum > 0.0).map(|((position, node), quantum)| {
                let velocity = measures.iter().position(|measure| *measure == Measurement::Velocity(node));
                Channel { position, velocity, quantum: *quantum }
            });
        Self { channels: channels.collect(), control, period, filter: FilteredDifference { tau } }
    }
}

impl SampledController for QuantisedController {
    fn reference(&self) -> Option<&Signal> {
        self.control.reference()
    }
    fn reference_mut(&mut self) -> Option<&mut Signal> {
        self.control.reference_mut()
    }
    /// That of each channel's filter, and then the controller's.
    fn memory(&self) -> usize {
        FILTER_MEMORY * self.channels.len() + self.control.memory()
    }
    fn sample(&self, memory: &mut [f64], now: &ControllerInput<'_>) -> f64 {
        let mut y = now.y.to_vec();
        let (filters, rest) = memory.split_at_mut(FILTER_MEMORY * self.channels.len());
        let (filters, _) = filters.as_chunks_mut::<FILTER_MEMORY>();
        for (Channel { position, velocity, quantum }, filter) in self.channels.iter().zip(filters) {
            let counted = (now.y[*position] / *quantum).round() * *quantum;
            let seen;
            (*filter, seen) = self.filter.step(filter, counted, self.period);
            y[*position] = counted;
            if let Some(velocity) = velocity {
                y[*velocity] = seen.v;
            }
        }
        self.control.sample(rest, &ControllerInput { y: &y, ..*now })
    }
}
