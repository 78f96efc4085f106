//! Tests worth making: the motion that tells the parameters of a law best, within what an axis can do.
//!
//! [`design`] has a store of segments that begin and end at rest at the same place: strokes to and fro at one speed, strokes
//! whose speed steps, strokes after rests, sines, and sums of sines whose phases keep the crest low (Schroeder1970). Ways and
//! speeds go down by equal factors from the limits. Segments that would break a limit are left out; for the force that
//! is inertia plus the friction of the law, with the values it is guessed to have.
//!
//! *Information.* The law runs along a segment twice, and the second time counts, because segments are repeated. Its force has
//! exact derivatives by parameters, `g = θ·∂F/∂θ` at each sample. For white noise of deviation `σ` on the force, the segment
//! is worth `M = Σ g·gᵀ/σ²`, in relative parameters. Velocity counts as known.
//!
//! *Choice.* How often each segment is repeated within the time there is, such that `log det` of the sum is largest: the
//! intervals of all parameters together are then smallest. First as shares of time, by moving share from the segment that
//! is worth least to the one that is worth most, as far as it helps (Fedorov1972, Wynn1970); the best is reached where no
//! segment has `tr(M⁻¹·Mᵢ)` above the mean (Kiefer1960), which also bounds what is missing. Then as whole numbers: rounded
//! down, filled up, and exchanged one against another while that helps. A weak prior, each parameter known to a factor of
//! `PRIOR`, lets the search begin, and go on past parameters that no motion tells.
//!
//! *Prediction.* The chosen segments are put in a row, and the law runs along all of it, memory carried on. The errors
//! are those of this run, without the prior. They hold near the values guessed, and for a law that is right.
mod design;
mod designer;
mod information_matrix;
mod limits;
mod optimal_allocation;
mod requirements;
mod segment;
mod segment_library;
mod segment_path;
mod sensitivity;
mod summary;

pub use design::{ChosenSegment, DesignOptions, ExperimentDesign, PredictedError};
pub use designer::design;
pub use limits::AxisLimits;
pub use segment::Segment;

/// What is known beforehand of a parameter, in parts of its value: next to nothing.
const PRIOR_DEVIATION: f64 = 10.0;
