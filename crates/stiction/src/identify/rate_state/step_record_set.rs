//! Velocity-step records read from tables, with what a report says of them.
use super::{RateStateOptions, StateEvolution, VelocityStepOptions, VelocitySteps, fit, select_evolution};
use crate::data::DataFile;
use crate::identify::record_set::usual_speed;
use crate::identify::report::InputFile;
use crate::identify::{ColumnRole, ColumnRoles, FitProgress, IdentificationResult, RawRecord, Remark};
use crate::{DataError, Error, NumericsError};
use std::path::Path;

/// The velocity steps of several tables.
#[derive(Debug, Default)]
pub struct StepRecordSet {
    /// The records.
    pub records: Vec<VelocitySteps>,
    /// The tables.
    pub inputs: Vec<InputFile>,
    /// Remarks on them.
    pub remarks: Vec<Remark>,
}

/// A law of rate and state, with one or two state variables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepModel {
    /// How the state evolves.
    pub evolution: StateEvolution,
    /// Number of state variables.
    pub states: usize,
}

impl StepModel {
    /// `ruina` or `ruina:2`; none if it is no such law.
    pub fn find(text: &str) -> Option<Self> {
        let (name, states) = text.split_once(':').unwrap_or((text, "1"));
        let evolution = match name {
            "dieterich" => StateEvolution::Ageing,
            "ruina" => StateEvolution::Slip,
            "prz" | "perrin" => StateEvolution::PerrinRiceZheng,
            "nagata" => StateEvolution::Nagata,
            _ => return None,
        };
        let states = states.parse().ok().filter(|states| (1..=2).contains(states))?;
        Some(Self { evolution, states })
    }
}

impl StepRecordSet {
    /// Reads one more table, whose bytes have this digest.
    ///
    /// # Errors
    /// [`Error`] for columns that are missing, and for times that do not increase.
    pub fn add(
        &mut self,
        table: &DataFile,
        sha256: String,
        roles: &ColumnRoles,
        options: &VelocityStepOptions,
    ) -> Result<(), Error> {
        let raw = roles.read(table)?;
        if let Some(time) = &raw.audit.time {
            time.check().map_err(|problem| DataError::content(Path::new(&raw.name), problem))?;
        }
        let steps = VelocitySteps::of_columns(&raw, options)?;
        self.push(steps, raw, sha256);
        Ok(())
    }
    /// The velocity steps in these tables, each with the digest of its bytes, if every one is a velocity step; else the tables again.
    ///
    /// # Errors
    /// The tables, if one of them is something else.
    pub fn recognise(
        raw: Vec<(RawRecord, String)>,
        options: &VelocityStepOptions,
    ) -> Result<Self, Vec<(RawRecord, String)>> {
        let Some(steps) = raw.iter().map(|(raw, _)| VelocitySteps::recognise(raw, options)).collect::<Option<Vec<_>>>()
        else {
            return Err(raw);
        };
        let mut out = Self::default();
        for (steps, (raw, sha256)) in steps.into_iter().zip(raw) {
            out.push(steps, raw, sha256);
        }
        Ok(out)
    }
    /// Adds a record that has been read.
    pub fn push(&mut self, steps: VelocitySteps, raw: RawRecord, sha256: String) {
        let audit = raw.audit.to_string();
        self.inputs.push(InputFile { name: raw.name, sha256, rows: raw.audit.rows, audit });
        self.remarks.extend(raw.remarks);
        self.records.push(steps);
    }
    /// The speed of the load point below which 99 % of the samples are; none if nothing moves.
    pub fn fastest(&self) -> Option<f64> {
        let speed = |record: &'_ VelocitySteps, t: f64| {
            let stretch = record.load.start.partition_point(|start| *start <= t).saturating_sub(1);
            record.load.velocity.get(stretch).copied().unwrap_or(0.0)
        };
        usual_speed(self.records.iter().flat_map(|record| record.t.iter().map(move |t| speed(record, *t))))
    }
    /// Fits a law of rate and state, or the best of several.
    ///
    /// # Errors
    /// As [`fit`].
    pub fn identify(
        &self,
        model: Option<StepModel>,
        options: &RateStateOptions,
        watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
    ) -> Result<IdentificationResult, Error> {
        match model {
            Some(StepModel { evolution, states }) => {
                fit(&self.records, &RateStateOptions { evolution, states, ..options.clone() }, watch)
            }
            None => select_evolution(&self.records, options, watch),
        }
    }
}

impl VelocitySteps {
    /// The record in these columns if it is a velocity step: a load point that goes one way at few velocities.
    pub fn recognise(raw: &RawRecord, options: &VelocityStepOptions) -> Option<Self> {
        raw.audit.time.as_ref().map_or(Ok(()), |time| time.check()).ok()?;
        let moves = raw.get(ColumnRole::Velocity).map(|v| (v, false));
        let moves = moves.or(raw.get(ColumnRole::Position).map(|x| (x, true)))?;
        if !Self::goes_one_way(moves.0, moves.1) {
            return None;
        }
        Self::of_columns(raw, options).ok().filter(Self::is_velocity_step)
    }
    /// The record in these columns: friction against time, with the velocity or the displacement of the load point.
    ///
    /// # Errors
    /// [`NumericsError`] if there is neither, or too little of it.
    pub fn of_columns(raw: &RawRecord, options: &VelocityStepOptions) -> Result<Self, NumericsError> {
        let roles =
            [ColumnRole::Time, ColumnRole::Force, ColumnRole::Velocity, ColumnRole::Position, ColumnRole::Weight];
        let [time, force, velocity, position, weight] = roles.map(|role| raw.get(role));
        let (t, friction) = (time.unwrap_or_default(), force.unwrap_or_default());
        // rows with a number in every column that is used
        let whole: Vec<usize> = (0..t.len())
            .filter(|&k| {
                [Some(t), Some(friction), velocity.or(position), weight]
                    .iter()
                    .flatten()
                    .all(|x| x.get(k).is_some_and(|x| x.is_finite()))
            })
            .collect();
        let pick = |x: &[f64]| whole.iter().filter_map(|&k| x.get(k).copied()).collect::<Vec<f64>>();
        let (t, friction) = (pick(t), pick(friction));
        let steps = match (velocity, position) {
            (Some(velocity), _) => Self::from_velocity(&raw.name, &t, &friction, &pick(velocity), options),
            (None, Some(far)) => Self::from_displacement(&raw.name, &t, &friction, &pick(far), options),
            (None, None) => {
                return Err(NumericsError::TooFew { what: "velocities of the load point", need: t.len(), have: 0 });
            }
        }?;
        Ok(match weight {
            Some(weight) => steps.with_weights(&t, &pick(weight), options),
            None => steps,
        })
    }
}
