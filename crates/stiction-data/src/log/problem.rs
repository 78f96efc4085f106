//! What can be wrong with measured data.
use super::expr::Mistake;
use std::fmt::{self, Display, Formatter};
use stiction_io::number::short;

/// What is wrong with a file of data, with all it takes to say so. Rows, lines and columns count from one.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// Nothing in it.
    Empty,
    /// No row of numbers in it.
    NoNumbers,
    /// A kind of file that is not read.
    Foreign {
        /// What it is.
        what: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// A kind of file that this build leaves out.
    Feature {
        /// What it is.
        what: &'static str,
        /// The feature to build with.
        feature: &'static str,
    },
    /// A file that breaks the rules of its format.
    Broken {
        /// The format.
        format: &'static str,
        /// What is wrong.
        why: String,
        /// At this byte, if it is known.
        byte: Option<u64>,
    },
    /// A file that ends too early.
    Cut {
        /// The format.
        format: &'static str,
    },
    /// A line longer than anyone would write.
    LongLine {
        /// The line.
        line: u64,
        /// The longest that is read \[bytes\].
        max: usize,
    },
    /// A row with too few or too many cells.
    Ragged {
        /// The line.
        line: u64,
        /// Cells it has.
        cells: usize,
        /// Cells it should have.
        expected: usize,
    },
    /// A cell that is no number.
    Cell {
        /// The row, or in a text file the line.
        row: u64,
        /// Whether that is a line.
        line: bool,
        /// The column.
        column: String,
        /// What stands there.
        text: String,
    },
    /// No column has this name.
    UnknownColumn {
        /// The name.
        name: String,
        /// Names it may have been meant for.
        near: Vec<String>,
        /// The names there are.
        known: Vec<String>,
    },
    /// A name that several columns have.
    Ambiguous {
        /// The name.
        name: String,
        /// The numbers of the columns.
        columns: Vec<usize>,
    },
    /// A column of text.
    NotNumbers {
        /// The column.
        name: String,
        /// What stands in it.
        text: String,
    },
    /// Columns that do not go together.
    Lengths {
        /// A column.
        first: (String, u64),
        /// Another.
        second: (String, u64),
    },
    /// An expression that cannot be read.
    Expression {
        /// The text.
        text: String,
        /// What is wrong with it.
        mistake: Mistake,
    },
    /// An expression that gives no number.
    Undefined {
        /// The text.
        text: String,
        /// The row.
        row: u64,
        /// The line of a text file.
        line: Option<u64>,
        /// What it gives.
        value: f64,
        /// The columns in it, and their values.
        inputs: Vec<(String, f64)>,
    },
    /// More rows than are kept in memory.
    Long {
        /// Most rows.
        most: usize,
        /// Rows that were made one.
        by: usize,
    },
    /// No column is known to be what is needed.
    Role {
        /// What it should be: `force`.
        role: &'static str,
        /// The names there are.
        known: Vec<String>,
    },
    /// Columns of a body that turns beside columns of one that slides.
    Mixed {
        /// One that turns.
        turns: String,
        /// One that slides.
        slides: String,
    },
    /// A column in a unit of something else.
    WrongUnit {
        /// What it should be.
        role: &'static str,
        /// The column.
        column: String,
        /// Its unit.
        unit: String,
        /// A unit that would fit.
        want: &'static str,
    },
    /// Time that does not go on.
    Backwards {
        /// The column.
        column: String,
        /// The row.
        row: u64,
        /// The line of a text file.
        line: Option<u64>,
        /// The time there, and in the row before.
        times: [f64; 2],
    },
    /// Too few rows for a question.
    Few {
        /// Rows there are.
        rows: u64,
        /// Rows it takes.
        needed: u64,
    },
    /// A stream that was read already.
    Spent,
}

/// The place of a row, as a user finds it.
fn place(row: u64, line: Option<u64>) -> String {
    line.map_or_else(|| format!("row {row}"), |line| format!("line {line} (row {row})"))
}

impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the file is empty"),
            Self::NoNumbers => f.write_str("there is no row of numbers in it"),
            Self::Foreign { what, .. } => write!(f, "this is {what}, which is not read"),
            Self::Feature { what, feature } => write!(f, "this is {what}; built without the feature '{feature}'"),
            Self::Broken { format, why, byte: Some(byte) } => write!(f, "not valid {format}: {why}, at byte {byte}"),
            Self::Broken { format, why, byte: None } => write!(f, "not valid {format}: {why}"),
            Self::Cut { format } => write!(f, "not valid {format}: it ends too early"),
            Self::LongLine { line, max } => write!(f, "line {line} is longer than {max} bytes"),
            Self::Ragged { line, cells, expected } => {
                write!(f, "line {line} has {cells} cell{}, expected {expected}", if *cells == 1 { "" } else { "s" })
            }
            Self::Cell { row, line, column, text } => {
                let place = if *line { "line" } else { "row" };
                write!(f, "{place} {row}, column '{column}': '{text}' is not a number")
            }
            Self::UnknownColumn { name, .. } => write!(f, "there is no column '{name}'"),
            Self::Ambiguous { name, columns } => write!(f, "{} columns are called '{name}'", columns.len()),
            Self::NotNumbers { name, text } => write!(f, "column '{name}' holds text ('{text}'), not numbers"),
            Self::Lengths { first, second } => write!(
                f,
                "'{}' has {} rows, '{}' has {}: they do not go together",
                first.0, first.1, second.0, second.1
            ),
            Self::Expression { text, mistake } => {
                write!(f, "{mistake}\n  {text}\n  {}^", " ".repeat(mistake.at.saturating_sub(1)))
            }
            Self::Undefined { text, row, line, value, inputs } => {
                let inputs: Vec<_> = inputs.iter().map(|(name, x)| format!("{name} = {}", short(*x))).collect();
                let of = if inputs.is_empty() { String::new() } else { format!(" for {}", inputs.join(", ")) };
                write!(f, "{}: '{text}' is {value}{of}", place(*row, *line))
            }
            Self::Backwards { column, row, line, times: [now, before] } => write!(
                f,
                "{}: time goes backwards in '{column}', from {} to {}",
                place(*row, *line),
                short(*before),
                short(*now)
            ),
            Self::Long { most, by: 1 } => write!(f, "more than {most} rows, which is more than is kept in memory"),
            Self::Long { most, by } => {
                write!(f, "more than {most} means over {by} rows, which is more than is kept in memory")
            }
            Self::Role { role, known } => {
                write!(f, "no column is known to be {role}; there are: {}", known.join(", "))
            }
            Self::Mixed { turns, slides } => {
                write!(f, "{turns} is of a body that turns, {slides} of one that slides")
            }
            Self::WrongUnit { role, column, unit, want } => {
                write!(f, "{role} is to be measured in {want}, but column '{column}' is in {unit}")
            }
            Self::Few { rows, needed } => write!(f, "{rows} rows are too few: it takes {needed}"),
            Self::Spent => f.write_str("a stream can be read only once"),
        }
    }
}

impl Problem {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::Empty | Self::NoNumbers => "a file of data has one row to a sample, as in 0.001,0.25,-3e-2",
            Self::Foreign { hint, .. } => hint,
            Self::Feature { feature, .. } => return format!("build with --features {feature}"),
            Self::Broken { .. } | Self::Cut { .. } => "was it copied whole? Write it again, or export it as CSV",
            Self::LongLine { .. } => "is this a table, with one row to a line?",
            Self::Ragged { .. } => "repair the line, or skip what stands above the table with --skip",
            Self::Cell { .. } => "numbers look like 0.2, -3 or 1e-6; an empty cell or NaN is a missing one",
            Self::UnknownColumn { near, known, .. } => return stiction_io::near::meant(near, known),
            Self::Ambiguous { columns, .. } => {
                let numbers: Vec<_> = columns.iter().map(ToString::to_string).collect();
                return format!("choose by number: {}", numbers.join(" or "));
            }
            Self::NotNumbers { .. } => "choose another column; times of day must be seconds",
            Self::Lengths { .. } => "choose columns of one length",
            Self::Expression { mistake, .. } => return mistake.hint(),
            Self::Undefined { .. } => "guard it: max(x, 1e-9), abs(x), clip(x, lo, hi)",
            Self::Backwards { .. } => "sort the rows, or cut the file where the clock was set",
            Self::Long { by, .. } => return format!("take means over more rows while it is read: --mean {}", 10 * by),
            Self::Role { role: "time", .. } => "say which with --time NAME, or count the rows: --rate 1000 for 1000 Hz",
            Self::Mixed { .. } => "choose columns that belong together, or scale by hand, as in --force 'tau/0.02'",
            Self::Role { role, .. } => {
                return format!("say which with --{role} NAME, or make it: --{role} '0.5*name'");
            }
            Self::WrongUnit { role, .. } => {
                return format!("choose another column, or scale it by hand: --{role} '1*name'");
            }
            Self::Few { .. } => "record for longer",
            Self::Spent => "write it to a file first",
        };
        text.to_owned()
    }
}
