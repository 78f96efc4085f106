//! A law by name, with values for its parameters and its wrappers.
//!
//! ```
//! use stiction_core::Input;
//! use stiction_sim::Spec;
//!
//! let mut spec = Spec::new("coulomb")?;
//! spec.set("fc", 2.0)?.set("reverse.fc", 3.0)?.set("load.slope", 0.1)?.set("load.base", 0.0)?;
//! let law = spec.build()?;
//! let loaded = |v: f64| law.steady(&Input { v, load: 20.0 });          // 0.1 · 20: twice the nominal load
//! assert_eq!([loaded(1.0), loaded(-1.0)], [4.0, -6.0]);
//! assert!(spec.set("fx", 1.0).is_err());
//! # Ok::<(), stiction_sim::LawError>(())
//! ```
use crate::LawError;
use crate::laws;
use crate::parameter_group::ParameterGroup;
use stiction_core::control::registry::{self as control, BuildError, CompensatorNumber, DynControl};
use stiction_core::control::stability::Presliding;
use stiction_core::registry::{DynLaw, LawEntry, Wrappers};
use stiction_core::wrap::{Affine, Noise};
use stiction_core::{Param, ParamError, Params};
use stiction_io::similar_names::similar;

/// A law by name, with the values given so far. Parameters that are not given have their defaults; those for `v < 0` have
/// the forward value.
#[derive(Clone, Debug)]
pub struct Spec {
    law: &'static LawEntry,
    /// One list per [`ParameterGroup`], one entry per parameter.
    given: [Vec<Option<f64>>; 4],
}

/// The same law with the same numbers, given or not.
impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        self.law == other.law && ParameterGroup::ALL.iter().all(|&part| self.values(part) == other.values(part))
    }
}

