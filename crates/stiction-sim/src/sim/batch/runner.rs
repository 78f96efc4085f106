//! One thread's share of an ensemble: a block of lanes that is refilled as trajectories end.
use super::attempt::AnySystem;
use super::block::Block;
use super::column::{Source, places};
use super::lane::Lane;
use super::lane_state::{
    Advance, CheckError, DenseOutput, EvaluateColumns, LaneState, Prepare, ProbedColumn, TimeFunction,
};
use super::task::{Task, UpdateTasks};
use super::{Ensemble, Make, Outcome};
use crate::dispatch::InstructionSet;
use std::time::Instant;
use stiction_core::Lanes;

/// The work that does not depend on the law, for one set of vector instructions.
pub(super) struct Jobs<const N: usize> {
    pub(super) prepare: fn(&mut LaneState<N>),
    pub(super) judge: fn(&mut LaneState<N>),
    pub(super) smooth: fn(&mut LaneState<N>),
    pub(super) show: fn(&mut LaneState<N>),
    pub(super) look: fn(&mut LaneState<N>),
    pub(super) advance: fn(&mut LaneState<N>),
}

/// A block at work.
pub(super) struct Runner<'e, const N: usize> {
    pub(super) ensemble: &'e Ensemble,
    pub(super) attempt: fn(&mut Block<N>),
    pub(super) jobs: Jobs<N>,
    pub(super) front: LaneState<N>,
    pub(super) lanes: Vec<Lane>,
    /// Contacts that turn in this step: lane, contact.
    pub(super) turns: Vec<(usize, usize)>,
    pub(super) numbers: Vec<f64>,
    pub(super) state: Vec<f64>,
    pub(super) uneven: bool,
    /// When the first measure begins to look into steps; infinite: none does.
    pub(super) looks: f64,
    pub(super) done: Vec<(u64, Outcome)>,
    /// Attempts of this block, and of the trajectories that have ended.
    pub(super) count: u64,
    pub(super) tries: u64,
    /// Whether the stop flag was raised: trajectories that have not ended have no outcome.
    stopped: bool,
}

