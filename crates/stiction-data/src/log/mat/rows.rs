//! Rows of a MATLAB file.
use super::element::Bytes;
use super::map::Place;
use crate::DataError;
use crate::log::Chunk;
use crate::log::source::Source;
use crate::log::table::Rows;

struct Column<'a> {
    bytes: Bytes<'a>,
    place: Place,
    left: u64,
    buffer: Vec<u8>,
}

struct Reader<'a>(Vec<Column<'a>>);

pub fn open<'a>(source: &'a Source, wanted: &[(Place, u64)], big: bool) -> Result<Box<dyn Rows + 'a>, DataError> {
    let column = |&(place, left): &(Place, u64)| {
        // what is not packed need not be passed through
        let jump = if place.packed { 0 } else { place.start };
        let mut bytes = Bytes::new(source, place.offset + jump, place.len - jump, place.packed, big)?;
        bytes.skip(place.start - jump)?;
        Ok(Column { bytes, place, left, buffer: Vec::new() })
    };
    Ok(Box::new(Reader(wanted.iter().map(column).collect::<Result<_, DataError>>()?)))
}

impl Rows for Reader<'_> {
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError> {
        for (column, out) in self.0.iter_mut().zip(&mut chunk.columns) {
            let count = (rows as u64).min(column.left);
            column.left -= count;
            let size = column.place.number.size();
            if column.place.stride == 1 {
                column.buffer.resize(count as usize * size, 0);
                column.bytes.exact(&mut column.buffer)?;
                out.extend(column.buffer.chunks_exact(size).map(|bytes| column.place.number.read(bytes)));
                continue;
            }
            column.buffer.resize(size, 0);
            for k in 0..count {
                column.bytes.exact(&mut column.buffer)?;
                out.push(column.place.number.read(&column.buffer));
                // behind the last number the array may end
                if k + 1 < count || column.left > 0 {
                    column.bytes.skip((column.place.stride - 1) * size as u64)?;
                }
            }
        }
        Ok(())
    }
}
