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
use crate::number::{round, short};
use crate::{Error, ParameterGroup, Spec};
use stiction_core::registry::DynLaw;
use stiction_core::{Input, Real};
use stiction_sim::force_at_rest::JumpAtRest;

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
            properties.extend([settles(law), follows(law), bounded(law, spec), stable(law)]);
            if law.guard_count() > 1 || (0..law.len()).any(|i| !law.flows(i)) {
                properties.extend([jumps(law), surfaces(law, spec)]);
            }
        }
        properties.push(slopes(law));
        properties.push(load(law));
        Ok(Self { properties })
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

/// Force and memory are numbers for admissible parameters, drawn over the whole of their ranges.
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
            let force = law.sample(&mut z, &Input::at(v), dt);
            if !force.is_finite() || z.iter().any(|x| !x.is_finite()) {
                let values =
                    params.iter().map(|p| format!("{} = {}", p.name, other.get(p.name).map_or(String::new(), brief)));
                let values = values.collect::<Vec<_>>().join(", ");
                failed = Some(format!("force or memory is not a number at v = {} with {values}", brief(v)));
                break;
            }
        }
        if failed.is_some() {
            break;
        }
    }
    let text =
        format!("force and memory are numbers for {tried} of 200 random sets of parameters, those that the law admits");
    Ok(property("finite", failed, Verdict::Broken, &text))
}

