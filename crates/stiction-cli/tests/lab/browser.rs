//! The pages in a browser, where there is one.
use crate::client::Lab;
use crate::common::browser::{browser, python};
use crate::common::{Folder, command, json, skip};
use crate::jobs::record;
use serde_json::{Value, json};
use std::process::Command;

/// What a page is after its scripts have run, and what the browser said about them.
fn page(browser: &str, address: &str, profile: &Folder) -> (String, String) {
    let flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
    let more = ["--virtual-time-budget=20000", "--enable-logging=stderr", "--dump-dom"];
    let data = format!("--user-data-dir={}", profile.0.display());
    let done = Command::new(browser).args(flags).args(more).args([&data, address]).output().unwrap();
    let [out, err] = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (out, err)
}

#[test]
fn the_pages_work_in_a_browser() {
    let Some(browser) = browser() else {
        return skip("there is no Chromium here, so the pages of the lab are not opened");
    };
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
        let (html, said) = page(&browser, &format!("{address}{place}"), &profile);
        for text in shown {
            assert!(html.contains(text), "{place}: {text}: {html}\n{said}");
        }
        assert!(html.contains("data-ready"), "{place}: {said}");
        assert!(!said.contains("CONSOLE") && !said.contains("Refused to"), "{place}: {said}");
    }
}

/// A page that is loaded while a job runs shows it with the button that stops it, and nothing that is no text.
#[test]
fn a_page_that_is_loaded_later_can_stop_the_job() {
    let Some(browser) = browser() else {
        return skip("there is no Chromium here, so the pages of the lab are not opened");
    };
    let lab = Lab::start("later", &[]);
    let profile = Folder::new("lab-later-profile");
    lab.long_job();
    let (html, said) = page(&browser, &format!("http://{}/{}/#/log", lab.host, lab.token), &profile);
    let bar = html.split("id=\"job\"").nth(1).unwrap();
    assert!(bar.contains("id=\"stop\"") && bar.contains("stiction run a7") && !bar.contains("null"), "{bar}\n{said}");
    assert!(!said.contains("CONSOLE"), "{said}");
}

