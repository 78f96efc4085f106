//! What a law claims and whether it keeps to it: the properties that a simulator, a fit and a controller rely on, tried on a law
//! as it is.
//!
//! ```
//! use stiction::{Spec, analysis::law_check::LawCheck};
//!
//! let check = LawCheck::new(&Spec::new("lugre")?)?;
//! assert!(check.is_sound());
//! # Ok::<(), stiction::Error>(())
//! ```
use super::energy::{GAIN_TOLERANCE, passivity, search::SearchEffort};
use crate::number::{round, short};
use crate::sim::StopFlag;
use crate::{Error, ParameterGroup, Spec};
use stiction_core::registry::DynLaw;
use stiction_core::{Input, Real};
use stiction_sim::force_at_rest::JumpAtRest;

mod at_rest;
mod memory;
mod modes;
mod samples;

/// How a property came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds wherever it was tried.
    Holds,
    /// It does not, and something will go wrong with it.
    Broken,
    /// It does not, which is a property of the law and no fault.
    Differs,
}

/// One property.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// In a few words.
    pub name: &'static str,
    /// How it came out.
    pub verdict: Verdict,
    /// What was found, in plain words.
    pub found: String,
}

/// The properties of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct LawCheck {
    /// In the order in which they were tried.
    pub properties: Vec<Property>,
}

/// Speeds that are tried, in both directions: from a micrometre to ten metres a second.
fn speeds() -> impl Iterator<Item = f64> {
    (0..=28).map(|k| 10f64.powf(-6.0 + 0.25 * f64::from(k))).flat_map(|v| [v, -v])
}

/// A motion of samples with reversals and rests; ways of a nanometre to a millimetre.
fn motion(k: u32) -> (f64, f64) {
    let r = |j: u32| f64::uniform(8.0, f64::from(8 * k + j));
    let speed = 10f64.powf(-6.0 + 6.0 * r(0));
    let v = if r(1) < 0.05 { 0.0 } else { speed * (r(2) - 0.5).signum() };
    (v, 10f64.powf(-9.0 + 6.0 * r(3)) / speed)
}

fn brief(x: f64) -> String {
    short(round(x, 4))
}

impl LawCheck {
    /// Tries the law with these values.
    ///
    /// # Errors
    /// Values that the law refuses.
    pub fn new(spec: &Spec) -> Result<Self, Error> {
        let bare = spec.clone().without(ParameterGroup::Noise);
        let law = bare.build()?;
        let law = &*law;
        let mut properties = vec![finite(&bare)?, dissipates(law), rest(law), odd(law)];
        if !law.is_empty() {
            properties.extend([
                memory::settles(law),
                memory::follows(law, spec),
                memory::bounded(law, spec),
                memory::stable(law, spec),
            ]);
            properties.extend(samples::accurate(law, spec));
            if law.guard_count() > 1 || (0..law.len()).any(|i| !law.flows(i)) {
                properties.extend([modes::jumps(law, spec), modes::surfaces(law, spec)]);
            }
        }
        properties.push(at_rest::slopes(law, spec));
        properties.push(load(law));
        Ok(Self { properties })
    }
    /// Searches for a periodic velocity under which the law supplies energy, and adds what was found. This takes longer than all other properties
    /// together.
    ///
    /// # Errors
    /// Values that the law refuses, or the flag was raised.
    pub fn with_passivity(mut self, spec: &Spec, stop: &StopFlag) -> Result<Self, Error> {
        let broken = |name| self.properties.iter().any(|p| p.name == name && p.verdict == Verdict::Broken);
        let found = match ["finite", "rest"].into_iter().find(|name| broken(*name)) {
            Some(name) => {
                let found = format!("not decided: motions cannot be simulated before '{name}' holds");
                Property { name: "passive", verdict: Verdict::Differs, found }
            }
            None => passive(spec, stop)?,
        };
        self.properties.push(found);
        Ok(self)
    }
    /// Whether nothing is broken.
    pub fn is_sound(&self) -> bool {
        self.properties.iter().all(|property| property.verdict != Verdict::Broken)
    }
}

fn property(name: &'static str, failed: Option<String>, otherwise: Verdict, holds: &str) -> Property {
    match failed {
        Some(found) => Property { name, verdict: otherwise, found },
        None => Property { name, verdict: Verdict::Holds, found: holds.to_owned() },
    }
}

