//! Probes: quantities measured during a run with the accuracy of the solver.
mod crossing;
mod extremum;
mod mean;
mod nth;
mod period;
mod probe;
mod step_view;

pub use period::{CLOSED, CONSTANT, PeriodColumn, ROUNDING, WHOLE};
pub(in crate::sim) use period::{MotionPeriod, period_columns};
pub use probe::{CrossingDirection, Probe};

use super::{Column, Event, SimErrorKind, SimulationOptions};
use crate::SimError;
use crossing::{Crossing, Settling};
use extremum::Extremum;
use mean::Mean;
use nth::NthValue;
use std::collections::VecDeque;
use step_view::{StepRows, StepView};
use stiction_io::similar_names::similar;

enum ProbeState {
    At {
        column: usize,
        t: f64,
        value: Option<f64>,
    },
    Extremum(Extremum),
    /// Largest and smallest value.
    Range(Extremum, Extremum),
    Mean(Mean),
    Final {
        column: usize,
    },
    Settling(Settling),
    Crossing(Crossing),
    Event {
        part: usize,
        kind: String,
        column: usize,
        from: f64,
        nth: NthValue,
    },
    Period {
        part: usize,
        kind: String,
        every: usize,
        last: VecDeque<f64>,
    },
    /// The time after which the motion repeats.
    MotionPeriod {
        part: usize,
        kind: String,
        motion: MotionPeriod,
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
    states: Vec<ProbeState>,
    rows: StepRows,
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
                .ok_or_else(|| missing(name, similar(name, columns.iter().map(|column| column.name.as_str()))))
        };
        let part = |name: &String| {
            parts
                .iter()
                .position(|part| part == name)
                .ok_or_else(|| missing(name, similar(name, parts.iter().copied())))
        };
        let most = |name: &String, sign: f64, from: &f64, to: &f64, show: &String| {
            Ok::<_, SimError>(Extremum::new(column(name)?, sign, (*from, *to), column(show)?))
        };
        let state = |probe: &Probe| {
            Ok(match probe {
                Probe::At { column: name, t } => ProbeState::At { column: column(name)?, t: *t, value: None },
                Probe::Max { column: name, from, to } => ProbeState::Extremum(most(name, 1.0, from, to, name)?),
                Probe::Min { column: name, from, to } => ProbeState::Extremum(most(name, -1.0, from, to, name)?),
                Probe::MaxAt { column: name, from, to, show } => ProbeState::Extremum(most(name, 1.0, from, to, show)?),
                Probe::MinAt { column: name, from, to, show } => {
                    ProbeState::Extremum(most(name, -1.0, from, to, show)?)
                }
                Probe::Range { column: name, from, to } => {
                    ProbeState::Range(most(name, 1.0, from, to, name)?, most(name, -1.0, from, to, name)?)
                }
                Probe::Mean { column: name, from, to } => {
                    ProbeState::Mean(Mean::new(column(name)?, false, (*from, *to)))
                }
                Probe::Rms { column: name, from, to } => ProbeState::Mean(Mean::new(column(name)?, true, (*from, *to))),
                Probe::Final { column: name } => ProbeState::Final { column: column(name)? },
                Probe::Settle { column: name, value, band, from } => {
                    ProbeState::Settling(Settling::new(column(name)?, *value, *band, *from))
                }
                Probe::Cross { column: name, value, way, nth, from, show } => {
                    ProbeState::Crossing(Crossing::new(column(name)?, *value, *way, *nth, *from, column(show)?))
                }
                Probe::Event { part: name, kind, nth, column: what, from } => ProbeState::Event {
                    part: part(name)?,
                    kind: kind.clone(),
                    column: column(what)?,
                    from: *from,
                    nth: NthValue::new(*nth),
                },
                Probe::Period { part: name, kind, every: None } => ProbeState::MotionPeriod {
                    part: part(name)?,
                    kind: kind.clone(),
                    motion: MotionPeriod::new(period_columns(columns), options.start, options.end),
                },
                Probe::Period { part: name, kind, every: Some(every) } => {
                    let every = (*every).max(1) as usize;
                    ProbeState::Period { part: part(name)?, kind: kind.clone(), every, last: VecDeque::new() }
                }
                Probe::Count { part: name, kind } => {
                    ProbeState::Count { part: part(name)?, kind: kind.clone(), count: 0 }
                }
                Probe::Rests { from } => ProbeState::Rests { from: *from, count: 0 },
            })
        };
        let states = options.probes.iter().map(state).collect::<Result<_, SimError>>()?;
        Ok(Self { states, rows: StepRows::default(), before: options.start })
    }
    /// Takes the first row.
    pub fn begin(&mut self, row: &[f64]) {
        for state in &mut self.states {
            match state {
                ProbeState::At { column, t, value } if *t <= row[0] => *value = Some(row[*column]),
                ProbeState::Extremum(most) => most.begin(row),
                ProbeState::Range(top, bottom) => [top, bottom].into_iter().for_each(|most| most.begin(row)),
                _ => {}
            }
        }
    }
    /// The last column that a probe evaluates within steps; none if no probe does.
    pub fn last_in_steps(&self) -> Option<usize> {
        self.states.iter().filter(|state| state.looks_into_steps()).flat_map(ProbeState::columns).flatten().max()
    }
    /// All columns used by probes.
    pub fn wanted(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.states.iter().flat_map(ProbeState::columns).flatten().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
    /// Shows the probes a step up to its fraction `theta`, at time `t`; `fill` gives the row at a fraction.
    pub fn step(&mut self, theta: f64, t: f64, mut fill: impl FnMut(f64, &mut Vec<f64>)) {
        let begin = std::mem::replace(&mut self.before, t);
        if t <= begin {
            return;
        }
        let mut span = StepView::new((begin, t), theta, &mut self.rows, &mut fill);
        for state in &mut self.states {
            match state {
                ProbeState::At { column, t: at, value } if *at > begin && *at <= t => {
                    *value = Some(span.value(span.fraction(*at), *column));
                }
                ProbeState::Extremum(most) => most.look(&mut span),
                ProbeState::Range(top, bottom) => [top, bottom].into_iter().for_each(|most| most.look(&mut span)),
                ProbeState::Mean(mean) => mean.look(&mut span),
                ProbeState::Settling(settle) => settle.look(&mut span),
                ProbeState::Crossing(cross) => cross.look(&mut span),
                _ => {}
            }
        }
    }
    /// Shows the probes an event, with the row just after it.
    pub fn event(&mut self, event: &Event, row: &[f64]) {
        for state in &mut self.states {
            match state {
                ProbeState::Event { part, kind, nth, column, from }
                    if *part == event.part && event.t >= *from && event.kind.is(kind) =>
                {
                    nth.count(row[*column]);
                }
                ProbeState::Period { part, kind, every, last } if *part == event.part && event.kind.is(kind) => {
                    last.push_back(event.t);
                    if last.len() > *every + 1 {
                        last.pop_front();
                    }
                }
                ProbeState::MotionPeriod { part, kind, motion } => {
                    motion.event(event.t, row, *part == event.part && event.kind.is(kind));
                }
                ProbeState::Count { part, kind, count } if *part == event.part && event.kind.is(kind) => *count += 1,
                ProbeState::Rests { from, count } if event.kind.reaches_zero_velocity() && event.t >= *from => {
                    *count += 1
                }
                _ => {}
            }
        }
    }
    /// The values; `last` is the final row, if the run reached its end.
    pub fn answers(&self, last: Option<&[f64]>) -> Vec<Option<f64>> {
        let answer = |state: &ProbeState| match state {
            ProbeState::At { value, .. } => *value,
            ProbeState::Extremum(most) => most.shown(),
            ProbeState::Range(top, bottom) => Some(top.most()? - bottom.most()?),
            ProbeState::Mean(mean) => mean.answer(),
            ProbeState::Final { column } => last.map(|row| row[*column]),
            ProbeState::Settling(settle) => settle.answer().filter(|_| last.is_some()),
            ProbeState::Crossing(cross) => cross.answer(),
            ProbeState::Event { nth, .. } => nth.answer(),
            ProbeState::Period { every, last, .. } if last.len() == *every + 1 => Some(last[*every] - last[0]),
            ProbeState::Period { .. } => None,
            ProbeState::MotionPeriod { motion, .. } => motion.answer(),
            ProbeState::Count { count, .. } | ProbeState::Rests { count, .. } => Some(*count as f64),
        };
        self.states.iter().map(answer).collect()
    }
}

impl ProbeState {
    fn looks_into_steps(&self) -> bool {
        use ProbeState::{At, Crossing, Extremum, Mean, Range, Settling};
        matches!(self, At { .. } | Extremum(_) | Range(..) | Mean(_) | Settling(_) | Crossing(_))
    }
    fn columns(&self) -> [Option<usize>; 2] {
        match self {
            Self::At { column, .. } | Self::Final { column } | Self::Event { column, .. } => [Some(*column), None],
            Self::Extremum(most) | Self::Range(most, _) => [Some(most.column), Some(most.show)],
            Self::Mean(mean) => [Some(mean.column), None],
            Self::Settling(settle) => [Some(settle.column), None],
            Self::Crossing(cross) => [Some(cross.column), Some(cross.show)],
            Self::Period { .. } | Self::MotionPeriod { .. } | Self::Count { .. } | Self::Rests { .. } => [None, None],
        }
    }
}
