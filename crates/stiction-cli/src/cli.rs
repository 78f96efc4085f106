//! Commands and options.
#[cfg(feature = "lab")]
use crate::commands::lab;
use crate::commands::{
    breakaway, check, compensate, completions, curve, cycle, data, describe, devices, doctor, energy, equilibrium,
    excite, export, figures, hysteresis, identify, man, map, merge, models, params, phenomena, run, scenarios, sweep,
    tour,
};
use crate::error::CommandError;
use crate::help;
use clap::{Parser, Subcommand};

/// Friction: model it, simulate it, analyse it, identify it from measured data, compensate it.
///
/// Without a command, the tour runs: see 'stiction tour --help'.
#[derive(Parser)]
#[command(
    name = "stiction",
    version,
    after_help = "Examples:\n  stiction tour                             the whole workflow, in seconds\n  stiction run a7 --plot                    stick-slip of a block on a spring, in the terminal\n  stiction scenarios a7 > mine.toml         a system to change and run\n  stiction identify log.csv -o found        from measured data to a law\n  stiction compensate a12                   which controller suits this servo?"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print JSON instead of text; errors and notes stay text on stderr.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    Tour(tour::Args),
    #[cfg(feature = "lab")]
    Lab(lab::Args),
    Models(models::Args),
    Devices(devices::Args),
    Curve(curve::Args),
    Params(params::Args),
    Check(check::Args),
    Run(run::Args),
    Scenarios(scenarios::Args),
    Figures(figures::Args),
    Sweep(sweep::Args),
    Map(map::Args),
    Merge(merge::Args),
    Cycle(cycle::Args),
    Equilibrium(equilibrium::Args),
    Hysteresis(hysteresis::Args),
    Breakaway(breakaway::Args),
    Data(data::Args),
    Identify(Box<identify::Args>),
    Excite(excite::Args),
    Energy(energy::Args),
    Describe(describe::Args),
    Phenomena(phenomena::Args),
    Compensate(compensate::Args),
    Export(export::Args),
    Doctor(doctor::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Cli {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let Some(command) = &self.command else { return tour::run(&tour::Args::default(), self.json) };
        match command {
            Command::Tour(args) => tour::run(args, self.json),
            #[cfg(feature = "lab")]
            Command::Lab(args) => lab::run(args, self.json),
            Command::Models(args) => models::run(args, self.json),
            Command::Devices(args) => devices::run(args, self.json),
            Command::Curve(args) => curve::run(args, self.json),
            Command::Params(args) => params::run(args, self.json),
            Command::Check(args) => check::run(args, self.json),
            Command::Run(args) => run::run(args, self.json),
            Command::Scenarios(args) => scenarios::run(args, self.json),
            Command::Figures(args) => figures::run(args, self.json),
            Command::Sweep(args) => sweep::run(args, self.json),
            Command::Map(args) => map::run(args, self.json),
            Command::Merge(args) => merge::run(args, self.json),
            Command::Cycle(args) => cycle::run(args, self.json),
            Command::Equilibrium(args) => equilibrium::run(args, self.json),
            Command::Hysteresis(args) => hysteresis::run(args, self.json),
            Command::Breakaway(args) => breakaway::run(args, self.json),
            Command::Data(args) => data::run(args, self.json),
            Command::Identify(args) => identify::run(args, self.json),
            Command::Excite(args) => excite::run(args, self.json),
            Command::Energy(args) => energy::run(args, self.json),
            Command::Describe(args) => describe::run(args, self.json),
            Command::Phenomena(args) => phenomena::run(args, self.json),
            Command::Compensate(args) => compensate::run(args, self.json),
            Command::Export(args) => export::run(args, self.json),
            Command::Doctor(args) => doctor::run(args, self.json),
            Command::Completions(args) => completions::run(args, help::command(), self.json),
            Command::Man(args) => man::run(args, help::command(), self.json),
        }
    }
}
