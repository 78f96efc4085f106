//! Trajectories end, and the next take their lanes.
use super::coefficients::Coefficients;
use super::column::weights;
use super::point::Point;
use super::runner::Runner;
use super::{Ensemble, Make, Unsupported};
use crate::SimError;
use crate::sim::SimErrorKind;
use crate::sim::probes::Probes;
use crate::sim::run_limits::{ComputingTime, ProgressWindow};
use crate::sim::step_size::min_step;
use std::time::Instant;
use stiction_core::Lanes;

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
        let start = options.start;
        let point = Point::new(shape, &self.numbers);
        if !point.is_sound() {
            // the ordinary simulator runs it, or says what is wrong with it
            return Err(SimError::Unsupported(Unsupported::Numbers));
        }
        let n = shape.bodies;
        let laws = self.ensemble.laws(&point)?;
        let found = Coefficients::new(shape, options, &point, &laws);
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
        let set = |to: &mut [Lanes<N>], from: &[f64]| to.iter_mut().zip(from).for_each(|(to, x)| to.0[lane] = *x);
        set(&mut b.stiff, &found.stiffness);
        set(&mut b.damp, &found.damping);
        set(&mut b.row, &found.row);
        set(&mut b.arm, &found.arm);
        set(&mut b.y, &found.state);
        set(&mut f.atol, &found.tolerance);
        for (c, contact) in b.contacts.iter_mut().enumerate() {
            (contact.load.0[lane], contact.side.0[lane]) = (found.load[c], found.side[c]);
            set(&mut contact.params, &found.parameters[c]);
        }
        record.signals = point.signals.clone();
        b.t.0[lane] = start;
        f.active.0[lane] = 1.0;
        f.stubborn.0[lane] = 0.0;
        f.tasks.iter_mut().for_each(|task| task.clear(lane));
        f.want.0[lane] = found.first_step;
        self.piece(lane);
        if self.ensemble.singly || self.ensemble.rows_at_events {
            self.lanes[lane].tell(shape, &self.ensemble.sources, &point);
        }
        if self.ensemble.singly {
            let mut probes = Probes::new(&self.ensemble.single, &self.ensemble.columns, &self.ensemble.names())?;
            self.note(lane);
            probes.begin(&self.lanes[lane].row);
            self.lanes[lane].probes = Some(probes);
        }
        Ok(())
    }
}
