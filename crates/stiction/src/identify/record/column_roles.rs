//! The role of each column of a file.
use super::block_average::BlockAverage;
use super::column_remarks::{doubtful_guess, unconverted};
use super::motion::ForceTerm;
use super::raw_record::{PartAtLimit, RawRecord, file_name};
use super::{Remark, Severity, clock};
use crate::data::audit::{Auditor, SignalAudit};
use crate::data::{Chunk, ColumnSelection, DataFile, Record, RowConsumer, unit};
use crate::error::{Error, IdentificationError};
use crate::number::{round, short};

/// The column, or expression over columns, for each role. Roles that are not given are guessed from the column names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnRoles {
    /// Time.
    pub time: Option<String>,
    /// Position.
    pub position: Option<String>,
    /// Velocity.
    pub velocity: Option<String>,
    /// Acceleration.
    pub acceleration: Option<String>,
    /// Applied force, or friction itself.
    pub force: Option<String>,
    /// Normal load, pressure or load factor.
    pub load: Option<String>,
    /// A known force that is neither inertia nor friction: gravity, a spring.
    pub known: Option<String>,
    /// Statistical weight of a sample.
    pub weight: Option<String>,
    /// Forces whose size is estimated: the name of the coefficient, and a column or expression.
    pub terms: Vec<(String, String)>,
    /// Whether time follows from the row number, so that no column of time is needed.
    pub counted: bool,
    /// Number of rows averaged into one while the file is read; for files larger than memory.
    pub mean: usize,
    /// Constants for expressions, in addition to those of the file.
    pub constants: Vec<(String, f64)>,
}

/// The role of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnRole {
    /// Time.
    Time,
    /// Position.
    Position,
    /// Velocity.
    Velocity,
    /// Acceleration.
    Acceleration,
    /// Force.
    Force,
    /// Load.
    Load,
    /// Known force.
    KnownForce,
    /// Weight.
    Weight,
}

/// How many roles there are.
pub(super) const ROLE_COUNT: usize = 8;

impl ColumnRole {
    pub(super) const ALL: [Self; ROLE_COUNT] = [
        Self::Time,
        Self::Position,
        Self::Velocity,
        Self::Acceleration,
        Self::Force,
        Self::Load,
        Self::KnownForce,
        Self::Weight,
    ];

    /// Name, equal to that of the command-line option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Acceleration => "acceleration",
            Self::Force => "force",
            Self::Load => "load",
            Self::KnownForce => "known",
            Self::Weight => "weight",
        }
    }
    /// Whether it is a quantity of the motion.
    pub(super) const fn is_of_motion(self) -> bool {
        matches!(self, Self::Time | Self::Position | Self::Velocity | Self::Acceleration)
    }
    /// Usual names of columns with this role, by which they are guessed.
    const fn usual_names(self) -> &'static [&'static str] {
        match self {
            Self::Position => &["position", "pos", "x", "q", "angle", "displacement", "qm"],
            Self::Velocity => &["velocity", "vel", "v", "speed", "dq", "qd", "omega"],
            Self::Acceleration => &["acceleration", "acc", "a", "ddq", "qdd"],
            Self::Force => &["force", "friction", "f", "torque", "tau"],
            Self::Load => &["normal", "load", "pressure"],
            Self::Time | Self::KnownForce | Self::Weight => &[],
        }
    }
    /// Allowed SI units; empty: any.
    pub(super) const fn units(self) -> &'static [&'static str] {
        match self {
            Self::Time => &["s"],
            Self::Position => &["m", "rad"],
            Self::Velocity => &["m/s", "rad/s"],
            Self::Acceleration => &["m/s^2", "rad/s^2", "m/s2", "rad/s2"],
            Self::Force | Self::KnownForce => &["N", "N·m", "N.m", "Nm", "N*m", "1"],
            Self::Load | Self::Weight => &[],
        }
    }
}

/// Audits and averages a file in one pass.
struct AuditAndAverage<'a>(&'a mut Auditor, &'a mut BlockAverage);

impl RowConsumer for AuditAndAverage<'_> {
    type Error = Error;

    fn take(&mut self, chunk: &Chunk) -> Result<(), Error> {
        self.0.take(chunk)?;
        self.1.take(chunk)
    }
}

