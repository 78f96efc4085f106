//! All that was found on one page of HTML: for a screen, for paper, without any other file.
use super::{Estimate, Finding, Known, Remark, Tone};
use crate::number::{pair, round, short};
use crate::plot::{Figure, Theme};
use base64::prelude::{BASE64_STANDARD, Engine};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A file that was looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its digest.
    pub sha256: String,
    /// Rows.
    pub rows: u64,
    /// What was seen of it, as text.
    pub audit: String,
}

/// What stands on the page.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The command that made it.
    pub command: String,
    /// The program's version.
    pub version: String,
    /// The files.
    pub inputs: Vec<Input>,
    /// What was done to the data.
    pub remarks: Vec<Remark>,
    /// What was found.
    pub findings: Vec<Finding>,
    /// Whether the body turned or slid, as far as units tell.
    pub turns: Option<bool>,
}

const STYLE: &str = include_str!("report.css");

impl Report {
    /// The page.
    pub fn html(&self) -> String {
        let names: Vec<&str> = self.inputs.iter().map(|input| input.name.as_str()).collect();
        let title = format!("Friction in {}", names.join(", "));
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    h1 { (title) }
                    p class="soft" { "stiction " (self.version) }
                    pre { (self.command) }
                    @for finding in &self.findings { (section(finding)) }
                    h2 { "Data" }
                    (remarks(&self.remarks))
                    @for input in &self.inputs {
                        h3 { (input.name) }
                        p class="soft" { (input.rows) " rows, SHA-256 " code { (input.sha256) } }
                        pre { (input.audit) }
                    }
                }
            }
        };
        page.into_string()
    }
}

fn section(finding: &Finding) -> Markup {
    html! {
        h2 { (finding.title) }
        (remarks(&finding.remarks))
        @if !finding.estimates.is_empty() {
            h3 { "Estimates" }
            table {
                thead {
                    tr { th {} th { "value" } th { "standard error" } th { "95 % interval" } th class="unit" { "unit" } th class="unit" {} }
                }
                @for e in &finding.estimates { (estimate(e)) }
            }
        }
        @if let Some(law) = &finding.law {
            h3 { "The law" }
            pre { (crate::ParameterFile::from(law.clone()).to_toml()) }
        }
        @for figure in &finding.pictures { (picture(figure)) }
        @if !finding.scores.is_empty() {
            h3 { "How good it is" }
            table {
                @for s in &finding.scores { tr { td { (s.title) } td { (number(s.value)) } td class="unit" { (s.unit) } } }
            }
        }
        @for table in &finding.tables {
            h3 { (table.title) }
            div class="wide" {
                table {
                    thead { tr { @for head in &table.heads { th { (head) } } } }
                    @for (name, cells) in &table.rows {
                        tr { td { (name) } @for x in cells { td { @if !x.is_nan() { (number(*x)) } } } }
                    }
                }
            }
        }
    }
}

fn estimate(e: &Estimate) -> Markup {
    let class = match e.known {
        Known::Well | Known::Given => None,
        Known::Loosely => Some("doubt"),
        Known::Not | Known::Bound => Some("bad"),
    };
    let [low, high] = pair(e.interval, DIGITS);
    let (error, interval) = match e.known {
        Known::Given => (String::new(), String::new()),
        _ if e.error.is_finite() => (number(e.error), format!("{low} … {high}")),
        Known::Not => ("∞".to_owned(), "unbounded".to_owned()),
        _ => ("∞".to_owned(), String::new()),
    };
    html! {
        tr class=[class] {
            td { (e.name) } td { (number(e.value)) } td { (error) } td { (interval) }
            td class="unit" { (e.unit) } td class="text" { (e.known.words()) }
        }
    }
}

impl Known {
    /// The same in words; nothing for what is well known.
    pub fn words(self) -> &'static str {
        match self {
            Self::Well => "",
            Self::Loosely => "loosely known",
            Self::Not => "not identifiable",
            Self::Given => "given",
            Self::Bound => "at a bound",
        }
    }
}

fn remarks(remarks: &[Remark]) -> Markup {
    let word = |remark: &Remark| match remark.tone {
        Tone::Plain => ("plain", ""),
        Tone::Good => ("good", "Good: "),
        Tone::Doubt => ("doubt", "Careful: "),
        Tone::Bad => ("bad", "Beware: "),
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

fn picture(figure: &Figure) -> Markup {
    let (width, height) = figure.size();
    let svg = BASE64_STANDARD.encode(figure.clone().theme(Theme::Light).svg());
    html! {
        figure {
            img width=(width) height=(height) alt=(figure.title) src={ "data:image/svg+xml;base64," (svg) };
        }
    }
}

/// A number as a reader takes it in.
fn number(x: f64) -> String {
    short(round(x, DIGITS))
}

/// Digits of numbers that are shown.
const DIGITS: usize = 6;

#[cfg(test)]
mod tests {
    use super::{Input, Report};

    #[test]
    fn names_and_commands_are_escaped() {
        let name = "<b>&\".csv".to_owned();
        let input = Input { name, sha256: String::new(), rows: 1, audit: "</pre>".to_owned() };
        let page = Report { command: "<script>".to_owned(), inputs: vec![input], ..Report::default() }.html();
        assert!(
            page.contains("&lt;b&gt;&amp;&quot;.csv")
                && page.contains("&lt;script&gt;")
                && page.contains("&lt;/pre&gt;")
        );
        assert!(!page.contains("<b>&") && !page.contains("<script"));
    }
}
