//! What a fit does not say by itself: what cannot be known, whether friction lags, whether rising and falling speed differ.
use super::sample::Samples;
use super::shape::{Curve, Shape};
use super::solve::{How, Solved, solve};
use super::{Estimate, Finding, Known, Tabular, Tone};
use crate::fit::{LinearOptions, Noise, linear};
use crate::number::{interval, round, short};

pub(super) fn brief(x: f64) -> String {
    short(round(x, 3))
}

/// Samples on either side that tell whether the speed rises or falls.
const NEAR: usize = 3;
/// The least part of the fall that must still be there at the slowest sliding, or the level at rest is a guess.
const SEEN: f64 = 0.15;

/// The part of the fall that is left at a speed.
fn left(solved: &Solved, v: f64, vs: f64) -> f64 {
    let exponent = solved.shape.exponent().or(solved.get("exponent")).unwrap_or(1.0);
    (-(v / vs).powf(exponent)).exp()
}

/// What the record does not tell, and what it would take.
pub fn doubts(finding: &mut Finding, solved: &Solved, samples: &Samples) {
    let [slow, fast] = samples.speeds();
    if let (Curve::Stribeck(_), Some([drop, error])) = (solved.shape.curve, solved.drop) {
        let vs = solved.get("vs").unwrap_or(0.0);
        if drop < 2.0 * error || !error.is_finite() {
            for name in ["fs", "vs", "exponent", "reverse.fs"] {
                mark(finding, name, Known::Not);
            }
            finding.remark(
                Tone::Bad,
                format!(
                    "not identifiable from this record: fs, vs; the force falls by {} ± {} N between {} and {} m/s, which may be nothing; needs sliding below {} m/s",
                    brief(drop), brief(error), brief(slow), brief(fast), brief(slow)
                ),
            );
        } else if left(solved, slow, vs) < SEEN {
            mark(finding, "fs", Known::Loosely);
            finding.remark(
                Tone::Doubt,
                format!(
                    "fs is extrapolated: the Stribeck speed {} m/s lies below the slowest sliding ({} m/s); needs sliding below {} m/s",
                    brief(vs), brief(slow), brief(vs)
                ),
            );
        }
    }
    if fast < 2.0 * slow && solved.shape.curve != Curve::Coulomb {
        finding.remark(
            Tone::Bad,
            format!(
                "speeds hardly differ ({} m/s): level and viscous friction are told apart by little; needs other speeds",
                interval([slow, fast], 3)
            ),
        );
    }
    let negative: Vec<&String> = solved
        .names
        .iter()
        .zip(&solved.values)
        .filter(|(name, value)| **value < 0.0 && !name.ends_with("offset") && !name.ends_with("fc.load"))
        .map(|(name, _)| name)
        .collect();
    for name in negative {
        let what = if name.ends_with("fv") {
            "friction falls with speed over the whole range: a Stribeck curve, or heating"
        } else {
            "the sign of force or velocity may be wrong"
        };
        finding.remark(Tone::Bad, format!("{name} is negative: {what}"));
    }
    for i in 0..solved.names.len() {
        let known = finding.estimates[i].known;
        let name = &solved.names[i];
        if known == Known::Bound && !(name == "vs" && solved.drop.is_some_and(|[d, e]| d < 2.0 * e)) {
            finding.remark(Tone::Bad, format!("not identifiable from this record: {name}; the search ended at the edge of what the speeds can tell ({} m/s)", interval([slow, fast], 3)));
        } else if matches!(known, Known::Not | Known::Loosely)
            && !["fs", "vs", "exponent", "reverse.fs"].contains(&name.as_str())
        {
            let part = if solved.values[i] == 0.0 { f64::INFINITY } else { solved.error(i) / solved.values[i].abs() };
            let needs = match name.as_str() {
                "mass" => "needs stronger accelerations",
                "fv" | "reverse.fv" => "needs higher speeds",
                _ => "needs a longer record",
            };
            finding.remark(Tone::Doubt, format!("{name} is known to {} % only; {needs}", brief(100.0 * part)));
        }
    }
}

fn mark(finding: &mut Finding, name: &str, known: Known) {
    for e in finding.estimates.iter_mut().filter(|e| e.name == name) {
        *e = if known == Known::Not { e.clone().open() } else { Estimate { known, ..e.clone() } };
    }
}

