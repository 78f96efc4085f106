//! What a user may have done wrong, and how it is said: `error:`, then `hint:`, on stderr, exit code 2.
use crate::stream;
use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};
use std::process::ExitCode;
use stiction::{Error, number::short};

/// Exit code for bad input.
const BAD_INPUT: u8 = 2;

/// Why a command stopped.
#[derive(Debug)]
pub enum Fault {
    /// The library refused.
    Library(Error),
    /// Not of the form `name=value`.
    Assignment {
        option: &'static str,
        text: String,
    },
    /// Not a number.
    Number {
        option: &'static str,
        text: String,
    },
    /// A number, but not a finite one.
    NotFinite {
        option: &'static str,
        text: String,
    },
    /// Not of the form `lo:hi:n`.
    Range {
        text: String,
    },
    /// Steps by factors need ends above zero.
    LogRange {
        text: String,
    },
    /// No points, or more than anyone can use.
    Points {
        text: String,
        max: usize,
    },
    /// A speed beyond all laws.
    Overflow {
        v: f64,
    },
    Stdout(io::Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl Fault {
    /// Says it, and gives the exit code.
    pub fn report(&self) -> ExitCode {
        stream::line("error", self);
        if let Some(hint) = self.hint() {
            stream::line("hint", hint);
        }
        ExitCode::from(BAD_INPUT)
    }

    fn hint(&self) -> Option<String> {
        let text = match self {
            Self::Library(error @ Error::UnknownLaw { near, .. }) if near.is_empty() => {
                return error.hint().map(|hint| format!("{hint}; see 'stiction models'"));
            }
            Self::Library(error) => return error.hint().or_else(|| Some("see 'stiction --help'".into())),
            Self::Assignment { option, .. } => {
                return Some(format!("write {option} NAME=NUMBER, as in {option} fc=1.5"));
            }
            Self::Number { .. } | Self::NotFinite { .. } => "numbers look like 0.2, -3 or 1e-6",
            Self::Range { .. } => "write lo:hi:n, as in --range -1:1:101, or log:lo:hi:n, as in --range log:1e-6:1:50",
            Self::LogRange { .. } => "use lo:hi:n for a range that touches or crosses zero",
            Self::Points { max, .. } => return Some(format!("the number of points is a whole number from 1 to {max}")),
            Self::Overflow { .. } => "use a smaller speed",
            Self::Stdout(_) => "check where the output goes",
        };
        Some(text.into())
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(error) => error.fmt(f),
            Self::Assignment { option, text } => write!(f, "{option} '{text}' is not NAME=NUMBER"),
            Self::Number { option, text } => write!(f, "{option}: '{text}' is not a number"),
            Self::NotFinite { option, text } => write!(f, "{option}: '{text}' is not a finite number"),
            Self::Range { text } => write!(f, "--range '{text}' is not a range"),
            Self::LogRange { text } => write!(f, "--range '{text}': both ends must be above zero"),
            Self::Points { text, .. } => write!(f, "--range '{text}': the number of points is not possible"),
            Self::Overflow { v } => write!(f, "v = {} is too large to compute with", short(*v)),
            Self::Stdout(error) => write!(f, "cannot write to stdout: {error}"),
        }
    }
}

/// Help and version to stdout; a mistake in the options in the same words as any other.
pub fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.render().to_string().replace("  tip: ", "hint: ");
    let text = text.replace("For more information, try '--help'.", "hint: try '--help'");
    let _ = io::stderr().write_all(text.as_bytes());
    ExitCode::from(BAD_INPUT)
}
