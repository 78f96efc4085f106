//! Reads measured files as motions.
use super::parse::factor;
use crate::data::table_args::TableArgs;
use crate::error::CommandError;
use std::fs::File;
use std::path::{Path, PathBuf};
use stiction::Error;
use stiction::FileError;
use stiction::digest::sha256;
use stiction::identify::{ColumnRoles, Preparation, RecordSet, Smoothing};
use stiction_report::text::quote;

/// The columns of the quantities.
#[derive(Clone, PartialEq, clap::Args)]
pub struct ColumnArgs {
    /// Time (s), if its name does not say so.
    #[arg(long, value_name = "NAME|EXPR")]
    pub(super) time: Option<String>,
    /// Position [m or rad].
    #[arg(long, value_name = "NAME|EXPR", allow_hyphen_values = true)]
    pub(super) position: Option<String>,
    /// Velocity [m/s or rad/s]; default: the derivative of the position.
    #[arg(long, value_name = "NAME|EXPR", allow_hyphen_values = true)]
    pub(super) velocity: Option<String>,
    /// Acceleration; default: the derivative of the velocity.
    #[arg(long, value_name = "NAME|EXPR", allow_hyphen_values = true)]
    pub(super) acceleration: Option<String>,
    /// Applied force [N or N·m], or friction itself with --mass 0.
    #[arg(long, value_name = "NAME|EXPR", allow_hyphen_values = true)]
    pub(super) force: Option<String>,
    /// Normal load: a column, an expression, or one number for each file, separated by commas.
    #[arg(long, value_name = "NAME|EXPR|N,N...", allow_hyphen_values = true)]
    pub(super) load: Option<String>,
    /// A known force that the drive has to overcome beside inertia and friction, such as gravity: force = mass·a +
    /// friction + known. It is positive where it must be pushed against in the positive direction.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(super) known: Option<String>,
    /// Another force, whose size is estimated, such as gravity on an arm: its coefficient times a column or expression;
    /// with a name for the coefficient if you like; repeatable.
    #[arg(long, value_name = "[NAME=]EXPR", value_parser = term, allow_hyphen_values = true)]
    pub term: Vec<(String, String)>,
    /// The moving mass [kg or kg·m²], if it is known: one number, or one for each file, separated by commas; 0 if the
    /// force is friction.
    #[arg(long, value_name = "KG", value_parser = numbers, allow_negative_numbers = true)]
    pub(super) mass: Option<NumberPerFile>,
    /// Average this number of rows while a file is read: for files larger than memory.
    #[arg(long, value_name = "ROWS", default_value = "1", value_parser = factor)]
    pub(super) mean: usize,
    /// Nominal sampling rate (Hz), if the times in the file are missing or unreliable.
    #[arg(long, value_name = "HERTZ", allow_hyphen_values = true)]
    pub(super) rate: Option<f64>,
    /// Delay of the force measurement relative to the motion (s); auto estimates it with the law.
    #[arg(long, value_name = "SECONDS|auto", value_parser = delay, allow_hyphen_values = true)]
    pub(super) delay: Option<Delay>,
    /// Weight of each sample, the inverse of its variance: a column or an expression. For laws of sliding and velocity
    /// steps.
    #[arg(long, value_name = "NAME|EXPR", allow_hyphen_values = true)]
    pub weight: Option<String>,
}

impl ColumnArgs {
    /// The options, and whether each was given.
    pub fn given(&self) -> [(&'static str, bool); 12] {
        [
            ("--time", self.time.is_some()),
            ("--position", self.position.is_some()),
            ("--velocity", self.velocity.is_some()),
            ("--acceleration", self.acceleration.is_some()),
            ("--force", self.force.is_some()),
            ("--load", self.load.is_some()),
            ("--known", self.known.is_some()),
            ("--term", !self.term.is_empty()),
            ("--mass", self.mass.is_some()),
            ("--mean", self.mean != 1),
            ("--rate", self.rate.is_some()),
            ("--delay", self.delay.is_some()),
        ]
    }
    /// Whether the delay is estimated.
    pub fn fits_delay(&self) -> bool {
        self.delay == Some(Delay::Estimated)
    }
    /// The delay, if it is given.
    pub fn given_delay(&self) -> Option<f64> {
        match self.delay {
            Some(Delay::Given(seconds)) => Some(seconds),
            _ => None,
        }
    }
    /// The position as given.
    pub fn position(&self) -> Option<&str> {
        self.position.as_deref()
    }
    /// Whether a mass above zero is given: the force is then not friction itself.
    pub fn moving_mass(&self) -> bool {
        self.mass.as_ref().is_some_and(|mass| mass.0.iter().any(|m| *m > 0.0))
    }
    /// The velocity as given.
    pub fn velocity(&self) -> Option<&str> {
        self.velocity.as_deref()
    }
}

/// The name of a coefficient and the expression that it multiplies; without a name, the expression is the name.
fn term(text: &str) -> Result<(String, String), String> {
    let word = |name: &str| {
        name.starts_with(|c: char| c.is_alphabetic()) && name.chars().all(|c| c.is_alphanumeric() || "_.-".contains(c))
    };
    let (name, expression) = match text.split_once('=') {
        // a comparison is part of the expression
        Some((name, expression)) if word(name.trim()) && !expression.starts_with('=') => {
            (name.trim(), expression.trim())
        }
        _ => (text.trim(), text.trim()),
    };
    if expression.is_empty() {
        return Err("write a column or an expression, as in 'sin(q)' or 'gravity=sin(q)'".to_owned());
    }
    Ok((name.to_owned(), expression.to_owned()))
}

/// The delay of the force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Delay {
    Given(f64),
    Estimated,
}

