//! `stiction phenomena`.
use crate::error::CommandError;
use crate::law::{LawArgs, LawNames};
use crate::picture::PictureArgs;
use crate::report;
use std::path::PathBuf;
use stiction::sim::StopFlag;
use stiction_report::phenomena::PhenomenaSummary;

/// Test which friction phenomena the laws show, and find the law that you need.
///
/// Every law goes through the same experiments, scaled to its own force, length and speed, which are measured first: a
/// constant load to hold, break-away at several rates and after several times at rest, sliding at speeds over twelve
/// decades, loops in presliding, loops within loops, a vibrating load, a mass on a pulled spring, a PID servo, and a
/// search for a motion from which the law gains energy. Nothing is taken from the documentation of the law; where that
/// or a paper claims otherwise, the contradiction is printed. For a single law, all measured values are printed.
/// --need finds the smallest law that shows all the phenomena in the list.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction phenomena\n  stiction phenomena lugre\n  stiction phenomena lugre gms elasto-plastic axis2.toml\n  stiction phenomena --need hold,stribeck,smooth\n  stiction phenomena --need no-drift,presliding,passive --json\n  stiction phenomena -o phenomena"
)]
pub struct Args {
    /// Laws, or parameter files; default: all laws with their default parameters.
    #[arg(value_name = "NAME|FILE.toml", value_parser = LawNames { wrappers: false }, hide_possible_values = true)]
    laws: Vec<String>,
    /// Phenomena that are needed, separated by commas: hold, breakaway, stribeck, presliding, plastic, hysteresis,
    /// nonlocal, lag, rate, dwell, no-drift, stick-slip, hunting, passive, smooth.
    #[arg(long, value_name = "A,B,...")]
    need: Vec<String>,
    /// Write the matrix (SVG and PNG) and a summary to this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let specs = args.laws.iter().map(|law| Ok(LawArgs::new(law, &[], &[]).file()?.spec));
    let specs = specs.collect::<Result<Vec<_>, CommandError>>()?;
    // a question for a law needs only the experiments that answer it; a picture or JSON has them all
    let brief = args.output.is_none() && !args.picture.plot && !json;
    let found = PhenomenaSummary::measure(specs, &args.need, brief, &StopFlag::default())?;
    report::show(&found, args.output.as_deref(), &args.picture, json)?;
    if found.is_answered() {
        return Ok(());
    }
    let hint = "leave out what matters least, or look at all laws: 'stiction phenomena --need A,B' without names";
    Err(CommandError::negative("no law shows all that is needed", hint))
}
