//! Controllers by name, with their types erased. Files and command line see controllers only through this.
use super::stability::{Bristles, Setting};
use super::{
    AccelerationFeedback, Adaptive, Ahead, Control, Difference, DisturbanceObserver, Dither, Estimate, Injection,
    Kalman, Pid, Scale, SmoothStop, StateFeedback, Tracker, Verdict,
};
use crate::models::{self, Visit as VisitLaw};
use crate::registry::Dress;
use crate::{Law, Param, ParamError, Params, Real, Relation, StateInfo};
use alloc::boxed::Box;
use alloc::vec::Vec;

mod erased;
mod make;
pub use erased::{Assembly, Block, Guarding, Sensor, Sum};
use erased::{Scaling, Stopping};
use make::{Finder, plain, sensor};

/// What a controller needs to be built, and builds it.
#[derive(Clone, Copy)]
enum Make {
    Plain,
    /// Around a law.
    Lawful(Lawful),
    /// Around another controller.
    Around(Around),
    Sensor,
}

/// Tells the conditions of stability of its values.
type Judge = fn(&[f64], &Setting) -> Vec<Verdict>;

/// Controllers around a law.
#[derive(Clone, Copy, PartialEq)]
enum Lawful {
    Feedforward,
    Observer,
}

/// Controllers around a controller.
#[derive(Clone, Copy, PartialEq)]
enum Around {
    Scale,
    Stop,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Adds to the command.
    Control,
    /// Adds to the command by the force of a law, which must be named.
    Compensator,
    /// Goes around another controller.
    Wrapper,
    /// Makes motion of a position.
    Estimator,
}

/// Everything a front end may know about a controller.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Name.
    pub name: &'static str,
    /// Documentation: a summary line, then equations, remarks and the condition of stability.
    pub doc: &'static str,
    /// Keys into `docs/references.bib`.
    pub cite: &'static [&'static str],
    /// What it is good for.
    pub shows: &'static [&'static str],
    /// Parameters.
    pub params: &'static [Param],
    /// Memory of its own, after that of a law or a controller within.
    pub states: &'static [StateInfo],
    /// Conditions between parameters.
    pub relations: &'static [Relation],
    /// Checks bounds and relations.
    pub check: fn(&[f64]) -> Result<(), ParamError>,
    judge: Judge,
    make: Make,
}

impl core::fmt::Debug for Entry {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Entry").field(&self.name).finish()
    }
}

/// Why a controller could not be built.
#[derive(Clone, Copy, Debug)]
pub enum BuildError {
    /// Its own parameters, or those of its law.
    Param(ParamError),
    /// It is of another role: needs a law, needs a controller within, or is an estimator.
    Role(Role),
    /// No such law.
    Law,
}
impl From<ParamError> for BuildError {
    fn from(error: ParamError) -> Self {
        Self::Param(error)
    }
}
impl core::fmt::Display for BuildError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Param(error) => error.fmt(f),
            Self::Role(Role::Control) => f.write_str("is a controller by itself"),
            Self::Role(Role::Compensator) => f.write_str("needs a law"),
            Self::Role(Role::Wrapper) => f.write_str("needs a controller to go around"),
            Self::Role(Role::Estimator) => f.write_str("is an estimator, not a controller"),
            Self::Law => f.write_str("no such law"),
        }
    }
}
impl core::error::Error for BuildError {}

impl Entry {
    const fn describe<P: Params<f64>>(judge: Judge, make: Make) -> Self {
        Self {
            name: P::NAME,
            doc: P::DOC,
            cite: P::CITE,
            shows: P::SHOWS,
            params: P::PARAMS,
            states: P::STATES,
            relations: P::RELATIONS,
            check: P::check,
            judge,
            make,
        }
    }
    const fn plain<C: Control<f64> + Params<f64>>(judge: Judge) -> Self {
        Self::describe::<C>(judge, Make::Plain)
    }
    const fn sensor<E: Estimate<f64> + Params<f64>>(judge: Judge) -> Self {
        Self::describe::<E>(judge, Make::Sensor)
    }
    /// Under which conditions a loop with these parameters is stable, and by how much they hold.
    pub fn stability(&self, values: &[f64], setting: &Setting) -> Vec<Verdict> {
        (self.judge)(values, setting)
    }
    /// What it is.
    pub fn role(&self) -> Role {
        match self.make {
            Make::Plain => Role::Control,
            Make::Lawful(_) => Role::Compensator,
            Make::Around(_) => Role::Wrapper,
            Make::Sensor => Role::Estimator,
        }
    }
    /// The controller with these parameters, over a number to which they are converted.
    ///
    /// # Errors
    /// Values that are refused, or an entry that is not a controller by itself.
    pub fn build<R: Real>(&self, values: &[f64]) -> Result<Box<dyn Block<R>>, BuildError> {
        (self.check)(values)?;
        plain(self.name, values).ok_or(BuildError::Role(self.role()))
    }
    /// The compensator with these parameters around the law called `law`, in wrappers of its own. A random force is no
    /// part of a model: noise is left out.
    ///
    /// # Errors
    /// Values that are refused, of either; an entry that takes no law; a law that is not there.
    pub fn build_with_law<R: Real>(
        &self,
        values: &[f64],
        law: &str,
        law_values: &[f64],
        dress: &Dress<'_>,
    ) -> Result<Box<dyn Block<R>>, BuildError> {
        (self.check)(values)?;
        let Make::Lawful(kind) = self.make else { return Err(BuildError::Role(self.role())) };
        let mut finder = Finder { kind, values, law, law_values, dress, found: Err(BuildError::Law) };
        models::for_each(&mut finder);
        finder.found
    }
    /// The wrapper with these parameters around a controller.
    ///
    /// # Errors
    /// Values that are refused, or an entry that is not a wrapper.
    pub fn build_around<R: Real>(
        &self,
        values: &[f64],
        inner: Box<dyn Block<R>>,
    ) -> Result<Box<dyn Block<R>>, BuildError> {
        (self.check)(values)?;
        match self.make {
            Make::Around(Around::Scale) => {
                Ok(Box::new(Scaling { gains: Scale::<f64>::from_slice(values).map(R::lit), inner }))
            }
            Make::Around(Around::Stop) => {
                Ok(Box::new(Stopping { stop: SmoothStop::<f64>::from_slice(values).map(R::lit), inner }))
            }
            _ => Err(BuildError::Role(self.role())),
        }
    }
    /// The estimator with these parameters, over a number to which they are converted.
    ///
    /// # Errors
    /// Values that are refused, or an entry that is not an estimator.
    pub fn build_sensor<R: Real>(&self, values: &[f64]) -> Result<Box<dyn Sensor<R>>, BuildError> {
        (self.check)(values)?;
        sensor(self.name, values).ok_or(BuildError::Role(self.role()))
    }
}

