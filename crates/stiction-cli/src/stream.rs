//! Writes data to stdout, notes and errors to stderr; control characters from files are escaped in both.
use crate::error::CommandError;
use crate::progress::above_bars;
use crate::style;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use stiction::{Error, FileError, is_hidden, printable_lines};

/// Writes data to stdout, byte for byte unless stdout is a terminal, where control characters are escaped. A reader that
/// closes the pipe early (`| head`) is not an error.
pub fn data(fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CommandError> {
    let stdout = io::stdout().lock();
    if stdout.is_terminal() { send(Printable(stdout), fill) } else { send(stdout, fill) }
}

/// Writes text to stdout. Names and titles in it may come from files, so control characters are escaped always: what is
/// piped often ends up on a terminal.
pub fn text(text: &str) -> Result<(), CommandError> {
    send(io::stdout().lock(), |out| out.write_all(printable_lines(text).as_bytes()))
}

/// Writes a drawing to stdout as it is: its escape sequences come from this program.
pub fn drawing(text: &str) -> Result<(), CommandError> {
    send(io::stdout().lock(), |out| out.write_all(text.as_bytes()))
}

fn send(out: impl Write, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CommandError> {
    let mut out = BufWriter::new(out);
    match fill(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(stdout_error(error)),
        _ => Ok(()),
    }
}

fn stdout_error(io: io::Error) -> CommandError {
    Error::File(FileError { path: "stdout".into(), action: "write to", io }).into()
}

/// Writes one JSON value to stdout, indented.
pub fn json(value: &impl Serialize) -> Result<(), CommandError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| stdout_error(error.into()))?;
    // serde_json escapes control characters up to 0x1f in strings, but not DEL, C1 and marks of the text direction
    let must_escape = |c: char| is_hidden(c) && c != '\n';
    let safe = |c: char| if must_escape(c) { format!("\\u{:04x}", c as u32) } else { c.to_string() };
    let text = if text.chars().any(must_escape) { text.chars().map(safe).collect() } else { text };
    data(|out| writeln!(out, "{text}"))
}

/// Writes one JSON value to stdout on one line, for long columns of numbers.
pub fn json_line(value: &impl Serialize) -> Result<(), CommandError> {
    data(|out| {
        serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
        writeln!(out)
    })
}

/// The file to write to; none for `-`, which is stdout.
pub fn file(output: Option<&Path>) -> Option<&Path> {
    output.filter(|path| *path != Path::new("-"))
}

/// Checks that a file's name ends in one of `kinds`, so that a file x.txt does not get CSV. Pipes and devices take any format, and
/// so does `-`, which the command interprets.
pub fn check_ending(path: &Path, kinds: &'static [&'static str]) -> Result<(), CommandError> {
    let known = path.extension().is_some_and(|e| kinds.iter().any(|kind| e.eq_ignore_ascii_case(kind)));
    let special =
        || path == Path::new("-") || std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir());
    if known || special() { Ok(()) } else { Err(CommandError::FileExtension { path: path.to_owned(), kinds }) }
}

/// Checks that a file can be written later, so that a command with several outputs writes none if one is impossible.
pub fn check_writable(path: &Path) -> Result<(), CommandError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let error = |io: io::Error| Err(FileError::write(path, io).into());
    match std::fs::metadata(folder) {
        Err(io) => return error(io),
        Ok(data) if !data.is_dir() => return error(io::ErrorKind::NotADirectory.into()),
        Ok(_) => {}
    }
    if path.is_dir() { error(io::ErrorKind::IsADirectory.into()) } else { Ok(()) }
}

/// Most characters of an argument that a message repeats.
const MAX_QUOTED: usize = 200;

/// A message in which long words, and long texts in quotes, are cut: arguments may be of any length.
pub fn shortened(text: &str) -> Cow<'_, str> {
    if text.chars().count() <= 2 * MAX_QUOTED {
        return Cow::Borrowed(text);
    }
    let cut = |piece: &str| {
        let words = piece.trim_end_matches([' ', '\n', ':', ',']);
        match words.char_indices().nth(MAX_QUOTED) {
            Some((end, _)) => format!("{}...{}", &words[..end], &piece[words.len()..]),
            None => piece.to_owned(),
        }
    };
    // the pieces between quotes, without blanks or with
    let pieces: Vec<String> = text
        .split('\'')
        .enumerate()
        .map(|(k, piece)| match k % 2 {
            1 => cut(piece),
            _ => piece.split_inclusive([' ', '\n']).map(&cut).collect(),
        })
        .collect();
    Cow::Owned(pieces.join("'"))
}

/// Prints a note on stderr.
pub fn note(text: impl Display) {
    line("note", text);
}

/// Writes text to stderr.
pub fn aside(text: &str) {
    let _ = above_bars(|| io::stderr().write_all(printable_lines(text).as_bytes()));
}

/// Prints a line with a label on stderr. An error of writing there cannot be reported and is ignored.
pub fn line(label: &str, text: impl Display) {
    let line = format!("{} {}", style::label(label), printable_lines(&text.to_string()));
    let _ = above_bars(|| writeln!(io::stderr(), "{line}"));
}

/// Writes to a terminal, with control characters escaped: they could move the cursor, change colours or retitle the window.
struct Printable<W>(W);

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match String::from_utf8_lossy(bytes) {
            Cow::Borrowed(text) => self.0.write_all(printable_lines(text).as_bytes())?,
            // a character cut in two by the buffer, or bytes of another encoding: only control bytes of ASCII are escaped
            Cow::Owned(_) => {
                for byte in bytes {
                    match byte {
                        b'\n' | b'\t' | 0x20..=0x7e | 0x80.. => self.0.write_all(&[*byte])?,
                        _ => write!(self.0, "\\u{{{byte:x}}}")?,
                    }
                }
            }
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::Printable;
    use std::io::Write;

    #[test]
    fn a_terminal_gets_no_control_characters_whatever_the_encoding() {
        for (bytes, shown) in [("µ\u{1b}c".as_bytes(), "µ\\u{1b}c".as_bytes()), (b"\xb5\x1bc", b"\xb5\\u{1b}c")] {
            let mut out = Printable(Vec::new());
            out.write_all(bytes).unwrap();
            assert_eq!(out.0, shown);
        }
    }
}
