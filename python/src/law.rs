//! A friction law with its parameters.
use crate::error::PythonError;
use crate::interrupt::Interrupt;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, ndarray};
use pyo3::prelude::*;
use std::path::Path;
use stiction::analysis::characteristic_scales::CharacteristicScales;
use stiction::analysis::sampled_motion::SampledMotion;
use stiction::analysis::steady_curve::{AtRest, InputLimitError, SteadyCurve, load_factor, steady_forces};
use stiction::core::Input;
use stiction::core::registry::DynLaw;
use stiction::export::live_page::{self, LiveLaw};
use stiction::law_documentation::LawDocumentation;
use stiction::law_file::Dimension;
use stiction::plot::{Axis, Figure, Panel};
use stiction::units::LawUnits;
use stiction::{DeviceRecord, LawFile, ParameterFile, ParameterGroup, device, laws};

/// Speeds that are computed between two questions whether to continue: far below a millisecond each.
const SPEEDS_PER_QUESTION: usize = 4096;

/// An array of one number for each sample.
type Column<'py> = Bound<'py, PyArray1<f64>>;
/// An array of one row for each sample.
type Rows<'py> = Bound<'py, PyArray2<f64>>;
/// Name, value, unit, meaning, default, smallest and largest value of a parameter.
type ParameterRow = (String, f64, &'static str, &'static str, f64, f64, f64);

/// A law with its parameters.
#[pyclass(frozen, module = "stiction._native")]
pub struct Law {
    pub file: ParameterFile,
    law: Box<dyn DynLaw>,
    /// What the user should know of it.
    #[pyo3(get)]
    notes: Vec<String>,
}

impl Law {
    /// A law with more values: set, and computed from known quantities.
    pub fn new(mut file: ParameterFile, set: &[(String, f64)], from: &[(String, f64)]) -> Result<Self, PythonError> {
        let mut notes: Vec<String> = file.note().into_iter().collect();
        notes.extend(file.assign(&by_name(set), &by_name(from))?);
        let law = file.spec.build()?;
        Ok(Self { file, law, notes })
    }
    fn check_state(&self, z: &[f64]) -> Result<(), PythonError> {
        let (found, expected) = (z.len(), self.shown_states());
        if found == expected {
            let Some(wrong) = z.iter().position(|value| !value.is_finite()) else { return Ok(()) };
            let (name, value) = (&self.state_names()[wrong], z[wrong]);
            return Err(PythonError::new(format!("the state {name} = {value} is not a finite number"), None));
        }
        let hint = format!("the states of this law: {}", self.state_names().join(", "));
        Err(PythonError::new(format!("{found} states for a law with {expected}"), (expected > 0).then_some(hint)))
    }
    /// Refuses what laws would clip without a word.
    fn check_input(&self, v: f64, load: f64) -> Result<(), PythonError> {
        load_factor(&self.file.spec, load)?;
        if Input::at(v).slip() == v { Ok(()) } else { Err(InputLimitError::Speed { v }.into()) }
    }
    /// Numbers of memory that a user sees: a law in wrappers has two of noise, also without noise.
    fn shown_states(&self) -> usize {
        let spec = &self.file.spec;
        if spec.has(ParameterGroup::Noise) { self.law.len() } else { spec.law().states.len().min(self.law.len()) }
    }
    /// The whole memory, from what a user sees of it.
    fn memory(&self, z: &[f64]) -> Vec<f64> {
        let mut memory = z.to_vec();
        memory.resize(self.law.len(), 0.0);
        memory
    }
    fn state_names(&self) -> Vec<String> {
        self.states().into_iter().map(|(name, _)| name).collect()
    }
    /// The steady curve through rest over the law's characteristic speeds, or up to `reach`: speeds and forces.
    fn curve_points(&self, reach: Option<f64>, load: f64) -> Result<Vec<(f64, f64)>, PythonError> {
        load_factor(&self.file.spec, load)?;
        let reach = match reach {
            Some(reach) => reach,
            None => 8.0 * CharacteristicScales::measure(&self.file.spec)?.speed,
        };
        let speeds = (-200..=200).map(|k| reach * f64::from(k) / 200.0).collect();
        let curve = SteadyCurve::new(self.law.as_ref(), speeds, load)?;
        Ok(curve.through_rest(&AtRest::new(self.law.as_ref(), load)))
    }
}

