//! Conditions under which a law is known to be passive from velocity to force.
//!
//! Passive: `∫ F v dt ≥ V(end) − V(begin)` for a stored energy V that is never negative, whatever the velocity. Each
//! condition is sufficient; where one fails the law may or may not be passive, and only an excitation that gains energy
//! disproves it.
//!
//! For LuGre, with `y = σ0 z sgn v` and V = σ0 z²/2,
//! `F v − dV/dt = |v|·(y²/g + σ1(v)·|v|·(1 − y/g) + σ2 |v|^γ)`, a parabola in `y` whose least value within ±Fs at each
//! speed is known in closed form. With constant σ1 and `|z|` at its largest it is positive at every speed if
//! `σ2 > σ1 (Fs − Fc)/Fc`. The elasto-plastic law lies between this one and an elastic spring, so the same holds for it.
use crate::{ParameterGroup, Spec};
use stiction_core::Input;

/// A sufficient condition, and whether it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct PassivityCondition {
    /// The condition.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
    /// Why it is sufficient.
    pub why: &'static str,
    /// Where it is published, a key into `docs/references.bib`; none: it follows from the storage function.
    pub cite: Option<&'static str>,
}

const SAME_SIGN: &str = "force and velocity have the same sign at every instant";
const DISSIPATION_INEQUALITY: &str = "the supplied energy is never less than the increase of the stored energy";

/// The conditions known for a law, the published one first; empty if none is known.
pub fn conditions(spec: &Spec) -> Vec<PassivityCondition> {
    let p = |name: &str| spec.get(name).unwrap_or(f64::NAN);
    let plain = |text: &str, holds: bool, why: &'static str| PassivityCondition {
        text: text.to_owned(),
        holds,
        why,
        cite: None,
    };
    // noise never exceeds the friction it is added to, so that a law without states still opposes the motion; a state that
    // is shared by two laws, or disturbed by noise, may release more energy than was stored
    if (spec.has(ParameterGroup::Reverse) || spec.has(ParameterGroup::Noise)) && !spec.law().states.is_empty() {
        return Vec::new();
    }
    match spec.law().name {
        _ if spec.law().states.is_empty() && spec.law().program().is_none() => {
            vec![plain("always", true, SAME_SIGN)]
        }
        _ if spec.law().states.is_empty() => vec![plain("F v >= 0 from 1 µm/s to 10 m/s", opposes(spec), SAME_SIGN)],
        "rate-state" | "dieterich" | "ruina" => {
            vec![plain("mu >= 0 at every speed and age", rate_state(spec), SAME_SIGN)]
        }
        "dahl" | "dankowicz" => {
            vec![PassivityCondition { cite: Some("Astrom2008"), ..plain("always", true, DISSIPATION_INEQUALITY) }]
        }
        "bristle" | "reset-integrator" => vec![plain("always", true, DISSIPATION_INEQUALITY)],
        "bouc-wen" => vec![plain("|delta| <= gamma", p("delta").abs() <= p("gamma"), DISSIPATION_INEQUALITY)],
        "bliman-sorine" => {
            let why = "as a function of the distance travelled it is a positive-real linear system";
            vec![plain("f1 >= f2 and eta <= 1", p("f1") >= p("f2") && p("eta") <= 1.0, why)]
        }
        "stribeck-dankowicz" => vec![plain("fs = fc", p("fs") == p("fc"), DISSIPATION_INEQUALITY)],
        "gms" => vec![plain("fs = fc", p("fs") == p("fc"), DISSIPATION_INEQUALITY)],
        "lugre" => {
            let limit = p("sigma1") * (p("fs") - p("fc")) / p("fc");
            let constant = PassivityCondition {
                text: format!("sigma2 > sigma1 (fs - fc)/fc: {} > {}", brief(p("sigma2")), brief(limit)),
                // the viscous term must exceed that of the bristles at every speed, which only a linear one does
                holds: p("gamma") == 1.0 && p("sigma2") > limit || limit == 0.0,
                why: "for constant sigma1 and gamma = 1",
                cite: Some("Astrom2008"),
            };
            let fails = bristles(spec, |v| p("sigma1") * (-(v / p("vd")).powi(2)).exp(), p("gamma"));
            vec![constant, parabola(fails)]
        }
        "elasto-plastic" => {
            let limit = p("sigma1") * (p("fs") - p("fc")) / p("fc");
            let text = format!("sigma2 > sigma1 (fs - fc)/fc: {} > {}", brief(p("sigma2")), brief(limit));
            let constant = plain(&text, p("sigma2") > limit || limit == 0.0, "as for LuGre, which it lies below");
            vec![constant, parabola(bristles(spec, |_| p("sigma1"), 1.0))]
        }
        _ => Vec::new(),
    }
}

fn brief(x: f64) -> String {
    crate::number::short(crate::number::round(x, 4))
}

fn parabola(fails: Option<f64>) -> PassivityCondition {
    let text = match fails {
        None => "F v >= d(sigma0 z^2/2)/dt at every speed and |z| <= fs/sigma0".to_owned(),
        Some(v) => format!("F v >= d(sigma0 z^2/2)/dt for |z| <= fs/sigma0: not from {} m/s on", brief(v)),
    };
    PassivityCondition { text, holds: fails.is_none(), why: DISSIPATION_INEQUALITY, cite: None }
}

/// The lowest speed, over sixteen decades, at which `y²/g + σ1|v|(1 − y/g) + σ2|v|^γ` is negative for some |y| ≤ Fs.
fn bristles(spec: &Spec, damping: impl Fn(f64) -> f64, gamma: f64) -> Option<f64> {
    let p = |name: &str| spec.get(name).unwrap_or(f64::NAN);
    let (fc, fs, vs, exponent) = (p("fc"), p("fs"), p("vs"), p("exponent"));
    let least = |v: f64| {
        let (g, s) = (fc + (fs - fc) * (-(v / vs).powf(exponent)).exp(), damping(v));
        let y = (0.5 * s * v).min(fs);
        y * y / g + s * v * (1.0 - y / g) + p("sigma2") * v.powf(gamma)
    };
    (0..=1600).map(|k| vs * 10_f64.powf(f64::from(k) / 100.0 - 8.0)).find(|&v| least(v) < 0.0)
}

/// Whether a rate-and-state coefficient can become negative: by the logarithm of age where b is negative.
fn rate_state(spec: &Spec) -> bool {
    // the regularised forms are odd in v whatever the age; the plain one adds positive terms
    spec.law().name != "rate-state" || ["mu0", "a", "b"].iter().all(|name| spec.get(name).is_ok_and(|x| x >= 0.0))
}

/// Whether the force of a law without memory never drives the motion, tried over seven decades of speed.
fn opposes(spec: &Spec) -> bool {
    let speeds = (0..=280).map(|k| 10f64.powf(-6.0 + 0.025 * f64::from(k)));
    spec.build().is_ok_and(|law| speeds.flat_map(|v| [v, -v]).all(|v| law.force(&[], &Input::at(v)) * v >= 0.0))
}
