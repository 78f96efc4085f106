//! `stiction sweep` and `stiction merge`: the result is the same with interruptions, threads and shards.
mod common;
use common::{Folder, command, json, ok, refused, run};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A block that slides until Coulomb friction stops it, after m v²/(2 fc).
const SLIDE: &str = "title = \"A block slides\"\n[run]\nend = 3\n[body.block]\nmass = 1\nv = 1\n[contact.table]\n\
                     between = [\"block\", \"ground\"]\nlaw = \"coulomb\"\nfc = 1\n";
const GRID: [&str; 6] = ["--vary", "mass=1:2:15", "--vary", "fc=log:1:4:20", "--measure", "x.final,sticks"];

/// So many points that the sweep is still running when it is asked for again.
const LONG: [&str; 6] = ["--vary", "mass=1:2:150", "--vary", "fc=log:1:4:200", "--measure", "x.final,sticks"];

fn sweep<'a>(scenario: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    ["sweep", scenario].iter().chain(more).copied().collect()
}

/// The lines of a CSV file as cells.
fn cells(path: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn a_grid_has_what_can_be_worked_out_by_hand() {
    let folder = Folder::new("sweep_hand");
    let (scenario, out) = (folder.file("slide.toml", SLIDE), folder.path("out.csv"));
    let found = json(&sweep(
        &scenario,
        &[
            "--vary",
            "m=1,2",
            "--vary",
            "table.fc=1:4:4",
            "--measure",
            "stop=block.x.final,loss=energy.friction/m,at={event=\"table.stick\"}",
            "-o",
            &out,
            "--json",
        ],
    ));
    assert_eq!((found["points"].as_u64(), found["failed"].as_u64()), (Some(8), Some(0)));
    let rows = cells(&out);
    assert_eq!(rows[0].join(","), "index,m [kg],table.fc [N],stop [m],loss,at [s],error");
    for (k, row) in rows[1..].iter().enumerate() {
        let [index, m, fc, stop, loss, at] = [0, 1, 2, 3, 4, 5].map(|i| row[i].parse::<f64>().unwrap());
        // the last axis varies fastest
        assert_eq!((index, m, fc), (k as f64, [1.0, 2.0][k / 4], [1.0, 2.0, 3.0, 4.0][k % 4]));
        // ½mv² lost, over m v²/(2 fc), in m v/fc; the solver's steps are exact here
        assert!((stop - m / (2.0 * fc)).abs() < 1e-12 && (at - m / fc).abs() < 1e-12 && (loss - 0.5).abs() < 1e-12);
        assert_eq!(row[6], "");
    }
    assert_eq!(folder.0.read_dir().unwrap().count(), 3, "scenario, table and manifest; nothing else is left");
}

#[test]
fn killed_at_any_moment_it_goes_on_and_ends_the_same() {
    let folder = Folder::new("sweep_kill");
    let scenario = folder.file("slide.toml", SLIDE);
    let [whole, killed] = ["whole.parquet", "killed.parquet"].map(|name| folder.path(name));
    ok(&sweep(&scenario, &[&GRID[..], &["-o", &whole, "--threads", "2"]].concat()));
    let more = [&GRID[..], &["-o", &killed, "--threads", "1", "--chunk", "4", "--resume"]].concat();
    let parts = format!("{killed}.parts");
    let done = || {
        fs::read_dir(&parts).map_or(0, |entries| {
            entries.filter_map(Result::ok).filter(|e| e.path().extension().is_some_and(|e| e == "parquet")).count()
        })
    };
    // three times, each a little further
    for round in 1..=3 {
        let before = done();
        let mut child = command(&sweep(&scenario, &more)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begin = Instant::now();
        while done() < before + 3 && begin.elapsed() < Duration::from_secs(60) {
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(done() >= before + 3, "round {round}");
        assert!(!Path::new(&killed).exists(), "killed before the end");
    }
    // a damaged chunk is computed again
    let first = Path::new(&parts).join("000000000.parquet");
    let kept = fs::read(&first).unwrap();
    fs::write(&first, &kept[..100]).unwrap();
    // a file that a killed process has left incomplete
    fs::write(Path::new(&parts).join(".000000050.parquet.1-0.tmp"), b"PAR1").unwrap();
    let end = ok(&sweep(&scenario, &more));
    assert!(end.err.contains("points are already done"), "{}", end.err);
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&killed).unwrap());
    assert!(!Path::new(&parts).exists());
    // the next time, nothing is left to do
    let again = ok(&sweep(&scenario, &more));
    assert!(again.err.contains("is already complete"), "{}", again.err);
}

#[test]
fn two_processes_on_shards_give_the_same_file() {
    let folder = Folder::new("sweep_shards");
    let scenario = folder.file("slide.toml", SLIDE);
    for ending in ["parquet", "csv"] {
        let [whole, one, two, merged] =
            ["whole", "one", "two", "merged"].map(|name| folder.path(&format!("{name}.{ending}")));
        ok(&sweep(&scenario, &[&GRID[..], &["-o", &whole]].concat()));
        let shard = |i: &str, out: &str| {
            let args = [&GRID[..], &["--shard", i, "-o", out]].concat();
            command(&sweep(&scenario, &args)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let mut both = [shard("1/2", &one), shard("2/2", &two)];
        assert!(both.iter_mut().all(|child| child.wait().unwrap().success()));
        let found = json(&["merge", &two, &one, "-o", &merged, "--json"]);
        assert_eq!(found["points"], 300);
        assert_eq!(fs::read(&whole).unwrap(), fs::read(&merged).unwrap());
        // shards that are missing, repeated or from another sweep are reported; the old result stays
        assert!(refused(&["merge", &one, "-o", &merged]).contains("no file has the points 150 to 299"));
        assert!(refused(&["merge", &two, "-o", &merged]).contains("no file has the points 0 to 149"));
        assert!(refused(&["merge", &one, &one, &two, "-o", &merged]).contains("two files have the points 0 to"));
        let other = folder.path(&format!("other.{ending}"));
        ok(&sweep(&scenario, &["--vary", "mass=1:2:3", "--measure", "sticks", "-o", &other]));
        assert!(refused(&["merge", &one, &other, "-o", &merged]).contains("different sweeps"));
        assert_eq!(fs::read(&whole).unwrap(), fs::read(&merged).unwrap());
        refused(&["merge", &scenario, "-o", &merged]);
        if ending == "csv" {
            let manifest = |csv: &str| format!("{csv}.manifest.toml");
            assert_eq!(fs::read(manifest(&whole)).unwrap(), fs::read(manifest(&merged)).unwrap());
            // without a manifest there are columns alone, and that is said
            fs::remove_file(manifest(&two)).unwrap();
            let said = ok(&["merge", &two, &one, "-o", &merged]).err;
            assert!(said.contains("it is not checked") && !Path::new(&manifest(&merged)).exists(), "{said}");
            assert_eq!(fs::read(&whole).unwrap(), fs::read(&merged).unwrap());
        }
    }
}

#[test]
fn a_resumed_sweep_must_be_the_same_sweep() {
    let folder = Folder::new("sweep_differs");
    let scenario = folder.file("slide.toml", SLIDE);
    let out = folder.path("out.parquet");
    let more = [&LONG[..], &["-o", &out, "--chunk", "1", "--threads", "1"]].concat();
    let mut child = command(&sweep(&scenario, &more)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let first = folder.0.join("out.parquet.parts/000000000.parquet");
    let begin = Instant::now();
    while !first.exists() && begin.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(1));
    }
    // while one process is working, a second one is refused
    let busy = [&LONG[..], &["-o", &out, "--resume"]].concat();
    let said = refused(&sweep(&scenario, &busy));
    assert!(said.contains("another process is writing"), "{said}");
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = fs::read(&first).unwrap();
    assert!(refused(&sweep(&scenario, &more)).contains("unfinished sweep"));
    let with = |set: &[&'static str]| {
        let all: Vec<&str> = [&LONG[..], &["-o", &out, "--resume"], set].concat();
        refused(&sweep(&scenario, &all))
    };
    let said = with(&["--set", "run.end=4"]);
    assert!(
        said.contains("another scenario (line ") && said.contains("'end = 3'") && said.contains("'end = 4'"),
        "{said}"
    );
    assert!(with(&["--measure", "events"]).contains("measure events"));
    assert!(with(&["--vary", "v=1,2"]).contains("another axes (line 3): 'nothing', now 'v'"));
    assert!(with(&["--from", "1"]).contains("another from"));
    assert!(with(&["--shard", "1/2"]).contains("another shard: '1/1'"));
    fs::write(&scenario, SLIDE.replace("v = 1", "v = 1.5")).unwrap();
    let said = with(&[]);
    assert!(said.contains("'v = 1'") && said.contains("'v = 1.5'"), "{said}");
    assert_eq!(fs::read(&first).unwrap(), kept, "earlier results are intact");
}

/// What Parquet has in its metadata, a CSV file has beside it: the text of the law file, too.
#[test]
fn a_csv_file_has_what_it_depends_on_beside_it() {
    let folder = Folder::new("sweep_manifest");
    let law = "name = \"my-level\"\n[params]\nfc = { unit = \"N\", default = 1.0 }\n[equations]\nforce = \"load*fc*sign(v)\"\n\
               hold = \"load*fc\"\n";
    folder.file("my-level.toml", law);
    let scenario = folder.file("slide.toml", &SLIDE.replace("law = \"coulomb\"", "law = \"my-level.toml\""));
    let out = folder.path("out.csv");
    let args = ["--vary", "mass=1:2:3", "--vary", "fc=2:4:2", "--measure", "x.final", "-o", &out];
    ok(&sweep(&scenario, &args));
    let reader = stiction::sweep::file::Reader::open(Path::new(&out)).unwrap();
    assert_eq!(reader.heads.fact("file.my-level.toml"), Some(law));
    assert_eq!((reader.heads.axes.len(), reader.heads.measures.len()), (2, 1));
    let rows: Vec<_> = reader.collect::<Result<_, _>>().unwrap();
    assert_eq!((&rows[3].values[..], rows.len()), (&[1.5, 4.0][..], 6));
    let again = [&args[..], &["--resume"]].concat();
    assert!(ok(&sweep(&scenario, &again)).err.contains("is already complete"));
    // another text of the law is another sweep
    folder.file("my-level.toml", &law.replace("fc*sign(v)", "2*fc*sign(v)").replace("load*fc\"", "load*2*fc\""));
    let said = refused(&sweep(&scenario, &again));
    assert!(said.contains("another inputs"), "{said}");
    // a table with other columns is no result of that sweep, but a table all the same
    fs::write(&out, "index,a,error\n0,1,\n").unwrap();
    let reader = stiction::sweep::file::Reader::open(Path::new(&out)).unwrap();
    assert!(reader.heads.facts.is_empty() && reader.heads.axes.is_empty());
}

#[test]
fn a_failing_point_is_recorded_and_the_others_go_on() {
    let folder = Folder::new("sweep_fails");
    let (scenario, out) = (folder.file("slide.toml", SLIDE), folder.path("out.csv"));
    let run = run(&sweep(&scenario, &["--vary", "fc=-1,0.5,2", "--measure", "x.final", "-o", &out]));
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("warning: 1 of 3 points failed\nhint: the column 'error'"), "{}", run.err);
    assert!(run.out.contains("1 point failed") && run.out.contains("outside"), "{}", run.out);
    let rows = cells(&out);
    assert_eq!((rows[1][2].as_str(), &rows[1][3][..10]), ("", "parameter "));
    assert_eq!(rows[3][2], "0.25");
}

#[test]
fn random_designs_are_functions_of_their_seed() {
    let folder = Folder::new("sweep_random");
    let scenario = folder.file("slide.toml", SLIDE);
    let run = |name: &str, more: &[&str]| {
        let out = folder.path(name);
        let vary = ["--vary", "mass=1:2:5", "--vary", "fc=normal:2:0.1", "--measure", "x.final", "--random", "40"];
        ok(&sweep(&scenario, &[&vary[..], &["-o", &out], more].concat()));
        fs::read(&out).unwrap()
    };
    for design in ["sobol", "latin", "uniform"] {
        let one = run("a.parquet", &["--design", design, "--seed", "7", "--threads", "1"]);
        assert_eq!(one, run("b.parquet", &["--design", design, "--seed", "7", "--threads", "3", "--chunk", "9"]));
        assert_ne!(one, run("c.parquet", &["--design", design, "--seed", "8"]));
    }
}

#[test]
fn bad_requests_are_refused_before_anything_is_written() {
    let folder = Folder::new("sweep_bad");
    let scenario = folder.file("slide.toml", SLIDE);
    let out = folder.path("out.parquet");
    let bad = |args: &[&str]| refused(&sweep(&scenario, &[args, &["-o", &out]].concat()));
    let x = ["--measure", "x.final"];
    for (vary, says) in [
        ("mass=1:2:0", "the range is empty"),
        ("mass=2:2:5", "the range is empty"),
        ("mass=log:0:1:5", "above zero"),
        ("mass=1:2", "a grid needs a number of values"),
        ("mass=normal:1:1", "a grid needs"),
        ("mass", "is not PATH=VALUES"),
        ("a b=1:2:3", "is not the path of a value"),
        ("mass=-3:-1:3", "--vary body.block.mass: 'block': mass = -3 must be positive"),
        ("mass=", "is not PATH=VALUES"),
        ("mas=1:2:3", "there is no value 'mas'"),
        ("body.blok.mass=1:2:3", "there is no value"),
        ("body.block.mas=1:2:3", "no key 'mas'"),
        ("mass=0:1:1e15", "too many points"),
    ] {
        let twice = if says == "too many points" { &["--vary", "v=0:1:1e15"][..] } else { &[] };
        let said = bad(&[&["--vary", vary], twice, &x].concat());
        assert!(said.contains(says), "{vary}: {said}");
    }
    let mass = ["--vary", "mass=1:2:3"];
    for (measure, says) in [
        ("y.final", "there is no measure 'y.final'"),
        ("x.final+", "expected"),
        ("mass", "'mass' is given twice"),
        ("x.final,x.final", "is given twice"),
        ("t={settle=\"block.y\",value=1,band=1}", "no column 'block.y'"),
    ] {
        let said = bad(&[&mass[..], &["--measure", measure]].concat());
        assert!(said.contains(says), "{measure}: {said}");
    }
    assert!(bad(&[&mass[..], &["--vary", "body.block.mass=1,2"], &x].concat()).contains("is given twice"));
    assert!(bad(&[&mass[..], &["--shard", "3/2"], &x].concat()).contains("is not I/N"));
    assert!(refused(&sweep(&scenario, &[&mass[..], &x].concat())).contains("needs a file"));
    assert!(bad(&mass).contains("nothing to measure"));
    refused(&sweep(&scenario, &[&mass[..], &x, &["-o", "/nowhere/out.parquet"]].concat()));
    refused(&sweep(&scenario, &[&mass[..], &x, &["-o", folder.0.to_str().unwrap()]].concat()));
    for device in ["-", "/dev/null"] {
        assert!(refused(&sweep(&scenario, &[&mass[..], &x, &["-o", device]].concat())).contains("plain file"));
    }
    let said = refused(&["sweep", "a7", "--vary", "m=1:2:3", "--measure", "force.max", "-o", &out]);
    assert!(said.contains("body.block.mass, contact.table.from.mass"), "{said}");
    let said = refused(&["sweep", "a7", "--vary", "k=1:2:3", "--measure", "force.max", "-o", &out]);
    assert!(said.contains("table.force.max, pull.force.max"), "{said}");
    assert_eq!(folder.0.read_dir().unwrap().count(), 1, "only the scenario is there");
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new("sweep_full");
    let scenario = folder.file("slide.toml", SLIDE);
    let [whole, full] = ["whole.csv", "full.csv"].map(|name| folder.path(name));
    let few = ["--vary", "fc=1:4:400", "--measure", "x.final", "--chunk", "50"];
    ok(&sweep(&scenario, &[&few[..], &["-o", &whole]].concat()));
    // no file may be larger than 8 blocks of 512 bytes: the chunks fit, the whole does not
    let program = env!("CARGO_BIN_EXE_stiction");
    let script =
        format!("trap '' XFSZ; ulimit -f 8; exec '{program}' sweep '{scenario}' {} -o '{full}'", few.join(" "));
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("error: cannot write") && err.contains("hint: "), "{err}");
    assert!(!Path::new(&full).exists());
    let end = ok(&sweep(&scenario, &[&few[..], &["-o", &full, "--resume"]].concat()));
    assert!(end.err.contains("400 of 400 points are already done"), "{}", end.err);
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&full).unwrap());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_done() {
    let folder = Folder::new("sweep_interrupt");
    let (scenario, out) = (folder.file("slide.toml", SLIDE), folder.path("out.parquet"));
    let more = [&GRID[..], &["-o", &out, "--chunk", "3", "--threads", "1"]].concat();
    let child = command(&sweep(&scenario, &more)).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while !folder.0.join("out.parquet.parts/000000001.parquet").exists() && begin.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(1));
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(130), &b""[..]), "{err}");
    assert!(err.contains("error: interrupted after ") && err.contains("--resume"), "{err}");
    ok(&sweep(&scenario, &[&more[..], &["--resume"]].concat()));
}

