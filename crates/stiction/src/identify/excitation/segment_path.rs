//! Position, velocity and acceleration of segments, sample by sample.
use std::f64::consts::{PI, TAU};

/// A motion that begins and ends at rest at zero. It excludes the first sample and includes the last one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SegmentPath {
    pub x: Vec<f64>,
    pub v: Vec<f64>,
    pub a: Vec<f64>,
}

impl SegmentPath {
    fn collect(samples: impl Iterator<Item = [f64; 3]>, speed: f64) -> Self {
        let mut out = Self::default();
        for [x, v, a] in samples {
            out.x.push(x);
            // a zero velocity with rounding error would have a sign
            out.v.push(if v.abs() < 1e-9 * speed { 0.0 } else { v });
            out.a.push(a);
        }
        if let (Some(x), Some(v), Some(a)) = (out.x.last_mut(), out.v.last_mut(), out.a.last_mut()) {
            [*x, *v, *a] = [0.0; 3];
        }
        out
    }
    pub fn len(&self) -> usize {
        self.x.len()
    }
    /// Appends another path.
    pub fn append(&mut self, other: &Self) {
        self.x.extend(&other.x);
        self.v.extend(&other.v);
        self.a.extend(&other.a);
    }
    /// One period of `1 − cos`, of `count` samples.
    pub fn sine(displacement: f64, count: usize, rate: f64) -> Self {
        let omega = TAU * rate / count as f64;
        let half = 0.5 * displacement;
        let at = |k: usize| {
            let (sin, cos) = (TAU * k as f64 / count as f64).sin_cos();
            [half * (1.0 - cos), half * omega * sin, half * omega * omega * cos]
        };
        Self::collect((1..=count).map(at), half * omega)
    }
    /// One period of a sum of sines, from its lowest point.
    pub fn tones(tones: &Multisine, displacement: f64, count: usize, rate: f64) -> Self {
        let omega = TAU * rate / count as f64;
        let size = displacement / tones.displacement;
        let at = |k: usize| {
            let [x, v, a] = tones.at(tones.low + TAU * k as f64 / count as f64);
            [size * (x - tones.at(tones.low)[0]), size * omega * v, size * omega * omega * a]
        };
        Self::collect((1..=count).map(at), size * omega)
    }
    /// Constant speeds for given times, with blends of equal duration between them, from rest to rest. Time is stretched to whole
    /// samples, which only reduces speed and acceleration.
    pub fn levels(levels: &[(f64, f64)], blend: f64, rate: f64) -> Self {
        let mut parts = Vec::new();
        let (mut t, mut x, mut from) = (0.0, 0.0, 0.0);
        for &(to, hold) in levels.iter().chain(&[(0.0, 0.0)]) {
            parts.push((t, x, from, to));
            t += blend + hold;
            x += 0.5 * (from + to) * blend + to * hold;
            from = to;
        }
        let count = (t * rate - 1e-9).ceil().max(1.0) as usize;
        let stretch = count as f64 / (t * rate);
        let speed = levels.iter().fold(0.0_f64, |most, (v, _)| most.max(v.abs()));
        let at = |k: usize| {
            let time = k as f64 / rate / stretch;
            let (begin, x, from, to) = parts[parts.partition_point(|part| part.0 <= time).max(1) - 1];
            let s = time - begin;
            let (past, step) = (s.min(blend), to - from);
            let angle = PI * past / blend;
            let x = x + from * past + step * (0.5 * past - blend * angle.sin() / TAU) + to * (s - past);
            let v = from + 0.5 * step * (1.0 - angle.cos());
            let a = if s < blend { 0.5 * PI / blend * step * angle.sin() } else { 0.0 };
            [x, v / stretch, a / (stretch * stretch)]
        };
        Self::collect((1..=count).map(at), speed)
    }
}

/// A sum of sines of equal velocity amplitude, over a phase from 0 to 2π.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Multisine {
    parts: Vec<(f64, f64)>,
    /// Phase of the lowest point.
    low: f64,
    /// Peak-to-peak amplitude.
    displacement: f64,
    /// Largest speed and acceleration, for a peak-to-peak amplitude of one.
    pub most: [f64; 2],
}

impl Multisine {
    /// Harmonic numbers of the sines.
    pub const NUMBERS: [f64; 6] = [1.0, 2.0, 3.0, 5.0, 8.0, 13.0];
    /// Samples for the extremes: about fifty per period of the highest harmonic.
    const EXTREME_SAMPLES: usize = 640;

    /// A multisine with these phases.
    pub fn new(phases: &[f64]) -> Self {
        let parts = Self::NUMBERS.iter().copied().zip(phases.iter().copied()).collect();
        let mut out = Self { parts, low: 0.0, displacement: 1.0, most: [1.0; 2] };
        let angle = |k: usize| TAU * k as f64 / Self::EXTREME_SAMPLES as f64;
        let all: Vec<[f64; 3]> = (0..Self::EXTREME_SAMPLES).map(|k| out.at(angle(k))).collect();
        let by = |k: usize| (0..Self::EXTREME_SAMPLES).map(move |i| (i, k));
        let lowest = by(0).min_by(|a, b| all[a.0][0].total_cmp(&all[b.0][0])).map_or(0, |(i, _)| i);
        out.low = out.refine(angle(lowest));
        let highest = by(0).max_by(|a, b| all[a.0][0].total_cmp(&all[b.0][0])).map_or(0, |(i, _)| i);
        out.displacement = out.at(out.refine(angle(highest)))[0] - out.at(out.low)[0];
        // between samples the extremes are less than one percent higher
        out.most = [1, 2].map(|k| 1.01 * all.iter().fold(0.0_f64, |most, at| most.max(at[k].abs())) / out.displacement);
        out
    }
    /// An extremum, by Newton iteration.
    fn refine(&self, mut angle: f64) -> f64 {
        for _ in 0..6 {
            let [_, v, a] = self.at(angle);
            if a != 0.0 {
                angle -= (v / a).clamp(-0.02, 0.02);
            }
        }
        angle
    }
    /// Value and derivatives by the phase.
    fn at(&self, angle: f64) -> [f64; 3] {
        let mut out = [0.0; 3];
        for (k, phase) in &self.parts {
            let (sin, cos) = (k * angle + phase).sin_cos();
            out = [out[0] + sin / k, out[1] + cos, out[2] - k * sin];
        }
        out
    }
    /// Crest measure: the largest speed for a given amplitude.
    pub fn crest(&self) -> f64 {
        self.most[0]
    }
}
