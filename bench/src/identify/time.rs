//! How long a fit of a long record takes.
use super::record::{CASES, Data, MASS, NOISE, OFFSET, RATE, STEPS, law, motion, raw};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use stiction::Error;
use stiction::core::Input;
use stiction::fit::Random;
use stiction::identify::sliding::{self, SlidingLaw};
use stiction::identify::{Preparation, prepare};

/// Seconds for a million samples of Coulomb, viscous and Stribeck friction: columns in, law out; and what SciPy takes.
pub(super) fn time() -> Result<(), Error> {
    const COUNT: usize = 1_000_000;
    let case = &CASES[2];
    let model = law(case)?.build()?;
    let mut random = Random::new(1);
    let mut columns = [const { Vec::new() }; 3];
    for k in 0..COUNT {
        let t = k as f64 / RATE;
        let [x, v, a] = motion(case.size, t);
        let step = case.size / STEPS;
        columns[0].push(t);
        columns[1].push((x / step).round() * step);
        columns[2].push(model.force(&[], &Input::at(v)) + MASS * a + OFFSET + NOISE * random.normal());
    }
    let mut text = String::from("t [s],x [m],force [N]\n");
    for ((t, x), f) in columns[0].iter().zip(&columns[1]).zip(&columns[2]) {
        text += &format!("{t},{x},{f}\n");
    }
    let start = Instant::now();
    let raw = raw(&text, Data::Clean)?;
    let read = start.elapsed().as_secs_f64();
    drop(text);
    let (mut filter, mut fit, mut cutoff) = (f64::INFINITY, f64::INFINITY, 0.0);
    for _ in 0..3 {
        let start = Instant::now();
        let (prepared, _) = prepare(&raw, &Preparation::default())?;
        filter = filter.min(start.elapsed().as_secs_f64());
        cutoff = prepared[0].cutoff;
        let start = Instant::now();
        sliding::identify(
            &prepared,
            &sliding::SlidingOptions { curve: Some(SlidingLaw::Stribeck(20)), ..sliding::SlidingOptions::default() },
        )?;
        fit = fit.min(start.elapsed().as_secs_f64());
    }
    let row = |what: &str, seconds: f64| println!("time sliding,stribeck,{COUNT} samples,{what},{seconds:.3},s,,,,");
    row("read from text", read);
    row("filter", filter);
    row("fit", fit);
    row("filter and fit", filter + fit);
    match peer(&columns, cutoff) {
        Some(peer) => peer.iter().for_each(|(what, seconds)| row(what, *seconds)),
        None => eprintln!("note: no peer measured; set STICTION_PEERS=python, one that has SciPy (see bench/peers)"),
    }
    Ok(())
}

/// The same by SciPy, if `STICTION_PEERS` names a Python that has it: what it did, and the seconds it took.
fn peer(columns: &[Vec<f64>; 3], cutoff: f64) -> Option<Vec<(String, f64)>> {
    let python = std::env::var_os("STICTION_PEERS")?;
    let path = std::env::temp_dir().join(format!("stiction-bench-{}.bin", std::process::id()));
    let bytes: Vec<u8> = columns.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    std::fs::File::create(&path).and_then(|mut file| file.write_all(&bytes)).ok()?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/identify.py");
    let out = Command::new(python).arg(script).arg(&path).arg(cutoff.to_string()).output();
    let _ = std::fs::remove_file(&path);
    let out = out.ok().filter(|out| out.status.success())?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let row =
        |line: &str| line.split_once(',').and_then(|(what, s)| Some((format!("peer {what}"), s.trim().parse().ok()?)));
    Some(text.lines().filter_map(row).collect())
}
