//! Whether this installation works.
use crate::analysis::Analysis;
use crate::error::PythonError;
use crate::interrupt::in_background;
use pyo3::prelude::*;
use stiction_report::installation::{Check, InstallationReport};

/// Checks the build, the machine and computations with known results; versions are those of Python, of NumPy and of other packages.
#[pyfunction]
pub fn installation(py: Python<'_>, versions: [String; 3]) -> Result<Analysis, PythonError> {
    let [python, numpy, others] = versions;
    let packages = [("version", python), ("NumPy", numpy), ("also there", others)];
    let report = in_background(py, move |_| {
        let properties = packages.map(|(what, value)| Check::property(what, value)).into();
        InstallationReport::examine(("python", properties))
    })?;
    Ok(Analysis::new(report))
}
