//! Optimal experiment design: the motion that determines the parameters of a law best, within the limits of an axis.
//!
//! [`design`] chooses from a library of segments that begin and end at rest at the same position: reciprocating strokes at one
//! speed, strokes with steps of the speed, strokes after rests, sines, and multisines with a low crest factor (Schroeder1970).
//! Amplitudes and speeds decrease geometrically from the limits. Segments that violate a limit are left out; the force is
//! inertia plus the friction of the law with the assumed parameters.
//!
//! *Information.* The law is evaluated along a segment twice, and the second pass is used, because segments are repeated. Its
//! force has exact sensitivities `g = θ·∂F/∂θ` at each sample. For white noise of standard deviation `σ` on the force, the
//! Fisher information of the segment is `M = Σ g·gᵀ/σ²`, in relative parameters. The velocity is assumed to be known.
//!
//! *Optimisation.* The numbers of repetitions within the available time maximise `log det` of the information (D-optimality).
//! First as continuous shares of time, by the exchange algorithm (Fedorov1972, Wynn1970); the optimum is reached where no
//! segment has `tr(M⁻¹·Mᵢ)` above the mean (Kiefer1960), which also bounds the efficiency. Then as integers: rounded down,
//! filled up, and exchanged while that improves the design. A weak prior, each parameter known to a factor of
//! `PRIOR_DEVIATION`, regularises the information matrix.
//!
//! *Prediction.* The chosen segments are concatenated, and the law is evaluated along all of them with its memory. The predicted
//! standard errors are those of this motion, without the prior. They hold near the assumed parameters, for a correct law.
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

/// Prior standard deviation of a parameter, relative to its value: a weak prior.
const PRIOR_DEVIATION: f64 = 10.0;
