//! `stiction phenomena`.
mod common;
use common::{Folder, json, ok, refused, run};

const KEYS: [&str; 15] = [
    "hold",
    "breakaway",
    "stribeck",
    "presliding",
    "plastic",
    "hysteresis",
    "nonlocal",
    "lag",
    "rate",
    "dwell",
    "no-drift",
    "stick-slip",
    "hunting",
    "passive",
    "smooth",
];

#[test]
fn json_has_every_figure_with_its_threshold() {
    let found = json(&["phenomena", "coulomb", "stribeck", "--json"]);
    assert_eq!(found["phenomena"].as_array().unwrap().len(), KEYS.len());
    for (law, name) in found["laws"].as_array().unwrap().iter().zip(["coulomb", "stribeck"]) {
        assert_eq!(law["law"], name);
        let cells = law["phenomena"].as_object().unwrap();
        for key in KEYS {
            let cell = &cells[key];
            assert!(["yes", "open", "no"].contains(&cell["shown"].as_str().unwrap()), "{key}");
            assert!(cell["threshold"].is_number() && cell.get("figure").is_some(), "{key}");
        }
        assert!(law["cost"]["ns"].as_f64().unwrap() > 0.0 && law["scales"]["peak"].as_f64().unwrap() > 0.0);
        assert_eq!(cells["hold"]["shown"], "yes");
        assert_eq!(cells["presliding"]["shown"], "no");
    }
}

#[test]
fn a_page_and_a_table_fit_the_screen() {
    let page = ok(&["phenomena", "coulomb-tanh"]).out;
    assert!(page.contains("hold        no") && page.contains("Measured scales"), "{page}");
    let table = ok(&["phenomena", "coulomb", "viscous", "stiction"]).out;
    // a figure of 0 beside 'shown' reads like 'not shown'
    let unsaid = table.split("not mentioned on the page of the law").nth(1).expect("something is not said");
    assert!(unsaid.contains("no-drift") && !unsaid.contains("(0)"), "{table}");
    assert!(table.contains("no-drift") && table.contains("Claims of papers and pages"), "{table}");
    for line in page.lines().chain(table.lines()) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn need_names_a_law_or_the_nearest() {
    let found = json(&["phenomena", "coulomb", "stribeck-tanh", "--need", "hold", "--json"]);
    assert_eq!(found["choice"]["use"], "coulomb");
    let text = ok(&["phenomena", "coulomb", "stribeck-tanh", "stribeck", "--need", "stribeck,hold"]).out;
    assert!(text.starts_with("For stribeck, hold: stribeck\n"), "{text}");
    let none = run(&["phenomena", "coulomb", "viscous", "--need", "hold,stribeck,lag"]).out;
    assert!(none.starts_with("No law shows") && none.contains("coulomb  lacks stribeck (0), lag (0)"), "{none}");
}

#[test]
fn a_folder_has_the_matrix() {
    let folder = Folder::new("phenomena");
    let out = folder.path("p");
    ok(&["phenomena", "coulomb", "viscous", "-o", &out]);
    let svg = std::fs::read_to_string(format!("{out}/matrix.svg")).unwrap();
    assert!(svg.contains("coulomb") && svg.contains("passive"), "{svg}");
    assert!(std::path::Path::new(&out).join("summary.json").exists());
}

#[test]
fn unknown_names_are_refused_with_near_ones() {
    assert!(refused(&["phenomena", "lugr"]).contains("lugre"));
    assert!(refused(&["phenomena", "--need", "holds"]).contains("hold"));
    assert!(refused(&["phenomena", "coulomb", "--need", "presliding,quux"]).contains("presliding"));
}

/// Rows of a law's page in the book: key, whether it is shown, figure.
fn rows(law: &str) -> Vec<[String; 3]> {
    let path = format!("{}/../../docs/laws/{law}.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let (_, rest) = page.split_once("<!-- phenomena -->\n").unwrap();
    let (table, _) = rest.split_once("<!-- end -->").unwrap();
    let cells = |line: &str| line.split('|').skip(1).take(3).map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    table.lines().skip(3).filter(|l| l.starts_with('|')).map(|l| cells(l).try_into().unwrap()).collect()
}

#[test]
fn pages_of_the_book_have_the_figures_of_today() {
    for law in stiction::core::models::ALL {
        let keys: Vec<String> = rows(law.name).into_iter().map(|[key, ..]| key).collect();
        assert_eq!(keys, KEYS, "{}: run `cargo x gen --slow`", law.name);
    }
    // all laws take minutes; these have a set at rest, a curve, and a memory
    for law in ["coulomb", "coulomb-tanh", "dahl"] {
        let found = json(&["phenomena", law, "--json"]);
        for [key, shown, figure] in rows(law) {
            let cell = &found["laws"][0]["phenomena"][&key];
            assert_eq!(cell["shown"], shown, "{law}, {key}: run `cargo x gen --slow`");
            match cell["figure"].as_f64() {
                None => assert_eq!(figure, "-", "{law}, {key}"),
                Some(value) => {
                    let page: f64 = figure.parse().unwrap();
                    // three digits on the page; below 1e-12 it says 0
                    let close = (value - page).abs() <= 5.1e-3 * value.abs().max(1e-10);
                    assert!(close, "{law}, {key}: {value}, on the page {page}: run `cargo x gen --slow`");
                }
            }
        }
    }
}
