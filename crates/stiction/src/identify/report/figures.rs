//! Figures from the data of a result.
use super::length_unit::length_unit;
use crate::identify::result::{
    BranchFamily, BreakawayApproaches, BreakawayRecord, FrictionComparison, FrictionVelocity, HysteresisReplay,
    IdentificationResult, MotionQuantity, ParameterProfile, RegressionCurve, RegressionKind, ResultCurves,
    SlidingResiduals, TestMotion, TimeComparison, rotational_units,
};
use crate::plot::{Axis, Figure, Panel, Scale};

/// Points of a scatter plot; more cannot be distinguished.
const MAX_POINTS: usize = 4000;
/// Half the width of a confidence interval of 95 %, in standard errors.
const CONFIDENCE: f64 = 1.96;
/// Upper end of the axis of profile likelihoods: the search ends a little beyond 1, where the interval ends.
const MAX_RISE: f64 = 2.0;
const TIME: &str = "t [s]";
const BREAKAWAY_FORCE: &str = "break-away force [N]";

/// The figures of a result.
pub fn figures(result: &IdentificationResult) -> Vec<Figure> {
    let mut out: Vec<Figure> = result.curves.iter().map(figure).collect();
    if result.rotational {
        for panel in out.iter_mut().flat_map(|figure| &mut figure.panels) {
            panel.x.label = rotational_units(&panel.x.label);
            panel.y.label = rotational_units(&panel.y.label);
        }
    }
    out
}

fn figure(curves: &ResultCurves) -> Figure {
    match curves {
        ResultCurves::FrictionVelocity(curves) => friction_velocity(curves),
        ResultCurves::SlidingResiduals(curves) => sliding_residuals(curves),
        ResultCurves::HysteresisReplay(curves) => hysteresis_replay(curves),
        ResultCurves::BranchFamily(curves) => branch_family(curves),
        ResultCurves::BreakawayRecord(curves) => breakaway_record(curves),
        ResultCurves::BreakawayApproaches(curves) => breakaway_approaches(curves),
        ResultCurves::RegressionCurve(curves) => regression_curve(curves),
        ResultCurves::FrictionComparison(curves) => friction_comparison(curves),
        ResultCurves::TimeComparison(curves) => time_comparison(curves),
        ResultCurves::ProfileLikelihoods(curves) => profile_likelihoods(curves),
        ResultCurves::TestMotion(curves) => test_motion(curves),
    }
}

/// Every so many of `n` points, so that at most [`MAX_POINTS`] remain.
fn stride(n: usize) -> usize {
    n.div_ceil(MAX_POINTS).max(1)
}

fn thinned(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> + '_ {
    points.iter().copied().step_by(stride(points.len()))
}

fn friction_velocity(FrictionVelocity { samples, bins, law }: &FrictionVelocity) -> Figure {
    let mut panel = Panel::new(Axis::linear("v [m/s]"), Axis::linear("friction [N]"));
    for curve in law {
        panel = panel.line("law", curve.iter().copied());
    }
    let bars = bins.iter().map(|bin| [bin.velocity, bin.mean, bin.quartiles[0], bin.quartiles[1]]);
    let panel = panel.cloud("samples", thinned(samples)).bars("mean and middle half", bars);
    Figure::new("Friction over velocity").panel(panel)
}

fn sliding_residuals(SlidingResiduals { over_time, over_velocity, spectrum }: &SlidingResiduals) -> Figure {
    let residual = || Axis::linear("residual [N]");
    let mut figure = Figure::new("Residual: measured less model")
        .panel(Panel::new(Axis::linear(TIME), residual()).cloud("", thinned(over_time)))
        .panel(Panel::new(Axis::linear("v [m/s]"), residual()).cloud("", thinned(over_velocity)));
    if !spectrum.is_empty() {
        let density = Axis { scale: Scale::Log, ..Axis::linear("density [N^{2}/Hz]") };
        let frequency = Axis::linear("frequency [Hz]");
        figure = figure.panel(Panel::new(frequency, density).line("", spectrum.iter().copied()));
    }
    figure
}

