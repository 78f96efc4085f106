//! Help, and errors in the options.
use crate::error::BAD_INPUT;
use crate::{help, stream, style};
use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use stiction::printable_lines;
use stiction::similar_names::{did_you_mean, similar};

/// Prints help and version on stdout, and errors in the options in the form of all other errors.
pub fn report(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        style::help(&error.render().to_string());
        return ExitCode::SUCCESS;
    }
    // it quotes the command line
    let text = error.render().to_string();
    let text = printable_lines(&stream::shortened(&text)).into_owned();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // no command was given: the answer is help, but on stderr, because it is not data
        let _ = write!(io::stderr(), "{}", style::bold_heads(&text, style::colours(io::stderr().is_terminal())));
        return ExitCode::from(BAD_INPUT);
    }
    let mut hint = None;
    let mut out = String::new();
    for line in text.lines() {
        // clap's advice on how to pass an option as a value is of no use here
        let tip = line.trim_start().strip_prefix("tip: ").filter(|tip| !tip.starts_with("to pass "));
        match (tip, line.strip_prefix("error:")) {
            (Some(tip), _) => hint = hint.or(Some(tip.to_owned())),
            (_, Some(rest)) => out += &format!("{}{rest}\n", style::label("error")),
            _ if line.starts_with("For more information, ") || line.trim_start().starts_with("tip: ") => {}
            // at most one blank line in a row
            _ if line.is_empty() && out.ends_with("\n\n") => {}
            _ => out += &format!("{line}\n"),
        }
    }
    let program = help::command();
    let (words, command) = given_command(&program);
    let not_utf8 =
        (error.kind() == ErrorKind::InvalidUtf8).then(|| "rename the file: names and values are UTF-8".to_owned());
    let hint = hint.or(not_utf8).or_else(|| similar_command(error, command));
    let hint = hint.unwrap_or_else(|| format!("'{words} --help' explains it, with examples"));
    let _ = writeln!(io::stderr(), "{}\n{} {hint}", out.trim_end(), style::label("hint"));
    ExitCode::from(BAD_INPUT)
}

/// The command that the arguments name, and its words, as in `stiction export controller`.
fn given_command(program: &Command) -> (String, &Command) {
    let (mut words, mut command) = (program.get_name().to_owned(), program);
    // not env::args: it panics at an argument that is not UTF-8
    for word in env::args_os().skip(1).filter(|word| !word.to_string_lossy().starts_with('-')) {
        let Some(sub) = command.find_subcommand(&word) else { break };
        words += &format!(" {}", sub.get_name());
        command = sub;
    }
    (words, command)
}

/// A hint for an unknown command. clap suggests fewer names: not 'run' for 'rnu'.
fn similar_command(error: &clap::Error, command: &Command) -> Option<String> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    did_you_mean(&similar(name, command.get_subcommands().map(Command::get_name)))
}
