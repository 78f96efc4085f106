//! Files that are dropped on a page, and paths that are not taken.
use crate::client::Lab;
use serde_json::json;
use std::fs;

const TABLE: &str = "t [s],<script>alert(1)</script>,force [N]\n0,1,2\n1,2,3\n2,3,4\n";

#[test]
fn names_with_markup_and_paths_become_harmless() {
    let lab = Lab::start("names", &[]);
    for (given, stored) in [
        ("log.csv", "log.csv"),
        ("log.csv", "log-2.csv"),
        ("..%2F..%2Fetc%2Fpasswd", "passwd"),
        ("%3Cimg%20src=x%20onerror=alert(1)%3E.csv", "img-src-x-onerror-alert-1--.csv"),
        ("--help", "help"),
        (".lock", "lock"),
    ] {
        let answer = lab.post(&format!("api/files/{given}"), TABLE.as_bytes());
        assert_eq!((answer.status, answer.json()["file"].as_str()), (200, Some(stored)), "{given}");
        assert_eq!(fs::read_to_string(lab.folder().join(stored)).unwrap(), TABLE);
    }
    // names of columns come back as data, which the page writes as text
    let job = lab.job(&json!({ "do": "data", "file": "log.csv" }));
    let answer = lab.get(&format!("api/jobs/{}/result", job["id"]));
    assert!(
        answer.head.contains("content-type: application/json") && answer.head.contains("nosniff"),
        "{}",
        answer.head
    );
    assert_eq!(answer.json()["columns"][1]["name"], "<script>alert(1)</script>");
    assert_eq!(lab.post("api/files/empty.csv", b"").status, 400);
}

#[test]
fn a_long_upload_is_refused_and_leaves_nothing() {
    let lab = Lab::start("long", &["--upload", "2"]);
    let head = |more: &str| {
        let (token, host, origin) = (&lab.token, &lab.host, lab.origin());
        format!("POST /{token}/api/files/x.csv HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n{more}")
    };
    let told = lab.raw(&head("Content-Length: 209715200"), b"");
    assert_eq!(told.status, 413, "{}", told.text());
    assert!(told.text().contains("stiction identify FILE"), "{}", told.text());
    // without its length: pieces of a hundred thousand bytes, forty of them
    let piece = format!("{:x}\r\n{}\r\n", 100_000, "1".repeat(100_000));
    let streamed = lab.raw(&head("Transfer-Encoding: chunked"), (piece.repeat(40) + "0\r\n\r\n").as_bytes());
    assert_eq!(streamed.status, 413);
    // one that breaks off
    let broken = std::net::TcpStream::connect(&lab.host).unwrap();
    std::io::Write::write_all(&mut &broken, format!("{}\r\n\r\n1,2", head("Content-Length: 1000")).as_bytes()).unwrap();
    drop(broken);
    std::thread::sleep(std::time::Duration::from_millis(300));
    let left: Vec<_> = fs::read_dir(lab.folder()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [".lock"]);
    // one that is short enough
    let good = lab.raw(&head("Transfer-Encoding: chunked"), (piece.repeat(20) + "0\r\n\r\n").as_bytes());
    assert_eq!(good.status, 200, "{}", good.text());
    // all together: ten times as much
    let answers: Vec<u16> = (0..12).map(|_| lab.post("api/files/y.csv", &vec![b'1'; 2_000_000]).status).collect();
    assert_eq!((answers[0], answers[11]), (200, 507), "{answers:?}");
}

/// Two hundred megabytes, refused in the middle, do not go into memory.
#[test]
#[cfg(target_os = "linux")]
fn the_memory_of_the_server_does_not_grow_with_an_upload() {
    let lab = Lab::start("memory", &[]);
    let most = || -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", lab.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let before = most();
    let (token, host, origin) = (&lab.token, &lab.host, lab.origin());
    let head = format!(
        "POST /{token}/api/files/x.csv HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nTransfer-Encoding: chunked"
    );
    let piece = format!("{:x}\r\n{}\r\n", 1_000_000, "1".repeat(1_000_000));
    assert_eq!(lab.raw(&head, piece.repeat(200).as_bytes()).status, 413);
    // kilobytes: buffers of the connection and of the file, not the hundred megabytes that were read
    let grown = most() - before;
    assert!(grown < 20_000, "{grown} kB");
}

#[test]
fn no_path_is_taken_from_the_browser() {
    let lab = Lab::start("paths", &[]);
    lab.post("api/files/log.csv", TABLE.as_bytes());
    for file in ["../x", "/etc/passwd", "nothing.csv", ".lock", "", "..", "log.csv/../../x"] {
        for request in [json!({ "do": "data", "file": file }), json!({ "do": "identify", "file": file })] {
            assert_eq!(lab.start_job(&request).status, 404, "{request}");
        }
        let series = json!({ "file": file, "columns": ["t"] });
        assert_ne!(lab.post("api/series", series.to_string().as_bytes()).status, 200, "{file}");
    }
    let identify =
        |options: serde_json::Value| lab.start_job(&json!({ "do": "identify", "file": "log.csv", "options": options }));
    for model in ["/etc/passwd", "log.csv", "../../../../../../etc/passwd"] {
        assert_eq!(identify(json!([["model", model]])).status, 400, "{model}");
    }
    assert_eq!(identify(json!([["output", "/tmp/x"]])).status, 400, "an option that is not offered");
    assert_eq!(lab.start_job(&json!({ "do": "run", "scenario": { "name": "/etc/passwd" } })).status, 404);
    assert_eq!(lab.start_job(&json!({ "do": "shell", "words": [] })).status, 400);
    let outside =
        "[run]\nend = 1\n[body.b]\nmass = 1\n[force.f]\non = \"b\"\nforce = { table = { file = \"/etc/passwd\" } }\n";
    assert_eq!(lab.start_job(&json!({ "do": "run", "scenario": { "name": "x", "text": outside } })).status, 403);
    let check = lab.post("api/check", outside.as_bytes()).json();
    assert!(check["error"].as_str().unwrap().contains("does not open '/etc/passwd'"), "{check}");
    // a whole number above 2⁶³, which scenarios may have, hides nothing
    let hidden = outside.replace("mass = 1", "mass = 10000000000000000000");
    assert_ne!(hidden, outside);
    assert_eq!(lab.start_job(&json!({ "do": "run", "scenario": { "name": "x", "text": hidden } })).status, 403);
    let check = lab.post("api/check", hidden.as_bytes()).json();
    assert!(check["error"].as_str().unwrap().contains("does not open '/etc/passwd'"), "{check}");
    let set = json!([["contact.table.law=\"/etc/passwd\" --output", 1]]);
    assert_eq!(lab.start_job(&json!({ "do": "run", "scenario": { "name": "a7" }, "set": set })).status, 400);
    let job = lab.job(&json!({ "do": "run", "scenario": { "name": "b1" } }));
    for name in ["../log.csv", "..%2Flog.csv", "%2Fetc%2Fpasswd", "nothing"] {
        assert_eq!(lab.get(&format!("api/jobs/{}/files/{name}", job["id"])).status, 404, "{name}");
    }
}
