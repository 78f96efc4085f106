//! The layout of a text file, recognised from its beginning.
use super::cells::{CellSplitter, Delimiter, comment, missing, number, split};
use super::lines::{MAX_LINE, latin1, without_mark};
use crate::ContentError;
use crate::log::{Field, ReadOptions, header, unit};

/// Data lines that are looked at.
const SAMPLE_LINES: usize = 200;

/// The layout of a text file.
#[derive(Clone, Debug, PartialEq)]
pub struct TextLayout {
    /// The separator of cells.
    pub delimiter: Delimiter,
    /// Whether decimals are written with a comma.
    pub decimal_comma: bool,
    /// The line, from one, with which the rows begin.
    pub begin: u64,
    /// The columns.
    pub fields: Vec<Field>,
}

/// A line that is neither empty nor a comment, with its number from one and the comment above it.
struct TextLine<'a> {
    number: u64,
    text: &'a str,
    above: Option<&'a str>,
}

/// How well a delimiter and a decimal mark fit the lines.
#[derive(Clone, Copy)]
struct LayoutCandidate {
    delimiter: Delimiter,
    comma: bool,
    cells: usize,
    /// Whether every row has a delimiter at its end, after which nothing follows; it is not counted as a cell.
    open: bool,
    /// Share of cells that are numbers, over all lines.
    score: f64,
}

impl LayoutCandidate {
    /// A last column without any value is a column if the line above the rows names it; else it is a habit of whoever wrote the file.
    fn with_named_last_column(self, header: Option<&TextLine>) -> Self {
        let wider = Self { cells: self.cells + 1, ..self };
        let names = header.filter(|_| wider.open).and_then(|line| header_cells(line.text, &wider));
        if names.is_some_and(|names| names.last().is_some_and(|name| !missing(name))) { wider } else { self }
    }
}

impl TextLayout {
    /// The layout of a file that begins with `bytes`; `whole` if there are no more.
    pub fn recognise(bytes: &[u8], whole: bool, options: &ReadOptions) -> Result<Self, ContentError> {
        let bytes = without_mark(bytes);
        let text = std::str::from_utf8(bytes).map_or_else(
            |e| if e.error_len().is_none() { String::from_utf8_lossy(bytes).into_owned() } else { latin1(bytes) },
            str::to_owned,
        );
        let lines = lines(&text, whole, options.skip_lines);
        if let Some(long) = lines.iter().find(|line| line.text.len() > MAX_LINE) {
            return Err(ContentError::LineTooLong { line: long.number, max: MAX_LINE });
        }
        if lines.is_empty() {
            return Err(if bytes.trim_ascii().is_empty() { ContentError::Empty } else { ContentError::NoNumbers });
        }
        let fit = best(&lines, options).ok_or(ContentError::NoNumbers)?;
        let data = |line: &TextLine| {
            let found = numbers(line.text, fit.delimiter, fit.comma);
            found.is_some_and(|n| n.cells == fit.cells || n.open && n.cells == fit.cells + 1)
        };
        // lines above a table may look like rows. The first row has a header above, or another row below, or is the first
        // line and all numbers: so a first row is not lost because the second one is broken
        let starts_table = |at: usize| match at.checked_sub(1) {
            Some(above) => header_cells(lines[above].text, &fit).is_some(),
            None => numbers(lines[0].text, fit.delimiter, fit.comma).is_some_and(|n| n.words == 0),
        };
        let follows = |at: usize| lines.get(at + 1).is_none_or(data);
        let first = |at: &usize| data(&lines[*at]) && (follows(*at) || starts_table(*at));
        let begin = (0..lines.len()).find(first).ok_or(ContentError::NoNumbers)?;
        let fit = fit.with_named_last_column(begin.checked_sub(1).map(|above| &lines[above]));
        let mut fields = column_fields(&lines[..begin], lines[begin].above, &fit);
        let cells: Vec<Vec<String>> =
            lines[begin..].iter().take(SAMPLE_LINES).map(|line| split(line.text, fit.delimiter)).collect();
        for (at, field) in fields.iter_mut().enumerate() {
            field.text = only_text(cells.iter().filter_map(|row| row.get(at).map(String::as_str)), fit.comma);
        }
        Ok(Self { delimiter: fit.delimiter, decimal_comma: fit.comma, begin: lines[begin].number, fields })
    }
}

/// The lines that are neither empty nor comments. The last one is dropped if it may be cut.
fn lines(text: &str, whole: bool, skip: usize) -> Vec<TextLine<'_>> {
    let mut all: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    if !whole && all.len() > 1 {
        all.pop();
    }
    let mut above = None;
    let mut out = Vec::new();
    for (at, text) in all.into_iter().enumerate().skip(skip) {
        match comment(text) {
            Some(rest) => above = Some(rest),
            None if text.trim().is_empty() => {}
            None => out.push(TextLine { number: at as u64 + 1, text, above: above.take() }),
        }
    }
    out
}

/// The cells of a line that has at least as many numbers as other texts.
struct CellCounts {
    cells: usize,
    numbers: usize,
    words: usize,
    /// Whether the last cell is empty.
    open: bool,
}

fn numbers(line: &str, delimiter: Delimiter, comma: bool) -> Option<CellCounts> {
    count_cells(&mut CellSplitter::new(delimiter), line, comma)
}

fn count_cells(splitter: &mut CellSplitter, line: &str, comma: bool) -> Option<CellCounts> {
    let cells = splitter.split(line);
    let open = cells > 1 && splitter.cells().last().is_some_and(str::is_empty);
    let words = splitter.cells().filter(|cell| number(cell, comma).is_none()).count();
    let numbers = splitter.cells().filter(|cell| !missing(cell)).count() - words;
    (numbers > 0 && numbers >= words).then_some(CellCounts { cells, numbers, words, open })
}

