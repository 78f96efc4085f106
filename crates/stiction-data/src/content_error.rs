//! What can be wrong with the content of a data file.
use crate::column_name::{ColumnNameError, QUOTED};
use crate::expression::{ExpressionError, ExpressionErrorKind};
use std::borrow::Cow;
use stiction_io::number::short;
use stiction_io::similar_names::suggestion;
use stiction_io::{excerpt, printable};

/// What is wrong with the content of a data file. Rows, lines and columns count from one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ContentError {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file has no row of numbers.
    #[error("there is no row of numbers in it")]
    NoNumbers,
    /// A kind of file that is not supported.
    #[error("this is {what}, which is not supported")]
    Unsupported {
        /// What it is.
        what: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// A kind of file whose reader is not part of this build.
    #[error("this is {what}; built without the feature '{feature}'")]
    MissingFeature {
        /// What it is.
        what: &'static str,
        /// The feature to build with.
        feature: &'static str,
    },
    /// A file that violates its format.
    #[error("not valid {format}: {reason}{}", byte.map(|byte| format!(", at byte {byte}")).unwrap_or_default())]
    Malformed {
        /// The format.
        format: &'static str,
        /// What is wrong.
        reason: String,
        /// At this byte, if it is known.
        byte: Option<u64>,
    },
    /// A file that ends too early.
    #[error("not valid {format}: it ends too early")]
    Truncated {
        /// The format.
        format: &'static str,
    },
    /// A line that is too long.
    #[error("line {line} is longer than {max} bytes")]
    LineTooLong {
        /// The line.
        line: u64,
        /// The longest line that is read \[bytes\].
        max: usize,
    },
    /// A row with too few or too many cells.
    #[error("line {line} has {cells} cell{}, expected {expected}", if *cells == 1 { "" } else { "s" })]
    CellCount {
        /// The line.
        line: u64,
        /// Cells it has.
        cells: usize,
        /// Cells it should have.
        expected: usize,
    },
    /// A cell that is not a number.
    #[error("{} {row}, column '{}': '{}' is not a number", if *line { "line" } else { "row" }, quote(column), quote(text))]
    NotANumber {
        /// The row, or in a text file the line.
        row: u64,
        /// Whether `row` is a line.
        line: bool,
        /// The column.
        column: String,
        /// The text of the cell.
        text: String,
    },
    /// A name that no column has, or more than one.
    #[error(transparent)]
    ColumnName(#[from] ColumnNameError),
    /// A column that holds text.
    #[error("column '{}' holds text ('{}'), not numbers", quote(name), quote(text))]
    TextColumn {
        /// The column.
        name: String,
        /// The text of one of its cells.
        text: String,
    },
    /// Columns of different lengths.
    #[error("'{}' has {} rows, '{}' has {}: columns used together must be equally long",
        quote(&first.0), first.1, quote(&second.0), second.1)]
    DifferentLengths {
        /// Name and rows of a column.
        first: (String, u64),
        /// Name and rows of another column.
        second: (String, u64),
    },
    /// Columns of different topics, whose messages have times of their own.
    #[error("'{}' is of topic {}, '{}' of topic {}: their messages have times of their own",
        quote(&first.0), quote(&first.1), quote(&second.0), quote(&second.1))]
    DifferentTopics {
        /// Name and topic of a column.
        first: (String, String),
        /// Name and topic of another column.
        second: (String, String),
    },
    /// A topic that is not in the file, or whose messages are not read.
    #[error("there is no topic '{}' with messages that can be read", quote(name))]
    UnknownTopic {
        /// The name.
        name: String,
        /// Similar names of topics.
        near: Vec<String>,
        /// All topics.
        known: Vec<String>,
    },
    /// A log without messages.
    #[error("this {format} file holds no message")]
    NoMessages {
        /// The format.
        format: &'static str,
    },
    /// An option that this file has no use for.
    #[error("{option} was chosen, which only {needs} has")]
    OptionWithoutEffect {
        /// What was chosen.
        option: &'static str,
        /// What has it.
        needs: &'static str,
    },
    /// An episode that is not in the file.
    #[error("there is no episode {episode}; the file holds {}", if first == last { format!("episode {first}") } else { format!("episodes {first} to {last}") })]
    NoEpisode {
        /// The episode.
        episode: u64,
        /// The first one in the file.
        first: f64,
        /// The last one.
        last: f64,
    },
    /// A list with more elements than those before it.
    #[error("row {row}: the list '{}' has {found} elements, more than the {expected} of the first rows", quote(column))]
    ListLength {
        /// The row.
        row: u64,
        /// The column.
        column: String,
        /// Its elements in this row.
        found: usize,
        /// Columns there are for it.
        expected: usize,
    },
    /// An expression that cannot be parsed.
    #[error("{error}\n  {}\n  {}^", printable(text), " ".repeat(error.position.saturating_sub(1)))]
    Expression {
        /// The text.
        text: String,
        /// What is wrong with it.
        error: ExpressionError,
    },
    /// An expression whose value is not finite although all its columns are.
    #[error("{}: '{}' is {value}{}", position(*row, *line), printable(text), assignments(inputs))]
    NotFinite {
        /// The text.
        text: String,
        /// The row.
        row: u64,
        /// The line of a text file.
        line: Option<u64>,
        /// Its value.
        value: f64,
        /// The columns in it, and their values.
        inputs: Vec<(String, f64)>,
    },
    /// More columns than are read.
    #[error("more than {limit} columns, which is the most that is read")]
    TooManyColumns {
        /// Most columns.
        limit: usize,
    },
    /// Time that decreases from one row to the next.
    #[error("{}: time goes backwards in '{}', from {} to {}",
        position(*row, *line), quote(column), short(times[1]), short(times[0]))]
    TimeDecreases {
        /// The column.
        column: String,
        /// The row.
        row: u64,
        /// The line of a text file.
        line: Option<u64>,
        /// The time in that row, and in the row before.
        times: [f64; 2],
    },
    /// Too few rows for an evaluation.
    #[error("{rows} rows are too few: at least {needed} are needed")]
    TooFewRows {
        /// Rows of the file.
        rows: u64,
        /// Rows that are needed.
        needed: u64,
    },
    /// A signal that never changes, where a change is needed.
    #[error("a signal that never changes has no delay")]
    ConstantSignal,
    /// A stream that was read already.
    #[error("a stream can be read only once")]
    StreamConsumed,
}

