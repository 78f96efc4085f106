//! Jobs: the program itself, run as a child process in the folder of the lab, one at a time. What a job gives is therefore what the
//! command gives.
use crate::Limits;
use crate::error::Refusal;
use crate::workspace::Workspace;
use axum::http::StatusCode;
use serde::Serialize;
use std::collections::VecDeque;
use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};
use stiction::output::remove_leftovers;
use stiction_report::text::quote;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

/// Set in the environment of jobs.
pub const JOB_VARIABLE: &str = "STICTION_LAB_JOB";
/// Set for jobs: seconds between two lines of progress.
const PROGRESS_VARIABLE: &str = "STICTION_PROGRESS_SECONDS";
/// Most bytes of a result.
const MAX_RESULT: usize = 64 << 20;
/// Most lines of messages that are kept, and the longest line.
const MAX_LINES: usize = 200;
const MAX_LINE: usize = 4000;
/// Jobs whose results are kept.
const MAX_JOBS: usize = 40;
/// Time in which a job that the user stops ends by itself and writes what it has, or is ended.
const STOP_GRACE: Duration = Duration::from_secs(10);
/// The same when the lab itself ends, and the time in which it waits for that.
const LAST_GRACE: Duration = Duration::from_millis(500);
const LAST_WAIT: Duration = Duration::from_millis(800);

const RESUME: &str = "--resume";

/// The arguments of a command, without the program's name.
pub struct Arguments {
    pub words: Vec<String>,
    /// Folder or file that the command writes.
    pub output: Option<String>,
}

/// How far a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    /// It runs.
    Running,
    /// It ended by itself: exit code 0, or 1 for results with a warning.
    Done,
    /// It failed.
    Failed,
    /// It was stopped by the user.
    Stopped,
}

/// A file that a job has written.
#[derive(Clone, Serialize)]
pub struct ResultFile {
    /// Name, with the folder in which it is.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
}

/// What is known of a job.
#[derive(Clone, Serialize)]
pub struct JobReport {
    id: u32,
    state: JobState,
    /// The command that does the same.
    command: String,
    seconds: f64,
    code: Option<i32>,
    /// Messages: notes, progress, errors and hints.
    lines: VecDeque<String>,
    files: Vec<ResultFile>,
    /// Whether it was stopped and can go on from what it has kept.
    goes_on: bool,
    #[serde(skip)]
    words: Vec<String>,
    #[serde(skip)]
    started: Instant,
    #[serde(skip)]
    output: Option<PathBuf>,
    #[serde(skip)]
    result: Arc<Vec<u8>>,
}

/// All jobs of the lab.
pub struct Jobs {
    program: PathBuf,
    limits: Limits,
    list: Arc<Mutex<Vec<JobReport>>>,
    /// The number of the next job, and what tells the present one to stop.
    next: Mutex<(u32, Arc<Stop>)>,
}

/// Tells a job to stop.
#[derive(Default)]
struct Stop {
    told: Notify,
    /// At once: the lab ends.
    hurry: Notify,
}

pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Jobs {
    /// None yet.
    pub fn new(program: PathBuf, limits: Limits) -> Self {
        Self { program, limits, list: Arc::default(), next: Mutex::new((1, Arc::default())) }
    }
    /// Starts a job, if none runs; `arguments` makes its arguments from its number.
    pub fn start(
        &self,
        folder: &Workspace,
        arguments: impl FnOnce(u32) -> Result<Arguments, Refusal>,
    ) -> Result<JobReport, Refusal> {
        // held until the job is in the list, so that two requests cannot both find none
        let mut next = locked(&self.next);
        if self.runs() {
            return Err(Refusal::new(StatusCode::CONFLICT, "a job runs already").hint("wait for it, or stop it"));
        }
        let id = next.0;
        let Arguments { words, output } = arguments(id)?;
        let mut child = Command::new(&self.program)
            .args(&words)
            .arg("--json")
            .current_dir(folder.path())
            .env(JOB_VARIABLE, "1")
            .env(PROGRESS_VARIABLE, "0.3")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        limit_memory(&child, self.limits.memory);
        let command = ["stiction"].into_iter().chain(words.iter().map(String::as_str)).map(quote);
        let report = JobReport {
            id,
            state: JobState::Running,
            command: command.collect::<Vec<_>>().join(" "),
            seconds: 0.0,
            code: None,
            lines: VecDeque::new(),
            files: Vec::new(),
            goes_on: false,
            words,
            started: Instant::now(),
            output: output.map(|name| folder.path().join(name)),
            result: Arc::default(),
        };
        locked(&self.list).push(report.clone());
        self.forget_old();
        let stop = Arc::new(Stop::default());
        *next = (id + 1, stop.clone());
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let record = Record { list: self.list.clone(), id };
        let limit = self.limits.time;
        tokio::spawn(async move {
            let told = record.clone();
            let (end, result, ()) = tokio::join!(
                end(child, &stop, limit, &record),
                read_result(out, &stop, &record),
                read_lines(err, |line| told.say(line)),
            );
            record.finish(end, result);
        });
        Ok(report)
    }
    /// The number of the job that runs.
    pub fn running(&self) -> Option<u32> {
        locked(&self.list).iter().find(|job| job.state == JobState::Running).map(|job| job.id)
    }
    fn runs(&self) -> bool {
        self.running().is_some()
    }
    /// Removes the results of the oldest jobs.
    fn forget_old(&self) {
        let mut list = locked(&self.list);
        while list.len() > MAX_JOBS {
            if let Some(path) = list.remove(0).output {
                let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            }
        }
    }
    /// Tells the job to stop.
    pub fn stop(&self, id: u32) -> Result<(), Refusal> {
        let next = locked(&self.next);
        match self.report(id)?.state {
            JobState::Running => next.1.told.notify_one(),
            _ => return Err(Refusal::new(StatusCode::CONFLICT, "the job has ended")),
        }
        Ok(())
    }
    /// Stops the present job, and waits for its end.
    pub async fn end_all(&self) {
        let stop = locked(&self.next).1.clone();
        stop.hurry.notify_one();
        stop.told.notify_one();
        let _ = timeout(LAST_WAIT, async {
            while self.runs() {
                sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    }
    /// What is known of a job.
    pub fn report(&self, id: u32) -> Result<JobReport, Refusal> {
        let mut job = locked(&self.list).iter().find(|job| job.id == id).cloned().ok_or_else(no_job)?;
        if job.state == JobState::Running {
            job.seconds = job.started.elapsed().as_secs_f64();
        }
        Ok(job)
    }
    /// What the command has printed.
    pub fn result(&self, id: u32) -> Result<Arc<Vec<u8>>, Refusal> {
        Ok(self.report(id)?.result)
    }
    /// The path of a file that a job has written; only names that are in its list lead to one.
    pub fn file(&self, id: u32, name: &str) -> Result<PathBuf, Refusal> {
        let job = self.report(id)?;
        let known = job.files.iter().any(|file| file.name == name);
        let output = job.output.filter(|_| known).ok_or_else(|| Refusal::not_found("file"))?;
        Ok(if output.is_dir() { output.join(name) } else { output })
    }
    /// All files of a job, with their paths.
    pub fn files(&self, id: u32) -> Result<Vec<(String, PathBuf)>, Refusal> {
        let names = self.report(id)?.files;
        names.into_iter().map(|file| Ok((file.name.clone(), self.file(id, &file.name)?))).collect()
    }
    /// The arguments with which a job that was stopped goes on.
    pub fn resumed(&self, id: u32) -> Result<Arguments, Refusal> {
        let JobReport { goes_on, mut words, output, .. } = self.report(id)?;
        if !goes_on {
            return Err(Refusal::bad("only a map or a fit that was stopped goes on"));
        }
        if words.iter().all(|word| word != RESUME) {
            words.push(RESUME.to_owned());
        }
        let output = output.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        Ok(Arguments { words, output })
    }
    /// The identified law of a job, as a path within the folder.
    pub fn model(&self, id: u32) -> Result<String, Refusal> {
        let path = self.file(id, "model.toml")?;
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        Ok(format!("{}/model.toml", folder.display()))
    }
}

fn no_job() -> Refusal {
    Refusal::not_found("job")
}

/// The entry of a job in the list.
#[derive(Clone)]
struct Record {
    list: Arc<Mutex<Vec<JobReport>>>,
    id: u32,
}

impl JobReport {
    /// Whether the command keeps what it has found when it is stopped, and goes on with `--resume`: every map, and those fits that have written a checkpoint beside
    /// their results.
    fn has_kept(&self) -> bool {
        match self.words.first().map(String::as_str) {
            Some("sweep") => true,
            Some("identify") => self.output.as_ref().is_some_and(|output| {
                let mut name = output.file_name().unwrap_or_default().to_owned();
                name.push(".partial.json");
                output.with_file_name(name).exists()
            }),
            _ => false,
        }
    }
}

impl Record {
    fn change(&self, change: impl FnOnce(&mut JobReport)) {
        if let Some(job) = locked(&self.list).iter_mut().find(|job| job.id == self.id) {
            change(job);
        }
    }
    fn say(&self, line: String) {
        self.change(|job| {
            job.lines.push_back(line);
            if job.lines.len() > MAX_LINES {
                job.lines.pop_front();
            }
        });
    }
    fn finish(&self, (status, state): (Option<ExitStatus>, JobState), result: Vec<u8>) {
        let output = locked(&self.list).iter().find(|job| job.id == self.id).and_then(|job| job.output.clone());
        // a job that was killed could not remove what it had begun to write
        output.iter().for_each(|path| remove_leftovers(path));
        let files = output.as_deref().map(written).unwrap_or_default();
        self.change(|job| {
            job.seconds = job.started.elapsed().as_secs_f64();
            job.code = status.and_then(|status| status.code());
            job.files = files;
            job.goes_on = state == JobState::Stopped && job.has_kept();
            job.result = Arc::new(result);
            job.state = state;
        });
    }
}

/// Waits for the end of a job, which may be told to stop.
async fn end(mut child: Child, stop: &Stop, limit: Duration, record: &Record) -> (Option<ExitStatus>, JobState) {
    let by_itself = |status: Option<ExitStatus>| match status.and_then(|status| status.code()) {
        Some(0 | 1) => JobState::Done,
        Some(_) => JobState::Failed,
        None => {
            record.say(
                "error: the job ended by a signal: perhaps it needed more memory than the lab gives it".to_owned(),
            );
            JobState::Failed
        }
    };
    // ends when the child does, when it is told to stop, or when its time is over
    let waited = timeout(limit, first(child.wait(), stop.told.notified())).await;
    match waited {
        Ok(Some(status)) => (status.as_ref().ok().copied(), by_itself(status.ok())),
        Ok(None) => (terminate(&mut child, &stop.hurry).await, JobState::Stopped),
        Err(_) => {
            record.say(format!("error: the job took longer than {} s", limit.as_secs()));
            record.say("hint: 'stiction lab --minutes N' allows more; the command itself has no limit".to_owned());
            (terminate(&mut child, &stop.hurry).await, JobState::Failed)
        }
    }
}

/// Waits for the first of two; none if it was the second.
pub async fn first<T>(wanted: impl Future<Output = T>, end: impl Future<Output = ()>) -> Option<T> {
    let (mut wanted, mut end) = (std::pin::pin!(wanted), std::pin::pin!(end));
    std::future::poll_fn(|context| match wanted.as_mut().poll(context) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => end.as_mut().poll(context).map(|()| None),
    })
    .await
}

/// Tells a child to end, and ends it if it does not: after a while, or soon if there is a `hurry`.
async fn terminate(child: &mut Child, hurry: &Notify) -> Option<ExitStatus> {
    #[cfg(unix)]
    if let Some(id) = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        let patience = async {
            let _ = timeout(STOP_GRACE.saturating_sub(LAST_GRACE), hurry.notified()).await;
            sleep(LAST_GRACE).await;
        };
        if let Some(status) = first(child.wait(), patience).await {
            return status.ok();
        }
    }
    let _ = child.start_kill();
    child.wait().await.ok()
}

/// The result of a command, up to the limit; a longer one ends the job.
async fn read_result(from: Option<impl AsyncRead + Unpin>, stop: &Stop, record: &Record) -> Vec<u8> {
    let Some(from) = from else { return Vec::new() };
    let mut result = Vec::new();
    let mut from = from.take(MAX_RESULT as u64 + 1);
    let _ = from.read_to_end(&mut result).await;
    if result.len() > MAX_RESULT {
        record.say("error: the result is longer than 64 MB".to_owned());
        stop.told.notify_one();
        result.clear();
    }
    result
}

/// Lines of messages, as they come; the rest of a long one is left out.
async fn read_lines(from: Option<impl AsyncRead + Unpin>, mut each: impl FnMut(String)) {
    let Some(mut from) = from else { return };
    let (mut line, mut piece) = (Vec::new(), [0_u8; 4096]);
    while let Ok(count @ 1..) = from.read(&mut piece).await {
        for byte in &piece[..count] {
            match byte {
                b'\n' => each(String::from_utf8_lossy(&std::mem::take(&mut line)).into_owned()),
                byte if line.len() < MAX_LINE => line.push(*byte),
                _ => {}
            }
        }
    }
    if !line.is_empty() {
        each(String::from_utf8_lossy(&line).into_owned());
    }
}

/// The files of a result: those of a folder and the folders in it, or the file itself.
fn written(output: &Path) -> Vec<ResultFile> {
    let mut files = Vec::new();
    let size = |path: &Path| path.metadata().map_or(0, |data| data.len());
    if output.is_file() {
        let name = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push(ResultFile { name, size: size(output) });
    }
    let mut folders = vec![(output.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push((entry.path(), format!("{name}/"))),
                Ok(kind) if kind.is_file() => files.push(ResultFile { name, size: size(&entry.path()) }),
                _ => {}
            }
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

/// Limits the memory that a child may write to. Only Linux can do so for another process.
pub fn limit_memory(child: &Child, bytes: u64) {
    #[cfg(target_os = "linux")]
    if let Some(id) = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw) {
        let limit = rustix::process::Rlimit { current: Some(bytes), maximum: Some(bytes) };
        let _ = rustix::process::prlimit(Some(id), rustix::process::Resource::Data, limit);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (child, bytes);
}

/// To be called at the start of the program: a job ends when the lab does, even if that is killed.
pub fn end_with_lab() {
    #[cfg(target_os = "linux")]
    if std::env::var_os(JOB_VARIABLE).is_some() {
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{Arguments, JobReport, JobState, Jobs};
    use crate::Limits;
    use crate::workspace::Workspace;
    use std::time::Duration;

    /// Runs a line of a shell as a job, to its end; `stop` after so many milliseconds.
    fn job(line: &str, limits: Limits, stop: Option<u64>) -> (JobReport, Vec<u8>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let name = format!("job-{}-{}", std::process::id(), line.len());
            let folder = Workspace::new(&std::env::temp_dir(), &name).unwrap();
            let jobs = Jobs::new("/bin/sh".into(), limits);
            let words = vec!["-c".to_owned(), line.to_owned()];
            let id = jobs.start(&folder, |_| Ok(Arguments { words, output: None })).unwrap().id;
            if let Some(after) = stop {
                tokio::time::sleep(Duration::from_millis(after)).await;
                jobs.stop(id).unwrap();
            }
            while jobs.runs() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            (jobs.report(id).unwrap(), jobs.result(id).unwrap().to_vec())
        })
    }

    fn limits(time: Duration) -> Limits {
        Limits { upload: 1, time, memory: 1 << 30 }
    }

    #[test]
    fn a_job_has_its_time_and_no_more() {
        let begin = std::time::Instant::now();
        let (report, _) = job("exec sleep 60", limits(Duration::from_millis(200)), None);
        assert_eq!(report.state, JobState::Failed);
        assert!(
            report.lines[0].contains("took longer") && begin.elapsed() < Duration::from_secs(5),
            "{:?}",
            report.lines
        );
    }

    #[test]
    fn a_job_that_does_not_listen_is_ended() {
        let begin = std::time::Instant::now();
        let (report, _) =
            job("trap '' TERM; while true; do sleep 0.1; done", limits(Duration::from_secs(60)), Some(200));
        assert_eq!(report.state, JobState::Stopped);
        assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
    }

    /// A job that is stopped has time to write what it has; if the lab ends, it has not.
    #[test]
    fn a_stopped_job_may_end_in_its_own_time() {
        let line = "trap 'sleep 2; echo kept; exit 130' TERM; echo begun >&2; while true; do sleep 0.1; done";
        let (report, out) = job(line, limits(Duration::from_secs(60)), Some(500));
        assert_eq!((report.state, report.code, out), (JobState::Stopped, Some(130), b"kept\n".to_vec()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let folder = Workspace::new(&std::env::temp_dir(), &format!("hurry-{}", std::process::id())).unwrap();
            let jobs = Jobs::new("/bin/sh".into(), limits(Duration::from_secs(60)));
            let words = vec!["-c".to_owned(), line.to_owned()];
            let id = jobs.start(&folder, |_| Ok(Arguments { words, output: None })).unwrap().id;
            tokio::time::sleep(Duration::from_millis(500)).await;
            jobs.stop(id).unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
            let begin = std::time::Instant::now();
            jobs.end_all().await;
            assert!(begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
        });
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_job_has_its_memory_and_no_more() {
        // in kilobytes; the limit is set just after the start
        let (report, out) = job("sleep 0.3; ulimit -d", limits(Duration::from_secs(60)), None);
        assert_eq!((report.state, out), (JobState::Done, b"1048576\n".to_vec()));
        let (report, _) = job("kill -ABRT $$", limits(Duration::from_secs(60)), None);
        assert!(report.state == JobState::Failed && report.lines[0].contains("memory"), "{:?}", report.lines);
    }

    #[test]
    fn what_a_job_says_is_kept_within_limits() {
        let limits = limits(Duration::from_secs(60));
        let (report, out) = job("echo 1; for i in $(seq 300); do echo line $i >&2; done; exit 3", limits, None);
        assert_eq!((report.state, report.code, out), (JobState::Failed, Some(3), b"1\n".to_vec()));
        assert_eq!((report.lines.len(), report.lines[199].as_str()), (200, "line 300"));
        let (report, out) = job("head -c 100000 /dev/zero >&2; exec yes", limits, None);
        assert!(
            out.is_empty() && report.lines.iter().any(|line| line.contains("longer than 64 MB")),
            "{:?}",
            report.state
        );
    }
}