impl ColumnRoles {
    fn expression(&self, role: ColumnRole) -> Option<&str> {
        match role {
            ColumnRole::Time => self.time.as_deref(),
            ColumnRole::Position => self.position.as_deref(),
            ColumnRole::Velocity => self.velocity.as_deref(),
            ColumnRole::Acceleration => self.acceleration.as_deref(),
            ColumnRole::Force => self.force.as_deref(),
            ColumnRole::Load => self.load.as_deref(),
            ColumnRole::KnownForce => self.known.as_deref(),
            ColumnRole::Weight => self.weight.as_deref(),
        }
    }
    /// The column or expression for a role, given or guessed, and whether it was guessed.
    /// In a file of several tables, only columns of `topic` are guessed.
    fn assign(&self, role: ColumnRole, table: &DataFile, topic: Option<&str>) -> Option<(String, bool)> {
        if let Some(text) = self.expression(role) {
            return Some((text.to_owned(), false));
        }
        let fields = table.fields();
        let at = match role {
            ColumnRole::Time if self.counted => None,
            ColumnRole::Time => table.time_column(topic),
            // if one quantity of motion is given, the others are not guessed
            ColumnRole::Position | ColumnRole::Velocity | ColumnRole::Acceleration
                if [ColumnRole::Position, ColumnRole::Velocity, ColumnRole::Acceleration]
                    .iter()
                    .any(|role| self.expression(*role).is_some()) =>
            {
                None
            }
            // these are never guessed
            ColumnRole::Load | ColumnRole::KnownForce | ColumnRole::Weight => None,
            _ => role.usual_names().iter().find_map(|guess| {
                fields.iter().position(|field| {
                    let name = field.name.rsplit('.').next().unwrap_or(&field.name);
                    field.text.is_none() && field.table.as_deref() == topic && name.eq_ignore_ascii_case(guess)
                })
            }),
        };
        at.map(|at| (format!("${}", at + 1), true))
    }
    /// Reads a table.
    ///
    /// # Errors
    /// [`Error::Identification`] for missing columns and wrong units, [`Error::Data`] for invalid expressions and files that
    /// cannot be read.
    pub fn read(&self, table: &DataFile) -> Result<RawRecord, Error> {
        let constants: Vec<(&str, f64)> = self.constants.iter().map(|(name, x)| (name.as_str(), *x)).collect();
        let file = || table.name().to_owned();
        let known: Vec<String> = table.fields().iter().map(|field| field.name.clone()).collect();
        let given = ColumnRole::ALL.into_iter().filter_map(|role| self.expression(role));
        let topic = table.table_of(given, &constants);
        let mut plan = ColumnSelection::new(table);
        let mut chosen = Vec::new();
        let mut remarks = Vec::new();
        for role in ColumnRole::ALL {
            let Some((text, guessed)) = self.assign(role, table, topic.as_deref()) else { continue };
            // a guess is given as the number of a column
            let plain = text.strip_prefix('$').filter(|_| guessed).unwrap_or(&text).to_owned();
            if guessed && let Some(taken) = plain.parse::<usize>().ok().and_then(|at| table.fields().get(at - 1)) {
                let same =
                    table.fields().iter().filter(|field| field.text.is_none() && field.name == taken.name).count();
                if same > 1 {
                    let text = format!(
                        "{}: {same} columns are called {}; the first, column {plain}, is taken",
                        role.name(),
                        taken.name
                    );
                    remarks.push(Remark::new(Severity::Warning, text));
                }
            }
            plan = plan.with("", &plain, &constants)?;
            chosen.push((role, guessed));
        }
        for (_, text) in &self.terms {
            plan = plan.with("", text, &constants)?;
        }
        let has = |role| chosen.iter().any(|(chosen, _)| *chosen == role);
        let missing = |role: ColumnRole| -> Error {
            let joints = if role == ColumnRole::Time { None } else { numbered_joints(&known) };
            IdentificationError::NoColumnFor { file: file(), role: role.name(), known: known.clone(), joints }.into()
        };
        if !has(ColumnRole::Time) && !self.counted {
            return Err(missing(ColumnRole::Time));
        }
        if !has(ColumnRole::Force) {
            return Err(missing(ColumnRole::Force));
        }
        if ![ColumnRole::Position, ColumnRole::Velocity, ColumnRole::Acceleration].into_iter().any(has) {
            return Err(missing(ColumnRole::Position));
        }
        let force = chosen.iter().position(|(role, _)| *role == ColumnRole::Force).unwrap_or(0);
        let of_motion: Vec<usize> = (0..chosen.len()).filter(|&k| chosen[k].0.is_of_motion()).collect();
        remarks.extend(doubtful_guess(&plan, &chosen, force));
        remarks.extend(unconverted(&plan, table, &chosen));
        remarks.extend(self.unused_load(table));
        let outputs = chosen.len() + self.terms.len();
        let plan = plan.with_parts_of(force, &of_motion);
        let fields: Vec<_> = plan.fields().cloned().collect();
        let mut auditor = Auditor::new(&fields, chosen.iter().position(|(role, _)| *role == ColumnRole::Time));
        // a force is cut off where it is itself, or a part of it
        let watched: Vec<usize> = std::iter::once(force).chain(outputs..fields.len()).collect();
        let mut average = BlockAverage::new(Record::new(table.name(), &fields), self.mean).watch(watched.clone());
        let done = plan.stream(&mut AuditAndAverage(&mut auditor, &mut average))?;
        let BlockAverage { record, extremes, .. } = average;
        let mut audit = auditor.finish();
        // the signals of an audit are all columns but the time
        let timed = usize::from(has(ColumnRole::Time));
        let mut at_limit: Vec<bool> = Vec::new();
        let mut parts_at_limit = Vec::new();
        for (place, &at) in watched.iter().enumerate() {
            let Some(limits) = audit.signals.get(at - timed).and_then(limits) else { continue };
            let there: Vec<bool> = match self.mean > 1 {
                true => extremes[place].iter().map(|block| any_at(block, limits)).collect(),
                false => record.columns[at].values.iter().map(|x| any_at(&[*x], limits)).collect(),
            };
            if at != force {
                parts_at_limit.push(PartAtLimit {
                    name: fields[at].name.clone(),
                    limits,
                    rows: there.iter().filter(|at| **at).count(),
                });
            }
            at_limit.resize(there.len(), false);
            at_limit.iter_mut().zip(there).for_each(|(at, there)| *at |= there);
        }
        audit.signals.truncate(outputs - timed);
        if done.truncated {
            remarks.push(Remark::new(
                Severity::Warning,
                format!("{}: the last line is not whole and was left out", table.name()),
            ));
        }
        let mut columns: [Option<Vec<f64>>; ROLE_COUNT] = Default::default();
        let (mut turns, mut slides) = (None, None);
        let mut measured = record.columns;
        let terms = measured.split_off(chosen.len());
        let terms = self.terms.iter().zip(terms);
        let terms = terms.map(|((name, _), column)| ForceTerm { name: name.clone(), values: column.values }).collect();
        for ((role, guessed), mut column) in chosen.into_iter().zip(measured) {
            let unit = column.unit.as_deref().and_then(|text| unit::si(text).map(|(factor, si)| (text, factor, si)));
            let known = unit.is_some();
            if let Some((text, factor, si)) = unit {
                let name = role.name();
                if !role.units().is_empty() && !role.units().contains(&si.as_str()) {
                    let (column, unit) = (column.name.clone(), text.to_owned());
                    let expected = role.units()[0];
                    return Err(
                        IdentificationError::WrongUnit { file: file(), role: name, column, unit, expected }.into()
                    );
                }
                let kind = match role {
                    ColumnRole::Position | ColumnRole::Velocity | ColumnRole::Acceleration if si.starts_with("rad") => {
                        &mut turns
                    }
                    ColumnRole::Force | ColumnRole::KnownForce if si.starts_with('N') && si != "N" => &mut turns,
                    ColumnRole::Position | ColumnRole::Velocity | ColumnRole::Acceleration => &mut slides,
                    ColumnRole::Force | ColumnRole::KnownForce if si == "N" => &mut slides,
                    _ => &mut None,
                };
                kind.get_or_insert_with(|| format!("{} [{text}]", column.name));
                // a load keeps its unit, which may be bar
                if factor != 1.0 && role != ColumnRole::Load {
                    column.values.iter_mut().for_each(|x| *x *= factor);
                    let factor = short(round(factor, 12));
                    remarks.push(Remark::new(
                        Severity::Info,
                        format!("{name}: {} is in {text}, times {factor} is {si}", column.name),
                    ));
                }
            }
            if let Some(text) =
                column.unit.as_deref().filter(|text| !known && !role.units().is_empty() && !text.is_empty())
            {
                let text = format!(
                    "{}: the unit {text} of {} is not known; its numbers are taken as they are",
                    role.name(),
                    column.name
                );
                remarks.push(Remark::new(Severity::Warning, text));
            }
            if role == ColumnRole::Time && column.unit.is_none() {
                remarks.extend(clock::in_seconds(&mut column.values, &file_name(&file())));
            }
            if guessed && role != ColumnRole::Time {
                remarks
                    .push(Remark::new(Severity::Info, format!("{}: column {}, by its name", role.name(), column.name)));
            }
            columns[role as usize] = Some(column.values);
        }
        if let (Some(turns), Some(slides)) = (&turns, &slides) {
            let (rotation, translation) = (turns.clone(), slides.clone());
            return Err(IdentificationError::MixedMotion { file: file(), rotation, translation }.into());
        }
        let rotational = turns.map(|_| true).or(slides.map(|_| false));
        let lines = record.lines;
        Ok(RawRecord {
            name: table.name(),
            columns,
            terms,
            rotational,
            at_limit,
            parts_at_limit,
            lines,
            audit,
            remarks,
        })
    }
    /// What is told of a column whose name is that of a load, if there is no load.
    fn unused_load(&self, table: &DataFile) -> Option<Remark> {
        let usual = |name: &str| ColumnRole::Load.usual_names().iter().any(|known| name.eq_ignore_ascii_case(known));
        let given = || ColumnRole::ALL.into_iter().filter_map(|role| self.expression(role));
        let mentioned = |name: &str| {
            given().chain(self.terms.iter().map(|(_, text)| text.as_str())).any(|text| text.contains(name))
        };
        let column = table
            .fields()
            .iter()
            .find(|field| field.text.is_none() && usual(&field.name) && !mentioned(&field.name))?;
        let text = format!("the column {0} is not used; if it is what presses, --load {0}", column.name);
        self.load.is_none().then(|| Remark::new(Severity::Warning, text))
    }
}

