//! Apache Parquet: every column a required DOUBLE, plain and uncompressed, in groups of [`GROUP_ROWS`] rows. The unit of the
//! column `slider.x` is the file's metadata under the key `unit.slider.x`.
use super::ColumnHeaders;
use parquet::basic::{Repetition, Type as Physical};
use parquet::data_type::DoubleType;
use parquet::errors::Result;
use parquet::file::{metadata::KeyValue, properties::WriterProperties, writer::SerializedFileWriter};
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows of a row group, which is kept in memory until it is written; a wide table has fewer, so that it stays below
/// [`GROUP_BYTES`].
pub const GROUP_ROWS: usize = 65_536;
/// Most bytes kept in memory.
pub const GROUP_BYTES: usize = 1 << 26;

/// Writes a table as Parquet.
pub struct Writer<W> {
    out: W,
    // writes to memory, which is passed on after each group, because the crate requires an output that is `Send`
    file: SerializedFileWriter<Vec<u8>>,
    columns: Vec<Vec<f64>>,
    rows: usize,
    /// Rows of a row group.
    group: usize,
}

impl<W: Write> Writer<W> {
    /// Begins a table.
    ///
    /// # Errors
    /// None is known; the crate checks the schema.
    pub fn new(out: W, headers: &ColumnHeaders) -> io::Result<Self> {
        let column = |name: &str| {
            Type::primitive_type_builder(name, Physical::DOUBLE).with_repetition(Repetition::REQUIRED).build()
        };
        let fields = headers.0.iter().map(|header| column(&header.name).map(Arc::new)).collect::<Result<_>>()?;
        let schema = Type::group_type_builder("table").with_fields(fields).build()?;
        let units = headers.0.iter().map(|header| KeyValue::new(format!("unit.{}", header.name), header.unit.clone()));
        // nearly every number of a trace is different: a dictionary would only add to the size
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_created_by(concat!("stiction ", env!("CARGO_PKG_VERSION")).into())
            .set_key_value_metadata(Some(units.collect()))
            .build();
        let file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
        let group = (GROUP_BYTES / 8 / headers.0.len().max(1)).clamp(1, GROUP_ROWS);
        Ok(Self { out, file, columns: vec![Vec::new(); headers.0.len()], rows: 0, group })
    }
    /// Writes the next row.
    ///
    /// # Errors
    /// The errors of the output.
    ///
    /// # Panics
    /// If there are not as many values as headers.
    pub fn row(&mut self, values: &[f64]) -> io::Result<()> {
        assert_eq!(values.len(), self.columns.len(), "values in a row");
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(*value);
        }
        self.rows += 1;
        if self.rows == self.group { self.flush() } else { Ok(()) }
    }
    /// Ends the table and returns the output.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn finish(mut self) -> io::Result<W> {
        if self.rows > 0 {
            self.flush()?;
        }
        self.file.finish()?;
        self.out.write_all(self.file.inner())?;
        self.out.flush()?;
        Ok(self.out)
    }
    /// Writes the rows in memory as one group.
    fn flush(&mut self) -> io::Result<()> {
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            if let Some(mut writer) = group.next_column()? {
                writer.typed::<DoubleType>().write_batch(column, None, None)?;
                writer.close()?;
            }
            column.clear();
        }
        group.close()?;
        self.rows = 0;
        self.file.flush()?;
        self.out.write_all(self.file.inner())?;
        self.file.inner_mut().clear();
        Ok(())
    }
}
