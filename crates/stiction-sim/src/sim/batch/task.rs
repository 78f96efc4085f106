//! Measures that all lanes take at once.
use super::lane_state::LaneState;
use crate::dispatch::InPlaceKernel;
use crate::sim::EventKind;
use crate::sim::probes::MotionPeriod;
use std::collections::VecDeque;
use stiction_core::{LaneMask, Lanes, Real};

/// Weights of Boole's rule: exact to degree five.
const BOOLE: [f64; 5] = [7.0 / 90.0, 32.0 / 90.0, 12.0 / 90.0, 32.0 / 90.0, 7.0 / 90.0];

/// Lets all measures look into the steps that were taken.
pub(super) struct UpdateTasks;
impl<const N: usize> InPlaceKernel<LaneState<N>> for UpdateTasks {
    #[inline(always)]
    fn run(f: &mut LaneState<N>) {
        let mut tasks = std::mem::take(&mut f.tasks);
        for task in &mut tasks {
            task.look(f);
        }
        f.tasks = tasks;
    }
}

/// A quantity to measure.
pub(super) enum Task<const N: usize> {
    /// Largest of `sign` times the column.
    Most {
        column: usize,
        sign: f64,
        span: [f64; 2],
        best: Lanes<N>,
    },
    /// Largest and smallest.
    Range {
        column: usize,
        span: [f64; 2],
        best: [Lanes<N>; 2],
    },
    Mean {
        column: usize,
        square: bool,
        span: [f64; 2],
        sum: Lanes<N>,
        time: Lanes<N>,
    },
    /// The last value of a column.
    Final {
        column: usize,
    },
    Period {
        contact: usize,
        kind: String,
        every: usize,
        last: Vec<VecDeque<f64>>,
    },
    /// The time after which the motion repeats, lane by lane.
    MotionPeriod {
        contact: usize,
        kind: String,
        motions: Vec<MotionPeriod>,
    },
    Count {
        contact: usize,
        kind: String,
        count: Vec<u64>,
    },
    Rests {
        from: f64,
        count: Vec<u64>,
    },
}

const NOTHING: f64 = f64::NEG_INFINITY;

impl<const N: usize> Task<N> {
    /// The time of the run that it looks into, if it looks into steps.
    pub fn span(&self) -> Option<[f64; 2]> {
        match self {
            Self::Most { span, .. } | Self::Range { span, .. } | Self::Mean { span, .. } => Some(*span),
            _ => None,
        }
    }
    /// Forgets what it has seen in a lane.
    pub fn clear(&mut self, lane: usize) {
        match self {
            Self::Most { best, .. } => best.0[lane] = NOTHING,
            Self::Range { best, .. } => best.iter_mut().for_each(|best| best.0[lane] = NOTHING),
            Self::Mean { sum, time, .. } => (sum.0[lane], time.0[lane]) = (0.0, 0.0),
            Self::Final { .. } => {}
            Self::Period { last, .. } => last[lane].clear(),
            Self::MotionPeriod { motions, .. } => motions[lane].clear(),
            Self::Count { count, .. } | Self::Rests { count, .. } => count[lane] = 0,
        }
    }
    /// Looks into the steps that were taken.
    #[inline(always)]
    pub fn look(&mut self, f: &LaneState<N>) {
        let inside = |[from, to]: [f64; 2]| {
            let ok = Lanes::lit(0.5).lt(f.ok);
            // steps land on the ends of spans, but for rounding
            let end = Lanes::lit(to) + f.block.h * Lanes::lit(1e-9);
            ok & !f.times[0].lt(Lanes::lit(from)) & !end.lt(f.times[4])
        };
        match self {
            Self::Most { column, sign, span, best } => peak(&f.columns[*column].values, *sign, inside(*span), best),
            Self::Range { column, span, best } => {
                let [top, bottom] = best;
                peak(&f.columns[*column].values, 1.0, inside(*span), top);
                peak(&f.columns[*column].values, -1.0, inside(*span), bottom);
            }
            Self::Mean { column, square, span, sum, time } => {
                let (zero, mut mean) = (Lanes::lit(0.0), Lanes::lit(0.0));
                for (x, w) in f.columns[*column].values.iter().zip(BOOLE) {
                    mean = mean + Lanes::lit(w) * if *square { *x * *x } else { *x };
                }
                let h = Lanes::select(inside(*span), f.theta * f.block.h, zero);
                // a lane that failed may hold anything
                *sum = *sum + Lanes::select(zero.lt(h), h * mean, zero);
                *time = *time + h;
            }
            Self::Final { .. }
            | Self::Period { .. }
            | Self::MotionPeriod { .. }
            | Self::Count { .. }
            | Self::Rests { .. } => {}
        }
    }
    /// An event at a contact, with the row just after it if a measure needs rows.
    pub fn event(&mut self, lane: usize, t: f64, part: usize, happened: EventKind, row: &[f64]) {
        match self {
            Self::MotionPeriod { contact, kind, motions } => {
                motions[lane].event(t, row, *contact == part && happened.is(kind));
            }
            Self::Period { contact, kind, every, last } if *contact == part && happened.is(kind) => {
                last[lane].push_back(t);
                if last[lane].len() > *every + 1 {
                    last[lane].pop_front();
                }
            }
            Self::Count { contact, kind, count } if *contact == part && happened.is(kind) => count[lane] += 1,
            Self::Rests { from, count } if happened.reaches_zero_velocity() && t >= *from => count[lane] += 1,
            _ => {}
        }
    }
    /// What it has found in a lane; `last` gives the last value of a column.
    pub fn answer(&self, lane: usize, last: impl Fn(usize) -> f64) -> Option<f64> {
        let found = |best: &Lanes<N>| Some(best.0[lane]).filter(|x| *x > NOTHING);
        match self {
            Self::Most { sign, best, .. } => found(best).map(|x| sign * x),
            Self::Range { best: [top, bottom], .. } => Some(found(top)? + found(bottom)?),
            Self::Mean { square, sum, time, .. } => {
                let mean = (time.0[lane] > 0.0).then(|| sum.0[lane] / time.0[lane])?;
                Some(if *square { mean.sqrt() } else { mean })
            }
            Self::Final { column } => Some(last(*column)),
            Self::Period { every, last, .. } => {
                let last = &last[lane];
                (last.len() == *every + 1).then(|| last[*every] - last[0])
            }
            Self::MotionPeriod { motions, .. } => motions[lane].answer(),
            Self::Count { count, .. } | Self::Rests { count, .. } => Some(count[lane] as f64),
        }
    }
}

