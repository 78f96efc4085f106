//! Reading tables: those of a run, or of others.
use super::{ColumnHeader, csv};
use crate::{ColumnNameError, DataError};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use stiction_io::similar_names::similar;
use stiction_io::{FileError, Position};

/// Columns in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Their names and units; the names are `1`, `2`, ... if the file has no headers.
    pub headers: Vec<ColumnHeader>,
    /// Their values.
    pub columns: Vec<Vec<f64>>,
}

impl Table {
    /// The column called `name`, with or without its unit.
    ///
    /// # Errors
    /// [`ColumnNameError::Unknown`].
    pub fn column(&self, name: &str) -> Result<(&ColumnHeader, &[f64]), DataError> {
        let find = |header: &ColumnHeader| header.name == name || header.to_string() == name;
        match self.headers.iter().position(find) {
            Some(k) => Ok((&self.headers[k], &self.columns[k])),
            None => {
                let known = || self.headers.iter().map(|header| header.name.as_str());
                let near = similar(name, known()).into_iter().map(str::to_owned).collect();
                let known = known().map(str::to_owned).collect();
                Err(ColumnNameError::Unknown { name: name.to_owned(), near, known }.into())
            }
        }
    }
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Reads a table: Parquet if its name ends in `.parquet`, else CSV.
///
/// # Errors
/// [`DataError::File`] if it cannot be read; [`DataError::NotANumber`] with the position of a cell that is not a number.
pub fn read(path: &Path) -> Result<Table, DataError> {
    let error = |io| FileError::read(path, io);
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("parquet")) {
        #[cfg(feature = "parquet")]
        let table = crate::catch_decoder_panic(|| parquet(path)).unwrap_or_else(|reason| Err(io::Error::other(reason)));
        #[cfg(not(feature = "parquet"))]
        let table = parquet(path);
        return table.map_err(|io| error(io).into());
    }
    let text = fs::read_to_string(path).map_err(error)?;
    let mut table = Table::default();
    for row in csv::rows(&text) {
        let (line, cells) = row.map_err(error)?;
        if table.headers.is_empty() {
            let named = csv::is_header(&cells);
            table.headers = if named {
                cells.iter().map(|cell| ColumnHeader::parse(cell)).collect()
            } else {
                (1..=cells.len()).map(|k| ColumnHeader::parse(&k.to_string())).collect()
            };
            table.columns = vec![Vec::new(); table.headers.len()];
            if named {
                continue;
            }
        }
        for (k, column) in table.columns.iter_mut().enumerate() {
            let cell = cells.get(k).map_or("", String::as_str);
            let not_a_number = |_| {
                let position = Position { path: path.to_owned(), line, column: 1 };
                DataError::NotANumber { text: cell.to_owned(), position }
            };
            column.push(cell.parse().map_err(not_a_number)?);
        }
    }
    if table.is_empty() {
        return Err(error(io::Error::new(ErrorKind::UnexpectedEof, "it has no rows")).into());
    }
    Ok(table)
}

#[cfg(feature = "parquet")]
fn parquet(path: &Path) -> io::Result<Table> {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let file = SerializedFileReader::new(fs::File::open(path)?)?;
    let data = file.metadata().file_metadata();
    let unit = |name: &str| {
        let key = format!("unit.{name}");
        let found = data.key_value_metadata().and_then(|list| list.iter().find(|pair| pair.key == key));
        found.and_then(|pair| pair.value.clone()).unwrap_or_default()
    };
    let names: Vec<&str> = data.schema_descr().columns().iter().map(|column| column.name()).collect();
    let headers = names.iter().map(|name| ColumnHeader { name: (*name).to_owned(), unit: unit(name) }).collect();
    let mut columns = vec![Vec::new(); names.len()];
    for row in file.get_row_iter(None)? {
        for ((name, field), column) in row?.get_column_iter().zip(&mut columns) {
            column.push(match field {
                Field::Double(x) => *x,
                Field::Float(x) => f64::from(*x),
                Field::Long(x) => *x as f64,
                Field::Int(x) => f64::from(*x),
                Field::Short(x) => f64::from(*x),
                Field::Byte(x) => f64::from(*x),
                Field::ULong(x) => *x as f64,
                Field::UInt(x) => f64::from(*x),
                Field::UShort(x) => f64::from(*x),
                Field::UByte(x) => f64::from(*x),
                Field::Null => f64::NAN,
                _ => {
                    let text = format!("column '{name}' does not hold numbers");
                    return Err(io::Error::new(ErrorKind::InvalidData, text));
                }
            });
        }
    }
    Ok(Table { headers, columns })
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Path) -> io::Result<Table> {
    Err(io::Error::new(ErrorKind::Unsupported, "built without the feature 'parquet'"))
}
