//! An opened file of data.
use super::chunk::RowReader;
use super::source::Source;
use super::text::{self, TextLayout};
use super::{Constant, Field, ReadOptions, json, memory};
use crate::ContentError;
use crate::DataError;
use std::fmt::{self, Display, Formatter};
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes from the beginning of a file by which its format is recognised. A text file with long lines is probed further, until
/// there are [`PROBE_LINES`] lines or [`MAX_PROBE_BYTES`].
const PROBE_BYTES: u64 = 1 << 18;
const PROBE_LINES: usize = 8;
const MAX_PROBE_BYTES: u64 = 1 << 26;

/// What kind of file it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text; the description names the delimiter and a decimal comma.
    Text(String),
    /// JavaScript object notation.
    Json,
    /// MATLAB, version 5 to 7.2.
    Mat,
    /// MATLAB 7.3.
    Hdf5,
    /// Apache Parquet.
    Parquet,
    /// MCAP; the description counts the topics.
    Mcap(String),
    /// Columns that were in memory already.
    Memory,
}

impl Display for Format {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text(description) | Self::Mcap(description) => description,
            Self::Json => "JSON",
            Self::Mat => "MATLAB",
            Self::Hdf5 => "MATLAB 7.3",
            Self::Parquet => "Parquet",
            Self::Memory => "columns in memory",
        })
    }
}

/// Where the numbers of a file are.
enum FormatIndex {
    Text(TextLayout),
    Json(json::FileIndex),
    #[cfg(feature = "mat")]
    Mat(super::mat::FileIndex),
    #[cfg(feature = "hdf5")]
    Hdf5(super::hdf5::FileIndex),
    #[cfg(feature = "parquet")]
    Parquet(super::parquet::FileIndex),
    #[cfg(feature = "mcap")]
    Mcap(super::mcap::FileIndex),
    Memory(memory::FileIndex),
}

/// An opened file of data.
pub struct DataFile {
    source: Source,
    index: FormatIndex,
    /// Whether reading should end.
    stop: Option<Arc<AtomicBool>>,
}

