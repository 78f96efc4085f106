//! Bold and colours on a terminal that allows them; piped output stays plain.
use std::env;
use std::io::{self, IsTerminal, Write};

/// Whether to use colours on a stream, given whether it is a terminal; `NO_COLOR` and dumb terminals turn them off.
pub fn colours(terminal: bool) -> bool {
    let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    terminal && !unwanted && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// The label of a line on stderr.
pub fn label(word: &str) -> String {
    paint_label(word, colours(io::stderr().is_terminal()))
}

fn paint_label(word: &str, colour: bool) -> String {
    let code = match word {
        "error" => "1;31",
        "warning" => "1;33",
        "hint" => "1;32",
        _ => "1",
    };
    if colour { format!("\x1b[{code}m{word}:\x1b[0m") } else { format!("{word}:") }
}

/// Prints help on stdout; an error of writing is ignored.
pub fn help(text: &str) {
    let text = bold_heads(text, colours(io::stdout().is_terminal()));
    let _ = io::stdout().write_all(text.as_bytes());
}

/// Headings of help in bold: lines at the margin that end with a colon, and the word before the usage.
pub fn bold_heads(text: &str, colour: bool) -> String {
    if !colour {
        return text.to_owned();
    }
    let line = |line: &str| match line.strip_prefix("Usage:") {
        Some(rest) => format!("\x1b[1mUsage:\x1b[0m{rest}\n"),
        None if line.ends_with(':') && !line.starts_with(' ') => format!("\x1b[1m{line}\x1b[0m\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::{bold_heads, colours, paint_label};

    #[test]
    fn output_that_is_not_a_terminal_has_no_colours() {
        assert!(!colours(false));
        assert_eq!(paint_label("error", false), "error:");
        assert_eq!(bold_heads("Examples:\n  a\n", false), "Examples:\n  a\n");
    }

    #[test]
    fn headings_and_labels_stand_out() {
        assert_eq!(paint_label("error", true), "\x1b[1;31merror:\x1b[0m");
        let bold = bold_heads("About it.\n\nUsage: x [A]\n\nExamples:\n  x:\n", true);
        assert_eq!(bold, "About it.\n\n\x1b[1mUsage:\x1b[0m x [A]\n\n\x1b[1mExamples:\x1b[0m\n  x:\n");
    }
}
