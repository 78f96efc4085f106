//! Formulas of LaTeX as MathML, which browsers typeset themselves: no script, no font to load, and screen readers say them.
//!
//! ```
//! use stiction::html_page::typeset;
//!
//! let page = typeset("The level\n\\begin{align}\nF &= F_C\\operatorname{sgn}(v).\n\\end{align}\nholds while $v\\ne 0$.\n").unwrap();
//! let page = page.into_string();
//! assert!(page.starts_with("<p>The level</p><math display=\"block\""));
//! assert!(page.contains("holds while <math display=\"inline\"") && page.ends_with("</math>.</p>"));
//! ```
use maud::{Markup, PreEscaped, html};
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::event::{EnvironmentFlow, Event};
use pulldown_latex::{Parser, Storage, push_mathml};

const BEGIN: &str = "\\begin{align}";
const END: &str = "\\end{align}";

/// Displayed equations of LaTeX, each in an `align`, and sentences between them with formulas within `$`. Equations have no numbers.
///
/// # Errors
/// The formula that could not be read, and why.
pub fn typeset(latex: &str) -> Result<Markup, String> {
    let mut out = Vec::new();
    for (k, part) in latex.split(BEGIN).enumerate() {
        let (equation, sentences) = match part.split_once(END) {
            _ if k == 0 => (None, part),
            Some((equation, sentences)) => (Some(equation), sentences),
            None => return Err(format!("{BEGIN} without {END}")),
        };
        if let Some(equation) = equation {
            // the environment with a star has no numbers
            let text = format!("\\begin{{align*}}{equation}\\end{{align*}}");
            out.push(math(&text, DisplayMode::Block)?);
        }
        for paragraph in sentences.split("\n\n").map(str::trim).filter(|text| !text.is_empty()) {
            out.push(with_formulas(paragraph)?);
        }
    }
    Ok(html! { @for part in out { (part) } })
}

/// A paragraph: every second piece between `$` is a formula.
fn with_formulas(paragraph: &str) -> Result<Markup, String> {
    let piece = |(k, text): (usize, &str)| match k % 2 {
        0 => Ok(html! { (text) }),
        _ => formula(text),
    };
    let pieces = paragraph.split('$').enumerate().map(piece).collect::<Result<Vec<_>, _>>()?;
    Ok(html! { p { @for piece in pieces { (piece) } } })
}

/// A formula within a line.
///
/// # Errors
/// The formula that could not be read, and why.
pub fn formula(latex: &str) -> Result<Markup, String> {
    math(latex, DisplayMode::Inline)
}

fn math(latex: &str, display_mode: DisplayMode) -> Result<Markup, String> {
    let storage = Storage::new();
    let events: Result<Vec<Event>, _> = Parser::new(latex, &storage).collect();
    let events = events.map_err(|e| format!("{latex}: {e}"))?;
    let mut out = String::new();
    let events = events.into_iter().filter_map(without_style).map(Ok::<_, std::convert::Infallible>);
    push_mathml(&mut out, events, RenderConfig { display_mode, ..RenderConfig::default() })
        .map_err(|e| format!("{latex}: {e}"))?;
    Ok(PreEscaped(out.replace(STRETCHED_BRACE, BRACE)))
}

/// The brace before cases. Without a font for mathematics on the reader's machine it would stay as small as a letter; the style sheet draws one
/// that is as high as the cases, and hides this one, which those who listen still get.
const STRETCHED_BRACE: &str = "<mo stretchy=\"true\">{</mo><mtable class=\"menv-cells-left menv-cases\">";
const BRACE: &str = "<mo class=\"brace\" stretchy=\"false\">{</mo><mtable class=\"menv-cells-left menv-cases\">";

/// More space between lines and space that is taken back would become styles of single elements, which the policy of a page does not
/// allow.
fn without_style(event: Event) -> Option<Event> {
    match event {
        Event::EnvironmentFlow(EnvironmentFlow::NewLine { horizontal_lines, .. }) => {
            Some(Event::EnvironmentFlow(EnvironmentFlow::NewLine { spacing: None, horizontal_lines }))
        }
        Event::Space { width: Some(width), .. } if width.value < 0.0 => None,
        event => Some(event),
    }
}

#[cfg(test)]
mod tests {
    use super::typeset;

    #[test]
    fn a_formula_that_cannot_be_read_is_an_error() {
        for wrong in ["$\\nonsense{x}$", "$\\frac{1}$", "\\begin{align} x", "$\\left( x$"] {
            let error = typeset(wrong).unwrap_err();
            assert!(error.contains(wrong.trim_matches('$').trim_end_matches(" x")), "{wrong}: {error}");
        }
    }

    #[test]
    fn no_element_has_a_style_of_its_own() {
        let page = typeset("\\begin{align}\na\\!\\left(b\\right),\\\\[2pt]\nc\n\\end{align}").unwrap().into_string();
        assert!(!page.contains(" style=") && page.matches("<mtr").count() == 2, "{page}");
    }

    /// Without a font for mathematics a brace does not grow: it is drawn.
    #[test]
    fn the_brace_of_cases_is_drawn() {
        let page = typeset("$F = \\begin{cases} 1, & x > 0, \\\\ 0, & x \\le 0 \\end{cases}$").unwrap().into_string();
        assert!(
            page.contains("<mo class=\"brace\" stretchy=\"false\">{</mo>") && !page.contains("stretchy=\"true\""),
            "{page}"
        );
    }

    /// What a text has of HTML stays text.
    #[test]
    fn markup_stays_text() {
        let page = typeset("a <b> & c, $x < \\text{<i>}$").unwrap().into_string();
        assert!(page.starts_with("<p>a &lt;b&gt; &amp; c, ") && !page.contains("<i>"), "{page}");
    }
}
