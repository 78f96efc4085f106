//! The Arrow C data interface, for columns of float64 and of text: how tables reach pyarrow, polars, pandas and DuckDB without
//! copies and without a dependency. <https://arrow.apache.org/docs/format/CDataInterface.html>
//!
//! A structure that is handed out owns what it points to and frees it in its `release`. Whoever takes a structure copies it and
//! sets `release` of the original to null; the capsule then frees nothing.
//!
//! This is the one place of the package with unsafe code: the interface consists of pointers.
#![allow(unsafe_code)]
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

/// The values of a column.
pub enum ExportedData {
    /// Numbers that an array of Python owns.
    Numbers {
        /// The first.
        pointer: *const f64,
        /// How many.
        length: usize,
        /// The array.
        _owner: Py<PyAny>,
    },
    /// Texts: where each begins and the last ends, and all of them without gaps.
    Text {
        /// One more than texts.
        offsets: Vec<i64>,
        /// All texts.
        bytes: Vec<u8>,
    },
}

// SAFETY: the numbers are in an array that is read-only and that `_owner` keeps alive; nobody writes to them or moves them.
unsafe impl Send for ExportedData {}
// SAFETY: as above; all access is reading.
unsafe impl Sync for ExportedData {}

impl ExportedData {
    /// A column of texts.
    pub fn text(texts: &[String]) -> Self {
        let (mut offsets, mut bytes) = (vec![0], Vec::new());
        for text in texts {
            bytes.extend_from_slice(text.as_bytes());
            offsets.push(bytes.len() as i64);
        }
        Self::Text { offsets, bytes }
    }
    fn format(&self) -> &'static CStr {
        match self {
            Self::Numbers { .. } => c"g",
            // with offsets of 64 bits, so that there is no limit of 2 GiB
            Self::Text { .. } => c"U",
        }
    }
    fn length(&self) -> usize {
        match self {
            Self::Numbers { length, .. } => *length,
            Self::Text { offsets, .. } => offsets.len() - 1,
        }
    }
    /// Pointers to validity (none: all values are valid), offsets and values.
    fn buffers(&self) -> Vec<*const c_void> {
        match self {
            Self::Numbers { pointer, .. } => vec![null(), pointer.cast()],
            Self::Text { offsets, bytes } => vec![null(), offsets.as_ptr().cast(), bytes.as_ptr().cast()],
        }
    }
}

/// A column with its name and unit.
pub struct ExportedColumn {
    name: CString,
    /// In the encoding of the interface.
    metadata: Vec<u8>,
    data: ExportedData,
}

impl ExportedColumn {
    /// A column; the unit goes into the metadata of its field.
    pub fn new(name: &str, unit: &str, data: ExportedData) -> Self {
        // a name with a zero byte cannot be handed over, and no column has one
        let name = CString::new(name.replace('\0', "")).unwrap_or_default();
        let mut metadata = Vec::new();
        if !unit.is_empty() {
            metadata.extend_from_slice(&1_i32.to_ne_bytes());
            for text in ["unit", unit] {
                metadata.extend_from_slice(&(text.len() as i32).to_ne_bytes());
                metadata.extend_from_slice(text.as_bytes());
            }
        }
        Self { name, metadata, data }
    }
}

/// Of the columns of a table.
#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// What a structure owns: what its pointers lead to. `T` is the structure itself, for its children.
struct Owned<T> {
    children: Vec<*mut T>,
    buffers: Vec<*const c_void>,
    /// The columns, so that names and values stay where they are.
    _columns: Vec<Arc<ExportedColumn>>,
}

impl ArrowSchema {
    fn new(format: &'static CStr, column: Option<&Arc<ExportedColumn>>, children: Vec<Self>) -> Self {
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let columns: Vec<_> = column.cloned().into_iter().collect();
        let mut owned = Box::new(Owned { children, buffers: Vec::new(), _columns: columns });
        let (count, first) = (owned.children.len() as i64, owned.children.as_mut_ptr());
        let metadata = column
            .map_or(null(), |column| if column.metadata.is_empty() { null() } else { column.metadata.as_ptr().cast() });
        Self {
            format: format.as_ptr(),
            name: column.map_or(c"".as_ptr(), |column| column.name.as_ptr()),
            metadata,
            flags: 0,
            n_children: count,
            children: first,
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(owned).cast(),
        }
    }
    fn of_table(columns: &[Arc<ExportedColumn>]) -> Self {
        let children = columns.iter().map(|column| Self::new(column.data.format(), Some(column), Vec::new()));
        Self::new(c"+s", None, children.collect())
    }
}

