//! `stiction doctor`.
use crate::error::CommandError;
use crate::picture::screen;
use crate::stream;
use std::env;
use std::io::{self, IsTerminal};
use stiction_report::Report;
use stiction_report::installation::{Check, InstallationReport};

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
    let health = InstallationReport::examine(("terminal", terminal()));
    if json {
        stream::json(&health.json())?;
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

/// Where output goes, and how it can look there.
fn terminal() -> Vec<Check> {
    let terminal = io::stdout().is_terminal();
    let screen = screen(terminal);
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let colours = match screen.colour {
        true => "on; NO_COLOR=1 turns them off",
        false if !terminal => "off, because stdout is not a terminal",
        false if set("NO_COLOR") => "off, because NO_COLOR is set",
        false => "off, because TERM is dumb",
    };
    let letters = if screen.unicode { "all" } else { "ASCII only; LANG=C.UTF-8 gives finer plots" };
    vec![
        Check::property("stdout", if terminal { "a terminal" } else { "a pipe or a file" }),
        Check::property("width", format!("{} columns", screen.width)),
        Check::property("colours", colours),
        Check::property("letters", letters),
    ]
}
