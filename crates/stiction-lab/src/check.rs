//! Checks of scenarios while they are written. Each is a child process with the limits of a job, so that a scenario that needs too
//! much memory or time ends its check and not the server.
use crate::Limits;
use crate::error::Refusal;
use crate::job::{JOB_VARIABLE, first, limit_memory, locked};
use crate::scenario_text::{self, MAX_TEXT};
use axum::http::StatusCode;
use serde_json::Value;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::sync::Notify;
use tokio::time::timeout;

/// What the variable of jobs says in such a process.
const CHECK: &str = "check";
/// Longest time of a check.
const MAX_TIME: Duration = Duration::from_secs(10);
/// Longest answer: the names of all columns.
const MAX_ANSWER: u64 = 8 << 20;

/// The checks of a lab: one at a time, and the newest ends those before it.
pub struct Checks {
    program: PathBuf,
    limits: Limits,
    /// Ends the newest one.
    newest: Mutex<Arc<Notify>>,
    turn: tokio::sync::Mutex<()>,
}

impl Checks {
    /// None yet.
    pub fn new(program: PathBuf, limits: Limits) -> Self {
        Self { program, limits, newest: Mutex::default(), turn: tokio::sync::Mutex::new(()) }
    }
    /// What a scenario is, or what is wrong with it and where. The child ends with this future.
    pub async fn check(&self, text: &[u8], folder: &Path) -> Result<Value, Refusal> {
        let own = Arc::new(Notify::new());
        std::mem::replace(&mut *locked(&self.newest), own.clone()).notify_one();
        let work = async {
            let _turn = self.turn.lock().await;
            timeout(MAX_TIME, self.run(text, folder)).await
        };
        let ended = |status, text: String| {
            Refusal::new(status, text).hint("run it: a job has more time, and the command has no limits")
        };
        match first(work, own.notified()).await {
            Some(Ok(answer)) => answer?.ok_or_else(|| {
                let text = "the check ended early: perhaps the scenario needs more memory than the lab gives it";
                ended(StatusCode::UNPROCESSABLE_ENTITY, text.to_owned())
            }),
            Some(Err(_)) => Err(ended(
                StatusCode::UNPROCESSABLE_ENTITY,
                format!("the check takes longer than {} s", MAX_TIME.as_secs()),
            )),
            None => Err(Refusal::new(StatusCode::CONFLICT, "a newer text is checked")),
        }
    }
    /// The answer of a child, or none if it ended without one.
    async fn run(&self, text: &[u8], folder: &Path) -> io::Result<Option<Value>> {
        let mut child = Command::new(&self.program)
            .arg("lab")
            .current_dir(folder)
            .env(JOB_VARIABLE, CHECK)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        // before it has the text
        limit_memory(&child, self.limits.memory);
        if let Some(mut input) = child.stdin.take() {
            // a child that has ended is seen by its answer
            let _ = input.write_all(text).await;
        }
        let mut answer = Vec::new();
        if let Some(output) = child.stdout.take() {
            output.take(MAX_ANSWER).read_to_end(&mut answer).await?;
        }
        let status = child.wait().await?;
        Ok(serde_json::from_slice(&answer).ok().filter(|_| status.success()))
    }
}

/// If this process is a check: reads the scenario from its standard input, and gives the answer. To be called by `stiction lab`.
pub fn check_of_lab() -> Option<io::Result<Value>> {
    if std::env::var_os(JOB_VARIABLE).is_none_or(|kind| kind != CHECK) {
        return None;
    }
    let mut text = String::new();
    let read = io::stdin().lock().take(2 * MAX_TEXT as u64).read_to_string(&mut text);
    Some(read.map(|_| scenario_text::check(text, Path::new(""))))
}
