//! The size and abilities of a terminal.

/// What a terminal offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// CharacterSet to a line.
    pub width: usize,
    /// Lines for the frame of a panel; those that share an axis take half.
    pub height: usize,
    /// Whether it has colours (ANSI). Without them, several lines are drawn with different letters.
    pub colour: bool,
    /// Whether it has letters beyond ASCII; braille has eight dots to a letter.
    pub unicode: bool,
}
