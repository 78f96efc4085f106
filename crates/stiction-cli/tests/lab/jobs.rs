//! What jobs give: what the command gives.
use crate::client::Lab;
use crate::common::Folder;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// A body of 2 kg under Coulomb friction of 3 N that is moved to and fro, with noise from a formula.
pub fn record() -> String {
    let mut text = "time [s],position [m],force [N]\n".to_owned();
    for k in 0..800 {
        let t = f64::from(k) * 5e-3;
        let (w, amplitude) = (6.0, 0.05);
        let (x, v, a) = (amplitude * (w * t).sin(), amplitude * w * (w * t).cos(), -amplitude * w * w * (w * t).sin());
        let noise = 0.02 * (f64::from(k * k % 97) / 48.0 - 1.0);
        text += &format!("{t:.4},{x:.9},{:.6}\n", 2.0 * a + 3.0 * v.signum() + noise);
    }
    text
}

/// What the shown command prints if it is pasted into a shell, with --json, in a folder with the same files.
fn by_hand(folder: &Folder, shown: &Value) -> Vec<u8> {
    let line = shown.as_str().unwrap().replacen("stiction", env!("CARGO_BIN_EXE_stiction"), 1) + " --json";
    let done = Command::new("sh").args(["-c", &line]).current_dir(&folder.0).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    done.stdout
}

#[test]
fn a_dropped_file_gives_the_numbers_of_the_command() {
    let lab = Lab::start("identify", &[]);
    let file = lab.post("api/files/log.csv", record().as_bytes()).json()["file"].clone();
    let options = json!([["model", "coulomb"], ["force", "1*force"], ["velocity", ""]]);
    let job = lab.job(&json!({ "do": "identify", "file": file, "options": options }));
    assert_eq!((&job["state"], &job["code"]), (&json!("done"), &json!(0)), "{job}");
    let folder = Folder::new("lab-by-hand");
    fs::write(folder.0.join("log.csv"), record()).unwrap();
    let printed = lab.get(&format!("api/jobs/{}/result", job["id"])).body;
    assert_eq!(printed, by_hand(&folder, &job["command"]), "byte for byte");
    let fc =
        serde_json::from_slice::<Value>(&printed).unwrap()["findings"][0]["estimates"]["fc"]["value"].as_f64().unwrap();
    assert!((fc - 3.0).abs() < 0.05, "{fc}");
    // the files, too
    let model = lab.get(&format!("api/jobs/{}/files/model.toml", job["id"]));
    let at = job["command"].as_str().unwrap().split(' ').next_back().unwrap().to_owned();
    assert_eq!(model.body, fs::read(folder.0.join(at).join("model.toml")).unwrap());
    assert!(model.head.contains("attachment; filename=\"model.toml\""), "{}", model.head);
    let report = lab.get(&format!("api/jobs/{}/files/report.html", job["id"]));
    assert!(report.head.contains("sandbox") && report.head.contains("default-src 'none'"), "{}", report.head);
    let archive = lab.get(&format!("api/jobs/{}/archive", job["id"]));
    assert!(archive.body.starts_with(b"PK") && archive.head.contains("application/zip"));
    // what remarks on a fit advise can be given on the page
    let advised =
        json!([["model", "coulomb"], ["load", "1+0*force"], ["filter", "none"], ["delay", "auto"], ["rest", "0.001"]]);
    let more = lab.job(&json!({ "do": "identify", "file": "log.csv", "options": advised }));
    let command = more["command"].as_str().unwrap();
    assert!(command.contains("'--load=1+0*force' --filter=none --delay=auto --rest=0.001"), "{command}");
    // and the law goes on
    let page = lab.job(&json!({ "do": "export", "model": job["id"], "what": "page", "sample": null }));
    assert_eq!(page["state"], "done", "{page}");
    // it is judged on this record, as on any other
    let judged = json!({ "do": "identify", "file": "log.csv", "options": [["force", "1*force"]], "check": job["id"] });
    let judged = lab.job(&judged);
    let model = job["command"].as_str().unwrap().split(' ').next_back().unwrap();
    let command = judged["command"].as_str().unwrap();
    assert!(
        command
            .starts_with(&format!("stiction identify log.csv '--force=1*force' --check={model}/model.toml -o check-")),
        "{command}"
    );
    let printed = lab.get(&format!("api/jobs/{}/result", judged["id"])).json();
    let missed = printed["findings"][0]["scores"]["relative"].as_f64().unwrap();
    assert!(missed < 0.01, "{printed}");
    assert_eq!(lab.start_job(&json!({ "do": "identify", "file": "log.csv", "check": 99 })).status, 404);
    let code = lab.job(&json!({ "do": "export", "model": job["id"], "what": "controller-c", "sample": 1e-3 }));
    assert!(
        code["files"].as_array().unwrap().iter().any(|file| file["name"].as_str().unwrap().ends_with(".c")),
        "{code}"
    );
    // rows for a picture of the record
    let asked = json!({ "file": "log.csv", "columns": ["time", "force"], "window": [1.0, 2.0] }).to_string();
    let rows = lab.post("api/series", asked.as_bytes()).json();
    assert_eq!((&rows["rows"], &rows["units"]), (&json!(201), &json!(["s", "N"])), "{rows}");
}