impl DataFile {
    /// Opens a file and finds its columns; `-` is stdin.
    ///
    /// # Errors
    /// [`DataError::File`] if it cannot be read, [`DataError::Content`] if it is not a table.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Self, DataError> {
        Self::new(Source::open(path)?, options)
    }
    /// The same for a stream of bytes called `name`. Of a text stream only the beginning is kept in memory, and it can be
    /// read once; other formats are kept in memory as a whole, up to 1 GiB.
    ///
    /// # Errors
    /// As for a file.
    pub fn from_reader(name: &str, bytes: impl Read + 'static, options: &ReadOptions) -> Result<Self, DataError> {
        Self::new(Source::stream(name.into(), Box::new(bytes)), options)
    }
    /// The same for bytes in memory.
    ///
    /// # Errors
    /// As for a file.
    pub fn from_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Self, DataError> {
        Self::from_reader(name, Cursor::new(bytes.to_vec()), options)
    }
    /// The same for columns in memory, all of one length; their names may have units, `x [mm]`.
    ///
    /// # Errors
    /// [`DataError::Content`] if there is nothing in them.
    pub fn from_columns(name: &str, columns: Vec<(String, Vec<f64>)>) -> Result<Self, DataError> {
        let source = Source::stream(name.into(), Box::new(io::empty()));
        if columns.iter().all(|(_, values)| values.is_empty()) {
            return Err(source.content_error(ContentError::Empty));
        }
        Ok(Self::of(source, FormatIndex::Memory(memory::FileIndex::new(columns))))
    }
    /// The same file, whose reading ends with an error when the flag is raised.
    #[must_use]
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop: Some(stop), ..self }
    }
    fn of(source: Source, index: FormatIndex) -> Self {
        Self { source, index, stop: None }
    }

    fn new(source: Source, options: &ReadOptions) -> Result<Self, DataError> {
        let (first, whole, source) = probe(source)?;
        let fail = |error| Err(DataError::content(&source.path, error));
        if first.is_empty() {
            return fail(ContentError::Empty);
        }
        let kind = kind(&first, &source.path);
        let unused = |option, needs| fail(ContentError::OptionWithoutEffect { option, needs });
        if options.topic.is_some() && !matches!(kind, FileKind::Mcap) {
            return unused("a topic", "an MCAP file");
        }
        if options.episode.is_some() && !matches!(kind, FileKind::Parquet) {
            return unused("an episode", "a Parquet file with a column episode_index");
        }
        match kind {
            FileKind::Text => {
                let layout =
                    TextLayout::recognise(&first, whole, options).map_err(|error| source.content_error(error))?;
                Ok(Self::of(source, FormatIndex::Text(layout)))
            }
            FileKind::Json => {
                let source = source.with_random_access()?;
                let index = FormatIndex::Json(json::FileIndex::build(&source)?);
                Ok(Self::of(source, index))
            }
            #[cfg(feature = "mat")]
            FileKind::Mat => {
                let source = source.with_random_access()?;
                let index = FormatIndex::Mat(super::mat::FileIndex::build(&source)?);
                Ok(Self::of(source, index))
            }
            #[cfg(not(feature = "mat"))]
            FileKind::Mat => fail(ContentError::MissingFeature { what: "a MATLAB file", feature: "mat" }),
            #[cfg(feature = "hdf5")]
            FileKind::Hdf5 => {
                let source = source.with_random_access()?;
                let index = FormatIndex::Hdf5(super::hdf5::FileIndex::build(&source)?);
                Ok(Self::of(source, index))
            }
            #[cfg(not(feature = "hdf5"))]
            FileKind::Hdf5 => fail(ContentError::MissingFeature { what: "an HDF5 file (MATLAB 7.3)", feature: "hdf5" }),
            #[cfg(feature = "parquet")]
            FileKind::Parquet => {
                let source = source.with_random_access()?;
                let index = FormatIndex::Parquet(super::parquet::FileIndex::build(&source, options.episode)?);
                Ok(Self::of(source, index))
            }
            #[cfg(not(feature = "parquet"))]
            FileKind::Parquet => fail(ContentError::MissingFeature { what: "a Parquet file", feature: "parquet" }),
            #[cfg(feature = "mcap")]
            FileKind::Mcap => {
                let source = source.with_random_access()?;
                let index = FormatIndex::Mcap(super::mcap::FileIndex::build(&source, options.topic.as_deref())?);
                Ok(Self::of(source, index))
            }
            #[cfg(not(feature = "mcap"))]
            FileKind::Mcap => fail(ContentError::MissingFeature { what: "an MCAP file", feature: "mcap" }),
            FileKind::Foreign(what, hint) => fail(ContentError::Unsupported { what, hint }),
        }
    }
    /// Its name: the path.
    pub fn name(&self) -> String {
        self.source.path.display().to_string()
    }
    /// What kind of file it is.
    pub fn format(&self) -> Format {
        match &self.index {
            FormatIndex::Text(layout) => Format::Text(format!(
                "text, columns by {}{}",
                layout.delimiter,
                if layout.decimal_comma { ", decimal comma" } else { "" }
            )),
            FormatIndex::Json(_) => Format::Json,
            #[cfg(feature = "mat")]
            FormatIndex::Mat(_) => Format::Mat,
            #[cfg(feature = "hdf5")]
            FormatIndex::Hdf5(_) => Format::Hdf5,
            #[cfg(feature = "parquet")]
            FormatIndex::Parquet(_) => Format::Parquet,
            #[cfg(feature = "mcap")]
            FormatIndex::Mcap(index) => Format::Mcap(index.description()),
            FormatIndex::Memory(_) => Format::Memory,
        }
    }
    /// Its columns.
    pub fn fields(&self) -> &[Field] {
        match &self.index {
            FormatIndex::Text(layout) => &layout.fields,
            FormatIndex::Json(index) => &index.fields,
            #[cfg(feature = "mat")]
            FormatIndex::Mat(index) => &index.fields,
            #[cfg(feature = "hdf5")]
            FormatIndex::Hdf5(index) => &index.fields,
            #[cfg(feature = "parquet")]
            FormatIndex::Parquet(index) => &index.fields,
            #[cfg(feature = "mcap")]
            FormatIndex::Mcap(index) => &index.fields,
            FormatIndex::Memory(index) => &index.fields,
        }
    }
    /// Which column is time, by its name: in a file of several tables, among those of `table`.
    pub fn time_column(&self, table: Option<&str>) -> Option<usize> {
        let own = || {
            let fields = self.fields().iter().enumerate();
            fields.filter(|(at, field)| field.table.as_deref() == table && self.has_own_rows(*at))
        };
        let at = super::audit::find_time_column(own().map(|(_, field)| field))?;
        own().nth(at).map(|(at, _)| at)
    }
    /// Whether a column has one number for each row, and is not held at that of an earlier one.
    fn has_own_rows(&self, column: usize) -> bool {
        match &self.index {
            #[cfg(feature = "mcap")]
            FormatIndex::Mcap(index) => index.has_own_rows(column),
            _ => column < self.fields().len(),
        }
    }
    /// The table that columns or expressions are from; the widest one if they do not tell.
    pub fn table_of<'t>(&self, texts: impl IntoIterator<Item = &'t str>, constants: &[(&str, f64)]) -> Option<String> {
        self.fields().iter().find(|field| field.table.is_some())?;
        let named = |text: &str| {
            let plan = super::ColumnSelection::new(self).with("", text, constants).ok()?;
            plan.table().map(str::to_owned)
        };
        let widest = || super::ColumnSelection::all(self).table().map(str::to_owned);
        texts.into_iter().find_map(named).or_else(widest)
    }
    /// Single numbers beside the columns.
    pub fn constants(&self) -> &[Constant] {
        match &self.index {
            FormatIndex::Json(index) => &index.constants,
            #[cfg(feature = "mat")]
            FormatIndex::Mat(index) => &index.constants,
            #[cfg(feature = "hdf5")]
            FormatIndex::Hdf5(index) => &index.constants,
            #[cfg(feature = "mcap")]
            FormatIndex::Mcap(index) => &index.constants,
            _ => &[],
        }
    }
    /// The rows of the wanted columns.
    pub(super) fn rows(&self, wanted: &[usize]) -> Result<Box<dyn RowReader + '_>, DataError> {
        let fields = self.fields();
        let mut first: Option<(&str, u64)> = None;
        let mut table: Option<&Field> = None;
        for field in wanted.iter().map(|&at| &fields[at]) {
            if let Some(text) = &field.text {
                return Err(
                    self.content_error(ContentError::TextColumn { name: field.name.clone(), text: text.clone() })
                );
            }
            let one = *table.get_or_insert(field);
            if one.table != field.table {
                let named = |field: &Field| (field.name.clone(), field.table.clone().unwrap_or_default());
                return Err(
                    self.content_error(ContentError::DifferentTopics { first: named(one), second: named(field) })
                );
            }
            let Some(rows) = field.rows else { continue };
            let (name, other) = *first.get_or_insert((&field.name, rows));
            if other != rows {
                let (first, second) = ((name.to_owned(), other), (field.name.clone(), rows));
                return Err(self.content_error(ContentError::DifferentLengths { first, second }));
            }
        }
        match &self.index {
            FormatIndex::Text(layout) => text::open(&self.source, layout, wanted),
            FormatIndex::Json(index) => index.open(&self.source, wanted),
            #[cfg(feature = "mat")]
            FormatIndex::Mat(index) => index.open(&self.source, wanted),
            #[cfg(feature = "hdf5")]
            FormatIndex::Hdf5(index) => index.open(&self.source, wanted),
            #[cfg(feature = "parquet")]
            FormatIndex::Parquet(index) => index.open(&self.source, wanted),
            #[cfg(feature = "mcap")]
            FormatIndex::Mcap(index) => index.open(&self.source, wanted),
            FormatIndex::Memory(index) => Ok(index.open(wanted)),
        }
    }
    /// Whether to go on reading.
    pub(super) fn check_stop(&self) -> Result<(), DataError> {
        match &self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(self.source.io_error(io::ErrorKind::Interrupted.into())),
            _ => Ok(()),
        }
    }
    pub(super) fn content_error(&self, error: ContentError) -> DataError {
        self.source.content_error(error)
    }
}

