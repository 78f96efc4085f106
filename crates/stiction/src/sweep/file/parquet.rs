//! A result as Parquet: `index` INT64, varied values DOUBLE, measures DOUBLE or null, `error` a string or null; plain and
//! uncompressed, in groups of [`GROUP_ROWS`] rows, so that the bytes depend on the rows alone.
use super::super::{ResultHeader, ResultRow};
use super::not_a_result;
use super::parquet_rows::Rows;
use crate::table::{ColumnHeader, parquet::GROUP_ROWS};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use stiction_data::catch_decoder_panic;

/// Prefix of the metadata keys of facts.
const FACT_PREFIX: &str = "stiction.";
/// Prefix of the metadata keys of units, as in other tables.
const UNIT: &str = "unit.";

pub struct Writer<'a> {
    out: &'a mut dyn Write,
    // writes to memory, which is passed on after each group, because the crate requires an output that is `Send`
    file: SerializedFileWriter<Vec<u8>>,
    columns: PendingColumns,
}

/// The rows of a group that is not complete yet, column by column.
struct PendingColumns {
    index: Vec<i64>,
    axes: Vec<Vec<f64>>,
    measures: Vec<OptionalColumn<f64>>,
    error: OptionalColumn<ByteArray>,
}

/// Values where there are any, and whether there are.
struct OptionalColumn<T> {
    values: Vec<T>,
    present: Vec<i16>,
}

impl<T> OptionalColumn<T> {
    fn new() -> Self {
        Self { values: Vec::new(), present: Vec::new() }
    }
    fn push(&mut self, value: Option<T>) {
        self.present.push(i16::from(value.is_some()));
        self.values.extend(value);
    }
}

impl PendingColumns {
    fn new(axes: usize, measures: usize) -> Self {
        Self {
            index: Vec::new(),
            axes: vec![Vec::new(); axes],
            measures: (0..measures).map(|_| OptionalColumn::new()).collect(),
            error: OptionalColumn::new(),
        }
    }
    fn push(&mut self, row: &ResultRow) {
        self.index.push(row.index as i64);
        self.axes.iter_mut().zip(&row.values).for_each(|(column, x)| column.push(*x));
        self.measures.iter_mut().zip(&row.found).for_each(|(column, x)| column.push(*x));
        self.error.push(row.error.as_deref().map(ByteArray::from));
    }
}

impl<'a> Writer<'a> {
    pub fn new(out: &'a mut dyn Write, heads: &ResultHeader) -> io::Result<Self> {
        let column = |name: &str, kind, repetition| {
            Type::primitive_type_builder(name, kind).with_repetition(repetition).build().map(Arc::new)
        };
        let mut fields = vec![column("index", Physical::INT64, Repetition::REQUIRED)?];
        for head in &heads.axes {
            fields.push(column(&head.name, Physical::DOUBLE, Repetition::REQUIRED)?);
        }
        for head in &heads.measures {
            fields.push(column(&head.name, Physical::DOUBLE, Repetition::OPTIONAL)?);
        }
        let error = Type::primitive_type_builder("error", Physical::BYTE_ARRAY)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(Some(LogicalType::String))
            .build()?;
        fields.push(Arc::new(error));
        let schema = Type::group_type_builder("sweep").with_fields(fields).build()?;
        let facts =
            heads.facts.iter().map(|(name, value)| KeyValue::new(format!("{FACT_PREFIX}{name}"), value.clone()));
        let units = heads.columns().map(|head| KeyValue::new(format!("{UNIT}{}", head.name), head.unit.clone()));
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_created_by(concat!("stiction ", env!("CARGO_PKG_VERSION")).into())
            .set_key_value_metadata(Some(facts.chain(units).collect()))
            .build();
        let file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
        Ok(Self { out, file, columns: PendingColumns::new(heads.axes.len(), heads.measures.len()) })
    }
    pub fn row(&mut self, row: &ResultRow) -> io::Result<()> {
        self.columns.push(row);
        if self.columns.index.len() == GROUP_ROWS { self.flush() } else { Ok(()) }
    }
    pub fn finish(mut self) -> io::Result<()> {
        if !self.columns.index.is_empty() {
            self.flush()?;
        }
        self.file.finish()?;
        self.out.write_all(self.file.inner())?;
        self.out.flush()
    }
    /// Writes the rows in memory as one group.
    fn flush(&mut self) -> io::Result<()> {
        let empty = PendingColumns::new(self.columns.axes.len(), self.columns.measures.len());
        let columns = std::mem::replace(&mut self.columns, empty);
        let mut group = self.file.next_row_group()?;
        write_column(&mut group, |writer| {
            writer.typed::<Int64Type>().write_batch(&columns.index, None, None).map(drop)
        })?;
        for values in &columns.axes {
            write_column(&mut group, |writer| writer.typed::<DoubleType>().write_batch(values, None, None).map(drop))?;
        }
        for OptionalColumn { values, present } in &columns.measures {
            write_column(&mut group, |writer| {
                writer.typed::<DoubleType>().write_batch(values, Some(present), None).map(drop)
            })?;
        }
        let OptionalColumn { values, present } = &columns.error;
        write_column(&mut group, |writer| {
            writer.typed::<ByteArrayType>().write_batch(values, Some(present), None).map(drop)
        })?;
        group.close()?;
        self.file.flush()?;
        self.out.write_all(self.file.inner())?;
        self.file.inner_mut().clear();
        Ok(())
    }
}

