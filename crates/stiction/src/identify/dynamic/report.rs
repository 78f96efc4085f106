//! What a fit of a law tells.
use super::excite::unknown;
use super::force::model;
use super::run::Run;
use super::score::scores;
use super::sought::{Place, Sought};
use super::{Options, Scales};
use crate::fit::Fit;
use crate::identify::{Estimate, Finding, Motion, Residual, Tabular, Tone};
use crate::number::{round, short};
use crate::statistics::student_t_quantile;
use crate::{ParameterGroup, Spec};

pub(super) fn report(
    motions: &[Motion],
    runs: &[Run],
    sought: &Sought,
    fit: &Fit,
    options: &Options,
    scales: &Scales,
    (mapped, profiles): (bool, &[Option<[f64; 2]>]),
) -> Finding {
    let law = sought.spec.law();
    let mut finding = Finding::new("dynamic", format!("{} fitted to friction", law.name));
    let estimates = estimates(sought, fit, options.level, profiles);
    let mut spec = sought.spec.clone();
    for (estimate, unknown) in estimates.iter().zip(&sought.unknowns) {
        if matches!(unknown.place, Place::Law(_)) {
            // within its bounds by rounding at most
            let _ = spec.set(&unknown.key, estimate.value).is_ok();
        }
    }
    finding.estimates = listed(&spec, sought, estimates);
    finding.law = Some(spec);
    for (motion, run) in motions.iter().zip(runs) {
        let (measured, model) = model(run, sought, options.settled, &fit.values);
        let t = run.t[run.from..].to_vec();
        finding.residuals.push(Residual {
            name: motion.name.clone(),
            what: "friction [N]".to_owned(),
            t,
            measured,
            model,
        });
    }
    let free = fit.bound.iter().filter(|bound| !**bound).count();
    finding.scores = scores(&finding.residuals, free, "N");
    finding.tables.push(correlations(fit));
    if !fit.reason.converged() {
        finding.remark(Tone::Doubt, format!("the fit did not arrive: {}", fit.reason.text()));
    }
    if profiles.iter().any(Option::is_some) {
        finding.remark(Tone::Plain, "intervals are those of the profile: each follows the valley of the others");
    }
    if mapped {
        let load = short(round(scales.load, 4));
        finding.remark(Tone::Plain, format!("force levels hold at a load of {load}, and grow in proportion to it"));
    }
    unknown(&mut finding, scales);
    finding.remarks.sort_by_key(|remark| remark.tone);
    finding
}

/// What was sought, with errors; excesses become values again.
fn estimates(sought: &Sought, fit: &Fit, level: f64, profiles: &[Option<[f64; 2]>]) -> Vec<Estimate> {
    let n = fit.values.len();
    let one = |(j, (value, row)): (usize, (f64, Vec<f64>))| {
        let unknown = &sought.unknowns[j];
        let variance: f64 = (0..n)
            .flat_map(|a| (0..n).map(move |b| (a, b)))
            .filter(|(a, b)| row[*a] != 0.0 && row[*b] != 0.0)
            .map(|(a, b)| fit.covariance.at(a, b))
            .sum();
        let error = variance.max(0.0).sqrt();
        let alone = row.iter().filter(|x| **x != 0.0).count() == 1 && unknown.above.is_none();
        let interval = if alone {
            fit.interval(j, level)
        } else {
            let half = student_t_quantile(0.5 + 0.5 * level, (fit.freedom / fit.growth(j).max(1.0)).max(1.0)) * error;
            [value - half, value + half]
        };
        let mut estimate = Estimate::found(&unknown.key, &unknown.unit, value, error, interval);
        if fit.bound[j] {
            estimate = estimate.held();
        }
        if let Some([low, high]) = profiles.get(j).copied().flatten() {
            estimate.interval = [low, high];
        }
        estimate
    };
    sought.outer(&fit.values).into_iter().enumerate().map(one).collect()
}

/// All of the law's values in order, sought or given, then the others.
fn listed(spec: &Spec, sought: &Sought, found: Vec<Estimate>) -> Vec<Estimate> {
    let mut found: Vec<Option<Estimate>> = found.into_iter().map(Some).collect();
    let mut out = Vec::new();
    for part in [ParameterGroup::Law, ParameterGroup::Reverse, ParameterGroup::Load] {
        for (param, value) in spec.rows(part) {
            let key = part.key(param.name);
            let at = sought.unknowns.iter().position(|unknown| unknown.key == key);
            let own = at.and_then(|j| found[j].take());
            out.push(own.unwrap_or_else(|| Estimate::given(&key, param.unit, value)));
        }
    }
    out.extend(found.into_iter().flatten());
    out
}

fn correlations(fit: &Fit) -> Tabular {
    let free: Vec<usize> = (0..fit.values.len()).filter(|&j| !fit.bound[j]).collect();
    let all = fit.covariance.correlation();
    let n = fit.values.len();
    let mut heads = vec!["parameter".to_owned()];
    heads.extend(free.iter().map(|&j| fit.names[j].clone()));
    let rows = free.iter().map(|&i| (fit.names[i].clone(), free.iter().map(|&j| all[i * n + j]).collect())).collect();
    Tabular { key: "correlation".to_owned(), title: "Correlation of what was sought".to_owned(), heads, rows }
}
