//! Rows of a text file.
use super::cells::{CellSplitter, comment, number};
use super::layout::TextLayout;
use super::lines::{LineError, LineReader, MAX_LINE};
use crate::log::Chunk;
use crate::log::chunk::RowReader;
use crate::log::source::Source;
use crate::{ContentError, DataError};

struct Reader<'a> {
    source: &'a Source,
    layout: &'a TextLayout,
    lines: LineReader,
    splitter: CellSplitter,
    /// For every cell of a row, the columns of the chunk that its number goes to.
    targets: Vec<Vec<usize>>,
    truncated: bool,
}

/// Opens the rows of a file for the wanted columns.
pub fn open<'a>(
    source: &'a Source,
    layout: &'a TextLayout,
    wanted: &[usize],
) -> Result<Box<dyn RowReader + 'a>, DataError> {
    let mut targets = vec![Vec::new(); layout.fields.len()];
    for (target, &column) in wanted.iter().enumerate() {
        targets[column].push(target);
    }
    let lines = LineReader::new(source.read()?);
    let splitter = CellSplitter::new(layout.delimiter);
    Ok(Box::new(Reader { source, layout, lines, splitter, targets, truncated: false }))
}

impl RowReader for Reader<'_> {
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        let Self { source, layout, lines, splitter, targets, truncated } = self;
        let mut added = 0;
        while added < rows {
            let number = lines.count + 1;
            let line = match lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(LineError::Io(io)) => return Err(source.io_error(io)),
                Err(LineError::TooLong) => {
                    return Err(source.content_error(ContentError::LineTooLong { line: number, max: MAX_LINE }));
                }
            };
            if number < layout.begin || line.trim().is_empty() || comment(line).is_some() {
                continue;
            }
            splitter.split(line);
            match row(splitter, number, layout, targets, chunk) {
                Ok(()) => added += 1,
                // a logger that lost power ends in the middle of a line
                Err(ContentError::CellCount { cells, expected, .. }) if cells < expected && !lines.ended => {
                    *truncated = true;
                }
                Err(error) => return Err(source.content_error(error)),
            }
        }
        Ok(())
    }
    fn truncated(&self) -> bool {
        self.truncated
    }
}

/// Appends the numbers of a line to the columns of the chunk.
fn row(
    splitter: &CellSplitter,
    line: u64,
    layout: &TextLayout,
    targets: &[Vec<usize>],
    chunk: &mut Chunk,
) -> Result<(), ContentError> {
    let (mut cells, mut extra, mut bad) = (0, false, None);
    for cell in splitter.cells() {
        let at = cells;
        cells += 1;
        match targets.get(at) {
            None => extra |= !cell.is_empty(),
            Some(targets) if targets.is_empty() => {}
            Some(targets) => match number(cell, layout.decimal_comma) {
                Some(x) => targets.iter().for_each(|&target| chunk.columns[target].push(x)),
                None => bad = bad.or(Some((at, cell))),
            },
        }
    }
    let error = if cells < targets.len() || extra {
        ContentError::CellCount { line, cells, expected: targets.len() }
    } else if let Some((at, cell)) = bad {
        let column = layout.fields[at].name.clone();
        ContentError::NotANumber { row: line, line: true, column, text: cell.to_owned() }
    } else {
        chunk.lines.push(line);
        return Ok(());
    };
    // remove what was taken from this row
    chunk.columns.iter_mut().for_each(|column| column.truncate(chunk.lines.len()));
    Err(error)
}
