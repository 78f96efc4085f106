//! Every fenced block of the documents is run, compiled or parsed. Rules for writers:
//!
//! | block | what is done with it |
//! |---|---|
//! | `console` | each line `$ command` runs in the page's own scratch folder; the output shown below it must be what the command prints, where `...` stands for any lines, or for any text within a line; if no output is shown, only the exit code is checked: 0, or 2 if an `error:` is shown |
//! | `rust` | a doctest, by the list in `crates/stiction/src/book.rs` (`cargo x gen`); lines that begin with `# ` are hidden in the book; a block in the README must also be in the documentation of a crate, word for word |
//! | `toml` | a scenario, a parameter file (`[model]`), a law file (`[equations]` or `[table]`), or `[dependencies]`: built by `crates/stiction-cli/tests/documents.rs`; `toml,part` is part of a scenario, where only the names of components and keys are checked |
//! | `json` | parsed by the same test |
//! | `c`, `python` | compiled, where there is a compiler; headers are sought in all scratch folders of the page |
//! | `text` | anything else: formulas, trees, excerpts; a line `$ command` is an error, because it would not be run |
//!
//! A comment on the line before the block changes what is done. `<!-- file: NAME -->` puts the block into the scratch folder, for the commands
//! that follow (Rust is then marked `rust,ignore`). `<!-- not run: REASON -->` leaves it out; the check lists these
//! blocks. `<!-- picture: PATH -->` before an image: the image must be the file that the page's commands made there. A page whose
//! commands a test runs says so, `<!-- commands run by: PATH -->`.
//!
//! Formulas on a page with Rust must be blocks of `text`: rustdoc takes an indented paragraph for Rust.
//!
//! Sources are cited by their key in `docs/references.bib`, in brackets: `[CanudasDeWit1995]`.
use crate::console::{self, Tally};
use crate::fence::{Block, blocks};
use crate::{Error, Program, built, files, pages, read, root};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

/// Runs and compiles what is neither a doctest nor parsed by a test: two pages at a time. `only`: these pages, or all if there
/// are none. The result lists what was not run, and why.
pub fn run(only: &[&str], program: Program) -> Result<Vec<String>, Error> {
    let mut pages = files::documents()?;
    if let Some(strange) = only.iter().find(|name| !pages.iter().any(|page| page == *name)) {
        return Err(format!("there is no page {strange}\nhint: the pages are {}", pages.join(", ")));
    }
    pages.retain(|page| only.is_empty() || only.contains(&page.as_str()));
    pages::build(program)?;
    // pages are taken from the end; the README has the most commands, so it goes first
    pages.sort_by_key(|page| page == "README.md");
    let waiting = Mutex::new(pages);
    let done: Mutex<(Tally, Vec<Error>)> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(name) = waiting.lock().ok().and_then(|mut all| all.pop()) {
                    let mut tally = Tally::default();
                    let start = Instant::now();
                    let found = page(&name, &mut tally);
                    let seconds = start.elapsed().as_secs_f64();
                    if seconds > 1.0 {
                        eprintln!("{name}: {} commands, {seconds:.1} s", tally.ran);
                    }
                    let Ok(mut done) = done.lock() else { return };
                    done.0.ran += tally.ran;
                    done.0.skipped.extend(tally.skipped.into_iter().map(|what| format!("{name}: {what}")));
                    done.1.extend(found.err().map(|e| format!("{name}{e}")));
                }
            });
        }
    });
    let (mut tally, failures) = done.into_inner().map_err(|e| e.to_string())?;
    if !failures.is_empty() {
        return Err(failures.join("\nerror: "));
    }
    tally.skipped.sort();
    eprintln!("{} commands and files ran; not run: {}", tally.ran, tally.skipped.len());
    if tally.ran == 0 && only.is_empty() { Err("the documents show no command".into()) } else { Ok(tally.skipped) }
}

