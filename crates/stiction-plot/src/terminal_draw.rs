//! A figure as text for a terminal.
use super::axis_transform::AxisTransform;
use super::canvas::{Canvas, LetterColour, RESET, escape};
use super::clip::Frame;
use super::markup::plain_text;
use super::scene::Point;
use super::{Figure, Panel, SeriesStyle, Terminal, colour_map, panel_grid};
use stiction_io::number::{round, short};

/// The characters of lines, events, shades and the frame.
struct CharacterSet {
    lines: &'static [char],
    events: &'static [char],
    shades: &'static [char],
    tick: char,
    side: char,
    corner: char,
    below: char,
    bottom: char,
    level: char,
    vertical: char,
    note: char,
}

const UNICODE: CharacterSet = CharacterSet {
    lines: &['●', '+', 'x', '○', '*', '■', '□'],
    events: &['▾', '▿', '◆'],
    shades: &[' ', '░', '▒', '▓', '█'],
    tick: '┤',
    side: '│',
    corner: '└',
    below: '┬',
    bottom: '─',
    level: '┄',
    vertical: '┆',
    note: '•',
};
const ASCII: CharacterSet = CharacterSet {
    lines: &['*', '+', 'o', 'x', '#', '@', '%'],
    events: &['v', 'V', '!'],
    shades: &[' ', '.', ':', '+', '#'],
    tick: '+',
    side: '|',
    corner: '+',
    below: '+',
    bottom: '-',
    level: '-',
    vertical: '|',
    note: 'o',
};

/// Least width and height.
const MIN_WIDTH: usize = 24;
const MIN_HEIGHT: usize = 5;

pub fn draw(figure: &Figure, terminal: &Terminal) -> String {
    let terminal =
        Terminal { width: terminal.width.max(MIN_WIDTH), height: terminal.height.max(MIN_HEIGHT), ..*terminal };
    let letters = if terminal.unicode { &UNICODE } else { &ASCII };
    let mut out = String::new();
    if !figure.title.is_empty() {
        out += &format!("{}\n", plain_text(&figure.title, terminal.unicode));
    }
    // all panels below each other: there is no room beside
    let panels = || figure.panels.chunk_by(|a, b| a.x == b.x);
    let y_map = |panel: &Panel, rows: usize| {
        let canvas = Canvas::new(1, rows, terminal.unicode);
        AxisTransform::new(&panel.y, panel.ys(), (canvas.ends().1, 0.0), panel_grid::margin_y(panel))
    };
    let rows = |group: &[Panel]| if group.len() > 1 { (terminal.height / 2).max(MIN_HEIGHT) } else { terminal.height };
    let label = |panel: &Panel, rows: usize| {
        let gap = 3.0 * f64::from(if terminal.unicode { 4u8 } else { 2 });
        y_map(panel, rows).ticks(gap).iter().map(|tick| tick.text.len()).max().unwrap_or(0)
    };
    let left = panels().flat_map(|group| group.iter().map(move |panel| label(panel, rows(group)))).max().unwrap_or(0);
    for group in panels() {
        let mut canvas = Canvas::new(terminal.width.saturating_sub(left + 2).max(8), rows(group), terminal.unicode);
        let x = AxisTransform::new(
            &group[0].x,
            group.iter().flat_map(Panel::xs),
            (0.0, canvas.ends().0),
            panel_grid::margin_x(group),
        );
        for panel in group {
            let y = y_map(panel, canvas.height);
            out += &legend(panel, &y.label(&panel.y), letters, &terminal);
            canvas = Canvas::new(canvas.width, canvas.height, terminal.unicode);
            fill(&mut canvas, panel, (&x, &y), letters, &terminal);
            out += &frame(&canvas, &y, left, letters, &terminal);
        }
        out += &axis(&canvas, &x, left, letters);
        out += &centred(&plain_text(&x.label(&group[0].x), terminal.unicode), left + 2, canvas.width);
    }
    for matrix in &figure.matrices {
        out += &super::matrix_terminal::draw(matrix, &terminal);
    }
    out
}

