//! One thread's share of an ensemble: a block of lanes that is refilled as trajectories end.
use super::attempt::Large;
use super::block::Block;
use super::column::{Source, places};
use super::front::{Advance, Clock, Front, Judge, Prepare, Show, Shown, Smooth, least};
use super::lane::Lane;
use super::point::Point;
use super::watch::{Look, Task};
use super::{Ensemble, Outcome};
use crate::Error;
use crate::dispatch::Set;
use crate::sim::polynomial::{NODES as PLACES, first_crossing, refine};
use crate::sim::probes::Probes;
use crate::sim::{Event, EventKind, Trouble};
use stiction_core::{Input, Lanes};

/// Attempts before a trajectory is given up, where the options say nothing.
const MOST_TRIES: u64 = 10_000_000;

/// The work that does not know the law, for one set of vector instructions.
struct Jobs<const N: usize> {
    prepare: fn(&mut Front<N>),
    judge: fn(&mut Front<N>),
    smooth: fn(&mut Front<N>),
    show: fn(&mut Front<N>),
    look: fn(&mut Front<N>),
    advance: fn(&mut Front<N>),
}

/// A block at work.
pub(super) struct Runner<'e, const N: usize> {
    ensemble: &'e Ensemble,
    attempt: fn(&mut Block<N>),
    jobs: Jobs<N>,
    front: Front<N>,
    lanes: Vec<Lane>,
    /// Contacts that turn in this step: lane, contact.
    turns: Vec<(usize, usize)>,
    numbers: Vec<f64>,
    state: Vec<f64>,
    uneven: bool,
    /// When the first measure begins to look into steps; infinite: none does.
    looks: f64,
    done: Vec<(u64, Outcome)>,
    /// Attempts of this block, and of the trajectories that have ended.
    count: u64,
    tries: u64,
}