fn write_column(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    fill: impl FnOnce(&mut parquet::file::writer::SerializedColumnWriter<'_>) -> Result<()>,
) -> Result<()> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    fill(&mut column)?;
    column.close()
}

/// The headers and rows of a file.
pub fn read(file: File) -> io::Result<(ResultHeader, impl Iterator<Item = io::Result<ResultRow>>)> {
    let (heads, mut rows) = catch_decoder_panic(|| open(file)).unwrap_or_else(|why| Err(damaged(&why)))?;
    let mut failed = false;
    let rows = std::iter::from_fn(move || {
        if failed {
            return None;
        }
        let row = catch_decoder_panic(|| rows.next());
        failed = row.is_err();
        row.unwrap_or_else(|why| Some(Err(damaged(&why))))
    });
    Ok((heads, rows))
}

/// The error of a file that made the decoder panic.
fn damaged(why: &str) -> io::Error {
    io::Error::other(format!("its Parquet is damaged: {why}"))
}

fn open(file: File) -> io::Result<(ResultHeader, impl Iterator<Item = io::Result<ResultRow>>)> {
    let file = SerializedFileReader::new(file)?;
    let data = file.metadata().file_metadata();
    let pairs = data.key_value_metadata().cloned().unwrap_or_default();
    let get = |key: String| pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.clone());
    let fact = |pair: &KeyValue| {
        pair.key.strip_prefix(FACT_PREFIX).map(|name| (name.to_owned(), pair.value.clone().unwrap_or_default()))
    };
    let facts: Vec<(String, String)> = pairs.iter().filter_map(fact).collect();
    let fields = data.schema_descr().root_schema().get_fields();
    let [index, columns @ .., error] = fields else { return Err(not_a_result("it has no columns")) };
    if facts.is_empty() || index.name() != "index" || error.name() != "error" {
        return Err(not_a_result("it lacks the columns 'index' and 'error', or its metadata"));
    }
    let mut heads = ResultHeader { facts, ..ResultHeader::default() };
    for column in columns {
        let name = column.name().to_owned();
        let unit = get(format!("{UNIT}{name}")).unwrap_or_default();
        let varied = column.get_basic_info().repetition() == Repetition::REQUIRED;
        if varied { &mut heads.axes } else { &mut heads.measures }.push(ColumnHeader { name, unit });
    }
    let rows = Rows::new(file, heads.axes.len(), heads.measures.len())?;
    Ok((heads, rows))
}
