//! The positions of the columns in a MATLAB file.
use super::element::{COMPRESSED, ElementReader, MATRIX, NumberType, Tag};
use super::rows;
use crate::log::array_shape::ArrayShape;
use crate::log::chunk::RowReader;
use crate::log::source::Source;
use crate::log::{Constant, Field, header};
use crate::{ContentError, DataError};
use std::io::{Read, SeekFrom};

/// The header of a file \[bytes\].
const HEADER: u64 = 128;
/// Longest small element \[bytes\], deepest structure, and most columns and constants; a file beyond them is an error.
const MAX_SMALL_ELEMENT: u64 = 1 << 16;
const MAX_DEPTH: usize = 16;
const MAX_COLUMNS: usize = 100_000;

/// The position of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnLocation {
    /// First byte and length of its top-level element.
    pub offset: u64,
    pub len: u64,
    pub compressed: bool,
    /// Position of its first number in the decompressed bytes.
    pub start: u64,
    pub number: NumberType,
    /// Distance from one number to the next \[numbers\].
    pub stride: u64,
}

/// The columns of a MATLAB file and their positions.
#[derive(Debug, Default)]
pub struct FileIndex {
    pub fields: Vec<Field>,
    pub constants: Vec<Constant>,
    locations: Vec<ColumnLocation>,
    big_endian: bool,
}

/// The top-level element that is scanned.
struct TopLevelElement {
    offset: u64,
    len: u64,
    compressed: bool,
}

