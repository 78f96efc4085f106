//! Lines of a file, of bounded length.
use std::io::{self, BufRead, BufReader, Read};

/// The longest line \[bytes\].
pub const MAX_LINE: usize = 1 << 24;

/// Reads lines one by one into one buffer.
pub struct LineReader {
    bytes: BufReader<Box<dyn Read>>,
    line: Vec<u8>,
    /// The line as text, if its bytes are not UTF-8.
    converted: String,
    /// Lines read.
    pub count: u64,
    /// Whether the last line ended with a newline.
    pub ended: bool,
}

/// Why a line cannot be read.
pub enum LineError {
    Io(io::Error),
    TooLong,
}

impl LineReader {
    pub fn new(bytes: Box<dyn Read>) -> Self {
        let bytes = BufReader::with_capacity(1 << 16, bytes);
        Self { bytes, line: Vec::new(), converted: String::new(), count: 0, ended: true }
    }
    /// The next line, without its newline; none after the last.
    pub fn next(&mut self) -> Result<Option<&str>, LineError> {
        self.line.clear();
        self.ended = false;
        while !self.ended {
            let ready = match self.bytes.fill_buf() {
                Ok([]) => break,
                Ok(ready) => ready,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(LineError::Io(error)),
            };
            let end = ready.iter().position(|byte| *byte == b'\n');
            let part = &ready[..end.unwrap_or(ready.len())];
            if self.line.len() + part.len() > MAX_LINE {
                self.count += 1;
                return Err(LineError::TooLong);
            }
            self.line.extend_from_slice(part);
            self.ended = end.is_some();
            let used = part.len() + usize::from(self.ended);
            self.bytes.consume(used);
        }
        if self.line.is_empty() && !self.ended {
            return Ok(None);
        }
        self.count += 1;
        let line = if self.count == 1 { without_mark(&self.line) } else { &self.line[..] };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match std::str::from_utf8(line) {
            Ok(line) => Ok(Some(line)),
            Err(_) => {
                self.converted = latin1(line);
                Ok(Some(&self.converted))
            }
        }
    }
}

/// The bytes without a byte order mark.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Text of bytes that are not UTF-8: Latin-1, in which older instruments write µ and °.
pub fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
