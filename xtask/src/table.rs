//! The committed tables of the checks: the part of TOML that they need, `[heading]`, `name = "text"` and
//! `name = ["a", "b"]` on one line or several, and comments.
use crate::Error;

/// A heading with its rows, in the order of the file.
#[derive(Debug, PartialEq)]
pub struct Section {
    pub heading: String,
    pub rows: Vec<TableRow>,
}

/// A name and what it is set to; one value for a plain text.
#[derive(Debug, PartialEq)]
pub struct TableRow {
    pub name: String,
    pub values: Vec<String>,
    /// Line in the file, counted from 1.
    pub line: usize,
}

/// Reads a table; `path` is for messages.
pub fn parse(path: &str, text: &str) -> Result<Vec<Section>, Error> {
    let mut out: Vec<Section> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((k, line)) = lines.next() {
        let line_number = k + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(heading) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            out.push(Section { heading: heading.trim_matches('"').to_owned(), rows: Vec::new() });
            continue;
        }
        let bad =
            || format!("{path}:{line_number}: expected `[heading]`, `name = \"text\"` or `name = [\"a\", \"b\"]`");
        let (name, value) = key_and_value(line).ok_or_else(bad)?;
        let mut value = value.to_owned();
        while value.starts_with('[') && !value.ends_with(']') {
            let (_, more) = lines.next().ok_or_else(bad)?;
            let more = more.trim();
            if !more.starts_with('#') {
                value += more;
            }
        }
        if !(value.starts_with('[') || value.starts_with('"')) || value.matches('"').count() % 2 != 0 {
            return Err(bad());
        }
        // the odd pieces between quotation marks are the texts
        let values = value.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        let section = out.last_mut().ok_or_else(|| format!("{path}:{line_number}: a row before the first heading"))?;
        section.rows.push(TableRow { name, values, line: line_number });
    }
    Ok(out)
}

fn key_and_value(line: &str) -> Option<(String, &str)> {
    match line.strip_prefix('"') {
        Some(rest) => {
            let (key, rest) = rest.split_once('"')?;
            Some((key.to_owned(), rest.trim_start().strip_prefix('=')?.trim()))
        }
        None => line.split_once('=').map(|(key, value)| (key.trim().to_owned(), value.trim())),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn rows_are_read() {
        let found = parse("t", "# c\n[a]\nb = []\n\"c d\" = [\"e\",\n  # why\n  \"f\"]\n[g]\nh = \"i, j\"\n").unwrap();
        let rows = |k: usize| found[k].rows.iter().map(|r| (r.name.as_str(), r.values.join("|"), r.line));
        assert_eq!(found[0].heading, "a");
        assert_eq!(rows(0).collect::<Vec<_>>(), [("b", String::new(), 3), ("c d", "e|f".into(), 4)]);
        assert_eq!(rows(1).collect::<Vec<_>>(), [("h", "i, j".into(), 8)]);
    }

    #[test]
    fn a_line_that_is_no_row_is_an_error() {
        for wrong in ["[a]\nb", "b = []", "[a]\nb = c", "[a]\nb = [\"c\","] {
            assert!(parse("t", wrong).unwrap_err().starts_with("t:"), "{wrong}");
        }
    }
}
