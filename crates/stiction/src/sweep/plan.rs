//! The plan of a sweep: a scenario, its varied values, and the measures.
use super::design::DesignPoints;
use super::device_runner::DeviceRunner;
use super::lane_runner::LaneRunner;
use super::measure::split_list;
use super::{Design, Distribution, SweepError, SweepMeasure, SweepMeasures};
use crate::Error;
use crate::FileError;
use crate::accelerator::Accelerator;
use crate::digest::sha256;
use crate::scenario::{Scenario, Template};
use crate::toml_text;
use std::fs::File;
use std::sync::Arc;

/// A varied value of the scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepAxis {
    /// Its name as given: the name of the column in the result.
    pub name: String,
    /// Its path in the scenario; several paths are separated by commas.
    pub path: String,
    /// Its unit; empty if it has none that is known.
    pub unit: String,
    /// Its values.
    pub distribution: Distribution,
}

/// A sweep as given on the command line.
#[derive(Clone, Debug)]
pub struct SweepRequest<'a> {
    /// Varied values: `path=values`.
    pub vary: &'a [String],
    /// The design.
    pub design: Design,
    /// Measures: lists of names, expressions, `name=expression` and `name={ ... }` as in a scenario.
    pub measure: &'a [String],
    /// Time from which columns are evaluated \[s\]; none: from the start.
    pub from: Option<f64>,
}

/// A sweep that can be run.
#[derive(Clone, Debug)]
pub struct SweepPlan {
    template: Template,
    /// Varied values.
    pub axes: Vec<SweepAxis>,
    /// The design.
    pub design: Design,
    points: DesignPoints,
    /// The measures of every point.
    pub measures: SweepMeasures,
    from: Option<f64>,
    /// What the scenario shows, on one line.
    pub title: String,
    inputs: String,
    /// Laws and parameters that the scenario reads from files: name and text of each file.
    files: Vec<(String, String)>,
    /// The points as an ensemble, or the reason why they run one by one.
    fast: Result<Arc<LaneRunner>, String>,
    /// The device that runs the points, if not the processor.
    device: Option<Arc<DeviceRunner>>,
}

