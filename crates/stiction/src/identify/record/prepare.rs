//! Preparation of a raw record: uniform sampling, smoothing, differentiation.
use super::column_roles::ColumnRole;
use super::force_limits;
use super::gaps::{ContiguousColumns, MIN_SAMPLES, split_at_gaps};
use super::raw_record::RawRecord;
use super::sensor;
use super::uniform_sampling::resample_uniformly;
use super::{MotionRecord, Remark, Severity};
use super::{clock, continuous_position, held_signal, velocity_sensor};
use crate::DataError;
use crate::Error;
use crate::NumericsError;
use crate::check::positive;
use crate::number::{round, short};
use crate::signal::{
    Cutoff, CutoffKind, DriftCorrection, Filter, Padding, PassBand, SavitzkyGolay, SmoothingSpline, choose_cutoff,
    compact_derivative, compact_derivative_of_fourth_order, gradient, integral,
};
use std::f64::consts::PI;
use std::str::FromStr;

/// Smoothing of a signal before it is differentiated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Smoothing {
    /// A zero-phase Butterworth filter of order four, with the cut-off frequency at which the spectrum falls to the noise
    /// floor; none if it shows no floor.
    #[default]
    Auto,
    /// A zero-phase Butterworth filter.
    Butterworth {
        /// Its order.
        order: usize,
        /// Its cut-off \[Hz\].
        cutoff: f64,
    },
    /// A Savitzky–Golay filter: a polynomial in a moving window.
    SavitzkyGolay {
        /// Samples in the window; odd.
        window: usize,
        /// Order of the polynomial.
        order: usize,
    },
    /// A smoothing spline with its parameter from generalised cross-validation.
    Spline,
    /// No smoothing: central differences of the measured samples.
    None,
}

/// From `auto`, `none`, `spline`, `butterworth:ORDER:HERTZ` or `savgol:WINDOW:ORDER`; the error says what to write.
impl FromStr for Smoothing {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let whole = |text: &str| text.parse::<usize>().map_err(|_| format!("'{text}' is not a whole number"));
        match parts[..] {
            ["auto"] => Ok(Self::Auto),
            ["none"] => Ok(Self::None),
            ["spline"] => Ok(Self::Spline),
            ["butterworth", order, cutoff] => {
                let cutoff: f64 = cutoff.parse().map_err(|_| format!("'{cutoff}' is not a frequency in hertz"))?;
                Ok(Self::Butterworth { order: whole(order)?, cutoff })
            }
            ["savgol", window, order] => Ok(Self::SavitzkyGolay { window: whole(window)?, order: whole(order)? }),
            _ => Err("write auto, none, spline, butterworth:ORDER:HERTZ or savgol:WINDOW:ORDER".to_owned()),
        }
    }
}

/// Options of the preparation of a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preparation {
    /// Smoothing.
    pub smooth: Smoothing,
    /// Numbers of samples dropped at the beginning and at the end, after smoothing.
    pub drop: [usize; 2],
    /// Nominal sampling rate, to use instead of the time stamps \[Hz\].
    pub rate: Option<f64>,
    /// Delay of the force relative to the motion \[s\].
    pub delay: f64,
    /// Moving mass, if known \[kg\].
    pub mass: Option<f64>,
    /// Load, if it is constant over the record.
    pub load: Option<f64>,
}

/// A prepared motion with properties of its preparation.
#[derive(Clone, Debug)]
pub struct PreparedMotion {
    /// The motion.
    pub motion: MotionRecord,
    /// Cut-off frequency of the filter \[Hz\]; half the sampling rate without a filter.
    pub cutoff: f64,
    /// Speed below which the body may rest: noise alone does not exceed it \[m/s\].
    pub rest_speed: f64,
    /// Samples at which the derivatives of an unsmoothed motion are not resolved, as beside a kink; empty if all are.
    pub unresolved: Vec<bool>,
    /// Velocity and acceleration of an unsmoothed motion by a scheme of lower order: what differs in a result with these is more than the
    /// error of differentiation. None of smoothed motions, in which noise prevails.
    pub lower_order: Option<[Vec<f64>; 2]>,
}

