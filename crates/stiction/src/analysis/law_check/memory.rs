//! Whether a memory settles, follows its rates, and stays within bounds.
use super::super::equilibrium::Spectrum;
use super::{Property, Verdict, brief, motion, property, state_name};
use crate::Spec;
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// Long sliding leads to the settled memory.
pub(super) fn settles(law: &dyn DynLaw) -> Property {
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
        let agree = (got - want).abs() <= 1e-6 * want.abs().max(1e-12);
        (!agree).then(|| {
            format!(
                "at {} m/s the force of long sliding is {}, but settled gives {}",
                brief(v),
                brief(got),
                brief(want)
            )
        })
    });
    let bad = bad.or_else(|| [1e-5, 1e-3, 0.1, 10.0, -1e-3].into_iter().find_map(|v| growing_mode(law, v)));
    property(
        "settles",
        bad,
        Verdict::Broken,
        "long sliding leads to the settled memory, and small deviations from it decay",
    )
}

/// A deviation from the settled memory that grows, by the eigenvalues of the derivatives of the rates. Samples do not show it: an implicit step that
/// is long enough lets such a memory decay.
fn growing_mode(law: &dyn DynLaw, v: f64) -> Option<String> {
    let u = Input::at(v);
    let mut z = vec![0.0; law.len()];
    law.settled(&u, &mut z);
    // on a surface the derivatives of one side do not decide
    let beside = |factor: f64| signs(law, &z.iter().map(|z| factor * z).collect::<Vec<_>>(), &u);
    if beside(1.0 - 1e-9) != beside(1.0 + 1e-9) {
        return None;
    }
    let which: Vec<usize> = (0..law.len()).filter(|i| law.flows(*i)).collect();
    let (n, width) = (which.len(), 3 + which.len());
    let mut rows = vec![0.0; (1 + n) * width];
    law.partials(&z, &u, &which, false, &mut rows);
    let matrix: Vec<f64> = rows.chunks_exact(width).skip(1).flat_map(|row| row[3..].to_vec()).collect();
    if matrix.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let spectrum = Spectrum::new(&matrix, n);
    let fastest = spectrum.eigenvalues.iter().enumerate().find(|(k, z)| z.re > 0.0 && !spectrum.is_neutral(*k))?.1;
    let oscillates = if fastest.im == 0.0 {
        String::new()
    } else {
        format!(", oscillating at {} Hz", brief(fastest.im.abs() / std::f64::consts::TAU))
    };
    Some(format!(
        "at {} m/s the settled memory is unstable: a small deviation grows by a factor of e in {} s{oscillates}",
        brief(v),
        brief(1.0 / fastest.re)
    ))
}

/// A short sample follows the rate.
pub(super) fn follows(law: &dyn DynLaw, spec: &Spec) -> Property {
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
            let agree = (moved - want).abs() <= allowed;
            if !agree && bad.is_none() {
                // a change of mode within the sample is no fault, nor a memory that stays on a surface to which its rate leads
                let mut jumped = z.clone();
                law.jump(&mut jumped, &u);
                let mut after = vec![0.0; z.len()];
                law.flow(&next, &u, &mut after);
                let led: Vec<f64> = z.iter().zip(&rate).map(|(z, rate)| z + rate * short_dt).collect();
                let crosses = signs(law, &z, &u) != signs(law, &led, &u);
                let turns = (after[i] - rate[i]).abs() > 1e-2 * rate[i].abs();
                if jumped == z && !crosses && !turns {
                    bad = Some(format!(
                        "a short sample at v = {} moves {} by {}, its rate says {}",
                        brief(v),
                        state_name(spec, i),
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
pub(super) fn signs(law: &dyn DynLaw, z: &[f64], u: &Input<f64>) -> Vec<bool> {
    let mut guards = vec![0.0; law.guard_count()];
    law.guards(z, u, &mut guards);
    guards.iter().map(|guard| *guard > 0.0).collect()
}

/// The memory stays within bounds in a motion to and fro.
pub(super) fn bounded(law: &dyn DynLaw, spec: &Spec) -> Property {
    let mut most = vec![0.0_f64; law.len()];
    let mut z = vec![0.0; law.len()];
    let mut early = most.clone();
    for k in 0..4000 {
        let (v, dt) = motion(k);
        law.step(&mut z, &Input::at(v), dt);
        most.iter_mut()
            .zip(&z)
            .for_each(|(most, z)| *most = if z.is_nan() { f64::INFINITY } else { most.max(z.abs()) });
        if k == 1999 {
            early.clone_from(&most);
        }
    }
    // the position goes wherever the motion goes
    let position = spec.law().program().and_then(|program| program.equations.position);
    let own: Vec<usize> = (0..z.len()).filter(|i| law.flows(*i) && position != Some(*i)).collect();
    // a memory that doubles its largest value in the second half of the motion has no bound
    let grows = own.iter().copied().find(|i| most[*i] > 2.0 * early[*i] || !most[*i].is_finite());
    let state = |i: usize| state_name(spec, i);
    let text = |i: usize| {
        format!(
            "{} grows without bound: {} after 2000 samples, {} after 4000",
            state(i),
            brief(early[i]),
            brief(most[i])
        )
    };
    let mut held: Vec<String> =
        own.iter().map(|i| format!("|{}| stays below {}", state(*i), brief(most[*i]))).collect();
    if held.is_empty() {
        held.push("the law has no memory but the position".to_owned());
    }
    property("bounded", grows.map(text), Verdict::Differs, &held.join(", "))
}

/// No sample time drives the memory beyond what short samples reach, and keeps it there.
pub(super) fn stable(law: &dyn DynLaw, spec: &Spec) -> Property {
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
            (0..50).find_map(|k| {
                law.step(&mut z, &u, dt);
                // A single long sample of a stable memory may lead beyond its limit; the next ones lead back. What is beyond it after forty
                // samples stays there.
                let beyond = |i: usize| k >= 40 && z[i].abs() > (1.0 + OVERSHOOT) * most[i];
                let driven = (0..z.len()).find(|i| law.flows(*i) && (!z[*i].is_finite() || beyond(*i)));
                driven.map(|i| {
                    let (dt, v, to) = (brief(dt), brief(v), brief(z[i]));
                    format!("samples of {dt} s at {v} m/s drive {} to {to}", state_name(spec, i))
                })
            })
        })
    });
    property("stable", bad, Verdict::Broken, "samples of 1 ns to 1000 s keep the memory where short samples keep it")
}

/// How far the implicit step that ends a sample which no bounded number of steps follows leads a stable linear state beyond its limit, relative to its distance from it: the least value of the stability
/// function `R(x) = (1 + (1 − 2γ) x)/(1 − γ x)²` with `γ = 1 − 1/√2` for negative `x` is `−(√2 − 1)/2`.
const OVERSHOOT: f64 = 0.5 * (std::f64::consts::SQRT_2 - 1.0);
