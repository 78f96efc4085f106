//! Reports: figures of results, and a self-contained HTML page.
mod figures;
mod length_unit;
mod parameter_file;

pub use figures::figures;

use super::result::{Estimate, Identifiability, IdentificationResult, Remark, Severity};
use crate::export::live_page::{self, LiveLaw};
use crate::html_page::{self, ThemeColours};
use crate::number::{pair, round, short};
use crate::printable_lines;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// An input file of an identification.
#[derive(Clone, Debug, PartialEq)]
pub struct InputFile {
    /// Name.
    pub name: String,
    /// SHA-256 digest.
    pub sha256: String,
    /// Number of rows.
    pub rows: u64,
    /// Summary of its content, as text.
    pub audit: String,
}

/// The content of a report.
#[derive(Clone, Debug, Default)]
pub struct IdentificationReport {
    /// The command that made it.
    pub command: String,
    /// The program's version.
    pub version: String,
    /// Input files.
    pub inputs: Vec<InputFile>,
    /// Remarks on the preparation of the data.
    pub remarks: Vec<Remark>,
    /// Results.
    pub results: Vec<IdentificationResult>,
    /// Whether the motion is a rotation, if the units tell.
    pub rotational: Option<bool>,
    /// The speed below which 99 % of the samples are.
    pub fastest: Option<f64>,
    /// Least and largest load, if it was measured.
    pub loads: Option<[f64; 2]>,
    /// Forces whose size was estimated: the name of the coefficient, and the expression.
    pub terms: Vec<(String, String)>,
}

const STYLE: &str = include_str!("report.css");
/// The file of the identified law, beside the report.
const MODEL: &str = "model.toml";

impl IdentificationReport {
    /// The report as an HTML page.
    pub fn html(&self) -> String {
        let names: Vec<&str> = self.inputs.iter().map(|input| input.name.as_str()).collect();
        let title = format!("Friction in {}", names.join(", "));
        let mut colours = ThemeColours::default();
        let sections: Vec<Markup> = (0..self.results.len()).map(|k| self.section(k, &mut colours)).collect();
        let style = html_page::style(&format!("{}{STYLE}{}", live_page::STYLE, colours.css()));
        let script = live_page::script();
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                (html_page::head(&title, &style, Some(&script)))
                body {
                    header {
                        h1 { (title) }
                        p class="soft" { "stiction " (self.version) }
                        pre { (self.command) }
                    }
                    main {
                        @for section in &sections { (section) }
                        h2 { "Data" }
                        (remarks(&self.remarks))
                        @for input in &self.inputs {
                            h3 { (input.name) }
                            p class="soft" { (input.rows) " rows, SHA-256 " code { (input.sha256) } }
                            pre { (input.audit) }
                        }
                    }
                    script { (PreEscaped(script.as_str())) }
                }
            }
        };
        // names of files, columns and commands come from outside: no control character reaches the page
        printable_lines(&page.into_string()).into_owned()
    }

    /// The name of the file with the law of a result: the first result is the recommended one.
    pub fn model_name(&self, k: usize) -> String {
        if k == 0 { MODEL.to_owned() } else { format!("{}-{MODEL}", self.results[k].key) }
    }

    fn section(&self, k: usize, colours: &mut ThemeColours) -> Markup {
        let result = &self.results[k];
        let law = result.law.as_ref();
        // a law that cannot be in the page is in the report without its sliders
        let mass = result.estimates.iter().find(|estimate| estimate.name == "mass").map(|estimate| estimate.value);
        let live = law.and_then(|law| {
            LiveLaw::new(law, &self.model_name(k)).turns(Some(result.rotational)).mass(mass).section().ok()
        });
        html! {
            h2 { (result.title) }
            (remarks(&result.remarks))
            @if !result.estimates.is_empty() {
                h3 { "Estimates" }
                div class="wide" {
                    table {
                        thead {
                            tr {
                                th {} th { "value" } th { "standard error" } th { "95 % interval" } th class="text" { "unit" }
                                th class="text" {}
                            }
                        }
                        @for e in &result.estimates { (estimate(e)) }
                    }
                }
            }
            @if let Some(law) = law {
                h3 { "The law" }
                pre { (crate::ParameterFile::from(law.clone()).model_toml(result.rotational)) }
            }
            @if let Some(live) = &live {
                h3 { "The law, live" }
                (live)
            }
            @for figure in figures(result) { figure { (colours.svg(&figure, &figure.title)) } }
            @if !result.scores.is_empty() {
                h3 { "How good it is" }
                table {
                    @for s in &result.scores { tr { td { (s.title) } td { (number(s.value)) } td class="text" { (s.unit) } } }
                }
            }
            @for table in &result.tables {
                h3 { (table.title) }
                div class="wide" {
                    table {
                        thead { tr { @for column in &table.columns { th { (column) } } } }
                        @for (name, cells) in &table.rows {
                            tr { td { (name) } @for x in cells { td { @if !x.is_nan() { (number(*x)) } } } }
                        }
                    }
                }
            }
        }
    }
}