/// Title, label of the y axis, and legend.
fn legend(panel: &Panel, label: &str, letters: &CharacterSet, terminal: &Terminal) -> String {
    let paint = |letter: char, pen: usize| match terminal.colour {
        true => format!("{}{letter}{RESET}", escape(LetterColour::Line(pen))),
        false => letter.into(),
    };
    let mut entries: Vec<(String, String)> = Vec::new();
    let series = panel.legend();
    for (pen, name, styles) in series {
        let dotted = terminal.colour && styles.iter().any(|style| *style != SeriesStyle::Points);
        let letter = if dotted { letters.bottom } else { letters.lines[pen % letters.lines.len()] };
        entries.push((paint(letter, pen), plain_text(name, terminal.unicode)));
    }
    for (k, events) in panel.events.iter().enumerate().filter(|(_, e)| !e.name.is_empty()) {
        entries.push((letters.events[k % letters.events.len()].into(), plain_text(&events.name, terminal.unicode)));
    }
    let mut out = String::new();
    if !panel.title.is_empty() {
        out += &format!("{}\n", plain_text(&panel.title, terminal.unicode));
    }
    let mut line = plain_text(label, terminal.unicode);
    let mut used = line.chars().count();
    for (mark, name) in entries {
        let length = name.chars().count() + 2;
        if used > 0 && used + 3 + length > terminal.width {
            out += &format!("{}\n", line.trim_end());
            (line, used) = (String::new(), 0);
        }
        line += &format!("{}{mark} {name}", if used == 0 { "" } else { "   " });
        used += length + 3;
    }
    if let Some(heat) = &panel.heat_map {
        let map = AxisTransform::new(&heat.z, heat.all(), (0.0, 1.0), 0.0);
        let [low, high] = map.ends().map(|end| short(round(end, 3)));
        let shades: String = letters.shades.iter().collect();
        line += &format!("   {}: {low} {} {high}", plain_text(&heat.z.label, terminal.unicode), shades);
    }
    if !line.is_empty() {
        out += &format!("{}\n", line.trim_end());
    }
    out
}

/// Draws what a panel shows.
fn fill(
    canvas: &mut Canvas,
    panel: &Panel,
    (x, y): (&AxisTransform, &AxisTransform),
    letters: &CharacterSet,
    terminal: &Terminal,
) {
    let ends = canvas.ends();
    let inside = Frame::new((0.0, 0.0), ends);
    let place = |p: &Point| (x.place(p.0), y.place(p.1));
    shade(canvas, panel, (x, y), letters, terminal);
    let pens = panel.pens();
    // with colours, or alone, a line can be drawn with dots
    let fine = terminal.colour || pens.iter().all(|pen| *pen == 0);
    // points over lines
    let points = |on: bool| panel.series.iter().zip(&pens).filter(move |(s, _)| (s.style == SeriesStyle::Points) == on);
    for (series, &pen) in points(false).chain(points(true)) {
        let mark = letters.lines[pen % letters.lines.len()];
        let letter = (!fine).then_some(mark);
        let mut points: Vec<Point> = series.points.iter().map(place).collect();
        if series.style == SeriesStyle::Points {
            for (k, at) in points.into_iter().enumerate().filter(|(_, at)| inside.has(*at)) {
                if let Some(&(low, high)) = series.bars.get(k) {
                    let [low, high] = [low, high].map(|v| y.place(v).clamp(0.0, ends.1));
                    canvas.line((at.0, low), (at.0, high), None, pen);
                }
                canvas.letter(canvas.cell(at), mark, Some(LetterColour::Line(pen)));
            }
            continue;
        }
        if series.style == SeriesStyle::Cloud {
            points.into_iter().filter(|at| inside.has(*at)).for_each(|at| canvas.dot(at, letter, pen));
            continue;
        }
        if series.style == SeriesStyle::Area {
            points.extend(points.first().copied());
        }
        for piece in inside.line(&points).split(|p| !(p.0 + p.1).is_finite()) {
            match piece {
                [alone] => canvas.dot(*alone, letter, pen),
                _ => piece.windows(2).for_each(|pair| canvas.line(pair[0], pair[1], letter, pen)),
            }
        }
    }
    for reference in &panel.references {
        let name = plain_text(&reference.name, terminal.unicode);
        if reference.vertical {
            let at = x.place(reference.at);
            if inside.has((at, 0.0)) {
                let column = canvas.cell((at, 0.0)).0;
                (0..canvas.height).for_each(|row| canvas.draw_behind((column, row), letters.vertical));
                canvas.word((column + 1, 0), &name);
            }
        } else {
            let at = y.place(reference.at);
            if inside.has((0.0, at)) {
                let row = canvas.cell((0.0, at)).1;
                (0..canvas.width).for_each(|column| canvas.draw_behind((column, row), letters.level));
                canvas.word((canvas.width, row), &name);
            }
        }
    }
    for (k, events) in panel.events.iter().enumerate() {
        for at in events.at.iter().map(|v| x.place(*v)).filter(|at| inside.has((*at, 0.0))) {
            canvas.letter(canvas.cell((at, 0.0)), letters.events[k % letters.events.len()], None);
        }
    }
    for note in &panel.annotations {
        let at = place(&note.at);
        if inside.has(at) {
            let (column, row) = canvas.cell(at);
            let text = plain_text(&note.text, terminal.unicode);
            let right = column + 2 + text.chars().count() <= canvas.width;
            let start = if right { column + 2 } else { column.saturating_sub(text.chars().count() + 1) };
            canvas.word((start, row), &text);
            canvas.letter((column, row), letters.note, None);
        }
    }
}

