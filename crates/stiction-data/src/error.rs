//! Data that cannot be read or used.
use crate::log::Problem;
use std::path::PathBuf;
use stiction_io::near::meant;
use stiction_io::{FileError, Position};

/// Why data cannot be read or used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file whose content cannot be used.
    #[error("{}: {problem}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: Box<Problem>,
    },
    /// A column that a table does not have.
    #[error("there is no column '{name}'")]
    UnknownColumn {
        /// The name.
        name: String,
        /// Names it may have been meant for.
        near: Vec<String>,
        /// The names of all columns.
        known: Vec<String>,
    },
    /// A cell of a table that is not a number.
    #[error("{position}: '{text}' is not a number")]
    NotANumber {
        /// What stands there.
        text: String,
        /// Where.
        position: Position,
    },
}

impl DataError {
    /// A file whose content cannot be used.
    pub fn content(path: impl Into<PathBuf>, problem: Problem) -> Self {
        Self::Content { path: path.into(), problem: Box::new(problem) }
    }
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::File(error) => error.hint(),
            Self::Content { problem, .. } => problem.hint(),
            Self::UnknownColumn { near, known, .. } => meant(near, known),
            Self::NotANumber { .. } => "numbers look like 0.2, -3 or 1e-6".to_owned(),
        }
    }
}
