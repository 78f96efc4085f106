//! One of many, counted from the beginning or from the end.

/// The n-th of a series of numbers.
pub(super) struct NthValue {
    /// From 1; from the end if negative.
    nth: i32,
    count: i32,
    recent: Vec<f64>,
}

impl NthValue {
    pub fn new(nth: i32) -> Self {
        Self { nth, count: 0, recent: Vec::new() }
    }
    /// The next one.
    pub fn count(&mut self, x: f64) {
        self.count += 1;
        if self.nth == self.count {
            self.recent.push(x);
        } else if self.nth < 0 {
            self.recent.push(x);
            if self.recent.len() > self.nth.unsigned_abs() as usize {
                self.recent.remove(0);
            }
        }
    }
    pub fn answer(&self) -> Option<f64> {
        let enough = self.nth > 0 || self.recent.len() == self.nth.unsigned_abs() as usize;
        self.recent.first().copied().filter(|_| enough)
    }
}
