//! Apache Parquet: every column a required DOUBLE, plain and uncompressed, in groups of [`GROUP`] rows. The unit of the
//! column `slider.x` is the file's metadata under the key `unit.slider.x`.
use super::Heads;
use parquet::basic::{Repetition, Type as Physical};
use parquet::data_type::DoubleType;
use parquet::errors::Result;
use parquet::file::{metadata::KeyValue, properties::WriterProperties, writer::SerializedFileWriter};
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// Most rows kept in memory before they are written; a wide table keeps fewer, so that it stays below [`MEMORY`].
pub const GROUP: usize = 65_536;
/// Most bytes kept in memory.
pub const MEMORY: usize = 1 << 26;

/// Writes a table as Parquet.
pub struct Writer<W> {
    out: W,
    // Writes to memory that is handed on after each group: the crate asks for an output that can change threads
    file: SerializedFileWriter<Vec<u8>>,
    columns: Vec<Vec<f64>>,
    rows: usize,
    /// Rows of a group.
    group: usize,
}

impl<W: Write> Writer<W> {
    /// Starts a table.
    ///
    /// # Errors
    /// None that is known; the schema is checked by the crate.
    pub fn new(out: W, heads: &Heads) -> io::Result<Self> {
        let column = |name: &str| {
            Type::primitive_type_builder(name, Physical::DOUBLE).with_repetition(Repetition::REQUIRED).build()
        };
        let fields = heads.0.iter().map(|head| column(&head.name).map(Arc::new)).collect::<Result<_>>()?;
        let schema = Type::group_type_builder("table").with_fields(fields).build()?;
        let units = heads.0.iter().map(|head| KeyValue::new(format!("unit.{}", head.name), head.unit.clone()));
        // nearly every number of a trace is new: a dictionary would only add to the size
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_created_by(concat!("stiction ", env!("CARGO_PKG_VERSION")).into())
            .set_key_value_metadata(Some(units.collect()))
            .build();
        let file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
        let group = (MEMORY / 8 / heads.0.len().max(1)).clamp(1, GROUP);
        Ok(Self { out, file, columns: vec![Vec::new(); heads.0.len()], rows: 0, group })
    }
    /// The next row.
    ///
    /// # Errors
    /// Whatever the output says.
    ///
    /// # Panics
    /// If there are not as many values as heads.
    pub fn row(&mut self, values: &[f64]) -> io::Result<()> {
        assert_eq!(values.len(), self.columns.len(), "values in a row");
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(*value);
        }
        self.rows += 1;
        if self.rows == self.group { self.flush() } else { Ok(()) }
    }
    /// Ends the table and gives the output back.
    ///
    /// # Errors
    /// Whatever the output says.
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
