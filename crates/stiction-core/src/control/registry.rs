//! Controllers by name, with their types erased. Files and command line see controllers only through this.
use super::stability::{Presliding, ServoConditions};
use super::{
    AccelerationFeedback, Adaptive, AdaptiveScaleGains, Control, DisturbanceObserver, Dither, Estimator,
    FeedforwardGains, FilteredDifference, Kalman, ObserverGains, Pid, SmoothStop, StabilityCheck, StateFeedback,
    TrackingDifferentiator,
};
use crate::registry::{LawEntry, Wrappers};
use crate::{Param, ParamError, Params, Real, Relation, StateInfo};
use alloc::boxed::Box;
use alloc::vec::Vec;

mod compensator;
mod erased;
mod make;
pub use compensator::{CompensatorLaw, CompensatorNumber};
use erased::{DynAdaptiveScale, DynSmoothStop};
pub use erased::{DynControl, DynEstimator, DynLoop, DynMonitored, DynSum};
use make::{plain, sensor};

/// What a controller needs to be built, and builds it.
#[derive(Clone, Copy)]
enum Make {
    Plain,
    /// Around a law.
    LawController(LawController),
    /// Around another controller.
    Around(Around),
    Estimator,
}

/// Evaluates the conditions of stability.
type StabilityFn = fn(&[f64], &ServoConditions) -> Vec<StabilityCheck>;

/// Controllers around a law.
#[derive(Clone, Copy, PartialEq)]
enum LawController {
    Feedforward,
    FrictionObserver,
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
    /// Estimates the motion from a position.
    Estimator,
}

/// A controller as front ends see it: its tables, and how to build it.
#[derive(Clone, Copy)]
pub struct ControllerEntry {
    /// Name.
    pub name: &'static str,
    /// Documentation: a summary line, then equations, remarks and the condition of stability.
    pub doc: &'static str,
    /// Keys into `docs/references.bib`.
    pub cite: &'static [&'static str],
    /// Its purpose, in words.
    pub shows: &'static [&'static str],
    /// Parameters.
    pub params: &'static [Param],
    /// Memory of its own, after that of a law or a controller within.
    pub states: &'static [StateInfo],
    /// Conditions between parameters.
    pub relations: &'static [Relation],
    /// Checks bounds and relations.
    pub check: fn(&[f64]) -> Result<(), ParamError>,
    stability: StabilityFn,
    make: Make,
}

impl core::fmt::Debug for ControllerEntry {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("ControllerEntry").field(&self.name).finish()
    }
}

/// Why a controller could not be built.
#[derive(Clone, Copy, Debug)]
pub enum BuildError {
    /// Its own parameters, or those of its law.
    Param(ParamError),
    /// It is of another role: needs a law, needs a controller within, or is an estimator.
    Role(Role),
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
        }
    }
}
impl core::error::Error for BuildError {}

impl ControllerEntry {
    const fn describe<P: Params<f64>>(stability: StabilityFn, make: Make) -> Self {
        Self {
            name: P::NAME,
            doc: P::DOC,
            cite: P::CITE,
            shows: P::SHOWS,
            params: P::PARAMS,
            states: P::STATES,
            relations: P::RELATIONS,
            check: P::check,
            stability,
            make,
        }
    }
    const fn plain<C: Control<f64> + Params<f64>>(stability: StabilityFn) -> Self {
        Self::describe::<C>(stability, Make::Plain)
    }
    const fn sensor<E: Estimator<f64> + Params<f64>>(stability: StabilityFn) -> Self {
        Self::describe::<E>(stability, Make::Estimator)
    }
    /// Under which conditions a loop with these parameters is stable, and by how much they hold.
    pub fn stability(&self, values: &[f64], setting: &ServoConditions) -> Vec<StabilityCheck> {
        (self.stability)(values, setting)
    }
    /// What it is.
    pub fn role(&self) -> Role {
        match self.make {
            Make::Plain => Role::Control,
            Make::LawController(_) => Role::Compensator,
            Make::Around(_) => Role::Wrapper,
            Make::Estimator => Role::Estimator,
        }
    }
    /// The controller with these parameters, over a number to which they are converted.
    ///
    /// # Errors
    /// Values that are refused, or an entry that is not a controller by itself.
    pub fn build<R: Real>(&self, values: &[f64]) -> Result<Box<dyn DynControl<R>>, BuildError> {
        (self.check)(values)?;
        plain(self.name, values).ok_or(BuildError::Role(self.role()))
    }
    /// The compensator with these parameters around `law`, in wrappers of its own. A compensator
    /// does not predict a random force: noise is left out.
    ///
    /// # Errors
    /// Values that are refused, of either; an entry that takes no law.
    pub fn build_with_law<R: CompensatorNumber>(
        &self,
        values: &[f64],
        law: &LawEntry,
        law_values: &[f64],
        wrappers: &Wrappers<'_>,
    ) -> Result<Box<dyn DynControl<R>>, BuildError> {
        (self.check)(values)?;
        let Make::LawController(kind) = self.make else { return Err(BuildError::Role(self.role())) };
        let entry = law;
        let law = R::law(entry, law_values, wrappers)?;
        Ok(match kind {
            LawController::Feedforward => Box::new(compensator::Feedforward {
                law,
                gains: FeedforwardGains::<f64>::from_slice(values).map(R::lit),
            }),
            LawController::FrictionObserver => Box::new(compensator::FrictionObserver {
                law,
                gains: ObserverGains::<f64>::from_slice(values).map(R::lit),
                deflections: compensator::deflections(entry, law_values, wrappers)?,
            }),
        })
    }
    /// The wrapper with these parameters around a controller.
    ///
    /// # Errors
    /// Values that are refused, or an entry that is not a wrapper.
    pub fn build_around<R: Real>(
        &self,
        values: &[f64],
        inner: Box<dyn DynControl<R>>,
    ) -> Result<Box<dyn DynControl<R>>, BuildError> {
        (self.check)(values)?;
        match self.make {
            Make::Around(Around::Scale) => Ok(Box::new(DynAdaptiveScale {
                gains: AdaptiveScaleGains::<f64>::from_slice(values).map(R::lit),
                inner,
            })),
            Make::Around(Around::Stop) => {
                Ok(Box::new(DynSmoothStop { stop: SmoothStop::<f64>::from_slice(values).map(R::lit), inner }))
            }
            _ => Err(BuildError::Role(self.role())),
        }
    }
    /// The estimator with these parameters, over a number to which they are converted.
    ///
    /// # Errors
    /// Values that are refused, or an entry that is not an estimator.
    pub fn build_estimator<R: Real>(&self, values: &[f64]) -> Result<Box<dyn DynEstimator<R>>, BuildError> {
        (self.check)(values)?;
        sensor(self.name, values).ok_or(BuildError::Role(self.role()))
    }
}

