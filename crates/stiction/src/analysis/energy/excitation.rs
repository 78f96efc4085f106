//! Periodic velocities, and the energy that a law dissipates under them.
use crate::analysis::hysteresis::{is_random, tight_options, with_final_memory};
use crate::analysis::law_stepper::LawStepper;
use crate::analysis::test_rig::{Drive, RigTrace, TestRig};
use crate::system::{Curve, Signal};
use crate::{Error, system::CurveError};
use std::f64::consts::{FRAC_PI_2, TAU};
use stiction_core::registry::DynLaw;

/// A periodic velocity.
#[derive(Clone, Debug, PartialEq)]
pub enum Excitation {
    /// `v = speed·(mean + sin θ + second·sin(2θ + phase))`, θ = ωt.
    Harmonic {
        /// Amplitude of the first harmonic [m/s or rad/s].
        speed: f64,
        /// Angular frequency [rad/s].
        omega: f64,
        /// Mean, in parts of the amplitude.
        mean: f64,
        /// Second harmonic, in parts of the amplitude.
        second: f64,
        /// Its phase \[rad\].
        phase: f64,
    },
    /// A sequence of constant velocities: velocity and (positive) distance of each [m/s, m].
    Pieces(Vec<(f64, f64)>),
}

/// Energy dissipated by a law in one period of a periodic velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CycleWork {
    /// `∮ F v dt` \[J\]; negative: the law supplied energy.
    pub work: f64,
    /// `∮ |v| dt` [m or rad].
    pub travel: f64,
    /// Whether the work repeats from one period to the next.
    pub repeats: bool,
    /// Relative uncertainty of the work, because the states of the law are not exactly periodic yet.
    pub uncertainty: f64,
}

impl CycleWork {
    /// Whether the uncertainty is so small that the sign of the work is certain.
    pub fn is_certain(&self) -> bool {
        self.uncertainty < MAX_UNCERTAINTY
    }
}

/// Uncertainty above which a gain may come from stored energy.
const MAX_UNCERTAINTY: f64 = 0.1;

/// Samples per period of a harmonic velocity.
const SAMPLES: u32 = 96;
/// Samples per piece, denser at its start.
const SAMPLES_PER_PIECE: u32 = 12;
/// Maximum number of periods; then the last one is used.
const MAX_PERIODS: usize = 20;
/// Periods over which a random law is averaged.
const RANDOM_PERIODS: usize = 8;
/// Difference from one period to the next, relative to the largest work of a sample, below which the work is periodic.
const PERIODICITY_TOLERANCE: f64 = 1e-5;

