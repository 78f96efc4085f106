//! Result of a fit of a law.
use super::comparison::comparison;
use super::experiment_advice::advise;
use super::friction_fit::model;
use super::parameter_vector::{ParameterTarget, ParameterVector};
use super::trajectory::DrivenTrajectory;
use super::{DataScales, DynamicOptions};
use crate::analysis::energy::conditions;
use crate::fit::{Fit, ProfileLikelihood};
use crate::identify::result::{ParameterProfile, ResultCurves, goodness_of_fit};
use crate::identify::{
    Estimate, EstimateCovariance, IdentificationResult, MotionRecord, ResidualSeries, ResultTable, Score, Severity,
};
use crate::number::{round, short};
use crate::statistics::student_t_quantile;
use crate::{ParameterGroup, Spec};

pub(super) fn summarise(
    motions: &[MotionRecord],
    trajectories: &[DrivenTrajectory],
    vector: &ParameterVector,
    fit: &Fit,
    options: &DynamicOptions,
    scales: &DataScales,
    (mapped, profiles): (bool, &[Option<ProfileLikelihood>]),
) -> IdentificationResult {
    let law = vector.spec.law();
    let mut result = IdentificationResult::new("dynamic", format!("{} fitted to friction", law.name));
    let estimates = estimates(vector, fit, options.level, profiles);
    let mut spec = vector.spec.clone();
    for (estimate, unknown) in estimates.iter().zip(&vector.unknowns) {
        if matches!(unknown.target, ParameterTarget::Law(_)) {
            // can fail only by rounding at a bound
            let _ = spec.set(&unknown.key, estimate.value).is_ok();
        }
    }
    result.estimates = listed(&spec, vector, estimates);
    tell_unbounded(&mut result, &spec);
    result.law = Some(spec);
    let mut whole = Vec::new();
    for (motion, trajectory) in motions.iter().zip(trajectories) {
        let (measured, model) = model(trajectory, vector, options.settled, &fit.values);
        let series = ResidualSeries {
            name: motion.name.clone(),
            quantity: "friction [N]".to_owned(),
            t: trajectory.t[trajectory.all()].to_vec(),
            measured,
            model,
        };
        let rows: Vec<usize> = trajectory.compared().map(|k| k - trajectory.all().start).collect();
        result.residuals.push(series.only(&rows));
        whole.push(series);
    }
    let free = fit.bound.iter().filter(|bound| !**bound).count();
    result.scores = goodness_of_fit(&result.residuals, free, "N");
    result.curves = comparison(motions, &whole);
    result.curves.extend(profile_curves(vector, fit, profiles));
    result.tables.push(correlations(fit));
    result.covariance = Some(covariance(vector, fit));
    if !fit.reason.converged() {
        result.remark(Severity::Warning, format!("the fit did not converge: {}", fit.reason.text()));
    }
    let saturated = motions.iter().map(MotionRecord::saturated_samples).sum::<usize>();
    if saturated > 0 {
        let title = "samples left out, since their force was cut off";
        result.scores.push(Score::new("saturated", title, saturated as f64, ""));
    }
    let [all, compared] = [&whole, &result.residuals].map(|list| list.iter().map(|r| r.t.len()).sum::<usize>());
    let incomparable = motions.iter().map(|m| (0..m.len()).filter(|k| !m.is_comparable(*k)).count()).sum::<usize>();
    if incomparable > saturated {
        let text = format!(
            "{:.1} % of the samples were left out: the acceleration changes within a sample there, and is not known",
            100.0 * (incomparable - saturated) as f64 / all.max(1) as f64
        );
        result.remark(Severity::Info, text);
    }
    let compared = compared + incomparable;
    if vector.jumps && compared < all {
        let text = format!(
            "{:.1} % of the samples rest or are near a reversal, where the direction of the friction of {} is not known; they were not fitted",
            100.0 * (all - compared) as f64 / all as f64,
            law.name
        );
        result.remark(Severity::Info, text);
    }
    if profiles.iter().any(|profile| bounded(profile).is_some()) {
        result.remark(
            Severity::Info,
            "intervals are profile likelihoods: the other parameters are fitted anew at each value",
        );
    }
    if mapped {
        let load = short(round(scales.load, 4));
        result.remark(Severity::Info, format!("force levels hold at a load of {load}, and grow in proportion to it"));
    }
    advise(&mut result, scales);
    result.remarks.sort_by_key(|remark| remark.severity);
    result
}

/// Tells a law whose force has no limit in long sliding although others of its kind have one, and conditions for dissipation that it
/// does not meet. These are sufficient only.
fn tell_unbounded(result: &mut IdentificationResult, spec: &Spec) {
    let of = |spec: &Spec| spec.build().is_ok_and(|law| law.settles());
    let usually = Spec::new(spec.law().name).is_ok_and(|usual| of(&usual));
    if !usually || of(spec) || spec.has(ParameterGroup::Noise) {
        return;
    }
    let failed: Vec<String> = conditions(spec).into_iter().filter(|c| !c.holds).map(|c| c.text).collect();
    let text = match &failed[..] {
        [] => String::new(),
        _ => format!(", and {}, which would show that it is dissipative, does not hold", failed.join(", ")),
    };
    result.remark(
        Severity::Warning,
        format!("with these values the force grows without bound in long sliding{text}; use the law within the travel of the record"),
    );
}

