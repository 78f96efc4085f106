//! Laws as functional mock-up units (FMI 2.0 and 3.0), for the simulators that import them.
//!
//! A *law* unit takes velocity and load and gives the friction force. A *body* on a law takes the applied force and the load and gives
//! position, velocity, friction and whether it is held: at rest the constraint sets the force, so a law with a set of forces at rest is a
//! unit only together with its body. Each unit has model exchange and co-simulation; the sources are C99, the law's functions recorded from
//! the law that is simulated.
//!
//! ```
//! use stiction::export::fmu::{FmiVersion, FmuPlan, UnitKind};
//! use stiction::Spec;
//!
//! let plan = FmuPlan::new(&Spec::new("lugre")?, UnitKind::Body, FmiVersion::Two)?;
//! let files = plan.files();
//! assert!(files.iter().any(|file| file.path == "modelDescription.xml"));
//! assert!(files.iter().any(|file| file.path == "sources/unit.c"));
//! # Ok::<(), stiction::Error>(())
//! ```
mod archive;
mod binary;
mod build_mark;
mod coefficients;
mod description;
mod law_source;
mod model_file;
mod model_header;
mod programs;
mod scenario_inputs;
mod scenario_run;
mod scenario_unit;
mod tables;
mod terminals;
mod units;
mod variables;
mod xml;

pub use crate::error::FmuError;
pub use binary::{Compiler, Platform, UnitBinary};
pub use build_mark::BUILD_MARK;
pub use coefficients::{elementary_source, rodas5p_source};
pub use scenario_run::{ScenarioRun, ScenarioState};
pub use scenario_unit::ScenarioUnit;
pub use variables::{Causality, Variable};

use super::law_conditions::Conditions;
use super::law_wrapping::Wrapping;
use super::{OutputFile, SourceFile, set_at_rest};
#[cfg(doc)]
use crate::error::LawCodeError;
use crate::system::Contact;
use crate::units::of_rotation;
use crate::{Error, ParameterGroup, Spec};
use programs::UnitPrograms;
use stiction_core::program::Function;
use stiction_core::registry::{DynLaw, LawEntry};
use stiction_core::{Input, Param};
use stiction_io::digest::sha256;

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// Velocity and load in, friction out.
    Law,
    /// Force and load in; position, velocity, friction and whether it is held out.
    Body,
}

impl UnitKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Law => "law",
            Self::Body => "body",
        }
    }
}

/// The version of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FmiVersion {
    /// 2.0.
    Two,
    /// 3.0.
    Three,
}

impl FmiVersion {
    /// As text.
    pub fn name(self) -> &'static str {
        match self {
            Self::Two => "2.0",
            Self::Three => "3.0",
        }
    }
}

/// A unit ready to be written.
#[derive(Clone, Debug)]
pub struct FmuPlan {
    /// The law.
    pub law: &'static LawEntry,
    /// What it is a unit of.
    pub kind: UnitKind,
    /// The version of the interface.
    pub version: FmiVersion,
    /// The name of the unit, an identifier in C.
    pub identifier: String,
    /// The mass of the body at the start [kg or kg·m²].
    pub mass: f64,
    /// The law's parameters by their keys, such as `fc` and `reverse.fc`, with the values at the start.
    params: Vec<(String, Param)>,
    /// Whether the load is given in its own unit.
    maps_load: bool,
    /// Whether displacements are angles, and forces torques.
    turns: bool,
    programs: UnitPrograms,
    /// The size that each number of memory has while sliding.
    ranges: Vec<f64>,
}

/// Bounds of the mass [kg or kg·m²].
const MASS_BOUNDS: (f64, f64) = (1e-12, 1e12);

