//! A panel and its series.
use super::{Axis, HeatMap};

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesStyle {
    /// A line through the points. It is interrupted at a point that is not finite, or that its axes cannot show.
    Line,
    /// A marker at each point.
    Points,
    /// A small dot at each of many points, behind lines.
    Cloud,
    /// The area enclosed by the points.
    Area,
}

/// A series of points. Series of one name share their colour and their legend entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name for the legend; may be empty.
    pub name: String,
    /// How it is drawn.
    pub style: SeriesStyle,
    /// The points, in order; x need not increase.
    pub points: Vec<(f64, f64)>,
    /// Lower and upper end of the error bar of each point; may be empty.
    pub bars: Vec<(f64, f64)>,
}

/// Events of one kind, marked across a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct EventMarkers {
    /// Name for the legend; may be empty.
    pub name: String,
    /// Positions on the x axis.
    pub at: Vec<f64>,
}

/// A horizontal or vertical line across a panel, with its name beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLine {
    /// Name; may be empty.
    pub name: String,
    /// Position on the axis.
    pub at: f64,
    /// Whether it is vertical, at an x; else it is horizontal, at a y.
    pub vertical: bool,
}

/// A text at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// The text.
    pub text: String,
    /// The point.
    pub at: (f64, f64),
}

/// Series over common axes. If there are several, a legend above the frame names them.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Title above it, `(a) sliding`; may be empty.
    pub title: String,
    /// The series, from back to front; areas are behind all others.
    pub series: Vec<Series>,
    /// The events; they do not widen the x axis.
    pub events: Vec<EventMarkers>,
    /// Reference lines; they widen the axes.
    pub references: Vec<ReferenceLine>,
    /// Texts at points.
    pub annotations: Vec<Annotation>,
    /// A heat map, behind everything.
    pub heat_map: Option<HeatMap>,
    /// Whether it is to the right of the panel before it instead of below.
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
            annotations: Vec::new(),
            heat_map: None,
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
        self.add(name.into(), SeriesStyle::Line, points.into_iter().collect(), Vec::new())
    }
    /// Adds markers.
    #[must_use]
    pub fn points(self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.add(name.into(), SeriesStyle::Points, points.into_iter().collect(), Vec::new())
    }
    /// Adds many small dots, behind lines: the samples of a measurement.
    #[must_use]
    pub fn cloud(self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.add(name.into(), SeriesStyle::Cloud, points.into_iter().collect(), Vec::new())
    }
    /// Adds markers with error bars: x, y, and the ends of the bar, `[x, y, low, high]`.
    #[must_use]
    pub fn bars(self, name: impl Into<String>, points: impl IntoIterator<Item = [f64; 4]>) -> Self {
        let (points, bars) = points.into_iter().map(|[x, y, low, high]| ((x, y), (low, high))).unzip();
        self.add(name.into(), SeriesStyle::Points, points, bars)
    }
    /// Adds a filled polygon, such as the inside of a hysteresis loop.
    #[must_use]
    pub fn area(self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.add(name.into(), SeriesStyle::Area, points.into_iter().collect(), Vec::new())
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
        self.events.push(EventMarkers { name: name.into(), at: at.into_iter().collect() });
        self
    }
    /// Adds a horizontal reference line at `y`.
    #[must_use]
    pub fn horizontal_line(self, name: impl Into<String>, y: f64) -> Self {
        self.reference(name.into(), y, false)
    }
    /// Adds a vertical reference line at `x`.
    #[must_use]
    pub fn vertical_line(self, name: impl Into<String>, x: f64) -> Self {
        self.reference(name.into(), x, true)
    }
    /// Adds a text at a point.
    #[must_use]
    pub fn annotate(mut self, text: impl Into<String>, at: (f64, f64)) -> Self {
        self.annotations.push(Annotation { text: text.into(), at });
        self
    }
    /// Adds a heat map behind the rest, with a colour bar.
    #[must_use]
    pub fn heat_map(mut self, heat: HeatMap) -> Self {
        self.heat_map = Some(heat);
        self
    }
    fn reference(mut self, name: String, at: f64, vertical: bool) -> Self {
        self.references.push(ReferenceLine { name, at, vertical });
        self
    }
    fn add(mut self, name: String, style: SeriesStyle, points: Vec<(f64, f64)>, bars: Vec<(f64, f64)>) -> Self {
        self.series.push(Series { name, style, points, bars });
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
    /// Entries of the legend, with their pens and styles, if there are several, or one on a heat map.
    pub(super) fn legend(&self) -> Vec<(usize, &str, Vec<SeriesStyle>)> {
        let pens = self.pens();
        let mut entries: Vec<(usize, &str, Vec<SeriesStyle>)> = Vec::new();
        for (series, pen) in self.series.iter().zip(pens) {
            match entries.iter_mut().find(|entry| entry.0 == pen) {
                Some(entry) => entry.2.push(series.style),
                None => entries.push((pen, &series.name, vec![series.style])),
            }
        }
        // the axes do not name a line on a heat map
        if entries.len() < 2 && self.heat_map.is_none() {
            entries.clear();
        }
        entries.retain(|entry| !entry.1.is_empty());
        entries
    }
    /// Values on the x axis, within the limits of the y axis.
    pub(super) fn xs(&self) -> impl Iterator<Item = f64> {
        let points = self.series.iter().flat_map(|s| s.points.iter().filter(|p| self.y.has(p.1)).map(|p| p.0));
        let heat = self.heat_map.iter().flat_map(|heat| heat.span_x(self.x.scale));
        let marks = self.references.iter().filter(|r| r.vertical).map(|r| r.at);
        points.chain(heat).chain(marks).chain(self.annotations.iter().map(|n| n.at.0))
    }
    /// Values on the y axis, within the limits of the x axis.
    pub(super) fn ys(&self) -> impl Iterator<Item = f64> {
        let seen = |s: &'_ Series| -> Vec<f64> {
            let points = s.points.iter().filter(|p| self.x.has(p.0)).map(|p| p.1);
            let bars = s.bars.iter().zip(&s.points).filter(|(_, p)| self.x.has(p.0));
            points.chain(bars.flat_map(|(b, _)| [b.0, b.1])).collect()
        };
        let heat = self.heat_map.iter().flat_map(|heat| heat.span_y(self.y.scale));
        let marks = self.references.iter().filter(|r| !r.vertical).map(|r| r.at);
        self.series.iter().flat_map(seen).chain(heat).chain(marks).chain(self.annotations.iter().map(|n| n.at.1))
    }
}
