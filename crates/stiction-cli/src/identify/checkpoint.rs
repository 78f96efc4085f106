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
use stiction::fit::FitState;
use stiction::identify::{FitProgress, FitStage};
use stiction::{Error, output};

/// Shortest time between two writes.
const WRITE_INTERVAL: Duration = Duration::from_millis(500);

/// The state of a fit, kept in a file.
pub struct Checkpoint {
    path: PathBuf,
    /// Identifies command and data: another command may not continue from this checkpoint.
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
        let ours = value["mark"].is_string() && value["coordinates"].is_array();
        if ours { Ok(()) } else { Err(CommandError::NotOurs { path, what: "the checkpoint of a fit" }) }
    }
    /// Reads the checkpoint; none if there is no file.
    pub fn read(&self) -> Result<Option<FitState>, CommandError> {
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
                why: "it is from another command or other data",
            });
        }
        let numbers = |key: &str| -> Option<Vec<f64>> { value[key].as_array()?.iter().map(Value::as_f64).collect() };
        let whole = |key: &str| value[key].as_u64().map(|x| x as usize);
        let state = || {
            Some(FitState {
                coordinates: numbers("coordinates")?,
                scaling: numbers("scaling")?,
                radius: value["radius"].as_f64()?,
                iterations: whole("iterations")?,
                evaluations: whole("evaluations")?,
            })
        };
        let state = state().ok_or_else(bad)?;
        stream::note(format_args!("resumed after {} evaluations", state.evaluations));
        Ok(Some(state))
    }
    /// Writes the checkpoint at most once in each interval.
    pub fn write(&self, state: &FitState) -> Result<(), CommandError> {
        if self.last.get().is_some_and(|last| last.elapsed() < WRITE_INTERVAL) {
            return Ok(());
        }
        self.last.set(Some(Instant::now()));
        let value = json!({
            "mark": self.mark, "coordinates": state.coordinates, "scaling": state.scaling, "radius": state.radius,
            "iterations": state.iterations, "evaluations": state.evaluations,
        });
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
        if let (Some(checkpoint), Some(state)) = (checkpoint, now.state) {
            refused = checkpoint.write(state).err();
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
