//! The tour on one page of HTML, without any other file: what the machine is, what was measured, what was found, how sure that
//! is, and what it does for the control.
use super::Tour;
use super::steps::Step;
use super::text::{four, interval, percent, unit};
use super::theme_colours::ThemeColours;
use std::fmt::Write;
use stiction::html::text;
use stiction::identify::{Known, Tone};
use stiction::number::{round, short};
use stiction::plot::Figure;

const STYLE: &str = include_str!("page.css");

/// A page in the making.
pub(super) struct Page<'a> {
    pub tour: &'a Tour,
    ink: ThemeColours,
    pub out: String,
    sections: usize,
}

/// The page.
pub fn page(tour: &Tour) -> String {
    let mut page = Page { tour, ink: ThemeColours::default(), out: String::new(), sections: 0 };
    page.machine();
    page.log();
    page.breakaway();
    page.presliding();
    page.sliding();
    page.dynamic();
    page.sure();
    page.check();
    page.control();
    page.yours();
    let title = "From the log of a machine to a quiet controller";
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>stiction: {title}</title>\n\
         <style>\n{STYLE}{}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{}</header>\n<main>\n{}</main>\n\
         <footer><p class=\"soft\">Made by <code>stiction {}</code>. All numbers: <a href=\"summary.json\">summary.json</a>.</p>\
         </footer>\n</body>\n</html>\n",
        page.ink.css(),
        lead(tour),
        page.out,
        env!("CARGO_PKG_VERSION")
    )
}

/// The whole story in a few lines.
fn lead(tour: &Tour) -> String {
    let [law, other] = [&tour.check, &tour.baseline].map(|step| percent(step.score("relative")));
    let best = tour.best().map_or("none", |row| row.method.name.as_str());
    format!(
        "<p>A pneumatic rig is simulated and seen through sensors with noise and steps. From then on it is a machine like any \
         other: there are logs, and the question what its friction is. Here the answer can be held against the truth. Two things \
         are easier than at a real one: the scale that measures is very good, and which law it is is given; the chapters on the \
         logs and the whole law say what that means.</p>\n\
         <ul class=\"facts\">\n<li><b>{} of {}</b> identified numbers whose 95&nbsp;% interval holds the truth</li>\n\
         <li><b>{law}</b> of the friction in a second record is not predicted; Coulomb and viscous friction leave {other}</li>\n\
         <li><b>×{}</b> smaller tracking error with the best compensator, <code>{best}</code></li>\n</ul>\n\
         <p class=\"soft\">Every step shows its command. Run them in the folder in which you called <code>stiction</code>; each gives \
         the numbers shown here. With <code>-o DIR</code> a command also writes its report, pictures and law.</p>\n",
        tour.held(),
        tour.rows.len(),
        short(round(tour.gain(), 3))
    )
}

impl Page<'_> {
    pub fn section(&mut self, title: &str, body: impl FnOnce(&mut Self)) {
        self.sections += 1;
        let _ = writeln!(self.out, "<section>\n<h2><span>{}</span> {}</h2>", self.sections, text(title));
        body(self);
        self.out += "</section>\n";
    }
    pub fn paragraph(&mut self, html: &str) {
        let _ = writeln!(self.out, "<p>{html}</p>");
    }
    /// A command to copy.
    pub fn command(&mut self, line: &str) {
        let _ = writeln!(self.out, "<pre class=\"cmd\"><code>{}</code></pre>", text(line));
    }
    pub fn of(&mut self, step: &Step) {
        self.command(&step.line.shown(&self.tour.dir));
    }
    pub fn own(&mut self, html: &str) {
        let _ = writeln!(self.out, "<p class=\"own\"><b>On your own data.</b> {html}</p>");
    }
    pub fn figure(&mut self, figure: &Figure, caption: &str) {
        let svg = self.ink.svg(figure, &figure.title);
        let _ = writeln!(self.out, "<figure>\n{svg}<figcaption>{caption}</figcaption>\n</figure>");
    }
    /// Pictures of a step, those with a caption.
    pub fn pictures(&mut self, step: &Step, captions: &[&str]) {
        let all = step.finding().map(|finding| finding.pictures.clone()).unwrap_or_default();
        for (figure, caption) in all.iter().zip(captions).filter(|(_, caption)| !caption.is_empty()) {
            self.figure(figure, caption);
        }
    }
    /// What a step found.
    pub fn numbers(&mut self, step: &Step) {
        let Some(finding) = step.finding() else { return };
        self.out += "<div class=\"wide\"><table>\n<thead><tr><th></th><th>identified</th><th>95 % interval</th>\
                     <th class=\"text\">unit</th></tr></thead>\n";
        for e in finding.estimates.iter().filter(|e| e.known != Known::Given) {
            let _ = writeln!(
                self.out,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>",
                text(&e.name),
                four(e.value),
                interval(e.interval),
                text(&unit(e))
            );
        }
        self.out += "</table></div>\n";
    }
    /// What a step says of its own result, in its own words.
    pub fn remarks(&mut self, step: &Step, tones: &[Tone]) {
        let Some(finding) = step.finding() else { return };
        let said = finding.remarks.iter().filter(|remark| tones.contains(&remark.tone));
        let items: String = said.map(|remark| format!("<li>{}</li>\n", text(&remark.text))).collect();
        if !items.is_empty() {
            let _ = writeln!(self.out, "<ul class=\"soft\">\n{items}</ul>");
        }
    }
}
