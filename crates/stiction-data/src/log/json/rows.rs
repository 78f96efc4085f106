//! Rows of a JSON file: every array is read by a reader of its own, so that long columns that follow each other in the
//! file come side by side.
use super::map::{Place, leaves};
use super::scan::{Scalar, Scan};
use crate::DataError;
use crate::log::source::Source;
use crate::log::table::Rows;
use crate::log::{Chunk, Field, Problem};

struct Array<'a> {
    scan: Scan<'a>,
    offset: u64,
    brackets: bool,
    /// Way within a member, name, and place in the chunk.
    columns: Vec<(String, String, usize)>,
    rows: u64,
    begun: bool,
    ended: bool,
}

struct Reader<'a>(Vec<Array<'a>>);

pub fn open<'a>(source: &'a Source, wanted: &[(&Place, &Field)]) -> Result<Box<dyn Rows + 'a>, DataError> {
    let mut arrays: Vec<Array> = Vec::new();
    for (at, (place, field)) in wanted.iter().enumerate() {
        let column = (place.path.clone(), field.name.clone(), at);
        match arrays.iter_mut().find(|array| array.offset == place.offset) {
            Some(array) => array.columns.push(column),
            None => arrays.push(Array {
                scan: Scan::new(source, place.offset)?,
                offset: place.offset,
                brackets: place.brackets,
                columns: vec![column],
                rows: 0,
                begun: false,
                ended: false,
            }),
        }
    }
    Ok(Box::new(Reader(arrays)))
}

impl Rows for Reader<'_> {
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

impl Array<'_> {
    /// Whether a member comes next.
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
        for (_, _, at) in &*columns {
            chunk.columns[*at].push(f64::NAN);
        }
        let mut bad = None;
        leaves(scan, "", 0, &mut |way, scalar| {
            for (_, name, at) in columns.iter().filter(|column| column.0 == way) {
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
            Some((column, text)) => Err(scan.fault(Problem::Cell { row: *rows, line: false, column, text })),
            None => Ok(true),
        }
    }
}
