//! What a panel shows.
use super::{Axis, Heat};

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A line through the points. It is broken at a point that is not finite, or that its axes cannot show.
    Line,
    /// A mark at each point.
    Points,
    /// A small dot at each of many points, behind lines.
    Cloud,
    /// The area that the points run around.
    Area,
}

/// Points that belong together. Series of one name share their colour and their place in the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it shows, for the legend; may be empty.
    pub name: String,
    /// How it is drawn.
    pub look: Look,
    /// The points, in order; x need not rise.
    pub points: Vec<(f64, f64)>,
    /// Lower and upper end of the error bar of each point; may be empty.
    pub bars: Vec<(f64, f64)>,
}

/// Events of one kind, marked across a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Events {
    /// What happens, for the legend; may be empty.
    pub name: String,
    /// Where on the x axis.
    pub at: Vec<f64>,
}

/// A straight line across a panel, with its name beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// What it is; may be empty.
    pub name: String,
    /// Where.
    pub at: f64,
    /// At an x, from bottom to top; else at a y.
    pub upright: bool,
}

/// A word at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The word.
    pub text: String,
    /// The point.
    pub at: (f64, f64),
}

/// Series over common axes. Several get a legend, which stands above the frame, where it hides nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What stands above it, `(a) sliding`; may be empty.
    pub title: String,
    /// The series, from back to front; areas are behind all else.
    pub series: Vec<Series>,
    /// The events; they do not widen the x axis.
    pub events: Vec<Events>,
    /// Lines across; they widen the axes.
    pub references: Vec<Reference>,
    /// Words at points.
    pub notes: Vec<Note>,
    /// A map in colours, behind everything.
    pub heat: Option<Heat>,
    /// Whether it stands to the right of the panel before it instead of below.
    pub beside: bool,
}

impl Panel {
    /// An empty panel.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self {
            x,
            y,
            title: String::new(),
            series: Vec::new(),
            events: Vec::new(),
            references: Vec::new(),
            notes: Vec::new(),
            heat: None,
            beside: false,
        }
    }
    /// Puts a title above it.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }
    /// Adds a line.
    #[must_use]
    pub fn line(self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.add(name.into(), Look::Line, points.into_iter().collect(), Vec::new())
    }
    /// Adds marks.
    #[must_use]
    pub fn points(self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.add(name.into(), Look::Points, points.into_iter().collect(), Vec::new())
    }
    /// Adds many small dots, behind lines: the samples of a measurement.
    #[must_use]
    pub fn cloud(self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.add(name.into(), Look::Cloud, points.into_iter().collect(), Vec::new())
    }
    /// Adds marks with error bars: x, y, and the ends of the bar, `[x, y, low, high]`.
    #[must_use]
    pub fn bars(self, name: impl Into<String>, points: impl IntoIterator<Item = [f64; 4]>) -> Self {
        let (points, bars) = points.into_iter().map(|[x, y, low, high]| ((x, y), (low, high))).unzip();
        self.add(name.into(), Look::Points, points, bars)
    }
    /// Adds a filled polygon, such as the inside of a hysteresis loop.
    #[must_use]
    pub fn area(self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.add(name.into(), Look::Area, points.into_iter().collect(), Vec::new())
    }
    /// Adds a band between two curves: `[x, low, high]`.
    #[must_use]
    pub fn band(self, name: impl Into<String>, points: impl IntoIterator<Item = [f64; 3]>) -> Self {
        let points: Vec<_> = points.into_iter().filter(|p| p.iter().all(|x| x.is_finite())).collect();
        let (low, high) = (points.iter().map(|p| (p[0], p[1])), points.iter().rev().map(|p| (p[0], p[2])));
        self.area(name, low.chain(high))
    }
    /// Adds events.
    #[must_use]
    pub fn events(mut self, name: impl Into<String>, at: impl IntoIterator<Item = f64>) -> Self {
        self.events.push(Events { name: name.into(), at: at.into_iter().collect() });
        self
    }
    /// Adds a level: a line across at `y`.
    #[must_use]
    pub fn level(self, name: impl Into<String>, y: f64) -> Self {
        self.reference(name.into(), y, false)
    }
    /// Adds an upright line at `x`.
    #[must_use]
    pub fn upright(self, name: impl Into<String>, x: f64) -> Self {
        self.reference(name.into(), x, true)
    }
    /// Adds a word at a point.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>, at: (f64, f64)) -> Self {
        self.notes.push(Note { text: text.into(), at });
        self
    }
    /// Puts a map in colours behind the rest, with a bar that explains them.
    #[must_use]
    pub fn heat(mut self, heat: Heat) -> Self {
        self.heat = Some(heat);
        self
    }
    fn reference(mut self, name: String, at: f64, upright: bool) -> Self {
        self.references.push(Reference { name, at, upright });
        self
    }
    fn add(mut self, name: String, look: Look, points: Vec<(f64, f64)>, bars: Vec<(f64, f64)>) -> Self {
        self.series.push(Series { name, look, points, bars });
        self
    }
    /// The number of the pen of each series: equal names share one.
    pub(super) fn pens(&self) -> Vec<usize> {
        let mut names: Vec<&str> = Vec::new();
        let mut pens = Vec::new();
        for series in &self.series {
            let known = names.iter().position(|name| *name == series.name && !name.is_empty());
            pens.push(known.unwrap_or(names.len()));
            if known.is_none() {
                names.push(&series.name);
            }
        }
        pens
    }
    /// Names for a legend, with their pens and looks, if there are several, or one on a map.
    pub(super) fn legend(&self) -> Vec<(usize, &str, Vec<Look>)> {
        let pens = self.pens();
        let mut entries: Vec<(usize, &str, Vec<Look>)> = Vec::new();
        for (series, pen) in self.series.iter().zip(pens) {
            match entries.iter_mut().find(|entry| entry.0 == pen) {
                Some(entry) => entry.2.push(series.look),
                None => entries.push((pen, &series.name, vec![series.look])),
            }
        }
        // a line on a map is not what its axes say
        if entries.len() < 2 && self.heat.is_none() {
            entries.clear();
        }
        entries.retain(|entry| !entry.1.is_empty());
        entries
    }
    /// Values on the x axis, within the limits of the y axis.
    pub(super) fn xs(&self) -> impl Iterator<Item = f64> {
        let points = self.series.iter().flat_map(|s| s.points.iter().filter(|p| self.y.has(p.1)).map(|p| p.0));
        let heat = self.heat.iter().flat_map(|heat| heat.span_x(self.x.scale));
        let marks = self.references.iter().filter(|r| r.upright).map(|r| r.at);
        points.chain(heat).chain(marks).chain(self.notes.iter().map(|n| n.at.0))
    }
    /// Values on the y axis, within the limits of the x axis.
    pub(super) fn ys(&self) -> impl Iterator<Item = f64> {
        let seen = |s: &'_ Series| -> Vec<f64> {
            let points = s.points.iter().filter(|p| self.x.has(p.0)).map(|p| p.1);
            let bars = s.bars.iter().zip(&s.points).filter(|(_, p)| self.x.has(p.0));
            points.chain(bars.flat_map(|(b, _)| [b.0, b.1])).collect()
        };
        let heat = self.heat.iter().flat_map(|heat| heat.span_y(self.y.scale));
        let marks = self.references.iter().filter(|r| !r.upright).map(|r| r.at);
        self.series.iter().flat_map(seen).chain(heat).chain(marks).chain(self.notes.iter().map(|n| n.at.1))
    }
}
