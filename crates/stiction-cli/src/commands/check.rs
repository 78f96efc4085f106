//! `stiction check`.
use crate::error::CommandError;
use crate::law::LawArgs;
use crate::stream;
use stiction::sim::StopFlag;
use stiction_report::Report;
use stiction_report::law_check::LawCheckReport;

/// Check a law, above all one written as a file: whether it keeps to what it claims.
///
/// Tries what simulations, fits and controllers rely on: forces are numbers for all admissible parameters, sliding takes
/// energy, a body at rest is held by what the force jumps by, the memory settles, samples of any length are stable, changes of
/// mode happen once, no periodic motion gains energy ('stiction energy' searches longer and shows the motion). 'fails' is a mistake
/// in the law; 'differs' is a property of it that you should know.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction check my-law.toml\n  stiction check lugre --set sigma1=0\n  stiction check my-law.toml --json"
)]
pub struct Args {
    #[command(flatten)]
    law: LawArgs,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let spec = args.law.file()?.spec;
    let found = LawCheckReport::check(&spec, &StopFlag::default())?;
    if json {
        stream::json(&found.json())?
    } else {
        stream::text(&found.text())?
    }
    let broken = found.broken();
    if broken.is_empty() {
        return Ok(());
    }
    Err(CommandError::negative(
        format!("{} fails: {}", spec.law().name, broken.join(", ")),
        "the book, 'Your own law', explains each property",
    ))
}
