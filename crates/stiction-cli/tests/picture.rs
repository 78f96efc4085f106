//! Pictures of all commands: in the terminal, and on light or dark paper.
mod common;
use common::{Folder, ProgramOutput, command, ok, refused};
use serde_json::Value;
use std::fs;
use std::process::Output;

/// Runs it in a locale; stdout is not a terminal.
fn run(args: &[&str], locale: &str) -> ProgramOutput {
    let mut command = command(args);
    command.env("LC_ALL", locale).env("COLUMNS", "60");
    let Output { status, stdout, stderr } = command.output().unwrap();
    let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(status.code(), Some(0), "{args:?}: {err}");
    ProgramOutput { code: status.code(), out, err }
}

#[test]
fn a_curve_in_the_terminal_takes_the_place_of_the_table() {
    let args = ["curve", "stribeck", "--range", "-1:1:101", "--plot"];
    let plain = run(&args, "C").out;
    assert!(plain.is_ascii() && plain.contains("v [m/s]") && plain.contains("force [N]"), "{plain}");
    assert!(plain.lines().all(|line| line.chars().count() <= 61), "{plain}");
    let fine = run(&args, "en_US.UTF-8").out;
    assert!(fine.chars().any(|c| ('\u{2801}'..='\u{28ff}').contains(&c)) && !fine.contains('\u{1b}'), "{fine}");
}

#[test]
fn data_stays_data_beside_a_plot() {
    let both = run(&["curve", "coulomb", "--at", "-1,1", "--plot", "--json"], "C");
    let curve: Value = serde_json::from_str(&both.out).unwrap();
    assert_eq!(curve["force"].as_array().unwrap().len(), 2);
    assert!(both.err.contains("v [m/s]"), "the plot is talk then");
    let both = run(&["curve", "coulomb", "--at", "-1,1", "--plot", "-o", "-"], "C");
    assert_eq!(both.out.lines().count(), 3);
    let both = run(&["run", "g5", "--plot", "--json"], "C");
    assert!(serde_json::from_str::<Value>(&both.out).is_ok() && both.err.contains("t [s]"));
}

#[test]
fn a_run_shows_its_plots_below_its_report() {
    let out = run(&["run", "a7", "--plot"], "C").out;
    let (report, plots) = out.split_once("\nLuGre stick-slip\n").unwrap();
    assert!(report.contains("Final values") && plots.contains("t [s]") && plots.contains("pull.stretch [m]"), "{out}");
    assert!(!run(&["run", "a7"], "C").out.contains("t [s]"));
}

#[test]
fn the_theme_is_that_of_every_picture() {
    let folder = Folder::new("picture-theme");
    let paper = |file: &str| fs::read_to_string(folder.path(file)).unwrap().lines().nth(1).unwrap().to_owned();
    ok(&["curve", "coulomb", "--range", "-1:1:5", "-o", &folder.path("light.svg")]);
    ok(&["curve", "coulomb", "--range", "-1:1:5", "--theme", "dark", "-o", &folder.path("dark.svg")]);
    ok(&["run", "g5", "--theme", "dark", "-o", &folder.path("run")]);
    assert!(paper("light.svg").contains("#ffffff") && !paper("dark.svg").contains("#ffffff"));
    let picture = fs::read_dir(folder.path("run")).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap());
    let picture = picture.into_iter().find(|name| name.ends_with(".svg")).unwrap();
    let fill = |line: String| line.split("fill=").nth(1).unwrap().to_owned();
    assert_eq!(fill(paper(&format!("run/{picture}"))), fill(paper("dark.svg")));
    refused(&["curve", "coulomb", "--at", "1", "--theme", "pink"]);
}

/// The usual picture: every quantity, and no line twice.
#[test]
fn without_plots_a_run_shows_all_once() {
    let folder = Folder::new("picture-usual");
    let scenario = "[run]\nend = 1\n[body.block]\nmass = 1\nv = 1\n[contact.table]\nbetween = [\"block\", \"ground\"]\n\
                    law = \"coulomb\"\n[control.servo]\non = \"block\"\nmeasure = [\"block.x\", \"block.v\"]\ngains = [3, 6]\n";
    let file = folder.file("servo.toml", scenario);
    ok(&["run", &file, "-o", &folder.path("out")]);
    let svg = fs::read_to_string(folder.path("out/plot.svg")).unwrap();
    // the speed of the contact is that of the block
    for (label, there) in
        [("block.x [m]", 1), ("block.v [m/s]", 1), ("table.force [N]", 1), ("servo.u [N]", 1), (">v [m/s]", 0)]
    {
        assert_eq!(svg.matches(label).count(), there, "{label}");
    }
}

#[test]
fn equilibria_loops_and_break_away_have_pictures_too() {
    let folder = Folder::new("picture-more");
    let out = folder.path("out");
    let run = ok(&["equilibrium", "a12", "--plot", "-o", &out]);
    assert!(run.out.contains("a12: eigenvalues") && run.out.contains("real part [1/s]"), "{}", run.out);
    let svg = fs::read_to_string(folder.path("out/eigenvalues.svg")).unwrap();
    assert!(svg.contains("imaginary part [rad/s]"));
    assert!(ok(&["hysteresis", "dahl", "--amplitude", "1e-3", "--plot"]).out.contains("x [mm]"));
    assert!(ok(&["breakaway", "stribeck", "--rate", "1,10", "--plot"]).out.contains("rate [N/s]"));
}
