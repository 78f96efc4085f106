//! `stiction curve`.
use crate::fault::Fault;
use crate::law::{LawArgs, finite};
use crate::{points, stream};
use std::io::{self, Write};
use std::path::PathBuf;
use stiction::core::registry::{Entry, Model};
use stiction::core::{Input, Param};
use stiction::{Part, number::short, output};

/// Compute the steady curve of a law: the force after sliding for long at each speed.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction curve stribeck --set fc=1 --set fs=1.5 --set vs=0.1 --at -0.2,0.1,0.2\n  stiction curve lugre --range -0.01:0.01:201 -o lugre.csv\n  stiction curve lugre --range log:1e-6:1:50 --json\n  stiction curve coulomb --set load.base=1 --set load.slope=0.03 --load 10 --at 0.1\n  stiction curve axis2.toml --at 0.1"
)]
pub struct Args {
    #[command(flatten)]
    law: LawArgs,
    #[command(flatten)]
    points: Points,
    /// Normal load: a factor on the nominal load, or in your unit if load.slope is set.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    load: Option<String>,
    /// Write CSV to a file instead of printing.
    #[arg(short, long, value_name = "FILE.csv")]
    output: Option<PathBuf>,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Points {
    /// Speeds, separated by commas; repeatable.
    #[arg(long, value_name = "V1,V2,...", allow_hyphen_values = true)]
    at: Vec<String>,
    /// N speeds from LO to HI, evenly spaced; log:LO:HI:N by equal factors.
    #[arg(long, value_name = "LO:HI:N", allow_hyphen_values = true)]
    range: Option<String>,
}

#[derive(serde::Serialize)]
struct Curve {
    v: Vec<f64>,
    force: Vec<f64>,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), Fault> {
    let v = match &args.points.range {
        Some(text) => points::range(text)?,
        None => points::list(&args.points.at)?,
    };
    let load = args.load.as_deref().map(|text| finite("--load", text)).transpose()?;
    let spec = args.law.file()?.spec;
    let model = spec.build()?;
    if load.is_none() && spec.has(Part::Load) {
        stream::note("assumed --load 1");
    }
    let curve = Curve::new(model.as_ref(), v, load.unwrap_or(1.0))?;
    let [speed, force] = units(spec.law());
    if curve.v.contains(&0.0) {
        note_hold(model.as_ref(), load.unwrap_or(1.0), force);
    }
    let heads = [format!("v [{speed}]"), format!("force [{force}]")];
    if let Some(path) = &args.output {
        output::write(path, |out| curve.csv(&heads, out))?;
        stream::note(format_args!("wrote {} ({} points)", path.display(), curve.v.len()));
    }
    match (json, &args.output) {
        (true, _) => stream::json_line(&curve),
        (false, None) => stream::data(|out| curve.text(&heads, out)),
        (false, Some(_)) => Ok(()),
    }
}

impl Curve {
    fn new(model: &dyn Model, v: Vec<f64>, load: f64) -> Result<Self, Fault> {
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
    fn text(&self, heads: &[String; 2], out: &mut dyn Write) -> io::Result<()> {
        let width = self.rows().map(|(v, _)| v.len()).fold(heads[0].len(), usize::max);
        writeln!(out, "{:width$}  {}", heads[0], heads[1])?;
        self.rows().try_for_each(|(v, force)| writeln!(out, "{v:width$}  {force}"))
    }
}

/// Units of speed and force. A law is for rotation if its parameters are.
fn units(law: &Entry) -> [&'static str; 2] {
    let rotates = |p: &Param| p.unit.contains("rad");
    if law.params.iter().any(rotates) { ["rad/s", "N·m"] } else { ["m/s", "N"] }
}

/// At rest the curve of a law with stiction is a whole interval, which one number cannot show.
fn note_hold(model: &dyn Model, load: f64, unit: &str) {
    let u = Input { v: 0.0, load };
    let mut z = vec![0.0; model.len()];
    model.settled(&u, &mut z);
    let [back, ahead] = [-1.0, 1.0].map(|dir| model.hold(&z, &u, dir));
    // the least speed there is: a law whose stick comes from its memory may still jump there
    let near = model.steady(&u.with_v(f64::MIN_POSITIVE));
    if back > 0.0 || ahead > 0.0 {
        let centre = model.force(&z, &u);
        let [lo, hi] = [centre - back, centre + ahead].map(short);
        stream::note(format_args!("at v = 0 the law holds any force from {lo} to {hi} [{unit}]"));
    } else if near.abs() > 1e-6 {
        stream::note(format_args!("at v = 0 the steady curve jumps; just above it is {} [{unit}]", short(near)));
    }
}
