//! JSON, value by value.
use super::FORMAT;
use crate::DataError;
use crate::log::Problem;
use crate::log::source::{ReadSeek, Source};
use std::io::{ErrorKind, SeekFrom};

/// The longest string or number \[bytes\].
const LONGEST: usize = 1 << 16;
/// The deepest nesting.
pub const DEEPEST: usize = 64;

/// Reads JSON from any place of a file.
pub struct Scan<'a> {
    source: &'a Source,
    bytes: Box<dyn ReadSeek>,
    buffer: Vec<u8>,
    at: usize,
    /// Where the buffer begins.
    base: u64,
}

/// A value that is no array or object.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    Number(f64),
    Text(String),
}

impl<'a> Scan<'a> {
    pub fn new(source: &'a Source, offset: u64) -> Result<Self, DataError> {
        let mut bytes = source.seek()?;
        bytes.seek(SeekFrom::Start(offset)).map_err(|io| source.io(io))?;
        let mut scan = Self { source, bytes, buffer: Vec::new(), at: 0, base: offset };
        if offset == 0 && scan.fill()? && scan.buffer.starts_with(b"\xef\xbb\xbf") {
            scan.at = 3;
        }
        Ok(scan)
    }
    /// The place of the next byte.
    pub fn offset(&self) -> u64 {
        self.base + self.at as u64
    }
    pub fn broken(&self, why: impl Into<String>) -> DataError {
        self.source.fault(Problem::Broken { format: FORMAT, why: why.into(), byte: Some(self.offset() + 1) })
    }
    pub fn fault(&self, problem: Problem) -> DataError {
        self.source.fault(problem)
    }
    fn end(&self) -> DataError {
        self.source.fault(Problem::Cut { format: FORMAT })
    }
    /// Reads on; whether there was anything.
    fn fill(&mut self) -> Result<bool, DataError> {
        self.base += self.buffer.len() as u64;
        self.buffer.resize(1 << 16, 0);
        self.at = 0;
        loop {
            match self.bytes.read(&mut self.buffer) {
                Ok(count) => {
                    self.buffer.truncate(count);
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.source.io(error)),
            }
        }
    }
    fn byte(&mut self) -> Result<Option<u8>, DataError> {
        if self.at == self.buffer.len() && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.buffer[self.at]))
    }
    /// The next byte that is no blank, which stays; nothing at the end.
    pub fn peek(&mut self) -> Result<Option<u8>, DataError> {
        while let Some(byte) = self.byte()? {
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.at += 1;
        }
        Ok(None)
    }
    /// The next byte that is no blank, which must be there.
    pub fn first(&mut self) -> Result<u8, DataError> {
        self.peek()?.ok_or_else(|| self.end())
    }
    /// Steps over `mark` if it comes next.
    pub fn take(&mut self, mark: u8) -> Result<bool, DataError> {
        let found = self.peek()? == Some(mark);
        self.at += usize::from(found);
        Ok(found)
    }
    /// Steps over `mark`.
    pub fn expect(&mut self, mark: u8) -> Result<(), DataError> {
        if self.take(mark)? {
            return Ok(());
        }
        let found = char::from(self.first()?).escape_default().to_string();
        Err(self.broken(format!("expected '{}', found '{found}'", char::from(mark))))
    }
    /// After a member: whether another follows, or `close` did.
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
            let byte = self.byte()?.ok_or_else(|| self.end())?;
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => {
                    let escaped = self.byte()?.ok_or_else(|| self.end())?;
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
            if text.len() > LONGEST {
                return Err(self.broken("a text without end"));
            }
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
    /// Four hexadecimal digits.
    fn hex(&mut self) -> Result<u32, DataError> {
        let mut code = 0;
        for _ in 0..4 {
            let byte = self.byte()?.ok_or_else(|| self.end())?;
            let digit = char::from(byte).to_digit(16).ok_or_else(|| self.broken("a bad \\u"))?;
            self.at += 1;
            code = 16 * code + digit;
        }
        Ok(code)
    }
    /// A number, a text, true, false, null; and NaN and Infinity, which are no JSON but are written all the same.
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
            if word.len() > LONGEST {
                return Err(self.broken("a number without end"));
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
                    return Err(self.broken(format!("expected a value, found '{found}'")));
                }
                Err(_) => return Err(self.broken(format!("'{word}' is no value"))),
            },
        }))
    }
    /// Steps over a value of any kind.
    pub fn skip(&mut self, depth: usize) -> Result<(), DataError> {
        let open = self.first()?;
        if !matches!(open, b'{' | b'[') {
            return self.scalar().map(drop);
        }
        if depth == DEEPEST {
            return Err(self.broken(format!("nested deeper than {DEEPEST}")));
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
