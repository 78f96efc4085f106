//! The friction of a robot's joint: what was fitted, how well, and what is lost.
use crate::Report;
use crate::text::{digits, wrap};
use serde_json::{Value, json};
use stiction::Error;
use stiction::export::robot::{JointUnits, Loss, RobotExport, RobotFile};

/// The friction of a joint, and the file that has it.
pub struct RobotReport {
    /// The fit.
    pub export: RobotExport,
    /// The file.
    pub file: RobotFile,
    units: JointUnits,
    losses: Vec<Loss>,
}

impl RobotReport {
    /// Computes what is lost.
    ///
    /// # Errors
    /// As [`RobotExport::losses`].
    pub fn new(export: RobotExport, file: RobotFile) -> Result<Self, Error> {
        let units = JointUnits::of(&file.joints);
        let losses = export.losses(units)?;
        Ok(Self { export, file, units, losses })
    }
    fn percent(&self, x: f64) -> f64 {
        100.0 * x / self.export.fit.residual.mean_force
    }
    fn residual(&self) -> String {
        if self.export.request.lugre {
            return "none in steady sliding: the same equations".to_owned();
        }
        let (residual, force) = (self.export.fit.residual, self.units.force);
        let part = |x: f64| {
            // what is left of an exact fit is rounding
            let x = if self.percent(x) < 1e-9 { 0.0 } else { x };
            format!(
                "{} {force} ({} %)",
                digits(x),
                stiction::number::short(stiction::number::round(self.percent(x), 3))
            )
        };
        format!("{} rms, {} at most, of the mean friction", part(residual.rms), part(residual.max))
    }
}

/// Width of the names.
const NAMES: usize = 12;

fn row(name: &str, value: &str) -> String {
    wrap(&format!("{name:<NAMES$}"), value, NAMES)
}

impl Report for RobotReport {
    fn text(&self) -> String {
        let (request, fit, units) = (&self.export.request, &self.export.fit, self.units);
        let list = |items: Vec<String>| items.join(", ");
        let joints = self.file.joints.iter().map(|joint| format!("{} ({})", joint.name, joint.kind));
        let [slow, fast] = fit.range.speeds.map(digits);
        let loads = list(fit.range.loads.iter().map(|load| digits(*load)).collect());
        let parameters = self.export.parameters(units).into_iter();
        let mut out = row("joint", &list(joints.collect()));
        out += &row(
            "law",
            &format!("{}, from {slow} to {fast} {} both ways, load {loads}", request.spec.law().name, units.speed),
        );
        out += &row(
            "friction",
            &list(parameters.map(|(name, x, unit)| format!("{name} = {} {unit}", digits(x))).collect()),
        );
        out += &row("residual", &self.residual());
        if !self.file.settings.is_empty() {
            out += &row(
                "solver",
                &list(self.file.settings.iter().map(|(name, value)| format!("{name} = {value}")).collect()),
            );
        }
        if let Some(step) = self.export.longest_step() {
            let mass = digits(request.mass);
            out += &row("time step", &format!("at most {} s for {mass} {} at the joint", digits(step), units.mass));
        }
        if self.losses.is_empty() {
            out += &row("lost", "nothing");
        }
        for (k, loss) in self.losses.iter().enumerate() {
            out += &row(if k == 0 { "lost" } else { "" }, &format!("{}: {}", loss.name, loss.text));
        }
        out
    }
    fn json(&self) -> Value {
        let (request, fit, units) = (&self.export.request, &self.export.fit, self.units);
        let parameters = self.export.parameters(units).into_iter();
        let parameters = parameters.map(|(name, value, unit)| json!({ "name": name, "value": value, "unit": unit }));
        let joints = self.file.joints.iter().map(|j| json!({ "name": j.name, "type": j.kind, "turns": j.turns }));
        let losses = self.losses.iter().map(|loss| json!({ "what": loss.name, "text": loss.text }));
        let settings = self.file.settings.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str())));
        json!({
            "law": request.spec.law().name,
            "format": request.format.name(),
            "joints": joints.collect::<Vec<_>>(),
            "speeds": fit.range.speeds,
            "loads": fit.range.loads,
            "parameters": parameters.collect::<Vec<_>>(),
            "residual": {
                "rms": fit.residual.rms,
                "max": fit.residual.max,
                "mean_force": fit.residual.mean_force,
                "unit": units.force,
            },
            "exact": request.lugre,
            "longest_step": self.export.longest_step(),
            "solver": settings.collect::<serde_json::Map<_, _>>(),
            "lost": losses.collect::<Vec<_>>(),
            "notes": self.file.notes,
        })
    }
}
