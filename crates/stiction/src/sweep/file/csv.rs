//! A result as CSV: a line of heads with units, then a line for each point. What did not happen is empty.
use super::super::{Heads, Row};
use super::strange;
use crate::number::short;
use crate::table::{Head, csv::quoted, head};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

pub struct Writer<'a> {
    out: &'a mut dyn Write,
    line: String,
}

impl<'a> Writer<'a> {
    pub fn new(out: &'a mut dyn Write, heads: &Heads) -> io::Result<Self> {
        let mut line = "index".to_owned();
        for head in heads.columns() {
            line.push(',');
            line += &quoted(&head.to_string());
        }
        writeln!(out, "{line},error")?;
        Ok(Self { out, line })
    }
    pub fn row(&mut self, row: &Row) -> io::Result<()> {
        self.line = row.index.to_string();
        for value in row.values.iter().map(|x| Some(*x)).chain(row.found.iter().copied()) {
            self.line.push(',');
            self.line += &value.map_or_else(String::new, short);
        }
        self.line.push(',');
        // one line, one point
        let error = row.error.as_deref().unwrap_or("").replace(['\n', '\r'], " ");
        self.line += &quoted(&error);
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())
    }
    pub fn finish(self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The heads and rows of a file.
pub fn read(file: File) -> io::Result<(Heads, impl Iterator<Item = io::Result<Row>>)> {
    let mut lines = BufReader::new(file).lines();
    let first = lines.next().transpose()?.ok_or_else(|| strange("it is empty"))?;
    let cells = cells(&first);
    let [index, columns @ .., error] = &cells[..] else { return Err(strange("it has no columns")) };
    if index != "index" || error != "error" {
        return Err(strange("it does not begin with 'index' and end with 'error'"));
    }
    let measures: Vec<Head> = columns.iter().map(|text| head(text)).collect();
    let count = measures.len();
    let heads = Heads { axes: Vec::new(), measures, facts: Vec::new() };
    Ok((heads, lines.map(move |line| row(&line?, count))))
}

fn row(line: &str, count: usize) -> io::Result<Row> {
    let cells = cells(line);
    let bad = || strange(&format!("'{line}' is not a row of it"));
    if cells.len() != count + 2 {
        return Err(bad());
    }
    let number = |text: &String| match text.as_str() {
        "" => Ok(None),
        text => text.parse::<f64>().map(Some).map_err(|_| bad()),
    };
    let found = cells[1..=count].iter().map(number).collect::<io::Result<_>>()?;
    let error = Some(cells[count + 1].clone()).filter(|text| !text.is_empty());
    Ok(Row { index: cells[0].parse().map_err(|_| bad())?, values: Vec::new(), found, error })
}

/// The cells of a line, quotes taken away.
fn cells(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.trim_end_matches('\r').chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                if let Some(last) = out.last_mut() {
                    last.push('"');
                }
            }
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            c => {
                if let Some(last) = out.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::cells;

    #[test]
    fn quotes_are_taken_away() {
        assert_eq!(cells(r#"1,"a, ""b""",,x"#), ["1", "a, \"b\"", "", "x"]);
    }
}
