//! `stiction figures`.
use crate::error::CommandError;
use crate::output_folder::{OutputFolder, SUMMARY};
use crate::picture::PictureArgs;
use crate::progress::Progress;
use crate::references::Source;
use crate::stream;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use stiction::FileError;
use stiction::figures::page::{DARK, PageEntry, page};
use stiction::figures::{self, ExperimentOutcome, PaperExperiment};
use stiction::number::{round, short};
use stiction::parallel;
use stiction::plot::Theme;
use stiction::{Error, output};
use stiction_report::text;

/// Simulate the experiments of published papers and draw their figures.
///
/// Prints the measured values; with --plot it also draws the figures in the terminal. With -o, every experiment is
/// drawn as in its paper (SVG and PNG), and a page, index.html, shows them all with their parameters. Without --theme,
/// the page is light or dark like the screen of the reader, and there is an SVG for each; with --theme, everything is
/// in that theme.
///
/// O1 to O5 are from Olsson (1993), A1 to A15 from the lectures of Åström, G1 to G6 from Gros (2021), N1 to N5 from
/// Nouri (2004), B1 to B12 from Andersson (2007).
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction figures\n  stiction figures O5 a7\n  stiction figures a11 --plot\n  stiction figures -o figures\n  stiction figures --json"
)]
pub struct Args {
    /// Experiments, such as O5 or a7; default: all of them.
    #[arg(value_name = "ID", value_parser = ExperimentNames, hide_possible_values = true)]
    ids: Vec<String>,
    /// Write pictures, page and values to this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// Accepts any text, and gives shell completion the names of the experiments.
#[derive(Clone)]
struct ExperimentNames;
impl TypedValueParser for ExperimentNames {
    type Value = String;
    fn parse_ref(&self, cmd: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(cmd, arg, value)
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(figures::all().map(|experiment| PossibleValue::new(experiment.id))))
    }
}

/// A picture that has been drawn: the name of its files without ending, and their contents.
struct DrawnPicture {
    name: String,
    svg: String,
    /// The same for dark screens, if the theme follows the reader's screen.
    dark: Option<String>,
    #[cfg(feature = "png")]
    png: Vec<u8>,
}

/// An experiment that has run.
struct FinishedExperiment {
    experiment: &'static PaperExperiment,
    outcome: ExperimentOutcome,
    drawn: Vec<DrawnPicture>,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let wanted = chosen(&args.ids)?;
    args.output.as_deref().map_or(Ok(()), OutputFolder::check)?;
    let progress = Progress::of_items(wanted.len());
    let results = parallel::map(&wanted, |experiment| {
        let done = perform(experiment, args);
        progress.count_item(experiment.title);
        done
    });
    progress.end();
    let done = results.into_iter().collect::<Result<Vec<FinishedExperiment>, Error>>()?;
    if let Some(path) = &args.output {
        let folder = OutputFolder::new(path)?;
        let files = write(&folder, &done, args.picture.chosen_theme())?;
        let path = folder.finish()?;
        stream::note(format_args!("wrote {}: index.html and {} other files", path.display(), files - 1));
    }
    let show = |done: &FinishedExperiment| args.picture.show(&done.outcome.pictures, json);
    if json {
        done.iter().try_for_each(show)?;
        return stream::json(&ValuesByExperiment(&done));
    }
    for (k, done) in done.iter().enumerate() {
        let gap = if k == 0 { "" } else { "\n" };
        let list = list(done);
        stream::text(&format!("{gap}{list}"))?;
        show(done)?;
    }
    Ok(())
}

/// The experiments with these names, in the order of the papers; all if there are none.
fn chosen(ids: &[String]) -> Result<Vec<&'static PaperExperiment>, Error> {
    let named = ids.iter().map(|id| figures::find(id)).collect::<Result<Vec<_>, _>>()?;
    let is_named = |experiment: &&PaperExperiment| named.iter().any(|other| other.id == experiment.id);
    Ok(figures::all().filter(|experiment| named.is_empty() || is_named(experiment)).collect())
}

