//! Why a sweep cannot start or continue.
use std::path::PathBuf;
use stiction_data::expression::ExpressionError;
use stiction_io::number::short;

/// Why a sweep cannot start or continue.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SweepError {
    /// Not of the form `path=values`.
    #[error("--vary '{text}' is not PATH=VALUES")]
    InvalidVary {
        /// The text.
        text: String,
    },
    /// A value that cannot be varied.
    #[error("--vary {path}: {why}")]
    InvalidAxis {
        /// Its path in the scenario.
        path: String,
        /// Why not.
        why: String,
        /// What to do about it.
        hint: String,
    },
    /// Values that do not form a range, a list or a distribution.
    #[error("--vary {name}={text}: {why}")]
    InvalidRange {
        /// The name of the axis.
        name: String,
        /// As given.
        text: String,
        /// What they must be.
        why: &'static str,
    },
    /// A value that is varied twice, or a measure with the name of another column.
    #[error("'{name}' is given twice")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// Columns are evaluated from a time at which the run has ended.
    #[error("columns are evaluated from {} s, but the run ends at {} s", short(*from), short(*end))]
    StartsAfterEnd {
        /// Time from which columns are evaluated \[s\].
        from: f64,
        /// End of the run \[s\].
        end: f64,
    },
    /// Nothing to vary, or nothing to measure.
    #[error("there is nothing to {what}")]
    Nothing {
        /// What is missing.
        what: &'static str,
        /// How to give it.
        hint: &'static str,
    },
    /// More points than whole numbers that a 64-bit float can represent.
    #[error("the sweep has too many points: more than 1e11")]
    TooManyPoints,
    /// More axes than the Sobol sequence has dimensions.
    #[error("{axes} axes are more than the {most} dimensions of the Sobol sequence")]
    TooManyAxes {
        /// Axes.
        axes: usize,
        /// Dimensions.
        most: usize,
    },
    /// A measure that is not a valid expression.
    #[error("--measure '{text}': {error}")]
    Expression {
        /// The text.
        text: String,
        /// What is wrong with it.
        error: ExpressionError,
    },
    /// Existing results of another sweep.
    #[error("{} was started with another {what}: '{was}', now '{now}'", path.display())]
    DifferentPlan {
        /// The output.
        path: PathBuf,
        /// What is different.
        what: String,
        /// What it was.
        was: String,
        /// What it is.
        now: String,
    },
    /// Shards of different sweeps.
    #[error("{} and {} are shards of different sweeps: {what} is '{}' and '{}'", files[0].display(), files[1].display(), values[0], values[1])]
    MixedShards {
        /// One of them, and another.
        files: Box<[PathBuf; 2]>,
        /// What is different.
        what: String,
        /// What it is in each.
        values: Box<[String; 2]>,
    },
    /// A result that would replace one of the files it is made from.
    #[error("the result would replace the shard {}", path.display())]
    OverwritesShard {
        /// The file.
        path: PathBuf,
    },
    /// An unfinished sweep of the same name.
    #[error("there is an unfinished sweep in {}", path.display())]
    Unfinished {
        /// Its folder.
        path: PathBuf,
    },
    /// A sweep that another process is running.
    #[error("another process is writing to {}", path.display())]
    Busy {
        /// Its folder.
        path: PathBuf,
    },
    /// A file that is not a part or a result of a sweep.
    #[error("cannot use {}: {why}", path.display())]
    UnusableFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Points that no shard has, or that two shards have.
    #[error("{}", coverage(*from, *to, *twice))]
    PointCoverage {
        /// The first.
        from: u64,
        /// One after the last.
        to: u64,
        /// Whether two shards have them, instead of none.
        twice: bool,
    },
    /// A shard that is not `I/N` with `I` from 1 to `N`.
    #[error("--shard '{text}' is not I/N")]
    InvalidShard {
        /// The text.
        text: String,
    },
    /// A map that cannot be drawn from these points.
    #[error("{why}")]
    Map {
        /// What is wrong.
        why: String,
        /// What to do about it.
        hint: String,
    },
}

/// The points that no shard has, or that two have.
fn coverage(from: u64, to: u64, twice: bool) -> String {
    let who = if twice { "two files have" } else { "no file has" };
    match to - from {
        1 => format!("{who} point {from}"),
        _ => format!("{who} the points {from} to {}", to - 1),
    }
}

impl SweepError {
    /// What the user can do about it.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::InvalidVary { .. } => "write --vary spring.pull.stiffness=0.5:8:200, or --vary k=log:0.5:8:200",
            Self::InvalidRange { .. } => {
                "values look like 0.5:8:200, log:0.01:5:200, 1,2,5 or, with --random, normal:2:0.1"
            }
            Self::Duplicate { .. } => "vary and measure each thing once, or give a measure another name: NAME=...",
            Self::StartsAfterEnd { .. } => "choose an earlier time, or a longer run: run.end",
            Self::Nothing { hint, .. } => hint,
            Self::TooManyPoints => "use fewer values, or draw random points with --random N",
            Self::TooManyAxes { .. } => "use --design latin",
            Self::Expression { error, .. } => return error.hint(),
            Self::DifferentPlan { .. } => "undo the change, or choose another output; the existing results are kept",
            Self::MixedShards { .. } => {
                "name the shards of one sweep, all run by the same command except for --shard and -o"
            }
            Self::OverwritesShard { .. } => "give the result another name",
            Self::Unfinished { .. } => "continue with --resume, or remove it to start again",
            Self::Busy { .. } => "wait for it, or choose another output",
            // only the parts of a sweep may be removed
            Self::UnusableFile { path, .. }
                if path.components().any(|c| c.as_os_str().as_encoded_bytes().ends_with(b".parts")) =>
            {
                let parts = path.ancestors().find(|path| path.extension().is_some_and(|e| e == "parts"));
                return format!(
                    "move what is yours elsewhere, and remove {} to start again",
                    parts.unwrap_or(path).display()
                );
            }
            Self::UnusableFile { .. } => "name a file that 'stiction sweep' has written",
            Self::PointCoverage { twice: false, .. } => "run the missing shard, and name its file, too",
            Self::PointCoverage { .. } => "name every shard once",
            Self::InvalidShard { .. } => "write --shard 1/8 to --shard 8/8",
            Self::Map { hint, .. } | Self::InvalidAxis { hint, .. } => return hint.clone(),
        };
        text.to_owned()
    }
}
