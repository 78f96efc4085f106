//! What a test needs to use pages in a browser, where it is there.
use std::path::{Path, PathBuf};
use std::process::Command;

/// The path of the browser, if there is one.
pub fn browser() -> Option<String> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let works = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
    let found = Command::new("which").arg(names.into_iter().find(works)?).output().ok()?;
    Some(String::from_utf8_lossy(&found.stdout).trim().to_owned())
}

/// A Python with Playwright: that of `cargo x check --all`, one that is named, or that of the machine.
pub fn python() -> Option<PathBuf> {
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().map(|target| target.join("tools/python/bin/python"));
    let named = std::env::var_os("STICTION_PYTHON").map(PathBuf::from);
    let works = |program: &PathBuf| {
        let tried = Command::new(program).args(["-c", "import playwright.sync_api"]).output();
        tried.is_ok_and(|out| out.status.success())
    };
    [named, tools, Some("python3".into())].into_iter().flatten().find(works)
}
