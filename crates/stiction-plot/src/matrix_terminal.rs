//! A matrix as text for a terminal.
use super::markup::plain_text;
use super::{CellMark, Matrix, MatrixCell, Terminal};

fn letter(mark: CellMark, unicode: bool) -> char {
    match (mark, unicode) {
        (CellMark::Empty, true) => '○',
        (CellMark::Half, true) => '◐',
        (CellMark::Full, true) => '●',
        (CellMark::Empty, false) => '.',
        (CellMark::Half, false) => 'o',
        (CellMark::Full, false) => '#',
    }
}

/// Columns are numbered, with a list of their names below: the names are too long for headers.
pub fn draw(matrix: &Matrix, terminal: &Terminal) -> String {
    let text = |cell: &MatrixCell| {
        let mark: String = cell.mark.map(|mark| letter(mark, terminal.unicode)).into_iter().collect();
        mark + &plain_text(&cell.text, terminal.unicode)
    };
    let name = |name: &str| plain_text(name, terminal.unicode);
    let count = matrix.columns.len();
    let length = |text: &str| text.chars().count();
    let cells = || matrix.rows.iter().flat_map(|(_, row)| row.iter().map(text));
    let wide = cells().map(|cell| length(&cell)).fold(count.to_string().len(), usize::max) + 1;
    let left = matrix.rows.iter().map(|(row, _)| length(&name(row))).max().unwrap_or(0);
    let line = |head: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>wide$}")).collect();
        format!("{}\n", format!("{head:left$} {cells}").trim_end())
    };
    let mut out = line("", (1..=count).map(|k| k.to_string()).collect());
    for (head, row) in &matrix.rows {
        let cells = (0..count).map(|k| matrix.cell(row, k).map_or_else(String::new, text)).collect();
        out += &line(&name(head), cells);
    }
    out.push('\n');
    for (mark, meaning) in &matrix.key {
        out += &format!("{:>3} {}\n", letter(*mark, terminal.unicode), name(meaning));
    }
    for (k, column) in matrix.columns.iter().enumerate() {
        out += &format!("{:>3} {}\n", k + 1, name(column));
    }
    out
}
