//! Options of every command that draws: the theme, and whether to draw in the terminal.
use crate::error::CommandError;
use crate::{stream, style};
use clap::ValueEnum;
use std::env;
use std::io::{self, IsTerminal, Write};
use stiction::plot::{Figure, Terminal, Theme};

/// Flatten these into the arguments of a command.
#[derive(Clone, clap::Args)]
pub struct PictureArgs {
    /// Draw in the terminal.
    #[arg(long)]
    pub plot: bool,
    /// Colours of pictures: light for white paper, which is the default, or dark for dark screens.
    #[arg(long, value_enum, value_name = "THEME")]
    theme: Option<ThemeName>,
}

/// Themes of pictures.
#[derive(Clone, Copy, ValueEnum)]
enum ThemeName {
    Light,
    Dark,
}

/// Height of a frame in lines of text, if the height of the terminal is not known.
const DEFAULT_LINES: usize = 20;
/// Smallest and largest height of a frame in lines of text.
const FRAME_LINES: (usize, usize) = (8, 24);
/// Lines for title, legend and axis around a frame, and for the prompt after it.
const OTHER_LINES: usize = 6;
/// Width of a terminal whose width is not known.
const DEFAULT_COLUMNS: usize = 80;
/// Width of the widest figure.
const MAX_COLUMNS: usize = 120;

impl PictureArgs {
    /// The theme of pictures.
    pub fn theme(&self) -> Theme {
        self.chosen_theme().unwrap_or_default()
    }
    /// The theme of the option, if it was given.
    pub fn chosen_theme(&self) -> Option<Theme> {
        self.theme.map(|paper| match paper {
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
        })
    }
    /// Draws figures in the terminal with `--plot`: on stdout, or on stderr if stdout is `taken` by data.
    pub fn show(&self, figures: &[Figure], taken: bool) -> Result<(), CommandError> {
        if self.plot { self.draw(figures, taken) } else { Ok(()) }
    }
    /// Draws figures in the terminal.
    pub fn draw(&self, figures: &[Figure], taken: bool) -> Result<(), CommandError> {
        let screen = screen(if taken { io::stderr().is_terminal() } else { io::stdout().is_terminal() });
        let text: Vec<String> = figures.iter().map(|figure| figure.text(&screen)).collect();
        let text = text.join("\n");
        if taken {
            // an error of writing to stderr cannot be reported
            let _ = io::stderr().write_all(text.as_bytes());
            return Ok(());
        }
        stream::drawing(&text)
    }
}

/// What the output can show: colours if it is a terminal that allows them, and the characters of the locale.
pub fn screen(terminal: bool) -> Terminal {
    let size = terminal_size::terminal_size().filter(|_| terminal);
    let variable = |name: &str| env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let columns = size.map(|size| size.0.0.into()).or_else(|| variable("COLUMNS")).unwrap_or(DEFAULT_COLUMNS);
    let lines = size.map_or(DEFAULT_LINES + OTHER_LINES, |size| size.1.0.into());
    Terminal {
        width: columns.min(MAX_COLUMNS),
        height: lines.saturating_sub(OTHER_LINES).clamp(FRAME_LINES.0, FRAME_LINES.1),
        colour: style::colours(terminal),
        unicode: unicode(["LC_ALL", "LC_CTYPE", "LANG"].map(|name| env::var(name).unwrap_or_default())),
    }
}

/// Whether the locale has characters beyond ASCII; the first of its variables that is not empty decides.
fn unicode(locale: [String; 3]) -> bool {
    let locale = locale.into_iter().find(|value| !value.is_empty()).unwrap_or_default().to_lowercase();
    cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::unicode;

    #[cfg(not(windows))]
    #[test]
    fn the_locale_decides_on_letters() {
        let of = |locale: [&str; 3]| unicode(locale.map(str::to_owned));
        assert!(of(["", "", "de_DE.UTF-8"]) && of(["C.utf8", "", "C"]) && of(["", "en_US.UTF-8", "C"]));
        assert!(!of(["", "", ""]) && !of(["C", "", "en_US.UTF-8"]) && !of(["", "", "de_DE.ISO-8859-1"]));
    }
}
