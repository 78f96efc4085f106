//! Parameters of a scenario from records, through a simulated plant.
use std::path::{Path, PathBuf};
use std::time::Instant;
use stiction::identify::dynamic::plant::{Log, Options, fit, judge};
use stiction::scenario::{Template, embedded};

fn logs() -> Vec<Log> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = std::env::var_os("STICTION_DATA").map(PathBuf::from);
    let folders = named.into_iter().chain([root.join("shared/data"), root.join("../shared/data")]);
    let Some(folder) = folders.map(|folder| folder.join("bam/xl330")).find(|path| path.is_dir()) else {
        println!("skipped: no bam/xl330; name its folder's parent in STICTION_DATA");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("readable").map(|e| e.expect("a file").path()).collect();
    files.sort();
    files.iter().map(|file| Log::read(file).expect("a log")).collect()
}

fn servo() -> Template {
    let entry = embedded::find("servo-pendulum").expect("a scenario");
    Template::parse(entry.text, "servo-pendulum.toml".as_ref(), &[] as &[&str]).expect("a scenario")
}

#[test]
fn bam() {
    let logs = logs();
    if logs.is_empty() {
        return;
    }
    let template = servo();
    let begin = Instant::now();
    let published =
        [0.323211 / 4.763650, 0.323211 * 0.323211 / 4.763650 + 0.0104948, 1.64322e-3, 0.0179525, 0.00696597, 0.0, 0.0];
    let (_, scores) = judge(&template, &logs, &published, &Options::default()).expect("runs");
    println!("{:?}: {:?}", begin.elapsed(), scores.iter().map(|s| (s.value * 1e4).round() / 1e4).collect::<Vec<_>>());
    let train: Vec<Log> = [0, 1, 6, 7].map(|k| logs[k].clone()).to_vec();
    let begin = Instant::now();
    let fitted = fit(&template, &train, &Options::default(), &mut |p| {
        println!("{:?} {:.2} {:.4} {:?}", p.stage, p.done, p.rms, p.values);
        true
    })
    .expect("a fit");
    println!("{:?} {:?} {:?}", begin.elapsed(), fitted.fit.state.evaluations, fitted.fit.reason);
    fitted.finding.estimates.iter().for_each(|e| println!("{e:?}"));
    fitted.finding.remarks.iter().for_each(|r| println!("{:?}: {}", r.tone, r.text));
    let (_, scores) = judge(&template, &logs, &fitted.fit.values, &Options::default()).expect("runs");
    println!("{:?}", scores.iter().map(|s| (s.value * 1e4).round() / 1e4).collect::<Vec<_>>());
}
