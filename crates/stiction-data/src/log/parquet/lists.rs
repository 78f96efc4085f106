//! Columns of lists of numbers, as the states and actions of a LeRobot data set: `observation.state` of six joints is
//! `observation.state.1` to `observation.state.6`, or has the names that `meta/info.json` of the data set gives.
use super::read_error;
use crate::log::source::Source;
use crate::{ContentError, DataError};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::Result as Read;
use parquet::file::reader::FileReader;
use parquet::schema::types::ColumnDescriptor;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read as _;

/// Rows from which the length of a list is found.
const FIRST_ROWS: usize = 4096;
/// The longest list whose elements are columns: longer ones are pictures.
const MAX_LENGTH: usize = 1000;
/// Folders above a file in which `meta/info.json` is sought: the file is in `data/chunk-000`.
const FOLDERS: usize = 4;
/// The largest `meta/info.json` \[bytes\].
const MAX_INFO: u64 = 1 << 24;

/// The name of a column of lists, without the parts that Parquet adds; none for other columns.
pub fn name(column: &ColumnDescriptor) -> Option<String> {
    let parts = column.path().parts();
    if column.max_rep_level() != 1 {
        return None;
    }
    let own = match parts {
        [own @ .., list, element] if list == "list" && (element == "element" || element == "item") => own,
        [own @ .., element] if element == "array" || element == "element" || element == "item" => own,
        whole => whole,
    };
    (!own.is_empty()).then(|| own.join("."))
}

/// The length of the longest list among the first rows; none if it is too long for columns, or nothing is in the lists.
pub fn length(source: &Source, file: &dyn FileReader, leaf: usize) -> Result<Option<usize>, DataError> {
    let longest = || -> Read<usize> {
        if file.num_row_groups() == 0 {
            return Ok(0);
        }
        match file.get_row_group(0)?.get_column_reader(leaf)? {
            ColumnReader::BoolColumnReader(reader) => typed(reader),
            ColumnReader::Int32ColumnReader(reader) => typed(reader),
            ColumnReader::Int64ColumnReader(reader) => typed(reader),
            ColumnReader::FloatColumnReader(reader) => typed(reader),
            ColumnReader::DoubleColumnReader(reader) => typed(reader),
            _ => Ok(0),
        }
    };
    let longest = longest().map_err(|error| read_error(source, error))?;
    Ok((1..=MAX_LENGTH).contains(&longest).then_some(longest))
}

fn typed<T: DataType>(mut reader: ColumnReaderImpl<T>) -> Read<usize> {
    let (mut values, mut levels, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
    let (_, present, _) = reader.read_records(FIRST_ROWS, Some(&mut levels), Some(&mut repetitions), &mut values)?;
    if present == 0 {
        return Ok(0);
    }
    let (mut longest, mut length) = (0, 0);
    for repetition in repetitions {
        length = if repetition == 0 { 1 } else { length + 1 };
        longest = longest.max(length);
    }
    Ok(longest)
}

/// The names of the elements of lists, from `meta/info.json` of the data set; empty if there is none.
#[derive(Default)]
pub struct ElementNames(HashMap<String, Vec<String>>);

impl ElementNames {
    /// Seeks the file in the folders above the data.
    pub fn read(source: &Source) -> Result<Self, DataError> {
        let Some(path) = source.whole_path() else { return Ok(Self::default()) };
        let found =
            path.ancestors().skip(1).take(FOLDERS).map(|folder| folder.join("meta").join("info.json")).find_map(
                |path| File::open(&path).ok().filter(|file| file.metadata().is_ok_and(|m| m.is_file())).zip(Some(path)),
            );
        let Some((file, path)) = found else { return Ok(Self::default()) };
        let mut text = Vec::new();
        file.take(MAX_INFO).read_to_end(&mut text).map_err(|io| stiction_io::FileError::read(&path, io))?;
        let info: Value = serde_json::from_slice(&text).map_err(|error| {
            let reason = error.to_string();
            DataError::content(&path, ContentError::Malformed { format: "JSON", reason, byte: None })
        })?;
        let features = info.get("features").and_then(Value::as_object);
        let lists = features.into_iter().flatten().filter_map(|(name, feature)| {
            let names = feature.get("names")?;
            // a list, or one list under a name such as `motors`
            let list = names.as_array().or_else(|| names.as_object()?.values().find_map(Value::as_array))?;
            let names: Option<Vec<String>> = list.iter().map(|name| name.as_str().map(str::to_owned)).collect();
            Some((name.clone(), names?))
        });
        Ok(Self(lists.collect()))
    }
    /// The names of `count` elements: those given, if there are as many and all differ, else their numbers from one.
    pub fn of(&self, column: &str, count: usize) -> Vec<String> {
        match self.0.get(column) {
            Some(names) if names.len() == count && names.iter().collect::<HashSet<_>>().len() == count => names.clone(),
            _ => (1..=count).map(|k| k.to_string()).collect(),
        }
    }
}