fn estimate(e: &Estimate) -> Markup {
    let class = match e.identifiability {
        Identifiability::Good | Identifiability::Given | Identifiability::Held => None,
        Identifiability::Weak => Some("doubt"),
        Identifiability::Unidentifiable | Identifiability::AtBound => Some("bad"),
    };
    let [low, high] = pair(e.interval, DIGITS);
    let (error, interval) = match e.identifiability {
        Identifiability::Given | Identifiability::Held => (String::new(), String::new()),
        _ if e.error.is_finite() => (number(e.error), format!("{low} … {high}")),
        Identifiability::Unidentifiable => ("∞".to_owned(), "unbounded".to_owned()),
        _ => ("∞".to_owned(), String::new()),
    };
    html! {
        tr class=[class] {
            td { (e.name) } td { (number(e.value)) } td { (error) } td { (interval) }
            td class="text" { (e.unit) } td class="text" { (e.identifiability.description()) }
        }
    }
}

fn remarks(remarks: &[Remark]) -> Markup {
    let word = |remark: &Remark| match remark.severity {
        Severity::Info => ("plain", ""),
        Severity::Good => ("good", "Good: "),
        Severity::Warning => ("doubt", "Careful: "),
        Severity::Critical => ("bad", "Beware: "),
    };
    html! {
        @if !remarks.is_empty() {
            ul class="remarks" {
                @for (remark, (class, word)) in remarks.iter().rev().map(|remark| (remark, word(remark))) {
                    li class=(class) { b { (word) } (remark.text) }
                }
            }
        }
    }
}

/// A number, rounded for the report.
fn number(x: f64) -> String {
    short(round(x, DIGITS))
}

/// Significant digits of numbers in the report.
const DIGITS: usize = 6;

#[cfg(test)]
mod tests {
    use super::{IdentificationReport, InputFile};

    #[test]
    fn names_and_commands_are_escaped() {
        let name = "<b>&\".csv\u{1b}[2J\u{202e}\u{2028}".to_owned();
        let input = InputFile { name, sha256: String::new(), rows: 1, audit: "</pre>".to_owned() };
        let page = IdentificationReport {
            command: "<script>".to_owned(),
            inputs: vec![input],
            ..IdentificationReport::default()
        }
        .html();
        assert!(
            page.contains("&lt;b&gt;&amp;&quot;.csv")
                && page.contains("&lt;script&gt;")
                && page.contains("&lt;/pre&gt;")
        );
        assert!(!page.contains("<b>&"));
        assert_eq!(page.matches("<script").count(), 1);
        assert!(page.contains("\\u{1b}[2J") && !page.contains(['\u{1b}', '\u{202e}', '\u{2028}']));
    }
}
