//! Presliding: branches, loops and what is left of a displacement.
use super::FLAT;
use super::sliding::pressed;
use crate::Error;
use crate::figures::ExperimentOutcome;
use crate::figures::curves::{law, span};
use crate::figures::numeric::root;
use crate::figures::scenario_parameters::parameter_lines;
use crate::figures::simulated_scenario::{SimulatedScenario, dissipated, simulate};
use crate::figures::traces::thinned;
use crate::plot::{Axis, Figure, Panel};
use std::f64::consts::TAU;
use stiction_core::Params;
use stiction_core::models::Hysteresis;

/// Force over displacement in millimetres, as all pictures of the paper.
fn loops() -> Panel {
    Panel::new(Axis::linear("x [mm]"), Axis::linear("F [N]"))
}

fn line(run: &SimulatedScenario, from: f64, to: f64) -> Result<Vec<(f64, f64)>, Error> {
    let points = run.between("slide.x", "guide.force", from, to)?;
    Ok(points.into_iter().map(|(x, f)| (1e3 * x, f)).collect())
}

/// Moves the slide to places, one second each.
fn moves(places: impl IntoIterator<Item = f64>) -> String {
    let points = [0.0].into_iter().chain(places).enumerate().map(|(t, x)| format!("[{t}, {x:e}]"));
    format!("motion.slide.position={{ table = {{ points = [{}] }} }}", points.collect::<Vec<_>>().join(", "))
}

pub(super) fn branch() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("n3")?.split_off(1), ..ExperimentOutcome::default() };
    let set = [("fs", 80.0), ("k0", 1.3e6), ("k1", 1e5), ("k2", 4e4), ("f1", 80.0), ("z2", 4e-4)];
    let spec = law("hysteresis", &set)?;
    let law = Hysteresis::<f64>::from_slice(&spec.values(crate::ParameterGroup::Law));
    let rise = |z: f64| law.branch(z).0;
    for (key, z) in [("Fd(5e-05)", 5e-5), ("Fd(0.0002)", 2e-4), ("Fd(0.001)", 1e-3)] {
        out.value(key, "N", rise(z));
    }
    let full = root(0.0, 1.0, |z| rise(z) - 2.0 * law.fs);
    out.value("z_full", "m", full);
    // there and back, with a force that stays at Fs while it slides
    let path = moves([-1e-3, 1e-3, -1e-3]);
    let run = simulate("n3", &[&FLAT[..], &[&path, "run.sample=0.003"]].concat())?;
    let turned: Vec<_> = line(&run, 2.0, 3.0)?.into_iter().map(|(x, f)| (-x, -f)).collect();
    let halves = loops()
        .title("Its halves on each other")
        .line("upper", line(&run, 1.0, 2.0)?)
        .points("lower, turned", thinned(turned, 40));
    let whole = loops().title("Between the break-aways").line("", line(&run, 1.0, 3.0)?);
    out.pictures.push(Figure::new("Point symmetry of the loop").panel(whole).beside(halves));
    let knee = rise(law.z2) - law.k2 * law.z2;
    let lines = |slope: f64, from: f64, to: f64, at: f64| span(from, to, 1).map(move |z| (1e3 * z, at + slope * z));
    let bend = law.f1 / (law.k0 - law.k1);
    let straight = lines(law.k0, 0.0, bend, 0.0)
        .chain(lines(law.k1, bend, law.z2, law.f1))
        .chain(lines(law.k2, law.z2, full, knee));
    let model = Panel::new(Axis::linear("z [mm]"), Axis::linear("F_{d} [N]"))
        .line("F_{d}", span(0.0, full, 1000).map(|z| (1e3 * z, rise(z))))
        .line("k_{0} z, k_{1} z + f_{1}, k_{2} z + f_{2}", straight)
        .vertical_line("z_{1}", 1e3 * bend)
        .vertical_line("z_{2}", 1e3 * law.z2)
        .vertical_line("z_{b}", 1e3 * full);
    out.pictures.push(Figure::new("A branch, and its straight pieces").panel(model));
    Ok(out)
}

/// The spring test through some forces: ten seconds to get to each, ten more to settle, with a damper that lets nothing ring.
fn test(forces: &[f64]) -> Vec<String> {
    let points: Vec<String> = forces
        .iter()
        .enumerate()
        .flat_map(|(k, force)| [20 * k + 10, 20 * k + 20].map(|t| format!("[{t}, {force}]")))
        .collect();
    let end = 20 * forces.len();
    vec![
        format!("force.push.force={{ table = {{ points = [[0, 0], {}] }} }}", points.join(", ")),
        "damper.oil.damping=1e4".to_owned(),
        "measure.loaded.at=20".to_owned(),
        format!("measure.residual.at={end}"),
        format!("run.end={end}"),
    ]
}

