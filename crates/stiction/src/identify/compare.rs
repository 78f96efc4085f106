//! Pictures of a law beside what was measured, whatever the procedure.
use super::{Motion, Residual};
use crate::plot::{Axis, Figure, Panel, Scale};
use crate::signal::{Detrend, welch};

/// Points of a cloud, and of a line: more are not seen.
const POINTS: usize = 4000;
/// Samples of a stretch of time that shows what happens.
const STRETCH: usize = 2000;

/// Friction over displacement and over velocity, and a stretch of it over time, for the first record that moves most.
pub fn pictures(motions: &[Motion], residuals: &[Residual]) -> Vec<Figure> {
    let longest = residuals.iter().enumerate().max_by_key(|(_, residual)| residual.t.len());
    let Some((residual, motion)) = longest.and_then(|(k, residual)| Some((residual, motions.get(k)?))) else {
        return Vec::new();
    };
    // the samples of the residual among those of the motion
    let first = motion.t.partition_point(|t| *t < residual.t.first().copied().unwrap_or(0.0) - 0.5 * motion.step());
    let n = residual.t.len().min(motion.len().saturating_sub(first));
    let by = n.div_ceil(POINTS).max(1);
    let over = |x: &[f64], y: &[f64]| -> Vec<(f64, f64)> {
        (0..n).step_by(by).filter_map(|k| Some((*x.get(first + k)?, *y.get(k)?))).collect()
    };
    let y = || Axis::linear(residual.what.as_str());
    let mut out = Vec::new();
    let mut figure = Figure::new("Friction, measured and by the law");
    let panel = |x: Axis, list: &[f64]| {
        Panel::new(x, y()).cloud("measured", over(list, &residual.measured)).cloud("law", over(list, &residual.model))
    };
    if motion.position.len() == motion.len() {
        figure = figure.panel(panel(Axis::linear("x [m]"), &motion.position));
    }
    out.push(figure.panel(panel(Axis::linear("v [m/s]"), &motion.velocity)));
    out.push(over_time(residual, n));
    out
}

/// A stretch of a record over time, measured and modelled, what is left, and how that is spread over frequency.
pub fn over_time(residual: &Residual, n: usize) -> Figure {
    // from the middle on: what was there at the beginning is forgotten
    let from = (n / 2).min(n.saturating_sub(STRETCH));
    let part = from..n.min(from + STRETCH);
    let line = |y: &[f64]| -> Vec<(f64, f64)> { part.clone().map(|k| (residual.t[k], y[k])).collect() };
    let rest = part.clone().map(|k| (residual.t[k], residual.measured[k] - residual.model[k]));
    let time = Axis::linear("t [s]");
    let unit = unit(&residual.what);
    // a square for each hertz
    let density = match unit.as_str() {
        "" => String::new(),
        "-" | "1" => "1/Hz".to_owned(),
        unit if unit.contains(['/', '·']) => format!("({unit})²/Hz"),
        unit => format!("{unit}²/Hz"),
    };
    let mut figure = Figure::new("A stretch of the record")
        .panel(
            Panel::new(time.clone(), Axis::linear(residual.what.as_str()))
                .line("measured", line(&residual.measured))
                .line("model", line(&residual.model)),
        )
        .panel(Panel::new(time, Axis::linear(with_unit("residual", &unit))).line("", rest));
    let all: Vec<f64> = residual.rest().collect();
    let step = match residual.t.as_slice() {
        [first, .., last] => (last - first) / (residual.t.len() - 1) as f64,
        _ => 0.0,
    };
    let length = (all.len() / 8).clamp(8, 1024);
    if step > 0.0
        && let Ok(spectrum) = welch(&all, 1.0 / step, length, Detrend::Mean)
    {
        let points = spectrum.frequency.iter().copied().zip(spectrum.density.iter().copied()).skip(1);
        let y = Axis { scale: Scale::Log, ..Axis::linear(with_unit("density of the residual", &density)) };
        figure = figure.panel(Panel::new(Axis::linear("frequency [Hz]"), y).line("", points));
    }
    figure
}

/// The unit in brackets at the end of a label; empty if it has none.
fn unit(label: &str) -> String {
    let inner = label.trim_end().strip_suffix(']').and_then(|text| text.rsplit_once('['));
    inner.map_or(String::new(), |(_, unit)| unit.to_owned())
}

fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
}

#[cfg(test)]
mod tests {
    use super::over_time;
    use crate::identify::{Finding, Residual};

    #[test]
    fn residuals_have_the_unit_of_what_they_are_left_of() {
        let t: Vec<f64> = (0..200).map(f64::from).collect();
        let measured: Vec<f64> = t.iter().map(|t| t.sin()).collect();
        let labels = |what: &str, turns: bool| -> Vec<String> {
            let model = vec![0.0; t.len()];
            let residual = Residual {
                what: what.to_owned(),
                t: t.clone(),
                measured: measured.clone(),
                model,
                ..Residual::default()
            };
            let finding = Finding { pictures: vec![over_time(&residual, t.len())], ..Finding::default() };
            let finding = if turns { finding.turning() } else { finding };
            finding.pictures[0].panels.iter().map(|panel| panel.y.label.clone()).collect()
        };
        assert_eq!(labels("friction [N]", false), ["friction [N]", "residual [N]", "density of the residual [N²/Hz]"]);
        assert_eq!(labels("friction [N]", true)[1..], ["residual [N·m]", "density of the residual [(N·m)²/Hz]"]);
        assert_eq!(labels("friction [-]", false)[1..], ["residual [-]", "density of the residual [1/Hz]"]);
        assert_eq!(labels("x", false)[1..], ["residual", "density of the residual"]);
    }
}
