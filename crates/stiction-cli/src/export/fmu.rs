//! `stiction export fmu`.
use crate::error::CommandError;
use crate::law::{LawArgs, LawNames, finite};
use crate::stream;
use clap::ValueEnum;
use std::path::PathBuf;
use stiction::export::fmu::{Compiler, FmiVersion, FmuError, FmuPlan, UnitBinary, UnitKind};
use stiction::output;
use stiction::scenario::embedded;
use stiction_report::Report;
use stiction_report::fmu::FmuReport;

/// Write a law as a functional mock-up unit (FMI), for Simulink, Dymola, OpenModelica, FMPy and other simulators.
///
/// A body on the law takes the applied force and the load, and gives position, velocity, friction and whether it is
/// held: where the force at rest is a set, the balance of forces decides it, so such a law is a unit only with its
/// body. A law takes velocity and load, and gives the friction.
///
/// Each unit has model exchange and co-simulation, states to be saved and set, directional derivatives, and its
/// parameters with units and bounds. In co-simulation it integrates by itself, with error control, and finds stick,
/// slip and reversals within a step. It contains a binary for machines such as this one, and C99 sources from which
/// importers on others compile it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction export fmu stribeck -o axis.fmu\n  stiction export fmu identified/model.toml --mass 4.5 --fmi 3 -o axis.fmu\n  stiction export fmu lugre --unit law -o friction.fmu"
)]
pub struct FmuArgs {
    #[command(flatten)]
    law: LawArgs,
    /// What the unit is.
    #[arg(long, value_enum, default_value_t)]
    unit: UnitArg,
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
    let is_law = |name: &str| LawNames { wrappers: false }.all().any(|law| law == name);
    if embedded::find(args.law.name()).is_some() && !is_law(args.law.name()) {
        return Err(CommandError::Usage {
            text: "this is a scenario; units are made of a law, or of a body on a law",
            hint: "name the law of its contact, as in 'stiction export fmu stribeck --mass 2 -o axis.fmu'",
        });
    }
    let law = args.law.file()?;
    let kind = if args.unit == UnitArg::Body { UnitKind::Body } else { UnitKind::Law };
    let version = if args.fmi == VersionArg::Two { FmiVersion::Two } else { FmiVersion::Three };
    let mut plan = FmuPlan::new(&law.spec, kind, version)?;
    let given = args.mass.as_deref().map(|text| finite("--mass", text)).transpose()?;
    let identified = law.identified.as_ref().and_then(|found| found.plant("mass"));
    let known = given.or(identified.filter(|mass| *mass > 0.0 && kind == UnitKind::Body));
    if let Some(mass) = known {
        plan = plan.with_mass(mass)?;
    }
    let file = stream::file(Some(&args.output));
    if file.is_none() && json {
        return Err(CommandError::Usage {
            text: "the unit and its description cannot both go to stdout",
            hint: "leave --json out, or name a file: -o axis.fmu",
        });
    }
    let binary = binary(args.binary)?;
    let bytes = plan.archive(&binary)?;
    let report = FmuReport { plan, binary };
    match file {
        Some(path) => output::write(path, |out| out.write_all(&bytes)).map_err(stiction::Error::from)?,
        None => {
            stream::aside(&report.text());
            return stream::data(|out| out.write_all(&bytes));
        }
    }
    if json { stream::json(&report.json()) } else { stream::text(&report.text()) }
}
