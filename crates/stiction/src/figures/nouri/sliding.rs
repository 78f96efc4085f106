//! Break-away and sliding.
use super::FLAT;
use crate::Error;
use crate::figures::Outcome;
use crate::figures::given::given;
use crate::figures::lab::{measure, run};
use crate::plot::{Axis, Figure, Panel};

/// Supply pressures of the paper \[bar\].
const PRESSURES: [f64; 6] = [2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// The force with which sliding begins.
const BREAK: &str = "measure.F_break={ event = \"guide.guard2+\", column = \"guide.force\" }";

/// The load at a supply pressure: 3 % of the nominal one a bar; nominal is 7 bar, where the levels were given.
pub(super) fn pressed(bar: f64) -> String {
    format!("contact.guide.load={{ signal = {bar}, base = 0.79, slope = 0.03 }}")
}

pub(super) fn branches() -> Result<Outcome, Error> {
    let mut out = Outcome { given: given("n4")?, ..Outcome::default() };
    let over_speed = || Panel::new(Axis::linear("v [m/s]"), Axis::linear("F [N]"));
    let mut all = over_speed();
    for bar in PRESSURES {
        let run = run("n4", &[pressed(bar)])?;
        all = all.line(format!("{bar} bar"), run.between("slide.v", "guide.force", 1.0, 2.0)?);
    }
    let nominal = run("n4", &[] as &[&str])?;
    for (key, unit) in [("rising(0.5)", "N"), ("falling(0.5)", "N"), ("F_min", "N"), ("v_at_F_min", "m/s")] {
        out.value(key, unit, nominal.measure(key)?);
    }
    out.pictures.push(Figure::new("Sliding at several pressures").panel(all));
    let forward = |from: f64, to: f64| nominal.between("slide.v", "guide.force", from, to);
    let model = over_speed().line("speed rises", forward(1.0, 1.25)?).line("speed falls", forward(1.25, 1.5)?);
    out.pictures.push(Figure::new("The two branches").panel(model));

    let mut levels = [Vec::new(), Vec::new()];
    for bar in PRESSURES {
        for (slope, levels) in [20.0, -20.0].into_iter().zip(&mut levels) {
            let (load, ramp) = (pressed(bar), format!("force.push.force.ramp.slope={slope}"));
            let run = measure("n5", &[&FLAT[..], &[&load, &ramp, BREAK]].concat())?;
            levels.push((bar, run.measure("F_break")?));
        }
    }
    for (bar, level) in &levels[0] {
        out.value(format!("breakaway({bar})"), "N", *level);
    }
    if let [(low, least), .., (high, most)] = levels[0][..] {
        out.value("breakaway_per_bar", "N/bar", (most - least) / (high - low));
    }
    let [up, down] = levels;
    let panel = |name: &str, line| Panel::new(Axis::linear("supply pressure [bar]"), Axis::linear(name)).line("", line);
    let levels = Figure::new("Break-away against pressure")
        .panel(panel("F_s, forwards [N]", up))
        .panel(panel("F_s, backwards [N]", down));
    out.pictures.push(levels);
    Ok(out)
}

pub(super) fn breakaway() -> Result<Outcome, Error> {
    let mut out = Outcome { given: given("n5")?, ..Outcome::default() };
    let set = ["run.end=4.3", "run.sample=0.001"];
    let mass = 5.0;
    let body = format!("body.slide.mass={mass}");
    let up = run("n5", &[&body, set[0], set[1]])?;
    let down = run("n5", &[&body, set[0], set[1], "force.push.force.ramp.slope=-20"])?;
    for (key, unit) in [("t_break", "s"), ("x_break", "m")] {
        out.value(key, unit, up.measure(key)?);
    }
    // what the push has over the friction accelerates the slide
    let (pull, friction) = (up.points("t", "push.force")?, up.column("guide.force")?);
    let acceleration = pull.into_iter().zip(friction).map(|((t, pull), friction)| (t, (pull - friction) / mass));
    let panel = Panel::new(Axis::linear("t [s]"), Axis::linear("acceleration [m/s²]"));
    out.pictures.push(Figure::new("Acceleration").panel(panel.line("", acceleration.filter(|p| p.0 > 3.0))));
    let mut both = Panel::new(Axis::linear("x [mm]"), Axis::linear("F [N]"));
    for (name, run) in [("forwards", up), ("backwards", down)] {
        let points = run.points("slide.x", "guide.force")?;
        both = both.line(name, points.into_iter().map(|(x, f)| (1e3 * x, f)).filter(|p| p.0.abs() < 1.0));
    }
    out.pictures.push(Figure::new("Force and distance of break-away, both ways").panel(both));
    Ok(out)
}
