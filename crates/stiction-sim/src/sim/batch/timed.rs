//! Functions of time that are sums of signals: what drives the bodies, and what columns show of it.
use crate::system::Signal;

/// `constant + Σ (weight·signal + rate_weight·d signal/dt)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Timed {
    pub constant: f64,
    /// Which signal, and its weights.
    pub terms: Vec<(usize, [f64; 2])>,
}

/// What a function of time is made of.
pub(super) struct TimedParts {
    /// Value at time zero, and slope.
    pub line: [f64; 2],
    /// Of each wave.
    pub waves: Vec<[f64; 2]>,
    /// Of each signal that is made of lines.
    pub pieces: Vec<[f64; 2]>,
}

impl Timed {
    /// Value and rate at `t` on the piece that holds at `from`.
    pub fn eval(&self, signals: &[Signal], t: f64, from: f64) -> [f64; 2] {
        sum(self.constant, self.terms.iter(), signals, t, from)
    }
    /// The line `[at zero, slope]` that holds from `from` on, if the signals are even.
    pub fn line(&self, signals: &[Signal], from: f64) -> [f64; 2] {
        let [x, v] = self.eval(signals, from, from);
        [x - v * from, v]
    }
    /// The same as a line over the whole run; of each of these sines the weights of its sine and its cosine; and the weights of each of
    /// these signals, of its value and of its rate. All other signals are lines.
    pub fn parts(&self, signals: &[Signal], [waves, pieces]: [&[usize]; 2], from: f64) -> TimedParts {
        let place = |list: &[usize], k: usize| list.iter().position(|other| *other == k);
        let mut constant = self.constant;
        let mut out =
            TimedParts { line: [0.0; 2], waves: vec![[0.0; 2]; waves.len()], pieces: vec![[0.0; 2]; pieces.len()] };
        for (k, [weight, by_rate]) in &self.terms {
            match (place(waves, *k), place(pieces, *k), &signals[*k]) {
                (Some(j), _, Signal::Sine { mean, amplitude, omega, .. }) => {
                    constant += weight * mean;
                    out.waves[j][0] += weight * amplitude;
                    out.waves[j][1] += by_rate * amplitude * omega;
                }
                (_, Some(j), _) => out.pieces[j] = [*weight, *by_rate],
                _ => {}
            }
        }
        let is_wave = |k: usize| place(waves, k).is_some() && matches!(signals[k], Signal::Sine { .. });
        let is_line = |k: usize| !is_wave(k) && place(pieces, k).is_none();
        let [x, v] = sum(constant, self.terms.iter().filter(|(k, _)| is_line(*k)), signals, from, from);
        out.line = [x - v * from, v];
        out
    }
    /// Makes it nothing.
    pub fn clear(&mut self) {
        self.constant = 0.0;
        self.terms.clear();
    }
    /// Adds a term.
    pub fn add(&mut self, signal: usize, weights: [f64; 2]) {
        match self.terms.iter_mut().find(|(k, _)| *k == signal) {
            Some((_, w)) => w.iter_mut().zip(weights).for_each(|(w, x)| *w += x),
            None => self.terms.push((signal, weights)),
        }
    }
}

/// Value and rate of a constant and of weighted signals.
fn sum<'a>(
    constant: f64,
    terms: impl Iterator<Item = &'a (usize, [f64; 2])>,
    signals: &[Signal],
    t: f64,
    from: f64,
) -> [f64; 2] {
    let mut out = [constant, 0.0];
    for (k, [weight, by_rate]) in terms {
        let [x, v, a, _] = signals[*k].eval(t, from);
        out[0] += weight * x + by_rate * v;
        out[1] += weight * v + by_rate * a;
    }
    out
}
