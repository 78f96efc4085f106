//! All experiments on one page of HTML, beside the files of their pictures.
use super::{Experiment, Outcome};
use crate::html::text;
use crate::number::{round, short};
use crate::plot::Theme;
use std::fmt::Write;

/// An experiment to show.
pub struct Shown<'a> {
    /// What it is.
    pub experiment: &'a Experiment,
    /// What came of it.
    pub outcome: &'a Outcome,
    /// Names of the files of its pictures, without ending.
    pub names: &'a [String],
}

/// What is added to the name of a picture on a dark screen, where there is one on white paper as well.
pub const DARK: &str = "-dark";

const STYLE: &str = include_str!("page.css");

/// The page. `cite` says what a key of the references stands for. Without a theme it follows the reader's screen, and
/// shows the pictures whose names end in [`DARK`] on a dark one.
pub fn page(shown: &[Shown<'_>], theme: Option<Theme>, cite: impl Fn(&'static str) -> String) -> String {
    let forced = match theme {
        None => "",
        Some(Theme::Light) => " data-theme=\"light\"",
        Some(Theme::Dark) => " data-theme=\"dark\"",
    };
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"{forced}>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Figures of the papers</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n\
         <h1>Figures of the papers</h1>\n\
         <p>Every experiment is simulated or computed anew by <code>stiction figures</code>; no number is typed in. \
         SI units; positive friction opposes positive velocity. All numbers: <a href=\"summary.json\">summary.json</a>.</p>\n"
    );
    let papers: Vec<(String, &[Shown<'_>])> = shown
        .chunk_by(|a, b| a.experiment.source.0 == b.experiment.source.0)
        .map(|paper| (paper.first().map(|s| cite(s.experiment.source.0)).unwrap_or_default(), paper))
        .collect();
    out += "<nav>\n";
    for (source, paper) in &papers {
        let _ = writeln!(out, "<section>\n<h2><a href=\"#{}\">{}</a></h2>\n<ul>", key(paper), text(source));
        for Shown { experiment, .. } in *paper {
            let _ = writeln!(
                out,
                "<li><a href=\"#{}\"><b>{}</b> {}</a></li>",
                anchor(experiment),
                experiment.id,
                text(experiment.title)
            );
        }
        out += "</ul>\n</section>\n";
    }
    out += "</nav>\n</header>\n<main>\n";
    for (source, paper) in &papers {
        let _ = writeln!(out, "<section id=\"{}\">\n<h2>{}</h2>", key(paper), text(source));
        paper.iter().for_each(|s| article(&mut out, s, theme));
        out += "</section>\n";
    }
    out += "</main>\n</body>\n</html>\n";
    out
}

fn key(paper: &[Shown<'_>]) -> String {
    paper.first().map(|s| s.experiment.source.0.to_lowercase()).unwrap_or_default()
}

fn anchor(experiment: &Experiment) -> String {
    experiment.id.to_lowercase()
}

fn article(out: &mut String, shown: &Shown<'_>, theme: Option<Theme>) {
    let Experiment { id, title, source, about, .. } = shown.experiment;
    let at = anchor(shown.experiment);
    let _ = writeln!(
        out,
        "<article id=\"{at}\">\n<h3><a href=\"#{at}\">{id}</a> {}</h3>\n<p class=\"source\">{}</p>\n<p>{}</p>",
        text(title),
        text(source.1),
        text(about)
    );
    out.push_str("<div class=\"pictures\">\n");
    for (name, figure) in shown.names.iter().zip(&shown.outcome.pictures) {
        let (width, height) = figure.size();
        let link = |ending: &str| format!("<a href=\"{name}.{ending}\">{}</a> ", ending.to_uppercase());
        let png = if cfg!(feature = "png") { link("png") } else { String::new() };
        let dark = match theme {
            None => format!("<source srcset=\"{name}{DARK}.svg\" media=\"screen and (prefers-color-scheme: dark)\">"),
            Some(_) => String::new(),
        };
        let _ = writeln!(
            out,
            "<figure><picture>{dark}<img src=\"{name}.svg\" width=\"{width}\" height=\"{height}\" alt=\"{}\"></picture>\
             <figcaption>{}{png}</figcaption></figure>",
            text(&plain(&figure.title)),
            link("svg")
        );
    }
    out.push_str("</div>\n<div class=\"numbers\">\n");
    if !shown.outcome.given.is_empty() {
        let items: String = shown.outcome.given.iter().map(|line| format!("<li>{}</li>\n", text(line))).collect();
        let _ = writeln!(out, "<div><h4>Given</h4>\n<ul>\n{items}</ul></div>");
    }
    if !shown.outcome.values.is_empty() {
        let row = |value: &super::Value| {
            let (key, number) = (text(&value.key), short(round(value.value, 10)));
            format!("<tr><th scope=\"row\">{key}</th><td>{number}</td><td>{}</td></tr>\n", text(value.unit))
        };
        let rows: String = shown.outcome.values.iter().map(row).collect();
        let _ = writeln!(out, "<div><h4>Found</h4>\n<table>\n{rows}</table></div>");
    }
    out.push_str("</div>\n</article>\n");
}

/// A text of a figure without its marks for lower and higher letters.
fn plain(rich: &str) -> String {
    rich.replace("_{", "").replace("^{", "").replace('}', "")
}