fn hysteresis_replay(HysteresisReplay { record, displacement, measured, laws }: &HysteresisReplay) -> Figure {
    let (low, high) = displacement.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    let (factor, unit) = length_unit(high - low);
    let over = |force: &[f64]| displacement.iter().map(|x| factor * x).zip(force.iter().copied()).collect::<Vec<_>>();
    let mut figure = Figure::new(format!("Presliding of {record}"));
    for (k, replay) in laws.iter().enumerate() {
        let panel = Panel::new(Axis::linear(format!("x [{unit}]")), Axis::linear("friction [N]"))
            .title(format!("({}) {}", if k == 0 { 'a' } else { 'b' }, replay.law))
            .line("measured", over(measured))
            .line("law", over(&replay.force));
        figure = if k == 0 { figure.panel(panel) } else { figure.beside(panel) };
    }
    figure
}

fn branch_family(BranchFamily { branches, fitted, longest }: &BranchFamily) -> Figure {
    let (factor, unit) = length_unit(*longest);
    let scaled = |points: &[(f64, f64)]| points.iter().map(|(z, f)| (factor * z, *f)).collect::<Vec<_>>();
    let travel = Axis::linear(format!("travel from the reversal [{unit}]"));
    let mut panel = Panel::new(travel, Axis::linear("rise of the force [N]"));
    for branch in branches {
        panel = panel.line(if branch.direction > 0.0 { "up" } else { "down, turned" }, scaled(&branch.points));
    }
    Figure::new("Branches on one another").panel(panel.line("F_{d}", scaled(fitted)))
}

fn breakaway_record(curves: &BreakawayRecord) -> Figure {
    let over = |y: &[f64]| curves.t.iter().copied().zip(y.iter().copied()).collect::<Vec<_>>();
    let bars = curves.events.iter().map(|e| {
        let half = CONFIDENCE * e.error;
        [e.t, e.force, e.force - half, e.force + half]
    });
    let force = Panel::new(Axis::linear(TIME), Axis::linear("force [N]"))
        .line("measured", over(&curves.force))
        .bars("break-away", bars);
    let label = match curves.quantity {
        MotionQuantity::Velocity => "v [m/s]",
        MotionQuantity::Acceleration => "acceleration [m/s²]",
    };
    let motion = Panel::new(Axis::linear(TIME), Axis::linear(label))
        .line("measured", over(&curves.motion))
        .events("break-away", curves.events.iter().map(|e| e.t).collect::<Vec<_>>());
    Figure::new(format!("Break-away in {}", curves.record)).panel(force).panel(motion)
}

fn breakaway_approaches(BreakawayApproaches { approaches, breakaways, longest }: &BreakawayApproaches) -> Figure {
    let (factor, unit) = length_unit(*longest);
    let scaled = |points: &[(f64, f64)]| points.iter().map(|(x, f)| (factor * x, *f)).collect::<Vec<_>>();
    let displacement = Axis::linear(format!("displacement since the force began to rise [{unit}]"));
    let mut panel = Panel::new(displacement, Axis::linear("force [N]"));
    for approach in approaches {
        let name = if approach.direction > 0.0 { "forward" } else { "reverse" };
        panel = panel.line(name, scaled(&approach.points));
    }
    Figure::new("Force on the way to break-away").panel(panel.points("break-away", scaled(breakaways)))
}

fn regression_curve(RegressionCurve { kind, load, points, line }: &RegressionCurve) -> Figure {
    let (title, x, y) = match kind {
        RegressionKind::BreakawayOverLoad => ("Break-away force over load", load.as_str(), BREAKAWAY_FORCE),
        RegressionKind::BreakawayOverRestTime => {
            ("Break-away force over time of rest", "log_{10} of the time of rest [s]", BREAKAWAY_FORCE)
        }
        RegressionKind::LoopWidthOverLoad => ("Friction over load", load.as_str(), "half the friction loop [N]"),
    };
    let panel = Panel::new(Axis::linear(x), Axis::linear(y))
        .band("95 % of the line", line.iter().map(|[x, _, below, above]| [*x, *below, *above]))
        .line("line", line.iter().map(|[x, y, ..]| (*x, *y)))
        .points("measured", points.iter().copied());
    Figure::new(title).panel(panel)
}

fn friction_comparison(curves: &FrictionComparison) -> Figure {
    let step = stride(curves.measured.len());
    let over =
        |x: &[f64], y: &[f64]| -> Vec<(f64, f64)> { x.iter().copied().zip(y.iter().copied()).step_by(step).collect() };
    let panel = |label: &str, x: &[f64]| {
        Panel::new(Axis::linear(label), Axis::linear(curves.quantity.as_str()))
            .cloud("measured", over(x, &curves.measured))
            .cloud("law", over(x, &curves.model))
    };
    let mut figure = Figure::new("Friction, measured and by the law");
    if !curves.position.is_empty() {
        figure = figure.panel(panel("x [m]", &curves.position));
    }
    figure.panel(panel("v [m/s]", &curves.velocity))
}

