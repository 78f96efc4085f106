//! Pages of the laws for the book: Markdown and pictures.
mod overview;
mod pictures;

use crate::error::CommandError;
use crate::law_page::LawPage;
use crate::output_folder::{OutputFolder, SUMMARY};
use crate::{stream, wrappers};
use pictures::DrawnLaw;
use serde_json::json;
use std::path::Path;
use stiction::analysis::characteristic_scales::CharacteristicScales;
use stiction::analysis::phenomena::{ALL_PHENOMENA, PhenomenaReport, measure_all};
use stiction::core::models::ALL;
use stiction::number::{round, short};
use stiction::sim::StopFlag;
use stiction::units::LawUnits;
use stiction::{Error, Spec, output, parallel};

/// Files of the book, by name.
type Files = Vec<(String, String)>;

/// Writes a page with pictures for every law and wrapper, an overview and the sources. `experiments`: also the
/// measured phenomena, which takes a while.
pub fn write(path: &Path, experiments: bool) -> Result<(), CommandError> {
    let folder = OutputFolder::new(path)?;
    let specs = ALL.iter().map(|law| Ok(Spec::new(law.name)?)).collect::<Result<Vec<_>, CommandError>>()?;
    let reports = if experiments { measure_all(&specs, &ALL_PHENOMENA, &StopFlag::default())? } else { Vec::new() };
    let mut files = overview::files(&specs, &reports)?;
    for made in parallel::map(&specs, |spec| law(spec, &reports)) {
        files.extend(made?);
    }
    for wrapper in wrappers::ALL {
        files.extend(dressed(wrapper)?);
    }
    let names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
    let summary = json!({ "stiction": env!("CARGO_PKG_VERSION"), "files": names }).to_string();
    for (name, text) in files.iter().map(|(n, t)| (n.as_str(), t)).chain([(SUMMARY, &summary)]) {
        output::write(&folder.path(name), |out| out.write_all(text.as_bytes()))?;
    }
    stream::note(format_args!("wrote {}: {} files", folder.finish()?.display(), files.len()));
    Ok(())
}

fn law(spec: &Spec, reports: &[PhenomenaReport]) -> Result<Files, CommandError> {
    let name = spec.law().name;
    let case = DrawnLaw { name: String::new(), spec: spec.clone(), load: 1.0 };
    let measured = reports.iter().find(|report| report.spec.law().name == name).map(overview::row);
    files(LawPage::law(spec.law()), &[case], measured.as_deref())
}

/// A wrapper around a law that shows its effect.
fn dressed(wrapper: &wrappers::Wrapper) -> Result<Files, CommandError> {
    let case = |name: &str, law: &str, values: &[(&str, f64)], load: f64| -> Result<DrawnLaw, Error> {
        let mut spec = Spec::new(law)?;
        for (key, value) in values {
            spec.set(key, *value)?;
        }
        Ok(DrawnLaw { name: name.to_owned(), spec, load })
    };
    let bars = [("load.base", 1.0), ("load.slope", 0.1)];
    let cases = match wrapper.name {
        "asymmetric" => vec![case("", "lugre", &[("reverse.fc", 0.6), ("reverse.fs", 0.9)], 1.0)?],
        "loaded" => vec![case("0 bar", "lugre", &bars, 0.0)?, case("10 bar", "lugre", &bars, 10.0)?],
        _ => vec![case("", "lugre", &[("noise.amplitude", 0.05), ("noise.frequency", 1.0)], 1.0)?],
    };
    files(LawPage::wrapper(wrapper), &cases, None)
}

fn files(page: LawPage, cases: &[DrawnLaw], measured: Option<&str>) -> Result<Files, CommandError> {
    let name = page.name();
    let spec = &cases[0].spec;
    let scales = CharacteristicScales::measure(&Spec::new(spec.law().name)?)?;
    let around = if name == spec.law().name { String::new() } else { format!(" Here around `{}`.", spec.law().name) };
    let speed = LawUnits::of(spec.law()).speed;
    let made = [
        (
            "Steady curve",
            "curve",
            pictures::curve(name, cases, &scales)?,
            format!("The force after sliding for long at each speed: through rest, and by decades of speed.{around}"),
        ),
        (
            "Loops",
            "loops",
            pictures::loops(name, cases, &scales)?,
            format!(
                "The force as the contact is moved to and fro by X sin ωt, slowly (at most {} {speed}), once it repeats or after {} cycles.{around}",
                short(round(pictures::SPEED * scales.speed, 2)),
                pictures::CYCLES
            ),
        ),
    ];
    let shown: Vec<_> =
        made.iter().map(|(title, end, _, text)| (*title, format!("{name}-{end}.svg"), text.clone())).collect();
    let mut out = vec![(format!("{name}.md"), page.markdown(&shown, measured))];
    out.extend(made.iter().map(|(_, end, figure, _)| (format!("{name}-{end}.svg"), figure.svg())));
    Ok(out)
}
