//! What a global search has found so far, from which it is continued.

/// The results of the finished parts of a search, in their order.
///
/// A search is a sequence of parts, each of which computes for long and depends only on those before it and on the seed. A search that is
/// repeated with the journal of an earlier one takes the results of the finished parts from it and computes the others, so that it ends with
/// the same numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchJournal {
    /// Of each part the results: cost and parameters, or none where there is no cost.
    pub parts: Vec<Vec<PartResult>>,
    /// Parts that this search has passed.
    passed: usize,
}

/// Cost and parameters of one fit or point; none if it failed. The parameters of a point are known from the seed and left out.
pub type PartResult = Option<(f64, Vec<f64>)>;

impl SearchJournal {
    /// A journal of finished parts, to be repeated from the first.
    pub fn new(parts: Vec<Vec<PartResult>>) -> Self {
        Self { parts, passed: 0 }
    }
    /// The next part: its results if it is finished, or else computed. A part of the journal that has another number of results belongs to
    /// another search: it and what follows is computed again.
    pub(super) fn part(&mut self, count: usize, compute: impl FnOnce() -> Vec<PartResult>) -> Vec<PartResult> {
        let known = self.parts.get(self.passed).filter(|part| part.len() == count).cloned();
        let results = known.unwrap_or_else(|| {
            self.parts.truncate(self.passed);
            let results = compute();
            self.parts.push(results.clone());
            results
        });
        self.passed += 1;
        results
    }
    /// As [`Self::part`], of costs alone.
    pub(super) fn costs(&mut self, count: usize, compute: impl FnOnce() -> Vec<f64>) -> Vec<f64> {
        let results = self.part(count, || compute().into_iter().map(|cost| Some((cost, Vec::new()))).collect());
        results.into_iter().map(|result| result.map_or(f64::NAN, |(cost, _)| cost)).collect()
    }
}
