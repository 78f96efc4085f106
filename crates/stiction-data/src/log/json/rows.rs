//! Rows of a JSON file. Every array has its own reader, so that arrays that follow each other in the file are read side by
//! side.
use super::index::{ColumnLocation, scalars};
use super::scanner::{JsonScanner, Scalar};
use crate::log::chunk::RowReader;
use crate::log::source::Source;
use crate::log::{Chunk, Field};
use crate::{ContentError, DataError};
use std::collections::HashMap;

struct ArrayReader<'a> {
    scan: JsonScanner<'a>,
    brackets: bool,
    /// Name and column of the chunk, by the path within an element.
    columns: HashMap<String, Vec<(String, usize)>>,
    rows: u64,
    begun: bool,
    ended: bool,
}

struct Reader<'a>(Vec<ArrayReader<'a>>);

pub fn open<'a>(
    source: &'a Source,
    wanted: &[(&ColumnLocation, &Field)],
) -> Result<Box<dyn RowReader + 'a>, DataError> {
    let mut arrays: Vec<ArrayReader> = Vec::new();
    // the index of an array by its position
    let mut known: HashMap<u64, usize> = HashMap::new();
    for (at, (location, field)) in wanted.iter().enumerate() {
        let array = match known.get(&location.offset) {
            Some(&index) => &mut arrays[index],
            None => {
                known.insert(location.offset, arrays.len());
                arrays.push(ArrayReader {
                    scan: JsonScanner::new(source, location.offset)?,
                    brackets: location.brackets,
                    columns: HashMap::new(),
                    rows: 0,
                    begun: false,
                    ended: false,
                });
                arrays.last_mut().unwrap_or_else(|| unreachable!("just pushed"))
            }
        };
        array.columns.entry(location.path.clone()).or_default().push((field.name.clone(), at));
    }
    Ok(Box::new(Reader(arrays)))
}

impl RowReader for Reader<'_> {
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        for array in &mut self.0 {
            for _ in 0..rows {
                if !array.row(chunk)? {
                    break;
                }
            }
        }
        Ok(())
    }
}

impl ArrayReader<'_> {
    /// Whether another element follows.
    fn next(&mut self) -> Result<bool, DataError> {
        if self.ended {
            return Ok(false);
        }
        let more = match (self.brackets, self.begun) {
            (true, false) => {
                self.scan.expect(b'[')?;
                true
            }
            (true, true) => self.scan.more(b']')?,
            (false, _) => {
                self.scan.take(b',')?;
                self.scan.peek()?.is_some()
            }
        };
        (self.begun, self.ended) = (true, !more);
        Ok(more)
    }
    fn row(&mut self, chunk: &mut Chunk) -> Result<bool, DataError> {
        if !self.next()? {
            return Ok(false);
        }
        self.rows += 1;
        let Self { scan, columns, rows, .. } = self;
        for (_, at) in columns.values().flatten() {
            chunk.columns[*at].push(f64::NAN);
        }
        let mut bad = None;
        scalars(scan, "", 0, &mut |path, scalar| {
            for (name, at) in columns.get(path).into_iter().flatten() {
                let value = match &scalar {
                    Scalar::Number(x) => Some(*x),
                    Scalar::Text(text) => crate::log::text::number(text, false),
                };
                match (value, chunk.columns[*at].last_mut(), &scalar) {
                    (Some(x), Some(last), _) => *last = x,
                    (None, _, Scalar::Text(text)) => bad = Some((name.clone(), text.clone())),
                    _ => {}
                }
            }
        })?;
        match bad {
            Some((column, text)) => {
                Err(scan.content_error(ContentError::NotANumber { row: *rows, line: false, column, text }))
            }
            None => Ok(true),
        }
    }
}
