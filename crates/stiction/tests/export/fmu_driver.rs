//! The importers in C, linked with the binary of a unit.
use crate::build::{folder, run};
use crate::skip::c_compiler;
use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use stiction::export::fmu::{Causality, Compiler, FmiVersion, FmuPlan, UnitBinary, Variable};

/// An importer for one unit.
pub struct Driver {
    program: PathBuf,
    /// What it is told of the unit.
    task: String,
}

/// An importer for each kind of binary; none without a compiler.
pub fn each_binary(plan: &FmuPlan) -> impl Iterator<Item = Driver> {
    let compiled = c_compiler().map(|name| UnitBinary::Compiled(Compiler::parse(name)));
    compiled.into_iter().chain([UnitBinary::Prebuilt]).filter_map(|binary| Driver::new(plan, &binary))
}

impl Driver {
    /// Compiles the importer; none without a compiler.
    pub fn new(plan: &FmuPlan, binary: &UnitBinary) -> Option<Self> {
        let kind = if *binary == UnitBinary::Prebuilt { "prebuilt" } else { "compiled" };
        Self::named(&format!("{}-{}-{kind}", plan.identifier, plan.version.name()), plan, binary)
    }
    /// As [`Driver::new`], in a folder of this name.
    pub fn named(name: &str, plan: &FmuPlan, binary: &UnitBinary) -> Option<Self> {
        let compiler = c_compiler()?;
        // tests that run side by side use the same unit
        let thread = std::thread::current();
        let at = folder(&format!("fmu-{}-{name}", thread.name().unwrap_or("main").replace(':', "_")));
        let mut archive = zip::ZipArchive::new(Cursor::new(plan.archive(binary).unwrap())).unwrap();
        archive.extract(&at).unwrap();
        let library = library(&at.join("binaries"));
        let source = match plan.version {
            FmiVersion::Two => "driver2.c",
            FmiVersion::Three => "driver3.c",
        };
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export/fmu").join(source);
        let program = at.join("driver");
        let rpath = format!("-Wl,-rpath,{}", library.parent().unwrap().display());
        let mut command = Command::new(compiler);
        run(command.args(["-std=c99", "-O1"]).arg(source).arg(library).arg(rpath).arg("-o").arg(&program).arg("-lm"));
        Some(Self { program, task: task(plan, &at.join("resources")) })
    }
    /// The rows that the importer prints.
    pub fn run(&self, what: &str, step: f64, end: f64, inputs: &[(f64, f64)]) -> Vec<Vec<f64>> {
        self.run_events(what, step, end, inputs).0
    }
    /// The rows that the importer prints, and the times of events.
    pub fn run_events(&self, what: &str, step: f64, end: f64, inputs: &[(f64, f64)]) -> (Vec<Vec<f64>>, Vec<f64>) {
        let mut child = Command::new(&self.program)
            .args([what, &step.to_string(), &end.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut text = self.task.clone();
        inputs.iter().for_each(|(t, x)| writeln!(text, "{t} {x}").unwrap());
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let out = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{:?} {what}: {}: {said}", self.program, out.status);
        let (mut rows, mut events) = (Vec::new(), Vec::new());
        for line in String::from_utf8(out.stdout).unwrap().lines() {
            match line.strip_prefix("event ") {
                Some(time) => events.push(time.parse().unwrap()),
                None => rows.push(line.split(' ').map(|x| x.parse().unwrap()).collect()),
            }
        }
        (rows, events)
    }
}

/// The one library in the folder of binaries.
fn library(binaries: &Path) -> PathBuf {
    let entry = |folder: &Path| fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    entry(&entry(binaries))
}

/// What `driver.h` reads of the unit.
fn task(plan: &FmuPlan, resources: &Path) -> String {
    let variables = plan.variables();
    let token = plan.files().into_iter().find(|file| file.path == "modelDescription.xml").unwrap().text;
    let token = token.split('{').nth(1).unwrap().split('}').next().unwrap().to_owned();
    let reference =
        |wanted: &dyn Fn(&Variable) -> bool| variables.iter().find(|v| wanted(v)).map_or(0, |v| v.reference);
    let friction = reference(&|v| v.name == "friction");
    let stuck = reference(&|v| v.is_boolean);
    let parameter = reference(&|v| v.causality == Causality::Parameter);
    let states = variables.iter().filter(|v| v.is_state()).count();
    // FMI 2.0 gives an address, FMI 3.0 a path
    let address = if plan.version == FmiVersion::Two { "file://" } else { "" };
    let resources = resources.display();
    format!("{{{token}}} {address}{resources} {states} {} {friction} {stuck} {parameter}\n", plan.indicators())
}
