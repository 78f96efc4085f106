//! What to identify and how, as Python gives it.
use crate::error::PythonError;
use crate::log_file::LayoutArguments;
use pyo3::prelude::*;
use stiction::ParameterFile;
use stiction::fit::{Loss, NoiseModel, ScreeningOptions};
use stiction::identify::breakaway::BreakawayOptions;
use stiction::identify::dynamic::DynamicOptions;
use stiction::identify::dynamic::plant::PlantOptions;
use stiction::identify::rate_state::{LoadPointOption, RateStateOptions, StepModel, Trend, VelocityStepOptions};
use stiction::identify::sliding::{CrossValidation, Reduction, RegressionOptions, SlidingLaw, SlidingOptions};
use stiction::identify::{ColumnRoles, FreeParameter, GlobalSearch, MotionTask, Preparation, Smoothing};
use stiction::scenario::{PriorKnowledge, Template};

/// What to identify and how, as Python gives it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct IdentificationArguments {
    time: Option<String>,
    position: Option<String>,
    velocity: Option<String>,
    acceleration: Option<String>,
    force: Option<String>,
    load: Option<String>,
    known: Option<String>,
    weight: Option<String>,
    constants: Vec<(String, f64)>,
    model: String,
    find: Option<String>,
    /// One for all records, or one for each.
    mass: Vec<f64>,
    fixed_load: Vec<f64>,
    load_name: String,
    load_unit: String,
    filter: String,
    drop: (usize, usize),
    rate: Option<f64>,
    delay: Option<f64>,
    fit_delay: bool,
    pub(super) terms: Vec<(String, String)>,
    steps: Vec<f64>,
    window: Option<(f64, f64)>,
    trend: Option<String>,
    mean: usize,
    pub(super) offset: bool,
    asymmetric: bool,
    decimate: Option<usize>,
    pub(super) rest: Option<f64>,
    robust: Option<String>,
    white: bool,
    set: Vec<(String, f64)>,
    free: Vec<(String, Option<(f64, f64)>)>,
    bounds: Vec<(String, (f64, f64))>,
    forget: f64,
    profile: bool,
    /// Seed of the global search, if not the usual one.
    search: Option<u32>,
    /// Number of intervals of time that cross-validation leaves out; none: whole records.
    leave: Option<usize>,
    pub(super) layout: LayoutArguments,
}

/// The value of a record, of one for all or one for each.
fn of_record(name: &str, values: &[f64], k: usize, records: usize) -> Result<Option<f64>, PythonError> {
    match *values {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        _ if values.len() == records => Ok(values.get(k).copied()),
        _ => {
            let hint = "give one number, or one for each record".to_owned();
            Err(PythonError::new(format!("{name} has {} numbers for {records} records", values.len()), Some(hint)))
        }
    }
}

/// A global search from other places, if there is a seed.
fn searched(search: GlobalSearch, seed: Option<u32>) -> GlobalSearch {
    match (search, seed) {
        (GlobalSearch::Multistart(places), Some(seed)) => GlobalSearch::Multistart(ScreeningOptions { seed, ..places }),
        (search, _) => search,
    }
}

