//! All that was found on one page of HTML: for a screen, for paper, without any other file.
use super::{Finding, Known, Remark, Tone};
use crate::html::text;
use crate::number::{pair, round, short};
use crate::plot::{Figure, Theme};
use std::fmt::Write;

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
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p class=\"soft\">stiction {1}</p>\n<pre>{2}</pre>\n",
            text(&title),
            text(&self.version),
            text(&self.command)
        );
        for finding in &self.findings {
            section(&mut out, finding);
        }
        out += "<h2>Data</h2>\n";
        remarks(&mut out, &self.remarks);
        for input in &self.inputs {
            let _ = writeln!(
                out,
                "<h3>{}</h3>\n<p class=\"soft\">{} rows, SHA-256 <code>{}</code></p>\n<pre>{}</pre>",
                text(&input.name),
                input.rows,
                input.sha256,
                text(&input.audit)
            );
        }
        out += "</body>\n</html>\n";
        out
    }
}

fn section(out: &mut String, finding: &Finding) {
    let _ = writeln!(out, "<h2>{}</h2>", text(&finding.title));
    remarks(out, &finding.remarks);
    if !finding.estimates.is_empty() {
        *out += "<h3>Estimates</h3>\n<table>\n<thead><tr><th></th><th>value</th><th>standard error</th>\
                 <th>95 % interval</th><th class=\"unit\">unit</th><th class=\"unit\"></th></tr></thead>\n";
        for e in &finding.estimates {
            let class = match e.known {
                Known::Well | Known::Given => "",
                Known::Loosely => " class=\"doubt\"",
                Known::Not | Known::Bound => " class=\"bad\"",
            };
            let [low, high] = pair(e.interval, DIGITS);
            let (error, interval) = match e.known {
                Known::Given => (String::new(), String::new()),
                _ if e.error.is_finite() => (number(e.error), format!("{low} … {high}")),
                Known::Not => ("∞".to_owned(), "unbounded".to_owned()),
                _ => ("∞".to_owned(), String::new()),
            };
            let _ = writeln!(
                out,
                "<tr{class}><td>{}</td><td>{}</td><td>{error}</td><td>{interval}</td><td class=\"unit\">{}</td><td class=\"text\">{}</td></tr>",
                text(&e.name),
                number(e.value),
                text(&e.unit),
                e.known.words()
            );
        }
        *out += "</table>\n";
    }
    if let Some(law) = &finding.law {
        let file = crate::ParameterFile::from(law.clone()).to_toml();
        let _ = writeln!(out, "<h3>The law</h3>\n<pre>{}</pre>", text(&file));
    }
    for figure in &finding.pictures {
        picture(out, figure);
    }
    if !finding.scores.is_empty() {
        *out += "<h3>How good it is</h3>\n<table>\n";
        for s in &finding.scores {
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td>{}</td><td class=\"unit\">{}</td></tr>",
                text(&s.title),
                number(s.value),
                text(&s.unit)
            );
        }
        *out += "</table>\n";
    }
    for table in &finding.tables {
        let _ = writeln!(out, "<h3>{}</h3>\n<div class=\"wide\"><table>\n<thead><tr>", text(&table.title));
        table.heads.iter().for_each(|head| {
            let _ = write!(out, "<th>{}</th>", text(head));
        });
        *out += "</tr></thead>\n";
        for (name, cells) in &table.rows {
            let cells: String = cells
                .iter()
                .map(|x| format!("<td>{}</td>", if x.is_nan() { String::new() } else { number(*x) }))
                .collect();
            let _ = writeln!(out, "<tr><td>{}</td>{cells}</tr>", text(name));
        }
        *out += "</table></div>\n";
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

fn remarks(out: &mut String, remarks: &[Remark]) {
    if remarks.is_empty() {
        return;
    }
    *out += "<ul class=\"remarks\">\n";
    for remark in remarks.iter().rev() {
        let (class, word) = match remark.tone {
            Tone::Plain => ("plain", ""),
            Tone::Good => ("good", "Good: "),
            Tone::Doubt => ("doubt", "Careful: "),
            Tone::Bad => ("bad", "Beware: "),
        };
        let _ = writeln!(out, "<li class=\"{class}\"><b>{word}</b>{}</li>", text(&remark.text));
    }
    *out += "</ul>\n";
}

fn picture(out: &mut String, figure: &Figure) {
    let (width, height) = figure.size();
    let svg = figure.clone().theme(Theme::Light).svg();
    let _ = writeln!(
        out,
        "<figure><img width=\"{width}\" height=\"{height}\" alt=\"{}\" src=\"data:image/svg+xml;base64,{}\"></figure>",
        text(&figure.title),
        base64(svg.as_bytes())
    );
}

/// A number as a reader takes it in.
fn number(x: f64) -> String {
    short(round(x, DIGITS))
}

/// Digits of numbers that are shown.
const DIGITS: usize = 6;

/// Bytes as letters (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = (0..3).fold(0_u32, |word, k| word << 8 | u32::from(three.get(k).copied().unwrap_or(0)));
        for k in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * k) & 63) as usize];
            out.push(if k <= three.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn letters_of_the_standard() {
        let pairs = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (plain, coded) in pairs {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }
}
