//! A bootstrap of a scenario with eight parameters against a record of ten thousand rows: all refits on the device, some of them on the
//! processor for comparison.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use stiction::accelerator::Accelerator;
use stiction::fit::Random;
use stiction::identify::dynamic::plant::{DeviceFits, DeviceStart, PlantLog, PlantOptions, Resampling, fit};
use stiction::identify::{FoundFit, GlobalSearch, Refits};
use stiction::scenario::Template;
use stiction::sim::Trace;
use stiction::{Error, parallel};

/// Rows of the record, a millisecond apart.
const ROWS: usize = 10_001;
/// Refits on the device, and on the processor.
const REFITS: u32 = 100_000;
const COMPARED: u32 = 64;

/// A block on a table, held by a spring, under a force.
const BLOCK: &str = r#"
[run]
end = 10
rtol = 1e-6
[body.block]
mass = 1
[spring.wall]
between = ["block", "ground"]
stiffness = 20
[force.push]
on = "block"
force = 0
[contact.table]
between = ["block", "ground"]
law = "lugre"
fc = 0.6
fs = 0.9
vs = 0.05
sigma0 = 800
sigma1 = 10
sigma2 = 0.4
[identify.free]
mass = { low = 0.2, high = 5, start = 1.1 }
stiffness = { low = 2, high = 100, start = 21 }
fc = { low = 0.1, high = 5, start = 0.65, log = true }
excess = { low = 0, high = 2, start = 0.3 }
vs = { low = 0.005, high = 0.5, start = 0.05, log = true }
sigma0 = { low = 50, high = 1e4, start = 700, log = true }
sigma1 = { low = 0.1, high = 100, start = 9, log = true }
fv = { low = 0, high = 5, start = 0.5 }
[identify.set]
"body.block.mass" = "mass"
"spring.wall.stiffness" = "stiffness"
"contact.table.fc" = "fc"
"contact.table.fs" = "fc + excess"
"contact.table.vs" = "vs"
"contact.table.sigma0" = "sigma0"
"contact.table.sigma1" = "sigma1"
"contact.table.sigma2" = "fv"
[identify.match]
"block.x" = "position"
"#;

/// What drives the block: a force from the record, which bends at every row, or a sine that the scenario knows.
const INPUTS: [(&str, &str, &str); 2] = [
    ("force from the record", "force = 0\n", "[identify.input]\n\"force.push.force\" = \"push\"\n"),
    ("sine", "force = { sine = { amplitude = 4, omega = 2.6 } }\n", ""),
];

fn template(force: &str, input: &str) -> Result<Template, Error> {
    let none: [&str; 0] = [];
    let text = BLOCK.replace("force = 0\n", force).replace("[identify.match]\n", &format!("{input}[identify.match]\n"));
    Template::parse(&text, "fits.toml".as_ref(), &none)
}

/// The motion of a block with other values, with noise of a tenth of a millimetre.
fn record(template: &Template) -> Result<PlantLog, Error> {
    let t: Vec<f64> = (0..ROWS).map(|k| 1e-3 * k as f64).collect();
    let push: Vec<f64> = t.iter().map(|t| 4.0 * (2.6 * t).sin() + 1.5 * (7.0 * t).sin()).collect();
    let mut truth = template.clone();
    truth.number("contact.table.fc", 0.7)?.number("contact.table.fs", 1.0)?.number("body.block.mass", 1.2)?;
    truth.number("run.sample", 1e-3)?;
    if template.text().contains("identify.input") {
        truth.sampled_signal("force.push.force", [&t, &push], "linear", 0.0)?;
    }
    let scenario = truth.build()?;
    let simulation = scenario.simulation()?;
    let at = simulation.columns().iter().position(|c| c.name == "block.x").unwrap_or(1);
    let mut trace = Trace::default();
    simulation.run(&scenario.options, &mut trace)?;
    let mut random = Random::new(1);
    let (mut position, mut next) = (Vec::new(), 0);
    for t in &t {
        while next + 1 < trace.rows.len() && trace.rows[next][0] < t - 1e-9 {
            next += 1;
        }
        position.push(trace.rows[next][at] + 1e-4 * random.normal());
    }
    let columns = vec![("t".to_owned(), t), ("push".to_owned(), push), ("position".to_owned(), position)];
    Ok(PlantLog { name: "record".to_owned(), columns, ..PlantLog::default() })
}

