//! `stiction models`.
mod common;
use common::{Folder, command, json, ok, refused};
use serde_json::Value;
use stiction::core::models::ALL;

const WRAPPERS: [&str; 3] = ["asymmetric", "loaded", "stochastic"];

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} in {value}"))
}

#[test]
fn the_list_has_every_law_and_wrapper_once() {
    let out = ok(&["models"]).out;
    let names: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    for name in ALL.iter().map(|law| law.name).chain(WRAPPERS) {
        assert_eq!(names.iter().filter(|&&n| n == name).count(), 1, "{name}");
    }
    assert_eq!(names.len(), 1 + ALL.len() + WRAPPERS.len());
    assert!(out.contains("stiction models NAME"));
    assert!(out.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn json_describes_every_law() {
    let list = json(&["models", "--json"]);
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), ALL.len());
    for (entry, law) in list.iter().zip(ALL) {
        assert_eq!(text(entry, "name"), law.name);
        assert!(!text(entry, "doc").is_empty() && !text(entry, "doc").contains('\n'));
        let (cite, sources) = (entry["cite"].as_array().unwrap(), entry["sources"].as_array().unwrap());
        assert_eq!(cite.iter().collect::<Vec<_>>(), sources.iter().map(|source| &source["key"]).collect::<Vec<_>>());
        assert!(cite.iter().all(Value::is_string) && sources.iter().all(|source| source["title"].is_string()));
        let params = entry["params"].as_array().unwrap();
        assert_eq!(params.len(), law.params.len());
        for (json, param) in params.iter().zip(law.params) {
            assert_eq!((text(json, "name"), text(json, "unit")), (param.name, param.unit));
            let number = |key: &str| json[key].as_f64().unwrap();
            assert_eq!([number("default"), number("min"), number("max")], [param.default, param.min, param.max]);
            assert!(!text(json, "doc").is_empty());
        }
        let states = entry["states"].as_array().unwrap();
        assert_eq!(states.len(), law.states.len());
        assert!(states.iter().all(|state| state["name"].is_string() && state["unit"].is_string()));
        assert_eq!(&json(&["models", law.name, "--json"]), entry);
    }
}

#[test]
fn a_page_tells_all() {
    let page = ok(&["models", "lugre"]).out;
    for part in [
        "dz/dt = v - sigma0 |v|/g(v) z",
        "Parameters",
        "sigma0",
        "N/m",
        "1e12",
        "Bristle stiffness",
        "fs >= fc",
        "z [m]",
        "frictional lag",
        "ls_over_lc",
        "--from mu=0.3",
        "CanudasDeWit1995",
        "Åström, Karl Johan",
        "Revisiting the LuGre Friction Model.",
    ] {
        assert!(page.contains(part), "{part} in\n{page}");
    }
    assert!(!page.contains("```"));
    for law in ALL {
        let page = ok(&["models", law.name]).out;
        assert!(law.params.iter().all(|p| page.contains(p.name) && page.contains(p.unit)), "{page}");
        assert!(law.cite.iter().all(|key| page.contains(key)), "{page}");
    }
}

#[test]
fn wrappers_have_pages_that_say_how_to_use_them() {
    for (name, option) in WRAPPERS.iter().zip(["--set reverse.fc=", "--set load.slope=", "--set noise.amplitude="]) {
        let page = ok(&["models", name]).out;
        assert!(page.contains(option), "{page}");
        assert_eq!(text(&json(&["models", name, "--json"]), "kind"), "wrapper");
        // the commands on the page run
        let line = page.lines().find(|line| line.contains(option)).unwrap();
        let args: Vec<&str> = line.split_whitespace().skip(1).take_while(|word| *word != "-o").collect();
        ok(&args);
    }
}

#[test]
fn a_page_fits_its_width() {
    for columns in [100, 60] {
        for law in ALL {
            let output = command(&["models", law.name]).env("COLUMNS", columns.to_string()).output().unwrap();
            let page = String::from_utf8(output.stdout).unwrap();
            // an equation is one line
            let mut rest = page.lines().filter(|line| !law.doc.contains(line.trim()));
            assert_eq!(rest.find(|line| line.chars().count() > columns), None);
        }
    }
    let narrow = command(&["models", "lugre"]).env("COLUMNS", "60").output().unwrap().stdout;
    assert!(String::from_utf8(narrow).unwrap().contains("\n      Coefficient of friction\n"));
    // a command that is wrapped is still a valid command
    let page = ok(&["models", "lugre"]).out;
    assert!(page.contains("--from mass=1 \\\n    --from ls_over_lc=2\n"), "{page}");
}

#[test]
fn numbered_states_are_told_by_their_ends() {
    let page = ok(&["models", "hysteresis"]).out;
    assert!(page.contains(" xr1 … xr16 [m],") && page.contains(" fr1 … fr16 [N]\n") && !page.contains("xr2"), "{page}");
}

#[test]
fn every_command_on_a_page_runs() {
    let mut ran = 0;
    for law in json(&["models", "--json"]).as_array().unwrap() {
        for line in law["usage"].as_array().unwrap() {
            ok(&line.as_str().unwrap().split_whitespace().skip(1).collect::<Vec<_>>());
            ran += 1;
        }
    }
    assert!(ran >= ALL.len(), "{ran}");
}

#[test]
fn unknown_names_list_near_ones() {
    assert!(refused(&["models", "lurge"]).contains("did you mean 'lugre'"));
    assert!(refused(&["models", "asymetric", "--json"]).contains("'asymmetric'"));
    // no similar name: all of them are listed
    let err = refused(&["models", "xyzzy"]);
    assert!(ALL.iter().all(|law| err.contains(law.name)), "{err}");
}

#[test]
fn pages_are_for_all_laws_or_none() {
    // the pages themselves are compared with those of the book by `cargo x gen --check`
    refused(&["models", "lugre", "-o", "laws"]);
    refused(&["models", "--phenomena"]);
    let folder = Folder::new("models-pages");
    folder.file("mine.txt", "");
    assert!(refused(&["models", "-o", folder.0.to_str().unwrap()]).contains("mine.txt"));
}

/// A parameter file is explained by its law, with the values of the file.
#[test]
fn a_parameter_file_is_explained_with_its_values() {
    let folder = Folder::new("models-file");
    let file = folder.file("axis.toml", "[model]\nname = \"lugre\"\nfc = 7.5\nfs = 9\n[model.reverse]\nfc = 8.5\n");
    let page = ok(&["models", &file]).out;
    assert!(page.contains("Values in ") && page.contains("7.5") && page.contains("reverse.fc"), "{page}");
    assert!(page.contains("Equations"), "{page}");
    let found = json(&["models", &file, "--json"]);
    assert_eq!((text(&found, "name"), found["file"]["values"]["reverse.fc"].as_f64()), ("lugre", Some(8.5)));
    assert!(json(&["models", "lugre", "--json"]).get("file").is_none());
}