fn delay(text: &str) -> Result<Delay, String> {
    match (text, text.trim().parse::<f64>()) {
        ("auto", _) => Ok(Delay::Estimated),
        (_, Ok(seconds)) if seconds.is_finite() => Ok(Delay::Given(seconds)),
        _ => Err("write a number of seconds, or auto".to_owned()),
    }
}

/// One number, or one for each file.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberPerFile(Vec<f64>);

fn numbers(text: &str) -> Result<NumberPerFile, String> {
    let number = |text: &str| match text.trim().parse::<f64>() {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        _ => Err(format!("'{text}' is not a number of zero or more")),
    };
    text.split(',').map(number).collect::<Result<_, _>>().map(NumberPerFile)
}

impl NumberPerFile {
    fn of(&self, k: usize, files: usize, option: &'static str) -> Result<f64, CommandError> {
        match self.0[..] {
            [one] => Ok(one),
            _ if self.0.len() == files => Ok(self.0[k]),
            _ => Err(CommandError::ValueCount { option, numbers: self.0.len(), files }),
        }
    }
}

/// The preparation of file `k` out of this number of files.
pub fn recipe(
    columns: &ColumnArgs,
    smooth: Smoothing,
    drop: [usize; 2],
    k: usize,
    files: usize,
) -> Result<Preparation, CommandError> {
    let mass = columns.mass.as_ref().map(|mass| mass.of(k, files, "--mass")).transpose()?;
    let load = fixed_load(columns, files).map(|load| load.of(k, files, "--load")).transpose()?;
    Ok(Preparation { smooth, drop, rate: columns.rate, delay: columns.given_delay().unwrap_or(0.0), mass, load })
}

/// Loads that are numbers, one for each file. A single whole number is the number of a column.
fn fixed_load(columns: &ColumnArgs, files: usize) -> Option<NumberPerFile> {
    let text = columns.load.as_deref()?;
    let list = numbers(text).ok()?;
    (list.0.len() > 1 || (files == 1 && text.contains('.'))).then_some(list)
}

/// The columns of the quantities; a load that is a fixed number is not a column.
pub fn roles(columns: &ColumnArgs, layout: &TableArgs, fixed: bool) -> ColumnRoles {
    ColumnRoles {
        time: columns.time.clone(),
        position: columns.position.clone(),
        velocity: columns.velocity.clone(),
        acceleration: columns.acceleration.clone(),
        force: columns.force.clone(),
        load: columns.load.clone().filter(|_| !fixed),
        known: columns.known.clone(),
        weight: columns.weight.clone(),
        terms: columns.term.clone(),
        counted: columns.rate.is_some() && columns.time.is_none(),
        mean: columns.mean,
        constants: layout.constant.clone(),
    }
}

/// Reads and prepares files, with these forces of unknown size.
pub fn read(
    files: &[PathBuf],
    columns: &ColumnArgs,
    layout: &TableArgs,
    terms: &[(String, String)],
    recipe: &dyn Fn(usize) -> Result<Preparation, CommandError>,
) -> Result<RecordSet, CommandError> {
    let fixed = fixed_load(columns, files.len()).is_some();
    let roles = ColumnRoles { terms: terms.to_vec(), ..roles(columns, layout, fixed) };
    let mut out = RecordSet::default();
    for (k, path) in files.iter().enumerate() {
        let recipe = recipe(k)?;
        let table = layout.open(path)?;
        out.add(&table, digest(path)?, &roles, &recipe).map_err(|error| blame(path, error))?;
    }
    Ok(out)
}

/// An error about samples names the file they are from.
fn blame(path: &Path, error: Error) -> CommandError {
    match error {
        Error::Numerics(error) => CommandError::Samples { path: path.to_owned(), error },
        error => error.into(),
    }
}

/// The SHA-256 digest of a file; none for stdin, which cannot be read again.
pub fn digest(path: &Path) -> Result<String, CommandError> {
    if path == Path::new("-") {
        return Ok("unknown: read from stdin".to_owned());
    }
    let file = |io| Error::File(FileError { path: path.to_owned(), action: "read", io });
    Ok(File::open(path).and_then(sha256).map_err(file)?)
}

/// The SHA-256 digest of a text.
pub fn digest_of_bytes(bytes: &[u8]) -> Result<String, CommandError> {
    Ok(sha256(bytes).map_err(|io| Error::File(FileError { path: PathBuf::from("-"), action: "read", io }))?)
}

/// The words of the command as they were given, without the name of the program.
pub fn words() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The command as it was given, for the report.
pub fn command() -> String {
    command_of(&words())
}

/// The command of these words.
pub fn command_of(words: &[String]) -> String {
    let quoted = words.iter().map(|word| quote(word));
    ["stiction".to_owned()].into_iter().chain(quoted).collect::<Vec<_>>().join(" ")
}
