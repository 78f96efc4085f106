//! `cargo x docs`: the book as HTML.
use crate::{Error, built, files, links, read, root};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The versions of mdBook that may build the book, and the one that is installed if there is none.
const SERIES: &str = "mdbook v0.5.";
const VERSION: &str = "0.5.4";

/// Checks the links of the pages, builds the book and checks the links of what was built.
pub fn run() -> Result<(), Error> {
    links::run()?;
    let book = target().join("book");
    let mut command = Command::new(mdbook()?);
    command.arg("build").arg("-d").arg(&book).current_dir(root());
    let status = command.status().map_err(|e| format!("cannot run mdbook: {e}"))?;
    if !status.success() {
        return Err("mdbook could not build the book".into());
    }
    built_links(&book)?;
    eprintln!("the book is {}", book.join("index.html").display());
    Ok(())
}

fn target() -> PathBuf {
    built().parent().map_or_else(|| root().join("target"), Path::to_owned)
}

/// The program that builds the book. If there is none of the right version, it is installed into the target folder, which
/// takes some minutes.
fn mdbook() -> Result<PathBuf, Error> {
    let tools = target().join("tools");
    let own = tools.join("bin/mdbook");
    for program in [PathBuf::from("mdbook"), own.clone()] {
        let out = Command::new(&program).arg("--version").output();
        if out.is_ok_and(|out| String::from_utf8_lossy(&out.stdout).starts_with(SERIES)) {
            return Ok(program);
        }
    }
    eprintln!("installing mdbook {VERSION} into {}", tools.display());
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args([
        "install",
        "mdbook",
        "--no-default-features",
        "--features",
        "search",
        "--locked",
        "--version",
        &format!("={VERSION}"),
        "--root",
    ]);
    let status = command.arg(&tools).status().map_err(|e| format!("cannot run cargo: {e}"))?;
    if status.success() { Ok(own) } else { Err("mdbook could not be installed".into()) }
}

/// Every relative link of the HTML leads to a file, and every anchor to an element.
fn built_links(book: &Path) -> Result<(), Error> {
    let is_page = |path: &PathBuf| path.extension().is_some_and(|e| e == "html");
    let mut pages = HashMap::new();
    for path in files::sources(book)?.into_iter().filter(is_page) {
        // 404.html is served from any folder, print.html repeats all other pages
        if !["404.html", "print.html", "toc.html"].iter().any(|name| path.ends_with(name)) {
            pages.insert(path.clone(), read(&path)?);
        }
    }
    let mut wrong = Vec::new();
    for (path, text) in &pages {
        let folder = path.parent().unwrap_or(book);
        for target in ["href=\"", "src=\""]
            .iter()
            .flat_map(|key| text.split(key).skip(1))
            .filter_map(|rest| Some(rest.split_once('"')?.0))
        {
            if target.contains(':') {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { path.clone() } else { folder.join(file) };
            // a page that sends on to the index
            let file = if file.ends_with("README.html") { file.with_file_name("index.html") } else { file };
            let file = file.canonicalize().unwrap_or(file);
            let missing = |page: &String| !anchor.is_empty() && !page.contains(&format!("id=\"{anchor}\""));
            if !file.exists() || pages.get(&file).is_some_and(missing) {
                wrong.push(format!("{}: there is no {target}", path.strip_prefix(book).unwrap_or(path).display()));
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
