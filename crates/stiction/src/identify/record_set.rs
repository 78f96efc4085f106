//! Records read from tables and prepared, with what a report says of them.
use super::report::InputFile;
use super::{ColumnRoles, MotionRecord, Preparation, PreparedMotion, RawRecord, Remark, Severity, prepare};
use crate::Error;
use crate::data::DataFile;
use std::path::Path;

/// The prepared motions of several tables.
#[derive(Debug, Default)]
pub struct RecordSet {
    /// The motions; a table with gaps gives several.
    pub prepared: Vec<PreparedMotion>,
    /// The table that each of them is from.
    from: Vec<usize>,
    /// The tables.
    pub inputs: Vec<InputFile>,
    /// Remarks on them.
    pub remarks: Vec<Remark>,
    /// Whether the units of a table are those of a rotation or of a straight motion; none if they do not tell.
    pub rotational: Option<bool>,
    /// Forces whose size is estimated: the name of the coefficient, and the expression.
    pub terms: Vec<(String, String)>,
}

impl RecordSet {
    /// Reads and prepares one more table, whose bytes have this digest.
    ///
    /// # Errors
    /// [`Error`] for columns that are missing or cannot be prepared.
    pub fn add(
        &mut self,
        table: &DataFile,
        sha256: String,
        roles: &ColumnRoles,
        how: &Preparation,
    ) -> Result<(), Error> {
        self.push(roles.read(table)?, sha256, &roles.terms, how)
    }
    /// Prepares a table that has been read, with these forces whose size is estimated.
    ///
    /// # Errors
    /// [`Error`] for columns that cannot be prepared.
    pub fn push(
        &mut self,
        raw: RawRecord,
        sha256: String,
        terms: &[(String, String)],
        how: &Preparation,
    ) -> Result<(), Error> {
        let (prepared, remarks) = prepare(&raw, how)?;
        self.terms = terms.to_vec();
        self.rotational = self.rotational.or(raw.rotational);
        self.from.extend(vec![self.inputs.len(); prepared.len()]);
        self.prepared.extend(prepared);
        self.remarks.extend(remarks);
        let audit = raw.audit.to_string();
        self.inputs.push(InputFile { name: raw.name, sha256, rows: raw.audit.rows, audit });
        Ok(())
    }
    /// The motions alone.
    pub fn motions(&self) -> Vec<MotionRecord> {
        self.prepared.iter().map(|prepared| prepared.motion.clone()).collect()
    }
    /// The speed below which 99 % of the measured velocities are; none if nothing moves. The fastest of all may be an error of measurement.
    pub fn fastest(&self) -> Option<f64> {
        usual_speed(self.prepared.iter().flat_map(|prepared| &prepared.motion.velocity).copied())
    }
    /// Least and largest load; none if it was not measured.
    pub fn loads(&self) -> Option<[f64; 2]> {
        let all = self.prepared.iter().flat_map(|prepared| &prepared.motion.load).filter(|load| load.is_finite());
        all.fold(None, |ends: Option<[f64; 2]>, &x| {
            let [least, largest] = ends.unwrap_or([x; 2]);
            Some([least.min(x), largest.max(x)])
        })
    }
    /// One motion for each table, with its parts joined.
    pub fn joined(&self) -> Vec<MotionRecord> {
        let mut out: Vec<(usize, MotionRecord)> = Vec::new();
        for (prepared, &file) in self.prepared.iter().zip(&self.from) {
            let part = &prepared.motion;
            match out.last_mut().filter(|(last, _)| *last == file) {
                Some((_, motion)) => {
                    for (all, more) in [
                        (&mut motion.t, &part.t),
                        (&mut motion.position, &part.position),
                        (&mut motion.velocity, &part.velocity),
                        (&mut motion.acceleration, &part.acceleration),
                        (&mut motion.force, &part.force),
                        (&mut motion.load, &part.load),
                    ] {
                        all.extend_from_slice(more);
                    }
                    motion.saturated.extend_from_slice(&part.saturated);
                    for (all, more) in motion.terms.iter_mut().zip(&part.terms) {
                        all.values.extend_from_slice(&more.values);
                    }
                }
                None => {
                    let name = self.inputs.get(file).map_or_else(|| part.name.clone(), |input| input.name.clone());
                    let name = Path::new(&name).file_name().map(|f| f.to_string_lossy().into_owned()).unwrap_or(name);
                    out.push((file, MotionRecord { name, ..part.clone() }));
                }
            }
        }
        out.into_iter().map(|(_, motion)| motion).collect()
    }
}

/// Warnings of tables that are given more than once.
pub fn repeated(inputs: &[InputFile]) -> Vec<Remark> {
    let same = |k: usize| inputs[..k].iter().find(|other| other.sha256 == inputs[k].sha256);
    let remark = |(k, other): (usize, &InputFile)| {
        let text = format!(
            "{} holds the same bytes as {}: its samples count twice, so that errors and intervals are too small",
            inputs[k].name, other.name
        );
        Remark::new(Severity::Warning, text)
    };
    (0..inputs.len()).filter_map(|k| same(k).map(|other| (k, other))).map(remark).collect()
}

/// The speed below which 99 % of these velocities are; none if nothing moves. The fastest of all may be an error of measurement.
pub(in crate::identify) fn usual_speed(velocities: impl Iterator<Item = f64>) -> Option<f64> {
    let mut speeds: Vec<f64> = velocities.map(f64::abs).filter(|speed| speed.is_finite()).collect();
    speeds.sort_by(f64::total_cmp);
    speeds.get(speeds.len().saturating_sub(1) * 99 / 100).copied().filter(|speed| *speed > 0.0)
}
