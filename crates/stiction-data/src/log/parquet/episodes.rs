//! The rows of one episode: those with its number in the column `episode_index`.
use super::rows;
use super::{ColumnLocation, Conversion, file};
use crate::log::Chunk;
use crate::log::source::Source;
use crate::{ContentError, DataError};
use parquet::basic::Type as Physical;
use parquet::file::reader::FileReader;

/// The column of episodes.
const COLUMN: &str = "episode_index";
/// Rows read at a time.
const ROWS: usize = 1 << 16;

/// The column of episodes, and how many rows the episode has.
pub fn find(source: &Source, open: &dyn FileReader, episode: u64) -> Result<(usize, u64), DataError> {
    let columns = open.metadata().file_metadata().schema_descr_ptr();
    let leaf = columns.columns().iter().position(|column| {
        column.path().string() == COLUMN
            && column.max_rep_level() == 0
            && matches!(column.physical_type(), Physical::INT32 | Physical::INT64)
    });
    let Some(leaf) = leaf else {
        let needs = "a Parquet file with a column episode_index of integers";
        return Err(source.content_error(ContentError::OptionWithoutEffect { option: "an episode", needs }));
    };
    let location = ColumnLocation { leaf, list: None, conversion: Conversion { scale: 1.0, unsigned: false } };
    let mut reader = rows::open(source, file(source)?, &[(location, COLUMN)], None);
    let mut chunk = Chunk::new(1);
    let (mut first, mut last, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0);
    loop {
        chunk.next();
        reader.read(&mut chunk, ROWS)?;
        if chunk.rows() == 0 {
            break;
        }
        for &number in &chunk.columns[0] {
            (first, last) = (number.min(first), number.max(last));
            count += u64::from(number == episode as f64);
        }
    }
    match count {
        0 => Err(source.content_error(ContentError::NoEpisode { episode, first, last })),
        _ => Ok((leaf, count)),
    }
}
