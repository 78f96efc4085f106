//! Result of the identification of presliding.
use super::hysteresis_loops::find_unloadings;
use super::{MemoryTest, PreslidingAnalysis, left};
use crate::identify::{
    Estimate, Identifiability, IdentificationResult, MotionRecord, ResidualSeries, ResultTable, Score, Severity,
};
use stiction_core::Params;
use stiction_core::models::Hysteresis;

/// An insignificant difference larger than this share of the force is inconclusive.
const INCONCLUSIVE_SHARE: f64 = 0.05;

pub(super) fn summarise(motions: &[MotionRecord], found: &PreslidingAnalysis) -> IdentificationResult {
    let mut out = IdentificationResult::new("presliding", "Presliding");
    out.law = found.laws.first().map(|(spec, _)| spec.clone());
    out.estimates.extend(found.exponential.estimates.iter().cloned());
    levels(&mut out, found);
    for error in &found.refused {
        out.remark(Severity::Critical, format!("a law could not be built from these values: {error}"));
    }
    scores(&mut out, found);
    quality(&mut out, motions, found);
    found.checks.iter().for_each(|check| said(&mut out, check));
    out.tables.push(pieces(found));
    out.tables.push(loops(motions, found));
    out.tables.push(released(motions, found));
    let checks = found
        .checks
        .iter()
        .map(|c| (c.name.to_owned(), vec![100.0 * c.part, c.errors, c.count as f64, f64::from(u8::from(c.holds))]));
    let columns = ["property", "difference [%]", "standard errors", "compared", "holds"].map(str::to_owned).to_vec();
    out.tables.push(ResultTable { key: "memory".into(), title: "Memory".into(), columns, rows: checks.collect() });
    if let Some((_, runs)) = found.laws.first() {
        for ((motion, path), run) in motions.iter().zip(&found.paths).zip(runs) {
            let (t, measured, model) = (path.t.clone(), path.force.clone(), run.force.clone());
            out.residuals.push(ResidualSeries {
                name: motion.name.clone(),
                quantity: "friction [N]".into(),
                t,
                measured,
                model,
            });
        }
    }
    out.remarks.sort_by_key(|remark| remark.severity);
    out
}

/// Break-away, sliding and offset.
fn levels(out: &mut IdentificationResult, found: &PreslidingAnalysis) {
    let levels = &found.levels;
    match levels.breakaway {
        Some((level, error, count)) => {
            let half = crate::statistics::student_t_quantile(0.975, (count as f64 - 1.0).max(1.0)) * error;
            out.estimates.push(Estimate::new("fs", "N", level, error, [level - half, level + half]));
            if let Ok(nouri) = super::laws::hysteresis(&found.exponential, levels, found.pool.longest()) {
                let law = Hysteresis::<f64>::from_slice(&nouri.values(crate::ParameterGroup::Law));
                out.estimates.push(full_travel(&law, level, error, found.pool.longest()));
            }
        }
        None => {
            let text = format!(
                "not identifiable from this record: fs; no branch breaks away, so it is at least {:.4} N, and the law has {:.4} N",
                levels.largest,
                levels.top()
            );
            out.remark(Severity::Critical, text);
        }
    }
    if levels.slides.is_none() {
        out.remark(
            Severity::Warning,
            "no sliding in this record: the law's sliding force is set to its break-away force",
        );
    }
    if let Some((_, runs)) = found.laws.first() {
        let rest = runs
            .iter()
            .zip(&found.paths)
            .flat_map(|(run, path)| path.force.iter().zip(&run.force).map(move |(f, m)| f - m + run.offset));
        let rest: Vec<f64> = rest.collect();
        let value = runs.iter().map(|r| r.offset).sum::<f64>() / runs.len() as f64;
        let worth = crate::fit::effective_samples(&rest);
        let mean = rest.iter().sum::<f64>() / rest.len() as f64;
        let spread = (rest.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / rest.len() as f64).sqrt();
        let error = spread / worth.sqrt();
        let half = crate::statistics::student_t_quantile(0.975, (worth - 1.0).max(1.0)) * error;
        out.estimates.push(Estimate::new("offset", "N", value, error, [value - half, value + half]));
        if value.abs() > half && value.abs() > 0.01 * levels.largest {
            out.remark(
                Severity::Warning,
                format!("the force has an offset of {value:.4} N, which no law of friction explains"),
            );
        }
    }
}

