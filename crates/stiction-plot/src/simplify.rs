//! Polylines simplified to what can be seen.
use super::scene::Point;
use std::collections::HashSet;

/// Most points of a line; each takes a dozen bytes in an SVG.
const MAX_POINTS: usize = 8_000;

/// Largest distance of the simplified line from a point that is left out, in pixels.
const MAX_DEVIATION: f64 = 0.05;

/// Breaks a line where a point is not finite, and leaves out what cannot be seen, in three stages: points on a straight part;
/// if the line is still long, of the points in one column of pixels all but the first, the last and the four outermost, so that
/// no extreme is lost; and if that is not enough, as for a line that goes back and forth, parts that only run where the line has
/// been before.
pub fn simplify(points: &[Point]) -> Vec<Vec<Point>> {
    let finite = |p: &Point| p.0.is_finite() && p.1.is_finite();
    let strokes = || points.split(|p| !finite(p)).filter(|stroke| !stroke.is_empty());
    let length = |strokes: &[Vec<Point>]| strokes.iter().map(Vec::len).sum::<usize>();
    let short: Vec<Vec<Point>> = strokes().map(straight).collect();
    if length(&short) <= MAX_POINTS {
        return short;
    }
    let mut short: Vec<Vec<Point>> = strokes().map(columns).collect();
    let mut cell = 1.0;
    while length(&short) > MAX_POINTS {
        short = new_ground(&short, cell);
        cell *= 2.0;
    }
    short.iter().map(|stroke| straight(stroke)).collect()
}

/// The line with few points in each column of pixels.
fn columns(stroke: &[Point]) -> Vec<Point> {
    let (mut kept, mut run) = (Vec::new(), None::<PixelColumn>);
    for &p in stroke {
        match &mut run {
            Some(run) if run.column == p.0.floor() => run.add(p),
            _ => kept.extend(run.replace(PixelColumn::new(p)).into_iter().flat_map(PixelColumn::kept)),
        }
    }
    kept.extend(run.into_iter().flat_map(PixelColumn::kept));
    kept
}

/// Points in one column of pixels, with their indices.
struct PixelColumn {
    column: f64,
    count: usize,
    low: (usize, Point),
    high: (usize, Point),
    left: (usize, Point),
    right: (usize, Point),
    first: Point,
    last: Point,
}

impl PixelColumn {
    fn new(p: Point) -> Self {
        let at = (0, p);
        Self { column: p.0.floor(), count: 1, low: at, high: at, left: at, right: at, first: p, last: p }
    }
    fn add(&mut self, p: Point) {
        if p.1 < self.low.1.1 {
            self.low = (self.count, p);
        }
        if p.1 > self.high.1.1 {
            self.high = (self.count, p);
        }
        if p.0 < self.left.1.0 {
            self.left = (self.count, p);
        }
        if p.0 > self.right.1.0 {
            self.right = (self.count, p);
        }
        self.last = p;
        self.count += 1;
    }
    fn kept(self) -> impl Iterator<Item = Point> {
        let mut kept = vec![(0, self.first), self.low, self.high, self.left, self.right, (self.count - 1, self.last)];
        kept.sort_by_key(|p| p.0);
        kept.dedup_by_key(|p| p.0);
        kept.into_iter().map(|p| p.1)
    }
}

/// The line without the points that it passes closely anyway. Seen from the last point that is kept, the points left out lie in
/// a narrow sector that also holds the next one, each farther away than the one before.
fn straight(stroke: &[Point]) -> Vec<Point> {
    let [first, rest @ ..] = stroke else { return Vec::new() };
    let mut kept = vec![*first];
    let mut open: Option<Sector> = None;
    let mut last = *first;
    for &p in rest {
        let from = kept[kept.len() - 1];
        let away = (p.0 - from.0, p.1 - from.1);
        let goes_on = match &mut open {
            Some(sector) => sector.takes(away),
            // points that nearly coincide have no direction
            None => true,
        };
        let away = if goes_on { away } else { (p.0 - last.0, p.1 - last.1) };
        if !goes_on {
            kept.push(last);
            open = None;
        }
        if open.is_none() && away.0.hypot(away.1) > MAX_DEVIATION {
            open = Some(Sector::new(away));
        }
        last = p;
    }
    if !rest.is_empty() {
        kept.push(last);
    }
    kept
}

/// Directions from a point in which a straight line passes closely by all points so far.
struct Sector {
    axis: Point,
    reach: f64,
    /// Angles to the axis.
    low: f64,
    high: f64,
}

