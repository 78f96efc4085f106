//! One line of a table for each system, written as soon as it is judged: a run can be stopped and resumed, or split over processes,
//! and the report is made from the lines of all of them.
use crate::judge::Verdict;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Errors are given in tolerances; this many pass.
pub const PASSES: f64 = 100.0;

const HEADER: &str =
    "seed,case,law,shape,drawn shape,rtol,outcome,reference,true error,worst error,comparisons,seconds";

/// One comparison of a system.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedComparison {
    pub name: String,
    /// Error over the error that is allowed.
    pub ratio: f64,
    pub excluded: bool,
}

impl RecordedComparison {
    pub fn fails(&self) -> bool {
        !self.excluded && (self.ratio > 1.0 || self.ratio.is_nan())
    }
}

/// What came of one system.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseRecord {
    pub seed: u64,
    pub number: u64,
    /// The law and the shape that the run was restricted to; empty if it was not.
    pub law: String,
    pub shape: String,
    pub drawn_shape: String,
    pub rtol: f64,
    /// The scenario reader refused it.
    pub invalid: bool,
    /// Why there is no reference; empty if there is one.
    pub without_reference: String,
    pub seconds: f64,
    pub comparisons: Vec<RecordedComparison>,
}

impl CaseRecord {
    pub fn failed(&self) -> bool {
        self.comparisons.iter().any(RecordedComparison::fails)
    }
    /// Whether some comparison was excluded as too sensitive, and none failed.
    pub fn excluded(&self) -> bool {
        !self.failed() && self.comparisons.iter().any(|comparison| comparison.excluded)
    }
    /// The comparison with the largest error that counts.
    pub fn worst(&self) -> Option<&RecordedComparison> {
        let counted = self.comparisons.iter().filter(|comparison| !comparison.excluded);
        counted.max_by(|a, b| a.ratio.total_cmp(&b.ratio))
    }
    /// The largest error in tolerances against the reference or a closed form, if there is one.
    pub fn true_error(&self) -> Option<f64> {
        let exact = |name: &str| name == "reference" || name == "closed form";
        let found = self.comparisons.iter().filter(|comparison| exact(&comparison.name) && !comparison.excluded);
        found.map(|comparison| PASSES * comparison.ratio).max_by(f64::total_cmp)
    }
    /// The largest error in tolerances of all comparisons.
    pub fn worst_error(&self) -> Option<f64> {
        self.worst().map(|comparison| PASSES * comparison.ratio)
    }
    fn outcome(&self) -> &'static str {
        match (self.invalid, self.failed(), self.excluded()) {
            (true, ..) => "refused",
            (_, true, _) => "failed",
            (.., true) => "excluded",
            _ => "passed",
        }
    }
    pub fn set_verdict(&mut self, verdict: &Verdict) {
        self.invalid = verdict.invalid.is_some();
        self.without_reference = verdict.without_reference.as_ref().map_or(String::new(), |why| format!("{why:?}"));
        let results = verdict.results.iter();
        self.comparisons = results
            .map(|result| RecordedComparison {
                name: result.name.to_owned(),
                ratio: result.ratio,
                excluded: result.excluded,
            })
            .collect();
    }
    /// As a line of the table. No field has a comma, and the last has always three decimals, so that a line that is cut off shows.
    pub fn to_line(&self) -> String {
        let number = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:.3e}"));
        let mark = |excluded: bool| if excluded { " excluded" } else { "" };
        let comparisons: Vec<String> =
            self.comparisons.iter().map(|c| format!("{}={:e}{}", c.name, c.ratio, mark(c.excluded))).collect();
        let reference = if self.without_reference.is_empty() { "yes" } else { &self.without_reference };
        format!(
            "{},{},{},{},{},{:e},{},{reference},{},{},{},{:.3}",
            self.seed,
            self.number,
            self.law,
            self.shape,
            self.drawn_shape,
            self.rtol,
            self.outcome(),
            number(self.true_error()),
            number(self.worst_error()),
            comparisons.join(";"),
            self.seconds
        )
    }
    /// Reads a line back; none if it is not one, such as the last line of a process that was killed.
    pub fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split(',').collect();
        let &[seed, number, law, shape, drawn_shape, rtol, outcome, reference, _, _, comparisons, seconds] =
            &fields[..]
        else {
            return None;
        };
        let comparison = |text: &str| {
            let (name, rest) = text.split_once('=')?;
            let (ratio, excluded) = rest.strip_suffix(" excluded").map_or((rest, false), |ratio| (ratio, true));
            Some(RecordedComparison { name: name.to_owned(), ratio: ratio.parse().ok()?, excluded })
        };
        let comparisons: Option<Vec<_>> =
            comparisons.split(';').filter(|text| !text.is_empty()).map(comparison).collect();
        Some(Self {
            seed: seed.parse().ok()?,
            number: number.parse().ok()?,
            law: law.to_owned(),
            shape: shape.to_owned(),
            drawn_shape: drawn_shape.to_owned(),
            rtol: rtol.parse().ok()?,
            invalid: outcome == "refused",
            without_reference: if reference == "yes" { String::new() } else { reference.to_owned() },
            seconds: seconds.parse().ok()?,
            comparisons: comparisons?,
        })
        .filter(|record| record.to_line() == line)
    }
}