/// The travel of a branch between the break-aways of both directions.
fn full_travel(law: &Hysteresis<f64>, level: f64, error: f64, longest: f64) -> Estimate {
    let (mut low, mut high) = (0.0, 1e3 * longest);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if law.branch(middle).0 < 2.0 * level { low = middle } else { high = middle }
    }
    let error = 2.0 * error / law.branch(low).1;
    Estimate::new("zb", "m", low, error, [low - 2.0 * error, low + 2.0 * error])
}

fn scores(out: &mut IdentificationResult, found: &PreslidingAnalysis) {
    let all: Vec<f64> = found.paths.iter().flat_map(|p| p.force.iter().copied()).collect();
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let size = (all.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / all.len() as f64).sqrt();
    for (k, (spec, runs)) in found.laws.iter().enumerate() {
        let (name, rms) = (spec.law().name, left(runs).sqrt());
        let keys = if k == 0 {
            ["rms".to_owned(), "nrmse".to_owned()]
        } else {
            [format!("rms {name}"), format!("nrmse {name}")]
        };
        out.scores.push(Score::new(&keys[0], &format!("error of the replayed force, {name}"), rms, "N"));
        out.scores.push(Score::new(
            &keys[1],
            &format!("rms error / standard deviation of the force, {name}"),
            rms / size,
            "",
        ));
    }
    if let [(best, a), (other, b), ..] = &found.laws[..] {
        let text = format!(
            "of the two laws {} replays the record better: {:.4} N against {:.4} N of {}",
            best.law().name,
            left(a).sqrt(),
            left(b).sqrt(),
            other.law().name
        );
        out.remark(Severity::Info, text);
    }
    let rms = found.laws.first().map_or(f64::NAN, |(_, runs)| left(runs).sqrt());
    let noise = found.paths.iter().map(|p| p.noise[1]).fold(0.0, f64::max);
    if rms > 3.0 * noise && rms > 0.02 * size {
        let text = format!(
            "the replay has an rms error of {rms:.4} N, {:.1} % of the standard deviation of the force; the noise is {noise:.4} N",
            100.0 * rms / size
        );
        out.remark(Severity::Warning, text);
    }
}

/// Remarks on limitations of the record.
fn quality(out: &mut IdentificationResult, motions: &[MotionRecord], found: &PreslidingAnalysis) {
    if found.paths.iter().any(|p| p.integrated) {
        out.remark(Severity::Warning, "no position: the displacement is the integral of the velocity, and drifts");
    }
    if motions.iter().any(|m| m.mass.is_none()) {
        out.remark(
            Severity::Warning,
            "the mass is not known: the applied force counts as friction, which is valid for slow motion only",
        );
    }
    let held = |m: &MotionRecord| {
        super::hysteresis_path::span(&m.load) <= 0.05 * m.load.iter().fold(0.0_f64, |a, b| a.max(b.abs()))
    };
    if motions.iter().any(|m| !m.load.is_empty() && !held(m)) {
        out.remark(Severity::Warning, "the load changes within a record: all branches were taken as of one load");
    }
    let branches = || found.paths.iter().flat_map(|p| &p.branches);
    let slid: usize = branches().map(|b| b.rows.len().saturating_sub(b.presliding_samples)).sum();
    let part = 100.0 * slid as f64 / branches().map(|b| b.rows.len()).sum::<usize>().max(1) as f64;
    if part > 50.0 {
        out.remark(
            Severity::Warning,
            format!("{part:.0} % of the samples slide: presliding is identified from the few others"),
        );
    }
    let straight = found.straight.pieces == 1;
    if straight {
        out.remark(
            Severity::Critical,
            "not identifiable from this record: k1, f1; the branches are straight: use larger amplitudes",
        );
    } else if found.exponential.pieces < 3 {
        out.remark(Severity::Critical, "not identifiable from this record: k2, z2; no branch shows a second knee");
    }
    let unknown = found
        .exponential
        .estimates
        .iter()
        .filter(|e| matches!(e.identifiability, Identifiability::Unidentifiable | Identifiability::AtBound));
    let unknown: Vec<&str> = unknown.map(|e| e.name.as_str()).collect();
    if !unknown.is_empty() && !straight {
        out.remark(
            Severity::Critical,
            format!("not identifiable from this record: {}; its error exceeds its value", unknown.join(", ")),
        );
    }
    if found.pool.begins.len() < 4 {
        let text =
            format!("{} branches from a reversal: more would tell whether they are alike", found.pool.begins.len());
        out.remark(Severity::Warning, text);
    }
}

