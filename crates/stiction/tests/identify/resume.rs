//! A fit that was stopped and goes on ends where it would have ended.
use stiction::Spec;
use stiction::fit::{CmaOptions, Random, SearchJournal};
use stiction::identify::MotionRecord;
use stiction::identify::dynamic::{DynamicOptions, fit};
use stiction::identify::{FitCheckpoint, FitStage, GlobalSearch, MassOption};

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

/// Stops a fit after each of its parts in turn, and goes on from there.
fn stopped_everywhere(options: &DynamicOptions) {
    let motion = [record()];
    let law = Spec::new("lugre").expect("a law");
    let mut all: Vec<(FitStage, FitCheckpoint)> = Vec::new();
    let whole = fit(&motion, &law, options, &mut |now| {
        all.push((now.stage, now.checkpoint.expect("a checkpoint").clone()));
        true
    })
    .expect("a fit");
    let searched = all.iter().filter(|(stage, _)| *stage == FitStage::GlobalSearch).count();
    assert!(searched > 1 && searched < all.len(), "{searched} of {}", all.len());
    // in the middle of the search, at its end, and in the middle of the fit
    for at in [searched / 2, searched - 1, searched + (all.len() - searched) / 2] {
        let (stage, kept) = &all[at];
        // as from a file: what is finished, to be passed from the beginning
        let kept = FitCheckpoint { search: SearchJournal::new(kept.search.parts.clone()), ..kept.clone() };
        let before = kept.search.parts.len();
        let mut seen = 0;
        let again = DynamicOptions { resume: Some(kept), ..options.clone() };
        let resumed = fit(&motion, &law, &again, &mut |now| {
            seen = seen.max(now.checkpoint.map_or(0, |checkpoint| checkpoint.search.parts.len()));
            true
        })
        .expect("a fit");
        // the same steps from the same place, to the last bit
        assert_eq!(whole.fit.values, resumed.fit.values, "{stage:?}");
        assert_eq!(whole.fit.covariance, resumed.fit.covariance, "{stage:?}");
        assert!(seen >= before, "{seen} of {before}");
    }
}

#[test]
fn a_resumed_fit_is_the_same_fit() {
    stopped_everywhere(&DynamicOptions { mass: MassOption::Estimated, ..DynamicOptions::default() });
}

#[test]
fn a_resumed_evolution_is_the_same_evolution() {
    let search = GlobalSearch::CmaEs(CmaOptions { evaluations: 300, restarts: 1, ..CmaOptions::default() });
    stopped_everywhere(&DynamicOptions { mass: MassOption::Estimated, search, ..DynamicOptions::default() });
}
