//! Whether force and rates have slopes, also at rest.
use super::{Property, Verdict, brief, property, state_name};
use crate::Spec;
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// Derivatives are numbers, also at rest.
pub(super) fn slopes(law: &dyn DynLaw, spec: &Spec) -> Property {
    let which: Vec<usize> = (0..law.len()).filter(|i| law.flows(*i)).collect();
    let mut rows = vec![0.0; (1 + which.len()) * (3 + which.len())];
    let z = vec![0.0; law.len()];
    let bad = [0.0, 1e-12, -1e-12, 1e-3, 1.0].into_iter().find(|v| {
        law.partials(&z, &Input::at(*v), &which, true, &mut rows);
        rows.iter().any(|x| !x.is_finite())
    });
    let text = |v: f64| format!("a derivative of force or rate is not a number at v = {}", brief(v));
    match (bad, cusp(law, spec, &which)) {
        (None, Some(found)) => Property { name: "derivatives", verdict: Verdict::Differs, found },
        (bad, _) => property("derivatives", bad.map(text), Verdict::Broken, "derivatives are numbers, also at rest"),
    }
}

/// A rate that begins as `|v|^p` with `p < 1`: continuous at rest, but of infinite slope. A simulation takes short steps near it.
fn cusp(law: &dyn DynLaw, spec: &Spec, which: &[usize]) -> Option<String> {
    let mut slid = vec![0.0; law.len()];
    law.settled(&Input::at(1e-3), &mut slid);
    [vec![0.0; law.len()], slid].iter().filter(|z| z.iter().all(|x| x.is_finite())).find_map(|z| {
        let rates = |v: f64| {
            let mut out = vec![0.0; z.len()];
            law.rate(z, &Input::at(v), &mut out);
            out
        };
        let rest = rates(0.0);
        // three speeds of the same power of ten apart
        let change = [1e-8, 1e-10, 1e-12].map(|v| rates(v).iter().zip(&rest).map(|(x, rest)| x - rest).collect::<Vec<_>>());
        which.iter().find_map(|&i| {
            let power = |k: usize| (change[k][i] / change[k + 1][i]).log10() / 2.0;
            let (fast, slow) = (power(0), power(1));
            // A jump has the power 0, a slope 1. The power of |v|^p is the same on both ranges, to the rounding of a rate that is not zero at
            // rest; that of v·ln|v| is not.
            let is_power = slow > 0.05 && slow < 0.95 && (fast - slow).abs() < 0.01;
            is_power.then(|| {
                let name = state_name(spec, i);
                format!(
                    "the slope of rate.{name} at rest is infinite: it begins as |v|^{}; simulations take short steps at every \
                     reversal, do not run it in lanes, and give no derivatives by parameters",
                    brief((slow * 100.0).round() / 100.0)
                )
            })
        })
    })
}
