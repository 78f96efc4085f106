//! How a text file is laid out, found out from its beginning.
use super::cells::{Delimiter, missing, number, remark, split};
use super::lines::{latin, unmarked};
use crate::log::{Field, Options, Problem, head, unit};

/// Lines that are looked at, of data.
const LOOK: usize = 200;

/// How a text file is laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// What stands between cells.
    pub delimiter: Delimiter,
    /// Whether decimals are written with a comma.
    pub comma: bool,
    /// The line, from one, with which the rows begin.
    pub begin: u64,
    /// The columns.
    pub fields: Vec<Field>,
}

/// A line that is neither empty nor a remark, with its number from one and the remark above it.
struct Line<'a> {
    number: u64,
    text: &'a str,
    above: Option<&'a str>,
}

/// How well a way to read the lines fits.
struct Fit {
    delimiter: Delimiter,
    comma: bool,
    cells: usize,
    /// Share of cells that are numbers, over all lines.
    score: f64,
}

impl Layout {
    /// Looks at the first bytes; `whole` if there are no more.
    pub fn find(bytes: &[u8], whole: bool, options: &Options) -> Result<Self, Problem> {
        let bytes = unmarked(bytes);
        let text = std::str::from_utf8(bytes).map_or_else(
            |e| if e.error_len().is_none() { String::from_utf8_lossy(bytes).into_owned() } else { latin(bytes) },
            str::to_owned,
        );
        let lines = lines(&text, whole, options.skip);
        if lines.is_empty() {
            return Err(if bytes.trim_ascii().is_empty() { Problem::Empty } else { Problem::NoNumbers });
        }
        let fit = best(&lines, options).ok_or(Problem::NoNumbers)?;
        let data = |line: &Line| {
            let found = numbers(line.text, fit.delimiter, fit.comma);
            found.is_some_and(|n| n.cells == fit.cells || n.open && n.cells == fit.cells + 1)
        };
        // what stands above a table may look like a row; the first row has a head above, or another row below, or is the
        // first line and all numbers. Rows must not be lost because the second one is broken
        let led = |at: usize| match at.checked_sub(1) {
            Some(above) => titles(lines[above].text, &fit).is_some(),
            None => numbers(lines[0].text, fit.delimiter, fit.comma).is_some_and(|n| n.words == 0),
        };
        let follows = |at: usize| lines.get(at + 1).is_none_or(data);
        let first = |at: &usize| data(&lines[*at]) && (follows(*at) || led(*at));
        let begin = (0..lines.len()).find(first).ok_or(Problem::NoNumbers)?;
        let mut fields = heads(&lines[..begin], lines[begin].above, &fit);
        let cells: Vec<Vec<&str>> =
            lines[begin..].iter().take(LOOK).map(|line| split(line.text, fit.delimiter)).collect();
        for (at, field) in fields.iter_mut().enumerate() {
            field.text = words(cells.iter().filter_map(|row| row.get(at).copied()), fit.comma);
        }
        Ok(Self { delimiter: fit.delimiter, comma: fit.comma, begin: lines[begin].number, fields })
    }
}

/// The lines worth looking at. The last one may be cut where the bytes end.
fn lines(text: &str, whole: bool, skip: usize) -> Vec<Line<'_>> {
    let mut all: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    if !whole && all.len() > 1 {
        all.pop();
    }
    let mut above = None;
    let mut out = Vec::new();
    for (at, text) in all.into_iter().enumerate().skip(skip) {
        match remark(text) {
            Some(rest) => above = Some(rest),
            None if text.trim().is_empty() => {}
            None => out.push(Line { number: at as u64 + 1, text, above: above.take() }),
        }
    }
    out
}

/// Cells of a line that has more numbers than words.
struct Numbers {
    cells: usize,
    numbers: usize,
    words: usize,
    /// Whether the last cell is empty.
    open: bool,
}

fn numbers(line: &str, delimiter: Delimiter, comma: bool) -> Option<Numbers> {
    let cells = split(line, delimiter);
    let open = cells.len() > 1 && cells.last().is_some_and(|cell| cell.is_empty());
    let words = cells.iter().filter(|cell| number(cell, comma).is_none()).count();
    let numbers = cells.iter().filter(|cell| !missing(cell)).count() - words;
    (numbers > 0 && numbers >= words).then_some(Numbers { cells: cells.len(), numbers, words, open })
}

