//! Devices whose friction is known.
use crate::analysis::Analysis;
use crate::error::PythonError;
use pyo3::prelude::*;
use stiction::device;
use stiction_report::device::DeviceReport;

/// What is known of a device: values, intervals, conditions and sources.
#[pyfunction]
pub fn device_report(name: &str) -> Result<Analysis, PythonError> {
    let names: Vec<&str> = device::ALL.iter().map(|device| device.name).collect();
    let found = device::find(name).ok_or_else(|| PythonError::unknown_name("device", name, &names))?;
    Ok(Analysis::new(DeviceReport::new(found)?))
}