/// Break-away, stiffness and damping of a law in presliding.
///
/// # Errors
/// Values that are refused.
pub fn presliding(law: &LawEntry, values: &[f64], wrappers: &Wrappers<'_>) -> Result<Presliding, BuildError> {
    Ok(Presliding::at_rest(&*law.build_wrapped(values, wrappers)?))
}

/// Every block, estimator and wrapper.
pub static ALL: &[ControllerEntry] = &[
    ControllerEntry::plain::<Pid<f64>>(|p, s| Pid::from_slice(p).stability(&s.plant).to_vec()),
    ControllerEntry::plain::<StateFeedback<f64>>(|p, s| StateFeedback::from_slice(p).stability(&s.plant).to_vec()),
    ControllerEntry::describe::<FeedforwardGains<f64>>(
        |p, s| FeedforwardGains::from_slice(p).stability(s.error).to_vec(),
        Make::LawController(LawController::Feedforward),
    ),
    ControllerEntry::describe::<ObserverGains<f64>>(
        |p, s| ObserverGains::from_slice(p).stability(&s.law, &s.plant, &s.gains).to_vec(),
        Make::LawController(LawController::FrictionObserver),
    ),
    ControllerEntry::describe::<AdaptiveScaleGains<f64>>(
        |p, s| AdaptiveScaleGains::from_slice(p).stability(&s.plant, s.gains[2], s.law.breakaway, s.noise).to_vec(),
        Make::Around(Around::Scale),
    ),
    ControllerEntry::plain::<Adaptive<f64>>(|p, s| {
        Adaptive::from_slice(p).stability(&s.plant, s.gains[2], s.speeds[1], s.noise).to_vec()
    }),
    ControllerEntry::plain::<Dither<f64>>(|p, s| {
        Dither::from_slice(p).stability(&s.law, &s.plant, s.bandwidth()).to_vec()
    }),
    ControllerEntry::plain::<AccelerationFeedback<f64>>(|p, s| {
        AccelerationFeedback::from_slice(p).stability(&s.plant, s.lag).to_vec()
    }),
    ControllerEntry::plain::<DisturbanceObserver<f64>>(|p, s| {
        DisturbanceObserver::from_slice(p).stability(&s.plant, s.lag).to_vec()
    }),
    ControllerEntry::describe::<SmoothStop<f64>>(
        |p, s| SmoothStop::from_slice(p).stability(s.law.breakaway, s.gains[1], s.quantum).to_vec(),
        Make::Around(Around::Stop),
    ),
    ControllerEntry::sensor::<FilteredDifference<f64>>(|p, s| {
        FilteredDifference::from_slice(p).stability(s.quantum, s.speeds[0], s.plant.period).to_vec()
    }),
    ControllerEntry::sensor::<TrackingDifferentiator<f64>>(|p, s| {
        TrackingDifferentiator::from_slice(p).stability(s.accel).to_vec()
    }),
    ControllerEntry::sensor::<Kalman<f64>>(|p, s| Kalman::from_slice(p).stability(s.plant.period).to_vec()),
];

/// The entry called `name`.
pub fn find(name: &str) -> Option<&'static ControllerEntry> {
    ALL.iter().find(|e| e.name == name)
}
