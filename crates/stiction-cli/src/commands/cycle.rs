//! `stiction cycle`.
use crate::error::CommandError;
use crate::interrupt::Interrupt;
use crate::interval::Interval;
use crate::picture::PictureArgs;
use crate::report;
use crate::scenario::ScenarioArgs;
use std::path::PathBuf;
use std::str::FromStr;
use stiction::analysis::cycle::Continuation;
use stiction::scenario::Scenario;
use stiction::sim::StopFlag;
use stiction_report::cycle::CycleReport;
use stiction_report::cycle_branch::CycleBranchReport;

/// Find the periodic motion of a scenario, and continue it in a parameter.
///
/// A simulation comes near the cycle; then Newton iterations on the map from one turning point to the next find it to
/// the accuracy of the solver, with its sticking phases. Floquet multipliers are the factors by which small
/// disturbances grow in a period: the cycle is stable if all are below one in magnitude. With --follow, the cycle is
/// continued in a parameter of the scenario, also around folds, and the values of the parameter are located beyond
/// which a motion that starts from rest never sticks again.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction cycle a7\n  stiction cycle a12 --json\n  stiction cycle a7 --follow contact.table.sigma2=0:0.4 -o a9\n  stiction cycle a7 --set contact.table.sigma2=0.2 --follow spring.pull.stiffness=0.5:4\n  stiction cycle g5 --plot"
)]
pub struct Args {
    #[command(flatten)]
    chosen: ScenarioArgs,
    /// Continue the cycle in this value of the scenario.
    #[arg(long, value_name = "PATH=LO:HI", allow_hyphen_values = true)]
    follow: Option<ContinuationRange>,
    /// Largest number of points on the curve in either direction.
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    points: u16,
    /// Write the results and pictures to this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// A parameter and its range.
#[derive(Clone)]
struct ContinuationRange {
    path: String,
    range: Interval,
}

impl FromStr for ContinuationRange {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (path, range) = text.split_once('=').ok_or("write PATH=LO:HI, as spring.pull.stiffness=0.5:4")?;
        Ok(Self { path: path.trim().to_owned(), range: range.parse()? })
    }
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let scenario = args.chosen.load()?;
    match &args.follow {
        Some(through) => followed(args, through, &scenario, json),
        None => {
            let found = CycleReport::find(&args.chosen.name(), &scenario)?;
            report::show(&found, args.output.as_deref(), &args.picture, json)
        }
    }
}

fn followed(args: &Args, through: &ContinuationRange, scenario: &Scenario, json: bool) -> Result<(), CommandError> {
    let interrupt = Interrupt::new(None, "nothing was written")?;
    let stop = StopFlag::new(interrupt.flag().clone());
    let at = |p: f64| {
        let mut scenario = args.chosen.with(&[format!("{}={p:e}", through.path)])?;
        scenario.options.stop = stop.clone();
        Ok(scenario)
    };
    let range = (through.range.lo, through.range.hi);
    let what = Continuation { at: &at, start: None, range, points: args.points.into(), stop: stop.clone() };
    let found = CycleBranchReport::follow(&args.chosen.name(), &scenario.title, &through.path, &what)
        .map_err(|error| CommandError::of_option("--follow", &through.path, error))?;
    interrupt.end_of_work();
    report::show(&found, args.output.as_deref(), &args.picture, json)?;
    if found.is_interrupted() {
        return Err(CommandError::FollowInterrupted { points: found.branch.points.len() });
    }
    Ok(())
}