/// A text from the file, safe to show and not too long.
fn quote(text: &str) -> Cow<'_, str> {
    excerpt(text, QUOTED)
}

/// The position of a row, as a user finds it.
fn position(row: u64, line: Option<u64>) -> String {
    line.map_or_else(|| format!("row {row}"), |line| format!("line {line} (row {row})"))
}

/// ` for x = 1, y = 2`.
fn assignments(inputs: &[(String, f64)]) -> String {
    let inputs: Vec<_> = inputs.iter().map(|(name, x)| format!("{} = {}", quote(name), short(*x))).collect();
    if inputs.is_empty() { String::new() } else { format!(" for {}", inputs.join(", ")) }
}

impl ContentError {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::Empty | Self::NoNumbers => "a data file has one row per sample, as in 0.001,0.25,-3e-2",
            Self::Unsupported { hint, .. } => hint,
            Self::MissingFeature { feature, .. } => return format!("build with --features {feature}"),
            Self::Truncated { format: "MCAP" } => {
                "was the recording interrupted? 'mcap recover FILE -o OUT' saves the messages that are complete"
            }
            Self::DifferentTopics { first, .. } => {
                return format!(
                    "choose columns of one topic, or one row per message of {} with --topic {0}, where columns of other topics hold their last value",
                    printable(&first.1)
                );
            }
            Self::UnknownTopic { near, known, .. } => return suggestion(near, known),
            Self::NoMessages { .. } => "was anything published while it was recorded?",
            Self::OptionWithoutEffect { .. } => "leave the option out",
            Self::NoEpisode { .. } => "choose one of these with --episode",
            Self::ListLength { .. } => "columns are made for the longest list of the first 4096 rows",
            Self::Malformed { .. } | Self::Truncated { .. } => {
                "was it copied completely? Write it again, or export it as CSV"
            }
            Self::LineTooLong { .. } => "is this a table with one row per line?",
            Self::CellCount { .. } => "repair the line, or skip the lines above the table with --skip",
            Self::NotANumber { .. } => "numbers look like 0.2, -3 or 1e-6; an empty cell or NaN is a missing value",
            Self::ColumnName(error) => return error.hint(),
            Self::TextColumn { .. } => "choose another column; convert times of day to seconds",
            Self::DifferentLengths { .. } => "choose columns of the same length",
            Self::Expression { error, .. } => {
                let hint = error.hint();
                let ExpressionErrorKind::UnknownName { name, .. } = &error.kind else { return hint };
                let end = if hint.ends_with('?') { "" } else { "." };
                return format!("{hint}{end} A constant is given with --constant {}=NUMBER", excerpt(name, QUOTED));
            }
            Self::NotFinite { .. } => "limit its argument: max(x, 1e-9), abs(x), clip(x, lo, hi)",
            Self::TooManyColumns { limit } => {
                return format!(
                    "write at most {limit} columns to one file; arrays of samples have one column per quantity"
                );
            }
            Self::TimeDecreases { .. } => {
                "sort the rows, or split the file where the clock was set; in a file of episodes, choose one with --episode"
            }
            Self::TooFewRows { .. } => "record for longer",
            Self::ConstantSignal => "choose two columns that both vary",
            Self::StreamConsumed => "write it to a file first",
        };
        text.to_owned()
    }
}
