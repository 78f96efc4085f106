//! `stiction energy`.
use crate::error::CommandError;
use crate::law::{LawArgs, LawNames};
use crate::stream;
use stiction::analysis::energy::search::SearchEffort;
use stiction::sim::StopFlag;
use stiction_report::Report;
use stiction_report::passivity::{PassivityOverview, PassivityReport};

/// Find out whether a law is passive: energy stored, dissipated and released.
///
/// A passive law dissipates energy in every periodic motion. The search looks for a periodic velocity with which the
/// law releases energy instead: two harmonics about a mean, and jumps between two speeds, in one direction and to and
/// fro. Speeds range from 1e-4 to 1e3 times the characteristic speed of the law, distances from 1e-3 to 100 times its
/// characteristic length. The simulator confirms the result. Released energy proves that the law is not passive. If
/// none is found, that proves nothing, unless one of the sufficient conditions, which are printed, holds. Without a
/// law, all laws are tested with their defaults.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction energy lugre\n  stiction energy lugre --set sigma2=200\n  stiction energy lugre --set vd=0.001 --json\n  stiction energy axis2.toml\n  stiction energy"
)]
pub struct Args {
    /// A law, or a parameter file (a path or anything that ends in .toml).
    #[arg(value_name = "NAME|FILE.toml", value_parser = LawNames { wrappers: false }, hide_possible_values = true)]
    law: Option<String>,
    /// Set a parameter, also reverse.NAME, load.NAME or noise.NAME; repeatable, the last one counts.
    #[arg(long, value_name = "NAME=NUMBER", requires = "law")]
    set: Vec<String>,
    /// Compute parameters from a known quantity; repeatable. Values of --set take precedence.
    #[arg(long, value_name = "NAME=NUMBER", requires = "law")]
    from: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let found: Box<dyn Report> = match &args.law {
        Some(law) => {
            let spec = LawArgs::new(law, &args.set, &args.from).file()?.spec;
            Box::new(PassivityReport::search(&spec, &SearchEffort::FULL, &StopFlag::default())?)
        }
        None => Box::new(PassivityOverview::search()?),
    };
    if json { stream::json(&found.json()) } else { stream::text(&found.text()) }
}