impl Excitation {
    /// The period \[s\].
    pub fn period(&self) -> f64 {
        match self {
            Self::Harmonic { omega, .. } => TAU / omega,
            Self::Pieces(pieces) => pieces.iter().map(|(v, way)| way / v.abs()).sum(),
        }
    }
    /// Piecewise constant approximation: velocity and duration of each sample.
    fn samples(&self) -> Vec<(f64, f64)> {
        match self {
            Self::Harmonic { speed, omega, mean, second, phase } => {
                let step = TAU / f64::from(SAMPLES);
                let at = |k: u32| {
                    let theta = (f64::from(k) + 0.5) * step;
                    (speed * (mean + theta.sin() + second * (2.0 * theta + phase).sin()), step / omega)
                };
                (0..SAMPLES).map(at).collect()
            }
            Self::Pieces(pieces) => {
                let part = |k: u32| (f64::from(k) / f64::from(SAMPLES_PER_PIECE)).powi(3);
                let split = |&(v, way): &(f64, f64)| {
                    let t = way / v.abs();
                    (0..SAMPLES_PER_PIECE).map(move |k| (v, t * (part(k + 1) - part(k))))
                };
                pieces.iter().flat_map(split).collect()
            }
        }
    }
    /// The displacement as a signal, starting at zero, for the given number of periods.
    ///
    /// # Errors
    /// [`Error::Curve`] for pieces without a way.
    pub fn position(&self, periods: usize) -> Result<Signal, Error> {
        Ok(match self {
            Self::Harmonic { speed, omega, mean, second, phase } => {
                let sine = |amplitude: f64, omega: f64, phase: f64| Signal::Sine {
                    mean: 0.0,
                    amplitude: amplitude / omega,
                    omega,
                    phase: phase - FRAC_PI_2,
                };
                let drift = Signal::Ramp { offset: 0.0, slope: speed * mean, start: 0.0, end: f64::INFINITY };
                Signal::Sum(vec![drift, sine(*speed, *omega, 0.0), sine(speed * second, 2.0 * omega, *phase)])
            }
            Self::Pieces(pieces) => {
                let (mut t, mut x) = (vec![0.0], vec![0.0]);
                for (v, way) in pieces.iter().cycle().take(periods * pieces.len()) {
                    t.push(t[t.len() - 1] + way / v.abs());
                    x.push(x[x.len() - 1] + way * v.signum());
                }
                let bad = |problem: CurveError| Error::Curve { problem, values: [f64::NAN; 2] };
                Signal::Table(Curve::linear(t, x).map_err(bad)?)
            }
        })
    }
    /// The work of a law in a period, by fixed steps of the law; fast.
    pub fn work_by_steps(&self, law: &dyn DynLaw, random: bool) -> CycleWork {
        let samples = self.samples();
        let travel = samples.iter().map(|(v, dt)| v.abs() * dt).sum();
        let mut walk = LawStepper::new(law, 1.0);
        let mut turn = || {
            let mut most = 0.0_f64;
            let work: f64 = samples
                .iter()
                .map(|&(v, dt)| walk.advance(v, dt).work)
                .inspect(|work| most = most.max(work.abs()))
                .sum();
            (work, most)
        };
        if random {
            let work = (0..RANDOM_PERIODS).map(|_| turn().0).sum::<f64>() / RANDOM_PERIODS as f64;
            return CycleWork { work, travel, repeats: false, uncertainty: 1.0 };
        }
        let mut before = turn().0;
        for _ in 1..MAX_PERIODS {
            let (work, most) = turn();
            if (work - before).abs() <= PERIODICITY_TOLERANCE * most {
                return CycleWork { work, travel, repeats: true, uncertainty: 0.0 };
            }
            before = work;
        }
        CycleWork { work: before, travel, repeats: false, uncertainty: 1.0 }
    }
    /// The same by the simulator, with every reversal and slip located: the last of `periods` periods.
    ///
    /// # Errors
    /// As [`TestRig::run`].
    pub fn work_by_simulation(&self, rig: &TestRig, periods: usize) -> Result<CycleWork, Error> {
        let (period, drive) = (self.period(), Drive::Position(self.position(periods)?));
        let (random, law) = (is_random(rig), rig.spec.build()?);
        let mut rig = rig.clone();
        let (mut works, mut size, mut miss) = (Vec::new(), 0.0_f64, f64::INFINITY);
        for k in 0..periods {
            let (start, end) = (k as f64 * period, (k + 1) as f64 * period);
            let trace = rig.run(&drive, &tight_options(start, end, period / 64.0))?;
            works.push(trace.summary.energy.friction);
            let way: f64 = trace.x.windows(2).map(|x| (x[1] - x[0]).abs()).sum();
            size = trace.force.iter().fold(0.0_f64, |most, f| most.max(f.abs())) * way;
            miss = closure(law.as_ref(), &trace);
            rig = with_final_memory(&rig, &trace)?;
        }
        let travel = self.samples().iter().map(|(v, dt)| v.abs() * dt).sum();
        let [.., before, work] = works[..] else {
            return Ok(CycleWork { work: works.iter().sum(), travel, repeats: false, uncertainty: f64::INFINITY });
        };
        if random {
            let mean = works.iter().sum::<f64>() / periods as f64;
            return Ok(CycleWork { work: mean, travel, repeats: false, uncertainty: f64::INFINITY });
        }
        let change = (work - before).abs();
        // energy that the states may still release, because they have not returned exactly
        let uncertainty = change.max(miss * size) / work.abs();
        Ok(CycleWork { work, travel, repeats: change <= 1e-3 * size, uncertainty })
    }
}

/// Relative difference of the continuous states between start and end of a trace; states that move with the displacement
/// may differ by it. Discrete states are left out, because they may switch just before or after the end of a period.
fn closure(law: &dyn DynLaw, trace: &RigTrace) -> f64 {
    let ends = |list: &[f64]| list.last().zip(list.first()).map_or(0.0, |(b, a)| b - a);
    let way = ends(&trace.x);
    let miss = |list: &Vec<f64>| {
        let (gone, most) = (ends(list), list.iter().fold(0.0_f64, |most, z| most.max(z.abs())));
        if most == 0.0 { 0.0 } else { gone.abs().min((gone - way).abs()) / most }
    };
    let flows = trace.memory.iter().enumerate().filter(|(i, _)| law.flows(*i));
    flows.map(|(_, list)| miss(list)).fold(0.0, f64::max)
}
