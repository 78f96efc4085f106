//! A fit that was stopped and goes on ends where it would have ended.
use stiction::Spec;
use stiction::fit::Random;
use stiction::identify::MotionRecord;
use stiction::identify::dynamic::{DynamicOptions, fit};
use stiction::identify::{FitStage, GlobalSearch, MassOption};

/// A body of 2 kg that goes to and fro on 5 N of Dahl's friction.
fn record() -> MotionRecord {
    let mut random = Random::new(4);
    let mut out = MotionRecord { name: "log".into(), ..MotionRecord::default() };
    let law = |x: f64| x.clamp(-1.0, 1.0);
    let (mut z, mut last) = (0.0_f64, 0.0);
    for k in 0..600 {
        let t = f64::from(k) * 2e-3;
        let (x, v, a) = (1e-3 * (5.0 * t).sin(), 5e-3 * (5.0 * t).cos(), -25e-3 * (5.0 * t).sin());
        z = law(z + (x - last) / 1e-4);
        last = x;
        out.t.push(t);
        out.position.push(x);
        out.velocity.push(v);
        out.acceleration.push(a);
        out.force.push(2.0 * a + 5.0 * z + 0.01 * random.normal());
    }
    out
}

#[test]
fn a_resumed_fit_is_the_same_fit() {
    let motion = [record()];
    let law = Spec::new("lugre").expect("a law");
    let options = DynamicOptions { mass: MassOption::Estimated, ..DynamicOptions::default() };
    let whole = fit(&motion, &law, &options, &mut |_| true).expect("a fit");
    let mut kept = None;
    let stopped = fit(&motion, &law, &options, &mut |now| {
        if now.stage == FitStage::LeastSquares && kept.is_none() {
            kept = now.state.cloned();
        }
        kept.is_none()
    });
    drop(stopped);
    assert!(kept.is_some(), "it was stopped at the beginning of the fit");
    let again = DynamicOptions { resume: kept, search: GlobalSearch::None, ..options };
    let resumed = fit(&motion, &law, &again, &mut |_| true).expect("a fit");
    for (name, (a, b)) in whole.fit.names.iter().zip(whole.fit.values.iter().zip(&resumed.fit.values)) {
        // the same steps from the same place: to rounding
        assert!((a - b).abs() <= 1e-9 * a.abs().max(1e-12), "{name}: {a} against {b}");
    }
}
