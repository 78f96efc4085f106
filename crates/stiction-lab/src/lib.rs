//! The lab: a server on this machine whose pages run the program. It has no logic of friction. What a page asks for becomes the
//! arguments of a command (`request`), which the program itself runs as a child process (`job`); the
//! pages show the command, its progress and its results.
//!
//! | module | job |
//! |---|---|
//! | `access` | who may ask: token, host and origin; what browsers are told to hold to |
//! | `request`, `job` | requests as arguments; the child process, its limits and its end |
//! | `workspace`, `upload` | the temporary folder, and files that are dropped on a page |
//! | `scenario_text`, `check` | scenarios checked while they are written, in a child process |
//! | `results`, `extremes` | files of results, and rows for pictures |
//! | `pages` | the pages themselves, which are part of the program |
mod access;
mod check;
mod error;
mod extremes;
mod job;
mod pages;
mod request;
mod results;
mod routes;
mod scenario_text;
mod upload;
mod workspace;

pub use check::check_of_lab;
pub use job::end_with_lab;

use check::Checks;
use job::Jobs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use workspace::Workspace;

/// Time between two looks at the flag that ends the server.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// What a page may ask for at most.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest file that can be dropped on a page \[bytes\].
    pub upload: u64,
    /// Longest time of a job.
    pub time: Duration,
    /// Memory that a job may write to \[bytes\], on Linux.
    pub memory: u64,
}

/// How to start the lab.
#[derive(Clone, Debug)]
pub struct LabOptions {
    /// The program that runs jobs.
    pub program: PathBuf,
    /// Port; 0 for any that is free.
    pub port: u16,
    /// Limits.
    pub limits: Limits,
}

/// A lab that runs.
struct Lab {
    token: String,
    port: u16,
    limits: Limits,
    folder: Workspace,
    jobs: Jobs,
    checks: Checks,
    /// One picture of a long table is made at a time.
    series: Arc<Semaphore>,
    /// Uploads begun, and bytes of those that are there.
    uploads: AtomicU64,
    uploaded: AtomicU64,
}

impl Lab {
    fn token(&self) -> &str {
        &self.token
    }
    /// The names of the server.
    fn hosts(&self) -> impl Iterator<Item = String> {
        access::hosts(self.port)
    }
}

/// Serves until `stop` is raised; `ready` gets the address of the first page. Only this machine can connect.
///
/// # Errors
/// If the port is taken, or the folder cannot be made.
pub fn serve(options: LabOptions, stop: &AtomicBool, ready: impl FnOnce(&str)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    let done = runtime.block_on(async {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, options.port))).await?;
        let port = listener.local_addr()?.port();
        let token = access::token()?;
        // another random word: the token is in no path on the disk
        let folder = Workspace::new(&std::env::temp_dir(), &access::token()?[..12])?;
        let lab = Arc::new(Lab {
            checks: Checks::new(options.program.clone(), options.limits),
            jobs: Jobs::new(options.program, options.limits),
            series: Arc::new(Semaphore::new(1)),
            limits: options.limits,
            uploads: AtomicU64::new(0),
            uploaded: AtomicU64::new(0),
            folder,
            port,
            token,
        });
        let address = format!("http://127.0.0.1:{port}/{}/", lab.token());
        let server = tokio::spawn(axum::serve(listener, routes::router(lab.clone())).into_future());
        ready(&address);
        while !stop.load(Ordering::Relaxed) && !server.is_finished() {
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
        lab.jobs.end_all().await;
        server.abort();
        let _ = std::fs::remove_dir_all(lab.folder.path());
        Ok(())
    });
    // connections that are still open are not waited for
    runtime.shutdown_background();
    done
}
