//! Positions in text files.
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

/// A position in a text file; lines and columns count from one. Printed as `axis.toml:3:1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The file.
    pub path: PathBuf,
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

impl Display for Position {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.path.display(), self.line, self.column)
    }
}
