//! Checks that links in the documents lead to an existing file, heading or entry of the bibliography, and that every page is
//! in the book.
use crate::{Error, files, prose, read, root};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Checks all links, and that no page of the book is missing in its list.
pub fn run() -> Result<(), Error> {
    let mut wrong = Vec::new();
    let mut anchors_of: HashMap<PathBuf, Vec<String>> = HashMap::new();
    let bib = read(&root().join("docs/references.bib"))?;
    let mut pages = files::documents()?;
    pages.extend(["ARCHITECTURE.md", "CHANGELOG.md"].map(str::to_owned));
    for page in &pages {
        let path = root().join(page);
        let text = plain(&read(&path)?);
        let folder = path.parent().unwrap_or(Path::new(""));
        for target in targets(&text).filter(|t| !t.contains("://") && !t.starts_with("mailto:")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            if page.matches('/').count() < file.matches("../").count() + usize::from(page.starts_with("docs/")) {
                wrong.push(format!("{page}: {target} is not in the book\nhint: name the file in back quotes"));
            }
            let file = if file.is_empty() { path.clone() } else { folder.join(file) };
            if !file.exists() {
                wrong.push(format!("{page}: there is no {target}"));
            } else if !anchor.is_empty() {
                let known = anchors_of.entry(file.clone()).or_insert_with(|| anchors(&read(&file).unwrap_or_default()));
                if !known.iter().any(|known| known == anchor) {
                    wrong.push(format!("{page}: there is no heading {target}"));
                }
            }
        }
        let keys =
            text.split('[').skip(1).filter_map(|rest| rest.split_once(']')).flat_map(|(key, _)| key.split([',', ';']));
        let unknown = |key: &&str| prose::is_key(key) && !bib.contains(&format!("{{{key},"));
        wrong.extend(
            keys.map(str::trim).filter(unknown).map(|key| format!("{page}: {key} is not in docs/references.bib")),
        );
    }
    let summary = read(&root().join("docs/SUMMARY.md"))?;
    let listed: Vec<&str> = targets(&summary).collect();
    let inner = pages.iter().filter_map(|page| page.strip_prefix("docs/")).filter(|page| *page != "SUMMARY.md");
    wrong.extend(inner.filter(|page| !listed.contains(page)).map(|page| format!("docs/SUMMARY.md lacks {page}")));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Where links and images lead: `](target)`.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target.trim())
}

/// A page without its code, where brackets mean something else.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut fence = None;
    for line in text.lines() {
        let ticks = line.trim_start().chars().take_while(|c| *c == '`').count();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            Some(open) if ticks >= open && line.trim().chars().all(|c| c == '`') => fence = None,
            Some(_) => {}
            None => {
                out += line;
                out.push('\n');
            }
        }
    }
    // between back quotes, the pieces with an even number are text
    out.split('`').enumerate().map(|(k, piece)| if k % 2 == 0 { piece } else { "code" }).collect()
}

/// Anchors of a page: its headings as mdBook and GitHub name them, and `id="..."`.
fn anchors(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let level = line.chars().take_while(|c| *c == '#').count();
        if !fenced && (1..=6).contains(&level) && line[level..].starts_with(' ') {
            let name = slug(line[level..].trim());
            let again = out.iter().filter(|old| **old == name || old.starts_with(&format!("{name}-"))).count();
            out.push(if out.contains(&name) { format!("{name}-{again}") } else { name });
        }
        out.extend(line.split("id=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
    }
    out
}

/// Letters and digits in lower case, `-` for a space; other characters are dropped.
fn slug(heading: &str) -> String {
    let mut text = String::new();
    let mut rest = heading;
    // a link counts with its text
    while let Some((head, link)) = rest.split_once("](") {
        text += head;
        rest = link.split_once(')').map_or("", |(_, tail)| tail);
    }
    text += rest;
    let letter = |c: char| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c if c.is_alphanumeric() => Some(c),
        _ => None,
    };
    text.to_lowercase().chars().filter_map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::{anchors, plain, targets};

    #[test]
    fn headings_have_anchors() {
        let page = "# What it shows, measured\n```text\n# no\n```\n## The `x` of [a](b.md)\n## x_y-z\n### x_y-z\n<a id=\"q\"></a>\n#no\n";
        assert_eq!(anchors(page), ["what-it-shows-measured", "the-x-of-a", "x_y-z", "x_y-z-1", "q"]);
    }

    #[test]
    fn code_has_no_links() {
        let page = plain("a [b](c.md) `[d](e.md)`\n\n````text\n```\n[f](g.md)\n````\n![h](i.svg#j)\n");
        assert_eq!(targets(&page).collect::<Vec<_>>(), ["c.md", "i.svg#j"]);
    }
}