impl PreparedMotion {
    /// The motion, with the samples whose acceleration is not known ([`MotionRecord::unresolved`]). A force that is friction itself does without it.
    pub fn motion_with_unresolved(&self) -> MotionRecord {
        let unresolved = if self.motion.mass == Some(0.0) { Vec::new() } else { self.unresolved.clone() };
        MotionRecord { unresolved, ..self.motion.clone() }
    }
}

/// Fewest samples for a spectrum.
const MIN_SPECTRUM_SAMPLES: usize = 256;
/// Rest speed in standard deviations of the velocity noise: one in 16 000 samples of normal noise exceeds it.
pub(super) const REST_DEVIATIONS: f64 = 4.0;

/// Splits a record at gaps and missing numbers, resamples it uniformly, smooths and differentiates it.
///
/// # Errors
/// [`Error::Data`] for decreasing time, [`Error::Numerics`] for records that are too short or do not move.
pub fn prepare(raw: &RawRecord, recipe: &Preparation) -> Result<(Vec<PreparedMotion>, Vec<Remark>), Error> {
    let mut remarks = raw.remarks.clone();
    let counted;
    let raw = match recipe.rate {
        // time from the row number; the time stamps of the file are ignored
        Some(rate) => {
            positive("sampling rate", rate)?;
            let stamps = raw.get(ColumnRole::Time);
            remarks.extend(stamps.and_then(|stamps| clock::contradiction(stamps, rate, &raw.file_name())));
            let rows = raw.rows();
            let mut columns = raw.columns.clone();
            columns[ColumnRole::Time as usize] = Some((0..rows).map(|k| k as f64 / rate).collect());
            counted = RawRecord { columns, ..raw.clone() };
            &counted
        }
        None => {
            if let Some(time) = &raw.audit.time {
                time.check().map_err(|problem| DataError::content(&raw.name, problem))?;
            }
            raw
        }
    };
    let measured = held_signal::measured_rows(raw, &mut remarks);
    let raw = measured.as_ref().unwrap_or(raw);
    let continued = continuous_position::continued(raw, &mut remarks);
    let raw = continued.as_ref().unwrap_or(raw);
    let pieces = split_at_gaps(raw, &mut remarks)?;
    let several = pieces.len() > 1;
    let (mut out, mut left) = (Vec::new(), Vec::new());
    for (k, piece) in pieces.iter().enumerate() {
        let name = if several { format!("{}, part {}", raw.file_name(), k + 1) } else { raw.file_name() };
        match prepare_segment(name, piece, recipe, &mut remarks) {
            Ok(prepared) => out.push(prepared),
            // a part without motion, or too short, is left out
            Err(Error::Numerics(why)) if several => left.push((k + 1, why)),
            Err(why) => return Err(why),
        }
    }
    if let Some((_, why)) = left.first().filter(|_| out.is_empty()) {
        return Err(why.clone().into());
    }
    if let Some((part, why)) = left.first() {
        let count = left.len();
        let text = format!("{}: {count} parts were left out, the first is part {part}: {why}", raw.file_name());
        remarks.push(Remark::new(Severity::Warning, text));
    }
    remarks.extend(force_limits::judge(raw, &mut out));
    Ok((out, remarks))
}

/// A smoothed signal with its derivatives and the standard deviation of its noise.
struct SmoothedSignal {
    value: [Vec<f64>; 3],
    cutoff: f64,
    /// For an automatic cut-off: what the spectrum shows.
    seen: Option<CutoffKind>,
    noise: f64,
    /// Without smoothing: the first and the second derivative by a scheme of lower order.
    lower_order: Option<[Vec<f64>; 2]>,
}

