//! Which of several shapes.
use super::judge::{Judged, Leave, judge};
use super::sample::Samples;
use super::shape::{Curve, Shape};
use super::solve::{Solved, solve};
use super::{Finding, Options, Tabular, Tone};
use crate::NumericsError;
use crate::fit::InformationCriteria;
use crate::linalg::norm;
use crate::number::{round, short};
use crate::parallel;

/// Stretches of time that are left out one by one, where records cannot be.
const BLOCKS: usize = 5;

/// A shape that was tried.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its fit.
    pub solved: Solved,
    /// How it predicts what it was not fitted to; nothing if too few samples are left to fit.
    pub judged: Option<Judged>,
    /// What a choice by information needs.
    pub information: InformationCriteria,
}

/// All that were tried.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// The best first.
    pub candidates: Vec<Candidate>,
    /// Which one to take: the one with the fewest parameters that the best does not beat by more than chance.
    pub chosen: usize,
    /// Whether Stribeck curves were left out because the level rises with speed.
    pub rising: bool,
}

/// Fits what is asked for, or all that makes sense.
///
/// # Errors
/// [`NumericsError`], if the one that is asked for, or every one, cannot be fitted.
pub fn rank(samples: &Samples, base: &Shape, options: &Options) -> Result<Ranked, NumericsError> {
    let shapes = shapes(base, options, samples);
    let all = parallel::map(&shapes, |shape| -> Result<Candidate, NumericsError> {
        let solved = solve(shape, samples, &options.how)?;
        // a record that is needed to fit at all cannot be left out: then stretches of time
        let judged = judge(shape, samples, options.leave, &options.how)
            .or_else(|_| judge(shape, samples, Leave::Blocks(BLOCKS), &options.how))
            .ok();
        let information = InformationCriteria::new(&solved.residual, shape.count());
        Ok(Candidate { solved, judged, information })
    });
    let mut candidates = Vec::new();
    let mut flaw = None;
    let asked = options.curve.is_some();
    let mut rising = false;
    for candidate in all {
        match candidate {
            // a level that rises with speed is none of Stribeck's: no law has it
            Ok(Candidate { solved: Solved { drop: Some([drop, _]), .. }, .. }) if drop <= 0.0 && !asked => {
                rising = true
            }
            Ok(candidate) => candidates.push(candidate),
            Err(why) => flaw = flaw.or(Some(why)),
        }
    }
    if candidates.is_empty() {
        return Err(flaw.unwrap_or(NumericsError::TooFew {
            what: "samples that slide",
            need: 16,
            have: samples.len(),
        }));
    }
    // one number of samples for all: that of the best fit, whose residuals are nearest to noise
    let size = |c: &Candidate| norm(&c.solved.residual);
    let best = candidates.iter().min_by(|a, b| size(a).total_cmp(&size(b))).map(|c| c.information.effective);
    for c in &mut candidates {
        let count = best.unwrap_or(c.information.effective);
        c.information.bic_effective = InformationCriteria::schwarz(&c.solved.residual, c.solved.shape.count(), count);
    }
    // where nothing can be left out, Schwarz's criterion decides
    let blind = candidates.iter().any(|c| c.judged.is_none());
    let error = |c: &Candidate| match &c.judged {
        Some(judged) if !blind => judged.rms,
        _ => c.information.bic_effective,
    };
    candidates.sort_by(|a, b| error(a).total_cmp(&error(b)).then(a.solved.shape.count().cmp(&b.solved.shape.count())));
    let chosen = (0..candidates.len())
        .filter(|&k| match (&candidates[0].judged, &candidates[k].judged) {
            (Some(best), Some(this)) if !blind => k == 0 || !best.beats(this),
            _ => k == 0,
        })
        .min_by_key(|&k| (candidates[k].solved.shape.count(), k))
        .unwrap_or(0);
    Ok(Ranked { candidates, chosen, rising })
}

fn shapes(base: &Shape, options: &Options, samples: &Samples) -> Vec<Shape> {
    let curves = match options.curve {
        Some(curve) => vec![curve],
        None => vec![Curve::Coulomb, Curve::Viscous, Curve::Stribeck(10), Curve::Stribeck(20), Curve::Stribeck(0)],
    };
    let forward = samples.v.iter().filter(|v| **v > 0.0).count();
    let both = forward.min(samples.len() - forward) * 20 > samples.len();
    let sides = match (options.sided, options.curve) {
        (Some(sided), _) => vec![sided],
        (None, Some(_)) => vec![false],
        (None, None) => vec![false, true],
    };
    let mut out = Vec::new();
    for &sided in &sides {
        for &curve in &curves {
            // one direction tells nothing of the other, nor an offset from a level
            if sided && curve == Curve::Coulomb && base.offset && options.curve.is_none() {
                // two levels, or one and an offset, are the same
                continue;
            }
            let shape = Shape { curve, sided: sided && both, offset: base.offset && both, ..*base };
            if !out.contains(&shape) {
                out.push(shape);
            }
        }
    }
    out
}

/// All candidates, the best first.
pub fn table(candidates: &[Candidate]) -> Tabular {
    let row = |c: &Candidate| {
        let n = c.solved.residual.len() as f64;
        let validation = c.judged.as_ref().map_or(f64::NAN, |judged| judged.rms);
        let numbers = vec![
            c.solved.shape.count() as f64,
            validation,
            norm(&c.solved.residual) / n.sqrt(),
            c.information.aic,
            c.information.bic_effective,
        ];
        (c.solved.shape.title(), numbers)
    };
    Tabular {
        key: "candidates".to_owned(),
        title: "Laws that were tried, best validation first".to_owned(),
        heads: ["law", "parameters", "validation [N]", "rms [N]", "AIC", "BIC"].map(str::to_owned).to_vec(),
        rows: candidates.iter().map(row).collect(),
    }
}

/// Why this one.
pub fn remark(Ranked { candidates, chosen, rising }: &Ranked, finding: &mut Finding) {
    if *rising {
        finding.remark(
            Tone::Plain,
            "no Stribeck effect is seen: at low speed the level does not rise above that of fast sliding",
        );
    }
    let chosen = *chosen;
    if candidates.len() < 2 {
        return;
    }
    if candidates.iter().any(|c| c.judged.is_none()) {
        finding.remark(Tone::Doubt, "too few samples to leave some out: the law was chosen by Schwarz's criterion");
        return;
    }
    let best = &candidates[0];
    let title = |c: &Candidate| c.solved.shape.title();
    let rms = |c: &Candidate| c.judged.as_ref().map_or_else(String::new, |j| format!("{} N", short(round(j.rms, 4))));
    let text = if chosen == 0 {
        format!("{} predicts best what was left out ({})", title(best), rms(best))
    } else {
        let this = &candidates[chosen];
        format!(
            "{} is the simplest law that predicts as well as the best within chance ({} against {} of {})",
            title(this),
            rms(this),
            rms(best),
            title(best)
        )
    };
    finding.remark(Tone::Good, text);
}
