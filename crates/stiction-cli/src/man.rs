//! Manual pages in roff, from the same text as the help.
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::io;

/// The meaning of exit codes.
const EXIT_CODES: [(&str, &str); 4] = [
    ("0", "Success."),
    (
        "1",
        "The command ran; the result is negative: a simulation that cannot continue, no law with the required phenomena, a failed check, failed points of a sweep.",
    ),
    ("2", "The input is wrong; stderr says where, and what to do."),
    ("130", "The command was interrupted. Results so far are kept where the command says so."),
];

/// Pages of the program and of all its commands, by name.
pub fn pages(program: Command) -> Vec<(String, String)> {
    let mut command = program.disable_help_subcommand(true);
    command.build();
    let mut out = Vec::new();
    collect(&command, &mut out);
    out
}

fn collect(command: &Command, out: &mut Vec<(String, String)>) {
    out.push((name(command), page(command)));
    for sub in command.get_subcommands() {
        collect(sub, out);
    }
}

/// `stiction-export-controller`.
fn name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

/// The page of one command; its tree of commands must have been built.
pub fn page(command: &Command) -> String {
    let mut text = Vec::new();
    // writing to memory cannot fail
    let _ = write(command, &mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    // clap_mangen begins every section like a page, with the two lines before the title: keep only the first
    match text.split_once(".TH ") {
        Some((begin, rest)) => format!("{begin}.TH {}", rest.replace(begin, "")),
        None => text,
    }
}

fn write(command: &Command, out: &mut Vec<u8>) -> io::Result<()> {
    let version = concat!("stiction ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).title(name(command).to_uppercase()).source(version).manual("Stiction");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(out)?;
    }
    let mut end = Roff::new();
    end.control("SH", ["EXAMPLES"]);
    for line in examples(command) {
        end.control("PP", []).control("nf", []).text([roman(format!("    {line}"))]).control("fi", []);
    }
    end.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in EXIT_CODES {
        end.control("TP", []).text([bold(code)]).text([roman(meaning)]);
    }
    end.control("SH", ["SEE ALSO"]);
    let others = match command.get_name() {
        "stiction" => {
            "stiction-doctor(1), stiction-models(1), stiction-run(1); the book in the folder docs of the source code"
        }
        _ => "stiction(1)",
    };
    end.text([roman(others)]);
    end.to_writer(out)
}

/// Lines of examples in a command's help.
pub fn examples(command: &Command) -> Vec<String> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}
