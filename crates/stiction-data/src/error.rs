//! Data that cannot be read or used.
use crate::ContentError;
use crate::column_name::ColumnNameError;
use std::path::PathBuf;
use stiction_io::{FileError, Position, excerpt};

/// Why data cannot be read or used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file whose content cannot be used.
    #[error("{}: {error}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<ContentError>,
    },
    /// A name that no column of a table has, or more than one.
    #[error(transparent)]
    ColumnName(#[from] ColumnNameError),
    /// A cell of a table that is not a number.
    #[error("{position}: '{}' is not a number", excerpt(text, 60))]
    NotANumber {
        /// The text of the cell.
        text: String,
        /// The position of the row.
        position: Position,
    },
}

impl DataError {
    /// A file whose content cannot be used.
    pub fn content(path: impl Into<PathBuf>, error: ContentError) -> Self {
        Self::Content { path: path.into(), error: Box::new(error) }
    }
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::File(error) => error.hint(),
            Self::Content { error, .. } => error.hint(),
            Self::ColumnName(error) => error.hint(),
            Self::NotANumber { .. } => "numbers look like 0.2, -3 or 1e-6".to_owned(),
        }
    }
}
