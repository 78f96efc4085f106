//! `stiction curve`.
use crate::error::CommandError;
use crate::law::{LawListArgs, check_load, finite};
use crate::picture::PictureArgs;
use crate::{number_list, stream};
use std::io::{self, Write};
use std::path::PathBuf;
use stiction::analysis::steady_curve::{AtRest, SteadyCurve};
use stiction::core::registry::DynLaw;
use stiction::number::{interval, short};
use stiction::plot::{Axis, Figure, ImageFormat, Panel};
use stiction::units::LawUnits;
use stiction::{ParameterGroup, Spec, output};
use stiction_report::text::digits;

/// Compute the steady curve of a law, or of several: the force at each constant speed.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction curve stribeck --set fc=1 --set fs=1.5 --set vs=0.1 --at -0.2,0.1,0.2\n  stiction curve lugre --range -0.01:0.01:201 -o lugre.csv\n  stiction curve stribeck --range -0.01:0.01:401 -o stribeck.svg\n  stiction curve stribeck --range -0.01:0.01:401 --plot\n  stiction curve coulomb stribeck lugre --set fs=2 --range -0.01:0.01:401 -o laws.svg\n  stiction curve lugre --range log:1e-6:1:50 --json\n  stiction curve coulomb --set load.base=1 --set load.slope=0.03 --load 10 --at 0.1\n  stiction curve axis2.toml --at 0.1"
)]
pub struct Args {
    #[command(flatten)]
    laws: LawListArgs,
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

/// The curve of a law as printed with `--json`: speeds first, then forces.
#[derive(serde::Serialize)]
struct CurveJson<'a> {
    v: &'a [f64],
    force: &'a [f64],
}

/// The curves of several laws as printed with `--json`.
#[derive(serde::Serialize)]
struct CurvesJson<'a> {
    v: &'a [f64],
    laws: Vec<NamedCurve<'a>>,
}

#[derive(serde::Serialize)]
struct NamedCurve<'a> {
    law: &'a str,
    force: &'a [f64],
}

