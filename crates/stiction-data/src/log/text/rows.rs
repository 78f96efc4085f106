//! Rows of a text file.
use super::cells::{each, number, remark};
use super::layout::Layout;
use super::lines::{LONGEST, Lines, Stop};
use crate::DataError;
use crate::log::source::Source;
use crate::log::table::Rows;
use crate::log::{Chunk, Problem};

/// Most letters of a bad cell that are shown.
const SHOWN: usize = 30;

struct Reader<'a> {
    source: &'a Source,
    layout: &'a Layout,
    lines: Lines,
    /// For every cell of a row, where its number goes.
    places: Vec<Vec<usize>>,
    cut: bool,
}

/// The rows, with the wanted columns.
pub fn open<'a>(source: &'a Source, layout: &'a Layout, wanted: &[usize]) -> Result<Box<dyn Rows + 'a>, DataError> {
    let mut places = vec![Vec::new(); layout.fields.len()];
    for (place, &column) in wanted.iter().enumerate() {
        places[column].push(place);
    }
    let lines = Lines::new(source.read()?);
    Ok(Box::new(Reader { source, layout, lines, places, cut: false }))
}

impl Rows for Reader<'_> {
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        let Self { source, layout, lines, places, cut } = self;
        let mut added = 0;
        while added < rows {
            let number = lines.count + 1;
            let line = match lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(Stop::Io(io)) => return Err(source.io(io)),
                Err(Stop::Long) => return Err(source.fault(Problem::LongLine { line: number, max: LONGEST })),
            };
            if number < layout.begin || line.trim().is_empty() || remark(line).is_some() {
                continue;
            }
            match row(line, number, layout, places, chunk) {
                Ok(()) => added += 1,
                // a logger that lost power ends in the middle of a line
                Err(Problem::Ragged { cells, expected, .. }) if cells < expected && !lines.ended => *cut = true,
                Err(problem) => return Err(source.fault(problem)),
            }
        }
        Ok(())
    }
    fn cut(&self) -> bool {
        self.cut
    }
}

fn row(line: &str, count: u64, layout: &Layout, places: &[Vec<usize>], chunk: &mut Chunk) -> Result<(), Problem> {
    let mut bad = None;
    let mut extra = false;
    let cells = each(line, layout.delimiter, |at, cell| {
        let Some(places) = places.get(at) else {
            extra |= !cell.is_empty();
            return;
        };
        if places.is_empty() {
            return;
        }
        match number(cell, layout.comma) {
            Some(x) => places.iter().for_each(|&place| chunk.columns[place].push(x)),
            None => bad = bad.take().or(Some((at, cell))),
        }
    });
    let problem = if cells < places.len() || extra {
        Problem::Ragged { line: count, cells, expected: places.len() }
    } else if let Some((at, cell)) = bad {
        let text = cell.chars().take(SHOWN).collect();
        Problem::Cell { row: count, line: true, column: layout.fields[at].name.clone(), text }
    } else {
        chunk.lines.push(count);
        return Ok(());
    };
    // what was taken from this row goes
    chunk.columns.iter_mut().for_each(|column| column.truncate(chunk.lines.len()));
    Err(problem)
}
