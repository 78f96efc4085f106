//! HDF5, the format of MATLAB 7.3 files: arrays of numbers by name, within groups as `run.force`. The file and the wanted
//! columns are kept in memory. Soft links are left out: the array that they lead to has a name of its own.
use super::array_shape::ArrayShape;
use super::chunk::RowReader;
use super::source::Source;
use super::{Chunk, Constant, Field, header};
use crate::{ContentError, DataError, catch_decoder_panic};
use hdf5_pure::{DType, Dataset, File, Group};
use std::io::Read;

const FORMAT: &str = "HDF5";
/// Deepest group that is read; a file with more columns is an error.
const MAX_DEPTH: usize = 16;
const MAX_COLUMNS: usize = 100_000;
/// Largest size of an array, or of a chunk of it: so many times the size of the file, which is more than deflate can compress
/// (1032 : 1), and so many bytes for chunks that were never written. The file says how large its arrays are, and memory is
/// allocated by what it says.
const MAX_COMPRESSION: u64 = 1100;
const MAX_UNWRITTEN: u64 = 1 << 26;

/// The position of a column.
struct ColumnLocation {
    path: String,
    start: usize,
    stride: usize,
}

/// The columns of an HDF5 file and their positions.
pub struct FileIndex {
    pub fields: Vec<Field>,
    pub constants: Vec<Constant>,
    locations: Vec<ColumnLocation>,
    file: File,
    /// Largest size of an array \[bytes\].
    max_array: u64,
}

impl FileIndex {
    /// Scans the file.
    pub fn build(source: &Source) -> Result<Self, DataError> {
        let mut bytes = Vec::new();
        source.read()?.read_to_end(&mut bytes).map_err(|io| source.io_error(io))?;
        remove_soft_links(&mut bytes);
        catch_decoder_panic(|| Self::scan(source, bytes)).unwrap_or_else(|reason| Err(malformed(source, reason)))
    }
    fn scan(source: &Source, bytes: Vec<u8>) -> Result<Self, DataError> {
        let max_array = (bytes.len() as u64).saturating_mul(MAX_COMPRESSION).saturating_add(MAX_UNWRITTEN);
        let file = File::from_bytes(bytes).map_err(|error| malformed(source, error))?;
        let root = file.root();
        let mut index = Self { fields: Vec::new(), constants: Vec::new(), locations: Vec::new(), file, max_array };
        index.group(source, &root, "", 0)?;
        if index.fields.is_empty() {
            return Err(source.content_error(ContentError::NoNumbers));
        }
        Ok(index)
    }
    fn group(&mut self, source: &Source, group: &Group, path: &str, depth: usize) -> Result<(), DataError> {
        let error = |error| malformed(source, error);
        for (name, dataset) in group.iter_datasets().map_err(error)? {
            self.dataset(source, &dataset, &join(path, &name))?;
        }
        for (name, inner) in group.iter_groups().map_err(error)? {
            // MATLAB stores the targets of cell references in groups whose names begin with #
            if depth < MAX_DEPTH && !name.starts_with('#') {
                self.group(source, &inner, &join(path, &name), depth + 1)?;
            }
        }
        Ok(())
    }
    fn dataset(&mut self, source: &Source, dataset: &Dataset, path: &str) -> Result<(), DataError> {
        let error = |error| malformed(source, error);
        let mut dims = dataset.shape().map_err(error)?;
        dims.reverse();
        let (Some(shape), true) = (ArrayShape::new(&dims), is_number(&dataset.dtype().map_err(error)?)) else {
            return Ok(());
        };
        let element = dataset.element_size().map_err(error)?;
        for sides in [Some(dims), dataset.chunk_shape().map_err(error)?].into_iter().flatten() {
            let size = sides.iter().try_fold(element, |size, side| size.checked_mul(*side));
            if size.is_none_or(|size| size > self.max_array) {
                let sides: Vec<String> = sides.iter().map(u64::to_string).collect();
                let reason = format!("an array of {} numbers does not fit into a file of this size", sides.join(" x "));
                return Err(malformed(source, reason));
            }
        }
        let name = path.trim_start_matches('/').replace('/', ".");
        if shape.rows == 1 {
            if let Some(value) = values(dataset).map_err(error)?.first() {
                self.constants.push(Constant { name, value: *value });
            }
            return Ok(());
        }
        for (k, name) in (0..).zip(shape.names(&name)) {
            if self.fields.len() == MAX_COLUMNS {
                return Err(source.content_error(ContentError::TooManyColumns { limit: MAX_COLUMNS }));
            }
            let (_, unit) = header::split(&name);
            self.fields.push(Field { name, unit, rows: Some(shape.rows), table: None, text: None });
            let [start, stride] = [k * shape.step, shape.stride].map(|x| usize::try_from(x).unwrap_or(usize::MAX));
            self.locations.push(ColumnLocation { path: path.to_owned(), start, stride });
        }
        Ok(())
    }
    pub fn open<'a>(&self, source: &'a Source, wanted: &[usize]) -> Result<Box<dyn RowReader + 'a>, DataError> {
        let mut columns = Vec::new();
        for place in wanted.iter().map(|&at| (&self.locations[at], self.fields[at].rows.unwrap_or(0))) {
            let (ColumnLocation { path, start, stride }, rows) = place;
            let all = catch_decoder_panic(|| self.file.dataset(path).and_then(|dataset| values(&dataset)))
                .map_err(|reason| malformed(source, reason))?
                .map_err(|error| malformed(source, error))?;
            let rows = usize::try_from(rows).unwrap_or(usize::MAX);
            let column: Vec<f64> = all.into_iter().skip(*start).step_by(*stride).take(rows).collect();
            if column.len() != rows {
                let reason = format!("{path} has {} of {rows} rows", column.len());
                return Err(malformed(source, reason));
            }
            columns.push(column);
        }
        Ok(Box::new(Reader { columns, at: 0 }))
    }
}

