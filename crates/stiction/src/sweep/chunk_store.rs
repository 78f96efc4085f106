//! The finished chunks of a sweep, as complete files: `out.parquet.parts/` beside the output holds a manifest and a file
//! for each chunk of points, written atomically. At the end they are merged into the output, whose bytes depend on the plan
//! alone.
use super::file::{MANIFEST, Reader, Writer, is_parquet, manifest, parts};
use super::{Engine, PointOutcome, ResultHeader, ResultRow, ResultSummary, Shard, SweepError, SweepPlan};
use crate::FileError;
use crate::{Error, output};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// Name of the output while it is being merged.
const UNFINISHED_OUTPUT: &str = "whole";
const LOCK: &str = "lock";
/// How long a sweep waits for one that was interrupted and is about to end, in this process or another.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);
/// Smallest and largest number of points of a chunk; in between, a sweep has two hundred chunks.
const CHUNK_SIZE: (u64, u64) = (16, 65_536);
/// Smallest number where points run in lanes, so that the lanes are filled.
const MIN_LANE_CHUNK: u64 = 2048;
/// The same where a device runs them, which has room for some ten thousand at once and is idle between chunks; in between, a sweep has
/// sixteen chunks.
const DEVICE_CHUNK_SIZE: (u64, u64) = (65_536, 1_048_576);

/// The results of a sweep while it runs.
pub struct ChunkStore {
    output: PathBuf,
    parts: PathBuf,
    heads: ResultHeader,
    points: Range<u64>,
    chunk: u64,
    // held while the sweep runs; the operating system releases it when the process ends
    lock: File,
}

/// The state of the output when it was opened.
pub enum OpenedStore {
    /// There are points to run.
    Ready(ChunkStore),
    /// The output is complete, from the same plan.
    Done(ResultSummary),
}

