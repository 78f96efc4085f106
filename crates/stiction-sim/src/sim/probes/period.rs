//! The period of a motion: the time after which it repeats.
//!
//! Events of a kind are the section through the motion, as in a return map. A motion may pass the section many times before it repeats: a bristle
//! that vibrates while the body sticks turns the sliding velocity a hundred times in one cycle of stick-slip. So one turn of the motion is the time from an event
//! to a later one at which
//!
//! 1. the motion is back: every column differs from its value then by less than a tenth of the range that it went through meanwhile,
//! 2. all of the motion took place: that range is at least half of the column's range in the second half of the run.
//!
//! The first alone would take a small vibration for the cycle, the second alone any long enough time. Columns are those that describe the state of
//! a motion that also travels: speeds, forces, stretches, memory, but no absolute position. Their ranges are those at the events of all contacts, where the
//! motion turns.
//!
//! The event to return to is found as in Brent's search for cycles: the first one; where the motion has not come back to it after one, two, four, ...
//! events, the present one instead. So nothing is kept but one row, and a cycle of `n` events is found within some `4 n`.
use crate::sim::Column;

/// Largest difference between the ends of a turn, relative to the range in it. Motions that still settle by a few percent in a turn have a period.
pub const CLOSED: f64 = 0.1;
/// Smallest range in a turn relative to that of the whole motion.
pub const WHOLE: f64 = 0.5;
/// A column whose values at events differ by less than this part of their size says nothing about the place in the motion.
pub const CONSTANT: f64 = 0.01;
/// Part of the largest size of the same unit below which a column is rounding: the velocity of a contact where it turns.
pub const ROUNDING: f64 = 1e-6;

/// A column that tells whether a motion is back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeriodColumn {
    /// Its index.
    pub column: usize,
    /// Columns of one unit share a scale: the index of the first of them here.
    pub group: usize,
    /// Whether it is a position, which only gives its group a scale.
    pub travels: bool,
    /// For speeds, the group of the lengths.
    pub lengths: Option<usize>,
}

/// The columns of a run that tell whether its motion is back.
pub(in crate::sim) fn period_columns(columns: &[Column]) -> Vec<PeriodColumn> {
    let counts = |column: &Column| column.name != "t" && !column.name.ends_with(".reference");
    let all: Vec<(usize, &Column)> = columns.iter().enumerate().filter(|(_, column)| counts(column)).collect();
    let group = |unit: &str| all.iter().position(|(_, other)| other.unit == unit);
    let entry = |(index, column): &(usize, &Column)| PeriodColumn {
        column: *index,
        group: group(column.unit).unwrap_or(0),
        travels: column.name.ends_with(".x"),
        lengths: column.unit.strip_suffix("/s").and_then(group),
    };
    all.iter().map(entry).collect()
}

/// The smallest and the largest values of columns.
#[derive(Clone, Default)]
struct Ranges(Vec<[f64; 2]>);

impl Ranges {
    fn of(values: &[f64]) -> Self {
        Self(values.iter().map(|x| [*x; 2]).collect())
    }
    fn add(&mut self, values: &[f64]) {
        for ([low, high], x) in self.0.iter_mut().zip(values) {
            (*low, *high) = (low.min(*x), high.max(*x));
        }
    }
    /// Those of both.
    fn with(&self, other: &Self) -> Self {
        let both = self.0.iter().zip(&other.0);
        Self(both.map(|(a, b)| [a[0].min(b[0]), a[1].max(b[1])]).collect())
    }
    fn width(&self, i: usize) -> f64 {
        self.0[i][1] - self.0[i][0]
    }
    fn size(&self, i: usize) -> f64 {
        self.0[i][0].abs().max(self.0[i][1].abs())
    }
}

/// Ranges of the motion from one time to another.
#[derive(Clone)]
struct Whole {
    from: f64,
    to: f64,
    ranges: Ranges,
}

/// The event that the motion is to come back to.
#[derive(Clone)]
struct Anchor {
    t: f64,
    values: Vec<f64>,
    ranges: Ranges,
    /// Events of the kind since then.
    events: u64,
}

/// A turn of the motion.
#[derive(Clone)]
struct FoundTurn {
    period: f64,
    ranges: Ranges,
    /// How far its ends differ.
    difference: Vec<f64>,
    /// Events of the kind in it, and since its end.
    events: u64,
    since: u64,
}

/// Finds the period of a motion from its events.
#[derive(Clone)]
pub(in crate::sim) struct MotionPeriod {
    columns: Vec<PeriodColumn>,
    /// The middle of the run \[s\].
    middle: f64,
    /// Ranges since the start, or since the middle of the run.
    whole: Option<Whole>,
    anchor: Option<Anchor>,
    /// Events after which another one is taken.
    patience: u64,
    found: Option<FoundTurn>,
    values: Vec<f64>,
}

