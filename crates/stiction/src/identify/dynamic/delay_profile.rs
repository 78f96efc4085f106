//! The delay of a law with memory, by its profile.
//!
//! Bristle damping and a delay are told apart in second order only (see the book, *Fitting*), so that the cost over both is a bent valley, which may
//! lead to the bound of the damping. A fit that is linear in the delay then goes to and fro in it, and its covariance is that of the point where it
//! ended. But with the delay held, the fit of everything else is an ordinary one. So a row of delays is held one after the other, and each gives
//! a least cost `C(d)`, values `θ(d)` and intervals `θ(d) ± h(d)` of this confidence level.
//!
//! With the noise `σ`, its inflation `κ` by autocorrelation and the quantile `t` of the level, `q(d) = 2 (C(d) − C_min)/(κ σ²)` is the profile of the delay:
//! its interval is where `q ≤ t²`. The profile likelihood of another parameter is the least of `q(d) + t² (θ − θ(d))²/h(d)²` over all delays, and its interval
//! the union of `θ(d) ± h(d) √(1 − q(d)/t²)`. Where the cost is quadratic in all of them these are the intervals of the covariance matrix. Covariances
//! are those of the mixture of the normal distributions `N(θ(d), Σ(d))` with weights `exp(−q(d)/2)`.
use super::experiment_advice::advise;
use super::friction_fit::FrictionFit;
use super::initial_displacement::{fit_from, nearest_displacements};
use super::{DataScales, DynamicOptions};
use crate::fit::Loss;
use crate::identify::result::{ParameterProfile, ResultCurves};
use crate::identify::sliding::DELAY;
use crate::identify::sliding::delay_fit::{ENOUGH, longest};
use crate::identify::{Estimate, EstimateCovariance, FitProgress, Identifiability, MotionRecord, ResultTable};
use crate::statistics::student_t_quantile;
use crate::{Error, Spec};
use std::cell::Cell;
use std::collections::HashSet;

/// Delays at most to each side of the first, and between these.
const MAX_DELAYS: usize = 24;
/// Change of the root of the profile, which is one for a standard error, that is aimed at between neighbours, and the largest.
const TARGET_SPACING: f64 = 1.0;
const MAX_SPACING: f64 = 1.5;
/// Root of the profile to which a row goes at least: the mixture of what lies beyond has 1.4 % of a standard error.
const TAIL: f64 = 3.0;
/// Error of the profile that a fit may leave.
const PROFILE_ERROR: f64 = 1e-3;
/// Positions between neighbours at which values are interpolated.
const BETWEEN: usize = 16;
/// Points of the profile of a parameter.
const POINTS: usize = 60;

/// Tolerance of a fit of these records of which the profile is compared. The least cost is half the number of samples in the unit in which a half is one
/// standard error.
pub(super) fn tolerance(motions: &[MotionRecord]) -> f64 {
    PROFILE_ERROR / motions.iter().map(MotionRecord::len).sum::<usize>().max(1) as f64
}

/// A fit with the delay held.
struct HeldDelay {
    delay: f64,
    fitted: FrictionFit,
}

/// Records, and the fits with delays held, in the order of the delays.
pub(super) struct DelayProfile<'a> {
    pub motions: &'a [MotionRecord],
    pub law: &'a Spec,
    /// Without a delay.
    pub options: &'a DynamicOptions,
    /// Inflation of the variance of the delay by autocorrelated noise.
    pub inflation: f64,
    /// Whether the profiles of the parameters are wanted, too.
    pub profiles: bool,
    held: Vec<HeldDelay>,
}

/// What a row of delays tells at one of them, or between two.
struct ProfileNode {
    delay: f64,
    /// The profile, zero at the least.
    rise: f64,
    /// For each estimate its value and the ends of its interval.
    values: Vec<[f64; 3]>,
    covariance: Vec<f64>,
}

impl<'a> DelayProfile<'a> {
    pub fn new(
        motions: &'a [MotionRecord],
        law: &'a Spec,
        options: &'a DynamicOptions,
        (inflation, profiles): (f64, bool),
    ) -> Self {
        Self { motions, law, options, inflation, profiles, held: Vec::new() }
    }

