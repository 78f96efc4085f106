//! What an audit finds.
use crate::log::Problem;

/// Some cells: how many, and the first of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// How many.
    pub count: u64,
    /// The first row, from one, and its line in a text file.
    pub first: Option<(u64, Option<u64>)>,
}

impl Cells {
    pub(super) fn add(&mut self, place: (u64, Option<u64>)) {
        self.count += 1;
        self.first.get_or_insert(place);
    }
}

/// Intervals of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steps {
    /// The median.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// One in twenty is shorter.
    pub low: f64,
    /// One in twenty is longer.
    pub high: f64,
    /// The shortest and the longest.
    pub range: [f64; 2],
}

/// Intervals longer than one and a half times the median.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gaps {
    /// How many.
    pub count: u64,
    /// The longest interval.
    pub longest: f64,
    /// The row, from one, that ends it.
    pub row: u64,
}

/// The clock of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// The column.
    pub name: String,
    /// Its unit.
    pub unit: Option<String>,
    /// First and last.
    pub span: [f64; 2],
    /// Intervals that go forwards.
    pub step: Steps,
    /// Whether no interval differs by more than one percent from the median.
    pub uniform: bool,
    /// Gaps.
    pub gaps: Gaps,
    /// Rows with the time of the row before.
    pub repeated: Cells,
    /// Rows with a time before that of the row before.
    pub backwards: Cells,
    /// Time there, and in the row before.
    pub turn: [f64; 2],
    /// Rows without a time.
    pub missing: Cells,
}

impl Time {
    /// Whether time goes on.
    ///
    /// # Errors
    /// [`Problem::Backwards`] with the first row at which it does not.
    pub fn check(&self) -> Result<(), Problem> {
        match self.backwards.first {
            Some((row, line)) => Err(Problem::Backwards { column: self.name.clone(), row, line, times: self.turn }),
            None => Ok(()),
        }
    }
}

/// The lowest or highest value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extreme {
    /// The value.
    pub value: f64,
    /// Rows that have it.
    pub count: u64,
    /// Most of them one after the other.
    pub longest: u64,
    /// Whether the signal seems to be cut off there: it stays, while values just within are rare.
    pub saturated: bool,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Name.
    pub name: String,
    /// Unit, if it is known.
    pub unit: Option<String>,
    /// Cells that are empty or NaN.
    pub missing: Cells,
    /// Cells that are infinite.
    pub infinite: Cells,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// Lowest and highest value; nothing if there is no number.
    pub ends: Option<[Extreme; 2]>,
    /// The step of which all values are multiples, if there is one.
    pub quantum: Option<f64>,
    /// Whether every value is above the one before.
    pub rising: bool,
}

impl Signal {
    /// Whether it never changes.
    pub fn constant(&self) -> bool {
        self.ends.is_some_and(|[low, high]| low.value == high.value)
    }
}

/// What was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// Number of rows.
    pub rows: u64,
    /// The clock, if there is one.
    pub time: Option<Time>,
    /// All other columns.
    pub signals: Vec<Signal>,
}
