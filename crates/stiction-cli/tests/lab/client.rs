//! A lab that runs, and a client that says exactly what it is told to.
use crate::common::{Folder, command};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub struct Lab {
    pub child: Child,
    /// Address without the token, and the token.
    pub host: String,
    pub token: String,
    /// The folder in which it makes its own.
    pub temporary: Folder,
}

/// An answer: status, headers in lower case, body.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Lab {
    pub fn start(name: &str, options: &[&str]) -> Self {
        let temporary = Folder::new(&format!("lab-{name}"));
        Self::start_in(temporary, options)
    }
    pub fn start_in(temporary: Folder, options: &[&str]) -> Self {
        let mut child = command(&["lab", "--no-open"])
            .args(options)
            .env("TMPDIR", &temporary.0)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let mut parts = line.trim().trim_start_matches("http://").split('/');
        let [host, token] = [parts.next(), parts.next()].map(|part| part.unwrap().to_owned());
        Self { child, host, token, temporary }
    }
    /// The folder in which it works.
    pub fn folder(&self) -> PathBuf {
        self.folders().into_iter().next().unwrap()
    }
    pub fn folders(&self) -> Vec<PathBuf> {
        fs::read_dir(&self.temporary.0).unwrap().map(|entry| entry.unwrap().path()).collect()
    }
    pub fn origin(&self) -> String {
        format!("http://{}", self.host)
    }
    /// Sends these lines and this body, and reads to the end.
    pub fn raw(&self, head: &str, body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
        // the server may refuse before it has read everything
        let _ = stream.write_all(body);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        let end = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or_else(|| panic!("no answer to {head}"));
        let head = String::from_utf8_lossy(&all[..end]).to_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head, body: all[end + 4..].to_vec() }
    }
    /// As the page asks.
    pub fn get(&self, path: &str) -> Answer {
        self.raw(&format!("GET /{}/{path} HTTP/1.1\r\nHost: {}", self.token, self.host), b"")
    }
    pub fn post(&self, path: &str, body: &[u8]) -> Answer {
        let (host, origin) = (&self.host, self.origin());
        let head = format!(
            "POST /{}/{path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nContent-Length: {}",
            self.token,
            body.len()
        );
        self.raw(&head, body)
    }
    pub fn start_job(&self, request: &Value) -> Answer {
        self.post("api/jobs", request.to_string().as_bytes())
    }
    /// Waits until a job is no longer in this state.
    pub fn wait(&self, id: &Value, while_in: &str) -> Value {
        let begin = Instant::now();
        loop {
            let job = self.get(&format!("api/jobs/{id}")).json();
            if job["state"] != while_in {
                return job;
            }
            assert!(begin.elapsed() < Duration::from_secs(300), "{job}");
            sleep(Duration::from_millis(20));
        }
    }
    /// Runs a job to its end.
    pub fn job(&self, request: &Value) -> Value {
        let begun = self.start_job(request);
        assert_eq!(begun.status, 200, "{}", begun.text());
        self.wait(&begun.json()["id"], "running")
    }
    /// A run that would take hours.
    pub fn long_job(&self) -> Value {
        // few rows: what is drawn when it is stopped is little
        let set = json!([["run.end", 1e6], ["run.sample", 100]]);
        let begun = self.start_job(&json!({ "do": "run", "scenario": { "name": "a7" }, "set": set }));
        assert_eq!(begun.status, 200, "{}", begun.text());
        begun.json()
    }
    pub fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }
    /// The processes that it started.
    pub fn children(&self) -> Vec<String> {
        let id = self.child.id();
        let list = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        list.split_whitespace().map(str::to_owned).collect()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
