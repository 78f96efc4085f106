//! What a run is asked to find out, answered with the accuracy of the solver.
use super::polynomial::NODES;
use super::{Column, Event, Options, Probe, Trouble};
use crate::Error;
use crate::near::near;
use std::collections::VecDeque;

enum Task {
    At {
        column: usize,
        t: f64,
        value: Option<f64>,
    },
    /// Largest value of `sign` times the column.
    Most {
        column: usize,
        sign: f64,
        from: f64,
        to: f64,
        best: Option<f64>,
        show: usize,
        shown: f64,
    },
    Event {
        part: usize,
        kind: String,
        nth: i32,
        column: usize,
        from: f64,
        count: i32,
        recent: Vec<f64>,
    },
    Period {
        part: usize,
        kind: String,
        every: usize,
        last: VecDeque<f64>,
    },
    Count {
        part: usize,
        kind: String,
        count: u64,
    },
}

/// All probes of a run.
pub(super) struct Probes {
    tasks: Vec<Task>,
    rows: Vec<Vec<f64>>,
    trial: Vec<f64>,
    before: f64,
}

impl Probes {
    pub fn new(options: &Options, columns: &[Column], parts: &[&str]) -> Result<Self, Error> {
        let missing = |name: &str, near: Vec<&str>| {
            let near = near.into_iter().map(str::to_owned).collect();
            Error::Simulation { t: options.start, trouble: Trouble::Probe { name: name.to_owned(), near } }
        };
        let column = |name: &String| {
            columns
                .iter()
                .position(|column| column.name == *name)
                .ok_or_else(|| missing(name, near(name, columns.iter().map(|column| column.name.as_str()))))
        };
        let part = |name: &String| {
            parts.iter().position(|part| part == name).ok_or_else(|| missing(name, near(name, parts.iter().copied())))
        };
        let most = |name: &String, sign: f64, from: f64, to: f64, show: &String| {
            let (column, show) = (column(name)?, column(show)?);
            Ok::<_, Error>(Task::Most { column, sign, from, to, best: None, show, shown: 0.0 })
        };
        let task = |probe: &Probe| {
            Ok(match probe {
                Probe::At { column: name, t } => Task::At { column: column(name)?, t: *t, value: None },
                Probe::Max { column: name, from, to } => most(name, 1.0, *from, *to, name)?,
                Probe::Min { column: name, from, to } => most(name, -1.0, *from, *to, name)?,
                Probe::MaxAt { column: name, from, to, show } => most(name, 1.0, *from, *to, show)?,
                Probe::MinAt { column: name, from, to, show } => most(name, -1.0, *from, *to, show)?,
                Probe::Event { part: name, kind, nth, column: what, from } => Task::Event {
                    part: part(name)?,
                    kind: kind.clone(),
                    nth: *nth,
                    column: column(what)?,
                    from: *from,
                    count: 0,
                    recent: Vec::new(),
                },
                Probe::Period { part: name, kind, every } => {
                    let every = (*every).max(1) as usize;
                    Task::Period { part: part(name)?, kind: kind.clone(), every, last: VecDeque::new() }
                }
                Probe::Count { part: name, kind } => Task::Count { part: part(name)?, kind: kind.clone(), count: 0 },
            })
        };
        let tasks = options.probes.iter().map(task).collect::<Result<_, Error>>()?;
        Ok(Self { tasks, rows: vec![Vec::new(); 5], trial: Vec::new(), before: options.start })
    }
    /// The first row.
    pub fn begin(&mut self, row: &[f64]) {
        for task in &mut self.tasks {
            match task {
                Task::At { column, t, value } if *t <= row[0] => *value = Some(row[*column]),
                Task::Most { column, sign, from, best, show, shown, .. } if *from <= row[0] => {
                    (*best, *shown) = (Some(*sign * row[*column]), row[*show]);
                }
                _ => {}
            }
        }
    }
    /// Whether any probe looks into steps.
    pub fn wants_steps(&self) -> bool {
        self.tasks.iter().any(|task| matches!(task, Task::At { .. } | Task::Most { .. }))
    }
    /// Looks into a step up to the fraction `theta`, which is time `t`; `fill` gives the row at a fraction.
    pub fn step(&mut self, theta: f64, t: f64, mut fill: impl FnMut(f64, &mut Vec<f64>)) {
        let Self { tasks, rows, trial, before } = self;
        let (begin, span) = (*before, t - *before);
        *before = t;
        if span <= 0.0 {
            return;
        }
        let fraction = |at: f64| theta * ((at - begin) / span).clamp(0.0, 1.0);
        let mut filled = false;
        for task in tasks {
            match task {
                Task::At { column, t: at, value } if *at > begin && *at <= t => {
                    fill(fraction(*at), trial);
                    *value = Some(trial[*column]);
                }
                Task::Most { column, sign, from, to, best, show, shown } if *to > begin && *from < t => {
                    let (lo, hi) = (fraction(*from), fraction(*to));
                    let whole = lo == 0.0 && hi == theta;
                    if !whole || !filled {
                        for (row, node) in rows.iter_mut().zip(NODES) {
                            fill(lo + (hi - lo) * node, row);
                        }
                    }
                    filled = whole;
                    let values = [0, 1, 2, 3, 4].map(|k| *sign * rows[k][*column]);
                    let mut get = |node: f64| {
                        fill(lo + (hi - lo) * node, trial);
                        *sign * trial[*column]
                    };
                    let known = best.unwrap_or(f64::NEG_INFINITY);
                    let (place, most) = peak(values, known, &mut get);
                    if best.is_none() || most > known {
                        *best = Some(most);
                        get(place);
                        *shown = trial[*show];
                    }
                }
                _ => {}
            }
        }
    }
    /// An event, with the row just after it.
    pub fn event(&mut self, event: &Event, row: &[f64]) {
        for task in &mut self.tasks {
            match task {
                Task::Event { part, kind, nth, column, from, count, recent }
                    if *part == event.part && event.t >= *from && event.kind.is(kind) =>
                {
                    *count += 1;
                    if *nth == *count {
                        recent.push(row[*column]);
                    } else if *nth < 0 {
                        recent.push(row[*column]);
                        if recent.len() > nth.unsigned_abs() as usize {
                            recent.remove(0);
                        }
                    }
                }
                Task::Period { part, kind, every, last } if *part == event.part && event.kind.is(kind) => {
                    last.push_back(event.t);
                    if last.len() > *every + 1 {
                        last.pop_front();
                    }
                }
                Task::Count { part, kind, count } if *part == event.part && event.kind.is(kind) => *count += 1,
                _ => {}
            }
        }
    }
    pub fn answers(&self) -> Vec<Option<f64>> {
        let answer = |task: &Task| match task {
            Task::At { value, .. } => *value,
            Task::Most { best, column, show, shown, .. } if column != show => best.map(|_| *shown),
            Task::Most { best, sign, .. } => best.map(|x| sign * x),
            Task::Event { nth, recent, .. } => {
                let enough = *nth > 0 || recent.len() == nth.unsigned_abs() as usize;
                recent.first().copied().filter(|_| enough)
            }
            Task::Period { every, last, .. } if last.len() == *every + 1 => Some(last[*every] - last[0]),
            Task::Period { .. } => None,
            Task::Count { count, .. } => Some(*count as f64),
        };
        self.tasks.iter().map(answer).collect()
    }
}

