//! A streaming JSON scanner that can start at any byte of a file.
use super::FORMAT;
use crate::log::source::{ReadSeek, Source};
use crate::{ContentError, DataError};
use std::io::{ErrorKind, SeekFrom};

/// The longest string or number \[bytes\].
const MAX_LENGTH: usize = 1 << 16;
/// The deepest nesting.
pub const MAX_DEPTH: usize = 64;

/// Reads the JSON of a file from any byte on.
pub struct JsonScanner<'a> {
    source: &'a Source,
    /// What follows the buffer.
    bytes: Option<Box<dyn ReadSeek>>,
    buffer: Vec<u8>,
    at: usize,
    /// Position of the buffer in the file.
    base: u64,
}

/// A value that is neither an array nor an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    Number(f64),
    Text(String),
}

impl<'a> JsonScanner<'a> {
    pub fn new(source: &'a Source, offset: u64) -> Result<Self, DataError> {
        let mut bytes = source.seek()?;
        bytes.seek(SeekFrom::Start(offset)).map_err(|io| source.io_error(io))?;
        let mut scan = Self { source, bytes: Some(bytes), buffer: Vec::new(), at: 0, base: offset };
        if offset == 0 && scan.fill()? && scan.buffer.starts_with(b"\xef\xbb\xbf") {
            scan.at = 3;
        }
        Ok(scan)
    }
    /// The same for bytes in memory, which are part of a file.
    #[cfg(feature = "mcap")]
    pub fn of_bytes(source: &'a Source, bytes: &[u8]) -> Self {
        Self { source, bytes: None, buffer: bytes.to_vec(), at: 0, base: 0 }
    }
    /// The position of the next byte.
    pub fn offset(&self) -> u64 {
        self.base + self.at as u64
    }
    pub fn malformed(&self, reason: impl Into<String>) -> DataError {
        self.source.content_error(ContentError::Malformed {
            format: FORMAT,
            reason: reason.into(),
            byte: Some(self.offset() + 1),
        })
    }
    pub fn content_error(&self, error: ContentError) -> DataError {
        self.source.content_error(error)
    }
    fn truncated(&self) -> DataError {
        self.source.content_error(ContentError::Truncated { format: FORMAT })
    }
    /// Fills the buffer; whether there were any bytes.
    fn fill(&mut self) -> Result<bool, DataError> {
        let Some(bytes) = &mut self.bytes else { return Ok(false) };
        self.base += self.buffer.len() as u64;
        self.buffer.resize(1 << 16, 0);
        self.at = 0;
        loop {
            match bytes.read(&mut self.buffer) {
                Ok(count) => {
                    self.buffer.truncate(count);
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.source.io_error(error)),
            }
        }
    }
    fn byte(&mut self) -> Result<Option<u8>, DataError> {
        if self.at == self.buffer.len() && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.buffer[self.at]))
    }
    /// The next byte that is not white space, without consuming it; none at the end.
    pub fn peek(&mut self) -> Result<Option<u8>, DataError> {
        while let Some(byte) = self.byte()? {
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.at += 1;
        }
        Ok(None)
    }
    /// The same; an error at the end.
    pub fn first(&mut self) -> Result<u8, DataError> {
        self.peek()?.ok_or_else(|| self.truncated())
    }
    /// Consumes `mark` if it comes next.
    pub fn take(&mut self, mark: u8) -> Result<bool, DataError> {
        let found = self.peek()? == Some(mark);
        self.at += usize::from(found);
        Ok(found)
    }
    /// Consumes `mark`, which must come next.
    pub fn expect(&mut self, mark: u8) -> Result<(), DataError> {
        if self.take(mark)? {
            return Ok(());
        }
        let found = char::from(self.first()?).escape_default().to_string();
        Err(self.malformed(format!("expected '{}', found '{found}'", char::from(mark))))
    }
    /// After an element: consumes a comma (true) or `close` (false).
    pub fn more(&mut self, close: u8) -> Result<bool, DataError> {
        if self.take(b',')? {
            return Ok(true);
        }
        self.expect(close).map(|()| false)
    }
    /// A key and its colon.
    pub fn key(&mut self) -> Result<String, DataError> {
        let key = self.string()?;
        self.expect(b':')?;
        Ok(key)
    }
    fn string(&mut self) -> Result<String, DataError> {
        self.expect(b'"')?;
        let mut text = Vec::new();
        loop {
            let byte = self.byte()?.ok_or_else(|| self.truncated())?;
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => {
                    let escaped = self.byte()?.ok_or_else(|| self.truncated())?;
                    self.at += 1;
                    match escaped {
                        b'u' => {
                            let code = self.hex()?;
                            let letter = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                            text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                        }
                        b'n' => text.push(b'\n'),
                        b't' => text.push(b'\t'),
                        other => text.push(other),
                    }
                }
                _ => text.push(byte),
            }
            if text.len() > MAX_LENGTH {
                return Err(self.malformed(format!("a string longer than {MAX_LENGTH} bytes")));
            }
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
    /// Four hexadecimal digits.
    fn hex(&mut self) -> Result<u32, DataError> {
        let mut code = 0;
        for _ in 0..4 {
            let byte = self.byte()?.ok_or_else(|| self.truncated())?;
            let digit =
                char::from(byte).to_digit(16).ok_or_else(|| self.malformed("a \\u without four hexadecimal digits"))?;
            self.at += 1;
            code = 16 * code + digit;
        }
        Ok(code)
    }
    /// A number, a string, true, false or null; and NaN and Infinity, which are not JSON but which Python writes.
    pub fn scalar(&mut self) -> Result<Scalar, DataError> {
        if self.first()? == b'"' {
            return self.string().map(Scalar::Text);
        }
        let mut word = Vec::new();
        while let Some(byte) = self.byte()?
            && (byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        {
            word.push(byte);
            self.at += 1;
            if word.len() > MAX_LENGTH {
                return Err(self.malformed(format!("a number longer than {MAX_LENGTH} bytes")));
            }
        }
        let word = String::from_utf8_lossy(&word);
        Ok(Scalar::Number(match &*word {
            "true" => 1.0,
            "false" => 0.0,
            "null" => f64::NAN,
            _ => match word.parse() {
                Ok(x) => x,
                Err(_) if word.is_empty() => {
                    let found = char::from(self.first()?).escape_default().to_string();
                    return Err(self.malformed(format!("expected a value, found '{found}'")));
                }
                Err(_) => return Err(self.malformed(format!("'{word}' is not a value"))),
            },
        }))
    }
    /// Consumes a value of any kind.
    pub fn skip(&mut self, depth: usize) -> Result<(), DataError> {
        let open = self.first()?;
        if !matches!(open, b'{' | b'[') {
            return self.scalar().map(drop);
        }
        if depth == MAX_DEPTH {
            return Err(self.malformed(format!("nested deeper than {MAX_DEPTH}")));
        }
        self.at += 1;
        let close = if open == b'{' { b'}' } else { b']' };
        if self.take(close)? {
            return Ok(());
        }
        loop {
            if open == b'{' {
                self.key()?;
            }
            self.skip(depth + 1)?;
            if !self.more(close)? {
                return Ok(());
            }
        }
    }
}