fn time_comparison(curves: &TimeComparison) -> Figure {
    let over = |y: &[f64]| curves.t.iter().copied().zip(y.iter().copied()).collect::<Vec<_>>();
    let residual = curves.measured.iter().zip(&curves.model).map(|(measured, model)| measured - model);
    let residual: Vec<f64> = residual.collect();
    let unit = unit(&curves.quantity);
    let density = match unit.as_str() {
        "" => String::new(),
        "-" | "1" => "1/Hz".to_owned(),
        unit if unit.contains(['/', '·']) => format!("({unit})²/Hz"),
        unit => format!("{unit}²/Hz"),
    };
    let mut figure = Figure::new("A stretch of the record")
        .panel(
            Panel::new(Axis::linear(TIME), Axis::linear(curves.quantity.as_str()))
                .line("measured", over(&curves.measured))
                .line("model", over(&curves.model)),
        )
        .panel(Panel::new(Axis::linear(TIME), Axis::linear(with_unit("residual", &unit))).line("", over(&residual)));
    if !curves.spectrum.is_empty() {
        let y = Axis { scale: Scale::Log, ..Axis::linear(with_unit("density of the residual", &density)) };
        let spectrum = curves.spectrum.iter().copied();
        figure = figure.panel(Panel::new(Axis::linear("frequency [Hz]"), y).line("", spectrum));
    }
    match &curves.record {
        Some(record) => figure.named(record),
        None => figure,
    }
}

/// Where a curve is below 1 lies the interval; a curve that stays flat to one side is a parameter without a bound there.
fn profile_likelihoods(profiles: &[ParameterProfile]) -> Figure {
    let mut figure = Figure::new("Profile likelihoods: all others fitted anew at each value");
    for (k, ParameterProfile { name, unit, points, estimate }) in profiles.iter().enumerate() {
        let y = Axis::linear("rise of the cost").limits(0.0, MAX_RISE);
        let axis = Axis::linear(with_unit(name, unit));
        let panel = Panel::new(axis, y).line("", points.iter().copied()).points("", [(*estimate, 0.0)]);
        let panel = panel.horizontal_line("limit", 1.0);
        figure = if k % 2 == 0 { figure.panel(panel) } else { figure.beside(panel) };
    }
    figure
}

fn test_motion(motion: &TestMotion) -> Figure {
    let [speed, force] = motion.units;
    let length = speed.trim_end_matches("/s");
    let panel = |label: String, list: &[f64]| {
        let points = motion.t.iter().copied().zip(list.iter().copied());
        Panel::new(Axis::linear(TIME), Axis::linear(&label)).line("", points)
    };
    Figure::new(format!("A test for {}", motion.law))
        .panel(panel(format!("x [{length}]"), &motion.position))
        .panel(panel(format!("v [{speed}]"), &motion.velocity))
        .panel(panel(format!("friction [{force}]"), &motion.friction))
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
    use super::figures;
    use crate::identify::result::{IdentificationResult, ResidualSeries, ResultCurves, TimeComparison};

    #[test]
    fn residuals_have_the_unit_of_the_compared_quantity() {
        let t: Vec<f64> = (0..200).map(f64::from).collect();
        let measured: Vec<f64> = t.iter().map(|t| t.sin()).collect();
        let labels = |quantity: &str, rotational: bool| -> Vec<String> {
            let series = ResidualSeries {
                quantity: quantity.to_owned(),
                t: t.clone(),
                measured: measured.clone(),
                model: vec![0.0; t.len()],
                ..ResidualSeries::default()
            };
            let curves = vec![ResultCurves::TimeComparison(TimeComparison::new(&series, t.len()))];
            let result = IdentificationResult { curves, ..IdentificationResult::default() };
            let result = if rotational { result.in_rotational_units() } else { result };
            figures(&result)[0].panels.iter().map(|panel| panel.y.label.clone()).collect()
        };
        assert_eq!(labels("friction [N]", false), ["friction [N]", "residual [N]", "density of the residual [N²/Hz]"]);
        assert_eq!(labels("friction [N]", true)[1..], ["residual [N·m]", "density of the residual [(N·m)²/Hz]"]);
        assert_eq!(labels("friction [-]", false)[1..], ["residual [-]", "density of the residual [1/Hz]"]);
        assert_eq!(labels("x", false)[1..], ["residual", "density of the residual"]);
    }
}