/// Deviations of each column.
fn deviations(rows: &[(u32, Vec<f64>)]) -> Vec<f64> {
    let n = rows.len() as f64;
    let width = rows.first().map_or(0, |(_, row)| row.len());
    let of = |k: usize| {
        let mean = rows.iter().map(|(_, row)| row[k]).sum::<f64>() / n;
        (rows.iter().map(|(_, row)| (row[k] - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
    };
    (0..width).map(of).collect()
}

/// What it takes, in seconds, and how far refits of the device are from those of the processor.
pub fn run(device: &dyn Accelerator, note: &dyn Fn(String, f64)) -> Result<(), Error> {
    for (name, force, input) in INPUTS {
        let template = template(force, input)?;
        let logs = [record(&template)?];
        let options = PlantOptions { search: GlobalSearch::None, ..PlantOptions::default() };
        let begin = Instant::now();
        let fitted = fit(&template, &logs, &options, &mut |_| true)?;
        note(format!("{name}: a fit by the processor [s]"), begin.elapsed().as_secs_f64());
        let found = FoundFit::of_plant(&fitted);
        let begin = Instant::now();
        let here = Refits { seed: 1, indices: 0..COMPARED }.of_plant(&template, &logs, &options, &found, &|| true);
        let what = format!("{name}: {COMPARED} refits on {} processors [s]", parallel::processors());
        note(what, begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        let fits = DeviceFits::new(
            &template,
            &logs,
            &options,
            Some(Resampling { values: &found.values, residuals: &found.residuals, seed: 1 }),
            device,
        )?;
        note(format!("{name}: kernels ready [s]"), begin.elapsed().as_secs_f64());
        for count in [1000, 10_000, REFITS] {
            let start = |index| DeviceStart { values: fits.start(), refit: Some(index) };
            let starts: Vec<DeviceStart> = (0..count).map(start).collect();
            let (begin, before) = (Instant::now(), fits.device_seconds());
            let rounds = AtomicUsize::new(0);
            let ended = fits.run(&starts, &|ended| {
                let round = rounds.fetch_add(1, Ordering::Relaxed);
                let (spent, on_device) = (begin.elapsed().as_secs_f64(), fits.device_seconds() - before);
                eprintln!(
                    "round {round}: {ended} of {count} ended after {spent:.2} s, of it the device {on_device:.2} s"
                );
                true
            })?;
            note(format!("{name}: {count} refits on the device [s]"), begin.elapsed().as_secs_f64());
            note(format!("{name}: of it rounds of trajectories"), rounds.into_inner() as f64);
            note(format!("{name}: of it the device [s]"), fits.device_seconds() - before);
            note(format!("{name}: of it trajectories built one by one"), f64::from(u8::from(!fits.is_direct())));
            let there: Vec<(u32, Vec<f64>)> =
                (0..count).zip(ended).filter_map(|(index, fit)| fit.map(|fit| (index, fit.values))).collect();
            note(format!("{name}: refits that fail"), f64::from(count) - there.len() as f64);
            let deviations = deviations(&there);
            let mut far: Vec<f64> = Vec::new();
            for (index, row) in &here {
                let Some((_, other)) = there.iter().find(|(other, _)| other == index) else { continue };
                let each = row.iter().zip(other).zip(&deviations).map(|((a, b), sd)| (a - b).abs() / sd);
                far.push(each.fold(0.0, f64::max));
            }
            far.sort_unstable_by(f64::total_cmp);
            let worst = far.last().copied().unwrap_or(f64::NAN);
            note(format!("{name}: largest difference of {} refits [standard deviations]", far.len()), worst);
            let middle = far.get(far.len() / 2).copied().unwrap_or(f64::NAN);
            note(format!("{name}: that of the median refit"), middle);
            if count == REFITS {
                for (k, (parameter, value)) in found.values.iter().enumerate() {
                    let error = fitted.fit.standard_errors()[k];
                    note(format!("{name}: {parameter} = {value:.5}: deviation of refits"), deviations[k]);
                    note(format!("{name}: over the standard error of the fit"), deviations[k] / error);
                }
            }
        }
    }
    Ok(())
}
