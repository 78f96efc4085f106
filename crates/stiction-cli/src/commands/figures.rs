//! `stiction figures`.
use crate::error::CommandError;
use crate::output_folder::OutputFolder;
use crate::picture::PictureArgs;
use crate::progress::Progress;
use crate::stream;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::OsStr;
use std::path::PathBuf;
use stiction::figures::{self, ExperimentOutcome};
use stiction::output;
use stiction_report::paper_figures::{INDEX, PaperFigures, experiment_text};

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

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let wanted = PaperFigures::choose(&args.ids)?;
    args.output.as_deref().map_or(Ok(()), OutputFolder::check)?;
    let progress = Progress::of_items(wanted.len());
    let done = PaperFigures::run(&wanted, &|experiment| progress.count_item(experiment.title));
    progress.end();
    let done = done?;
    if let Some(path) = &args.output {
        let folder = OutputFolder::new(path)?;
        let files = done.files(args.picture.chosen_theme())?;
        for (name, bytes) in &files {
            output::write(&folder.path(name), |out| out.write_all(bytes))?;
        }
        let path = folder.finish()?;
        stream::note(format_args!("wrote {}: {INDEX} and {} other files", path.display(), files.len() - 1));
    }
    let show = |outcome: &ExperimentOutcome| {
        let themed = outcome.pictures.iter().map(|figure| figure.clone().theme(args.picture.theme()));
        args.picture.show(&themed.collect::<Vec<_>>(), json)
    };
    if json {
        done.experiments().try_for_each(|(_, outcome)| show(outcome))?;
        return stream::json(&done);
    }
    for (k, (experiment, outcome)) in done.experiments().enumerate() {
        let gap = if k == 0 { "" } else { "\n" };
        stream::text(&format!("{gap}{}", experiment_text(experiment, outcome)))?;
        show(outcome)?;
    }
    Ok(())
}
