//! Help, and errors in the options.
use crate::error::BAD_INPUT;
use crate::style;
use clap::error::ErrorKind;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use stiction::printable_lines;

/// Prints help and version on stdout, and errors in the options in the form of all other errors.
pub fn report(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        style::help(&error.render().to_string());
        return ExitCode::SUCCESS;
    }
    // it quotes the command line
    let text = printable_lines(&error.render().to_string()).into_owned();
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
    let hint = hint.unwrap_or_else(|| format!("'{} --help' explains it, with examples", command_in_usage(&text)));
    let _ = writeln!(io::stderr(), "{}\n{} {hint}", out.trim_end(), style::label("hint"));
    ExitCode::from(BAD_INPUT)
}

/// The command in the usage line of an error.
fn command_in_usage(text: &str) -> String {
    let usage = text.lines().find_map(|line| line.strip_prefix("Usage: ")).unwrap_or("stiction");
    let words = usage.split(' ').take_while(|word| word.chars().all(|c| c.is_ascii_lowercase()));
    let words: Vec<&str> = words.collect();
    if words.is_empty() { "stiction".to_owned() } else { words.join(" ") }
}
