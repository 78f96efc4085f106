//! The measures of a sweep: metrics of a run, and expressions of metrics and varied values.
use super::metric::{self, Metric, NamedMetric};
use super::{SweepAxis, SweepError, point_run};
use crate::Error;
use crate::data::expression::{Expression, ExpressionErrorKind, SymbolTable};
use crate::scenario::Scenario;
use crate::sim::{Column, NullObserver, SimulationOptions};
use crate::similar_names::similar;

/// A column of the result.
#[derive(Clone, Debug)]
pub struct SweepMeasure {
    /// Its name.
    pub name: String,
    /// Its definition with full names.
    pub text: String,
    /// Its unit; empty if it has none that is known.
    pub unit: String,
    /// The expression that yields it.
    expression: Expression,
    /// The sources of the values in the expression.
    sources: Vec<InputSource>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputSource {
    /// An metric, by its index among those needed.
    Metric(usize),
    /// An axis.
    Axis(usize),
}

/// All measures.
#[derive(Clone, Debug)]
pub struct SweepMeasures {
    /// The measures.
    pub list: Vec<SweepMeasure>,
    metrics: Vec<Metric>,
    from: Option<f64>,
}

impl SweepMeasures {
    /// Parses measures, each `NAME`, `EXPRESSION` or `NAME=EXPRESSION`.
    ///
    /// # Errors
    /// [`Error::Sweep`] or [`Error::UnknownName`] for an unknown or invalid measure.
    pub fn new(
        texts: &[String],
        axes: &[SweepAxis],
        (scenario, columns): (&Scenario, &[Column]),
        from: Option<f64>,
    ) -> Result<Self, Error> {
        let known = metric::available_metrics(scenario, columns);
        let short = short_names(&known);
        let mut all: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
        all.extend(short.iter().map(|(name, _)| name.as_str()));
        let axes_from = all.len();
        let paths = axes.iter().enumerate().filter(|(_, axis)| axis.path != axis.name);
        let varied: Vec<(&str, usize)> = axes.iter().enumerate().map(|(k, axis)| (axis.name.as_str(), k)).collect();
        let varied: Vec<(&str, usize)> =
            varied.into_iter().chain(paths.map(|(k, axis)| (axis.path.as_str(), k))).collect();
        all.extend(varied.iter().map(|(name, _)| *name));
        // varied values have priority over metrics, and measures of the scenario over other metrics of the same name
        for k in 0..axes_from {
            if all[axes_from..].contains(&all[k]) || all[..k].contains(&all[k]) {
                all[k] = "";
            }
        }
        // by its full name
        let full = |k: usize| if k < known.len() { k } else { short[k - known.len()].1 };
        let mut needed: Vec<usize> = Vec::new();
        let mut out = Self { list: Vec::new(), metrics: Vec::new(), from };
        for text in texts {
            let (name, body) = match text.split_once('=') {
                Some((name, body)) => (name.trim(), body.trim()),
                None => (text.trim(), text.trim()),
            };
            let expression = match all.iter().position(|known| *known == body && !body.is_empty()) {
                Some(k) => Expression::column(body, k),
                None => parse(body, &all, &known)?,
            };
            let mut unit = String::new();
            let mut sources = Vec::new();
            for &k in &expression.columns {
                if k >= axes_from {
                    sources.push(InputSource::Axis(varied[k - axes_from].1));
                    continue;
                }
                let which = full(k);
                unit.clone_from(&known[which].unit);
                let place = needed.iter().position(|other| *other == which).unwrap_or_else(|| {
                    needed.push(which);
                    needed.len() - 1
                });
                sources.push(InputSource::Metric(place));
            }
            let plain = expression.single_column().filter(|k| *k < axes_from);
            if plain.is_none() {
                unit.clear();
            }
            let text = plain.map_or_else(|| body.to_owned(), |k| known[full(k)].name.clone());
            out.list.push(SweepMeasure { name: name.to_owned(), text, unit, expression, sources });
        }
        out.metrics = needed.into_iter().map(|k| known[k].metric.clone()).collect();
        Ok(out)
    }
    /// Runs a scenario and measures it.
    ///
    /// # Errors
    /// Any error of the simulation.
    pub fn of(&self, scenario: &Scenario, values: &[f64]) -> Result<Vec<Option<f64>>, Error> {
        let simulation = scenario.simulation()?;
        let is_cycle = |metric: &&Metric| matches!(metric, Metric::Cycle(_));
        let cycles = self.metrics.iter().filter(is_cycle).count();
        let run = || simulation.run(&self.options(scenario), &mut NullObserver);
        let ran = (cycles < self.metrics.len()).then(run).transpose()?;
        let cycle = (cycles > 0).then(|| point_run::find_cycle(scenario)).transpose()?.flatten();
        let probes = ran.as_ref().map_or(&[][..], |ran| &ran.probes);
        let found =
            point_run::metric_values(&self.metrics, (probes, ran.as_ref()), cycle.as_ref(), simulation.columns());
        Ok(self.list.iter().map(|measure| measure.value(&found, values)).collect())
    }
    /// Whether probes alone yield all measures, without limit cycles, energies and solver statistics.
    pub fn is_plain(&self) -> bool {
        self.metrics.iter().all(|metric| matches!(metric, Metric::Named(_) | Metric::Column(..) | Metric::Sticks))
    }
    /// The options of a run that yields the measures.
    pub fn options(&self, scenario: &Scenario) -> SimulationOptions {
        point_run::run_options(scenario, &self.metrics, self.from)
    }
    /// The measures from the values of the probes of [`SweepMeasures::options`], at these varied values, if they are
    /// [plain](Self::is_plain).
    pub fn values(&self, probes: &[Option<f64>], values: &[f64]) -> Vec<Option<f64>> {
        let found = point_run::metric_values(&self.metrics, (probes, None), None, &[]);
        self.list.iter().map(|measure| measure.value(&found, values)).collect()
    }
}

impl SweepMeasure {
    /// Its value, from the metrics and the varied values.
    fn value(&self, found: &[Option<f64>], values: &[f64]) -> Option<f64> {
        let value = |source: &InputSource| match *source {
            InputSource::Metric(k) => found[k],
            InputSource::Axis(k) => Some(values[k]),
        };
        let inputs: Vec<f64> = self.sources.iter().map(value).collect::<Option<_>>()?;
        Some(self.expression.evaluate_one(&inputs)).filter(|x| !x.is_nan())
    }
}

/// Unambiguous short names: the ends of dotted names; among several the one of a body.
fn short_names(known: &[NamedMetric]) -> Vec<(String, usize)> {
    let mut out: Vec<(String, usize)> = Vec::new();
    let exact = |name: &str| known.iter().any(|known| known.name == name);
    for known_one in known {
        let mut rest = known_one.name.as_str();
        while let Some((_, short)) = rest.split_once('.') {
            rest = short;
            if exact(short) || out.iter().any(|(name, _)| name == short) {
                continue;
            }
            if let [one] = candidates(short, known)[..] {
                out.push((short.to_owned(), one));
            }
        }
    }
    out
}

/// The metrics that a short name may mean.
fn candidates(short: &str, known: &[NamedMetric]) -> Vec<usize> {
    let end = format!(".{short}");
    let all: Vec<usize> = (0..known.len()).filter(|&k| known[k].name.ends_with(&end)).collect();
    // a limit cycle is computed only on request
    let plain: Vec<usize> = all.iter().copied().filter(|&k| !matches!(known[k].metric, Metric::Cycle(_))).collect();
    let all = if plain.is_empty() { all } else { plain };
    let first: Vec<usize> = all.iter().copied().filter(|&k| known[k].first).collect();
    if first.is_empty() { all } else { first }
}

fn parse(text: &str, all: &[&str], known: &[NamedMetric]) -> Result<Expression, Error> {
    let names = SymbolTable { columns: all.to_vec(), constants: Vec::new(), units: Vec::new() };
    Expression::parse(text, &names).map_err(|error| {
        if let ExpressionErrorKind::UnknownName { name, .. } = &error.kind {
            let several = candidates(name, known);
            if several.len() > 1 {
                let known = several.into_iter().map(|k| known[k].name.clone()).collect();
                return Error::AmbiguousName { what: "measure", name: name.clone(), known };
            }
            let candidates = || all.iter().copied().filter(|name| !name.is_empty());
            let near = similar(name, candidates()).into_iter().map(str::to_owned).collect();
            // the metrics of columns are too many to list
            let listed = known.iter().filter(|k| !matches!(k.metric, Metric::Column(..) | Metric::Cycle(_)));
            let mut known: Vec<String> = listed.map(|known| known.name.clone()).collect();
            known.extend(["cycle.period", "COLUMN.max", "COLUMN.final"].map(str::to_owned));
            return Error::UnknownName { what: "measure", name: name.clone(), near, known };
        }
        SweepError::Expression { text: text.to_owned(), error }.into()
    })
}

/// The metrics of a scenario: names and units.
///
/// # Errors
/// As [`Scenario::simulation`].
pub fn available_measures(scenario: &Scenario) -> Result<Vec<(String, String)>, Error> {
    let simulation = scenario.simulation()?;
    Ok(metric::available_metrics(scenario, simulation.columns())
        .into_iter()
        .map(|known| (known.name, known.unit))
        .collect())
}

/// Splits a list at commas, except within brackets, braces and quotes.
pub fn split_list(text: &str) -> Vec<String> {
    let (mut depth, mut quote) = (0_i32, None);
    let mut out = vec![String::new()];
    for c in text.chars() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth <= 0 => {
                out.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    out.into_iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::split_list;

    #[test]
    fn commas_within_brackets_stay() {
        assert_eq!(
            split_list("a, max(b,c),t={ settle = \"x,y\", band = 1 },"),
            ["a", "max(b,c)", "t={ settle = \"x,y\", band = 1 }"]
        );
    }
}
