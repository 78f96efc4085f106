//! `stiction run`.
use crate::error::CommandError;
use crate::interrupt::Interrupt;
use crate::output_folder::{OutputFolder, SCENARIO, SUMMARY};
use crate::picture::PictureArgs;
use crate::run::animation::Animation;
use crate::run::recorder::Recorder;
use crate::run::sensitivity::Sensitivities;
use crate::run::{pictures, report::RunReport, sensitivity};
use crate::scenario::ScenarioArgs;
use crate::stream;
use crate::time_window::time_window;
use std::fs;
use std::io;
use std::path::PathBuf;
use stiction::scenario::{DerivativeColumn, Scenario, VariedValue};
use stiction::sim::{Column, EnergyBalance, IntegrationMethod, RunFailure, SensitivityReport};
use stiction::{Error, output};
use stiction::{FileError, SimError};

/// Relative error of the energy balance above which a note is printed.
const BALANCE_TOLERANCE: f64 = 0.01;
/// Energies below this are rounding errors \[J\].
const MIN_ENERGY: f64 = 1e-12;

/// Run a scenario: simulate a system with friction.
///
/// Prints final values, events, measures and the energy balance. With -o, it also writes a folder with the trace (CSV
/// and Parquet), the events, a summary (JSON), pictures (SVG and PNG) and the scenario with all changes, which repeats
/// the run. The folder is written completely or not at all. Ctrl-C ends the run early; the results so far are kept and
/// marked as incomplete. A run that fails keeps what it has, too, marked as failed, with the reason.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction run a7\n  stiction run a7 --set contact.table.sigma2=0.1 --set run.end=60\n  stiction run g5 --json\n  stiction run b1 -o b1\n  stiction run a7 --plot\n  stiction run a7 --window 20:22 -o a7\n  stiction run a7 --animate a7.html\n  stiction run a7 --animate a7.gif\n  stiction run a7 --sensitivity k,vs\n  stiction run mine.toml --set body.block.mass=2 -o mine\n  stiction run mine/scenario.toml"
)]
pub struct Args {
    #[command(flatten)]
    chosen: ScenarioArgs,
    /// Write trace, events, summary, pictures and the scenario to this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
    /// Show the pictures from one time to another in seconds, as in 3:3.5; either may be left out.
    #[arg(long, value_name = "FROM:TO", value_parser = time_window, allow_hyphen_values = true)]
    window: Option<[f64; 2]>,
    /// Write a moving picture of the bodies to this file: a page (.html), which needs no network, a GIF (.gif), or, where
    /// ffmpeg is installed, a film (.mp4).
    #[arg(long, value_name = "FILE")]
    animate: Option<PathBuf>,
    /// Differentiate the run by values of the scenario, by paths as in --set: final derivatives are printed, and the trace has
    /// a column 'd COLUMN / d PATH' for each.
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    sensitivity: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let (scenario, name) = (args.chosen.load()?, args.chosen.name());
    let simulation = scenario.simulation()?;
    let varied = args.chosen.vary(&args.sensitivity)?;
    let recorded = |column: &Column| scenario.record.is_empty() || scenario.record.contains(&column.name);
    let derivatives = DerivativeColumn::list(simulation.columns(), recorded, &varied);
    let folder = args.output.as_deref().map(OutputFolder::new).transpose()?;
    let copied = folder.as_ref().map(|folder| copy(folder, &scenario)).transpose()?;
    let mut plots = scenario.plots_of(simulation.columns());
    if let Some(window) = args.window {
        plots.iter_mut().for_each(|plot| plot.window = window);
    }
    let film = args.animate.as_deref().map(|path| Animation::new(path, &simulation, &scenario)).transpose()?;
    let shown: Vec<_> = plots.iter().cloned().chain(film.as_ref().map(Animation::columns)).collect();
    let interrupt = Interrupt::new(folder.as_ref().map(|folder| folder.path("")), "nothing was written")?;
    let mut recorder =
        Recorder::new(&simulation, &scenario, &shown, &derivatives, folder.as_ref(), interrupt.flag().clone())?;
    recorder.keep_rows(args.picture.plot || args.animate.is_some());
    let parameters: Vec<_> = varied.iter().map(VariedValue::parameter).collect();
    let done = if parameters.is_empty() {
        let plain = simulation.run_to_failure(None, &scenario.options, &mut recorder);
        plain.map(|summary| (summary, SensitivityReport::default()))
    } else {
        simulation.run_with_sensitivities(&parameters, &scenario.options, &mut recorder)
    };
    interrupt.end_of_work();
    let spent = recorder.progress.end();
    // a full disk ends the run, too: report that as the reason
    let mut files: Vec<String> = recorder.finish()?.into_iter().map(str::to_owned).collect();
    let (summary, found) = done?;
    // without a place for pictures no rows are kept
    let drawn = args.picture.plot || film.is_some() || folder.is_some();
    let figures = if drawn { pictures::figures(&name, &scenario, &plots, &summary, &recorder)? } else { Vec::new() };
    let figures: Vec<_> = figures.into_iter().map(|figure| figure.theme(args.picture.theme())).collect();
    files.extend(copied.into_iter().flatten());
    if let Some(folder) = &folder {
        files.extend(pictures::write(folder, &plots, &figures)?);
        files.push(SUMMARY.to_owned());
    }
    if let Some(film) = &film {
        let title = if scenario.title.is_empty() { &name } else { &scenario.title };
        // a film in the folder of results comes with it
        let inside = args.output.as_deref().and_then(|dir| film.name_in(dir)).zip(folder.as_ref());
        let path = match &inside {
            Some((name, folder)) => folder.path_within(&name.to_string_lossy())?,
            None => film.path().to_owned(),
        };
        film.write(&path, title, &figures, &recorder, args.picture.theme())?;
        match inside {
            Some((name, _)) => files.push(name.to_string_lossy().into_owned()),
            None => stream::note(format_args!("wrote {}", path.display())),
        }
    }
    let (values, columns, report, summary) = (&varied[..], &derivatives[..], &found, &summary);
    let sensitivities = (!varied.is_empty()).then_some(Sensitivities { values, columns, report, summary });
    if let Some(sensitivities) = &sensitivities {
        sensitivities.notes().iter().for_each(stream::note);
        if let Some(folder) = &folder {
            sensitivities.write(folder, &simulation)?;
            files.push(sensitivity::EVENT_TIMES.to_owned());
        }
    }
    let report = RunReport {
        sensitivities,
        name: &name,
        set: &args.chosen.set,
        scenario: &scenario,
        summary,
        recorder: &recorder,
        files: &files,
    };
    if let Some(folder) = folder {
        output::write(&folder.path(SUMMARY), |out| {
            serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
            writeln!(out)
        })?;
        let path = folder.finish()?;
        stream::note(format_args!("wrote {}: {}", path.display(), files.join(", ")));
    }
    if json {
        stream::json(&report)?;
    } else {
        let text = report.text(spent);
        stream::text(&text)?;
        if args.picture.plot {
            stream::text("\n")?;
        }
    }
    args.picture.show(&figures, json)?;
    if let Some(RunFailure { t, kind }) = &summary.failure {
        return Err(SimError::Run { t: *t, kind: kind.clone() }.into());
    }
    if scenario.options.method == IntegrationMethod::Rodas5P {
        note_audit(&summary.energy);
    }
    if summary.complete { Ok(()) } else { Err(CommandError::Interrupted { t: summary.t, end: scenario.options.end }) }
}

/// Prints a note if the error of the energy balance is large: the results are then not reliable.
fn note_audit(energy: &EnergyBalance) {
    let share = energy.error().abs() / energy.size();
    if share > BALANCE_TOLERANCE && energy.size() > MIN_ENERGY {
        let percent = 100.0 * share;
        stream::note(format_args!("the energy balance has an error of {percent:.1} %: set a smaller rtol in [run]"));
    }
}

/// Writes the scenario as it runs, and the files it reads, before they may change; returns their names.
fn copy(folder: &OutputFolder, scenario: &Scenario) -> Result<Vec<String>, CommandError> {
    output::write(&folder.path(SCENARIO), |out| out.write_all(scenario.text.as_bytes()))?;
    let mut files = vec![SCENARIO.to_owned()];
    for (from, name) in &scenario.inputs {
        let copied = fs::copy(from, folder.path(name));
        copied.map_err(|io| Error::File(FileError { path: from.clone(), action: "copy", io }))?;
        files.push(name.clone());
    }
    Ok(files)
}