impl MotionPeriod {
    pub fn new(columns: Vec<PeriodColumn>, start: f64, end: f64) -> Self {
        let middle = 0.5 * (start + end);
        Self { columns, middle, whole: None, anchor: None, patience: 1, found: None, values: Vec::new() }
    }
    /// Forgets what it has seen.
    pub fn clear(&mut self) {
        (self.whole, self.anchor, self.patience, self.found) = (None, None, 1, None);
    }
    /// Takes an event with the row just after it; `counts` if it is of the kind whose period is asked for.
    pub fn event(&mut self, t: f64, row: &[f64], counts: bool) {
        self.values.clear();
        self.values.extend(self.columns.iter().map(|column| row[column.column]));
        match &mut self.whole {
            Some(whole) if whole.from >= self.middle || t < self.middle => {
                whole.ranges.add(&self.values);
                whole.to = t;
            }
            whole => *whole = Some(Whole { from: t, to: t, ranges: Ranges::of(&self.values) }),
        }
        if let Some(anchor) = &mut self.anchor {
            anchor.ranges.add(&self.values);
        }
        if !counts {
            return;
        }
        if let Some(found) = &mut self.found {
            found.since += 1;
        }
        if let Some(anchor) = &mut self.anchor {
            anchor.events += 1;
        }
        let turn = self.anchor.as_ref().map(|Anchor { t: begin, values, ranges, events }| FoundTurn {
            period: t - begin,
            ranges: ranges.clone(),
            difference: self.values.iter().zip(values).map(|(now, begin)| now - begin).collect(),
            events: *events,
            since: 0,
        });
        if let Some(turn) = turn.filter(|turn| self.is_closed(turn)) {
            self.found = Some(turn);
        } else if let Some(anchor) = &self.anchor {
            if anchor.events < self.patience {
                return;
            }
            self.patience *= 2;
        }
        let values = self.values.clone();
        self.anchor = Some(Anchor { t, ranges: Ranges::of(&values), values, events: 0 });
    }
    /// Whether all of the motion took place in a turn, and it was back in the end.
    fn is_closed(&self, FoundTurn { period, ranges, difference, .. }: &FoundTurn) -> bool {
        let Some(Whole { from, to, ranges: whole }) = &self.whole else { return false };
        // the turn may be longer than what is left since the middle of the run
        let (whole, time) = (whole.with(ranges), (to - from).max(*period));
        let extent = |k: usize| if self.columns[k].travels { whole.width(k) } else { whole.size(k) };
        let scale = |group: usize| {
            let of = (0..self.columns.len()).filter(|k| self.columns[*k].group == group);
            of.map(extent).fold(0.0, f64::max)
        };
        (0..self.columns.len()).filter(|k| !self.columns[*k].travels).all(|k| {
            let PeriodColumn { group, lengths, .. } = self.columns[k];
            let mean_speed = lengths.map_or(0.0, |lengths| scale(lengths) / time);
            let (size, width) = (whole.size(k), whole.width(k));
            // what has no scale beside it is compared with itself
            if width <= CONSTANT * size || size <= ROUNDING * scale(group).max(mean_speed) {
                return true;
            }
            difference[k].abs() <= CLOSED * ranges.width(k) && ranges.width(k) >= WHOLE * width
        })
    }
    /// The last turn; none if the motion has not repeated since, or if there was more to it than that turn.
    pub fn answer(&self) -> Option<f64> {
        let found = self.found.as_ref()?;
        (found.since <= 2 * found.events && self.is_closed(found)).then_some(found.period)
    }
}

#[cfg(test)]
mod tests {
    use super::{MotionPeriod, period_columns};
    use crate::sim::Column;

    /// A block on a spring: time, its position and velocity, the stretch of the spring.
    fn meter(end: f64) -> MotionPeriod {
        let column = |name: &str, unit| Column { name: name.to_owned(), unit };
        let columns = [column("t", "s"), column("block.x", "m"), column("block.v", "m/s"), column("pull.stretch", "m")];
        MotionPeriod::new(period_columns(&columns), 0.0, end)
    }

    /// The period of cycles of stick-slip: the stretch grows from 1 to 3 in 2 s, the body vibrating meanwhile so many times, then falls in 0.5 s. The
    /// velocity at each turn is rounding.
    fn stick_slip(vibrations: u32, cycles: u32, amplitude: f64) -> Option<f64> {
        let mut motion = meter(2.5 * f64::from(cycles));
        for cycle in 0..cycles {
            let begin = 2.5 * f64::from(cycle);
            for k in 0..2 * vibrations {
                let part = f64::from(k) / f64::from(2 * vibrations);
                let side = if k % 2 == 0 { 1.0 } else { -1.0 };
                let (t, stretch) = (begin + 2.0 * part, 1.0 + 2.0 * part + side * amplitude);
                motion.event(t, &[t, 2.0 * t - stretch, side * 1e-17 * part, stretch], side > 0.0);
            }
        }
        motion.answer()
    }

    #[test]
    fn a_vibration_while_a_body_sticks_is_not_the_period() {
        for vibrations in [1, 2, 7, 60] {
            // smaller than the drift of the stretch in a vibration, and much larger
            for amplitude in [1e-5, 1e-3, 0.1] {
                let found = stick_slip(vibrations, 12, amplitude);
                assert!(found.is_some_and(|period| (period - 2.5).abs() < 1e-12), "{vibrations}: {found:?}");
            }
        }
    }

    #[test]
    fn a_motion_that_does_not_repeat_has_no_period() {
        // one long stick: the stretch only grows
        assert_eq!(stick_slip(40, 1, 1e-3), None);
        // a pendulum whose swings become longer and larger
        let mut motion = meter(100.0);
        for k in 0..40 {
            let (t, size) = (1.1_f64.powi(k), 1.3_f64.powi(k));
            motion.event(t, &[t, 0.0, 0.0, size], true);
            motion.event(1.05 * t, &[t, 0.0, 0.0, -size], false);
        }
        assert_eq!(motion.answer(), None);
    }

    /// Every swing is 2 % shorter than that before: the period is that of the last one.
    #[test]
    fn a_motion_that_still_settles_has_the_last_period() {
        let mut motion = meter(40.0);
        let mut size = 1.0;
        for k in 0..20 {
            let t = 2.0 * f64::from(k);
            motion.event(t, &[t, 0.0, 0.0, size], true);
            motion.event(t + 1.0, &[t + 1.0, 0.0, 0.0, -size], false);
            size *= 0.98;
        }
        assert_eq!(motion.answer(), Some(2.0));
    }
}
