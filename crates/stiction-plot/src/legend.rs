//! Title and legend above a frame.
use super::scene::{Anchor, LINE, Pen, Point, Shape, TEXT, Text, add_text};
use super::theme::Colours;
use super::{Panel, SeriesStyle, marker, markup};

/// Height of a row of entries, and length of the line before each name.
const ROW_HEIGHT: f64 = 22.0;
const KEY: f64 = 34.0;

/// The title and the legend of a panel.
pub struct Legend<'a> {
    colours: &'a Colours,
    title: (Vec<String>, f64),
    left: f64,
    /// Entries with their positions, from the first row.
    names: Vec<(Point, LegendEntry<'a>)>,
}

struct LegendEntry<'a> {
    name: &'a str,
    size: f64,
    pen: Pen,
    /// The number of the marker, and the styles of the series; an event if there are none.
    styles: (usize, Vec<SeriesStyle>),
}

impl<'a> Legend<'a> {
    /// The legend of a panel; empty if the panel `above` on the same axis has the same.
    pub fn new(panel: &'a Panel, above: Option<&Panel>, (left, right): Point, colours: &'a Colours) -> Self {
        let said = above.is_some_and(|above| {
            above.legend() == panel.legend()
                && above.events.iter().map(|e| &e.name).eq(panel.events.iter().map(|e| &e.name))
        });
        let series = panel.legend().into_iter().map(|(k, name, styles)| (name, colours.line(k), (k, styles)));
        let series = series.filter(|_| !said);
        let events = panel.events.iter().enumerate().filter(|(_, events)| !said && !events.name.is_empty());
        let events = events.map(|(k, events)| (&*events.name, colours.event(k), (k, Vec::new())));
        let mut names = Vec::new();
        let (mut x, mut y) = (left, 0.0);
        for (name, pen, styles) in series.chain(events) {
            let room = right - left - KEY - 6.0;
            let long = markup::width(name, TEXT);
            let size = if long > room { TEXT * room / long } else { TEXT };
            let width = KEY + 6.0 + long.min(room);
            if x > left && x + width > right {
                (x, y) = (left, y + ROW_HEIGHT);
            }
            names.push(((x, y), LegendEntry { name, size, pen, styles }));
            x += width + 18.0;
        }
        let title =
            if panel.title.is_empty() { (Vec::new(), TEXT) } else { markup::fit(&panel.title, TEXT, right - left) };
        Self { colours, title, left, names }
    }
    fn rows(&self) -> f64 {
        self.names.last().map_or(0.0, |(at, _)| at.1 + ROW_HEIGHT)
    }
    pub fn height(&self) -> f64 {
        let lines = self.title.0.len() as f64;
        self.rows() + if lines > 0.0 { LINE * lines + 5.0 } else { 0.0 }
    }
    /// Draws it above `bottom`.
    pub fn draw(&self, shapes: &mut Vec<Shape>, bottom: f64) {
        let top = bottom - self.height();
        for (k, line) in self.title.0.iter().enumerate() {
            let at = (self.left, top + 12.0 + LINE * k as f64);
            add_text(shapes, Text::new(at, Anchor::Start, self.title.1, line));
        }
        let first = bottom - self.rows() + 12.0;
        for ((x, y), LegendEntry { name, size, pen, styles: (k, styles) }) in &self.names {
            let (x, y) = (*x, first + y);
            let (start, end) = ((x, y - 5.0), (x + KEY, y - 5.0));
            if styles.contains(&SeriesStyle::Area) {
                shapes.push(marker::fill(
                    vec![vec![(x, y + 1.0), (x + KEY, y + 1.0), (x + KEY, y - 11.0), (x, y - 11.0)]],
                    pen,
                ));
            }
            if styles.is_empty() || styles.contains(&SeriesStyle::Line) {
                shapes.push(Shape::Strokes { strokes: vec![vec![start, end]], pen: *pen });
            }
            if styles.contains(&SeriesStyle::Cloud) {
                let dots: Vec<_> =
                    (0..5).map(|k| (x + (0.5 + f64::from(k)) * KEY / 5.0, y - 5.0 + 3.0 * f64::from(k % 2))).collect();
                shapes.extend(marker::cloud(&dots, pen));
            }
            if styles.contains(&SeriesStyle::Points) {
                marker::draw(shapes, &[(x + 0.5 * KEY, y - 5.0)], *k, pen, self.colours);
            }
            add_text(shapes, Text::new((x + KEY + 6.0, y), Anchor::Start, *size, *name));
        }
    }
}
