//! Laws as Rust crates without dependencies.
use super::{FunctionKind, LawCode, LawFunction, identifier, one_line};
use crate::export::SourceFile;
use crate::export::language_rust::{Rust, elementary};
use crate::export::source_text::{Syntax, statements, wrapped};
use std::collections::BTreeSet;
use stiction_core::program::Precision;

/// Words that are no names in Rust.
const RESERVED: &str = "abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen \
    if impl in let loop macro match mod move mut override priv pub ref return self Self static struct super trait true try type typeof \
    unsafe unsized use virtual where while yield";

fn member(name: &str) -> String {
    identifier(name, RESERVED)
}

fn signature(code: &LawCode, kind: FunctionKind) -> String {
    let mut args = Vec::new();
    if code.has_memory() && kind.takes_memory() {
        let changes = kind.updates_memory();
        args.push(format!("memory: &{}Memory", if changes { "mut " } else { "" }));
    }
    args.extend(kind.signals().iter().map(|signal| format!("{}: f64", signal.name)));
    if !code.params().is_empty() {
        args.push("p: &Params".to_owned());
    }
    let result = match kind {
        FunctionKind::Steady | FunctionKind::Force | FunctionKind::Step => "f64",
        FunctionKind::Rate => "Memory",
        FunctionKind::Contact => "Body",
    };
    format!("pub fn {}({}) -> {result}", kind.name(), args.join(", "))
}

fn doc(indent: &str, text: &str) -> String {
    wrapped(&[text.to_owned()], 110).iter().map(|line| format!("{indent}/// {line}\n")).collect()
}

fn types(code: &LawCode) -> String {
    let mut out = String::new();
    let with_unit = |doc: &str, unit: &str| {
        let doc = one_line(doc.trim());
        let doc = doc.trim_end_matches('.');
        match (doc, unit) {
            ("", "-") => "A number.".to_owned(),
            ("", unit) => format!("In {unit}."),
            (doc, "-") => format!("{doc}."),
            (doc, unit) => format!("{doc} ({unit})."),
        }
    };
    if !code.params().is_empty() {
        out += "/// Parameters.\n#[derive(Clone, Copy, Debug, PartialEq)]\npub struct Params {\n";
        for p in code.params() {
            out += &doc("    ", &with_unit(p.doc, p.unit));
            out += &format!("    pub {}: f64,\n", member(p.name));
        }
        out += "}\n\nimpl Default for Params {\n    fn default() -> Self {\n        Self {\n";
        for p in code.params() {
            out += &format!("            {}: {},\n", member(p.name), Rust.number(Precision::Double, p.default));
        }
        out += "        }\n    }\n}\n\n";
    }
    if code.has_memory() {
        out += "/// Memory; zeros for a contact that has never moved.\n#[derive(Clone, Copy, Debug, Default, PartialEq)]\npub struct Memory {\n";
        for state in code.law.states {
            out += &doc("    ", &with_unit(&format!("State {}", state.name), state.unit));
            out += &format!("    pub {}: f64,\n", member(state.name));
        }
        out += "}\n\n";
    }
    out += "/// A body after a step.\n#[derive(Clone, Copy, Debug, PartialEq)]\npub struct Body {\n";
    out += "    /// Velocity, exactly 0 where friction holds the body (m/s).\n    pub v: f64,\n";
    out += "    /// Friction force over the step (N).\n    pub force: f64,\n";
    out += "    /// Whether friction holds the body.\n    pub stuck: bool,\n}\n";
    out
}

fn definition(code: &LawCode, function: &LawFunction) -> String {
    let kind = function.kind;
    let memory: Vec<String> = code.law.states.iter().map(|state| member(state.name)).collect();
    let mut inputs: Vec<String> = kind.signals().iter().map(|signal| signal.name.to_owned()).collect();
    if kind.takes_memory() {
        inputs.extend(memory.iter().map(|state| format!("memory.{state}")));
    }
    inputs.extend(code.params().iter().map(|p| format!("p.{}", member(p.name))));
    let mut text = format!("{}.", kind.doc());
    if code.has_memory() && kind.updates_memory() {
        text += " The memory is updated in place.";
    }
    let mut out = format!("\n{}#[must_use]\n{} {{\n", doc("", &text), signature(code, kind));
    // arguments that the law does not use
    let used = function.program.used_inputs();
    let first = kind.signals().len();
    let memory_inputs = if kind.takes_memory() { memory.len() } else { 0 };
    let unused = |from: usize, count: usize| count > 0 && (from..from + count).all(|i| !used.contains(&(i as u32)));
    let mut ignored: Vec<&str> = Vec::new();
    ignored.extend((0..).zip(kind.signals()).filter(|(i, _)| !used.contains(i)).map(|(_, signal)| signal.name));
    if unused(first, memory_inputs) && !kind.updates_memory() {
        ignored.push("memory");
    }
    if unused(first + memory_inputs, code.params().len()) {
        ignored.push("p");
    }
    ignored.iter().for_each(|name| out += &format!("    let _ = {name};\n"));
    let (lines, outputs) = statements(&function.program, &Rust, |i| inputs[i as usize].clone());
    lines.iter().for_each(|line| out += &format!("{line}\n"));
    let results = kind.results().len();
    let after = || {
        let fields = memory.iter().zip(&outputs[results..]);
        let fields: Vec<String> =
            fields.map(|(state, x)| if x == state { x.clone() } else { format!("{state}: {x}") }).collect();
        format!("Memory {{ {} }}", fields.join(", "))
    };
    let keeps = code.has_memory() && kind.updates_memory();
    match kind {
        FunctionKind::Rate => out += &format!("    {}\n", after()),
        FunctionKind::Contact => {
            out += &format!(
                "    let body = Body {{ v: {}, force: {}, stuck: {} > 0.5 }};\n",
                outputs[0], outputs[1], outputs[2]
            );
            if keeps {
                out += &format!("    *memory = {};\n", after());
            }
            out += "    body\n";
        }
        _ if keeps => out += &format!("    let force = {};\n    *memory = {};\n    force\n", outputs[0], after()),
        _ => out += &format!("    {}\n", outputs[0]),
    }
    out + "}\n"
}

