//! The pages in a browser, where there is one.
use crate::client::Lab;
use crate::common::{Folder, skip};
use std::process::Command;

/// What a page is after its scripts have run, and what the browser said about them.
fn page(address: &str, profile: &Folder) -> Option<(String, String)> {
    let flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
    let more = ["--virtual-time-budget=20000", "--enable-logging=stderr", "--dump-dom"];
    let data = format!("--user-data-dir={}", profile.0.display());
    let done = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find_map(|browser| Command::new(browser).args(flags).args(more).args([&data, address]).output().ok());
    let done = done?;
    let [out, err] = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Some((out, err))
}

#[test]
fn the_pages_work_in_a_browser() {
    let lab = Lab::start("browser", &[]);
    let profile = Folder::new("lab-browser-profile");
    let address = format!("http://{}/{}/", lab.host, lab.token);
    for (place, shown) in [
        ("", vec!["A log file", "stick-slip", "<polyline"]),
        ("#/log", vec!["Drop a log file here"]),
        ("#/scenario", vec!["LuGre stick-slip: 10 columns", "id=\"run\""]),
        ("#/law", vec!["law/lugre"]),
        ("#/map", vec!["Compute the map"]),
    ] {
        let Some((html, said)) = page(&format!("{address}{place}"), &profile) else {
            return skip("there is no Chromium here, so the pages of the lab are not opened");
        };
        for text in shown {
            assert!(html.contains(text), "{place}: {text}: {html}\n{said}");
        }
        assert!(html.contains("data-ready"), "{place}: {said}");
        assert!(!said.contains("CONSOLE") && !said.contains("Refused to"), "{place}: {said}");
    }
}
