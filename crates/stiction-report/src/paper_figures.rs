//! The experiments of published papers: what was measured, their pictures, and the page that shows them.
use crate::Report;
use crate::references::Source;
use crate::text::table;
use serde::{Serialize, Serializer};
use serde_json::Value;
use stiction::figures::page::{DARK, PageEntry, page};
use stiction::figures::{self, ExperimentOutcome, ExperimentValue, PaperExperiment};
use stiction::number::{round, short};
use stiction::parallel;
use stiction::plot::{Figure, ImageFormat, Theme};
use stiction::{Error, FileError};

/// The page.
pub const INDEX: &str = "index.html";
/// The measured values.
pub const SUMMARY: &str = "summary.json";

/// Experiments of published papers that have run.
pub struct PaperFigures(Vec<(&'static PaperExperiment, ExperimentOutcome)>);

/// A picture that has been drawn: the name of its files without ending, and their contents by ending.
struct DrawnPicture {
    name: String,
    files: Vec<(String, Vec<u8>)>,
}

impl PaperFigures {
    /// The experiments with these names, in the order of the papers; all if there are none.
    ///
    /// # Errors
    /// [`Error::UnknownName`].
    pub fn choose(ids: &[String]) -> Result<Vec<&'static PaperExperiment>, Error> {
        let named = ids.iter().map(|id| figures::find(id)).collect::<Result<Vec<_>, _>>()?;
        let is_named = |experiment: &&PaperExperiment| named.iter().any(|other| other.id == experiment.id);
        Ok(figures::all().filter(|experiment| named.is_empty() || is_named(experiment)).collect())
    }
    /// Runs experiments on all processors; `finished` is told of each.
    ///
    /// # Errors
    /// Those of the experiments.
    pub fn run(
        experiments: &[&'static PaperExperiment],
        finished: &(impl Fn(&PaperExperiment) + Sync),
    ) -> Result<Self, Error> {
        let outcomes = parallel::map(experiments, |experiment| {
            let outcome = (experiment.run)();
            finished(experiment);
            outcome
        });
        let outcomes = outcomes.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(Self(experiments.iter().copied().zip(outcomes).collect()))
    }
    /// Each experiment with its outcome.
    pub fn experiments(&self) -> impl Iterator<Item = (&'static PaperExperiment, &ExperimentOutcome)> {
        self.0.iter().map(|(experiment, outcome)| (*experiment, outcome))
    }
    /// The names of an experiment's pictures, without ending.
    pub fn names(experiment: &PaperExperiment, outcome: &ExperimentOutcome) -> Vec<String> {
        let id = experiment.id.to_lowercase();
        let name = |k: usize| if k == 0 { id.clone() } else { format!("{id}-{}", k + 1) };
        (0..outcome.pictures.len()).map(name).collect()
    }
    /// The files of a folder, by name: the page, its pictures as SVG and PNG, and the values. Without a theme the page follows the reader's
    /// screen, and there is an SVG for each.
    ///
    /// # Errors
    /// [`Error::File`] if a picture cannot be drawn.
    pub fn files(&self, theme: Option<Theme>) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let drawn = parallel::map(&self.0, |(experiment, outcome)| {
            let names = Self::names(experiment, outcome);
            names.into_iter().zip(&outcome.pictures).map(|(name, figure)| draw(name, figure, theme)).collect()
        });
        let drawn = drawn.into_iter().collect::<Result<Vec<Vec<DrawnPicture>>, Error>>()?;
        let names: Vec<Vec<String>> =
            drawn.iter().map(|pictures| pictures.iter().map(|picture| picture.name.clone()).collect()).collect();
        let entries = self.0.iter().zip(&names);
        let entries = entries.map(|((experiment, outcome), names)| PageEntry { experiment, outcome, names });
        let html = page(&entries.collect::<Vec<_>>(), theme, |key| Source::new(key).text());
        let mut files: Vec<(String, Vec<u8>)> = drawn.into_iter().flatten().flat_map(|picture| picture.files).collect();
        files.push((INDEX.to_owned(), html.into_bytes()));
        let listed: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).chain([SUMMARY]).collect();
        let summary = FiguresSummary { stiction: env!("CARGO_PKG_VERSION"), figures: self, files: &listed };
        let summary = serde_json::to_string_pretty(&summary).unwrap_or_default() + "\n";
        files.push((SUMMARY.to_owned(), summary.into_bytes()));
        Ok(files)
    }
}

#[derive(Serialize)]
struct FiguresSummary<'a> {
    stiction: &'a str,
    figures: &'a PaperFigures,
    files: &'a [&'a str],
}

/// The values of each experiment by key, in the order of the papers.
impl Serialize for PaperFigures {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.experiments().map(|(experiment, outcome)| (experiment.id, ValuesByKey(outcome))))
    }
}
struct ValuesByKey<'a>(&'a ExperimentOutcome);
impl Serialize for ValuesByKey<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.values.iter().map(|value| (&value.key, value.value)))
    }
}

/// A picture as files.
fn draw(name: String, figure: &Figure, theme: Option<Theme>) -> Result<DrawnPicture, Error> {
    let figure = figure.clone().theme(theme.unwrap_or_default());
    let mut files = vec![(format!("{name}.svg"), figure.svg().into_bytes())];
    if theme.is_none() {
        files.push((format!("{name}{DARK}.svg"), figure.clone().theme(Theme::Dark).svg().into_bytes()));
    }
    if ImageFormat::Png.available() {
        let name = format!("{name}.png");
        let bad = |io| FileError { path: name.clone().into(), action: "draw", io };
        files.push((name.clone(), figure.bytes(ImageFormat::Png).map_err(bad)?));
    }
    Ok(DrawnPicture { name, files })
}

/// An experiment for a reader.
pub fn experiment_text(experiment: &PaperExperiment, outcome: &ExperimentOutcome) -> String {
    let PaperExperiment { id, title, source, .. } = experiment;
    let row = |value: &ExperimentValue| [value.key.clone(), short(round(value.value, 10)), value.unit.to_owned()];
    let rows: Vec<_> = outcome.values.iter().map(row).collect();
    format!("{id}  {title} ({}, {})\n{}", source.0, source.1, table(&rows, &[1]))
}

impl Report for PaperFigures {
    fn text(&self) -> String {
        let texts: Vec<String> = self.experiments().map(|(one, outcome)| experiment_text(one, outcome)).collect();
        texts.join("\n")
    }
    fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
