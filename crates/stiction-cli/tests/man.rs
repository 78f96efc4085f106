//! `stiction man`.
mod common;
use common::{Folder, json, ok, refused};
use std::fs;

/// Commands that the program's own help lists, below each heading.
fn commands() -> Vec<String> {
    let help = ok(&["--help"]).out;
    let list = help.split("\nOptions:").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_command_has_a_page() {
    let folder = Folder::new("man");
    let dir = folder.path("share/man1");
    ok(&["man", "-o", &dir]);
    let names = commands();
    assert!(names.len() > 20, "{names:?}");
    for name in ["stiction".to_owned()].into_iter().chain(names.iter().map(|name| format!("stiction-{name}"))) {
        let page = fs::read_to_string(folder.0.join(format!("share/man1/{name}.1"))).expect(&name);
        assert!(page.contains(&format!(".TH {}", name.to_uppercase())) || page.contains(".TH \"STICTION"), "{page}");
        for head in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "\"EXIT STATUS\"", "\"SEE ALSO\""] {
            assert_eq!(page.matches(&format!(".SH {head}\n")).count(), 1, "{name}: {head}");
        }
        assert_eq!(page.matches(".ds Aq").count(), 2, "{name}: the beginning stands once");
        // an example begins with the program, and no line of roff is taken for a request
        let shown = page.split(".SH EXAMPLES").nth(1).unwrap();
        assert!(shown.contains("stiction"), "{name}");
        for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
            let word = line[1..].split(' ').next().unwrap();
            assert!(
                ["TH", "SH", "TP", "PP", "IP", "RS", "RE", "nf", "fi", "br", "ie", "el", "ds"].contains(&word),
                "{line}"
            );
        }
    }
    assert!(folder.0.join("share/man1/stiction-export-controller.1").is_file());
}

#[test]
fn one_page_goes_to_stdout() {
    let page = ok(&["man", "sweep"]).out;
    assert!(page.contains(".SH NAME") && page.contains("stiction\\-sweep"), "{page}");
    assert_eq!(json(&["man", "sweep", "--json"])["roff"], page);
    assert!(ok(&["man", "export", "controller"]).out.contains("C99"));
    assert!(ok(&["man"]).out.contains("stiction\\-doctor(1)"));
    assert!(refused(&["man", "sweeep"]).contains("did you mean 'sweep'?"));
    refused(&["man", "sweep", "-o", "x"]);
}