    /// The fit with that delay with which least is left, and intervals over all of them. None if no row of delays within the longest has an end,
    /// so that the records do not tell the delay, and after a stop.
    pub fn fit(
        mut self,
        first: (f64, &FrictionFit),
        spacing: f64,
        watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
    ) -> Result<Option<FrictionFit>, Error> {
        let step = self.motions.iter().map(MotionRecord::step).fold(0.0, f64::max);
        let goes_on = Cell::new(true);
        let mut watch = |now: &FitProgress<'_>| {
            goes_on.set(goes_on.get() && watch(now));
            goes_on.get()
        };
        // a delay as long as the record cannot be told by it
        if first.0.abs() > longest(step) {
            return Ok(None);
        }
        // with another delay the displacements of the first fit may be on the wrong side
        let displaced = nearest_displacements(&self.moved(first.0, &first.1.displaced)?, &first.1.result, self.options);
        if self.hold(first.0, &FrictionFit { displaced, ..first.1.clone() }, &mut watch).is_err() {
            return Ok(None);
        }
        for sign in [-1.0, 1.0] {
            if !goes_on.get() || !self.walk(sign, spacing, longest(step), &goes_on, &mut watch) {
                return Ok(None);
            }
        }
        for _ in 0..MAX_DELAYS {
            let Some((delay, near)) = self.missing().filter(|_| goes_on.get()) else { break };
            let from = self.held[near].fitted.clone();
            self.add(delay, &from, &mut watch)?;
        }
        let mut best = self.least(&self.rises());
        if self.held[best].fitted.fit.jacobian.is_empty() && goes_on.get() {
            // one that was not the best at first, when more samples were common to all: from where it ended, it ends there again
            let HeldDelay { delay, fitted } = self.held.remove(best);
            best = self.hold(delay, &fitted, &mut watch)?;
        }
        Ok(goes_on.get().then(|| self.summarise(best)))
    }

    /// Fits with this delay, from the parameters that two neighbours let expect, or from those of another fit; its place in the row.
    fn add(
        &mut self,
        delay: f64,
        from: &FrictionFit,
        watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
    ) -> Result<usize, Error> {
        self.hold(delay, &self.expected(delay, from), watch)
    }

    /// The records with this delay taken out, and these displacements before them.
    fn moved(&self, delay: f64, displaced: &[f64]) -> Result<Vec<MotionRecord>, Error> {
        let all = self.motions.iter().zip(displaced);
        Ok(all
            .map(|(motion, &displaced)| MotionRecord { displaced, ..motion.clone() }.with_delay(delay))
            .collect::<Result<_, _>>()?)
    }

    /// Fits with this delay, from the parameters and displacements of another fit; its place in the row.
    fn hold(
        &mut self,
        delay: f64,
        from: &FrictionFit,
        watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
    ) -> Result<usize, Error> {
        let moved = self.moved(delay, &from.displaced)?;
        let mut options = self.options.clone();
        options.fit.tolerance = options.fit.tolerance.max(tolerance(self.motions));
        if options.fit.loss != Loss::Square {
            // costs are comparable at one scale alone
            options.fit.scale = options.fit.scale.or(Some(from.fit.scale));
        }
        let fitted = fit_from(&moved, self.law, &options, from, watch)?;
        let at = self.held.partition_point(|held| held.delay < delay);
        self.held.insert(at, HeldDelay { delay, fitted });
        // as large as the record many times over, and asked for of the best alone
        let best = self.least(&self.rises());
        for (_, held) in self.held.iter_mut().enumerate().filter(|(k, _)| *k != best && *k != at) {
            held.fitted.fit.jacobian = Vec::new();
            held.fitted.result.curves = Vec::new();
        }
        Ok(at)
    }

    /// A fit with the values at that delay of the line through two neighbours, those that have it between them or the last two before it; the
    /// displacements are those of the fit itself.
    fn expected(&self, delay: f64, from: &FrictionFit) -> FrictionFit {
        let mut out = from.clone();
        if self.held.len() < 2 {
            return out;
        }
        let right = self.held.partition_point(|held| held.delay < delay).clamp(1, self.held.len() - 1);
        let [a, b] = [&self.held[right - 1], &self.held[right]];
        let share = (delay - a.delay) / (b.delay - a.delay);
        for e in &mut out.result.estimates {
            let value = |held: &HeldDelay| held.fitted.result.estimate(&e.name).map(|e| e.value);
            if let (Some(a), Some(b)) = (value(a), value(b)) {
                e.value = a + share * (b - a);
            }
        }
        out
    }

    /// Delays to one side, until the profile is beyond the interval and the tail; whether it is beyond the interval in the end.
    fn walk(
        &mut self,
        sign: f64,
        spacing: f64,
        longest: f64,
        goes_on: &Cell<bool>,
        watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
    ) -> bool {
        let end = |list: &[f64]| if sign < 0.0 { list[0] } else { list[list.len() - 1] };
        let mut by = spacing;
        for _ in 0..MAX_DELAYS {
            if !goes_on.get() || end(&self.rises()) > self.limit().max(TAIL * TAIL) {
                break;
            }
            let last = if sign < 0.0 { &self.held[0] } else { &self.held[self.held.len() - 1] };
            let (delay, from) = (last.delay + sign * by, last.fitted.clone());
            // a delay as long as the record cannot be told by it
            if delay.abs() > longest || self.add(delay, &from, watch).is_err() {
                break;
            }
            let mut roots = self.roots();
            if sign > 0.0 {
                roots.reverse();
            }
            let change = (roots[0] - roots[1]).abs();
            // far from the interval the profile need not be told
            if roots[0].abs().min(roots[1].abs()) < 2.0 * self.limit().sqrt() {
                by *= (TARGET_SPACING / change).clamp(1.0 / 3.0, 3.0);
            }
        }
        end(&self.rises()) > self.limit()
    }

    /// A delay that the row lacks, and the index of the nearest: the middle of a gap, or the least of the parabola at the least.
    fn missing(&self) -> Option<(f64, usize)> {
        let (rises, roots) = (self.rises(), self.roots());
        let delay = |k: usize| self.held[k].delay;
        let inside = |k: usize| rises[k] <= self.limit();
        let gap = (1..self.held.len())
            .find(|&k| (inside(k - 1) || inside(k)) && (roots[k] - roots[k - 1]).abs() > MAX_SPACING);
        if let Some(k) = gap {
            return Some((0.5 * (delay(k - 1) + delay(k)), if inside(k) { k } else { k - 1 }));
        }
        let k = self.least(&rises);
        let (before, after) = (k.checked_sub(1)?, (k + 1 < rises.len()).then_some(k + 1)?);
        let [left, right] = [delay(before) - delay(k), delay(after) - delay(k)];
        // q = a·x + b·x² through both neighbours
        let (up, down) = (rises[after] / right, rises[before] / left);
        let b = (up - down) / (right - left);
        let a = up - b * right;
        (b > 0.0 && a * a / (4.0 * b) > ENOUGH * ENOUGH).then(|| (delay(k) - a / (2.0 * b), k))
    }

    fn least(&self, rises: &[f64]) -> usize {
        (0..rises.len()).min_by(|&a, &b| rises[a].total_cmp(&rises[b])).unwrap_or(0)
    }

    /// The profile at the ends of an interval, `t²`.
    fn limit(&self) -> f64 {
        let freedom = self.held[0].fitted.fit.degrees_of_freedom;
        student_t_quantile(0.5 + 0.5 * self.options.level, (freedom / self.inflation).max(1.0)).powi(2)
    }

    /// The profile for each delay, from the samples that all of them compare: a record that is moved loses samples at one end.
    fn rises(&self) -> Vec<f64> {
        let series = |of: usize| self.held.iter().map(move |held| &held.fitted.result.residuals[of].t);
        let ends = |of: usize| {
            let first = series(of).filter_map(|t| t.first()).copied().fold(f64::NEG_INFINITY, f64::max);
            [first, series(of).filter_map(|t| t.last()).copied().fold(f64::INFINITY, f64::min)]
        };
        let common: Vec<[f64; 2]> = (0..self.motions.len()).map(ends).collect();
        let loss = self.options.fit.loss;
        let cost = |held: &HeldDelay| -> f64 {
            let parts = held.fitted.result.residuals.iter().zip(&common).map(|(series, [first, last])| {
                let within = series.t.iter().zip(series.residuals()).filter(|(t, _)| *first <= **t && **t <= *last);
                within.map(|(_, r)| half_loss(loss, r, held.fitted.fit.scale)).sum::<f64>()
            });
            parts.sum()
        };
        let costs: Vec<f64> = self.held.iter().map(cost).collect();
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let best = costs.iter().position(|cost| *cost <= least).unwrap_or(0);
        let variance = self.held[best].fitted.fit.sigma.powi(2) * self.inflation;
        costs.iter().map(|cost| 2.0 * (cost - least) / variance.max(f64::MIN_POSITIVE)).collect()
    }

    /// The root of the profile, negative for delays below the best one.
    fn roots(&self) -> Vec<f64> {
        let rises = self.rises();
        let best = self.least(&rises);
        rises.iter().enumerate().map(|(k, q)| if k < best { -q.sqrt() } else { q.sqrt() }).collect()
    }

    /// The best of the fits, with the intervals and covariances of the whole row.
    fn summarise(mut self, best: usize) -> FrictionFit {
        let limit = self.limit();
        let names: Vec<String> =
            self.held[best].fitted.result.covariance.as_ref().map_or_else(Vec::new, |c| c.names.clone());
        let nodes = self.nodes(&names);
        let curve = nodes.iter().map(|node| (node.delay, node.rise / limit)).collect();
        let HeldDelay { delay, mut fitted } = self.held.swap_remove(best);
        let spread = mixture(&nodes, names.len());
        let width = names.len() + 1;
        let error = |k: usize| spread[k * width + k].sqrt();
        let law = fitted.result.law.clone();
        // a value that the law allows; of other quantities any
        let allowed = |name: &str| -> [f64; 2] {
            let own = name.trim_start_matches("reverse.");
            let param = law.as_ref().and_then(|law| law.law().params.iter().find(|p| p.name == own));
            param.map_or([f64::NEG_INFINITY, f64::INFINITY], |p| [p.min, p.max])
        };
        let result = &mut fitted.result;
        let mut profiles =
            vec![ParameterProfile { name: DELAY.to_owned(), unit: "s".to_owned(), points: curve, estimate: delay }];
        for (k, name) in names.iter().enumerate() {
            let Some(e) = result.estimates.iter_mut().find(|e| e.name == *name) else { continue };
            if e.interval.iter().all(|x| x.is_infinite()) {
                continue;
            }
            let [low, high] = interval(&nodes, k, limit);
            let interval = [low.max(allowed(name)[0]), high.min(allowed(name)[1])];
            *e = if e.identifiability == Identifiability::AtBound {
                e.clone().at_bound(interval)
            } else {
                Estimate::new(&e.name, &e.unit, e.value, error(k), interval)
            };
            if self.profiles {
                let points = profile(&nodes, k, limit, interval);
                profiles.push(ParameterProfile { name: name.clone(), unit: e.unit.clone(), points, estimate: e.value });
            }
        }
        let interval = span(&nodes, limit, |node| [node.delay; 2]);
        let e = Estimate::new(DELAY, "s", delay, error(names.len()), interval);
        result.estimates.push(Estimate { identifiability: Identifiability::Good, ..e });
        // as the fit did that is handed out
        let moved: Vec<MotionRecord> = self.motions.iter().filter_map(|m| m.with_delay(delay).ok()).collect();
        advise(result, &DataScales::of(&moved));
        let mut texts = HashSet::new();
        result.remarks.retain(|remark| texts.insert(remark.text.clone()));
        result.curves.push(ResultCurves::ProfileLikelihoods(profiles));
        let names: Vec<String> = names.into_iter().chain([DELAY.to_owned()]).collect();
        let covariance = EstimateCovariance { names, matrix: spread };
        result.tables.retain(|table| table.key != "correlation");
        result.tables.push(correlations(&covariance));
        result.covariance = Some(covariance);
        fitted.parameters += 1;
        fitted
    }

    /// The row of delays with what lies between its neighbours: the root of the profile, values and intervals change in proportion there.
    fn nodes(&self, names: &[String]) -> Vec<ProfileNode> {
        let limit = self.limit();
        let roots = self.roots();
        let exact: Vec<ProfileNode> =
            self.held.iter().zip(&roots).map(|(held, root)| node(held, root * root, names, limit)).collect();
        let mut out = Vec::new();
        for k in 1..self.held.len() {
            let mut shares: Vec<f64> = (0..BETWEEN).map(|i| i as f64 / BETWEEN as f64).collect();
            // where the interval ends
            let ends = [-limit.sqrt(), limit.sqrt()].map(|end| (end - roots[k - 1]) / (roots[k] - roots[k - 1]));
            shares.extend(ends.into_iter().filter(|share| *share > 0.0 && *share < 1.0));
            shares.sort_by(f64::total_cmp);
            out.extend(shares.into_iter().map(|share| {
                let root = roots[k - 1] + share * (roots[k] - roots[k - 1]);
                ProfileNode { rise: root * root, ..exact[k - 1].towards(&exact[k], share) }
            }));
        }
        out.extend(exact.into_iter().last());
        out
    }
}

