//! The folder an identification writes.
use super::value::value;
use crate::fault::Fault;
use crate::run::folder::{Folder, SCENARIO, SUMMARY};
use crate::stream;
use serde_json::json;
use std::io;
use std::path::Path;
use stiction::core::Param;
use stiction::identified::Identified;
use stiction::identify::report::Report;
use stiction::identify::{Finding, Known};
use stiction::plot::{Format, Theme};
use stiction::table::{self, Heads};
use stiction::{File, Part, Spec, output};

/// Writes all of a report, whole or not at all.
pub fn save(dir: &Path, report: &Report, scenario: Option<&str>, theme: Theme) -> Result<(), Fault> {
    let folder = Folder::new(dir)?;
    let mut files = vec!["report.html".to_owned()];
    output::write(&folder.path("report.html"), |out| out.write_all(report.html().as_bytes()))?;
    let several = report.findings.len() > 1;
    for (k, finding) in report.findings.iter().enumerate() {
        // the first one is the one to use
        let prefix = if several && k > 0 { format!("{}-", finding.key) } else { String::new() };
        if let Some(spec) = &finding.law {
            let name = format!("{prefix}model.toml");
            model(spec, finding, report).write(&folder.path(&name))?;
            files.push(name);
        }
        for (k, figure) in finding.pictures.iter().enumerate() {
            for (ending, format) in [("svg", Format::Svg), ("png", Format::Png)] {
                if cfg!(feature = "png") || format == Format::Svg {
                    let name = format!("{prefix}{}.{ending}", k + 1);
                    figure.clone().theme(theme).write(&folder.path(&name), format)?;
                    files.push(name);
                }
            }
        }
        if finding.residuals.iter().any(|residual| !residual.t.is_empty()) {
            let ending = if cfg!(feature = "parquet") { "parquet" } else { "csv" };
            let name = format!("{prefix}residuals.{ending}");
            residuals(&folder.path(&name), finding)?;
            files.push(name);
        }
    }
    if let Some(text) = scenario {
        output::write(&folder.path(SCENARIO), |out| out.write_all(text.as_bytes()))?;
        files.push(SCENARIO.to_owned());
    }
    files.push(SUMMARY.to_owned());
    let mut all = value(report);
    all["files"] = json!(files);
    output::write(&folder.path(SUMMARY), |out| {
        serde_json::to_writer_pretty(&mut *out, &all).map_err(io::Error::from)?;
        writeln!(out)
    })?;
    let path = folder.finish()?;
    stream::note(format_args!("wrote {}: {}", path.display(), files.join(", ")));
    Ok(())
}

/// The law as a file that scenarios take, with its errors and where it comes from.
fn model(spec: &Spec, finding: &Finding, report: &Report) -> File {
    let parameter = |name: &str| {
        let has = |part: Part| part.params(spec.law()).iter().any(|p: &Param| part.key(p.name) == name);
        Part::ALL.into_iter().any(has)
    };
    let sought = || finding.estimates.iter().filter(|e| e.known != Known::Given);
    let identified = Identified {
        version: report.version.clone(),
        command: report.command.clone(),
        files: report.inputs.iter().map(|input| input.name.clone()).collect(),
        sha256: report.inputs.iter().map(|input| input.sha256.clone()).collect(),
        plant: finding.estimates.iter().filter(|e| !parameter(&e.name)).map(|e| (e.name.clone(), e.value)).collect(),
        error: sought().map(|e| (e.name.clone(), e.error)).collect(),
        interval: sought().map(|e| (e.name.clone(), e.interval)).collect(),
        unknown: sought().filter(|e| matches!(e.known, Known::Not | Known::Bound)).map(|e| e.name.clone()).collect(),
    };
    File { provenance: Some(finding.title.clone()), spec: spec.clone(), identified: Some(identified) }
}

/// What was measured beside what the law says; records by number.
fn residuals(path: &Path, finding: &Finding) -> Result<(), Fault> {
    let heads = Heads::from([("record", ""), ("t", "s"), ("measured", ""), ("model", ""), ("residual", "")]);
    table::write(path, &heads, |row| {
        for (k, record) in finding.residuals.iter().enumerate() {
            for ((t, measured), model) in record.t.iter().zip(&record.measured).zip(&record.model) {
                row(&[(k + 1) as f64, *t, *measured, *model, measured - model])?;
            }
        }
        Ok(())
    })?;
    Ok(())
}
