//! Pseudo-arclength continuation: predictor along the tangent, Newton corrector on the plane across it.
use super::continuation::{Bifurcation, BifurcationKind, BranchEnd, Continuation, CyclePoint};
use super::return_map::{ReturnMap, ReturnPoint};
use super::{Cycle, ReturnCondition, portrait, return_map_jacobian};
use crate::Error;
use crate::analysis::AnalysisError;
use crate::analysis::steady_motion::excitation_period;
use crate::linalg::{Complex, Svd};
use crate::scenario::Scenario;
use crate::sim::{NullObserver, PoincareSection, SystemState};

/// Smallest step along the curve, relative to the range of the parameter.
const MIN_STEP: f64 = 1e-5;

/// Follows a branch; the unknowns are the section state and the parameter.
pub(super) struct BranchTracer<'a> {
    what: &'a Continuation<'a>,
    width: f64,
    /// Size of each number of the state.
    scale: Vec<f64>,
    t: f64,
    patience: f64,
    returns: ReturnCondition,
    /// Number of excitation periods in one period of the cycle.
    periods: f64,
    pub points: Vec<CyclePoint>,
    pub bifurcations: Vec<Bifurcation>,
}

/// A point on the curve: state, parameter, and scaled tangent over the free state variables and the parameter.
#[derive(Clone)]
struct BranchState {
    state: SystemState,
    p: f64,
    tangent: Vec<f64>,
}