/// Steady sliding takes energy.
fn dissipates(law: &dyn DynLaw) -> Property {
    let bad = speeds().find(|v| law.steady(&Input::at(*v)) * v < 0.0);
    let text = |v: f64| {
        format!(
            "at v = {} m/s the steady force is {}: it drives the motion",
            brief(v),
            brief(law.steady(&Input::at(v)))
        )
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
    let bad = JumpAtRest::find(law).map(|JumpAtRest { jump, hold, before }| {
        let before = before.map_or(String::new(), |v| format!(" after sliding at {} m/s", brief(v)));
        format!(
            "the force jumps by {} when motion begins{before}, but hold is {}: a body at rest would chatter; give hold at least that value",
            brief(jump),
            brief(hold)
        )
    });
    let held = law.hold(&vec![0.0; law.len()], &Input::at(0.0), 1.0);
    let holds = if held > 0.0 {
        format!("a body at rest is held by up to {}", brief(held))
    } else {
        "the force is a single number at rest, and continuous there".to_owned()
    };
    property("rest", bad, Verdict::Broken, &holds)
}

/// Mirrored motion gives the mirrored force.
fn odd(law: &dyn DynLaw) -> Property {
    let bad = speeds().find(|v| {
        let [one, other] = [*v, -v].map(|v| law.steady(&Input::at(v)));
        (one + other).abs() > 1e-9 * one.abs().max(other.abs())
    });
    let text = |v: f64| {
        let [one, other] = [v.abs(), -v.abs()].map(|v| law.steady(&Input::at(v)));
        format!("forwards and backwards differ: {} and {} at {} m/s", brief(one), brief(other), brief(v.abs()))
    };
    property("odd", bad.map(text), Verdict::Differs, "mirrored motion gives the mirrored force")
}

/// Long sliding leads to the settled memory.
fn settles(law: &dyn DynLaw) -> Property {
    if !law.settles() {
        let found =
            "the memory has no limit in steady sliding; what needs one, such as a steady curve, is of little use"
                .to_owned();
        return Property { name: "settles", verdict: Verdict::Differs, found };
    }
    let bad = [1e-5, 1e-3, 0.1, -1e-3].into_iter().find_map(|v: f64| {
        let u = Input::at(v);
        let mut limit = vec![0.0; law.len()];
        law.settled(&u, &mut limit);
        let want = law.force(&limit, &u);
        let mut z = vec![0.0; law.len()];
        (0..40).for_each(|k| law.step(&mut z, &u, 1e-6 * 4f64.powi(k)));
        let got = law.force(&z, &u);
        ((got - want).abs() > 1e-6 * want.abs().max(1e-12)).then(|| {
            format!(
                "at {} m/s the force of long sliding is {}, but settled gives {}",
                brief(v),
                brief(got),
                brief(want)
            )
        })
    });
    property("settles", bad, Verdict::Broken, "long sliding leads to the settled memory")
}

/// A short sample follows the rate.
fn follows(law: &dyn DynLaw) -> Property {
    let mut z = vec![0.0; law.len()];
    let mut bad = None;
    for k in 0..400 {
        let (v, dt) = motion(k);
        let u = Input::at(v);
        law.step(&mut z, &u, dt);
        let (mut rate, mut next) = (vec![0.0; z.len()], z.clone());
        law.flow(&z, &u, &mut rate);
        let short_dt = 1e-5 * dt;
        law.step(&mut next, &u, short_dt);
        for i in (0..z.len()).filter(|i| law.flows(*i)) {
            let (moved, want) = (next[i] - z[i], rate[i] * short_dt);
            // rounding of the memory itself, and the curvature of the flow over the sample
            let allowed = 1e-2 * want.abs() + 1e-13 * z[i].abs() + 1e-300;
            if (moved - want).abs() > allowed && bad.is_none() {
                // a change of mode within the sample is no fault, nor a memory that stays on a surface to which its rate leads
                let mut jumped = z.clone();
                law.jump(&mut jumped, &u);
                let mut after = vec![0.0; z.len()];
                law.flow(&next, &u, &mut after);
                let led: Vec<f64> = z.iter().zip(&rate).map(|(z, rate)| z + rate * short_dt).collect();
                let crosses = signs(law, &z, &u) != signs(law, &led, &u);
                if jumped == z && !crosses && (after[i] - rate[i]).abs() <= 1e-2 * rate[i].abs() {
                    bad = Some(format!(
                        "a short sample at v = {} moves state {} by {}, its rate says {}",
                        brief(v),
                        i + 1,
                        brief(moved),
                        brief(want)
                    ));
                }
            }
        }
    }
    property("step", bad, Verdict::Broken, "a short sample follows the rate")
}

/// The sides of the law's guards.
fn signs(law: &dyn DynLaw, z: &[f64], u: &Input<f64>) -> Vec<bool> {
    let mut guards = vec![0.0; law.guard_count()];
    law.guards(z, u, &mut guards);
    guards.iter().map(|guard| *guard > 0.0).collect()
}

/// The memory stays within bounds in a motion to and fro.
fn bounded(law: &dyn DynLaw, spec: &Spec) -> Property {
    let mut most = vec![0.0_f64; law.len()];
    let mut z = vec![0.0; law.len()];
    let mut early = most.clone();
    for k in 0..4000 {
        let (v, dt) = motion(k);
        law.step(&mut z, &Input::at(v), dt);
        most.iter_mut().zip(&z).for_each(|(most, z)| *most = most.max(z.abs()));
        if k == 1999 {
            early.clone_from(&most);
        }
    }
    // a memory that doubles its largest value in the second half of the motion has no bound
    let grows = (0..z.len()).find(|i| law.flows(*i) && (most[*i] > 2.0 * early[*i] || !most[*i].is_finite()));
    let state = |i: usize| spec.law().states.get(i).map_or("state", |state| state.name);
    let text = |i: usize| {
        format!(
            "{} grows without bound: {} after 2000 samples, {} after 4000",
            state(i),
            brief(early[i]),
            brief(most[i])
        )
    };
    let held: Vec<String> = (0..z.len())
        .filter(|i| law.flows(*i))
        .map(|i| format!("|{}| stays below {}", state(i), brief(most[i])))
        .collect();
    property("bounded", grows.map(text), Verdict::Differs, &held.join(", "))
}

/// No sample time drives the memory beyond what short samples reach.
fn stable(law: &dyn DynLaw) -> Property {
    let bad = [1e-5, 1e-2, -1.0].into_iter().find_map(|v: f64| {
        let u = Input::at(v);
        // what samples that grow slowly reach within the time of fifty of the longest
        let mut most = vec![0.0_f64; law.len()];
        let mut z = vec![0.0; law.len()];
        for k in 0..470 {
            law.step(&mut z, &u, 1e-9 * 10f64.powf(0.03 * f64::from(k)) / v.abs());
            most.iter_mut().zip(&z).for_each(|(most, z)| *most = most.max(z.abs()));
        }
        (-9..=3).find_map(|decade| {
            let dt = 10f64.powi(decade);
            let mut z = vec![0.0; law.len()];
            (0..50).find_map(|_| {
                law.step(&mut z, &u, dt);
                let beyond =
                    (0..z.len()).find(|i| law.flows(*i) && (z[*i].abs() > 1.2 * most[*i] || !z[*i].is_finite()));
                beyond.map(|i| {
                    format!("samples of {} s at {} m/s drive state {} to {}", brief(dt), brief(v), i + 1, brief(z[i]))
                })
            })
        })
    });
    property("stable", bad, Verdict::Broken, "samples of 1 ns to 1000 s keep the memory where short samples keep it")
}

/// A jump that has happened does not happen again.
fn jumps(law: &dyn DynLaw) -> Property {
    let mut z = vec![0.0; law.len()];
    let mut bad = None;
    for k in 0..1000 {
        let (v, dt) = motion(k);
        let u = Input::at(v);
        law.step(&mut z, &u, dt);
        for at in [u, Input::at(-v), Input::at(0.0)] {
            let mut once = z.clone();
            law.jump(&mut once, &at);
            let mut twice = once.clone();
            law.jump(&mut twice, &at);
            if once != twice && bad.is_none() {
                bad = Some(format!(
                    "a change of mode at v = {} happens again at once: from {z:?} to {once:?} to {twice:?}",
                    brief(at.v)
                ));
            }
        }
    }
    property("jumps", bad, Verdict::Broken, "a change of mode happens once")
}

/// No rate jumps on a surface along which the memory would have to move while the speed changes: samples stay on it, but an integrator
/// crosses it again and again.
fn surfaces(law: &dyn DynLaw, spec: &Spec) -> Property {
    let guards_at = |z: &[f64], u: &Input<f64>| {
        let mut out = vec![0.0; law.guard_count()];
        law.guards(z, u, &mut out);
        out
    };
    // a neighbour in state i, its rates, and how guard k changes along them
    let beside = |z: &[f64], u: &Input<f64>, (i, by, k): (usize, f64, usize)| {
        let (mut at, mut rate) = (z.to_vec(), vec![0.0; z.len()]);
        at[i] += by;
        law.rate(&at, u, &mut rate);
        let time = 1e-3 * by.abs() / rate.iter().fold(f64::MIN_POSITIVE, |most, rate| most.max(rate.abs()));
        let after: Vec<f64> = at.iter().zip(&rate).map(|(z, rate)| z + rate * time).collect();
        let before = guards_at(&at, u)[k];
        (before, guards_at(&after, u)[k] - before, rate[i])
    };
    let mut z = vec![0.0; law.len()];
    let (mut largest, mut range) = (vec![0.0_f64; law.guard_count()], vec![0.0_f64; law.len()]);
    for sample in 0..400 {
        let (v, dt) = motion(sample);
        let u = Input::at(v);
        law.step(&mut z, &u, dt);
        let guards = guards_at(&z, &u);
        largest.iter_mut().zip(&guards).for_each(|(most, g)| *most = most.max(g.abs()));
        range.iter_mut().zip(&z).for_each(|(most, z)| *most = most.max(z.abs()));
        for k in (1..guards.len()).filter(|k| v != 0.0 && guards[*k].abs() <= 1e-9 * largest[*k]) {
            for i in (0..z.len()).filter(|i| law.flows(*i) && range[*i] > 0.0) {
                let sides = |part: f64| [-1.0, 1.0].map(|side| beside(&z, &u, (i, side * part * range[i], k)));
                let [near, far] = [sides(1e-9), sides(1e-6)];
                let jump = |[one, other]: [(f64, f64, f64); 2]| (one.2 - other.2).abs();
                let [mut below, mut above] = far;
                if below.0 > above.0 {
                    (below, above) = (above, below);
                }
                let splits = below.0 < 0.0 && above.0 > 0.0 && jump(far) > 0.0 && jump(near) > 0.5 * jump(far);
                let moves = (guards_at(&z, &u.with_v(1.001 * v))[k] - guards[k]).abs() > 1e-9 * largest[k];
                if splits && below.1 > 0.0 && (above.1 < 0.0 || above.1 == 0.0 && moves) {
                    let name = spec.law().states.get(i).map_or("a state", |state| state.name);
                    let found = format!(
                        "at v = {} the rates of {name} jump, and lead to {name} = {} from both sides{}: samples stay there, but a simulation crosses it in ever smaller steps; let the rate fall to zero continuously, as in v - abs(v)*z/limit, or change a mode with [[when]]",
                        brief(v),
                        brief(z[i]),
                        if above.1 == 0.0 { " when the speed changes" } else { "" }
                    );
                    return Property { name: "surfaces", verdict: Verdict::Broken, found };
                }
            }
        }
    }
    property(
        "surfaces",
        None,
        Verdict::Broken,
        "no rate jumps where the memory would have to stay while the speed changes",
    )
}

/// Derivatives are numbers, also at rest.
fn slopes(law: &dyn DynLaw) -> Property {
    let which: Vec<usize> = (0..law.len()).filter(|i| law.flows(*i)).collect();
    let mut rows = vec![0.0; (1 + which.len()) * (3 + which.len())];
    let z = vec![0.0; law.len()];
    let bad = [0.0, 1e-12, -1e-12, 1e-3, 1.0].into_iter().find(|v| {
        law.partials(&z, &Input::at(*v), &which, true, &mut rows);
        rows.iter().any(|x| !x.is_finite())
    });
    let text = |v: f64| format!("a derivative of force or rate is not a number at v = {}", brief(v));
    property("derivatives", bad.map(text), Verdict::Broken, "derivatives are numbers, also at rest")
}

/// Nothing presses: no dry friction.
fn load(law: &dyn DynLaw) -> Property {
    let [none, one] = [0.0, 1.0].map(|load| law.steady(&Input { v: 1e-3, load }));
    let text = format!("without load the friction at 1 mm/s is {}, at nominal load {}", brief(none), brief(one));
    let fails = none.abs() > 0.5 * one.abs() && one != 0.0;
    property("load", fails.then(|| text.clone()), Verdict::Differs, &text)
}
