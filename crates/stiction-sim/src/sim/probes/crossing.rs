//! Where a column crosses a value, and from when on it stays within a band.
use super::CrossingDirection;
use super::nth::NthValue;
use super::step_view::StepView;
use crate::sim::root_finding::first_zero;

/// Most crossings in one step; more are noise.
const MAX_CROSSINGS: usize = 64;
/// Rounding, relative to the largest value seen: a column held at the value has not crossed it.
const RELATIVE_ROUNDING: f64 = 1e-13;

/// Error of a step that starts at the value, relative to its largest distance from the value.
const STEP_ERROR: f64 = 1e-6;

fn far(gap: &[f64; 5]) -> f64 {
    gap.iter().fold(0.0, |far, x| far.max(x.abs()))
}

/// A value, and the side of it on which a column is.
struct LevelCrossing {
    value: f64,
    /// Zero until the column has left the value.
    side: f64,
    size: f64,
}

impl LevelCrossing {
    fn new(value: f64) -> Self {
        Self { value, side: 0.0, size: value.abs() }
    }
    /// Finds the crossings in a part of a step; `found` receives the fraction of each.
    fn look(
        &mut self,
        span: &mut StepView<'_>,
        (mut lo, hi): (f64, f64),
        column: usize,
        mut found: impl FnMut(&mut StepView<'_>, f64, bool),
    ) {
        for _ in 0..MAX_CROSSINGS {
            let y = span.nodes((lo, hi), column);
            self.size = y.iter().fold(self.size, |size, y| size.max(y.abs()));
            let (value, noise) = (self.value, RELATIVE_ROUNDING * self.size);
            let gap = y.map(|y| y - value);
            if self.side == 0.0 {
                // a column that starts at the value leaves it with the error of the step, which is larger than rounding
                let Some(first) = gap.iter().find(|x| x.abs() > noise.max(STEP_ERROR * far(&gap))) else { return };
                self.side = first.signum();
            }
            let noise = if gap[0] == 0.0 { noise.max(STEP_ERROR * far(&gap)) } else { noise };
            let at = if gap[0] * self.side < -noise {
                // it has jumped over the value
                lo
            } else {
                let place = |node: f64| lo + (hi - lo) * node;
                let mut distance = |node: f64| span.value(place(node), column) - value;
                let Some(node) = first_zero(&mut distance, &gap, self.side, noise) else { return };
                place(node)
            };
            self.side = -self.side;
            found(span, at, self.side > 0.0);
            lo = at;
            if lo >= hi {
                return;
            }
        }
    }
}

/// A column at the time when another crosses a value.
pub(super) struct Crossing {
    pub column: usize,
    pub show: usize,
    from: f64,
    way: CrossingDirection,
    level: LevelCrossing,
    nth: NthValue,
}

impl Crossing {
    pub fn new(column: usize, value: f64, way: CrossingDirection, nth: i32, from: f64, show: usize) -> Self {
        Self { column, show, from, way, level: LevelCrossing::new(value), nth: NthValue::new(nth) }
    }
    pub fn look(&mut self, span: &mut StepView<'_>) {
        let Some(part) = span.part(self.from, f64::INFINITY) else { return };
        let Self { column, show, way, level, nth, .. } = self;
        level.look(span, part, *column, |span, at, rises| {
            let counts = match way {
                CrossingDirection::Rising => rises,
                CrossingDirection::Falling => !rises,
                CrossingDirection::Either => true,
            };
            if counts {
                // the time of the step is more accurate than that of the row
                let shown = if *show == 0 { span.time(at) } else { span.value(at, *show) };
                nth.count(shown);
            }
        });
    }
    pub fn answer(&self) -> Option<f64> {
        self.nth.answer()
    }
}

/// Since when a column stays within a band.
pub(super) struct Settling {
    pub column: usize,
    from: f64,
    top: LevelCrossing,
    bottom: LevelCrossing,
    looked: bool,
    since: Option<f64>,
}

impl Settling {
    pub fn new(column: usize, value: f64, band: f64, from: f64) -> Self {
        let (top, bottom) = (LevelCrossing::new(value + band), LevelCrossing::new(value - band));
        Self { column, from, top, bottom, looked: false, since: None }
    }
    pub fn look(&mut self, span: &mut StepView<'_>) {
        let Some(part) = span.part(self.from, f64::INFINITY) else { return };
        let begin = span.time(part.0);
        let mut last: Option<f64> = None;
        for level in [&mut self.top, &mut self.bottom] {
            level.look(span, part, self.column, |_, at, _| last = Some(last.map_or(at, |last| last.max(at))));
        }
        let inside = self.top.side <= 0.0 && self.bottom.side >= 0.0;
        self.since = match last {
            _ if !inside => None,
            // inside at the end, so the last crossing went into the band
            Some(at) => Some(span.time(at)),
            None if self.looked => self.since,
            None => Some(begin),
        };
        self.looked = true;
    }
    pub fn answer(&self) -> Option<f64> {
        self.since
    }
}
