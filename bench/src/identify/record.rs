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
    let mass = if case.way == Way::Along { 0.0 } else { MASS };
    let (mut z, mut last, mut before) = (vec![0.0; model.len()], motion(case.size, 0.0)[0], 0.0);
    let mut out = String::from("t [s],x [m],force [N]\n");
    for k in 0..(RATE * SECONDS) as usize {
        let off =
            if k > 0 && matches!(data, Data::Uneven | Data::Stamps) { JITTER / RATE * random.normal() } else { 0.0 };
        let said = k as f64 / RATE + off;
        let t = if data == Data::Uneven { said } else { k as f64 / RATE };
        for fine in 1..=if k == 0 { 0 } else { FINE } {
            let x = motion(case.size, before + (t - before) * fine as f64 / FINE as f64)[0];
            let dt = (t - before) / FINE as f64;
            model.step(&mut z, &Input::at((x - last) / dt), dt);
            last = x;
        }
        before = t;
        let [x, v, a] = motion(case.size, t);
        let force = model.force(&z, &Input::at(v)) + mass * a + OFFSET + NOISE * random.normal();
        let step = case.size / STEPS;
        let x = if data == Data::Clean { x } else { (x / step).round() * step };
        out += &format!("{said},{x},{force}\n");
    }
    Ok(out)
}

/// Its columns.
pub(super) fn raw(text: &str) -> Result<RawRecord, Error> {
    ColumnRoles::default().read(&DataFile::from_bytes("log.csv", text.as_bytes(), &ReadOptions::default())?)
}
