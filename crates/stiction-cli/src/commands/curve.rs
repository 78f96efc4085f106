//! `stiction curve`.
use crate::error::CommandError;
use crate::law::{LawArgs, check_load, finite};
use crate::picture::PictureArgs;
use crate::{number_list, stream};
use std::io::{self, Write};
use std::path::PathBuf;
use stiction::analysis::steady_curve::{AtRest, SteadyCurve};
use stiction::core::registry::DynLaw;
use stiction::number::{interval, short};
use stiction::plot::{Axis, Figure, ImageFormat, Panel};
use stiction::units::LawUnits;
use stiction::{ParameterGroup, output};
use stiction_report::text::digits;

/// Compute the steady curve of a law: the force after long sliding at each constant speed.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction curve stribeck --set fc=1 --set fs=1.5 --set vs=0.1 --at -0.2,0.1,0.2\n  stiction curve lugre --range -0.01:0.01:201 -o lugre.csv\n  stiction curve stribeck --range -0.01:0.01:401 -o stribeck.svg\n  stiction curve stribeck --range -0.01:0.01:401 --plot\n  stiction curve lugre --range log:1e-6:1:50 --json\n  stiction curve coulomb --set load.base=1 --set load.slope=0.03 --load 10 --at 0.1\n  stiction curve axis2.toml --at 0.1"
)]
pub struct Args {
    #[command(flatten)]
    law: LawArgs,
    #[command(flatten)]
    points: SpeedArgs,
    /// Normal load: a multiple of the nominal load, or a load in the unit of load.slope, if that is set.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    load: Option<String>,
    /// Write to a file instead of printing a table: CSV, or a picture; - is CSV on stdout.
    #[arg(short, long, value_name = "FILE.csv|FILE.svg|FILE.png")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct SpeedArgs {
    /// Speeds, separated by commas; repeatable.
    #[arg(long, value_name = "V1,V2,...", allow_hyphen_values = true)]
    at: Vec<String>,
    /// N speeds from LO to HI, evenly spaced; log:LO:HI:N is spaced logarithmically. LO:HI:1 is LO.
    #[arg(long, value_name = "LO:HI:N", allow_hyphen_values = true)]
    range: Option<String>,
}

/// The curve as printed with `--json`: speeds first, then forces.
#[derive(serde::Serialize)]
struct CurveJson<'a> {
    v: &'a [f64],
    force: &'a [f64],
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let v = match &args.points.range {
        Some(text) => number_list::range("--range", text)?,
        None => number_list::list("--at", &args.points.at)?,
    };
    let load = args.load.as_deref().map(|text| finite("--load", text)).transpose()?;
    let output = stream::file(args.output.as_deref());
    if let Some(path) = output {
        stream::check_ending(path, &["csv", "svg", "png"])?;
    }
    let spec = args.law.file()?.spec;
    let model = spec.build()?;
    if load.is_none() && spec.has(ParameterGroup::Load) {
        stream::note("assumed --load 1");
    }
    if spec.has(ParameterGroup::Noise) {
        stream::note("the steady curve is the mean force, without the law's noise");
    }
    let load = load.unwrap_or(1.0);
    check_load(&spec, load)?;
    let curve = SteadyCurve::new(model.as_ref(), v, load)?;
    let LawUnits { speed, force, .. } = LawUnits::of(spec.law());
    if spec.law().program().is_some_and(|program| !program.settles) {
        stream::note(
            "the memory of this law has no limit in long sliding, so it has no steady curve: these forces mean little",
        );
    }
    if curve.v.contains(&0.0) {
        note_rest(model.as_ref(), load, force);
    }
    let heads = [format!("v [{speed}]"), format!("force [{force}]")];
    let log = args.points.range.as_deref().is_some_and(|text| text.starts_with("log:"));
    let figure = || {
        let x = if log { Axis::log(&heads[0]) } else { Axis::linear(&heads[0]) };
        let line = curve.through_rest(&AtRest::new(model.as_ref(), load));
        let panel = Panel::new(x, Axis::linear(&heads[1])).line(spec.law().name, line);
        Figure::new(format!("{}: steady curve", spec.law().name)).panel(panel).theme(args.picture.theme())
    };
    if let Some(path) = output {
        if let Some(format) = ImageFormat::of(path) {
            figure().write(path, format)?;
        } else {
            output::write(path, |out| csv(&curve, &heads, out))?;
        }
        let (n, s) = (curve.v.len(), if curve.v.len() == 1 { "" } else { "s" });
        stream::note(format_args!("wrote {} ({n} point{s})", path.display()));
    }
    let printed = json || args.output.is_some() && output.is_none();
    if args.picture.plot {
        args.picture.show(&[figure()], printed)?;
    }
    match (json, &args.output) {
        (true, _) => stream::json_line(&CurveJson { v: &curve.v, force: &curve.force }),
        (false, None) if args.picture.plot => Ok(()),
        (false, None) => stream::data(|out| text(&curve, &heads, out)),
        (false, Some(_)) if output.is_none() => stream::data(|out| csv(&curve, &heads, out)),
        (false, Some(_)) => Ok(()),
    }
}

fn rows(curve: &SteadyCurve) -> impl Iterator<Item = (String, String)> {
    curve.v.iter().zip(&curve.force).map(|(v, force)| (short(*v), short(*force)))
}

fn csv(curve: &SteadyCurve, heads: &[String; 2], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{},{}", heads[0], heads[1])?;
    rows(curve).try_for_each(|(v, force)| writeln!(out, "{v},{force}"))
}

fn text(curve: &SteadyCurve, heads: &[String; 2], out: &mut dyn Write) -> io::Result<()> {
    let width = rows(curve).map(|(v, _)| v.len()).fold(heads[0].len(), usize::max);
    writeln!(out, "{:width$}  {}", heads[0], heads[1])?;
    rows(curve).try_for_each(|(v, force)| writeln!(out, "{v:width$}  {force}"))
}

/// Prints a note on v = 0, where the steady curve of a law with stiction is an interval of forces, or jumps.
fn note_rest(model: &dyn DynLaw, load: f64, unit: &str) {
    let rest = AtRest::new(model, load);
    if rest.holds() {
        let range = interval(rest.held, 6);
        return stream::note(format_args!("at v = 0 the law holds any force from {range} [{unit}]"));
    }
    if let Some(ends) = AtRest::jump(model, load) {
        let [below, above] = ends.map(digits);
        stream::note(format_args!("at v = 0 the steady curve jumps from {below} to {above} [{unit}]"));
    }
}
