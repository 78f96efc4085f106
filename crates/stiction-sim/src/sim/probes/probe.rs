//! What may be asked of a run.

/// Something to find out during a run, with the accuracy of the solver and not of the trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Probe {
    /// A column at a time.
    At {
        /// Column.
        column: String,
        /// When \[s\].
        t: f64,
    },
    /// The largest value of a column between two times.
    Max {
        /// Column.
        column: String,
        /// From when on \[s\].
        from: f64,
        /// Until when \[s\].
        to: f64,
    },
    /// The smallest value of a column between two times.
    Min {
        /// Column.
        column: String,
        /// From when on \[s\].
        from: f64,
        /// Until when \[s\].
        to: f64,
    },
    /// A column (`t`, say) at the n-th event of a kind.
    Event {
        /// Component.
        part: String,
        /// Kind, as [`EventKind::is`](crate::sim::EventKind::is) takes it.
        kind: String,
        /// Which, from 1; from the end if negative: −1 is the last.
        nth: i32,
        /// Column.
        column: String,
        /// Events before this time do not count \[s\].
        from: f64,
    },
    /// Another column (`t`, say) where a column is largest between two times.
    MaxAt {
        /// Column that is largest.
        column: String,
        /// From when on \[s\].
        from: f64,
        /// Until when \[s\].
        to: f64,
        /// Column to show.
        show: String,
    },
    /// Another column where a column is smallest between two times.
    MinAt {
        /// Column that is smallest.
        column: String,
        /// From when on \[s\].
        from: f64,
        /// Until when \[s\].
        to: f64,
        /// Column to show.
        show: String,
    },
    /// Time between the last event of a kind and the one `every` events before.
    Period {
        /// Component.
        part: String,
        /// Kind.
        kind: String,
        /// Events in a period, at least 1.
        every: u32,
    },
    /// How many events of a kind.
    Count {
        /// Component.
        part: String,
        /// Kind.
        kind: String,
    },
    /// How often contacts come to rest: they stick, or their velocity goes through zero.
    Rests {
        /// From when on \[s\].
        from: f64,
    },
    /// The mean of a column over the time between two times.
    Mean {
        /// Column.
        column: String,
        /// From when on \[s\].
        from: f64,
        /// Until when \[s\].
        to: f64,
    },
    /// The root of the mean of its square.
    Rms {
        /// Column.
        column: String,
        /// From when on \[s\].
        from: f64,
        /// Until when \[s\].
        to: f64,
    },
    /// How far its largest value lies above its smallest.
    Range {
        /// Column.
        column: String,
        /// From when on \[s\].
        from: f64,
        /// Until when \[s\].
        to: f64,
    },
    /// A column at the end of the run.
    Final {
        /// Column.
        column: String,
    },
    /// The time from which on a column stays within a band about a value until the end.
    Settle {
        /// Column.
        column: String,
        /// Middle of the band.
        value: f64,
        /// Its half width.
        band: f64,
        /// Not before \[s\].
        from: f64,
    },
    /// Another column (`t`, say) where a column goes from one side of a value to the other. What touches the value and
    /// turns back has not crossed it; what jumps over it has.
    Cross {
        /// Column.
        column: String,
        /// The value.
        value: f64,
        /// Which way.
        way: CrossingDirection,
        /// Which, from 1; from the end if negative.
        nth: i32,
        /// Not before \[s\].
        from: f64,
        /// Column to show.
        show: String,
    },
}

impl Probe {
    /// The column whose unit the answer has, `t` for times; none for a number of events.
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

/// Which way something is crossed.
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