impl IdentificationArguments {
    pub(super) fn roles(&self) -> ColumnRoles {
        ColumnRoles {
            time: self.time.clone(),
            position: self.position.clone(),
            velocity: self.velocity.clone(),
            acceleration: self.acceleration.clone(),
            force: self.force.clone(),
            load: self.load.clone(),
            known: self.known.clone(),
            weight: self.weight.clone(),
            terms: self.terms.clone(),
            counted: self.rate.is_some() && self.time.is_none(),
            mean: self.mean,
            constants: self.constants.clone(),
        }
    }
    /// The preparation of each record; `delay` is that of the force where none is given.
    pub(super) fn preparations(&self, records: usize, delay: Option<f64>) -> Result<Vec<Preparation>, PythonError> {
        let smooth: Smoothing = self
            .filter
            .parse()
            .map_err(|hint| PythonError::new(format!("filter = '{}' is not a filter", self.filter), Some(hint)))?;
        let drop = [self.drop.0, self.drop.1];
        let (rate, delay) = (self.rate, self.delay.or(delay).unwrap_or(0.0));
        let one = |k: usize| {
            let mass = of_record("mass", &self.mass, k, records)?;
            let load = of_record("load", &self.fixed_load, k, records)?;
            Ok(Preparation { smooth, drop, rate, delay, mass, load })
        };
        (0..records).map(one).collect()
    }
    fn sliding(&self, curve: Option<SlidingLaw>) -> Result<SlidingOptions, PythonError> {
        let loss = loss(self.robust.as_deref())?;
        Ok(SlidingOptions {
            curve,
            asymmetric: self.asymmetric.then_some(true),
            offset: self.offset,
            reduction: self.decimate.map_or(Reduction::Blocks, Reduction::Decimate),
            rest_speed: self.rest,
            delay: self.fit_delay,
            how: RegressionOptions { loss, white_noise: self.white, ..RegressionOptions::default() },
            cross_validation: self.leave.map_or(CrossValidation::LeaveOneRecordOut, CrossValidation::Blocks),
        })
    }
    /// `law`: the law to fit along the motion, where it is not named by a text.
    pub(super) fn task(&self, law: Option<&ParameterFile>) -> Result<MotionTask, PythonError> {
        let pressed = || BreakawayOptions { load: self.load_name.clone(), load_unit: self.load_unit.clone() };
        Ok(match (self.find.as_deref(), self.model.as_str(), law) {
            (Some("presliding"), ..) => MotionTask::Presliding,
            (Some("breakaway"), ..) => MotionTask::Breakaway(pressed()),
            (Some("load"), ..) => MotionTask::Load(pressed()),
            (None | Some("sliding"), model, None) if SlidingLaw::find(model).is_some() => {
                MotionTask::Sliding(self.sliding(SlidingLaw::find(model))?)
            }
            (Some("sliding"), "auto", None) => MotionTask::Sliding(self.sliding(None)?),
            (None, "auto", None) => MotionTask::BestLaw(self.sliding(None)?),
            (None, model, law) => {
                let mut file = law.map_or_else(|| ParameterFile::find(model), |file| Ok(file.clone()))?;
                for (key, value) in &self.set {
                    file.spec.set(key, *value)?;
                }
                let mut options = DynamicOptions {
                    free: self.free.iter().map(free_parameter).collect(),
                    bounds: self.bounds.iter().map(bounded_parameter).collect(),
                    offset: self.offset,
                    skip: self.forget,
                    delay: self.fit_delay,
                    profile: self.profile,
                    search: searched(DynamicOptions::default().search, self.search),
                    ..DynamicOptions::default()
                };
                options.fit.loss = loss(self.robust.as_deref())?;
                MotionTask::AlongMotion(Box::new(file.spec), Box::new(options))
            }
            (Some(find), ..) => {
                let hint = "sliding, presliding, breakaway or load; with sliding, auto, coulomb, stiction or stribeck";
                return Err(PythonError::new(
                    format!("cannot find '{find}' with the model '{}'", self.model),
                    Some(hint.to_owned()),
                ));
            }
        })
    }
    /// The law of rate and state to fit to velocity steps, if it is one.
    pub(super) fn step_model(&self) -> Option<StepModel> {
        if self.find.is_none() { StepModel::find(&self.model) } else { None }
    }
    /// How velocity steps are read and fitted.
    pub(super) fn step_options(&self) -> Result<(VelocityStepOptions, RateStateOptions), PythonError> {
        let load = match self.filter.as_str() {
            _ if !self.steps.is_empty() => LoadPointOption::StepsAt(self.steps.clone()),
            "auto" => LoadPointOption::Auto,
            "none" => LoadPointOption::Recorded,
            "spline" => LoadPointOption::Spline,
            other => {
                let hint = "with velocity steps the filter is auto (straight between steps), none or spline".to_owned();
                return Err(PythonError::new(format!("'{other}' would blur the steps of a load point"), Some(hint)));
            }
        };
        let trend = match self.trend.as_deref() {
            None | Some("travel") => Trend::Travel,
            Some("time") => Trend::Time,
            Some("none") => Trend::None,
            Some(other) => {
                return Err(PythonError::new(format!("trend = '{other}'"), Some("travel, time or none".to_owned())));
            }
        };
        let mut constraints: Vec<FreeParameter> = self.bounds.iter().map(bounded_parameter).collect();
        constraints.extend(self.set.iter().map(|(name, value)| FreeParameter::new(name).within(*value, *value)));
        let unused = [
            // friction itself is what velocity steps are
            ("mass", self.mass.iter().any(|mass| *mass > 0.0)),
            ("asymmetric", self.asymmetric),
            ("decimate", self.decimate.is_some()),
            ("rest", self.rest.is_some()),
            ("robust", self.robust.is_some()),
            ("free", !self.free.is_empty()),
            ("forget", self.forget != 0.0),
            ("profile", self.profile),
            ("terms", !self.terms.is_empty()),
            ("leave", self.leave.is_some()),
            ("delay", self.fit_delay || self.delay.is_some_and(|delay| delay != 0.0)),
        ];
        if let Some((name, _)) = unused.iter().find(|(_, given)| *given) {
            let hint = "leave it out: these are velocity steps".to_owned();
            return Err(PythonError::new(format!("{name} has no effect here"), Some(hint)));
        }
        let window = self.window.map(|(from, to)| [from, to]);
        Ok((
            VelocityStepOptions { load, window },
            RateStateOptions { constraints, trend, white_noise: self.white, ..RateStateOptions::default() },
        ))
    }
    /// Whether there are options that only velocity steps have.
    pub(super) fn asks_for_steps(&self) -> bool {
        !self.steps.is_empty() || self.window.is_some() || self.trend.is_some()
    }
    /// Refuses options that have no effect on a task.
    pub(super) fn refuse_unused(&self, task: &MotionTask) -> Result<(), PythonError> {
        let along = matches!(task, MotionTask::AlongMotion(..));
        // which tries velocity steps where the record is one
        let best = matches!(task, MotionTask::BestLaw(..));
        let sliding = best || matches!(task, MotionTask::Sliding(..));
        let given = [
            ("set", !self.set.is_empty(), along),
            ("free", !self.free.is_empty(), along),
            ("bounds", !self.bounds.is_empty(), along),
            ("forget", self.forget != 0.0, along),
            ("profile", self.profile, along),
            ("asymmetric", self.asymmetric, sliding),
            ("decimate", self.decimate.is_some(), sliding),
            ("rest", self.rest.is_some(), sliding),
            ("robust", self.robust.is_some(), sliding || along),
            ("white", self.white, sliding),
            ("leave", self.leave.is_some(), sliding),
            ("weight", self.weight.is_some(), sliding),
            ("delay='auto'", self.fit_delay, sliding || along),
            ("terms", !self.terms.is_empty(), sliding || along),
            ("steps", !self.steps.is_empty(), best),
            ("window", self.window.is_some(), best),
            ("trend", self.trend.is_some(), best),
        ];
        match given.iter().find(|(_, given, of_use)| *given && !of_use) {
            Some((name, ..)) => {
                Err(PythonError::new(format!("{name} has no effect here"), Some("leave it out".to_owned())))
            }
            None => Ok(()),
        }
    }
}

