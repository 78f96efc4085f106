//! `stiction identify`.
use crate::data::layout::LayoutArgs;
use crate::fault::Fault;
use crate::identify::{choice, folder, input, text, value};
use crate::picture::PictureArgs;
use crate::stream;
use clap::ValueEnum;
use std::path::PathBuf;
use stiction::identify::report::Report;
use stiction::identify::sliding::{self, How, Leave, Reduction};
use stiction::identify::{Finding, Prepared, Smooth};

/// Identify friction from measured data: parameters, how sure they are, and what the data do not tell.
///
/// Columns are chosen by name, by number, or made by an expression, as in 'stiction data'. What is not told is guessed from
/// the names of the columns. Force is what drives the body, less --known; friction is that less the inertia. A positive
/// force drives towards positive velocity, or, if it is friction itself (--mass 0), brakes it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction identify log.csv\n  stiction identify log.csv --position 'q*1e-3' --force '35.15*vir' -o out\n  stiction identify log.csv --model stribeck --mass 2.5 --known '2.5*9.81*sin(q)' --json\n  stiction identify run1.csv run2.csv --model auto --leave records -o out\n  stiction identify log.mat --position qm --force 'gtau*vir' --filter butterworth:4:100 --drop 49,0 --decimate 10 --rest 0 --model viscous"
)]
pub struct Args {
    /// Files of measured data, one record each; - is stdin.
    #[arg(value_name = "DATA", required = true)]
    files: Vec<PathBuf>,
    /// What to look for; by the law, and sliding without one.
    #[arg(long, value_enum, value_name = "WHAT")]
    find: Option<What>,
    /// The law: coulomb, viscous (Coulomb and viscous), stribeck, or auto for the best of all.
    #[arg(long, value_name = "LAW", default_value = "auto", value_parser = choice::model)]
    model: choice::Model,
    /// Each direction has levels of its own; auto tries both.
    #[arg(long)]
    asymmetric: bool,
    #[command(flatten)]
    columns: input::ColumnArgs,
    #[command(flatten)]
    layout: LayoutArgs,
    /// How position is made smooth: auto, none, spline, butterworth:ORDER:HERTZ or savgol:WINDOW:ORDER.
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = choice::smooth)]
    filter: Smooth,
    /// Samples to drop at the beginning and at the end, after filtering.
    #[arg(long, value_name = "FIRST,LAST", value_parser = choice::drop, default_value = "0,0")]
    drop: [usize; 2],
    /// Decimate force and every term of the model by this factor, through the same filter.
    #[arg(long, value_name = "FACTOR")]
    decimate: Option<usize>,
    /// Speed below which nothing slides [m/s]; from the noise without it, and every sample counts at 0.
    #[arg(long, value_name = "SPEED", value_parser = choice::speed)]
    rest: Option<f64>,
    /// No constant force beside friction.
    #[arg(long)]
    no_offset: bool,
    /// Let outliers count less: huber, soft, cauchy or tukey.
    #[arg(long, value_name = "LOSS", value_parser = choice::loss)]
    robust: Option<stiction::fit::Loss>,
    /// Take residuals as independent of one another, as textbooks do; without it errors hold for noise that remembers.
    #[arg(long)]
    white: bool,
    /// What is left out to judge a law: records, or a number of stretches of time.
    #[arg(long, value_name = "records|N", default_value = "records", value_parser = choice::leave)]
    leave: Leave,
    /// Write a folder: report.html, model.toml, summary.json, residuals, pictures.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Friction over velocity, of a body that slides.
    Sliding,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), Fault> {
    if let Some(dir) = &args.output {
        crate::run::folder::Folder::check(dir)?;
    }
    let recipe = |k: usize| input::recipe(&args.columns, args.filter, args.drop, k, args.files.len());
    let read = input::read(&args.files, &args.columns, &args.layout, &recipe)?;
    let findings = find(args, &read.prepared)?;
    let report = Report {
        command: input::command(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        inputs: read.inputs,
        remarks: read.remarks,
        findings,
    };
    if let Some(dir) = &args.output {
        folder::save(dir, &report, args.picture.theme())?;
    }
    if args.picture.plot {
        let figures: Vec<_> = report.findings.iter().flat_map(|f| f.pictures.clone()).collect();
        args.picture.show(&figures, json)?;
    }
    if json {
        stream::json(&value::value(&report))
    } else {
        let page = text::page(&report);
        stream::data(|out| out.write_all(page.as_bytes()))
    }
}

fn find(args: &Args, prepared: &[Prepared]) -> Result<Vec<Finding>, Fault> {
    let What::Sliding = args.find.unwrap_or(What::Sliding);
    let options = sliding::Options {
        curve: args.model.curve(),
        sided: if args.asymmetric { Some(true) } else { None },
        offset: !args.no_offset,
        reduction: args.decimate.map_or(Reduction::Blocks, Reduction::Decimate),
        rest: args.rest,
        how: How { loss: args.robust.unwrap_or_default(), white: args.white },
        leave: args.leave,
    };
    Ok(vec![sliding::find(prepared, &options)?])
}
