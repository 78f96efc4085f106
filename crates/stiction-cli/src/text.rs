//! Plain text layout.

/// Width of a line.
const WIDTH: usize = 100;

/// `text` in lines of at most [`WIDTH`] characters, all but the first indented by `indent`. `begin` stands before the
/// first word and may be longer than the indent.
pub fn wrap(begin: &str, text: &str, indent: usize) -> String {
    let (mut out, mut used, mut fresh) = (begin.to_owned(), begin.chars().count(), true);
    for word in text.split_whitespace() {
        let len = word.chars().count();
        if !fresh && used + 1 + len > WIDTH {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            (used, fresh) = (indent, true);
        }
        if !fresh {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += len;
        fresh = false;
    }
    out.push('\n');
    out
}

/// Rows in columns, indented by two. Columns named in `right` are aligned at their right end; the last one is wrapped.
pub fn table<const N: usize>(rows: &[[String; N]], right: &[usize]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let mut out = String::new();
    for row in rows {
        let mut begin = String::from("  ");
        for (i, cell) in row.iter().enumerate().take(N - 1) {
            let width = widths[i];
            begin += &if right.contains(&i) { format!("{cell:>width$}  ") } else { format!("{cell:<width$}  ") };
        }
        let indent = begin.chars().count();
        out += wrap(&begin, &row[N - 1], indent).trim_end();
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, table, wrap};

    #[test]
    fn wraps_words_with_a_hanging_indent() {
        let text = "word ".repeat(50);
        let lines = wrap("- ", &text, 4);
        assert!(lines.lines().count() > 1);
        assert!(lines.lines().all(|line| line.chars().count() <= WIDTH && line == line.trim_end()));
        assert!(lines.lines().skip(1).all(|line| line.starts_with("    word")));
        assert_eq!(lines.split_whitespace().filter(|&word| word == "word").count(), 50);
        assert!(wrap("", &"x".repeat(300), 0).len() == 301);
    }

    #[test]
    fn aligns_columns() {
        let rows = [["a", "1", "first"], ["long", "10", "second"]].map(|row| row.map(str::to_owned));
        assert_eq!(table(&rows, &[1]), "  a      1  first\n  long  10  second\n");
    }
}
