//! `stiction completions`.
use crate::fault::Fault;
use crate::help;
use crate::law::Names;
use crate::scenario;
use crate::stream;
use clap_complete::Shell;
use stiction::figures;

/// Print a completion script for a shell.
///
/// In bash, zsh and fish it knows the laws and scenarios.
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
    clap_complete::generate(args.shell, &mut help::command(), "stiction", &mut script);
    let script = with_laws(args.shell, &String::from_utf8_lossy(&script));
    if json {
        stream::json(&Script { shell: args.shell.to_string(), script })
    } else {
        stream::data(|out| out.write_all(script.as_bytes()))
    }
}

/// What clap's scripts lack: names in fish, and files beside the names in zsh.
fn with_laws(shell: Shell, script: &str) -> String {
    let names = |wrappers| Names { wrappers }.all().collect::<Vec<_>>().join(" ");
    let (laws, all) = (names(false), names(true));
    let experiments = figures::all().map(|experiment| experiment.id).collect::<Vec<_>>().join(" ");
    let scenarios = scenario::Names::all().collect::<Vec<_>>().join(" ");
    match shell {
        Shell::Fish => format!(
            "{script}complete -c stiction -n \"__fish_stiction_using_subcommand models\" -f -a \"{all}\"\n\
             complete -c stiction -n \"__fish_stiction_using_subcommand curve params\" -a \"{laws}\"\n\
             complete -c stiction -n \"__fish_stiction_using_subcommand run\" -a \"{scenarios}\"\n\
             complete -c stiction -n \"__fish_stiction_using_subcommand scenarios\" -f -a \"{scenarios}\"\n\
             complete -c stiction -n \"__fish_stiction_using_subcommand figures\" -f -a \"{experiments}\"\n"
        ),
        Shell::Zsh => [laws, scenarios].iter().fold(script.to_owned(), |script, names| {
            script.replace(&format!(":({names})"), &format!(":{{compadd -- {names}; _files}}"))
        }),
        _ => script.to_owned(),
    }
}