impl SweepPlan {
    /// Checks paths, values and measures on points of the sweep, without running it.
    ///
    /// # Errors
    /// Any error of the request; errors of single points are reported as their outcomes.
    pub fn new(template: &Template, request: &SweepRequest<'_>) -> Result<Self, Error> {
        let mut template = template.clone();
        if request.vary.is_empty() {
            let hint = "say what with --vary PATH=LO:HI:N";
            return Err(SweepError::Nothing { what: "vary", hint }.into());
        }
        let axes = request.vary.iter().map(|text| parse_axis(&template, text)).collect::<Result<Vec<_>, _>>()?;
        let mut texts = Vec::new();
        for text in request.measure.iter().flat_map(|list| split_list(list)) {
            match text.split_once('=') {
                // as in a scenario
                Some((name, body)) if body.trim().starts_with('{') && body.contains('=') => {
                    template.set(&format!("measure.{}={}", toml_text::key(name.trim()), body.trim()))?;
                    texts.push(name.trim().to_owned());
                }
                _ => texts.push(text),
            }
        }
        if texts.is_empty() {
            let hint = "say what with --measure, as in --measure v.max,sticks";
            return Err(SweepError::Nothing { what: "measure", hint }.into());
        }
        // a measure that is not requested may not be valid at all points
        template.keep_measures(|name| texts.iter().any(|text| text.contains(name)));
        let points = DesignPoints::new(request.design, &axes)?;
        let (scenario, columns) = first_valid_point(&template, &axes, &points)?;
        let measures = SweepMeasures::new(&texts, &axes, (&scenario, &columns), request.from)?;
        let end = scenario.options.end;
        let end_varies = axes.iter().any(|axis| split_list(&axis.path).iter().any(|path| path == "run.end"));
        if let Some(from) = request.from.filter(|from| *from > end && !end_varies) {
            return Err(SweepError::StartsAfterEnd { from, end }.into());
        }
        let mut names: Vec<&str> = vec!["index", "error"];
        names.extend(axes.iter().map(|axis| axis.name.as_str()));
        names.extend(measures.list.iter().map(|measure| measure.name.as_str()));
        let paths: Vec<String> = axes.iter().flat_map(|axis| split_list(&axis.path)).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        for all in [&names, &paths] {
            if let Some((_, name)) = all.iter().enumerate().find(|(k, name)| all[..*k].contains(name)) {
                return Err(SweepError::Duplicate { name: (*name).to_owned() }.into());
            }
        }
        let (mut inputs, mut files) = (Vec::new(), Vec::new());
        for path in template.inputs() {
            let fail = |io| Error::File(FileError { path: path.clone(), action: "read", io });
            let digest = File::open(&path).and_then(sha256).map_err(fail)?;
            let name = path.file_name().unwrap_or_default().display().to_string();
            inputs.push(format!("{name} {digest}"));
            if path.extension().is_some_and(|extension| extension == "toml") {
                files.push((name, std::fs::read_to_string(&path).map_err(fail)?));
            }
        }
        let (design, from, title) = (request.design, request.from, scenario.title);
        let last = points.count.saturating_sub(1);
        let mut samples: Vec<Vec<f64>> = [0, last, last / 2].map(|i| points.values(&axes, i)).to_vec();
        // only points that can be built
        samples
            .retain(|values| scenario_at(&template, &axes, values).is_ok_and(|scenario| scenario.simulation().is_ok()));
        let fast =
            LaneRunner::new(&axes, &measures, &samples, &|values| scenario_at(&template, &axes, values)).map(Arc::new);
        Ok(Self {
            template,
            axes,
            design,
            points,
            measures,
            from,
            title,
            inputs: inputs.join("\n"),
            files,
            fast,
            device: None,
        })
    }
    /// The same plan, with its points run on a device. The results agree with those of the processor within the tolerances of the run, not
    /// to the last bit; [`SweepPlan::engine`] tells them apart.
    ///
    /// # Errors
    /// [`Error::Accelerator`] if the device cannot run such points, with the reason, or fails.
    pub fn on_device(mut self, device: &dyn Accelerator) -> Result<Self, Error> {
        self.device = Some(Arc::new(DeviceRunner::new(&self, device)?));
        Ok(self)
    }
    /// The device that runs the points, if not the processor.
    pub(super) fn device(&self) -> Option<&DeviceRunner> {
        self.device.as_deref()
    }
    /// Whether a device runs the points.
    pub fn is_on_device(&self) -> bool {
        self.device.is_some()
    }
    /// How many points of those that were run so far the processor ran, although the plan is for a device: points that its kernel cannot
    /// take, or has given up.
    pub fn left_over(&self) -> u64 {
        self.device().map_or(0, DeviceRunner::left_over)
    }
    /// What runs the points: `lanes`, `single`, or the device with its compiler. It is one of the [facts](Self::facts).
    pub fn engine(&self) -> &str {
        match (&self.device, &self.fast) {
            (Some(device), _) => &device.identity,
            (None, Ok(lanes)) if lanes.outside.is_none() => "lanes",
            (None, _) => "single",
        }
    }
    /// The points as an ensemble, or the reason why they are none.
    pub(super) fn lanes(&self) -> Result<&Arc<LaneRunner>, &str> {
        self.fast.as_ref().map_err(String::as_str)
    }
    /// The runner for vector lanes, if the sweep allows it.
    pub(super) fn fast(&self) -> Option<&LaneRunner> {
        self.fast.as_deref().ok().filter(|lanes| lanes.outside.is_none())
    }
    /// The reason why points run one by one instead of in vector lanes; none if they run in lanes or on a device.
    pub fn scalar_reason(&self) -> Option<&str> {
        match (&self.device, &self.fast) {
            (Some(_), _) => None,
            (None, Ok(lanes)) => lanes.outside.as_deref(),
            (None, Err(why)) => Some(why),
        }
    }
    /// How many points there are.
    pub fn count(&self) -> u64 {
        self.points.count
    }
    /// What is measured.
    pub fn measures(&self) -> &[SweepMeasure] {
        &self.measures.list
    }
    /// The values of point number `i`, one for each axis.
    pub fn values(&self, i: u64) -> Vec<f64> {
        self.points.values(&self.axes, i)
    }
    /// The scenario with these values.
    ///
    /// # Errors
    /// As [`Scenario::parse`], if the values are not valid together.
    pub fn scenario(&self, values: &[f64]) -> Result<Scenario, Error> {
        scenario_at(&self.template, &self.axes, values)
    }
    /// Runs the scenario with these values; one value for each measure, none for an event that did not happen.
    ///
    /// # Errors
    /// Any error of the simulation.
    pub fn measure(&self, values: &[f64]) -> Result<Vec<Option<f64>>, Error> {
        self.measures.of(&self.scenario(values)?, values)
    }
    /// Everything that the results depend on, by name.
    pub fn facts(&self) -> Vec<(String, String)> {
        let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let axes: Vec<&str> = self.axes.iter().map(|axis| axis.name.as_str()).collect();
        // causes before their consequences, because the first difference is reported
        let mut out = vec![
            fact("schema", super::SCHEMA),
            fact("version", env!("CARGO_PKG_VERSION")),
            fact("scenario", &self.template.text()),
            fact("title", &self.title),
            fact("inputs", &self.inputs),
            fact("engine", self.engine()),
            fact("design", &self.design.to_string()),
            fact("axes", &axes.join("\n")),
        ];
        out.extend(self.files.iter().map(|(name, text)| fact(&format!("file.{name}"), text)));
        let axis =
            |axis: &SweepAxis| fact(&format!("axis.{}", axis.name), &format!("{}={}", axis.path, axis.distribution));
        out.extend(self.axes.iter().map(axis));
        out.extend(self.measures().iter().map(|m| fact(&format!("measure.{}", m.name), &m.text)));
        out.push(fact("from", &self.from.map_or_else(|| "start".to_owned(), crate::number::short)));
        out.push(fact("points", &self.count().to_string()));
        out
    }
}

