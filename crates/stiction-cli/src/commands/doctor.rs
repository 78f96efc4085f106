//! `stiction doctor`.
use crate::doctor::InstallationReport;
use crate::error::CommandError;
use crate::stream;

/// Check this installation: the build, the machine, and computations with known results.
///
/// Prints the version, the features, the vector instructions and threads in use, what the terminal can show, and
/// whether files can be written; then it repeats a few computations with known results. Exits with 1 if something is
/// wrong, and says how to fix it.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  stiction doctor\n  stiction doctor --json")]
pub struct Args {}

/// Runs the command.
pub fn run(_: &Args, json: bool) -> Result<(), CommandError> {
    let health = InstallationReport::examine();
    if json {
        stream::json(&health.value())?;
    } else {
        let text = health.text();
        stream::text(&text)?;
    }
    match health.failed() {
        0 => Ok(()),
        1 => Err(CommandError::negative(
            "something is wrong with this installation",
            "it is marked 'wrong' above; the end of the output says how to fix it",
        )),
        n => {
            let hint = "they are marked 'wrong' above; the end of the output says how to fix them";
            Err(CommandError::negative(format!("{n} things are wrong with this installation"), hint))
        }
    }
}
