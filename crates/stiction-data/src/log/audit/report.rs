//! The results of an audit.
use crate::ContentError;

/// Cells of one kind: their number, and the first of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellCount {
    /// Their number.
    pub count: u64,
    /// The first row, from one, and its line in a text file.
    pub first: Option<(u64, Option<u64>)>,
}

impl CellCount {
    pub(super) fn add(&mut self, position: (u64, Option<u64>)) {
        self.count += 1;
        self.first.get_or_insert(position);
    }
}

/// Sampling intervals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SamplingIntervals {
    /// The median.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// The 5th percentile.
    pub p5: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The shortest and the longest.
    pub range: [f64; 2],
}

/// Intervals longer than one and a half times the median.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gaps {
    /// Their number.
    pub count: u64,
    /// The longest interval.
    pub longest: f64,
    /// The row, from one, that ends it.
    pub row: u64,
}

/// The time column of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeAudit {
    /// The column.
    pub name: String,
    /// Its unit.
    pub unit: Option<String>,
    /// First and last time.
    pub span: [f64; 2],
    /// Intervals in which time increases.
    pub step: SamplingIntervals,
    /// Whether no interval differs from the median by more than one percent.
    pub uniform: bool,
    /// Gaps.
    pub gaps: Gaps,
    /// Rows with the time of the row before.
    pub repeated: CellCount,
    /// Rows with a time before that of the row before.
    pub backwards: CellCount,
    /// The time in the first such row, and in the row before it.
    pub first_step_back: [f64; 2],
    /// Rows without a time.
    pub missing: CellCount,
}

impl TimeAudit {
    /// Whether time never decreases.
    ///
    /// # Errors
    /// [`ContentError::TimeDecreases`] with the first row in which it does.
    pub fn check(&self) -> Result<(), ContentError> {
        match self.backwards.first {
            Some((row, line)) => {
                Err(ContentError::TimeDecreases { column: self.name.clone(), row, line, times: self.first_step_back })
            }
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
    /// The longest run of consecutive rows that have it.
    pub longest: u64,
    /// Whether the signal seems to be saturated there: it stays at the value, while values just inside are rare.
    pub saturated: bool,
    /// Whether the signal rises to the value through values in between, as one that is cut off there does. One that switches between
    /// levels jumps.
    pub gradual: bool,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct SignalAudit {
    /// Name.
    pub name: String,
    /// Unit, if it is known.
    pub unit: Option<String>,
    /// Cells that are empty or NaN.
    pub missing: CellCount,
    /// Cells that are infinite.
    pub infinite: CellCount,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// Lowest and highest value; none if there is no number.
    pub extremes: Option<[Extreme; 2]>,
    /// The quantisation step, if the values are multiples of one.
    pub resolution: Option<f64>,
    /// Whether every value is greater than the one before.
    pub increasing: bool,
}

impl SignalAudit {
    /// Whether it never changes.
    pub fn constant(&self) -> bool {
        self.extremes.is_some_and(|[low, high]| low.value == high.value)
    }
}

/// The results of an audit.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// Number of rows.
    pub rows: u64,
    /// The time column, if there is one.
    pub time: Option<TimeAudit>,
    /// All other columns.
    pub signals: Vec<SignalAudit>,
}
