//! Options of every command that draws: the theme, and whether to draw in the terminal.
use crate::error::CommandError;
use crate::{stream, style};
use clap::ValueEnum;
use std::env;
use std::io::{self, IsTerminal, Write};
use stiction::plot::{Figure, Terminal, Theme};

/// Flatten these into the arguments of a command.
#[derive(clap::Args)]
pub struct PictureArgs {
    /// Draw in the terminal.
    #[arg(long)]
    pub plot: bool,
    /// Colours of pictures: on white paper, as without it, or on a dark screen.
    #[arg(long, value_enum, value_name = "THEME")]
    theme: Option<Paper>,
}

/// Themes of pictures.
#[derive(Clone, Copy, ValueEnum)]
enum Paper {
    Light,
    Dark,
}

/// Lines of text to a frame, if the terminal does not say how many it has.
const LINES: usize = 20;
/// The lowest and highest frame: beyond, dots are no finer than the eye.
const FRAME: (usize, usize) = (8, 24);
/// Lines that title, legend and axis take beside a frame, and the prompt after it.
const AROUND: usize = 6;
/// Columns of a terminal of unknown width, and the widest figure.
const COLUMNS: usize = 80;
const WIDEST: usize = 120;

impl PictureArgs {
    /// The theme of pictures.
    pub fn theme(&self) -> Theme {
        self.asked().unwrap_or_default()
    }
    /// The theme that was asked for, if any.
    pub fn asked(&self) -> Option<Theme> {
        self.theme.map(|paper| match paper {
            Paper::Light => Theme::Light,
            Paper::Dark => Theme::Dark,
        })
    }
    /// Draws figures in the terminal if asked for: on stdout, or on stderr if stdout is `taken` by data.
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

/// What can be shown: colours on a terminal whose user has nothing against them, and the letters of the locale.
pub fn screen(terminal: bool) -> Terminal {
    let size = terminal_size::terminal_size().filter(|_| terminal);
    let said = |name: &str| env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let columns = size.map(|size| size.0.0.into()).or_else(|| said("COLUMNS")).unwrap_or(COLUMNS);
    let lines = size.map_or(LINES + AROUND, |size| size.1.0.into());
    Terminal {
        width: columns.min(WIDEST),
        height: lines.saturating_sub(AROUND).clamp(FRAME.0, FRAME.1),
        colour: style::colours(terminal),
        unicode: unicode(["LC_ALL", "LC_CTYPE", "LANG"].map(|name| env::var(name).unwrap_or_default())),
    }
}

/// Whether the locale has letters beyond ASCII: the first of its variables that says something decides.
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