impl FileIndex {
    /// Scans the file.
    pub fn build(source: &Source) -> Result<Self, DataError> {
        let mut file = source.seek()?;
        let end = file.seek(SeekFrom::End(0)).map_err(|io| source.io_error(io))?;
        file.seek(SeekFrom::Start(0)).map_err(|io| source.io_error(io))?;
        let truncated = || source.content_error(ContentError::Truncated { format: super::FORMAT });
        let mut header = [0; HEADER as usize];
        file.read_exact(&mut header).map_err(|_| truncated())?;
        let mut index = Self { big_endian: header[126..] == *b"MI", ..Self::default() };
        let mut at = HEADER;
        while at < end {
            let tag = ElementReader::new(source, at, 8, false, index.big_endian)?.tag()?;
            let top = TopLevelElement { offset: at + 8, len: tag.len, compressed: tag.kind == COMPRESSED };
            at = top.offset.saturating_add(tag.len).saturating_add(tag.pad);
            if at.saturating_sub(tag.pad) > end {
                return Err(truncated());
            }
            let mut bytes = ElementReader::new(source, top.offset, top.len, top.compressed, index.big_endian)?;
            let len = if top.compressed {
                let inner = bytes.tag()?;
                (inner.kind == MATRIX).then_some(inner.len)
            } else {
                (tag.kind == MATRIX).then_some(tag.len)
            };
            if let Some(len) = len {
                index.array(&mut bytes, len, None, &top, 0)?;
            }
        }
        if index.fields.is_empty() {
            return Err(source.content_error(ContentError::NoNumbers));
        }
        Ok(index)
    }
    pub fn open<'a>(&self, source: &'a Source, wanted: &[usize]) -> Result<Box<dyn RowReader + 'a>, DataError> {
        let wanted: Vec<(ColumnLocation, u64)> =
            wanted.iter().map(|&at| (self.locations[at], self.fields[at].rows.unwrap_or(0))).collect();
        rows::open(source, &wanted, self.big_endian)
    }

    /// An array of `len` bytes; its name is `name`, or the one it contains.
    fn array(
        &mut self,
        bytes: &mut ElementReader,
        len: u64,
        name: Option<&str>,
        top: &TopLevelElement,
        depth: usize,
    ) -> Result<(), DataError> {
        if depth == MAX_DEPTH {
            return Err(bytes.malformed("a structure nested too deep"));
        }
        if len == 0 {
            return Ok(());
        }
        let end = bytes.at.checked_add(len).ok_or_else(|| bytes.malformed("an array that is too long"))?;
        let flags = bytes.numbers(MAX_SMALL_ELEMENT)?;
        let class = flags.first().map_or(0, |flags| *flags as u64 & 0xff);
        // objects of newer classes have no dimensions
        if matches!(class, 1 | 2 | 6..=15) {
            let dims: Vec<u64> = bytes.numbers(MAX_SMALL_ELEMENT)?.into_iter().map(|side| side as u64).collect();
            let (_, own) = bytes.small(MAX_SMALL_ELEMENT)?;
            let own = String::from_utf8_lossy(&own).into_owned();
            let name = name.unwrap_or(&own);
            match class {
                2 => self.structure(bytes, &dims, name, top, depth)?,
                6.. => self.numbers(bytes, &dims, name, top)?,
                _ => {}
            }
        }
        // the rest of a top-level element need not be decompressed
        if depth > 0 {
            let rest = end.checked_sub(bytes.at).ok_or_else(|| bytes.malformed("an array longer than its length"))?;
            bytes.skip(rest)?;
        }
        Ok(())
    }
    fn structure(
        &mut self,
        bytes: &mut ElementReader,
        dims: &[u64],
        name: &str,
        top: &TopLevelElement,
        depth: usize,
    ) -> Result<(), DataError> {
        let width = bytes.numbers(MAX_SMALL_ELEMENT)?.first().map_or(0, |width| *width as usize);
        let (_, names) = bytes.small(MAX_SMALL_ELEMENT)?;
        if width == 0 {
            return Ok(());
        }
        let names: Vec<String> = names
            .chunks(width)
            .map(|name| String::from_utf8_lossy(name.split(|byte| *byte == 0).next().unwrap_or(name)).into_owned())
            .collect();
        let count = dims.iter().try_fold(1_u64, |all, side| all.checked_mul(*side)).unwrap_or(u64::MAX);
        for k in 1..=count {
            let before = if count > 1 { format!("{name}.{k}") } else { name.to_owned() };
            for field in &names {
                let Tag { kind, len, pad } = bytes.tag()?;
                if kind != MATRIX {
                    return Err(bytes.malformed("a structure whose fields are not arrays"));
                }
                self.array(bytes, len, Some(&format!("{before}.{field}")), top, depth + 1)?;
                bytes.skip(pad)?;
            }
        }
        Ok(())
    }
    fn numbers(
        &mut self,
        bytes: &mut ElementReader,
        dims: &[u64],
        name: &str,
        top: &TopLevelElement,
    ) -> Result<(), DataError> {
        let Tag { kind, len, .. } = bytes.tag()?;
        let (Some(shape), Some(number)) = (ArrayShape::new(dims), NumberType::new(kind, self.big_endian)) else {
            return Ok(());
        };
        let size = number.size() as u64;
        if Some(len) != shape.rows.checked_mul(shape.count).and_then(|all| all.checked_mul(size)) {
            return Err(bytes.malformed(&format!("'{name}' is not as long as its dimensions")));
        }
        if shape.rows == 1 {
            let mut value = [0; 8];
            bytes.exact(&mut value[..number.size()])?;
            if self.constants.len() == MAX_COLUMNS {
                return Err(bytes.content_error(ContentError::TooManyColumns { limit: MAX_COLUMNS }));
            }
            self.constants.push(Constant { name: name.to_owned(), value: number.read(&value[..number.size()]) });
            return Ok(());
        }
        for (k, name) in (0..).zip(shape.names(name)) {
            if self.fields.len() == MAX_COLUMNS {
                return Err(bytes.content_error(ContentError::TooManyColumns { limit: MAX_COLUMNS }));
            }
            let (_, unit) = header::split(&name);
            self.fields.push(Field { name, unit, rows: Some(shape.rows), table: None, text: None });
            let start = bytes.at + k * shape.step * size;
            let TopLevelElement { offset, len, compressed } = *top;
            self.locations.push(ColumnLocation { offset, len, compressed, start, number, stride: shape.stride });
        }
        Ok(())
    }
}
