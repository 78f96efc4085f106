//! One pass over a file that passes its rows to several consumers.
use crate::error::CommandError;
use std::io;
use std::path::Path;
use stiction::DataError;
use stiction::FileError;
use stiction::data::audit::Auditor;
use stiction::data::{Chunk, ColumnSelection, ReadSummary, RowConsumer, RowSample};
use stiction::table::{self, ColumnHeader, ColumnHeaders, WriteRow, csv};

/// The consumers of the rows.
pub struct RowConsumers<'a> {
    pub auditor: &'a mut Auditor,
    pub keep: Option<&'a mut RowSample>,
}

struct RowDistributor<'a, 'b> {
    tee: RowConsumers<'a>,
    row: Option<&'b mut WriteRow<'b>>,
    buffer: Vec<f64>,
    /// The error of an output file that could not be written.
    io: Option<io::Error>,
}

impl RowConsumer for RowDistributor<'_, '_> {
    type Error = DataError;

    fn take(&mut self, chunk: &Chunk) -> Result<(), DataError> {
        self.tee.auditor.take(chunk)?;
        if let Some(keep) = &mut self.tee.keep {
            keep.take(chunk)?;
        }
        if let Some(row) = &mut self.row {
            for k in 0..chunk.rows() {
                self.buffer.clear();
                self.buffer.extend(chunk.columns.iter().map(|column| column[k]));
                row(&self.buffer).map_err(|io| {
                    let kind = io.kind();
                    self.io = Some(io);
                    DataError::from(FileError::write("output", kind.into()))
                })?;
            }
        }
        Ok(())
    }
}

impl RowConsumers<'_> {
    /// Reads the rows, and writes them to a file, or as CSV to stdout.
    pub fn run(self, plan: &ColumnSelection, path: Option<&Path>, stdout: bool) -> Result<ReadSummary, CommandError> {
        if path.is_none() && !stdout {
            let mut all = RowDistributor { tee: self, row: None, buffer: Vec::new(), io: None };
            return plan.stream(&mut all).map_err(CommandError::from);
        }
        let heads = ColumnHeaders(
            plan.fields()
                .map(|field| ColumnHeader { name: field.name.clone(), unit: field.unit.clone().unwrap_or_default() })
                .collect(),
        );
        let mut result = None;
        let fill = |row: &mut WriteRow| -> io::Result<()> {
            let mut all = RowDistributor { tee: self, row: Some(row), buffer: Vec::new(), io: None };
            let done = plan.stream(&mut all);
            let refused = all.io.take();
            let failed = done.is_err();
            result = Some(done);
            match refused {
                Some(io) => Err(io),
                // ends the writing, so that no file is created
                None if failed => Err(io::ErrorKind::Interrupted.into()),
                None => Ok(()),
            }
        };
        let written = match path {
            Some(path) => table::write(path, &heads, fill).map_err(CommandError::from),
            None => crate::stream::data(|out| {
                let mut table = csv::Writer::new(out, &heads)?;
                fill(&mut |row| table.row(row))?;
                table.finish().map(drop)
            }),
        };
        match result {
            Some(Err(error @ (DataError::Content { .. } | DataError::File(FileError { action: "read", .. })))) => {
                Err(error.into())
            }
            Some(Ok(done)) => written.map(|()| done),
            // a reader that closes the pipe early is not an error
            _ => written.map(|()| ReadSummary::default()),
        }
    }
}
