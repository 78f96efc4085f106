//! How wrong a computed sample is.
use super::{Property, Verdict, brief};
use crate::Spec;
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// Relative error of a sample above which it is told: a tenth of a percent is what measured friction repeats to.
const ALLOWED: f64 = 1e-3;
/// Shorter samples that one sample is compared with. The first is a millionth of it, each longer than the one before by a fixed factor, 1.03: where the memory
/// relaxes, at any time, they are short against what has passed.
const SHORTER: u32 = 460;

/// One sample from zero memory against many shorter ones, for a law whose samples are computed and not in closed form.
pub(super) fn accurate(law: &dyn DynLaw, spec: &Spec) -> Option<Property> {
    let program = spec.law().program()?;
    if program.equations.step.is_some() || program.is_decoupled() {
        return None;
    }
    let mut worst = (0.0, 0.0, 0.0);
    for v in [1e-4, 1e-2, -1.0] {
        for dt in [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0] {
            let error = error(law, v, dt);
            if error > worst.0 || error.is_nan() {
                worst = (error, v, dt);
            }
        }
    }
    let (error, v, dt) = worst;
    let text = format!(
        "one sample of {} s at {} m/s differs from {SHORTER} shorter ones by {} of the largest memory",
        brief(dt),
        brief(v),
        brief(error)
    );
    let accurate = error <= ALLOWED;
    Some(if accurate {
        let found = format!("samples of 10 µs to 10 s differ from {SHORTER} shorter ones by at most {}", brief(error));
        Property { name: "samples", verdict: Verdict::Holds, found }
    } else {
        Property {
            name: "samples",
            verdict: Verdict::Differs,
            found: format!("{text}; give step.NAME, or use shorter samples"),
        }
    })
}

/// The largest difference of a number of memory, relative to its largest size on the way.
fn error(law: &dyn DynLaw, v: f64, dt: f64) -> f64 {
    let u = Input::at(v);
    let (mut one, mut many) = (vec![0.0; law.len()], vec![0.0; law.len()]);
    law.step(&mut one, &u, dt);
    let mut size = vec![0.0_f64; law.len()];
    let mut before = 0.0;
    for k in 1..=SHORTER {
        let time = dt * 10f64.powf(-6.0 * (1.0 - f64::from(k) / f64::from(SHORTER)));
        law.step(&mut many, &u, time - before);
        before = time;
        size.iter_mut().zip(&many).for_each(|(size, z)| *size = size.max(z.abs()));
    }
    let differences = one.iter().zip(&many).zip(&size).enumerate().filter(|(i, _)| law.flows(*i));
    differences.fold(0.0, |most, (_, ((one, many), size))| {
        let difference = (one - many).abs();
        let relative = if difference > 0.0 { difference / size } else { difference };
        if relative > most || relative.is_nan() { relative } else { most }
    })
}
