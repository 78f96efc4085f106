//! A record as measured.
use super::Remark;
use super::column_roles::{ColumnRole, ROLE_COUNT};
use super::motion::ForceTerm;
use crate::data::audit::Audit;
use std::path::Path;

/// A part of the expression of a force that seems to be cut off.
#[derive(Clone, Debug)]
pub(super) struct PartAtLimit {
    /// Its column, or the function that gives it.
    pub name: String,
    /// Its least and its largest value, in the unit of the file, where it is cut off.
    pub limits: [Option<f64>; 2],
    /// Rows in which it is there.
    pub rows: usize,
}

/// A record as measured, in SI units.
#[derive(Clone, Debug)]
pub struct RawRecord {
    /// The file.
    pub name: String,
    /// Columns by role.
    pub columns: [Option<Vec<f64>>; ROLE_COUNT],
    /// Forces whose size is estimated.
    pub terms: Vec<ForceTerm>,
    /// Whether the units are those of a rotation or of a translation; none if they do not tell.
    pub rotational: Option<bool>,
    /// Whether the force is, in each row, at a value at which it seems to be cut off; empty if it never is.
    pub at_limit: Vec<bool>,
    /// Parts of the expression of the force that seem to be cut off.
    pub(super) parts_at_limit: Vec<PartAtLimit>,
    /// Line of each row in a text file; empty for other files.
    pub lines: Vec<u64>,
    /// Audit of the file.
    pub audit: Audit,
    /// Remarks for the reader.
    pub remarks: Vec<Remark>,
}

impl RawRecord {
    /// The name of the file without its folder, for tables and remarks.
    pub fn file_name(&self) -> String {
        file_name(&self.name)
    }
    /// Rows.
    pub fn rows(&self) -> usize {
        self.columns.iter().flatten().map(Vec::len).max().unwrap_or(0)
    }
    /// A column.
    pub fn get(&self, role: ColumnRole) -> Option<&[f64]> {
        self.columns[role as usize].as_deref()
    }
    /// The record with the rows alone that this keeps, counted from zero.
    pub(super) fn only_rows(&self, keep: &dyn Fn(usize) -> bool) -> Self {
        fn kept<T: Copy>(list: &[T], keep: &dyn Fn(usize) -> bool) -> Vec<T> {
            list.iter().enumerate().filter(|(k, _)| keep(*k)).map(|(_, x)| *x).collect()
        }
        Self {
            columns: self.columns.each_ref().map(|column| column.as_ref().map(|x| kept(x, keep))),
            terms: self.terms.iter().map(|term| term.with(kept(&term.values, keep))).collect(),
            at_limit: kept(&self.at_limit, keep),
            lines: kept(&self.lines, keep),
            ..self.clone()
        }
    }
    /// Name of row `k`, counted from zero: its line in a text file, else its number.
    pub(super) fn row_label(&self, k: usize) -> String {
        match self.lines.get(k) {
            Some(line) => format!("line {line}"),
            None => format!("row {}", k + 1),
        }
    }
}

/// The name of a file without its folder.
pub(super) fn file_name(path: &str) -> String {
    let file = Path::new(path).file_name();
    file.map_or_else(|| path.to_owned(), |file| file.to_string_lossy().into_owned())
}
