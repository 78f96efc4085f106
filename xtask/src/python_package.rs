//! The Python package: its tests, and its wheel.
//!
//! The tests run with the machine's Python in a virtual environment in the target folder, against the module of the debug build,
//! which is put together there; the package manager builds nothing for them. What is missing (Python 3.10 or newer, NumPy and SciPy
//! and no way to install them) makes them a line in the list of what was skipped.
use crate::suite::Counts;
use crate::{Error, Program, built, root};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The builder of wheels.
const MATURIN: &str = "maturin==1.16.0";

/// Builds the module and runs its tests; with `all` also those against other libraries, and a check of the types. The result lists
/// what was skipped.
pub fn check(all: bool, program: Program, counts: &mut Counts) -> Result<Vec<String>, Error> {
    let requirements = if all { "requirements-all.txt" } else { "requirements.txt" };
    let python = match environment(&["-r", requirements]) {
        Ok(python) => python,
        Err(why) => return Ok(vec![format!("tests of the Python package: {why}")]),
    };
    let library = stage(all, program)?;
    let mut command = Command::new(&python);
    command.args(["-W", "ignore", "-m", "unittest", "discover", "-v", "-s"]).arg(root().join("python/tests"));
    let out = command.env("PYTHONPATH", &library).output().map_err(|e| format!("cannot run Python: {e}"))?;
    let text = String::from_utf8_lossy(&out.stderr);
    let (ran, failed, mut skipped) = results(&text);
    eprintln!("tests of the Python package: {ran} ran, {failed} failed, {} skipped", skipped.len());
    counts.passed += ran.saturating_sub(failed + skipped.len());
    counts.failed += failed;
    if !out.status.success() {
        return Err(format!("{}{text}", String::from_utf8_lossy(&out.stdout)));
    }
    if all {
        check_types(&python, &library)?;
        match environment(&NOTEBOOK_TOOLS) {
            Ok(python) => pages(&python, &library, &["stick-slip"])?,
            Err(why) => skipped.push(format!("a notebook as a page: {why}")),
        }
    }
    // the other libraries are there with --all
    Ok(if all { skipped } else { Vec::new() })
}

/// What runs a notebook and makes a page of it.
const NOTEBOOK_TOOLS: [&str; 2] = ["nbconvert==7.17.2", "ipykernel==7.4.0"];

/// Runs the notebooks of this name, or all, with a release build, and writes each as a page of HTML; prints where they are.
pub fn notebooks(names: &[&str]) -> Result<(), Error> {
    let python = environment(&["-r", "requirements-all.txt", NOTEBOOK_TOOLS[0], NOTEBOOK_TOOLS[1]])?;
    pages(&python, &stage(true, Program::Build)?, names)
}

/// Python with NumPy, and the folder with the package of a release build.
pub fn release() -> Result<(PathBuf, PathBuf), Error> {
    Ok((environment(&["-r", "requirements.txt"])?, stage(true, Program::Build)?))
}

/// Runs notebooks with the package in the folder `library`, and writes their pages.
fn pages(python: &Path, library: &Path, names: &[&str]) -> Result<(), Error> {
    let folder = root().join("python/notebooks");
    let mut all: Vec<String> = fs::read_dir(&folder)
        .map_err(|e| format!("cannot list the notebooks: {e}"))?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".ipynb").map(str::to_owned))
        .collect();
    all.sort();
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|known| known == *name)) {
        return Err(format!("there is no notebook '{unknown}', but {}", all.join(", ")));
    }
    let pages = target().join("notebooks");
    for name in all.iter().filter(|name| names.is_empty() || names.contains(&name.as_str())) {
        let mut command = Command::new(python);
        command.args(["-m", "nbconvert", "--to", "html", "--execute", "--log-level", "ERROR"]);
        command.arg("--output-dir").arg(&pages).arg(folder.join(format!("{name}.ipynb")));
        // a notebook writes its files beside the pages, not among the sources
        fs::create_dir_all(&pages).map_err(|e| format!("cannot make {}: {e}", pages.display()))?;
        command.env("PYTHONPATH", library).current_dir(&pages);
        run(command, &format!("the notebook {name}"))?;
        println!("{}", pages.join(format!("{name}.html")).display());
    }
    Ok(())
}

/// Builds a wheel for every Python from 3.10 on; prints where it is.
pub fn wheel() -> Result<(), Error> {
    let python = environment(&[MATURIN])?;
    let folder = target().join("wheels");
    let mut command = Command::new(python);
    command.args(["-m", "maturin", "build", "--release", "--locked", "--manifest-path"]);
    command.arg(root().join("python/Cargo.toml")).arg("--out").arg(&folder);
    run(command, "maturin")?;
    println!("pip install {}", folder.join("stiction-*.whl").display());
    Ok(())
}

/// Strict types of the package, of the programs that compare it and of the book's examples, and the stubs of the module against the module.
fn check_types(python: &Path, library: &Path) -> Result<(), Error> {
    let settings = root().join("python/pyproject.toml");
    let mut mypy = Command::new(python);
    mypy.args(["-m", "mypy", "--strict", "--config-file"]).arg(&settings).args(["-p", "stiction"]);
    mypy.current_dir(library);
    run(mypy, "mypy")?;
    check_examples(python, library, &settings)?;
    let mut stubs = Command::new(python);
    stubs.args(["-m", "mypy.stubtest", "--mypy-config-file"]).arg(&settings);
    stubs.args(["--ignore-unused-allowlist", "--allowlist"]).arg(root().join("python/tests/stubtest-allowlist.txt"));
    stubs.arg("stiction");
    stubs.env("PYTHONPATH", library).current_dir(library);
    run(stubs, "stubtest")
}

