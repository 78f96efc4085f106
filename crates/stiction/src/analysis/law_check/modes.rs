//! Whether changes of mode come to an end, and no rate keeps the memory on a surface.
use super::{Property, Verdict, brief, motion, property, state_name};
use crate::Spec;
use stiction_core::Input;
use stiction_core::program::Program;
use stiction_core::registry::DynLaw;

/// A jump that has happened does not happen again.
pub(super) fn jumps(law: &dyn DynLaw, spec: &Spec) -> Property {
    let mut z = vec![0.0; law.len()];
    let changes = Changes::of(law, spec);
    let mut bad = None;
    for k in 0..1000 {
        let (v, dt) = motion(k);
        let u = Input::at(v);
        law.step(&mut z, &u, dt);
        for at in [u, Input::at(-v), Input::at(0.0)] {
            let mut once = z.clone();
            law.jump(&mut once, &at);
            if let Some(way) = changes.as_ref().and_then(|changes| changes.circle(&z, &at)).filter(|_| bad.is_none()) {
                let way: Vec<String> = way.iter().map(|z| format!("{z:?}")).collect();
                bad = Some(format!("changes of mode undo each other at v = {}: {}", brief(at.v), way.join(" to ")));
            }
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

/// The changes of mode of a law file, one by one.
struct Changes<'a> {
    programs: &'a [Program],
    parameters: Vec<f64>,
}

impl Changes<'_> {
    fn of(law: &dyn DynLaw, spec: &Spec) -> Option<Self> {
        let equations = &spec.law().program()?.equations;
        let mut parameters = vec![0.0; equations.params];
        law.parameters(&mut parameters);
        Some(Self { programs: &equations.changes, parameters })
    }
    /// The memories on a way that leads back to where it began, if the changes do so within one pass.
    fn circle(&self, z: &[f64], u: &Input<f64>) -> Option<Vec<Vec<f64>>> {
        let mut way = vec![z.to_vec()];
        for change in self.programs {
            let mut inputs = vec![u.v, u.load, 0.0, 0.0];
            inputs.extend(&way[way.len() - 1]);
            inputs.extend(&self.parameters);
            let next = change.evaluate(&inputs);
            if next == way[way.len() - 1] {
                continue;
            }
            let known = way.iter().position(|before| *before == next);
            way.push(next);
            if let Some(known) = known {
                return Some(way.split_off(known));
            }
        }
        None
    }
}

/// No rate jumps on a surface along which the memory would have to move while the speed changes: samples stay on it, but an integrator
/// crosses it again and again.
pub(super) fn surfaces(law: &dyn DynLaw, spec: &Spec) -> Property {
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
                    let name = state_name(spec, i);
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
