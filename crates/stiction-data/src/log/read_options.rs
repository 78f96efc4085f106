//! How to read a file.

/// How to read a text file where its layout is not recognised correctly, and which rows of a file to take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Lines to skip at the beginning.
    pub skip_lines: usize,
    /// The character between cells; a blank stands for any number of blanks and tabs.
    pub delimiter: Option<char>,
    /// Whether decimals are written with a comma.
    pub decimal_comma: Option<bool>,
    /// The topic of an MCAP file whose messages are the rows; columns of other topics are held at their last value.
    pub topic: Option<String>,
    /// The episode of a Parquet file whose rows are read: those with this number in the column `episode_index`.
    pub episode: Option<u64>,
}

impl ReadOptions {
    /// The delimiter that a user writes: a character, `tab` or `blank`.
    ///
    /// # Errors
    /// What to write instead.
    pub fn parse_delimiter(text: &str) -> Result<char, String> {
        match (text, text.chars().next()) {
            ("tab" | "\\t", _) => Ok('\t'),
            ("blank" | "blanks", _) => Ok(' '),
            (_, Some(mark)) if text.chars().count() == 1 => Ok(mark),
            _ => Err("write one character, or tab, or blank".to_owned()),
        }
    }
}
