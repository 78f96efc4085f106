//! The loop over steps and events.
use super::columns::Layout;
use super::control::{Control, fit, least};
use super::flow::Flow;
use super::parts::{Mode, Rests};
use super::probes::Probes;
use super::rosenbrock::Step;
use super::scan::{Guard, Hit, Scanner};
use super::section::Watched;
use super::setup::{controllers, initial, is_paced, note_steep, tolerances};
use super::solo::Solo;
use super::{EnergyBalance, Observer, SimErrorKind, SimulationOptions, SolverStatistics};
use crate::SimError;
use crate::system::System;
use std::ops::Range;

/// States within a step are less exact than at its end, and their error is not controlled. Where in a step an event is far
/// enough from the ends that a kernel takes the step again to just beyond it; and how far beyond, as a share of the way.
pub(super) const BLURRED: Range<f64> = 1e-3..0.99;
pub(super) const BEYOND: f64 = 1.005;

/// Where in a step an event is so early that it is doubted if the step begins at one.
const HASTY: f64 = 1e-6;
/// Events that may follow each other at one place before they are doubted.
const CHAIN: u32 = 4;
/// Steps in a row that are as short as the clock can tell.
const CRAWL: u32 = 200;
/// The change of a speed over which a law that goes with its logarithm is followed in one step.
const DECADE: f64 = 10.0;

/// One run in progress.
pub(super) struct Run<'a, 's> {
    pub(super) options: &'a SimulationOptions,
    pub(super) watch: &'a mut dyn Observer,
    pub(super) flow: Flow<'s>,
    pub(super) step: Step,
    pub(super) scanner: Scanner,
    pub(super) layout: Layout,
    pub(super) probes: Probes,
    /// The last column that probes look at within steps.
    looked_at: Option<usize>,
    pub(super) stats: SolverStatistics,
    pub(super) t: f64,
    pub(super) h: f64,
    pub(super) atol: Vec<f64>,
    pub(super) quiet: f64,
    pub(super) sample: f64,
    /// Rows written so far: the next one is due at this many samples from the start.
    pub(super) due: u64,
    pub(super) row: Vec<f64>,
    /// A row from before an event.
    pub(super) kept: Vec<f64>,
    pub(super) scratch: Vec<f64>,
    pub(super) state: Vec<f64>,
    pub(super) guards: Vec<f64>,
    pub(super) before: f64,
    pub(super) impact: f64,
    /// Modes before something changes them.
    pub(super) before_change: (Vec<Mode>, Vec<Rests>),
    /// Events since the clock last moved.
    pub(super) still: usize,
    pub(super) control: Control,
    pub(super) sections: Vec<Watched>,
    /// Steps in a row that were as short as the clock can tell.
    crawled: u32,
    /// When the last event was, and how many have followed each other all but at once.
    pub(super) acted: f64,
    hurried: u32,
    /// When a contact last went the other way than it was accelerated, how often it was turned there, and which.
    pub(super) turned: (f64, u32, usize),
    /// When something next happens by the clock; found anew once it is reached.
    stop: f64,
    /// Whether anything limits steps by its own pace.
    paced: bool,
    /// The kernel for the usual small system.
    solo: Option<Box<Solo>>,
}

