//! `stiction export mjcf`, `urdf`, `sdf` and `usd`.
use crate::error::CommandError;
use crate::law::{LawArgs, finite, note_offset};
use crate::{number_list, stream};
use std::path::{Path, PathBuf};
use stiction::export::robot::{IntoFile, RobotFormat, RobotRequest};
use stiction::sweep::spaced_value;
use stiction::units::LawUnits;
use stiction::{FileError, ParameterGroup, output};
use stiction_report::Report;
use stiction_report::robot::RobotReport;
use stiction_report::text::digits;

/// Loads between the least and the largest of the data that the model was identified from.
const LOADS: u64 = 5;

/// What all formats take.
#[derive(clap::Args)]
pub struct RobotArgs {
    #[command(flatten)]
    law: LawArgs,
    /// A joint of the file of --into, repeatable; without it the only one. Without --into, the name of the new joint.
    #[arg(long, value_name = "NAME")]
    joint: Vec<String>,
    /// The robot to put the friction in. It is not changed: the new file is a copy in which only the joint differs.
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
    /// Slowest and fastest speed of the fit; default: up to the fastest of the data that the model was identified from, or 100
    /// times the speed that is characteristic of the law, or 1.
    #[arg(long, value_name = "LO:HI")]
    speeds: Option<String>,
    /// Loads of the fit, separated by commas: multiples of the nominal load, or loads in the unit of load.slope, if that is
    /// set; default: those of the data that the model was identified from, or 1.
    #[arg(long, value_name = "L1,L2,...", allow_hyphen_values = true)]
    load: Vec<String>,
    /// The joint turns: N·m and rad; --turns=false: it slides. Default: as the joint of --into, or as the model says, or it slides.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    turns: Option<bool>,
    /// Mass or moment of inertia at the joint of a new file; default: the identified one, or 1.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    mass: Option<String>,
    /// The file to write, - for stdout; another one that ends in .py gets a Python program that compares the file's friction with the law.
    #[arg(short, long, value_name = "FILE", required = true)]
    output: Vec<PathBuf>,
}

/// Write a law as friction of a joint for MuJoCo: frictionloss and damping, fitted.
///
/// Level and viscous coefficient are fitted to the steady curve of the law in both directions; the command prints the
/// residual and what is lost. It also sets what keeps a held joint from creeping: 'noslip_iterations' of the solver, and
/// 'solreffriction' and 'solimpfriction' of the joint.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction export mjcf stribeck --speeds 0.001:0.5 -o joint.xml\n  stiction export mjcf identified/model.toml --into robot.xml --joint elbow -o robot-friction.xml -o check.py\n  stiction export mjcf lugre --lugre --into robot.xml --joint elbow -o robot-friction.xml"
)]
pub struct MjcfArgs {
    #[command(flatten)]
    robot: RobotArgs,
    /// Write the law lugre as MuJoCo's own LuGre friction, a passive dcmotor (MuJoCo 4.0 or newer), instead of fitting.
    #[arg(long)]
    lugre: bool,
}

/// Write a law as friction of a joint for URDF, fitted: friction and damping of its dynamics.
///
/// Level and viscous coefficient are fitted to the steady curve of the law in both directions; the command prints the
/// residual and what is lost. What a simulator makes of these two numbers is its own affair.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction export urdf identified/model.toml --into robot.urdf --joint elbow -o robot-friction.urdf\n  stiction export urdf stribeck --turns --speeds 0:2 -o joint.urdf -o check.py"
)]
pub struct UrdfArgs {
    #[command(flatten)]
    robot: RobotArgs,
}

/// Write a law as friction of a joint for SDF (Gazebo), fitted: friction and damping of its axis.
///
/// Level and viscous coefficient are fitted to the steady curve of the law in both directions; the command prints the
/// residual and what is lost. A joint of several models is written MODEL::JOINT.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction export sdf identified/model.toml --into robot.sdf --joint elbow -o robot-friction.sdf\n  stiction export sdf coulomb --set fc=2 -o joint.sdf"
)]
pub struct SdfArgs {
    #[command(flatten)]
    robot: RobotArgs,
}

/// Write a law as joint friction of PhysX in USD, for Isaac Sim: static and dynamic effort and a viscous coefficient.
///
/// The static effort is the law's force of break-away; the others are fitted to its steady curve. With --into the file
/// is a layer over the robot, text or binary, in the robot's units; angles are in degrees. A joint is named by its path or by its last name.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction export usd identified/model.toml --into robot.usda --joint /robot/joints/elbow -o robot-friction.usda\n  stiction export usd stribeck --turns --speeds 0:2 -o joint.usda"
)]
pub struct UsdArgs {
    #[command(flatten)]
    robot: RobotArgs,
    /// metersPerUnit of the stage of a binary robot, in which it cannot be read: 0.01 for centimetres.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    meters_per_unit: Option<String>,
}

/// Runs `stiction export mjcf`.
pub fn mjcf(args: &MjcfArgs, json: bool) -> Result<(), CommandError> {
    run(&args.robot, RobotFormat::Mjcf, args.lugre, None, json)
}

/// Runs `stiction export urdf`.
pub fn urdf(args: &UrdfArgs, json: bool) -> Result<(), CommandError> {
    run(&args.robot, RobotFormat::Urdf, false, None, json)
}

/// Runs `stiction export sdf`.
pub fn sdf(args: &SdfArgs, json: bool) -> Result<(), CommandError> {
    run(&args.robot, RobotFormat::Sdf, false, None, json)
}