fn by_name(values: &[(String, f64)]) -> Vec<(&str, f64)> {
    values.iter().map(|(key, value)| (key.as_str(), *value)).collect()
}

/// The values of a contiguous array, borrowed.
fn values<'a>(array: &'a PyReadonlyArray1<'_, f64>) -> Result<&'a [f64], PythonError> {
    array.as_slice().map_err(|_| PythonError::new("the array is not contiguous", None))
}

/// The values of a contiguous array, to write to.
fn slice_of<'a>(array: &'a mut PyReadwriteArray1<'_, f64>) -> Result<&'a mut [f64], PythonError> {
    array.as_slice_mut().map_err(|_| PythonError::new("the array is not contiguous", None))
}

#[pymethods]
impl Law {
    /// A law by its name or that of a device, or by the path of a parameter file or law file.
    #[staticmethod]
    fn find(name: &str, set: Vec<(String, f64)>, known: Vec<(String, f64)>) -> Result<Self, PythonError> {
        Self::new(ParameterFile::find(name)?, &set, &known)
    }
    /// A law from the text of a parameter file or law file.
    #[staticmethod]
    fn parse(text: &str) -> Result<Self, PythonError> {
        Self::new(ParameterFile::parse(text, Path::new("text"))?, &[], &[])
    }
    /// The same law with other values.
    fn replaced(&self, set: Vec<(String, f64)>, known: Vec<(String, f64)>) -> Result<Self, PythonError> {
        Self::new(self.file.clone(), &set, &known)
    }
    /// The name of the device of the library that it belongs to.
    #[getter]
    fn device(&self) -> Result<Option<&'static str>, PythonError> {
        let Some(record) = &self.file.device else { return Ok(None) };
        Ok(device_names()?.into_iter().find(|(_, title)| *title == record.title).map(|(name, _)| name))
    }
    /// For each row, whether the law admits these values of its parameters: their bounds, and conditions such as fs >= fc.
    fn admits(&self, names: Vec<String>, rows: PyReadonlyArray2<'_, f64>) -> Vec<bool> {
        let own: Vec<(usize, &String)> =
            names.iter().enumerate().filter(|(_, name)| self.file.spec.get(name).is_ok()).collect();
        // a level that the fit has made equal to another, as fs to fc, follows it
        let rows_of = self.file.spec.rows(ParameterGroup::Law);
        let unit = |name: &str| rows_of.iter().find(|(param, _)| param.name == name).map(|(param, _)| param.unit);
        let tied = rows_of.iter().filter(|(param, _)| !names.iter().any(|name| name == param.name));
        let tied = tied.filter_map(|(param, value)| {
            let same = |(_, name): &&(usize, &String)| {
                self.file.spec.get(name) == Ok(*value) && unit(name) == Some(param.unit)
            };
            own.iter().find(same).map(|(k, _)| (*k, param.name))
        });
        let tied: Vec<(usize, &str)> = tied.collect();
        let admits = |row: ndarray::ArrayView1<'_, f64>| {
            let mut spec = self.file.spec.clone();
            let mut set = own.iter().map(|(k, name)| (*k, name.as_str())).chain(tied.iter().copied());
            set.all(|(k, name)| spec.set(name, row[k]).is_ok()) && spec.check().is_ok()
        };
        rows.as_array().rows().into_iter().map(admits).collect()
    }
    /// The text of a parameter file.
    fn to_toml(&self) -> String {
        self.file.to_toml()
    }
    /// Writes a parameter file, whole or not at all.
    fn save(&self, path: &str) -> Result<(), PythonError> {
        Ok(self.file.write(Path::new(path))?)
    }
    /// Its name.
    #[getter]
    fn name(&self) -> &'static str {
        self.file.spec.law().name
    }
    /// The text of the law file that it is from; none of a built-in law.
    #[getter]
    fn definition(&self) -> Option<&'static str> {
        LawFile::of(self.file.spec.law()).map(|file| file.text())
    }
    /// Where the values come from: what the file says, or the record or table of a device.
    #[getter]
    fn provenance(&self) -> Option<String> {
        let of_device = || {
            let DeviceRecord { source, licence, published, .. } = self.file.device.as_ref()?;
            let command = self.file.identified.as_ref().map(|found| format!("identified by {}", found.command));
            let origin = published.as_ref().or(command.as_ref());
            Some(origin.map_or_else(String::new, |origin| format!("{origin}; ")) + &format!("{source} ({licence})"))
        };
        self.file.provenance.clone().or_else(of_device)
    }
    /// Summary, equations and remarks.
    #[getter]
    fn documentation(&self) -> (String, Vec<String>, Vec<String>) {
        let LawDocumentation { summary, equations, remarks } = LawDocumentation::parse(self.file.spec.law().doc);
        (summary, equations, remarks)
    }
    /// Keys of the sources in the list of references: of the law, and of the device whose values it has.
    #[getter]
    fn cite(&self) -> Vec<&str> {
        let law = self.file.spec.law().cite;
        let device = self.file.device.iter().flat_map(|device| &device.cite).map(String::as_str);
        law.iter().copied().chain(device.filter(|key| !law.contains(key))).collect()
    }
    /// Effects that it is known to reproduce.
    #[getter]
    fn shows(&self) -> Vec<&'static str> {
        self.file.spec.law().shows.to_vec()
    }
    /// Units of displacement, speed and force.
    #[getter]
    fn units(&self) -> (&'static str, &'static str, &'static str) {
        let LawUnits { displacement, speed, force } = self.file.units();
        (displacement, speed, force)
    }
    /// Name and unit of each number of its memory; those of noise have no unit.
    #[getter]
    fn states(&self) -> Vec<(String, String)> {
        let own = self.file.spec.law().states.iter().map(|state| (state.name.to_owned(), state.unit.to_owned()));
        let own: Vec<_> = own.take(self.law.len()).collect();
        let more = (own.len()..self.shown_states()).map(|k| (format!("noise{}", k - own.len() + 1), String::new()));
        own.iter().cloned().chain(more).collect()
    }
    /// All parameters; of the wrappers only those in use.
    #[getter]
    fn parameters(&self) -> Vec<ParameterRow> {
        let spec = &self.file.spec;
        let rows = ParameterGroup::ALL
            .into_iter()
            .flat_map(|part| spec.rows(part).into_iter().map(move |(p, value)| (part.key(p.name), value, p)));
        rows.map(|(key, value, p)| (key, value, p.unit, p.doc.trim(), p.default, p.min, p.max)).collect()
    }
    /// The force of steady sliding at each speed.
    fn steady<'py>(
        &self,
        py: Python<'py>,
        v: PyReadonlyArray1<'py, f64>,
        load: f64,
    ) -> Result<Column<'py>, PythonError> {
        load_factor(&self.file.spec, load)?;
        let speeds = values(&v)?;
        let mut interrupt = Interrupt::new();
        let force = py.detach(|| {
            let mut force = Vec::new();
            force.try_reserve_exact(speeds.len()).map_err(|_| PythonError::memory(speeds.len()))?;
            for some in speeds.chunks(SPEEDS_PER_QUESTION) {
                if !interrupt.should_continue() {
                    break;
                }
                steady_forces(self.law.as_ref(), some, load, &mut force)?;
            }
            Ok::<_, PythonError>(force)
        })?;
        interrupt.end()?;
        Ok(PyArray1::from_vec(py, force))
    }
    /// Force and memory after each sample of a motion, from memory `state`.
    fn along<'py>(
        &self,
        py: Python<'py>,
        v: PyReadonlyArray1<'py, f64>,
        dt: PyReadonlyArray1<'py, f64>,
        load: PyReadonlyArray1<'py, f64>,
        state: Vec<f64>,
    ) -> Result<(Column<'py>, Rows<'py>), PythonError> {
        self.check_state(&state)?;
        // the factor is affine in the load, so that the ends of its range tell; the motion itself tells of those that are no numbers
        let finite = || values(&load).map(|all| all.iter().copied().filter(|load| load.is_finite()));
        for end in [finite()?.reduce(f64::min), finite()?.reduce(f64::max)].into_iter().flatten() {
            load_factor(&self.file.spec, end)?;
        }
        let motion = SampledMotion { v: values(&v)?, dt: values(&dt)?, load: values(&load)? };
        let (samples, states) = (motion.v.len(), self.shown_states());
        let mut state = self.memory(&state);
        let mut interrupt = Interrupt::new();
        // NumPy makes the room: it raises MemoryError where Rust would abort
        let zeros = |count: usize| py.import("numpy")?.call_method1("zeros", (count,));
        let forces: Column<'py> = zeros(samples)?.cast_into().map_err(PyErr::from)?;
        let memories: Column<'py> = zeros(samples.saturating_mul(states))?.cast_into().map_err(PyErr::from)?;
        let (mut to_force, mut to_memory) = (forces.readwrite(), memories.readwrite());
        let (force, memory) = (slice_of(&mut to_force)?, slice_of(&mut to_memory)?);
        let done = py.detach(|| {
            let go_on = || interrupt.should_continue();
            motion.drive(self.law.as_ref(), &mut state, force, memory, go_on)
        });
        interrupt.end()?;
        done?;
        drop((to_force, to_memory));
        Ok((forces, memories.reshape([samples, states])?))
    }
    /// Force and rates of the memory at one instant.
    fn flow<'py>(
        &self,
        py: Python<'py>,
        v: f64,
        z: PyReadonlyArray1<'py, f64>,
        load: f64,
    ) -> Result<(f64, Column<'py>), PythonError> {
        let z = values(&z)?;
        self.check_state(z)?;
        self.check_input(v, load)?;
        let mut rate = vec![0.0; self.law.len()];
        let force = self.law.flow(&self.memory(z), &Input { v, load }, &mut rate);
        rate.truncate(z.len());
        Ok((force, PyArray1::from_vec(py, rate)))
    }
    /// The memory after sliding for ever at `v`.
    fn settled<'py>(&self, py: Python<'py>, v: f64, load: f64) -> Result<Column<'py>, PythonError> {
        self.check_input(v, load)?;
        let mut z = vec![0.0; self.law.len()];
        self.law.settled(&Input { v, load }, &mut z);
        z.truncate(self.shown_states());
        Ok(PyArray1::from_vec(py, z))
    }
    /// The forces that it holds at rest: the smallest and the largest.
    fn at_rest(&self, load: f64) -> Result<(f64, f64), PythonError> {
        self.check_input(0.0, load)?;
        let [low, high] = AtRest::new(self.law.as_ref(), load).held;
        Ok((low, high))
    }
    /// The steady curve through rest, as points: speeds and forces.
    fn curve<'py>(
        &self,
        py: Python<'py>,
        reach: Option<f64>,
        load: f64,
    ) -> Result<(Column<'py>, Column<'py>), PythonError> {
        let (v, force) = self.curve_points(reach, load)?.into_iter().unzip();
        Ok((PyArray1::from_vec(py, v), PyArray1::from_vec(py, force)))
    }
    /// The steady curve as a picture.
    fn svg(&self) -> Result<String, PythonError> {
        let (_, speed, force) = self.units();
        let panel = Panel::new(Axis::linear(format!("v [{speed}]")), Axis::linear(format!("F [{force}]")))
            .line(self.name(), self.curve_points(None, 1.0)?);
        Ok(Figure::new(format!("{}: steady curve", self.name())).panel(panel).svg())
    }
    /// The part of a page with sliders and plots; `source` is what the commands on it take for the law.
    fn live_part(&self, source: &str, mass: Option<f64>) -> Result<String, PythonError> {
        let live =
            LiveLaw::new(&self.file.spec, source).turns(self.file.turns()).mass(mass.or_else(|| self.file.mass()));
        Ok(live.section()?.into_string())
    }
}

/// Script and style of a law's live part in a cell of a notebook.
#[pyfunction]
pub fn live_cell() -> (String, String) {
    (live_page::cell_script(), live_page::cell_style())
}

/// The names of all laws, those of files that were read included.
#[pyfunction]
pub fn law_names() -> Vec<&'static str> {
    laws::names().collect()
}

/// Exponents of metre, second, kilogram, kelvin and ampere of a unit, and the unit in its usual form.
#[pyfunction]
pub fn unit_of(text: &str) -> Result<([f64; 5], String), PythonError> {
    let dimension = Dimension::parse(text).map_err(stiction::Error::from)?;
    let name = if dimension.is(Dimension::NONE) { "-".to_owned() } else { dimension.to_string() };
    Ok((dimension.exponents(), name))
}

/// The devices with known friction: names and titles.
#[pyfunction]
pub fn device_names() -> Result<Vec<(&'static str, String)>, PythonError> {
    let title = |device: &device::Device| {
        let file = ParameterFile::parse(device.text, Path::new(device.name))?;
        Ok((device.name, file.device.map(|record| record.title).unwrap_or_default()))
    };
    device::ALL.iter().map(title).collect()
}