impl<'a, 's> Run<'a, 's> {
    pub(super) fn new(
        system: &'s System,
        options: &'a SimulationOptions,
        watch: &'a mut dyn Observer,
        probes: Probes,
    ) -> Self {
        let mut flow = Flow::new(system);
        let mut step = Step::new(&flow);
        initial(system, &flow, &mut step.y0);
        let SimulationOptions { start, end, .. } = *options;
        let (base, mut atol) = tolerances(&flow, options);
        note_steep(&mut flow, options, base, &mut atol);
        let (len, scanner, layout) = (Step::pad(&flow), Scanner::new(&flow), Layout::new(system, &flow));
        let solo = Solo::new(system, &flow, options, &atol);
        let most_guards = flow.parts.rubs.iter().map(|rub| rub.sides.len() + 1).max().unwrap_or(0);
        Self {
            options,
            watch,
            step,
            scanner,
            layout,
            looked_at: probes.last_in_steps(),
            probes,
            stats: SolverStatistics::default(),
            t: start,
            h: 0.0,
            atol,
            quiet: base,
            sample: if options.sample > 0.0 { options.sample } else { (end - start) / 1000.0 },
            due: 0,
            row: Vec::new(),
            kept: Vec::new(),
            scratch: vec![0.0; len],
            state: vec![0.0; len],
            guards: vec![0.0; most_guards],
            before: 0.0,
            impact: 0.0,
            before_change: Default::default(),
            still: 0,
            control: Control::default(),
            sections: options.sections.iter().map(Watched::new).collect(),
            crawled: 0,
            acted: f64::NEG_INFINITY,
            hurried: 0,
            turned: (f64::NEG_INFINITY, 0, 0),
            stop: f64::NEG_INFINITY,
            paced: is_paced(&flow),
            solo,
            flow,
        }
    }
    pub(super) fn fail<T>(&self, kind: SimErrorKind) -> Result<T, SimError> {
        Err(SimError::Run { t: self.t, kind })
    }
    pub(super) fn begin(&mut self) -> Result<(), SimError> {
        self.flow.from = self.t;
        self.before = self.flow.energy(self.t, &self.step.y0);
        let full = &self.flow.groups.full;
        if self.flow.has_plants() && (full.is_empty() || !full.iter().all(|x| x.is_finite())) {
            return self.fail(SimErrorKind::SingularMassMatrix);
        }
        for k in 0..self.flow.parts.rubs.len() {
            let v = self.flow.parts.rubs[k].row.v(&self.step.y0, &self.flow.motions);
            self.flow.parts.rubs[k].mode = Mode::Slip(if v < 0.0 { -1.0 } else { 1.0 });
            self.flow.parts.rubs[k].note_speeds(&self.step.y0, self.options.rtol);
        }
        // a body that begins against a stop rests there or leaves
        for k in 0..self.flow.parts.bumps.len() {
            let bump = &mut self.flow.parts.bumps[k];
            let x = bump.row.x(&self.step.y0, &self.flow.motions);
            if bump.row.v(&self.step.y0, &self.flow.motions) == 0.0 {
                bump.mode = match x {
                    x if x == bump.what.lo => Rests::At(-1.0),
                    x if x == bump.what.hi => Rests::At(1.0),
                    _ => Rests::Free,
                };
            }
        }
        self.controllers();
        self.settle_modes();
        self.check_decided()?;
        self.begin_sections();
        self.first_step();
        self.write_row()?;
        self.due = 1;
        self.probes.begin(&self.row);
        Ok(())
    }
    /// Calls the controllers that are due.
    fn controllers(&mut self) {
        controllers(&mut self.flow, &self.step.y0, self.t, self.options.start);
    }
    /// A first guess: a hundredth of the time in which the state would change by its own size.
    fn first_step(&mut self) {
        self.flow.rhs(self.t, &self.step.y0, &mut self.scratch);
        let SimulationOptions { start, end, .. } = *self.options;
        self.h = (0.01 * self.pause()).min(1e-3 * (end - start)).max(self.shortest());
    }
    /// The time in which the state would change by its own size, at the rates that were last worked out.
    fn pause(&self) -> f64 {
        let Self { step, scratch, atol, options, .. } = self;
        let mut rate = 0.0_f64;
        for ((y, f), atol) in step.y0.iter().zip(scratch).zip(atol) {
            rate = rate.max(f.abs() / (y.abs() + atol / options.rtol));
        }
        (1.0 / rate.max(1e-300)).max(self.shortest())
    }
    /// A step that the clock sees all through the run.
    fn shortest(&self) -> f64 {
        1e3 * f64::EPSILON * self.options.start.abs().max(self.options.end.abs())
    }
    /// Steps to the end; false if the watcher had enough.
    pub(super) fn advance(&mut self) -> Result<bool, SimError> {
        let end = self.options.end;
        while self.t < end {
            if self.t >= self.stop {
                self.stop = self.next_stop();
            }
            let stop = self.stop;
            let (mut lands, clear) = if self.flow.exact.holds {
                (self.exactly(stop), false)
            } else if let Some(taken) = self.alone(stop) {
                taken
            } else {
                self.step.begin(&mut self.flow, self.t);
                self.stats.jacobians += 1;
                (self.attempt(stop)?, false)
            };
            let mut hit = if clear { None } else { self.scanner.first(&mut self.flow, &self.step, self.quiet) };
            if let Some(seen) = hit
                && self.still == 0
                && Self::is_early(&seen)
            {
                hit = Some(self.closer(&seen, &mut lands)?);
            }
            if let Some(hit) = hit
                && self.is_hasty(&hit)
            {
                self.retry(&hit);
                if self.is_ended()? {
                    return Ok(false);
                }
                continue;
            }
            if self.turned.0 == self.step.t {
                self.tell_turned()?;
            }
            let cross = self.first_section(hit.map_or(1.0, |hit| hit.theta));
            let hit = if cross.is_some() { None } else { hit };
            let theta = cross.map_or(hit.map_or(1.0, |hit| hit.theta), |(theta, _)| theta);
            let t = if let Some(Hit { guard: Guard::Load(_), .. }) = hit {
                // beyond the rounding of the clock, so that the load is there
                (self.step.t + theta * self.step.h) * (1.0 + 4.0 * f64::EPSILON)
            } else if theta < 1.0 {
                self.step.t + theta * self.step.h
            } else if lands {
                stop
            } else {
                self.step.t + self.step.h
            };
            self.samples(theta, t)?;
            self.move_to(theta, t, hit.is_some())?;
            if let Some(hit) = hit {
                self.event(hit)?;
            } else {
                for c in 0..self.flow.parts.rubs.len() {
                    self.jump(c, None);
                }
            }
            if let Some((_, k)) = cross {
                self.cross(k)?;
            }
            if lands && (theta >= 1.0 || t >= stop) && t < end {
                self.write_kink();
                // a signal may have jumped: whatever is at rest must be asked again
                self.flow.from = self.t;
                self.controllers();
                self.note_modes(|run| {
                    run.slide_on();
                    run.settle_modes();
                })?;
                self.h = self.h.min(self.pause());
            }
            if self.is_ended()? {
                return Ok(false);
            }
        }
        self.write_row()?;
        Ok(true)
    }
    /// Whether the watcher has had enough.
    fn is_ended(&mut self) -> Result<bool, SimError> {
        if !self.watch.should_continue(self.t) {
            self.write_row()?;
            return Ok(true);
        }
        if self.options.max_steps > 0 && self.stats.steps >= self.options.max_steps && self.t < self.options.end {
            return self
                .fail(SimErrorKind::MaxSteps { limit: self.options.max_steps, remaining: self.options.end - self.t });
        }
        Ok(false)
    }
    /// Whether steps that begin at an event have the next one at their very beginning, again and again. Long steps do not
    /// follow what dies away at once, and their dense output may begin the wrong way.
    fn is_hasty(&mut self, hit: &Hit) -> bool {
        if hit.theta >= HASTY || self.acted != self.step.t {
            self.hurried = 0;
        }
        self.hurried += 1;
        // a step without an error is right from its beginning
        self.hurried > CHAIN && self.step.h > 1e3 * least(self.t) && !self.flow.exact.holds
    }
    /// Takes back a step with a hasty event: a contact with one force at rest may slide the other way from the beginning; if
    /// that is no better, and for all others, a shorter step will tell.
    fn retry(&mut self, hit: &Hit) {
        self.stats.rejected += 1;
        let times = if self.turned.0 == self.t { self.turned.1 } else { 0 };
        if let Guard::Velocity(c) = hit.guard
            && self.may_turn(c)
        {
            self.turned = (self.t, times + 1, c);
            self.flow.set_motions(self.t);
            let rub = &mut self.flow.parts.rubs[c];
            if let Mode::Slip(side) = rub.mode {
                rub.mode = Mode::Slip(-side);
            }
            self.jump(c, None);
            if times.is_multiple_of(2) {
                self.h = self.step.h;
                return;
            }
        }
        self.h = 0.1 * self.step.h;
    }
    /// Whether contact `c` has one force at rest, and is at rest at the beginning of the step.
    fn may_turn(&mut self, c: usize) -> bool {
        let Self { flow, step, quiet, .. } = self;
        flow.set_motions(step.t);
        let rub = &flow.parts.rubs[c];
        let (low, high) = rub.limits();
        low == high && rub.row.v(&step.y0, &flow.motions).abs() <= 1e-6 * *quiet
    }
    /// Whether what presses again does so within a step, all of which after that feels it.
    fn is_early(hit: &Hit) -> bool {
        matches!(hit.guard, Guard::Load(_)) && (BLURRED.start..1.0 - 1e-9).contains(&hit.theta)
    }
    /// Takes a step again up to when a load comes back, which is known by the clock alone.
    fn closer(&mut self, seen: &Hit, lands: &mut bool) -> Result<Hit, SimError> {
        let (kept, long) = ((self.h, self.control), self.step.h);
        self.h = (1.0 + 1e-12) * seen.theta * long;
        // the step that was taken before counts as one that was not
        self.stats.steps -= 1;
        self.stats.rejected += 1;
        self.attempt(f64::INFINITY)?;
        (self.h, self.control) = kept;
        if let Some(hit) = self.scanner.first(&mut self.flow, &self.step, self.quiet) {
            *lands = false;
            return Ok(hit);
        }
        self.step.attempt(&mut self.flow, long);
        self.step.finish();
        self.stats.rejected += 1;
        Ok(*seen)
    }
    /// The longest step that signals and options allow.
    fn limit(&self) -> f64 {
        if self.paced { self.max_resolved_step() } else { self.options.max_step }
    }
    /// Takes a step without an error; true if it lands on `stop`.
    fn exactly(&mut self, stop: f64) -> bool {
        let mut h = self.limit().min(self.flow.exact.longest);
        if self.still > 0 {
            h = h.min(self.h);
        }
        let (h, lands) = fit(h, stop - self.t, least(self.t));
        self.step.exactly(&mut self.flow, self.t, h);
        self.stats.steps += 1;
        lands
    }
    /// Takes steps in the kernel for the usual small system, up to one that somebody should look at. None if the system
    /// is not one, or no step is found; else whether the last step lands on `stop`, and whether no event is in it.
    fn alone(&mut self, stop: f64) -> Option<(bool, bool)> {
        let solo = self.solo.as_mut()?;
        if self.still > 0 || self.paced || self.turned.0 == self.t || !Solo::holds(&self.flow) {
            return None;
        }
        (solo.t, solo.h, solo.control) = (self.t, self.h, self.control);
        (solo.stop, solo.limit, solo.unseen) = (stop, self.options.max_step, self.quiet);
        let each = self.looked_at.is_some() || !self.sections.is_empty();
        solo.due = if each { f64::NEG_INFINITY } else { self.options.start + self.due as f64 * self.sample };
        let most = match self.options.max_steps {
            0 => u64::MAX,
            most => most.saturating_sub(self.stats.steps).max(1),
        };
        let found = solo.go(&mut self.flow, &mut self.step, most);
        (self.t, self.h, self.control) = (solo.t, solo.h, solo.control);
        self.stats.steps += solo.steps;
        self.stats.jacobians += solo.steps;
        self.stats.rejected += solo.rejected;
        self.flow.parts.rubs[0].moved |= solo.fastest > self.quiet;
        found.then_some((solo.lands, solo.clear))
    }
    /// Finds a step within the tolerance; true if it lands on `stop`.
    fn attempt(&mut self, stop: f64) -> Result<bool, SimError> {
        let pace = self.limit();
        let (mut rejected, mut stuck) = (false, false);
        loop {
            let (h, lands) = fit(self.h.min(pace), stop - self.t, least(self.t));
            if h <= 0.0 || stuck {
                let finite = self.step.f0.iter().all(|x| x.is_finite());
                return self.fail(if finite { SimErrorKind::Stalled { step: h } } else { SimErrorKind::NotFinite });
            }
            let solved = self.step.attempt(&mut self.flow, h);
            // what changes within the resolution of the clock is known no better than that
            let blurred = h <= least(self.t) && self.crawled < CRAWL;
            let mut error = if solved { self.step.error(self.options.rtol, &self.atol, blurred) } else { f64::NAN };
            if error <= 1.0 && !blurred && !self.is_followed() {
                error = f64::NAN;
            }
            if error <= 1.0 {
                self.crawled = if blurred { self.crawled + 1 } else { 0 };
                for rub in self.flow.parts.rubs.iter_mut().filter(|rub| rub.bent) {
                    rub.quiet = rub.slowest.max(rub.least);
                }
                self.step.finish();
                self.stats.steps += 1;
                // no growth after a rejection, nor after an event that took no time
                let next = h * self.control.accept(h, error, !rejected && self.still == 0);
                self.h = if lands && h < self.h { self.h.max(next) } else { next };
                return Ok(lands);
            }
            self.stats.rejected += 1;
            (rejected, stuck) = (true, h <= least(self.t));
            self.h = h * Control::reject(error);
            self.try_faster();
        }
    }
    /// The slope of a law that bends is a guess at rest: a step that was rejected takes that of a higher speed.
    fn try_faster(&mut self) {
        let Self { flow, step, t, .. } = self;
        flow.set_motions(*t);
        let mut any = false;
        for rub in flow.parts.rubs.iter_mut().filter(|rub| rub.bent && matches!(rub.mode, Mode::Slip(_))) {
            // what has just been let go is there but for rounding
            if rub.row.v(&step.y0, &flow.motions).abs() < (1.0 + 1e-9) * rub.quiet && rub.quiet < 1.0 {
                rub.quiet *= DECADE;
                any = true;
            }
        }
        if any {
            step.begin(flow, *t);
        }
    }
    /// Whether the linear picture of a step holds for contacts whose law bends. Their force goes with the logarithm of the speed or
    /// the like, and a step beyond a decade of that hides its error. One that goes through zero has its event there.
    fn is_followed(&mut self) -> bool {
        let Self { flow, step, .. } = self;
        (0..flow.parts.rubs.len()).all(|c| {
            let rub = &flow.parts.rubs[c];
            let (Mode::Slip(_), true) = (rub.mode, rub.bent) else { return true };
            let (row, slowest) = (rub.row, rub.slowest.max(rub.least));
            let [before, after] = [(step.t, &step.y0), (step.t + step.h, &step.y1)].map(|(t, y)| {
                flow.set_motions(t);
                row.v(y, &flow.motions).abs().max(slowest)
            });
            after < DECADE * before && before < DECADE * after
        })
    }
    /// Rows due within the step so far.
    fn samples(&mut self, theta: f64, t: f64) -> Result<(), SimError> {
        let Self { flow, step, layout, probes, looked_at, row, state, watch, sample, due, options, .. } = self;
        loop {
            let at = options.start + *due as f64 * *sample;
            // the last row is written at the end
            if at > t || at >= options.end - 1e-9 * *sample {
                break;
            }
            step.state(((at - step.t) / step.h).min(1.0), state);
            layout.fill(flow, at, state, row);
            watch.row(row);
            *due += 1;
            // a step may be long and its rows many
            if due.is_multiple_of(4096) && !watch.should_continue(at) {
                break;
            }
        }
        if let Some(last) = *looked_at {
            let places = last < layout.count_nodes();
            probes.step(theta, t, |fraction, row| {
                step.state(fraction, state);
                let t = step.t + fraction * step.h;
                if places {
                    layout.nodes(flow, t, state, row);
                } else {
                    layout.fill(flow, t, state, row);
                }
            });
        }
        Ok(())
    }
    fn move_to(&mut self, theta: f64, t: f64, event: bool) -> Result<(), SimError> {
        let Self { flow, step, state, .. } = self;
        step.state(theta, state);
        step.energies(flow, theta, state);
        if !state.iter().all(|x| x.is_finite()) {
            return self.fail(SimErrorKind::NotFinite);
        }
        for rub in flow.parts.rubs.iter_mut().filter(|rub| !rub.moved) {
            rub.moved = rub.row.v(&step.y0, &flow.motions).abs() > self.quiet;
        }
        std::mem::swap(state, &mut step.y0);
        // an event that needs no time at all may be one of a series without end
        self.still = if event && t - self.t <= 1e-14 * t.abs().max(1e-3) { self.still + 1 } else { 0 };
        if self.still > 0 {
            // the dense output of a long step may start in the wrong direction
            self.h *= 0.3;
        }
        self.t = t;
        flow.set_motions(t);
        flow.groups.align(&mut step.y0, &flow.parts.vi, &flow.motions);
        // what rests against a moving stop lies on it to the last bit
        for bump in &flow.parts.bumps {
            if let Rests::At(end) = bump.mode {
                let (at, (i, c)) = (if end > 0.0 { bump.what.hi } else { bump.what.lo }, bump.row.q[0]);
                step.y0[i] -= (bump.row.x(&step.y0, &flow.motions) - at) / c;
            }
        }
        Ok(())
    }
    pub(super) fn write_row(&mut self) -> Result<(), SimError> {
        let Self { flow, step, layout, row, watch, t, .. } = self;
        layout.fill(flow, *t, &step.y0, row);
        if !row.iter().all(|x| x.is_finite()) {
            return self.fail(SimErrorKind::NotFinite);
        }
        watch.row(row);
        Ok(())
    }
    pub(super) fn energy(&mut self) -> EnergyBalance {
        let after = self.flow.energy(self.t, &self.step.y0);
        let at = self.flow.parts.n + self.flow.parts.nu;
        let [work, friction, damping] = [0, 1, 2].map(|k| self.step.y0[at + k]);
        EnergyBalance { work, friction, damping, impact: self.impact, before: self.before, after }
    }
}