impl<'e, const N: usize> Runner<'e, N> {
    pub fn new<S: InstructionSet>(ensemble: &'e Ensemble) -> Option<Self> {
        let kernels = super::laws::kernels::<S, N>(ensemble.shape.law)?;
        let shape = &ensemble.shape;
        let (n, contacts) = (shape.bodies, shape.contacts.len());
        let small = n == 1 && contacts == 1;
        let attempt = if small { kernels.small } else { S::job::<AnySystem, _>()? };
        let block = Block::new(kernels, n, contacts, shape.memory, shape.params, shape.law.program());
        let zero = Lanes([0.0; N]);
        let clock = TimeFunction { line: [zero; 2], uneven: false };
        let column = |k: usize| {
            let source = &ensemble.sources[ensemble.shown[k]];
            let places = places(shape, source);
            ProbedColumn {
                weights: vec![zero; places.len()],
                places,
                clock: n + contacts + k,
                is_time: *source == Source::Time,
                force: if let Source::Force(c) = source { Some(*c) } else { None },
                values: [zero; 5],
            }
        };
        let front = LaneState {
            rtol: ensemble.options.rtol,
            atol: vec![zero; block.stride],
            active: zero,
            stop: Lanes([f64::INFINITY; N]),
            limit: Lanes([ensemble.options.max_step; N]),
            want: Lanes([1.0; N]),
            stubborn: zero,
            lands: zero,
            ok: zero,
            slows: zero,
            repeated: zero,
            theta: Lanes([1.0; N]),
            steps: zero,
            most_steps: match ensemble.options.max_steps {
                0 => f64::INFINITY,
                most => most as f64,
            },
            alarm: zero,
            slips: vec![[zero; 5]; contacts],
            clocks: vec![clock; n + contacts + ensemble.shown.len()],
            dense: vec![zero; 3 * block.stride],
            columns: (0..ensemble.shown.len()).map(column).collect(),
            tasks: ensemble.tasks(),
            times: [zero; 5],
            states: vec![[zero; 5]; block.stride],
            block,
        };
        let looks = front.tasks.iter().filter_map(Task::span).map(|span| span[0]).fold(f64::INFINITY, f64::min);
        Some(Self {
            ensemble,
            attempt,
            jobs: Jobs {
                prepare: S::job::<Prepare, _>()?,
                judge: S::job::<CheckError, _>()?,
                smooth: S::job::<DenseOutput, _>()?,
                show: S::job::<EvaluateColumns, _>()?,
                look: S::job::<UpdateTasks, _>()?,
                advance: S::job::<Advance, _>()?,
            },
            front,
            lanes: (0..N).map(|_| Lane::default()).collect(),
            turns: Vec::new(),
            numbers: Vec::new(),
            state: Vec::new(),
            uneven: (0..shape.signals.len()).any(|k| shape.is_uneven(k)),
            looks: if ensemble.singly { f64::NEG_INFINITY } else { looks },
            done: Vec::new(),
            count: 0,
            tries: 0,
            stopped: false,
        })
    }
    /// Runs what `next` hands out until there is no more, or the stop flag is raised; also says how many attempts it took.
    pub fn run(mut self, mut next: impl FnMut() -> Option<u64>, make: &Make<'_>) -> (Vec<(u64, Outcome)>, u64) {
        let mut active = 0;
        for lane in 0..N {
            active += usize::from(self.refill(lane, &mut next, make));
        }
        while active > 0 && !self.stopped {
            self.attempt();
            for lane in LaneState::each(&self.front.alarm) {
                if self.is_over(lane) {
                    self.tries += self.count - self.lanes[lane].begun;
                    active -= usize::from(!self.refill(lane, &mut next, make));
                }
            }
        }
        (self.done, self.tries)
    }
    /// One attempt in every lane, and what follows from it.
    fn attempt(&mut self) {
        (self.jobs.prepare)(&mut self.front);
        if self.uneven {
            self.follow();
        }
        (self.attempt)(&mut self.front.block);
        (self.jobs.judge)(&mut self.front);
        let f = &self.front;
        let slows = f.slows.0.iter().any(|x| *x > 0.5);
        let looks = (0..N).any(|i| f.ok.0[i] > 0.5 && f.block.t.0[i] >= self.looks);
        if slows || looks {
            (self.jobs.smooth)(&mut self.front);
        }
        self.turns.clear();
        if slows {
            self.find_turns();
        }
        if looks {
            self.look();
        }
        (self.jobs.advance)(&mut self.front);
        for k in 0..self.turns.len() {
            let (lane, contact) = self.turns[k];
            self.turn(lane, contact);
        }
        self.count += 1;
        if self.uneven {
            for lane in LaneState::each(&self.front.ok) {
                let pace = self.lanes[lane].max_resolved_step(self.front.block.t.0[lane]);
                self.front.limit.0[lane] = pace.min(self.ensemble.options.max_step);
            }
        }
        // rarely enough that it takes no measurable time
        if self.count.is_multiple_of(128) {
            self.stopped = self.ensemble.options.stop.is_raised();
            let now = Instant::now();
            for lane in LaneState::each(&self.front.active) {
                let (entry, t) = (&mut self.lanes[lane], self.front.block.t.0[lane]);
                entry.without_progress = entry.progress.check(self.count, t, self.ensemble.options.end);
                if entry.without_progress.is_some() || entry.time.is_some_and(|time| time.is_over(now)) {
                    self.front.alarm.0[lane] = 1.0;
                }
            }
        }
    }
    /// Signals that are not even, at the times of the stages.
    fn follow(&mut self) {
        let b = &mut self.front.block;
        let n = b.bodies;
        for (i, _) in self.front.clocks.iter().enumerate().take(n + b.contacts.len()).filter(|(_, clock)| clock.uneven)
        {
            let (out, rate) = if i < n {
                (&mut b.drive[i], &mut b.drive_rate[i])
            } else {
                (&mut b.belt[i - n], &mut b.belt_rate[i - n])
            };
            for lane in LaneState::each(&self.front.active) {
                let Lane { signals, clocks, from, .. } = &self.lanes[lane];
                for (node, out) in crate::sim::rodas5p::NODES.iter().zip(out.iter_mut()) {
                    let t = b.t.0[lane] + node * b.h.0[lane];
                    out.0[lane] = clocks[i].eval(signals, t, *from)[0];
                }
                rate.0[lane] = clocks[i].eval(signals, b.t.0[lane], *from)[1];
            }
        }
    }
    /// A function of time in one lane.
    pub(super) fn clock(&self, lane: usize, i: usize, t: f64) -> f64 {
        let clock = &self.front.clocks[i];
        if clock.uneven {
            self.lanes[lane].clocks[i].eval(&self.lanes[lane].signals, t, self.lanes[lane].from)[0]
        } else {
            clock.line[0].0[lane] + clock.line[1].0[lane] * t
        }
    }
}