impl ProfileNode {
    /// The node after this share of the way to another one.
    fn towards(&self, other: &Self, share: f64) -> Self {
        // an unbounded interval stays unbounded
        let mean = |a: f64, b: f64| if share == 0.0 { a } else { a * (1.0 - share) + b * share };
        let values = self.values.iter().zip(&other.values);
        Self {
            delay: mean(self.delay, other.delay),
            rise: mean(self.rise, other.rise),
            values: values.map(|(a, b)| [0, 1, 2].map(|i| mean(a[i], b[i]))).collect(),
            covariance: self.covariance.iter().zip(&other.covariance).map(|(a, b)| mean(*a, *b)).collect(),
        }
    }
}

/// What the fit with a delay held tells. A parameter at its bound has no variance, but an interval to one side: that is taken for its scatter.
fn node(held: &HeldDelay, rise: f64, names: &[String], limit: f64) -> ProfileNode {
    let result = &held.fitted.result;
    let n = names.len();
    let known = result.covariance.as_ref();
    let at = |name: &String| known.and_then(|c| c.names.iter().position(|other| other == name));
    let entry = |i: usize, j: usize| -> f64 {
        let (Some(a), Some(b), Some(c)) = (at(&names[i]), at(&names[j]), known) else { return 0.0 };
        c.matrix[a * c.names.len() + b]
    };
    let mut covariance: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
    let mut values = Vec::new();
    for (k, name) in names.iter().enumerate() {
        let Some(e) = result.estimate(name) else {
            values.push([f64::NAN; 3]);
            continue;
        };
        let [low, high] = e.interval;
        values.push([e.value, low, high]);
        if e.identifiability == Identifiability::AtBound {
            covariance[k * n + k] = (e.value - low).max(high - e.value).powi(2) / limit;
        }
    }
    ProfileNode { delay: held.delay, rise, values, covariance }
}

