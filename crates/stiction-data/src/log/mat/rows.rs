//! Rows of a MATLAB file.
use super::element::ElementReader;
use super::index::ColumnLocation;
use crate::DataError;
use crate::log::Chunk;
use crate::log::chunk::RowReader;
use crate::log::source::Source;

struct Column<'a> {
    bytes: ElementReader<'a>,
    location: ColumnLocation,
    left: u64,
    buffer: Vec<u8>,
}

struct Reader<'a>(Vec<Column<'a>>);

pub fn open<'a>(
    source: &'a Source,
    wanted: &[(ColumnLocation, u64)],
    big_endian: bool,
) -> Result<Box<dyn RowReader + 'a>, DataError> {
    let column = |&(location, left): &(ColumnLocation, u64)| {
        // uncompressed data can be skipped without reading
        let jump = if location.compressed { 0 } else { location.start };
        let mut bytes =
            ElementReader::new(source, location.offset + jump, location.len - jump, location.compressed, big_endian)?;
        bytes.skip(location.start - jump)?;
        Ok(Column { bytes, location, left, buffer: Vec::new() })
    };
    Ok(Box::new(Reader(wanted.iter().map(column).collect::<Result<_, DataError>>()?)))
}

impl RowReader for Reader<'_> {
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        for (column, out) in self.0.iter_mut().zip(&mut chunk.columns) {
            let count = (rows as u64).min(column.left);
            column.left -= count;
            let size = column.location.number.size();
            if column.location.stride == 1 {
                column.buffer.resize(count as usize * size, 0);
                column.bytes.exact(&mut column.buffer)?;
                out.extend(column.buffer.chunks_exact(size).map(|bytes| column.location.number.read(bytes)));
                continue;
            }
            column.buffer.resize(size, 0);
            for k in 0..count {
                column.bytes.exact(&mut column.buffer)?;
                out.push(column.location.number.read(&column.buffer));
                // the array may end after the last number
                if k + 1 < count || column.left > 0 {
                    column.bytes.skip((column.location.stride - 1) * size as u64)?;
                }
            }
        }
        Ok(())
    }
}
