//! A Rust crate.
use super::controller::{ControllerProgram, ExportPlan, OUTPUTS, StructField};
use super::language_rust::{Rust, elementary, real};
use super::source_text::{FAULT_DOC, Syntax, decimal, field_comment, file_header, statements, wrapped};
use super::{SourceFile, TestVector};
use crate::Error;

fn fields(out: &mut String, fields: &[StructField], real: &str) {
    for field in fields {
        *out += &format!("    /// {}.\n    pub {}: {real},\n", field_comment(field), field.name);
    }
}

/// The library's source.
pub fn library(plan: &ExportPlan, controller: &ControllerProgram) -> String {
    let real = real(plan.precision);
    let mut out = String::new();
    for line in wrapped(&file_header(plan, controller), 100) {
        out += format!("//! {line}").trim_end();
        out.push('\n');
    }
    out += "//!\n//! ```\n";
    out += &format!("//! use {}::{{Input, State, step}};\n//!\n", plan.name);
    out += "//! let mut state = State::new();\n//! let input = Input { ";
    let give =
        controller.signals.iter().map(|f| format!("{}: {}", f.name, if f.name == "load" { "1.0" } else { "0.0" }));
    out += &give.collect::<Vec<_>>().join(", ");
    out +=
        " };\n//! let output = step(&mut state, &input); // once a sample\n//! assert_eq!(output.fault, 0);\n//! ```\n";
    out += "#![no_std]\n#![forbid(unsafe_code)]\n";
    out += "#![allow(clippy::approx_constant, reason = \"constants are rounded as the computation needs them\")]\n\n";
    out += &format!("/// Sample time (s).\npub const SAMPLE: {real} = {};\n\n", decimal(plan.precision, plan.period));
    out += "/// State; it begins with zeros.\n#[derive(Clone, Copy, Debug, Default, PartialEq)]\npub struct State {\n";
    fields(&mut out, &controller.state, real);
    out += "}\n\nimpl State {\n    /// The memory to begin with.\n    pub const fn new() -> Self {\n        Self {\n";
    for field in &controller.state {
        out += &format!("            {}: 0.0,\n", field.name);
    }
    out += "        }\n    }\n}\n\n/// The inputs of the controller at each sample.\n#[derive(Clone, Copy, Debug, PartialEq)]\npub struct Input {\n";
    fields(&mut out, &controller.signals, real);
    out += "}\n\n/// Outputs.\n#[derive(Clone, Copy, Debug, PartialEq)]\npub struct Output {\n";
    out += &format!("    /// The command until the next sample (N).\n    pub command: {real},\n");
    for line in wrapped(&[FAULT_DOC.to_owned()], 100) {
        out += &format!("    /// {line}\n");
    }
    out += "    pub fault: u8,\n}\n\n";
    out += "/// Computes one sample: updates the state and returns the command.\n";
    out += "#[must_use]\npub fn step(state: &mut State, input: &Input) -> Output {\n";
    let name = |i: u32| controller.name(i);
    for i in controller.program.used_inputs() {
        let (from, name) =
            if (i as usize) < controller.signals.len() { ("input", name(i)) } else { ("state", name(i)) };
        out += &format!("    let {name} = {from}.{name};\n");
    }
    let (lines, outputs) = statements(&controller.program, &Rust, name);
    for line in lines {
        out += &line;
        out.push('\n');
    }
    out += "    *state = State {\n";
    for (field, value) in controller.state.iter().zip(&outputs[OUTPUTS..]) {
        let short = field.name == *value;
        out += &if short { format!("        {value},\n") } else { format!("        {}: {value},\n", field.name) };
    }
    out += "    };\n";
    out += &format!("    Output {{ command: {}, fault: {} as u8 }}\n}}\n", outputs[0], outputs[1]);
    for function in controller.program.functions() {
        out.push('\n');
        out += &elementary(function);
    }
    out
}

/// The test of the crate: test vectors and their comparison.
fn test(plan: &ExportPlan, controller: &ControllerProgram, vector: &TestVector) -> String {
    let (real, columns) = (real(plan.precision), controller.signals.len());
    let mut out = format!(
        "//! The samples of a random motion with faults and the outputs of the controller, bit for bit.\nuse {}::{{Input, State, step}};\n\n",
        plan.name
    );
    out += &format!(
        "/// {}, command.\n",
        controller.signals.iter().map(|f| f.name.as_str()).collect::<Vec<_>>().join(", ")
    );
    out += &format!("const SAMPLES: [[{real}; {}]; {}] = [\n", columns + 1, vector.inputs.len());
    for (now, command) in vector.inputs.iter().zip(&vector.command) {
        let row: Vec<String> = now.iter().chain([command]).map(|x| Rust.number(plan.precision, *x)).collect();
        out += &format!("    [{}],\n", row.join(", "));
    }
    let faults: Vec<String> = vector.fault.iter().map(u8::to_string).collect();
    out += &format!("];\nconst FAULTS: [u8; {}] = [\n", faults.len());
    for row in faults.chunks(40) {
        out += &format!("    {},\n", row.join(", "));
    }
    out += "];\n\n#[test]\nfn answers_as_the_simulation_does() {\n    let mut state = State::new();\n";
    out += "    for (k, (row, fault)) in SAMPLES.iter().zip(FAULTS).enumerate() {\n";
    let names: Vec<String> = controller.signals.iter().map(|f| f.name.clone()).collect();
    out += &format!("        let [{}, command] = *row;\n", names.join(", "));
    out += &format!("        let output = step(&mut state, &Input {{ {} }});\n", names.join(", "));
    out += "        assert_eq!(output.command.to_bits(), command.to_bits(), \"sample {k}: {} and {command}\", output.command);\n";
    out += "        assert_eq!(output.fault, fault, \"sample {k}\");\n    }\n}\n";
    out
}

/// The crate: manifest, library, test.
///
/// # Errors
/// As [`TestVector::new`].
pub fn files(plan: &ExportPlan, controller: &ControllerProgram) -> Result<Vec<SourceFile>, Error> {
    let vector = TestVector::new(plan, controller)?;
    let manifest = format!(
        "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2021\"\nrust-version = \"1.85\"\npublish = false\n\n[dependencies]\n\n# by itself, wherever it stands\n[workspace]\n",
        plan.name
    );
    let file = |path: &str, text: String| SourceFile { path: path.to_owned(), text };
    Ok(vec![
        file("Cargo.toml", manifest),
        file("src/lib.rs", library(plan, controller)),
        file("tests/vector.rs", test(plan, controller, &vector)),
    ])
}
