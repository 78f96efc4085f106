//! Checks of scenarios and pictures of tables do not harm the server, whatever they are asked for.
use crate::client::Lab;
use crate::common::command;
use serde_json::json;
use std::fs;
use std::time::{Duration, Instant};

/// Checks that were given up have ended soon.
fn no_children(lab: &Lab) {
    let begin = Instant::now();
    while !lab.children().is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", lab.children());
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A chain of a million blocks needs more memory than the lab gives: the check ends, and the lab goes on.
#[test]
#[cfg(target_os = "linux")]
fn a_scenario_that_needs_too_much_ends_its_check_only() {
    let lab = Lab::start("check-memory", &["--memory", "1"]);
    let text = "[run]\nend = 1\n[chain.c]\ncount = 1000000\nmass = 1\nstiffness = 1\nlaw = \"stiction\"\n";
    let begin = Instant::now();
    let answer = lab.post("api/check", text.as_bytes());
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
    let found = answer.json();
    assert!(
        found["count"] == 2_000_001 || found["hint"].as_str().is_some_and(|hint| hint.contains("run it")),
        "{found}"
    );
    let own = fs::read_to_string(format!("/proc/{}/status", lab.child.id())).unwrap();
    let most = own.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    let most: u64 = most.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(most < 100_000, "{most} kB in the server itself");
    no_children(&lab);
    assert!(lab.post("api/check", b"title = \"/\"\n[run]\nend = 1\n[body.b]\nmass = 1\n").json()["error"].is_null());
}

/// Of checks at the same time the newest is answered; no process of an older one is left.
#[test]
#[cfg(target_os = "linux")]
fn the_newest_check_ends_those_before_it() {
    let lab = Lab::start("check-newest", &[]);
    let text = lab.get("api/scenarios/b1").json()["text"].as_str().unwrap().to_owned();
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(|| lab.post("api/check", text.as_bytes()).status)).collect();
        asked.into_iter().map(|answer| answer.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|status| [200, 409].contains(status)) && answers.contains(&200), "{answers:?}");
    // one whose browser has gone
    let (token, host, origin) = (&lab.token, &lab.host, lab.origin());
    let head = format!(
        "POST /{token}/api/check HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nContent-Length: {}\r\n\r\n",
        text.len()
    );
    let stream = std::net::TcpStream::connect(&lab.host).unwrap();
    std::io::Write::write_all(&mut &stream, (head + &text).as_bytes()).unwrap();
    drop(stream);
    assert_eq!(lab.post("api/check", text.as_bytes()).status, 200);
    no_children(&lab);
}

/// Names that are numbers, and names that stand twice: the place of a column is what counts.
#[test]
fn columns_are_drawn_by_their_place() {
    let lab = Lab::start("places", &[]);
    lab.post("api/files/log.csv", b"t,x,y,b,a,a\n0,10,20,30,40,50\n1,11,21,31,41,51\n2,12,22,32,42,52\n");
    lab.post("api/files/log.json", br#"{ "t": [0, 1, 2], "y": [20, 21, 22], "1": [10, 11, 12] }"#);
    let ask = |file: &str, columns: serde_json::Value| {
        lab.post("api/series", json!({ "file": file, "columns": columns }).to_string().as_bytes())
    };
    let rows = ask("log.csv", json!([0, 2, 5])).json();
    assert_eq!(rows["columns"], json!([[0.0, 1.0, 2.0], [20.0, 21.0, 22.0], [50.0, 51.0, 52.0]]));
    assert_eq!(ask("log.csv", json!(["t", "a"])).status, 404, "two of this name");
    assert_eq!(ask("log.csv", json!([0, 6])).status, 422);
    // the first column by its place is not the one that is called 1
    for columns in [json!([0, 1, 2]), json!(["t", "y", "1"])] {
        let rows = ask("log.json", columns).json();
        assert_eq!(rows["columns"], json!([[0.0, 1.0, 2.0], [20.0, 21.0, 22.0], [10.0, 11.0, 12.0]]), "{rows}");
    }
}

#[test]
fn every_refusal_is_in_one_form() {
    let lab = Lab::start("forms", &[]);
    let long = vec![b'x'; 3 << 20];
    for (answer, status) in [
        (lab.get("api/jobs/abc"), 400),
        (lab.get("api/check"), 405),
        (lab.get("nothing"), 404),
        (lab.post("api/check", &long), 413),
        (lab.post("api/jobs", b"{"), 400),
    ] {
        assert_eq!(answer.status, status, "{}", answer.text());
        assert!(answer.json()["error"].is_string() && answer.head.contains("nosniff"), "{}", answer.head);
    }
}

#[test]
fn a_port_in_use_is_told_as_such() {
    let lab = Lab::start("port", &[]);
    let port = lab.host.split(':').nth(1).unwrap();
    let other = command(&["lab", "--no-open", "--port", port]).output().unwrap();
    let said = String::from_utf8_lossy(&other.stderr);
    assert_eq!(other.status.code(), Some(2), "{said}");
    assert!(said.contains("port is in use") && said.contains("--port") && !said.contains("path"), "{said}");
}

/// A result does not take the place of a file that was dropped.
#[test]
fn results_and_dropped_files_have_names_of_their_own() {
    let lab = Lab::start("outputs", &[]);
    let file = lab.post("api/files/run-1", b"t,x\n0,1\n").json()["file"].clone();
    assert_eq!(file, "run-1");
    let job = lab.job(&json!({ "do": "run", "scenario": { "name": "b1" } }));
    assert_eq!((&job["state"], &job["command"]), (&json!("done"), &json!("stiction run b1 -o run-1-2")), "{job}");
    assert_eq!(fs::read(lab.folder().join("run-1")).unwrap(), b"t,x\n0,1\n");
}
