//! `stiction phenomena`.
use crate::error::CommandError;
use crate::law::{LawArgs, LawNames};
use crate::phenomena::{claims, law_report, matrix, requirements, value};
use crate::picture::PictureArgs;
use crate::result_folder::save_with;
use crate::stream;
use serde_json::{Value, json};
use std::path::PathBuf;
use stiction::Spec;
use stiction::analysis::phenomena::{ALL_PHENOMENA, PhenomenaReport, Phenomenon, criteria, measure_all};
use stiction::core::models::ALL;

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
    let needs = requirements::parse(&args.need)?;
    let specs = if args.laws.is_empty() {
        ALL.iter().map(|law| Spec::new(law.name).map_err(CommandError::from)).collect::<Result<Vec<_>, _>>()?
    } else {
        args.laws
            .iter()
            .map(|law| Ok(LawArgs::new(law, &[], &[]).file()?.spec))
            .collect::<Result<Vec<_>, CommandError>>()?
    };
    // a question for a law needs only the experiments that answer it; a picture or JSON has them all
    let all = needs.is_empty() || args.output.is_some() || args.picture.plot || json;
    let reports = measure_all(&specs, if all { &ALL_PHENOMENA } else { &needs })?;
    let figure = matrix::figure(&reports).theme(args.picture.theme());
    let summary = |files: Vec<String>| {
        json!({
            "stiction": env!("CARGO_PKG_VERSION"),
            "phenomena": criteria::ALL.iter().map(explain).collect::<Vec<_>>(),
            "laws": reports.iter().map(value).collect::<Vec<_>>(),
            "choice": if needs.is_empty() { Value::Null } else { requirements::value(&reports, &needs) },
            "files": files,
        })
    };
    let report = match &args.output {
        Some(path) => save_with(path, &[("matrix", figure.clone())], &[], summary)?,
        None => summary(Vec::new()),
    };
    if json {
        stream::json(&report)?;
    } else {
        let text = text(&reports, &needs);
        stream::text(&text)?;
    }
    args.picture.show(&[figure], json)?;
    if needs.is_empty() || requirements::answered(&reports, &needs) {
        return Ok(());
    }
    let hint = "leave out what matters least, or look at all laws: 'stiction phenomena --need A,B' without names";
    Err(CommandError::negative("no law shows all that is needed", hint))
}

fn text(reports: &[PhenomenaReport], needs: &[Phenomenon]) -> String {
    match reports {
        _ if !needs.is_empty() => requirements::text(reports, needs),
        [one] => law_report::text(one),
        all => matrix::text(all) + &claims::text(all),
    }
}

fn explain(kind: &criteria::Criterion) -> Value {
    json!({
        "key": kind.key, "title": kind.title, "figure": kind.value, "threshold": kind.threshold,
        "counts": if kind.below { "at most" } else { "at least" }, "why": kind.why,
    })
}
