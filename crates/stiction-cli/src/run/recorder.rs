//! Records a run: rows and events go to files as they come; a limited number stays in memory for summary and pictures.
use crate::error::CommandError;
use crate::output_folder::OutputFolder;
use crate::progress::Progress;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use stiction::Error;
use stiction::FileError;
use stiction::number::short;
use stiction::scenario::{DerivativeColumn, PlotDefinition, PlotQuantity, Scenario};
use stiction::sim::{Column, Event, EventKind, Observer, Simulation};
use stiction::table::{ColumnHeaders, csv};

#[cfg(feature = "parquet")]
use stiction::table::parquet;

/// Largest number of events kept in memory; the file has all of them.
pub const MAX_EVENTS: usize = 100_000;
/// Largest number of rows kept in memory for pictures: many times the pixels.
const MAX_ROWS: usize = 32_768;

/// An event with the name of its component.
#[derive(Clone, Debug)]
pub struct RecordedEvent {
    /// Time (s).
    pub t: f64,
    /// Index of the contact or stop.
    pub part: usize,
    /// Kind of event.
    pub kind: EventKind,
}

/// Records a run.
pub struct Recorder<'a> {
    simulation: &'a Simulation<'a>,
    /// The first events.
    pub events: Vec<RecordedEvent>,
    /// The last event.
    pub last: Option<RecordedEvent>,
    /// The progress bar.
    pub progress: Progress,
    /// Columns of the pictures.
    shown: Vec<usize>,
    /// Rows of these columns.
    rows: Vec<Vec<f64>>,
    every: usize,
    seen: usize,
    /// Whether rows are kept for pictures.
    keep_rows: bool,
    files: Option<TraceFiles>,
    failed: Option<(PathBuf, io::Error)>,
    stop: Arc<AtomicBool>,
}

/// The files of a trace while they are written.
struct TraceFiles {
    record: Vec<usize>,
    row: Vec<f64>,
    csv: (PathBuf, csv::Writer<BufWriter<File>>),
    #[cfg(feature = "parquet")]
    parquet: (PathBuf, parquet::Writer<BufWriter<File>>),
    events: (PathBuf, BufWriter<File>),
}

impl<'a> Recorder<'a> {
    /// Records a run of `simulation`, writing to `folder` if there is one, until `stop`. The columns of `plots` are
    /// kept for pictures; `derivatives` go to the files.
    pub fn new(
        simulation: &'a Simulation<'a>,
        scenario: &Scenario,
        plots: &[PlotDefinition],
        derivatives: &[DerivativeColumn],
        folder: Option<&OutputFolder>,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, CommandError> {
        let open = |folder| TraceFiles::new(folder, simulation.columns(), &scenario.record, derivatives);
        let files = folder.map(open).transpose()?;
        // time, for the window of a picture, and all that its axes are computed from
        let mut shown = vec![0];
        for text in plots.iter().flat_map(|plot| plot.panels.iter().flatten().chain([&plot.x])) {
            shown.extend(PlotQuantity::new(text, simulation.columns())?.columns);
        }
        shown.sort_unstable();
        shown.dedup();
        Ok(Self {
            simulation,
            shown,
            events: Vec::new(),
            last: None,
            progress: Progress::of_time(scenario.options.start, scenario.options.end),
            rows: Vec::new(),
            every: 1,
            seen: 0,
            keep_rows: files.is_some(),
            files,
            failed: None,
            stop,
        })
    }
    /// Keeps rows for pictures also without a folder, if `more`.
    pub fn keep_rows(&mut self, more: bool) {
        self.keep_rows |= more;
    }
    /// All columns of the run.
    pub fn columns(&self) -> &[Column] {
        self.simulation.columns()
    }
    /// The values of what a picture shows, between two times.
    pub fn values(&self, quantity: &PlotQuantity, [from, to]: [f64; 2]) -> Vec<f64> {
        let place = |column: &usize| self.shown.iter().position(|shown| shown == column);
        let Some(places) = quantity.columns.iter().map(place).collect::<Option<Vec<usize>>>() else {
            return Vec::new();
        };
        let mut columns = vec![0.0; places.len()];
        let rows = self.rows.iter().filter(|row| (from..=to).contains(&row[0]));
        let value = |row: &Vec<f64>| {
            columns.iter_mut().zip(&places).for_each(|(column, &place)| *column = row[place]);
            quantity.value(&columns)
        };
        rows.map(value).collect()
    }
    /// The name of a component.
    pub fn part(&self, event: &RecordedEvent) -> &str {
        self.simulation.part(event.part)
    }
    /// Ends the files; returns their names.
    pub fn finish(&mut self) -> Result<Vec<&'static str>, CommandError> {
        let Some(files) = self.files.take() else { return Ok(Vec::new()) };
        let failed = self.failed.take().map_or(Ok(()), Err);
        let names = failed.and_then(|()| files.finish());
        names.map_err(|(path, io)| Error::File(FileError { path, action: "write", io }).into())
    }
    fn keep(&mut self, result: Result<(), (PathBuf, io::Error)>) {
        if let Err(failed) = result {
            self.failed.get_or_insert(failed);
        }
    }
}

