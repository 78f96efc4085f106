//! The data of one lane beside its numbers: signals, laws by name, and measures that are evaluated lane by lane.
use super::column::{Source, weights};
use super::point::Point;
use super::shape::Shape;
use super::timed::Timed;
use crate::sim::SimErrorKind;
use crate::sim::probes::Probes;
use crate::sim::run_limits::{ComputingTime, ProgressWindow};
use crate::system::Signal;
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// A column in one lane.
pub(super) struct LaneColumn {
    pub source: Source,
    pub places: Vec<usize>,
    pub weights: Vec<f64>,
    pub time: Timed,
}

/// One trajectory in progress.
#[derive(Default)]
pub(super) struct Lane {
    pub index: u64,
    /// Attempts of its block before it began.
    pub begun: u64,
    /// Whether it gets on, and why it does not.
    pub progress: ProgressWindow,
    pub without_progress: Option<SimErrorKind>,
    /// Its computing time, shared with the other lanes of the block.
    pub time: Option<ComputingTime>,
    /// Beginning of the piece on which the signals are.
    pub from: f64,
    pub signals: Vec<Signal>,
    /// As the functions of time in [`LaneState`](super::lane_state::LaneState), for this lane.
    pub clocks: Vec<Timed>,
    pub laws: Vec<Box<dyn DynLaw>>,
    pub loads: Vec<f64>,
    /// All columns, where measures are taken one by one.
    pub told: Vec<LaneColumn>,
    pub probes: Option<Probes>,
    pub row: Vec<f64>,
}

impl Lane {
    /// The first stop of a signal after `t`.
    pub fn next_breakpoint(&self, t: f64) -> f64 {
        self.signals.iter().map(|signal| signal.next_breakpoint(t)).fold(f64::INFINITY, f64::min)
    }
    /// The longest step that still shows what the signals do.
    pub fn max_resolved_step(&self, t: f64) -> f64 {
        self.signals.iter().map(|signal| signal.max_resolved_step(t)).fold(f64::INFINITY, f64::min)
    }
    /// Prepares all columns.
    pub fn tell(&mut self, shape: &Shape, sources: &[Source], point: &Point) {
        self.told.clear();
        for source in sources {
            let (weights, time) = weights(shape, source, point);
            let places = super::column::places(shape, source);
            self.told.push(LaneColumn { source: source.clone(), places, weights, time });
        }
    }
    /// The force of contact `c` in state `y` at sliding velocity `v`, on the side it is on.
    pub fn force(&self, c: usize, memory: &[f64], v: f64, side: f64) -> f64 {
        let v = if v == 0.0 { side * super::contact_law::TINY } else { v };
        self.laws[c].force(memory, &Input { v, load: self.loads[c] })
    }
    /// A row of the trace at time `t` in state `y`.
    pub fn fill(&self, shape: &Shape, t: f64, y: &[f64], side: impl Fn(usize) -> f64, row: &mut Vec<f64>) {
        row.clear();
        for told in &self.told {
            let linear: f64 = told.places.iter().zip(&told.weights).map(|(x, w)| w * y[*x]).sum();
            row.push(linear + told.time.eval(&self.signals, t, self.from)[0]);
        }
        for (i, told) in self.told.iter().enumerate() {
            match told.source {
                Source::Time => row[i] = t,
                // its sliding velocity is the next column
                Source::Force(c) => {
                    let at = 2 * shape.bodies + c * shape.memory;
                    row[i] = self.force(c, &y[at..at + shape.memory], row[i + 1], side(c));
                }
                _ => {}
            }
        }
    }
}