impl FmuPlan {
    /// A unit of a law, with its parameters for reverse motion and for the load; its values are those at the start. The mass is 1.
    ///
    /// # Errors
    /// [`LawCodeError`] for a law that is too long, or has parameters of noise; [`FmuError::Random`] for a
    /// random law; [`FmuError::SetValued`] for a law whose force at rest is a set and [`FmuError::Acceleration`] for one that depends on
    /// the acceleration, as law units; [`FmuError::SingularAtRest`] for a body on a law whose force arises below all speeds that a
    /// step resolves; [`FmuError::Law`] for values that the law does not admit; as [`Contact::new`].
    pub fn new(spec: &Spec, kind: UnitKind, version: FmiVersion) -> Result<Self, Error> {
        let law = spec.law();
        let wrapping = Wrapping::of(spec)?;
        if kind == UnitKind::Body {
            // a law that a contact refuses
            Contact::new(spec)?;
        }
        let built = spec.build().map_err(|error| FmuError::Law { law: law.name, error: error.to_string() })?;
        let params = wrapping.all_params(law);
        let params = params.into_iter().map(|(key, p)| {
            let default = spec.get(&key).unwrap_or(p.default);
            (key, Param { default, ..p })
        });
        let params: Vec<(String, Param)> = params.collect();
        let load = wrapping.nominal_load(&params.iter().map(|(_, p)| p.default).collect::<Vec<_>>());
        let mut programs = UnitPrograms::record(law, &wrapping, &*built)?;
        if !wrapping.is_empty() && !set_at_rest::is_reached(&*built, load) {
            // the importer may change parameters, and must not make a set with them
            let same = set_at_rest::makers(spec, &wrapping.reverse, load);
            let is_same = |i: &usize| spec.values(ParameterGroup::Law)[*i] == spec.values(ParameterGroup::Reverse)[*i];
            if same.iter().all(is_same) {
                programs.hold = None;
                programs.conditions =
                    Conditions::in_each_direction(law, programs::MEMORY, &wrapping.reverse, programs.params, &same);
            }
        }
        if programs.all().any(|program| program.functions().contains(&Function::Uniform)) {
            return Err(FmuError::Random { law: law.name }.into());
        }
        if kind == UnitKind::Law && programs.hold.is_some() {
            return Err(FmuError::SetValued { law: law.name }.into());
        }
        if kind == UnitKind::Law && programs.extremum.is_some() {
            return Err(FmuError::Acceleration { law: law.name }.into());
        }
        if kind == UnitKind::Body && programs.hold.is_none() && is_singular_at_rest(&*built, load) {
            return Err(FmuError::SingularAtRest { law: law.name }.into());
        }
        let mut ranges = memory_ranges(&*built, load);
        // a law in wrappers has two numbers more, of a noise that is not there
        ranges.truncate(programs.states);
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let name: String = law.name.chars().map(plain).collect();
        let identifier = format!("stiction_{name}_{}", kind.name());
        let maps_load = wrapping.load;
        let turns = params.iter().any(|(_, p)| p.unit.contains("rad"));
        Ok(Self { law, kind, version, identifier, mass: 1.0, params, maps_load, turns, programs, ranges })
    }
    /// The same for a contact that turns: displacements are angles and forces torques, in the units of the parameters, too.
    #[must_use]
    pub fn in_rotational_units(mut self) -> Self {
        self.turns = true;
        self.params.iter_mut().for_each(|(_, p)| p.unit = of_rotation(p.unit));
        self
    }
    /// The same with this mass at the start.
    ///
    /// # Errors
    /// [`FmuError::Mass`] if it is not a positive number; [`FmuError::NoMass`] for a law unit, which has no mass.
    pub fn with_mass(mut self, mass: f64) -> Result<Self, Error> {
        if self.kind == UnitKind::Law {
            return Err(FmuError::NoMass.into());
        }
        if !(MASS_BOUNDS.0..=MASS_BOUNDS.1).contains(&mass) {
            return Err(FmuError::Mass { mass }.into());
        }
        self.mass = mass;
        Ok(self)
    }
    /// The variables, in the order of their value references.
    pub fn variables(&self) -> Vec<Variable> {
        variables::of(self)
    }
    /// Number of event indicators.
    pub fn indicators(&self) -> usize {
        let programs = &self.programs;
        let law = programs.guards.outputs.len();
        match self.kind {
            UnitKind::Law => 1 + law,
            UnitKind::Body => {
                let own = [programs.hold.is_some(), programs.band.is_some(), programs.extremum.is_some()];
                1 + own.into_iter().map(usize::from).sum::<usize>() + law
            }
        }
    }
    /// The files of the unit but for its binary: model description and sources.
    pub fn files(&self) -> Vec<SourceFile> {
        let token = self.token();
        let file = |path: &str, text: String| SourceFile { path: path.to_owned(), text };
        let mut out = vec![file("modelDescription.xml", description::model_description(self, &token))];
        if self.version == FmiVersion::Three {
            out.push(file("sources/buildDescription.xml", description::build_description(self)));
        }
        out.push(file("sources/model.h", model_header::text(self, &token)));
        out.push(file("sources/law.c", law_source::text(&self.programs)));
        out.extend(self.fixed_sources().map(|(name, text)| file(&format!("sources/{name}"), text.to_owned())));
        out
    }
    /// The sources that are the same for every law.
    fn fixed_sources(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        macro_rules! sources {
            ($($name:literal)*) => { [$(($name, include_str!(concat!("sources/", $name)))),*] };
        }
        let interface = match self.version {
            FmiVersion::Two => include_str!("sources/fmi2.c"),
            FmiVersion::Three => include_str!("sources/fmi3.c"),
        };
        sources!["unit.c" "runtime.h" "constant_model.c" "state.c" "runtime.c" "equations.c" "events.c" "rodas5p.c" "rosenbrock.c" "integrator.c"
            "variables.c" "calls.c" "exported.h"]
        .into_iter()
        .chain([("interface.c", interface)])
    }
    /// What tells this unit from all others: a checksum of everything in it, in the form of a GUID.
    fn token(&self) -> String {
        let mut text = description::model_description(self, "") + &model_header::text(self, "");
        text += &law_source::text(&self.programs);
        self.fixed_sources().for_each(|(_, source)| text += source);
        guid(&text)
    }
    /// The unit as one file.
    ///
    /// # Errors
    /// [`FmuError`] if the compiler fails, or the prebuilt library cannot run this unit.
    pub fn archive(&self, binary: &UnitBinary) -> Result<Vec<u8>, Error> {
        let mut files: Vec<OutputFile> = self.files().into_iter().map(OutputFile::from).collect();
        files.extend(terminals::files(self));
        let mut library = None;
        match binary {
            UnitBinary::None => {}
            UnitBinary::Compiled(compiler) => library = Some(binary::compile(self, &files, compiler)?),
            UnitBinary::Prebuilt => {
                library = Some(binary::prebuilt(self)?);
                let text = model_file::text(self, &self.token()).ok_or(FmuError::TooLarge { law: self.law.name })?;
                files.push(OutputFile { path: model_file::PATH.to_owned(), bytes: text.into_bytes() });
            }
        }
        archive::pack(&files, library.as_ref())
    }
}

