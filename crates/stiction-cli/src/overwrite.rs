//! No command replaces a file that it reads, and every command says when it replaces another one.
//!
//! Both are decided here for all commands, from the command line itself: `--output` and `--animate` are where a command writes, every other
//! argument that names a file is one that it may read, and so is every file that such a TOML file names.
use crate::error::CommandError;
use crate::identify::checkpoint::checkpoint_path;
use crate::stream;
use clap::ArgMatches;
use clap::parser::ValueSource;
use same_file::Handle;
use std::fs;
use std::path::{Path, PathBuf};

/// The arguments that say where to write, in all commands.
const OUTPUTS: [&str; 2] = ["output", "animate"];

/// Existing files that a command is about to write.
pub struct ExistingOutputs(Vec<(PathBuf, Handle)>);

impl ExistingOutputs {
    /// Refuses a command line whose output would replace its input: the same file by any path or link, or a folder with an
    /// input in it, for a folder is replaced as a whole.
    pub fn check(matches: &ArgMatches) -> Result<Self, CommandError> {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        collect(matches, "", &mut inputs, &mut outputs);
        for path in inputs.clone() {
            inputs.extend(named_in(&path));
        }
        for (k, output) in outputs.iter().enumerate() {
            if output.is_symlink() && !output.exists() {
                return Err(CommandError::DanglingLink { path: output.clone() });
            }
            if outputs[..k].iter().any(|other| is_same_output(other, output)) {
                return Err(CommandError::OutputTwice { path: output.clone() });
            }
        }
        for output in &outputs {
            if let Some(input) = inputs.iter().find(|input| would_replace(output, input)) {
                return Err(CommandError::OverwritesInput { input: input.clone(), output: output.clone() });
            }
        }
        let existing =
            |path: PathBuf| path.is_file().then(|| Handle::from_path(&path).ok().map(|handle| (path, handle)));
        Ok(Self(outputs.into_iter().filter_map(existing).flatten().collect()))
    }
    /// Prints a note for each file that was replaced. Files are written beside the old one and renamed, so a replaced
    /// file is a different file on disk.
    pub fn note_replaced(&self) {
        for (path, old) in &self.0 {
            if Handle::from_path(path).is_ok_and(|new| new != *old) {
                stream::note(format_args!("{} existed and was replaced", path.display()));
            }
        }
    }
}

/// Files on the command line of a command or one of its subcommands.
fn collect(matches: &ArgMatches, command: &str, inputs: &mut Vec<PathBuf>, outputs: &mut Vec<PathBuf>) {
    let given = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
    for id in matches.ids().map(clap::Id::as_str).filter(given) {
        // a group of arguments has no values of its own
        let Ok(Some(values)) = matches.try_get_raw(id) else { continue };
        for value in values {
            if OUTPUTS.contains(&id) {
                let output = (value != "-").then(|| PathBuf::from(value));
                outputs.extend(output.iter().filter(|_| command == "identify").map(|dir| checkpoint_path(dir)));
                outputs.extend(output);
                continue;
            }
            let text = value.to_string_lossy();
            // as in --set drive.file=motion.csv
            let after = text.split_once('=').map(|(_, after)| after.trim_matches('"').into());
            inputs.extend([PathBuf::from(value)].into_iter().chain(after).filter(|path| is_input(path, command)));
        }
    }
    if let Some((name, matches)) = matches.subcommand() {
        collect(matches, name, inputs, outputs);
    }
}

/// Whether an argument names a file to read. A folder is one only where the command reads folders: `stiction run a7 -o a7`
/// runs the scenario of that name.
fn is_input(path: &Path, command: &str) -> bool {
    path.is_file() || path == Path::new("-") || command == "hysteresis" && path.is_dir()
}

/// The longest file that is looked into \[bytes\]: scenarios, parameter files and laws that are longer are refused, and to parse one takes long.
const LONGEST: u64 = 1 << 20;

/// The files that a scenario or a parameter file names, as they are found from its folder.
fn named_in(path: &Path) -> Vec<PathBuf> {
    let is_toml = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
    let is_read = is_toml && fs::metadata(path).is_ok_and(|file| file.len() <= LONGEST);
    let text = is_read.then(|| fs::read_to_string(path).ok()).flatten().unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut out = Vec::new();
    strings(&toml::Value::Table(text.parse().unwrap_or_default()), &mut out);
    out.into_iter().map(|name| folder.join(name)).filter(|path| path.is_file()).collect()
}

fn strings(value: &toml::Value, out: &mut Vec<String>) {
    match value {
        toml::Value::String(text) => out.push(text.clone()),
        toml::Value::Array(list) => list.iter().for_each(|value| strings(value, out)),
        toml::Value::Table(table) => table.values().for_each(|value| strings(value, out)),
        _ => {}
    }
}

/// Whether two outputs are the same file, existing or not.
fn is_same_output(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some((fs::canonicalize(folder).ok()?, path.file_name()?.to_owned()))
    };
    // a device or a pipe may be written to twice
    let special = |path: &Path| fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir());
    let same_place = place(one).is_some() && place(one) == place(other);
    !special(one) && (same_place || same_file::is_same_file(one, other).unwrap_or(false))
}

fn would_replace(output: &Path, input: &Path) -> bool {
    // pipes and devices are written to, not replaced
    let Ok(data) = fs::metadata(output) else { return false };
    if input == Path::new("-") {
        return data.is_file() && matches!((Handle::stdin(), Handle::from_path(output)), (Ok(a), Ok(b)) if a == b);
    }
    if data.is_dir() {
        let [output, input] = [output, input].map(fs::canonicalize);
        return matches!((output, input), (Ok(output), Ok(input)) if input.starts_with(&output));
    }
    data.is_file() && same_file::is_same_file(output, input).unwrap_or(false)
}
