//! Lines thinned to what can be seen.
use super::scene::Point;
use std::collections::HashSet;

/// Points of a line that is left whole.
const FEW: usize = 8_000;
/// Points that a longer one may keep; a dozen bytes each in an SVG.
const LIMIT: usize = 8_000;

/// Breaks a line where a point is not finite and, unless it is short, leaves out what cannot be seen. Of a run of points in one column of
/// pixels remain the first, the lowest, the highest and the last: no extreme is lost. A line that goes back and forth
/// may still be too long; then pieces are left out that only pass where the line has been before.
pub fn thin(points: &[Point]) -> Vec<Vec<Point>> {
    let (mut strokes, mut stroke, mut run) = (Vec::new(), Vec::new(), None::<Run>);
    for &p in points.iter().chain(&[(f64::NAN, f64::NAN)]) {
        match &mut run {
            Some(run) if points.len() > FEW && run.column == p.0.floor() && p.1.is_finite() => run.add(p),
            _ => {
                stroke.extend(run.take().into_iter().flat_map(Run::kept));
                if p.0.is_finite() && p.1.is_finite() {
                    run = Some(Run::new(p));
                } else if !stroke.is_empty() {
                    strokes.push(std::mem::take(&mut stroke));
                }
            }
        }
    }
    let length = |strokes: &[Vec<Point>]| strokes.iter().map(Vec::len).sum::<usize>();
    let mut cell = 1.0;
    let mut short = strokes;
    while length(&short) > LIMIT {
        short = new_ground(&short, cell);
        cell *= 2.0;
    }
    short
}

/// Points in one column of pixels, with their numbers.
struct Run {
    column: f64,
    count: usize,
    low: (usize, Point),
    high: (usize, Point),
    first: Point,
    last: Point,
}

impl Run {
    fn new(p: Point) -> Self {
        Self { column: p.0.floor(), count: 1, low: (0, p), high: (0, p), first: p, last: p }
    }
    fn add(&mut self, p: Point) {
        if p.1 < self.low.1.1 {
            self.low = (self.count, p);
        }
        if p.1 > self.high.1.1 {
            self.high = (self.count, p);
        }
        self.last = p;
        self.count += 1;
    }
    fn kept(self) -> impl Iterator<Item = Point> {
        let mut kept = vec![(0, self.first), self.low, self.high, (self.count - 1, self.last)];
        kept.sort_by_key(|p| p.0);
        kept.dedup_by_key(|p| p.0);
        kept.into_iter().map(|p| p.1)
    }
}

/// The line with one point to a square of the side `cell`, without the pieces that enter no new square.
fn new_ground(strokes: &[Vec<Point>], cell: f64) -> Vec<Vec<Point>> {
    let square = |p: Point| [p.0, p.1].map(|x| (x / cell).floor() as i64);
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for stroke in strokes {
        let mut a = stroke[0];
        let mut piece = vec![a];
        // a single step over old ground does not break a line
        let mut old = None;
        let alone = seen.insert(square(a)) && stroke.iter().all(|b| square(*b) == square(a));
        for &b in stroke {
            if square(b) == square(a) {
                continue;
            }
            let count = ((b.0 - a.0).abs().max((b.1 - a.1).abs()) / cell).ceil();
            let along = |k: f64| (a.0 + (b.0 - a.0) * k / count, a.1 + (b.1 - a.1) * k / count);
            let new = (1..=count as usize).filter(|k| seen.insert(square(along(*k as f64)))).count() > 0;
            if new {
                piece.extend(old.take());
                piece.push(b);
            } else if piece.len() > 1 && old.is_none() {
                old = Some(b);
            } else {
                old = None;
                let done = std::mem::replace(&mut piece, vec![b]);
                kept.extend((done.len() > 1).then_some(done));
            }
            a = b;
        }
        if piece.len() > 1 || alone {
            kept.push(piece);
        }
    }
    kept
}