/// The page of an identified law moves the mass that was identified with it: the force on a heavy body rises as much slower, so that friction
/// follows it up to break-away.
#[test]
fn a_heavy_body_breaks_away_where_the_law_says() {
    let Some(browser) = browser() else {
        return skip("there is no Chromium here, so no live page is opened");
    };
    let (folder, profile) = (Folder::new("lab-heavy"), Folder::new("lab-heavy-profile"));
    let found = folder.file("found.toml", "[model]\nname = \"lugre\"\n\n[identified.plant]\nmass = 10000\n");
    let file = folder.path("heavy.html");
    assert!(command(&["export", "page", &found, "-o", &file]).output().unwrap().status.success());
    let (html, said) = page(&browser, &format!("file://{file}"), &profile);
    let largest = html.split("Largest friction: ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
    let level = 1.5;
    // the level at rest; sliding begins a little below it, since bristles yield first
    assert!(largest.is_some_and(|force| (0.9 * level..=level).contains(&force)), "{largest:?} {said}");
}

/// A person drops a file, makes a mistake, runs, stops, and moves a slider.
#[test]
fn a_person_can_use_the_pages() {
    let (Some(browser), Some(python)) = (browser(), python()) else {
        return skip("there is no Chromium, or no Playwright for Python, so nothing is clicked in the lab");
    };
    let (lab, folder) = (Lab::start("person", &[]), Folder::new("lab-person-record"));
    let file = folder.file("log.csv", &record());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lab/pages.py");
    let address = format!("http://{}/{}/", lab.host, lab.token);
    let pictures = std::env::var("STICTION_SCREENSHOTS").ok();
    let arguments = [script, &address, &file, &browser].into_iter().chain(pictures.as_deref());
    let done = Command::new(python).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    let seen: Value = serde_json::from_slice(&done.stdout).unwrap();
    // five digits of what the command finds
    let found = json(&["identify", &file, "--model=coulomb", "--json"]);
    let fc = found["findings"][0]["estimates"]["fc"]["value"].as_f64().unwrap();
    let shown: f64 = seen["fc"].as_str().unwrap().parse().unwrap();
    assert!((shown - fc).abs() <= 0.5e-4 * fc, "{shown} {fc}");
    assert_eq!(seen["command"], "stiction identify log.csv --model=coulomb -o found-2");
    assert_eq!((&seen["complaints"], &seen["hit"], &seen["column_as_text"]), (&json!([]), &Value::Null, &json!(true)));
    assert!(seen.get("hit_by_scenario").is_some_and(Value::is_null), "{seen}");
    assert_eq!(seen["widths"], json!({ "1300": 1300, "800": 800, "390": 390 }), "nothing reaches beyond the window");
    assert!(seen["wrong"].as_str().unwrap().contains("ennd"), "{seen}");
    assert!(seen["stopped"].as_str().unwrap().starts_with("stopped"), "{seen}");
    // a frame with a scroll bar of its own would hide curves, on paper for good
    let frame = ["frame", "framed"].map(|key| seen[key].as_f64().unwrap());
    assert!(
        (frame[0] - frame[1]).abs() <= 2.0 && frame[1] > 500.0,
        "the frame is as high as the law's page: {frame:?}"
    );
    assert_eq!(seen["on_paper"], json!(true), "the whole scenario is printed");
    // every control is reached by Tab, shows that it is there, and lets go again
    for (page, walk) in seen["walk"].as_object().unwrap() {
        assert!(walk[0].as_u64().unwrap() >= 6 && walk[1] == json!([]), "{page}: {walk}");
    }
    assert_eq!((&seen["focus"], &seen["stop_kept"]), (&json!(true), &json!("stop")));
    assert!(seen["slider"] == "0.5 N" && seen["before"] == 1, "{seen}");
    assert!(seen["cell"].as_str().unwrap().starts_with("k 4.25, hand.v 2.15: "), "{seen}");
    // a body of two kilograms breaks away where the law says, and not where its inertia does
    let live: [String; 2] = serde_json::from_value(seen["live"].clone()).unwrap();
    let largest: f64 = live[0].trim_start_matches("Largest friction: ").split(' ').next().unwrap().parse().unwrap();
    let mass: f64 = live[1].parse().unwrap();
    assert!((largest - fc).abs() < 0.01 * fc && (mass - 2.0).abs() < 0.05, "{live:?}");
    // the upper right two cells of three in either direction: from the middle between the first and the second value
    assert!(seen["rectangle"].as_str().unwrap().starts_with("k 2.375 to 8, hand.v 1.225 to 4: Enter"), "{seen}");
    let ends: Vec<Vec<String>> = serde_json::from_value(seen["ends"].clone()).unwrap();
    assert_eq!((&ends[1][..], &ends[2]), (&["2.375", "8", "1.225", "4"].map(String::from)[..], &ends[0]), "{seen}");
    assert_eq!(seen["focus_on_map"], true);
    // error in the fit, part that is not predicted in %, error in the prediction
    let judged: Vec<f64> =
        seen["judged"].as_array().unwrap().iter().map(|x| x.as_str().unwrap().parse().unwrap()).collect();
    assert!(judged.len() == 3 && judged[1] < 1.0 && judged[2] < 0.05, "{seen}");
    // a plot tells values, and a part of it is drawn anew
    let [hover, read] = ["hover", "read"].map(|key| seen[key].as_str().unwrap());
    assert!(hover.starts_with("t = ") && hover.contains(" m") && read.starts_with("t = "), "{hover}; {read}");
    let windows: Vec<[f64; 2]> = serde_json::from_value(seen["windows"].clone()).unwrap();
    let [whole, dragged, keyed, again] = windows[..] else { panic!("{windows:?}") };
    let span = |[a, b]: [f64; 2]| b - a;
    // a tenth of the picture is a little more of the axis
    assert!((0.1..0.14).contains(&(span(dragged) / span(whole))), "{windows:?}");
    assert!((span(keyed) / span(dragged) - 0.5).abs() < 1e-6 && keyed[0] > dragged[0] && again == whole, "{windows:?}");
    assert_eq!(seen["faint"], json!([]), "text with too little contrast");
    // a finger reads, looks closer by going sideways without moving the page, and scrolls by going up
    for (name, touch) in seen["touch"].as_object().unwrap() {
        assert!(touch["read"].as_str().unwrap().contains(" = "), "{name}: {touch}");
        // three tenths of the picture are somewhat more of the axis
        assert!((0.3..0.42).contains(&touch["closer"].as_f64().unwrap()), "{name}: {touch}");
        assert!(touch["still"] == true && touch["scrolled"].as_f64().unwrap() > 50.0, "{name}: {touch}");
    }
    // its text can be read there, and every axis has a scale
    assert!(seen["letters"].as_f64().unwrap() >= 11.0, "{seen}");
    assert!(seen["ticks"].as_array().unwrap().iter().all(|ticks| ticks.as_u64().unwrap() >= 2), "{seen}");
    assert!(seen["law"].as_str().unwrap().starts_with("Largest friction: 0.5 N"), "{seen}");
    assert!(seen["pictures"].as_u64().unwrap() >= 2 && seen["plots"].as_u64().unwrap() >= 1, "{seen}");
}
