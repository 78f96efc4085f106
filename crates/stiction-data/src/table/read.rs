//! Tables read back: those of a run, or of others.
use super::{Head, csv};
use crate::DataError;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use stiction_io::near::near;
use stiction_io::{FileError, Position};

/// Columns in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What they hold; `1`, `2`, ... where the file does not say.
    pub heads: Vec<Head>,
    /// Their values.
    pub columns: Vec<Vec<f64>>,
}

impl Table {
    /// The column called `name`, with or without its unit.
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`].
    pub fn column(&self, name: &str) -> Result<(&Head, &[f64]), DataError> {
        let find = |head: &Head| head.name == name || head.to_string() == name;
        match self.heads.iter().position(find) {
            Some(k) => Ok((&self.heads[k], &self.columns[k])),
            None => {
                let known = || self.heads.iter().map(|head| head.name.as_str());
                let near = near(name, known()).into_iter().map(str::to_owned).collect();
                let known = known().map(str::to_owned).collect();
                Err(DataError::UnknownColumn { name: name.to_owned(), near, known })
            }
        }
    }
    /// Rows.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Reads a table: Parquet if its name ends in `.parquet`, else CSV.
///
/// # Errors
/// [`DataError::File`] if it cannot be read; [`DataError::NotANumber`] at its place for what is no number.
pub fn read(path: &Path) -> Result<Table, DataError> {
    let fault = |io| FileError::read(path, io);
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("parquet")) {
        return parquet(path).map_err(|io| fault(io).into());
    }
    let text = fs::read_to_string(path).map_err(fault)?;
    let mut table = Table::default();
    for (line, cells) in csv::lines(&text) {
        if table.heads.is_empty() {
            let named = csv::is_head(&cells);
            table.heads = if named {
                cells.iter().map(|cell| head(cell)).collect()
            } else {
                (1..=cells.len()).map(|k| head(&k.to_string())).collect()
            };
            table.columns = vec![Vec::new(); table.heads.len()];
            if named {
                continue;
            }
        }
        for (k, column) in table.columns.iter_mut().enumerate() {
            let cell = cells.get(k).copied().unwrap_or("");
            let position = || Position { path: path.to_owned(), line, column: 1 };
            column
                .push(cell.parse().map_err(|_| DataError::NotANumber { text: cell.to_owned(), position: position() })?);
        }
    }
    if table.is_empty() {
        return Err(fault(io::Error::new(ErrorKind::UnexpectedEof, "it has no rows")).into());
    }
    Ok(table)
}

/// `x [m]` taken apart.
pub fn head(text: &str) -> Head {
    match text.strip_suffix(']').and_then(|text| text.split_once(" [")) {
        Some((name, unit)) => Head { name: name.to_owned(), unit: unit.to_owned() },
        None => Head { name: text.to_owned(), unit: String::new() },
    }
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
    let heads = names.iter().map(|name| Head { name: (*name).to_owned(), unit: unit(name) }).collect();
    let mut columns = vec![Vec::new(); names.len()];
    for row in file.get_row_iter(None)? {
        for ((name, field), column) in row?.get_column_iter().zip(&mut columns) {
            column.push(match field {
                Field::Double(x) => *x,
                Field::Float(x) => f64::from(*x),
                Field::Long(x) => *x as f64,
                Field::Int(x) => f64::from(*x),
                Field::Short(x) => f64::from(*x),
                Field::Null => f64::NAN,
                _ => {
                    let text = format!("column '{name}' does not hold numbers");
                    return Err(io::Error::new(ErrorKind::InvalidData, text));
                }
            });
        }
    }
    Ok(Table { heads, columns })
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Path) -> io::Result<Table> {
    Err(io::Error::new(ErrorKind::Unsupported, "built without the feature 'parquet'"))
}
