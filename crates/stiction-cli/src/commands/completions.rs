//! `stiction completions`.
use crate::error::CommandError;
use crate::stream;
use clap_complete::Shell;

/// Print a completion script for a shell.
///
/// In bash, zsh and fish, the names of laws and scenarios are completed, too.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction completions bash > ~/.local/share/bash-completion/completions/stiction\n  stiction completions fish > ~/.config/fish/completions/stiction.fish"
)]
pub struct Args {
    /// The shell.
    shell: Shell,
}

#[derive(serde::Serialize)]
struct CompletionScript {
    shell: String,
    script: String,
}

/// Runs the command; `program` has all commands and options.
pub fn run(args: &Args, mut program: clap::Command, json: bool) -> Result<(), CommandError> {
    let mut script = Vec::new();
    let lists = lists(&program);
    clap_complete::generate(args.shell, &mut program, "stiction", &mut script);
    let script = with_names(args.shell, &lists, &String::from_utf8_lossy(&script));
    if json {
        stream::json(&CompletionScript { shell: args.shell.to_string(), script })
    } else {
        stream::data(|out| out.write_all(script.as_bytes()))
    }
}

/// Adds what the scripts of clap lack: names in fish, and files beside the names in zsh.
fn with_names(shell: Shell, lists: &[NameList], script: &str) -> String {
    match shell {
        Shell::Fish => lists.iter().fold(script.to_owned(), |script, NameList { names, files, commands }| {
            let (only, commands) = (if *files { "" } else { " -f" }, commands.join(" "));
            format!(
                "{script}complete -c stiction -n \"__fish_stiction_using_subcommand {commands}\"{only} -a \"{names}\"\n"
            )
        }),
        Shell::Zsh => {
            lists.iter().filter(|list| list.files).fold(script.to_owned(), |script, NameList { names, .. }| {
                script.replace(&format!(":({names})"), &format!(":{{compadd -- {names}; _files}}"))
            })
        }
        _ => script.to_owned(),
    }
}

/// Names that an argument of some commands accepts.
struct NameList {
    names: String,
    /// The argument may also be a file.
    files: bool,
    commands: Vec<String>,
}

/// The lists of all commands, each once.
fn lists(program: &clap::Command) -> Vec<NameList> {
    let mut out: Vec<NameList> = Vec::new();
    for command in program.get_subcommands() {
        let Some(arg) = command.get_positionals().find(|arg| arg.is_hide_possible_values_set()) else { continue };
        let names: Vec<String> = arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        let names = names.join(" ");
        let files = arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.contains("FILE")));
        let commands = vec![command.get_name().to_owned()];
        match out.iter_mut().find(|list| list.names == names && list.files == files) {
            Some(list) => list.commands.extend(commands),
            None => out.push(NameList { names, files, commands }),
        }
    }
    out
}