fn join(path: &str, name: &str) -> String {
    format!("{path}/{name}")
}

fn malformed(source: &Source, reason: impl ToString) -> DataError {
    source.content_error(ContentError::Malformed { format: FORMAT, reason: reason.to_string(), byte: None })
}

/// Removes soft links from the symbol tables of groups of version 1, whose entries the crate takes for objects; it leaves out those
/// of version 2 itself. A symbol table node is `SNOD`, version, zero and number of entries; an entry with addresses of eight bytes
/// is the name, the address of the object, the kind (2 for a soft link, which has no address), zero, and 16 bytes more.
fn remove_soft_links(bytes: &mut [u8]) {
    const HEAD: usize = 8;
    const ENTRY: usize = 40;
    let is_soft_link = |entry: &[u8]| entry[8..24] == *b"\xff\xff\xff\xff\xff\xff\xff\xff\x02\0\0\0\0\0\0\0";
    let nodes: Vec<usize> =
        bytes.windows(HEAD).enumerate().filter(|(_, head)| head[..6] == *b"SNOD\x01\0").map(|(at, _)| at).collect();
    for node in nodes {
        let count = usize::from(u16::from_le_bytes([bytes[node + 6], bytes[node + 7]]));
        let Some(entries) = bytes.get_mut(node + HEAD..node + HEAD + count * ENTRY) else { continue };
        let kept: Vec<u8> =
            entries.chunks_exact(ENTRY).filter(|entry| !is_soft_link(entry)).flatten().copied().collect();
        entries[..kept.len()].copy_from_slice(&kept);
        let left = u16::try_from(kept.len() / ENTRY).unwrap_or(0);
        bytes[node + 6..node + HEAD].copy_from_slice(&left.to_le_bytes());
    }
}

fn is_number(kind: &DType) -> bool {
    use DType::{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    matches!(kind, F32 | F64 | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64)
}

fn values(dataset: &Dataset) -> Result<Vec<f64>, hdf5_pure::Error> {
    fn wide<T: Into<f64>>(values: Vec<T>) -> Vec<f64> {
        values.into_iter().map(Into::into).collect()
    }
    Ok(match dataset.dtype()? {
        DType::F64 => dataset.read_f64()?,
        DType::F32 => wide(dataset.read_f32()?),
        DType::I8 => wide(dataset.read_i8()?),
        DType::I16 => wide(dataset.read_i16()?),
        DType::I32 => wide(dataset.read_i32()?),
        DType::U8 => wide(dataset.read_u8()?),
        DType::U16 => wide(dataset.read_u16()?),
        DType::U32 => wide(dataset.read_u32()?),
        DType::I64 => dataset.read_i64()?.into_iter().map(|x| x as f64).collect(),
        DType::U64 => dataset.read_u64()?.into_iter().map(|x| x as f64).collect(),
        _ => Vec::new(),
    })
}

struct Reader {
    columns: Vec<Vec<f64>>,
    at: usize,
}

impl RowReader for Reader {
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        for (column, out) in self.columns.iter().zip(&mut chunk.columns) {
            out.extend(column.iter().skip(self.at).take(rows));
        }
        self.at += rows;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::remove_soft_links;

    /// A symbol table node with entries of these addresses and kinds; each entry begins with its number.
    fn node(entries: &[(u64, u32)]) -> Vec<u8> {
        let mut out = [b"SNOD\x01\0", &u16::try_from(entries.len()).unwrap().to_le_bytes()[..]].concat();
        for (k, (address, kind)) in (0_u64..).zip(entries) {
            out.extend(
                [k.to_le_bytes(), address.to_le_bytes(), u64::from(*kind).to_le_bytes(), [7; 8], [7; 8]].concat(),
            );
        }
        out
    }

    #[test]
    fn soft_links_are_left_out_and_other_entries_stay() {
        let mut bytes = [b"\x89HDF", &node(&[(96, 0), (u64::MAX, 2), (800, 1)])[..]].concat();
        remove_soft_links(&mut bytes);
        let first = 4 + 8;
        assert_eq!(bytes[first - 2..first], [2, 0]);
        assert_eq!((bytes[first], bytes[first + 40]), (0, 2));
        // what is no node, or a node cut off, is not touched
        for other in [b"SNOD of a text".to_vec(), node(&[(u64::MAX, 2)])[..30].to_vec(), node(&[(u64::MAX, 0)])] {
            let mut same = other.clone();
            remove_soft_links(&mut same);
            assert_eq!(same, other);
        }
    }
}