/// The least and the largest value of a signal, where it seems to be cut off there; none if it is at neither.
fn limits(signal: &SignalAudit) -> Option<[Option<f64>; 2]> {
    let limits = signal.extremes?.map(|end| (end.saturated && end.gradual).then_some(end.value));
    limits.iter().any(Option::is_some).then_some(limits)
}

/// Whether one of these values is at a limit.
fn any_at(values: &[f64], limits: [Option<f64>; 2]) -> bool {
    values.iter().any(|x| limits.contains(&Some(*x)))
}

/// The options that identify each joint of a robot, if columns with usual names of a position or a velocity are numbered: `q1`, `q2`,
/// or `joint_1.pos`, `joint_2.pos`. A force by another name is left to the reader.
fn numbered_joints(names: &[String]) -> Option<String> {
    let column = |role: ColumnRole| {
        let usual = |text: &str| role.usual_names().iter().any(|name| text.eq_ignore_ascii_case(name));
        names.iter().find_map(|name| {
            let (place, numbers) = numbered(name, names)?;
            let word = |text: &str| text.split(|c: char| !c.is_alphabetic()).any(usual);
            word(&place).then_some((place, numbers))
        })
    };
    let found = [ColumnRole::Position, ColumnRole::Velocity].map(|role| Some((role, column(role)?)));
    let (role, (place, numbers)) = found.into_iter().flatten().next()?;
    let of = |place: String| {
        if place.chars().all(|c| c.is_alphanumeric() || "_#".contains(c)) { place } else { format!("{{{place}}}") }
    };
    let force = column(ColumnRole::Force).map_or_else(|| "NAME#".to_owned(), |(place, _)| of(place));
    let count = numbers.len();
    let whole = numbers.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let joints = match (whole, &numbers[..]) {
        (true, [first, .., last]) => format!("{first}-{last}"),
        _ => numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
    };
    (count > 1).then(|| format!("--joints {joints} --{} '{}' --force '{force}'", role.name(), of(place)))
}

/// A name with `#` for its number, and the numbers for which there is such a column, in order.
fn numbered(name: &str, names: &[String]) -> Option<(String, Vec<usize>)> {
    let first = name.find(|c: char| c.is_ascii_digit())?;
    let (before, rest) = name.split_at(first);
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = |other: &String| {
        let inner = other.strip_prefix(before)?.strip_suffix(after)?;
        // 01 would need zeros in the option
        let plain = inner.bytes().all(|c| c.is_ascii_digit()) && (inner == "0" || !inner.starts_with('0'));
        inner.parse::<usize>().ok().filter(|_| plain)
    };
    let mut numbers: Vec<usize> = names.iter().filter_map(number).collect();
    numbers.sort_unstable();
    Some((format!("{before}#{after}"), numbers))
}
