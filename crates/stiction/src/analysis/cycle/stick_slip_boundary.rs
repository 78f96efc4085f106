//! The values of a parameter at which a motion that starts to slip no longer returns to sticking.
//!
//! A stick-slip cycle comes to rest again in every period. Where the trajectory from rest no longer returns to rest, a
//! start from rest cannot lead to stick-slip, although other periodic motions may exist.
use crate::Error;
use crate::analysis::AnalysisError;
use crate::scenario::Scenario;
use crate::sim::{Event, EventKind, Observer, SimulationOptions};

/// Number of intervals of the search grid.
const GRID_POINTS: usize = 40;

/// A boundary of stick-slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StickSlipBoundary {
    /// Value of the parameter.
    pub p: f64,
    /// Whether the motion returns to sticking below this value, rather than above it.
    pub below: bool,
}

/// The boundaries between two values of a parameter, by simulation from the scenario's start, each located by bisection to
/// the accuracy of the solver.
///
/// # Errors
/// As [`Scenario::parse`] and [`Simulation::run`](crate::sim::Simulation::run).
pub fn stick_slip_boundaries(
    at: &dyn Fn(f64) -> Result<Scenario, Error>,
    (lo, hi): (f64, f64),
) -> Result<Vec<StickSlipBoundary>, Error> {
    // logarithmic spacing over more than a decade
    let decades = lo > 0.0 && hi > 30.0 * lo;
    let value = |k: usize| match k as f64 / GRID_POINTS as f64 {
        part if decades => lo * (hi / lo).powf(part),
        part => lo + part * (hi - lo),
    };
    let mut out = Vec::new();
    let mut before = returns(&at(lo)?)?;
    for k in 1..=GRID_POINTS {
        let now = returns(&at(value(k))?)?;
        if now != before {
            let (mut a, mut b) = (value(k - 1), value(k));
            // relative to the parameter, or to the range if the boundary may be at zero
            while b - a > 1e-11 * (a.abs() + b.abs()).max(if a * b > 0.0 { 0.0 } else { 1e-3 * (hi - lo) }) {
                let mid = 0.5 * (a + b);
                if returns(&at(mid)?)? == before { a = mid } else { b = mid }
            }
            out.push(StickSlipBoundary { p: 0.5 * (a + b), below: before });
        }
        before = now;
    }
    Ok(out)
}

/// Whether a contact that has slid comes back to `v = 0` within the run.
fn returns(scenario: &Scenario) -> Result<bool, Error> {
    let rtol = scenario.options.rtol.min(1e-11);
    let method = Default::default();
    let options = SimulationOptions {
        probes: Vec::new(),
        rtol,
        method,
        sample: scenario.options.end,
        ..scenario.options.clone()
    };
    let mut back = ReturnsToRest::default();
    scenario.simulation()?.run(&options, &mut back)?;
    if options.stop.is_raised() {
        return Err(Error::Analysis(AnalysisError::Interrupted));
    }
    Ok(back.came)
}

#[derive(Default)]
struct ReturnsToRest {
    came: bool,
}

impl Observer for ReturnsToRest {
    fn row(&mut self, _: &[f64]) {}
    fn event(&mut self, event: &Event) {
        self.came |= matches!(event.kind, EventKind::Stick | EventKind::ReverseUp | EventKind::ReverseDown);
    }
    fn should_continue(&mut self, _: f64) -> bool {
        !self.came
    }
}
