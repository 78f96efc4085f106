//! Parquet, one row group after the other: columns of numbers and booleans, with or without nulls. Time stamps are converted
//! to seconds.
use super::chunk::RowReader;
use super::source::Source;
use super::{Chunk, Field, header};
use crate::{ContentError, DataError};
use bytes::Bytes;
use parquet::basic::{LogicalType, TimeUnit, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result as Read};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::io;

const FORMAT: &str = "Parquet";

/// The columns of a Parquet file.
pub struct FileIndex {
    pub fields: Vec<Field>,
    /// Factors of the numbers.
    scales: Vec<f64>,
}

fn file(source: &Source) -> Result<Box<dyn FileReader>, DataError> {
    let reader = match source.file_or_memory()? {
        Ok(file) => SerializedFileReader::new(file).map(|file| Box::new(file) as Box<dyn FileReader>),
        Err(bytes) => {
            SerializedFileReader::new(Bytes::from_owner(bytes)).map(|file| Box::new(file) as Box<dyn FileReader>)
        }
    };
    reader.map_err(|error| read_error(source, error))
}

fn read_error(source: &Source, error: ParquetError) -> DataError {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => source.io_error(*error),
            Err(error) => {
                source.content_error(ContentError::Malformed { format: FORMAT, reason: error.to_string(), byte: None })
            }
        },
        ParquetError::NYI(why) | ParquetError::General(why) if why.contains("feature") => {
            let codec = if why.to_lowercase().contains("zstd") { "Parquet packed with zstd" } else { "packed Parquet" };
            source.content_error(ContentError::Unsupported {
                what: codec,
                hint: "write it with compression='snappy', 'gzip' or none",
            })
        }
        ParquetError::EOF(_) => source.content_error(ContentError::Truncated { format: FORMAT }),
        error => {
            source.content_error(ContentError::Malformed { format: FORMAT, reason: error.to_string(), byte: None })
        }
    }
}

impl FileIndex {
    /// Reads the metadata at the end of the file.
    pub fn build(source: &Source) -> Result<Self, DataError> {
        let file = file(source)?;
        check_metadata(file.metadata()).map_err(|error| read_error(source, error))?;
        let metadata = file.metadata().file_metadata();
        let rows = u64::try_from(metadata.num_rows()).ok();
        let unit = |name: &str| {
            let notes = metadata.key_value_metadata()?;
            notes.iter().find(|note| note.key.strip_prefix("unit.") == Some(name))?.value.clone()
        };
        let mut index = Self { fields: Vec::new(), scales: Vec::new() };
        for column in metadata.schema_descr().columns() {
            let name = column.path().string();
            let (short, own) = header::split(&name);
            let noted = unit(&name).filter(|unit| !unit.is_empty());
            let (scale, seconds) = scale(column);
            let numbers = column.max_rep_level() == 0
                && matches!(
                    column.physical_type(),
                    Physical::BOOLEAN | Physical::INT32 | Physical::INT64 | Physical::FLOAT | Physical::DOUBLE
                );
            index.fields.push(Field {
                name: if noted.is_some() { name } else { short },
                unit: noted.or(own).or(seconds.then(|| "s".to_owned())),
                rows,
                text: (!numbers).then(|| column.physical_type().to_string()),
            });
            index.scales.push(scale);
        }
        if index.fields.iter().all(|field| field.text.is_some()) {
            return Err(source.content_error(ContentError::NoNumbers));
        }
        Ok(index)
    }
    pub fn open<'a>(&self, source: &'a Source, wanted: &[usize]) -> Result<Box<dyn RowReader + 'a>, DataError> {
        let file = file(source)?;
        let columns = wanted.iter().map(|&at| (at, self.scales[at])).collect();
        Ok(Box::new(Reader { source, file, columns, group: 0, open: Vec::new() }))
    }
}

