//! Plain text layout.
use std::borrow::Borrow;
use stiction::number::{round, short};

/// Largest width of text in columns.
const MAX_WIDTH: usize = 100;
/// Smallest width of text in columns.
const MIN_WIDTH: usize = 40;
/// Smallest width of the last column of a table.
const MIN_LAST_COLUMN: usize = 20;

/// Width of a line: that of the terminal, if `COLUMNS` gives it, within these limits.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    columns.unwrap_or(MAX_WIDTH).clamp(MIN_WIDTH, MAX_WIDTH)
}

/// A number for a reader: six digits.
pub fn digits(x: f64) -> String {
    short(round(x, 6))
}

/// The same, and `-` if there is none.
pub fn digits_or_dash(x: Option<f64>) -> String {
    x.filter(|x| x.is_finite()).map_or("-".into(), digits)
}

/// `text` in lines that fit, all but the first indented by `indent`. `begin` precedes the first word and may be longer
/// than the indent.
pub fn wrap(begin: &str, text: &str, indent: usize) -> String {
    fill(begin, text.split_whitespace(), indent, "")
}

/// Items with commas between them, each on one line, indented by two.
pub fn list(items: &[impl Borrow<str>]) -> String {
    let text = items.join(",\n");
    fill("  ", text.lines(), 2, "")
}

/// A shell command, indented by two; a line that is too long is continued by a backslash before an option.
pub fn command(line: &str) -> String {
    let lines = line.replace(" --", "\n--");
    fill("  ", lines.lines(), 4, " \\")
}

/// A word quoted for the shell.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+%@".contains(c);
    let bare = !word.is_empty() && word.chars().all(plain);
    if bare { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Pieces in lines that fit; `more` ends each line but the last.
fn fill<'a>(begin: &str, parts: impl Iterator<Item = &'a str>, indent: usize, more: &str) -> String {
    let (mut out, mut used, mut fresh) = (begin.to_owned(), begin.chars().count(), true);
    let width = width() - more.len();
    for part in parts {
        let len = part.chars().count();
        if !fresh && used + 1 + len > width {
            out += &format!("{more}\n{:indent$}", "");
            (used, fresh) = (indent, true);
        }
        if !fresh {
            out.push(' ');
            used += 1;
        }
        out.push_str(part);
        used += len;
        fresh = false;
    }
    out.push('\n');
    out
}

/// Rows in columns, indented by two. Columns listed in `right` are aligned to the right; the last one is wrapped, or
/// placed below the others if there is no room beside them.
pub fn table<const N: usize>(rows: &[[String; N]], right: &[usize]) -> String {
    let widest = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(widest);
    let mut out = String::new();
    for row in rows {
        let mut begin = String::from("  ");
        for (i, cell) in row.iter().enumerate().take(N - 1) {
            let width = widths[i];
            begin += &if right.contains(&i) { format!("{cell:>width$}  ") } else { format!("{cell:<width$}  ") };
        }
        let mut indent = begin.chars().count();
        if indent + MIN_LAST_COLUMN > width() {
            out += &format!("{}\n", begin.trim_end());
            indent = 6;
            begin = " ".repeat(indent);
        }
        out += wrap(&begin, &row[N - 1], indent).trim_end();
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{MAX_WIDTH, command, table, wrap};

    #[test]
    fn wraps_words_with_a_hanging_indent() {
        let text = "word ".repeat(50);
        let lines = wrap("- ", &text, 4);
        assert!(lines.lines().count() > 1);
        assert!(lines.lines().all(|line| line.chars().count() <= MAX_WIDTH && line == line.trim_end()));
        assert!(lines.lines().skip(1).all(|line| line.starts_with("    word")));
        assert_eq!(lines.split_whitespace().filter(|&word| word == "word").count(), 50);
        assert!(wrap("", &"x".repeat(300), 0).len() == 301);
    }

    #[test]
    fn breaks_commands_before_options() {
        let line = format!("stiction params lugre{}", " --set reverse.fc=-1".repeat(9));
        let lines = command(&line);
        assert!(lines.lines().count() > 1 && lines.lines().all(|line| line.chars().count() <= MAX_WIDTH));
        assert_eq!(lines.trim().replace(" \\\n   ", ""), line);
    }

    #[test]
    fn aligns_columns() {
        let rows = [["a", "1", "first"], ["long", "10", "second"]].map(|row| row.map(str::to_owned));
        assert_eq!(table(&rows, &[1]), "  a      1  first\n  long  10  second\n");
    }
}