/// Frictional lag: friction follows the speed of a moment before, `F(v(t − τ)) ≈ F(v) − τ·F′(v)·a`. Where the curve is
/// straight its slope times the acceleration is inertia, and nothing can be known of a lag.
pub fn lag(finding: &mut Finding, solved: &Solved, samples: &Samples) {
    if !matches!(solved.shape.curve, Curve::Stribeck(_)) {
        return;
    }
    let Some([drop, error]) = solved.drop.filter(|[drop, error]| *drop > 2.0 * error) else { return };
    let (vs, exponent) =
        (solved.get("vs").unwrap_or(1.0), solved.shape.exponent().or(solved.get("exponent")).unwrap_or(1.0));
    let back = solved.factor("reverse.drop").unwrap_or(drop);
    let level = |v: f64| if v < 0.0 { -back } else { drop } * (-(v.abs() / vs).powf(exponent)).exp();
    // the mean over a block of F′(v)·a is the change of F over its time, which is the change of v over a
    let column: Vec<f64> = (0..samples.len())
        .map(|k| {
            let (v, a) = (samples.v[k], samples.a[k]);
            let half = 1e-4 * vs;
            let [from, to] = match samples.within.get(k) {
                Some([from, _, to]) if (to - from).abs() > half => [*from, *to],
                _ => [v - half, v + half],
            };
            let pressed = samples.factor.get(k).copied().unwrap_or(1.0);
            -pressed * a * (level(to) - level(from)) / (to - from)
        })
        .collect();
    let columns: [&[f64]; 2] = [&column, &samples.a];
    let noise = Noise::Correlated { lag: None, whiten: true, breaks: samples.breaks.clone() };
    let Ok(fit) = linear(&columns, &solved.residual, &LinearOptions { noise, ..LinearOptions::default() }) else {
        return;
    };
    let (tau, spread) = (fit.values[0], fit.covariance.errors()[0]);
    if !spread.is_finite() || error <= 0.0 {
        return;
    }
    let estimate = Estimate::found("lag", "s", tau, spread, fit.interval(0, 0.95));
    let sure = tau.abs() > 2.0 * spread;
    let text = if sure && tau > 0.0 {
        format!("friction lags behind speed by {} ± {} s", brief(tau), brief(spread))
    } else if sure {
        format!(
            "friction runs ahead of speed by {} ± {} s: look for a delay between the channels",
            brief(-tau),
            brief(spread)
        )
    } else {
        format!("no frictional lag is seen ({} ± {} s)", brief(tau), brief(spread))
    };
    finding.remark(if tau < 0.0 && sure { Tone::Doubt } else { Tone::Plain }, text);
    if sure && let Some(mass) = finding.estimates.iter_mut().find(|e| e.name == "mass" && e.known != Known::Given) {
        // a lag looks like inertia where the curve falls; with the lag known the mass is told anew
        let (more, spread) = (fit.values[1], fit.covariance.errors()[1]);
        let half = (0.5 * (mass.interval[1] - mass.interval[0])).hypot(2.0 * spread);
        mass.value += more;
        mass.error = mass.error.hypot(spread);
        mass.interval = [mass.value - half, mass.value + half];
    }
    finding.estimates.push(Estimate { known: if sure { Known::Well } else { Known::Not }, ..estimate });
}

/// Rising and falling speed each by itself (Nouri2004): levels and viscous coefficients with their errors.
pub fn branches(finding: &mut Finding, solved: &Solved, samples: &Samples) {
    // what is sought beside friction keeps its value, so that the branches differ by friction alone
    let shape = Shape { curve: Curve::Viscous, sided: false, offset: false, mass: false, load: false };
    let friction: Vec<f64> = (0..samples.len())
        .map(|k| {
            samples.force[k]
                - solved.get("mass").unwrap_or(0.0) * samples.a[k]
                - solved.get("offset").unwrap_or(0.0)
                - solved.get("fc.load").unwrap_or(0.0) * samples.pressed.get(k).copied().unwrap_or(0.0)
        })
        .collect();
    if solved.shape.sided {
        return;
    }
    // the sign of the sample's own acceleration would sort it by its own error: its neighbours tell
    let trend = |k: usize| {
        let (from, to) = (k.checked_sub(NEAR)?, k + NEAR);
        let cut = samples.breaks.partition_point(|at| *at <= from);
        let whole = to < samples.len() && samples.breaks.get(cut).is_none_or(|at| *at > to);
        whole.then(|| samples.v[k] * (samples.v[to] - samples.v[from]))
    };
    let mut rows = Vec::new();
    let mut found = Vec::new();
    for (name, rising) in [("rising speed", true), ("falling speed", false)] {
        let here: Vec<usize> =
            (0..samples.len()).filter(|&k| trend(k).is_some_and(|trend| (trend > 0.0) == rising)).collect();
        let ranges: Vec<_> = here.iter().map(|&k| k..k + 1).collect();
        let mut part = samples.take(&ranges);
        part.force = here.iter().map(|&k| friction[k]).collect();
        part.breaks = (1..here.len()).filter(|&j| here[j] != here[j - 1] + 1).collect();
        let Ok(fit) = solve(&shape, &part, &How::default()) else { return };
        rows.push((name.to_owned(), vec![fit.values[0], fit.error(0), fit.values[1], fit.error(1)]));
        found.push(fit);
    }
    let [up, down] = &found[..] else { return };
    finding.tables.push(Tabular {
        key: "branches".to_owned(),
        title: "Rising and falling speed, each by itself".to_owned(),
        heads: ["", "fc [N]", "± [N]", "fv [N·s/m]", "± [N·s/m]"].map(str::to_owned).to_vec(),
        rows,
    });
    let (difference, error) = (up.values[0] - down.values[0], up.error(0).hypot(down.error(0)));
    if difference.abs() > 3.0 * error && difference.abs() > 0.02 * up.values[0].abs() {
        finding.remark(
            Tone::Doubt,
            format!(
                "rising and falling speed differ: their levels by {} ± {} N; a law without memory does not show this",
                brief(difference),
                brief(error)
            ),
        );
    }
}
