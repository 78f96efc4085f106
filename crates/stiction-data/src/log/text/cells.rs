//! A line as cells, and a cell as a number.
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

/// The separator of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// One character; blanks around it do not count.
    Character(char),
    /// Any number of blanks and tabs.
    Blanks,
}

impl Display for Delimiter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character('\t') => f.write_str("tabs"),
            Self::Character(character) => write!(f, "'{}'", character.escape_debug()),
            Self::Blanks => f.write_str("blanks"),
        }
    }
}

/// Splits lines into cells, all with one delimiter. Quoting is that of RFC 4180, read by `csv-core`: a cell in quotes may hold
/// the delimiter, and `""` is a quote in it. A line with an odd number of quotes is split as if they were ordinary characters:
/// an inch mark does not swallow the cells after it.
pub struct CellSplitter {
    delimiter: Delimiter,
    quoted: csv_core::Reader,
    unquoted: csv_core::Reader,
    /// The text of all cells, one after the other, and where each ends; of a longer line before there may be a rest.
    text: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
}

impl CellSplitter {
    pub fn new(delimiter: Delimiter) -> Self {
        let byte = match delimiter {
            Delimiter::Character(character) if character.is_ascii() => character as u8,
            _ => b',',
        };
        let reader = |quoting: bool| {
            let mut builder = csv_core::ReaderBuilder::new();
            builder.delimiter(byte).quoting(quoting).terminator(csv_core::Terminator::Any(b'\n')).build()
        };
        let (quoted, unquoted) = (reader(true), reader(false));
        Self { delimiter, quoted, unquoted, text: Vec::new(), ends: Vec::new(), count: 0 }
    }
    /// Splits a line; the result is the number of cells. Empty cells at the end of the line count.
    pub fn split(&mut self, line: &str) -> usize {
        match self.delimiter {
            Delimiter::Blanks => self.collect(line.split_ascii_whitespace()),
            Delimiter::Character(character) if character.is_ascii() => self.parse(line),
            Delimiter::Character(character) => self.collect(line.split(character)),
        }
        self.count
    }
    /// The cells of the line that was split last, without blanks around them.
    pub fn cells(&self) -> impl Iterator<Item = &str> {
        let ends = &self.ends[..self.count];
        let text = &self.text[..ends.last().copied().unwrap_or(0)];
        // cut out at ASCII characters only, so still UTF-8
        let text = std::str::from_utf8(text).unwrap_or_default();
        let starts = [0].into_iter().chain(ends.iter().copied());
        starts.zip(ends).map(move |(start, end)| text.get(start..*end).unwrap_or_default().trim())
    }
    fn collect<'a>(&mut self, cells: impl Iterator<Item = &'a str>) {
        self.text.clear();
        self.ends.clear();
        for cell in cells {
            self.text.extend_from_slice(cell.as_bytes());
            self.ends.push(self.text.len());
        }
        self.count = self.ends.len();
    }
    fn parse(&mut self, line: &str) {
        let quotes = line.bytes().filter(|byte| *byte == b'"').count();
        let reader = if quotes % 2 == 0 { &mut self.quoted } else { &mut self.unquoted };
        let line = if quotes == 0 { Cow::Borrowed(line) } else { without_blanks_before_quotes(line, self.delimiter) };
        // the text is never longer than the line, and there is at most one cell more than bytes
        let room = line.len() + 1;
        if self.ends.len() < room {
            self.text.resize(room, 0);
            self.ends.resize(room, 0);
        }
        reader.reset();
        let (_, _, written, count) = reader.read_record(line.as_bytes(), &mut self.text, &mut self.ends);
        // the end of the input ends the last cell
        let (_, _, _, last) = reader.read_record(&[], &mut self.text[written..], &mut self.ends[count..]);
        self.count = count + last;
        if self.count == 0 {
            (self.ends[0], self.count) = (0, 1);
        }
    }
}