/// One page; an error begins with `:LINE: `.
fn page(name: &str, tally: &mut Tally) -> Result<(), Error> {
    let text = read(&root().join(name))?;
    let scratch = built().join("book").join(name.trim_end_matches(".md"));
    let elsewhere = text.lines().find_map(|l| l.strip_prefix("<!-- commands run by: ")?.strip_suffix(" -->"));
    if let Some(test) = elsewhere {
        let named = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
        if !read(&root().join(test))?.contains(&*named) {
            return Err(format!(": {test} does not run its commands"));
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    std::fs::create_dir_all(&scratch).map_err(|e| format!(": cannot make {}: {e}", scratch.display()))?;
    for block in blocks(&text) {
        let at = |e: Error| format!(":{}: {e}", block.line);
        match block.note("not run") {
            Some(why) => tally.skipped.push(format!("line {}, {}: {why}", block.line, block.language)),
            None if block.language == "console" && elsewhere.is_some() => {}
            None => one(name, &block, &scratch, tally).map_err(at)?,
        }
    }
    pictures(name, &text, &scratch)
}

fn one(name: &str, block: &Block, scratch: &Path, tally: &mut Tally) -> Result<(), Error> {
    if let Some(file) = block.note("file") {
        return std::fs::write(scratch.join(file), &block.body).map_err(|e| format!("cannot write {file}: {e}"));
    }
    match block.language.as_str() {
        "console" => console::run(block, scratch, tally),
        "rust" if name == "README.md" => in_a_crate(block),
        "rust" if name.starts_with("docs/") && !block.options.iter().any(|o| o == "ignore") => Ok(()),
        "text" => silent(block),
        "toml" | "json" => Ok(()),
        "c" => {
            let folders = std::fs::read_dir(scratch).map_err(|e| e.to_string())?.flatten().map(|e| e.path());
            let include: Vec<String> = folders.filter(|p| p.is_dir()).map(|p| format!("-I{}", p.display())).collect();
            let flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "block.c"];
            compile("cc", &[&include, &flags.map(str::to_owned)[..]].concat(), "block.c", block, scratch, tally)
        }
        "python" => {
            let program = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
            compile("python3", &["-c", program, "block.py"].map(str::to_owned), "block.py", block, scratch, tally)
        }
        "" => Err("a block without a language\nhint: `text` is for what is not code".into()),
        "rust" => {
            Err("this block of Rust is not compiled\nhint: remove `ignore`, or give a reason: <!-- not run: ... -->"
                .into())
        }
        other => Err(format!("`cargo x` cannot run `{other}`\nhint: put <!-- not run: REASON --> before the block")),
    }
}

/// Checks that a block of text has no commands: nothing would notice when they stop working.
fn silent(block: &Block) -> Result<(), Error> {
    match block.body.lines().find(|line| line.starts_with("$ ")) {
        Some(line) => Err(format!(
            "`{line}` is in a block of text, where it is not run\nhint: make the block `console`, with \
             <!-- not run: REASON --> if it takes long"
        )),
        None => Ok(()),
    }
}

/// Checks that a block of the README is also in the documentation of a crate, where it is a doctest.
fn in_a_crate(block: &Block) -> Result<(), Error> {
    let comment: String = block.body.lines().map(|line| format!("//! {line}").trim_end().to_owned() + "\n").collect();
    for name in ["stiction", "stiction-core"] {
        if read(&root().join("crates").join(name).join("src/lib.rs"))?.contains(&comment) {
            return Ok(());
        }
    }
    Err("this block is not in the documentation of a crate, so it is not compiled".into())
}

fn compile(
    program: &str,
    args: &[String],
    file: &str,
    block: &Block,
    scratch: &Path,
    tally: &mut Tally,
) -> Result<(), Error> {
    std::fs::write(scratch.join(file), &block.body).map_err(|e| format!("cannot write {file}: {e}"))?;
    match Command::new(program).args(args).current_dir(scratch).output() {
        Err(_) => tally.skipped.push(format!("line {}, {}: there is no {program}", block.line, block.language)),
        Ok(out) if out.status.success() => tally.ran += 1,
        Ok(out) => return Err(format!("{program}: {}", String::from_utf8_lossy(&out.stderr))),
    }
    Ok(())
}

/// Checks that the pictures on a page are those that its commands make.
fn pictures(name: &str, text: &str, scratch: &Path) -> Result<(), Error> {
    let folder = root().join(name).parent().map(Path::to_owned).unwrap_or_default();
    let shown = text.split("<!-- picture: ").skip(1).filter_map(|rest| {
        let (made, rest) = rest.split_once(" -->")?;
        Some((rest.split_once("](")?.1.split_once(')')?.0, made))
    });
    for (shown, made) in shown {
        let (shown, made) = (folder.join(shown), scratch.join(made));
        let same = std::fs::read(&made).is_ok_and(|bytes| std::fs::read(&shown).is_ok_and(|old| old == bytes));
        if !same {
            return Err(format!(": {} is out of date\nhint: copy {} there", shown.display(), made.display()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::silent;
    use crate::fence::blocks;

    #[test]
    fn a_block_of_text_has_no_commands() {
        let page = "```text\nF = m a\n5 $ each\n```\n```text\n$ stiction run a7\n```\n";
        let found: Vec<bool> = blocks(page).iter().map(|block| silent(block).is_ok()).collect();
        assert_eq!(found, [true, false]);
    }
}
