//! All experiments on one page of HTML, beside the files of their pictures.
use super::{ExperimentOutcome, PaperExperiment};
use crate::number::{round, short};
use crate::plot::{Figure, Theme};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// An experiment to show.
pub struct PageEntry<'a> {
    /// What it is.
    pub experiment: &'a PaperExperiment,
    /// What came of it.
    pub outcome: &'a ExperimentOutcome,
    /// Names of the files of its pictures, without ending.
    pub names: &'a [String],
}

/// What is added to the name of a picture on a dark screen, where there is one on white paper as well.
pub const DARK: &str = "-dark";

const STYLE: &str = include_str!("page.css");

/// The page. `cite` says what a key of the references stands for. Without a theme it follows the reader's screen, and
/// shows the pictures whose names end in [`DARK`] on a dark one.
pub fn page(shown: &[PageEntry<'_>], theme: Option<Theme>, cite: impl Fn(&'static str) -> String) -> String {
    let forced = theme.map(|theme| match theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
    });
    let papers: Vec<(String, &[PageEntry<'_>])> = shown
        .chunk_by(|a, b| a.experiment.source.0 == b.experiment.source.0)
        .map(|paper| (paper.first().map(|s| cite(s.experiment.source.0)).unwrap_or_default(), paper))
        .collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" data-theme=[forced] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Figures of the papers" }
                style { (PreEscaped(crate::html_page::style(STYLE))) }
            }
            body {
                header {
                    h1 { "Figures of the papers" }
                    p {
                        "Every experiment is simulated or computed anew by " code { "stiction figures" }
                        "; no number is typed in. SI units; positive friction opposes positive velocity. All numbers: "
                        a href="summary.json" { "summary.json" } "."
                    }
                    nav { @for (source, paper) in &papers { (contents(source, paper)) } }
                }
                main {
                    @for (source, paper) in &papers {
                        section id=(key(paper)) {
                            h2 { (source) }
                            @for shown in *paper { (article(shown, theme)) }
                        }
                    }
                }
            }
        }
    };
    page.into_string()
}

fn key(paper: &[PageEntry<'_>]) -> String {
    paper.first().map(|s| s.experiment.source.0.to_lowercase()).unwrap_or_default()
}

fn anchor(experiment: &PaperExperiment) -> String {
    experiment.id.to_lowercase()
}

/// The experiments of a paper, with links to them.
fn contents(source: &str, paper: &[PageEntry<'_>]) -> Markup {
    html! {
        section {
            h2 { a href={ "#" (key(paper)) } { (source) } }
            ul {
                @for PageEntry { experiment, .. } in paper {
                    li { a href={ "#" (anchor(experiment)) } { b { (experiment.id) } " " (experiment.title) } }
                }
            }
        }
    }
}

fn article(shown: &PageEntry<'_>, theme: Option<Theme>) -> Markup {
    let PaperExperiment { id, title, source, about, .. } = shown.experiment;
    let at = anchor(shown.experiment);
    let outcome = shown.outcome;
    html! {
        article id=(at) class=[(outcome.pictures.len() == 1).then_some("single")] {
            h3 { a href={ "#" (at) } { (id) } " " (title) }
            p class="source" { (source.1) }
            p { (about) }
            div class="pictures-and-numbers" {
                div class="pictures" {
                    @for (name, figure) in shown.names.iter().zip(&outcome.pictures) { (picture(name, figure, theme)) }
                }
                div class="numbers" {
                    @if !outcome.given.is_empty() {
                        div { h4 { "Given" } ul { @for line in &outcome.given { li { (line) } } } }
                    }
                    @if !outcome.values.is_empty() {
                        div {
                            h4 { "Found" }
                            table {
                                @for value in &outcome.values {
                                    tr { th scope="row" { (value.key) } td { (short(round(value.value, 10))) } td { (value.unit) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A picture with links to its files.
fn picture(name: &str, figure: &Figure, theme: Option<Theme>) -> Markup {
    let (width, height) = figure.size();
    html! {
        figure {
            picture {
                @if theme.is_none() {
                    source srcset={ (name) (DARK) ".svg" } media="screen and (prefers-color-scheme: dark)";
                }
                img src={ (name) ".svg" } width=(width) height=(height) alt=(plain(&figure.title));
            }
            figcaption {
                a href={ (name) ".svg" } { "SVG" } " "
                @if cfg!(feature = "png") { a href={ (name) ".png" } { "PNG" } " " }
            }
        }
    }
}

/// A text of a figure without its marks for lower and higher letters.
fn plain(rich: &str) -> String {
    rich.replace("_{", "").replace("^{", "").replace('}', "")
}
