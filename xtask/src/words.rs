//! Types, files and folders have names that the field uses: `cargo x words`, a step of `cargo x check`. The private words are
//! listed in `xtask/words.toml`, with exceptions by name and reason.
use crate::lexer::{self, Kind, Token};
use crate::workspace::{self, CrateSource};
use crate::{Error, read, root, table};
use std::collections::{BTreeMap, BTreeSet};

/// Where the list is.
const LIST: &str = "xtask/words.toml";

/// The list of private words.
struct Words {
    /// What to say instead, by the word as [`plain`] writes it.
    forbidden: BTreeMap<String, String>,
    /// The same for words that are forbidden for types only.
    forbidden_types: BTreeMap<String, String>,
    /// Exceptions: `PATH`, or `PATH NAME` for a type.
    allowed: Vec<String>,
    /// Folders that are checked later.
    later: Vec<String>,
}

/// A type, file or folder.
struct Name {
    name: String,
    /// The file or folder, from the root of the workspace.
    path: String,
    /// The line of a type.
    line: Option<usize>,
    /// Whether it is a type that users of the crate see: marked `pub`, and in a `mod.rs` or named by a `pub use`.
    public: bool,
}

/// Checks all names of the workspace.
pub fn run() -> Result<(), Error> {
    let words = Words::parse(&read(&root().join(LIST))?)?;
    let wrong = check(&words, &workspace::read_crates()?);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

impl Words {
    fn parse(text: &str) -> Result<Self, Error> {
        let mut out = Self {
            forbidden: BTreeMap::new(),
            forbidden_types: BTreeMap::new(),
            allowed: Vec::new(),
            later: Vec::new(),
        };
        for section in table::parse(LIST, text)? {
            for row in section.rows {
                let reason = row.values.first().filter(|reason| !reason.is_empty()).cloned();
                let reason = reason.ok_or_else(|| format!("{LIST}:{}: {} has no text", row.line, row.name))?;
                match section.heading.as_str() {
                    "forbidden" => drop(out.forbidden.insert(plain(&row.name), reason)),
                    "forbidden-types" => drop(out.forbidden_types.insert(plain(&row.name), reason)),
                    "allowed" => out.allowed.push(row.name),
                    "later" => out.later.push(row.name),
                    other => return Err(format!("{LIST}: there is no section [{other}]")),
                }
            }
        }
        Ok(out)
    }
}

/// Everything that contradicts the list, one message each.
fn check(words: &Words, sources: &[CrateSource]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for Name { name, path, line, public } in names(sources) {
        let for_types = || words.forbidden_types.get(&plain(&name)).filter(|_| line.is_some());
        let Some(instead) = words.forbidden.get(&plain(&name)).or_else(for_types) else { continue };
        let exception = if line.is_some() { format!("{path} {name}") } else { path.clone() };
        let later = words.later.iter().find(|folder| path.starts_with(&format!("{folder}/")) || path == **folder);
        if words.allowed.contains(&exception) {
            used.insert(exception);
        } else if let Some(folder) = later.filter(|_| !public) {
            used.insert(folder.clone());
        } else {
            let position = line.map_or(path.clone(), |line| format!("{path}:{line}"));
            wrong.push(format!("{position}: `{name}` is a private word\nhint: the field says {instead}; see {LIST}"));
        }
    }
    for stale in words.allowed.iter().chain(&words.later).filter(|name| !used.contains(*name)) {
        wrong.push(format!("{LIST}: no private word is left in `{stale}`\nhint: remove its row"));
    }
    wrong
}

/// Without underscores, in small letters.
fn plain(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

fn names(sources: &[CrateSource]) -> Vec<Name> {
    let mut out = Vec::new();
    let mut folders = BTreeSet::new();
    for source in sources {
        let exported: BTreeSet<String> = source.files.values().flat_map(|text| exports(text)).collect();
        for (path, text) in &source.files {
            let is_face = path.ends_with("/mod.rs");
            let path = format!("{}/{path}", source.folder);
            let (folder, file) = path.rsplit_once('/').unwrap_or(("", &path));
            out.push(Name {
                name: file.trim_end_matches(".rs").to_owned(),
                path: path.clone(),
                line: None,
                public: false,
            });
            let mut end = source.folder.len();
            while let Some(next) = folder.get(end + 1..) {
                end += 1 + next.find('/').unwrap_or(next.len());
                folders.insert(folder[..end].to_owned());
            }
            for (name, line, marked) in types(text) {
                let public = marked && (is_face || exported.contains(&name));
                out.push(Name { name, path: path.clone(), line: Some(line), public });
            }
        }
    }
    out.extend(folders.into_iter().map(|path| Name {
        name: path.rsplit('/').next().unwrap_or_default().to_owned(),
        path,
        line: None,
        public: false,
    }));
    out
}

/// The names in the `pub use` items of a file.
fn exports(text: &str) -> Vec<String> {
    let tokens = lexer::tokens(text);
    let mut out = Vec::new();
    for (k, pair) in tokens.windows(2).enumerate() {
        if (pair[0].word(), pair[1].word()) == (Some("pub"), Some("use")) {
            out.extend(tokens[k..].iter().take_while(|t| !t.is(';')).filter_map(|t| t.word().map(str::to_owned)));
        }
    }
    out
}

/// The types that a file declares: name, line, and whether they are `pub`.
fn types(text: &str) -> Vec<(String, usize, bool)> {
    let tokens = lexer::tokens(text);
    let mut out = Vec::new();
    for (k, token) in tokens.iter().enumerate() {
        if matches!(token.kind, Kind::Word("struct" | "enum" | "union" | "trait" | "type"))
            && let Some(Token { kind: Kind::Word(name), line }) = tokens.get(k + 1)
        {
            // `pub unsafe trait`
            let before =
                tokens[..k].iter().rev().find_map(|t| t.word().map_or(Some(""), |w| (w != "unsafe").then_some(w)));
            out.push(((*name).to_owned(), *line, before == Some("pub")));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Words, check};
    use crate::workspace::CrateSource;

    fn found(list: &str, path: &str, text: &str) -> Vec<String> {
        let words = Words::parse(&format!("[forbidden]\nRub = \"contact state\"\nsolo = \"kernel\"\n{list}")).unwrap();
        check(&words, &[CrateSource::in_memory("a", "", &[(path, text)])])
    }

    #[test]
    fn a_private_word_as_a_name_fails() {
        for text in ["struct Rub;", "pub enum Rub<T> {}", "trait Rub {}", "type Rub = f64;", "union Rub {}"] {
            let wrong = found("", "lib.rs", text);
            assert_eq!(wrong.len(), 1, "{text}");
            assert!(
                wrong[0].starts_with("crates/a/src/lib.rs:1: `Rub` is a private word\nhint: the field says contact")
            );
        }
        assert!(found("", "sim/rub.rs", "")[0].starts_with("crates/a/src/sim/rub.rs: `rub`"));
        assert!(found("", "solo/deep/x.rs", "")[0].starts_with("crates/a/src/solo: `solo`"));
    }

    #[test]
    fn only_whole_names_count() {
        assert_eq!(
            found("", "rubber.rs", "struct Rubber; // struct Rub\nfn rub() {} let s = \"struct Rub\";"),
            [""; 0]
        );
    }

    #[test]
    fn some_words_are_forbidden_for_types_only() {
        let list = "[forbidden-types]\nRun = \"simulation run\"\n";
        assert_eq!(found(list, "run.rs", "fn run() {}"), [""; 0]);
        assert!(found(list, "run.rs", "struct Run;")[0].contains("the field says simulation run"));
    }

    #[test]
    fn exceptions_have_a_name_and_a_reason() {
        let allowed = "[allowed]\n\"crates/a/src/lib.rs Rub\" = \"a verb\"\n";
        assert_eq!(found(allowed, "lib.rs", "struct Rub;"), [""; 0]);
        assert!(Words::parse("[allowed]\n\"crates/a/src/lib.rs Rub\" = \"\"\n").is_err());
        // no longer needed
        assert_eq!(found(allowed, "lib.rs", "").len(), 1);
    }

    #[test]
    fn folders_for_later_are_checked_for_public_types_only() {
        let later = "[later]\n\"crates/a/src/sim\" = \"is replaced soon\"\n";
        assert_eq!(found(later, "sim/solo.rs", "struct Rub; pub(crate) struct Rub;"), [""; 0]);
        assert_eq!(found(later, "sim/solo.rs", "pub struct Rub;"), [""; 0]);
        assert_eq!(found(later, "sim/solo.rs", "pub use x::{y, Rub}; pub struct Rub;").len(), 1);
        assert!(found(later, "sim/mod.rs", "pub struct Rub;")[0].contains("`Rub` is a private word"));
    }
}
