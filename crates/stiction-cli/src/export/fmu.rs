//! `stiction export fmu`.
use crate::error::CommandError;
use crate::law::{LawArgs, LawNames, finite};
use crate::stream;
use clap::ValueEnum;
use std::path::PathBuf;
use stiction::export::fmu::{self, FmiVersion, FmuPlan, UnitKind};
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
/// slip and reversals within a step. It contains C99 sources, and a binary for this machine where a C compiler is at
/// hand (CC, or cc).
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
    /// Leave the binary out; importers then compile the sources.
    #[arg(long)]
    no_binary: bool,
    /// The file to write, which ends in .fmu.
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
    let file = args.law.file()?;
    let kind = if args.unit == UnitArg::Body { UnitKind::Body } else { UnitKind::Law };
    let version = if args.fmi == VersionArg::Two { FmiVersion::Two } else { FmiVersion::Three };
    let mut plan = FmuPlan::new(&file.spec, kind, version)?;
    let given = args.mass.as_deref().map(|text| finite("--mass", text)).transpose()?;
    let identified = file.identified.as_ref().and_then(|found| found.plant("mass"));
    let known = given.or(identified.filter(|mass| *mass > 0.0 && kind == UnitKind::Body));
    if let Some(mass) = known {
        plan = plan.with_mass(mass)?;
    }
    let compiler = if args.no_binary { None } else { fmu::compiler() };
    if compiler.is_none() && !args.no_binary {
        stream::note("there is no C compiler here (CC, or cc): the unit has sources only, which importers compile");
    }
    let bytes = plan.archive(compiler.as_deref())?;
    output::write(&args.output, |out| out.write_all(&bytes)).map_err(stiction::Error::from)?;
    let report = FmuReport { plan, compiler: compiler.map(|path| path.display().to_string()) };
    if json { stream::json(&report.json()) } else { stream::text(&report.text()) }
}
