//! A run of a network with rows, events and probes, as for the other methods.
use super::energy_audit::EnergyAudit;
use super::model::NetworkModel;
use super::trace_columns::TraceColumns;
use super::{Network, NetworkStatistics};
use crate::SimError;
use crate::sim::components::Components;
use crate::sim::recorder::{Recorder, StepOutput};
use crate::sim::run_loop::{Integrator, Results};
use crate::sim::{EnergyBalance, Event, SimErrorKind, SimulationOptions, SolverStatistics, SystemState};
use crate::system::System;

/// Initial forces are those of a trial step so much shorter than the step.
const TRIAL_STEP_RATIO: f64 = 1e-6;

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

/// A run with a fixed step.
pub(in crate::sim) struct NetworkRun<'a, 's> {
    system: &'s System,
    options: &'a SimulationOptions,
    recorder: Recorder<'a>,
    network: Network<'s>,
    columns: TraceColumns<'s>,
    h: f64,
    /// Energy at the start \[J\].
    before: f64,
    /// Columns used by probes.
    probed: Vec<usize>,
    /// Rows at both ends of a step, and those with only the columns used by probes.
    rows: [Vec<f64>; 2],
    probed_rows: [Vec<f64>; 2],
}

impl<'a, 's> NetworkRun<'a, 's> {
    pub fn new(
        system: &'s System,
        state: Option<&SystemState>,
        options: &'a SimulationOptions,
        recorder: Recorder<'a>,
    ) -> Result<Self, SimError> {
        let h = if options.step > 0.0 { options.step } else { 1e-3 * (options.end - options.start) };
        let h = h.min(options.max_step);
        if !(h * h).is_finite() {
            // springs act over the square of the step
            let requirement = "a step whose square is a finite number; shorten the run or the step";
            let kind = SimErrorKind::InvalidOption { key: "step", value: h, requirement };
            return Err(SimError::Run { t: options.start, kind });
        }
        let mut network = begin(system, options.start, state)?.with_theta(options.theta)?;
        network.settle(TRIAL_STEP_RATIO * h);
        network.audit = Some(EnergyAudit::new(&network));
        Ok(Self {
            system,
            options,
            columns: TraceColumns::new(system, &network),
            probed: recorder.probes.wanted(),
            // to look at every column in every step would cost more than the step
            recorder: recorder.without_peaks(),
            before: network.energy(),
            network,
            h,
            rows: Default::default(),
            probed_rows: Default::default(),
        })
    }
    fn step(&mut self) -> Result<(), SimError> {
        let left = self.options.end - self.network.t;
        // lengthened rather than followed by a tiny step, as in `run_until`
        let last = left <= self.h * (1.0 + 1e-9);
        let h = if last { left } else { self.h };
        if self.network.t + h <= self.network.t {
            return self.fail(SimErrorKind::Stalled { step: h });
        }
        self.network.step(h)?;
        if last {
            self.network.t = self.options.end;
        }
        Ok(())
    }
    /// Passes on rows and events since `begin`.
    fn record(&mut self, begin: f64) -> Result<(), SimError> {
        let Self { network, columns, probed, rows, probed_rows, recorder, .. } = self;
        let t = network.t;
        probed_rows.swap(0, 1);
        columns.fill_some(network, probed, &mut probed_rows[1]);
        if recorder.next_row() <= t {
            columns.fill(network, &mut rows[1]);
        }
        recorder.record_step((begin, t - begin), 1.0, t, &mut LinearRows { rows, probed_rows, probed })?;
        if recorder.is_cut {
            return Ok(());
        }
        let Some(audit) = &mut network.audit else { return Ok(()) };
        if !(audit.work + audit.friction + audit.damping).is_finite() {
            return Err(SimError::Run { t, kind: SimErrorKind::NotFinite });
        }
        if audit.events.is_empty() {
            return Ok(());
        }
        recorder.row.clone_from(&probed_rows[1]);
        for (part, kind) in audit.events.drain(..) {
            recorder.report(&Event { t, part, kind });
        }
        Ok(())
    }
}

impl<'a> Integrator<'a> for NetworkRun<'a, '_> {
    fn recorder(&mut self) -> &mut Recorder<'a> {
        &mut self.recorder
    }
    fn time(&self) -> f64 {
        self.network.t
    }
    fn steps(&self) -> u64 {
        self.network.statistics.steps - self.network.statistics.halved_steps
    }
    fn begin(&mut self) -> Result<(), SimError> {
        self.fill_row();
        self.recorder.begin(self.network.t)?;
        self.columns.fill_some(&self.network, &self.probed, &mut self.probed_rows[1]);
        Ok(())
    }
    fn advance(&mut self) -> Result<(), SimError> {
        let begin = self.network.t;
        if self.recorder.next_row() <= begin + self.h * (1.0 + 1e-9) {
            self.columns.fill(&self.network, &mut self.rows[0]);
        }
        // at rest everything is linear in time between kinks of the signals, up to the next row or slip
        self.network.skip_rest(self.options.end.min(self.recorder.next_row()));
        if self.network.t == begin {
            self.step()?;
        }
        self.record(begin)
    }
    fn work(&self) -> f64 {
        self.network.audit.as_ref().map_or(0.0, |audit| audit.work)
    }
    fn load_factors(&self) -> impl Iterator<Item = (usize, f64)> {
        self.network.load_factors()
    }
    fn fill_row(&mut self) {
        self.columns.fill(&self.network, &mut self.recorder.row);
    }
    fn results(&mut self) -> Results {
        let NetworkStatistics { steps, halved_steps, newton_iterations, .. } = self.network.statistics;
        let (work, friction, damping) =
            self.network.audit.as_ref().map_or((0.0, 0.0, 0.0), |audit| (audit.work, audit.friction, audit.damping));
        let after = self.network.energy();
        Results {
            stats: SolverStatistics {
                steps: steps - halved_steps,
                rejected: halved_steps,
                evaluations: newton_iterations,
                jacobians: newton_iterations,
                ..SolverStatistics::default()
            },
            energy: EnergyBalance {
                work,
                friction,
                damping,
                impact: 0.0,
                switching: 0.0,
                before: self.before,
                after,
                largest_work: 0.0,
            },
            state: save(self.system, &self.network),
        }
    }
}

/// Rows by linear interpolation.
struct LinearRows<'r> {
    rows: &'r [Vec<f64>; 2],
    probed_rows: &'r [Vec<f64>; 2],
    probed: &'r [usize],
}

impl StepOutput for LinearRows<'_> {
    fn fill(&mut self, fraction: f64, t: f64, row: &mut Vec<f64>) {
        let [from, to] = self.rows;
        row.clone_from(to);
        // a rest that is skipped ends at a row, and the row at its start is not there
        if fraction < 1.0 {
            row.iter_mut().zip(from).for_each(|(x, from)| *x = mix(*from, *x, fraction));
        }
        row[0] = t;
    }
    fn fill_probed(&mut self, _: usize, fraction: f64, _: f64, row: &mut Vec<f64>) {
        let [from, to] = self.probed_rows;
        row.resize(to.len(), 0.0);
        for &k in self.probed {
            row[k] = mix(from[k], to[k], fraction);
        }
    }
}

/// Linear interpolation, exact at both ends.
fn mix(a: f64, b: f64, part: f64) -> f64 {
    if part >= 1.0 { b } else { a + part * (b - a) }
}