/// The least and the largest of what the nodes within the interval of the delay give.
fn span(nodes: &[ProfileNode], limit: f64, of: impl Fn(&ProfileNode) -> [f64; 2]) -> [f64; 2] {
    // the ends of the interval are nodes themselves
    let within = nodes.iter().filter(|node| node.rise <= limit * (1.0 + 1e-12));
    within.map(of).fold([f64::INFINITY, f64::NEG_INFINITY], |all, one| [all[0].min(one[0]), all[1].max(one[1])])
}

/// The interval of an estimate over all delays.
fn interval(nodes: &[ProfileNode], k: usize, limit: f64) -> [f64; 2] {
    span(nodes, limit, |node| {
        let [value, low, high] = node.values[k];
        let share = (1.0 - node.rise / limit).max(0.0).sqrt();
        [value - share * (value - low), value + share * (high - value)]
    })
}

/// Covariances of the mixture of normal distributions along a row, with the delay as the last quantity.
fn mixture(nodes: &[ProfileNode], n: usize) -> Vec<f64> {
    let all = n + 1;
    let value = |node: &ProfileNode, k: usize| if k < n { node.values[k][0] } else { node.delay };
    let weight = |k: usize| {
        let beside = |i: usize| nodes.get(i).map_or(nodes[k].delay, |node| node.delay);
        let width = 0.5 * (beside(k + 1) - beside(k.saturating_sub(1)));
        width * (-0.5 * nodes[k].rise).exp()
    };
    let weights: Vec<f64> = (0..nodes.len()).map(weight).collect();
    let sum: f64 = weights.iter().sum();
    // far away a variance may be infinite
    let weighted = || nodes.iter().zip(&weights).filter(|(_, w)| **w > 0.0);
    let mean = |of: &dyn Fn(&ProfileNode) -> f64| weighted().map(|(node, w)| w / sum * of(node)).sum::<f64>();
    let centre: Vec<f64> = (0..all).map(|k| mean(&|node| value(node, k))).collect();
    let entry = |i: usize, j: usize| {
        let own = |node: &ProfileNode| if i < n && j < n { node.covariance[i * n + j] } else { 0.0 };
        mean(&|node| own(node) + (value(node, i) - centre[i]) * (value(node, j) - centre[j]))
    };
    (0..all * all).map(|k| entry(k / all, k % all)).collect()
}

