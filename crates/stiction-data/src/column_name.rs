//! Columns by name or number.
use stiction_io::similar_names::{similar, suggestion};
use stiction_io::{excerpt, printable};

/// Most names or numbers of columns that a message lists, and most characters of a name that it quotes.
pub(crate) const LISTED: usize = 20;
pub(crate) const QUOTED: usize = 60;

/// Why a name does not identify a column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ColumnNameError {
    /// No column has this name.
    #[error("there is no column '{}'", excerpt(name, QUOTED))]
    Unknown {
        /// The name.
        name: String,
        /// Similar names of columns.
        near: Vec<String>,
        /// The names of all columns.
        known: Vec<String>,
    },
    /// Several columns have this name.
    #[error("{} columns are called '{}'", columns.len(), excerpt(name, QUOTED))]
    Ambiguous {
        /// The name.
        name: String,
        /// The numbers of the columns, from one.
        columns: Vec<usize>,
    },
}

impl ColumnNameError {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Unknown { near, known, .. } => suggestion(near, known),
            Self::Ambiguous { columns, .. } => format!("choose by number: {}", alternatives(columns, "")),
        }
    }
}

/// The index of a column among `known`: by its name, by its name in another case, or by its number, from one.
///
/// # Errors
/// [`ColumnNameError`] if no column or more than one has the name.
pub fn find_column(name: &str, known: &[&str]) -> Result<usize, ColumnNameError> {
    let name = name.trim();
    let all = |same: &dyn Fn(&str) -> bool| -> Vec<usize> { (0..known.len()).filter(|&k| same(known[k])).collect() };
    let folded = name.to_lowercase();
    for found in [all(&|other| other == name), all(&|other| other.to_lowercase() == folded)] {
        match found[..] {
            [] => {}
            [one] => return Ok(one),
            _ => {
                let columns = found.iter().map(|k| k + 1).collect();
                return Err(ColumnNameError::Ambiguous { name: name.to_owned(), columns });
            }
        }
    }
    if let Ok(number) = name.parse::<usize>()
        && (1..=known.len()).contains(&number)
    {
        return Ok(number - 1);
    }
    let near = similar(name, known.iter().copied()).into_iter().map(str::to_owned).collect();
    let known = known.iter().map(|name| (*name).to_owned()).collect();
    Err(ColumnNameError::Unknown { name: name.to_owned(), near, known })
}

/// The first few names, separated by commas.
pub fn list_columns(names: &[String]) -> String {
    let shown: Vec<_> = names.iter().take(LISTED).map(|name| printable(name)).collect();
    let rest = names.len() - shown.len();
    shown.join(", ") + &if rest > 0 { format!(" and {rest} more") } else { String::new() }
}

/// `1 or 2 or 3`, each with `before` in front; the first few.
pub(crate) fn alternatives(columns: &[usize], before: &str) -> String {
    let shown: Vec<_> = columns.iter().take(LISTED).map(|k| format!("{before}{k}")).collect();
    shown.join(" or ") + if columns.len() > LISTED { " or ..." } else { "" }
}

#[cfg(test)]
mod tests {
    use super::{ColumnNameError, find_column};

    #[test]
    fn by_name_case_and_number() {
        let known = ["t", "Force", "force", "2", "Qm", "Qm"];
        assert_eq!(find_column("Force", &known), Ok(1));
        assert_eq!(find_column("force", &known), Ok(2));
        assert_eq!(find_column(" T ", &known), Ok(0));
        assert_eq!(find_column("2", &known), Ok(3), "a name goes before a number");
        assert_eq!(find_column("1", &known), Ok(0));
        let ambiguous = |name: &str| match find_column(name, &known) {
            Err(ColumnNameError::Ambiguous { columns, .. }) => columns,
            other => panic!("{other:?}"),
        };
        assert_eq!((ambiguous("FORCE"), ambiguous("Qm")), (vec![2, 3], vec![5, 6]));
        let similar = |name: &str| match find_column(name, &known) {
            Err(ColumnNameError::Unknown { near, .. }) => near,
            other => panic!("{other:?}"),
        };
        assert_eq!(similar("froce")[0], "Force");
        for bad in ["0", "7", "-1", ""] {
            similar(bad);
        }
    }
}