impl TraceFiles {
    fn new(
        folder: &OutputFolder,
        columns: &[Column],
        record: &[String],
        derivatives: &[DerivativeColumn],
    ) -> Result<Self, CommandError> {
        // time, and the columns that the scenario records
        let wanted = |i: &usize| *i == 0 || record.is_empty() || record.contains(&columns[*i].name);
        let mut record: Vec<usize> = (0..columns.len()).filter(wanted).collect();
        let own = record.iter().map(|&i| (columns[i].name.as_str(), columns[i].unit));
        let heads: ColumnHeaders =
            own.chain(derivatives.iter().map(|column| (column.name.as_str(), column.unit.as_str()))).collect();
        record.extend(derivatives.iter().map(|column| column.index));
        let open = |name: &str| {
            let path = folder.path(name);
            let file = File::create_new(&path).map(BufWriter::new);
            file.map(|file| (path.clone(), file)).map_err(|io| fault(path, io))
        };
        let (csv, out) = open("trace.csv")?;
        let csv = (csv.clone(), csv::Writer::new(out, &heads).map_err(|io| fault(csv, io))?);
        #[cfg(feature = "parquet")]
        let parquet = {
            let (path, out) = open("trace.parquet")?;
            (path.clone(), parquet::Writer::new(out, &heads).map_err(|io| fault(path, io))?)
        };
        let mut events = open("events.csv")?;
        writeln!(events.1, "t [s],contact,kind").map_err(|io| fault(events.0.clone(), io))?;
        Ok(Self {
            row: Vec::with_capacity(record.len()),
            record,
            csv,
            #[cfg(feature = "parquet")]
            parquet,
            events,
        })
    }
    fn row(&mut self, row: &[f64]) -> Result<(), (PathBuf, io::Error)> {
        self.row.clear();
        self.row.extend(self.record.iter().map(|&i| row[i]));
        self.csv.1.row(&self.row).map_err(|io| (self.csv.0.clone(), io))?;
        #[cfg(feature = "parquet")]
        self.parquet.1.row(&self.row).map_err(|io| (self.parquet.0.clone(), io))?;
        Ok(())
    }
    fn event(&mut self, t: f64, part: &str, kind: EventKind) -> Result<(), (PathBuf, io::Error)> {
        writeln!(self.events.1, "{},{part},{}", short(t), kind.name()).map_err(|io| (self.events.0.clone(), io))
    }
    fn finish(self) -> Result<Vec<&'static str>, (PathBuf, io::Error)> {
        self.csv.1.finish().map_err(|io| (self.csv.0, io))?;
        #[cfg(feature = "parquet")]
        self.parquet.1.finish().map_err(|io| (self.parquet.0, io))?;
        let (path, mut out) = self.events;
        out.flush().map_err(|io| (path, io))?;
        let parquet = cfg!(feature = "parquet").then_some("trace.parquet");
        Ok(["trace.csv", "events.csv"].into_iter().chain(parquet).collect())
    }
}

fn fault(path: PathBuf, io: io::Error) -> CommandError {
    Error::File(FileError { path, action: "write", io }).into()
}

impl Observer for Recorder<'_> {
    fn row(&mut self, row: &[f64]) {
        if let Some(files) = &mut self.files {
            let written = files.row(row);
            self.keep(written);
        }
        if !self.keep_rows {
            return;
        }
        // every row, then every second, every fourth, ...: memory does not grow with the run
        if self.seen.is_multiple_of(self.every) {
            if self.rows.len() == MAX_ROWS {
                let mut k = 0;
                self.rows.retain(|_| {
                    k += 1;
                    k % 2 == 1
                });
                self.every *= 2;
            }
            self.rows.push(self.shown.iter().map(|&i| row[i]).collect());
        }
        self.seen += 1;
    }
    fn event(&mut self, event: &Event) {
        let happened = RecordedEvent { t: event.t, part: event.part, kind: event.kind };
        if let Some(files) = &mut self.files {
            let written = files.event(event.t, self.simulation.part(event.part), event.kind);
            self.keep(written);
        }
        if self.events.len() < MAX_EVENTS {
            self.events.push(happened.clone());
        }
        self.last = Some(happened);
    }
    fn peak_columns(&self) -> Vec<usize> {
        // those of the files and of the pictures; time has no peaks, and derivatives jump at events
        let files = self.files.iter().flat_map(|files| &files.record);
        let shown = self.shown.iter().filter(|_| self.keep_rows);
        let count = self.simulation.columns().len();
        let mut all: Vec<usize> = files.chain(shown).copied().filter(|column| *column > 0 && *column < count).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
    fn should_continue(&mut self, t: f64) -> bool {
        self.progress.at(t);
        self.failed.is_none() && !self.stop.load(Ordering::Relaxed)
    }
}