/// The profile likelihood of a parameter over twice its interval, over its value at the ends of that.
fn profile(nodes: &[ProfileNode], k: usize, limit: f64, [low, high]: [f64; 2]) -> Vec<(f64, f64)> {
    let far = |node: &ProfileNode, x: f64| {
        let [value, low, high] = node.values[k];
        let half = if x < value { value - low } else { high - value };
        if x == value { 0.0 } else { (x - value).powi(2) / half.powi(2) }
    };
    let rise = |x: f64| nodes.iter().map(|node| node.rise / limit + far(node, x)).fold(f64::INFINITY, f64::min);
    let points = (0..=POINTS).map(|i| low + (high - low) * (1.5 * i as f64 / POINTS as f64 - 0.25));
    points.map(|x| (x, rise(x))).filter(|(_, rise)| rise.is_finite()).collect()
}

/// Correlations, where neither quantity is undetermined or without variance.
fn correlations(covariance: &EstimateCovariance) -> ResultTable {
    let n = covariance.names.len();
    let entry = |i: usize, j: usize| covariance.matrix[i * n + j];
    let open: Vec<usize> = (0..n).filter(|&k| entry(k, k) > 0.0).collect();
    let row = |&i: &usize| open.iter().map(|&j| entry(i, j) / (entry(i, i) * entry(j, j)).sqrt()).collect();
    ResultTable {
        key: "correlation".to_owned(),
        title: "Correlation of the fitted parameters".to_owned(),
        columns: std::iter::once("parameter".to_owned())
            .chain(open.iter().map(|&k| covariance.names[k].clone()))
            .collect(),
        rows: open.iter().map(|i| (covariance.names[*i].clone(), row(i))).collect(),
    }
}

