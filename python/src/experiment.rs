//! Design of experiments: motions that identify a law best within the limits of an axis.
use crate::error::PythonError;
use crate::interrupt::in_background;
use crate::law::Law;
use crate::table::{ColumnData, Table};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use std::path::Path;
use stiction::Error;
use stiction::identify::MassOption;
use stiction::identify::excitation::{AxisLimits, DesignOptions, design};
use stiction::identify::report::figures;
use stiction::table::{self, ColumnHeaders};
use stiction::units::LawUnits;

/// Limits and options, as Python gives them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct DesignArguments {
    stroke: f64,
    speed: f64,
    acceleration: f64,
    force: f64,
    mass: f64,
    frequency: f64,
    resolution: f64,
    duration: f64,
    rate: f64,
    noise: Option<f64>,
    free: Vec<String>,
    seek_mass: bool,
    offset: bool,
    seed: u32,
}

/// Key, unit, assumed value, predicted standard error, and that of the best single sine.
type PredictedRow = (String, String, f64, f64, f64);
/// The motion; predicted errors; noise, efficiency and gain over the best single sine; pictures as SVG.
type Design = (Table, Vec<PredictedRow>, [f64; 3], Vec<String>);

/// The motion that identifies a law best.
#[pyfunction]
pub fn design_experiment(py: Python<'_>, law: &Law, arguments: DesignArguments) -> Result<Design, PythonError> {
    let limits = AxisLimits {
        stroke: arguments.stroke,
        speed: arguments.speed,
        acceleration: arguments.acceleration,
        force: arguments.force,
        mass: arguments.mass,
        frequency: arguments.frequency,
        resolution: arguments.resolution,
    };
    let options = DesignOptions {
        duration: arguments.duration,
        rate: arguments.rate,
        noise: arguments.noise,
        free: arguments.free,
        mass: if arguments.seek_mass { MassOption::Estimated } else { MassOption::Given },
        offset: arguments.offset,
        seed: arguments.seed,
    };
    let spec = law.file.spec.clone();
    let found = in_background(py, move |_| design(&spec, &limits, &options))??;
    let LawUnits { displacement: way, force, .. } = LawUnits::of(found.law.law());
    let motion = found.motion;
    let columns = [
        ("t", "s".to_owned(), motion.t),
        ("x", way.to_owned(), motion.position),
        ("v", format!("{way}/s"), motion.velocity),
        ("a", format!("{way}/s²"), motion.acceleration),
        ("friction", force.to_owned(), found.friction),
    ];
    let columns = columns.map(|(name, unit, values)| (name.to_owned(), unit, ColumnData::Numbers(values)));
    let predicted = found.predicted.into_iter().map(|one| (one.key, one.unit, one.value, one.error, one.sine));
    let svg = figures(&found.result).iter().map(|figure| figure.svg()).collect();
    let numbers = [found.noise, found.efficiency, found.gain];
    Ok((Table::new(py, columns.into())?, predicted.collect(), numbers, svg))
}

/// Writes columns of equal length as CSV, or as Parquet if the path ends so; whole or not at all.
#[pyfunction]
pub fn write_columns(
    path: &str,
    headers: Vec<(String, String)>,
    columns: Vec<PyReadonlyArray1<'_, f64>>,
) -> Result<(), PythonError> {
    let headers: ColumnHeaders = headers.into_iter().collect();
    let columns: Vec<_> = columns.iter().map(|column| column.as_array()).collect();
    let rows = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    let mut row = vec![0.0; columns.len()];
    let written = table::write(Path::new(path), &headers, |take| {
        (0..rows).try_for_each(|k| {
            row.iter_mut().zip(&columns).for_each(|(to, column)| *to = column[k]);
            take(&row)
        })
    });
    Ok(written.map_err(Error::from)?)
}
