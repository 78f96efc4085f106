//! A table of named columns, numbers or text, that never changes.
use crate::arrow::{self, ExportedColumn, ExportedData};
use crate::error::PythonError;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use std::sync::Arc;

/// What a column holds.
pub enum ColumnData {
    /// Numbers.
    Numbers(Vec<f64>),
    /// Texts.
    Text(Vec<String>),
}

/// A column as Python holds it.
struct Column {
    name: String,
    unit: String,
    /// A read-only array, or a list of texts.
    values: Py<PyAny>,
    exported: Arc<ExportedColumn>,
}

/// Name, unit and values of each column.
type ColumnRows = Vec<(String, String, Py<PyAny>)>;

/// The values of a column that was pickled.
#[derive(FromPyObject)]
enum RestoredValues<'py> {
    Numbers(PyReadonlyArray1<'py, f64>),
    Text(Vec<String>),
}

/// Columns of equal length. `pyarrow.table(...)` and `polars.DataFrame(...)` take it through the Arrow PyCapsule interface, without
/// copying numbers.
#[pyclass(frozen, module = "stiction._native")]
pub struct Table {
    columns: Vec<Column>,
    rows: usize,
}

impl Table {
    /// Takes the columns over: name, unit, values.
    pub fn new(py: Python<'_>, columns: Vec<(String, String, ColumnData)>) -> PyResult<Self> {
        let mut rows = 0;
        let columns = columns.into_iter().map(|(name, unit, data)| {
            let (values, data) = match data {
                ColumnData::Numbers(numbers) => {
                    rows = numbers.len();
                    let array = PyArray1::from_vec(py, numbers);
                    array.call_method1("setflags", (false,))?;
                    let (pointer, length) = (array.data().cast_const(), array.len());
                    let owner = array.clone().into_any().unbind();
                    (array.into_any().unbind(), ExportedData::Numbers { pointer, length, _owner: owner })
                }
                ColumnData::Text(texts) => {
                    rows = texts.len();
                    (PyList::new(py, &texts)?.into_any().unbind(), ExportedData::text(&texts))
                }
            };
            let exported = Arc::new(ExportedColumn::new(&name, &unit, data));
            Ok(Column { name, unit, values, exported })
        });
        let columns = columns.collect::<PyResult<_>>()?;
        Ok(Self { columns, rows })
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    pub fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.name.as_str()).collect()
    }
    /// The units of the columns.
    #[getter]
    fn units(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.unit.as_str()).collect()
    }
    fn __len__(&self) -> usize {
        self.rows
    }
    /// The column called `name`.
    pub fn __getitem__(&self, py: Python<'_>, name: &str) -> Result<Py<PyAny>, PythonError> {
        let column = self.columns.iter().find(|column| column.name == name);
        column
            .map(|column| column.values.clone_ref(py))
            .ok_or_else(|| PythonError::unknown_name("column", name, &self.names()))
    }
    /// The table of columns: name, unit, and an array of numbers or a list of texts.
    #[staticmethod]
    fn of(py: Python<'_>, columns: Vec<(String, String, RestoredValues<'_>)>) -> PyResult<Self> {
        let columns = columns.into_iter().map(|(name, unit, values)| {
            let data = match values {
                RestoredValues::Numbers(array) => ColumnData::Numbers(array.as_array().to_vec()),
                RestoredValues::Text(texts) => ColumnData::Text(texts),
            };
            (name, unit, data)
        });
        Self::new(py, columns.collect())
    }
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (ColumnRows,))> {
        let row = |column: &Column| (column.name.clone(), column.unit.clone(), column.values.clone_ref(slf.py()));
        Ok((slf.get_type().getattr("of")?, (slf.get().columns.iter().map(row).collect(),)))
    }
    /// The columns' names and types, as an Arrow schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, self.exported())
    }
    /// The table as an Arrow stream of one batch.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyCapsule>, PythonError> {
        // other types than those of the table may be asked for, and the table may ignore that
        drop(requested_schema);
        Ok(arrow::stream(py, self.exported(), self.rows)?)
    }
}

impl Table {
    /// The unit of a column; none if there is no such column.
    pub fn unit(&self, name: &str) -> Option<&str> {
        self.columns.iter().find(|column| column.name == name).map(|column| column.unit.as_str())
    }
    /// The values of a column of numbers, copied.
    pub fn numbers(&self, py: Python<'_>, name: &str) -> Result<Vec<f64>, PythonError> {
        let column = self.__getitem__(py, name)?;
        let values: PyReadonlyArray1<'_, f64> = column.extract(py)?;
        Ok(values.as_array().to_vec())
    }
    fn exported(&self) -> Vec<Arc<ExportedColumn>> {
        self.columns.iter().map(|column| column.exported.clone()).collect()
    }
}
