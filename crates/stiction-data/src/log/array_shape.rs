//! The columns of a MATLAB array. Matrices are stored column by column; signals may be their columns or their rows.

/// Number, length and memory layout of the columns of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayShape {
    /// Number of columns.
    pub count: u64,
    /// Rows of each.
    pub rows: u64,
    /// Distance from the first number of a column to that of the next \[numbers\].
    pub step: u64,
    /// Distance from one number of a column to the next \[numbers\].
    pub stride: u64,
}

impl ArrayShape {
    /// For an array whose first index varies fastest. Time runs along the longer side of a matrix. None for an empty array and
    /// for one of more than two dimensions; a scalar has one row.
    pub fn new(dims: &[u64]) -> Option<Self> {
        if dims.contains(&0) {
            return None;
        }
        let sides: Vec<u64> = dims.iter().copied().filter(|side| *side > 1).collect();
        dims.iter().try_fold(1_u64, |all, side| all.checked_mul(*side))?;
        Some(match sides[..] {
            [] => Self { count: 1, rows: 1, step: 1, stride: 1 },
            [rows] => Self { count: 1, rows, step: rows, stride: 1 },
            [rows, count] if rows >= count => Self { count, rows, step: rows, stride: 1 },
            [count, rows] => Self { count, rows, step: 1, stride: count },
            _ => return None,
        })
    }
    /// Names of the columns of the array `name`.
    pub fn names(&self, name: &str) -> impl Iterator<Item = String> {
        let many = self.count > 1;
        (1..=self.count).map(move |k| if many { format!("{name}.{k}") } else { name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::ArrayShape;

    #[test]
    fn time_runs_along_the_longer_side() {
        let shape = |dims: &[u64]| ArrayShape::new(dims).map(|s| (s.count, s.rows, s.step, s.stride));
        assert_eq!(shape(&[1, 1]), Some((1, 1, 1, 1)));
        assert_eq!(shape(&[9, 1]), Some((1, 9, 9, 1)));
        assert_eq!(shape(&[1, 9]), Some((1, 9, 9, 1)));
        assert_eq!(shape(&[9, 2]), Some((2, 9, 9, 1)));
        assert_eq!(shape(&[2, 9]), Some((2, 9, 1, 2)));
        assert_eq!((shape(&[0, 9]), shape(&[2, 3, 4]), shape(&[u64::MAX, 2])), (None, None, None));
    }
}
