//! Laws and scenarios as files for other simulators, and as live pages.
use crate::analysis::{Analysis, Files};
use crate::error::PythonError;
use crate::interrupt::in_background;
use crate::law::Law;
use crate::scenario::Scenario;
use pyo3::prelude::*;
use std::path::PathBuf;
use stiction::export::fmu::{Compiler, FmiVersion, FmuError, FmuPlan, ScenarioUnit, UnitBinary, UnitKind};
use stiction::export::live_page::LiveLaw;
use stiction::export::mujoco_plugin::MujocoPlugin;
use stiction::export::robot::{IntoFile, RobotFormat, RobotRequest};
use stiction::sweep::spaced_value;
use stiction::units::LawUnits;
use stiction::{Error, FileError, ParameterFile, ParameterGroup};
use stiction_report::fmu::{FmuReport, ScenarioUnitReport};
use stiction_report::mujoco_plugin::PluginReport;
use stiction_report::robot::RobotReport;

/// Loads between the least and the largest of the data that the model was identified from, as in the program.
const LOADS: u64 = 5;

fn version(fmi: u8) -> Result<FmiVersion, PythonError> {
    match fmi {
        2 => Ok(FmiVersion::Two),
        3 => Ok(FmiVersion::Three),
        other => Err(PythonError::new(format!("fmi = {other}"), Some("2 or 3".to_owned()))),
    }
}

/// The binary that is asked for, or is to be had here.
fn binary(asked: Option<&str>) -> Result<UnitBinary, PythonError> {
    Ok(match asked {
        None => UnitBinary::here(),
        Some("prebuilt") => UnitBinary::Prebuilt,
        Some("compiled") => UnitBinary::Compiled(Compiler::here().ok_or(Error::from(FmuError::NoCompiler))?),
        Some("none") => UnitBinary::None,
        Some(other) => {
            let hint = "prebuilt, compiled or none".to_owned();
            return Err(PythonError::new(format!("binary = '{other}'"), Some(hint)));
        }
    })
}

/// A law, with its body or alone, as a functional mock-up unit.
#[pyfunction]
pub fn law_unit(
    py: Python<'_>,
    law: &Law,
    fmi: u8,
    with_body: bool,
    mass: Option<f64>,
    asked: Option<&str>,
) -> Result<(Analysis, Files), PythonError> {
    let (model, version, binary) = (law.file.clone(), version(fmi)?, binary(asked)?);
    let mut notes = Vec::new();
    if asked.is_none() && binary == UnitBinary::None {
        notes.push("there is no prebuilt binary and no C compiler (CC, or cc): the unit has sources only".to_owned());
    }
    let (report, file) = in_background(py, move |_| {
        let kind = if with_body { UnitKind::Body } else { UnitKind::Law };
        let mut plan = FmuPlan::new(&model.spec, kind, version)?;
        if model.turns() == Some(true) {
            plan = plan.in_rotational_units();
        }
        if let Some(mass) = mass.or(model.mass().filter(|_| with_body)) {
            plan = plan.with_mass(mass)?;
        }
        let bytes = plan.archive(&binary)?;
        let file = (format!("{}.fmu", plan.identifier), bytes);
        Ok::<_, Error>((FmuReport { plan, binary }, file))
    })??;
    Ok((Analysis::with_notes(report, notes), vec![file]))
}

/// A scenario as a functional mock-up unit, with the simulator of the library at this path.
#[pyfunction]
pub fn scenario_unit(
    py: Python<'_>,
    scenario: &Scenario,
    fmi: u8,
    library: Option<PathBuf>,
) -> Result<(Analysis, Files), PythonError> {
    let (name, template, version) = (scenario.name.clone(), scenario.template.clone(), version(fmi)?);
    let (report, file) = in_background(py, move |_| {
        let unit = ScenarioUnit::new(&name, &template, version)?;
        let library = library.map_or_else(ScenarioUnit::library, Ok)?;
        let bytes = unit.archive(&library)?;
        let file = (format!("{}.fmu", unit.identifier), bytes);
        Ok::<_, Error>((ScenarioUnitReport { unit, library }, file))
    })??;
    Ok((Analysis::new(report), vec![file]))
}

/// The friction of a joint, as Python asks for it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct JointArguments {
    joints: Vec<String>,
    into: Option<PathBuf>,
    speeds: Option<[f64; 2]>,
    loads: Vec<f64>,
    turns: Option<bool>,
    mass: Option<f64>,
    lugre: bool,
}

