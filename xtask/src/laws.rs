//! The pages of laws in the book: the program writes them, and this module puts them into `docs/laws`.
use crate::{Error, built, files, read, root};
use std::path::Path;
use std::process::Command;

/// Begin and end of the results of experiments on a page. They take minutes to compute, so the old ones are kept unless
/// `--slow` is given.
const PHENOMENA: [&str; 2] = ["<!-- phenomena -->\n", "<!-- end -->\n"];

/// The page that is written by hand: how to write a law of one's own.
pub const HAND_WRITTEN: &str = "yours.md";

/// Writes the pages, or, to check, fails where they differ; `slow`: with all experiments.
pub fn run(check: bool, slow: bool) -> Result<(), Error> {
    let (made, kept) = (built().join("laws"), root().join("docs/laws"));
    let mut command = Command::new(built().join("stiction"));
    command.args(["models", "-o"]).arg(&made).args(slow.then_some("--phenomena"));
    let out = command.output().map_err(|e| format!("cannot run stiction: {e}"))?;
    if !out.status.success() {
        return Err(format!("stiction models: {}", String::from_utf8_lossy(&out.stderr)));
    }
    let mut names: Vec<String> = listed(&made)?;
    names.retain(|name| name != "summary.json");
    for name in &names {
        let (new, path) = (read(&made.join(name))?, kept.join(name));
        let old = read(&path).unwrap_or_default();
        let new = if slow { new } else { keep(&new, &old) };
        if new == old {
            continue;
        }
        if check {
            return Err(format!("{} is out of date\nhint: run `cargo x gen`", path.display()));
        }
        std::fs::create_dir_all(&kept).map_err(|e| format!("cannot make {}: {e}", kept.display()))?;
        std::fs::write(&path, new).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    }
    match listed(&kept)?.iter().find(|name| !names.contains(name) && *name != HAND_WRITTEN) {
        Some(stale) => Err(format!("docs/laws/{stale} is no longer made\nhint: remove it")),
        None => Ok(()),
    }
}

/// A new page with the results of experiments from the old page.
fn keep(new: &str, old: &str) -> String {
    let [begin, end] = PHENOMENA;
    let figures = old.split_once(begin).and_then(|(_, rest)| rest.split_once(end)).map_or("", |(figures, _)| figures);
    new.replacen(&[begin, end].concat(), &[begin, figures, end].concat(), 1)
}

fn listed(folder: &Path) -> Result<Vec<String>, Error> {
    let name = |path: &std::path::PathBuf| path.file_name().map(|n| n.to_string_lossy().into_owned());
    Ok(files::sources(folder)?.iter().filter_map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::keep;

    #[test]
    fn figures_stay() {
        let (new, old) = ("b\n<!-- phenomena -->\n<!-- end -->\n", "a\n<!-- phenomena -->\nx\n<!-- end -->\n");
        assert_eq!(keep(new, old), "b\n<!-- phenomena -->\nx\n<!-- end -->\n");
        assert_eq!((keep(new, "").as_str(), keep("picture", old).as_str()), (new, "picture"));
    }
}
