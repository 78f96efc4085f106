//! Break-away and sliding.
use super::FLAT;
use crate::Error;
use crate::figures::ExperimentOutcome;
use crate::figures::scenario_parameters::parameter_lines;
use crate::figures::simulated_scenario::{simulate, simulate_measures};
use crate::number::{round, short};
use crate::plot::{Axis, Figure, Panel};

/// Supply pressures of the paper \[bar\].
const PRESSURES: [f64; 6] = [2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// The force with which sliding begins.
const BREAK: &str = "measure.F_break={ event = \"guide.guard2+\", column = \"guide.force\" }";

/// The load at a supply pressure: 3 % of the nominal one a bar; nominal is 7 bar, where the levels were given.
pub(super) fn pressed(bar: f64) -> String {
    format!("contact.guide.load={{ signal = {bar}, base = 0.79, slope = 0.03 }}")
}

pub(super) fn branches() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("n4")?, ..ExperimentOutcome::default() };
    let over_speed = || Panel::new(Axis::linear("v [m/s]"), Axis::linear("F [N]"));
    let mut all = over_speed();
    for bar in PRESSURES {
        let run = simulate("n4", &[pressed(bar)])?;
        all = all.line(format!("{bar} bar"), run.between("slide.v", "guide.force", 1.0, 2.0)?);
    }
    let nominal = simulate("n4", &[] as &[&str])?;
    for (key, unit) in [("rising(0.5)", "N"), ("falling(0.5)", "N"), ("F_min", "N"), ("v_at_F_min", "m/s")] {
        out.value(key, unit, nominal.measure(key)?);
    }
    out.pictures.push(Figure::new("Sliding at several pressures").panel(all));
    // from break-away on, and from where it takes the lower branch
    let after = |kind: &str| nominal.times(kind).into_iter().find(|t| *t > 1.0).unwrap_or(1.0) + 1e-9;
    let forward = |from: f64, to: f64| nominal.between("slide.v", "guide.force", from, to);
    let model = Panel::new(Axis::linear("v [m/s]").limits(0.0, 2.1), Axis::linear("F [N]").limits(0.0, f64::INFINITY))
        .line("speed rises", forward(after("guard1+"), 1.25)?)
        .line("speed falls", forward(after("guard3+"), 1.5)?);
    out.pictures.push(Figure::new("The two branches of sliding").panel(model));

    let mut levels = [Vec::new(), Vec::new()];
    for bar in PRESSURES {
        for (slope, levels) in [20.0, -20.0].into_iter().zip(&mut levels) {
            let (load, ramp) = (pressed(bar), format!("force.push.force.ramp.slope={slope}"));
            let run = simulate_measures("n5", &[&FLAT[..], &[&load, &ramp, BREAK]].concat())?;
            levels.push((bar, run.measure("F_break")?));
        }
    }
    for (bar, level) in &levels[0] {
        out.value(format!("breakaway({bar})"), "N", *level);
    }
    if let [(low, least), .., (high, most)] = levels[0][..] {
        out.value("breakaway_per_bar", "N/bar", (most - least) / (high - low));
    }
    let [up, down] = levels.map(|levels| {
        let ends = [levels[0], levels[levels.len() - 1]];
        let slope = (ends[1].1 - ends[0].1) / (ends[1].0 - ends[0].0);
        Panel::new(Axis::linear("supply pressure [bar]"), Axis::linear("F_{s} [N]"))
            .points("simulated", levels)
            .line(format!("{} N/bar", short(round(slope, 3)).replace('-', "−")), ends)
    });
    let levels = Figure::new("Break-away against pressure");
    out.pictures.push(levels.panel(up.title("Forwards")).beside(down.title("Backwards")));
    Ok(out)
}

pub(super) fn breakaway() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("n5")?, ..ExperimentOutcome::default() };
    let set = ["run.end=4.3", "run.sample=0.001"];
    let mass = 5.0;
    let body = format!("body.slide.mass={mass}");
    let up = simulate("n5", &[&body, set[0], set[1]])?;
    let down = simulate("n5", &[&body, set[0], set[1], "force.push.force.ramp.slope=-20"])?;
    for (key, unit) in [("t_break", "s"), ("x_break", "m")] {
        out.value(key, unit, up.measure(key)?);
    }
    // what the push has over the friction accelerates the slide
    let (pull, friction) = (up.points("t", "push.force")?, up.column("guide.force")?);
    let acceleration = pull.into_iter().zip(friction).map(|((t, pull), friction)| (t, (pull - friction) / mass));
    let panel = Panel::new(Axis::linear("t [s]"), Axis::linear("acceleration [m/s²]"));
    out.pictures
        .push(Figure::new("Acceleration at break-away").panel(panel.line("", acceleration.filter(|p| p.0 > 3.0))));
    let mut both = Panel::new(Axis::linear("x [mm]"), Axis::linear("F [N]"));
    for (name, run) in [("forwards", up), ("backwards", down)] {
        let points = run.points("slide.x", "guide.force")?;
        both = both.line(name, points.into_iter().map(|(x, f)| (1e3 * x, f)).filter(|p| p.0.abs() < 1.0));
    }
    out.pictures.push(Figure::new("Force and distance of break-away").panel(both));
    Ok(out)
}