/// The ends of an interval by profile likelihood, if the data give both.
fn bounded(profile: &Option<ProfileLikelihood>) -> Option<[f64; 2]> {
    let [low, high] = profile.as_ref()?.interval;
    Some([low?, high?])
}

/// Profiles as curves; an exact fit has none.
fn profile_curves(vector: &ParameterVector, fit: &Fit, profiles: &[Option<ProfileLikelihood>]) -> Option<ResultCurves> {
    let curves = profiles.iter().enumerate().filter_map(|(j, profile)| {
        let profile = profile.as_ref().filter(|profile| profile.limit > fit.cost)?;
        let rise = |cost: f64| (cost - fit.cost) / (profile.limit - fit.cost);
        let unknown = &vector.unknowns[j];
        Some(ParameterProfile {
            name: unknown.key.clone(),
            unit: unknown.unit.clone(),
            points: profile.points.iter().map(|&[x, cost]| (x, rise(cost))).collect(),
            estimate: fit.values[j],
        })
    });
    let curves: Vec<ParameterProfile> = curves.collect();
    (!curves.is_empty()).then_some(ResultCurves::ProfileLikelihoods(curves))
}

/// Estimates of the free parameters; excesses are converted to parameters of the law.
fn estimates(vector: &ParameterVector, fit: &Fit, level: f64, profiles: &[Option<ProfileLikelihood>]) -> Vec<Estimate> {
    let n = fit.values.len();
    let one = |(j, (value, row)): (usize, (f64, Vec<f64>))| {
        let unknown = &vector.unknowns[j];
        let variance: f64 = (0..n)
            .flat_map(|a| (0..n).map(move |b| (a, b)))
            .filter(|(a, b)| row[*a] != 0.0 && row[*b] != 0.0)
            .map(|(a, b)| fit.covariance.at(a, b))
            .sum();
        let error = variance.max(0.0).sqrt();
        let alone = row.iter().filter(|x| **x != 0.0).count() == 1 && unknown.excess_over.is_none();
        let interval = if alone {
            fit.interval(j, level)
        } else {
            let half = student_t_quantile(
                0.5 + 0.5 * level,
                (fit.degrees_of_freedom / fit.variance_inflation(j).max(1.0)).max(1.0),
            ) * error;
            [value - half, value + half]
        };
        let mut estimate = Estimate::new(&unknown.key, &unknown.unit, value, error, interval);
        if let Some(reach) = fit.reach_from_bound(j, level) {
            // beside what else it is the sum of
            let p = &vector.parameters[j];
            let [low, high] = Estimate::interval_from_bound(fit.values[j], reach, [p.low, p.high]);
            let ends = [interval[0] + low - fit.values[j], interval[1] + high - fit.values[j]];
            estimate = estimate.at_bound(ends);
        }
        if let Some([low, high]) = profiles.get(j).and_then(bounded) {
            estimate.interval = [low, high];
        }
        estimate
    };
    vector.law_parameters(&fit.values).into_iter().enumerate().map(one).collect()
}

/// Covariances of the parameters of the law: `A C Aᵀ`, where they are `A q + c` of the fitted ones.
fn covariance(vector: &ParameterVector, fit: &Fit) -> EstimateCovariance {
    let rows: Vec<Vec<usize>> = vector
        .law_parameters(&fit.values)
        .into_iter()
        .map(|(_, row)| (0..row.len()).filter(|&a| row[a] != 0.0).collect())
        .collect();
    let entry = |one: &Vec<usize>, other: &Vec<usize>| -> f64 {
        one.iter().flat_map(|&a| other.iter().map(move |&b| (a, b))).map(|(a, b)| fit.covariance.at(a, b)).sum()
    };
    let names = vector.unknowns.iter().map(|unknown| unknown.key.clone()).collect();
    let matrix = rows.iter().flat_map(|one| rows.iter().map(move |other| entry(one, other))).collect();
    EstimateCovariance { names, matrix }
}

/// All parameters of the law in order, estimated, given or held, then the other estimates.
fn listed(spec: &Spec, vector: &ParameterVector, found: Vec<Estimate>) -> Vec<Estimate> {
    let mut found: Vec<Option<Estimate>> = found.into_iter().map(Some).collect();
    let mut out = Vec::new();
    for part in [ParameterGroup::Law, ParameterGroup::Reverse, ParameterGroup::Load] {
        for (param, value) in spec.rows(part) {
            let key = part.key(param.name);
            let at = vector.unknowns.iter().position(|unknown| unknown.key == key);
            let own = at.and_then(|j| found[j].take());
            let not_estimated = if spec.is_given(&key) { Estimate::given } else { Estimate::held };
            out.push(own.unwrap_or_else(|| not_estimated(&key, param.unit, value)));
        }
    }
    out.extend(found.into_iter().flatten());
    out
}

fn correlations(fit: &Fit) -> ResultTable {
    let free: Vec<usize> = (0..fit.values.len()).filter(|&j| !fit.bound[j]).collect();
    let all = fit.covariance.correlation();
    let n = fit.values.len();
    let mut columns = vec!["parameter".to_owned()];
    columns.extend(free.iter().map(|&j| fit.names[j].clone()));
    let rows = free.iter().map(|&i| (fit.names[i].clone(), free.iter().map(|&j| all[i * n + j]).collect())).collect();
    ResultTable {
        key: "correlation".to_owned(),
        title: "Correlation of the fitted parameters".to_owned(),
        columns,
        rows,
    }
}