fn perform(experiment: &'static PaperExperiment, args: &Args) -> Result<FinishedExperiment, Error> {
    let mut outcome = (experiment.run)()?;
    outcome.pictures.iter_mut().for_each(|figure| figure.theme = args.picture.theme());
    let mut drawn = Vec::new();
    for (k, figure) in outcome.pictures.iter().enumerate().filter(|_| args.output.is_some()) {
        let id = experiment.id.to_lowercase();
        let name = if k == 0 { id } else { format!("{id}-{}", k + 1) };
        #[cfg(feature = "png")]
        let png = {
            let bad = |io| Error::File(FileError { path: format!("{name}.png").into(), action: "draw", io });
            figure.png(2.0).map_err(bad)?
        };
        drawn.push(DrawnPicture {
            name,
            svg: figure.svg(),
            dark: args.picture.chosen_theme().is_none().then(|| figure.clone().theme(Theme::Dark).svg()),
            #[cfg(feature = "png")]
            png,
        });
    }
    Ok(FinishedExperiment { experiment, outcome, drawn })
}

/// Fills the folder; returns the number of files.
fn write(folder: &OutputFolder, done: &[FinishedExperiment], theme: Option<Theme>) -> Result<usize, CommandError> {
    let mut files = Vec::new();
    let mut put = |name: String, bytes: &[u8]| {
        output::write(&folder.path(&name), |out| out.write_all(bytes))?;
        files.push(name);
        Ok::<(), Error>(())
    };
    let mut names: Vec<Vec<String>> = Vec::new();
    for done in done {
        for drawn in &done.drawn {
            put(format!("{}.svg", drawn.name), drawn.svg.as_bytes())?;
            if let Some(dark) = &drawn.dark {
                put(format!("{}{DARK}.svg", drawn.name), dark.as_bytes())?;
            }
            #[cfg(feature = "png")]
            put(format!("{}.png", drawn.name), &drawn.png)?;
        }
        names.push(done.drawn.iter().map(|drawn| drawn.name.clone()).collect());
    }
    let shown = done.iter().zip(&names);
    let shown = shown.map(|(done, names)| PageEntry { experiment: done.experiment, outcome: &done.outcome, names });
    let html = page(&shown.collect::<Vec<_>>(), theme, |key| Source::new(key).text());
    put("index.html".to_owned(), html.as_bytes())?;
    files.push(SUMMARY.to_owned());
    let summary =
        FiguresSummary { stiction: env!("CARGO_PKG_VERSION"), figures: ValuesByExperiment(done), files: &files };
    output::write(&folder.path(SUMMARY), |out| {
        serde_json::to_writer_pretty(&mut *out, &summary).map_err(io::Error::from)?;
        writeln!(out)
    })?;
    Ok(files.len())
}

#[derive(Serialize)]
struct FiguresSummary<'a> {
    stiction: &'a str,
    figures: ValuesByExperiment<'a>,
    files: &'a [String],
}

/// The values of each experiment, by key.
struct ValuesByExperiment<'a>(&'a [FinishedExperiment]);
impl Serialize for ValuesByExperiment<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for done in self.0 {
            map.serialize_entry(done.experiment.id, &ValuesByKey(&done.outcome))?;
        }
        map.end()
    }
}
struct ValuesByKey<'a>(&'a ExperimentOutcome);
impl Serialize for ValuesByKey<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.values.iter().map(|value| (&value.key, value.value)))
    }
}

/// An experiment for a reader.
fn list(done: &FinishedExperiment) -> String {
    let PaperExperiment { id, title, source, .. } = done.experiment;
    let row =
        |value: &figures::ExperimentValue| [value.key.clone(), short(round(value.value, 10)), value.unit.to_owned()];
    let rows: Vec<_> = done.outcome.values.iter().map(row).collect();
    format!("{id}  {title} ({}, {})\n{}", source.0, source.1, text::table(&rows, &[1]))
}
