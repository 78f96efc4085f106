//! Text from files made safe to show.
//!
//! Names and cells of a file are kept as they are. Where they are shown, characters that a terminal, an SVG or an HTML page
//! would act on are written as escapes.
//!
//! ```
//! use stiction_io::printable;
//!
//! assert_eq!(printable("speed [m/s]"), "speed [m/s]");
//! assert_eq!(printable("\u{1b}[31mred"), "\\u{1b}[31mred");
//! ```
use std::borrow::Cow;
use std::fmt::Write;

/// `text` with every control character written as an escape (`\u{1b}`, `\n`), and so every character that separates lines
/// or changes the direction of the text around it. Other text is returned unchanged.
pub fn printable(text: &str) -> Cow<'_, str> {
    escape(text, is_hidden)
}

/// Like [`printable`], but line feeds and tabs stay: for text of several lines that goes to a terminal.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escape(text, |character| is_hidden(character) && !matches!(character, '\n' | '\t'))
}

fn escape(text: &str, must_escape: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&must_escape) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if must_escape(character) {
            // writing to a string cannot fail
            let _ = write!(out, "{}", character.escape_default());
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// The first `most` characters of `text`, made [`printable`], with `...` where it is longer: for messages that quote a file.
pub fn excerpt(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}...", printable(&text[..end]))),
        None => printable(text),
    }
}

/// Whether [`printable`] escapes a character: control characters (Unicode category Cc), line and paragraph separators, marks
/// and overrides of the text direction, and the byte order mark.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        )
}

#[cfg(test)]
mod tests {
    use super::{excerpt, printable, printable_lines};
    use std::borrow::Cow;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("a\tb\nc\r\0\u{7f}\u{9b}"), "a\\tb\\nc\\r\\u{0}\\u{7f}\\u{9b}");
        assert_eq!(printable("\u{1b}]0;title\u{7}"), "\\u{1b}]0;title\\u{7}");
        assert_eq!(printable("abc\u{202e}fdp"), "abc\\u{202e}fdp");
    }

    #[test]
    fn text_of_several_lines_keeps_line_feeds_and_tabs() {
        assert_eq!(printable_lines("a\tb\n°"), "a\tb\n°");
        assert_eq!(printable_lines("a\u{1b}[31m\r\n\u{9b}\u{202e}"), "a\\u{1b}[31m\\r\n\\u{9b}\\u{202e}");
    }

    #[test]
    fn other_text_is_not_copied() {
        for text in ["", "speed [mm/s]", "σ₀ · µ ° 位置"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(excerpt("µµµµ", 2), "µµ...");
        assert_eq!(excerpt("µµ", 2), "µµ");
        assert_eq!(excerpt("\u{1b}b", 1), "\\u{1b}...");
    }
}