fn said(out: &mut IdentificationResult, check: &MemoryTest) {
    let (percent, errors) = (100.0 * check.part.abs(), check.errors.abs());
    let (good, bad) = match check.name {
        "Masing" => (
            "all branches follow one curve from their reversal, as Masing's rule says".to_owned(),
            "the branches do not follow one curve, Masing's rule fails".to_owned(),
        ),
        "virgin" => (
            "the initial loading curve is the branch scaled by one half".to_owned(),
            "the initial loading curve is not the branch scaled by one half, or the contact was loaded before"
                .to_owned(),
        ),
        "symmetry" => (
            "the loops are point-symmetric".to_owned(),
            "the loops are not point-symmetric, left and right differ".to_owned(),
        ),
        _ => (
            "return-point memory holds".to_owned(),
            "return-point memory fails, inner loops do not close where they began".to_owned(),
        ),
    };
    let sure = if errors.is_finite() { format!("{errors:.1} standard errors") } else { "without noise".to_owned() };
    let (severity, text) = match (check.holds, check.is_chance()) {
        (true, true) if percent > 100.0 * INCONCLUSIVE_SHARE => {
            (Severity::Warning, format!("this record does not show whether {good}: {percent:.0} %, {sure}"))
        }
        (true, true) => (Severity::Good, format!("{good}, within noise: {percent:.2} %, {sure}")),
        (true, false) => (Severity::Good, format!("{good}, but for {percent:.2} % of the force")),
        (false, _) => (Severity::Critical, format!("{bad}: {percent:.1} %, {sure}")),
    };
    out.remark(severity, text);
}

fn pieces(found: &PreslidingAnalysis) -> ResultTable {
    let row = |e: &Estimate| (format!("{} [{}]", e.name, e.unit), vec![e.value, e.error, e.interval[0], e.interval[1]]);
    let columns = ["parameter", "value", "standard error", "low", "high"].map(str::to_owned).to_vec();
    let title = format!("The branch in {} straight pieces", found.straight.pieces);
    ResultTable { key: "pieces".into(), title, columns, rows: found.straight.estimates.iter().map(row).collect() }
}

fn loops(motions: &[MotionRecord], found: &PreslidingAnalysis) -> ResultTable {
    let columns =
        ["record", "t [s]", "x₋ [m]", "x₊ [m]", "F₋ [N]", "F₊ [N]", "area [J]", "centre [N]", "asymmetry [%]", "inner"];
    let rows = found.loops.iter().map(|(index, l)| {
        let values = vec![
            l.t,
            l.x[0],
            l.x[1],
            l.force[0],
            l.force[1],
            l.area,
            l.centre,
            100.0 * l.asymmetry,
            f64::from(u8::from(l.inner)),
        ];
        (motions[*index].name.clone(), values)
    });
    ResultTable {
        key: "loops".into(),
        title: "Loops".into(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}

fn released(motions: &[MotionRecord], found: &PreslidingAnalysis) -> ResultTable {
    let columns =
        ["record", "t [s]", "force [N]", "elastic [m]", "plastic [m]", "work in [J]", "work back [J]", "lost [J]"];
    let rows = motions.iter().zip(&found.paths).flat_map(|(motion, path)| {
        let row = |r: &super::Unloading| {
            (motion.name.clone(), vec![r.t, r.force, r.elastic, r.plastic, r.spent, r.recovered, r.spent - r.recovered])
        };
        find_unloadings(path, found.centre).iter().map(row).collect::<Vec<_>>()
    });
    let title = "Force put on and taken off".into();
    ResultTable { key: "releases".into(), title, columns: columns.map(str::to_owned).to_vec(), rows: rows.collect() }
}
