use super::{Control, Signals};
use crate::{Real, StateVector, params};

params! {
    /// Input monitor: an implausible sample is skipped and reported as a fault.
    ///
    /// ```text
    /// fault 1: the measurement is not a number;  2: the reference is not a number
    /// fault 4: |x - x_last| > jump;  simultaneous faults add up;  0: none
    /// in a faulty sample the memory stays as it was, and u = the command of the last good one
    /// ```
    /// One NaN from a sensor would stay in the memory of a controller for ever. x_last is the last position that was a
    /// number, good or not: a spike is two faults, there and back; a position that really jumped is one. How long to
    /// continue with an old command is for the caller to decide, who sees the fault. It changes nothing in good samples, so
    /// it does not affect stability.
    pub struct InputMonitor = "guard";
    cite [];
    shows ["faults"];
    states { last: "m", begun: "-", held: "N", fault: "-" }
    params {
        /// Largest change of the position from sample to sample.
        jump: "m" = 1e30 in 1e-12..=1e30,
    }
}

/// Numbers of memory of the monitor.
pub(super) const MONITOR_STATES: usize = 4;
/// Index of the command in it.
pub(super) const COMMAND: usize = 2;
/// Larger numbers count as not a number.
const LARGEST_NUMBER: f64 = 1e30;

impl<R: Real> InputMonitor<R> {
    /// Whether the sample is to be left out, and the memory after it: the last position, 1, the command, the fault. `u` is
    /// what the controller makes of the sample.
    #[inline(always)]
    pub fn check(&self, w: &[R; MONITOR_STATES], now: &Signals<R>, u: R) -> (R::Mask, [R; MONITOR_STATES]) {
        let [last, begun, held, _] = *w;
        let (zero, one, far) = (R::lit(0.0), R::lit(1.0), R::lit(LARGEST_NUMBER));
        // false for a NaN, too
        let fine = |x: R| x.abs().lt(far);
        let place = fine(now.measured.x);
        let measured = place & fine(now.measured.v) & fine(now.measured.a) & fine(now.load);
        let reference = fine(now.reference.x) & fine(now.reference.v) & fine(now.reference.a);
        let jumped = zero.lt(begun) & place & self.jump.lt((now.measured.x - last).abs());
        let code = |m: R::Mask, x: f64| R::select(m, R::lit(x), zero);
        let fault = code(!measured, 1.0) + code(!reference, 2.0) + code(jumped, 4.0);
        let bad = !(measured & reference) | jumped;
        let last = R::select(place, now.measured.x, last);
        let begun = R::select(place, one, begun);
        (bad, [last, begun, R::select(bad, held, u), fault])
    }
}

/// Any controller with a [monitor](InputMonitor). Its memory is the controller's, then the last position, whether there was
/// one, the command and the fault of this sample.
#[derive(Clone, Copy, Debug)]
pub struct Monitored<C, R> {
    /// The controller.
    pub control: C,
    /// When a sample counts as faulty.
    pub monitor: InputMonitor<R>,
}

impl<R: Real, C: Control<R>> Control<R> for Monitored<C, R> {
    type State = (C::State, [R; MONITOR_STATES]);
    type With<S: Real> = Monitored<C::With<S>, S>;
    #[inline(always)]
    fn cast<S: Real>(&self, mut f: impl FnMut(R) -> S) -> Self::With<S> {
        Monitored { control: self.control.cast(&mut f), monitor: self.monitor.map(&mut f) }
    }
    #[inline(always)]
    fn step(&self, w: &Self::State, now: &Signals<R>, dt: R) -> (Self::State, R) {
        let (next, u) = self.control.step(&w.0, now, dt);
        let (bad, memory) = self.monitor.check(&w.1, now, u);
        ((C::State::select(bad, &w.0, &next), memory), memory[COMMAND])
    }
}
