//! The bytes of a file, of a stream or in memory.
use crate::{ContentError, DataError};
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stiction_io::FileError;

/// A reader that can be positioned.
pub trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

/// Most bytes of a stream that are kept in memory, for formats that need random access.
const MAX_STREAM_BYTES: u64 = 1 << 30;

/// A file, a stream or memory.
pub struct Source {
    /// Its name.
    pub path: PathBuf,
    kind: SourceKind,
}

enum SourceKind {
    File,
    Memory(Arc<[u8]>),
    /// A pipe, which can be read once.
    Stream(RefCell<Option<Box<dyn Read>>>),
}

impl Source {
    /// A file, or a pipe with a name; `-` is stdin.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let error = |io| DataError::from(FileError::read(path, io));
        if path == Path::new("-") {
            return Ok(Self::stream("stdin".into(), Box::new(io::stdin())));
        }
        let file = File::open(path).map_err(error)?;
        let metadata = file.metadata().map_err(error)?;
        if metadata.is_dir() {
            return Err(error(io::ErrorKind::IsADirectory.into()));
        }
        let kind =
            if metadata.is_file() { SourceKind::File } else { SourceKind::Stream(RefCell::new(Some(Box::new(file)))) };
        Ok(Self { path: path.to_owned(), kind })
    }
    pub fn stream(path: PathBuf, bytes: Box<dyn Read>) -> Self {
        Self { path, kind: SourceKind::Stream(RefCell::new(Some(bytes))) }
    }
    /// All bytes from the beginning, once.
    pub fn read(&self) -> Result<Box<dyn Read>, DataError> {
        Ok(match &self.kind {
            SourceKind::File => Box::new(self.file()?),
            SourceKind::Memory(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
            SourceKind::Stream(stream) => {
                stream.take().ok_or_else(|| self.content_error(ContentError::StreamConsumed))?
            }
        })
    }
    /// The same bytes with random access for several readers. A stream is read into memory for that.
    pub fn with_random_access(self) -> Result<Self, DataError> {
        let SourceKind::Stream(_) = self.kind else { return Ok(self) };
        let mut bytes = Vec::new();
        self.read()?.take(MAX_STREAM_BYTES + 1).read_to_end(&mut bytes).map_err(|io| self.io_error(io))?;
        if bytes.len() as u64 > MAX_STREAM_BYTES {
            return Err(self.io_error(io::ErrorKind::FileTooLarge.into()));
        }
        Ok(Self { path: self.path, kind: SourceKind::Memory(bytes.into()) })
    }
    /// A reader of a source with random access.
    pub fn seek(&self) -> Result<Box<dyn ReadSeek>, DataError> {
        Ok(match &self.kind {
            SourceKind::File => Box::new(BufReader::new(self.file()?)),
            SourceKind::Memory(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
            SourceKind::Stream(_) => return Err(self.content_error(ContentError::StreamConsumed)),
        })
    }
    /// The first bytes, and the source with them still in it.
    pub fn peek(self, count: u64) -> Result<(Vec<u8>, Self), DataError> {
        let mut first = Vec::new();
        let mut rest = self.read()?;
        rest.by_ref().take(count).read_to_end(&mut first).map_err(|io| self.io_error(io))?;
        if matches!(self.kind, SourceKind::Stream(_)) {
            let whole = Cursor::new(first.clone()).chain(rest);
            return Ok((first, Self::stream(self.path, Box::new(whole))));
        }
        Ok((first, self))
    }
    /// The whole path of a file; none for a stream and for memory.
    #[cfg(feature = "parquet")]
    pub fn whole_path(&self) -> Option<PathBuf> {
        matches!(self.kind, SourceKind::File).then(|| self.path.canonicalize().ok()).flatten()
    }
    /// The file, or the memory, behind a source with random access.
    #[cfg(feature = "parquet")]
    pub fn file_or_memory(&self) -> Result<Result<File, Arc<[u8]>>, DataError> {
        match &self.kind {
            SourceKind::File => self.file().map(Ok),
            SourceKind::Memory(bytes) => Ok(Err(Arc::clone(bytes))),
            SourceKind::Stream(_) => Err(self.content_error(ContentError::StreamConsumed)),
        }
    }
    fn file(&self) -> Result<File, DataError> {
        File::open(&self.path).map_err(|io| self.io_error(io))
    }
    /// The error of a file that the system cannot read.
    pub fn io_error(&self, io: io::Error) -> DataError {
        FileError::read(&self.path, io).into()
    }
    /// The error of a file whose content cannot be used.
    pub fn content_error(&self, error: ContentError) -> DataError {
        DataError::content(&self.path, error)
    }
}
