//! What a law has and the friction of a joint has not.
use super::WrittenJoint;
use super::fit::{FrictionFit, steady};
use crate::analysis::characteristic_scales::CharacteristicScales;
use crate::analysis::hysteresis::is_random;
use crate::analysis::test_rig::TestRig;
use crate::number::{round, short};
use crate::{Error, ParameterGroup, Spec};
use stiction_core::Input;

/// Differences below this part of the friction are those of rounding.
const ROUNDING: f64 = 1e-9;

/// What a joint can be told beside a level and a viscous coefficient.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JointForm {
    /// A force of break-away above the level.
    pub has_breakaway: bool,
    /// The bristles of LuGre.
    pub has_bristles: bool,
}

/// Something that is lost.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// Its name.
    pub name: &'static str,
    /// What is lost, with numbers.
    pub text: String,
}

/// Units of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointUnits {
    /// Of a force or torque.
    pub force: &'static str,
    /// Of a velocity.
    pub speed: &'static str,
    /// Of a displacement.
    pub displacement: &'static str,
    /// Of a viscous coefficient.
    pub viscous: &'static str,
    /// Of a mass or moment of inertia.
    pub mass: &'static str,
}

impl JointUnits {
    /// Of a joint that turns, or slides.
    pub fn new(turns: bool) -> Self {
        if turns {
            Self { force: "N·m", speed: "rad/s", displacement: "rad", viscous: "N·m·s/rad", mass: "kg·m²" }
        } else {
            Self { force: "N", speed: "m/s", displacement: "m", viscous: "N·s/m", mass: "kg" }
        }
    }
    /// Of several joints, some of which may turn and others slide.
    pub fn of(joints: &[WrittenJoint]) -> Self {
        let turning = joints.iter().filter(|joint| joint.turns).count();
        if turning == 0 || turning == joints.len() {
            return Self::new(turning > 0);
        }
        Self {
            force: "N or N·m",
            speed: "m/s or rad/s",
            displacement: "m or rad",
            viscous: "N·s/m or N·m·s/rad",
            mass: "kg or kg·m²",
        }
    }
}

/// Three digits, for a reader.
pub(super) fn three(x: f64) -> String {
    short(round(x, 3))
}

/// The largest fall of the steady curve below a speed: from which force to which; none if it does not fall.
fn fall(scales: &CharacteristicScales, fastest: f64) -> Option<[f64; 2]> {
    let (mut top, mut found): (f64, Option<[f64; 2]>) = (0.0, None);
    for &(_, force) in scales.curve.iter().filter(|(v, _)| *v <= fastest) {
        top = top.max(force);
        if found.is_none_or(|[high, low]| top - force > high - low) {
            found = Some([top, force]);
        }
    }
    found.filter(|[high, low]| high - low > 1e-3 * high)
}

/// What is said of the law forwards and backwards, in one text if it is the same; none if there is nothing to say.
fn both_ways([forwards, backwards]: [Option<String>; 2]) -> Option<String> {
    match (forwards, backwards) {
        (None, None) => None,
        (Some(a), Some(b)) if a == b => Some(a),
        (Some(a), Some(b)) => Some(format!("{a} forwards, {b} backwards")),
        (Some(a), None) => Some(format!("{a} forwards")),
        (None, Some(b)) => Some(format!("{b} backwards")),
    }
}

