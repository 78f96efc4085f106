//! Data of the figures of a result, as plain numbers in SI units.
use super::ResidualSeries;
use crate::signal::{Detrend, welch};

/// Samples of a section of a record that shows details.
const SECTION: usize = 2000;
/// Segments of a Welch spectrum.
const SPECTRUM_SEGMENTS: usize = 8;

/// The data of one figure.
#[derive(Clone, Debug, PartialEq)]
pub enum ResultCurves {
    /// Sliding friction over velocity.
    FrictionVelocity(FrictionVelocity),
    /// Residuals of sliding friction.
    SlidingResiduals(SlidingResiduals),
    /// Friction over displacement, measured and replayed by laws.
    HysteresisReplay(HysteresisReplay),
    /// Branches of hysteresis loops, aligned at their reversals.
    BranchFamily(BranchFamily),
    /// A record with its break-aways.
    BreakawayRecord(BreakawayRecord),
    /// Force over displacement before break-away.
    BreakawayApproaches(BreakawayApproaches),
    /// A regression line.
    RegressionCurve(RegressionCurve),
    /// Friction over displacement and velocity, measured and by the law.
    FrictionComparison(FrictionComparison),
    /// A section of a record over time, measured and by the model.
    TimeComparison(TimeComparison),
    /// Profile likelihoods of the parameters.
    ProfileLikelihoods(Vec<ParameterProfile>),
    /// The motion of a designed test.
    TestMotion(TestMotion),
}

/// The profile likelihood of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterProfile {
    /// Key of the parameter.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Values of the parameter, and by how much the least cost with it held there exceeds that of the fit, as a share of the rise that
    /// the noise explains: the confidence interval is where this share is at most 1.
    pub points: Vec<(f64, f64)>,
    /// The fitted value.
    pub estimate: f64,
}

/// Sliding friction over velocity: samples, statistics in bins of velocity, and the fitted law.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrictionVelocity {
    /// Velocity \[m/s\] and measured friction \[N\] of each sample.
    pub samples: Vec<(f64, f64)>,
    /// Statistics in bins of velocity.
    pub bins: Vec<VelocityBin>,
    /// Velocity \[m/s\] and friction \[N\] of the law, one curve for each direction.
    pub law: Vec<Vec<(f64, f64)>>,
}

/// Friction in a bin of velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityBin {
    /// Mean velocity \[m/s\]: where friction is steep, samples crowd to one side of a bin.
    pub velocity: f64,
    /// Mean friction \[N\].
    pub mean: f64,
    /// Lower and upper quartile \[N\].
    pub quartiles: [f64; 2],
}

/// Residuals of sliding friction over time, velocity and frequency.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlidingResiduals {
    /// Time \[s\] and residual \[N\] of the first record.
    pub over_time: Vec<(f64, f64)>,
    /// Velocity \[m/s\] and residual \[N\] of all records.
    pub over_velocity: Vec<(f64, f64)>,
    /// Frequency \[Hz\] and power spectral density [N²/Hz]; empty if there is none.
    pub spectrum: Vec<(f64, f64)>,
}

/// Friction over displacement of a record, measured and replayed by laws.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HysteresisReplay {
    /// Name of the record.
    pub record: String,
    /// Displacement \[m\].
    pub displacement: Vec<f64>,
    /// Measured friction \[N\].
    pub measured: Vec<f64>,
    /// The same by each law.
    pub laws: Vec<LawReplay>,
}

/// The friction of a law along a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LawReplay {
    /// Name of the law.
    pub law: String,
    /// Friction \[N\].
    pub force: Vec<f64>,
}

/// Branches of hysteresis loops as functions of the travel from their reversal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BranchFamily {
    /// The longest branches.
    pub branches: Vec<AlignedBranch>,
    /// Travel \[m\] and rise of the force \[N\] of the fitted branch function.
    pub fitted: Vec<(f64, f64)>,
    /// Longest travel \[m\].
    pub longest: f64,
}

/// One branch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlignedBranch {
    /// Direction of travel: 1 or −1.
    pub direction: f64,
    /// Travel from the reversal \[m\] and rise of the force along the direction \[N\].
    pub points: Vec<(f64, f64)>,
}

/// A record with its break-aways.
#[derive(Clone, Debug, PartialEq)]
pub struct BreakawayRecord {
    /// Name of the record.
    pub record: String,
    /// Time \[s\].
    pub t: Vec<f64>,
    /// Force \[N\].
    pub force: Vec<f64>,
    /// The quantity in `motion`.
    pub quantity: MotionQuantity,
    /// Acceleration [m/s²] or velocity \[m/s\].
    pub motion: Vec<f64>,
    /// Break-aways.
    pub events: Vec<BreakawayPoint>,
}

/// A quantity of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionQuantity {
    /// Velocity.
    Velocity,
    /// Acceleration.
    Acceleration,
}