/// Force, memory and rates are numbers for admissible parameters, drawn over the whole of their ranges.
fn finite(spec: &Spec) -> Result<Property, Error> {
    let params = spec.law().params;
    let (mut failed, mut tried) = (None, 0);
    for draw in 0..200_u32 {
        let mut other = spec.clone();
        for (i, param) in params.iter().enumerate() {
            let r = f64::uniform(21.0, f64::from(64 * draw) + i as f64);
            // over the decades of a positive range, else evenly within a thousand times the default
            let value = if param.min > 0.0 {
                // without a bound, a million times the default
                let high = if param.max == f64::MAX { 1e6 * param.default } else { param.max };
                let [low, high] = [param.min, high].map(f64::ln);
                (low + r * (high - low)).exp()
            } else {
                let reach = 1e3 * param.default.abs().max(1.0);
                param.min.max(-reach) + r * (param.max.min(reach) - param.min.max(-reach))
            };
            other.set(param.name, value.clamp(param.min, param.max))?;
        }
        // draws that do not satisfy the law's conditions are left out
        let Ok(law) = other.build() else { continue };
        tried += 1;
        let mut z = vec![0.0; law.len()];
        for k in 0..40 {
            let (v, dt) = motion(40 * draw + k);
            let (u, before) = (Input::at(v), z.clone());
            let force = law.sample(&mut z, &u, dt);
            let mut rate = vec![0.0; z.len()];
            law.rate(&z, &u, &mut rate);
            let is_bad = |list: &[f64]| list.iter().any(|x| !x.is_finite());
            let at = |z: &[f64]| {
                let states: Vec<String> =
                    z.iter().enumerate().map(|(i, z)| format!("{} = {}", state_name(&other, i), brief(*z))).collect();
                let memory = if states.is_empty() { String::new() } else { format!(", {}", states.join(", ")) };
                format!("v = {}, load = 1{memory}", brief(v))
            };
            let mut begin = vec![0.0; z.len()];
            law.rate(&before, &u, &mut begin);
            let wrong = match () {
                () if is_bad(&z) && is_bad(&begin) => {
                    format!("a rate is not a number at {}: an equation overflows or has no value there", at(&before))
                }
                () if is_bad(&z) => format!(
                    "a sample of {} s from {} does not end at a number, though the rates are numbers there: the memory grows without bound, or leads to where \
                     an equation has no value",
                    brief(dt),
                    at(&before)
                ),
                () if !force.is_finite() => {
                    format!("the force is not a number at {}: an equation overflows or has no value there", at(&z))
                }
                () if is_bad(&rate) => {
                    format!("a rate is not a number at {}: an equation overflows or has no value there", at(&z))
                }
                () => continue,
            };
            let values =
                params.iter().map(|p| format!("{} = {}", p.name, other.get(p.name).map_or(String::new(), brief)));
            let values = values.collect::<Vec<_>>().join(", ");
            failed = Some(format!("{wrong}; with {values}"));
            break;
        }
        if failed.is_some() {
            break;
        }
    }
    let text = format!(
        "force, memory and rates are numbers for {tried} of 200 random sets of parameters, those that the law admits"
    );
    Ok(property("finite", failed, Verdict::Broken, &text))
}

/// The way of sliding that stands for long sliding where the memory has no limit, as with a position \[m\] or \[rad\].
const WAY: f64 = 0.1;

/// The force of steady sliding, or after sliding over [`WAY`] from zero memory if there is no limit.
fn sliding_force(law: &dyn DynLaw, u: &Input<f64>) -> f64 {
    if law.settles() {
        return law.steady(u);
    }
    // samples that double, so that a short memory is followed, too
    const SAMPLES: i32 = 30;
    let (mut z, time) = (vec![0.0; law.len()], WAY / u.v.abs());
    (0..SAMPLES).for_each(|k| law.step(&mut z, u, time * 0.5f64.powi(SAMPLES - k)));
    law.force(&z, u)
}

/// Steady sliding takes energy.
fn dissipates(law: &dyn DynLaw) -> Property {
    let power = |v: f64| sliding_force(law, &Input::at(v)) * v;
    let bad = speeds().find(|v| power(*v).is_nan() || power(*v) < 0.0);
    let text = |v: f64| {
        let force = sliding_force(law, &Input::at(v));
        if force.is_nan() {
            return format!("at v = {} m/s the steady force is not a number", brief(v));
        }
        format!("at v = {} m/s the steady force is {}: it drives the motion", brief(v), brief(force))
    };
    property(
        "dissipates",
        bad.map(text),
        Verdict::Broken,
        "steady sliding takes energy at every speed from 1 µm/s to 10 m/s",
    )
}