impl Spec {
    /// The law called `name`, with its defaults.
    ///
    /// # Errors
    /// [`LawError::UnknownLaw`].
    pub fn new(name: &str) -> Result<Self, LawError> {
        match laws::find(name) {
            Some(law) => Ok(Self::of(law)),
            None => Err(LawError::UnknownLaw { name: name.to_owned(), near: similar(name, laws::names()) }),
        }
    }
    /// A law with its defaults.
    pub fn of(law: &'static LawEntry) -> Self {
        Self { law, given: ParameterGroup::ALL.map(|part| vec![None; part.params(law).len()]) }
    }
    /// The law.
    pub fn law(&self) -> &'static LawEntry {
        self.law
    }
    /// Whether any parameter of a group was given. A wrapper is used only then.
    pub fn has(&self, part: ParameterGroup) -> bool {
        self.given[part as usize].iter().any(Option::is_some)
    }
    /// The same without a wrapper.
    #[must_use]
    pub fn without(mut self, part: ParameterGroup) -> Self {
        self.given[part as usize].fill(None);
        self
    }
    /// Whether a value was given for `sigma0`, `reverse.fc`, ...; false for an unknown key.
    pub fn is_given(&self, key: &str) -> bool {
        self.find(key).is_ok_and(|(part, i)| self.given[part as usize][i].is_some())
    }
    /// All values of a group, in parameter order.
    pub fn values(&self, part: ParameterGroup) -> Vec<f64> {
        let given = &self.given[part as usize];
        if part == ParameterGroup::Reverse {
            let forward = self.values(ParameterGroup::Law);
            return given.iter().zip(forward).map(|(given, forward)| given.unwrap_or(forward)).collect();
        }
        given.iter().zip(part.params(self.law)).map(|(given, p)| given.unwrap_or(p.default)).collect()
    }
    /// Parameters and values of a group; for the reverse law only those that were given.
    pub fn rows(&self, part: ParameterGroup) -> Vec<(&'static Param, f64)> {
        let shown = |i: usize| match part {
            ParameterGroup::Law => true,
            ParameterGroup::Reverse => self.given[part as usize][i].is_some(),
            ParameterGroup::Load | ParameterGroup::Noise => self.has(part),
        };
        let rows = part.params(self.law).iter().zip(self.values(part)).enumerate();
        rows.filter(|&(i, _)| shown(i)).map(|(_, row)| row).collect()
    }
    /// The value of `sigma0`, `reverse.fc`, `load.slope`, `noise.amplitude`, ...
    ///
    /// # Errors
    /// [`LawError::UnknownParam`].
    pub fn get(&self, key: &str) -> Result<f64, LawError> {
        let (part, i) = self.find(key)?;
        Ok(self.values(part)[i])
    }
    /// Sets `sigma0`, `reverse.fc`, `load.slope`, `noise.amplitude`, ... The order does not matter: reverse
    /// values that are not given follow the final forward values.
    ///
    /// # Errors
    /// [`LawError::UnknownParam`], or [`LawError::Value`] if out of bounds or not a number.
    pub fn set(&mut self, key: &str, value: f64) -> Result<&mut Self, LawError> {
        let (part, i) = self.find(key)?;
        check_value(part, &part.params(self.law)[i], value)?;
        self.given[part as usize][i] = Some(value);
        Ok(self)
    }
    /// Checks the conditions between parameters, which [`Spec::set`] cannot check.
    ///
    /// # Errors
    /// [`LawError::Relation`].
    pub fn check(&self) -> Result<(), LawError> {
        for part in ParameterGroup::ALL {
            let values = self.values(part);
            let checked = match part {
                ParameterGroup::Law | ParameterGroup::Reverse => self.law.check(&values),
                ParameterGroup::Load => Affine::<f64>::check(&values),
                ParameterGroup::Noise => Noise::<f64>::check(&values),
            };
            checked.map_err(|error| self.explain(part, &error))?;
        }
        Ok(())
    }
    /// The load factor of the law under `load`.
    pub fn load_factor(&self, load: f64) -> f64 {
        let map = Affine::<f64>::from_slice(&self.values(ParameterGroup::Load));
        map.base + map.slope * load
    }
    /// Builds the law.
    ///
    /// # Errors
    /// As [`Spec::check`].
    pub fn build(&self) -> Result<Box<dyn DynLaw>, LawError> {
        self.check()?;
        let wrapper_values = self.wrapper_values();
        let built = self.law.build_wrapped(&self.values(ParameterGroup::Law), &wrappers(&wrapper_values));
        built.map_err(|error| self.explain(ParameterGroup::Law, &error))
    }
    /// Builds a controller that compensates this law: `entry` must be a controller with a law, such as `feedforward`.
    ///
    /// # Errors
    /// As [`Spec::check`], [`LawError::Unsuited`] for a controller without a law, or an error of its values.
    pub fn compensator<R: CompensatorNumber>(
        &self,
        entry: &control::ControllerEntry,
        values: &[f64],
    ) -> Result<Box<dyn DynControl<R>>, LawError> {
        self.check()?;
        let wrapper_values = self.wrapper_values();
        let built =
            entry.build_with_law(values, self.law, &self.values(ParameterGroup::Law), &wrappers(&wrapper_values));
        built.map_err(|error| match error {
            BuildError::Param(error) => self.explain(ParameterGroup::Law, &error),
            BuildError::Role(_) => LawError::Unsuited { why: "is not for this controller" },
        })
    }
    /// The linearised bristle parameters of this law at rest, for stability analysis.
    ///
    /// # Errors
    /// As [`Spec::check`].
    pub fn presliding(&self) -> Result<Presliding, LawError> {
        self.check()?;
        let wrapper_values = self.wrapper_values();
        let found = control::presliding(self.law, &self.values(ParameterGroup::Law), &wrappers(&wrapper_values));
        found.map_err(|error| match error {
            BuildError::Param(error) => self.explain(ParameterGroup::Law, &error),
            BuildError::Role(_) => LawError::Unsuited { why: "has no bristles" },
        })
    }
    /// Values of the wrappers: reverse, load, noise.
    fn wrapper_values(&self) -> [Option<Vec<f64>>; 3] {
        [ParameterGroup::Reverse, ParameterGroup::Load, ParameterGroup::Noise]
            .map(|part| self.has(part).then(|| self.values(part)))
    }

    fn find(&self, key: &str) -> Result<(ParameterGroup, usize), LawError> {
        let (part, prefix, name) = match key.split_once('.') {
            Some((prefix, name)) => (ParameterGroup::wrapper(prefix), prefix, name),
            None => (Some(ParameterGroup::Law), "", key),
        };
        let found = part.and_then(|part| Some((part, part.params(self.law).iter().position(|p| p.name == name)?)));
        found.ok_or_else(|| {
            // similar names after the dot, in this group or in those with a similar prefix
            let parts = match part {
                Some(part) => vec![part],
                None => similar(prefix, ParameterGroup::ALL.map(ParameterGroup::prefix))
                    .into_iter()
                    .filter_map(ParameterGroup::wrapper)
                    .collect(),
            };
            let names = |part: ParameterGroup| similar(name, part.params(self.law).iter().map(|p| p.name));
            let near = parts.into_iter().flat_map(|part| names(part).into_iter().map(move |name| part.key(name)));
            LawError::UnknownParam { law: self.law.name, name: key.to_owned(), near: near.collect() }
        })
    }

    /// An error of the core with the names and values that explain it.
    fn explain(&self, part: ParameterGroup, error: &ParamError) -> LawError {
        match *error {
            ParamError::Value { param, value } => LawError::Value { name: part.key(param.name), param, value },
            ParamError::Count { expected, given } => LawError::Count { law: self.law.name, expected, given },
            ParamError::Relation { relation } => {
                let words: Vec<&str> = relation.text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
                let rows = part.params(self.law).iter().zip(self.values(part)).enumerate();
                let (mut values, mut assumed) = (Vec::new(), Vec::new());
                for (i, (param, value)) in rows.filter(|(_, (p, _))| words.contains(&p.name)) {
                    let given = |part: ParameterGroup| self.given[part as usize][i].is_some();
                    // a reverse parameter that is not given has the forward value
                    let part = if part == ParameterGroup::Reverse && !given(part) { ParameterGroup::Law } else { part };
                    if !given(part) {
                        assumed.push(part.key(param.name));
                    }
                    values.push((part.key(param.name), param, value));
                }
                LawError::Relation { law: self.law.name, part, text: relation.text, values, assumed }
            }
        }
    }
}

fn wrappers([reverse, load, noise]: &[Option<Vec<f64>>; 3]) -> Wrappers<'_> {
    Wrappers { reverse: reverse.as_deref(), load: load.as_deref(), noise: noise.as_deref() }
}

/// Checks that a value is a number within its bounds.
pub fn check_value(part: ParameterGroup, param: &'static Param, value: f64) -> Result<(), LawError> {
    if param.min <= value && value <= param.max {
        Ok(())
    } else {
        Err(LawError::Value { name: part.key(param.name), param, value })
    }
}
