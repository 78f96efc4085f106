//! `stiction equilibrium`.
use crate::error::CommandError;
use crate::interval::{Interval, positive};
use crate::picture::PictureArgs;
use crate::report;
use crate::scenario::ScenarioArgs;
use std::path::PathBuf;
use stiction_report::equilibrium::EquilibriumReport;

/// Find the equilibria of a system, sliding or sticking, and their stability.
///
/// Everything that drives the system is kept as it is at the end of the run: motions at their speed, forces at their
/// value. Where contacts stick, there is a set of equilibria; its extent is printed. The linearisation about an
/// equilibrium is exact; its eigenvalues, characteristic polynomial and Hurwitz determinants are printed, and --json has its
/// matrix, the Jacobian, with the names of the states. For a driven system, the speeds at which steady sliding becomes
/// stable or unstable are located, too.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction equilibrium a11\n  stiction equilibrium a11 --set motion.hand.position.ramp.slope=0.5 --json\n  stiction equilibrium a12 --plot\n  stiction equilibrium b1\n  stiction equilibrium a7 --speeds 0.01:100 --set contact.table.sigma2=0.1"
)]
pub struct Args {
    #[command(flatten)]
    chosen: ScenarioArgs,
    /// Driving speeds between which to look for changes of stability.
    #[arg(long, value_name = "LO:HI", default_value = "1e-4:100", value_parser = positive, allow_hyphen_values = true)]
    speeds: Interval,
    /// Write a picture of the eigenvalues (SVG and PNG) and a summary to this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let Interval { lo, hi } = args.speeds;
    let found = EquilibriumReport::find(&args.chosen.name(), args.chosen.load()?, [lo, hi])?;
    report::show(&found, args.output.as_deref(), &args.picture, json)
}
