//! Lines of a file, none of them longer than is reasonable.
use std::io::{self, BufRead, BufReader, Read};

/// The longest line \[bytes\].
pub const LONGEST: usize = 1 << 20;

/// Reads lines one by one into the same memory.
pub struct Lines {
    bytes: BufReader<Box<dyn Read>>,
    line: Vec<u8>,
    /// The line as text, where its bytes are not UTF-8.
    other: String,
    /// Lines read.
    pub count: u64,
    /// Whether the last line ended as a line does.
    pub ended: bool,
}

/// Why there is no line.
pub enum Stop {
    Io(io::Error),
    Long,
}

impl Lines {
    pub fn new(bytes: Box<dyn Read>) -> Self {
        let bytes = BufReader::with_capacity(1 << 16, bytes);
        Self { bytes, line: Vec::new(), other: String::new(), count: 0, ended: true }
    }
    /// The next line, without its end; nothing after the last.
    pub fn next(&mut self) -> Result<Option<&str>, Stop> {
        self.line.clear();
        self.ended = false;
        while !self.ended {
            let ready = match self.bytes.fill_buf() {
                Ok([]) => break,
                Ok(ready) => ready,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Stop::Io(error)),
            };
            let end = ready.iter().position(|byte| *byte == b'\n');
            let part = &ready[..end.unwrap_or(ready.len())];
            if self.line.len() + part.len() > LONGEST {
                self.count += 1;
                return Err(Stop::Long);
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
        let line = if self.count == 1 { unmarked(&self.line) } else { &self.line[..] };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match std::str::from_utf8(line) {
            Ok(line) => Ok(Some(line)),
            Err(_) => {
                self.other = latin(line);
                Ok(Some(&self.other))
            }
        }
    }
}

/// Without a byte order mark.
pub fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Text of bytes that are not UTF-8: Latin-1, in which older instruments write µ and °.
pub fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
