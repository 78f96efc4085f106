//! A result as CSV: a line of headers with units, then a line for each point. A measure without a value is empty.
use super::super::{ResultHeader, ResultRow};
use super::not_a_result;
use crate::number::short;
use crate::table::ColumnHeader;
use crate::table::csv::io_error;
use csv::StringRecord;
use std::fs::File;
use std::io::{self, Write};

pub struct Writer<'a>(csv::Writer<&'a mut dyn Write>);

impl<'a> Writer<'a> {
    pub fn new(out: &'a mut dyn Write, heads: &ResultHeader) -> io::Result<Self> {
        let mut writer = Self(csv::Writer::from_writer(out));
        let columns = heads.columns().map(ToString::to_string);
        writer.record(["index".to_owned()].into_iter().chain(columns).chain(["error".to_owned()]))?;
        Ok(writer)
    }
    pub fn row(&mut self, row: &ResultRow) -> io::Result<()> {
        let values = row.values.iter().map(|x| Some(*x)).chain(row.found.iter().copied());
        let cells = values.map(|value| value.map_or_else(String::new, short));
        // one line per point
        let error = row.error.as_deref().unwrap_or("").replace(['\n', '\r'], " ");
        self.record([row.index.to_string()].into_iter().chain(cells).chain([error]))
    }
    pub fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
    fn record(&mut self, cells: impl Iterator<Item = String>) -> io::Result<()> {
        self.0.write_record(cells.map(String::into_bytes)).map_err(io_error)
    }
}

/// The headers and rows of a file.
pub fn read(file: File) -> io::Result<(ResultHeader, impl Iterator<Item = io::Result<ResultRow>>)> {
    let mut records = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(file).into_records();
    let first = records.next().transpose().map_err(io_error)?.ok_or_else(|| not_a_result("it is empty"))?;
    let cells: Vec<&str> = first.iter().collect();
    let [index, columns @ .., error] = &cells[..] else { return Err(not_a_result("it has no columns")) };
    if *index != "index" || *error != "error" {
        return Err(not_a_result("it does not begin with 'index' and end with 'error'"));
    }
    let measures: Vec<ColumnHeader> = columns.iter().map(|text| ColumnHeader::parse(text)).collect();
    let count = measures.len();
    let heads = ResultHeader { axes: Vec::new(), measures, facts: Vec::new() };
    Ok((heads, records.map(move |record| row(&record.map_err(io_error)?, count))))
}

fn row(record: &StringRecord, count: usize) -> io::Result<ResultRow> {
    let cells: Vec<&str> = record.iter().collect();
    let bad = || not_a_result(&format!("'{}' is not a row of it", crate::excerpt(&cells.join(","), 200)));
    if cells.len() != count + 2 {
        return Err(bad());
    }
    let number = |text: &&str| match *text {
        "" => Ok(None),
        text => text.parse::<f64>().map(Some).map_err(|_| bad()),
    };
    let found = cells[1..=count].iter().map(number).collect::<io::Result<_>>()?;
    let error = Some(cells[count + 1].to_owned()).filter(|text| !text.is_empty());
    Ok(ResultRow { index: cells[0].parse().map_err(|_| bad())?, values: Vec::new(), found, error })
}