impl Sector {
    fn new(axis: Point) -> Self {
        let reach = axis.0.hypot(axis.1);
        let half = (MAX_DEVIATION / reach).min(1.0).asin();
        Self { axis, reach, low: -half, high: half }
    }
    /// Narrows it for a point farther on, if that lies in it.
    fn takes(&mut self, (x, y): Point) -> bool {
        let angle = (self.axis.0 * y - self.axis.1 * x).atan2(self.axis.0 * x + self.axis.1 * y);
        let reach = x.hypot(y);
        let inside = reach >= self.reach && (self.low..=self.high).contains(&angle);
        if inside {
            let half = (MAX_DEVIATION / reach).min(1.0).asin();
            *self = Self { axis: self.axis, reach, low: self.low.max(angle - half), high: self.high.min(angle + half) };
        }
        inside
    }
}

/// The line with one point per square of side `cell`, without the parts that enter no new square.
fn new_ground(strokes: &[Vec<Point>], cell: f64) -> Vec<Vec<Point>> {
    let square = |p: Point| [p.0, p.1].map(|x| (x / cell).floor() as i64);
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for stroke in strokes {
        let mut a = stroke[0];
        let mut piece = vec![a];
        // a single step within known squares does not break the line
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

#[cfg(test)]
mod tests {
    use super::{MAX_DEVIATION, Point, simplify, straight};
    use std::f64::consts::TAU;

    /// Distance of a point from a line through points.
    fn off(p: Point, line: &[Point]) -> f64 {
        let piece = |ends: &[Point]| {
            let (a, b) = (ends[0], ends[1]);
            let (x, y) = (b.0 - a.0, b.1 - a.1);
            let part = ((p.0 - a.0) * x + (p.1 - a.1) * y) / (x * x + y * y).max(1e-300);
            let t = part.clamp(0.0, 1.0);
            (p.0 - a.0 - t * x).hypot(p.1 - a.1 - t * y)
        };
        line.windows(2).map(piece).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn a_straight_line_is_two_points() {
        let line: Vec<Point> = (0..5000).map(|k| f64::from(k) * 0.1).map(|x| (x, 3.0 - 0.7 * x)).collect();
        assert_eq!(simplify(&line), [vec![line[0], line[4999]]]);
    }

    #[test]
    fn a_line_that_turns_back_keeps_its_end() {
        let line: Vec<Point> = (0..=100).chain((30..100).rev()).map(|k| (f64::from(k), 0.0)).collect();
        assert_eq!(straight(&line), [(0.0, 0.0), (100.0, 0.0), (30.0, 0.0)]);
    }

    #[test]
    fn what_is_left_out_lies_beside_the_line() {
        // a circle, and a wave that gets faster: few points are needed, and none is farther off than allowed
        let circle: Vec<Point> =
            (0..=3000).map(|k| f64::from(k) * TAU / 3000.0).map(|t| (200.0 * t.cos(), 150.0 * t.sin())).collect();
        let wave: Vec<Point> =
            (0..7000).map(|k| f64::from(k) * 0.1).map(|x| (x, 80.0 * (x * x * 2e-4).sin())).collect();
        // an event is a point twice, and time may stand still
        let doubled: Vec<Point> = circle.iter().flat_map(|p| [*p, *p, *p]).collect();
        for line in [circle, wave, doubled] {
            let kept = straight(&line);
            assert!(kept.len() < line.len() / 8, "{} of {}", kept.len(), line.len());
            let most = line.iter().map(|p| off(*p, &kept)).fold(0.0, f64::max);
            // rounding of angles between points hundreds of pixels apart
            assert!(most <= (1.0 + 1e-9) * MAX_DEVIATION, "{most}");
        }
    }

    #[test]
    fn a_point_is_a_point() {
        assert_eq!(simplify(&[(1.0, 2.0), (f64::NAN, 0.0), (3.0, 4.0)]), [vec![(1.0, 2.0)], vec![(3.0, 4.0)]]);
    }

    #[test]
    fn a_long_loop_keeps_its_round_ends() {
        // a hundred rounds that do not lie on each other; the outermost points of each lie within one column
        let line: Vec<Point> = (0..200_000)
            .map(|k| (f64::from(k) * TAU / 2000.0, 1.0 - 1e-6 * f64::from(k)))
            .map(|(t, size)| (300.3 + 300.0 * size * t.cos(), 100.0 * size * t.sin()))
            .collect();
        let kept: Vec<Point> = simplify(&line).concat();
        let ends = |of: fn(f64, f64) -> f64, start| kept.iter().map(|p| p.0).fold(start, of);
        assert!(kept.len() > 1000, "{} points", kept.len());
        // the leftmost is half a round, a thousand points, after the first
        // the points beside the leftmost are 1.5e-3 pixels off; the first point is kept as it is
        assert!((ends(f64::min, 1e9) - 0.6).abs() < 0.01 && (ends(f64::max, -1e9) - 600.3).abs() < 1e-9);
    }
}
