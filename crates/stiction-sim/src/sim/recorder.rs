//! What a run gives out: rows at their times and at peaks, events, and the values of probes.
use super::peak_rows::PeakRows;
use super::probes::Probes;
use super::run_limits::RunLimits;
use super::{Event, Observer, SimErrorKind, SimulationOptions};
use crate::SimError;

/// Passes rows and events on to the observer and the probes.
pub(super) struct Recorder<'a> {
    options: &'a SimulationOptions,
    observer: PeakRows<'a>,
    pub probes: Probes,
    /// The last column that a probe evaluates within steps.
    last_probed_column: Option<usize>,
    /// Time between rows \[s\], and number of rows due so far: the next is due at this many intervals after the start.
    sample: f64,
    due: u64,
    /// That time \[s\]; infinite for the last row, which is written at the end of the run.
    next_row: f64,
    /// The latest row, whole or with the columns that probes use.
    pub row: Vec<f64>,
    /// Time of the last row that was written \[s\].
    pub written: f64,
    /// Whether the run was stopped within a step with many rows, of which the last were left out.
    pub is_cut: bool,
    pub limits: RunLimits,
    /// Number of events.
    pub events: u64,
    /// The events of each contact and stop.
    counts: Vec<EventCount>,
    /// Number of columns of the trace; derivatives may follow them in a row.
    columns: usize,
}

/// The events of one contact or stop, with the time at their start and at the last two doublings of their number.
#[derive(Clone, Copy, Debug, Default)]
struct EventCount {
    events: u64,
    times: [f64; 2],
}

impl EventCount {
    fn add(&mut self, t: f64) {
        self.events += 1;
        if self.events.is_power_of_two() {
            self.times = [self.times[1], t];
        }
    }
    /// Events per second from the last doubling but one to `t`: at least half of them.
    fn rate(&self, t: f64) -> f64 {
        let before = (1_u64 << self.events.max(1).ilog2()) / 2;
        (self.events - before) as f64 / (t - self.times[0])
    }
}

/// The rows of the trace within a step.
pub(super) trait StepOutput {
    /// Fills the row at a fraction of the step, at time `t`.
    fn fill(&mut self, fraction: f64, t: f64, row: &mut Vec<f64>);
    /// Fills at least those columns of the row that probes use; the last of them is `last`.
    fn fill_probed(&mut self, _last: usize, fraction: f64, t: f64, row: &mut Vec<f64>) {
        self.fill(fraction, t, row);
    }
}

impl<'a> Recorder<'a> {
    pub fn new(options: &'a SimulationOptions, observer: &'a mut dyn Observer, probes: Probes) -> Self {
        Self {
            options,
            observer: PeakRows::new(observer),
            last_probed_column: probes.last_in_steps(),
            probes,
            sample: if options.sample > 0.0 { options.sample } else { 1e-3 * (options.end - options.start) },
            due: 0,
            next_row: options.start,
            row: Vec::new(),
            written: f64::NEG_INFINITY,
            is_cut: false,
            limits: RunLimits::new(options),
            events: 0,
            counts: Vec::new(),
            columns: usize::MAX,
        }
    }
    /// Takes the first row, which is in [`Recorder::row`].
    ///
    /// # Errors
    /// If it is not finite.
    pub fn begin(&mut self, t: f64) -> Result<(), SimError> {
        self.write(t)?;
        self.count_row();
        self.probes.begin(&self.row);
        Ok(())
    }
    /// The time at which the next row is due \[s\]; the last row is written at the end of the run.
    #[inline(always)]
    pub fn next_row(&self) -> f64 {
        self.next_row
    }
    fn count_row(&mut self) {
        self.due += 1;
        let at = self.options.start + self.due as f64 * self.sample;
        self.next_row = if at >= self.options.end - 1e-9 * self.sample { f64::INFINITY } else { at };
    }
    /// Whether every step is to be shown to [`Recorder::record_step`], not only those in which a row is due.
    pub fn needs_every_step(&self) -> bool {
        self.last_probed_column.is_some() || self.observer.is_on()
    }
    /// Whether a row later than `t` was written: a run may fail while it writes the rows of a step.
    pub fn is_ahead_of(&self, t: f64) -> bool {
        self.written > t
    }
    /// Values after these columns are derivatives, which may not exist.
    pub fn set_columns(&mut self, columns: usize) {
        self.columns = columns;
    }
    /// Leaves out rows at peaks.
    pub fn without_peaks(mut self) -> Self {
        self.observer.forget_columns();
        self
    }
    /// Whether the observer or the stop flag ends the run.
    pub fn is_stopped(&mut self, t: f64) -> bool {
        !self.observer.should_continue(t) || self.options.stop.is_raised()
    }
    /// Writes the rows due within a step that began at `from`, is `h` long and ends at its fraction `theta`, at time `t`, and
    /// shows it to the probes. If the run is stopped meanwhile, [`Recorder::is_cut`] is set: then nothing that comes after the
    /// last row may be told.
    ///
    /// # Errors
    /// If a row is not finite, or the computing time is exceeded.
    pub fn record_step(
        &mut self,
        (from, h): (f64, f64),
        theta: f64,
        t: f64,
        step: &mut impl StepOutput,
    ) -> Result<(), SimError> {
        let mut seen = 0.0;
        while self.next_row <= t {
            let at = self.next_row;
            let fraction = ((at - from) / h).min(1.0);
            if self.observer.is_on() {
                self.observer.look((seen, fraction), |fraction, row| step.fill(fraction, from + fraction * h, row));
                seen = fraction;
            }
            step.fill(fraction, at, &mut self.row);
            self.write(at)?;
            self.count_row();
            // a long step may contain many rows
            if self.due.is_multiple_of(4096) {
                if self.is_stopped(at) {
                    self.is_cut = true;
                    return Ok(());
                }
                self.limits.check_time(at)?;
            }
        }
        if self.observer.is_on() {
            self.observer.look((seen, theta), |fraction, row| step.fill(fraction, from + fraction * h, row));
        }
        if let Some(last) = self.last_probed_column {
            self.probes.step(theta, t, |fraction, row| step.fill_probed(last, fraction, from + fraction * h, row));
        }
        Ok(())
    }
    /// Writes [`Recorder::row`].
    ///
    /// # Errors
    /// If it is not finite.
    pub fn write(&mut self, t: f64) -> Result<(), SimError> {
        if !self.row.iter().take(self.columns).all(|x| x.is_finite()) {
            return Err(SimError::Run { t, kind: SimErrorKind::NotFinite });
        }
        self.observer.row(&self.row);
        self.written = t;
        Ok(())
    }
    /// Writes another row of the same instant.
    pub fn write_other(&mut self, row: &[f64]) {
        self.observer.row(row);
    }
    /// At time `t`: the contact or stop to whose events most of `steps` led, with the number and the rate of its events.
    pub fn busiest(&self, steps: u64, t: f64) -> Option<(usize, u64, f64)> {
        let (part, count) = self.counts.iter().enumerate().max_by_key(|(_, count)| count.events)?;
        (2 * count.events > steps && count.events > 1).then(|| (part, count.events, count.rate(t)))
    }
    /// Reports an event; [`Recorder::row`] is the row just after it.
    pub fn report(&mut self, event: &Event) {
        self.events += 1;
        if event.part >= self.counts.len() {
            self.counts.resize(event.part + 1, EventCount::default());
        }
        self.counts[event.part].add(event.t);
        self.observer.event(event);
        self.probes.event(event, &self.row);
    }
}
