//! A run of a network with rows, events and probes, as for the other methods.
use super::energy_audit::EnergyAudit;
use super::model::NetworkModel;
use super::trace_columns::TraceColumns;
use super::{Network, NetworkStatistics};
use crate::SimError;
use crate::sim::components::Components;
use crate::sim::probes::Probes;
use crate::sim::run_limits::RunLimits;
use crate::sim::{
    Column, EnergyBalance, Event, Observer, RunFailure, RunSummary, SimErrorKind, SimulationOptions, SolverStatistics,
    SystemState,
};
use crate::system::System;

/// Initial forces are those of a trial step so much shorter than the step.
const TRIAL_STEP_RATIO: f64 = 1e-6;

/// Runs a system with a fixed step.
pub(in crate::sim) fn run(
    (system, columns): (&System, &[Column]),
    state: Option<&SystemState>,
    options: &SimulationOptions,
    observer: &mut dyn Observer,
    probes: Probes,
) -> Result<RunSummary, SimError> {
    let span = options.end - options.start;
    let h = if options.step > 0.0 { options.step } else { 1e-3 * span };
    let h = h.min(options.max_step);
    let mut network = begin(system, options.start, state)?.with_theta(options.theta)?;
    network.settle(TRIAL_STEP_RATIO * h);
    network.audit = Some(EnergyAudit::new(&network));
    let before = network.energy();
    let mut run = NetworkRun {
        cells: TraceColumns::new(system, &network),
        wanted: probes.wanted(),
        network,
        options,
        observer,
        probes,
        h,
        sample: if options.sample > 0.0 { options.sample } else { 1e-3 * span },
        due: 1,
        events: 0,
        rows: [Vec::new(), Vec::new()],
        some: [Vec::new(), Vec::new()],
        row: Vec::new(),
        limits: RunLimits::new(options),
    };
    run.begin()?;
    let (complete, failure) = RunFailure::split(run.advance())?;
    if failure.is_some() {
        // the last state belongs in the trace, if it has numbers
        let _ = run.write_row();
    }
    let NetworkRun { network, probes, events, row, .. } = run;
    let NetworkStatistics { steps, halved_steps, newton_iterations, .. } = network.statistics;
    let (work, friction, damping) =
        network.audit.as_ref().map_or((0.0, 0.0, 0.0), |audit| (audit.work, audit.friction, audit.damping));
    Ok(RunSummary {
        t: network.t,
        complete,
        failure,
        columns: columns.to_vec(),
        stats: SolverStatistics {
            steps: steps - halved_steps,
            rejected: halved_steps,
            evaluations: newton_iterations,
            jacobians: newton_iterations,
            events,
        },
        energy: EnergyBalance { work, friction, damping, impact: 0.0, before, after: network.energy() },
        probes: probes.answers(complete.then_some(&row)),
        state: save(system, &network),
        row,
    })
}

/// The network at time `t`, in its initial state or in the given state.
fn begin<'s>(system: &'s System, t: f64, state: Option<&SystemState>) -> Result<Network<'s>, SimError> {
    let net = NetworkModel::new(system)?;
    let mut parts = Components::new(system);
    let mut y = vec![0.0; parts.n + parts.nu];
    for (i, body) in system.bodies.iter().enumerate() {
        (y[i], y[parts.vi[i]]) = (body.x, body.v);
    }
    if let Some(state) = state {
        state.load(&mut parts, &mut y);
    }
    let mut memory = net.memory.clone();
    for contact in &net.contacts {
        memory[contact.at..contact.at + contact.law.len()].copy_from_slice(&parts.contacts[contact.index].memory);
    }
    let v = parts.vi.iter().map(|&at| y[at]).collect();
    y.truncate(parts.n);
    Ok(Network::at(net, t, y, v, memory))
}

/// The state from which another run can start.
fn save(system: &System, network: &Network<'_>) -> SystemState {
    let mut parts = Components::new(system);
    let mut y = vec![0.0; parts.n + parts.nu];
    for (i, &at) in parts.vi.iter().enumerate() {
        (y[i], y[at]) = (network.x[i], network.v[i]);
    }
    for contact in &network.net.contacts {
        let part = &mut parts.contacts[contact.index];
        part.memory.copy_from_slice(&network.memory[contact.at..contact.at + contact.law.len()]);
        part.store(&mut y);
    }
    SystemState::save(&parts, &y)
}

impl Network<'_> {
    /// Finds which contacts stick, and their forces, by a trial step that is not taken.
    fn settle(&mut self, h: f64) {
        let points = self.points.clone();
        if !matches!(self.solve_step(h), Ok(None)) {
            self.points = points;
        }
        // tangents depend on the step length
        self.points.iter_mut().filter(|point| !point.held).for_each(|point| point.slope = 0.0);
        self.statistics = NetworkStatistics::default();
    }
}

