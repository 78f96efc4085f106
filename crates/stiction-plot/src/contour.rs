//! Contour lines over a grid, by marching squares.
use super::scene::Point;

/// Contour lines at `level` through the grid of `points`; `value` gives the value in a column and a row. Marching squares: each
/// square of the grid holds the straight segments between the crossings on its edges; a saddle is resolved by its mean.
pub fn lines(
    size: (usize, usize),
    point: impl Fn(usize, usize) -> Point,
    value: impl Fn(usize, usize) -> f64,
    level: f64,
) -> Vec<Vec<Point>> {
    let mut pieces: Vec<[(Edge, Point); 2]> = Vec::new();
    for j in 0..size.1.saturating_sub(1) {
        for i in 0..size.0.saturating_sub(1) {
            let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
            // a value equal to the level counts as above, so that no crossing is at a corner of four squares
            let v = corners.map(|(i, j)| value(i, j) - level);
            if v.iter().any(|v| !v.is_finite()) {
                continue;
            }
            let cross = |a: usize| {
                let b = (a + 1) % 4;
                let (p, q) = (point(corners[a].0, corners[a].1), point(corners[b].0, corners[b].1));
                let t = v[a] / (v[a] - v[b]);
                let edge = if corners[a] < corners[b] { (corners[a], corners[b]) } else { (corners[b], corners[a]) };
                (edge, (p.0 + t * (q.0 - p.0), p.1 + t * (q.1 - p.1)))
            };
            let crossed: Vec<usize> = (0..4).filter(|&a| (v[a] < 0.0) != (v[(a + 1) % 4] < 0.0)).collect();
            match crossed[..] {
                [a, b] => pieces.push([cross(a), cross(b)]),
                [a, b, c, d] => {
                    // the corner between edges 0 and 1 is separated if it differs from the centre
                    let middle: f64 = v.iter().sum();
                    let alone = (v[1] < 0.0) != (middle < 0.0);
                    pieces.extend(if alone {
                        [[cross(a), cross(b)], [cross(c), cross(d)]]
                    } else {
                        [[cross(b), cross(c)], [cross(d), cross(a)]]
                    });
                }
                _ => {}
            }
        }
    }
    join(pieces)
}

/// An edge of the grid, by its end points.
type Edge = ((usize, usize), (usize, usize));

/// Joins segments that meet on an edge of the grid.
fn join(pieces: Vec<[(Edge, Point); 2]>) -> Vec<Vec<Point>> {
    let mut at: std::collections::BTreeMap<Edge, Vec<usize>> = std::collections::BTreeMap::new();
    for (k, piece) in pieces.iter().enumerate() {
        piece.iter().for_each(|end| at.entry(end.0).or_default().push(k));
    }
    let mut used = vec![false; pieces.len()];
    // follow the segments from an edge as far as possible
    let follow = |used: &mut Vec<bool>, mut edge: Edge| {
        let mut points = Vec::new();
        while let Some(&k) = at.get(&edge).and_then(|ks| ks.iter().find(|k| !used[**k])) {
            used[k] = true;
            let next = if pieces[k][0].0 == edge { pieces[k][1] } else { pieces[k][0] };
            points.push(next.1);
            edge = next.0;
        }
        points
    };
    let mut lines = Vec::new();
    for k in 0..pieces.len() {
        if !used[k] {
            used[k] = true;
            let mut line: Vec<Point> = follow(&mut used, pieces[k][0].0);
            line.reverse();
            line.extend(pieces[k].map(|end| end.1));
            line.extend(follow(&mut used, pieces[k][1].0));
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn a_plane_has_straight_lines() {
        let place = |i: usize, j: usize| (i as f64, j as f64);
        let plane = |i: usize, j: usize| 2.0 * i as f64 + 3.0 * j as f64;
        let found = lines((8, 6), place, plane, 12.5);
        assert_eq!(found.len(), 1);
        // linear interpolation of a plane is exact but for rounding
        assert!(found[0].iter().all(|p| (2.0 * p.0 + 3.0 * p.1 - 12.5).abs() < 1e-12), "{found:?}");
        let ends = [found[0][0], *found[0].last().unwrap()];
        // from the bottom, 2 x = 12.5, to the left edge, 3 y = 12.5
        assert!(ends.contains(&(6.25, 0.0)) && ends.iter().any(|p| p.0 == 0.0), "{ends:?}");
        assert!(lines((8, 6), place, plane, 99.0).is_empty());
    }

    #[test]
    fn a_hill_has_closed_lines_and_holes_have_none() {
        let place = |i: usize, j: usize| (i as f64 - 20.0, j as f64 - 20.0);
        let hill = |i: usize, j: usize| place(i, j).0.hypot(place(i, j).1);
        let found = lines((41, 41), place, hill, 10.3);
        assert!(found.len() == 1 && found[0].first() == found[0].last(), "closed");
        // chords of a circle of radius 10 in squares of side 1 lie within 1/(8 r) of it, and interpolation of r as much
        assert!(found[0].iter().all(|p| (p.0.hypot(p.1) - 10.3).abs() < 0.03));
        let holed = |i: usize, j: usize| if i == 20 { f64::NAN } else { hill(i, j) };
        assert_eq!(lines((41, 41), place, holed, 10.3).len(), 2, "broken in two");
    }
}
