//! The delay between two columns of a file.
use super::audit::delay::{Delay, find};
use super::{ColumnSelection, DataFile, RowSample};
use crate::DataError;

/// Longest delay that is searched for \[samples\].
const MAX_DELAY: usize = 1000;
/// Largest number of rows from which a delay is estimated.
const MAX_ROWS: usize = 1 << 20;

/// The delay of the second column of a file, or of an expression over its columns, after the first; as [`find`].
///
/// # Errors
/// [`DataError::Content`] for unknown names and for expressions that cannot be parsed, and as [`find`]; [`DataError::File`].
pub fn column_delay(file: &DataFile, columns: [&str; 2], constants: &[(&str, f64)]) -> Result<Delay, DataError> {
    let [a, b] = columns;
    let plan = ColumnSelection::new(file).with("", a, constants)?.with("", b, constants)?;
    let mut first = RowSample::first(MAX_ROWS);
    plan.stream(&mut first)?;
    let [a, b] = [0, 1].map(|k| first.columns.get(k).map_or(&[][..], |column| &column[..]));
    find(a, b, MAX_DELAY).map_err(|error| file.content_error(error))
}
