//! Clips shapes to a rectangle.
use super::scene::Point;

/// A rectangle: its smallest and largest coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub low: Point,
    pub high: Point,
}

impl Frame {
    pub fn new(a: Point, b: Point) -> Self {
        Self { low: (a.0.min(b.0), a.1.min(b.1)), high: (a.0.max(b.0), a.1.max(b.1)) }
    }
    pub fn has(&self, p: Point) -> bool {
        // rounding errors do not put a point outside
        let inside = |x: f64, low: f64, high: f64| x >= low - 1e-6 && x <= high + 1e-6;
        inside(p.0, self.low.0, self.high.0) && inside(p.1, self.low.1, self.high.1)
    }
    /// The part of a straight line inside, after Liang & Barsky (Liang1984): the largest and smallest parameter at which it
    /// enters and leaves.
    pub fn part(&self, a: Point, b: Point) -> Option<(Point, Point)> {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        let edges =
            [(-dx, a.0 - self.low.0), (dx, self.high.0 - a.0), (-dy, a.1 - self.low.1), (dy, self.high.1 - a.1)];
        for (rate, room) in edges {
            if rate == 0.0 && room < 0.0 {
                return None;
            } else if rate < 0.0 {
                enter = enter.max(room / rate);
            } else if rate > 0.0 {
                leave = leave.min(room / rate);
            }
        }
        let at = |t: f64| (a.0 + t * dx, a.1 + t * dy);
        (enter <= leave).then(|| (if enter > 0.0 { at(enter) } else { a }, if leave < 1.0 { at(leave) } else { b }))
    }
    /// A line clipped to the rectangle, with a point that is not finite wherever it is interrupted.
    pub fn line(&self, points: &[Point]) -> Vec<Point> {
        if points.iter().all(|p| self.has(*p) || !(p.0 + p.1).is_finite()) {
            return points.to_vec();
        }
        let gap = (f64::NAN, f64::NAN);
        let mut out: Vec<Point> = Vec::new();
        if let [only] = points {
            return if self.has(*only) { vec![*only] } else { out };
        }
        for pair in points.windows(2) {
            if pair.iter().any(|p| !(p.0 + p.1).is_finite()) {
                out.push(gap);
                // a point between two gaps is drawn alone
                out.extend(pair.iter().filter(|p| self.has(**p)));
                continue;
            }
            let Some((a, b)) = self.part(pair[0], pair[1]) else { continue };
            if out.last() != Some(&a) {
                out.extend([gap, a]);
            }
            out.push(b);
        }
        out
    }
    /// A polygon clipped to the rectangle, edge by edge, after Sutherland & Hodgman (Sutherland1974).
    pub fn ring(&self, points: &[Point]) -> Vec<Point> {
        let mut ring: Vec<Point> = points.iter().copied().filter(|p| (p.0 + p.1).is_finite()).collect();
        let (low, high) = (self.low, self.high);
        let edges = [(true, low.0, 1.0), (true, high.0, -1.0), (false, low.1, 1.0), (false, high.1, -1.0)];
        for (across, edge, sign) in edges {
            let coordinate = |p: Point| if across { p.0 } else { p.1 };
            let inside = |p: Point| sign * (coordinate(p) - edge) >= 0.0;
            let cut = |a: Point, b: Point| {
                let t = (edge - coordinate(a)) / (coordinate(b) - coordinate(a));
                (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1))
            };
            let mut kept = Vec::new();
            for (k, &b) in ring.iter().enumerate() {
                let a = ring[(k + ring.len() - 1) % ring.len()];
                if inside(a) != inside(b) {
                    kept.push(cut(a, b));
                }
                if inside(b) {
                    kept.push(b);
                }
            }
            ring = kept;
        }
        ring
    }
}

#[cfg(test)]
mod tests {
    use super::Frame;

    const UNIT: Frame = Frame { low: (0.0, 0.0), high: (1.0, 1.0) };

    #[test]
    fn a_line_ends_at_the_frame() {
        let cut: Vec<_> = UNIT.line(&[(-1.0, 0.5), (0.5, 0.5), (0.5, 3.0), (2.0, 0.0), (2.0, -1.0)]);
        let pieces: Vec<_> = cut.split(|p| p.0.is_nan()).filter(|piece| !piece.is_empty()).collect();
        assert_eq!(pieces, [[(0.0, 0.5), (0.5, 0.5), (0.5, 1.0)]]);
        assert_eq!(UNIT.line(&[(0.0, 0.0), (1.0, 1.0)]), [(0.0, 0.0), (1.0, 1.0)]);
    }

    #[test]
    fn a_polygon_keeps_the_area_inside() {
        // shoelace
        let area = |ring: &[(f64, f64)]| {
            let next = |k: usize| ring[(k + 1) % ring.len()];
            0.5 * ring.iter().enumerate().map(|(k, p)| p.0 * next(k).1 - next(k).0 * p.1).sum::<f64>().abs()
        };
        // a diamond around the middle with its corners outside: the square without four triangles of side 0.25
        let diamond = [(0.5, -0.25), (1.25, 0.5), (0.5, 1.25), (-0.25, 0.5)];
        // a sum of eight products: rounding
        assert!((area(&UNIT.ring(&diamond)) - (1.0 - 4.0 * 0.25 * 0.25 / 2.0)).abs() < 1e-12);
        assert!(UNIT.ring(&[(2.0, 0.0), (3.0, 0.0), (3.0, 1.0)]).is_empty());
    }
}
