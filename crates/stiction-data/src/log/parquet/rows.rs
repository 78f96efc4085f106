//! The rows of a Parquet file.
use super::{ColumnLocation, Conversion, malformed, read_error};
use crate::log::Chunk;
use crate::log::chunk::RowReader;
use crate::log::source::Source;
use crate::{ContentError, DataError, catch_decoder_panic};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result as Read};
use parquet::file::reader::FileReader;

struct Reader<'a> {
    source: &'a Source,
    file: Box<dyn FileReader>,
    columns: Vec<FileColumn>,
    /// The episode whose rows are passed on, and which of the columns holds episodes.
    episode: Option<(usize, f64)>,
    /// The next group of rows.
    group: usize,
    open: Vec<ColumnReader>,
    /// Rows read so far.
    rows: u64,
}

/// A column of the file, and where its numbers go.
struct FileColumn {
    leaf: usize,
    conversion: Conversion,
    /// How many elements its lists have; none for single numbers.
    elements: Option<usize>,
    name: String,
    /// Element, and column of the chunk.
    outputs: Vec<(usize, usize)>,
    /// The numbers of the present rows, those of a list one after the other.
    values: Vec<f64>,
}

/// A reader of the columns at these locations.
pub fn open<'a>(
    source: &'a Source,
    file: Box<dyn FileReader>,
    wanted: &[(ColumnLocation, &str)],
    episode: Option<(usize, u64)>,
) -> Box<dyn RowReader + 'a> {
    let mut columns: Vec<FileColumn> = Vec::new();
    let mut at = |leaf: usize, conversion, elements, name: &str| {
        columns.iter().position(|column| column.leaf == leaf).unwrap_or_else(|| {
            let (name, outputs, values) = (name.to_owned(), Vec::new(), Vec::new());
            columns.push(FileColumn { leaf, conversion, elements, name, outputs, values });
            columns.len() - 1
        })
    };
    let mut outputs = Vec::new();
    for (output, (location, name)) in wanted.iter().enumerate() {
        let (element, elements) = location.list.map_or((0, None), |(element, count)| (element, Some(count)));
        outputs.push((at(location.leaf, location.conversion, elements, name), element, output));
    }
    let whole = Conversion { scale: 1.0, unsigned: false };
    let episode = episode.map(|(leaf, number)| (at(leaf, whole, None, "episode_index"), number as f64));
    for (column, element, output) in outputs {
        columns[column].outputs.push((element, output));
    }
    Box::new(Reader { source, file, columns, episode, group: 0, open: Vec::new(), rows: 0 })
}

impl RowReader for Reader<'_> {
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        let source = self.source;
        catch_decoder_panic(|| self.more(chunk, rows)).unwrap_or_else(|reason| Err(malformed(source, reason)))
    }
}

impl Reader<'_> {
    fn more(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        let source = self.source;
        loop {
            let mut added = None;
            for (reader, column) in self.open.iter_mut().zip(&mut self.columns) {
                let count = column.read(reader, rows).map_err(|error| error.error(source, column, self.rows))?;
                if *added.get_or_insert(count) != count {
                    return Err(malformed(source, "columns of different lengths".to_owned()));
                }
            }
            let count = added.unwrap_or(0);
            if count > 0 && self.pass_on(chunk, count) {
                return Ok(());
            }
            if count > 0 {
                continue;
            }
            if self.group == self.file.num_row_groups() {
                return Ok(());
            }
            let group = self.file.get_row_group(self.group).map_err(|error| read_error(source, error))?;
            let readers = self.columns.iter().map(|column| group.get_column_reader(column.leaf));
            self.open = readers.collect::<Read<_>>().map_err(|error| read_error(source, error))?;
            self.group += 1;
        }
    }
    /// Appends the rows of the episode to the chunk; whether there were any.
    fn pass_on(&mut self, chunk: &mut Chunk, count: usize) -> bool {
        self.rows += count as u64;
        let wanted: Vec<usize> = match self.episode {
            None => (0..count).collect(),
            Some((at, number)) => (0..count).filter(|&row| self.columns[at].values[row] == number).collect(),
        };
        for column in &self.columns {
            let width = column.elements.unwrap_or(1);
            for &(element, output) in &column.outputs {
                chunk.columns[output].extend(wanted.iter().map(|&row| column.values[row * width + element]));
            }
        }
        !wanted.is_empty()
    }
}