/// Smooths a signal and differentiates it twice.
fn smooth_and_differentiate(
    what: &'static str,
    x: &[f64],
    step: f64,
    smooth: Smoothing,
) -> Result<SmoothedSignal, Error> {
    if x.iter().all(|y| *y == x[0]) {
        return Err(NumericsError::ConstantSignal { what }.into());
    }
    let rate = 1.0 / step;
    let mut found = None;
    let mut lower_order = None;
    let (value, edge): ([Vec<f64>; 3], f64) = match smooth {
        Smoothing::None => {
            let first = gradient(x, step)?;
            let second = gradient(&first, step)?;
            ([x.to_vec(), first, second], 0.5 * rate)
        }
        Smoothing::Auto => {
            let cutoff = if x.len() < MIN_SPECTRUM_SAMPLES {
                Cutoff { frequency: 0.25 * rate, floor: 0.0, kind: CutoffKind::NoSignal }
            } else {
                choose_cutoff(x, rate)?
            };
            found = Some(cutoff);
            let smooth_x = match cutoff.kind {
                CutoffKind::NoFloor => x.to_vec(),
                _ => Filter::butterworth(4, PassBand::Low, cutoff.frequency, rate)?.zero_phase(x, Padding::Scipy)?,
            };
            // the derivative of the signal up to the cut-off, to 1 % at a quarter of the sampling rate
            let first = compact_derivative(&smooth_x, step)?;
            let second = compact_derivative(&first, step)?;
            if cutoff.kind == CutoffKind::NoFloor {
                let first = compact_derivative_of_fourth_order(x, step)?;
                let second = compact_derivative_of_fourth_order(&first, step)?;
                lower_order = Some([first, second]);
            }
            ([smooth_x, first, second], cutoff.frequency)
        }
        Smoothing::Butterworth { order, cutoff } => {
            let smooth_x = Filter::butterworth(order, PassBand::Low, cutoff, rate)?.zero_phase(x, Padding::Matlab)?;
            let first = gradient(&smooth_x, step)?;
            let second = gradient(&first, step)?;
            ([smooth_x, first, second], cutoff)
        }
        Smoothing::SavitzkyGolay { window, order } => {
            let of = |derivative| SavitzkyGolay { window, order, derivative, step }.filter(x);
            // approximate pass band of the window
            ([of(0)?, of(1)?, of(2)?], 0.5 * rate * (order + 1) as f64 / window as f64)
        }
        Smoothing::Spline => {
            let t: Vec<f64> = (0..x.len()).map(|k| k as f64 * step).collect();
            let spline = SmoothingSpline::smooth_auto(&t, x, None)?;
            let mut value = [Vec::new(), Vec::new(), Vec::new()];
            for t in t {
                value.iter_mut().zip(spline.at(t)).for_each(|(list, x)| list.push(x));
            }
            // the spline acts as a filter of order four with this cut-off
            let edge = (step / spline.lambda).powf(0.25) / (2.0 * PI);
            (value, edge.min(0.5 * rate))
        }
    };
    let mut rest: Vec<f64> = x.iter().zip(&value[0]).map(|(x, y)| (x - y).abs()).collect();
    // the median residual: a few fast movements do not count as noise
    let middle = rest.len() / 2;
    let (_, median, _) = rest.select_nth_unstable_by(middle, f64::total_cmp);
    let beyond = (1.0 - 2.0 * edge * step).max(0.05);
    // an unfiltered signal still contains its noise
    let noise = match found {
        // white noise of the density at the end of the band
        Some(Cutoff { kind: CutoffKind::NoFloor | CutoffKind::Steps, floor, .. }) => (0.5 * floor * rate).sqrt(),
        _ if smooth == Smoothing::None => sensor::noise_deviation(x),
        _ => *median / 0.6745 / beyond.sqrt(),
    };
    Ok(SmoothedSignal { value, cutoff: edge, seen: found.map(|found| found.kind), noise, lower_order })
}

