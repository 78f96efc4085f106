//! `stiction hysteresis`.
use crate::error::CommandError;
use crate::law::{LawArgs, LawNames, each_law, finite};
use crate::loops::{self, TraceColumns};
use crate::picture::PictureArgs;
use crate::{number_list, report};
use std::path::{Path, PathBuf};
use stiction::analysis::loops::LoopDetection;
use stiction_report::Report;
use stiction_report::hysteresis::{HysteresisReport, HysteresisStudy};
use stiction_report::hysteresis_comparison::HysteresisComparison;

/// Measure hysteresis loops of a law that is driven to and fro, or of a recorded trace.
///
/// A law is moved by mean + amplitude sin(omega t) until its force is periodic; without --omega quasi-statically, at
/// no more than 1e-6 m/s. For each loop: its area (energy per cycle), its width in force at mid-stroke, the forces at
/// the turning points, the displacement left where the force passes zero on the way back, the equivalent viscous
/// damping c = area/(pi omega X^2), the secant stiffness between the turning points, and the stiffness of the first
/// harmonic. Then the memory of the law: whether an inner loop closes at the point where it began and is then
/// forgotten, whether inner loops between the same turning points are congruent, whether Masing's rule holds; and how
/// area and width depend on the frequency.
///
/// In a trace, every closed loop is found by its turning points, including loops within loops.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction hysteresis dahl --set sigma=1e4 --amplitude 3e-4\n  stiction hysteresis lugre --amplitude 1e-5,1e-4 --omega 1,10,100 -o lugre-loops\n  stiction hysteresis gms --amplitude 2e-5 --plot\n  stiction hysteresis dahl lugre gms --amplitude 1e-4 -o compared\n  stiction run n3 -o n3 && stiction hysteresis n3\n  stiction hysteresis trace.csv --x slide.x --force guide.force"
)]
pub struct Args {
    /// A law or several, a parameter file (.toml), a trace (.csv, .parquet), or the folder of a run.
    #[arg(value_name = "NAME|FILE|DIR", value_parser = LawNames { wrappers: false }, hide_possible_values = true, required = true)]
    sources: Vec<String>,
    /// Set a parameter of the law, also reverse.NAME, load.NAME or noise.NAME; repeatable, the last one counts. Of several laws, those
    /// that have it.
    #[arg(long, value_name = "NAME=NUMBER")]
    set: Vec<String>,
    /// Compute parameters from a known quantity ('stiction models NAME' lists them); repeatable.
    #[arg(long, value_name = "NAME=NUMBER")]
    from: Vec<String>,
    /// Normal load: a multiple of the nominal load, or a load in the unit of load.slope, if that is set.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    load: Option<String>,
    /// Amplitudes X of the motion [m or rad]: numbers, LO:HI:N or log:LO:HI:N, separated by commas; repeatable.
    #[arg(long, value_name = "X1,X2,...", allow_hyphen_values = true)]
    amplitude: Vec<String>,
    /// Angular frequencies [rad/s], in the same form; repeatable. Without it the motion is quasi-static.
    #[arg(long, value_name = "W1,W2,...", allow_hyphen_values = true)]
    omega: Vec<String>,
    /// Mean displacement [m or rad], reached from zero.
    #[arg(long, value_name = "NUMBER", default_value = "0", allow_hyphen_values = true)]
    mean: String,
    /// Skip the tests of the memory of the law.
    #[arg(long)]
    no_checks: bool,
    /// Column of the displacement in a trace.
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
    /// Column of the friction force in a trace.
    #[arg(long, value_name = "COLUMN")]
    force: Option<String>,
    /// Column of the time in a trace; default: t or time.
    #[arg(long, value_name = "COLUMN")]
    time: Option<String>,
    /// Smallest reversal that counts as a turning point in a trace, as a fraction of its whole range; choose it above
    /// the noise.
    #[arg(long, value_name = "FRACTION", default_value = "1e-6")]
    noise: String,
    /// Largest gap between the beginning and the end of a loop in a trace, as a fraction of the length of the loop.
    #[arg(long, value_name = "FRACTION", default_value = "0.01")]
    miss: String,
    /// Write pictures (SVG and PNG), tables (CSV) and a summary to this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let show = |found: &dyn Report| report::show(found, args.output.as_deref(), &args.picture, json);
    let traces: Vec<PathBuf> = args.sources.iter().filter_map(|source| loops::file(source)).collect();
    match (&traces[..], &args.sources[..]) {
        ([path], [_]) => show(&of_trace(args, path)?),
        ([], [_]) => {
            let law = LawArgs::new(&args.sources[0], &args.set, &args.from);
            show(&of_law(args, &law)?)
        }
        ([], _) => {
            let found = each_law(&args.sources, &args.set, &args.from)?.into_iter();
            let found = found.map(|(name, law)| Ok((name.to_owned(), of_law(args, &law)?)));
            let compared = HysteresisComparison::new(found.collect::<Result<_, CommandError>>()?);
            show(&compared.ok_or(CommandError::Usage {
                text: "one law gives a torque and another a force",
                hint: "compare laws of one kind: 'stiction models NAME' shows units",
            })?)
        }
        _ => Err(CommandError::Usage {
            text: "a trace cannot be compared with others",
            hint: "name one trace, or several laws",
        }),
    }
}

fn of_trace(args: &Args, path: &Path) -> Result<HysteresisReport, CommandError> {
    let of_law = [&args.set, &args.from, &args.amplitude, &args.omega];
    if of_law.iter().any(|list| !list.is_empty()) || args.load.is_some() {
        let (text, hint) =
            ("these options are for laws, not for traces", "leave out --set, --from, --load, --amplitude and --omega");
        return Err(CommandError::Usage { text, hint });
    }
    let columns = TraceColumns { x: args.x.as_deref(), force: args.force.as_deref(), time: args.time.as_deref() };
    let finding = LoopDetection { noise: finite("--noise", &args.noise)?, miss: finite("--miss", &args.miss)? };
    loops::report(path, &columns, &finding)
}

fn of_law(args: &Args, law: &LawArgs) -> Result<HysteresisReport, CommandError> {
    let rig = law.rig(args.load.as_deref())?;
    if args.x.is_some() || args.force.is_some() || args.time.is_some() {
        let text = "these options are for traces, not for laws";
        return Err(CommandError::Usage {
            text,
            hint: "leave out --x, --force and --time, or name a trace (.csv, .parquet)",
        });
    }
    let amplitudes = number_list::list("--amplitude", &args.amplitude)?;
    if amplitudes.is_empty() {
        let (text, hint) = ("the amplitude of the motion is missing", "give --amplitude, as in --amplitude 1e-4");
        return Err(CommandError::Usage { text, hint });
    }
    let omegas = number_list::list("--omega", &args.omega)?;
    let study = HysteresisStudy { amplitudes, omegas, mean: finite("--mean", &args.mean)?, memory: !args.no_checks };
    let mut found = HysteresisReport::of_law(&rig, &study)?;
    found.set.clone_from(&args.set);
    Ok(found)
}