impl ArrowArray {
    fn new(
        length: usize,
        buffers: Vec<*const c_void>,
        column: Option<&Arc<ExportedColumn>>,
        children: Vec<Self>,
    ) -> Self {
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let mut owned = Box::new(Owned { children, buffers, _columns: column.cloned().into_iter().collect() });
        let (count, first) = (owned.children.len() as i64, owned.children.as_mut_ptr());
        Self {
            length: length as i64,
            null_count: 0,
            offset: 0,
            n_buffers: owned.buffers.len() as i64,
            n_children: count,
            buffers: owned.buffers.as_mut_ptr(),
            children: first,
            dictionary: null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(owned).cast(),
        }
    }
    fn of_table(columns: &[Arc<ExportedColumn>], rows: usize) -> Self {
        let child = |column: &Arc<ExportedColumn>| {
            Self::new(column.data.length(), column.data.buffers(), Some(column), Vec::new())
        };
        Self::new(rows, vec![null()], None, columns.iter().map(child).collect())
    }
}

/// SAFETY: `schema` was made by [`ArrowSchema::new`] and not released yet.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: `private_data` is the box of `new`, whose children are boxes; a child that somebody took has no `release`
    unsafe {
        let owned = Box::from_raw((*schema).private_data.cast::<Owned<ArrowSchema>>());
        for child in &owned.children {
            if let Some(release) = (**child).release {
                release(*child);
            }
            drop(Box::from_raw(*child));
        }
        (*schema).release = None;
    }
}

/// SAFETY: `array` was made by [`ArrowArray::new`] and not released yet.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: as for the schema
    unsafe {
        let owned = Box::from_raw((*array).private_data.cast::<Owned<ArrowArray>>());
        for child in &owned.children {
            if let Some(release) = (**child).release {
                release(*child);
            }
            drop(Box::from_raw(*child));
        }
        (*array).release = None;
    }
}

/// What a stream owns.
struct Batch {
    columns: Vec<Arc<ExportedColumn>>,
    rows: usize,
    delivered: bool,
}

/// SAFETY: `stream` was made by [`stream`] and not released yet; `out` has room for a schema.
unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: `private_data` is the box of `stream`
    unsafe {
        let batch = &*(*stream).private_data.cast::<Batch>();
        out.write(ArrowSchema::of_table(&batch.columns));
    }
    0
}

/// SAFETY: as for [`get_schema`]; `out` has room for an array. An array without `release` is the end of the stream.
unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: `private_data` is the box of `stream`, which is used by one thread at a time
    unsafe {
        let batch = &mut *(*stream).private_data.cast::<Batch>();
        let mut next = ArrowArray::of_table(&batch.columns, batch.rows);
        if std::mem::replace(&mut batch.delivered, true) {
            release_array(&raw mut next);
        }
        out.write(next);
    }
    0
}

/// SAFETY: no condition.
unsafe extern "C" fn get_last_error(_: *mut ArrowArrayStream) -> *const c_char {
    null()
}

/// SAFETY: `stream` was made by [`stream`] and not released yet.
unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: `private_data` is the box of `stream`
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Batch>()));
        (*stream).release = None;
    }
}

/// A structure in a capsule, which releases it unless somebody took it.
#[repr(transparent)]
struct InCapsule<T: Release>(T);

trait Release {
    fn release(&mut self);
}
impl Release for ArrowSchema {
    fn release(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it was made here and not released yet
            unsafe { release(self) }
        }
    }
}
impl Release for ArrowArrayStream {
    fn release(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it was made here and not released yet
            unsafe { release(self) }
        }
    }
}
impl<T: Release> Drop for InCapsule<T> {
    fn drop(&mut self) {
        self.0.release();
    }
}
// SAFETY: all pointers lead to what the structure owns, and that is Send
unsafe impl<T: Release> Send for InCapsule<T> {}

/// The schema of a table in a capsule.
pub fn schema(py: Python<'_>, columns: Vec<Arc<ExportedColumn>>) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, InCapsule(ArrowSchema::of_table(&columns)), c"arrow_schema")
}

/// A table as a stream of one batch, in a capsule.
pub fn stream(py: Python<'_>, columns: Vec<Arc<ExportedColumn>>, rows: usize) -> PyResult<Bound<'_, PyCapsule>> {
    let batch = Box::new(Batch { columns, rows, delivered: false });
    let stream = ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(batch).cast(),
    };
    PyCapsule::new_with_value(py, InCapsule(stream), c"arrow_array_stream")
}