#[test]
fn a_folder_of_parts_that_is_not_of_a_sweep_is_refused_before_the_work() {
    let folder = Folder::new("sweep-foreign-parts");
    let out = folder.path("out.csv");
    let args = ["sweep", "g5", "--set", "run.end=0.1", "--vary", "mass=1:2:2", "--measure", "x.final", "-o", &out];
    let parts = folder.path("out.csv.parts");
    fs::create_dir(&parts).unwrap();
    fs::write(format!("{parts}/notes.csv"), "mine").unwrap();
    let err = refused(&args);
    assert!(err.contains("notes.csv") && err.contains(&format!("remove {parts}")), "{err}");
    assert!(!Path::new(&out).exists() && fs::read_to_string(format!("{parts}/notes.csv")).unwrap() == "mine");
    fs::remove_dir_all(&parts).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path("elsewhere"), &parts).unwrap();
        fs::create_dir(folder.path("elsewhere")).unwrap();
        assert!(refused(&args).contains("it is a link"));
    }
}

/// A damaged file makes the decoder of the crate panic; that is caught.
#[test]
fn damaged_results_are_read_or_refused() {
    let folder = Folder::new("sweep-damaged");
    let [scenario, out] = [folder.file("slide.toml", SLIDE), folder.path("out.parquet")];
    ok(&["sweep", &scenario, "--vary", "fc=1:2:3", "--measure", "x.final", "-o", &out]);
    let bytes = fs::read(&out).unwrap();
    let mut refusals = 0;
    for at in (0..bytes.len()).rev().step_by(3) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0xff;
        fs::write(&out, damaged).unwrap();
        let rows = stiction::sweep::file::Reader::open(Path::new(&out)).and_then(|rows| {
            rows.collect::<Result<Vec<_>, _>>().map_err(|io| stiction::FileError::read(&out, io).into())
        });
        refusals += usize::from(rows.is_err());
    }
    assert!(refusals > 0);
}

/// Without a device nothing is written, and what is missing is said.
#[test]
fn a_sweep_without_a_gpu_says_what_is_missing() {
    let folder = Folder::new("sweep_no_gpu");
    let out = folder.path("out.csv");
    let grid = ["--vary", "k=1,2", "--measure", "v.max", "-o", &out, "--device", "cuda"];
    // where there is a device, it is hidden
    let output = command(&sweep("a7", &grid)).env("CUDA_VISIBLE_DEVICES", "").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("error: ") && said.contains("CUDA") && said.contains("\nhint: "), "{said}");
    assert!(folder.is_empty());
    assert!(
        refused(&sweep("a7", &["--vary", "k=1,2", "--measure", "v.max", "-o", &out, "--device", "tpu"]))
            .contains("cuda")
    );
    // the processor is the default
    ok(&sweep("a7", &["--vary", "k=1,2", "--measure", "v.max", "-o", &out, "--device", "cpu"]));
}
