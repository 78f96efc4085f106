//! Runs the commands that a page shows, and compares what they print.
use crate::fence::Block;
use crate::{Error, built};
use std::path::Path;
use std::process::Command;

/// Programs that a page may use although a machine may lack them. Any other missing program is an error of the page.
const FOREIGN: [&str; 3] = ["cc", "python3", "duckdb"];

/// Results of the commands of one page.
#[derive(Default)]
pub struct Tally {
    /// Commands that ran.
    pub ran: usize,
    /// What could not be run here, and why.
    pub skipped: Vec<String>,
}

/// Runs every command of a console block in `scratch` and compares each with what is shown below it.
pub fn run(block: &Block, scratch: &Path, tally: &mut Tally) -> Result<(), Error> {
    for (line, shown) in commands(&block.body) {
        // the check would run itself
        if line.starts_with("cargo x") {
            continue;
        }
        let path = format!("{}:{}", built().display(), std::env::var("PATH").unwrap_or_default());
        let out = Command::new("sh")
            .args([
                "-c",
                &line.replace("cargo run --release --", "stiction").replace("cargo run --release", "stiction"),
            ])
            .current_dir(scratch)
            .env("PATH", &path)
            .output()
            .map_err(|e| format!("cannot run a shell: {e}"))?;
        let (printed, said) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        if out.status.code() == Some(127) && FOREIGN.iter().any(|tool| said.contains(&format!("{tool}: not found"))) {
            tally.skipped.push(format!("`{line}`: {}", said.trim()));
            continue;
        }
        let wanted = if shown.iter().any(|l| l.starts_with("error:")) { 2 } else { 0 };
        if out.status.code() != Some(wanted) {
            return Err(format!("`{line}` exits with {:?}, not {wanted}:\n{said}{printed}", out.status.code()));
        }
        let (talk, data): (Vec<&str>, Vec<&str>) = shown.iter().partition(|line| is_talk(line));
        if let Some(unsaid) = talk.iter().find(|line| !said.lines().any(|l| alike(line.trim_end(), l.trim_end()))) {
            return Err(format!("`{line}` does not print to stderr\n{unsaid}\nIt prints\n{said}"));
        }
        compare(&data, &printed).map_err(|e| format!("`{line}` {e}\nIt prints\n{printed}"))?;
        tally.ran += 1;
    }
    Ok(())
}

/// Every command with the lines shown below it. A command goes on after a backslash at the end of its line.
fn commands(body: &str) -> Vec<(String, Vec<&str>)> {
    let mut out: Vec<(String, Vec<&str>)> = Vec::new();
    let mut open = false;
    for line in body.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            out.push((command.to_owned(), Vec::new()));
        } else if let Some((command, _)) = out.last_mut().filter(|_| open) {
            *command += &format!("\n{line}");
        } else if let Some((_, shown)) = out.last_mut() {
            shown.push(line);
        }
        open = out.last().is_some_and(|(command, shown)| shown.is_empty() && command.ends_with('\\'));
    }
    out
}

/// Whether a line goes to stderr. Its position among the lines of stdout is not defined.
fn is_talk(line: &str) -> bool {
    ["note: ", "warning: ", "error: ", "hint: "].iter().any(|head| line.starts_with(head))
}

/// Whether a text is what is shown of it. Empty lines do not count. A line `...` stands for any lines, `...` within a line
/// for anything in it. If nothing is shown, anything may be printed.
fn compare(shown: &[&str], printed: &str) -> Result<(), Error> {
    let full = |line: &&str| !line.trim().is_empty();
    let mut rest = printed.lines().map(str::trim_end).filter(full).peekable();
    let mut gap = shown.is_empty();
    for line in shown.iter().map(|line| line.trim_end()).filter(full) {
        if line == "..." {
            gap = true;
            continue;
        }
        let found = if gap { rest.any(|p| alike(line, p)) } else { rest.next().is_some_and(|p| alike(line, p)) };
        if !found {
            return Err(format!(
                "does not print\n{line}\n{}",
                if gap { "" } else { "as its next line; `...` stands for any lines" }
            ));
        }
        gap = false;
    }
    match rest.next().filter(|_| !gap) {
        Some(more) => Err(format!("also prints\n{more}\nhint: put a line `...` for lines that are not shown")),
        None => Ok(()),
    }
}

fn alike(shown: &str, printed: &str) -> bool {
    let Some((head, tail)) = shown.split_once("...") else { return shown == printed };
    let Some(mut rest) = printed.strip_prefix(head) else { return false };
    let parts: Vec<&str> = tail.split("...").collect();
    let (last, middle) = parts.split_last().unwrap_or((&"", &[]));
    for part in middle {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::{commands, compare};

    #[test]
    fn shown_is_what_is_printed() {
        let printed = "a\n\nb 1.2 s\nc\n";
        for right in [&["a", "b 1.2 s", "c"][..], &["a", "", "b ... s", "..."], &["...", "c"], &["a", "...", "c"], &[]]
        {
            assert_eq!(compare(right, printed), Ok(()), "{right:?}");
        }
        for wrong in [
            &["a", "c"][..],
            &["a"],
            &["b ... s", "..."],
            &["...", "b"],
            &["...", "c", "a"],
            &["...", "b ... m", "..."],
        ] {
            assert!(compare(wrong, printed).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_command_may_go_on() {
        let found = commands("$ a \\\n  b\nc\n$ d\n");
        assert_eq!(found, [("a \\\n  b".to_owned(), vec!["c"]), ("d".to_owned(), vec![])]);
    }
}
