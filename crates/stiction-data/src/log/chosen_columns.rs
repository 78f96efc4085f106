//! The columns that a user asks for, and which of them is time.
use super::audit::find_time_column;
use super::{ColumnSelection, DataFile};
use crate::{DataError, find_column};

/// The columns to read, and which of them is time.
pub struct ChosenColumns<'a> {
    /// The columns.
    pub selection: ColumnSelection<'a>,
    /// The index of the time among them, if one is known as such.
    pub time: Option<usize>,
}

impl<'a> ChosenColumns<'a> {
    /// Columns by name or number, or as `name=expression`; all columns if none is given. `time` names the time if its name does not say so;
    /// of chosen columns it comes first.
    ///
    /// # Errors
    /// [`DataError::Content`] for unknown names and for expressions that cannot be parsed.
    pub fn new(
        file: &'a DataFile,
        columns: &[String],
        time: Option<&str>,
        constants: &[(&str, f64)],
    ) -> Result<Self, DataError> {
        let known: Vec<&str> = file.fields().iter().map(|field| field.name.as_str()).collect();
        let unknown = |error: crate::ColumnNameError| file.content_error(error.into());
        let given = time.map(|name| find_column(name, &known).map_err(unknown)).transpose()?;
        if columns.is_empty() {
            let selection = ColumnSelection::all(file);
            let time = match given {
                Some(at) => selection.fields().position(|field| *field.name == *known[at]),
                None => file
                    .time_column(selection.table())
                    .and_then(|at| selection.fields().position(|field| *field.name == *known[at]))
                    .or_else(|| find_time_column(selection.fields())),
            };
            return Ok(Self { selection, time });
        }
        let expressions = columns.iter().map(|text| named_expression(text).1);
        let time = given.or_else(|| file.time_column(file.table_of(expressions, constants).as_deref()));
        let mut selection = ColumnSelection::new(file);
        let chosen = columns.iter().any(|text| time.is_some() && find_column(text, &known).ok() == time);
        let clock = time.map(|at| (at + 1).to_string()).filter(|_| !chosen);
        for text in clock.iter().chain(columns) {
            let (name, expression) = named_expression(text);
            selection = selection.with(name, expression, constants)?;
        }
        let time = time.and_then(|at| selection.fields().position(|field| field.name == known[at]));
        Ok(Self { selection, time })
    }
}

/// Name and expression of `name=expression`; the name is empty if there is none. `==`, `!=`, `<=` and `>=` are comparisons.
fn named_expression(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let compares = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        before.is_some_and(|c| b"<>=!".contains(c)) || bytes.get(at + 1) == Some(&b'=')
    };
    let sign = text.match_indices('=').map(|(at, _)| at).find(|at| !compares(*at));
    sign.map_or(("", text), |at| (&text[..at], &text[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::ChosenColumns;
    use crate::log::{DataFile, ReadOptions};

    fn names(columns: &[&str]) -> Vec<String> {
        let file = DataFile::from_bytes("log.csv", b"t,q\n0,1\n1,2\n", &ReadOptions::default()).unwrap();
        let columns: Vec<String> = columns.iter().map(|text| (*text).to_owned()).collect();
        let chosen = ChosenColumns::new(&file, &columns, None, &[]).unwrap();
        assert_eq!(chosen.time, Some(0));
        let fields = chosen.selection.fields().map(|field| field.name.clone());
        fields.collect()
    }

    #[test]
    fn time_comes_first_unless_it_is_chosen() {
        assert_eq!(names(&[]), ["t", "q"]);
        assert_eq!(names(&["2*q"]), ["t", "2*q"]);
        assert_eq!(names(&["t", "v=2*q"]), ["t", "v"]);
    }

    #[test]
    fn a_comparison_is_no_name() {
        assert_eq!(names(&["q==1", "big=q>=2", "q!=1"]), ["t", "q==1", "big", "q!=1"]);
    }
}