/// Curves over the same speeds, with the heads of their columns: the speed first, then each law.
struct CurveTable {
    heads: Vec<String>,
    curves: Vec<SteadyCurve>,
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
    let laws = args.laws.each()?;
    let mut names: Vec<&str> = Vec::new();
    let mut specs: Vec<Spec> = Vec::new();
    let mut units: Vec<LawUnits> = Vec::new();
    for (name, law) in &laws {
        let file = law.file()?;
        units.push(file.units());
        let spec = file.spec;
        // a law by itself goes by its own name, of several each by the one it was given by
        names.push(if laws.len() == 1 { spec.law().name } else { name });
        specs.push(spec);
    }
    let LawUnits { speed, force, .. } = units[0];
    if units.iter().any(|units| units.force != force) {
        return Err(CommandError::Usage {
            text: "one law gives a torque and another a force",
            hint: "compare laws of one kind: 'stiction models NAME' shows units",
        });
    }
    let models = specs.iter().map(Spec::build).collect::<Result<Vec<_>, _>>()?;
    let about = |name: &str, text: &str| {
        stream::note(if names.len() == 1 { text.to_owned() } else { format!("{name}: {text}") });
    };
    if load.is_none() && specs.iter().any(|spec| spec.has(ParameterGroup::Load)) {
        stream::note("assumed --load 1");
    }
    let load = load.unwrap_or(1.0);
    let mut curves = Vec::new();
    for ((name, spec), model) in names.iter().zip(&specs).zip(&models) {
        if spec.has(ParameterGroup::Noise) {
            about(name, "the steady curve is the mean force, without the law's noise");
        }
        check_load(spec, load)?;
        curves.push(SteadyCurve::new(model.as_ref(), v.clone(), load)?);
        if spec.law().program().is_some_and(|program| !program.settles) {
            about(
                name,
                "the memory of this law has no limit in long sliding, so it has no steady curve: these forces mean little",
            );
        }
        if v.contains(&0.0) {
            note_rest(model.as_ref(), load, force).iter().for_each(|text| about(name, text));
        }
    }
    let title = if names.len() == 1 { names[0].to_owned() } else { names.join(", ") };
    let columns = names.iter().map(|name| if names.len() == 1 { "force" } else { name });
    let heads = [format!("v [{speed}]")].into_iter().chain(columns.map(|name| format!("{name} [{force}]"))).collect();
    let table = CurveTable { heads, curves };
    let log = args.points.range.as_deref().is_some_and(|text| text.starts_with("log:"));
    let figure = || {
        let x = if log { Axis::log(&table.heads[0]) } else { Axis::linear(&table.heads[0]) };
        let mut panel = Panel::new(x, Axis::linear(format!("force [{force}]")));
        for ((name, model), curve) in names.iter().zip(&models).zip(&table.curves) {
            panel = panel.line(*name, curve.through_rest(&AtRest::new(model.as_ref(), load)));
        }
        Figure::new(format!("{title}: steady curve{}", if names.len() == 1 { "" } else { "s" }))
            .panel(panel)
            .theme(args.picture.theme())
    };
    if let Some(path) = output {
        if let Some(format) = ImageFormat::of(path) {
            figure().write(path, format)?;
        } else {
            output::write(path, |out| table.csv(out))?;
        }
        let (n, s) = (v.len(), if v.len() == 1 { "" } else { "s" });
        stream::note(format_args!("wrote {} ({n} point{s})", path.display()));
    }
    let printed = json || args.output.is_some() && output.is_none();
    if args.picture.plot {
        args.picture.show(&[figure()], printed)?;
    }
    match (json, &args.output, &table.curves[..]) {
        (true, _, [curve]) => stream::json_line(&CurveJson { v: &v, force: &curve.force }),
        (true, _, curves) => {
            let laws = names.iter().zip(curves).map(|(law, curve)| NamedCurve { law, force: &curve.force });
            stream::json_line(&CurvesJson { v: &v, laws: laws.collect() })
        }
        (false, None, _) if args.picture.plot => Ok(()),
        (false, None, _) => stream::data(|out| table.text(out)),
        (false, Some(_), _) if output.is_none() => stream::data(|out| table.csv(out)),
        (false, Some(_), _) => Ok(()),
    }
}

impl CurveTable {
    /// The rows: a speed, and the force of each law there.
    fn rows(&self) -> impl Iterator<Item = Vec<String>> {
        let speeds = self.curves.first().map_or(&[][..], |curve| &curve.v);
        speeds.iter().enumerate().map(|(k, v)| {
            let forces = self.curves.iter().map(|curve| short(curve.force[k]));
            std::iter::once(short(*v)).chain(forces).collect()
        })
    }
    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        // the name of a file may hold a comma or a quote
        let cell = |head: &String| {
            let plain = !head.contains([',', '"']);
            if plain { head.clone() } else { format!("\"{}\"", head.replace('"', "\"\"")) }
        };
        writeln!(out, "{}", self.heads.iter().map(cell).collect::<Vec<_>>().join(","))?;
        self.rows().try_for_each(|row| writeln!(out, "{}", row.join(",")))
    }
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut widths: Vec<usize> = self.heads.iter().map(|head| head.chars().count()).collect();
        for row in self.rows() {
            widths.iter_mut().zip(&row).for_each(|(width, cell)| *width = (*width).max(cell.len()));
        }
        let line = |cells: &[String]| {
            let padded: Vec<String> = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            padded.join("  ").trim_end().to_owned()
        };
        writeln!(out, "{}", line(&self.heads))?;
        self.rows().try_for_each(|row| writeln!(out, "{}", line(&row)))
    }
}

/// What to say of v = 0, where the steady curve of a law with stiction is an interval of forces, or jumps.
fn note_rest(model: &dyn DynLaw, load: f64, unit: &str) -> Option<String> {
    let rest = AtRest::new(model, load);
    if rest.holds() {
        let range = interval(rest.held, 6);
        return Some(format!("at v = 0 the law holds any force from {range} [{unit}]"));
    }
    let [below, above] = AtRest::jump(model, load)?.map(digits);
    Some(format!("at v = 0 the steady curve jumps from {below} to {above} [{unit}]"))
}
