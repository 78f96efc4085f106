//! The generated parts of `docs/scenario`: the keys of every component, as the program explains them, and the list of
//! scenarios; and the list of devices in `docs/devices.md`.
use crate::{Error, Program, built, files, read, root};
use std::process::Command;

/// Name and title of every scenario.
pub fn scenarios() -> Result<Vec<(String, String)>, Error> {
    let mut out = Vec::new();
    for path in files::sources(&root().join("scenarios"))? {
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let text = read(&path)?;
        let title = text.lines().find_map(|line| line.strip_prefix("title = \"")?.strip_suffix('"'));
        let title = title.ok_or_else(|| format!("{} has no line `title = \"...\"`", path.display()))?;
        out.push((name, title.to_owned()));
    }
    out.sort();
    Ok(out)
}

/// Name, law, origin and title of every device.
pub fn devices() -> Result<Vec<[String; 4]>, Error> {
    let mut out = Vec::new();
    for path in files::sources(&root().join("devices"))? {
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let text = read(&path)?;
        let value = |text: &str, key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"'));
            line.map(str::to_owned).ok_or_else(|| format!("{} has no line `{key} = \"...\"`", path.display()))
        };
        let model = text.split_once("[model]").map_or("", |(_, model)| model);
        let origin = if value(&text, "published").is_ok() { "published" } else { "identified" };
        out.push([name, value(model, "name")?, origin.to_owned(), value(&text, "title")?]);
    }
    out.sort();
    Ok(out)
}

/// Writes the generated parts; with `check`, fails where they differ. A part is the text between `<!-- keys NAME -->` and
/// the next `<!-- end -->`.
pub fn run(check: bool, program: Program) -> Result<(), Error> {
    let folder = root().join("docs/scenario");
    let mut table = String::from("\n| scenario | what it shows |\n|---|---|\n");
    for (name, title) in scenarios()? {
        table += &format!("| `{name}` | {title} |\n");
    }
    files::replace_part(&folder.join("README.md"), "<!-- scenarios -->\n", "<!-- end -->", &(table + "\n"), check)?;
    let mut table = String::from("\n| device | law | values | what it is |\n|---|---|---|---|\n");
    for [name, law, origin, title] in devices()? {
        table += &format!("| `{name}` | `{law}` | {origin} | {title} |\n");
    }
    let page = root().join("docs/devices.md");
    files::replace_part(&page, "<!-- devices -->\n", "<!-- end -->", &(table + "\n"), check)?;
    build(program)?;
    for path in files::sources(&folder)? {
        let text = read(&path)?;
        for name in text.split("<!-- keys ").skip(1).filter_map(|rest| rest.split_once(" -->")).map(|(name, _)| name) {
            let keys = keys(name)?;
            files::replace_part(
                &path,
                &format!("<!-- keys {name} -->\n"),
                "<!-- end -->",
                &format!("\n{keys}\n"),
                check,
            )?;
        }
    }
    Ok(())
}

/// Builds the program, unless it is built.
pub fn build(program: Program) -> Result<(), Error> {
    if program == Program::BuiltWithTests {
        return Ok(());
    }
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "-q", "-p", "stiction-cli", "--locked"]).current_dir(root());
    let status = command.status().map_err(|e| format!("cannot run cargo: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("the program does not compile, so the documents cannot be made or checked".into())
    }
}

fn keys(name: &str) -> Result<String, Error> {
    let mut command = Command::new(built().join("stiction"));
    let out = command
        .args(["scenarios", "--keys", name, "--markdown"])
        .output()
        .map_err(|e| format!("cannot run stiction: {e}"))?;
    if out.status.success() {
        return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
    }
    Err(format!("docs/scenario: {}", String::from_utf8_lossy(&out.stderr)))
}
