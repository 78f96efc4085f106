//! Controllers of the types that have a name, over any number.
use super::erased::{DynControl, DynEstimator, Erased};
use crate::Params;
use crate::control::*;
use alloc::boxed::Box;

/// The block of this type that has the name, over a number; none if no type has it.
macro_rules! named {
    ($name:expr, $values:expr, $($DynControl:ident)*) => {
        match $name {
            $(name if name == <$DynControl<f64> as Params<f64>>::NAME => {
                Some(Box::new(Erased($DynControl::<f64>::from_slice($values).map(R::lit))))
            })*
            _ => None,
        }
    };
}
pub(super) fn plain<R: Real>(name: &str, values: &[f64]) -> Option<Box<dyn DynControl<R>>> {
    named! { name, values, Pid StateFeedback Adaptive Dither AccelerationFeedback DisturbanceObserver }
}
pub(super) fn sensor<R: Real>(name: &str, values: &[f64]) -> Option<Box<dyn DynEstimator<R>>> {
    named! { name, values, FilteredDifference TrackingDifferentiator Kalman }
}
