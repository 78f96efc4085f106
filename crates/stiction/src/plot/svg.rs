//! A drawing as SVG.
use super::scene::{Anchor, INK, Pen, Point, Scene, Shape};
use std::fmt::Write;

pub fn draw(scene: &Scene) -> String {
    let (w, h) = scene.size;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
         font-family=\"Noto Sans, DejaVu Sans, Helvetica, Arial, sans-serif\" fill=\"#{:06x}\">\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n",
        INK.0
    );
    for shape in &scene.shapes {
        match shape {
            Shape::Strokes { strokes, pen } => path(&mut out, strokes, pen),
            Shape::Dot { at, radius, colour } => {
                let _ = writeln!(
                    out,
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"#{:06x}\"/>",
                    at.0, at.1, colour.0
                );
            }
            Shape::Text { at: (x, y), text, anchor, turned, size } => {
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                let turn = if *turned { format!(" transform=\"rotate(-90 {x:.1} {y:.1})\"") } else { String::new() };
                let text = text.replace('&', "&amp;").replace('<', "&lt;");
                let _ = writeln!(
                    out,
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\"{turn}>{text}</text>"
                );
            }
        }
    }
    out += "</svg>\n";
    out
}

/// Lines in tenths of a pixel. Those of two points, the grid above all, go into one path.
fn path(out: &mut String, strokes: &[Vec<Point>], pen: &Pen) {
    let dash = pen.dash.map_or_else(String::new, |(a, b)| format!(" stroke-dasharray=\"{a} {b}\""));
    let _ = writeln!(
        out,
        "<g fill=\"none\" stroke=\"#{:06x}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}>",
        pen.colour.0, pen.width
    );
    let text = |p: &Point| format!("{:.1},{:.1}", p.0, p.1);
    let mut pairs = String::new();
    for stroke in strokes {
        if let [a, b] = &stroke[..] {
            let _ = write!(pairs, "M{}L{}", text(a), text(b));
        } else {
            let points: Vec<_> = stroke.iter().map(text).collect();
            let _ = writeln!(out, "<polyline points=\"{}\"/>", points.join(" "));
        }
    }
    if !pairs.is_empty() {
        let _ = writeln!(out, "<path d=\"{pairs}\"/>");
    }
    out.push_str("</g>\n");
}