/// How to fit a scenario, as Python gives it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PlantArguments {
    constants: Vec<(String, f64)>,
    set: Vec<(String, f64)>,
    free: Vec<(String, Option<(f64, f64)>)>,
    bounds: Vec<(String, (f64, f64))>,
    /// Name, expected value and standard deviation of what is known before.
    priors: Vec<(String, f64, f64)>,
    robust: Option<String>,
    white: bool,
    profile: bool,
    search: Option<u32>,
    pub(super) layout: LayoutArguments,
}

impl PlantArguments {
    /// The scenario with other values, and the options of its fit.
    pub(super) fn task(&self, template: &Template) -> Result<(Template, PlantOptions), PythonError> {
        let mut template = template.clone();
        let task = template.build()?.identify.unwrap_or_default();
        let mut hold = Vec::new();
        for (name, value) in &self.set {
            if task.holds(name)? {
                hold.push((name.clone(), *value));
            } else {
                template.assign(&format!("{name}={value:e}"))?;
            }
        }
        let prior = |(name, mean, deviation): &(String, f64, f64)| PriorKnowledge {
            name: name.clone(),
            mean: *mean,
            deviation: *deviation,
        };
        let mut options = PlantOptions {
            constants: self.constants.clone(),
            free: self.free.iter().map(free_parameter).collect(),
            bounds: self.bounds.iter().map(bounded_parameter).collect(),
            hold,
            priors: self.priors.iter().map(prior).collect(),
            profile: self.profile,
            ..PlantOptions::default()
        };
        options.search = searched(options.search, self.search);
        options.fit.loss = loss(self.robust.as_deref())?;
        if self.white {
            options.fit.noise = NoiseModel::White;
        }
        Ok((template, options))
    }
}

fn free_parameter((name, within): &(String, Option<(f64, f64)>)) -> FreeParameter {
    let free = FreeParameter::new(name);
    within.map_or(free.clone(), |(low, high)| free.within(low, high))
}

fn bounded_parameter((name, (low, high)): &(String, (f64, f64))) -> FreeParameter {
    FreeParameter::new(name).within(*low, *high)
}

/// The loss of a name; without one that of least squares.
fn loss(robust: Option<&str>) -> Result<Loss, PythonError> {
    let Some(name) = robust else { return Ok(Loss::default()) };
    let unknown = || {
        let hint = "huber, soft, cauchy or tukey".to_owned();
        PythonError::new(format!("robust = '{name}' is not a loss"), Some(hint))
    };
    Loss::find(name).ok_or_else(unknown)
}
