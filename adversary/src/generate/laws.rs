//! Laws with parameters drawn around plausible values, scaled to a system's force, length and time.
use crate::model::LawChoice;
use crate::random::Random;
use stiction::core::models;

/// The scales of a system.
#[derive(Clone, Copy, Debug)]
pub struct Scales {
    pub mass: f64,
    pub length: f64,
    pub time: f64,
}

impl Scales {
    pub fn force(&self) -> f64 {
        self.mass * self.length / (self.time * self.time)
    }
    pub fn speed(&self) -> f64 {
        self.length / self.time
    }
    pub fn stiffness(&self) -> f64 {
        self.mass / (self.time * self.time)
    }
    pub fn damping(&self) -> f64 {
        self.mass / self.time
    }
}

/// All laws of the registry; a test compares.
pub const NAMES: [&str; 28] = [
    "armstrong",
    "bliman-sorine",
    "bouc-wen",
    "bristle",
    "carlson-langer",
    "coulomb",
    "coulomb-sat",
    "coulomb-tanh",
    "dahl",
    "dankowicz",
    "dieterich",
    "elasto-plastic",
    "gear",
    "gms",
    "hysteresis",
    "karnopp",
    "lugre",
    "rate-state",
    "reset-integrator",
    "ruina",
    "simscape",
    "slip-variable",
    "stiction",
    "stribeck",
    "stribeck-dankowicz",
    "stribeck-sat",
    "stribeck-tanh",
    "viscous",
];

/// Laws that hold a body at rest exactly.
pub const STICKING: [&str; 5] = ["coulomb", "stiction", "stribeck", "carlson-langer", "karnopp"];

/// Largest stiffness of a micro-slip \[N/m\]. Laws allow 1e12, and `hysteresis` takes ten times as much after a reversal, more than later.
const STIFFEST: f64 = 1e11;

/// The law `name` with a force level of about `level`, in newtons.
pub fn draw(name: &'static str, level: f64, scales: &Scales, random: &mut Random) -> LawChoice {
    let (s, r) = (*scales, random);
    let fc = level;
    let fs = fc * if r.chance(0.3) { 1.0 } else { r.between(1.0, 1.8) };
    let vs = s.speed() * r.decade(-2.5, 0.0);
    let exponent = r.pick(&[0.5, 1.0, 1.0, 2.0, 2.0, 2.5]);
    let fv = if r.chance(0.5) { 0.0 } else { fc / s.speed() * r.decade(-2.0, -0.3) };
    // micro-slip over a share of the length that the system moves
    let micro = (s.length * r.decade(-4.0, -1.5)).max(fc / STIFFEST);
    let stiffness = fc / micro;
    let critical = 2.0 * (stiffness * s.mass).sqrt();
    let damping = if r.chance(0.2) { 0.0 } else { critical * r.between(0.1, 1.5) };
    let smooth = r.decade(1.0, 3.0) / s.speed();
    let (lag, dwell) = (s.time * r.decade(-3.0, -1.0), s.time * r.decade(-1.0, 1.0));
    let stribeck = [("fc", fc), ("fs", fs), ("vs", vs), ("exponent", exponent)];
    let mut values: Vec<(&'static str, f64)> = match name {
        "armstrong" => vec![
            ("fc", fc),
            ("fs", fs),
            ("vs", vs),
            ("fv", fv),
            ("sigma0", stiffness),
            ("tau_lag", lag),
            ("tau_dwell", dwell),
        ],
        "bliman-sorine" => {
            let f2 = fc * r.between(0.1, 1.0);
            vec![("f1", fc + f2), ("f2", f2), ("eta", r.between(0.1, 0.9)), ("eps", micro)]
        }
        "bouc-wen" => {
            let nu = r.pick(&[1.0, 1.0, 1.5, 2.0, 3.0]);
            let gamma = r.between(0.5, 1.0);
            let delta = gamma * r.between(-0.5, 1.0);
            // level = (alpha/(beta (gamma + delta)))^(1/nu)
            let beta = stiffness / ((gamma + delta) * fc.powf(nu));
            vec![("alpha", stiffness), ("beta", beta), ("gamma", gamma), ("delta", delta), ("nu", nu), ("fv", fv)]
        }
        "bristle" => {
            let seed = (r.unit() * 1000.0).floor();
            // every break of a bristle is an event, sixteen for each delta of the way. A run goes some ten of its lengths: with delta at least a
            // thirtieth of it there are some thousand breaks, and not some hundred thousand
            let delta = (10.0 * micro).max(s.length / 30.0);
            vec![("sigma", 3.0 * fc / (16.0 * delta)), ("delta", delta), ("seed", seed), ("fv", fv)]
        }
        "carlson-langer" => vec![("fc", fc), ("fs", fs), ("vs", s.speed() * r.decade(-1.0, 1.0))],
        "coulomb" => vec![("fc", fc)],
        "coulomb-sat" => vec![("fc", fc), ("ksat", smooth)],
        "coulomb-tanh" => vec![("fc", fc), ("ktanh", smooth)],
        "dahl" => vec![("fc", fc), ("sigma", stiffness), ("shape", r.pick(&[0.5, 0.5, 1.0, 1.0, 1.5, 2.0]))],
        "dankowicz" => vec![("fmax", fc), ("delta", micro)],
        "dieterich" | "ruina" | "rate-state" => rate_and_state(name, fc, micro, &s, r),
        "elasto-plastic" => {
            let mut values = stribeck.to_vec();
            values.extend([("sigma0", stiffness), ("sigma1", damping), ("sigma2", fv), ("stick", r.between(0.0, 0.9))]);
            values
        }
        "gear" => {
            let (drive, back) = (r.between(0.02, 0.3), r.between(0.02, 0.3));
            let mut values = stribeck.to_vec();
            values.extend([("fv", fv), ("mu_drive", drive), ("mu_back", back), ("torque", fc * r.between(0.2, 2.0))]);
            values
        }
        "gms" => {
            let mut values = stribeck.to_vec();
            values.extend([("sigma2", fv), ("c", fc / s.time * r.decade(0.5, 2.5))]);
            let keys = ["k1", "k2", "k3", "k4"];
            values.extend(keys.iter().enumerate().map(|(i, key)| (*key, stiffness * 0.5f64.powi(i as i32))));
            values
        }
        "hysteresis" => vec![
            ("k0", 10.0 * stiffness),
            ("k1", stiffness),
            ("k2", 0.5 * stiffness),
            ("f1", 0.8 * fs),
            ("z2", 0.4 * micro),
            ("fs", fs),
            ("fc1", fc),
            ("fc2", fc * r.between(0.8, 1.0)),
            ("vs", vs),
            ("exponent", exponent.max(1.0)),
            ("fv1", fv),
            ("fv2", fv * r.between(0.5, 1.0)),
        ],
        "karnopp" => {
            let mut values = stribeck.to_vec();
            values.extend([("fv", fv), ("band", s.speed() * r.decade(-6.0, -2.5))]);
            values
        }
        "lugre" => {
            let mut values = stribeck.to_vec();
            values.extend([("sigma0", stiffness), ("sigma1", damping), ("sigma2", fv)]);
            if r.chance(0.3) {
                values.push(("vd", s.speed() * r.decade(-2.0, 0.0)));
            }
            values
        }
        "reset-integrator" => {
            vec![("sigma0", stiffness), ("sigma1", damping), ("z0", micro), ("a", r.between(0.0, 1.0)), ("fv", fv)]
        }
        "simscape" => vec![("fc", fc), ("fs", fs), ("vbrk", vs), ("fv", fv)],
        "slip-variable" => vec![
            ("fs", fs),
            ("fc", fc),
            ("fv", fv),
            ("ks", stiffness),
            ("ds", damping),
            ("tau_lag", lag),
            ("tau_reset", 0.3 * lag),
            ("vs", vs),
        ],
        "stiction" => vec![("fc", fc), ("fs", fs), ("fv", fv)],
        "stribeck-dankowicz" => {
            let mut values = stribeck.to_vec();
            values.extend([("delta", micro), ("fv", fv)]);
            values
        }
        "stribeck-sat" | "stribeck-tanh" => {
            let mut values = stribeck.to_vec();
            values.extend([("fv", fv), (if name == "stribeck-sat" { "ksat" } else { "ktanh" }, smooth)]);
            values
        }
        "viscous" => vec![("fv", fc / s.speed()), ("gamma", r.pick(&[1.0, 1.0, 0.5, 0.8]))],
        _ => {
            let mut values = stribeck.to_vec();
            values.push(("fv", fv));
            values
        }
    };
    clamp(name, &mut values);
    LawChoice { name, values, reverse: Vec::new(), noise: Vec::new() }
}

