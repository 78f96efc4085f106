//! Counts over all cases, and how they are printed.
use crate::generate::TestCase;
use crate::judge::{COMPARISONS, Verdict};
use std::collections::BTreeMap;

/// A failure that was kept.
pub struct KeptFailure {
    pub number: u64,
    pub comparison: String,
    pub detail: String,
    pub file: String,
}

/// What all cases together showed.
#[derive(Default)]
pub struct Report {
    pub cases: u64,
    pub invalid: u64,
    pub excluded: u64,
    pub failures: Vec<KeptFailure>,
    laws: BTreeMap<String, [u64; 2]>,
    kinds: BTreeMap<&'static str, u64>,
    shapes: BTreeMap<&'static str, u64>,
    /// Per comparison: how often it was made, excluded and failed.
    comparisons: BTreeMap<&'static str, [u64; 3]>,
    /// Per tolerance: cases, and the largest error in units of the allowed one that passed.
    tolerances: BTreeMap<String, (u64, f64, String)>,
    without_reference: BTreeMap<String, u64>,
}

impl Report {
    /// Counts one case.
    pub fn add(&mut self, number: u64, case: &TestCase, verdict: &Verdict) {
        self.cases += 1;
        if verdict.invalid.is_some() {
            self.invalid += 1;
            return;
        }
        let failed = verdict.failure().is_some();
        self.excluded += u64::from(verdict.is_excluded() && !failed);
        let losses = case.model.gears.iter().filter_map(|gear| gear.loss.as_ref());
        for law in case.model.contacts.iter().map(|contact| &contact.law).chain(losses) {
            let count = self.laws.entry(law.name.to_owned()).or_default();
            count[0] += 1;
            count[1] += u64::from(verdict.without_reference.is_none());
        }
        for kind in case.model.kinds() {
            *self.kinds.entry(kind).or_default() += 1;
        }
        *self.shapes.entry(case.shape).or_default() += 1;
        if let Some(error) = &verdict.without_reference {
            *self.without_reference.entry(format!("{error:?}")).or_default() += 1;
        }
        for result in &verdict.results {
            let count = self.comparisons.entry(result.name).or_default();
            count[0] += 1;
            count[1] += u64::from(result.excluded);
            count[2] += u64::from(result.fails());
        }
        let worst = verdict.results.iter().filter(|result| !result.excluded);
        let worst = worst.max_by(|a, b| a.ratio.total_cmp(&b.ratio));
        let entry = self.tolerances.entry(format!("{:e}", case.settings.rtol)).or_insert((0, 0.0, String::new()));
        entry.0 += 1;
        if let Some(worst) = worst
            && worst.ratio > entry.1
        {
            (entry.1, entry.2) = (worst.ratio, format!("case {number}, {}, {}", case.shape, worst.name));
        }
    }
    /// The share of valid cases that were excluded as too sensitive.
    pub fn excluded_share(&self) -> f64 {
        self.excluded as f64 / (self.cases - self.invalid).max(1) as f64
    }
    /// Prints all counts.
    pub fn print(&self, seconds: f64) {
        println!("\n{} systems in {seconds:.0} s, {} refused by the scenario reader", self.cases, self.invalid);
        println!("\nworst error per tolerance, in units of the allowed error");
        for (rtol, (count, ratio, place)) in &self.tolerances {
            println!("  rtol {rtol:<6} {count:>6} systems  {ratio:>9.2e}  {place}");
        }
        println!("\ncomparison                made  excluded  failed");
        let order = |name: &str| COMPARISONS.iter().position(|known| *known == name).unwrap_or(99);
        let mut comparisons: Vec<_> = self.comparisons.iter().collect();
        comparisons.sort_by_key(|(name, _)| order(name));
        for (name, [made, excluded, failed]) in comparisons {
            println!("  {name:<22} {made:>6} {excluded:>9} {failed:>7}");
        }
        println!("\nwithout a reference, because it");
        for (reason, count) in &self.without_reference {
            println!("  {reason:<22} {count:>6}");
        }
        println!("\nlaw                    contacts  with a reference");
        for (law, [count, compared]) in &self.laws {
            println!("  {law:<20} {count:>9} {compared:>17}");
        }
        println!("\ncomponent or wrapper     systems");
        for (kind, count) in &self.kinds {
            println!("  {kind:<22} {count:>9}");
        }
        println!("\nshape                    systems");
        for (shape, count) in &self.shapes {
            println!("  {shape:<22} {count:>9}");
        }
        println!("\nexcluded as too sensitive: {} ({:.2} %)", self.excluded, 100.0 * self.excluded_share());
        println!("failures: {}", self.failures.len());
        for failure in &self.failures {
            println!("  case {}: {}: {}\n    {}", failure.number, failure.comparison, failure.detail, failure.file);
        }
    }
}