/// The top of the quartic through five values: of the places themselves, and of what two steps of Newton find from the
/// parabola through the best of them.
#[inline(always)]
fn peak<const N: usize>(values: &[Lanes<N>; 5], sign: f64, inside: LaneMask<N>, best: &mut Lanes<N>) {
    let lit = Lanes::<N>::lit;
    let mut g = *values;
    for x in &mut g {
        *x = *x * lit(sign);
    }
    let top = g[0].max(g[1]).max(g[2]).max(g[3].max(g[4]));
    let low = g[0].min(g[1]).min(g[2]).min(g[3].min(g[4]));
    // within a step the quartic exceeds its samples by less than their spread
    if Lanes::all(!(inside & (*best).lt(top + (top - low)))) {
        return;
    }
    // in u = −2 … 2
    let c1 = (g[0] - g[4] + lit(8.0) * (g[3] - g[1])) * lit(1.0 / 12.0);
    let c2 = (lit(16.0) * (g[1] + g[3]) - g[0] - g[4] - lit(30.0) * g[2]) * lit(1.0 / 24.0);
    let c3 = (g[4] - g[0] + lit(2.0) * (g[1] - g[3])) * lit(1.0 / 12.0);
    let c4 = (g[0] + g[4] - lit(4.0) * (g[1] + g[3]) + lit(6.0) * g[2]) * lit(1.0 / 24.0);
    let mut u = lit(-1.0);
    let mut highest = g[1].max(g[0]);
    for (place, value) in [(0.0, g[2]), (1.0, g[3].max(g[4]))] {
        let up = highest.lt(value);
        (u, highest) = (Lanes::select(up, lit(place), u), Lanes::select(up, value, highest));
    }
    for _ in 0..3 {
        let slope = c1 + u * (lit(2.0) * c2 + u * (lit(3.0) * c3 + u * (lit(4.0) * c4)));
        let bend = lit(2.0) * c2 + u * (lit(6.0) * c3 + u * (lit(12.0) * c4));
        let bends = bend.lt(lit(0.0));
        let next = u - slope / Lanes::select(bends, bend, lit(1.0));
        u = Lanes::select(bends, next.clip(lit(2.0)), u);
    }
    let value = g[2] + u * (c1 + u * (c2 + u * (c3 + u * c4)));
    let most = top.max(value);
    *best = Lanes::select(inside & (*best).lt(most), most, *best);
}