impl<'e, const N: usize> Runner<'e, N> {
    pub fn new<S: Set>(ensemble: &'e Ensemble) -> Option<Self> {
        let kernels = super::laws::kernels::<S, N>(ensemble.shape.law)?;
        let shape = &ensemble.shape;
        let (n, contacts) = (shape.bodies, shape.contacts.len());
        let small = n == 1 && contacts == 1;
        let attempt = if small { kernels.small } else { S::job::<Large, _>()? };
        let block = Block::new(kernels, n, contacts, shape.memory, shape.params);
        let zero = Lanes([0.0; N]);
        let clock = Clock { line: [zero; 2], uneven: false };
        let column = |k: usize| {
            let source = &ensemble.sources[ensemble.shown[k]];
            let places = places(shape, source);
            Shown {
                weights: vec![zero; places.len()],
                places,
                clock: n + contacts + k,
                is_time: *source == Source::Time,
                force: if let Source::Force(c) = source { Some(*c) } else { None },
                values: [zero; 5],
            }
        };
        let front = Front {
            rtol: ensemble.options.rtol,
            atol: vec![zero; block.stride],
            active: zero,
            stop: Lanes([f64::INFINITY; N]),
            limit: Lanes([ensemble.options.max_step; N]),
            want: Lanes([1.0; N]),
            stubborn: zero,
            lands: zero,
            ok: zero,
            turned: zero,
            theta: Lanes([1.0; N]),
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
                judge: S::job::<Judge, _>()?,
                smooth: S::job::<Smooth, _>()?,
                show: S::job::<Show, _>()?,
                look: S::job::<Look, _>()?,
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
        })
    }
    /// Runs what `next` hands out until there is no more; also says how many attempts it took.
    pub fn run(
        mut self,
        mut next: impl FnMut() -> Option<u64>,
        make: &dyn Fn(u64, &mut Vec<f64>) -> Result<(), Error>,
    ) -> (Vec<(u64, Outcome)>, u64) {
        let mut active = 0;
        for lane in 0..N {
            active += usize::from(self.refill(lane, &mut next, make));
        }
        while active > 0 {
            self.attempt();
            for lane in Front::each(&self.front.alarm) {
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
        let turned = f.turned.0.iter().any(|x| *x > 0.5);
        let looks = (0..N).any(|i| f.ok.0[i] > 0.5 && f.block.t.0[i] >= self.looks);
        if turned || looks {
            (self.jobs.smooth)(&mut self.front);
        }
        self.turns.clear();
        if turned {
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
            for lane in Front::each(&self.front.ok) {
                let pace = self.lanes[lane].pace(self.front.block.t.0[lane]);
                self.front.limit.0[lane] = pace.min(self.ensemble.options.max_step);
            }
        }
        // seldom enough to cost nothing
        if self.count.is_multiple_of(1024) {
            for lane in Front::each(&self.front.active) {
                if self.count - self.lanes[lane].begun >= self.most() {
                    self.front.alarm.0[lane] = 1.0;
                }
            }
        }
    }
    /// The most attempts of one trajectory.
    fn most(&self) -> u64 {
        if self.ensemble.options.max_steps > 0 { self.ensemble.options.max_steps } else { MOST_TRIES }
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
            for lane in Front::each(&self.front.active) {
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
    fn clock(&self, lane: usize, i: usize, t: f64) -> f64 {
        let clock = &self.front.clocks[i];
        if clock.uneven {
            self.lanes[lane].clocks[i].eval(&self.lanes[lane].signals, t, self.lanes[lane].from)[0]
        } else {
            clock.line[0].0[lane] + clock.line[1].0[lane] * t
        }
    }
    /// Finds the first contact that turns in each lane, and ends the step there.
    fn find_turns(&mut self) {
        for lane in Front::each(&self.front.turned) {
            let mut first: Option<(f64, usize)> = None;
            for c in 0..self.front.block.contacts.len() {
                let f = &self.front;
                let side = f.block.contacts[c].side.0[lane];
                let clock = f.block.bodies + c;
                let mut values = [0, 1, 2, 3, 4].map(|p| f.slips[c][p].0[lane]);
                if f.clocks[clock].uneven {
                    for (value, place) in values.iter_mut().zip(PLACES) {
                        *value += self.clock(lane, clock, f.block.t.0[lane] + place * f.block.h.0[lane]);
                    }
                }
                let Some((lo, hi)) = first_crossing(&values, side, 0.0) else { continue };
                let quartic = quartic(&values);
                let theta = refine(|theta| quartic(theta), side, lo, hi);
                if first.is_none_or(|(best, _)| theta < best) {
                    first = Some((theta, c));
                }
            }
            if let Some((theta, c)) = first {
                self.front.theta.0[lane] = theta;
                self.turns.push((lane, c));
            }
        }
    }
    /// A contact now slides the other way.
    fn turn(&mut self, lane: usize, c: usize) {
        let b = &mut self.front.block;
        let side = -b.contacts[c].side.0[lane];
        b.contacts[c].side.0[lane] = side;
        let t = b.t.0[lane];
        if b.bodies == 1 {
            // at rest against what it slides on, to the last bit
            let n = b.bodies;
            let (row, rest) = (b.row[c * n].0[lane], self.clock(lane, n + c, t));
            self.front.block.y[n].0[lane] = (side * super::touch::TINY - rest) / row;
        }
        let kind = if side > 0.0 { EventKind::ReverseUp } else { EventKind::ReverseDown };
        self.front.tasks.iter_mut().for_each(|task| task.event(lane, t, c, kind));
        if self.ensemble.singly {
            self.note(lane);
            let Lane { probes, row, .. } = &mut self.lanes[lane];
            if let Some(probes) = probes {
                probes.event(&Event { t, part: c, kind }, row);
            }
        }
    }
    /// The row of the moment in one lane.
    fn note(&mut self, lane: usize) {
        let b = &self.front.block;
        self.state.clear();
        self.state.extend(b.y.iter().take(b.wide()).map(|y| y.0[lane]));
        let mut row = std::mem::take(&mut self.lanes[lane].row);
        let side = |c: usize| b.contacts[c].side.0[lane];
        self.lanes[lane].fill(&self.ensemble.shape, b.t.0[lane], &self.state, side, &mut row);
        self.lanes[lane].row = row;
    }
    /// Measures look into the steps.
    fn look(&mut self) {
        (self.jobs.show)(&mut self.front);
        let n = self.front.block.bodies;
        for k in 0..self.front.columns.len() {
            let clock = self.front.columns[k].clock;
            if let Some(c) = self.front.columns[k].force {
                self.show_force(k, c);
            } else if self.front.clocks[clock].uneven {
                for lane in Front::each(&self.front.ok) {
                    for p in 0..PLACES.len() {
                        // the line of an uneven clock is zero
                        let x = self.clock(lane, clock, self.front.times[p].0[lane]);
                        self.front.columns[k].values[p].0[lane] += x;
                    }
                }
            }
        }
        (self.jobs.look)(&mut self.front);
        if !self.ensemble.singly {
            return;
        }
        let wide = 2 * n + self.front.block.contacts.len() * self.front.block.memory;
        for lane in Front::each(&self.front.ok) {
            let Some(mut probes) = self.lanes[lane].probes.take() else { continue };
            let f = &self.front;
            let (t, h, theta) = (f.block.t.0[lane], f.block.h.0[lane], f.theta.0[lane]);
            let end = if f.lands.0[lane] > 0.5 && theta >= 1.0 { f.stop.0[lane] } else { t + theta * h };
            let mut state = vec![0.0; wide];
            probes.step(theta, end, |fraction, row| {
                state.iter_mut().enumerate().for_each(|(x, y)| *y = f.at(lane, x, fraction));
                let side = |c: usize| f.block.contacts[c].side.0[lane];
                self.lanes[lane].fill(&self.ensemble.shape, t + fraction * h, &state, side, row);
            });
            self.lanes[lane].probes = Some(probes);
        }
    }
    /// The force of a contact at the five places of the step.
    fn show_force(&mut self, k: usize, c: usize) {
        let f = &mut self.front;
        let b = &mut f.block;
        let n = b.bodies;
        for p in 0..PLACES.len() {
            for lane in 0..N {
                let own: f64 = (0..n).map(|j| b.row[c * n + j].0[lane] * f.states[n + j][p].0[lane]).sum();
                let clock = &f.clocks[n + c];
                let t = f.times[p].0[lane];
                let rest = if clock.uneven {
                    let Lane { signals, clocks, from, .. } = &self.lanes[lane];
                    clocks.get(n + c).map_or(0.0, |timed| timed.eval(signals, t, *from)[0])
                } else {
                    clock.line[0].0[lane] + clock.line[1].0[lane] * t
                };
                b.contacts[c].v.0[lane] = own + rest;
            }
            let contact = &mut b.contacts[c];
            for j in 0..b.memory {
                contact.z[j] = f.states[2 * n + c * b.memory + j][p];
            }
            (b.kernels.flow)(contact);
            f.columns[k].values[p] = contact.flow.force;
        }
    }
    /// After an attempt: whether the trajectory has ended, one way or another.
    fn is_over(&mut self, lane: usize) -> bool {
        let f = &self.front;
        let (t, h) = (f.block.t.0[lane], f.block.h.0[lane]);
        if f.ok.0[lane] < 0.5 && h <= least(t) {
            let finite = f.block.y.iter().all(|y| y.0[lane].is_finite()) && f.block.k[0].0[lane].is_finite();
            let trouble = if finite { Trouble::Stalled { step: h } } else { Trouble::NotFinite };
            return self.fail(lane, t, trouble);
        }
        if t >= f.stop.0[lane] {
            if t >= self.ensemble.options.end {
                self.finish(lane);
                return true;
            }
            self.piece(lane);
        }
        let most = self.most();
        self.count - self.lanes[lane].begun >= most && self.fail(lane, t, Trouble::Steps { most })
    }
    fn fail(&mut self, lane: usize, t: f64, trouble: Trouble) -> bool {
        self.done.push((self.lanes[lane].index, Err(Error::Simulation { t, trouble })));
        true
    }
    /// A trajectory has come to its end.
    fn finish(&mut self, lane: usize) {
        let single = if self.ensemble.singly {
            self.note(lane);
            let Lane { probes, row, .. } = &self.lanes[lane];
            probes.as_ref().map_or_else(Vec::new, |probes| probes.answers(Some(row)))
        } else {
            Vec::new()
        };
        let f = &self.front;
        let last = |k: usize| self.value(lane, k);
        let answer = |place: &super::Place| match *place {
            super::Place::Together(k) => f.tasks[k].answer(lane, last),
            super::Place::Singly(k) => single.get(k).copied().flatten(),
        };
        let answers = self.ensemble.places.iter().map(answer).collect();
        self.done.push((self.lanes[lane].index, Ok(answers)));
    }
    /// A column now.
    fn value(&self, lane: usize, k: usize) -> f64 {
        let f = &self.front;
        let (column, b) = (&f.columns[k], &f.block);
        let (t, n) = (b.t.0[lane], b.bodies);
        if column.is_time {
            return t;
        }
        let dot = |places: &[usize], weights: &[Lanes<N>]| -> f64 {
            places.iter().zip(weights).map(|(x, w)| w.0[lane] * b.y[*x].0[lane]).sum()
        };
        if let Some(c) = column.force {
            let v: f64 = (0..n).map(|j| b.row[c * n + j].0[lane] * b.y[n + j].0[lane]).sum();
            let memory: Vec<f64> = (0..b.memory).map(|j| b.y[2 * n + c * b.memory + j].0[lane]).collect();
            return self.lanes[lane].force(c, &memory, v + self.clock(lane, n + c, t), b.contacts[c].side.0[lane]);
        }
        dot(&column.places, &column.weights) + self.clock(lane, column.clock, t)
    }
    /// Signals begin a new piece, and measures a new part of the run.
    fn piece(&mut self, lane: usize) {
        let f = &mut self.front;
        let t = f.block.t.0[lane];
        let entry = &mut self.lanes[lane];
        entry.from = t;
        for (clock, timed) in f.clocks.iter_mut().zip(&entry.clocks) {
            let line = if clock.uneven { [0.0; 2] } else { timed.line(&entry.signals, t) };
            (clock.line[0].0[lane], clock.line[1].0[lane]) = (line[0], line[1]);
        }
        let own = self.ensemble.stops.iter().copied().find(|stop| *stop > t).unwrap_or(self.ensemble.options.end);
        f.stop.0[lane] = own.min(entry.stop_after(t));
        if self.uneven {
            f.limit.0[lane] = entry.pace(t).min(self.ensemble.options.max_step);
        }
    }
    /// Puts the next trajectory into a lane; false if there is none.
    fn refill(
        &mut self,
        lane: usize,
        next: &mut impl FnMut() -> Option<u64>,
        make: &dyn Fn(u64, &mut Vec<f64>) -> Result<(), Error>,
    ) -> bool {
        while let Some(index) = next() {
            self.numbers.clear();
            match make(index, &mut self.numbers).and_then(|()| self.begin(lane, index)) {
                Ok(()) => return true,
                Err(error) => self.done.push((index, Err(error))),
            }
        }
        // nothing moves here any more
        let f = &mut self.front;
        (f.active.0[lane], f.stop.0[lane], f.want.0[lane]) = (0.0, f64::INFINITY, 1.0);
        f.block.t.0[lane] = 0.0;
        f.block.y.iter_mut().for_each(|y| y.0[lane] = 0.0);
        false
    }
    /// Begins trajectory `index` from what is in `numbers`.
    fn begin(&mut self, lane: usize, index: u64) -> Result<(), Error> {
        let Ensemble { shape, options, .. } = self.ensemble;
        let (start, end, rtol) = (options.start, options.end, options.rtol);
        let point = Point::new(shape, &self.numbers);
        let fault = |trouble| Error::Simulation { t: start, trouble };
        if !point.is_sound() {
            return Err(fault(Trouble::NotFinite));
        }
        let n = shape.bodies;
        let law = |rub: &super::point::Rub| {
            self.ensemble.entry.build(&rub.params).map_err(|_| self.ensemble.fault(&rub.params))
        };
        let laws = point.contacts.iter().map(law).collect::<Result<Vec<_>, Error>>()?;
        let record = &mut self.lanes[lane];
        (record.index, record.begun, record.from, record.laws) = (index, self.count, start, laws);
        record.loads = point.contacts.iter().map(|rub| rub.load).collect();
        record.clocks.clear();
        record.clocks.extend((0..n).map(|i| point.drive(i)));
        record.clocks.extend((0..point.contacts.len()).map(|c| point.belt(c)));
        let f = &mut self.front;
        let b = &mut f.block;
        for (k, column) in f.columns.iter_mut().enumerate() {
            let source = &self.ensemble.sources[self.ensemble.shown[k]];
            let (weights, time) = super::column::weights(shape, source, &point);
            column.weights.iter_mut().zip(weights).for_each(|(to, w)| to.0[lane] = w);
            record.clocks.push(time);
        }
        for (clock, timed) in f.clocks.iter_mut().zip(&record.clocks) {
            clock.uneven = timed.terms.iter().any(|(k, _)| shape.is_uneven(*k));
        }
        let contacts = point.contacts.len();
        for i in 0..n {
            for j in 0..n {
                b.stiff[i * n + j].0[lane] = point.couple(i, j, 0);
                b.damp[i * n + j].0[lane] = point.couple(i, j, 1);
            }
            b.y[i].0[lane] = point.x[i];
            b.y[n + i].0[lane] = point.v[i];
        }
        let base = if options.atol > 0.0 { options.atol } else { 1e-3 * rtol };
        f.atol.iter_mut().for_each(|a| a.0[lane] = base);
        for (c, rub) in point.contacts.iter().enumerate() {
            for i in 0..n {
                let w = rub.line.q.iter().find(|(k, _)| *k == i).map_or(0.0, |(_, w)| *w);
                b.row[c * n + i].0[lane] = w;
                b.arm[i * contacts + c].0[lane] = w / point.mass[i];
            }
            b.contacts[c].load.0[lane] = rub.load;
            for (j, x) in rub.params.iter().enumerate() {
                b.contacts[c].params[j].0[lane] = *x;
            }
            let range = crate::sim::setup::range(&*record.laws[c]);
            for (j, z) in rub.memory.iter().enumerate() {
                let at = 2 * n + c * shape.memory + j;
                b.y[at].0[lane] = *z;
                f.atol[at].0[lane] = crate::sim::setup::allowed(range[j], base, rtol);
            }
        }
        record.signals = point.signals.clone();
        b.t.0[lane] = start;
        f.active.0[lane] = 1.0;
        f.stubborn.0[lane] = 0.0;
        f.tasks.iter_mut().for_each(|task| task.clear(lane));
        let pace = self.first(lane, &point);
        // never so short that the clock would not see it
        let shortest = 1e3 * f64::EPSILON * start.abs().max(end.abs());
        self.front.want.0[lane] = (0.01 / pace.max(1e-300)).min(1e-3 * (end - start)).max(shortest);
        self.piece(lane);
        if self.ensemble.singly {
            self.lanes[lane].tell(shape, &self.ensemble.sources, &point);
            let mut probes = Probes::new(&self.ensemble.single, &self.ensemble.columns, &self.ensemble.names())?;
            self.note(lane);
            probes.begin(&self.lanes[lane].row);
            self.lanes[lane].probes = Some(probes);
        }
        Ok(())
    }
    /// How fast the state changes at the beginning, relative to its size; and the sides of the contacts.
    fn first(&mut self, lane: usize, point: &Point) -> f64 {
        let shape = &self.ensemble.shape;
        let (start, rtol) = (self.ensemble.options.start, self.ensemble.options.rtol);
        let record = &self.lanes[lane];
        let f = &mut self.front;
        let b = &mut f.block;
        let (n, z, contacts) = (shape.bodies, shape.memory, shape.contacts.len());
        let y: Vec<f64> = b.y.iter().map(|y| y.0[lane]).collect();
        let mut rate = vec![0.0; b.stride];
        let belts: Vec<[f64; 2]> =
            (0..contacts).map(|c| record.clocks[n + c].eval(&record.signals, start, start)).collect();
        let slip = |c: usize, v: &[f64], belt: f64| -> f64 {
            belt + (0..n).map(|j| b.row[c * n + j].0[lane] * v[j]).sum::<f64>()
        };
        for i in 0..n {
            rate[i] = y[n + i];
            let own: f64 =
                (0..n).map(|j| b.stiff[i * n + j].0[lane] * y[j] + b.damp[i * n + j].0[lane] * y[n + j]).sum();
            rate[n + i] = record.clocks[i].eval(&record.signals, start, start)[0] - own;
        }
        for (c, rub) in point.contacts.iter().enumerate() {
            let mut out = vec![0.0; z];
            let at = 2 * n + c * z;
            let u = Input { v: slip(c, &y[n..2 * n], belts[c][0]), load: rub.load };
            let force = record.laws[c].flow(&y[at..at + z], &u, &mut out);
            rate[at..at + z].copy_from_slice(&out);
            for i in 0..n {
                rate[n + i] -= b.arm[i * contacts + c].0[lane] * force;
            }
        }
        let sides: Vec<f64> = (0..contacts)
            .map(|c| {
                let v = slip(c, &y[n..2 * n], belts[c][0]);
                let goes = if v == 0.0 { slip(c, &rate[n..2 * n], belts[c][1]) } else { v };
                if goes < 0.0 { -1.0 } else { 1.0 }
            })
            .collect();
        for (contact, x) in b.contacts.iter_mut().zip(sides) {
            contact.side.0[lane] = x;
        }
        let sizes = y.iter().zip(&f.atol).map(|(y, a)| y.abs() + a.0[lane] / rtol);
        rate.iter().zip(sizes).map(|(r, size)| r.abs() / size).fold(0.0, f64::max)
    }
}

/// The quartic through values at the five places of a step.
fn quartic(g: &[f64; 5]) -> impl Fn(f64) -> f64 + use<> {
    let [a, b, c, d, e] = *g;
    let c1 = (a - e + 8.0 * (d - b)) / 12.0;
    let c2 = (16.0 * (b + d) - a - e - 30.0 * c) / 24.0;
    let c3 = (e - a + 2.0 * (b - d)) / 12.0;
    let c4 = (a + e - 4.0 * (b + d) + 6.0 * c) / 24.0;
    move |theta| {
        let u = 4.0 * theta - 2.0;
        c + u * (c1 + u * (c2 + u * (c3 + u * c4)))
    }
}
