//! The size and abilities of a terminal.

/// The size of a terminal, and what it can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Characters per line.
    pub width: usize,
    /// Lines for the frame of a panel; those that share an axis take half.
    pub height: usize,
    /// Whether it has colours (ANSI). Without them, several lines are drawn with different characters.
    pub colour: bool,
    /// Whether it has characters beyond ASCII; braille has eight dots per character.
    pub unicode: bool,
}
