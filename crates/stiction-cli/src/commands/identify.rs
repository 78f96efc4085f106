//! `stiction identify`.
use crate::error::CommandError;
pub use crate::identify::args::Args;
use crate::identify::checkpoint::Checkpoint;
use crate::identify::search::identify;
use crate::identify::{folder, joints, json, records, text};
use crate::output_folder::OutputFolder;
use crate::stream;
use std::fs;
use stiction::FileError;
use stiction::identify::report::IdentificationReport;

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    if let Some(joints) = &args.joints {
        return joint_by_joint(args, joints.names(), json);
    }
    let found = one_fit(args, records::command(), json)?;
    if json {
        stream::json(&json::report(&found.report))?;
    } else {
        stream::text(&text::page(&found.report))?;
    }
    verdict(&found)
}

/// What was identified.
struct Identified {
    report: IdentificationReport,
    /// How many refits of a bootstrap there are, and how many there were to be, if it was interrupted.
    interrupted: Option<[usize; 2]>,
}

/// Identifies what the options ask for, and writes the folder and the pictures.
fn one_fit(args: &Args, command: String, json: bool) -> Result<Identified, CommandError> {
    if let Some(dir) = &args.output {
        OutputFolder::check(dir)?;
    }
    args.refuse_unused()?;
    // with --resume the checkpoint is read, and refused if it is another file
    if let Some(dir) = args.output.as_deref().filter(|_| args.writes_checkpoint() && !args.dynamic.resume) {
        Checkpoint::check(dir)?;
    }
    let (report, scenario) = identify(args, command)?;
    if let Some(dir) = &args.output {
        folder::save(dir, &report, scenario.as_ref(), args.picture.theme())?;
    }
    if args.picture.plot {
        let figures: Vec<_> = report.results.iter().flat_map(stiction::identify::report::figures).collect();
        args.picture.show(&figures, json)?;
    }
    let refits = scenario.and_then(|scenario| scenario.refits);
    Ok(Identified { report, interrupted: refits.and_then(|refits| refits.interrupted) })
}

/// An error if the results are not complete, or cannot be used.
fn verdict(found: &Identified) -> Result<(), CommandError> {
    if let Some([done, of]) = found.interrupted {
        return Err(CommandError::RefitsInterrupted { done, of });
    }
    let report = &found.report;
    if let Some(text) = text::impossible(report) {
        return Err(CommandError::negative(text, text::SIGN_HINT));
    }
    match text::failed_check(report) {
        Some(text) => Err(CommandError::negative(text, text::CHECK_HINT)),
        None => Ok(()),
    }
}

/// One fit for each joint, and a table of all. A joint that fails does not keep the others from being identified.
fn joint_by_joint(args: &Args, joints: &[String], json: bool) -> Result<(), CommandError> {
    // every mistake in the options, before the first fit
    let options = joints.iter().map(|joint| joints::options_of(args, joint)).collect::<Result<Vec<_>, _>>()?;
    if let Some(dir) = &args.output {
        let error = |io| FileError { path: dir.clone(), action: "create", io };
        fs::create_dir_all(dir).map_err(error)?;
    }
    let (words, mut found, mut failed, mut interrupted) = (records::words(), Vec::new(), Vec::new(), None);
    for (joint, options) in joints.iter().zip(&options) {
        if !json {
            stream::text(&format!("\n=== joint {joint}\n"))?;
        }
        let of_joint = |error| CommandError::Joint { joint: joint.clone(), error: Box::new(error) };
        match one_fit(options, records::command_of(&joints::words_of(&words, joint)), json) {
            Ok(identified) => {
                if !json {
                    stream::text(&text::page(&identified.report))?;
                }
                match verdict(&identified) {
                    Err(error) if error.is_interruption() => interrupted = Some(of_joint(error)),
                    result => failed.extend(result.map_err(of_joint).err()),
                }
                found.push((joint.as_str(), identified.report));
            }
            Err(error) if error.is_interruption() => interrupted = Some(of_joint(error)),
            Err(error) => failed.push(of_joint(error)),
        }
        if interrupted.is_some() {
            // what there is of the joints so far is printed all the same
            break;
        }
    }
    if json {
        let joints: serde_json::Map<_, _> =
            found.iter().map(|(joint, report)| ((*joint).to_owned(), json::report(report))).collect();
        stream::json(&serde_json::json!({ "joints": joints }))?;
    } else if args.check.is_none() && !found.is_empty() {
        let (heads, rows) = joints::table(&found);
        stream::text(&format!("\nJoints, ± one standard error\n{}", text::grid(&heads, &rows, &[0, 1])))?;
    }
    // the exit code is that of the worst
    failed.sort_by_key(CommandError::code);
    let worst = interrupted.or_else(|| failed.pop());
    for error in &failed {
        error.report();
    }
    worst.map_or(Ok(()), Err)
}
