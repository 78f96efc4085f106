//! An opened file of data.
use super::sink::Chunk;
use super::source::Source;
use super::text::{self, Layout};
use super::{Problem, json};
use crate::DataError;
use std::fmt::{self, Display, Formatter};
use std::io::{Cursor, Read};
use std::path::Path;

/// Bytes that tell what a file is.
const FIRST: u64 = 1 << 18;

/// What a column is, before it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Name; in nested files the way to it, `case.friction`.
    pub name: String,
    /// Unit, if it is known.
    pub unit: Option<String>,
    /// Number of rows, if the file says so.
    pub rows: Option<u64>,
    /// A word that stands in it, if it holds words and no numbers.
    pub text: Option<String>,
}

/// A single number in a file, beside its columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Name, as of a column.
    pub name: String,
    /// Value.
    pub value: f64,
}

/// What the user knows better than the file shows. Text files only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Lines to skip at the beginning.
    pub skip: usize,
    /// What stands between cells; a blank is any number of blanks.
    pub delimiter: Option<char>,
    /// Whether decimals are written with a comma.
    pub comma: Option<bool>,
}

/// What kind of file it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text; with what stands between cells, and whether decimals have a comma.
    Text(String),
    /// JavaScript object notation.
    Json,
    /// MATLAB, version 5 to 7.2.
    Mat,
    /// MATLAB 7.3.
    Hdf5,
    /// Apache Parquet.
    Parquet,
}

impl Display for Format {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text(how) => how,
            Self::Json => "JSON",
            Self::Mat => "MATLAB",
            Self::Hdf5 => "MATLAB 7.3",
            Self::Parquet => "Parquet",
        })
    }
}

/// Gives rows in order.
pub(super) trait Rows {
    /// Appends at most `rows` rows to the columns of `chunk`; none at the end.
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError>;
    /// Whether the last row was not whole and was left out.
    fn cut(&self) -> bool {
        false
    }
}

/// What is known of where the numbers are.
enum Map {
    Text(Layout),
    Json(json::Map),
    #[cfg(feature = "mat")]
    Mat(super::mat::Map),
    #[cfg(feature = "hdf5")]
    Hdf5(super::hdf5::Map),
    #[cfg(feature = "parquet")]
    Parquet(super::parquet::Map),
}

/// An opened file of data.
pub struct Table {
    source: Source,
    map: Map,
}

impl Table {
    /// Opens a file and looks what is in it; `-` is stdin.
    ///
    /// # Errors
    /// [`DataError::File`] if it cannot be read, [`DataError::Content`] if it is no table.
    pub fn open(path: &Path, options: &Options) -> Result<Self, DataError> {
        Self::new(Source::open(path)?, options)
    }
    /// The same for a stream of bytes called `name`. Of text only the beginning is kept in memory, and it can be read
    /// once; other formats are kept whole, up to 1 GiB.
    ///
    /// # Errors
    /// As for a file.
    pub fn from_reader(name: &str, bytes: impl Read + 'static, options: &Options) -> Result<Self, DataError> {
        Self::new(Source::stream(name.into(), Box::new(bytes)), options)
    }
    /// The same for bytes in memory.
    ///
    /// # Errors
    /// As for a file.
    pub fn from_bytes(name: &str, bytes: &[u8], options: &Options) -> Result<Self, DataError> {
        Self::from_reader(name, Cursor::new(bytes.to_vec()), options)
    }

