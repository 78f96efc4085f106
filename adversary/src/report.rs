//! Counts over all cases, and how they are printed.
use crate::generate::TestCase;
use crate::judge::COMPARISONS;
use crate::record::{CaseRecord, PASSES};
use std::collections::BTreeMap;

/// A failure that was kept.
pub struct KeptFailure {
    pub seed: u64,
    pub number: u64,
    pub comparison: String,
    pub detail: String,
    pub file: String,
}

/// What the cases at one tolerance showed. Errors are in tolerances, as the system carries them along; see [`mod@crate::judge`].
#[derive(Default)]
struct ToleranceCounts {
    excluded: u64,
    failed: u64,
    /// Errors against the reference or a closed form, and the largest of each case, of all comparisons.
    true_errors: Vec<f64>,
    worst_errors: Vec<f64>,
    /// The case with the largest error, in words.
    place: String,
}

impl ToleranceCounts {
    /// The error that a share of the cases does not exceed, with so many digits; a dash if there is none.
    fn quantile(errors: &[f64], share: f64, digits: usize) -> String {
        let mut sorted = errors.to_vec();
        sorted.sort_by(f64::total_cmp);
        let place = (share * sorted.len().saturating_sub(1) as f64).round() as usize;
        sorted.get(place).map_or_else(|| "-".to_owned(), |error| format!("{error:.digits$e}"))
    }
    fn excluded_share(&self) -> f64 {
        self.excluded as f64 / self.worst_errors.len().max(1) as f64
    }
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
    comparisons: BTreeMap<String, [u64; 3]>,
    /// Per tolerance; the key is its exponent of ten.
    tolerances: BTreeMap<i32, ToleranceCounts>,
    without_reference: BTreeMap<String, u64>,
}

impl Report {
    /// Counts one case.
    pub fn add(&mut self, record: &CaseRecord, case: &TestCase) {
        self.cases += 1;
        if record.invalid {
            self.invalid += 1;
            return;
        }
        self.excluded += u64::from(record.excluded());
        let losses = case.model.gears.iter().filter_map(|gear| gear.loss.as_ref());
        for law in case.model.contacts.iter().map(|contact| &contact.law).chain(losses) {
            let count = self.laws.entry(law.name.to_owned()).or_default();
            count[0] += 1;
            count[1] += u64::from(record.without_reference.is_empty());
        }
        for kind in case.model.kinds() {
            *self.kinds.entry(kind).or_default() += 1;
        }
        *self.shapes.entry(case.shape).or_default() += 1;
        if !record.without_reference.is_empty() {
            *self.without_reference.entry(record.without_reference.clone()).or_default() += 1;
        }
        for comparison in &record.comparisons {
            let count = self.comparisons.entry(comparison.name.clone()).or_default();
            count[0] += 1;
            count[1] += u64::from(comparison.excluded);
            count[2] += u64::from(comparison.fails());
        }
        let counts = self.tolerances.entry(record.rtol.log10().round() as i32).or_default();
        counts.excluded += u64::from(record.excluded());
        counts.failed += u64::from(record.failed());
        counts.true_errors.extend(record.true_error());
        let error = record.worst_error().unwrap_or(0.0);
        if let Some(worst) = record.worst()
            && counts.worst_errors.iter().all(|other| *other < error)
        {
            counts.place = format!("seed {} case {}, {}, {}", record.seed, record.number, case.shape, worst.name);
        }
        counts.worst_errors.push(error);
    }
    /// The share of valid cases that were excluded as too sensitive.
    pub fn excluded_share(&self) -> f64 {
        self.excluded as f64 / (self.cases - self.invalid).max(1) as f64
    }
    /// The errors per tolerance as a table of comma-separated values.
    pub fn tolerance_table(&self) -> String {
        let mut out = String::from(
            "rtol,systems,excluded,failed,with reference,true error median,true error 99 %,true error worst,\
             all comparisons median,all comparisons 99 %,all comparisons worst,where\n",
        );
        for (exponent, counts) in &self.tolerances {
            let columns = |errors| [0.5, 0.99, 1.0].map(|share| ToleranceCounts::quantile(errors, share, 3));
            let fields = [
                format!("1e{exponent}"),
                counts.worst_errors.len().to_string(),
                counts.excluded.to_string(),
                counts.failed.to_string(),
                counts.true_errors.len().to_string(),
                columns(&counts.true_errors).join(","),
                columns(&counts.worst_errors).join(","),
                counts.place.replace(", ", "; "),
            ];
            out += &fields.join(",");
            out.push('\n');
        }
        out
    }
    fn print_tolerances(&self) {
        println!("\nerror per tolerance, in tolerances as the system carries them along; up to {PASSES} pass");
        println!("                           against the reference       of all comparisons");
        println!("  rtol   systems  excluded   median     99 %    worst     median     99 %    worst");
        for (exponent, counts) in self.tolerances.iter().rev() {
            let columns = |errors| {
                let [median, most, worst] = [0.5, 0.99, 1.0].map(|share| ToleranceCounts::quantile(errors, share, 1));
                format!("{median:>8} {most:>8} {worst:>8}")
            };
            println!(
                "  1e{exponent:<4} {:>7} {:>7.2} % {}   {}  {}",
                counts.worst_errors.len(),
                100.0 * counts.excluded_share(),
                columns(&counts.true_errors),
                columns(&counts.worst_errors),
                counts.place
            );
        }
    }
    /// Prints all counts.
    pub fn print(&self, seconds: f64) {
        println!("\n{} systems in {seconds:.0} s, {} refused by the scenario reader", self.cases, self.invalid);
        self.print_tolerances();
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
        for KeptFailure { seed, number, comparison, detail, file } in &self.failures {
            println!("  seed {seed} case {number}: {comparison}: {detail}\n    {file}");
        }
    }
}