struct NetworkRun<'a, 's> {
    network: Network<'s>,
    cells: TraceColumns<'s>,
    options: &'a SimulationOptions,
    observer: &'a mut dyn Observer,
    probes: Probes,
    /// Columns used by probes.
    wanted: Vec<usize>,
    h: f64,
    sample: f64,
    due: u64,
    events: u64,
    /// Rows at both ends of a step, and those with only the columns used by probes.
    rows: [Vec<f64>; 2],
    some: [Vec<f64>; 2],
    row: Vec<f64>,
    limits: RunLimits,
}

impl NetworkRun<'_, '_> {
    fn fail<T>(&self, kind: SimErrorKind) -> Result<T, SimError> {
        Err(SimError::Run { t: self.network.t, kind })
    }
    fn begin(&mut self) -> Result<(), SimError> {
        self.write_row()?;
        self.probes.begin(&self.row);
        self.cells.fill_some(&self.network, &self.wanted, &mut self.some[1]);
        Ok(())
    }
    /// Runs to the end; false if the observer or the stop flag ended the run.
    fn advance(&mut self) -> Result<bool, SimError> {
        let end = self.options.end;
        while self.network.t < end {
            let (begin, next) = (self.network.t, self.next_row());
            // at rest everything is linear in time up to the next row or slip
            self.network.skip_rest(end.min(next));
            if self.network.t == begin {
                self.step(next)?;
            }
            self.tell(begin)?;
            if !self.observer.should_continue(self.network.t) || self.options.stop.is_raised() {
                self.write_row()?;
                return Ok(false);
            }
            let cost = self.network.statistics;
            if let Some(kind) = self.limits.exceeded(cost.steps - cost.halved_steps, self.network.t) {
                return self.fail(kind);
            }
        }
        self.write_row()?;
        Ok(true)
    }
    fn next_row(&self) -> f64 {
        let at = self.options.start + self.due as f64 * self.sample;
        // the last row is written at the end
        if at >= self.options.end - 1e-9 * self.sample { f64::INFINITY } else { at }
    }
    fn step(&mut self, next: f64) -> Result<(), SimError> {
        let left = self.options.end - self.network.t;
        // lengthened rather than followed by a tiny step, as in `run_until`
        let last = left <= self.h * (1.0 + 1e-9);
        let h = if last { left } else { self.h };
        if next <= self.network.t + h {
            self.cells.fill(&self.network, &mut self.rows[0]);
        }
        if self.network.t + h <= self.network.t {
            return self.fail(SimErrorKind::Stalled { step: h });
        }
        self.network.step(h)?;
        if last {
            self.network.t = self.options.end;
        }
        Ok(())
    }
    /// Delivers rows and events since `begin` to the observer and the probes.
    fn tell(&mut self, begin: f64) -> Result<(), SimError> {
        let t = self.network.t;
        let mut filled = false;
        while self.next_row() <= t {
            let at = self.next_row();
            if !filled {
                self.cells.fill(&self.network, &mut self.rows[1]);
                filled = true;
            }
            between(&self.rows, (at - begin) / (t - begin), &mut self.row);
            self.row[0] = at;
            if !self.row.iter().all(|x| x.is_finite()) {
                return self.fail(SimErrorKind::NotFinite);
            }
            self.observer.row(&self.row);
            self.due += 1;
            if self.due.is_multiple_of(4096) {
                if !self.observer.should_continue(at) || self.options.stop.is_raised() {
                    break;
                }
                self.limits.check_time(at)?;
            }
        }
        self.some.swap(0, 1);
        self.cells.fill_some(&self.network, &self.wanted, &mut self.some[1]);
        if self.probes.last_in_steps().is_some() {
            let (some, wanted) = (&self.some, &self.wanted);
            self.probes.step(1.0, t, |fraction, row| {
                row.resize(some[1].len(), 0.0);
                for &k in wanted {
                    row[k] = mix(some[0][k], some[1][k], fraction);
                }
            });
        }
        let Some(audit) = &mut self.network.audit else { return Ok(()) };
        for (part, kind) in audit.events.drain(..) {
            let event = Event { t, part, kind };
            self.events += 1;
            self.probes.event(&event, &self.some[1]);
            self.observer.event(&event);
        }
        Ok(())
    }
    fn write_row(&mut self) -> Result<(), SimError> {
        self.cells.fill(&self.network, &mut self.row);
        if !self.row.iter().all(|x| x.is_finite()) {
            return self.fail(SimErrorKind::NotFinite);
        }
        self.observer.row(&self.row);
        Ok(())
    }
}

/// Linear interpolation, exact at both ends.
fn mix(a: f64, b: f64, part: f64) -> f64 {
    if part >= 1.0 { b } else { a + part * (b - a) }
}

fn between(rows: &[Vec<f64>; 2], part: f64, row: &mut Vec<f64>) {
    row.clear();
    if part >= 1.0 {
        row.extend_from_slice(&rows[1]);
    } else {
        row.extend(rows[0].iter().zip(&rows[1]).map(|(a, b)| mix(*a, *b, part)));
    }
}
