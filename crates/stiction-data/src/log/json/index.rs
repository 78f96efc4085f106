//! The positions of the columns in a JSON file.
use super::rows;
use super::scanner::{JsonScanner, MAX_DEPTH, Scalar};
use crate::log::chunk::RowReader;
use crate::log::source::Source;
use crate::log::{Constant, Field, header};
use crate::{ContentError, DataError};

/// Most columns, and most constants; a file with more is an error.
const MAX_COLUMNS: usize = 100_000;

/// The position of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnLocation {
    /// The first byte of its array.
    pub offset: u64,
    /// Whether the array is in brackets; else objects follow each other.
    pub brackets: bool,
    /// The path to it within an element of the array; empty if it is the element.
    pub path: String,
}

/// The columns of a JSON file and their positions.
#[derive(Debug, Default)]
pub struct FileIndex {
    pub fields: Vec<Field>,
    pub constants: Vec<Constant>,
    locations: Vec<ColumnLocation>,
}

impl FileIndex {
    /// Scans the file.
    pub fn build(source: &Source) -> Result<Self, DataError> {
        let mut index = Self::default();
        let mut scan = JsonScanner::new(source, 0)?;
        scan.peek()?;
        let offset = scan.offset();
        index.value(&mut scan, "", 0)?;
        if scan.peek()? == Some(b'{') {
            // one object per line
            index = Self::default();
            index.array(&mut JsonScanner::new(source, offset)?, "", 0, false)?;
        } else if scan.peek()?.is_some() {
            return Err(scan.malformed("unexpected text after the end"));
        }
        if index.fields.iter().all(|field| field.text.is_some()) {
            return Err(source.content_error(ContentError::NoNumbers));
        }
        Ok(index)
    }
    pub fn open<'a>(&self, source: &'a Source, wanted: &[usize]) -> Result<Box<dyn RowReader + 'a>, DataError> {
        let wanted: Vec<(&ColumnLocation, &Field)> =
            wanted.iter().map(|&at| (&self.locations[at], &self.fields[at])).collect();
        rows::open(source, &wanted)
    }

    fn value(&mut self, scan: &mut JsonScanner, path: &str, depth: usize) -> Result<(), DataError> {
        if depth == MAX_DEPTH {
            return Err(scan.malformed(format!("nested deeper than {MAX_DEPTH}")));
        }
        match scan.first()? {
            b'{' => {
                scan.expect(b'{')?;
                if scan.take(b'}')? {
                    return Ok(());
                }
                loop {
                    let key = scan.key()?;
                    self.value(scan, &join(path, &key), depth + 1)?;
                    if !scan.more(b'}')? {
                        return Ok(());
                    }
                }
            }
            b'[' => self.array(scan, path, depth, true),
            _ => {
                if let Scalar::Number(value) = scan.scalar()? {
                    if self.constants.len() == MAX_COLUMNS {
                        return Err(scan.content_error(ContentError::TooManyColumns { limit: MAX_COLUMNS }));
                    }
                    self.constants.push(Constant { name: path.to_owned(), value });
                }
                Ok(())
            }
        }
    }
    /// An array is a column of numbers, or one column for every scalar of its first element.
    fn array(&mut self, scan: &mut JsonScanner, path: &str, depth: usize, brackets: bool) -> Result<(), DataError> {
        let offset = scan.offset();
        if brackets {
            scan.expect(b'[')?;
            if scan.take(b']')? {
                return Ok(());
            }
        }
        let begin = self.fields.len();
        let mut too_many = false;
        scalars(scan, "", depth + 1, &mut |inner, scalar| {
            let text = match scalar {
                Scalar::Number(_) => None,
                Scalar::Text(text) => Some(text),
            };
            if self.fields.len() == MAX_COLUMNS {
                too_many = true;
            } else {
                let (above, last) = inner.rsplit_once('.').unwrap_or(("", inner));
                let (name, unit) = header::split(if inner.is_empty() { path } else { last });
                let name = if inner.is_empty() { name } else { join(path, &join(above, &name)) };
                self.fields.push(Field { name, unit, rows: None, table: None, text });
                self.locations.push(ColumnLocation { offset, brackets, path: inner.to_owned() });
            }
        })?;
        if too_many {
            return Err(scan.content_error(ContentError::TooManyColumns { limit: MAX_COLUMNS }));
        }
        let mut rows = 1;
        loop {
            let more = if brackets {
                scan.more(b']')?
            } else {
                scan.take(b',')?;
                scan.peek()?.is_some()
            };
            if !more {
                break;
            }
            scan.skip(depth + 1)?;
            rows += 1;
        }
        for field in &mut self.fields[begin..] {
            field.rows = Some(rows);
            if field.name.is_empty() {
                field.name = "c1".to_owned();
            }
        }
        Ok(())
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Every scalar of a value, with the path to it; elements of an array count from one.
pub fn scalars(
    scan: &mut JsonScanner,
    path: &str,
    depth: usize,
    take: &mut dyn FnMut(&str, Scalar),
) -> Result<(), DataError> {
    let open = scan.first()?;
    if !matches!(open, b'{' | b'[') {
        take(path, scan.scalar()?);
        return Ok(());
    }
    if depth >= MAX_DEPTH {
        return Err(scan.malformed(format!("nested deeper than {MAX_DEPTH}")));
    }
    scan.expect(open)?;
    let close = if open == b'{' { b'}' } else { b']' };
    if scan.take(close)? {
        return Ok(());
    }
    let mut count = 0;
    loop {
        count += 1;
        let key = if open == b'{' { scan.key()? } else { format!("{count}") };
        scalars(scan, &join(path, &key), depth + 1, take)?;
        if !scan.more(close)? {
            return Ok(());
        }
    }
}
