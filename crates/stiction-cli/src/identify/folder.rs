//! The output folder of an identification.
use super::json;
use super::many_fits::KeptRefits;
use super::plant::FittedScenario;
use crate::error::CommandError;
use crate::output_folder::SCENARIO;
use crate::result_folder::ResultFolder;
use std::path::Path;
use stiction::identify::IdentificationResult;
use stiction::identify::report::{IdentificationReport, figures};
use stiction::plot::Theme;
use stiction::table::{self, ColumnHeaders};

/// Writes the whole report, completely or not at all.
pub fn save(
    dir: &Path,
    report: &IdentificationReport,
    scenario: Option<&FittedScenario>,
    theme: Theme,
) -> Result<(), CommandError> {
    let mut results = ResultFolder::new(dir)?;
    results.text("report.html", &report.html())?;
    let several = report.results.len() > 1;
    for (k, result) in report.results.iter().enumerate() {
        // the first result is the recommended one
        let prefix = if several && k > 0 { format!("{}-", result.key) } else { String::new() };
        if let Some(file) = report.parameter_file(result) {
            file.write(&results.path(&report.model_name(k))?)?;
        }
        for (k, figure) in figures(result).into_iter().enumerate() {
            results.figure(&format!("{prefix}{}", k + 1), &figure.theme(theme))?;
        }
        if result.residuals.iter().any(|residual| !residual.t.is_empty()) {
            let ending = if cfg!(feature = "parquet") { "parquet" } else { "csv" };
            residuals(&results.path(&format!("{prefix}residuals.{ending}"))?, result)?;
        }
    }
    if let Some(FittedScenario { text, files, refits }) = scenario {
        results.text(SCENARIO, text)?;
        for (name, bytes) in files {
            results.bytes(name, bytes)?;
        }
        if let Some(KeptRefits { table, .. }) = refits {
            results.text("bootstrap.csv", table)?;
        }
    }
    results.finish(&json::report(report))
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
