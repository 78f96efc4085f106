//! What a run is asked to find out, answered with the accuracy of the solver.
mod cross;
mod mean;
mod most;
mod nth;
mod probe;
mod span;

pub use probe::{CrossingDirection, Probe};

use super::{Column, Event, SimErrorKind, SimulationOptions};
use crate::SimError;
use cross::{Cross, Settle};
use mean::Mean;
use most::Most;
use nth::Nth;
use span::{Rows, Span};
use std::collections::VecDeque;
use stiction_io::near::near;

enum Task {
    At {
        column: usize,
        t: f64,
        value: Option<f64>,
    },
    Most(Most),
    /// Largest and smallest.
    Range(Most, Most),
    Mean(Mean),
    Final {
        column: usize,
    },
    Settle(Settle),
    Cross(Cross),
    Event {
        part: usize,
        kind: String,
        column: usize,
        from: f64,
        nth: Nth,
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
    Rests {
        from: f64,
        count: u64,
    },
}

/// All probes of a run.
pub(super) struct Probes {
    tasks: Vec<Task>,
    rows: Rows,
    before: f64,
}

impl Probes {
    pub fn new(options: &SimulationOptions, columns: &[Column], parts: &[&str]) -> Result<Self, SimError> {
        let missing = |name: &str, near: Vec<&str>| {
            let near = near.into_iter().map(str::to_owned).collect();
            SimError::Run {
                t: options.start,
                kind: SimErrorKind::UnknownProbe { name: name.to_owned(), suggestions: near },
            }
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
        let most = |name: &String, sign: f64, from: &f64, to: &f64, show: &String| {
            Ok::<_, SimError>(Most::new(column(name)?, sign, (*from, *to), column(show)?))
        };
        let task = |probe: &Probe| {
            Ok(match probe {
                Probe::At { column: name, t } => Task::At { column: column(name)?, t: *t, value: None },
                Probe::Max { column: name, from, to } => Task::Most(most(name, 1.0, from, to, name)?),
                Probe::Min { column: name, from, to } => Task::Most(most(name, -1.0, from, to, name)?),
                Probe::MaxAt { column: name, from, to, show } => Task::Most(most(name, 1.0, from, to, show)?),
                Probe::MinAt { column: name, from, to, show } => Task::Most(most(name, -1.0, from, to, show)?),
                Probe::Range { column: name, from, to } => {
                    Task::Range(most(name, 1.0, from, to, name)?, most(name, -1.0, from, to, name)?)
                }
                Probe::Mean { column: name, from, to } => Task::Mean(Mean::new(column(name)?, false, (*from, *to))),
                Probe::Rms { column: name, from, to } => Task::Mean(Mean::new(column(name)?, true, (*from, *to))),
                Probe::Final { column: name } => Task::Final { column: column(name)? },
                Probe::Settle { column: name, value, band, from } => {
                    Task::Settle(Settle::new(column(name)?, *value, *band, *from))
                }
                Probe::Cross { column: name, value, way, nth, from, show } => {
                    Task::Cross(Cross::new(column(name)?, *value, *way, *nth, *from, column(show)?))
                }
                Probe::Event { part: name, kind, nth, column: what, from } => Task::Event {
                    part: part(name)?,
                    kind: kind.clone(),
                    column: column(what)?,
                    from: *from,
                    nth: Nth::new(*nth),
                },
                Probe::Period { part: name, kind, every } => {
                    let every = (*every).max(1) as usize;
                    Task::Period { part: part(name)?, kind: kind.clone(), every, last: VecDeque::new() }
                }
                Probe::Count { part: name, kind } => Task::Count { part: part(name)?, kind: kind.clone(), count: 0 },
                Probe::Rests { from } => Task::Rests { from: *from, count: 0 },
            })
        };
        let tasks = options.probes.iter().map(task).collect::<Result<_, SimError>>()?;
        Ok(Self { tasks, rows: Rows::default(), before: options.start })
    }
    /// Takes the first row.
    pub fn begin(&mut self, row: &[f64]) {
        for task in &mut self.tasks {
            match task {
                Task::At { column, t, value } if *t <= row[0] => *value = Some(row[*column]),
                Task::Most(most) => most.begin(row),
                Task::Range(top, bottom) => [top, bottom].into_iter().for_each(|most| most.begin(row)),
                _ => {}
            }
        }
    }
    /// The columns of which some probe looks into steps, up to the last one; none if no probe does.
    pub fn last_in_steps(&self) -> Option<usize> {
        self.tasks.iter().filter(|task| task.looks_into_steps()).flat_map(Task::columns).flatten().max()
    }
    /// The columns that any probe looks at.
    pub fn wanted(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.tasks.iter().flat_map(Task::columns).flatten().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
    /// Looks into a step up to the fraction `theta`, which is time `t`; `fill` gives the row at a fraction.
    pub fn step(&mut self, theta: f64, t: f64, mut fill: impl FnMut(f64, &mut Vec<f64>)) {
        let begin = std::mem::replace(&mut self.before, t);
        if t <= begin {
            return;
        }
        let mut span = Span::new((begin, t), theta, &mut self.rows, &mut fill);
        for task in &mut self.tasks {
            match task {
                Task::At { column, t: at, value } if *at > begin && *at <= t => {
                    *value = Some(span.value(span.fraction(*at), *column));
                }
                Task::Most(most) => most.look(&mut span),
                Task::Range(top, bottom) => [top, bottom].into_iter().for_each(|most| most.look(&mut span)),
                Task::Mean(mean) => mean.look(&mut span),
                Task::Settle(settle) => settle.look(&mut span),
                Task::Cross(cross) => cross.look(&mut span),
                _ => {}
            }
        }
    }
    /// An event, with the row just after it.
    pub fn event(&mut self, event: &Event, row: &[f64]) {
        for task in &mut self.tasks {
            match task {
                Task::Event { part, kind, nth, column, from }
                    if *part == event.part && event.t >= *from && event.kind.is(kind) =>
                {
                    nth.count(row[*column]);
                }
                Task::Period { part, kind, every, last } if *part == event.part && event.kind.is(kind) => {
                    last.push_back(event.t);
                    if last.len() > *every + 1 {
                        last.pop_front();
                    }
                }
                Task::Count { part, kind, count } if *part == event.part && event.kind.is(kind) => *count += 1,
                Task::Rests { from, count } if event.kind.reaches_zero_velocity() && event.t >= *from => *count += 1,
                _ => {}
            }
        }
    }
    /// What was found; `last` is the row at the end, if the run came so far.
    pub fn answers(&self, last: Option<&[f64]>) -> Vec<Option<f64>> {
        let answer = |task: &Task| match task {
            Task::At { value, .. } => *value,
            Task::Most(most) => most.shown(),
            Task::Range(top, bottom) => Some(top.most()? - bottom.most()?),
            Task::Mean(mean) => mean.answer(),
            Task::Final { column } => last.map(|row| row[*column]),
            Task::Settle(settle) => settle.answer().filter(|_| last.is_some()),
            Task::Cross(cross) => cross.answer(),
            Task::Event { nth, .. } => nth.answer(),
            Task::Period { every, last, .. } if last.len() == *every + 1 => Some(last[*every] - last[0]),
            Task::Period { .. } => None,
            Task::Count { count, .. } | Task::Rests { count, .. } => Some(*count as f64),
        };
        self.tasks.iter().map(answer).collect()
    }
}

impl Task {
    fn looks_into_steps(&self) -> bool {
        use Task::{At, Cross, Mean, Most, Range, Settle};
        matches!(self, At { .. } | Most(_) | Range(..) | Mean(_) | Settle(_) | Cross(_))
    }
    fn columns(&self) -> [Option<usize>; 2] {
        match self {
            Self::At { column, .. } | Self::Final { column } | Self::Event { column, .. } => [Some(*column), None],
            Self::Most(most) | Self::Range(most, _) => [Some(most.column), Some(most.show)],
            Self::Mean(mean) => [Some(mean.column), None],
            Self::Settle(settle) => [Some(settle.column), None],
            Self::Cross(cross) => [Some(cross.column), Some(cross.show)],
            Self::Period { .. } | Self::Count { .. } | Self::Rests { .. } => [None, None],
        }
    }
}
