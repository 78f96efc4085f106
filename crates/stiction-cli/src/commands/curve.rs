//! `stiction curve`.
use crate::fault::Fault;
use crate::law::{LawArgs, brief, finite};
use crate::picture::PictureArgs;
use crate::{points, stream};
use std::io::{self, Write};
use std::path::PathBuf;
use stiction::core::registry::{Entry, Model};
use stiction::core::{Input, Param};
use stiction::number::{self, short};
use stiction::plot::{Axis, Figure, Format, Panel};
use stiction::{ParameterGroup, Spec, output};

/// Compute the steady curve of a law: the force after sliding for long at each speed.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction curve stribeck --set fc=1 --set fs=1.5 --set vs=0.1 --at -0.2,0.1,0.2\n  stiction curve lugre --range -0.01:0.01:201 -o lugre.csv\n  stiction curve stribeck --range -0.01:0.01:401 -o stribeck.svg\n  stiction curve stribeck --range -0.01:0.01:401 --plot\n  stiction curve lugre --range log:1e-6:1:50 --json\n  stiction curve coulomb --set load.base=1 --set load.slope=0.03 --load 10 --at 0.1\n  stiction curve axis2.toml --at 0.1"
)]
pub struct Args {
    #[command(flatten)]
    law: LawArgs,
    #[command(flatten)]
    points: Points,
    /// Normal load: a factor on the nominal load, or in your unit if load.slope is set.
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
struct Points {
    /// Speeds, separated by commas; repeatable.
    #[arg(long, value_name = "V1,V2,...", allow_hyphen_values = true)]
    at: Vec<String>,
    /// N speeds from LO to HI, evenly spaced; log:LO:HI:N by equal factors. LO:HI:1 is LO.
    #[arg(long, value_name = "LO:HI:N", allow_hyphen_values = true)]
    range: Option<String>,
}

/// Forces of steady sliding.
#[derive(serde::Serialize)]
pub struct Curve {
    v: Vec<f64>,
    force: Vec<f64>,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), Fault> {
    let v = match &args.points.range {
        Some(text) => points::range("--range", text)?,
        None => points::list("--at", &args.points.at)?,
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
        stream::note("the steady curve is the mean: it leaves the noise out");
    }
    let load = load.unwrap_or(1.0);
    check_load(&spec, load)?;
    let curve = Curve::new(model.as_ref(), v, load)?;
    let [speed, force] = units(spec.law());
    if curve.v.contains(&0.0) {
        note_rest(model.as_ref(), load, force);
    }
    let heads = [format!("v [{speed}]"), format!("force [{force}]")];
    let log = args.points.range.as_deref().is_some_and(|text| text.starts_with("log:"));
    let figure = || {
        let x = if log { Axis::log(&heads[0]) } else { Axis::linear(&heads[0]) };
        let line = curve.line(rest(model.as_ref(), load));
        let panel = Panel::new(x, Axis::linear(&heads[1])).line(spec.law().name, line);
        Figure::new(format!("{}: steady curve", spec.law().name)).panel(panel).theme(args.picture.theme())
    };
    if let Some(path) = output {
        if let Some(format) = Format::of(path) {
            figure().write(path, format)?;
        } else {
            output::write(path, |out| curve.csv(&heads, out))?;
        }
        let (n, s) = (curve.v.len(), if curve.v.len() == 1 { "" } else { "s" });
        stream::note(format_args!("wrote {} ({n} point{s})", path.display()));
    }
    let printed = json || args.output.is_some() && output.is_none();
    if args.picture.plot {
        args.picture.show(&[figure()], printed)?;
    }
    match (json, &args.output) {
        (true, _) => stream::json_line(&curve),
        (false, None) if args.picture.plot => Ok(()),
        (false, None) => stream::data(|out| curve.text(&heads, out)),
        (false, Some(_)) if output.is_none() => stream::data(|out| curve.csv(&heads, out)),
        (false, Some(_)) => Ok(()),
    }
}

impl Curve {
    /// At these speeds.
    pub fn new(model: &dyn Model, v: Vec<f64>, load: f64) -> Result<Self, Fault> {
        let force = |&v: &f64| {
            let u = Input { v, load };
            let force = model.steady(&u);
            // the laws limit a speed rather than overflow; a curve must not hide that
            if u.slip() == v && force.is_finite() {
                // minus zero is of no use to a reader
                Ok(force + 0.0)
            } else {
                Err(Fault::Overflow { v })
            }
        };
        let force = v.iter().map(force).collect::<Result<_, _>>()?;
        Ok(Self { v, force })
    }
    fn rows(&self) -> impl Iterator<Item = (String, String)> {
        self.v.iter().zip(&self.force).map(|(v, force)| (short(*v), short(*force)))
    }
    fn csv(&self, heads: &[String; 2], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{},{}", heads[0], heads[1])?;
        self.rows().try_for_each(|(v, force)| writeln!(out, "{v},{force}"))
    }
    /// The curve in order of speed; through rest it passes the forces `rest` there, from below to above.
    pub fn line(&self, rest: [f64; 4]) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> = self.v.iter().copied().zip(self.force.iter().copied()).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (below, above): (Vec<_>, Vec<_>) = points.into_iter().filter(|p| p.0 != 0.0).partition(|p| p.0 < 0.0);
        let both = !below.is_empty() && !above.is_empty();
        let through = rest.map(|force| (0.0, force)).into_iter().filter(|_| both);
        below.into_iter().chain(through).chain(above).collect()
    }
    fn text(&self, heads: &[String; 2], out: &mut dyn Write) -> io::Result<()> {
        let width = self.rows().map(|(v, _)| v.len()).fold(heads[0].len(), usize::max);
        writeln!(out, "{:width$}  {}", heads[0], heads[1])?;
        self.rows().try_for_each(|(v, force)| writeln!(out, "{v:width$}  {force}"))
    }
}

