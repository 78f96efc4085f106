//! A drawing as SVG.
use super::rich::{Piece, pieces};
use super::scene::{Anchor, Pen, Point, Scene, Shape, Text};
use std::fmt::Write;

pub fn draw(scene: &Scene) -> String {
    let (w, h) = scene.size;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
         font-family=\"Noto Sans, DejaVu Sans, Helvetica, Arial, sans-serif\" fill=\"#{:06x}\">\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"#{:06x}\"/>\n",
        scene.ink.0, scene.paper.0
    );
    for shape in &scene.shapes {
        // writing to a string cannot fail
        let _ = match shape {
            Shape::Strokes { strokes, pen } => path(&mut out, strokes, pen),
            Shape::Fill { rings, colour, opacity } => {
                let ring = |ring: &Vec<Point>| format!("M{}Z", join(ring, "L"));
                let rings: String = rings.iter().map(ring).collect();
                writeln!(out, "<path d=\"{rings}\" fill=\"#{:06x}\" fill-opacity=\"{opacity}\"/>", colour.0)
            }
            Shape::Cells { cells, colour } => {
                let cell =
                    |(a, b): &(Point, Point)| format!("M{:.1},{:.1}H{:.1}V{:.1}H{:.1}Z", a.0, a.1, b.0, b.1, a.0);
                let cells: String = cells.iter().map(cell).collect();
                writeln!(out, "<path d=\"{cells}\" fill=\"#{:06x}\" shape-rendering=\"crispEdges\"/>", colour.0)
            }
            Shape::Dot { at, radius, colour } => writeln!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"#{:06x}\"/>",
                at.0, at.1, colour.0
            ),
            Shape::Text(line) => text(&mut out, line),
        };
    }
    out += "</svg>\n";
    out
}

fn text(out: &mut String, line: &Text) -> std::fmt::Result {
    let Text { at: (x, y), size, turn, .. } = *line;
    let anchor = match line.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{}\" text-anchor=\"{anchor}\"", tenths(size))?;
    if turn != 0.0 {
        write!(out, " transform=\"rotate({turn} {x:.1} {y:.1})\"")?;
    }
    if let Some(ink) = line.ink {
        write!(out, " fill=\"#{:06x}\"", ink.0)?;
    }
    if let Some(halo) = line.halo {
        write!(out, " stroke=\"#{:06x}\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"", halo.0)?;
    }
    let pieces = pieces(&line.text);
    let escaped = |piece: &Piece| piece.text.replace('&', "&amp;").replace('<', "&lt;");
    if let [only] = &pieces[..]
        && only.rise == 0
    {
        return writeln!(out, ">{}</text>", escaped(only));
    }
    // what is raised or lowered sets the place of what follows
    let mut height = 0.0;
    // a space at the end of a piece counts
    out.push_str(" xml:space=\"preserve\">");
    for piece in &pieces {
        let (size, rise) = piece.place(size);
        let by = height - rise;
        write!(out, "<tspan dy=\"{}\" font-size=\"{}\">{}</tspan>", tenths(by), tenths(size), escaped(piece))?;
        height = rise;
    }
    writeln!(out, "</text>")
}

/// A length to a tenth.
fn tenths(x: f64) -> f64 {
    (10.0 * x).round() / 10.0
}

fn join(points: &[Point], between: &str) -> String {
    let points: Vec<_> = points.iter().map(|p| format!("{:.1},{:.1}", p.0, p.1)).collect();
    points.join(between)
}

/// Lines in tenths of a pixel. Those of two points, the grid above all, go into one path.
fn path(out: &mut String, strokes: &[Vec<Point>], pen: &Pen) -> std::fmt::Result {
    write!(
        out,
        "<g fill=\"none\" stroke=\"#{:06x}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
        pen.colour.0, pen.width
    )?;
    if !pen.dash.is_empty() {
        let dash: Vec<_> = pen.dash.iter().map(f64::to_string).collect();
        write!(out, " stroke-dasharray=\"{}\"", dash.join(" "))?;
    }
    out.push_str(">\n");
    let mut pairs = String::new();
    for stroke in strokes {
        if stroke.len() == 2 {
            write!(pairs, "M{}", join(stroke, "L"))?;
        } else {
            writeln!(out, "<polyline points=\"{}\"/>", join(stroke, " "))?;
        }
    }
    if !pairs.is_empty() {
        writeln!(out, "<path d=\"{pairs}\"/>")?;
    }
    writeln!(out, "</g>")
}
