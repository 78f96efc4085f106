//! `stiction doctor`.
use crate::doctor::Health;
use crate::error::CommandError;
use crate::stream;

/// Check this installation: build, machine, and numbers that must come out.
///
/// Tells version, features, the instructions and threads that are used, how output can look here, and where files can be
/// written; then it computes a few known numbers. Exits with 1 if something is wrong, and says what to do about it.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  stiction doctor\n  stiction doctor --json")]
pub struct Args {}

/// Runs the command.
pub fn run(_: &Args, json: bool) -> Result<(), CommandError> {
    let health = Health::examine();
    if json {
        stream::json(&health.value())?;
    } else {
        let text = health.text();
        stream::text(&text)?;
    }
    match health.wrong() {
        0 => Ok(()),
        1 => Err(CommandError::negative(
            "something is wrong here",
            "it is marked 'wrong' above; what to do stands at the end",
        )),
        n => {
            let hint = "they are marked 'wrong' above; what to do stands at the end";
            Err(CommandError::negative(format!("{n} things are wrong here"), hint))
        }
    }
}
