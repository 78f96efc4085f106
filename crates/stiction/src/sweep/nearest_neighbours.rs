//! Nearest-neighbour search for maps of scattered points.

/// Smallest and largest number of cells along a side.
const CELLS_PER_SIDE: (f64, f64) = (12.0, 160.0);

/// Points in the unit square, sorted into a grid of squares for fast searches.
pub(super) struct NearestNeighbours<'a> {
    points: &'a [[f64; 2]],
    squares: Vec<Vec<usize>>,
    /// Number of squares along a side.
    side: usize,
}

impl<'a> NearestNeighbours<'a> {
    pub fn new(points: &'a [[f64; 2]]) -> Self {
        let side = ((points.len() as f64).sqrt().ceil() as usize).max(1);
        let mut squares = vec![Vec::new(); side * side];
        for (k, p) in points.iter().enumerate() {
            let [i, j] = p.map(|u| ((u * side as f64) as usize).min(side - 1));
            squares[j * side + i].push(k);
        }
        Self { points, squares, side }
    }
    /// Suitable number of cells of a map along a side: about two per point.
    pub fn cells(&self) -> usize {
        (2.0 * (self.points.len() as f64).sqrt()).clamp(CELLS_PER_SIDE.0, CELLS_PER_SIDE.1) as usize
    }
    /// The index of the nearest point.
    pub fn nearest(&self, at: [f64; 2]) -> Option<usize> {
        let [i, j] = at.map(|u| ((u * self.side as f64) as isize).clamp(0, self.side as isize - 1));
        let mut best: Option<(f64, usize)> = None;
        for ring in 0..self.side as isize {
            // lower bound of the distance to the squares of this ring
            let least = (ring - 1).max(0) as f64 / self.side as f64;
            if best.is_some_and(|(distance, _)| distance <= least) {
                break;
            }
            for (a, b) in ring_of_squares(i, j, ring) {
                let inside = |k: isize| (0..self.side as isize).contains(&k);
                if !inside(a) || !inside(b) {
                    continue;
                }
                for &k in &self.squares[b as usize * self.side + a as usize] {
                    let distance = (self.points[k][0] - at[0]).hypot(self.points[k][1] - at[1]);
                    if best.is_none_or(|(least, _)| distance < least) {
                        best = Some((distance, k));
                    }
                }
            }
        }
        best.map(|(_, k)| k)
    }
}

/// The squares of a ring around square `(i, j)`.
fn ring_of_squares(i: isize, j: isize, ring: isize) -> impl Iterator<Item = (isize, isize)> {
    (-ring..=ring).flat_map(move |a| {
        let step = if a.abs() == ring { 1 } else { (2 * ring).max(1) };
        (-ring..=ring).step_by(step as usize).map(move |b| (i + a, j + b))
    })
}

#[cfg(test)]
mod tests {
    use super::NearestNeighbours;
    use crate::fit::Random;

    #[test]
    fn the_nearest_point_is_found() {
        let mut random = Random::new(1);
        let points: Vec<[f64; 2]> = (0..300).map(|_| [random.uniform().powi(3), random.uniform()]).collect();
        let scatter = NearestNeighbours::new(&points);
        for _ in 0..300 {
            let at = [random.uniform(), random.uniform()];
            let distance = |k: usize| (points[k][0] - at[0]).hypot(points[k][1] - at[1]);
            let least = (0..points.len()).map(distance).fold(f64::INFINITY, f64::min);
            assert_eq!(scatter.nearest(at).map(distance), Some(least));
        }
    }
}
