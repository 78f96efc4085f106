//! How to read a text file.

/// How to read a text file where its layout is not recognised correctly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Lines to skip at the beginning.
    pub skip_lines: usize,
    /// The character between cells; a blank stands for any number of blanks and tabs.
    pub delimiter: Option<char>,
    /// Whether decimals are written with a comma.
    pub decimal_comma: Option<bool>,
}
