//! `stiction describe`.
use crate::error::CommandError;
use crate::law::{LawArgs, LawNames};
use crate::picture::PictureArgs;
use crate::scenario::ScenarioArgs;
use crate::{number_list, report};
use clap::ValueEnum;
use std::path::PathBuf;
use stiction_report::describing_function::{DescribingFunctionReport, InputQuantity};
use stiction_report::harmonic_balance::HarmonicBalanceReport;

/// Compute the describing function of a law, or predict hunting with it.
///
/// The law is moved by X sin(omega t) until its force is periodic, with every reversal and slip located. The first
/// harmonic of the force is that of a spring k and a damper c: N = k + j omega c on displacement, c - j k/omega on
/// velocity. The ratio of the third harmonic to the first shows how much of the force the describing function leaves
/// out. Without --amplitude and --omega, a grid around the characteristic length and speed of the law is used.
///
/// With --loop, the hunting of a scenario with one contact in a linear loop is predicted by harmonic balance: the
/// oscillations with 1 + N G = 0, where G is the compliance of the loop as the simulator has it, and their stability
/// by Loeb's criterion. They are compared with the cycle that the simulation reaches.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction describe coulomb --amplitude 1e-3 --omega 1\n  stiction describe lugre -o lugre-n\n  stiction describe dahl --set sigma=1e4 --on velocity --json\n  stiction describe --loop a12\n  stiction describe --loop a12 --set contact.friction.fs=1 --json"
)]
pub struct Args {
    /// A law, or a parameter file (a path or anything that ends in .toml).
    #[arg(value_name = "NAME|FILE.toml", value_parser = LawNames { wrappers: false }, hide_possible_values = true, required_unless_present = "scenario")]
    law: Option<String>,
    /// Predict the hunting of this scenario, which has one contact.
    #[arg(long = "loop", visible_alias = "scenario", value_name = "NAME|FILE.toml", conflicts_with_all = ["law", "from", "amplitude", "omega", "load", "on"])]
    scenario: Option<String>,
    /// Set a parameter of the law; with --loop a value of the scenario, PATH=VALUE. Repeatable, the last one counts.
    #[arg(long, value_name = "NAME=NUMBER")]
    set: Vec<String>,
    /// Compute parameters from a known quantity ('stiction models NAME' lists them); repeatable.
    #[arg(long, value_name = "NAME=NUMBER")]
    from: Vec<String>,
    /// Normal load: a multiple of the nominal load, or a load in the unit of load.slope, if that is set.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    load: Option<String>,
    /// Amplitudes X of the displacement [m or rad]: numbers, LO:HI:N or log:LO:HI:N, separated by commas; repeatable.
    #[arg(long, value_name = "X1,X2,...")]
    amplitude: Vec<String>,
    /// Angular frequencies [rad/s], in the same form; repeatable.
    #[arg(long, value_name = "W1,W2,...")]
    omega: Vec<String>,
    /// Input of the describing function in the table; JSON has both.
    #[arg(long, value_enum, default_value_t)]
    on: InputArg,
    /// Write pictures (SVG and PNG), a table (CSV) and a summary to this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// The input of a describing function.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum InputArg {
    /// Displacement: N in N/m.
    #[default]
    Displacement,
    /// Velocity: N in N·s/m.
    Velocity,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let Some(name) = &args.law else {
        let chosen = ScenarioArgs::new(args.scenario.as_deref().unwrap_or_default(), &args.set);
        if args.output.is_some() || args.picture.plot {
            let (text, hint) = ("--loop makes no pictures", "leave out -o and --plot, or name a law");
            return Err(CommandError::Usage { text, hint });
        }
        let found = HarmonicBalanceReport::predict(&chosen.name(), &chosen.load()?)?;
        return report::show(&found, None, &args.picture, json);
    };
    let rig = LawArgs::new(name, &args.set, &args.from).rig(args.load.as_deref())?;
    let (amplitudes, omegas) =
        (number_list::list("--amplitude", &args.amplitude)?, number_list::list("--omega", &args.omega)?);
    let on = match args.on {
        InputArg::Displacement => InputQuantity::Displacement,
        InputArg::Velocity => InputQuantity::Velocity,
    };
    let found = DescribingFunctionReport::compute(rig, on, amplitudes, omegas)?;
    report::show(&found, args.output.as_deref(), &args.picture, json)
}
