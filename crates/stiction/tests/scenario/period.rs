//! The measure `period`: the time after which a motion repeats.
use stiction::scenario::Scenario;
use stiction::sim::NullObserver;

fn period(name: &str, set: &[&str]) -> Option<f64> {
    let set: Vec<String> = set.iter().map(|text| (*text).to_owned()).collect();
    let scenario = Scenario::named(name, &set).unwrap();
    let at = scenario.measures.iter().position(|measure| measure == "period").unwrap();
    scenario.simulation().unwrap().run(&scenario.options, &mut NullObserver).unwrap().probes[at]
}

/// The body swings on its bristles while it sticks, and turns four or five times in each cycle. The cycles differ by some percent, as the
/// swing is met at another phase each time. The measure was the time of one swing, 0.26 s.
#[test]
fn the_swing_of_a_bristle_is_not_the_period_of_stick_slip() {
    for damping in ["0.3", "3"] {
        let found = period("a7", &[&format!("contact.table.sigma1={damping}")]);
        // near half of the 9.405 s in which `stiction cycle` finds two turns at a damping of 3
        assert!(found.is_some_and(|period| (4.6..4.8).contains(&period)), "{damping}: {found:?}");
    }
    // without damping no cycle is like another one: no period, but none of a swing
    let found = period("a7", &["contact.table.sigma1=0"]);
    assert!(found.is_none_or(|period| period > 4.5), "{found:?}");
}

/// Where the body turns once in a cycle, nothing has changed: values of `stiction cycle`.
#[test]
fn a_motion_that_turns_once_in_a_cycle_has_its_period() {
    for (set, want) in [(&[][..], 4.6385527), (&["contact.table.sigma1=89"], 4.6250919)] {
        let found = period("a7", set).unwrap();
        // the run's tolerance, 1e-8 a step, over some hundred steps
        assert!((found - want).abs() < 1e-5, "{set:?}: {found}");
    }
}

#[test]
fn a_motion_that_does_not_repeat_has_no_period_but_for_a_count_of_events() {
    // the block only follows the hand, and turns while it is stopped once
    assert_eq!(period("a7", &["run.end=6"]), None);
    let counted = period("a7", &["run.end=60", "measure.period.every=2"]).unwrap();
    assert!((counted - 2.0 * 4.6385527).abs() < 1e-5, "{counted}");
}
