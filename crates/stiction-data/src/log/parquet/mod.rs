//! Parquet, one row group after the other: columns of numbers and booleans, with or without nulls, and of lists of them, whose
//! elements become columns. Time stamps are converted to seconds. The crate stores unsigned integers in signed ones and names them in the type of the column.
use super::chunk::RowReader;
use super::source::Source;
use super::{Field, header};
use crate::{ContentError, DataError, catch_decoder_panic};
use bytes::Bytes;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::errors::{ParquetError, Result as Read};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::io;

mod episodes;
mod lists;
mod rows;

const FORMAT: &str = "Parquet";

/// The columns of a Parquet file.
pub struct FileIndex {
    pub fields: Vec<Field>,
    locations: Vec<ColumnLocation>,
    /// The column of episodes, and the episode whose rows are read.
    episode: Option<(usize, u64)>,
}

/// The location of a column: a column of the file, or an element of its lists.
#[derive(Clone, Copy)]
struct ColumnLocation {
    leaf: usize,
    /// Which element, from zero, and how many a list has.
    list: Option<(usize, usize)>,
    conversion: Conversion,
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
    /// Reads the metadata at the end of the file. `episode` is the one whose rows are read.
    pub fn build(source: &Source, episode: Option<u64>) -> Result<Self, DataError> {
        catch_decoder_panic(|| Self::from_metadata(source, episode))
            .unwrap_or_else(|reason| Err(malformed(source, reason)))
    }
    fn from_metadata(source: &Source, episode: Option<u64>) -> Result<Self, DataError> {
        let file = file(source)?;
        check_metadata(file.metadata()).map_err(|error| read_error(source, error))?;
        let metadata = file.metadata().file_metadata();
        let mut rows = u64::try_from(metadata.num_rows()).ok();
        let unit = |name: &str| {
            let notes = metadata.key_value_metadata()?;
            notes.iter().find(|note| note.key.strip_prefix("unit.") == Some(name))?.value.clone()
        };
        if rows == Some(0) {
            return Err(source.content_error(ContentError::NoNumbers));
        }
        let columns = metadata.schema_descr().columns();
        let mut index = Self { fields: Vec::new(), locations: Vec::new(), episode: None };
        if let Some(episode) = episode {
            let (leaf, count) = episodes::find(source, file.as_ref(), episode)?;
            index.episode = Some((leaf, episode));
            rows = Some(count);
        }
        let names = lists::ElementNames::read(source)?;
        for (leaf, column) in columns.iter().enumerate() {
            let name = lists::name(column).unwrap_or_else(|| column.path().string());
            let (short, own) = header::split(&name);
            let noted = unit(&name).filter(|unit| !unit.is_empty());
            let stamp = seconds_per_unit(column);
            let is_number = matches!(
                column.physical_type(),
                Physical::BOOLEAN | Physical::INT32 | Physical::INT64 | Physical::FLOAT | Physical::DOUBLE
            );
            let elements = match lists::name(column) {
                Some(_) if is_number => lists::length(source, file.as_ref(), leaf)?,
                _ => None,
            };
            let conversion = Conversion { scale: stamp.unwrap_or(1.0), unsigned: is_unsigned(column) };
            let field = Field {
                name: if noted.is_some() { name.clone() } else { short },
                unit: noted.or(own).or(stamp.map(|_| "s".to_owned())),
                rows,
                table: None,
                text: (!is_number || column.max_rep_level() > 0).then(|| column.physical_type().to_string()),
            };
            match elements {
                None => {
                    index.fields.push(field);
                    index.locations.push(ColumnLocation { leaf, list: None, conversion });
                }
                Some(count) => {
                    for (element, inner) in names.of(&name, count).into_iter().enumerate() {
                        let name = format!("{name}.{inner}");
                        index.fields.push(Field { name, text: None, ..field.clone() });
                        index.locations.push(ColumnLocation { leaf, list: Some((element, count)), conversion });
                    }
                }
            }
        }
        if index.fields.iter().all(|field| field.text.is_some()) {
            return Err(source.content_error(ContentError::NoNumbers));
        }
        Ok(index)
    }
    pub fn open<'a>(&'a self, source: &'a Source, wanted: &[usize]) -> Result<Box<dyn RowReader + 'a>, DataError> {
        let file = catch_decoder_panic(|| file(source)).unwrap_or_else(|reason| Err(malformed(source, reason)))?;
        let columns: Vec<(ColumnLocation, &str)> =
            wanted.iter().map(|&at| (self.locations[at], self.fields[at].name.as_str())).collect();
        Ok(rows::open(source, file, &columns, self.episode))
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