/// What a linear theory wants to know of the law called `law`.
///
/// # Errors
/// Values that are refused, or a law that is not there.
pub fn bristles(law: &str, values: &[f64], dress: &Dress<'_>) -> Result<Bristles, BuildError> {
    struct Ask<'a>(&'a str, &'a [f64], &'a Dress<'a>, Result<Bristles, BuildError>);
    impl VisitLaw for Ask<'_> {
        fn visit<M: Law<f64>>(&mut self) {
            let Self(name, values, dress, out) = self;
            if M::NAME == *name {
                let law = M::check(values).and_then(|()| dress.around(M::from_slice(values)));
                *out = law.map(|law| Bristles::of(&law)).map_err(BuildError::Param);
            }
        }
    }
    let mut ask = Ask(law, values, dress, Err(BuildError::Law));
    models::for_each(&mut ask);
    ask.3
}

/// Every block, estimator and wrapper.
pub static ALL: &[Entry] = &[
    Entry::plain::<Pid<f64>>(|p, s| Pid::from_slice(p).stability(&s.plant).to_vec()),
    Entry::plain::<StateFeedback<f64>>(|p, s| StateFeedback::from_slice(p).stability(&s.plant).to_vec()),
    Entry::describe::<Ahead<f64>>(
        |p, s| Ahead::from_slice(p).stability(s.error).to_vec(),
        Make::Lawful(Lawful::Feedforward),
    ),
    Entry::describe::<Injection<f64>>(
        |p, s| Injection::from_slice(p).stability(&s.law, &s.plant, &s.gains).to_vec(),
        Make::Lawful(Lawful::Observer),
    ),
    Entry::describe::<Scale<f64>>(
        |p, s| Scale::from_slice(p).stability(&s.plant, s.gains[2], s.law.breakaway, s.noise).to_vec(),
        Make::Around(Around::Scale),
    ),
    Entry::plain::<Adaptive<f64>>(|p, s| {
        Adaptive::from_slice(p).stability(&s.plant, s.gains[2], s.speeds[1], s.noise).to_vec()
    }),
    Entry::plain::<Dither<f64>>(|p, s| Dither::from_slice(p).stability(&s.law, &s.plant, s.bandwidth()).to_vec()),
    Entry::plain::<AccelerationFeedback<f64>>(|p, s| {
        AccelerationFeedback::from_slice(p).stability(&s.plant, s.lag).to_vec()
    }),
    Entry::plain::<DisturbanceObserver<f64>>(|p, s| {
        DisturbanceObserver::from_slice(p).stability(&s.plant, s.lag).to_vec()
    }),
    Entry::describe::<SmoothStop<f64>>(
        |p, s| SmoothStop::from_slice(p).stability(s.law.breakaway, s.gains[1], s.quantum).to_vec(),
        Make::Around(Around::Stop),
    ),
    Entry::sensor::<Difference<f64>>(|p, s| {
        Difference::from_slice(p).stability(s.quantum, s.speeds[0], s.plant.period).to_vec()
    }),
    Entry::sensor::<Tracker<f64>>(|p, s| Tracker::from_slice(p).stability(s.accel).to_vec()),
    Entry::sensor::<Kalman<f64>>(|p, s| Kalman::from_slice(p).stability(s.plant.period).to_vec()),
];

/// The entry called `name`.
pub fn find(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|e| e.name == name)
}
