//! Parquet, one row group after the other: columns of numbers and booleans, with or without nulls. Time stamps are converted
//! to seconds. The crate stores unsigned integers in signed ones and names them in the type of the column.
use super::chunk::RowReader;
use super::source::Source;
use super::{Chunk, Field, header};
use crate::{ContentError, DataError, catch_decoder_panic};
use bytes::Bytes;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
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
    conversions: Vec<Conversion>,
}

/// How the integers of a column become numbers.
#[derive(Clone, Copy)]
struct Conversion {
    scale: f64,
    unsigned: bool,
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
            Err(error) => malformed(source, error.to_string()),
        },
        ParquetError::NYI(why) | ParquetError::General(why) if why.contains("feature") => {
            let codec = if why.to_lowercase().contains("zstd") { "Parquet packed with zstd" } else { "packed Parquet" };
            source.content_error(ContentError::Unsupported {
                what: codec,
                hint: "write it with compression='snappy', 'gzip' or none",
            })
        }
        ParquetError::EOF(_) => source.content_error(ContentError::Truncated { format: FORMAT }),
        error => malformed(source, error.to_string()),
    }
}

impl FileIndex {
    /// Reads the metadata at the end of the file.
    pub fn build(source: &Source) -> Result<Self, DataError> {
        catch_decoder_panic(|| Self::from_metadata(source)).unwrap_or_else(|reason| Err(malformed(source, reason)))
    }
    fn from_metadata(source: &Source) -> Result<Self, DataError> {
        let file = file(source)?;
        check_metadata(file.metadata()).map_err(|error| read_error(source, error))?;
        let metadata = file.metadata().file_metadata();
        let rows = u64::try_from(metadata.num_rows()).ok();
        let unit = |name: &str| {
            let notes = metadata.key_value_metadata()?;
            notes.iter().find(|note| note.key.strip_prefix("unit.") == Some(name))?.value.clone()
        };
        if rows == Some(0) {
            return Err(source.content_error(ContentError::NoNumbers));
        }
        let mut index = Self { fields: Vec::new(), conversions: Vec::new() };
        for column in metadata.schema_descr().columns() {
            let name = column.path().string();
            let (short, own) = header::split(&name);
            let noted = unit(&name).filter(|unit| !unit.is_empty());
            let stamp = seconds_per_unit(column);
            let numbers = column.max_rep_level() == 0
                && matches!(
                    column.physical_type(),
                    Physical::BOOLEAN | Physical::INT32 | Physical::INT64 | Physical::FLOAT | Physical::DOUBLE
                );
            index.fields.push(Field {
                name: if noted.is_some() { name } else { short },
                unit: noted.or(own).or(stamp.map(|_| "s".to_owned())),
                rows,
                text: (!numbers).then(|| column.physical_type().to_string()),
            });
            index.conversions.push(Conversion { scale: stamp.unwrap_or(1.0), unsigned: is_unsigned(column) });
        }
        if index.fields.iter().all(|field| field.text.is_some()) {
            return Err(source.content_error(ContentError::NoNumbers));
        }
        Ok(index)
    }
    pub fn open<'a>(&self, source: &'a Source, wanted: &[usize]) -> Result<Box<dyn RowReader + 'a>, DataError> {
        let file = catch_decoder_panic(|| file(source)).unwrap_or_else(|reason| Err(malformed(source, reason)))?;
        let columns = wanted.iter().map(|&at| (at, self.conversions[at])).collect();
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

/// The factor that converts a time stamp to seconds; none for other columns.
fn seconds_per_unit(column: &ColumnDescriptor) -> Option<f64> {
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Timestamp(stamp) | LogicalType::Time(stamp)), _) => Some(match stamp.unit {
            TimeUnit::MILLIS => 1e-3,
            TimeUnit::MICROS => 1e-6,
            TimeUnit::NANOS => 1e-9,
        }),
        (None, ConvertedType::TIMESTAMP_MILLIS | ConvertedType::TIME_MILLIS) => Some(1e-3),
        (None, ConvertedType::TIMESTAMP_MICROS | ConvertedType::TIME_MICROS) => Some(1e-6),
        _ => None,
    }
}

/// Whether a column holds unsigned integers: by its logical type, or in older files by its converted type.
fn is_unsigned(column: &ColumnDescriptor) -> bool {
    use ConvertedType::{UINT_8, UINT_16, UINT_32, UINT_64};
    match column.logical_type_ref() {
        Some(LogicalType::Integer(integer)) => !integer.is_signed,
        _ => matches!(column.converted_type(), UINT_8 | UINT_16 | UINT_32 | UINT_64),
    }
}

fn malformed(source: &Source, reason: String) -> DataError {
    source.content_error(ContentError::Malformed { format: FORMAT, reason, byte: None })
}

struct Reader<'a> {
    source: &'a Source,
    file: Box<dyn FileReader>,
    /// The columns, by number.
    columns: Vec<(usize, Conversion)>,
    /// The next group of rows.
    group: usize,
    open: Vec<ColumnReader>,
}

impl RowReader for Reader<'_> {
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        let source = self.source;
        catch_decoder_panic(|| self.more(chunk, rows))
            .map_err(|reason| malformed(source, reason))?
            .map_err(|error| read_error(source, error))
    }
}

impl Reader<'_> {
    fn more(&mut self, chunk: &mut Chunk, rows: usize) -> Read<()> {
        loop {
            let mut added = None;
            for ((reader, (_, conversion)), out) in self.open.iter_mut().zip(&self.columns).zip(&mut chunk.columns) {
                let count = take(reader, rows, *conversion, out)?;
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
fn take(reader: &mut ColumnReader, rows: usize, conversion: Conversion, out: &mut Vec<f64>) -> Read<usize> {
    let Conversion { scale, unsigned } = conversion;
    match reader {
        ColumnReader::BoolColumnReader(reader) => typed(reader, rows, out, |x| f64::from(u8::from(x))),
        ColumnReader::Int32ColumnReader(reader) if unsigned => {
            typed(reader, rows, out, |x| f64::from(x.cast_unsigned()))
        }
        ColumnReader::Int64ColumnReader(reader) if unsigned => typed(reader, rows, out, |x| x.cast_unsigned() as f64),
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