impl<'a> BranchTracer<'a> {
    pub fn new(what: &'a Continuation<'a>, first: &CyclePoint) -> Result<Self, Error> {
        let CyclePoint { p, cycle } = first;
        let mut out = Self {
            what,
            width: what.range.1 - what.range.0,
            scale: Vec::new(),
            t: cycle.t,
            patience: 20.0 * cycle.period,
            returns: cycle.returns,
            periods: 1.0,
            points: vec![first.clone()],
            bifurcations: Vec::new(),
        };
        if let Some(one) = excitation_period(&(what.at)(*p)?.system, cycle.t).map_err(Error::Analysis)? {
            out.periods = (cycle.period / one).round();
        }
        out.scale = out.map(*p, |_, map| portrait::state_ranges(map, &cycle.relative))?;
        Ok(out)
    }
    /// Calls `f` with the return map at a value of the parameter.
    fn map<T>(&self, p: f64, f: impl FnOnce(&Scenario, &ReturnMap<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let scenario = (self.what.at)(p)?;
        let simulation = scenario.simulation()?;
        let (mut t, mut returns) = (self.t, self.returns);
        let one = excitation_period(&scenario.system, t).map_err(Error::Analysis)?;
        if let (ReturnCondition::Period(whole), Some(one)) = (&mut returns, one) {
            // the parameter may change the period of the excitation; the map starts with a whole period
            *whole = one * self.periods;
            t = (t / one).ceil() * one;
        }
        let mut map = ReturnMap::new(&scenario.system, &simulation, t, returns, &scenario.options)?;
        map.patience = self.patience;
        // the section moves with the steady motion, which may depend on the parameter
        if let ReturnCondition::Section { section, .. } = &mut map.returns {
            section.drift = map.drift[section.state];
        }
        f(&scenario, &map)
    }
    /// Scaled residual of the fixed point over the free state variables.
    fn miss(&self, state: &SystemState, p: f64) -> Result<Vec<f64>, Error> {
        self.map(p, |_, map| {
            let Some(ReturnPoint { state: next, .. }) = map.apply(state, &mut NullObserver)? else {
                return Err(Error::Analysis(AnalysisError::NoMotion { t: map.t }));
            };
            Ok(map.free().into_iter().map(|i| (next.y[i] - state.y[i]) / self.scale[i]).collect())
        })
    }
    fn free(&self) -> Result<Vec<usize>, Error> {
        self.map(self.points[0].p, |_, map| Ok(map.free()))
    }
    /// Scaled Jacobian of the residual with respect to the free state variables and the parameter, row by row.
    fn return_map_jacobian(&self, state: &SystemState, p: f64, free: &[usize]) -> Result<Vec<f64>, Error> {
        let n = free.len();
        let mut out = vec![0.0; n * (n + 1)];
        for k in 0..=n {
            // steps as for a single cycle; the parameter stays within its range
            let (lo, hi) = self.what.range;
            let places = match k < n {
                true => [-1e-6, 1e-6],
                false => [-1e-6, 1e-6].map(|h| ((p + h * self.width).clamp(lo, hi) - p) / self.width),
            };
            let side = |h: f64| {
                let (mut moved, mut p) = (state.clone(), p);
                match free.get(k) {
                    Some(&i) => moved.y[i] += h * self.scale[i],
                    None => p += h * self.width,
                }
                self.miss(&moved, p)
            };
            let (down, up, wide) = (side(places[0])?, side(places[1])?, places[1] - places[0]);
            (0..n).for_each(|i| out[i * (n + 1) + k] = (up[i] - down[i]) / wide);
        }
        Ok(out)
    }
    /// Newton corrector on the plane at distance `step` along the tangent.
    fn correct(&self, from: &BranchState, step: f64, free: &[usize]) -> Result<BranchState, Error> {
        let n = free.len();
        let along = &from.tangent;
        let (mut state, mut p) = (from.state.clone(), from.p);
        let shift = |state: &mut SystemState, p: &mut f64, by: &[f64], gain: f64| {
            free.iter().zip(by).for_each(|(&i, d)| state.y[i] += gain * d * self.scale[i]);
            *p += gain * by[n] * self.width;
        };
        shift(&mut state, &mut p, along, step);
        let mut off = f64::INFINITY;
        let decompose = |state: &SystemState, p: f64| -> Result<Svd, Error> {
            let mut matrix = self.return_map_jacobian(state, p, free)?;
            matrix.extend_from_slice(along);
            Ok(Svd::new(&matrix, n + 1, n + 1))
        };
        let mut svd = decompose(&state, p)?;
        let mut moved = vec![0.0; n + 1];
        for round in 1..10 {
            let miss = self.miss(&state, p)?;
            let mut right: Vec<f64> = miss.iter().map(|x| -x).collect();
            right.push(0.0);
            // the Jacobian changes little: it is renewed every third iteration
            if round % 3 == 0 {
                svd = decompose(&state, p)?;
            }
            let change = svd.solve(&right, 1e-12);
            off = change.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            if off.is_nan() || off > 4.0 * step.abs() + 1e-6 {
                break;
            }
            shift(&mut state, &mut p, &change, 1.0);
            moved.iter_mut().zip(&change).for_each(|(moved, d)| *moved += d);
            // the error of a run, amplified by the map
            if off < 1e-6 {
                // a large correction means that another branch was found, or this one after a fold
                let aside = moved.iter().map(|x| x * x).sum::<f64>().sqrt();
                if aside > 0.7 * step.abs() + 1e-5 {
                    break;
                }
                svd = decompose(&state, p)?;
                right.fill(0.0);
                right[n] = 1.0;
                let tangent = svd.solve(&right, 1e-12);
                let length = tangent.iter().map(|x| x * x).sum::<f64>().sqrt();
                // a memory that changes only by jumps repeats by itself
                let next = self.map(p, |_, map| map.apply(&state, &mut NullObserver))?;
                next.into_iter().for_each(|next| state.memory = next.state.memory);
                return Ok(BranchState { state, p, tangent: tangent.into_iter().map(|x| x / length).collect() });
            }
        }
        Err(Error::Analysis(AnalysisError::NotConverged { what: "cycle", off }))
    }
    /// The complete cycle at a point of the branch.
    fn point(&self, place: &BranchState) -> Result<CyclePoint, Error> {
        let cycle = self.map(place.p, |scenario, map| {
            let slopes = return_map_jacobian(map, &place.state)?;
            let Some(ReturnPoint { time, .. }) = map.apply(&place.state, &mut NullObserver)? else {
                return Err(Error::Analysis(AnalysisError::NoMotion { t: map.t }));
            };
            let multipliers = slopes.multipliers(&map.free());
            let simulation = scenario.simulation()?;
            portrait::describe(scenario, &simulation, map, place.state.clone(), time, multipliers)
        })?;
        Ok(CyclePoint { p: place.p, cycle })
    }
    /// Moves the section to the middle of the range of a cycle, if it is far from it, and both points with it.
    fn centre(&mut self, point: &CyclePoint, places: &mut [BranchState]) -> Result<(), Error> {
        let ReturnCondition::Section { section, turns } = self.returns else { return Ok(()) };
        let name = self.map(point.p, |_, map| Ok(map.simulation.states()[section.state].0.name.clone()))?;
        let Some(swing) = point.cycle.ranges.iter().find(|swing| swing.name == name) else { return Ok(()) };
        let part = (section.value - swing.min) / (swing.max - swing.min);
        if (0.25..=0.75).contains(&part) {
            return Ok(());
        }
        let old = self.returns;
        self.returns = ReturnCondition::Section {
            section: PoincareSection { value: 0.5 * (swing.min + swing.max), ..section },
            turns,
        };
        let mut moved = Vec::new();
        for place in places.iter() {
            match self.map(place.p, |_, map| map.anchor(&place.state)) {
                Ok(state) => moved.push(BranchState { state, ..place.clone() }),
                Err(_) => {
                    self.returns = old;
                    return Ok(());
                }
            }
        }
        let free = self.free()?;
        places.clone_from_slice(&moved);
        if let [a, b] = places {
            let mut tangent: Vec<f64> = free.iter().map(|&i| (b.state.y[i] - a.state.y[i]) / self.scale[i]).collect();
            tangent.push((b.p - a.p) / self.width);
            let length = tangent.iter().map(|x| x * x).sum::<f64>().sqrt();
            b.tangent = tangent.into_iter().map(|x| x / length).collect();
        }
        Ok(())
    }
    /// Rescales the state variables to the present cycle, and the tangent with them.
    fn rescale(&mut self, place: &mut BranchState, free: &[usize]) -> Result<(), Error> {
        let scale = self.map(place.p, |_, map| portrait::state_ranges(map, &place.state))?;
        for (x, &i) in place.tangent.iter_mut().zip(free) {
            *x *= self.scale[i] / scale[i];
        }
        let length = place.tangent.iter().map(|x| x * x).sum::<f64>().sqrt();
        place.tangent.iter_mut().for_each(|x| *x /= length);
        self.scale = scale;
        Ok(())
    }
    /// The tangent at the first point, towards lower (−1) or higher (+1) values of the parameter: how the fixed point of the
    /// map moves with the parameter. The parameter alone is not the tangent, and the corrector refuses points far beside it.
    fn first_tangent(&self, state: &SystemState, p: f64, free: &[usize], direction: f64) -> Result<Vec<f64>, Error> {
        let n = free.len();
        let mut matrix = self.return_map_jacobian(state, p, free)?;
        let mut right = vec![0.0; n + 1];
        right[n] = 1.0;
        matrix.extend_from_slice(&right);
        let tangent = Svd::new(&matrix, n + 1, n + 1).solve(&right, 1e-12);
        let length = tangent.iter().map(|x| x * x).sum::<f64>().sqrt();
        Ok(tangent.into_iter().map(|x| direction * x / length).collect())
    }
    pub fn run(&mut self, direction: f64) -> Result<BranchEnd, Error> {
        let (lo, hi) = self.what.range;
        let first = self.points[0].clone();
        let swing = largest(&first.cycle);
        let free = self.free()?;
        let tangent = self.first_tangent(&first.cycle.relative, first.p, &free, direction)?;
        let mut last = BranchState { state: first.cycle.relative.clone(), p: first.p, tangent };
        let mut step = 0.01;
        while self.points.len() <= self.what.points {
            if self.what.stop.is_raised() {
                return Ok(BranchEnd::Interrupted);
            }
            // the last step ends at the end of the range
            let along = last.tangent[free.len()] * self.width;
            let room = if along > 0.0 { hi - last.p } else { last.p - lo };
            if step * along.abs() > room {
                step = 0.999 * room / along.abs();
                if step < MIN_STEP {
                    return Ok(BranchEnd::Range);
                }
            }
            let found = self.correct(&last, step, &free).and_then(|next| Ok((self.point(&next)?, next)));
            // shorter steps where the tangent turns quickly
            let found = found.ok().filter(|(_, next)| {
                let turn: f64 = next.tangent.iter().zip(&last.tangent).map(|(a, b)| a * b).sum();
                turn > 0.7
            });
            let Some((point, mut next)) = found else {
                step *= 0.5;
                if step < MIN_STEP {
                    return Ok(BranchEnd::Sudden);
                }
                continue;
            };
            if next.p < lo || next.p > hi {
                return Ok(BranchEnd::Range);
            }
            if largest(&point.cycle) < 1e-2 * swing {
                self.points.push(point);
                return Ok(BranchEnd::Shrinks);
            }
            let before = &self.points[self.points.len() - 1].cycle;
            if let Some(what) = change(before, &point.cycle, &last, &next) {
                self.bifurcations.extend(self.locate(&last, step, &free, what)?);
            }
            let mut both = [last, next.clone()];
            self.centre(&point, &mut both)?;
            [_, next] = both;
            self.rescale(&mut next, &free)?;
            last = next;
            self.points.push(point);
            step = (1.6 * step).min(0.05);
        }
        Ok(BranchEnd::Points)
    }
    /// Locates a bifurcation within a step by bisection.
    fn locate(
        &self,
        from: &BranchState,
        step: f64,
        free: &[usize],
        what: BifurcationKind,
    ) -> Result<Option<Bifurcation>, Error> {
        let n = free.len();
        let (mut lo, mut hi) = (0.0, step);
        let mut best = from.clone();
        let stable = self.multipliers(from)?;
        // at a fold the parameter is stationary, so half the digits of the position are enough
        let fine = if matches!(what, BifurcationKind::Fold { .. }) { 1e-6 } else { 1e-9 };
        while hi - lo > fine * step.max(1e-3) {
            let mid = 0.5 * (lo + hi);
            // a point that the corrector does not reach lies beyond the bifurcation
            let Ok(place) = self.correct(from, mid, free) else {
                hi = mid;
                continue;
            };
            let before = match what {
                BifurcationKind::Fold { .. } => place.tangent[n] * from.tangent[n] > 0.0,
                _ => self.multipliers(&place)? == stable,
            };
            if before {
                lo = mid
            } else {
                hi = mid
            }
            best = place;
        }
        let time = self.map(best.p, |_, map| map.apply(&best.state, &mut NullObserver))?.map_or(f64::NAN, |r| r.time);
        // a multiplier that jumps across the unit circle, as at a grazing bifurcation, is not a flip
        let passes = match what {
            BifurcationKind::Fold { .. } => true,
            BifurcationKind::Flip | BifurcationKind::Torus => self.map(best.p, |_, map| {
                let multipliers = return_map_jacobian(map, &best.state)?.multipliers(free).values;
                Ok(multipliers.iter().any(|z| (z.abs() - 1.0).abs() < 0.05 && (z.re < 0.0 || z.im != 0.0)))
            })?,
        };
        Ok(passes.then_some(Bifurcation { p: best.p, period: time, what }))
    }
    /// Whether all multipliers are inside the unit circle, except real ones above one, which belong to folds.
    fn multipliers(&self, place: &BranchState) -> Result<bool, Error> {
        self.map(place.p, |_, map| {
            let slopes = return_map_jacobian(map, &place.state)?;
            Ok(!leaves(&slopes.multipliers(&map.free()).values))
        })
    }
}

/// Whether a multiplier other than a positive real one is outside the unit circle.
fn leaves(multipliers: &[Complex]) -> bool {
    multipliers.iter().any(|z| z.abs() > 1.0 && (z.im != 0.0 || z.re < 0.0))
}

/// The kind of bifurcation between two neighbouring points.
fn change(before: &Cycle, after: &Cycle, from: &BranchState, to: &BranchState) -> Option<BifurcationKind> {
    let (a, b) = (from.tangent.last()?, to.tangent.last()?);
    if a * b < 0.0 {
        return Some(BifurcationKind::Fold { below: *a > 0.0 });
    }
    let (old, new) = (leaves(&before.multipliers), leaves(&after.multipliers));
    if old == new {
        return None;
    }
    let outside = if new { after } else { before };
    let pair = outside.multipliers.iter().any(|z| z.abs() > 1.0 && z.im != 0.0);
    Some(if pair { BifurcationKind::Torus } else { BifurcationKind::Flip })
}

fn largest(cycle: &Cycle) -> f64 {
    cycle.ranges.iter().filter(|swing| swing.name.ends_with(".v")).map(|s| s.max - s.min).fold(0.0, f64::max)
}
