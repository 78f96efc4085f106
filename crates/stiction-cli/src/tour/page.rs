//! The tour on one page of HTML, without any other file: the machine, the measurements, the identified law with its
//! uncertainty, and its use in control.
use super::steps::Step;
use super::test_rig::NOMINAL;
use super::text::{four, interval, percent, unit};
use super::{MODEL, Tour};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use stiction::export::live_page::{self, LiveLaw};
use stiction::html_page::{self, ThemeColours};
use stiction::identify::Severity;
use stiction::identify::report::figures;
use stiction::number::{round, short};
use stiction::plot::Figure;
use stiction_report::text::quote;

const STYLE: &str = include_str!("page.css");

/// A page while it is written.
pub(super) struct Page<'a> {
    pub tour: &'a Tour,
    colours: ThemeColours,
    sections: usize,
}

/// The page.
pub fn page(tour: &Tour) -> String {
    let mut page = Page { tour, colours: ThemeColours::default(), sections: 0 };
    let sections = [
        page.machine(),
        page.logs(),
        page.breakaway(),
        page.presliding(),
        page.sliding(),
        page.dynamic(),
        page.accuracy(),
        page.validation(),
        page.control(),
        page.next_steps(),
    ];
    let title = "From the log of a machine to a quiet controller";
    let style = html_page::style(&format!("{}{STYLE}{}", live_page::STYLE, page.colours.css()));
    let script = live_page::script();
    let html = html! {
        (DOCTYPE)
        html lang="en" {
            (html_page::head(&format!("stiction: {title}"), &style, Some(&script)))
            body {
                header { h1 { (title) } (lead(tour)) }
                main { @for section in sections { (section) "\n" } }
                footer {
                    p class="soft" {
                        "Made by " code { "stiction " (env!("CARGO_PKG_VERSION")) } ". All numbers: "
                        a href="summary.json" { "summary.json" } "."
                    }
                }
                script { (PreEscaped(script.as_str())) }
            }
        }
    };
    html.into_string()
}

/// Summary of the tour in a few lines.
fn lead(tour: &Tour) -> Markup {
    let [law, other] = [&tour.check, &tour.baseline].map(|step| percent(step.score("relative")));
    let best = tour.best().map_or("none", |row| row.method.name.as_str());
    html! {
        p {
            "A pneumatic rig is simulated, and its signals are recorded by sensors with noise and finite resolution. From then \
             on it is a machine like any other: there are logs, and the question what its friction is. Here the answer can be \
             compared with the truth. Two things are easier than at a real machine: the position sensor is very good, and \
             the form of the law is given; the chapters on the logs and on the whole law say what that means."
        }
        ul class="facts" {
            li { b { (tour.held()) " of " (tour.rows.len()) } " identified numbers whose 95\u{a0}% interval contains the true value" }
            li { b { (law) } " of the friction in a second record is not predicted; Coulomb and viscous friction leave " (other) }
            li { b { "×" (short(round(tour.gain(), 3))) } " smaller tracking error with the best compensator, " code { (best) } }
        }
        p class="soft" {
            "Every step shows its command. Run them in the folder in which you called " code { "stiction" } "; each gives the \
             numbers shown here. With " code { "-o DIR" } " a command also writes its report, pictures and law."
        }
    }
}

impl Page<'_> {
    pub fn section(&mut self, title: &str, body: Markup) -> Markup {
        self.sections += 1;
        html! { section { h2 { span { (self.sections) } " " (title) } (body) } }
    }
    /// The command of a step.
    pub fn command_of(&self, step: &Step) -> Markup {
        command(&step.line.shown(&self.tour.dir))
    }
    pub fn figure(&mut self, figure: &Figure, caption: Markup) -> Markup {
        let svg = self.colours.svg(figure, &figure.title);
        html! { figure { (svg) figcaption { (caption) } } }
    }
    /// The identified law with sliders; nothing if it was not found.
    pub fn live_law(&self) -> Markup {
        let step = &self.tour.found.dynamic;
        let source = quote(&self.tour.dir.join(MODEL).to_string_lossy());
        let law = step.result().and_then(|result| result.law.as_ref());
        let mass = step.result().and_then(|result| result.estimate("mass")).map(|estimate| estimate.value);
        let live =
            law.and_then(|law| LiveLaw::new(law, &source).turns(step.report.rotational).mass(mass).section().ok());
        html! {
            @if let Some(live) = live {
                p {
                    "This is the law, live: move a slider, and the page computes its curves anew. The load is the pressure above "
                    (four(NOMINAL)) " bar."
                }
                (live)
            }
        }
    }
    /// Pictures of a step, those with a caption.
    pub fn pictures(&mut self, step: &Step, captions: &[&str]) -> Markup {
        let all = step.result().map(figures).unwrap_or_default();
        html! {
            @for (figure, caption) in all.iter().zip(captions).filter(|(_, caption)| !caption.is_empty()) {
                (self.figure(figure, html! { (caption) }))
            }
        }
    }
}

/// A command to copy.
pub(super) fn command(line: &str) -> Markup {
    html! { pre class="cmd" { code { (line) } } }
}

/// Advice on the reader's own data.
pub(super) fn on_your_data(text: Markup) -> Markup {
    html! { p class="own" { b { "On your own data." } " " (text) } }
}

/// The numbers that a step identified.
pub(super) fn numbers(step: &Step) -> Markup {
    let Some(result) = step.result() else { return html! {} };
    html! {
        div class="wide" {
            table {
                thead { tr { th {} th { "identified" } th { "95 % interval" } th class="text" { "unit" } } }
                @for e in result.estimates.iter().filter(|e| e.identifiability.is_estimated()) {
                    tr { td { (e.name) } td { (four(e.value)) } td { (interval(e.interval)) } td class="text" { (unit(e)) } }
                }
            }
        }
    }
}

/// The remarks of a step on its own result.
pub(super) fn remarks(step: &Step, tones: &[Severity]) -> Markup {
    let all = step.result().map(|result| result.remarks.as_slice()).unwrap_or_default();
    let chosen: Vec<_> = all.iter().filter(|remark| tones.contains(&remark.severity)).collect();
    html! { @if !chosen.is_empty() { ul class="soft" { @for remark in chosen { li { (remark.text) } } } } }
}
