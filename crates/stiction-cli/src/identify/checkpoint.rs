//! The checkpoint of a fit: a file beside the output folder, from which a stopped fit is resumed.
use crate::error::CommandError;
use crate::progress::Progress;
use crate::stream;
use serde_json::{Value, json};
use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stiction::FileError;
use stiction::fit::{FitState, PartResult, SearchJournal};
use stiction::identify::{FitCheckpoint, FitProgress, FitStage, RoundState};
use stiction::{Error, output};

/// Shortest time between two writes.
const WRITE_INTERVAL: Duration = Duration::from_millis(500);

/// The state of a fit, kept in a file.
pub struct Checkpoint {
    path: PathBuf,
    /// Identifies command, law and data: another command may not continue from this checkpoint.
    mark: String,
    last: Cell<Option<Instant>>,
}

impl Checkpoint {
    /// The checkpoint of the fit whose results go to this folder.
    pub fn new(dir: &Path, mark: &str) -> Self {
        Self { path: checkpoint_path(dir), mark: mark.to_owned(), last: Cell::new(None) }
    }
    /// Refuses a file of another origin in the place of the checkpoint, which the fit would replace and then remove.
    pub fn check(dir: &Path) -> Result<(), CommandError> {
        let path = checkpoint_path(dir);
        if path.symlink_metadata().is_err() {
            return Ok(());
        }
        let text = std::fs::read(&path).unwrap_or_default();
        let value: Value = serde_json::from_slice(&text).unwrap_or_default();
        let ours = value["mark"].is_string() && value["search"].is_array();
        if ours { Ok(()) } else { Err(CommandError::NotOurs { path, what: "the checkpoint of a fit" }) }
    }
    /// Reads the checkpoint; none if there is no file.
    pub fn read(&self) -> Result<Option<FitCheckpoint>, CommandError> {
        let text = match std::fs::read_to_string(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                stream::note(format_args!("{} does not exist: the fit starts again", self.path.display()));
                return Ok(None);
            }
            text => text.map_err(|io| self.file("read", io))?,
        };
        let bad = || CommandError::Checkpoint { path: self.path.clone(), why: "it is incomplete" };
        let value: Value = serde_json::from_str(&text).map_err(|_| bad())?;
        if value["mark"].as_str() != Some(&self.mark) {
            return Err(CommandError::Checkpoint {
                path: self.path.clone(),
                why: "it is from another command, another law or other data",
            });
        }
        let checkpoint = from_json(&value).ok_or_else(bad)?;
        match &checkpoint.round {
            Some(round) => stream::note(format_args!("resumed after {} evaluations", round.fit.evaluations)),
            None => stream::note(format_args!("resumed after {} parts of the search", checkpoint.search.parts.len())),
        }
        Ok(Some(checkpoint))
    }
    /// Writes the checkpoint at most once in each interval.
    pub fn write(&self, checkpoint: &FitCheckpoint) -> Result<(), CommandError> {
        if self.last.get().is_some_and(|last| last.elapsed() < WRITE_INTERVAL) {
            return Ok(());
        }
        self.last.set(Some(Instant::now()));
        let value = to_json(&self.mark, checkpoint);
        output::write(&self.path, |out| serde_json::to_writer(out, &value).map_err(io::Error::from))?;
        Ok(())
    }
    /// Removes the checkpoint after the fit.
    pub fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
    fn file(&self, action: &'static str, io: io::Error) -> Error {
        Error::File(FileError { path: self.path.clone(), action, io })
    }
}

/// A number as text with all its digits, infinite or not: a resumed fit has the same numbers.
fn exact(x: f64) -> Value {
    Value::String(format!("{x:?}"))
}

fn to_json(mark: &str, checkpoint: &FitCheckpoint) -> Value {
    let all = |x: &[f64]| x.iter().map(|x| exact(*x)).collect::<Vec<Value>>();
    let result = |result: &PartResult| match result {
        Some((cost, values)) => all(&[&[*cost][..], values].concat()).into(),
        None => Value::Null,
    };
    let part = |part: &Vec<PartResult>| part.iter().map(result).collect::<Vec<Value>>();
    let round = checkpoint.round.as_ref().map(|round| {
        let fit = &round.fit;
        json!({
            "number": round.number, "weight": exact(round.weight), "cost_before": exact(round.cost_before),
            "coordinates": all(&fit.coordinates), "scaling": all(&fit.scaling), "radius": exact(fit.radius),
            "iterations": fit.iterations, "evaluations": fit.evaluations,
        })
    });
    json!({ "mark": mark, "search": checkpoint.search.parts.iter().map(part).collect::<Vec<_>>(), "round": round })
}

/// None if anything is missing.
fn from_json(value: &Value) -> Option<FitCheckpoint> {
    let number = |value: &Value| value.as_str()?.parse::<f64>().ok();
    let numbers = |value: &Value| value.as_array()?.iter().map(number).collect::<Option<Vec<f64>>>();
    let whole = |value: &Value| value.as_u64().and_then(|x| usize::try_from(x).ok());
    let result = |value: &Value| -> Option<PartResult> {
        if value.is_null() {
            return Some(None);
        }
        let numbers = numbers(value)?;
        let (cost, values) = numbers.split_first()?;
        Some(Some((*cost, values.to_vec())))
    };
    let part = |value: &Value| value.as_array()?.iter().map(result).collect::<Option<Vec<_>>>();
    let search = SearchJournal::new(value["search"].as_array()?.iter().map(part).collect::<Option<_>>()?);
    let round = &value["round"];
    if round.is_null() {
        return Some(FitCheckpoint { search, round: None });
    }
    let fit = FitState {
        coordinates: numbers(&round["coordinates"])?,
        scaling: numbers(&round["scaling"])?,
        radius: number(&round["radius"])?,
        iterations: whole(&round["iterations"])?,
        evaluations: whole(&round["evaluations"])?,
    };
    let [weight, cost_before] = [number(&round["weight"])?, number(&round["cost_before"])?];
    let number = whole(&round["number"]).filter(|number| *number > 0)?;
    Some(FitCheckpoint { search, round: Some(RoundState { number, weight, cost_before, fit }) })
}

/// The path of the checkpoint of a fit whose results go to the folder `dir`.
pub fn checkpoint_path(dir: &Path) -> PathBuf {
    let mut name = dir.file_name().unwrap_or_default().to_owned();
    name.push(".partial.json");
    dir.with_file_name(name)
}

/// A fit with a progress bar and a checkpoint, which is removed when the fit has ended.
pub fn with_progress<T>(
    checkpoint: Option<&Checkpoint>,
    fit: impl FnOnce(&mut dyn FnMut(&FitProgress<'_>) -> bool) -> Result<T, Error>,
) -> Result<T, CommandError> {
    let bar = Progress::of_fraction();
    let mut refused = None;
    let done = fit(&mut |now| {
        bar.show(match now.stage {
            FitStage::GlobalSearch => 0.5 * now.done,
            FitStage::LeastSquares => 0.5 + 0.5 * now.done,
        });
        if let (Some(file), Some(checkpoint)) = (checkpoint, now.checkpoint) {
            refused = file.write(checkpoint).err();
        }
        refused.is_none()
    });
    bar.end();
    if let Some(fault) = refused {
        return Err(fault);
    }
    let done = done?;
    checkpoint.into_iter().for_each(Checkpoint::remove);
    Ok(done)
}