impl ChunkStore {
    /// Starts or resumes a sweep. `chunk` is the number of points per file; none chooses it.
    ///
    /// # Errors
    /// [`Error::Sweep`] if other results exist; [`Error::File`] if it cannot be written. Nothing
    /// is changed then.
    pub fn open(
        output: &Path,
        plan: &SweepPlan,
        shard: Shard,
        chunk: Option<u64>,
        resume: bool,
    ) -> Result<OpenedStore, Error> {
        // a link stays a link: what it leads to is replaced
        let output = &output::link_target(output);
        let heads = ResultHeader::new(plan, &shard.to_string());
        let parts = parts(output);
        let plain = || {
            let why = "a sweep needs a regular file, which it replaces atomically";
            file(output, "write", io::Error::new(ErrorKind::InvalidInput, why))
        };
        match fs::metadata(output) {
            _ if output == Path::new("-") || output.file_name().is_none() => return Err(plain()),
            Ok(data) if data.is_dir() => return Err(file(output, "write", ErrorKind::IsADirectory.into())),
            Ok(data) if !data.is_file() => return Err(plain()),
            Ok(_) if resume && is_finished(output, &parts) => {
                let reader = Reader::open(output)?;
                check_same_plan(output, &reader.heads.facts, &heads.facts)?;
                let tally = tally(reader).map_err(|io| file(output, "read", io))?;
                // remove the parts that a sweep killed at its very end has left, unless another process uses them
                if lock(&parts).is_ok() {
                    let _ = remove_parts(&parts);
                }
                return Ok(OpenedStore::Done(tally));
            }
            _ => {}
        }
        if is_parquet(output) && !cfg!(feature = "parquet") {
            let io = io::Error::new(ErrorKind::Unsupported, "built without the feature 'parquet'");
            return Err(file(output, "write", io));
        }
        let path = parts.join(MANIFEST);
        let points = shard.points(plan.count());
        let count = points.end - points.start;
        let chunk = chunk.unwrap_or_else(|| chunk_size(plan, count)).max(1);
        check_own_parts(&parts)?;
        let begun = path.is_file();
        if begun && !resume {
            return Err(SweepError::Unfinished { path: parts }.into());
        }
        match fs::create_dir(&parts) {
            Err(io) if io.kind() != ErrorKind::AlreadyExists => return Err(file(&parts, "write", io)),
            _ => {}
        }
        let lock = lock(&parts)?;
        let mut store = Self { output: output.to_owned(), parts, heads, points, chunk, lock };
        if begun {
            let facts = manifest::read(&path)?;
            let find = |key: &str| facts.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
            let size = find("chunk").and_then(|text| text.parse().ok()).filter(|size| *size > 0);
            let why = "it does not contain the chunk size".to_owned();
            store.chunk = size.ok_or(SweepError::UnusableFile { path, why })?;
            let facts: Vec<_> = facts.into_iter().filter(|(key, _)| key != "chunk").collect();
            check_same_plan(&store.output, &facts, &store.heads.facts)?;
        } else {
            store.begin(&path)?;
        }
        Ok(OpenedStore::Ready(store))
    }
    fn begin(&self, path: &Path) -> Result<(), Error> {
        if (0..self.chunks()).any(|chunk| self.path(chunk).exists()) {
            let why = "it contains chunks of an unknown sweep".to_owned();
            return Err(SweepError::UnusableFile { path: self.parts.clone(), why }.into());
        }
        let chunk = ("chunk".to_owned(), self.chunk.to_string());
        Ok(manifest::write(path, self.heads.facts.iter().chain([&chunk]))?)
    }
    /// Number of points.
    pub fn count(&self) -> u64 {
        self.points.end - self.points.start
    }
    /// Number of chunks.
    pub fn chunks(&self) -> u64 {
        self.count().div_ceil(self.chunk)
    }
    /// The points of a chunk.
    pub fn points(&self, chunk: u64) -> Range<u64> {
        let at = |k: u64| (self.points.start + k * self.chunk).min(self.points.end);
        at(chunk)..at(chunk + 1)
    }
    /// Whether a chunk is finished: its file exists, is complete, and belongs to this sweep.
    pub fn has(&self, chunk: u64) -> bool {
        self.path(chunk).is_file() && self.rows(chunk).is_ok()
    }
    fn path(&self, chunk: u64) -> PathBuf {
        let ending = if is_parquet(&self.output) { "parquet" } else { "csv" };
        self.parts.join(format!("{chunk:09}.{ending}"))
    }
    /// Stores the outcomes of a chunk.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be written; earlier chunks are kept.
    pub fn put(&self, plan: &SweepPlan, chunk: u64, outcomes: Vec<PointOutcome>) -> Result<(), Error> {
        let path = self.path(chunk);
        output::write(&path, |out| {
            let mut writer = Writer::new(&path, out, &self.heads)?;
            for (index, outcome) in self.points(chunk).zip(outcomes) {
                writer.row(&ResultRow::new(plan, index, outcome))?;
            }
            writer.finish()
        })?;
        Ok(())
    }
    /// The chunks that are not finished yet.
    pub fn missing(&self) -> Vec<u64> {
        (0..self.chunks()).filter(|&chunk| !self.has(chunk)).collect()
    }
    /// Number of points of the given chunks.
    pub fn points_of(&self, chunks: &[u64]) -> u64 {
        chunks.iter().map(|&chunk| self.points(chunk)).map(|points| points.end - points.start).sum()
    }
    /// Runs chunks and stores each as soon as it is finished; returns how many were, fewer if it was stopped.
    ///
    /// # Errors
    /// As [`ChunkStore::put`] and [`Engine::run`].
    pub fn run(&self, plan: &SweepPlan, chunks: &[u64], engine: &Engine<'_>) -> Result<usize, Error> {
        thread::scope(|scope| {
            // a chunk is written while the next one runs
            let mut writing: Option<ScopedJoinHandle<'_, Result<(), Error>>> = None;
            let mut done = 0;
            for &chunk in chunks {
                let stopped = engine.stop.load(Ordering::Relaxed);
                let outcomes = if stopped { Ok(None) } else { engine.run(plan, self.points(chunk)) };
                if let Some(writing) = writing.take() {
                    join(writing)?;
                    done += 1;
                }
                let Some(outcomes) = outcomes? else { return Ok(done) };
                writing = Some(scope.spawn(move || self.put(plan, chunk, outcomes)));
            }
            writing.map_or(Ok(()), join)?;
            Ok(chunks.len())
        })
    }
    /// Merges the chunks into the output, and removes the parts.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be written, [`Error::Sweep`] if a part is not complete; the parts are kept then.
    pub fn finish(self) -> Result<ResultSummary, Error> {
        let ending = self.output.extension().unwrap_or_default();
        let whole = self.parts.join(UNFINISHED_OUTPUT).with_extension(ending);
        let mut tally = ResultSummary::new(&self.heads);
        let mut broken = None;
        output::write(&whole, |out| {
            let mut writer = Writer::new(&whole, out, &self.heads)?;
            // a chunk is read while the one before it is written
            thread::scope(|scope| {
                let store = &self;
                let read = |chunk: u64| (chunk < store.chunks()).then(|| scope.spawn(move || store.rows(chunk)));
                let mut reading = read(0);
                for chunk in 0.. {
                    let Some(rows) = reading.take() else { break };
                    let rows = join(rows).map_err(|why| {
                        broken = Some(SweepError::UnusableFile { path: store.path(chunk), why });
                        io::Error::from(ErrorKind::InvalidInput)
                    })?;
                    reading = read(chunk + 1);
                    for row in rows {
                        tally.count(&row);
                        writer.row(&row)?;
                    }
                }
                Ok::<(), io::Error>(())
            })?;
            writer.finish()
        })
        .map_err(|error| broken.map_or_else(|| Error::from(error), Error::from))?;
        if !is_parquet(&self.output) {
            manifest::write(&manifest::beside(&self.output), self.heads.facts.iter())?;
        }
        fs::rename(&whole, &self.output).map_err(|io| file(&self.output, "write", io))?;
        drop(self.lock);
        remove_parts(&self.parts).map_err(|io| file(&self.parts, "remove", io))?;
        Ok(tally)
    }
    /// The rows of a chunk, or the reason why it cannot be used.
    fn rows(&self, chunk: u64) -> Result<Vec<ResultRow>, String> {
        let reader = Reader::open(&self.path(chunk)).map_err(|error| error.to_string())?;
        // a CSV file has no facts
        if !reader.heads.facts.is_empty() && reader.heads != self.heads {
            return Err("it belongs to another sweep".to_owned());
        }
        let rows = reader.collect::<io::Result<Vec<ResultRow>>>().map_err(|io| io.to_string())?;
        let right = rows.iter().map(|row| row.index).eq(self.points(chunk));
        let rows = rows.into_iter().map(|row| row.with_varied(self.heads.axes.len())).collect();
        if right { Ok(rows) } else { Err("it does not have the expected points".to_owned()) }
    }
}

