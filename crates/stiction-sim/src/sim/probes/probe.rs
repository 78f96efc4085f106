//! The quantities that a run can measure.

/// A quantity to measure during a run, with the accuracy of the solver rather than of the trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Probe {
    /// A column at a time.
    At {
        /// Column.
        column: String,
        /// Time \[s\].
        t: f64,
    },
    /// The largest value of a column between two times.
    Max {
        /// Column.
        column: String,
        /// Start of the interval \[s\].
        from: f64,
        /// End of the interval \[s\].
        to: f64,
    },
    /// The smallest value of a column between two times.
    Min {
        /// Column.
        column: String,
        /// Start of the interval \[s\].
        from: f64,
        /// End of the interval \[s\].
        to: f64,
    },
    /// A column (for example `t`) at the n-th event of a kind.
    Event {
        /// Component.
        part: String,
        /// Kind, as for [`EventKind::is`](crate::sim::EventKind::is).
        kind: String,
        /// Which event, from 1; negative counts from the end: −1 is the last.
        nth: i32,
        /// Column.
        column: String,
        /// Start of the count \[s\]; earlier events are ignored.
        from: f64,
    },
    /// Another column (for example `t`) at the time when a column is largest between two times.
    MaxAt {
        /// Column that is largest.
        column: String,
        /// Start of the interval \[s\].
        from: f64,
        /// End of the interval \[s\].
        to: f64,
        /// Column to show.
        show: String,
    },
    /// Another column at the time when a column is smallest between two times.
    MinAt {
        /// Column that is smallest.
        column: String,
        /// Start of the interval \[s\].
        from: f64,
        /// End of the interval \[s\].
        to: f64,
        /// Column to show.
        show: String,
    },
    /// The time after which the motion repeats, from one event of a kind to another; or the time between the last event of a kind and the
    /// event `every` events before it.
    Period {
        /// Component.
        part: String,
        /// Kind.
        kind: String,
        /// Events in a period, at least 1; none to find out after how many the motion repeats.
        every: Option<u32>,
    },
    /// Number of events of a kind.
    Count {
        /// Component.
        part: String,
        /// Kind.
        kind: String,
    },
    /// Number of times that contacts come to rest: they stick, or their velocity passes through zero.
    Rests {
        /// Start of the count \[s\].
        from: f64,
    },
    /// The time average of a column between two times.
    Mean {
        /// Column.
        column: String,
        /// Start of the interval \[s\].
        from: f64,
        /// End of the interval \[s\].
        to: f64,
    },
    /// The root mean square of a column between two times.
    Rms {
        /// Column.
        column: String,
        /// Start of the interval \[s\].
        from: f64,
        /// End of the interval \[s\].
        to: f64,
    },
    /// The largest value of a column less its smallest, between two times.
    Range {
        /// Column.
        column: String,
        /// Start of the interval \[s\].
        from: f64,
        /// End of the interval \[s\].
        to: f64,
    },
    /// A column at the end of the run.
    Final {
        /// Column.
        column: String,
    },
    /// Settling time: from then on a column stays within a band about a value until the end.
    Settle {
        /// Column.
        column: String,
        /// Middle of the band.
        value: f64,
        /// Its half width.
        band: f64,
        /// Earliest time \[s\].
        from: f64,
    },
    /// Another column (for example `t`) at the time when a column crosses a value. Touching the value is not a crossing; jumping
    /// over it is.
    Cross {
        /// Column.
        column: String,
        /// The value.
        value: f64,
        /// Direction.
        way: CrossingDirection,
        /// Which crossing, from 1; negative counts from the end.
        nth: i32,
        /// Earliest time \[s\].
        from: f64,
        /// Column to show.
        show: String,
    },
}

impl Probe {
    /// The column whose unit the value has, `t` for times; none for a number of events.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::At { column, .. }
            | Self::Max { column, .. }
            | Self::Min { column, .. }
            | Self::Range { column, .. }
            | Self::Mean { column, .. }
            | Self::Rms { column, .. }
            | Self::Final { column }
            | Self::Event { column, .. } => Some(column),
            Self::MaxAt { show, .. } | Self::MinAt { show, .. } | Self::Cross { show, .. } => Some(show),
            Self::Period { .. } | Self::Settle { .. } => Some("t"),
            Self::Count { .. } | Self::Rests { .. } => None,
        }
    }
}

/// The direction of a crossing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CrossingDirection {
    /// Upwards.
    Rising,
    /// Downwards.
    Falling,
    /// Either way.
    #[default]
    Either,
}
