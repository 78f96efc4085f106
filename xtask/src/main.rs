//! The one developer tool.
//!
//! ```text
//! cargo x check          the test command: everything that must hold before a commit
//! cargo x check --all    the same, and what takes long or needs more: Python, mdBook, tests in release
//! cargo x gen [--check]  writes (or checks) generated text: lists of laws and scenarios, tables in README and docs, pages
//! cargo x gen --slow     the same, and repeats the experiments on the pages of the laws (some minutes)
//! cargo x docs           builds the book and checks its links
//! cargo x links          checks links, paths and citations of the documents; a step of check
//! cargo x blocks [PAGE]  runs the commands and compiles the code that the documents show; a step of check
//! cargo x layers         checks that crates and modules use only what is below them; a step of check
//! cargo x words          checks that no type or file has a private word for a name; a step of check
//! cargo x reference      compares the committed reference values with those of Python; a step of check --all
//! cargo x test           all tests; a step of check
//! cargo x python [--all] builds the Python package and runs its tests; a step of check
//! cargo x wheel          builds the Python package as a wheel, to hand around
//! cargo x notebooks      runs the notebooks of the Python package and writes them as HTML; with names, those
//! cargo x bench [NAME]   benchmarks; keeps the CSV in bench/results
//! cargo x adversary      random systems against the simulator; --count N --seed S, and more
//! ```
mod adversary;
mod bench;
mod blocks;
mod book;
mod check;
mod console;
mod fence;
mod files;
mod generate;
mod laws;
mod layers;
mod lexer;
mod links;
mod pages;
mod prose;
mod python;
mod python_package;
mod reference;
mod suite;
mod table;
mod words;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What went wrong, as a message for a person.
type Error = String;

/// The workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// The folder of this program, `target/debug` unless the environment sets another. The other programs are in it, too.
/// Whether what a step runs is built before it.
#[derive(Clone, Copy, PartialEq)]
enum Program {
    /// By itself: other packages need not be compiled.
    Build,
    /// It was built with the tests a moment ago. By itself it would have other features of its dependencies, and all would be compiled once more.
    BuiltWithTests,
}

fn built() -> PathBuf {
    let exe = std::env::current_exe().unwrap_or_default();
    exe.parent().map_or_else(|| root().join("target/debug"), Path::to_owned)
}

fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["check"] => return check::run(false),
        ["check", "--all"] => return check::run(true),
        ["gen"] => generate::run(false, false, Program::Build),
        ["gen", "--check"] => generate::run(true, false, Program::Build),
        ["gen", "--slow"] => generate::run(false, true, Program::Build),
        ["test"] => {
            let mut counts = suite::Counts::default();
            let done = suite::run(&mut counts);
            counts.skipped_lines().iter().for_each(|line| eprintln!("skipped: {line}"));
            println!("{}", counts.line());
            done
        }
        ["python", ref rest @ ..] if rest.is_empty() || rest == ["--all"] => {
            let mut counts = suite::Counts::default();
            let done = python_package::check(!rest.is_empty(), Program::Build, &mut counts);
            println!("{}", counts.line());
            done.map(|skipped| skipped.iter().for_each(|line| eprintln!("skipped: {line}")))
        }
        ["wheel"] => python_package::wheel(),
        ["notebooks", ref names @ ..] => python_package::notebooks(names),
        ["docs"] => book::run(),
        ["links"] => prose::citations().and_then(|()| prose::paths()).and_then(|()| links::run()),
        ["layers"] => layers::run().map(|open| open.iter().for_each(|line| eprintln!("still to be broken: {line}"))),
        ["layers", "--print"] => layers::print(),
        ["words"] => words::run(),
        ["reference"] => reference::run().map(|skipped| skipped.iter().for_each(|line| eprintln!("skipped: {line}"))),
        ["blocks", ref rest @ ..] => blocks::run(rest, Program::Build)
            .map(|skipped| skipped.iter().for_each(|line| eprintln!("not run: {line}"))),
        ["bench", ref rest @ ..] => bench::run(rest),
        ["adversary", ref rest @ ..] => adversary::run(rest),
        _ => {
            eprintln!(
                "usage: cargo x check [--all] | gen [--check | --slow] | docs | links | layers [--print] | words | reference | test | python [--all] | wheel | notebooks [NAME...] | \
                 blocks [PAGE] | bench [NAME] | adversary [--count N] [--seed S]"
            );
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}
