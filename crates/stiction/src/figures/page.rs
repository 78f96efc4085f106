//! All experiments on one page of HTML, which needs no other file.
use super::{Experiment, Outcome};
use crate::number::{round, short};
use std::fmt::Write;

/// An experiment to show.
pub struct Shown<'a> {
    /// What it is.
    pub experiment: &'a Experiment,
    /// What came of it.
    pub outcome: &'a Outcome,
    /// Its pictures: name of a file without ending, and the SVG itself.
    pub pictures: &'a [(String, String)],
}

const STYLE: &str = include_str!("page.css");

/// The page. `cite` says what a key of the references stands for.
pub fn page(shown: &[Shown<'_>], cite: impl Fn(&'static str) -> String) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Figures of the papers</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n\
         <h1>Figures of the papers</h1>\n\
         <p>Every experiment is simulated or computed anew by <code>stiction figures</code>; no number is typed in. \
         SI units; positive friction opposes positive velocity.</p>\n"
    );
    let papers = || shown.chunk_by(|a, b| a.experiment.source.0 == b.experiment.source.0);
    out += "<nav>\n";
    for paper in papers() {
        let link = |s: &Shown<'_>| {
            format!("<a href=\"#{0}\" title=\"{1}\">{0}</a>", s.experiment.id, text(s.experiment.title))
        };
        let links: Vec<String> = paper.iter().map(link).collect();
        let _ = writeln!(out, "<p>{}</p>", links.join(" "));
    }
    out += "</nav>\n</header>\n<main>\n";
    for paper in papers() {
        let source = paper.first().map(|s| cite(s.experiment.source.0)).unwrap_or_default();
        let _ = writeln!(out, "<section>\n<h2>{}</h2>", text(&source));
        paper.iter().for_each(|s| article(&mut out, s));
        out += "</section>\n";
    }
    out += "</main>\n</body>\n</html>\n";
    out
}

fn article(out: &mut String, shown: &Shown<'_>) {
    let Experiment { id, title, source, about, .. } = shown.experiment;
    let _ = writeln!(
        out,
        "<article id=\"{id}\">\n<h3><a href=\"#{id}\">{id}</a> {}</h3>\n<p class=\"source\">{}</p>\n<p>{}</p>",
        text(title),
        text(source.1),
        text(about)
    );
    out.push_str("<div class=\"pictures\">\n");
    for (name, svg) in shown.pictures {
        let link = |ending: &str| format!("<a href=\"{name}.{ending}\">{}</a> ", ending.to_uppercase());
        let png = if cfg!(feature = "png") { link("png") } else { String::new() };
        let _ = writeln!(out, "<figure>{svg}<figcaption>{}{png}</figcaption></figure>", link("svg"));
    }
    out.push_str("</div>\n");
    if !shown.outcome.given.is_empty() {
        let items: String = shown.outcome.given.iter().map(|line| format!("<li>{}</li>\n", text(line))).collect();
        let _ = writeln!(out, "<h4>Given</h4>\n<ul>\n{items}</ul>");
    }
    if !shown.outcome.values.is_empty() {
        let row = |value: &super::Value| {
            let (key, number) = (text(&value.key), short(round(value.value, 10)));
            format!("<tr><th scope=\"row\">{key}</th><td>{number}</td><td>{}</td></tr>\n", text(value.unit))
        };
        let rows: String = shown.outcome.values.iter().map(row).collect();
        let _ = writeln!(out, "<h4>Found</h4>\n<table>\n{rows}</table>");
    }
    out.push_str("</article>\n");
}

fn text(plain: &str) -> String {
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
