//! A few rows of a long table for a picture: of every stretch of rows those in which a column is lowest or highest, so that no peak is
//! lost, and whole rows, so that one column can be drawn over another.
use stiction::data::Chunk;

/// Most stretches that are kept.
const MAX_STRETCHES: usize = 600;

type NumberedRow = (u64, Vec<f64>);

/// Collects the rows of a table.
pub struct Extremes {
    /// Rows of a stretch.
    width: u64,
    seen: u64,
    /// Lowest and highest row by each column, one stretch after the other.
    stretches: Vec<Vec<NumberedRow>>,
    /// Lowest and highest value of each column in the last stretch.
    bounds: Vec<[f64; 2]>,
    /// The row that is looked at, and the last one.
    row: Vec<f64>,
    last: NumberedRow,
    /// Only rows whose first column lies within these.
    window: [f64; 2],
}

impl Extremes {
    /// Of the rows whose first column is within the window.
    pub fn within(window: [f64; 2]) -> Self {
        let (stretches, bounds, row, last) = (Vec::new(), Vec::new(), Vec::new(), (0, Vec::new()));
        Self { width: 1, seen: 0, stretches, bounds, row, last, window }
    }
    /// Looks at the row that stands in `row`. Only rows that may be kept are copied: the first of a stretch, and those beyond all before them.
    fn push(&mut self, number: u64) {
        let begins = self.seen.is_multiple_of(self.width);
        if begins {
            if self.stretches.len() == 2 * MAX_STRETCHES {
                // pairs become one: the number of stretches is even
                let pairs = self.stretches.chunks(2).map(|pair| extremes(pair.concat())).collect();
                self.stretches = pairs;
                self.width *= 2;
            }
            self.stretches.push(Vec::new());
            self.bounds.clear();
            self.bounds.resize(self.row.len(), [f64::INFINITY, f64::NEG_INFINITY]);
        }
        self.seen += 1;
        let mut beyond = begins;
        for (x, [low, high]) in self.row.iter().zip(&mut self.bounds) {
            if x.is_finite() && !(*low <= *x && *x <= *high) {
                (*low, *high) = (low.min(*x), high.max(*x));
                beyond = true;
            }
        }
        if let Some(stretch) = self.stretches.last_mut().filter(|_| beyond) {
            stretch.push((number, self.row.clone()));
            if stretch.len() > 8 * self.row.len() {
                *stretch = extremes(std::mem::take(stretch));
            }
        }
        self.last.0 = number;
        self.last.1.clone_from(&self.row);
    }
    /// The rows, in their order, column by column; and how many there were.
    pub fn finish(self) -> (Vec<Vec<f64>>, u64) {
        let last = (self.seen > 0).then_some(self.last);
        let mut rows: Vec<NumberedRow> = self.stretches.into_iter().flat_map(extremes).chain(last).collect();
        rows.sort_by_key(|row| row.0);
        rows.dedup_by_key(|row| row.0);
        let columns = rows.first().map_or(0, |row| row.1.len());
        ((0..columns).map(|k| rows.iter().map(|row| row.1[k]).collect()).collect(), self.seen)
    }
}

/// The first row, and the lowest and highest by each column.
fn extremes(rows: Vec<NumberedRow>) -> Vec<NumberedRow> {
    let columns = rows.first().map_or(0, |row| row.1.len());
    let mut keep = vec![0];
    for k in 0..columns {
        let finite = || (0..rows.len()).filter(|j| rows[*j].1[k].is_finite());
        let by = |a: &usize, b: &usize| rows[*a].1[k].total_cmp(&rows[*b].1[k]);
        keep.extend(finite().min_by(by));
        keep.extend(finite().max_by(by));
    }
    keep.sort_unstable();
    keep.dedup();
    keep.retain(|j| *j < rows.len());
    keep.into_iter().map(|j| rows[j].clone()).collect()
}

impl Extremes {
    /// The next rows.
    pub fn take(&mut self, chunk: &Chunk) {
        for k in 0..chunk.rows() {
            // a row without a time belongs to the whole only
            let inside = chunk.columns.first().is_none_or(|times| {
                (self.window[0] <= times[k] && times[k] <= self.window[1])
                    || self.window == [f64::NEG_INFINITY, f64::INFINITY]
            });
            if inside {
                self.row.clear();
                self.row.extend(chunk.columns.iter().map(|column| column[k]));
                self.push(chunk.first + k as u64);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Extremes, MAX_STRETCHES};

    /// Every peak of a long record is in the picture, however thin it is, and the rows are rows of the record.
    #[test]
    fn no_peak_is_lost() {
        let value = |k: u64| {
            if k == 123_457 {
                7.0
            } else if k == 654_321 {
                -9.0
            } else {
                (k as f64 * 1e-3).sin()
            }
        };
        let mut all = Extremes::within([f64::NEG_INFINITY, f64::INFINITY]);
        let rows = 1_000_000_u64;
        for k in 0..rows {
            all.row = vec![k as f64, value(k)];
            all.push(k);
        }
        let (columns, seen) = all.finish();
        assert_eq!(seen, rows);
        assert!(columns[0].len() <= 2 * MAX_STRETCHES * 5 && columns[0].len() > MAX_STRETCHES, "{}", columns[0].len());
        assert!(columns[1].contains(&7.0) && columns[1].contains(&-9.0));
        assert!(columns[0].is_sorted() && columns[0][0] == 0.0 && columns[0].last() == Some(&(rows as f64 - 1.0)));
        assert!(columns[0].iter().zip(&columns[1]).all(|(t, y)| *y == value(*t as u64)));
    }

    #[test]
    fn a_short_table_is_kept_whole() {
        let mut all = Extremes::within([0.0, 2.0]);
        for k in 0..3 {
            all.row = vec![k as f64, f64::NAN];
            all.push(k);
        }
        assert_eq!(all.finish().0[0], [0.0, 1.0, 2.0]);
        assert_eq!(Extremes::within([0.0, 1.0]).finish().0.len(), 0);
    }
}