/// What is lost, by comparing the law with itself in the other direction, under another load, at rest and in slow motion.
///
/// # Errors
/// As [`Spec::build`].
pub(super) fn losses(
    spec: &Spec,
    fit: &FrictionFit,
    scales: &[CharacteristicScales; 2],
    form: JointForm,
    units: JointUnits,
) -> Result<Vec<Loss>, Error> {
    // the mean of a noisy law; a law may draw random numbers itself
    let quiet = &spec.clone().without(ParameterGroup::Noise);
    let law = quiet.build()?;
    let friction = fit.friction;
    let size = fit.residual.mean_force;
    let mut out = Vec::new();
    let mut add = |name: &'static str, text: String| out.push(Loss { name, text });
    let each_way = |of: &dyn Fn(&CharacteristicScales) -> Option<String>| both_ways([of(&scales[0]), of(&scales[1])]);
    let spring = |scales: &CharacteristicScales| {
        let stiffness = scales.stiffness.map(|stiffness| stiffness * fit.load_ratio).filter(|k| *k > 0.0)?;
        let [k, x] = [stiffness, scales.length].map(three);
        let (force, way) = (units.force, units.displacement);
        Some(format!("a spring of {k} {force}/{way} over {x} {way}"))
    };
    if let Some(spring) = each_way(&spring).filter(|_| !form.has_bristles) {
        add(
            "presliding",
            format!("before it slides, the law gives way like {spring}; the joint is rigid up to its level"),
        );
    }
    // a force that vanishes with the speed
    let yields =
        scales.iter().all(|scales| scales.stiffness.is_none() && !scales.dry && scales.hold < 0.01 * scales.peak);
    if yields && friction.coulomb > ROUNDING * size {
        let [level, speed] = [friction.coulomb, scales[0].speed].map(three);
        add(
            "rest",
            format!(
                "the law holds nothing at rest: its force builds up below {speed} {}; the joint holds up to {level} {}",
                units.speed, units.force
            ),
        );
    }
    let random = is_random(&TestRig::new(quiet));
    let falls = |scales: &CharacteristicScales| {
        let [high, low] = fall(scales, fit.range.speeds[1])?.map(|force| force * fit.load_ratio);
        // without a load nothing falls
        if high - low <= ROUNDING * size {
            return None;
        }
        let [high, low, speed] = [high, low, scales.speed].map(three);
        Some(format!("from {high} to {low} {} about {speed} {}", units.force, units.speed))
    };
    if let Some(falls) = each_way(&falls).filter(|_| !form.has_bristles && !random) {
        let then = if form.has_breakaway { "the joint falls at once" } else { "the joint has one level" };
        add("Stribeck effect", format!("the law falls {falls}; {then}"));
    }
    let joint = if form.has_breakaway { friction.breakaway } else { friction.coulomb };
    let [forwards, backwards] = fit.breakaway;
    let differs = |force: f64| (force - joint).abs() > 1e-3 * force;
    if !form.has_bristles && !yields && (differs(forwards) || differs(backwards)) {
        let one_level = (forwards - backwards).abs() <= 1e-3 * forwards;
        let [forwards, backwards, joint] =
            [forwards, backwards, joint].map(|x| format!("{} {}", three(x), units.force));
        let law = if one_level { forwards } else { format!("{forwards} forwards and {backwards} backwards") };
        add("break-away", format!("a force of {law} sets the law in motion, one of {joint} the joint"));
    }
    let half = fit.points.len() / fit.range.loads.len() / 2;
    let by_load = fit.points.chunks(2 * half.max(1));
    let differences = by_load.flat_map(|both| both[..half].iter().zip(&both[half..]).map(|(a, b)| a.law + b.law));
    let asymmetry = differences.fold(0.0, |most: f64, x| most.max(x.abs()));
    if asymmetry > ROUNDING * size {
        let [newtons, percent] = [asymmetry, 100.0 * asymmetry / size].map(three);
        add(
            "asymmetry",
            format!(
                "forwards and backwards differ by up to {newtons} {} ({percent} %); the joint is the same both ways",
                units.force
            ),
        );
    }
    // under the loads of the fit, or twice the only one
    let speed = fit.range.speeds[1] / 2.0;
    let mut loads = fit.range.loads.clone();
    if let [load] = loads[..] {
        loads.push(2.0 * load);
    }
    // a load that laws cannot compute with has no say here
    let force = |load: &f64| steady(quiet, &[speed], *load).ok().map(|forces| (*load, forces[0]));
    let mut forces: Vec<(f64, f64)> = loads.iter().filter_map(force).collect();
    forces.sort_by(|a, b| a.1.total_cmp(&b.1));
    if let [(least, low), .., (largest, high)] = forces[..]
        && high - low > ROUNDING * size
    {
        let [least, low, largest, high] = [least, low, largest, high].map(three);
        add(
            "load",
            format!(
                "at load {least} the law has {low} {0}, at load {largest} {high} {0}; the joint has no load",
                units.force
            ),
        );
    }
    let states: Vec<&str> = spec.law().states.iter().map(|state| state.name).collect();
    if !states.is_empty() && !form.has_bristles {
        add(
            "memory",
            format!(
                "the law remembers {}: lag behind changes of the speed, loops in the position; the joint has none",
                states.join(", ")
            ),
        );
    }
    if spec.has(ParameterGroup::Noise) || random {
        add("noise", "the law fluctuates; the joint has the mean".to_owned());
    }
    let band = law.band(&Input::at(0.0));
    if band > 0.0 {
        add("band of rest", format!("the law counts speeds below {} {} as rest", three(band), units.speed));
    }
    Ok(out)
}
