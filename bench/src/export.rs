//! Exported controllers: operations as counted, and instructions per sample as the processor does them. The C of each is
//! compiled with `cc -O2` and run under `valgrind --tool=callgrind`; without one of them the instructions are left out.
use crate::clock;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use stiction::core::control::registry::Role;
use stiction::export::{ControllerProgram, ExportPlan, Precision, SourceFile, emit_c};
use stiction::scenario::ControllerPart;
use stiction::{Error, Spec};

/// Samples of a run.
const SAMPLES: u32 = 2000;

/// A controller: its name, and its parts with numbers.
type Parts = (&'static str, &'static [(&'static str, &'static [(&'static str, f64)])]);

/// What is counted, all around LuGre at 1 kHz.
const CONTROLLERS: [Parts; 6] = [
    ("pid", &[("kalman", &[]), ("pid", &[])]),
    ("feedforward", &[("kalman", &[]), ("feedforward", &[])]),
    (
        "observer",
        &[("kalman", &[]), ("state-feedback", &[]), ("observer", &[("kx", 0.01), ("kv", 0.01), ("mass", 1.0)])],
    ),
    (
        "observer_adaptive",
        &[
            ("kalman", &[]),
            ("state-feedback", &[]),
            ("observer", &[("kx", 0.01), ("kv", 0.01), ("mass", 1.0)]),
            ("adaptive-scale", &[]),
        ],
    ),
    ("adaptive", &[("kalman", &[]), ("state-feedback", &[]), ("adaptive", &[("gain_x", 3.0)])]),
    ("dob", &[("kalman", &[]), ("state-feedback", &[]), ("disturbance-observer", &[])]),
];

fn plan((name, wanted): &Parts, precision: Precision) -> Result<ExportPlan, Error> {
    let mut parts = Vec::new();
    for (key, numbers) in *wanted {
        let mut part = ControllerPart::new(key).ok_or(Error::Missing { key: "part" })?;
        numbers.iter().for_each(|(name, x)| part.set(name, *x));
        part.law = if part.entry.role() == Role::Compensator { Some(Spec::new("lugre")?) } else { None };
        parts.push(part);
    }
    Ok(ExportPlan { parts, limit: 20.0, precision, ..ExportPlan::new(name, 1e-3) })
}

/// A main that moves slowly to and fro.
fn driver(plan: &ExportPlan) -> String {
    let (name, real) = (&plan.name, if plan.precision == Precision::Double { "double" } else { "float" });
    format!(
        "#include \"{name}.h\"\nint main(void) {{\n    {name}_state state;\n    {real} sum = 0, x = 0, v = ({real})0.3;\n    int k;\n    {name}_init(&state);\n    \
         for (k = 0; k < {SAMPLES}; k++) {{\n        {name}_input input;\n        if (k % 250 == 0) v = -v;\n        x += v * ({real})0.001;\n        \
         input.wanted_x = x;\n        input.wanted_v = v;\n        input.wanted_a = 0;\n        input.position = x - ({real})0.001 * v;\n        \
         sum += {name}_step(&state, &input).command;\n    }}\n    return sum > 1e30;\n}}\n"
    )
}

/// Instructions within the step function for each sample; a word where they cannot be counted.
fn instructions(plan: &ExportPlan, step: &ControllerProgram, folder: &Path) -> Result<u64, String> {
    let io = |error: std::io::Error| error.to_string();
    fs::create_dir_all(folder).map_err(io)?;
    for SourceFile { path, text } in emit_c::files(plan, step).map_err(|error| error.to_string())? {
        fs::write(folder.join(path), text).map_err(io)?;
    }
    fs::write(folder.join("main.c"), driver(plan)).map_err(io)?;
    let said = |command: &mut Command| {
        let out = command.current_dir(folder).output().map_err(|error| format!("{command:?}: {error}"))?;
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        if out.status.success() { Ok(text) } else { Err(text) }
    };
    said(Command::new("cc").args(["-std=c99", "-O2", "main.c", &format!("{}.c", plan.name), "-o", "main"]))?;
    let toggle = format!("--toggle-collect={}_step", plan.name);
    let out =
        said(Command::new("valgrind").args(["--tool=callgrind", "--callgrind-out-file=/dev/null", &toggle, "./main"]))?;
    let collected = out.lines().find_map(|line| line.split("Collected :").nth(1));
    let count = collected.and_then(|text| text.trim().parse::<u64>().ok()).ok_or("no count in what valgrind says")?;
    Ok(count / u64::from(SAMPLES))
}

/// Counts all of them.
pub fn run() -> Result<(), Error> {
    let folder: PathBuf = std::env::temp_dir().join(format!("stiction-bench-{}", std::process::id()));
    clock::print_machine();
    println!("controller,number,operations,memory,instructions");
    let mut silent = false;
    for parts in &CONTROLLERS {
        for (precision, number) in [(Precision::Double, "f64"), (Precision::Single, "f32")] {
            let plan = plan(parts, precision)?;
            let step = plan.record()?;
            let counted = instructions(&plan, &step, &folder);
            let text = counted.as_ref().map(u64::to_string).unwrap_or_default();
            if let (Err(why), false) = (&counted, silent) {
                eprintln!("instructions are not counted, for this needs cc and valgrind: {}", why.trim());
                silent = true;
            }
            println!("{},{number},{},{},{text}", parts.0, step.cost.expanded().total(), step.state.len());
        }
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}
