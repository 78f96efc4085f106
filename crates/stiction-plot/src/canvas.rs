//! A grid of characters to draw on with dots.
use super::scene::Point;

/// What a character cell shows.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// Dots that are set.
    dots: u8,
    /// A character instead.
    letter: Option<char>,
    /// Its colour.
    pen: Option<LetterColour>,
}

/// The colour of a letter.
#[derive(Clone, Copy, PartialEq)]
pub enum LetterColour {
    /// That of line number `k`.
    Line(usize),
    /// Red, green and blue.
    Exact(u32),
}

/// Eight dots per character with braille, else two.
pub struct Canvas {
    pub width: usize,
    pub height: usize,
    unicode: bool,
    cells: Vec<Cell>,
}

/// The dots of a braille letter, row by row; Unicode counts them down the columns, with the fourth row last.
const BRAILLE: [[u8; 2]; 4] = [[0, 3], [1, 4], [2, 5], [6, 7]];
/// Colours that every terminal has, in the shades that its user chose: cyan, yellow, green, magenta, blue, red, white.
const ANSI: [u8; 7] = [36, 33, 32, 35, 34, 31, 37];

impl Canvas {
    pub fn new(width: usize, height: usize, unicode: bool) -> Self {
        Self { width, height, unicode, cells: vec![Cell::default(); width * height] }
    }
    /// Dots to a letter, across and down.
    const fn fine(&self) -> (usize, usize) {
        if self.unicode { (2, 4) } else { (1, 2) }
    }
    /// Where the last dot is; the first is at 0.
    pub fn ends(&self) -> Point {
        let (w, h) = self.fine();
        ((self.width * w).saturating_sub(1) as f64, (self.height * h).saturating_sub(1) as f64)
    }
    /// The cell of a dot.
    pub fn cell(&self, at: Point) -> (usize, usize) {
        let (w, h) = self.fine();
        (at.0.round() as usize / w, at.1.round() as usize / h)
    }
    fn at(&mut self, (column, row): (usize, usize)) -> Option<&mut Cell> {
        let inside = column < self.width && row < self.height;
        self.cells.get_mut(row * self.width + column).filter(|_| inside)
    }
    /// Sets a letter, also over others.
    pub fn letter(&mut self, at: (usize, usize), letter: char, pen: Option<LetterColour>) {
        if let Some(cell) = self.at(at) {
            *cell = Cell { letter: Some(letter), pen, ..*cell };
        }
    }
    /// Sets a letter where there is nothing.
    pub fn draw_behind(&mut self, at: (usize, usize), letter: char) {
        if let Some(cell) = self.at(at).filter(|cell| cell.dots == 0 && cell.letter.is_none()) {
            cell.letter = Some(letter);
        }
    }
    /// Writes a word from a cell on, ending within the canvas.
    pub fn word(&mut self, (column, row): (usize, usize), word: &str) {
        let start = column.min(self.width.saturating_sub(word.chars().count()));
        for (k, letter) in word.chars().enumerate() {
            self.letter((start + k, row), letter, None);
        }
    }
    /// A straight line between two dots, as dots or with a letter.
    pub fn line(&mut self, a: Point, b: Point, letter: Option<char>, pen: usize) {
        let count = (b.0 - a.0).abs().max((b.1 - a.1).abs()).ceil().max(1.0);
        for k in 0..=count as usize {
            let t = k as f64 / count;
            self.dot((a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1)), letter, pen);
        }
    }
    /// A dot, or the character that stands for it.
    pub fn dot(&mut self, at: Point, letter: Option<char>, pen: usize) {
        let (w, h) = self.fine();
        let (x, y) = (at.0.round() as usize, at.1.round() as usize);
        let bit = if self.unicode { BRAILLE[y % h][x % w] } else { (y % h) as u8 };
        if let Some(cell) = self.at((x / w, y / h)) {
            match letter {
                Some(_) => cell.letter = letter,
                None => cell.dots |= 1 << bit,
            }
            cell.pen = Some(LetterColour::Line(pen));
        }
    }
    /// A row of letters, with colours if asked for.
    pub fn row(&self, row: usize, colour: bool) -> String {
        let mut out = String::new();
        let mut last = None;
        let cells = &self.cells[row * self.width..(row + 1) * self.width];
        // nothing at the end of a line
        let used = cells.iter().rposition(|cell| cell.dots != 0 || cell.letter.is_some()).map_or(0, |k| k + 1);
        for cell in &cells[..used] {
            if colour && cell.pen != last {
                out += &cell.pen.map_or_else(|| RESET.to_owned(), escape);
                last = cell.pen;
            }
            out.push(match cell.letter {
                Some(letter) => letter,
                None if cell.dots == 0 => ' ',
                None if self.unicode => char::from_u32(0x2800 + u32::from(cell.dots)).unwrap_or(' '),
                None => [' ', '\'', '.', ':'][usize::from(cell.dots & 3)],
            });
        }
        if last.is_some() {
            out += RESET;
        }
        out
    }
}

/// Ends a colour.
pub const RESET: &str = "\x1b[0m";

/// Begins a colour.
pub fn escape(ink: LetterColour) -> String {
    match ink {
        LetterColour::Line(k) => format!("\x1b[{}m", ANSI[k % ANSI.len()]),
        // the nearest of the 216 colours that terminals agree on
        LetterColour::Exact(rgb) => {
            let [_, r, g, b] = rgb.to_be_bytes().map(|c| (u32::from(c) * 5 + 127) / 255);
            format!("\x1b[38;5;{}m", 16 + 36 * r + 6 * g + b)
        }
    }
}
