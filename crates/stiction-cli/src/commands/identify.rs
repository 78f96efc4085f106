//! `stiction identify`.
use crate::error::CommandError;
pub use crate::identify::args::Args;
use crate::identify::checkpoint::Checkpoint;
use crate::identify::search::identify;
use crate::identify::{folder, json, records, text};
use crate::output_folder::OutputFolder;
use crate::stream;

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    if let Some(dir) = &args.output {
        OutputFolder::check(dir)?;
    }
    args.refuse_unused()?;
    // with --resume the checkpoint is read, and refused if it is another file
    if let Some(dir) = args.output.as_deref().filter(|_| args.writes_checkpoint() && !args.dynamic.resume) {
        Checkpoint::check(dir)?;
    }
    let (report, scenario) = identify(args, records::command())?;
    if let Some(dir) = &args.output {
        folder::save(dir, &report, scenario.as_deref(), args.picture.theme())?;
    }
    if args.picture.plot {
        let figures: Vec<_> = report.results.iter().flat_map(stiction::identify::report::figures).collect();
        args.picture.show(&figures, json)?;
    }
    if json {
        stream::json(&json::report(&report))?;
    } else {
        let page = text::page(&report);
        stream::text(&page)?;
    }
    if let Some(text) = text::impossible(&report) {
        return Err(CommandError::negative(text, text::SIGN_HINT));
    }
    match text::failed_check(&report) {
        Some(text) => Err(CommandError::negative(text, text::CHECK_HINT)),
        None => Ok(()),
    }
}