/// What a thread has returned; its panic goes on here.
fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

fn file(path: &Path, action: &'static str, io: io::Error) -> Error {
    Error::File(FileError { path: path.to_owned(), action, io })
}

/// Whether an output that is there says itself what it is of: Parquet always, CSV with its manifest. The two files of the latter take their
/// places one after the other, so that it counts while no sweep is at work on it.
fn is_finished(output: &Path, parts: &Path) -> bool {
    is_parquet(output) || manifest::beside(output).is_file() && !parts.join(MANIFEST).is_file()
}

/// Locks a folder of parts against other processes.
fn lock(parts: &Path) -> Result<File, Error> {
    let lock = File::options().create(true).truncate(false).write(true).open(parts.join(LOCK));
    let lock = lock.map_err(|io| file(parts, "write", io))?;
    let begin = Instant::now();
    loop {
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) if begin.elapsed() < LOCK_PATIENCE => thread::sleep(LOCK_PATIENCE / 50),
            Err(TryLockError::WouldBlock) => return Err(SweepError::Busy { path: parts.to_owned() }.into()),
            // file systems without locks are used without
            _ => return Ok(lock),
        }
    }
}

/// Checks that results belong to the same plan.
pub(super) fn check_same_plan(
    path: &Path,
    was: &[(String, String)],
    now: &[(String, String)],
) -> Result<(), SweepError> {
    let get = |facts: &[(String, String)], key: &str| {
        facts.iter().find(|(known, _)| known == key).map_or("nothing".to_owned(), |(_, value)| value.clone())
    };
    let keys = now.iter().chain(was).map(|(key, _)| key);
    // the order of the axes is a fact, too
    let Some(key) = keys.into_iter().find(|key| get(was, key) != get(now, key)) else { return Ok(()) };
    let (mut was, mut now, mut what) = (get(was, key), get(now, key), key.clone());
    if was.contains('\n') || now.contains('\n') {
        let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
        let (old, new) = (lines(&was), lines(&now));
        let k = (0..).find(|&k| old.get(k) != new.get(k)).unwrap_or(0);
        what = format!("{key} (line {})", k + 1);
        [was, now] = [old, new].map(|lines| lines.get(k).cloned().unwrap_or_else(|| "nothing".to_owned()));
    }
    Err(SweepError::DifferentPlan { path: path.to_owned(), what: what.replacen('.', " ", 1), was, now })
}