/// Prepares one segment.
fn prepare_segment(
    name: String,
    piece: &ContiguousColumns,
    recipe: &Preparation,
    remarks: &mut Vec<Remark>,
) -> Result<PreparedMotion, Error> {
    let (piece, step) = resample_uniformly(piece, &name, remarks)?;
    let measured = |role| piece.get(role);
    let rate = 1.0 / step;
    let t0 = measured(ColumnRole::Time).and_then(|t| t.first().copied()).unwrap_or(0.0);
    let force = measured(ColumnRole::Force).unwrap_or_default();
    let n = force.len();
    let t: Vec<f64> = (0..n).map(|k| t0 + k as f64 * step).collect();
    // the density of white noise is 2 noise²/rate; that of its derivative is (2πf)² times as much, up to the cut-off
    let speed_noise =
        |track: &SmoothedSignal| track.noise * 2.0 * PI * (2.0 * track.cutoff.powi(3) / (3.0 * rate)).sqrt();
    let mut report_cutoff = |what: &str, track: &SmoothedSignal| {
        let at = short(round(track.cutoff, 3));
        let how = match track.seen {
            None => return,
            Some(CutoffKind::Floor) => format!("is smoothed at {at} Hz, where its spectrum sinks into noise"),
            Some(CutoffKind::Steps) => format!("is smoothed at {at} Hz, where it sinks into the steps of the sensor"),
            Some(CutoffKind::NoSignal) => {
                format!(
                    "is smoothed at {at} Hz, a quarter of the sampling rate: its spectrum does not tell signal from noise"
                )
            }
            Some(CutoffKind::NoFloor) => "is not smoothed: its spectrum shows no floor of noise".to_owned(),
        };
        let text = format!("{name}: {what} {how}");
        remarks.push(Remark::new(Severity::Info, text));
    };
    let (position, velocity, acceleration, edge, rest);
    let (mut lower_order, mut told) = (None, Vec::new());
    match (measured(ColumnRole::Position), measured(ColumnRole::Velocity), measured(ColumnRole::Acceleration)) {
        (Some(x), v, a) => {
            if let Some(v) = v {
                told.extend(velocity_sensor::contradictions(&name, x, v, step));
            }
            let from = smooth_and_differentiate("positions", x, step, recipe.smooth)?;
            let noise = speed_noise(&from);
            report_cutoff("position", &from);
            let lower = from.lower_order;
            let [x, first, second] = from.value;
            position = x;
            edge = from.cutoff;
            match (v, a) {
                (Some(v), a) => {
                    let from = smooth_and_differentiate("velocities", v, step, recipe.smooth)?;
                    report_cutoff("velocity", &from);
                    rest = REST_DEVIATIONS * from.noise * (2.0 * from.cutoff * step).sqrt();
                    let [v, first, _] = from.value;
                    lower_order = from.lower_order.map(|[first, _]| [v.clone(), first]);
                    velocity = v;
                    acceleration = a.map_or(first, <[f64]>::to_vec);
                }
                (None, a) => {
                    lower_order = lower;
                    rest = REST_DEVIATIONS * noise;
                    velocity = first;
                    acceleration = a.map_or(second, <[f64]>::to_vec);
                }
            }
        }
        (None, Some(v), a) => {
            let from = smooth_and_differentiate("velocities", v, step, recipe.smooth)?;
            report_cutoff("velocity", &from);
            rest = REST_DEVIATIONS * from.noise * (2.0 * from.cutoff * step).sqrt();
            edge = from.cutoff;
            let [v, first, _] = from.value;
            lower_order = from.lower_order.map(|[first, _]| [v.clone(), first]);
            position = integral(&v, &t, &DriftCorrection::Keep)?;
            velocity = v;
            acceleration = a.map_or(first, <[f64]>::to_vec);
        }
        (None, None, a) => {
            let from = smooth_and_differentiate("accelerations", a.unwrap_or_default(), step, recipe.smooth)?;
            report_cutoff("acceleration", &from);
            edge = from.cutoff;
            let [a, ..] = from.value;
            // the offset of the sensor integrates to a ramp of velocity
            velocity = integral(&a, &t, &DriftCorrection::Polynomial(1))?;
            position = integral(&velocity, &t, &DriftCorrection::Polynomial(1))?;
            // remaining drift: integrated white noise, a random walk
            rest = REST_DEVIATIONS * from.noise * step * (rate / (2.0 * PI * 0.5)).sqrt();
            acceleration = a;
            let text = format!("{name}: velocity is the integral of acceleration less a straight line");
            remarks.push(Remark::new(Severity::Warning, text));
        }
    }
    remarks.extend(told);
    let known = measured(ColumnRole::KnownForce);
    let force: Vec<f64> = (0..n).map(|k| force[k] - known.map_or(0.0, |known| known[k])).collect();
    let load = match (measured(ColumnRole::Load), recipe.load) {
        (Some(load), _) => load.to_vec(),
        (None, Some(load)) => vec![load; n],
        (None, None) => Vec::new(),
    };
    let weight = measured(ColumnRole::Weight).unwrap_or_default();
    if let Some(bad) = weight.iter().find(|w| **w < 0.0) {
        return Err(NumericsError::InvalidValue { name: "weight", value: *bad, must: "zero or more" }.into());
    }
    let [first, last] = recipe.drop;
    if first.saturating_add(last).saturating_add(MIN_SAMPLES) > n {
        return Err(NumericsError::TooFew {
            what: "samples after dropping",
            need: MIN_SAMPLES,
            have: n.saturating_sub(first + last),
        }
        .into());
    }
    let cut = |mut x: Vec<f64>| {
        x.truncate(x.len().saturating_sub(last));
        x.drain(..first.min(x.len()));
        x
    };
    if let (Some([_, second]), Some(measured)) = (&mut lower_order, measured(ColumnRole::Acceleration)) {
        measured.clone_into(second);
    }
    let unresolved = lower_order.as_ref().map_or_else(Vec::new, |[first, second]| {
        // without inertia the acceleration has no effect
        match recipe.mass == Some(0.0) {
            true => unresolved(&velocity, first, &velocity, rest),
            false => unresolved(&acceleration, second, &velocity, rest),
        }
    });
    let unresolved = unresolved.get(first..unresolved.len().saturating_sub(last)).unwrap_or_default().to_vec();
    let lower_order = lower_order.map(|both| both.map(cut));
    let at_limit = piece.at_limit();
    let saturated = at_limit.get(first..at_limit.len().saturating_sub(last)).unwrap_or_default().to_vec();
    let motion = MotionRecord {
        name,
        t: cut(t),
        position: cut(position),
        velocity: cut(velocity),
        acceleration: cut(acceleration),
        force: cut(force),
        load: cut(load),
        weight: cut(weight.to_vec()),
        slides: Vec::new(),
        saturated,
        unresolved: Vec::new(),
        terms: piece.terms.iter().map(|term| term.with(cut(term.values.clone()))).collect(),
        mass: recipe.mass,
        displaced: 0.0,
    };
    motion.check()?;
    if motion.force.iter().all(|f| *f == motion.force[0]) {
        return Err(NumericsError::ConstantSignal { what: "forces" }.into());
    }
    Ok(PreparedMotion { motion, cutoff: edge, rest_speed: rest, unresolved, lower_order }.with_delay(recipe.delay)?)
}

/// Samples of an unsmoothed motion at which two schemes of differentiation differ by more than elsewhere: near a kink, as where a body
/// stops or begins to slide, no polynomial follows the motion, and either scheme rings. The error falls by a factor of 0.38 from sample to
/// sample, and is the largest by far where there is no noise. The difference elsewhere is the median of the moving samples, taken as that of
/// normal noise, so that more than half of them are always resolved.
fn unresolved(derivative: &[f64], lower_order: &[f64], velocity: &[f64], rest: f64) -> Vec<bool> {
    let difference: Vec<f64> = derivative.iter().zip(lower_order).map(|(a, b)| (a - b).abs()).collect();
    let moving = difference.iter().zip(velocity).filter(|(_, v)| v.abs() > rest).map(|(d, _)| *d);
    let mut moving: Vec<f64> = moving.collect();
    if moving.is_empty() {
        return Vec::new();
    }
    let middle = moving.len() / 2;
    let (_, median, _) = moving.select_nth_unstable_by(middle, f64::total_cmp);
    let usual = REST_DEVIATIONS * *median / 0.6745;
    difference.iter().map(|d| *d > usual).collect()
}
