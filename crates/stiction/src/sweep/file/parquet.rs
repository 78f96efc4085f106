//! A result as Parquet: `index` INT64, varied values DOUBLE, measures DOUBLE or null, `error` a string or null; plain and
//! uncompressed, in groups of [`GROUP_ROWS`] rows, so that the bytes depend on the rows alone.
use super::super::{ResultHeader, ResultRow};
use super::not_a_result;
use crate::table::{ColumnHeader, parquet::GROUP_ROWS};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::record::Field;
use parquet::record::reader::RowIter;
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
    rows: Vec<ResultRow>,
    axes: usize,
    measures: usize,
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
        Ok(Self { out, file, rows: Vec::new(), axes: heads.axes.len(), measures: heads.measures.len() })
    }
    pub fn row(&mut self, row: &ResultRow) -> io::Result<()> {
        self.rows.push(row.clone());
        if self.rows.len() == GROUP_ROWS { self.flush() } else { Ok(()) }
    }
    pub fn finish(mut self) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        self.file.finish()?;
        self.out.write_all(self.file.inner())?;
        self.out.flush()
    }
    /// Writes the rows in memory as one group.
    fn flush(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.file.next_row_group()?;
        let index: Vec<i64> = rows.iter().map(|row| row.index as i64).collect();
        write_column(&mut group, |writer| writer.typed::<Int64Type>().write_batch(&index, None, None).map(drop))?;
        for k in 0..self.axes {
            let values: Vec<f64> = rows.iter().map(|row| row.values[k]).collect();
            write_column(&mut group, |writer| writer.typed::<DoubleType>().write_batch(&values, None, None).map(drop))?;
        }
        for k in 0..self.measures {
            let values: Vec<f64> = rows.iter().filter_map(|row| row.found[k]).collect();
            let present: Vec<i16> = rows.iter().map(|row| i16::from(row.found[k].is_some())).collect();
            write_column(&mut group, |writer| {
                writer.typed::<DoubleType>().write_batch(&values, Some(&present), None).map(drop)
            })?;
        }
        let texts: Vec<ByteArray> = rows.iter().filter_map(|row| row.error.as_deref()).map(ByteArray::from).collect();
        let present: Vec<i16> = rows.iter().map(|row| i16::from(row.error.is_some())).collect();
        write_column(&mut group, |writer| {
            writer.typed::<ByteArrayType>().write_batch(&texts, Some(&present), None).map(drop)
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
    let axes = heads.axes.len();
    let rows = RowIter::from_file_into(Box::new(file)).map(move |row| {
        let row = row?;
        let mut out = ResultRow { index: 0, values: Vec::new(), found: Vec::new(), error: None };
        for (k, (_, field)) in row.get_column_iter().enumerate() {
            match field {
                Field::Long(x) if k == 0 => out.index = *x as u64,
                Field::Double(x) if k <= axes => out.values.push(*x),
                Field::Double(x) => out.found.push(Some(*x)),
                Field::Str(text) => out.error = Some(text.clone()),
                Field::Null if k + 1 < row.len() => out.found.push(None),
                Field::Null => {}
                _ => return Err(not_a_result("a column has an unexpected type")),
            }
        }
        Ok(out)
    });
    Ok((heads, rows))
}
