//! The report as text.
use stiction::identify::dynamic::plant;
use stiction::identify::report::IdentificationReport;
use stiction::identify::{IdentificationResult, Remark, ResultTable, Severity};
use stiction::number::{interval, round, short};
use stiction_report::text::wrap;

/// Number of digits in the text.
const DIGITS: usize = 6;
/// Largest number of rows of a table in the text; the written report has all of them.
const ROWS: usize = 10;

fn number(x: f64) -> String {
    if x.is_nan() { String::new() } else { short(round(x, DIGITS)) }
}

/// All results as text.
pub fn page(report: &IdentificationReport) -> String {
    let mut out = String::new();
    for input in &report.inputs {
        out += &format!("{}: {} rows\n", input.name, input.rows);
    }
    if let Some(text) = impossible(report) {
        out += &wrap("\n!!! ", &format!("{text}; {SIGN_HINT}"), 4);
        out.push('\n');
    }
    out += &remarks(&report.remarks);
    for result in &report.results {
        out += &section(result);
    }
    out
}

/// How to correct a wrong sign.
pub const SIGN_HINT: &str =
    "most likely the sign of force or velocity is wrong: --force '-NAME' reverses it; see 'stiction identify --help'";

/// Physically impossible results, if there are any.
pub fn impossible(report: &IdentificationReport) -> Option<String> {
    let mut names: Vec<&str> = report.results.iter().flat_map(IdentificationResult::unphysical_estimates).collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| format!("{} below zero: these results are not usable", names.join(", ")))
}

/// What to do about a law that does not describe the data.
pub const CHECK_HINT: &str = "compare units, signs and mass with those of the record that the law was identified from; --force '-NAME' reverses a sign";

/// The result of --check, if the errors of the law are larger than the friction itself: assuming no friction would predict
/// the data better.
pub fn failed_check(report: &IdentificationReport) -> Option<String> {
    let of_plant = report.results.iter().filter(|result| result.key == plant::CHECK).find_map(|r| r.score("relative"));
    if let Some(share) = of_plant.filter(|share| *share > 1.0 || share.is_nan()) {
        let text = format!(
            "the error is {:.0} % of the deviation of the records: this scenario does not describe them",
            100.0 * share
        );
        return Some(text);
    }
    let share = report.results.iter().filter(|result| result.key == "check").find_map(|r| r.score("relative"))?;
    (share > 1.0).then(|| {
        format!("{:.0} % of the friction is not predicted: this law does not describe these data", 100.0 * share)
    })
}

fn section(result: &IdentificationResult) -> String {
    let mut out = format!("\n{}\n", result.title);
    let rows: Vec<Vec<String>> = result
        .estimates
        .iter()
        .map(|e| {
            let given = !e.identifiability.is_estimated();
            let error = match e.error {
                _ if given => String::new(),
                error if error.is_finite() && error > 0.0 => short(round(error, 3)),
                _ => "unknown".to_owned(),
            };
            let known = !given && e.interval.iter().all(|x| !x.is_nan());
            let interval = if known { interval(e.interval, DIGITS) } else { String::new() };
            vec![
                e.name.clone(),
                number(e.value),
                e.unit.clone(),
                error,
                interval,
                e.identifiability.description().to_owned(),
            ]
        })
        .collect();
    let heads = ["", "value", "unit", "std. error", "95 % interval", ""].map(str::to_owned).to_vec();
    if !rows.is_empty() {
        out += &grid(&heads, &rows, &[0, 2, 5]);
    }
    let scores: Vec<Vec<String>> =
        result.scores.iter().map(|s| vec![s.title.clone(), number(s.value), s.unit.clone()]).collect();
    out.push('\n');
    out += &grid(&[], &scores, &[0, 2]);
    for table in result.tables.iter().filter(|table| table.key != "correlation") {
        out += &tabular(table);
    }
    if !result.remarks.is_empty() {
        out.push('\n');
        out += &remarks(&result.remarks);
    }
    out
}

fn tabular(table: &ResultTable) -> String {
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .take(ROWS)
        .map(|(name, cells)| [name.clone()].into_iter().chain(cells.iter().map(|x| number(*x))).collect())
        .collect();
    let more = table.rows.len().saturating_sub(ROWS);
    let more = if more > 0 { format!("  and {more} more\n") } else { String::new() };
    format!("\n{}\n{}{more}", table.title, grid(&table.columns, &rows, &[0]))
}

/// A table with columns as wide as their contents; those in `left` are aligned to the left.
pub fn grid(heads: &[String], rows: &[Vec<String>], left: &[usize]) -> String {
    let head = (!heads.is_empty()).then(|| heads.to_vec());
    let all: Vec<&Vec<String>> = head.iter().chain(rows).collect();
    let columns = all.iter().map(|row| row.len()).max().unwrap_or(0);
    let width = |k: usize| all.iter().filter_map(|row| row.get(k)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in all {
        let mut line = String::new();
        for (k, cell) in row.iter().enumerate() {
            let w = widths[k];
            line += &if left.contains(&k) { format!("  {cell:<w$}") } else { format!("  {cell:>w$}") };
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

fn remarks(list: &[Remark]) -> String {
    let line = |remark: &Remark| {
        let begin = match remark.severity {
            Severity::Info => "  - ",
            Severity::Good => "  + ",
            Severity::Warning => "  ? ",
            Severity::Critical => "  ! ",
        };
        wrap(begin, &remark.text, 4)
    };
    list.iter().map(line).collect()
}
