//! Pictures inside a page: one drawing whose colours follow the light or dark theme of the reader's screen.
use crate::plot::{Figure, Theme};
use maud::{Markup, PreEscaped, html};

/// Colours that pictures have in common: on white paper and on a dark screen.
#[derive(Default)]
pub struct ThemeColours {
    pairs: Vec<(String, String)>,
}

/// Number of characters of a colour, `#0072b2`.
const COLOUR_LENGTH: usize = 7;
/// What a drawing in a file of its own says at its beginning.
const NAMESPACE: &str = "xmlns=\"http://www.w3.org/2000/svg\" ";

impl ThemeColours {
    /// A figure as an element of a page. Its colours are variables, which [`ThemeColours::css`] gives values.
    pub fn svg(&mut self, figure: &Figure, alt: &str) -> Markup {
        let [light, dark] = [Theme::Light, Theme::Dark].map(|theme| figure.clone().theme(theme).svg());
        let mut out = String::with_capacity(light.len());
        let (mut light, mut dark) = (light.as_str(), dark.as_str());
        // the two drawings differ only in their colours
        while let (Some(a), Some(b)) = (light.find("\"#"), dark.find("\"#")) {
            let ([begin, rest], [_, other]) = (cut(light, a + 1), cut(dark, b + 1));
            out += begin;
            let ([here, light_on], [there, dark_on]) = (cut(rest, COLOUR_LENGTH), cut(other, COLOUR_LENGTH));
            out += &format!("var(--c{})", self.number(here, there));
            (light, dark) = (light_on, dark_on);
        }
        out += light;
        // the text escaped for an attribute
        let alt = html! { (alt) }.into_string();
        // a page of HTML knows the namespace
        let out = out.replacen(NAMESPACE, "", 1);
        PreEscaped(out.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{alt}\" "), 1))
    }
    fn number(&mut self, light: &str, dark: &str) -> usize {
        let known = self.pairs.iter().position(|pair| pair.0 == light && pair.1 == dark);
        known.unwrap_or_else(|| {
            self.pairs.push((light.to_owned(), dark.to_owned()));
            self.pairs.len() - 1
        })
    }
    /// The values of the colours; paper stays white.
    pub fn css(&self) -> String {
        let list = |dark: bool| -> String {
            let one = |(k, (light, other)): (usize, &(String, String))| {
                format!("--c{k}:{};", if dark { other } else { light })
            };
            self.pairs.iter().enumerate().map(one).collect()
        };
        format!(":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n", list(false), list(true))
    }
}

fn cut(text: &str, at: usize) -> [&str; 2] {
    let (a, b) = text.split_at_checked(at).unwrap_or((text, ""));
    [a, b]
}

#[cfg(test)]
mod tests {
    use super::{NAMESPACE, ThemeColours};
    use crate::plot::{Axis, Figure, Panel};

    #[test]
    fn a_picture_has_the_colours_of_either_theme() {
        let panel = Panel::new(Axis::linear("x"), Axis::linear("y")).line("a", [(0.0, 0.0), (1.0, 1.0)]);
        let figure = Figure::new("both").panel(panel);
        let mut colours = ThemeColours::default();
        let svg = colours.svg(&figure, "a \"line\"").into_string();
        assert!(!svg.contains('#') && svg.contains("var(--c0)") && svg.contains("aria-label=\"a &quot;line&quot;\""));
        // put back, it is the drawing for white paper
        let mut back = svg.replacen("role=\"img\" aria-label=\"a &quot;line&quot;\" ", NAMESPACE, 1);
        for (k, pair) in colours.pairs.iter().enumerate() {
            back = back.replace(&format!("\"var(--c{k})\""), &format!("\"{}\"", pair.0));
        }
        assert_eq!(back, figure.svg());
        assert!(colours.css().contains("prefers-color-scheme:dark"));
    }
}