/// `path=values`.
fn parse_axis(template: &Template, text: &str) -> Result<SweepAxis, Error> {
    let vary = || SweepError::InvalidVary { text: text.to_owned() };
    // a quoted name may contain an equals sign, values cannot
    let (name, values) = text.rsplit_once('=').ok_or_else(vary)?;
    let (name, values) = (name.trim(), values.trim());
    if name.is_empty() || values.is_empty() {
        return Err(vary().into());
    }
    // a mass that a recipe needs, too, has two paths
    let path = |name: &String| match template.path(name) {
        Err(Error::Assignment { .. }) => Err(vary().into()),
        found => found,
    };
    let mut found = split_list(name).iter().map(path).collect::<Result<Vec<_>, Error>>()?.into_iter();
    let (mut path, unit) = found.next().ok_or_else(vary)?;
    found.for_each(|(other, _)| path += &format!(",{other}"));
    let name = split_list(name).swap_remove(0);
    let range = |why| SweepError::InvalidRange { name: name.clone(), text: values.to_owned(), why };
    let distribution = Distribution::parse(values).map_err(range)?;
    Ok(SweepAxis { name, path, unit, distribution })
}

fn scenario_at(template: &Template, axes: &[SweepAxis], values: &[f64]) -> Result<Scenario, Error> {
    let mut template = template.clone();
    for (axis, value) in axes.iter().zip(values) {
        for path in split_list(&axis.path) {
            template.number(&path, *value)?;
        }
    }
    template.build()
}

/// The scenario and columns of the first point that can be built; with a wrong path none can.
fn first_valid_point(
    template: &Template,
    axes: &[SweepAxis],
    points: &DesignPoints,
) -> Result<(Scenario, Vec<crate::sim::Column>), Error> {
    let build = |i: u64| -> Result<_, Error> {
        let scenario = scenario_at(template, axes, &points.values(axes, i))?;
        let columns = scenario.simulation()?.columns().to_vec();
        Ok((scenario, columns))
    };
    let last = points.count.saturating_sub(1);
    let built = build(0).or_else(|first| [last / 2, last].into_iter().find_map(|i| build(i).ok()).ok_or(first));
    // the user wrote --vary, not --set
    built.map_err(|error| match error {
        Error::Set { text: path, error } => {
            SweepError::InvalidAxis { path, why: error.to_string(), hint: error.hint().unwrap_or_default() }.into()
        }
        error => error,
    })
}
