//! The modules of a crate: which file each is in, what it declares, what it imports, and every path it names.
use crate::lexer::{self, Kind, Token};
use crate::workspace::CrateSource;
use std::collections::{BTreeMap, BTreeSet};

/// `["sim", "batch"]` for `crate::sim::batch`; empty for the crate itself.
pub type ModulePath = Vec<String>;

/// One module. Inline modules (`mod name { ... }`) are modules, too, in the file of the module around them.
#[derive(Default)]
pub struct Module {
    /// The module whose file this is; for an inline module one of its ancestors.
    pub in_file: ModulePath,
    /// The file, from the root of the workspace.
    pub file: String,
    /// Whether the module has its own folder, because it has modules in files of their own.
    pub has_folder: bool,
    /// Names of the items it declares.
    pub items: BTreeSet<String>,
    /// Its imports.
    pub imports: Vec<Import>,
    /// Every path in its code other than imports that begins with `crate`, `super` or `self` or has several parts.
    pub paths: Vec<(ModulePath, usize)>,
}

/// One name, or all names with `*`, that a `use` brings in.
pub struct Import {
    /// The name it has here; none for `*` and `as _`.
    pub name: Option<String>,
    /// Whether it is `*`.
    pub all: bool,
    /// The path as written.
    pub path: Vec<String>,
    pub line: usize,
}

/// Every module of a crate, by its path.
pub fn modules(source: &CrateSource) -> BTreeMap<ModulePath, Module> {
    let mut out = BTreeMap::new();
    let files: Vec<(ModulePath, &String, &String)> = source
        .files
        .iter()
        .filter_map(|(path, text)| Some((module_of_file(path.strip_prefix("src/")?)?, path, text)))
        .collect();
    let tests: BTreeSet<ModulePath> = files
        .iter()
        .flat_map(|(module, _, text)| lexer::test_modules(text).into_iter().map(|name| child(module, &name)))
        .collect();
    for (module, path, text) in files {
        if (1..=module.len()).any(|n| tests.contains(&module[..n])) {
            continue;
        }
        let file = format!("{}/{path}", source.folder);
        Reader { file, in_file: module.clone(), out: &mut out }.read(&lexer::tokens_without_tests(text), module);
    }
    let parents: Vec<ModulePath> = out
        .iter()
        .filter(|(path, module)| !path.is_empty() && module.in_file == **path)
        .map(|(path, _)| path[..path.len() - 1].to_vec())
        .collect();
    for parent in parents {
        if let Some(module) = out.get_mut(&parent) {
            module.has_folder = true;
        }
    }
    out
}

/// `a/b.rs` and `a/b/mod.rs` are the module `a::b`.
fn module_of_file(path: &str) -> Option<ModulePath> {
    let mut parts: ModulePath = path.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
    let last = parts.last().map(String::as_str);
    if last == Some("mod") || (parts.len() == 1 && matches!(last, Some("lib" | "main"))) {
        parts.pop();
    }
    Some(parts)
}

/// The path of a module in another.
pub fn child(module: &[String], name: &str) -> ModulePath {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

struct Reader<'a> {
    file: String,
    in_file: ModulePath,
    out: &'a mut BTreeMap<ModulePath, Module>,
}

impl Reader<'_> {
    fn read(&mut self, tokens: &[Token<'_>], module: ModulePath) {
        // the module that the code is in, and at which depth of braces it began
        let mut stack = vec![(module, 0_usize)];
        let (mut depth, mut at) = (0_usize, 0);
        self.open(&stack);
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token.kind {
                Kind::Punctuation('{') => depth += 1,
                Kind::Punctuation('}') => {
                    depth = depth.saturating_sub(1);
                    if stack.len() > 1 && stack.last().is_some_and(|(_, began)| *began > depth) {
                        stack.pop();
                    }
                }
                Kind::Word("use") => {
                    let mut imports = Vec::new();
                    at = import_tree(tokens, at, &[], &mut imports);
                    self.open(&stack).imports.extend(imports);
                }
                Kind::Word("mod") if word_at(tokens, at).is_some() && is_at(tokens, at + 1, '{') => {
                    let around = stack.last().map(|(path, _)| path.clone()).unwrap_or_default();
                    stack.push((child(&around, word_at(tokens, at).unwrap_or_default()), depth + 1));
                    depth += 1;
                    at += 2;
                    self.open(&stack);
                }
                Kind::Word("struct" | "enum" | "union" | "trait" | "type" | "fn" | "const" | "static") => {
                    if let Some(name) = word_at(tokens, at) {
                        self.open(&stack).items.insert(name.to_owned());
                    }
                }
                // `pub(in crate::a)` says who may see an item; it uses nothing
                Kind::Word("pub") if is_at(tokens, at, '(') => {
                    while tokens.get(at).is_some_and(|token| !token.is(')')) {
                        at += 1;
                    }
                }
                Kind::Word(first) => {
                    let mut path = vec![first.to_owned()];
                    while let (Some(separator), Some(next)) = (tokens.get(at), word_at(tokens, at + 1))
                        && separator.kind == Kind::PathSeparator
                    {
                        path.push(next.to_owned());
                        at += 2;
                    }
                    if path.len() > 1 {
                        self.open(&stack).paths.push((path, token.line));
                    }
                }
                _ => {}
            }
        }
    }

    fn open(&mut self, stack: &[(ModulePath, usize)]) -> &mut Module {
        let path = stack.last().map(|(path, _)| path.clone()).unwrap_or_default();
        let module = self.out.entry(path).or_default();
        if module.file.is_empty() {
            module.file.clone_from(&self.file);
            module.in_file.clone_from(&self.in_file);
        }
        module
    }
}

fn word_at<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    tokens.get(at)?.word()
}

fn is_at(tokens: &[Token<'_>], at: usize, c: char) -> bool {
    tokens.get(at).is_some_and(|token| token.is(c))
}

/// Reads `a::{b, c::d as e, f::*}` from `at` on, below the path `head`; the index after it.
fn import_tree(tokens: &[Token<'_>], mut at: usize, head: &[String], out: &mut Vec<Import>) -> usize {
    let mut path = head.to_vec();
    let line = tokens.get(at).map_or(0, |token| token.line);
    loop {
        match tokens.get(at).map(|token| token.kind) {
            Some(Kind::PathSeparator) => at += 1,
            Some(Kind::Punctuation('{')) => {
                at += 1;
                while let Some(token) = tokens.get(at)
                    && !token.is('}')
                {
                    if token.is(',') {
                        at += 1;
                    } else {
                        let next = import_tree(tokens, at, &path, out);
                        at = next.max(at + 1);
                    }
                }
                return at + 1;
            }
            Some(Kind::Punctuation('*')) => {
                out.push(Import { name: None, all: true, path, line });
                return at + 1;
            }
            Some(Kind::Word("as")) => {
                let name = word_at(tokens, at + 1).filter(|name| *name != "_").map(str::to_owned);
                out.push(Import { name, all: false, path, line });
                return at + 2;
            }
            Some(Kind::Word(word)) => {
                // `a::{self}` is `a`
                if word != "self" || path.is_empty() {
                    path.push(word.to_owned());
                }
                at += 1;
            }
            _ => {
                out.push(Import { name: path.last().cloned(), all: false, path, line });
                return at;
            }
        }
    }
}
