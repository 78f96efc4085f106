//! `stiction export fmu`.
use super::plan::unknown_source;
use crate::error::CommandError;
use crate::law::{LawArgs, LawNames, finite, note_offset};
use crate::scenario::ScenarioArgs;
use crate::stream;
use clap::ValueEnum;
use std::path::PathBuf;
use stiction::export::fmu::{Compiler, FmiVersion, FmuError, FmuPlan, ScenarioUnit, UnitBinary, UnitKind};
use stiction::scenario::{Scenario, embedded};
use stiction::{is_file_name, output};
use stiction_report::Report;
use stiction_report::fmu::{FmuReport, ScenarioUnitReport};

/// Write a law or a scenario as a functional mock-up unit (FMI), for Simulink, Dymola, OpenModelica, FMPy and other
/// simulators.
///
/// A body on the law takes the applied force and the load, and gives position, velocity, friction and whether it is
/// held: where the force at rest is a set, the balance of forces decides it, so such a law is a unit only with its
/// body. A law takes velocity and load, and gives the friction.
///
/// Parameters for reverse motion and for the load are parameters of the unit ('law.reverse.fc', 'law.load.slope'); those of noise are refused.
///
/// Each unit has model exchange and co-simulation, states to be saved and set, directional derivatives, and its
/// parameters with units and bounds. In co-simulation it integrates by itself, with error control, and finds stick,
/// slip and reversals within a step. It contains a binary for machines such as this one, and C99 sources from which
/// importers on others compile it.
///
/// A scenario is a unit for co-simulation with the simulator in it: forces, velocities, loads and references of controllers
/// that are added to its own as inputs, its columns as outputs, its numbers as parameters. The library with the simulator must
/// stand beside this program, of the same build: cargo build --release -p stiction-cli -p stiction-unit.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction export fmu stribeck -o axis.fmu\n  stiction export fmu identified/model.toml --mass 4.5 --fmi 3 -o axis.fmu\n  stiction export fmu lugre --unit law -o friction.fmu\n  stiction export fmu stribeck --set fs=1.5 --set reverse.fs=1.9 -o axis.fmu\n  stiction export fmu a7 --fmi 3 -o a7.fmu"
)]
pub struct FmuArgs {
    /// A law, a device of 'stiction devices', or a scenario of 'stiction scenarios'; or a file of parameters, of a law or of a
    /// scenario (a path or anything that ends in .toml).
    #[arg(value_name = "LAW|SCENARIO|FILE.toml", value_parser = LawNames { wrappers: false }, hide_possible_values = true)]
    source: String,
    /// Set a parameter of the law, or a number of the scenario by its path, as in body.block.mass=2; repeatable, the last one
    /// counts.
    #[arg(long, value_name = "NAME=NUMBER")]
    set: Vec<String>,
    /// Compute parameters of the law from a known quantity ('stiction models NAME' lists them); repeatable. Values of --set
    /// take precedence.
    #[arg(long, value_name = "NAME=NUMBER")]
    from: Vec<String>,
    /// What the unit of a law is; default: body.
    #[arg(long, value_enum)]
    unit: Option<UnitArg>,
    /// The mass or inertia of the body at the start; default: the identified one, or 1.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    mass: Option<String>,
    /// Version of the interface.
    #[arg(long, value_enum, default_value_t)]
    fmi: VersionArg,
    /// The binary in the unit; default: prebuilt, if this program was built with it.
    #[arg(long, value_enum)]
    binary: Option<BinaryArg>,
    /// The file to write, which ends in .fmu; - is stdout.
    #[arg(short, long, value_name = "FILE.fmu")]
    output: PathBuf,
}

/// What a unit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum UnitArg {
    /// Force and load in; position, velocity, friction and whether it is held out.
    #[default]
    Body,
    /// Velocity and load in, friction out.
    Law,
}

/// A version of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum VersionArg {
    /// FMI 2.0.
    #[default]
    #[value(name = "2")]
    Two,
    /// FMI 3.0.
    #[value(name = "3")]
    Three,
}

/// A kind of binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BinaryArg {
    /// The library that was compiled with this program; it interprets the law.
    Prebuilt,
    /// Compiled from the sources by the C compiler of this machine (CC, or cc); faster, with the same results.
    Compiled,
    /// None; importers compile the sources.
    None,
}