/// What is asked for; what is left out is as the model says, as in the program.
fn request(model: &ParameterFile, format: RobotFormat, asked: &JointArguments) -> Result<RobotRequest, PythonError> {
    let by_unit = (LawUnits::of(model.spec.law()).displacement == "rad").then_some(true);
    let known = model.turns().or(by_unit);
    if let (Some(asked), Some(known)) = (asked.turns, known)
        && asked != known
    {
        let hint = Some("leave turns out".to_owned());
        return Err(PythonError::new(format!("turns contradicts the model, which says {known}"), hint));
    }
    let seen = model.identified.as_ref();
    let mut request = RobotRequest::new(model.spec.clone(), format);
    request.turns = asked.turns.or(known);
    request.mass = asked.mass.or(model.mass()).unwrap_or(request.mass);
    request.speeds = asked.speeds.or(seen.and_then(|found| found.fastest).map(|fastest| [0.0, fastest]));
    request.joints.clone_from(&asked.joints);
    request.lugre = asked.lugre;
    let loads = seen.and_then(|found| found.loads).filter(|_| request.spec.has(ParameterGroup::Load));
    request.loads = match loads {
        _ if !asked.loads.is_empty() => asked.loads.clone(),
        Some([least, largest]) => (0..LOADS).map(|k| spaced_value((least, largest), false, LOADS, k)).collect(),
        None => request.loads,
    };
    Ok(request)
}

/// A law as friction of a joint of a robot: the file, and a program that compares it with the law.
#[pyfunction]
pub fn joint_friction(
    py: Python<'_>,
    law: &Law,
    target: &str,
    arguments: JointArguments,
) -> Result<(Analysis, Files), PythonError> {
    let known = RobotFormat::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(target));
    let Some(format) = known else { return Err(PythonError::new(format!("there is no target '{target}'"), None)) };
    if arguments.lugre && format != RobotFormat::Mjcf {
        return Err(PythonError::new("lugre is for mjcf", Some("leave it out".to_owned())));
    }
    if arguments.into.is_none() && arguments.joints.len() > 1 {
        return Err(PythonError::new("a new file has one joint", Some("name one, or a robot with into".to_owned())));
    }
    let request = request(&law.file, format, &arguments)?;
    let (report, files) = in_background(py, move |_| {
        let into = arguments.into;
        let export = request.fit()?;
        let bytes = into.as_ref().map(|path| std::fs::read(path).map_err(|io| FileError::read(path, io)));
        let bytes = bytes.transpose().map_err(Error::from)?;
        // the new file is for the folder of the robot, with its paths
        let source = into.as_deref().zip(bytes.as_deref());
        let file = export.file(source.map(|(path, bytes)| IntoFile { bytes, path, output: path }))?;
        let ending = format.endings().first().copied().unwrap_or_default();
        let name = match into.as_deref().and_then(|path| Some((path.file_stem()?.to_str()?, path))) {
            Some((stem, path)) => {
                let own = path.extension().and_then(|end| end.to_str()).filter(|end| format.endings().contains(end));
                format!("{stem}-friction.{}", own.unwrap_or(ending))
            }
            None => format!("{}.{ending}", export.request.spec.law().name),
        };
        let check = export.check_script("check.py".as_ref(), Some(name.as_ref()), &file);
        let files = vec![(name, file.text.clone().into_bytes()), ("check.py".to_owned(), check.into_bytes())];
        Ok::<_, Error>((RobotReport::new(export, file)?, files))
    })??;
    let notes = report.file.notes.clone();
    Ok((Analysis::with_notes(report, notes), files))
}

/// A law as a plugin of MuJoCo.
#[pyfunction]
pub fn mujoco_plugin(law: &Law, mass: Option<f64>) -> Result<(Analysis, Files), PythonError> {
    let model = &law.file;
    let mut plugin = MujocoPlugin::new(&model.spec)?;
    if let Some(mass) = mass.or(model.mass()) {
        plugin = plugin.with_mass(mass)?;
    }
    if let Some(turns) = model.turns() {
        plugin = plugin.with_turns(turns);
    }
    let files = plugin.files().into_iter().map(|file| (file.path, file.text.into_bytes())).collect();
    Ok((Analysis::new(PluginReport { plugin }), files))
}

/// A law as a live page; `source` is what the commands on it take for the law.
#[pyfunction]
pub fn live_page(law: &Law, source: &str) -> Result<String, PythonError> {
    Ok(LiveLaw::new(&law.file.spec, source).turns(law.file.turns()).page()?)
}
