//! Why a sweep cannot begin or go on.
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use stiction_data::expression::ExpressionError;

/// Why a sweep cannot begin or go on.
#[derive(Clone, Debug, PartialEq)]
pub enum SweepError {
    /// Not of the form `path=values`.
    Vary {
        /// The text.
        text: String,
    },
    /// A value that cannot be put where it should go.
    Axis {
        /// Where.
        path: String,
        /// Why not.
        why: String,
        /// What to do about it.
        hint: String,
    },
    /// Values that are none.
    Range {
        /// Whose.
        name: String,
        /// As given.
        text: String,
        /// What they must be.
        why: &'static str,
    },
    /// The same value varied twice, or a measure that has the name of another column.
    Twice {
        /// The name.
        name: String,
    },
    /// Nothing to vary, or nothing to measure.
    Nothing {
        /// What is missing.
        what: &'static str,
        /// How to say it.
        hint: &'static str,
    },
    /// More points than can be counted.
    Many,
    /// More axes than a sequence has dimensions.
    Dimensions {
        /// Axes.
        axes: usize,
        /// Dimensions.
        most: usize,
    },
    /// A measure that is no expression.
    Expression {
        /// The text.
        text: String,
        /// What is wrong with it.
        error: ExpressionError,
    },
    /// Results that belong to something else.
    Differs {
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
    Mixed {
        /// One of them, and another.
        files: Box<[PathBuf; 2]>,
        /// What is different.
        what: String,
        /// What it is in each.
        values: Box<[String; 2]>,
    },
    /// A result in the place of what it is made from.
    Onto {
        /// The file.
        path: PathBuf,
    },
    /// An unfinished sweep of the same name.
    Unfinished {
        /// Its folder.
        path: PathBuf,
    },
    /// A sweep that another process works on.
    Busy {
        /// Its folder.
        path: PathBuf,
    },
    /// A file that is not what it should be.
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Points that no shard has, or that two have.
    Shards {
        /// The first.
        from: u64,
        /// The one after the last.
        to: u64,
        /// Two have them, instead of none.
        twice: bool,
    },
    /// Something that is not a number from 1 to n.
    Shard {
        /// The text.
        text: String,
    },
    /// A map that the points do not make.
    Map {
        /// What is wrong.
        why: String,
        /// What to do about it.
        hint: String,
    },
}

impl Display for SweepError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vary { text } => write!(f, "--vary '{text}' is not PATH=VALUES"),
            Self::Axis { path, why, .. } => write!(f, "--vary {path}: {why}"),
            Self::Range { name, text, why } => write!(f, "--vary {name}={text}: {why}"),
            Self::Twice { name } => write!(f, "'{name}' is there twice"),
            Self::Nothing { what, .. } => write!(f, "there is nothing to {what}"),
            Self::Many => f.write_str("these are more points than can be counted"),
            Self::Dimensions { axes, most } => write!(f, "{axes} axes are more than the {most} of Sobol's sequence"),
            Self::Expression { text, error } => write!(f, "--measure '{text}': {error}"),
            Self::Differs { path, what, was, now } => {
                write!(f, "{} was begun with another {what}: '{was}', and now it is '{now}'", path.display())
            }
            Self::Mixed { files, what, values } => {
                let ([one, other], [here, there]) = (files.each_ref().map(|path| path.display()), &**values);
                write!(f, "{one} and {other} are of different sweeps: {what} is '{here}' and '{there}'")
            }
            Self::Onto { path } => write!(f, "the result would replace the shard {}", path.display()),
            Self::Unfinished { path } => write!(f, "there is an unfinished sweep in {}", path.display()),
            Self::Busy { path } => write!(f, "another process is at work in {}", path.display()),
            Self::Broken { path, why } => write!(f, "cannot use {}: {why}", path.display()),
            Self::Shards { from, to, twice } => {
                let who = if *twice { "two files have" } else { "no file has" };
                match to - from {
                    1 => write!(f, "{who} point {from}"),
                    _ => write!(f, "{who} the points {from} to {}", to - 1),
                }
            }
            Self::Shard { text } => write!(f, "--shard '{text}' is not I/N"),
            Self::Map { why, .. } => f.write_str(why),
        }
    }
}

impl SweepError {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::Vary { .. } => "write --vary spring.pull.stiffness=0.5:8:200, or --vary k=log:0.5:8:200",
            Self::Range { .. } => "values look like 0.5:8:200, log:0.01:5:200, 1,2,5 or, with --random, normal:2:0.1",
            Self::Twice { .. } => "vary and measure everything once, and give a measure another name: NAME=...",
            Self::Nothing { hint, .. } => hint,
            Self::Many => "take fewer values, or draw some with --random N",
            Self::Dimensions { .. } => "use --design latin",
            Self::Expression { error, .. } => return error.hint(),
            Self::Differs { .. } => "undo the change, or name another output; what is there stays as it is",
            Self::Mixed { .. } => "name the shards of one sweep, all run by the same command but for --shard and -o",
            Self::Onto { .. } => "give the result a name of its own",
            Self::Unfinished { .. } => "go on with --resume, or remove it to begin anew",
            Self::Busy { .. } => "wait for it, or name another output",
            // what is not a part of a sweep is somebody's own
            Self::Broken { path, .. }
                if path.components().any(|c| c.as_os_str().as_encoded_bytes().ends_with(b".parts")) =>
            {
                "remove the folder .parts to begin anew"
            }
            Self::Broken { .. } => "name a file that 'stiction sweep' has written",
            Self::Shards { twice: false, .. } => "run the shard that is missing, and name its file too",
            Self::Shards { .. } => "name every shard once",
            Self::Shard { .. } => "write --shard 1/8 to --shard 8/8",
            Self::Map { hint, .. } | Self::Axis { hint, .. } => return hint.clone(),
        };
        text.to_owned()
    }
}