/// Types of what a user writes: as strict, except that his own functions need no types.
fn check_examples(python: &Path, library: &Path, settings: &Path) -> Result<(), Error> {
    let folder = root().join("python/comparison");
    let listed = fs::read_dir(&folder).map_err(|e| format!("cannot list {}: {e}", folder.display()))?;
    let mut programs: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
    programs.retain(|path| path.to_string_lossy().ends_with(".stiction.py"));
    programs.sort();
    let chapter = root().join("docs/python.md");
    let text = fs::read_to_string(&chapter).map_err(|e| format!("cannot read {}: {e}", chapter.display()))?;
    let examples = tools().join("chapter.py");
    fs::write(&examples, examples_of(&text)).map_err(|e| format!("cannot write {}: {e}", examples.display()))?;
    let mut mypy = Command::new(python);
    mypy.args(["-m", "mypy", "--strict", "--allow-untyped-defs", "--allow-untyped-calls", "--config-file"])
        .arg(settings);
    mypy.args(programs).arg(examples).env("MYPYPATH", library).current_dir(library);
    run(mypy, "mypy of the examples")
}

/// The Python of a chapter's examples, one after another.
fn examples_of(chapter: &str) -> String {
    let blocks = chapter.split("\n```python\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    blocks.map(|block| format!("{block}\n")).collect()
}

/// A virtual environment in the target folder with these packages: its Python, or why there is none.
fn environment(packages: &[&str]) -> Result<PathBuf, Error> {
    let folder = tools().join("environment");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.exists() {
        let new_enough = "import sys; sys.exit(sys.version_info < (3, 10))";
        if !succeeds(Command::new("python3").args(["-c", new_enough])) {
            return Err("needs Python 3.10 or newer, as python3".into());
        }
        if !succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder)) {
            return Err("python3 cannot make a virtual environment here".into());
        }
    }
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "-q"]).args(packages).current_dir(root().join("python/tests"));
    if succeeds(&mut install) { Ok(python) } else { Err(format!("{} could not be installed", packages.join(" "))) }
}

/// Puts the package together from the sources and the module of a debug build, or of a release build, which has no tests that
/// would take minutes; returns the folder that it is in.
fn stage(release: bool, program: Program) -> Result<PathBuf, Error> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "-q", "-p", "stiction-python", "--locked"]).current_dir(root());
    if release {
        cargo.arg("--release");
    }
    if program == Program::Build {
        run(cargo, "cargo build -p stiction-python")?;
    }
    let library = tools().join("library");
    let package = library.join("stiction");
    let failed = |e: std::io::Error| format!("cannot put the Python package together: {e}");
    if package.exists() {
        fs::remove_dir_all(&package).map_err(failed)?;
    }
    fs::create_dir_all(&package).map_err(failed)?;
    for entry in fs::read_dir(root().join("python/stiction")).map_err(failed)?.flatten() {
        let is_source = |name: &str| ["py", "pyi", "typed"].iter().any(|end| name.ends_with(&format!(".{end}")));
        if is_source(&entry.file_name().to_string_lossy()) {
            fs::copy(entry.path(), package.join(entry.file_name())).map_err(failed)?;
        }
    }
    let module = if cfg!(windows) { "_native.pyd" } else { "_native.abi3.so" };
    let folder = if release { target().join("release") } else { built() };
    fs::copy(folder.join(format!("{DLL_PREFIX}_native{DLL_SUFFIX}")), package.join(module)).map_err(failed)?;
    Ok(library)
}

/// Tests that ran, failed, and were skipped with their reasons, of what unittest prints with `-v`.
fn results(text: &str) -> (usize, usize, Vec<String>) {
    let number = |line: &str, before: &str| {
        let rest = line.split_once(before)?.1;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok()
    };
    let ran = text.lines().rev().find_map(|line| number(line, "Ran ")).unwrap_or(0);
    let last = text.lines().rev().find(|line| line.starts_with("FAILED")).unwrap_or_default();
    let failed = ["failures=", "errors="].iter().filter_map(|before| number(last, before)).sum();
    let skipped = text.lines().filter_map(|line| {
        let (test, reason) = line.split_once(" ... skipped ")?;
        Some(format!("Python test {}: {}", test.split(' ').next()?, reason.trim_matches(['\'', '"'])))
    });
    (ran, failed, skipped.collect())
}

fn target() -> PathBuf {
    built().parent().map_or_else(|| root().join("target"), Path::to_owned)
}

fn tools() -> PathBuf {
    target().join("tools/python-package")
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|out| out.status.success())
}

fn run(mut command: Command, what: &str) -> Result<(), Error> {
    let status = command.status().map_err(|e| format!("cannot run {what}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what} failed")) }
}

#[cfg(test)]
mod tests {
    use super::{examples_of, results};

    #[test]
    fn examples_of_a_chapter_stand_one_after_another() {
        let chapter = "Text\n\n```python\na = 1\n```\n\n```text\nno\n```\n\n```python\nb = a\n```\n";
        assert_eq!(examples_of(chapter), "a = 1\nb = a\n");
    }

    #[test]
    fn results_are_read_from_unittest() {
        let text = "test_a (test_x.A.test_a) ... ok\ntest_b (test_x.A.test_b) ... skipped 'polars is not there'\n\n\
                    ----\nRan 3 tests in 0.1s\n\nFAILED (failures=1, errors=1, skipped=1)\n";
        assert_eq!(results(text), (3, 2, vec!["Python test test_b: polars is not there".to_owned()]));
        assert_eq!(results("Ran 12 tests in 1s\n\nOK\n"), (12, 0, Vec::new()));
    }
}
