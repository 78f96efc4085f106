//! Controllers of the types that have a name, over any number.
use super::erased::{Block, Erased, Sensor};
use super::{BuildError, Lawful};
use crate::control::*;
use crate::models::Visit as VisitLaw;
use crate::registry::Dress;
use crate::{Friction, Law, ParamError, Params};
use alloc::boxed::Box;

/// The block of this type that has the name, over a number; none if no type has it.
macro_rules! named {
    ($name:expr, $values:expr, $($Block:ident)*) => {
        match $name {
            $(name if name == <$Block<f64> as Params<f64>>::NAME => {
                Some(Box::new(Erased($Block::<f64>::from_slice($values).map(R::lit))))
            })*
            _ => None,
        }
    };
}
pub(super) fn plain<R: Real>(name: &str, values: &[f64]) -> Option<Box<dyn Block<R>>> {
    named! { name, values, Pid StateFeedback Adaptive Dither AccelerationFeedback DisturbanceObserver }
}
pub(super) fn sensor<R: Real>(name: &str, values: &[f64]) -> Option<Box<dyn Sensor<R>>> {
    named! { name, values, Difference Tracker Kalman }
}

/// Builds a compensator around the law of this name.
pub(super) struct Finder<'a, R: Real> {
    pub kind: Lawful,
    pub values: &'a [f64],
    pub law: &'a str,
    pub law_values: &'a [f64],
    pub dress: &'a Dress<'a>,
    pub found: Result<Box<dyn Block<R>>, BuildError>,
}
impl<R: Real> VisitLaw for Finder<'_, R> {
    fn visit<M: Law<f64>>(&mut self) {
        if M::NAME == self.law {
            self.found = self.around::<M>().map_err(BuildError::Param);
        }
    }
}
impl<R: Real> Finder<'_, R> {
    fn around<M: Law<f64>>(&self) -> Result<Box<dyn Block<R>>, ParamError> {
        M::check(self.law_values)?;
        let law = M::from_slice(self.law_values);
        let bare = self.dress.reverse.is_none() && self.dress.load.is_none();
        Ok(if bare { self.make(law) } else { self.make(self.dress.around(law)?.law) })
    }
    // observers are made in f64, whatever they then run in
    fn make<L: Friction<f64>>(&self, law: L) -> Box<dyn Block<R>> {
        match self.kind {
            Lawful::Feedforward => {
                Box::new(Erased(Feedforward { law, gains: Ahead::from_slice(self.values) }.cast(R::lit)))
            }
            Lawful::Observer => Box::new(Erased(Observer::new(law, Injection::from_slice(self.values)).cast(R::lit))),
        }
    }
}
