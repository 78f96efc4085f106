//! What measures see of the lanes.
use super::ProbeSource;
use super::lane::Lane;
use super::lane_state::LaneState;
use super::runner::Runner;
use crate::sim::root_finding::NODES as PLACES;
use stiction_core::Lanes;

impl<const N: usize> Runner<'_, N> {
    /// The row of the moment in one lane.
    pub(super) fn note(&mut self, lane: usize) {
        let b = &self.front.block;
        self.state.clear();
        self.state.extend(b.y.iter().take(b.wide()).map(|y| y.0[lane]));
        let mut row = std::mem::take(&mut self.lanes[lane].row);
        let side = |c: usize| b.contacts[c].side.0[lane];
        self.lanes[lane].fill(&self.ensemble.shape, b.t.0[lane], &self.state, side, &mut row);
        self.lanes[lane].row = row;
    }
    /// Measures look into the steps.
    pub(super) fn look(&mut self) {
        (self.jobs.show)(&mut self.front);
        let n = self.front.block.bodies;
        for k in 0..self.front.columns.len() {
            let clock = self.front.columns[k].clock;
            if let Some(c) = self.front.columns[k].force {
                self.show_force(k, c);
            } else if self.front.clocks[clock].uneven {
                for lane in LaneState::each(&self.front.ok) {
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
        for lane in LaneState::each(&self.front.ok) {
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
    /// A trajectory has come to its end.
    pub(super) fn finish(&mut self, lane: usize) {
        let single = if self.ensemble.singly {
            self.note(lane);
            let Lane { probes, row, .. } = &self.lanes[lane];
            probes.as_ref().map_or_else(Vec::new, |probes| probes.answers(Some(row)))
        } else {
            Vec::new()
        };
        let f = &self.front;
        let last = |k: usize| self.value(lane, k);
        let answer = |place: &ProbeSource| match *place {
            ProbeSource::Together(k) => f.tasks[k].answer(lane, last),
            ProbeSource::Singly(k) => single.get(k).copied().flatten(),
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
}
