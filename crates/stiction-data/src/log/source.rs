//! Where the bytes of a file come from.
use super::Problem;
use crate::DataError;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stiction_io::FileError;

/// What can be read anywhere.
pub trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

/// Most bytes of a stream that are kept in memory, for formats that must be read from several places.
const SPOOL: u64 = 1 << 30;

/// A file, a stream or memory.
pub struct Source {
    /// What it is called.
    pub path: PathBuf,
    kind: Kind,
}

enum Kind {
    File,
    Memory(Arc<[u8]>),
    /// A pipe; once read, it is gone.
    Stream(RefCell<Option<Box<dyn Read>>>),
}

impl Source {
    /// A file, or a pipe with a name; `-` is stdin.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let fault = |io| DataError::from(FileError::read(path, io));
        if path == Path::new("-") {
            return Ok(Self::stream("stdin".into(), Box::new(io::stdin())));
        }
        let file = File::open(path).map_err(fault)?;
        let about = file.metadata().map_err(fault)?;
        if about.is_dir() {
            return Err(fault(io::ErrorKind::IsADirectory.into()));
        }
        let kind = if about.is_file() { Kind::File } else { Kind::Stream(RefCell::new(Some(Box::new(file)))) };
        Ok(Self { path: path.to_owned(), kind })
    }
    pub fn stream(path: PathBuf, bytes: Box<dyn Read>) -> Self {
        Self { path, kind: Kind::Stream(RefCell::new(Some(bytes))) }
    }
    /// All bytes from the beginning, once.
    pub fn read(&self) -> Result<Box<dyn Read>, DataError> {
        Ok(match &self.kind {
            Kind::File => Box::new(self.file()?),
            Kind::Memory(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
            Kind::Stream(stream) => stream.take().ok_or_else(|| self.fault(Problem::Spent))?,
        })
    }
    /// The same bytes, readable anywhere and by several readers. A stream is kept in memory for that.
    pub fn keep(self) -> Result<Self, DataError> {
        let Kind::Stream(_) = self.kind else { return Ok(self) };
        let mut bytes = Vec::new();
        self.read()?.take(SPOOL + 1).read_to_end(&mut bytes).map_err(|io| self.io(io))?;
        if bytes.len() as u64 > SPOOL {
            return Err(self.io(io::ErrorKind::FileTooLarge.into()));
        }
        Ok(Self { path: self.path, kind: Kind::Memory(bytes.into()) })
    }
    /// A reader of a file that was kept.
    pub fn seek(&self) -> Result<Box<dyn ReadSeek>, DataError> {
        Ok(match &self.kind {
            Kind::File => Box::new(BufReader::new(self.file()?)),
            Kind::Memory(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
            Kind::Stream(_) => return Err(self.fault(Problem::Spent)),
        })
    }
    /// The first bytes, and the source with them still in it.
    pub fn peek(self, count: u64) -> Result<(Vec<u8>, Self), DataError> {
        let mut first = Vec::new();
        let mut rest = self.read()?;
        rest.by_ref().take(count).read_to_end(&mut first).map_err(|io| self.io(io))?;
        if matches!(self.kind, Kind::Stream(_)) {
            let whole = Cursor::new(first.clone()).chain(rest);
            return Ok((first, Self::stream(self.path, Box::new(whole))));
        }
        Ok((first, self))
    }
    /// The file, or the memory, behind a source that was kept.
    #[cfg(feature = "parquet")]
    pub fn plain(&self) -> Result<Result<File, Arc<[u8]>>, DataError> {
        match &self.kind {
            Kind::File => self.file().map(Ok),
            Kind::Memory(bytes) => Ok(Err(Arc::clone(bytes))),
            Kind::Stream(_) => Err(self.fault(Problem::Spent)),
        }
    }
    fn file(&self) -> Result<File, DataError> {
        File::open(&self.path).map_err(|io| self.io(io))
    }
    /// The system's refusal.
    pub fn io(&self, io: io::Error) -> DataError {
        FileError::read(&self.path, io).into()
    }
    /// What is wrong with the data.
    pub fn fault(&self, problem: Problem) -> DataError {
        DataError::content(&self.path, problem)
    }
}