    fn new(source: Source, options: &Options) -> Result<Self, DataError> {
        let (first, source) = source.peek(FIRST)?;
        let fail = |problem| Err(DataError::content(&source.path, problem));
        if first.is_empty() {
            return fail(Problem::Empty);
        }
        match kind(&first, &source.path) {
            Kind::Text => {
                let whole = (first.len() as u64) < FIRST;
                let layout = Layout::find(&first, whole, options).map_err(|problem| source.fault(problem))?;
                Ok(Self { source, map: Map::Text(layout) })
            }
            Kind::Json => {
                let source = source.keep()?;
                let map = Map::Json(json::Map::find(&source)?);
                Ok(Self { source, map })
            }
            #[cfg(feature = "mat")]
            Kind::Mat => {
                let source = source.keep()?;
                let map = Map::Mat(super::mat::Map::find(&source)?);
                Ok(Self { source, map })
            }
            #[cfg(not(feature = "mat"))]
            Kind::Mat => fail(Problem::Feature { what: "a MATLAB file", feature: "mat" }),
            #[cfg(feature = "hdf5")]
            Kind::Hdf5 => {
                let source = source.keep()?;
                let map = Map::Hdf5(super::hdf5::Map::find(&source)?);
                Ok(Self { source, map })
            }
            #[cfg(not(feature = "hdf5"))]
            Kind::Hdf5 => fail(Problem::Feature { what: "an HDF5 file (MATLAB 7.3)", feature: "hdf5" }),
            #[cfg(feature = "parquet")]
            Kind::Parquet => {
                let source = source.keep()?;
                let map = Map::Parquet(super::parquet::Map::find(&source)?);
                Ok(Self { source, map })
            }
            #[cfg(not(feature = "parquet"))]
            Kind::Parquet => fail(Problem::Feature { what: "a Parquet file", feature: "parquet" }),
            Kind::Foreign(what, hint) => fail(Problem::Foreign { what, hint }),
        }
    }
    /// What it is called: its path.
    pub fn name(&self) -> String {
        self.source.path.display().to_string()
    }
    /// What kind of file it is.
    pub fn format(&self) -> Format {
        match &self.map {
            Map::Text(layout) => Format::Text(format!(
                "text, columns by {}{}",
                layout.delimiter,
                if layout.comma { ", decimal comma" } else { "" }
            )),
            Map::Json(_) => Format::Json,
            #[cfg(feature = "mat")]
            Map::Mat(_) => Format::Mat,
            #[cfg(feature = "hdf5")]
            Map::Hdf5(_) => Format::Hdf5,
            #[cfg(feature = "parquet")]
            Map::Parquet(_) => Format::Parquet,
        }
    }
    /// Its columns.
    pub fn fields(&self) -> &[Field] {
        match &self.map {
            Map::Text(layout) => &layout.fields,
            Map::Json(map) => &map.fields,
            #[cfg(feature = "mat")]
            Map::Mat(map) => &map.fields,
            #[cfg(feature = "hdf5")]
            Map::Hdf5(map) => &map.fields,
            #[cfg(feature = "parquet")]
            Map::Parquet(map) => &map.fields,
        }
    }
    /// Single numbers beside the columns.
    pub fn constants(&self) -> &[Constant] {
        match &self.map {
            Map::Json(map) => &map.constants,
            #[cfg(feature = "mat")]
            Map::Mat(map) => &map.constants,
            #[cfg(feature = "hdf5")]
            Map::Hdf5(map) => &map.constants,
            _ => &[],
        }
    }
    /// The rows of the wanted columns.
    pub(super) fn rows(&self, wanted: &[usize]) -> Result<Box<dyn Rows + '_>, DataError> {
        let fields = self.fields();
        let mut first: Option<(&str, u64)> = None;
        for field in wanted.iter().map(|&at| &fields[at]) {
            if let Some(text) = &field.text {
                return Err(self.fault(Problem::NotNumbers { name: field.name.clone(), text: text.clone() }));
            }
            let Some(rows) = field.rows else { continue };
            let (name, other) = *first.get_or_insert((&field.name, rows));
            if other != rows {
                let (first, second) = ((name.to_owned(), other), (field.name.clone(), rows));
                return Err(self.fault(Problem::Lengths { first, second }));
            }
        }
        match &self.map {
            Map::Text(layout) => text::open(&self.source, layout, wanted),
            Map::Json(map) => map.open(&self.source, wanted),
            #[cfg(feature = "mat")]
            Map::Mat(map) => map.open(&self.source, wanted),
            #[cfg(feature = "hdf5")]
            Map::Hdf5(map) => map.open(&self.source, wanted),
            #[cfg(feature = "parquet")]
            Map::Parquet(map) => map.open(&self.source, wanted),
        }
    }
    pub(super) fn fault(&self, problem: Problem) -> DataError {
        self.source.fault(problem)
    }
}

enum Kind {
    Text,
    Json,
    Mat,
    Hdf5,
    Parquet,
    Foreign(&'static str, &'static str),
}

/// What a file is, from its first bytes; its name counts only between JSON and other text.
fn kind(first: &[u8], path: &Path) -> Kind {
    let begins = |with: &[u8]| first.starts_with(with);
    let export = "export the table as CSV";
    if begins(b"PAR1") {
        return Kind::Parquet;
    }
    if begins(b"\x89HDF\r\n\x1a\n") || begins(b"MATLAB 7.3 MAT-file") {
        return Kind::Hdf5;
    }
    // version and byte order stand at the end of the header
    if begins(b"MATLAB 5.0 MAT-file") || matches!(first.get(124..128), Some([0, 1, b'I', b'M'] | [1, 0, b'M', b'I'])) {
        return Kind::Mat;
    }
    if begins(b"\x1f\x8b") {
        return Kind::Foreign("a gzip archive", "unpack it: gunzip FILE");
    }
    if begins(b"PK\x03\x04") {
        return Kind::Foreign("a zip archive, or a spreadsheet", export);
    }
    if begins(b"\xff\xfe") || begins(b"\xfe\xff") {
        return Kind::Foreign("text in UTF-16", "save it as UTF-8");
    }
    // version 4 has no header: type, sides, whether complex, and the length of a name
    if let Some([a, b, 0, 0, ..]) = first.get(..20)
        && u16::from_le_bytes([*a, *b]) < 60
        && first[13..16] == [0; 3]
        && first[12] < 2
    {
        return Kind::Foreign("a MATLAB file of version 4, or another binary file", "save it with save('FILE', '-v7')");
    }
    if first.contains(&0) {
        return Kind::Foreign("a binary file of unknown kind", export);
    }
    let named = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let text = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first).trim_ascii_start();
    match text.first() {
        Some(b'{') => Kind::Json,
        Some(b'[') if named || text[1..].trim_ascii_start().starts_with(b"{") => Kind::Json,
        Some(b'[') if text[1..].trim_ascii_start().starts_with(b"[") => Kind::Json,
        _ if named => Kind::Json,
        _ => Kind::Text,
    }
}
