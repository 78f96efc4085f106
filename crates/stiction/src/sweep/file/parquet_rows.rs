//! The rows of a Parquet file, from its columns: many rows of each column at a time.
use super::super::ResultRow;
use super::not_a_result;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::io;

/// Rows that are read at a time.
const BATCH: usize = 8192;

/// All rows of a file.
pub(super) struct Rows {
    file: SerializedFileReader<File>,
    axes: usize,
    measures: usize,
    /// The next group, and the columns of the one in work with the number of rows left in it.
    group: usize,
    columns: Vec<ColumnReader>,
    left: usize,
    ready: std::vec::IntoIter<ResultRow>,
}

impl Rows {
    /// The rows of a file with the columns `index`, varied values, measures and `error`.
    pub fn new(file: SerializedFileReader<File>, axes: usize, measures: usize) -> io::Result<Self> {
        if file.metadata().file_metadata().schema_descr().num_columns() != axes + measures + 2 {
            return Err(unexpected());
        }
        Ok(Self { file, axes, measures, group: 0, columns: Vec::new(), left: 0, ready: Vec::new().into_iter() })
    }
    /// Reads the next rows; none at the end of the file.
    fn fill(&mut self) -> io::Result<bool> {
        while self.left == 0 {
            if self.group == self.file.num_row_groups() {
                return Ok(false);
            }
            let group = self.file.get_row_group(self.group)?;
            let count = self.axes + self.measures + 2;
            self.columns = (0..count).map(|k| group.get_column_reader(k)).collect::<Result<_, _>>()?;
            self.left = usize::try_from(group.metadata().num_rows()).map_err(|_| unexpected())?;
            self.group += 1;
        }
        let count = self.left.min(BATCH);
        self.left -= count;
        let mut rows: Vec<ResultRow> = Vec::with_capacity(count);
        for (k, column) in self.columns.iter_mut().enumerate() {
            match column {
                ColumnReader::Int64ColumnReader(reader) if k == 0 => {
                    let empty = |index: i64| ResultRow {
                        index: index as u64,
                        values: Vec::with_capacity(self.axes),
                        found: Vec::with_capacity(self.measures),
                        error: None,
                    };
                    rows.extend(required(reader, count)?.into_iter().map(empty));
                }
                ColumnReader::DoubleColumnReader(reader) if (1..=self.axes).contains(&k) => {
                    let values = required(reader, count)?;
                    rows.iter_mut().zip(values).for_each(|(row, x)| row.values.push(x));
                }
                ColumnReader::DoubleColumnReader(reader) if k > self.axes && k <= self.axes + self.measures => {
                    let (values, present) = optional(reader, count)?;
                    let mut values = values.into_iter();
                    for (row, there) in rows.iter_mut().zip(present) {
                        row.found.push(if there != 0 { values.next() } else { None });
                    }
                }
                ColumnReader::ByteArrayColumnReader(reader) if k > self.axes + self.measures => {
                    let (texts, present) = optional(reader, count)?;
                    let mut texts = texts.iter();
                    for (row, there) in rows.iter_mut().zip(present) {
                        row.error = if there != 0 { texts.next().map(text).transpose()? } else { None };
                    }
                }
                _ => return Err(unexpected()),
            }
        }
        self.ready = rows.into_iter();
        Ok(true)
    }
}

impl Iterator for Rows {
    type Item = io::Result<ResultRow>;
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(row) = self.ready.next() {
            return Some(Ok(row));
        }
        match self.fill() {
            Ok(true) => self.ready.next().map(Ok),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

fn text(bytes: &ByteArray) -> io::Result<String> {
    bytes.as_utf8().map(str::to_owned).map_err(|_| unexpected())
}

/// Values of a column that has one in every row.
fn required<T: DataType>(reader: &mut ColumnReaderImpl<T>, count: usize) -> io::Result<Vec<T::T>> {
    let (values, present) = optional(reader, count)?;
    if values.len() == count && present.iter().all(|there| *there != 0) { Ok(values) } else { Err(unexpected()) }
}

/// Values of a column where it has any, and whether it has.
fn optional<T: DataType>(reader: &mut ColumnReaderImpl<T>, count: usize) -> io::Result<(Vec<T::T>, Vec<i16>)> {
    let (mut values, mut present) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut rows = 0;
    // a page at a time
    while rows < count {
        let (read, ..) = reader.read_records(count - rows, Some(&mut present), None, &mut values)?;
        if read == 0 {
            return Err(unexpected());
        }
        rows += read;
    }
    // a column that cannot be empty has no marks
    if present.is_empty() {
        present.resize(count, 1);
    }
    Ok((values, present))
}

fn unexpected() -> io::Error {
    not_a_result("a column has an unexpected type or length")
}
