//! Contacts that turn or slow down within a step.
use super::contact_law::TINY;
use super::lane::Lane;
use super::lane_state::LaneState;
use super::runner::Runner;
use crate::sim::root_finding::{NODES as PLACES, Quartic, first_crossing, refine_root, unseen_minimum};
use crate::sim::step_size::{RETAKE_OVERSHOOT, RETAKE_RANGE, min_step};
use crate::sim::{Event, EventKind};

impl<const N: usize> Runner<'_, N> {
    /// The sliding velocities of contact `c` at the five places of the step, in one lane.
    fn slips(&self, lane: usize, c: usize) -> [f64; 5] {
        let f = &self.front;
        let clock = f.block.bodies + c;
        let mut values = [0, 1, 2, 3, 4].map(|p| f.slips[c][p].0[lane]);
        if f.clocks[clock].uneven {
            for (value, place) in values.iter_mut().zip(PLACES) {
                *value += self.clock(lane, clock, f.block.t.0[lane] + place * f.block.h.0[lane]);
            }
        }
        values
    }
    /// Finds the first contact that turns in each lane, and ends the step there. A step that has not seen its lowest speed, at rest or in between,
    /// is repeated up to there first: see [`unseen_minimum`].
    pub(super) fn find_turns(&mut self) {
        let options = &self.ensemble.options;
        // a law without stick may turn unseen below this speed, as in the simulator
        let quiet = if options.atol > 0.0 { options.atol } else { 1e-3 * options.rtol };
        for lane in LaneState::each(&self.front.slows) {
            let mut first: Option<(f64, usize)> = None;
            let mut unseen = Vec::new();
            let mut until = f64::INFINITY;
            for c in 0..self.front.block.contacts.len() {
                let side = self.front.block.contacts[c].side.0[lane];
                let values = self.slips(lane, c);
                if values.iter().all(|v| v.abs() < quiet) {
                    if values[4] * side < 0.0 {
                        unseen.push(c);
                    }
                    continue;
                }
                let Some((lo, hi)) = first_crossing(&values, side, 0.0) else {
                    until = unseen_minimum(&values, side).map_or(until, |theta| until.min(theta));
                    continue;
                };
                let quartic = Quartic::new(&values);
                let theta = refine_root(|theta| quartic.at(theta), side, lo, hi);
                if RETAKE_RANGE.contains(&theta) {
                    until = until.min(RETAKE_OVERSHOOT * theta);
                }
                if first.is_none_or(|(best, _)| theta < best) {
                    first = Some((theta, c));
                }
            }
            let f = &mut self.front;
            let (h, t) = (f.block.h.0[lane], f.block.t.0[lane]);
            if until < 1.0 && until * h > min_step(t) && f.repeated.0[lane] < 0.5 {
                (f.ok.0[lane], f.stubborn.0[lane], f.repeated.0[lane]) = (0.0, 1.0, 1.0);
                f.want.0[lane] = until * h;
            } else if let Some((theta, c)) = first {
                f.theta.0[lane] = theta;
                self.turns.push((lane, c));
            } else {
                for c in unseen {
                    let side = &mut f.block.contacts[c].side.0[lane];
                    *side = -*side;
                }
            }
        }
    }
    /// A contact now slides the other way.
    pub(super) fn turn(&mut self, lane: usize, c: usize) {
        let b = &mut self.front.block;
        let side = -b.contacts[c].side.0[lane];
        b.contacts[c].side.0[lane] = side;
        let t = b.t.0[lane];
        if b.bodies == 1 {
            // at rest against what it slides on, to the last bit
            let n = b.bodies;
            let (row, rest) = (b.row[c * n].0[lane], self.clock(lane, n + c, t));
            self.front.block.y[n].0[lane] = (side * TINY - rest) / row;
        }
        let kind = if side > 0.0 { EventKind::ReverseUp } else { EventKind::ReverseDown };
        if self.ensemble.singly || self.ensemble.rows_at_events {
            self.note(lane);
        }
        let row = &self.lanes[lane].row;
        self.front.tasks.iter_mut().for_each(|task| task.event(lane, t, c, kind, row));
        if self.ensemble.singly {
            let Lane { probes, row, .. } = &mut self.lanes[lane];
            if let Some(probes) = probes {
                probes.event(&Event { t, part: c, kind }, row);
            }
        }
    }
}
