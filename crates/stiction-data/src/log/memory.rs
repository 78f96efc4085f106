//! Columns that are in memory already.
use super::chunk::RowReader;
use super::{Chunk, Field, header};
use crate::DataError;

/// Columns of one length, whose names may have units, as in the head of a file.
pub struct FileIndex {
    pub fields: Vec<Field>,
    columns: Vec<Vec<f64>>,
}

impl FileIndex {
    pub fn new(columns: Vec<(String, Vec<f64>)>) -> Self {
        let field = |(head, values): &(String, Vec<f64>)| {
            let (name, unit) = header::split(head);
            Field { name, unit, rows: Some(values.len() as u64), table: None, text: None }
        };
        let fields = columns.iter().map(field).collect();
        Self { fields, columns: columns.into_iter().map(|(_, values)| values).collect() }
    }
    pub fn open(&self, wanted: &[usize]) -> Box<dyn RowReader + '_> {
        Box::new(Reader { columns: wanted.iter().map(|&at| &self.columns[at][..]).collect(), at: 0 })
    }
}

struct Reader<'a> {
    columns: Vec<&'a [f64]>,
    at: usize,
}

impl RowReader for Reader<'_> {
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        for (column, out) in self.columns.iter().zip(&mut chunk.columns) {
            out.extend(column.iter().skip(self.at).take(rows));
        }
        self.at += rows;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::log::{ColumnSelection, DataFile};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn columns() -> Vec<(String, Vec<f64>)> {
        // more rows than a chunk has
        let x: Vec<f64> = (0..10_000).map(f64::from).collect();
        vec![("t [s]".to_owned(), x.clone()), ("x [mm]".to_owned(), x.iter().map(|x| -x).collect())]
    }

    #[test]
    fn columns_read_as_they_are() {
        let file = DataFile::from_columns("data", columns()).unwrap();
        assert_eq!((file.name(), file.format().to_string()), ("data".to_owned(), "columns in memory".to_owned()));
        assert_eq!(file.fields()[1].unit.as_deref(), Some("mm"));
        let record = ColumnSelection::new(&file).with("x [m]", "1e-3*x", &[]).unwrap().read().unwrap();
        assert_eq!(record.columns[0].values.len(), 10_000);
        assert_eq!(record.columns[0].values[9_999], 1e-3 * -9999.0);
        // they can be read again, unlike a stream
        assert_eq!(ColumnSelection::all(&file).read().unwrap().columns[0].values[4_097], 4_097.0);
        assert!(DataFile::from_columns("data", vec![("t".to_owned(), Vec::new())]).is_err());
    }

    #[test]
    fn reading_ends_when_the_flag_is_raised() {
        let file = DataFile::from_columns("data", columns()).unwrap().with_stop(Arc::new(AtomicBool::new(true)));
        let error = ColumnSelection::all(&file).read().unwrap_err();
        assert!(error.to_string().contains("interrupted"), "{error}");
    }

    #[test]
    fn the_hint_of_an_unknown_name_says_how_to_give_a_constant() {
        let file = DataFile::from_columns("data", columns()).unwrap();
        let error = ColumnSelection::new(&file).with("f", "kt*x", &[]).map(drop).unwrap_err();
        assert!(error.hint().contains("--constant kt=NUMBER"), "{}", error.hint());
    }
}