/// A checksum of a text, in the form of a GUID.
fn guid(text: &str) -> String {
    // reading from memory does not fail
    let sum = sha256(text.as_bytes()).unwrap_or_default();
    let part = |from: usize, to: usize| sum.get(from..to).unwrap_or_default();
    format!("{{{}-{}-{}-{}-{}}}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
}

/// The sizes of the memory while the law slides, either way; 1 where it does not say.
fn memory_ranges(law: &dyn DynLaw, load: f64) -> Vec<f64> {
    let mut ranges = vec![0.0_f64; law.len()];
    let mut memory = ranges.clone();
    for v in [1e-6, 1e-3, 1.0, -1e-6, -1e-3, -1.0] {
        law.settled(&Input { v, load }, &mut memory);
        ranges.iter_mut().zip(&memory).for_each(|(range, z)| *range = range.max(z.abs()));
    }
    ranges.into_iter().map(|range| if range > 0.0 && range < 1e6 { range } else { 1.0 }).collect()
}

/// Whether nearly all of the force of a law arises below the speed that the unit resolves, so that its integrator cannot follow a body that
/// comes to rest: its slope at rest is much larger than its mean slope up to that speed, with the memory at the start, or with one that
/// sliding leaves.
fn is_singular_at_rest(law: &dyn DynLaw, load: f64) -> bool {
    /// The absolute tolerance of velocities \[m/s\] at the tolerance that units have unless told otherwise.
    const SPEED: f64 = 1e-12;
    const RATIO: f64 = 10.0;
    let mut memory = vec![0.0; law.len()];
    let at = |v: f64| Input { v, load };
    [(0.0, 1.0), (1e-6, 1.0), (1.0, 1.0), (0.0, -1.0), (-1e-6, -1.0), (-1.0, -1.0)].into_iter().any(
        |(settling, dir)| {
            if settling == 0.0 {
                memory.fill(0.0);
            } else {
                law.settled(&at(settling), &mut memory);
            }
            let mut row = [0.0; 3];
            law.partials(&memory, &at(dir * 1e-200), &[], false, &mut row);
            let (rest, slope) = (row[0], row[1]);
            let fast = law.force(&memory, &at(dir * SPEED));
            slope.abs() * SPEED > RATIO * (fast - rest).abs() + 1e-12 * (rest.abs() + fast.abs())
        },
    )
}