/// The line without the blanks between a delimiter and a quote, where `csv-core` would take the quote literally.
fn without_blanks_before_quotes(line: &str, delimiter: Delimiter) -> Cow<'_, str> {
    if !line.contains(" \"") && !line.contains("\t\"") {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    // a blank before a quote, within a quoted cell, follows text
    let mut at_start = true;
    let mut blanks = 0;
    for character in line.chars() {
        let is_delimiter = Delimiter::Character(character) == delimiter;
        if at_start && character == '"' {
            out.truncate(out.len() - blanks);
        }
        blanks = if at_start && matches!(character, ' ' | '\t') && !is_delimiter { blanks + 1 } else { 0 };
        at_start = is_delimiter || blanks > 0;
        out.push(character);
    }
    Cow::Owned(out)
}

/// Cells of a line.
pub fn split(line: &str, delimiter: Delimiter) -> Vec<String> {
    let mut splitter = CellSplitter::new(delimiter);
    splitter.split(line);
    splitter.cells().map(str::to_owned).collect()
}

/// Texts that stand for a missing number.
const MISSING_VALUES: [&str; 11] = ["", "-", "--", "na", "n/a", "#n/a", "null", "none", "1.#qnan", "1.#ind", "-1.#ind"];

/// Whether a cell stands for a missing number.
pub fn missing(cell: &str) -> bool {
    cell.len() <= 7 && MISSING_VALUES.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// The longest text that is a number \[bytes\]: the exact value of the smallest one has 1075 digits after the point.
const MAX_NUMBER_LENGTH: usize = 1100;

/// A cell as a number; a missing one is NaN. None for other text.
pub fn number(cell: &str, decimal_comma: bool) -> Option<f64> {
    if cell.len() > MAX_NUMBER_LENGTH || decimal_comma && cell.contains('.') {
        return None;
    }
    let text =
        if decimal_comma && cell.contains(',') { Cow::Owned(cell.replacen(',', ".", 1)) } else { Cow::Borrowed(cell) };
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

/// The text of a comment line; none if the line is not a comment.
pub fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    ["#", "%", "//"]
        .into_iter()
        .find_map(|mark| line.strip_prefix(mark))
        .map(|rest| rest.trim_start_matches(['#', '%']))
}

#[cfg(test)]
mod tests {
    use super::{Delimiter, comment, number, split};

    #[test]
    fn cells_with_quotes_and_blanks() {
        let comma = Delimiter::Character(',');
        assert_eq!(split("a, b ,,d", comma), ["a", "b", "", "d"]);
        assert_eq!(split("\"a, b\" , c,\"d\"", comma), ["a, b", "c", "d"]);
        assert_eq!(split("1, \"a, b\",\t\"c\"", comma), ["1", "a, b", "c"]);
        assert_eq!(split(r#""a ""b"" c",x"#, comma), [r#"a "b" c"#, "x"]);
        assert_eq!(split("\"open, 1", comma), ["\"open", "1"]);
        assert_eq!(split("5\", 1", comma), ["5\"", "1"]);
        assert_eq!(split("\"say \"\", yes\",1", comma), ["say \", yes", "1"]);
        assert_eq!(split("  1 \t 2  ", Delimiter::Blanks), ["1", "2"]);
        assert_eq!(split("1,2,", comma), ["1", "2", ""]);
        assert_eq!(split("", comma), [""]);
        assert_eq!(split("1\t\"a\tb\"", Delimiter::Character('\t')), ["1", "a\tb"]);
        assert_eq!(split("µ§ß", Delimiter::Character('§')), ["µ", "ß"]);
        assert_eq!(split("µ;ß", Delimiter::Character(';')), ["µ", "ß"]);
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
    fn comments() {
        assert_eq!([" # t x", "%% t", "// t", "t # x"].map(comment), [Some(" t x"), Some(" t"), Some(" t"), None]);
    }
}
