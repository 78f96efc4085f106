//! Controllers.
use super::builder::Builder;
use super::component_table::{ComponentTable, unknown_name};
use super::contacts;
use super::keys::{Component, ValueKind, number, optional, optional_with_default, required};
use crate::Error;
use crate::SystemError;
use crate::system::{
    Actuation, ContinuousController, Controller, Feedback, Measurement, QuantisedController, SampledController,
    SampledFeedback, SaturatedController, SwitchedController, SystemErrorKind,
};

pub(super) static CONTROL: Component = Component {
    name: "control",
    form: "[control.NAME]",
    doc: "Feedback: u = Σ gain (reference − y) + ki ∫(reference − y₁) dt + friction + extra. The reference is for the first measurement; the others are held at zero.",
    keys: &[
        optional_with_default(
            "on",
            ValueKind::Node,
            "",
            "no force",
            "What its force acts on; without it, only contacts whose load names it use the output.",
        ),
        required("measure", ValueKind::Columns, "", "Positions and velocities, PLACE.x and PLACE.v."),
        required("gains", ValueKind::Numbers, "", "One gain for each measurement."),
        number("ki", "", 0.0, "Gain of the integral of the first error."),
        optional_with_default("reference", ValueKind::Signal, "", "0", "Reference of the first measurement."),
        optional_with_default(
            "extra",
            ValueKind::Signal,
            "N, N·m",
            "0",
            "Added to the output: a feed-forward, a dither.",
        ),
        optional(
            "friction",
            ValueKind::Law,
            "",
            "A law run on the first velocity measured, and added to the output: friction compensation.",
        ),
        number("limit", "N, N·m", f64::INFINITY, "The output is limited to ± this; the integral is not."),
        optional_with_default(
            "enable",
            ValueKind::Signal,
            "",
            "1",
            "Factor of the output, after the limit: 1 is on, 0 is off. The integral stands still while it is off.",
        ),
        optional_with_default(
            "period",
            ValueKind::Number,
            "s",
            "continuous",
            "Sample time; between samples the output is held.",
        ),
        optional_with_default(
            "quantum",
            ValueKind::Numbers,
            "m, rad",
            "exact",
            "With a period: width of one count of the encoder, for each position measured; their velocities are filtered differences of the counts.",
        ),
        number("tau", "s", 0.01, "With a quantum: time constant of these differences."),
    ],
    law: false,
};

/// Adds controllers.
pub(super) fn controls(build: &mut Builder<'_>) -> Result<(), Error> {
    for s in build.each(&CONTROL)? {
        let measures = measures(build, &s)?;
        let gains = s.numbers("gains")?;
        s.required("gains")?;
        if gains.len() != measures.len() || gains.is_empty() {
            let problem = SystemErrorKind::GainCount { measurements: measures.len(), gains: gains.len() };
            return Err(s.at_key(Error::System(SystemError { name: s.path.clone(), kind: problem })));
        }
        let friction = s.get("friction").map(|node| {
            let spec = contacts::law_at(build, "friction", node)?;
            let law = spec.build().map_err(|error| node.at.error(error))?;
            let first = measures.iter().position(|measure| matches!(measure, Measurement::Velocity(_)));
            let why = "needs a velocity among the measurements";
            let first = first.ok_or_else(|| node.at.error(Error::Conflict { key: "friction", why }))?;
            Ok::<_, Error>((law, first))
        });
        let friction = friction.transpose()?;
        let (reference, extra) = (build.signal_or(&s, "reference", 0.0)?, build.signal_or(&s, "extra", 0.0)?);
        let feedback = Feedback { gains, ki: s.number("ki")?, reference, extra, friction };
        let limit = s.number("limit")?;
        s.check("limit", limit, limit > 0.0, "positive")?;
        let enable = s.get("enable").map(|_| build.signal(&s, "enable")).transpose()?;
        let controller = match s.optional_number("period")? {
            Some(period) => {
                let held: Box<dyn SampledController> = Box::new(SampledFeedback::new(feedback, period));
                let held = counted(&s, held, &measures, period)?;
                let control =
                    if limit < f64::INFINITY { Box::new(SaturatedController { limit, control: held }) } else { held };
                Controller::Sampled {
                    period,
                    control: match enable {
                        Some(enable) => Box::new(SwitchedController { enable, control }),
                        None => control,
                    },
                }
            }
            None => {
                if let Some(node) = s.get("quantum") {
                    let why = "needs a period: an encoder is read at samples";
                    return Err(node.at.error(Error::Conflict { key: "quantum", why }));
                }
                let control: Box<dyn ContinuousController> = Box::new(feedback);
                let limited = limit < f64::INFINITY;
                let control = if limited { Box::new(SaturatedController { limit, control }) } else { control };
                Controller::Continuous(match enable {
                    Some(enable) => Box::new(SwitchedController { enable, control }),
                    None => control,
                })
            }
        };
        let acts = match s.get("on") {
            Some(_) => Actuation::Force(build.named_node(&s, "on")?),
            None => Actuation::Load,
        };
        build.system.control(s.name(), controller, measures, acts).map_err(|error| s.at_key(error))?;
    }
    Ok(())
}

/// The controller behind the encoders that the section names, if any.
fn counted(
    s: &ComponentTable<'_>,
    control: Box<dyn SampledController>,
    measures: &[Measurement],
    period: f64,
) -> Result<Box<dyn SampledController>, Error> {
    let quanta = s.numbers("quantum")?;
    if quanta.is_empty() {
        return Ok(control);
    }
    let positions = measures.iter().filter(|measure| matches!(measure, Measurement::Position(_))).count();
    s.check("quantum", quanta.len() as f64, quanta.len() == positions, "as many widths as positions are measured")?;
    let wrong = quanta.iter().copied().find(|q| !(*q >= 0.0 && q.is_finite()));
    s.check("quantum", wrong.unwrap_or(0.0), wrong.is_none(), "0 or more")?;
    let tau = s.number("tau")?;
    s.check("tau", tau, tau >= 0.0, "0 or more")?;
    Ok(Box::new(QuantisedController::new(control, measures, &quanta, period, tau)))
}

/// `block.x`: the position of `block`.
fn measures(build: &Builder<'_>, s: &ComponentTable<'_>) -> Result<Vec<Measurement>, Error> {
    s.required("measure")?;
    let mut out = Vec::new();
    for (text, at) in s.texts("measure")? {
        out.push(build.measurement(text).map_err(|known| at.error(unknown_name("measurement", text, &known)))?);
    }
    Ok(out)
}
