//! One value of a sequence, counted from its start or its end.

/// The n-th value of a sequence.
pub(super) struct NthValue {
    /// From 1; negative counts from the end.
    nth: i32,
    count: i32,
    recent: Vec<f64>,
}

impl NthValue {
    pub fn new(nth: i32) -> Self {
        Self { nth, count: 0, recent: Vec::new() }
    }
    /// Adds the next value.
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