/// Checks offsets and sizes, which the crate does not check completely: it panics at negative ones.
fn check_metadata(metadata: &ParquetMetaData) -> Read<()> {
    let columns = metadata.file_metadata().schema_descr().num_columns();
    for group in metadata.row_groups() {
        let bad = group.num_columns() != columns
            || group.columns().iter().any(|column| {
                let offsets = [column.data_page_offset(), column.dictionary_page_offset().unwrap_or(0)];
                let sizes = [column.compressed_size(), column.uncompressed_size(), column.num_values()];
                offsets.iter().chain(&sizes).any(|x| *x < 0)
            });
        if bad || group.num_rows() < 0 {
            return Err(ParquetError::General("a column with an impossible offset or size".into()));
        }
    }
    Ok(())
}

/// The factor that converts a time stamp to seconds, and whether the column is one.
fn scale(column: &ColumnDescriptor) -> (f64, bool) {
    match column.logical_type_ref() {
        Some(LogicalType::Timestamp(stamp) | LogicalType::Time(stamp)) => match stamp.unit {
            TimeUnit::MILLIS => (1e-3, true),
            TimeUnit::MICROS => (1e-6, true),
            TimeUnit::NANOS => (1e-9, true),
        },
        _ => (1.0, false),
    }
}

struct Reader<'a> {
    source: &'a Source,
    file: Box<dyn FileReader>,
    /// Number and scale of the columns.
    columns: Vec<(usize, f64)>,
    /// The next group of rows.
    group: usize,
    open: Vec<ColumnReader>,
}

impl RowReader for Reader<'_> {
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        let source = self.source;
        self.more(chunk, rows).map_err(|error| read_error(source, error))
    }
}

impl Reader<'_> {
    fn more(&mut self, chunk: &mut Chunk, rows: usize) -> Read<()> {
        loop {
            let mut added = None;
            for ((reader, (_, scale)), out) in self.open.iter_mut().zip(&self.columns).zip(&mut chunk.columns) {
                let count = take(reader, rows, *scale, out)?;
                if *added.get_or_insert(count) != count {
                    return Err(ParquetError::General("columns of different lengths".into()));
                }
            }
            if added.is_some_and(|added| added > 0) || self.group == self.file.num_row_groups() {
                return Ok(());
            }
            let group = self.file.get_row_group(self.group)?;
            self.open = self.columns.iter().map(|&(at, _)| group.get_column_reader(at)).collect::<Read<_>>()?;
            self.group += 1;
        }
    }
}

/// The next rows of a column.
fn take(reader: &mut ColumnReader, rows: usize, scale: f64, out: &mut Vec<f64>) -> Read<usize> {
    match reader {
        ColumnReader::BoolColumnReader(reader) => typed(reader, rows, out, |x| f64::from(u8::from(x))),
        ColumnReader::Int32ColumnReader(reader) => typed(reader, rows, out, |x| f64::from(x) * scale),
        ColumnReader::Int64ColumnReader(reader) => typed(reader, rows, out, |x| x as f64 * scale),
        ColumnReader::FloatColumnReader(reader) => typed(reader, rows, out, f64::from),
        ColumnReader::DoubleColumnReader(reader) => typed(reader, rows, out, |x| x),
        _ => Err(ParquetError::General("a column that is not numeric".into())),
    }
}

fn typed<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    out: &mut Vec<f64>,
    number: impl Fn(T::T) -> f64,
) -> Read<usize> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let (count, present, _) = reader.read_records(rows, Some(&mut levels), None, &mut values)?;
    let mut values = values.into_iter().map(number);
    if present == count {
        out.extend(values);
        return Ok(count);
    }
    // the highest definition level is a value, the others are nulls
    let there = levels.iter().copied().max().unwrap_or(0);
    let there = if present == 0 { there + 1 } else { there };
    out.extend(levels.iter().map(|level| if *level == there { values.next().unwrap_or(f64::NAN) } else { f64::NAN }));
    Ok(count)
}