fn best(lines: &[Line], options: &Options) -> Option<Fit> {
    let marks = [',', ';', '\t', '|'].map(Delimiter::Mark);
    let delimiters: Vec<Delimiter> = match options.delimiter {
        Some(' ') => vec![Delimiter::Blanks],
        Some(mark) => vec![Delimiter::Mark(mark)],
        None => marks.into_iter().chain([Delimiter::Blanks]).collect(),
    };
    let mut best: Option<Fit> = None;
    for comma in [false, true].into_iter().filter(|comma| options.comma.is_none_or(|wanted| wanted == *comma)) {
        for &delimiter in delimiters.iter().filter(|delimiter| !(comma && **delimiter == Delimiter::Mark(','))) {
            if let Some(fit) = fit(lines, delimiter, comma)
                // two whole numbers are more likely than one with a comma
                && (fit.cells > 1 || !comma || options.comma.is_some())
                && best.as_ref().is_none_or(|best| fit.score > best.score)
            {
                best = Some(fit);
            }
        }
    }
    best
}

/// The most common number of cells, and how many of all cells are numbers then.
fn fit(lines: &[Line], delimiter: Delimiter, comma: bool) -> Option<Fit> {
    let found: Vec<Numbers> = lines.iter().filter_map(|line| numbers(line.text, delimiter, comma)).take(LOOK).collect();
    let count = |cells: usize| found.iter().filter(|n| n.cells == cells).count();
    // of equally common ones the widest
    let cells = found.iter().map(|n| n.cells).max_by_key(|&cells| (count(cells), cells))?;
    let fitting = || found.iter().filter(|n| n.cells == cells);
    let (good, bad) = fitting().fold((0, 0), |(good, bad), n| (good + n.numbers, bad + n.words));
    let share = count(cells) as f64 / lines.len().min(LOOK) as f64;
    // a delimiter at the end of every line is common
    let cells = if fitting().all(|n| n.open) { cells - 1 } else { cells };
    Some(Fit { delimiter, comma, cells, score: share * good as f64 / (good + bad) as f64 })
}

/// Names and units: the line above the rows, or two, or a remark there.
fn heads(above: &[Line], remark: Option<&str>, fit: &Fit) -> Vec<Field> {
    let row = |line: &str| -> Option<Vec<String>> { titles(line, fit) };
    let fits = |back: usize| above.len().checked_sub(back).and_then(|at| row(above[at].text));
    let (names, units) = match (fits(1), fits(2)) {
        (Some(units), Some(names)) if units.iter().all(|text| is_unit(text)) => (Some(names), Some(units)),
        (Some(names), _) => (Some(names), None),
        (None, _) => (remark.and_then(row), None),
    };
    (0..fit.cells)
        .map(|at| {
            let (mut name, mut unit) = names.as_ref().map(|names| head::split(&names[at])).unwrap_or_default();
            if let Some(text) = units.as_ref().map(|units| units[at].trim_matches(['[', ']', '(', ')']).to_owned()) {
                unit = (!matches!(text.as_str(), "" | "-")).then_some(text);
            }
            if name.is_empty() {
                name = format!("c{}", at + 1);
            }
            Field { name, unit, rows: None, text: None }
        })
        .collect()
}

fn is_unit(text: &str) -> bool {
    let bare = text.trim_matches(['[', ']', '(', ')']);
    bare.len() < text.len() || matches!(bare, "" | "-") || unit::si(bare).is_some()
}

/// The heads on a line, if there are as many as cells and none is a number.
fn titles(line: &str, fit: &Fit) -> Option<Vec<String>> {
    let blanks = fit.delimiter == Delimiter::Blanks;
    let mut cells: Vec<String> = Vec::new();
    for cell in split(line, fit.delimiter) {
        match cells.last_mut() {
            // between blanks, `v [m/s]` is one head
            Some(last) if blanks && cell.starts_with(['[', '(']) && !last.ends_with([']', ')']) => {
                *last = format!("{last} {cell}");
            }
            _ => cells.push(cell.to_owned()),
        }
    }
    while cells.len() > fit.cells && cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    let mut said = cells.iter().filter(|cell| !missing(cell)).peekable();
    let words = said.peek().is_some() && said.all(|cell| number(cell, fit.comma).is_none());
    (cells.len() == fit.cells && words).then_some(cells)
}

/// A word in a column without a number.
fn words<'a>(cells: impl Iterator<Item = &'a str>, comma: bool) -> Option<String> {
    let mut word = None;
    for cell in cells.filter(|cell| !missing(cell)) {
        if number(cell, comma).is_some() {
            return None;
        }
        word.get_or_insert(cell);
    }
    word.map(str::to_owned)
}
