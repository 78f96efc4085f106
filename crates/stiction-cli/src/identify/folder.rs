//! The output folder of an identification.
use super::json;
use crate::error::CommandError;
use crate::output_folder::SCENARIO;
use crate::result_folder::ResultFolder;
use std::path::Path;
use stiction::core::Param;
use stiction::identification_record::IdentificationRecord;
use stiction::identify::report::{IdentificationReport, figures};
use stiction::identify::{Estimate, Identifiability, IdentificationResult};
use stiction::plot::Theme;
use stiction::table::{self, ColumnHeaders};
use stiction::{ParameterFile, ParameterGroup, Spec};

/// Writes the whole report, completely or not at all.
pub fn save(
    dir: &Path,
    report: &IdentificationReport,
    scenario: Option<&str>,
    theme: Theme,
) -> Result<(), CommandError> {
    let mut results = ResultFolder::new(dir)?;
    results.text("report.html", &report.html())?;
    let several = report.results.len() > 1;
    for (k, result) in report.results.iter().enumerate() {
        // the first result is the recommended one
        let prefix = if several && k > 0 { format!("{}-", result.key) } else { String::new() };
        if let Some(spec) = &result.law {
            model(spec, result, report).write(&results.path(&format!("{prefix}model.toml"))?)?;
        }
        for (k, figure) in figures(result).into_iter().enumerate() {
            results.figure(&format!("{prefix}{}", k + 1), &figure.theme(theme))?;
        }
        if result.residuals.iter().any(|residual| !residual.t.is_empty()) {
            let ending = if cfg!(feature = "parquet") { "parquet" } else { "csv" };
            residuals(&results.path(&format!("{prefix}residuals.{ending}"))?, result)?;
        }
    }
    if let Some(text) = scenario {
        results.text(SCENARIO, text)?;
    }
    results.finish(&json::report(report))
}

/// The law as a parameter file for scenarios, with its uncertainty and provenance.
pub fn model(spec: &Spec, result: &IdentificationResult, report: &IdentificationReport) -> ParameterFile {
    let parameter = |name: &str| {
        let has = |part: ParameterGroup| part.params(spec.law()).iter().any(|p: &Param| part.key(p.name) == name);
        ParameterGroup::ALL.into_iter().any(has)
    };
    // of friction that grows with load, the estimate is the part without load; the parameter is the level at the nominal load
    let name = |e: &Estimate| {
        let loaded = format!("{}.load", e.name);
        let grows = parameter(&e.name) && result.estimates.iter().any(|other| other.name == loaded);
        if grows { format!("{} without load", e.name) } else { e.name.clone() }
    };
    let fitted = || result.estimates.iter().filter(|e| e.identifiability != Identifiability::Given);
    let identified = IdentificationRecord {
        turns: report.rotational,
        version: report.version.clone(),
        command: report.command.clone(),
        files: report.inputs.iter().map(|input| input.name.clone()).collect(),
        sha256: report.inputs.iter().map(|input| input.sha256.clone()).collect(),
        // a negative mass is a sign of wrong data; a parameter file with one could not be read again
        plant: result
            .estimates
            .iter()
            .map(|e| (name(e), e.value))
            .filter(|(name, value)| !(parameter(name) || name == "mass" && *value < 0.0))
            .collect(),
        terms: report.terms.clone(),
        error: fitted().map(|e| (name(e), e.error)).collect(),
        interval: fitted().map(|e| (name(e), e.interval)).collect(),
        unknown: fitted()
            .filter(|e| matches!(e.identifiability, Identifiability::Unidentifiable | Identifiability::AtBound))
            .map(|e| e.name.clone())
            .collect(),
    };
    ParameterFile {
        provenance: Some(result.title.clone()),
        spec: spec.clone(),
        identified: Some(identified),
        device: None,
    }
}

/// Measured values beside those of the law; records by number.
fn residuals(path: &Path, result: &IdentificationResult) -> Result<(), CommandError> {
    let heads = ColumnHeaders::from([("record", ""), ("t", "s"), ("measured", ""), ("model", ""), ("residual", "")]);
    table::write(path, &heads, |row| {
        for (k, record) in result.residuals.iter().enumerate() {
            for ((t, measured), model) in record.t.iter().zip(&record.measured).zip(&record.model) {
                row(&[(k + 1) as f64, *t, *measured, *model, measured - model])?;
            }
        }
        Ok(())
    })?;
    Ok(())
}