/// A break-away in a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BreakawayPoint {
    /// Time \[s\].
    pub t: f64,
    /// Force, with the sign of its direction \[N\].
    pub force: f64,
    /// Standard error of the force \[N\].
    pub error: f64,
}

/// Force over displacement before each break-away.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BreakawayApproaches {
    /// Curves, forward ones first.
    pub approaches: Vec<BreakawayApproach>,
    /// Displacement \[m\] and force \[N\] at each break-away.
    pub breakaways: Vec<(f64, f64)>,
    /// Largest displacement at break-away \[m\].
    pub longest: f64,
}

/// Force over displacement before one break-away.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BreakawayApproach {
    /// Direction: 1 or −1.
    pub direction: f64,
    /// Displacement since the force began to rise \[m\] and force \[N\].
    pub points: Vec<(f64, f64)>,
}

/// A regression line with its confidence band.
#[derive(Clone, Debug, PartialEq)]
pub struct RegressionCurve {
    /// The dependence that the line describes.
    pub kind: RegressionKind,
    /// Name of the load, with its unit.
    pub load: String,
    /// Measured points.
    pub points: Vec<(f64, f64)>,
    /// Points of the line: x, y, and the confidence interval of 95 % of y.
    pub line: Vec<[f64; 4]>,
}

/// The dependence that a regression line describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegressionKind {
    /// Break-away force over load.
    BreakawayOverLoad,
    /// Break-away force over the decimal logarithm of the time of rest.
    BreakawayOverRestTime,
    /// Half the width of friction loops over load.
    LoopWidthOverLoad,
}

/// Friction over displacement and velocity, measured and by the law.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrictionComparison {
    /// The compared quantity, with its unit.
    pub quantity: String,
    /// Displacement \[m\]; empty if it was not measured.
    pub position: Vec<f64>,
    /// Velocity \[m/s\].
    pub velocity: Vec<f64>,
    /// Measured values.
    pub measured: Vec<f64>,
    /// Values by the law.
    pub model: Vec<f64>,
}

/// A section of a record over time, measured and by the model, with the spectrum of the residuals of the whole record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeComparison {
    /// Name of the record, if the figure should show it.
    pub record: Option<String>,
    /// The compared quantity, with its unit.
    pub quantity: String,
    /// Time \[s\].
    pub t: Vec<f64>,
    /// Measured values.
    pub measured: Vec<f64>,
    /// Values by the model.
    pub model: Vec<f64>,
    /// Frequency \[Hz\] and power spectral density of the residuals; empty if there is none.
    pub spectrum: Vec<(f64, f64)>,
}

/// The motion of a designed test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestMotion {
    /// Name of the law.
    pub law: String,
    /// Units of speed and force.
    pub units: [&'static str; 2],
    /// Time \[s\].
    pub t: Vec<f64>,
    /// Position.
    pub position: Vec<f64>,
    /// Velocity.
    pub velocity: Vec<f64>,
    /// Predicted friction.
    pub friction: Vec<f64>,
}

impl TimeComparison {
    /// A section from the middle of the first `n` samples of a record, where initial transients have decayed.
    pub fn new(series: &ResidualSeries, n: usize) -> Self {
        let from = (n / 2).min(n.saturating_sub(SECTION));
        let section = from..n.min(from + SECTION);
        let step = match series.t.as_slice() {
            [first, .., last] => (last - first) / (series.t.len() - 1) as f64,
            _ => 0.0,
        };
        Self {
            record: None,
            quantity: series.quantity.clone(),
            t: series.t[section.clone()].to_vec(),
            measured: series.measured[section.clone()].to_vec(),
            model: series.model[section].to_vec(),
            spectrum: spectrum(&series.residuals().collect::<Vec<f64>>(), step),
        }
    }
    /// Comparisons of the first `records` records, each with the name of its record.
    pub fn of_records(series: &[ResidualSeries], records: usize) -> Vec<ResultCurves> {
        let one = |series: &ResidualSeries| {
            let record = Some(series.name.clone());
            ResultCurves::TimeComparison(Self { record, ..Self::new(series, series.t.len()) })
        };
        series.iter().take(records).map(one).collect()
    }
}

/// Frequency and power spectral density of samples with this step \[s\], without the mean; empty if it cannot be computed.
pub(in crate::identify) fn spectrum(x: &[f64], step: f64) -> Vec<(f64, f64)> {
    let length = (x.len() / SPECTRUM_SEGMENTS).clamp(8, 1024);
    if step <= 0.0 {
        return Vec::new();
    }
    welch(x, 1.0 / step, length, Detrend::Mean).map_or_else(
        |_| Vec::new(),
        |spectrum| spectrum.frequency.iter().copied().zip(spectrum.density.iter().copied()).skip(1).collect(),
    )
}