/// The first bytes of a file, whether they are all of it, and the source with them still in it.
fn probe(mut source: Source) -> Result<(Vec<u8>, bool, Source), DataError> {
    let mut count = PROBE_BYTES;
    loop {
        let (first, again) = source.peek(count)?;
        let whole = (first.len() as u64) < count;
        let lines = || first.iter().filter(|byte| **byte == b'\n').count();
        if whole || count >= MAX_PROBE_BYTES || first.contains(&0) || lines() >= PROBE_LINES {
            return Ok((first, whole, again));
        }
        source = again;
        count *= 4;
    }
}

enum FileKind {
    Text,
    Json,
    Mat,
    Hdf5,
    Parquet,
    Mcap,
    Foreign(&'static str, &'static str),
}

/// The kind of a file, from its first bytes; its name decides only between JSON and other text.
fn kind(first: &[u8], path: &Path) -> FileKind {
    let begins = |with: &[u8]| first.starts_with(with);
    let export = "export the table as CSV";
    if begins(b"PAR1") {
        return FileKind::Parquet;
    }
    if begins(b"\x89MCAP0\r\n") {
        return FileKind::Mcap;
    }
    if begins(b"\x89HDF\r\n\x1a\n") || begins(b"MATLAB 7.3 MAT-file") {
        return FileKind::Hdf5;
    }
    // version and byte order are at the end of the header
    if begins(b"MATLAB 5.0 MAT-file") || matches!(first.get(124..128), Some([0, 1, b'I', b'M'] | [1, 0, b'M', b'I'])) {
        return FileKind::Mat;
    }
    if begins(b"\x1f\x8b") {
        return FileKind::Foreign("a gzip archive", "unpack it: gunzip FILE");
    }
    if begins(b"PK\x03\x04") {
        return FileKind::Foreign("a zip archive, or a spreadsheet", export);
    }
    if begins(b"\xff\xfe") || begins(b"\xfe\xff") {
        return FileKind::Foreign("text in UTF-16", "save it as UTF-8");
    }
    // version 4 has no header: type, dimensions, complex flag, and the length of a name
    if let Some([a, b, 0, 0, ..]) = first.get(..20)
        && u16::from_le_bytes([*a, *b]) < 60
        && first[13..16] == [0; 3]
        && first[12] < 2
    {
        return FileKind::Foreign(
            "a MATLAB file of version 4, or another binary file",
            "save it with save('FILE', '-v7')",
        );
    }
    if first.contains(&0) {
        return FileKind::Foreign("a binary file of unknown kind", export);
    }
    let named = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let text = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first).trim_ascii_start();
    match text.first() {
        Some(b'{') => FileKind::Json,
        Some(b'[') if named || text[1..].trim_ascii_start().starts_with(b"{") => FileKind::Json,
        Some(b'[') if text[1..].trim_ascii_start().starts_with(b"[") => FileKind::Json,
        _ if named => FileKind::Json,
        _ => FileKind::Text,
    }
}