fn library(code: &LawCode) -> String {
    let mut out = String::new();
    for line in wrapped(&code.description(), 110) {
        // indented lines are equations and parameters, not Rust to be tested
        let line = line.strip_prefix("  ").map_or(line.clone(), |rest| format!("- {rest}"));
        out += format!("//! {line}").trim_end();
        out.push('\n');
    }
    out += "#![no_std]\n#![forbid(unsafe_code)]\n#![allow(non_snake_case, reason = \"names of the law\")]\n";
    out += "#![allow(clippy::all, reason = \"one statement for each operation of the law\")]\n\n";
    out += &types(code);
    code.functions.iter().for_each(|function| out += &definition(code, function));
    let functions: BTreeSet<_> = code.functions.iter().flat_map(|f| f.program.functions()).collect();
    functions.iter().for_each(|f| out += &format!("\n{}", elementary(*f)));
    out
}

fn test(code: &LawCode) -> String {
    let name = &code.name;
    let mut out = "//! Points with what the law gives there, bit for bit.\n".to_owned();
    out += &format!("use {name}::*;\n\nfn same(got: &[f64], want: &[f64], point: usize) {{\n");
    out += "    for (i, (got, want)) in got.iter().zip(want).enumerate() {\n        let same = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());\n";
    out += "        assert!(same, \"point {point}, output {i}: {got} instead of {want}\");\n    }\n}\n";
    for function in &code.functions {
        let kind = function.kind;
        let points = code.test_points(kind);
        let (inputs, outputs) = (code.inputs(kind), code.outputs(kind));
        let row = |list: &[f64]| list.iter().map(|x| Rust.number(Precision::Double, *x)).collect::<Vec<_>>().join(", ");
        out += &format!("\n/// {}\n", [inputs.clone(), outputs.clone()].concat().join(", "));
        let constant = kind.name().to_uppercase();
        out +=
            &format!("const {constant}: [([f64; {}], [f64; {}]); {}] = [\n", inputs.len(), outputs.len(), points.len());
        points.iter().for_each(|p| out += &format!("    ([{}], [{}]),\n", row(&p.inputs), row(&p.outputs)));
        out += &format!(
            "];\n\n#[test]\nfn {}_agrees() {{\n    for (k, (x, y)) in {constant}.iter().enumerate() {{\n",
            kind.name()
        );
        let mut next = kind.signals().len();
        let mut args: Vec<String> = Vec::new();
        let mut fields = |names: &mut dyn Iterator<Item = &'static str>| {
            let list: Vec<String> = names
                .map(|name| {
                    next += 1;
                    format!("{}: x[{}]", member(name), next - 1)
                })
                .collect();
            list.join(", ")
        };
        let changes = kind.updates_memory();
        if code.has_memory() && kind.takes_memory() {
            let keyword = if changes { "let mut" } else { "let" };
            let list = fields(&mut code.law.states.iter().map(|state| state.name));
            out += &format!("        {keyword} memory = Memory {{ {list} }};\n");
            args.push(format!("&{}memory", if changes { "mut " } else { "" }));
        }
        args.extend((0..kind.signals().len()).map(|i| format!("x[{i}]")));
        if !code.params().is_empty() {
            let list = fields(&mut code.params().iter().map(|p| p.name));
            out += &format!("        let p = Params {{ {list} }};\n");
            args.push("&p".to_owned());
        }
        out += &format!("        let out = {}({});\n", kind.name(), args.join(", "));
        let mut got: Vec<String> = match kind {
            FunctionKind::Rate => Vec::new(),
            FunctionKind::Contact => vec!["out.v".into(), "out.force".into(), "f64::from(u8::from(out.stuck))".into()],
            _ => vec!["out".into()],
        };
        if kind.gives_memory() {
            let from = if kind == FunctionKind::Rate { "out" } else { "memory" };
            got.extend(code.law.states.iter().map(|state| format!("{from}.{}", member(state.name))));
        }
        out += &format!("        same(&[{}], y, k);\n    }}\n}}\n", got.join(", "));
    }
    out
}

/// The crate: manifest, library, test.
pub(super) fn files(code: &LawCode) -> Vec<SourceFile> {
    let manifest = format!(
        "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2021\"\nrust-version = \"1.85\"\npublish = false\n\n[dependencies]\n\n# functions are long, and more is not needed to find a line\n[profile.dev]\ndebug = \"line-tables-only\"\n\n# by itself, wherever it stands\n[workspace]\n",
        code.name
    );
    let file = |path: &str, text: String| SourceFile { path: path.to_owned(), text };
    vec![file("src/lib.rs", library(code)), file("Cargo.toml", manifest), file("tests/points.rs", test(code))]
}