fn best(lines: &[TextLine], options: &ReadOptions) -> Option<LayoutCandidate> {
    let usual = [',', ';', '\t', '|'].map(Delimiter::Character);
    let delimiters: Vec<Delimiter> = match options.delimiter {
        Some(' ') => vec![Delimiter::Blanks],
        Some(character) => vec![Delimiter::Character(character)],
        None => usual.into_iter().chain([Delimiter::Blanks]).collect(),
    };
    let mut best: Option<LayoutCandidate> = None;
    for comma in [false, true].into_iter().filter(|comma| options.decimal_comma.is_none_or(|wanted| wanted == *comma)) {
        for &delimiter in delimiters.iter().filter(|delimiter| !(comma && **delimiter == Delimiter::Character(','))) {
            if let Some(fit) = fit(lines, delimiter, comma)
                // two integers are more likely than one number with a decimal comma
                && (fit.cells > 1 || !comma || options.decimal_comma.is_some())
                && best.as_ref().is_none_or(|best| fit.score > best.score)
            {
                best = Some(fit);
            }
        }
    }
    best
}

/// The most common number of cells, and the share of numbers among the cells of the lines that have it.
fn fit(lines: &[TextLine], delimiter: Delimiter, comma: bool) -> Option<LayoutCandidate> {
    let mut splitter = CellSplitter::new(delimiter);
    let counts = lines.iter().filter_map(|line| count_cells(&mut splitter, line.text, comma));
    let found: Vec<CellCounts> = counts.take(SAMPLE_LINES).collect();
    let count = |cells: usize| found.iter().filter(|n| n.cells == cells).count();
    // of equally common ones the largest
    let cells = found.iter().map(|n| n.cells).max_by_key(|&cells| (count(cells), cells))?;
    let fitting = || found.iter().filter(|n| n.cells == cells);
    let (good, bad) = fitting().fold((0, 0), |(good, bad), n| (good + n.numbers, bad + n.words));
    let share = count(cells) as f64 / lines.len().min(SAMPLE_LINES) as f64;
    // a delimiter at the end of every line is common
    let open = fitting().all(|n| n.open);
    let cells = cells - usize::from(open);
    Some(LayoutCandidate { delimiter, comma, cells, open, score: share * good as f64 / (good + bad) as f64 })
}

/// Names and units from the line above the rows, or the two lines above, or a comment there.
fn column_fields(above: &[TextLine], comment: Option<&str>, fit: &LayoutCandidate) -> Vec<Field> {
    let row = |line: &str| -> Option<Vec<String>> { header_cells(line, fit) };
    let fits = |back: usize| above.len().checked_sub(back).and_then(|at| row(above[at].text));
    let (names, units) = match (fits(1), fits(2)) {
        _ if broken_header(above, fit).is_some() => (broken_header(above, fit), None),
        (Some(units), Some(names)) if units.iter().all(|text| is_unit(text)) => (Some(names), Some(units)),
        (Some(names), _) => (Some(names), None),
        (None, _) => (comment.and_then(row), None),
    };
    (0..fit.cells)
        .map(|at| {
            let (mut name, mut unit) = names.as_ref().map(|names| header::split(&names[at])).unwrap_or_default();
            if let Some(text) = units.as_ref().map(|units| units[at].trim_matches(['[', ']', '(', ')']).to_owned()) {
                unit = (!matches!(text.as_str(), "" | "-")).then_some(text);
            }
            if name.is_empty() {
                name = format!("c{}", at + 1);
            }
            Field { name, unit, rows: None, table: None, text: None }
        })
        .collect()
}

/// The headers above the rows if one of them is in quotes and has line breaks, which become blanks. Both its first and its
/// last line have an odd number of quotes.
fn broken_header(above: &[TextLine], fit: &LayoutCandidate) -> Option<Vec<String>> {
    let is_odd = |line: &TextLine| line.text.matches('"').count() % 2 == 1;
    let (last, before) = above.split_last().filter(|(last, _)| is_odd(last))?;
    let first = before.iter().rposition(is_odd)?;
    let lines: Vec<&str> = before[first..].iter().chain([last]).map(|line| line.text.trim()).collect();
    header_cells(&lines.join(" "), fit)
}

fn is_unit(text: &str) -> bool {
    let bare = text.trim_matches(['[', ']', '(', ')']);
    bare.len() < text.len() || matches!(bare, "" | "-") || unit::si(bare).is_some()
}

/// The headers on a line, if there are as many as cells and none is a number.
fn header_cells(line: &str, fit: &LayoutCandidate) -> Option<Vec<String>> {
    let blanks = fit.delimiter == Delimiter::Blanks;
    let mut cells: Vec<String> = Vec::new();
    for cell in split(line, fit.delimiter) {
        match cells.last_mut() {
            // with blanks as delimiter, `v [m/s]` is one header
            Some(last) if blanks && cell.starts_with(['[', '(']) && !last.ends_with([']', ')']) => {
                *last = format!("{last} {cell}");
            }
            _ => cells.push(cell),
        }
    }
    while cells.len() > fit.cells && cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    let mut present = cells.iter().filter(|cell| !missing(cell)).peekable();
    let words = present.peek().is_some() && present.all(|cell| number(cell, fit.comma).is_none());
    (cells.len() == fit.cells && words).then_some(cells)
}

/// The first text in a column without numbers.
fn only_text<'a>(cells: impl Iterator<Item = &'a str>, comma: bool) -> Option<String> {
    let mut text = None;
    for cell in cells.filter(|cell| !missing(cell)) {
        if number(cell, comma).is_some() {
            return None;
        }
        text.get_or_insert(cell);
    }
    text.map(str::to_owned)
}
