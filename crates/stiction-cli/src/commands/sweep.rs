//! `stiction sweep`.
use crate::device::DeviceKind;
use crate::error::CommandError;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::scenario::ScenarioArgs;
use crate::stream;
use crate::sweep::{list, report};
use clap::ValueEnum;
use serde_json::json;
use std::env;
use std::path::PathBuf;
use stiction::parallel::processors;
use stiction::sim::StopFlag;
use stiction::sweep::file::is_parquet;
use stiction::sweep::{
    ChunkStore, Design, Engine, OpenedStore, ResultSummary, SamplingMethod, Shard, SweepPlan, SweepRequest,
};
use stiction_report::slurm;

/// Run a scenario at many values of its parameters: grids and random designs.
///
/// --vary takes any number of the scenario by its path, or by the end of its path: spring.pull.stiffness, stiffness,
/// or k. Values are lo:hi:n, log:lo:hi:n or a list; with --random also lo:hi and normal:mean:deviation. --measure
/// takes the measures of the scenario, statistics of columns (COLUMN.max, min, range, amplitude, mean, rms, final),
/// energy.friction and others, sticks, cycle.period and others of the periodic motion, expressions of these, and
/// measures in the form of a scenario file. Without both options, all that can be varied and measured is listed.
///
/// Finished points are kept in FILE.parts, and --resume continues from there, however the sweep ended. The result is
/// the same, byte for byte, for any number of threads, interruptions and shards. If a point fails, the reason is
/// written to the column 'error', the sweep continues, and the exit code is 1. What the results depend on, with the
/// scenario and its law files, is kept in the metadata of Parquet, and beside a CSV file in FILE.manifest.toml.
///
/// With --device cuda a GPU runs the points, if they are such as also run in vector lanes; results agree with those of
/// the processor within the tolerances of the run, and --resume does not mix the two.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction sweep a7\n  stiction sweep a7 --set contact.table.sigma2=0.2 --vary k=0.5:8:40 --vary hand.v=log:0.1:5:40 --measure period,v_max,sticks -o a7.parquet\n  stiction map a7.parquet --x k --y hand.v --color sticks -o a7.svg\n  stiction sweep o5 --vary k=0.5:8 --vary body.block.mass=normal:1:0.1 --random 1000 --seed 7 --measure 'v.max,swing=stretch.range/2' -o o5.parquet --resume\n  stiction sweep b1 --vary mass=1:2:5 --measure 'x.final,settled={settle=\"block.x\",value=0.1,band=0.01}' -o b1.csv\n  stiction sweep a7 --vary k=0.5:8:40 --measure cycle.period -o part1.parquet --shard 1/2\n  stiction sweep a7 --vary k=0.5:8:100000 --measure period -o a7.parquet --slurm 200\n  stiction sweep a7 --vary k=0.5:8:4000 --vary hand.v=log:0.1:5:4000 --measure period -o a7.parquet --device cuda"
)]
pub struct Args {
    #[command(flatten)]
    chosen: ScenarioArgs,
    /// Vary a value, or several together, separated by commas; repeatable: a grid has all combinations.
    #[arg(long, value_name = "PATH=VALUES", allow_hyphen_values = true)]
    vary: Vec<String>,
    /// Use N random points instead of a grid.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    random: Option<u64>,
    /// Method by which random points are drawn.
    #[arg(long, value_name = "KIND", value_enum, requires = "random", default_value = "sobol")]
    design: RandomDesign,
    /// Seed of the random points.
    #[arg(long, value_name = "S", requires = "random", default_value_t = 0)]
    seed: u64,
    /// Measures, separated by commas; repeatable.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    measure: Vec<String>,
    /// Evaluate COLUMN.max and the other statistics from this time on (s), and count sticks from then on; without it,
    /// sticks count in the second half of the run.
    #[arg(long, value_name = "TIME")]
    from: Option<f64>,
    /// The table to write: .parquet or .csv.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Continue an earlier sweep with the same options.
    #[arg(long)]
    resume: bool,
    /// Run part I of N only, for a job array; 'stiction merge' puts the parts together.
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Print a job array of N shards for Slurm instead of running, and how to merge them: '... --slurm 200 > jobs.sh'.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), conflicts_with_all = ["shard", "resume"])]
    slurm: Option<u32>,
    /// Number of threads; default: one for each processor.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// Points that are saved together; with fewer, less is lost if the program is killed. A device runs them together.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    chunk: Option<u64>,
    /// What runs the points: the processor, or a GPU with CUDA.
    #[arg(long, value_name = "KIND", value_enum, default_value = "cpu")]
    device: DeviceKind,
}