/// The force does not jump at rest beyond the set that holds the body, whatever the body did before.
fn rest(law: &dyn DynLaw) -> Property {
    let bad = JumpAtRest::find(law).map(|JumpAtRest { jump, hold, begun: [backward, forward], before }| {
        let before = before.map_or(String::new(), |v| format!(" after sliding at {} m/s", brief(v)));
        format!(
            "the force jumps by {} when motion begins{before}, but hold is {}: a body at rest would chatter; force ± hold at v = 0 must reach the {} and {} with which motion begins, as force {} with hold {} does",
            brief(jump),
            brief(hold),
            brief(forward),
            brief(backward),
            brief(0.5 * (forward + backward)),
            brief(0.5 * (forward - backward))
        )
    });
    let held = law.hold(&vec![0.0; law.len()], &Input::at(0.0), 1.0);
    if held.is_nan() {
        return not_a_number("rest", "hold at rest");
    }
    let holds = if held > 0.0 {
        format!("a body at rest is held by up to {}", brief(held))
    } else {
        "the force is a single number at rest, and continuous there".to_owned()
    };
    property("rest", bad, Verdict::Broken, &holds)
}

/// Mirrored motion gives the mirrored force.
fn odd(law: &dyn DynLaw) -> Property {
    const NAME: &str = "odd";
    let both = |v: f64| [v.abs(), -v.abs()].map(|v| sliding_force(law, &Input::at(v)));
    if let Some(v) = speeds().find(|v| both(*v).iter().any(|force| force.is_nan())) {
        return not_a_number(NAME, &format!("the steady force at {} m/s", brief(v)));
    }
    let bad = speeds().find(|v| {
        let [one, other] = both(*v);
        (one + other).abs() > 1e-9 * one.abs().max(other.abs())
    });
    let text = |v: f64| {
        let [one, other] = both(v);
        format!("forwards and backwards differ: {} and {} at {} m/s", brief(one), brief(other), brief(v.abs()))
    };
    property(NAME, bad.map(text), Verdict::Differs, "mirrored motion gives the mirrored force")
}

/// Nothing presses: no dry friction.
fn load(law: &dyn DynLaw) -> Property {
    const NAME: &str = "load";
    let [none, one] = [0.0, 1.0].map(|load| sliding_force(law, &Input { v: 1e-3, load }));
    if none.is_nan() {
        let what = "without load the friction at 1 mm/s";
        let mut found = not_a_number(NAME, what);
        found.found += "; where an equation divides by the load, write max(load, 1e-6)";
        return found;
    }
    if one.is_nan() {
        return not_a_number(NAME, "at nominal load the friction at 1 mm/s");
    }
    let text = format!("without load the friction at 1 mm/s is {}, at nominal load {}", brief(none), brief(one));
    let fails = none.abs() > 0.5 * one.abs() && one != 0.0;
    property(NAME, fails.then(|| text.clone()), Verdict::Differs, &text)
}

/// No periodic motion gains energy. A search: what it finds is certain, that it finds nothing is no proof.
fn passive(spec: &Spec, stop: &StopFlag) -> Result<Property, Error> {
    const NAME: &str = "passive";
    let found = match passivity(spec, &SearchEffort::QUICK, stop) {
        Ok(found) => found,
        Err(Error::Analysis(super::AnalysisError::NotConverged { .. })) => {
            let found = "not decided: no periodic velocity could be simulated to the end".to_owned();
            return Ok(Property { name: NAME, verdict: Verdict::Differs, found });
        }
        Err(error) => return Err(error),
    };
    let lost = brief(found.relative());
    Ok(if found.gains() {
        let much = if found.relative().is_finite() {
            format!("{} times the largest friction times the distance", brief(-found.relative()))
        } else {
            // without friction in steady sliding there is nothing to compare with
            format!("{} J in each period", brief(-found.taken.work))
        };
        let text = format!("a periodic motion gains energy, {much}; 'stiction energy' shows it");
        Property { name: NAME, verdict: Verdict::Differs, found: text }
    } else if found.proved() {
        let why = found.conditions.iter().find(|condition| condition.holds).map_or("", |condition| condition.why);
        property(NAME, None, Verdict::Differs, why)
    } else {
        // what is less than the error of a simulation is neither a loss nor a gain
        let least = if found.relative() > GAIN_TOLERANCE {
            format!("each dissipates at least {lost} times")
        } else {
            format!("the least dissipation is zero within the error of a simulation, {} times", brief(GAIN_TOLERANCE))
        };
        let text = format!(
            "none of {} periodic motions gains energy: {least} the largest friction times the distance; no proof",
            found.tried
        );
        property(NAME, None, Verdict::Differs, &text)
    })
}

/// A property that fails because something is not a number.
fn not_a_number(name: &'static str, what: &str) -> Property {
    Property { name, verdict: Verdict::Broken, found: format!("{what} is not a number") }
}

/// The name of a state.
fn state_name(spec: &Spec, i: usize) -> &'static str {
    spec.law().states.get(i).map_or("a state", |state| state.name)
}
