//! Compiles what was exported, with whatever compilers are here.
use crate::skip::c_compiler;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use stiction::export::{ControllerProgram, ExportPlan, OutputFile, Precision, emit_c, emit_rust};

/// A new folder under the target folder.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("export").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

pub fn save(folder: &Path, files: impl IntoIterator<Item = impl Into<OutputFile>>) {
    for OutputFile { path, bytes } in files.into_iter().map(Into::into) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Runs a command; its output if it succeeds, else a panic with what it said.
pub fn run(command: &mut Command) -> Vec<u8> {
    let out = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let said = [&out.stdout[..], &out.stderr].concat();
    assert!(out.status.success(), "{command:?}: {}", String::from_utf8_lossy(&said));
    out.stdout
}

/// What any C compiler should take without a word.
pub const STRICT: [&str; 9] = [
    "-std=c99",
    "-pedantic",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wconversion",
    "-Wdouble-promotion",
    "-Wfloat-equal",
    "-Wshadow",
];

/// Writes the C files of a plan and compiles them with a main of another file; none without a compiler.
pub fn compile_c(
    plan: &ExportPlan,
    step: &ControllerProgram,
    folder: &Path,
    main: &str,
    flags: &[&str],
) -> Option<PathBuf> {
    save(folder, emit_c::files(plan, step).unwrap());
    let program = folder.join(format!("{}{}", plan.name, flags.concat()));
    let source = format!("{}.c", plan.name);
    run(Command::new(c_compiler()?).current_dir(folder).args(flags).args([&source, main, "-o"]).arg(&program));
    Some(program)
}

pub fn rustc() -> Command {
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(["--edition", "2021", "-D", "warnings"]);
    command
}

/// Writes the crate of a plan, compiles it, and the test or main at `main` against it.
pub fn compile_rust(plan: &ExportPlan, step: &ControllerProgram, folder: &Path, main: &str, test: bool) -> PathBuf {
    save(folder, emit_rust::files(plan, step).unwrap());
    let library = folder.join(format!("lib{}.rlib", plan.name));
    run(rustc()
        .current_dir(folder)
        .args(["--crate-type", "rlib", "--crate-name", &plan.name, "src/lib.rs", "-o"])
        .arg(&library));
    let program = folder.join(if test { "vector" } else { "driver" });
    let mut link = rustc();
    link.current_dir(folder).arg("--extern").arg(format!("{}={}", plan.name, library.display()));
    run(link.args(test.then_some("--test")).args([main, "-o"]).arg(&program));
    program
}

fn of(precision: Precision) -> (&'static str, &'static str, usize) {
    match precision {
        Precision::Single => ("float", "f32", 4),
        Precision::Double => ("double", "f64", 8),
    }
}

/// A main in C that reads rows of inputs and writes rows of command and fault, all as raw numbers.
pub fn driver_c(plan: &ExportPlan, step: &ControllerProgram) -> String {
    let (real, ..) = of(plan.precision);
    let (name, columns) = (&plan.name, step.signals.len());
    let fill: String =
        step.signals.iter().enumerate().map(|(i, f)| format!("input.{} = row[{i}];\n", f.name)).collect();
    format!(
        "#include \"{name}.h\"\n#include <stdio.h>\nint main(void) {{\n{real} row[{columns}];\n{name}_state state;\n\
         {name}_init(&state);\nwhile (fread(row, sizeof row, 1, stdin) == 1) {{\n{name}_input input;\n{name}_output out;\n\
         {real} pair[2];\n{fill}out = {name}_step(&state, &input);\npair[0] = out.command;\npair[1] = ({real})out.fault;\n\
         fwrite(pair, sizeof pair, 1, stdout);\nfflush(stdout);\n}}\nreturn 0;\n}}\n"
    )
}

/// The same in Rust.
pub fn driver_rust(plan: &ExportPlan, step: &ControllerProgram) -> String {
    let (_, real, bytes) = of(plan.precision);
    let (name, columns) = (&plan.name, step.signals.len());
    let fill: String = step.signals.iter().enumerate().map(|(i, f)| format!("{}: at({i}), ", f.name)).collect();
    format!(
        "use std::io::{{Read, Write}};\nfn main() {{\nlet mut all = Vec::new();\nstd::io::stdin().read_to_end(&mut all).unwrap();\n\
         let mut state = {name}::State::new();\nlet mut out = Vec::new();\nfor row in all.chunks({columns} * {bytes}) {{\n\
         let at = |i: usize| {real}::from_ne_bytes(row[i * {bytes}..(i + 1) * {bytes}].try_into().unwrap());\n\
         let o = {name}::step(&mut state, &{name}::Input {{ {fill} }});\n\
         out.extend(o.command.to_ne_bytes());\nout.extend(({real}::from(o.fault)).to_ne_bytes());\n}}\n\
         std::io::stdout().write_all(&out).unwrap();\n}}\n"
    )
}

/// Runs a driver over these rows: command and fault of each.
pub fn drive(program: &Path, precision: Precision, rows: &[Vec<f64>]) -> Vec<[f64; 2]> {
    let number = |x: &f64| match precision {
        Precision::Single => (*x as f32).to_ne_bytes().to_vec(),
        Precision::Double => x.to_ne_bytes().to_vec(),
    };
    let file = program.with_extension("in");
    fs::write(&file, rows.iter().flatten().flat_map(number).collect::<Vec<u8>>()).unwrap();
    let out = run(Command::new(program).stdin(fs::File::open(&file).unwrap()));
    let (_, _, bytes) = of(precision);
    let read = |bytes: &[u8]| match precision {
        Precision::Single => f64::from(f32::from_ne_bytes(bytes.try_into().unwrap())),
        Precision::Double => f64::from_ne_bytes(bytes.try_into().unwrap()),
    };
    out.chunks(2 * bytes).map(|pair| [read(&pair[..bytes]), read(&pair[bytes..])]).collect()
}
