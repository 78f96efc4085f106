//! `stiction completions`.
use crate::cli::Cli;
use crate::fault::Fault;
use crate::stream;
use clap::CommandFactory;
use clap_complete::Shell;

/// Print a completion script for a shell.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction completions bash > ~/.local/share/bash-completion/completions/stiction\n  stiction completions fish > ~/.config/fish/completions/stiction.fish"
)]
pub struct Args {
    /// The shell.
    shell: Shell,
}

#[derive(serde::Serialize)]
struct Script {
    shell: String,
    script: String,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), Fault> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "stiction", &mut script);
    if json {
        let script = String::from_utf8_lossy(&script).into_owned();
        stream::json(&Script { shell: args.shell.to_string(), script })
    } else {
        stream::data(|out| out.write_all(&script))
    }
}
