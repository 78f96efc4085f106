//! A drawing as SVG.
use super::markup::text_runs;
use super::scene::{Anchor, Colour, Pen, Point, Scene, Shape, Text};
use std::fmt::{self, Display, Formatter};
use stiction_io::xml::XmlWriter;

pub fn draw(scene: &Scene) -> String {
    let (width, height) = scene.size;
    let mut xml = XmlWriter::default();
    xml.begin("svg").attribute("xmlns", "http://www.w3.org/2000/svg");
    xml.attribute("viewBox", format_args!("0 0 {width} {height}")).attribute("width", to_tenths(width * scene.zoom));
    xml.attribute("height", to_tenths(height * scene.zoom))
        .attribute("font-family", "Noto Sans, DejaVu Sans, Helvetica, Arial, sans-serif");
    xml.attribute("fill", scene.ink).newline();
    xml.begin("rect").attribute("width", width).attribute("height", height).attribute("fill", scene.paper).end();
    xml.newline();
    for shape in &scene.shapes {
        match shape {
            Shape::Strokes { strokes, pen } => lines(&mut xml, strokes, pen),
            Shape::Fill { rings, colour, opacity } => {
                let ring = |ring: &Vec<Point>| format!("M{}Z", join(ring, "L"));
                let rings: String = rings.iter().map(ring).collect();
                xml.begin("path").attribute("d", rings).attribute("fill", colour);
                xml.attribute("fill-opacity", opacity).end();
            }
            Shape::Cells { cells, colour } => {
                let cell =
                    |(a, b): &(Point, Point)| format!("M{:.1},{:.1}H{:.1}V{:.1}H{:.1}Z", a.0, a.1, b.0, b.1, a.0);
                let cells: String = cells.iter().map(cell).collect();
                xml.begin("path").attribute("d", cells).attribute("fill", colour);
                xml.attribute("shape-rendering", "crispEdges").end();
            }
            Shape::Dot { at, radius, colour } => {
                xml.begin("circle").attribute("cx", Tenths(at.0)).attribute("cy", Tenths(at.1));
                xml.attribute("r", radius).attribute("fill", colour).end();
            }
            Shape::Text(line) => text(&mut xml, line),
        }
        xml.newline();
    }
    xml.finish()
}

impl Display for Colour {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "#{:06x}", self.0)
    }
}

/// A coordinate with one decimal.
struct Tenths(f64);

impl Display for Tenths {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", self.0)
    }
}

fn text(xml: &mut XmlWriter, line: &Text) {
    let Text { at: (x, y), size, turn, .. } = *line;
    let anchor = match line.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    xml.begin("text").attribute("x", Tenths(x)).attribute("y", Tenths(y)).attribute("font-size", to_tenths(size));
    xml.attribute("text-anchor", anchor);
    if turn != 0.0 {
        xml.attribute("transform", format_args!("rotate({turn} {x:.1} {y:.1})"));
    }
    if let Some(ink) = line.ink {
        xml.attribute("fill", ink);
    }
    if let Some(halo) = line.halo {
        xml.attribute("stroke", halo).attribute("stroke-width", 3).attribute("stroke-linejoin", "round");
        xml.attribute("paint-order", "stroke");
    }
    let runs = text_runs(&line.text);
    if let [only] = &runs[..]
        && only.shift == 0
    {
        xml.text(&only.text).end();
        return;
    }
    // blanks at the end of a run count
    xml.attribute("xml:space", "preserve");
    // every run begins at the height of the run before
    let mut height = 0.0;
    for run in &runs {
        let (size, shift) = run.size_and_shift(size);
        xml.begin("tspan").attribute("dy", to_tenths(height - shift)).attribute("font-size", to_tenths(size));
        xml.text(&run.text).end();
        height = shift;
    }
    xml.end();
}

/// A length rounded to a tenth.
fn to_tenths(x: f64) -> f64 {
    (10.0 * x).round() / 10.0
}

fn join(points: &[Point], between: &str) -> String {
    let points: Vec<_> = points.iter().map(|p| format!("{:.1},{:.1}", p.0, p.1)).collect();
    points.join(between)
}

/// Lines in tenths of a pixel. Those of two points, above all the grid, go into one path.
fn lines(xml: &mut XmlWriter, strokes: &[Vec<Point>], pen: &Pen) {
    xml.begin("g").attribute("fill", "none").attribute("stroke", pen.colour).attribute("stroke-width", pen.width);
    xml.attribute("stroke-linejoin", "round");
    if !pen.dash.is_empty() {
        let dash: Vec<_> = pen.dash.iter().map(f64::to_string).collect();
        xml.attribute("stroke-dasharray", dash.join(" "));
    }
    xml.newline();
    let mut pairs = String::new();
    for stroke in strokes {
        if stroke.len() == 2 {
            pairs += &format!("M{}", join(stroke, "L"));
        } else {
            xml.begin("polyline").attribute("points", join(stroke, " ")).end().newline();
        }
    }
    if !pairs.is_empty() {
        xml.begin("path").attribute("d", pairs).end().newline();
    }
    xml.end();
}
