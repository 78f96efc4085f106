//! `stiction lab`.
use crate::browser;
use crate::error::CommandError;
use crate::interrupt::interrupt;
use crate::stream;
use serde_json::json;
use std::io::ErrorKind;
use std::time::Duration;
use stiction::{Error, FileError};
use stiction_lab::{LabOptions, Limits};

/// Open the lab in the browser: identify, simulate and compare on pages.
///
/// Starts a server that only this machine can reach, and opens its first page. Drop a log file and identify its friction; edit a
/// scenario, run it and watch the bodies move; move the sliders of a law; map a scenario over two of its values. Every job is a
/// command of this program, which the page shows. Files are kept in a temporary folder until the lab ends: Ctrl-C. The address has a
/// word that is new at every start, without which nothing is answered.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction lab\n  stiction lab --no-open --port 8080\n  stiction lab --minutes 120 --memory 16"
)]
pub struct Args {
    /// Print the address, and do not open the browser.
    #[arg(long)]
    no_open: bool,
    /// The port; default: one that is free.
    #[arg(long, value_name = "N", default_value_t)]
    port: u16,
    /// Longest time of a job (min).
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    minutes: u64,
    /// Memory that a job may use (GB), on Linux.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    memory: u64,
    /// Longest file that can be dropped on a page (MB).
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    upload: u64,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    if let Some(checked) = stiction_lab::check_of_lab() {
        let checked = checked.map_err(|io| Error::File(FileError::read("the scenario", io)))?;
        return stream::json_line(&checked);
    }
    let error = |path: &str, action| {
        let path = path.into();
        move |io| Error::File(FileError { path, action, io })
    };
    let program = std::env::current_exe().map_err(error("this program", "find"))?;
    let limits =
        Limits { upload: args.upload << 20, time: Duration::from_secs(60 * args.minutes), memory: args.memory << 30 };
    let stop = interrupt()?;
    #[cfg(target_os = "linux")]
    crate::interrupt::at_hangup(&stop);
    let mut told = Ok(());
    let options = LabOptions { program, port: args.port, limits };
    let served = stiction_lab::serve(options, &stop, |address| {
        told = if json {
            stream::json_line(&json!({ "address": address }))
        } else {
            stream::text(&format!("{address}\n"))
        };
        stream::note("the lab runs until Ctrl-C");
        if !args.no_open && !browser::open(address) {
            stream::note("no browser could be opened: open the address above in one on this machine");
        }
    });
    served.map_err(|io| match io.kind() {
        ErrorKind::AddrInUse => CommandError::Usage {
            text: "the port is in use, perhaps by another lab",
            hint: "choose another with --port, or leave it out: any free one is taken then",
        },
        ErrorKind::PermissionDenied if (1..1024).contains(&args.port) => CommandError::Usage {
            text: "the system does not give you this port",
            hint: "choose one above 1023 with --port, or leave it out",
        },
        _ => error("the lab", "start")(io).into(),
    })?;
    told
}
