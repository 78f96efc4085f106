//! The `stiction` program: the command line over the `stiction` library.
mod book;
mod cli;
mod commands;
mod compensate;
mod data;
mod describe;
mod export;
mod fault;
mod identify;
mod interrupt;
mod interval;
mod law;
mod loops;
mod page;
mod phenomena;
mod picture;
mod points;
mod result;
mod run;
mod scenario;
mod sources;
mod stream;
mod sweep;
mod text;
mod tour;
mod wrappers;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::Cli::try_parse() {
        Ok(cli) => match cli.run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(fault) => fault.report(),
        },
        Err(error) => fault::usage(&error),
    }
}
