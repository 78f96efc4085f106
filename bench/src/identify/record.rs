//! Records that laws make.
use stiction::core::Input;
use stiction::data::{DataFile, ReadOptions};
use stiction::fit::Random;
use stiction::identify::sliding::SlidingLaw;
use stiction::identify::{ColumnRoles, RawRecord};
use stiction::{Error, Spec};

/// What is wrong with a record, beside the noise of its force.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Data {
    Clean,
    Steps,
    Uneven,
    Stamps,
    Hold,
    Drift,
    Late,
}

impl Data {
    pub(super) const ALL: [Self; 7] =
        [Self::Clean, Self::Steps, Self::Uneven, Self::Stamps, Self::Hold, Self::Drift, Self::Late];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Steps => "steps",
            Self::Uneven => "uneven",
            Self::Stamps => "stamps",
            Self::Hold => "hold",
            Self::Drift => "drift",
            Self::Late => "late",
        }
    }
}

/// How a law is identified.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    /// From what slides, with mass and offset.
    Sliding(SlidingLaw),
    /// Along the motion, with the offset.
    Along,
}

/// A law that is identified from records that it made.
pub(super) struct Case {
    pub way: Way,
    pub law: &'static str,
    /// Half of its way \[m\].
    pub size: f64,
    pub values: &'static [(&'static str, f64)],
}

pub(super) const CASES: &[Case] = &[
    Case { way: Way::Sliding(SlidingLaw::Coulomb), law: "coulomb", size: 0.05, values: &[("fc", 10.0)] },
    Case {
        way: Way::Sliding(SlidingLaw::Viscous),
        law: "stribeck",
        size: 0.05,
        values: &[("fc", 10.0), ("fs", 10.0), ("fv", 50.0)],
    },
    Case {
        way: Way::Sliding(SlidingLaw::Stribeck(20)),
        law: "stribeck",
        size: 0.05,
        values: &[("fc", 10.0), ("fs", 15.0), ("vs", 0.03), ("fv", 50.0)],
    },
    Case { way: Way::Along, law: "viscous", size: 0.05, values: &[("fv", 50.0)] },
    Case { way: Way::Along, law: "coulomb", size: 0.05, values: &[("fc", 10.0)] },
    Case { way: Way::Along, law: "stiction", size: 0.05, values: &[("fc", 10.0), ("fs", 12.0), ("fv", 50.0)] },
    Case {
        way: Way::Along,
        law: "stribeck",
        size: 0.05,
        values: &[("fc", 10.0), ("fs", 15.0), ("vs", 0.03), ("fv", 50.0)],
    },
    Case {
        way: Way::Along,
        law: "stribeck-tanh",
        size: 0.05,
        values: &[("fc", 10.0), ("fs", 15.0), ("vs", 0.03), ("ktanh", 200.0), ("fv", 50.0)],
    },
    Case { way: Way::Along, law: "coulomb-tanh", size: 0.05, values: &[("fc", 10.0), ("ktanh", 30.0)] },
    Case { way: Way::Along, law: "dahl", size: 2e-3, values: &[("fc", 10.0), ("sigma", 5e4)] },
    Case { way: Way::Along, law: "dankowicz", size: 2e-3, values: &[("fmax", 10.0), ("delta", 3e-4)] },
    Case { way: Way::Along, law: "bouc-wen", size: 2e-3, values: &[("alpha", 5e4), ("beta", 5e3), ("fv", 50.0)] },
    Case {
        way: Way::Along,
        law: "lugre",
        size: 2e-3,
        values: &[("fc", 10.0), ("fs", 15.0), ("vs", 5e-3), ("sigma0", 5e4), ("sigma1", 100.0), ("sigma2", 50.0)],
    },
    Case {
        way: Way::Along,
        law: "elasto-plastic",
        size: 2e-3,
        values: &[("fc", 10.0), ("fs", 15.0), ("vs", 5e-3), ("sigma0", 5e4), ("sigma1", 100.0), ("sigma2", 50.0)],
    },
    Case {
        way: Way::Along,
        law: "gms",
        size: 2e-3,
        values: &[
            ("fc", 3.0),
            ("fs", 4.5),
            ("vs", 5e-3),
            ("c", 2e3),
            ("sigma2", 50.0),
            ("k1", 5e4),
            ("k2", 2.5e4),
            ("k3", 1.2e4),
            ("k4", 6e3),
        ],
    },
];

