//! Every controller, for tests and proofs that must hold for all of them.
use super::{
    AccelerationFeedback, Adaptive, AdaptiveScale, AdaptiveScaleGains, Control, DisturbanceObserver, Dither,
    Feedforward, FeedforwardGains, FilteredDifference, FrictionObserver, InputMonitor, Kalman, Loop, Monitored,
    ObserverGains, Pid, SmoothStop, StateFeedback, TrackingDifferentiator, WithSmoothStop,
};
use crate::{Params, models};

/// An operation on every controller.
pub trait ControllerVisitor {
    /// Called once per controller, with its default parameters.
    fn visit<C: Control<f64>>(&mut self, name: &'static str, control: C);
}

fn named<P: Params<f64>>(_: &P) -> &'static str {
    P::NAME
}

/// Calls `visitor` for every controller: each block by itself, those with a law around LuGre; each estimator in a loop;
/// and one loop of many parts.
pub fn for_each(visitor: &mut impl ControllerVisitor) {
    macro_rules! blocks {
        ($($block:expr),* $(,)?) => {$({
            let block = $block;
            visitor.visit(named(&block), block);
        })*};
    }
    blocks! {
        Pid::nominal(), StateFeedback::nominal(), Adaptive::nominal(), Dither::nominal(),
        AccelerationFeedback::nominal(), DisturbanceObserver::nominal(),
    }
    let law = models::LuGre::nominal();
    let (ahead, scale, stop) = (FeedforwardGains::nominal(), AdaptiveScaleGains::nominal(), SmoothStop::nominal());
    let injection = ObserverGains { kx: 0.01, kv: 0.01, ..ObserverGains::nominal() };
    visitor.visit(named(&ahead), Feedforward { law, gains: ahead });
    visitor.visit(named(&injection), FrictionObserver::new(law, injection));
    visitor.visit(named(&scale), AdaptiveScale { control: FrictionObserver::new(law, injection), gains: scale });
    visitor.visit(named(&stop), WithSmoothStop { control: Pid::nominal(), stop });
    let monitor = InputMonitor { jump: 0.5 };
    visitor.visit(named(&monitor), Monitored { control: Pid::nominal(), monitor });

    let base = StateFeedback::nominal();
    macro_rules! estimators {
        ($($estimator:expr),* $(,)?) => {$({
            let estimator = $estimator;
            visitor.visit(named(&estimator), Loop { estimator, control: base, limit: 100.0 });
        })*};
    }
    estimators! { FilteredDifference::nominal(), TrackingDifferentiator::nominal(), Kalman::nominal() }

    let observer = AdaptiveScale { control: FrictionObserver::new(law, injection), gains: scale };
    let compensators = (observer, (Adaptive::nominal(), DisturbanceObserver::nominal()));
    let control =
        (WithSmoothStop { control: base, stop }, (compensators, (Dither::nominal(), AccelerationFeedback::nominal())));
    visitor.visit("loop", Loop { estimator: Kalman::nominal(), control, limit: 10.0 });
}
