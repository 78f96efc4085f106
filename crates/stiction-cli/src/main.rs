//! The `stiction` program: the command line over the `stiction` library.
mod cli;
mod commands;
mod compensate;
mod data;
mod describe;
mod doctor;
mod export;
mod fault;
mod help;
mod identify;
mod interrupt;
mod interval;
mod law;
mod loops;
mod man;
mod page;
mod phenomena;
mod picture;
mod points;
mod result;
mod run;
mod scenario;
mod sources;
mod stream;
mod style;
mod sweep;
mod text;
mod wrappers;

use clap::FromArgMatches;
use std::process::ExitCode;

fn main() -> ExitCode {
    let matches = help::command().try_get_matches();
    match matches.and_then(|matches| cli::Cli::from_arg_matches(&matches)) {
        Ok(cli) => match cli.run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(fault) => fault.report(),
        },
        Err(error) => fault::usage(&error),
    }
}
