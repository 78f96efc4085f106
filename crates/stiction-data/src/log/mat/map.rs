//! What stands where in a MATLAB file.
use super::element::{Bytes, MATRIX, Number, PACKED, Tag};
use super::rows;
use crate::DataError;
use crate::log::shape::Shape;
use crate::log::source::Source;
use crate::log::table::Rows;
use crate::log::{Constant, Field, Problem, head};
use std::io::{Read, SeekFrom};

/// The header of a file \[bytes\].
const HEADER: u64 = 128;
/// Longest small element \[bytes\], deepest structure, and most columns.
const SMALL: u64 = 1 << 16;
const DEEPEST: usize = 16;
const MANY: usize = 10_000;

/// Where a column is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Its top element: where the bytes begin, and how many there are.
    pub offset: u64,
    pub len: u64,
    pub packed: bool,
    /// Where, in the unpacked bytes, its first number is.
    pub start: u64,
    pub number: Number,
    /// From one number to the next.
    pub stride: u64,
}

/// What stands where in a MATLAB file.
#[derive(Debug, Default)]
pub struct Map {
    pub fields: Vec<Field>,
    pub constants: Vec<Constant>,
    places: Vec<Place>,
    big: bool,
}

/// The element that is looked through.
struct Top {
    offset: u64,
    len: u64,
    packed: bool,
}

impl Map {
    /// Looks through the file.
    pub fn find(source: &Source) -> Result<Self, DataError> {
        let mut file = source.seek()?;
        let end = file.seek(SeekFrom::End(0)).map_err(|io| source.io(io))?;
        file.seek(SeekFrom::Start(0)).map_err(|io| source.io(io))?;
        let cut = || source.fault(Problem::Cut { format: super::FORMAT });
        let mut header = [0; HEADER as usize];
        file.read_exact(&mut header).map_err(|_| cut())?;
        let mut map = Self { big: header[126..] == *b"MI", ..Self::default() };
        let mut at = HEADER;
        while at < end {
            let tag = Bytes::new(source, at, 8, false, map.big)?.tag()?;
            let top = Top { offset: at + 8, len: tag.len, packed: tag.kind == PACKED };
            at = top.offset.saturating_add(tag.len).saturating_add(tag.pad);
            if at.saturating_sub(tag.pad) > end {
                return Err(cut());
            }
            let mut bytes = Bytes::new(source, top.offset, top.len, top.packed, map.big)?;
            let len = if top.packed {
                let inner = bytes.tag()?;
                (inner.kind == MATRIX).then_some(inner.len)
            } else {
                (tag.kind == MATRIX).then_some(tag.len)
            };
            if let Some(len) = len {
                map.array(&mut bytes, len, None, &top, 0)?;
            }
        }
        if map.fields.is_empty() {
            return Err(source.fault(Problem::NoNumbers));
        }
        Ok(map)
    }
    pub fn open<'a>(&self, source: &'a Source, wanted: &[usize]) -> Result<Box<dyn Rows + 'a>, DataError> {
        let wanted: Vec<(Place, u64)> =
            wanted.iter().map(|&at| (self.places[at], self.fields[at].rows.unwrap_or(0))).collect();
        rows::open(source, &wanted, self.big)
    }

    /// An array of `len` bytes, called `name` or as it says itself.
    fn array(
        &mut self,
        bytes: &mut Bytes,
        len: u64,
        name: Option<&str>,
        top: &Top,
        depth: usize,
    ) -> Result<(), DataError> {
        if depth == DEEPEST {
            return Err(bytes.broken("a structure too deep"));
        }
        if len == 0 {
            return Ok(());
        }
        let end = bytes.at.checked_add(len).ok_or_else(|| bytes.broken("an array too long"))?;
        let flags = bytes.numbers(SMALL)?;
        let class = flags.first().map_or(0, |flags| *flags as u64 & 0xff);
        // objects of newer kinds have no size
        if matches!(class, 1 | 2 | 6..=15) {
            let dims: Vec<u64> = bytes.numbers(SMALL)?.into_iter().map(|side| side as u64).collect();
            let (_, own) = bytes.small(SMALL)?;
            let own = String::from_utf8_lossy(&own).into_owned();
            let name = name.unwrap_or(&own);
            match class {
                2 => self.structure(bytes, &dims, name, top, depth)?,
                6.. => self.numbers(bytes, &dims, name, top)?,
                _ => {}
            }
        }
        // a column at the top of a packed element needs no unpacking to its end
        if depth > 0 {
            let rest = end.checked_sub(bytes.at).ok_or_else(|| bytes.broken("an array longer than it says"))?;
            bytes.skip(rest)?;
        }
        Ok(())
    }
    fn structure(
        &mut self,
        bytes: &mut Bytes,
        dims: &[u64],
        name: &str,
        top: &Top,
        depth: usize,
    ) -> Result<(), DataError> {
        let width = bytes.numbers(SMALL)?.first().map_or(0, |width| *width as usize);
        let (_, names) = bytes.small(SMALL)?;
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
                    return Err(bytes.broken("a structure of something else than arrays"));
                }
                self.array(bytes, len, Some(&format!("{before}.{field}")), top, depth + 1)?;
                bytes.skip(pad)?;
            }
        }
        Ok(())
    }
    fn numbers(&mut self, bytes: &mut Bytes, dims: &[u64], name: &str, top: &Top) -> Result<(), DataError> {
        let Tag { kind, len, .. } = bytes.tag()?;
        let (Some(shape), Some(number)) = (Shape::new(dims), Number::new(kind, self.big)) else { return Ok(()) };
        let size = number.size() as u64;
        if Some(len) != shape.rows.checked_mul(shape.count).and_then(|all| all.checked_mul(size)) {
            return Err(bytes.broken(&format!("'{name}' is not as long as its size")));
        }
        if shape.rows == 1 {
            let mut value = [0; 8];
            bytes.exact(&mut value[..number.size()])?;
            if self.constants.len() < MANY {
                self.constants.push(Constant { name: name.to_owned(), value: number.read(&value[..number.size()]) });
            }
            return Ok(());
        }
        for (k, name) in (0..).zip(shape.names(name).take(MANY.saturating_sub(self.fields.len()))) {
            let (_, unit) = head::split(&name);
            self.fields.push(Field { name, unit, rows: Some(shape.rows), text: None });
            let start = bytes.at + k * shape.step * size;
            let Top { offset, len, packed } = *top;
            self.places.push(Place { offset, len, packed, start, number, stride: shape.stride });
        }
        Ok(())
    }
}