#[test]
fn a_scenario_is_checked_where_it_is_wrong_and_run() {
    let lab = Lab::start("scenario", &[]);
    let text = lab.get("api/scenarios/b1").json()["text"].as_str().unwrap().to_owned();
    let fine = lab.post("api/check", text.as_bytes()).json();
    assert!(fine["error"].is_null() && fine["columns"].as_array().unwrap().len() > 2, "{fine}");
    let wrong = lab.post("api/check", text.replacen("[run]", "[run]\nennd = 3", 1).as_bytes()).json();
    let line = text.lines().position(|line| line == "[run]").unwrap() + 2;
    assert_eq!((&wrong["line"], &wrong["column"]), (&json!(line), &json!(1)), "{wrong}");
    assert!(wrong["error"].as_str().unwrap().contains("ennd") && wrong["hint"].as_str().unwrap().contains("end"));
    let job = lab.job(&json!({ "do": "run", "scenario": { "name": "b1", "text": text } }));
    assert!(job["command"].as_str().unwrap().starts_with("stiction run b1 -o run-"), "{job}");
    let folder = Folder::new("lab-run-by-hand");
    assert_eq!(lab.get(&format!("api/jobs/{}/result", job["id"])).body, by_hand(&folder, &job["command"]));
    let changed = lab.job(&json!({ "do": "run", "scenario": { "name": "b1", "text": text + "\n# mine\n" } }));
    assert!(changed["command"].as_str().unwrap().starts_with("stiction run b1.toml -o run-"), "{changed}");
    let bad = lab.job(&json!({ "do": "run", "scenario": { "name": "x", "text": "[run]\nennd = 1\n" } }));
    assert_eq!((&bad["state"], &bad["code"]), (&json!("failed"), &json!(2)), "{bad}");
}

#[test]
fn one_job_runs_at_a_time_and_a_stopped_one_stops() {
    let lab = Lab::start("stop", &[]);
    let job = lab.long_job();
    let other = json!({ "do": "run", "scenario": { "name": "b1" } });
    assert_eq!(lab.start_job(&other).status, 409);
    // it tells how far it is
    let begin = Instant::now();
    while lab.get(&format!("api/jobs/{}", job["id"])).json()["lines"].as_array().unwrap().is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(30), "no progress");
    }
    // a page that is loaded now finds it
    assert_eq!(lab.get("api/jobs").json(), json!({ "running": job["id"] }));
    let children = lab.children();
    let begin = Instant::now();
    assert_eq!(lab.post(&format!("api/jobs/{}/stop", job["id"]), b"").status, 200);
    let ended = lab.wait(&job["id"], "running");
    // a job has ten seconds to write what it has, and is ended then
    assert!(begin.elapsed() < Duration::from_secs(12), "{:?}", begin.elapsed());
    assert_eq!(ended["state"], "stopped");
    let names: Vec<&str> =
        ended["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"trace.csv"), "what was computed is kept: {ended}");
    assert_eq!(lab.get("api/jobs").json(), json!({ "running": null }));
    assert!(children.iter().all(|id| !fs::exists(format!("/proc/{id}")).unwrap()), "{children:?}");
    assert_eq!(lab.post(&format!("api/jobs/{}/stop", job["id"]), b"").status, 409);
    assert_eq!(lab.post("api/jobs/99/stop", b"").status, 404);
    assert_eq!(lab.job(&other)["state"], "done");
}

/// A map that was stopped goes on, and is in the end the same as one that was not.
#[test]
fn a_stopped_map_goes_on() {
    let lab = Lab::start("resume", &[]);
    let vary = |path: &str, to: f64| json!({ "path": path, "from": 0.5 * to, "to": to, "count": 100, "log": false });
    let vary = [vary("spring.stiffness", 200.0), vary("fc", 1.0)];
    let request = json!({ "do": "sweep", "scenario": { "name": "b1" }, "vary": vary, "measure": "t_stop" });
    let begun = lab.start_job(&request).json();
    let begin = Instant::now();
    let far = || lab.get(&format!("api/jobs/{}", begun["id"])).json()["lines"].to_string().contains(" of 10000 points");
    while !far() {
        assert!(begin.elapsed() < Duration::from_secs(30), "no progress");
    }
    assert_eq!(lab.post(&format!("api/jobs/{}/stop", begun["id"]), b"").status, 200);
    let stopped = lab.wait(&begun["id"], "running");
    assert_eq!(
        (&stopped["state"], &stopped["goes_on"], &stopped["files"]),
        (&json!("stopped"), &json!(true), &json!([]))
    );
    let done = lab.job(&json!({ "do": "resume", "job": begun["id"] }));
    assert_eq!((&done["state"], &done["goes_on"]), (&json!("done"), &json!(false)), "{done}");
    let command = stopped["command"].as_str().unwrap();
    assert_eq!(done["command"], format!("{command} --resume"));
    let folder = Folder::new("lab-resumed");
    by_hand(&folder, &json!(command));
    let name = command.split(' ').next_back().unwrap();
    let written = lab.get(&format!("api/jobs/{}/files/{name}", done["id"]));
    assert_eq!(written.body, fs::read(folder.0.join(name)).unwrap(), "byte for byte");
    // neither what has ended nor what never was
    for id in [done["id"].clone(), json!(99)] {
        assert_ne!(lab.start_job(&json!({ "do": "resume", "job": id })).status, 200);
    }
}
