//! `stiction excite`.
use crate::error::CommandError;
use crate::identify::{json, records, text};
use crate::law::{LawArgs, finite};
use crate::picture::PictureArgs;
use crate::stream;
use std::path::{Path, PathBuf};
use stiction::identify::MassOption;
use stiction::identify::excitation::{AxisLimits, DesignOptions, ExperimentDesign, design};
use stiction::identify::report::{IdentificationReport, figures};
use stiction::plot::ImageFormat;
use stiction::table::{self, ColumnHeaders};
use stiction::units::LawUnits;
use stiction_report::text::digits;

/// Design an experiment: the motion that identifies a law best within the limits of an axis.
///
/// The parameters of the law are a guess; the design is best near them. It is written as positions, velocities and
/// accelerations that the axis has to follow. Record the force (or torque) meanwhile, and give the record to 'stiction
/// identify'.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction excite stribeck --stroke 0.1 --speed 0.2 --acceleration 5 -o test.csv\n  stiction excite lugre --set fc=12 --set fs=18 --stroke 0.05 --speed 0.1 --mass 4 --force 60 -o test.csv -o test.svg\n  stiction excite axis.toml --stroke 0.2 --speed 0.5 --acceleration 10 --noise 0.3 --free fc --free vs --plot\n  stiction excite dahl --stroke 1e-3 --speed 0.01 --acceleration 1 --duration 20 --rate 500 --json"
)]
pub struct Args {
    #[command(flatten)]
    law: LawArgs,
    /// Travel [m or rad]: positions lie between 0 and this.
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    stroke: String,
    /// Largest speed [m/s or rad/s].
    #[arg(long, value_name = "M/S", allow_hyphen_values = true)]
    speed: String,
    /// Largest acceleration [m/s² or rad/s²]; may be left out with --force and --mass.
    #[arg(long, value_name = "M/S2", allow_hyphen_values = true)]
    acceleration: Option<String>,
    /// Largest force of the drive [N or N·m]: inertia and the guessed friction together stay below it.
    #[arg(long, value_name = "N", requires = "mass", allow_hyphen_values = true)]
    force: Option<String>,
    /// The moving mass [kg or kg·m²].
    #[arg(long, value_name = "KG", allow_hyphen_values = true)]
    mass: Option<String>,
    /// Largest frequency of sines (Hz); default: a twentieth of the sampling rate.
    #[arg(long, value_name = "HERTZ", allow_hyphen_values = true)]
    frequency: Option<String>,
    /// Smallest useful displacement, such as a few counts of the encoder [m or rad]; default: 1e-5 times the stroke.
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    resolution: Option<String>,
    /// Longest duration of the test (s).
    #[arg(long, value_name = "SECONDS", default_value = "60", allow_hyphen_values = true)]
    duration: String,
    /// Sampling rate (Hz).
    #[arg(long, value_name = "HERTZ", default_value = "1000", allow_hyphen_values = true)]
    rate: String,
    /// Standard deviation of the noise of the force [N or N·m]; default: 1 % of the largest friction force.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    noise: Option<String>,
    /// A parameter to be identified; repeatable. Default: all parameters that 'stiction identify' would fit.
    #[arg(long, value_name = "NAME")]
    free: Vec<String>,
    /// The mass is to be identified, too.
    #[arg(long)]
    seek_mass: bool,
    /// Do not identify a constant force besides friction.
    #[arg(long)]
    no_offset: bool,
    /// Seed of the random phases of multisines.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u32,
    /// Write the test: CSV, or Parquet if it ends in .parquet; a picture if it ends in .svg or .png; - is CSV on stdout;
    /// repeatable.
    #[arg(short, long, value_name = "FILE.csv|FILE.parquet|FILE.svg|FILE.png")]
    output: Vec<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let (limits, options) = limits_and_options(args)?;
    for path in args.output.iter().filter_map(|path| stream::file(Some(path))) {
        stream::check_ending(path, &["csv", "parquet", "svg", "png"])?;
        stream::check_writable(path)?;
    }
    let law = args.law.file()?.spec;
    let test = design(&law, &limits, &options)?;
    let force = LawUnits::of(law.law()).force;
    if args.noise.is_none() {
        stream::note(format_args!("assumed --noise {} [{force}], 1 % of the largest friction", digits(test.noise)));
    }
    let mut printed = false;
    for path in &args.output {
        match stream::file(Some(path)) {
            Some(path) => save(path, &test, args)?,
            None => printed = true,
        }
    }
    if printed && !json {
        return stream::data(|out| {
            let mut table = table::csv::Writer::new(out, &heads(&test))?;
            rows(&test).try_for_each(|row| table.row(&row))?;
            table.finish().map(drop)
        });
    }
    args.picture.show(&figures(&test.result), json)?;
    let (command, version) = (records::command(), env!("CARGO_PKG_VERSION").to_owned());
    let report =
        IdentificationReport { command, version, results: vec![test.result], ..IdentificationReport::default() };
    if json {
        return stream::json(&json::report(&report));
    }
    let page = text::page(&report);
    stream::text(page.trim_start())
}

/// Reads limits and options as numbers; the library checks their values.
fn limits_and_options(args: &Args) -> Result<(AxisLimits, DesignOptions), CommandError> {
    let number =
        |option, text: &Option<String>, without: f64| text.as_deref().map_or(Ok(without), |text| finite(option, text));
    if args.acceleration.is_none() && args.force.is_none() {
        let text = "nothing limits the acceleration";
        return Err(CommandError::Usage { text, hint: "give --acceleration, or --force and --mass" });
    }
    let limits = AxisLimits {
        stroke: finite("--stroke", &args.stroke)?,
        speed: finite("--speed", &args.speed)?,
        acceleration: number("--acceleration", &args.acceleration, f64::INFINITY)?,
        force: number("--force", &args.force, f64::INFINITY)?,
        mass: number("--mass", &args.mass, 0.0)?,
        frequency: number("--frequency", &args.frequency, f64::INFINITY)?,
        resolution: number("--resolution", &args.resolution, 0.0)?,
    };
    let options = DesignOptions {
        duration: finite("--duration", &args.duration)?,
        rate: finite("--rate", &args.rate)?,
        noise: args.noise.as_deref().map(|text| finite("--noise", text)).transpose()?,
        free: args.free.clone(),
        mass: if args.seek_mass { MassOption::Estimated } else { MassOption::Given },
        offset: !args.no_offset,
        seed: args.seed,
    };
    Ok((limits, options))
}

fn heads(test: &ExperimentDesign) -> ColumnHeaders {
    let way = LawUnits::of(test.law.law()).displacement;
    [("t", "s".to_owned()), ("x", way.to_owned()), ("v", format!("{way}/s")), ("a", format!("{way}/s²"))].into()
}

fn rows(test: &ExperimentDesign) -> impl Iterator<Item = [f64; 4]> + '_ {
    let m = &test.motion;
    (0..m.len()).map(|k| [m.t[k], m.position[k], m.velocity[k], m.acceleration[k]])
}

fn save(path: &Path, test: &ExperimentDesign, args: &Args) -> Result<(), CommandError> {
    if let Some(format) = ImageFormat::of(path) {
        for figure in figures(&test.result) {
            figure.theme(args.picture.theme()).write(path, format)?;
        }
        stream::note(format_args!("wrote {}", path.display()));
    } else {
        table::write(path, &heads(test), |take| rows(test).try_for_each(|row| take(&row)))?;
        stream::note(format_args!("wrote {} ({} samples)", path.display(), test.motion.len()));
    }
    Ok(())
}