/// The binary that is asked for, or is to be had here.
fn binary(asked: Option<BinaryArg>) -> Result<UnitBinary, CommandError> {
    Ok(match asked {
        Some(BinaryArg::None) => UnitBinary::None,
        Some(BinaryArg::Prebuilt) => UnitBinary::Prebuilt,
        Some(BinaryArg::Compiled) => {
            UnitBinary::Compiled(Compiler::here().ok_or(stiction::Error::from(FmuError::NoCompiler))?)
        }
        None => {
            let found = UnitBinary::here();
            if found == UnitBinary::None {
                stream::note(
                    "this program was built without a C compiler, and there is none here (CC, or cc): the unit has sources only, which importers compile",
                );
            }
            found
        }
    })
}

/// Runs the command.
pub fn run(args: &FmuArgs, json: bool) -> Result<(), CommandError> {
    stream::check_ending(&args.output, &["fmu"])?;
    let version = if args.fmi == VersionArg::Two { FmiVersion::Two } else { FmiVersion::Three };
    if is_scenario(&args.source) {
        return run_scenario(args, version, json);
    }
    if !is_file_name(&args.source) && !is_law(&args.source) {
        return Err(unknown_source(&args.source).into());
    }
    let law = LawArgs::new(&args.source, &args.set, &args.from).file()?;
    let kind = if args.unit == Some(UnitArg::Law) { UnitKind::Law } else { UnitKind::Body };
    let mut plan = FmuPlan::new(&law.spec, kind, version)?;
    if law.turns() == Some(true) {
        plan = plan.in_rotational_units();
    }
    let given = args.mass.as_deref().map(|text| finite("--mass", text)).transpose()?;
    let known = given.or(law.mass().filter(|_| kind == UnitKind::Body));
    if let Some(mass) = known {
        plan = plan.with_mass(mass)?;
    }
    check_stdout(args, json)?;
    note_offset(&law, "a constant force is no part of the law");
    let binary = binary(args.binary)?;
    let bytes = plan.archive(&binary)?;
    write(args, &bytes, &FmuReport { plan, binary }, json)
}

/// The name of a scenario that is not that of a law, or a file with one.
fn is_scenario(name: &str) -> bool {
    if is_file_name(name) {
        return std::fs::read_to_string(name).is_ok_and(|text| Scenario::looks_like_scenario(&text));
    }
    embedded::find(name).is_some() && !is_law(name)
}

fn is_law(name: &str) -> bool {
    LawNames { wrappers: false }.all().any(|law| law == name)
}

fn run_scenario(args: &FmuArgs, version: FmiVersion, json: bool) -> Result<(), CommandError> {
    if args.unit.is_some() || args.mass.is_some() || args.binary.is_some() || !args.from.is_empty() {
        return Err(CommandError::Usage {
            text: "--unit, --mass, --binary and --from are for units of laws; this is a scenario",
            hint: "set numbers of the scenario with --set, as in --set body.block.mass=2",
        });
    }
    check_stdout(args, json)?;
    let template = ScenarioArgs::new(&args.source, &args.set).template()?;
    let unit = ScenarioUnit::new(&args.source, &template, version)?;
    let library = ScenarioUnit::library()?;
    let bytes = unit.archive(&library)?;
    write(args, &bytes, &ScenarioUnitReport { unit, library }, json)
}

fn check_stdout(args: &FmuArgs, json: bool) -> Result<(), CommandError> {
    if stream::file(Some(&args.output)).is_none() && json {
        return Err(CommandError::Usage {
            text: "the unit and its description cannot both go to stdout",
            hint: "leave --json out, or name a file: -o axis.fmu",
        });
    }
    Ok(())
}

/// Writes the unit, and says what it is.
fn write(args: &FmuArgs, bytes: &[u8], report: &dyn Report, json: bool) -> Result<(), CommandError> {
    match stream::file(Some(&args.output)) {
        Some(path) => output::write(path, |out| out.write_all(bytes)).map_err(stiction::Error::from)?,
        None => {
            stream::aside(&report.text());
            return stream::data(|out| out.write_all(bytes));
        }
    }
    if json { stream::json(&report.json()) } else { stream::text(&report.text()) }
}