/// Shades every cell by the nearest value of the map.
fn shade(
    canvas: &mut Canvas,
    panel: &Panel,
    (x, y): (&AxisTransform, &AxisTransform),
    letters: &CharacterSet,
    terminal: &Terminal,
) {
    let Some(heat) = &panel.heat_map else { return };
    let z = AxisTransform::new(&heat.z, heat.all(), (0.0, 1.0), 0.0);
    let nearest = |places: Vec<f64>, at: f64| {
        let far = |k: &usize| (places[*k] - at).abs();
        (0..places.len()).filter(|k| far(k).is_finite()).min_by(|a, b| far(a).total_cmp(&far(b)))
    };
    let ends = canvas.ends();
    let (width, height) = (canvas.width, canvas.height);
    let along = |k: usize, n: usize, end: f64| (k as f64 + 0.5) * (end + 1.0) / n as f64 - 0.5;
    let columns: Vec<_> =
        (0..width).map(|c| nearest(heat.x.iter().map(|v| x.place(*v)).collect(), along(c, width, ends.0))).collect();
    for row in 0..height {
        let Some(j) = nearest(heat.y.iter().map(|v| y.place(*v)).collect(), along(row, height, ends.1)) else { return };
        for (column, i) in columns.iter().enumerate() {
            let value = i.map_or(f64::NAN, |i| z.place(heat.value(i, j)));
            if !value.is_finite() {
                continue;
            }
            let last = letters.shades.len() - 1;
            let shade = letters.shades[(value.clamp(0.0, 1.0) * last as f64).round() as usize];
            let ink = LetterColour::Exact(colour_map::viridis(value).0);
            let letter = if terminal.colour { letters.shades[last] } else { shade };
            canvas.letter((column, row), letter, Some(ink));
        }
    }
}

/// The rows of a panel with the y axis before them.
fn frame(canvas: &Canvas, y: &AxisTransform, left: usize, letters: &CharacterSet, terminal: &Terminal) -> String {
    let gap = 3.0 * f64::from(if terminal.unicode { 4u8 } else { 2 });
    let ticks = y.ticks(gap);
    let mut out = String::new();
    for row in 0..canvas.height {
        let here = ticks.iter().find(|t| !t.text.is_empty() && canvas.cell((0.0, y.place(t.value))).1 == row);
        let (text, side) = here.map_or(("", letters.side), |tick| (tick.text.as_str(), letters.tick));
        out += format!("{text:>left$} {side}{}", canvas.row(row, terminal.colour)).trim_end();
        out.push('\n');
    }
    out
}

/// The x axis with its numbers.
fn axis(canvas: &Canvas, x: &AxisTransform, left: usize, letters: &CharacterSet) -> String {
    let dots = (canvas.ends().0 + 1.0) / canvas.width as f64;
    let ticks: Vec<_> = x.ticks(12.0 * dots).into_iter().filter(|tick| !tick.text.is_empty()).collect();
    let mut line = vec![letters.bottom; canvas.width];
    let mut numbers = vec![' '; left + 2 + canvas.width + 4];
    let mut free = 0;
    for tick in &ticks {
        let column = canvas.cell((x.place(tick.value), 0.0)).0.min(canvas.width - 1);
        line[column] = letters.below;
        let start = (left + 2 + column).saturating_sub(tick.text.len() / 2);
        if start >= free && start + tick.text.len() <= numbers.len() {
            tick.text.chars().enumerate().for_each(|(k, letter)| numbers[start + k] = letter);
            free = start + tick.text.len() + 1;
        }
    }
    let (line, numbers): (String, String) = (line.into_iter().collect(), numbers.into_iter().collect());
    format!("{:left$} {}{line}\n{}\n", "", letters.corner, numbers.trim_end())
}

fn centred(text: &str, left: usize, width: usize) -> String {
    let start = left + width.saturating_sub(text.chars().count()) / 2;
    if text.is_empty() { String::new() } else { format!("{:start$}{text}\n", "") }
}