/// Points of a chunk of a sweep with so many.
fn chunk_size(plan: &SweepPlan, count: u64) -> u64 {
    if plan.is_on_device() {
        return count.div_ceil(16).clamp(DEVICE_CHUNK_SIZE.0, DEVICE_CHUNK_SIZE.1);
    }
    let least = if plan.scalar_reason().is_some() { CHUNK_SIZE.0 } else { MIN_LANE_CHUNK };
    count.div_ceil(200).clamp(least, CHUNK_SIZE.1)
}

fn tally(reader: Reader) -> io::Result<ResultSummary> {
    let mut tally = ResultSummary::new(&reader.heads);
    for row in reader {
        tally.count(&row?);
    }
    Ok(tally)
}

/// Refuses a folder of parts that is a link, or holds anything that no sweep has written: it could not be removed at the end.
fn check_own_parts(parts: &Path) -> Result<(), Error> {
    let unusable = |why: String| Err(SweepError::UnusableFile { path: parts.to_owned(), why }.into());
    match fs::symlink_metadata(parts) {
        Err(_) => return Ok(()),
        Ok(data) if data.is_symlink() => return unusable("it is a link, not a folder".to_owned()),
        Ok(data) if !data.is_dir() => return unusable("it is not a folder".to_owned()),
        Ok(_) => {}
    }
    for entry in fs::read_dir(parts).map_err(|io| file(parts, "read", io))? {
        let entry = entry.map_err(|io| file(parts, "read", io))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_chunk =
            |stem: &str| stem == UNFINISHED_OUTPUT || stem.len() == 9 && stem.bytes().all(|b| b.is_ascii_digit());
        let own = name == MANIFEST
            || name == LOCK
            || name.starts_with('.') && name.ends_with(".tmp")
            || name.split_once('.').is_some_and(|(stem, ending)| {
                is_chunk(stem) && ["csv", "parquet"].iter().any(|known| ending.eq_ignore_ascii_case(known))
            });
        if !own || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            return unusable(format!("it contains {name}, which no sweep has written"));
        }
    }
    Ok(())
}

/// Removes a folder of parts, the manifest last, but no files of other origin.
fn remove_parts(parts: &Path) -> io::Result<()> {
    for entry in fs::read_dir(parts)? {
        let path = entry?.path();
        let own = |ending: &str| path.extension().is_some_and(|e| e == ending);
        if own("parquet") || own("csv") || own("tmp") {
            fs::remove_file(&path)?;
        }
    }
    fs::remove_file(parts.join(MANIFEST))?;
    fs::remove_file(parts.join(LOCK))?;
    fs::remove_dir(parts)
}
