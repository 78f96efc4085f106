//! The end of the lab: by Ctrl-C, and by force.
use crate::client::Lab;
use crate::common::Folder;
use serde_json::json;
use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

#[test]
fn the_end_comes_within_a_second_and_leaves_nothing() {
    // a closed terminal, unless the tests themselves are to outlive theirs
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let hangup = ignored.is_some_and(|mask| mask & 1 == 0).then_some("-HUP");
    for signal in ["-TERM", "-INT"].into_iter().chain(hangup) {
        let mut lab = Lab::start(&format!("end{signal}"), &[]);
        lab.post("api/files/log.csv", b"1,2\n");
        lab.long_job();
        let children = lab.children();
        // a connection that stays open does not keep it
        let _open = std::net::TcpStream::connect(&lab.host).unwrap();
        assert_eq!(lab.folders().len(), 1);
        let begin = Instant::now();
        lab.signal(signal);
        let status = lab.child.wait().unwrap();
        assert!(begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
        assert!(status.success(), "{status}");
        assert_eq!(lab.folders().len(), 0);
        assert!(children.iter().all(|id| !fs::exists(format!("/proc/{id}")).unwrap()), "{children:?}");
    }
}

/// A lab that is killed cannot clean up: its job ends with it, and the next lab removes its folder.
#[test]
#[cfg(target_os = "linux")]
fn the_job_of_a_killed_lab_ends_and_its_folder_is_removed_later() {
    let mut lab = Lab::start("killed", &[]);
    lab.long_job();
    let begin = Instant::now();
    let children = lab.children();
    assert_eq!(children.len(), 1);
    // the job asks for its end at its start
    sleep(Duration::from_millis(500));
    lab.signal("-KILL");
    lab.child.wait().unwrap();
    let ended = |id: &String| fs::read_to_string(format!("/proc/{id}/stat")).map_or(true, |stat| stat.contains(") Z "));
    while !children.iter().all(ended) {
        assert!(begin.elapsed() < Duration::from_secs(5), "{children:?} go on");
        sleep(Duration::from_millis(10));
    }
    let left = lab.folder();
    let temporary = Folder(lab.temporary.0.clone());
    let next = Lab::start_in(temporary, &[]);
    assert!(!left.exists() && next.folders().len() == 1, "{:?}", next.folders());
}

/// A job that is killed leaves nothing that could be taken for its result, nor what it had begun to write, and the lab goes on.
#[test]
#[cfg(target_os = "linux")]
fn a_killed_job_leaves_no_half_file() {
    let lab = Lab::start("killed-job", &[]);
    let vary = |path: &str| json!({ "path": path, "from": 1, "to": 4, "count": 60, "log": false });
    let sweep = json!({
        "do": "sweep", "scenario": { "name": "a7" }, "vary": [vary("k"), vary("hand.v")], "measure": "v_max",
    });
    let run = json!({ "do": "run", "scenario": { "name": "a7" }, "set": [["run.end", 1e6], ["run.sample", 0.1]] });
    for request in [&run, &sweep, &run] {
        let begun = lab.start_job(request);
        assert_eq!(begun.status, 200, "{}", begun.text());
        let job = begun.json();
        let output = job["command"].as_str().unwrap().split(' ').next_back().unwrap().to_owned();
        let names = || -> Vec<String> {
            let entries = fs::read_dir(lab.folder()).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        };
        // it has begun to write
        let begin = Instant::now();
        while !names().iter().any(|name| name.contains(&output)) {
            assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", names());
            sleep(Duration::from_millis(20));
        }
        let [child] = &lab.children()[..] else { panic!("{:?}", lab.children()) };
        assert!(Command::new("kill").args(["-KILL", child]).status().unwrap().success());
        let ended = lab.wait(&job["id"], "running");
        assert_eq!((&ended["state"], &ended["files"]), (&json!("failed"), &json!([])), "{ended}");
        assert!(ended["lines"].to_string().contains("ended by a signal"), "{ended}");
        assert_eq!(lab.get(&format!("api/jobs/{}/archive", job["id"])).status, 404);
        // finished points of a sweep are whole, and kept for one that goes on
        let left: Vec<String> = names().into_iter().filter(|name| name.contains(&output)).collect();
        assert!(left.iter().all(|name| *name == format!("{output}.parts")), "{left:?}");
    }
    assert_eq!(lab.job(&json!({ "do": "run", "scenario": { "name": "b1" } }))["state"], "done");
}
