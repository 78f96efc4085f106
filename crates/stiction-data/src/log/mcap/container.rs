//! The records of an MCAP file, in the order of the file; chunks are unpacked.
use super::FORMAT;
use crate::log::source::{ReadSeek, Source};
use crate::{ContentError, DataError, catch_decoder_panic};
use std::io::{self, Read, SeekFrom};

/// At the beginning and at the end of a file.
pub const MAGIC: &[u8] = b"\x89MCAP0\r\n";
/// Bytes before the content of a record: its kind and its length.
const RECORD_HEAD: usize = 9;
/// The largest chunk, unpacked \[bytes\].
const MAX_CHUNK: u64 = 1 << 30;

/// A record that is of interest to a reader of messages.
pub enum Record<'a> {
    Schema { id: u16, encoding: String, name: String, text: String },
    Channel { id: u16, schema: u16, topic: String, encoding: String },
    Message(Message<'a>),
}

/// A message; times in nanoseconds since 1970.
pub struct Message<'a> {
    pub channel: u16,
    pub log_time: u64,
    pub publish_time: u64,
    pub data: &'a [u8],
}

/// Reads the records of a file.
pub struct Container<'a> {
    source: &'a Source,
    bytes: Box<dyn ReadSeek>,
    /// The next byte of the file, and the length of the file.
    at: u64,
    length: u64,
    /// The checksum of everything read; none if it is not to be checked.
    checksum: Option<crc32fast::Hasher>,
    body: Vec<u8>,
    chunk: Vec<u8>,
    chunk_at: usize,
    ended: bool,
}

impl<'a> Container<'a> {
    /// Opens a file and checks that it is complete. `check` verifies the checksum of the file while it is read.
    pub fn open(source: &'a Source, check: bool) -> Result<Self, DataError> {
        let mut bytes = source.seek()?;
        let io = |error| source.io_error(error);
        let length = bytes.seek(SeekFrom::End(0)).map_err(io)?;
        let truncated = || Err(source.content_error(ContentError::Truncated { format: FORMAT }));
        if length < 2 * MAGIC.len() as u64 {
            return truncated();
        }
        let mut magic = [0; MAGIC.len()];
        bytes.seek(SeekFrom::End(-(MAGIC.len() as i64))).map_err(io)?;
        bytes.read_exact(&mut magic).map_err(io)?;
        if magic != MAGIC {
            return truncated();
        }
        bytes.seek(SeekFrom::Start(0)).map_err(io)?;
        bytes.read_exact(&mut magic).map_err(io)?;
        let mut checksum = check.then(crc32fast::Hasher::new);
        if let Some(checksum) = &mut checksum {
            checksum.update(&magic);
        }
        let (at, length) = (MAGIC.len() as u64, length - MAGIC.len() as u64);
        let (body, chunk) = (Vec::new(), Vec::new());
        Ok(Self { source, bytes, at, length, checksum, body, chunk, chunk_at: 0, ended: false })
    }
    /// The next record of interest; none at the end of the messages.
    pub fn next(&mut self) -> Result<Option<Record<'_>>, DataError> {
        let (kind, packed) = loop {
            if self.chunk_at < self.chunk.len() {
                let (kind, begin, end) = self.record_in_chunk()?;
                self.chunk_at = end;
                if matches!(kind, 3..=5) {
                    break (kind, Some(begin..end));
                }
                continue;
            }
            if self.ended {
                return Ok(None);
            }
            match self.record_in_file()? {
                kind @ 3..=5 => break (kind, None),
                6 => self.unpack()?,
                15 => self.end_of_data()?,
                // the footer: a file without an end of its data
                2 => self.ended = true,
                _ => {}
            }
        };
        let body = match packed {
            Some(range) => &self.chunk[range],
            None => &self.body[..],
        };
        let record = parse(kind, body).ok_or("a record is too short for what it says");
        record.map(Some).map_err(|reason| malformed(self.source, reason.to_owned()))
    }
    /// Kind, begin and end of the next record of the chunk.
    fn record_in_chunk(&self) -> Result<(u8, usize, usize), DataError> {
        let wrong = || malformed(self.source, "a record is longer than its chunk".to_owned());
        let mut head = Cursor(self.chunk.get(self.chunk_at..).unwrap_or_default());
        let (kind, length) = head.array::<1>().zip(head.u64()).ok_or_else(wrong)?;
        let begin = self.chunk_at + RECORD_HEAD;
        let end = usize::try_from(length).ok().and_then(|length| begin.checked_add(length));
        Ok((kind[0], begin, end.filter(|end| *end <= self.chunk.len()).ok_or_else(wrong)?))
    }
    /// Reads the next record of the file into `body`, unless it is of no interest; its kind.
    fn record_in_file(&mut self) -> Result<u8, DataError> {
        let wrong = |source: &Source| malformed(source, "a record is longer than the file".to_owned());
        if self.length - self.at < RECORD_HEAD as u64 {
            return Err(malformed(self.source, "there is no end of the data".to_owned()));
        }
        let mut head = [0; RECORD_HEAD];
        self.bytes.read_exact(&mut head).map_err(|io| self.source.io_error(io))?;
        self.at += RECORD_HEAD as u64;
        let kind = head[0];
        let mut content = [0; 8];
        content.copy_from_slice(&head[1..]);
        let length = u64::from_le_bytes(content);
        if length > self.length - self.at {
            return Err(wrong(self.source));
        }
        // the checksum of the data covers all that is before the record that holds it
        if kind != 15
            && let Some(checksum) = &mut self.checksum
        {
            checksum.update(&head);
        }
        self.body.clear();
        let mut left = length;
        if matches!(kind, 3..=6 | 15) {
            self.bytes.by_ref().take(length).read_to_end(&mut self.body).map_err(|io| self.source.io_error(io))?;
            if self.body.len() as u64 != length {
                return Err(wrong(self.source));
            }
            if kind != 15
                && let Some(checksum) = &mut self.checksum
            {
                checksum.update(&self.body);
            }
            left = 0;
        }
        // attachments may be larger than memory
        let mut piece = [0; 1 << 13];
        while left > 0 {
            let wanted = left.min(piece.len() as u64) as usize;
            self.bytes.read_exact(&mut piece[..wanted]).map_err(|io| self.source.io_error(io))?;
            if let Some(checksum) = &mut self.checksum {
                checksum.update(&piece[..wanted]);
            }
            left -= wanted as u64;
        }
        self.at += length;
        Ok(kind)
    }
    fn end_of_data(&mut self) -> Result<(), DataError> {
        self.ended = true;
        let wanted = Cursor(&self.body).u32().unwrap_or(0);
        // zero: the writer did not compute one
        match self.checksum.take().map(crc32fast::Hasher::finalize) {
            Some(found) if wanted != 0 && found != wanted => {
                Err(malformed(self.source, "the checksum of the file is wrong: bytes in it were changed".to_owned()))
            }
            _ => Ok(()),
        }
    }
    /// Unpacks the chunk in `body`.
    fn unpack(&mut self) -> Result<(), DataError> {
        let source = self.source;
        let wrong = |reason: &str| malformed(source, reason.to_owned());
        let mut cursor = Cursor(&self.body);
        let head = cursor.u64().zip(cursor.u64()).and(cursor.u64()).zip(cursor.u32());
        let (size, crc) = head.ok_or_else(|| wrong("a chunk is too short"))?;
        let packing = cursor.text().ok_or_else(|| wrong("a chunk is too short"))?;
        let packed = cursor
            .u64()
            .and_then(|length| cursor.bytes(usize::try_from(length).ok()?))
            .ok_or_else(|| wrong("a chunk is too short"))?;
        if size > MAX_CHUNK {
            return Err(wrong(&format!("a chunk of {size} bytes; at most {MAX_CHUNK} are read")));
        }
        self.chunk.clear();
        self.chunk_at = 0;
        let out = &mut self.chunk;
        let done = match packing.as_str() {
            "" => {
                out.extend_from_slice(packed);
                Ok(())
            }
            "lz4" => decode(lz4_flex::frame::FrameDecoder::new(packed), size, out),
            "zstd" => catch_decoder_panic(|| {
                ruzstd::decoding::StreamingDecoder::new(packed).map_err(|error| error.to_string())
            })
            .unwrap_or_else(Err)
            .and_then(|decoder| decode(decoder, size, out)),
            _ => {
                return Err(source.content_error(ContentError::Unsupported {
                    what: "MCAP packed with something else than lz4 or zstd",
                    hint: "write it again: mcap compress FILE -o OUT --compression zstd",
                }));
            }
        };
        done.map_err(|reason| wrong(&format!("a chunk cannot be unpacked by {packing}: {reason}")))?;
        if self.chunk.len() as u64 != size {
            return Err(wrong("a chunk has not the length it says"));
        }
        // zero: the writer did not compute one
        if crc != 0 && crc32fast::hash(&self.chunk) != crc {
            return Err(wrong("the checksum of a chunk is wrong: bytes in it were changed"));
        }
        Ok(())
    }
}