/// Why rows cannot be read.
enum RowsError {
    Parquet(ParquetError),
    /// A list that is too long: its row among those read, and its length.
    TooLong(usize, usize),
}

impl From<ParquetError> for RowsError {
    fn from(error: ParquetError) -> Self {
        Self::Parquet(error)
    }
}

impl RowsError {
    fn error(self, source: &Source, column: &FileColumn, before: u64) -> DataError {
        match self {
            Self::Parquet(error) => read_error(source, error),
            Self::TooLong(row, found) => source.content_error(ContentError::ListLength {
                row: before + row as u64 + 1,
                column: column.name.rsplit_once('.').map_or(column.name.as_str(), |(list, _)| list).to_owned(),
                found,
                expected: column.elements.unwrap_or(0),
            }),
        }
    }
}

impl FileColumn {
    /// Reads the next rows into `values`; how many.
    fn read(&mut self, reader: &mut ColumnReader, rows: usize) -> Result<usize, RowsError> {
        self.values.clear();
        let Conversion { scale, unsigned } = self.conversion;
        match reader {
            ColumnReader::BoolColumnReader(reader) => self.typed(reader, rows, |x| f64::from(u8::from(x))),
            ColumnReader::Int32ColumnReader(reader) if unsigned => {
                self.typed(reader, rows, |x| f64::from(x.cast_unsigned()))
            }
            ColumnReader::Int64ColumnReader(reader) if unsigned => {
                self.typed(reader, rows, |x| x.cast_unsigned() as f64)
            }
            ColumnReader::Int32ColumnReader(reader) => self.typed(reader, rows, |x| f64::from(x) * scale),
            ColumnReader::Int64ColumnReader(reader) => self.typed(reader, rows, |x| x as f64 * scale),
            ColumnReader::FloatColumnReader(reader) => self.typed(reader, rows, f64::from),
            ColumnReader::DoubleColumnReader(reader) => self.typed(reader, rows, |x| x),
            _ => Err(ParquetError::General("a column that is not numeric".into()).into()),
        }
    }
    fn typed<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        rows: usize,
        number: impl Fn(T::T) -> f64,
    ) -> Result<usize, RowsError> {
        let (mut values, mut levels, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
        let (count, present, _) = reader.read_records(rows, Some(&mut levels), Some(&mut repetitions), &mut values)?;
        let mut values = values.into_iter().map(number);
        if let Some(elements) = self.elements {
            return self.lists(count, elements, &levels, &repetitions, &mut values, present);
        }
        if present == count {
            self.values.extend(values);
            return Ok(count);
        }
        // the highest definition level is a value, the others are nulls
        let there = highest(&levels, present);
        let value = |level: &i16| if *level == there { values.next().unwrap_or(f64::NAN) } else { f64::NAN };
        self.values.extend(levels.iter().map(value));
        Ok(count)
    }
    /// Numbers of lists: a level of repetition of zero begins a row; what a list lacks is NaN.
    fn lists(
        &mut self,
        count: usize,
        elements: usize,
        levels: &[i16],
        repetitions: &[i16],
        values: &mut dyn Iterator<Item = f64>,
        present: usize,
    ) -> Result<usize, RowsError> {
        let there = highest(levels, present);
        let (mut rows, mut element) = (0_usize, 0_usize);
        self.values.resize(count * elements, f64::NAN);
        for (k, repetition) in repetitions.iter().enumerate() {
            if *repetition == 0 {
                rows += 1;
                element = 0;
            }
            // a null among the elements keeps its position; an empty list has none
            let value = levels.get(k).filter(|level| **level == there).map(|_| values.next().unwrap_or(f64::NAN));
            if let Some(value) = value {
                if element == elements {
                    let row = rows.saturating_sub(1);
                    let more = repetitions[k..].iter().take_while(|next| **next != 0).count();
                    return Err(RowsError::TooLong(row, elements + more.max(1)));
                }
                if let Some(cell) = self.values.get_mut(rows.saturating_sub(1) * elements + element) {
                    *cell = value;
                }
            }
            element += 1;
        }
        if rows != count {
            return Err(ParquetError::General("a list without a beginning".into()).into());
        }
        Ok(count)
    }
}

/// The level of definition of a value, which no null reaches.
fn highest(levels: &[i16], present: usize) -> i16 {
    let there = levels.iter().copied().max().unwrap_or(0);
    if present == 0 { there + 1 } else { there }
}