fn rate_and_state(name: &str, level: f64, micro: f64, s: &Scales, r: &mut Random) -> Vec<(&'static str, f64)> {
    let (mu0, a) = (r.between(0.3, 0.8), r.decade(-2.3, -1.5));
    let b = a * r.between(0.5, 1.8);
    let v0 = s.speed() * r.decade(-4.0, -1.0);
    let mut values = vec![("mu0", mu0), ("a", a), ("b", b), ("v0", v0), ("normal", level / mu0)];
    match name {
        "rate-state" => values.extend([("theta0", s.time * r.decade(-2.0, 0.0)), ("d0", micro)]),
        _ => values.push(("dc", micro)),
    }
    values
}

/// Keeps every value within the bounds of its parameter.
fn clamp(name: &str, values: &mut [(&'static str, f64)]) {
    let Some(entry) = models::ALL.iter().find(|entry| entry.name == name) else { return };
    for (key, x) in values {
        if let Some(param) = entry.params.iter().find(|param| param.name == *key) {
            *x = x.clamp(param.min, param.max);
        }
    }
}

/// The force at which a contact with this law lets go, at nominal load.
pub fn break_away(law: &LawChoice) -> f64 {
    let value = |key: &str| law.values.iter().find(|(name, _)| *name == key).map(|(_, x)| *x);
    let [fs, fc, fmax] = ["fs", "fc", "fmax"].map(value);
    match law.name {
        "bliman-sorine" => value("f1").unwrap_or(1.0) - value("f2").unwrap_or(0.0),
        "bouc-wen" => {
            let [alpha, beta, gamma, delta, nu] =
                ["alpha", "beta", "gamma", "delta", "nu"].map(|k| value(k).unwrap_or(1.0));
            (alpha / (beta * (gamma + delta))).powf(1.0 / nu)
        }
        "bristle" => 16.0 / 3.0 * value("sigma").unwrap_or(1.0) * value("delta").unwrap_or(1.0),
        "dieterich" | "ruina" | "rate-state" => value("mu0").unwrap_or(0.6) * value("normal").unwrap_or(1.0),
        "reset-integrator" => {
            let [sigma0, z0, a] = ["sigma0", "z0", "a"].map(|key| value(key).unwrap_or(0.0));
            (1.0 + a) * sigma0 * z0
        }
        "gear" => fs.unwrap_or(1.0) + value("mu_drive").unwrap_or(0.0) * value("torque").unwrap_or(0.0),
        _ => fs.or(fc).or(fmax).unwrap_or(1.0),
    }
}
