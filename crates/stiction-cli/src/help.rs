//! The main help page: commands grouped by task.
use crate::cli::Cli;
use clap::{Command, CommandFactory};
use stiction_report::text::table;

/// Commands grouped by task, in the order in which a new user needs them.
const TASKS: [(&str, &[&str]); 6] = [
    ("Getting started", &["tour", "lab", "models", "devices", "scenarios", "figures"]),
    ("Laws", &["curve", "params", "check", "phenomena", "hysteresis", "breakaway", "energy", "describe"]),
    ("Systems", &["run", "cycle", "equilibrium", "sweep", "map", "merge"]),
    ("Measured data", &["data", "identify", "excite"]),
    ("Controllers", &["compensate", "export"]),
    ("This program", &["doctor", "completions", "man", "help"]),
];

/// All commands and options, with the page of help.
pub fn command() -> Command {
    let mut command = Cli::command();
    command.build();
    let mut page = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (job, names) in TASKS {
        let rows: Vec<[String; 2]> = names.iter().filter_map(|name| command.find_subcommand(name)).map(row).collect();
        page += &format!("\n{job}:\n{}", table(&rows, &[]));
    }
    page += "\nOptions:\n{options}{after-help}\n";
    let mut end = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    end += "\n\n'stiction COMMAND --help' explains a command, with examples.";
    if command.find_subcommand("tour").is_some() {
        end += " 'stiction tour' shows the whole workflow in seconds.";
    }
    end += " The book is in the folder docs of the source code.";
    Cli::command().help_template(page).after_help(end)
}

fn row(command: &Command) -> [String; 2] {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    [command.get_name().to_owned(), about.trim_end_matches('.').to_owned()]
}

#[cfg(test)]
mod tests {
    use super::{TASKS, command};
    use crate::man::examples;
    use clap::Command;

    #[test]
    fn every_command_belongs_to_exactly_one_task() {
        for name in command().get_subcommands().map(Command::get_name) {
            let jobs = TASKS.iter().flat_map(|(_, names)| *names).filter(|listed| **listed == name).count();
            assert_eq!(jobs, 1, "{name}");
        }
    }

    #[test]
    fn the_page_fits_a_terminal() {
        let page = command().render_help().to_string();
        // two screens of 30 lines: longer help is not read
        assert!(page.lines().count() <= 60, "{page}");
        for line in page.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }

    /// Words of a shell command; quotes are the only syntax that examples use.
    fn words(line: &str) -> Vec<String> {
        let (mut out, mut quote, mut fresh) = (Vec::<String>::new(), None, true);
        for c in line.chars() {
            match (c, quote) {
                ('\'' | '"', None) => quote = Some(c),
                (c, Some(q)) if c == q => quote = None,
                (' ', None) => fresh = true,
                (c, _) => {
                    if std::mem::take(&mut fresh) {
                        out.push(String::new());
                    }
                    if let Some(word) = out.last_mut() {
                        word.push(c);
                    }
                }
            }
        }
        out
    }

    fn walk(command: &Command, path: &str, lines: &mut Vec<(String, String)>) {
        let path = format!("{path} {}", command.get_name());
        let shown = examples(command);
        assert!(!shown.is_empty(), "{path} has no examples");
        lines.extend(shown.into_iter().map(|line| (path.trim().to_owned(), line)));
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            walk(sub, &path, lines);
        }
    }

    #[test]
    fn every_command_has_examples_that_parse() {
        let mut lines = Vec::new();
        walk(&command(), "", &mut lines);
        assert!(lines.len() > 60);
        for (path, line) in lines {
            let mut own = false;
            // text after two spaces is an explanation; a pipe or a list has several commands
            let shown = line.split("  ").next().unwrap_or_default();
            for part in shown.split(" && ").flat_map(|part| part.split(" | ")) {
                let part = part.split(" > ").next().unwrap_or_default();
                let words = words(part);
                if words.first().is_none_or(|word| word != "stiction") {
                    continue;
                }
                own |= part.starts_with(&path) || path == "stiction";
                let parsed = command().try_get_matches_from(&words);
                assert!(parsed.is_ok(), "{path}: '{part}' is not a command: {}", parsed.err().unwrap());
            }
            assert!(own || path.starts_with("stiction sweep"), "{path}: '{line}' shows another command");
        }
    }
}
