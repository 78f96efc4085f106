//! A line as cells, and a cell as a number.
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

/// What stands between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// One character, with blanks around it or not.
    Mark(char),
    /// Any number of blanks.
    Blanks,
}

impl Display for Delimiter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mark('\t') => f.write_str("tabs"),
            Self::Mark(mark) => write!(f, "'{mark}'"),
            Self::Blanks => f.write_str("blanks"),
        }
    }
}

/// Calls `take` with the number, from zero, and the text of every cell; gives their count. Quotes are taken off; what
/// stands between them may hold the delimiter. Empty cells at the end of the line do count.
pub fn each<'a>(line: &'a str, delimiter: Delimiter, mut take: impl FnMut(usize, &'a str)) -> usize {
    let Delimiter::Mark(mark) = delimiter else {
        let mut count = 0;
        for cell in line.split_ascii_whitespace() {
            take(count, cell);
            count += 1;
        }
        return count;
    };
    if !line.contains('"') {
        let mut count = 0;
        for cell in line.split(mark) {
            take(count, cell.trim());
            count += 1;
        }
        return count;
    }
    let (mut rest, mut count) = (Some(line), 0);
    while let Some(text) = rest {
        let (cell, after) = match text.trim_start().strip_prefix('"').and_then(|inner| inner.split_once('"')) {
            Some((cell, after)) => (cell, after.split_once(mark).map(|(_, after)| after)),
            None => text.split_once(mark).map_or((text, None), |(cell, after)| (cell, Some(after))),
        };
        take(count, cell.trim());
        count += 1;
        rest = after;
    }
    count
}

/// Cells of a line.
pub fn split(line: &str, delimiter: Delimiter) -> Vec<&str> {
    let mut cells = Vec::new();
    each(line, delimiter, |_, cell| cells.push(cell));
    cells
}

/// Ways to write that there is no number.
const MISSING: [&str; 11] = ["", "-", "--", "na", "n/a", "#n/a", "null", "none", "1.#qnan", "1.#ind", "-1.#ind"];

/// Whether a cell says that there is no number.
pub fn missing(cell: &str) -> bool {
    cell.len() <= 7 && MISSING.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// A cell as a number; a missing one is NaN. Nothing for other text.
pub fn number(cell: &str, comma: bool) -> Option<f64> {
    if comma && cell.contains('.') {
        return None;
    }
    let text = if comma && cell.contains(',') { Cow::Owned(cell.replacen(',', ".", 1)) } else { Cow::Borrowed(cell) };
    if let Ok(x) = text.parse() {
        return Some(x);
    }
    match cell.to_ascii_lowercase().as_str() {
        "true" => Some(1.0),
        "false" => Some(0.0),
        "1.#inf" => Some(f64::INFINITY),
        "-1.#inf" => Some(f64::NEG_INFINITY),
        _ if missing(cell) => Some(f64::NAN),
        // Fortran writes 1.5D-03
        lower if lower.contains('d') && lower.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
            text.replacen(['d', 'D'], "e", 1).parse().ok()
        }
        _ => None,
    }
}

/// Whether a line is a remark.
pub fn remark(line: &str) -> Option<&str> {
    let line = line.trim_start();
    ["#", "%", "//"]
        .into_iter()
        .find_map(|mark| line.strip_prefix(mark))
        .map(|rest| rest.trim_start_matches(['#', '%']))
}

#[cfg(test)]
mod tests {
    use super::{Delimiter, number, remark, split};

    #[test]
    fn cells_with_quotes_and_blanks() {
        let comma = Delimiter::Mark(',');
        assert_eq!(split("a, b ,,d", comma), ["a", "b", "", "d"]);
        assert_eq!(split("\"a, b\" , c,\"d\"", comma), ["a, b", "c", "d"]);
        assert_eq!(split("\"open, 1", comma), ["\"open", "1"]);
        assert_eq!(split("  1 \t 2  ", Delimiter::Blanks), ["1", "2"]);
        assert_eq!(split("1,2,", comma), ["1", "2", ""]);
    }

    #[test]
    fn numbers_as_others_write_them() {
        let good = [
            ("1.5", 1.5),
            ("-2e-3", -2e-3),
            ("1.5D-03", 1.5e-3),
            ("+4", 4.0),
            ("TRUE", 1.0),
            ("1.#INF", f64::INFINITY),
        ];
        for (text, wanted) in good {
            assert_eq!(number(text, false), Some(wanted), "{text}");
        }
        assert_eq!(number("-0,25", true), Some(-0.25));
        for text in ["", "NaN", "n/a", "--"] {
            assert!(number(text, false).is_some_and(f64::is_nan), "{text}");
        }
        for text in ["x", "0,5", "1.2.3", "12:30", "d3", "1 2"] {
            assert_eq!(number(text, false), None, "{text}");
        }
        assert_eq!((number("1.5", true), number("1,2,3", true)), (None, None));
    }

    #[test]
    fn remarks() {
        assert_eq!([" # t x", "%% t", "// t", "t # x"].map(remark), [Some(" t x"), Some(" t"), Some(" t"), None]);
    }
}