pub(super) fn spring() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("n2")?, ..ExperimentOutcome::default() };
    out.given.push("damping 1e4 N·s/m; ten seconds to each force, ten to settle".to_owned());
    let (mut small, mut large) = (loops().title("(a) A small force"), loops().title("(b) Larger forces"));
    for force in [20.0, 40.0, 75.0] {
        let run = simulate("n2", &test(&[force, 0.0]))?;
        out.value(format!("F{force}.loaded"), "m", run.measure("loaded")?);
        out.value(format!("F{force}.residual"), "m", run.measure("residual")?);
        let points = line(&run, 0.0, f64::INFINITY)?;
        if force < 30.0 {
            small = small.line(format!("{force} N"), points);
        } else {
            large = large.line(format!("{force} N"), points);
        }
    }
    let both = test(&[60.0, -60.0, 60.0]);
    out.value("energy", "J", dissipated("n2", &both, 20.0, 60.0)?);
    // an axis that is not that of the panel above
    let there = Panel { x: Axis::linear("x [mm]").limits(-0.25, 0.25), ..loops() }
        .title("(c) A force both ways")
        .line("", line(&simulate("n2", &both)?, 0.0, f64::INFINITY)?);
    let away = line(&simulate("n5", &[] as &[&str])?, 0.0, f64::INFINITY)?.into_iter().take_while(|p| p.0 < 1.0);
    let away =
        Panel { x: Axis::linear("x [mm]").limits(0.0, 1.0), ..loops() }.title("(d) Beyond break-away").line("", away);
    let figure = Figure::new("The slide as a nonlinear spring");
    out.pictures.push(figure.panel(small).beside(large).panel(there).beside(away));
    Ok(out)
}

pub(super) fn nested() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("n3")?, ..ExperimentOutcome::default() };
    let sequence = simulate("n3", &[] as &[&str])?;
    for k in 1..=12 {
        let key = format!("seq_{k}");
        let value = sequence.measure(&key)?;
        out.value(key, "N", value);
    }
    // the four that are published slide at Fs; the others lie inside a loop
    let shown = [1, 10, 20, 40, 5, 14, 26, 27, 32, 36];
    let place = |k: u32| 2e-3 * (0.7 * f64::from(k * k) + 0.3 * f64::from(k) + 0.2).sin();
    let mut set = vec![moves((1..=40).map(place)), "run.end=40".to_owned(), "run.sample=0.005".to_owned()];
    set.extend(FLAT.map(str::to_owned));
    set.extend(shown.map(|k| format!("measure.random_{k}={{ at = {k}, column = \"guide.force\" }}")));
    let random = simulate("n3", &set)?;
    for k in shown {
        out.value(format!("random_{k}"), "N", random.measure(&format!("random_{k}"))?);
    }
    let mut ranges = loops();
    for (pressure, range) in [(7.0, 1.2e-3), (2.0, 0.4e-3), (2.0, 0.2e-3), (2.0, 0.1e-3)] {
        let set = [
            format!("motion.slide.position={{ sine = {{ amplitude = {:e}, omega = {TAU} }} }}", 0.5 * range),
            pressed(pressure),
            "run.sample=0.002".to_owned(),
        ];
        ranges = ranges.line(format!("{} mm, {pressure} bar", 1e3 * range), line(&simulate("n3", &set)?, 1.0, 2.0)?);
    }
    out.pictures.push(Figure::new("Loops of several ranges").panel(ranges));
    let path = Panel::new(Axis::linear("t [s]"), Axis::linear("x [mm]"));
    let moved =
        |run: &SimulatedScenario| Ok::<_, Error>(run.points("t", "slide.x")?.into_iter().map(|(t, x)| (t, 1e3 * x)));
    let over_time = |title: &str, run: &SimulatedScenario| {
        let force = Panel::new(Axis::linear("t [s]"), Axis::linear("F [N]")).line("", run.points("t", "guide.force")?);
        Ok::<_, Error>(Figure::new(title).panel(path.clone().line("", moved(run)?)).panel(force))
    };
    let within = |run: &SimulatedScenario| Ok::<_, Error>(loops().line("", line(run, 0.0, f64::INFINITY)?));
    let nested = over_time("Loops within loops", &sequence)?.panel(within(&sequence)?);
    let random = over_time("A path that slides now and then", &random)?.panel(within(&random)?);
    out.pictures.extend([nested, random]);
    Ok(out)
}
