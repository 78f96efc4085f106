//! Errors of commands, and how they are printed: `error:`, then `hint:`, on stderr, with an exit code.
use crate::{stream, wrappers};
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stiction::LawError;
use stiction::SystemError;
use stiction::analysis::AnalysisError;
use stiction::analysis::steady_curve::InputLimitError;
use stiction::core::{Param, models};
use stiction::scenario::keys;
use stiction::sim::SimErrorKind;
use stiction::system::SystemErrorKind;
use stiction::{DataError, FileError, SimError};
use stiction::{Error, number::short};

/// Exit code for bad input.
pub const BAD_INPUT: u8 = 2;
/// Exit code of a command that ran with a negative result, or of a simulation that could not continue.
const NEGATIVE: u8 = 1;

/// Why a command stopped.
#[derive(Debug)]
pub enum CommandError {
    /// An error of the library.
    Library(Error),
    /// An error of the library in a value of a scenario that an option other than --set has set.
    Option { option: &'static str, path: String, error: Box<Error> },
    /// Not of the form `name=value`.
    Assignment {
        option: &'static str,
        text: String,
        /// A parameter for an example; none if the law has no recipe.
        example: Option<&'static Param>,
    },
    /// Not a number.
    Number {
        /// The option, with the parameter if it is for one.
        option: String,
        text: String,
    },
    /// A number, but not a finite one.
    NotFinite { option: &'static str, text: String },
    /// Not of the form `lo:hi:n`.
    Range { option: &'static str, text: String },
    /// A logarithmic range with an end that is not above zero.
    LogRange { option: &'static str, text: String },
    /// An option that has no effect with the other options.
    UnusedOption { option: &'static str },
    /// An option that has no effect on the fit of a scenario.
    UnusedWithScenario { option: &'static str },
    /// A file of fitted values without the value of a parameter of the scenario.
    NoFittedValue { path: PathBuf, name: String },
    /// The identification of one joint of several.
    Joint { joint: String, error: Box<CommandError> },
    /// Neither one number nor one for each file.
    ValueCount { option: &'static str, numbers: usize, files: usize },
    /// A checkpoint of an unfinished fit that cannot be resumed.
    Checkpoint { path: PathBuf, why: &'static str },
    /// Samples of a file that cannot be used.
    Samples { path: PathBuf, error: stiction::NumericsError },
    /// A range with an impossible number of points.
    Points { option: &'static str, text: String, max: usize },
    /// A speed or a load beyond what laws compute with.
    InputLimit(InputLimitError),
    /// A file name whose extension does not say what to write.
    FileExtension { path: PathBuf, kinds: &'static [&'static str] },
    /// The output would replace a file that the command reads.
    OverwritesInput { input: PathBuf, output: PathBuf },
    /// An output folder with files that this program has not written.
    FolderNotOurs { path: PathBuf, by: String },
    /// A file or folder of another origin in the place of one that this program would replace or remove.
    NotOurs { path: PathBuf, what: &'static str },
    /// A constant with the name of a column.
    ConstantIsColumn { name: String, path: PathBuf },
    /// An output that is a link to nothing.
    DanglingLink { path: PathBuf },
    /// The same output given twice.
    OutputTwice { path: PathBuf },
    /// No column of a file, or several, look like the quantity.
    Column { option: &'static str, what: &'static str, found: Vec<String> },
    /// Options that contradict each other, or one that is missing.
    Usage { text: &'static str, hint: &'static str },
    /// A run that was interrupted.
    Interrupted { t: f64, end: f64 },
    /// A sweep that was interrupted.
    SweepInterrupted { done: u64, of: u64 },
    /// A continuation that was interrupted.
    FollowInterrupted { points: usize },
    /// A bootstrap that was interrupted.
    RefitsInterrupted { done: usize, of: usize },
    /// The command ran; the result is negative.
    NegativeResult { text: String, hint: String },
}

/// Converts every error of the library.
macro_rules! from_library {
    ($($error:ty),*) => {
        $(impl From<$error> for CommandError {
            fn from(error: $error) -> Self {
                Self::Library(error.into())
            }
        })*
    };
}
from_library!(Error, LawError, SystemError, SimError, DataError, FileError);

impl From<InputLimitError> for CommandError {
    fn from(limit: InputLimitError) -> Self {
        Self::InputLimit(limit)
    }
}

impl CommandError {
    /// An error of the library about `--set path=...`, reported with the option that the user has written instead.
    pub fn of_option(option: &'static str, path: &str, error: Error) -> Self {
        match error {
            Error::Set { error, .. } => Self::Option { option, path: path.to_owned(), error },
            error => error.into(),
        }
    }
    /// The command ran; the result is negative.
    pub fn negative(text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::NegativeResult { text: text.into(), hint: hint.into() }
    }
    /// Exit code of a command that was ended by Ctrl-C, as in shells.
    pub const INTERRUPTED: u8 = 130;

    /// Whether the command was ended by Ctrl-C.
    pub fn is_interruption(&self) -> bool {
        self.code() == Self::INTERRUPTED
    }
    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Joint { error, .. } => error.code(),
            Self::Interrupted { .. }
            | Self::SweepInterrupted { .. }
            | Self::FollowInterrupted { .. }
            | Self::RefitsInterrupted { .. } => Self::INTERRUPTED,
            Self::NegativeResult { .. } => NEGATIVE,
            Self::Library(error) => match error.without_position() {
                Error::Simulation {
                    kind:
                        SimErrorKind::InvalidOption { .. }
                        | SimErrorKind::UnknownProbe { .. }
                        | SimErrorKind::SingularMassMatrix
                        | SimErrorKind::TooLarge { .. }
                        | SimErrorKind::NoSensitivity { .. }
                        | SimErrorKind::PeakWithoutRest { .. }
                        | SimErrorKind::NotWithLossyGear { .. }
                        | SimErrorKind::SwitchedGearWithoutEvents { .. }
                        | SimErrorKind::NotOnPlane { .. },
                    ..
                } => BAD_INPUT,
                Error::Analysis(AnalysisError::Interrupted) => Self::INTERRUPTED,
                Error::Simulation { .. }
                | Error::Analysis(
                    AnalysisError::NoMotion { .. }
                    | AnalysisError::NotPeriodic { .. }
                    | AnalysisError::NotConverged { .. },
                ) => NEGATIVE,
                _ => BAD_INPUT,
            },
            _ => BAD_INPUT,
        }
    }
    /// Prints it, and returns the exit code.
    pub fn report(&self) -> ExitCode {
        let cause = match self {
            Self::Joint { error, .. } => error,
            error => error,
        };
        let label = if matches!(cause, Self::NegativeResult { .. }) { "warning" } else { "error" };
        stream::line(label, stream::shortened(&self.to_string()));
        if let Some(hint) = self.hint() {
            stream::line("hint", stream::shortened(&hint));
        }
        ExitCode::from(self.code())
    }

    fn hint(&self) -> Option<String> {
        let text = match self {
            Self::Library(error) => return hint(error),
            Self::Joint { error, .. } => return error.hint(),
            Self::Option { error, .. } => return hint(error),
            Self::Assignment { option, example: Some(p), .. } => {
                return Some(format!("write {option} NAME=NUMBER, as in {option} {}={}", p.name, short(p.default)));
            }
            Self::Assignment { example: None, .. } => "this law has no recipe: set its parameters with --set",
            Self::Number { text, .. } if with_point(text).is_some() => {
                return with_point(text).map(|text| format!("write {text}: a decimal point, not a comma"));
            }
            Self::FileExtension { path, kinds } => {
                let name = path.file_stem().unwrap_or_default().display().to_string();
                return Some(format!("name it {name}.{}", kinds.join(&format!(" or {name}."))));
            }
            Self::Number { .. } | Self::NotFinite { .. } => "numbers look like 0.2, -3 or 1e-6",
            Self::Range { option, .. } => {
                return Some(format!(
                    "write lo:hi:n, as in {option} -1:1:101, or log:lo:hi:n, as in {option} log:1e-6:1:50"
                ));
            }
            Self::UnusedWithScenario { .. } => {
                "leave it out: columns, laws and constants of the scenario stand in its file; --set PATH=VALUE changes them"
            }
            Self::NoFittedValue { .. } => {
                "name the scenario that was fitted, or give the value: --set NAME=NUMBER; 'stiction identify --scenario NAME -o DIR' writes DIR/scenario.toml and, where a contact's law was fitted, DIR/model.toml"
            }
            Self::UnusedOption { .. } => "leave it out, or choose another --model or --find",
            Self::ValueCount { .. } => "write one number for all files, or one for each",
            Self::Checkpoint { .. } => "remove it, or leave out --resume, to start again",
            Self::Samples { error, .. } => return Some(error.hint()),
            Self::LogRange { .. } => "use lo:hi:n for a range that touches or crosses zero",
            Self::Points { option, max, .. } => {
                return Some(format!("write lo:hi:n with n from 1 to {max}: {option} 0:1:11 is 0, 0.1, 0.2, ... 1"));
            }
            Self::InputLimit(limit) => limit.hint(),
            Self::FolderNotOurs { .. } => "name a new folder, or move the files of this one elsewhere",
            Self::ConstantIsColumn { .. } => "give the constant another name",
            Self::DanglingLink { .. } => "remove the link, or make what it leads to",
            Self::OutputTwice { .. } => "give each -o a name of its own",
            Self::NotOurs { .. } => "move it elsewhere, or give -o another name",
            Self::Interrupted { .. } => "results up to then are kept, marked \"complete\": false",
            Self::FollowInterrupted { .. } => "the points found so far are printed and kept",
            Self::RefitsInterrupted { .. } => "the fit and the refits so far are printed and kept",
            Self::SweepInterrupted { .. } => {
                "finished points are kept: the same command with --resume continues from there"
            }
            Self::Column { option, found, .. } if found.is_empty() => {
                return Some(format!("name the column with {option} NAME"));
            }
            Self::Column { option, found, .. } => {
                return Some(format!("choose one with {option}: {}", found.join(", ")));
            }
            Self::NegativeResult { hint, .. } => return Some(hint.clone()),
            Self::Usage { hint, .. } => hint,
            Self::OverwritesInput { .. } => "give the output another name",
        };
        Some(text.into())
    }
}

fn has(known: &[String], key: &str) -> bool {
    known.iter().any(|name| name == key)
}

/// A number with a decimal comma, rewritten with a decimal point.
fn with_point(text: &str) -> Option<String> {
    let point = text.replacen(',', ".", 1);
    (text.contains(',') && point.trim().parse::<f64>().is_ok()).then(|| point.trim().to_owned())
}

/// A hint for a name that is a file or looks like one, where the name of a law or a scenario is expected.
fn not_a_name(name: &str, what: &str) -> Option<String> {
    let path = Path::new(name);
    let data = ["csv", "txt", "dat", "tsv", "mat", "h5", "parquet", "json", "mcap"];
    let data = path.extension().is_some_and(|e| data.iter().any(|kind| e.eq_ignore_ascii_case(kind)));
    if path.extension().is_some_and(|e| e == "toml") {
        let commands =
            if what == "law" { "'stiction curve FILE' or 'stiction params FILE'" } else { "'stiction run FILE'" };
        Some(format!("this command takes names; for a file use {commands}"))
    } else if path.is_dir() {
        Some(format!("'{name}' is a folder: name a file in it, {name}/..., or a {what}"))
    } else if data {
        Some(format!(
            "the file of a {what} ends in .toml; for measured data use 'stiction data' or 'stiction identify'"
        ))
    } else {
        path.is_file().then(|| format!("the file of a {what} ends in .toml: rename it, or write ./{name}"))
    }
}

/// The library's hint, or a better one in terms of this program.
fn hint(error: &Error) -> Option<String> {
    match error.without_position() {
        Error::Law(LawError::UnknownLaw { name, near }) => {
            if let Some(wrapper) = wrappers::find(name) {
                return Some(format!("'{name}' is a wrapper around a law: {}", wrapper.usage));
            }
            if near.is_empty()
                && let Some(hint) = not_a_name(name, "law")
            {
                return Some(hint);
            }
            let more = if near.is_empty() { "; see 'stiction models'" } else { "" };
            error.hint().map(|hint| hint + more)
        }
        Error::UnknownName { what: "scenario", name, near, .. } if near.is_empty() => {
            let plain = || Some("'stiction scenarios' lists the scenarios; a file ends in .toml".to_owned());
            not_a_name(name, "scenario").or_else(plain)
        }
        Error::LawFile => Some(
            "'stiction curve FILE' shows the law; 'stiction run SCENARIO --set contact.NAME.law=FILE' runs a scenario with it"
                .to_owned(),
        ),
        Error::UnknownKey { name, known, .. }
            if has(known, "provenance") && keys::ALL.iter().any(|c| c.name == name)
                || name == "title" && has(known, "model") =>
        {
            let text = "this is a scenario, as for 'stiction run'; a parameter file begins with [model] and, for example, name = \"lugre\"";
            Some(text.to_owned())
        }
        Error::System(SystemError {
            name,
            kind:
                SystemErrorKind::InvalidValue { key, requirement: requirement @ ("within the run" | "after from"), .. },
        }) if name.starts_with("measure.") => {
            let key = if *requirement == "after from" { "from" } else { key };
            Some(format!("make the run longer, or measure at another time: --set {name}.{key}=NUMBER"))
        }
        Error::Missing { key: "[model]" } => Some(
            "a parameter file begins with [model] and name = \"lugre\"; 'stiction params lugre' prints one".to_owned(),
        ),
        Error::Conflict { key: "--method", .. } => {
            Some("'stiction export controller --help' lists the parts".to_owned())
        }
        Error::Conflict { key: "--set", .. } => {
            Some("'stiction scenarios --keys PART' lists the numbers of a part".to_owned())
        }
        Error::Conflict { why, .. } if why.starts_with("is random") => {
            Some("take a law whose force is a function of the motion: 'stiction models' lists them".to_owned())
        }
        Error::Law(LawError::UnknownInput { law, name, value, .. })
            if models::find(law).is_some_and(|law| law.params.iter().any(|p| p.name == name)) =>
        {
            Some(format!("{name} is a parameter: use --set {name}={}", short(*value)))
        }
        _ => error.hint(),
    }
}

impl Display for CommandError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(error) => error.fmt(f),
            Self::Joint { joint, error } => write!(f, "joint {joint}: {error}"),
            Self::Option { option, path, error } => write!(f, "{option} {path}: {error}"),
            Self::Assignment { option, text, .. } => write!(f, "{option} '{text}' is not NAME=NUMBER"),
            Self::Number { option, text } => write!(f, "{option}: '{text}' is not a number"),
            Self::FileExtension { path, kinds } => {
                let kinds: Vec<String> = kinds.iter().map(|kind| format!(".{kind}")).collect();
                write!(f, "{} does not end in {}, so its format is not known", path.display(), kinds.join(" or "))
            }
            Self::NotFinite { option, text } => write!(f, "{option}: '{text}' is not a finite number"),
            Self::Range { option, text } => write!(f, "{option} '{text}' is not a range"),
            Self::UnusedWithScenario { option } => write!(f, "{option} has no effect with --scenario"),
            Self::NoFittedValue { path, name } => {
                write!(f, "{} has no value of {name}, a free parameter of the scenario", path.display())
            }
            Self::UnusedOption { option } => write!(f, "{option} has no effect here"),
            Self::ValueCount { option, numbers, files } => {
                write!(f, "{option} has {numbers} numbers for {files} files")
            }
            Self::Checkpoint { path, why } => write!(f, "cannot resume from {}: {why}", path.display()),
            Self::Samples { path, error } => write!(f, "{}: {error}", path.display()),
            Self::LogRange { option, text } => write!(f, "{option} '{text}': both ends must be above zero"),
            Self::Points { option, text, .. } => {
                write!(f, "{option} '{text}': the number of points is not a whole number within the limit")
            }
            Self::InputLimit(InputLimitError::Load { factor, max }) => {
                write!(f, "--load gives a load factor of {}, outside ±{}", short(*factor), short(*max))
            }
            Self::InputLimit(limit) => limit.fmt(f),
            Self::FolderNotOurs { path, by } => {
                write!(
                    f,
                    "{} contains '{by}', which stiction has not written, so the folder is not replaced",
                    path.display()
                )
            }
            Self::Column { what, found, .. } if found.is_empty() => write!(f, "no column looks like {what}"),
            Self::Column { what, .. } => write!(f, "several columns may be {what}"),
            Self::ConstantIsColumn { name, path } => {
                write!(f, "--constant {name}: {} has a column of that name", path.display())
            }
            Self::DanglingLink { path } => {
                let target = std::fs::read_link(path).unwrap_or_default();
                write!(f, "-o {} is a link to {}, which does not exist", path.display(), target.display())
            }
            Self::OutputTwice { path } => write!(f, "-o {} is given twice", path.display()),
            Self::NotOurs { path, what } => {
                write!(f, "{} would be replaced, but is not {what}", path.display())
            }
            Self::NegativeResult { text, .. } => f.write_str(text),
            Self::Usage { text, .. } => f.write_str(text),
            Self::Interrupted { t, end } => write!(f, "interrupted at t = {} s of {} s", short(*t), short(*end)),
            Self::FollowInterrupted { points } => write!(f, "interrupted after {points} points of the branch"),
            Self::RefitsInterrupted { done, of } => write!(f, "interrupted after {done} of {of} refits"),
            Self::SweepInterrupted { done, of } => write!(f, "interrupted after {done} of {of} points"),
            Self::OverwritesInput { input, output } if input == Path::new("-") => {
                write!(f, "-o {} is the file that stdin is read from", output.display())
            }
            Self::OverwritesInput { input, output } if output.is_dir() => {
                write!(
                    f,
                    "-o {} would replace that folder and {} in it, which this command reads",
                    output.display(),
                    input.display()
                )
            }
            Self::OverwritesInput { input, output } => {
                write!(f, "{} would replace {}, which this command reads", output.display(), input.display())
            }
        }
    }
}
