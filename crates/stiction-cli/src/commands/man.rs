//! `stiction man`.
use crate::error::CommandError;
use crate::man::{page, pages};
use crate::stream;
use serde_json::json;
use std::path::PathBuf;
use stiction::FileError;
use stiction::{Error, output};

/// Print the manual page of a command (roff), or write all manual pages to a folder.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction man | man -l -\n  stiction man sweep | man -l -\n  stiction man -o ~/.local/share/man/man1"
)]
pub struct Args {
    /// The command, as in sweep or export controller; the program itself if none is named.
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write a page for the program and each of its commands to this folder, which is created if it does not exist.
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    output: Option<PathBuf>,
}

/// Runs the command; `program` has all commands and options.
pub fn run(args: &Args, mut program: clap::Command, json: bool) -> Result<(), CommandError> {
    if let Some(dir) = &args.output {
        let fault = |io| Error::File(FileError { path: dir.clone(), action: "write", io });
        std::fs::create_dir_all(dir).map_err(fault)?;
        let pages = pages(program);
        let names: Vec<String> = pages.iter().map(|(name, _)| format!("{name}.1")).collect();
        let replaced = names.iter().filter(|name| dir.join(name).exists()).count();
        for ((_, text), name) in pages.iter().zip(&names) {
            output::write(&dir.join(name), |out| out.write_all(text.as_bytes()))?;
        }
        let earlier =
            if replaced > 0 { format!("; {replaced} of them existed and were replaced") } else { String::new() };
        stream::note(format_args!("wrote {} pages to {}{earlier}", names.len(), dir.display()));
        return if json { stream::json(&json!({ "files": names })) } else { Ok(()) };
    }
    program.build();
    let mut command = &mut program;
    for name in &args.command {
        let known: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
        command = match command.find_subcommand_mut(name) {
            Some(sub) => sub,
            None => {
                let near = stiction::similar_names::similar(name, known.iter().map(String::as_str));
                let near = near.into_iter().map(str::to_owned).collect();
                return Err(Error::UnknownName { what: "command", name: name.clone(), near, known }.into());
            }
        };
    }
    let page = page(command);
    if json { stream::json(&json!({ "roff": page })) } else { stream::data(|out| out.write_all(page.as_bytes())) }
}