/// Samples to the second, and seconds of a record.
pub(super) const RATE: f64 = 500.0;
const SECONDS: f64 = 4.0;
/// Deviation of the noise of the force \[N\], where levels are about ten.
pub(super) const NOISE: f64 = 0.1;
/// The constant force, and the mass where it is sought.
pub(super) const OFFSET: f64 = 0.3;
pub(super) const MASS: f64 = 2.0;
/// Steps of the encoder to half of the way, and deviation of the instants in samples.
pub(super) const STEPS: f64 = 2e4;
const JITTER: f64 = 0.02;
/// How much later than the motion the force is measured, in samples.
pub(super) const LATE: f64 = 1.3;
/// Deviation of the drift of the force over a record \[N\].
const DRIFT: f64 = 0.5;
/// Steps of the law to a sample, so that what the fit makes of a sample is its own.
const FINE: usize = 16;

/// Position, velocity and acceleration at a time: strokes that grow and shrink, at speeds from slow to fast.
pub(super) fn motion(size: f64, t: f64) -> [f64; 3] {
    let sines = [(0.5, 0.55, 0.0), (0.3, 1.3, 1.0), (0.2, 2.9, 2.5)];
    let mut out = [0.0; 3];
    for (part, hertz, phase) in sines {
        let w = std::f64::consts::TAU * hertz;
        let (sin, cos) = (w * t + phase).sin_cos();
        let size = size * part;
        out = [out[0] + size * sin, out[1] + size * w * cos, out[2] - size * w * w * sin];
    }
    out
}

pub(super) fn law(case: &Case) -> Result<Spec, Error> {
    let mut spec = Spec::new(case.law)?;
    for (key, value) in case.values {
        spec.set(key, *value)?;
    }
    Ok(spec)
}

/// A record as a file has it.
pub(super) fn text(case: &Case, data: Data, seed: u32) -> Result<String, Error> {
    let model = law(case)?.build()?;
    let mut random = Random::new(seed);
    let drift = if data == Data::Drift { DRIFT * random.normal() } else { 0.0 };
    // the force belongs to the motion of so much earlier
    let late = if data == Data::Late { LATE / RATE } else { 0.0 };
    // a drive that holds its force over a sample gives the mean of what the motion needs
    let held = data == Data::Hold;
    let mass = if case.way == Way::Along { 0.0 } else { MASS };
    let (mut z, mut last, mut before) = (vec![0.0; model.len()], motion(case.size, -late)[0], 0.0);
    let mut out = String::from("t [s],x [m],force [N]\n");
    for k in 0..(RATE * SECONDS) as usize {
        let off =
            if k > 0 && matches!(data, Data::Uneven | Data::Stamps) { JITTER / RATE * random.normal() } else { 0.0 };
        let said = k as f64 / RATE + off;
        let t = if data == Data::Uneven { said } else { k as f64 / RATE };
        let total = |z: &[f64], [_, v, a]: [f64; 3]| model.force(z, &Input::at(v)) + mass * a;
        // the trapezoidal rule
        let mut sum = 0.5 * total(&z, motion(case.size, before - late));
        for fine in 1..=if k == 0 { 0 } else { FINE } {
            let dt = (t - before) / FINE as f64;
            let now = before + dt * fine as f64 - late;
            let at = motion(case.size, now);
            let x = at[0];
            model.step(&mut z, &Input::at((x - last) / dt), dt);
            last = x;
            sum += if fine == FINE { 0.5 } else { 1.0 } * total(&z, at);
        }
        before = t;
        let mean = if held && k > 0 { sum / FINE as f64 } else { total(&z, motion(case.size, t - late)) };
        let force = mean + OFFSET + drift * (k as f64 / (RATE * SECONDS) - 0.5) + NOISE * random.normal();
        let x = motion(case.size, t)[0];
        let step = case.size / STEPS;
        let x = if data == Data::Clean { x } else { (x / step).round() * step };
        out += &format!("{said},{x},{force}\n");
    }
    Ok(out)
}

/// Its columns; a drift is a force of unknown size that grows with time.
pub(super) fn raw(text: &str, data: Data) -> Result<RawRecord, Error> {
    let drift = ("drift".to_owned(), "t-2".to_owned());
    let terms = if data == Data::Drift { vec![drift] } else { Vec::new() };
    ColumnRoles { terms, ..ColumnRoles::default() }.read(&DataFile::from_bytes(
        "log.csv",
        text.as_bytes(),
        &ReadOptions::default(),
    )?)
}