/// The file that lines are appended to.
pub struct RecordFile(File);

impl RecordFile {
    /// Opens a file; `resume`: what it has is kept, else it is emptied.
    ///
    /// # Errors
    /// That it cannot be written.
    pub fn open(path: &Path, resume: bool) -> Result<Self, String> {
        let error = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(error)?;
        }
        let keeps = resume && path.exists();
        let mut options = OpenOptions::new();
        let mut file = Self(options.create(true).write(true).append(keeps).truncate(!keeps).open(path).map_err(error)?);
        // a line that was cut off is ended
        file.write(if keeps { "" } else { HEADER })?;
        Ok(file)
    }
    /// Appends a line in one piece.
    ///
    /// # Errors
    /// That it cannot be written.
    pub fn write(&mut self, line: &str) -> Result<(), String> {
        self.0.write_all(format!("{line}\n").as_bytes()).map_err(|e| format!("cannot write the results: {e}"))
    }
}

/// All records in the files `results-*.csv` of a folder, each system once, in the order of seed and number.
///
/// # Errors
/// That a file cannot be read.
pub fn read_folder(folder: &Path) -> Result<Vec<CaseRecord>, String> {
    let error = |e: std::io::Error| format!("cannot read {}: {e}", folder.display());
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(error)? {
        let path = entry.map_err(error)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with("results-") && name.ends_with(".csv") {
            files.push(path);
        }
    }
    let mut records = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(error)?;
        records.extend(text.lines().filter_map(CaseRecord::parse));
    }
    let key = |record: &CaseRecord| (record.seed, record.law.clone(), record.shape.clone(), record.number);
    records.sort_by_key(key);
    records.dedup_by_key(|record| key(record));
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_reads_back_and_a_cut_one_does_not() {
        let comparison = |name: &str, ratio, excluded| RecordedComparison { name: name.to_owned(), ratio, excluded };
        let comparisons = vec![
            comparison("reference", 0.1 + 0.2, false),
            comparison("mirror", f64::INFINITY, true),
            comparison("energy", 1e-7, false),
        ];
        let record = CaseRecord {
            seed: 3,
            number: 17,
            law: String::new(),
            shape: "stack".into(),
            drawn_shape: "stack".into(),
            rtol: 1e-8,
            invalid: false,
            without_reference: String::new(),
            seconds: 0.25,
            comparisons,
        };
        let line = record.to_line();
        assert_eq!(CaseRecord::parse(&line), Some(record.clone()));
        assert_eq!(CaseRecord::parse(&line[..line.len() - 1]), None);
        assert_eq!(CaseRecord::parse(HEADER), None);
        assert_eq!((record.failed(), record.excluded()), (false, true));
        // thirty of a hundred tolerances
        assert_eq!(record.true_error(), Some(100.0 * (0.1 + 0.2)));
    }
}
