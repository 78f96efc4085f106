//! Elements of a MATLAB file: a tag with type and length, then the data.
use super::FORMAT;
use crate::log::source::Source;
use crate::{ContentError, DataError};
use flate2::read::ZlibDecoder;
use std::io::{self, ErrorKind, Read, SeekFrom};

/// Element types: an array, and a compressed element.
pub const MATRIX: u32 = 14;
pub const COMPRESSED: u32 = 15;

/// How a number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberType {
    kind: u32,
    big_endian: bool,
}

impl NumberType {
    /// None if the element type is not a number.
    pub fn new(kind: u32, big_endian: bool) -> Option<Self> {
        matches!(kind, 1..=7 | 9 | 12 | 13).then_some(Self { kind, big_endian })
    }
    /// Bytes of one number.
    pub fn size(self) -> usize {
        match self.kind {
            1 | 2 => 1,
            3 | 4 => 2,
            5..=7 => 4,
            _ => 8,
        }
    }
    /// Its value.
    pub fn read(self, bytes: &[u8]) -> f64 {
        let mut word = [0; 8];
        for (k, byte) in bytes.iter().take(8).enumerate() {
            // to little-endian order
            word[if self.big_endian { self.size() - 1 - k } else { k }] = *byte;
        }
        let [a, b, c, d, ..] = word;
        match self.kind {
            1 => f64::from(i8::from_le_bytes([a])),
            2 => f64::from(a),
            3 => f64::from(i16::from_le_bytes([a, b])),
            4 => f64::from(u16::from_le_bytes([a, b])),
            5 => f64::from(i32::from_le_bytes([a, b, c, d])),
            6 => f64::from(u32::from_le_bytes([a, b, c, d])),
            7 => f64::from(f32::from_le_bytes([a, b, c, d])),
            12 => i64::from_le_bytes(word) as f64,
            13 => u64::from_le_bytes(word) as f64,
            _ => f64::from_le_bytes(word),
        }
    }
}

/// The tag before the data of an element.
pub struct Tag {
    pub kind: u32,
    /// Length \[bytes\].
    pub len: u64,
    /// Padding up to the next element \[bytes\].
    pub pad: u64,
}

/// Reads the decompressed bytes of one element in order.
pub struct ElementReader<'a> {
    source: &'a Source,
    bytes: Box<dyn Read>,
    /// Bytes read.
    pub at: u64,
    pub big_endian: bool,
}

impl<'a> ElementReader<'a> {
    /// The bytes of a file from `offset` on, at most `len`.
    pub fn new(
        source: &'a Source,
        offset: u64,
        len: u64,
        compressed: bool,
        big_endian: bool,
    ) -> Result<Self, DataError> {
        let mut file = source.seek()?;
        file.seek(SeekFrom::Start(offset)).map_err(|io| source.io_error(io))?;
        let plain = file.take(len);
        let bytes: Box<dyn Read> = if compressed { Box::new(ZlibDecoder::new(plain)) } else { Box::new(plain) };
        Ok(Self { source, bytes, at: 0, big_endian })
    }
    pub fn content_error(&self, error: ContentError) -> DataError {
        self.source.content_error(error)
    }
    pub fn malformed(&self, reason: &str) -> DataError {
        self.source.content_error(ContentError::Malformed { format: FORMAT, reason: reason.to_owned(), byte: None })
    }
    fn error(&self, error: io::Error) -> DataError {
        match error.kind() {
            ErrorKind::UnexpectedEof => self.source.content_error(ContentError::Truncated { format: FORMAT }),
            ErrorKind::InvalidData | ErrorKind::InvalidInput => {
                self.malformed("compressed data that cannot be decompressed")
            }
            _ => self.source.io_error(error),
        }
    }
    pub fn exact(&mut self, out: &mut [u8]) -> Result<(), DataError> {
        self.bytes.read_exact(out).map_err(|error| self.error(error))?;
        self.at += out.len() as u64;
        Ok(())
    }
    pub fn skip(&mut self, len: u64) -> Result<(), DataError> {
        let skipped =
            io::copy(&mut self.bytes.by_ref().take(len), &mut io::sink()).map_err(|error| self.error(error))?;
        self.at += skipped;
        if skipped < len { Err(self.source.content_error(ContentError::Truncated { format: FORMAT })) } else { Ok(()) }
    }
    fn word(&mut self) -> Result<u32, DataError> {
        let mut bytes = [0; 4];
        self.exact(&mut bytes)?;
        Ok(if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }
    /// A tag; a small element has its data in the second word of the tag.
    pub fn tag(&mut self) -> Result<Tag, DataError> {
        let first = self.word()?;
        if first >> 16 != 0 {
            let len = u64::from(first >> 16);
            if len > 4 {
                return Err(self.malformed("a small element of more than 4 bytes"));
            }
            return Ok(Tag { kind: first & 0xffff, len, pad: 4 - len });
        }
        let len = u64::from(self.word()?);
        let pad = if first == COMPRESSED { 0 } else { len.wrapping_neg() % 8 };
        Ok(Tag { kind: first, len, pad })
    }
    /// The data of a small element.
    pub fn small(&mut self, most: u64) -> Result<(u32, Vec<u8>), DataError> {
        let Tag { kind, len, pad } = self.tag()?;
        if len > most {
            return Err(self.malformed("an element that is too long"));
        }
        let mut bytes = vec![0; len as usize];
        self.exact(&mut bytes)?;
        self.skip(pad)?;
        Ok((kind, bytes))
    }
    /// The numbers of a small element.
    pub fn numbers(&mut self, most: u64) -> Result<Vec<f64>, DataError> {
        let (kind, bytes) = self.small(most)?;
        let number =
            NumberType::new(kind, self.big_endian).ok_or_else(|| self.malformed("an element that is not a number"))?;
        Ok(bytes.chunks_exact(number.size()).map(|bytes| number.read(bytes)).collect())
    }
}
