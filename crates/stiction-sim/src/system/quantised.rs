//! State feedback with encoders: quantised positions, velocities from their differences.
use super::{ControllerInput, Measurement, SampledController};
use stiction_core::control::{Estimator, FilteredDifference};

/// A sampled controller with quantised positions. The velocity of a node whose position is quantised is the filtered
/// difference quotient of its counts; all other measurements are exact.
pub struct QuantisedController {
    control: Box<dyn SampledController>,
    period: f64,
    filter: FilteredDifference<f64>,
    /// For each quantised position: its index among the measurements, that of its velocity, and the width of a count.
    channels: Vec<Channel>,
    y: Vec<f64>,
}

#[derive(Clone)]
struct Channel {
    position: usize,
    velocity: Option<usize>,
    quantum: f64,
    memory: [f64; 4],
}

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
                Channel { position, velocity, quantum: *quantum, memory: [0.0; 4] }
            });
        Self { channels: channels.collect(), control, period, filter: FilteredDifference { tau }, y: Vec::new() }
    }
}

impl SampledController for QuantisedController {
    fn fresh(&self) -> Box<dyn SampledController> {
        let channels = self.channels.iter().map(|channel| Channel { memory: [0.0; 4], ..channel.clone() }).collect();
        let (period, filter) = (self.period, self.filter);
        Box::new(Self { control: self.control.fresh(), period, filter, channels, y: Vec::new() })
    }
    fn sample(&mut self, now: &ControllerInput<'_>) -> f64 {
        self.y.clear();
        self.y.extend_from_slice(now.y);
        for Channel { position, velocity, quantum, memory } in &mut self.channels {
            let counted = (now.y[*position] / *quantum).round() * *quantum;
            let seen;
            (*memory, seen) = self.filter.step(memory, counted, self.period);
            self.y[*position] = counted;
            if let Some(velocity) = velocity {
                self.y[*velocity] = seen.v;
            }
        }
        self.control.sample(&ControllerInput { y: &self.y, ..*now })
    }
}
