//! Where the normal load of a contact comes from.
use super::components::{ControllerState, SpringState};
use super::flow::Flow;
use crate::system::Signal;

/// The source of a normal load.
#[derive(Clone, Copy)]
pub(super) enum NormalLoad<'s> {
    Constant(f64),
    Signal(&'s Signal),
    Spring(usize, f64),
    Control(usize),
}

impl NormalLoad<'_> {
    /// The load at time `t` of a step that began at `from`; spring forces and controller outputs are their latest values.
    #[inline(always)]
    pub fn at(&self, t: f64, from: f64, springs: &[SpringState<'_>], controllers: &[ControllerState<'_>]) -> f64 {
        match self {
            Self::Constant(x) => *x,
            Self::Signal(signal) => signal.value(t, from),
            Self::Spring(k, gain) => gain * springs[*k].force,
            Self::Control(k) => controllers[*k].output,
        }
    }
}

/// The normal load of contact `c` in state `y` at time `t`, for which the motions are set.
pub(super) fn load_at(flow: &mut Flow<'_>, c: usize, t: f64, y: &[f64]) -> f64 {
    match flow.components.contacts[c].normal_load {
        NormalLoad::Constant(load) => load,
        NormalLoad::Signal(signal) => signal.value(t, flow.from),
        NormalLoad::Spring(k, gain) => {
            let spring = &flow.components.springs[k];
            let (x, v) = (spring.x(y, &flow.motions), spring.v(y, &flow.motions));
            gain * spring.at(x, v).total
        }
        NormalLoad::Control(k) => {
            let controller = &mut flow.components.controllers[k];
            controller.act(t, flow.from, y, &flow.motions, &mut vec![0.0; y.len()]);
            controller.output
        }
    }
}