/// Units of speed and force. A law is for rotation if its parameters are.
pub fn units(law: &Entry) -> [&'static str; 2] {
    let rotates = |p: &Param| p.unit.contains("rad");
    if law.params.iter().any(rotates) { ["rad/s", "N·m"] } else { ["m/s", "N"] }
}

/// Unit of its displacement.
pub fn way(law: &Entry) -> &'static str {
    if units(law)[0] == "rad/s" { "rad" } else { "m" }
}

/// A law limits a load factor rather than overflow, and counts one below zero as zero; a curve must not hide that.
pub fn check_load(spec: &Spec, load: f64) -> Result<(), Fault> {
    let factor = spec.load_factor(load);
    let pressed = |load| Input { v: 0.0, load }.pressed();
    if pressed(factor.abs()) != factor.abs() {
        return Err(Fault::Load { factor, max: pressed(f64::MAX) });
    }
    if factor < 0.0 {
        // not so for a law whose load has a sign
        let law = Spec::new(spec.law().name)?.build()?;
        let [pulled, free] = [-1.0, 0.0].map(|load| law.steady(&Input { v: 1.0, load }));
        if pulled == free {
            stream::note(format_args!("the load factor is {}: below 0 the contact does not press", brief(factor)));
        }
    }
    Ok(())
}

/// The forces that a rising speed passes at v = 0: just below, the ends of the set at rest, just above.
pub fn rest(model: &dyn Model, load: f64) -> [f64; 4] {
    let u = Input { v: 0.0, load };
    let mut z = vec![0.0; model.len()];
    model.settled(&u, &mut z);
    let [below, above] = [-1e-100, 1e-100].map(|v| model.steady(&u.with_v(v)));
    let centre = model.force(&z, &u);
    [below, centre - model.hold(&z, &u, -1.0), centre + model.hold(&z, &u, 1.0), above]
}

/// At rest the curve of a law with stiction is a whole interval, or jumps, which one number cannot show.
fn note_rest(model: &dyn Model, load: f64, unit: &str) {
    let u = Input { v: 0.0, load };
    let [_, lo, hi, _] = rest(model, load);
    if lo < hi {
        let range = number::interval([lo, hi], 6);
        return stream::note(format_args!("at v = 0 the law holds any force from {range} [{unit}]"));
    }
    // a jump is there however slow; a steep curve falls with the speed. Small enough, yet its square is a number
    let [below, above] = [-1e-100, 1e-100].map(|v| [v, v * 1e10].map(|v| model.steady(&u.with_v(v))));
    let jump = |[near, far]: [f64; 2]| if near.abs() > 0.5 * far.abs() { near } else { 0.0 };
    let (below, above) = (jump(below), jump(above));
    if below != 0.0 || above != 0.0 {
        let [below, above] = [below, above].map(brief);
        stream::note(format_args!("at v = 0 the steady curve jumps from {below} to {above} [{unit}]"));
    }
}
