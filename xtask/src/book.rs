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
    live_pages(&book)?;
    built_links(&book)?;
    eprintln!("the book is {}", book.join("index.html").display());
    Ok(())
}

/// Writes the live page of every law into the book, and shows it on the page of the law.
fn live_pages(book: &Path) -> Result<(), Error> {
    let program = built().join("stiction");
    let folder = book.join("laws/live");
    std::fs::create_dir_all(&folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let style = read(&root().join("crates/stiction/src/html_page/formulas.css"))?;
    for path in files::sources(&root().join("crates/stiction-core/src/models"))? {
        let Some(name) = path.file_stem().map(|name| name.to_string_lossy().replace('_', "-")) else { continue };
        let page = book.join("laws").join(format!("{name}.html"));
        // files of the folder that are no law have no page
        if !page.is_file() {
            continue;
        }
        let live = folder.join(format!("{name}.html"));
        let mut command = Command::new(&program);
        let out = command.args(["export", "page", &name, "-o"]).arg(&live).output();
        let out = out.map_err(|e| format!("cannot run stiction: {e}"))?;
        if !out.status.success() {
            return Err(format!("stiction export page {name}: {}", String::from_utf8_lossy(&out.stderr)));
        }
        let text = with_live_page(&read(&page)?, &name).ok_or_else(|| format!("{} has no title", page.display()))?;
        let text = with_formulas(&text, &read(&live)?, &style)
            .ok_or_else(|| format!("{} or {} has no equations", page.display(), live.display()))?;
        std::fs::write(&page, text).map_err(|e| format!("cannot write {}: {e}", page.display()))?;
    }
    Ok(())
}

/// Makes the frame as high as the live page in it, which tells its height: a box with a scroll bar would be cut off in print.
const FRAME_HEIGHT: &str = "addEventListener(\"message\", ({ source, data }) => { \
    const frame = document.querySelector(\"main iframe\"); \
    if (source === frame.contentWindow && data?.height > 0 && data.height < 20000) frame.height = Math.ceil(data.height) + 4; });";

/// The page of a law with its live page after the title.
fn with_live_page(page: &str, name: &str) -> Option<String> {
    // the first title of a page of mdBook is that of its menu
    let (_, main) = page.split_once("<main>")?;
    let at = page.len() - main.len() + main.find("</h1>")? + "</h1>".len();
    let live = format!(
        "\n<p><a href=\"live/{name}.html\">Move its parameters</a>: the law computes in the page.</p>\n\
         <iframe src=\"live/{name}.html\" title=\"{name}, live\" loading=\"lazy\" width=\"100%\" height=\"900\"></iframe>\n\
         <script>{FRAME_HEIGHT}</script>\n"
    );
    Some(format!("{}{live}{}", &page[..at], &page[at..]))
}

/// The page of a law with the equations that its live page has typeset; the plain text, in which parameters have their names, can be opened
/// below them.
fn with_formulas(page: &str, live: &str, style: &str) -> Option<String> {
    const BEGIN: &str = "<div class=\"equations\">";
    let from = live.find(BEGIN)?;
    let equations = &live[from..from + live[from..].find("</div>")? + "</div>".len()];
    let (before, rest) = page.split_once("<h2 id=\"equations\">")?;
    let (title, rest) = rest.split_once("<pre>")?;
    let (text, after) = rest.split_once("</pre>")?;
    Some(format!(
        "{before}<h2 id=\"equations\">{title}<style>{style}</style>{equations}<details><summary>As plain text</summary><pre>{text}</pre></details>{after}"
    ))
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

#[cfg(test)]
mod tests {
    use super::{with_formulas, with_live_page};

    #[test]
    fn the_live_page_follows_the_title_of_the_law() {
        let page = "<h1>The book</h1><main><h1 id=\"lugre\">lugre</h1><p>text</p></main>";
        let shown = with_live_page(page, "lugre").unwrap();
        let (before, after) = shown.split_once("<iframe src=\"live/lugre.html\"").unwrap();
        assert!(before.contains("<h1 id=\"lugre\">lugre</h1>") && after.contains("<p>text</p>"));
        assert!(after.contains("frame.height = "));
        assert_eq!(with_live_page("<p>text</p>", "lugre"), None);
    }

    #[test]
    fn typeset_equations_stand_before_the_plain_ones() {
        let page = "<h2 id=\"equations\">Equations</h2><pre>F = fc</pre><p>text</p>";
        let live = "<header><div class=\"equations\"><math>F</math></div></header>";
        let shown = with_formulas(page, live, "x {}").unwrap();
        let (typeset, plain) = shown.split_once("<details>").unwrap();
        assert!(typeset.ends_with("<style>x {}</style><div class=\"equations\"><math>F</math></div>"));
        assert!(plain.contains("<pre>F = fc</pre></details><p>text</p>"));
        assert_eq!(with_formulas("<p>text</p>", live, ""), None);
    }
}
