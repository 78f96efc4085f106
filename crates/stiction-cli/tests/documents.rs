//! Blocks of TOML and JSON in the documents: scenarios build, parameter files read, manifests and JSON parse.
#[path = "../../../xtask/src/fence.rs"]
mod fence;
use fence::{Block, blocks};
use std::fs;
use std::path::{Path, PathBuf};
use stiction::ParameterFile;
use stiction::scenario::{Scenario, keys};

const NONE: [&str; 0] = [];

/// Every document with its text.
fn pages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("docs")];
    let mut files = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                files.push(path);
            }
        }
    }
    files.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Builds or parses a block; blocks of other languages are skipped.
fn check(path: &Path, block: &Block) -> Result<bool, String> {
    match block.language.as_str() {
        "json" => {
            serde_json::from_str::<serde_json::Value>(&block.body).map_err(|e| e.to_string())?;
        }
        "toml" if block.options.iter().any(|option| option == "part") => part(&block.body)?,
        "toml" if block.body.contains("[dependencies]") => {
            block.body.parse::<toml::Table>().map_err(|e| e.to_string())?;
        }
        "toml" if ["[model]", "[equations]", "[table]"].iter().any(|table| block.body.contains(table)) => {
            ParameterFile::parse(&block.body, path).map_err(|e| e.to_string())?;
        }
        "toml" => {
            let scenario = Scenario::parse(&block.body, path, &NONE).map_err(|e| e.to_string())?;
            scenario.simulation().map_err(|e| e.to_string())?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Part of a scenario: components and their keys are known.
fn part(text: &str) -> Result<(), String> {
    for (name, content) in text.parse::<toml::Table>().map_err(|e| e.to_string())? {
        if keys::TOP_LEVEL.iter().any(|key| key.name == name) {
            continue;
        }
        let component = keys::find(&name).ok_or_else(|| format!("there is no component '{name}'"))?;
        // further keys of these are names that the user chooses
        if component.law || ["measure", "controller", "identify"].contains(&name.as_str()) {
            continue;
        }
        let table = content.as_table().cloned().unwrap_or_default();
        // [run] has keys, [body.NAME] names with keys
        let tables = |name: &String| component.key(name).is_none() && table[name].is_table();
        let named = table.values().filter_map(|value| value.as_table()).flat_map(|t| t.keys());
        let found: Vec<&String> = if table.keys().all(tables) { named.collect() } else { table.keys().collect() };
        if let Some(strange) = found.into_iter().find(|key| component.key(key).is_none()) {
            return Err(format!("'{name}' has no key '{strange}'"));
        }
    }
    Ok(())
}

#[test]
fn every_block_of_toml_and_json_is_right() {
    let mut seen = 0;
    for (path, text) in pages() {
        for block in blocks(&text).iter().filter(|block| block.note("not run").is_none()) {
            let place = format!("{}:{}", path.display(), block.line);
            seen += usize::from(check(&path, block).unwrap_or_else(|error| panic!("{place}: {error}\n{}", block.body)));
        }
    }
    assert!(seen > 20, "the documents have examples: {seen}");
}

#[test]
fn every_component_has_a_page_with_an_example() {
    let pages: Vec<_> =
        pages().into_iter().filter(|(path, _)| path.components().any(|c| c.as_os_str() == "scenario")).collect();
    for (path, text) in &pages {
        assert!(blocks(text).iter().any(|block| block.language == "toml"), "{} has an example", path.display());
    }
    for component in keys::ALL {
        let marker = format!("<!-- keys {} -->", component.name);
        assert!(pages.iter().any(|(_, page)| page.contains(&marker)), "{} is documented", component.name);
    }
}

#[test]
fn a_wrong_block_is_found() {
    let wrong = [
        "```toml\n[body.b]\nmas = 1\n```",
        "```toml\n[model]\nname = \"lugr\"\n```",
        "```json\n{1}\n```",
        "```toml,part\n[body.b]\nmas = 1\n```",
        "```toml,part\n[boddy.b]\n```",
    ];
    for page in wrong {
        assert!(check(Path::new("page.md"), &blocks(page)[0]).is_err(), "{page}");
    }
    let note = &blocks("text\n\n<!-- not run: why -->\n\n  ````sh,x\n  a\n   ```\n  ````\n")[0];
    assert_eq!((note.note("not run"), note.body.as_str(), note.line), (Some("why"), "a\n ```\n", 5));
    assert_eq!((note.language.as_str(), note.options[0].as_str()), ("sh", "x"));
}

/// Numbers in README that count what the program has.
#[test]
fn counts_in_the_readme_are_those_of_the_program() {
    use stiction::analysis::phenomena::ALL_PHENOMENA;
    use stiction::core::models::ALL;
    let readme = include_str!("../../../README.md");
    let (laws, phenomena) = (ALL.len(), ALL_PHENOMENA.len());
    let memory = ALL.iter().filter(|law| !law.states.is_empty()).count();
    for wanted in [
        format!("**models** friction ({laws} laws,"),
        format!("by experiment: {laws} laws, {phenomena} phenomena"),
        format!("| laws with memory | {memory} of {laws}: `stiction models`"),
    ] {
        assert!(readme.contains(&wanted), "README should say '{wanted}'");
    }
}
