//! Controllers: continuous, as part of the equations of motion, or sampled, with a zero-order hold.
use crate::system::Signal;
use stiction_core::{Input, registry::DynLaw};

/// What a controller receives.
#[derive(Clone, Copy, Debug)]
pub struct ControllerInput<'a> {
    /// Time \[s\].
    pub t: f64,
    /// Start of the step, for [`Signal::eval`].
    pub from: f64,
    /// The measured positions and velocities, in the order of the measurements.
    pub y: &'a [f64],
}

/// A controller in continuous time: `dw/dt = rate(t, y, w)`, output `u(t, y, w)`.
pub trait ContinuousController: Send + Sync {
    /// Number of its states `w`, which start at zero.
    fn states(&self) -> usize {
        0
    }
    /// Name of state number `k`, from 0.
    fn state(&self, k: usize) -> String {
        format!("w{}", k + 1)
    }
    /// Writes the rates of `w` and returns the output.
    fn eval(&self, now: &ControllerInput<'_>, w: &[f64], rate: &mut [f64]) -> f64;
    /// Output and rates with their derivatives: one row for `u`, one for each state; columns are the value, the
    /// derivatives by `t`, by each of `y` and by each of `w`. By central differences unless a controller overrides it.
    fn partials(&self, now: &ControllerInput<'_>, w: &[f64], rows: &mut [f64]) {
        central_differences(self, now, w, rows);
    }
    /// The first time after `t` at which the output jumps or has a kink, as [`Signal::next_breakpoint`].
    fn next_breakpoint(&self, _t: f64) -> f64 {
        f64::INFINITY
    }
    /// See [`Signal::max_resolved_step`].
    fn max_resolved_step(&self, _t: f64) -> f64 {
        f64::INFINITY
    }
    /// The functions of time that the output depends on. An analysis must know all of them: whether they repeat, and when.
    fn signals(&self) -> Vec<&Signal> {
        Vec::new()
    }
    /// What its first measurement should be, if it follows something.
    fn reference(&self) -> Option<&Signal> {
        None
    }
    /// The same, to be replaced.
    fn reference_mut(&mut self) -> Option<&mut Signal> {
        None
    }
    /// Whether output and rates are linear in measurements, states and, between breakpoints, time. The solver then evaluates the
    /// derivatives only once; false is always valid.
    fn is_linear(&self) -> bool {
        false
    }
}

/// Output and rates of a controller with their derivatives by central differences, as [`ContinuousController::partials`].
pub fn central_differences(
    controller: &(impl ContinuousController + ?Sized),
    now: &ControllerInput<'_>,
    w: &[f64],
    rows: &mut [f64],
) {
    let (ny, nw) = (now.y.len(), w.len());
    let wide = 2 + ny + nw;
    let (mut y, mut w, mut rate) = (now.y.to_vec(), w.to_vec(), vec![0.0; nw]);
    let u = controller.eval(now, &w, &mut rate);
    let mut put = |column: usize, values: (f64, &[f64])| {
        rows[column] = values.0;
        values.1.iter().enumerate().for_each(|(i, x)| rows[(1 + i) * wide + column] = *x);
    };
    put(0, (u, &rate));
    for k in 0..=ny + nw {
        let mut side = |sign: f64| {
            let mut out = vec![0.0; nw];
            let mut t = now.t;
            let x = match k {
                0 => &mut t,
                k if k <= ny => &mut y[k - 1],
                k => &mut w[k - 1 - ny],
            };
            let (keep, d) = (*x, 1e-6 * x.abs().max(1e-3));
            *x += sign * d;
            let u = controller.eval(&ControllerInput { t, from: now.from, y: &y }, &w, &mut out);
            match k {
                0 => {}
                k if k <= ny => y[k - 1] = keep,
                k => w[k - 1 - ny] = keep,
            }
            (u, out, d)
        };
        let ((a, ra, d), (b, rb, _)) = (side(1.0), side(-1.0));
        let slopes: Vec<f64> = ra.iter().zip(&rb).map(|(a, b)| (a - b) / (2.0 * d)).collect();
        put(1 + k, ((a - b) / (2.0 * d), &slopes));
    }
}

/// A controller that acts at sample times and holds its output in between (zero-order hold).
pub trait SampledController: Send + Sync {
    /// How many numbers it remembers from one sample to the next; they start at zero.
    fn memory(&self) -> usize {
        0
    }
    /// What its first measurement should be, if it follows something.
    fn reference(&self) -> Option<&Signal> {
        None
    }
    /// The same, to be replaced.
    fn reference_mut(&mut self) -> Option<&mut Signal> {
        None
    }
    /// Takes one sample: measurements at `now`, and what it remembers; returns the output until the next.
    fn sample(&self, memory: &mut [f64], now: &ControllerInput<'_>) -> f64;
}

/// Feedback of positions and velocities, with an integrator, a friction model and a feed-forward:
/// `u = Σ gain·(reference − y) + ki·∫(reference − y₀) + F̂(v) + extra(t)`.
///
/// The reference applies to the first measurement; that of the others is zero.
pub struct Feedback {
    /// One gain for each measurement.
    pub gains: Vec<f64>,
    /// Integral gain; without one there is no integral among the states.
    pub ki: f64,
    /// Reference of the first measurement.
    pub reference: Signal,
    /// A signal added to the output: a feed-forward or a dither.
    pub extra: Signal,
    /// A friction law evaluated at a measured velocity and added to the output, and the index of that measurement.
    pub friction: Option<(Box<dyn DynLaw>, usize)>,
}

impl Feedback {
    /// Number of its states: the integral, which exists only with a gain that uses it, and the memory of the friction law.
    fn memory(&self) -> usize {
        self.integrals() + self.friction.as_ref().map_or(0, |(law, _)| law.len())
    }
    fn integrals(&self) -> usize {
        usize::from(self.ki != 0.0)
    }
    /// Output without the friction law, and the error of the first measurement.
    fn sum(&self, now: &ControllerInput<'_>, integral: &[f64]) -> (f64, f64) {
        let r = self.reference.eval(now.t, now.from)[0];
        let error = r - now.y[0];
        let integral: f64 = integral.iter().sum();
        let mut u = self.gains[0] * error + self.ki * integral + self.extra.eval(now.t, now.from)[0];
        for (gain, y) in self.gains.iter().zip(now.y).skip(1) {
            u -= gain * y;
        }
        (u, error)
    }
}

impl ContinuousController for Feedback {
    fn reference(&self) -> Option<&Signal> {
        Some(&self.reference)
    }
    fn reference_mut(&mut self) -> Option<&mut Signal> {
        Some(&mut self.reference)
    }
    fn signals(&self) -> Vec<&Signal> {
        vec![&self.reference, &self.extra]
    }
    fn states(&self) -> usize {
        self.memory()
    }
    fn state(&self, k: usize) -> String {
        if k < self.integrals() { "integral".to_owned() } else { format!("friction{}", k + 1 - self.integrals()) }
    }
    fn eval(&self, now: &ControllerInput<'_>, w: &[f64], rate: &mut [f64]) -> f64 {
        let (integral, memory) = w.split_at(self.integrals());
        let (integral_rate, memory_rate) = rate.split_at_mut(self.integrals());
        let (mut u, error) = self.sum(now, integral);
        integral_rate.fill(error);
        if let Some((law, at)) = &self.friction {
            u += law.flow(memory, &Input::at(now.y[*at]), memory_rate);
        }
        u
    }
    fn partials(&self, now: &ControllerInput<'_>, w: &[f64], rows: &mut [f64]) {
        let (ny, nw) = (now.y.len(), w.len());
        let wide = 2 + ny + nw;
        rows.fill(0.0);
        let (r, extra) = (self.reference.eval(now.t, now.from), self.extra.eval(now.t, now.from));
        let (integral, memory) = w.split_at(self.integrals());
        let (u, error) = self.sum(now, integral);
        rows[0] = u;
        rows[1] = self.gains[0] * r[1] + extra[1];
        for (k, gain) in self.gains.iter().enumerate() {
            rows[2 + k] = -gain;
        }
        for k in 0..integral.len() {
            rows[2 + ny + k] = self.ki;
            rows[(1 + k) * wide..][..3].copy_from_slice(&[error, r[1], -1.0]);
        }
        if let Some((law, at)) = &self.friction {
            let n = law.len();
            let which: Vec<usize> = (0..n).collect();
            let mut local = vec![0.0; (1 + n) * (3 + n)];
            law.partials(memory, &Input::at(now.y[*at]), &which, false, &mut local);
            for (i, from) in local.chunks_exact(3 + n).enumerate() {
                // the law's force is added to u, its rates are those of the states after the integral
                let to = &mut rows[if i == 0 { 0 } else { (integral.len() + i) * wide }..][..wide];
                to[0] += from[0];
                to[2 + at] += from[1];
                to[2 + ny + integral.len()..].iter_mut().zip(&from[3..]).for_each(|(to, from)| *to += from);
            }
        }
    }
    fn next_breakpoint(&self, t: f64) -> f64 {
        self.reference.next_breakpoint(t).min(self.extra.next_breakpoint(t))
    }
    fn max_resolved_step(&self, t: f64) -> f64 {
        self.reference.max_resolved_step(t).min(self.extra.max_resolved_step(t))
    }
    fn is_linear(&self) -> bool {
        self.friction.is_none() && self.reference.is_piecewise_linear() && self.extra.is_piecewise_linear()
    }
}

/// [`Feedback`] at sample times: the integral by the rectangle rule, the friction law by its own exact step, and the output
/// held in between.
pub struct SampledFeedback {
    feedback: Feedback,
    period: f64,
}

impl SampledFeedback {
    /// The same feedback with this sample time \[s\].
    pub fn new(feedback: Feedback, period: f64) -> Self {
        Self { feedback, period }
    }
}

impl SampledController for SampledFeedback {
    fn reference(&self) -> Option<&Signal> {
        Some(&self.feedback.reference)
    }
    fn reference_mut(&mut self) -> Option<&mut Signal> {
        Some(&mut self.feedback.reference)
    }
    fn memory(&self) -> usize {
        self.feedback.memory()
    }
    fn sample(&self, memory: &mut [f64], now: &ControllerInput<'_>) -> f64 {
        let (integral, memory) = memory.split_at_mut(self.feedback.integrals());
        let (mut u, error) = self.feedback.sum(now, integral);
        integral.iter_mut().for_each(|integral| *integral += error * self.period);
        if let Some((law, at)) = &self.feedback.friction {
            u += law.sample(memory, &Input::at(now.y[*at]), self.period);
        }
        u
    }
}
