//! The `stiction` program: the command line over the `stiction` library.
//!
//! ```console
//! $ stiction curve stribeck --set fc=1 --set fs=1.5 --set vs=0.1 --set exponent=1 --set fv=0.4 --at 0.2 --json
//! {"v":[0.2],"force":[1.1476676416183065]}
//! ```
//!
//! | file | job |
//! |---|---|
//! | `cli.rs`, `help.rs`, `man.rs` | commands and options, the main help page, manual pages |
//! | `commands/` | one file per command, which uses the modules beside it and no other command |
//! | `law.rs`, `scenario.rs`, `number_list.rs`, `picture.rs` | options that several commands share |
//! | `error.rs`, `usage.rs`, `stream.rs`, `style.rs`, `progress.rs` | errors, messages, output and progress |
//! | `overwrite.rs` | check that no command replaces its input |
//! | `output_folder.rs`, `result_folder.rs` | folders of results, written completely or not at all |
#![warn(missing_docs)]
mod browser;
mod cli;
mod commands;
mod compensate;
mod data;
mod device;
mod error;
mod export;
mod help;
mod identify;
mod interrupt;
mod interval;
mod law;
mod law_book;
mod law_page;
mod loops;
mod man;
mod number_list;
mod output_folder;
mod overwrite;
mod picture;
mod progress;
mod report;
mod result_folder;
mod run;
mod scenario;
mod stream;
mod style;
mod sweep;
mod time_window;
mod tour;
mod usage;
mod wrappers;

use clap::FromArgMatches;
use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(feature = "lab")]
    stiction_lab::end_with_lab();
    let matches = help::command().try_get_matches();
    match matches.and_then(|matches| Ok((cli::Cli::from_arg_matches(&matches)?, matches))) {
        Ok((cli, matches)) => match run(&cli, &matches) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => error.report(),
        },
        Err(error) => usage::report(&error),
    }
}

fn run(cli: &cli::Cli, matches: &clap::ArgMatches) -> Result<(), error::CommandError> {
    let existing = overwrite::ExistingOutputs::check(matches)?;
    let done = cli.run();
    existing.note_replaced();
    done
}