/// Runs `stiction export usd`.
pub fn usd(args: &UsdArgs, json: bool) -> Result<(), CommandError> {
    let meters = args.meters_per_unit.as_deref().map(|text| finite("--meters-per-unit", text)).transpose()?;
    run(&args.robot, RobotFormat::Usd, false, meters, json)
}

/// `lo:hi`.
fn range(text: &str) -> Result<[f64; 2], CommandError> {
    const OPTION: &str = "--speeds";
    match text.split_once(':') {
        Some((lo, hi)) => Ok([finite(OPTION, lo)?, finite(OPTION, hi)?]),
        None => Err(CommandError::Usage {
            text: "--speeds is not of the form LO:HI",
            hint: "write the slowest and the fastest speed, as in --speeds 0.001:0.5",
        }),
    }
}

/// The file and the script among the outputs.
fn outputs(paths: &[PathBuf]) -> Result<(&Path, Option<&Path>), CommandError> {
    let is_script = |path: &&PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("py"));
    let (scripts, files): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(is_script);
    match (&files[..], &scripts[..]) {
        ([file], []) => Ok((file, None)),
        ([file], [script]) => Ok((file, Some(script))),
        _ => Err(CommandError::Usage {
            text: "-o names no file for the robot, or several",
            hint: "give one file, and one more that ends in .py for the check, if you like",
        }),
    }
}

fn run(
    args: &RobotArgs,
    format: RobotFormat,
    lugre: bool,
    meters_per_unit: Option<f64>,
    json: bool,
) -> Result<(), CommandError> {
    let (path, script) = outputs(&args.output)?;
    stream::check_ending(path, format.endings())?;
    let model = args.law.file()?;
    let by_unit = (LawUnits::of(model.spec.law()).displacement == "rad").then_some(true);
    let known = model.turns().or(by_unit);
    if args.turns == Some(false) && known == Some(true) {
        return Err(CommandError::Usage {
            text: "--turns=false contradicts the model, which says that its motion turns, in N·m and rad",
            hint: "leave --turns out",
        });
    }
    if args.turns == Some(true) && known == Some(false) {
        return Err(CommandError::Usage {
            text: "--turns contradicts the model, which says that its motion slides, in N and m",
            hint: "leave --turns out",
        });
    }
    let given = args.mass.as_deref().map(|text| finite("--mass", text)).transpose()?;
    let mut request = RobotRequest::new(model.spec.clone(), format);
    request.turns = args.turns.or(known);
    request.meters_per_unit = meters_per_unit;
    request.mass = given.or(model.mass()).unwrap_or(request.mass);
    let seen = model.identified.as_ref();
    let speeds = seen.and_then(|found| found.fastest).map(|fastest| [0.0, fastest]);
    request.speeds = args.speeds.as_deref().map(range).transpose()?.or(speeds);
    request.joints.clone_from(&args.joint);
    request.lugre = lugre;
    let loads = seen.and_then(|found| found.loads).filter(|_| request.spec.has(ParameterGroup::Load));
    request.loads = match loads {
        _ if !args.load.is_empty() => number_list::list("--load", &args.load)?,
        Some([least, largest]) => (0..LOADS).map(|k| spaced_value((least, largest), false, LOADS, k)).collect(),
        None => request.loads,
    };
    if args.into.is_none() && args.joint.len() > 1 {
        return Err(CommandError::Usage {
            text: "a new file has one joint",
            hint: "name one --joint, or a robot with --into",
        });
    }
    note_offset(&model, "a constant force is no friction of a joint");
    let assumed = request.speeds.is_none();
    if let (Some(fastest), None) = (seen.and_then(|found| found.fastest), &args.speeds) {
        stream::note(format_args!("took --speeds 0:{} from the data of the model", digits(fastest)));
    }
    if given.is_some() && args.into.is_some() && !lugre {
        stream::note("--mass is that of a new file: the robot of --into has masses of its own");
    }
    let export = request.fit()?;
    let bytes = args.into.as_ref().map(|path| std::fs::read(path).map_err(|io| FileError::read(path, io)));
    let bytes = bytes.transpose().map_err(stiction::Error::from)?;
    let into = args.into.as_deref().zip(bytes.as_deref());
    let file = export.file(into.map(|(from, bytes)| IntoFile { bytes, path: from, output: path }))?;
    let program = script.map(|script| export.check_script(script, stream::file(Some(path)), &file));
    let report = RobotReport::new(export, file)?;
    let file = stream::file(Some(path));
    if file.is_none() && json {
        return Err(CommandError::Usage {
            text: "the robot and its description cannot both go to stdout",
            hint: "leave --json out, or name a file with -o",
        });
    }
    for path in file.into_iter().chain(script) {
        stream::check_writable(path)?;
    }
    if let Some(path) = file {
        save(path, &report.file.text)?;
    }
    if let (Some(script), Some(program)) = (script, program) {
        save(script, &program)?;
    }
    if assumed {
        let [slow, fast] = report.export.fit.range.speeds.map(digits);
        stream::note(format_args!("assumed --speeds {slow}:{fast}"));
    }
    report.file.notes.iter().for_each(stream::note);
    if file.is_none() {
        stream::aside(&report.text());
        return stream::data(|out| out.write_all(report.file.text.as_bytes()));
    }
    if json { stream::json(&report.json()) } else { stream::text(&report.text()) }
}

fn save(path: &Path, text: &str) -> Result<(), CommandError> {
    Ok(output::write(path, |out| out.write_all(text.as_bytes())).map_err(stiction::Error::from)?)
}