/// Methods by which random points are drawn.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum RandomDesign {
    Sobol,
    Latin,
    Uniform,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let mut template = args.chosen.template()?;
    if args.vary.is_empty() && args.measure.is_empty() {
        return list::show(&args.chosen.name(), &template, json);
    }
    let shard = args.shard.as_deref().map_or(Ok(Shard::WHOLE), |text| text.parse().map_err(stiction::Error::from))?;
    if let Some(from) = args.from.filter(|x| !x.is_finite()) {
        return Err(CommandError::NotFinite { option: "--from", text: from.to_string() });
    }
    let kind = match args.design {
        RandomDesign::Sobol => SamplingMethod::Sobol,
        RandomDesign::Latin => SamplingMethod::Latin,
        RandomDesign::Uniform => SamplingMethod::Uniform,
    };
    let design = args.random.map_or(Design::Grid, |points| Design::Random { kind, points, seed: args.seed });
    let interrupt = Interrupt::new(None, "finished points are kept for --resume")?;
    template.stop_on(StopFlag::new(interrupt.flag().clone()));
    let plan =
        SweepPlan::new(&template, &SweepRequest { vary: &args.vary, design, measure: &args.measure, from: args.from })?;
    // of values that are left out or replaced; a scenario that needs a varied value is not built without it, and has no notes here
    if let Ok(scenario) = template.build() {
        scenario.notes.iter().filter(|note| !template.notes.contains(note)).for_each(stream::note);
    }
    let Some(output) = &args.output else {
        return Err(CommandError::Usage {
            text: "a sweep needs a file for its table",
            hint: "name it, as in -o out.parquet",
        });
    };
    stream::check_ending(output, &["parquet", "csv"])?;
    if let Some(shards) = args.slurm {
        if u64::from(shards) > plan.count() {
            let (text, hint) = ("there are more shards than points", "give --slurm a smaller number");
            return Err(CommandError::Usage { text, hint });
        }
        return stream::text(&slurm::job_array(env::args().skip(1), output, shards, args.threads));
    }
    let plan = match args.device.open()? {
        None => plan,
        Some(device) => {
            let plan = plan.on_device(&*device)?;
            stream::note(format_args!("points run on {}", device.description()));
            plan
        }
    };
    let opened = ChunkStore::open(output, &plan, shard, args.chunk, args.resume)?;
    for (name, full) in shortened(&plan) {
        stream::note(format_args!("{name} stands for {full}"));
    }
    if let Some(why) = plan.scalar_reason() {
        stream::note(format_args!("points run one by one, not several at once: {why}"));
    }
    let (tally, seconds) = match opened {
        OpenedStore::Done(tally) => {
            stream::note(format_args!("{} is already complete", output.display()));
            (tally, 0.0)
        }
        OpenedStore::Ready(store) => {
            let threads = args.threads.map_or_else(processors, usize::from);
            let done = run_points(&plan, store, threads, &interrupt)?;
            if plan.left_over() > 0 {
                let points = report::count(plan.left_over(), "point");
                stream::note(format_args!(
                    "{points} ran on the processor: the device cannot take them, or gave them up"
                ));
            }
            let written = output.display();
            match is_parquet(output) {
                true => stream::note(format_args!("wrote {written}")),
                false => stream::note(format_args!("wrote {written}, and in {written}.manifest.toml what it is of")),
            }
            done
        }
    };
    if json {
        let mut value = report::value(&tally);
        value["file"] = json!(output);
        value["shard"] = json!(shard.to_string());
        value["seconds"] = json!(seconds);
        value["engine"] = json!(plan.engine());
        stream::json(&value)?;
    } else {
        stream::text(&(report::head(&args.chosen.name(), &plan, shard) + &report::text(&tally)))?;
    }
    if tally.failed == 0 {
        return Ok(());
    }
    let text = format!("{} of {} failed", tally.failed, report::count(tally.points, "point"));
    Err(CommandError::negative(text, "the column 'error' of the table says why; the other points are valid"))
}

/// Short names, and the full names that they stand for.
fn shortened(plan: &SweepPlan) -> Vec<(&str, &str)> {
    let axes = plan.axes.iter().map(|axis| (axis.name.as_str(), axis.path.as_str()));
    let measures = plan.measures().iter().map(|m| (m.name.as_str(), m.text.as_str()));
    // the name of an expression is not a short name
    axes.chain(measures.filter(|(name, full)| full.ends_with(&format!(".{name}"))))
        .filter(|(name, full)| name != full)
        .collect()
}

/// Runs the points that are not done yet; also returns the time taken in seconds.
fn run_points(
    plan: &SweepPlan,
    store: ChunkStore,
    threads: usize,
    interrupt: &Interrupt,
) -> Result<(ResultSummary, f64), CommandError> {
    let missing = store.missing();
    let mut done = store.count() - store.points_of(&missing);
    if done > 0 {
        stream::note(format_args!("{done} of {} points are already done", store.count()));
    }
    let bar = Progress::of_points(store.count(), done);
    let engine = Engine { threads, stop: interrupt.flag(), tick: &|| bar.count_point() };
    let finished = store.run(plan, &missing, &engine);
    interrupt.end_of_work();
    let spent = bar.end();
    let finished = finished?;
    done += store.points_of(&missing[..finished]);
    if finished < missing.len() {
        return Err(CommandError::SweepInterrupted { done, of: store.count() });
    }
    Ok((store.finish()?, spent.as_secs_f64()))
}
