//! Systems with slightly changed values, for the derivatives of a run by values of its scenario.
use super::{Scenario, Template};
use crate::Error;
use crate::number::short;
use crate::sim::{Column, RELATIVE_CHANGE, SensitivityReport, VariedParameter};

/// A value of a scenario by which a run is differentiated.
pub struct VariedValue {
    /// Its full path, as in `spring.pull.stiffness`.
    pub path: String,
    /// Its unit; empty if it has none or it is not known.
    pub unit: String,
    /// Its value.
    pub value: f64,
    /// Two scenarios in which it is changed, each with the change.
    scenarios: [(f64, Scenario); 2],
}

impl VariedValue {
    /// The parameter for [`Simulation::run_with_sensitivities`](crate::sim::Simulation::run_with_sensitivities).
    pub fn parameter(&self) -> VariedParameter<'_> {
        let [(a, first), (b, second)] = &self.scenarios;
        VariedParameter { name: self.path.clone(), systems: [(*a, &first.system), (*b, &second.system)] }
    }
    /// The unit of the derivative of a quantity with this unit.
    pub fn derivative_unit(&self, of: &str) -> String {
        let by = self.unit.as_str();
        let simple = by.chars().all(char::is_alphanumeric);
        match (of, by) {
            (of, "") => of.to_owned(),
            ("-", by) if simple => format!("1/{by}"),
            ("-", by) => format!("1/({by})"),
            (of, by) if simple => format!("{of}/{by}"),
            (of, by) => format!("{of}/({by})"),
        }
    }
}

/// A derivative of a column by a value: its name, its unit, and its index in a row of a differentiated run.
pub struct DerivativeColumn {
    /// `d block.x / d spring.pull.stiffness`.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Its index in a row.
    pub index: usize,
}

impl DerivativeColumn {
    /// The derivatives of those of a simulation's columns that are `wanted`, by every value.
    pub fn list(columns: &[Column], wanted: impl Fn(&Column) -> bool, values: &[VariedValue]) -> Vec<Self> {
        let mut out = Vec::new();
        for (k, value) in values.iter().enumerate() {
            for (i, column) in columns.iter().enumerate().skip(1).filter(|(_, column)| wanted(column)) {
                out.push(Self {
                    name: format!("d {} / d {}", column.name, value.path),
                    unit: value.derivative_unit(column.unit),
                    index: columns.len() + k * (columns.len() - 1) + i - 1,
                });
            }
        }
        out
    }
}

/// What to know of the derivatives of a run: from when on they are one-sided or do not exist.
pub fn derivative_notes(values: &[VariedValue], report: &SensitivityReport) -> Vec<String> {
    let flags = report.flags.iter().filter_map(|flag| Some((values.get(flag.parameter)?, flag)));
    let note = |(value, flag): (&VariedValue, &crate::sim::SensitivityFlag)| {
        format!("derivatives by {} from t = {} s on: {}", value.path, short(flag.t), flag.kind.text())
    };
    flags.map(note).collect()
}

impl Template {
    /// Prepares the derivatives of a run by the value that `text` names, as `--set` does: `k`, `stiffness` or
    /// `spring.pull.stiffness`.
    ///
    /// # Errors
    /// As [`Template::path`]; [`Error::NotVariable`] for a value that is not given as a number in the scenario, that is not
    /// part of the system, or that cannot be changed a little.
    pub fn vary(&self, text: &str) -> Result<VariedValue, Error> {
        let (path, unit) = self.path(text)?;
        let refuse = |why| Error::NotVariable { path: path.clone(), why };
        if path.starts_with("run.") {
            return Err(refuse("it is not part of the system"));
        }
        let value = self.numbers().into_iter().find(|(known, ..)| *known == path).map(|(_, value, _)| value);
        let value = value.ok_or_else(|| refuse("the scenario does not give it as a number; set it with --set"))?;
        let step = RELATIVE_CHANGE * if value == 0.0 { 1.0 } else { value.abs() };
        let mut bare = self.clone();
        bare.keep_measures(|_| false);
        let changed = |change: f64| -> Result<(f64, Scenario), Error> {
            let mut template = bare.clone();
            let to = value + change;
            template.number(&path, to)?;
            Ok((to - value, template.build()?))
        };
        // to both sides, or at the end of the range of the value to one side only
        let mut last = None;
        for [a, b] in [[-step, step], [step, 2.0 * step], [-step, -2.0 * step]] {
            match (changed(a), changed(b)) {
                (Ok(first), Ok(second)) => return Ok(VariedValue { path, unit, value, scenarios: [first, second] }),
                (Err(error), _) | (_, Err(error)) => last = last.or(Some(error)),
            }
        }
        Err(last.unwrap_or_else(|| refuse("it cannot be changed a little")))
    }
}
