//! Trajectories end, and the next take their lanes.
use super::column::weights;
use super::point::{Point, PointContact};
use super::runner::Runner;
use super::{Ensemble, Make, Unsupported};
use crate::SimError;
use crate::sim::SimErrorKind;
use crate::sim::probes::Probes;
use crate::sim::run_limits::{ComputingTime, ProgressWindow};
use crate::sim::setup::{allowed, range};
use crate::sim::step_size::min_step;
use std::time::Instant;
use stiction_core::Input;

impl<const N: usize> Runner<'_, N> {
    /// After an attempt: whether the trajectory has ended, one way or another.
    pub(super) fn is_over(&mut self, lane: usize) -> bool {
        let f = &self.front;
        let (t, h) = (f.block.t.0[lane], f.block.h.0[lane]);
        if f.ok.0[lane] < 0.5 && h <= min_step(t) {
            let finite = f.block.y.iter().all(|y| y.0[lane].is_finite()) && f.block.k[0].0[lane].is_finite();
            let trouble = if finite { SimErrorKind::Stalled { step: h } } else { SimErrorKind::NotFinite };
            return self.fail(lane, t, trouble);
        }
        if t >= f.stop.0[lane] {
            if t >= self.ensemble.options.end {
                self.finish(lane);
                return true;
            }
            self.piece(lane);
        }
        let (limit, remaining) = (self.ensemble.options.max_steps, self.ensemble.options.end - t);
        if self.front.steps.0[lane] >= self.front.most_steps {
            return self.fail(lane, t, SimErrorKind::MaxSteps { limit, remaining, busiest: None });
        }
        if let Some(kind) = self.lanes[lane].without_progress.take() {
            return self.fail(lane, t, kind);
        }
        if self.lanes[lane].time.is_some_and(|time| time.is_over(Instant::now())) {
            let limit = self.ensemble.options.max_seconds;
            return self.fail(lane, t, SimErrorKind::MaxSeconds { limit, remaining, busiest: None });
        }
        false
    }
    fn fail(&mut self, lane: usize, t: f64, kind: SimErrorKind) -> bool {
        self.done.push((self.lanes[lane].index, Err(SimError::Run { t, kind })));
        true
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
        f.stop.0[lane] = own.min(entry.next_breakpoint(t));
        if self.uneven {
            f.limit.0[lane] = entry.max_resolved_step(t).min(self.ensemble.options.max_step);
        }
    }
    /// Puts the next trajectory into a lane; false if there is none.
    pub(super) fn refill(&mut self, lane: usize, next: &mut impl FnMut() -> Option<u64>, make: &Make<'_>) -> bool {
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
    fn begin(&mut self, lane: usize, index: u64) -> Result<(), SimError> {
        let Ensemble { shape, options, .. } = self.ensemble;
        let (start, end, rtol) = (options.start, options.end, options.rtol);
        let point = Point::new(shape, &self.numbers);
        if !point.is_sound() {
            // the ordinary simulator runs it, or says what is wrong with it
            return Err(SimError::Unsupported(Unsupported::Numbers));
        }
        let n = shape.bodies;
        let law = |contact: &PointContact| {
            let params = &contact.params;
            self.ensemble.entry.build(params).map_err(|_| self.ensemble.fault(params))
        };
        let laws = point.contacts.iter().map(law).collect::<Result<Vec<_>, SimError>>()?;
        let record = &mut self.lanes[lane];
        (record.index, record.begun, record.from, record.laws) = (index, self.count, start, laws);
        record.time = Some(ComputingTime::new(options.max_seconds));
        (record.progress, record.without_progress) = (ProgressWindow::new(self.count, start), None);
        self.front.steps.0[lane] = 0.0;
        record.loads = point.contacts.iter().map(|contact| contact.load).collect();
        record.clocks.clear();
        record.clocks.extend((0..n).map(|i| point.drive(i)));
        record.clocks.extend((0..point.contacts.len()).map(|c| point.belt(c)));
        let f = &mut self.front;
        let b = &mut f.block;
        for (k, column) in f.columns.iter_mut().enumerate() {
            let source = &self.ensemble.sources[self.ensemble.shown[k]];
            let (found, time) = weights(shape, source, &point);
            column.weights.iter_mut().zip(found).for_each(|(to, w)| to.0[lane] = w);
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
            let ranges = range(&*record.laws[c]);
            for (j, z) in rub.memory.iter().enumerate() {
                let at = 2 * n + c * shape.memory + j;
                b.y[at].0[lane] = *z;
                f.atol[at].0[lane] = allowed(ranges[j], base, rtol);
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