fn half_loss(loss: Loss, r: f64, scale: f64) -> f64 {
    0.5 * scale * scale * loss.rho((r / scale).powi(2))[0]
}

#[cfg(test)]
mod tests {
    use super::{ProfileNode, interval, mixture, profile, span};

    /// A level and a delay with deviations 2 and 0.5 and correlation 0.8, normal together: intervals and covariances are those of the two.
    #[test]
    fn a_quadratic_cost_gives_the_intervals_of_the_covariance_matrix() {
        let (deviation, late, correlation) = (2.0_f64, 0.5, 0.8_f64);
        let limit = 1.96_f64.powi(2);
        // with the delay held, the level has this deviation
        let held = deviation * (1.0 - correlation * correlation).sqrt();
        let node = |root: f64| {
            let (value, half) = (10.0 + correlation * deviation * root, limit.sqrt() * held);
            ProfileNode {
                delay: 3.0 + late * root,
                rise: root * root,
                values: vec![[value, value - half, value + half]],
                covariance: vec![held * held],
            }
        };
        let nodes: Vec<ProfileNode> = (-600..=600).map(|k| node(0.01 * f64::from(k))).collect();
        let [low, high] = interval(&nodes, 0, limit);
        assert!((low - (10.0 - 1.96 * deviation)).abs() < 1e-3, "{low}");
        assert!((high - (10.0 + 1.96 * deviation)).abs() < 1e-3, "{high}");
        // its profile is zero at the estimate, and one at the ends of the interval
        let curve = profile(&nodes, 0, limit, [low, high]);
        let at = |wanted: f64| curve.iter().find(|(x, _)| (x - wanted).abs() < 1e-9).expect("a point").1;
        assert!(at(0.5 * (low + high)).abs() < 1e-9 && (at(low) - 1.0).abs() < 1e-3 && (at(high) - 1.0).abs() < 1e-3);
        let [low, high] = span(&nodes, limit, |node| [node.delay; 2]);
        assert!((low - (3.0 - 1.96 * late)).abs() < 1e-12 && (high - (3.0 + 1.96 * late)).abs() < 1e-12);
        let wanted =
            [deviation * deviation, correlation * deviation * late, correlation * deviation * late, late * late];
        for (found, wanted) in mixture(&nodes, 1).iter().zip(wanted) {
            assert!((found / wanted - 1.0).abs() < 1e-6, "{found} for {wanted}");
        }
        // of a row that ends at the tail, a standard error lacks 1.4 %
        let row = &nodes[300..=900];
        let late_error = mixture(row, 1)[3].sqrt();
        assert!((0.98..1.0).contains(&(late_error / late)), "{late_error} for {late}");
    }
}