/// The largest value within a step, from values at the five nodes: the best node, and the top of a parabola through it
/// and its neighbours, narrowed until nothing is gained.
fn peak(values: [f64; 5], known: f64, get: &mut impl FnMut(f64) -> f64) -> (f64, f64) {
    let mut top = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let at = values.iter().position(|&x| x == top).unwrap_or(0);
    let mut place = NODES[at];
    // a peak between the outer nodes shows in the slopes there
    let at = at.clamp(1, 3);
    let (mut a, mut b, mut c) = (NODES[at - 1], NODES[at], NODES[at + 1]);
    let (mut fa, mut fb, mut fc) = (values[at - 1], values[at], values[at + 1]);
    let spread = (top - values.iter().copied().fold(f64::INFINITY, f64::min)).max(0.0);
    if top + spread <= known {
        return (place, top);
    }
    for _ in 0..12 {
        let (p, q) = ((b - a) * (fb - fc), (b - c) * (fb - fa));
        let x = b - 0.5 * ((b - a) * p - (b - c) * q) / (p - q);
        if !(x > a && x < c) || (x - b).abs() < 1e-9 {
            break;
        }
        let fx = get(x);
        let gained = fx - fb;
        if fx > top {
            (place, top) = (x, fx);
        }
        match (x < b, fx > fb) {
            (true, true) => (c, fc, b, fb) = (b, fb, x, fx),
            (true, false) => (a, fa) = (x, fx),
            (false, true) => (a, fa, b, fb) = (b, fb, x, fx),
            (false, false) => (c, fc) = (x, fx),
        }
        if gained.abs() <= 1e-15 * top.abs() {
            break;
        }
    }
    (place, top)
}
