//! What happens at an event: modes change, memories jump, stops are hit.
use super::flow::WORK;
use super::parts::{Mode, Rests, Row, Weight};
use super::run::Run;
use super::scan::{Guard, Hit, guards_at};
use super::{Event, EventKind, SimErrorKind};
use crate::SimError;
use stiction_core::Input;

/// Steps at one instant after which a switching contact is given up.
const PATIENCE: usize = 200;

impl Run<'_, '_> {
    /// Modes of all that is at rest, sides of all that is about to move, memory and guards.
    pub(super) fn settle_modes(&mut self) {
        let Self { flow, step, scratch, t, .. } = self;
        flow.regroup();
        flow.rhs(*t, &step.y0, scratch);
        flow.resolve(*t, &step.y0, scratch);
        flow.groups.align(&mut step.y0, &flow.parts.vi, &flow.motions);
        for rub in flow.parts.rubs.iter().filter(|rub| rub.is_steep() && rub.released == *t && rub.row.nq == 1) {
            // what lets go at the least speed that its law knows is in balance there, and not at rest
            if let Mode::Slip(side) = rub.mode {
                let v = rub.row.v(&step.y0, &flow.motions);
                step.y0[rub.row.v[0]] += (side * rub.slowest - v) / rub.row.q[0].1;
            }
        }
        flow.rhs(*t, &step.y0, scratch);
        for c in 0..self.flow.parts.rubs.len() {
            self.face(c);
        }
        for c in 0..self.flow.parts.rubs.len() {
            self.jump(c, None);
        }
    }
    /// A run does not go on with forces that contradict its contacts.
    pub(super) fn check_decided(&self) -> Result<(), SimError> {
        if self.flow.undecided { self.fail(SimErrorKind::NoStickSlipSolution) } else { Ok(()) }
    }
    /// Lets the memory of contact `c` jump, and notes on which side its guards are now. `fired` is the guard that led
    /// here: it has crossed, whatever rounding says.
    pub(super) fn jump(&mut self, c: usize, fired: Option<usize>) {
        let Self { flow, step, t, guards, .. } = self;
        let rub = &mut flow.parts.rubs[c];
        if rub.plain {
            return;
        }
        rub.recall(&step.y0);
        let v = match rub.mode {
            Mode::Slip(side) => {
                let v = rub.row.v(&step.y0, &flow.motions);
                // what a motion keeps still is at rest, and not about to move
                let stands = rub.row.nq == 0 && rub.row.driven(&flow.motions, 2) == 0.0;
                if stands { v } else { rub.asked(side, v) }
            }
            _ => 0.0,
        };
        rub.rates.copy_from_slice(&rub.memory);
        rub.law.jump(&mut rub.memory, &Input { v, load: rub.load[0] });
        let changed = rub.rates != rub.memory;
        rub.store(&mut step.y0);
        if rub.sides.is_empty() {
            return;
        }
        guards_at(flow, c, &step.y0, *t, guards);
        let rub = &mut flow.parts.rubs[c];
        for (k, side) in rub.sides.iter_mut().enumerate() {
            let g = guards[k + 1];
            // where the memory stays, the guard marks a kink and goes on to its other side
            if fired == Some(k + 1) && (!changed || g == 0.0) {
                *side = -*side;
            } else if g.abs() > 1e-13 || changed && g != 0.0 {
                *side = g.signum();
            }
        }
    }
    /// Where the force of a contact jumps as it turns, the force just before belongs into the trace, too.
    fn write_turn(&mut self, c: usize) -> Result<(), SimError> {
        let Mode::Slip(side) = self.flow.parts.rubs[c].mode else { return Ok(()) };
        let Self { flow, step, layout, row, t, .. } = self;
        if !matches!(flow.parts.rubs[c].weight, Weight::Constant(_)) {
            // the load of the moment
            layout.fill(flow, *t, &step.y0, row);
        }
        let rub = &mut flow.parts.rubs[c];
        rub.recall(&step.y0);
        let [before, after] =
            [side, -side].map(|side| rub.law.force(&rub.memory, &Input { v: rub.asked(side, 0.0), load: rub.load[0] }));
        if before == after || !before.is_finite() {
            return Ok(());
        }
        layout.fill(flow, *t, &step.y0, row);
        let at = layout.force(c);
        row[at..at + 2].copy_from_slice(&[before, 0.0]);
        self.watch.row(row);
        Ok(())
    }
    /// Keeps the row of this instant, before something changes.
    fn keep_row(&mut self) {
        let Self { flow, step, layout, kept, t, .. } = self;
        layout.fill(flow, *t, &step.y0, kept);
    }
    /// Writes the row that was kept if the force of contact `c` has jumped since.
    fn write_jump(&mut self, c: usize) {
        let Self { flow, step, layout, row, kept, t, .. } = self;
        layout.fill(flow, *t, &step.y0, row);
        let at = layout.force(c);
        if (row[at] - kept[at]).abs() > 1e-12 * row[at].abs() {
            self.watch.row(kept);
        }
    }
    /// Where the velocity of a motion jumps, what was just before belongs into the trace, too.
    pub(super) fn write_kink(&mut self) {
        let Self { flow, step, layout, row, t, .. } = self;
        if flow.parts.motions.is_empty() {
            return;
        }
        flow.set_motions(*t);
        let before: Vec<f64> = flow.motions.iter().map(|jet| jet[1]).collect();
        let from = std::mem::replace(&mut flow.from, *t);
        flow.set_motions(*t);
        let jumps =
            flow.motions.iter().zip(&before).any(|(jet, v)| (jet[1] - v).abs() > 1e-12 * (jet[1].abs() + v.abs()));
        flow.from = from;
        if jumps {
            layout.fill(flow, *t, &step.y0, row);
            self.watch.row(row);
        }
    }
    fn tell(&mut self, part: usize, kind: EventKind) {
        let event = Event { t: self.t, part, kind };
        self.stats.events += 1;
        self.watch.event(&event);
        self.probes.event(&event, &self.row);
    }
    /// Tells of a contact that was turned at the beginning of the step, if it was.
    pub(super) fn tell_turned(&mut self) -> Result<(), SimError> {
        let (_, times, c) = std::mem::replace(&mut self.turned, (f64::NEG_INFINITY, 0, 0));
        if let Mode::Slip(side) = self.flow.parts.rubs[c].mode
            && times % 2 == 1
        {
            self.write_row()?;
            self.tell(c, if side > 0.0 { EventKind::ReverseUp } else { EventKind::ReverseDown });
        }
        Ok(())
    }
    /// Runs something that may change modes, and tells what changed.
    pub(super) fn note_modes(&mut self, change: impl FnOnce(&mut Self)) -> Result<(), SimError> {
        let (mut old, mut rested) = std::mem::take(&mut self.before_change);
        old.clear();
        rested.clear();
        old.extend(self.flow.parts.rubs.iter().map(|rub| rub.mode));
        rested.extend(self.flow.parts.bumps.iter().map(|bump| bump.mode));
        change(self);
        self.check_decided()?;
        let mut told = Vec::new();
        for (c, &old) in old.iter().enumerate() {
            let held = |mode| !matches!(mode, Mode::Slip(_));
            match (old, self.flow.parts.rubs[c].mode) {
                (old, new) if held(old) && held(new) => {}
                (Mode::Slip(_), new) if held(new) => told.push((c, EventKind::Stick)),
                (old, Mode::Slip(s)) if held(old) => {
                    told.push((c, if s > 0.0 { EventKind::SlipUp } else { EventKind::SlipDown }));
                }
                // a contact that begins at rest may begin either way
                (Mode::Slip(_), Mode::Slip(_)) if !self.flow.parts.rubs[c].moved => {}
                (Mode::Slip(a), Mode::Slip(b)) if a != b => {
                    told.push((c, if b > 0.0 { EventKind::ReverseUp } else { EventKind::ReverseDown }));
                }
                _ => {}
            }
        }
        let count = self.flow.parts.rubs.len();
        for (b, &old) in rested.iter().enumerate() {
            match (old, self.flow.parts.bumps[b].mode) {
                (Rests::Free, Rests::At(_)) => told.push((count + b, EventKind::Rest)),
                (Rests::At(_), Rests::Free) => told.push((count + b, EventKind::Leave)),
                _ => {}
            }
        }
        self.before_change = (old, rested);
        if !told.is_empty() {
            self.write_row()?;
            told.into_iter().for_each(|(part, kind)| self.tell(part, kind));
        }
        Ok(())
    }
    pub(super) fn event(&mut self, hit: Hit) -> Result<(), SimError> {
        self.acted = self.t;
        if self.still > PATIENCE {
            let part = match hit.guard {
                Guard::Velocity(c) | Guard::Law(c, _) | Guard::Upper(c) | Guard::Lower(c) | Guard::Load(c) => {
                    self.flow.parts.rubs[c].name
                }
                Guard::Floor(b) | Guard::Ceiling(b) | Guard::Push(b) => self.flow.parts.bumps[b].name,
            };
            return self.fail(SimErrorKind::Chatter { contact: part.to_owned() });
        }
        match hit.guard {
            Guard::Velocity(c) => {
                self.write_turn(c)?;
                self.note_modes(|run| run.turn(c))
            }
            Guard::Law(c, k) => {
                let up = self.flow.parts.rubs[c].sides[k - 1] < 0.0;
                self.keep_row();
                self.jump(c, Some(k));
                for other in (0..self.flow.parts.rubs.len()).filter(|&other| other != c) {
                    self.jump(other, None);
                }
                self.write_jump(c);
                self.write_row()?;
                let number = k.min(255) as u8;
                self.tell(c, if up { EventKind::GuardUp(number) } else { EventKind::GuardDown(number) });
                if up { Ok(()) } else { self.note_modes(|run| run.enter_band(c)) }
            }
            Guard::Upper(c) | Guard::Lower(c) => {
                let side = if hit.guard == Guard::Upper(c) { 1.0 } else { -1.0 };
                // the force at the very end of stick belongs into the trace
                self.write_row()?;
                self.note_modes(|run| {
                    // one at its limit may yet share the load another way
                    let pinned = |run: &Self| run.flow.parts.rubs.iter().any(|rub| matches!(rub.mode, Mode::Pinned(_)));
                    if pinned(run) && run.still == 0 {
                        return run.settle_modes();
                    }
                    let kept = run.flow.is_kept(c);
                    let rub = &mut run.flow.parts.rubs[c];
                    if kept {
                        rub.mode = Mode::Pinned(side);
                        run.flow.regroup();
                    } else {
                        rub.mode = Mode::Slip(side);
                        rub.released = run.t;
                        run.settle_modes();
                    }
                })
            }
            Guard::Push(b) => self.note_modes(|run| {
                // what no longer pushes lets go
                run.flow.parts.bumps[b].mode = Rests::Free;
                run.settle_modes();
            }),
            Guard::Load(c) => self.note_modes(|run| {
                // pressed again: what does not slide, but for rounding and the tolerance, may be held
                let row = run.flow.parts.rubs[c].row;
                let size: f64 = row.speeds().map(|(i, c)| (c * run.step.y0[i]).abs()).sum();
                let v = row.v(&run.step.y0, &run.flow.motions);
                if row.nq > 0 && v.abs() <= run.quiet.max(1e-12 * size) {
                    // held by next to nothing at first; if that is too little, the next event lets it go
                    run.flow.impulse(&row, -v, &mut run.step.y0);
                    run.flow.parts.rubs[c].mode = Mode::Stuck;
                    run.flow.regroup();
                }
            }),
            Guard::Floor(b) => self.impact(b, -1.0),
            Guard::Ceiling(b) => self.impact(b, 1.0),
        }
    }
    /// Whether a bounce with speed `v` is too low to tell: by the tolerance of the speed, or because its height drowns in
    /// the rounding of the place.
    fn is_low(&mut self, row: &Row, v: f64) -> bool {
        let Self { flow, step, scratch, t, .. } = self;
        flow.rhs(*t, &step.y0, scratch);
        let own: f64 = row.coordinates().map(|(i, c)| c * flow.acceleration[i]).sum();
        let a = (own + row.driven(&flow.motions, 2)).abs();
        let size: f64 = row.coordinates().map(|(i, c)| (c * step.y0[i]).abs()).sum();
        v < 100.0 * self.quiet || v * v < 2.0 * a * 1e-13 * (size + row.driven(&flow.motions, 0).abs())
    }
    /// Changes the speed of a displacement at once. Friction is finite and cannot carry an impulse: only masses answer,
    /// and contacts slide as they are left. `before` is the energy before.
    fn push(&mut self, row: &Row, change: f64, before: f64) {
        let Self { flow, step, t, .. } = self;
        // what moves as prescribed does work in the blow
        let work = flow.impulse(row, change, &mut step.y0) * row.driven(&flow.motions, 1);
        step.y0[flow.parts.n + flow.parts.nu + WORK] += work;
        self.impact += before + work - flow.energy(*t, &step.y0);
        self.slide_on();
    }
    /// After a jump of velocities every contact slides the way it is left to, and what parts from a stop leaves it.
    pub(super) fn slide_on(&mut self) {
        let Self { flow, step, .. } = self;
        let (y, motions) = (&step.y0, &flow.motions);
        let slides = |row: &Row| {
            let size: f64 = row.speeds().map(|(i, c)| (c * y[i]).abs()).sum();
            let v = row.v(y, motions);
            // beyond the rounding of the speeds it is the difference of
            (v.abs() > 1e-13 * (size + row.driven(motions, 1).abs())).then_some(v)
        };
        for rub in flow.parts.rubs.iter_mut() {
            if let Some(v) = slides(&rub.row) {
                rub.mode = Mode::Slip(v.signum());
            }
        }
        for bump in flow.parts.bumps.iter_mut() {
            if slides(&bump.row).is_some() {
                bump.mode = Rests::Free;
            }
        }
        flow.regroup();
    }
    /// A contact whose law counts slow as at rest (Karnopp) comes to rest when it has become that slow.
    fn enter_band(&mut self, c: usize) {
        let rub = &self.flow.parts.rubs[c];
        let (row, v) = (rub.row, rub.row.v(&self.step.y0, &self.flow.motions));
        let band = rub.law.band(&Input { v, load: rub.load[0] });
        if band == 0.0 || v.abs() > band * (1.0 + 1e-9) || row.nq == 0 {
            return;
        }
        let before = self.flow.energy(self.t, &self.step.y0);
        self.push(&row, -v, before);
        self.turn(c);
    }
    /// The sliding velocity of contact `c` has come to zero.
    fn turn(&mut self, c: usize) {
        let Self { flow, step, .. } = self;
        let rub = &mut flow.parts.rubs[c];
        let Mode::Slip(side) = rub.mode else { return };
        let row = rub.row;
        if row.nq > 0 {
            // to the last bit
            let v = row.v(&step.y0, &flow.motions);
            let (_, c) = row.q[0];
            step.y0[row.v[0]] -= v / c;
            if row.nq == 1 && row.nm == 0 {
                step.y0[row.v[0]] = 0.0;
            }
        }
        rub.released = f64::NEG_INFINITY;
        rub.mode = Mode::Slip(-side);
        rub.recall(&step.y0);
        rub.note_speeds(&step.y0, self.options.rtol);
        let (low, high) = rub.limits();
        let alone = flow.straight.holds && !flow.exact.holds && flow.parts.rubs.len() == 1;
        if alone && low == high {
            // it cannot be held, and nothing else is at rest: all that changes is where it goes
            flow.rhs(self.t, &step.y0, &mut self.scratch);
            self.face(c);
            self.jump(c, None);
            return;
        }
        flow.parts.rubs[c].rests = true;
        self.settle_modes();
    }
    /// A contact that slides, but has no speed yet, slides the way it is accelerated.
    fn face(&mut self, c: usize) {
        let Self { flow, step, t, .. } = self;
        let rub = &mut flow.parts.rubs[c];
        if let Mode::Slip(_) = rub.mode
            && rub.row.v(&step.y0, &flow.motions) == 0.0
            && rub.released < *t
        {
            let own: f64 = rub.row.coordinates().map(|(i, c)| c * flow.acceleration[i]).sum();
            let a = own + rub.row.driven(&flow.motions, 2);
            // a speed that has only a sign makes a force that has only a sign
            if a.abs() > 1e-100 {
                rub.mode = Mode::Slip(a.signum());
            }
        }
    }
    /// Stop `b` is hit at its lower (−1) or upper end.
    fn impact(&mut self, b: usize, end: f64) -> Result<(), SimError> {
        let before = self.flow.energy(self.t, &self.step.y0);
        let bump = &self.flow.parts.bumps[b];
        let (row, what) = (bump.row, bump.what);
        let v = row.v(&self.step.y0, &self.flow.motions);
        if v * end < 0.0 {
            // on its way out already
            return Ok(());
        }
        let rests = self.is_low(&row, what.restitution * v.abs());
        let wanted = if rests { 0.0 } else { -what.restitution * v };
        self.push(&row, wanted - v, before);
        if rests {
            self.flow.parts.bumps[b].mode = Rests::At(end);
        }
        self.note_modes(Self::settle_modes)?;
        let count = self.flow.parts.rubs.len();
        self.write_row()?;
        if v != 0.0 {
            self.tell(count + b, EventKind::Impact);
        }
        if rests {
            self.tell(count + b, EventKind::Rest);
        }
        Ok(())
    }
}