/// Reads at most one byte more than `size`.
fn decode(mut decoder: impl Read, size: u64, out: &mut Vec<u8>) -> Result<(), String> {
    catch_decoder_panic(|| decoder.by_ref().take(size + 1).read_to_end(out))
        .unwrap_or_else(|panic| Err(io::Error::other(panic)))
        .map(drop)
        .map_err(|error| error.to_string())
}

pub fn malformed(source: &Source, reason: String) -> DataError {
    source.content_error(ContentError::Malformed { format: FORMAT, reason, byte: None })
}

fn parse(kind: u8, body: &[u8]) -> Option<Record<'_>> {
    let mut cursor = Cursor(body);
    match kind {
        3 => {
            let (id, name, encoding) = (cursor.u16()?, cursor.text()?, cursor.text()?);
            Some(Record::Schema { id, name, encoding, text: cursor.text()? })
        }
        4 => {
            let (id, schema) = (cursor.u16()?, cursor.u16()?);
            Some(Record::Channel { id, schema, topic: cursor.text()?, encoding: cursor.text()? })
        }
        _ => {
            let (channel, _sequence) = (cursor.u16()?, cursor.u32()?);
            let (log_time, publish_time) = (cursor.u64()?, cursor.u64()?);
            Some(Record::Message(Message { channel, log_time, publish_time, data: cursor.0 }))
        }
    }
}

/// The bytes that are left of a record.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(first)
    }
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }
    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }
    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }
    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
    /// A text after its length.
    fn text(&mut self) -> Option<String> {
        let length = self.u32()?;
        let bytes = self.bytes(usize::try_from(length).ok()?)?;
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}
