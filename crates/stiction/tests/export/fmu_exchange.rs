//! Model exchange of FMI 3.0, by an importer in C that integrates and finds the zeros of event indicators.
use crate::fmu::{ACCURACY, STEP, differences, end, limit, plan, reference, schedule};
use crate::fmu_driver::each_binary;
use stiction::Spec;
use stiction::export::fmu::{FmiVersion, FmuPlan, UnitKind};

#[test]
fn in_fmi_3_an_importer_that_integrates_moves_bodies_as_the_simulator_does() {
    for law in ["stribeck", "karnopp", "lugre"] {
        let plan = plan(law, UnitKind::Body, FmiVersion::Three).unwrap();
        let (want, inputs) = (reference(law, UnitKind::Body), schedule(UnitKind::Body));
        for driver in each_binary(&plan) {
            driver.run("calls", 1.0, 1.0, &[]);
            let (rows, events) = driver.run_events("me", STEP, end(law), &inputs);
            let found = differences(&rows, &want);
            let before = differences(&driver.run("before", STEP, end(law), &inputs), &want);
            assert!(before[..3].iter().all(|x| *x < ACCURACY), "{law}, stopped before zeros: {before:?}");
            // the importer's method is explicit: the friction of a stiff bristle has what its error makes of it
            assert!(found[..3].iter().all(|x| *x < ACCURACY), "{law}: {found:?}");
            if law == "lugre" {
                continue;
            }
            assert!(found[3] < ACCURACY, "{law}: {found:?}");
            // it stops twice within a step, and its zeros are found where co-simulation with early return finds them
            let inside = |events: &[f64]| -> Vec<f64> {
                events.iter().copied().filter(|t| ((t / STEP).round() - t / STEP).abs() > 1e-6).collect()
            };
            let stops = inside(&events);
            let early = inside(&driver.run_events("events", STEP, end(law), &inputs).1);
            assert!(stops.len() >= 2, "{law}: {events:?}");
            // a tenth of a millisecond by the Runge-Kutta method: the bound of the motion
            let near = |t: &f64| early.iter().any(|other| (other - t).abs() < ACCURACY);
            assert!(stops.iter().all(near), "{law}: {stops:?} and {early:?}");
        }
    }
}

#[test]
fn in_fmi_3_an_importer_that_integrates_holds_a_body_until_the_limit() {
    for law in ["coulomb", "stribeck", "karnopp"] {
        let plan = plan(law, UnitKind::Body, FmiVersion::Three).unwrap();
        let limit = limit(law);
        for driver in each_binary(&plan) {
            driver.run("limit", 1.0, 1.0, &[(0.0, limit)]);
            let rows = driver.run("me", 1.0, 10.0, &[(0.0, 0.9 * limit)]);
            assert!(rows.iter().all(|row| row[1] == 0.0 && row[2] == 0.0 && row[4] == 1.0), "{law}");
            assert!(rows.iter().all(|row| row[3] == 0.9 * limit), "{law}: friction is the applied force");
            let rows = driver.run("me", 0.01, 0.02, &[(0.0, 0.9 * limit), (0.01, 1.0002 * limit)]);
            assert!(rows[0][2] == 0.0 && rows[0][4] == 1.0, "{law}: {rows:?}");
            assert!(rows[1][2] > 0.0 && rows[1][4] == 0.0, "{law}: {rows:?}");
        }
    }
}

/// A force that rises at every instant, not in steps: the zero of an event indicator is the break-away.
#[test]
fn in_fmi_3_break_away_is_a_zero_of_an_event_indicator() {
    // as in `an_input_that_rises_within_a_step_is_followed`
    let mut spec = Spec::new("coulomb").unwrap();
    spec.set("fc", 1.0).unwrap();
    let plan = FmuPlan::new(&spec, UnitKind::Body, FmiVersion::Three).unwrap();
    for driver in each_binary(&plan) {
        let (rows, events) = driver.run_events("rise", 0.25, 1.0, &[(0.0, 0.0), (1.0, 3.0)]);
        // beyond the limit by 1e-12 of it, which is where the indicator is zero, and the last bits of the bisection; once more where the velocity
        // leaves its zero
        assert!(!events.is_empty() && events.iter().all(|t| (t - 1.0 / 3.0).abs() < 1e-11), "{events:?}");
        let t = |row: &Vec<f64>| (row[0] - 1.0 / 3.0).max(0.0);
        // the motion is a polynomial of degree 3, which the method follows but for rounding in 7000 steps
        assert!(rows.iter().all(|row| (row[2] - 1.5 * t(row).powi(2)).abs() < 1e-11), "{rows:?}");
        assert!(rows.iter().all(|row| (row[1] - 0.5 * t(row).powi(3)).abs() < 1e-11), "{rows:?}");
        assert!(rows[0][4] == 1.0 && rows[0][3] == 0.75 && rows[3][4] == 0.0, "{rows:?}");
    }
}

#[test]
fn in_fmi_3_an_importer_that_integrates_gets_the_friction_of_laws() {
    for law in ["lugre", "gms", "stribeck-tanh"] {
        let plan = plan(law, UnitKind::Law, FmiVersion::Three).unwrap();
        let (want, inputs) = (reference(law, UnitKind::Law), schedule(UnitKind::Law));
        for driver in each_binary(&plan) {
            let found = differences(&driver.run("me", STEP, end(law), &inputs), &want);
            assert!(found.iter().all(|x| *x < ACCURACY), "{law}: {found:?}");
        }
    }
}
