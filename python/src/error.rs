//! Errors of the library as exceptions with a hint.
use pyo3::PyErr;
use pyo3::exceptions::PyMemoryError;
use stiction::Error;
use stiction::analysis::sampled_motion::SampledMotionError;
use stiction::analysis::steady_curve::InputLimitError;
use stiction::similar_names::similar;
use stiction::{LawError, SimError};

/// The exceptions, which are written in Python.
pub mod exceptions {
    pyo3::import_exception!(stiction._errors, Error);
    pyo3::import_exception!(stiction._errors, UnknownName);
}

/// An error that becomes an exception.
pub struct PythonError(PyErr);

impl PythonError {
    /// From a message and a hint.
    pub fn new(message: impl ToString, hint: Option<String>) -> Self {
        Self(exceptions::Error::new_err((message.to_string(), hint)))
    }
    /// No memory for so many numbers.
    pub fn memory(numbers: usize) -> Self {
        Self(PyMemoryError::new_err(format!("no memory for {numbers} numbers")))
    }
    /// A name that is not among the known ones.
    pub fn unknown_name(what: &str, name: &str, known: &[&str]) -> Self {
        let near = similar(name, known.iter().copied());
        let hint = if near.is_empty() {
            format!("there is: {}", known.join(", "))
        } else {
            format!("did you mean '{}'?", near.join("' or '"))
        };
        Self(exceptions::UnknownName::new_err((format!("there is no {what} '{name}'"), hint)))
    }
}

impl From<PythonError> for PyErr {
    fn from(error: PythonError) -> Self {
        error.0
    }
}

impl From<PyErr> for PythonError {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<Error> for PythonError {
    fn from(error: Error) -> Self {
        let message = match &error {
            // an assignment, which has no option here
            Error::Set { text, error } => format!("{text}: {error}"),
            error => error.to_string(),
        };
        let (mut file, mut line, mut column) = (None, None, None);
        if let Error::At { position, .. } = &error {
            file = Some(position.path.clone());
            line = Some(position.line);
            column = Some(position.column);
        }
        Self(exceptions::Error::new_err((message, error.hint(), file, line, column)))
    }
}

impl From<SimError> for PythonError {
    fn from(error: SimError) -> Self {
        Error::from(error).into()
    }
}

impl From<LawError> for PythonError {
    fn from(error: LawError) -> Self {
        Error::from(error).into()
    }
}

impl From<InputLimitError> for PythonError {
    fn from(error: InputLimitError) -> Self {
        Self::new(error, Some(error.hint().to_owned()))
    }
}

impl From<SampledMotionError> for PythonError {
    fn from(error: SampledMotionError) -> Self {
        Self::new(error, error.hint().map(str::to_owned))
    }
}
