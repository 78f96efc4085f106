//! Laws as WebAssembly: a module for every engine, and a module of JavaScript around it.
//!
//! The functions take numbers and give numbers, `(f64, ...) -> (f64, ...)`, with several results where there are several. There is
//! no linear memory: nothing has to be laid out, copied or freed, an instance has no state, so that many threads or contacts can
//! use one, and JavaScript gets its results as an array without glue.
mod instruction;
mod instructions_of;
mod javascript;
mod javascript_test;
mod module;

use super::LawCode;
use crate::export::recorder::function_program;
use crate::export::{OutputFile, SourceFile};
use instructions_of::instructions;
use module::{Module, ModuleFunction};
use std::collections::BTreeSet;
use stiction_core::program::{Function, Program};

/// The section of the module that describes its functions, as JSON.
pub const DESCRIPTION_SECTION: &str = "stiction";

/// The module, its companion in JavaScript, and a test for Node.
pub fn files(code: &LawCode) -> Vec<OutputFile> {
    let name = &code.name;
    let text = |path: String, text: String| OutputFile::from(SourceFile { path, text });
    vec![
        OutputFile { path: format!("{name}.wasm"), bytes: module(code) },
        text(format!("{name}.mjs"), javascript::library(code)),
        text(format!("{name}.test.mjs"), javascript_test::runner(code)),
    ]
}

/// A function that a module has besides those of the law.
pub(in crate::export) struct NamedProgram {
    /// Its name.
    pub name: &'static str,
    /// Names of its arguments, for debuggers.
    pub arguments: Vec<String>,
    /// What it computes.
    pub program: Program,
}

/// The bytes of the module.
pub fn module(code: &LawCode) -> Vec<u8> {
    module_with(code, &[])
}

/// The bytes of the module with more functions than those of the law.
pub(in crate::export) fn module_with(code: &LawCode, more: &[NamedProgram]) -> Vec<u8> {
    let programs = code.functions.iter().map(|of| &of.program).chain(more.iter().map(|of| &of.program));
    let elementary: Vec<Function> = elementary(programs).into_iter().collect();
    let index = |function: Function| elementary.iter().position(|other| *other == function).unwrap_or_default() as u32;
    let function = |name: &str, arguments: Vec<String>, program: &Program, exported: bool| {
        let (code, locals) = instructions(program, &index);
        ModuleFunction { name: name.to_owned(), exported, arguments, results: program.outputs.len(), locals, code }
    };
    let mut functions: Vec<ModuleFunction> = elementary
        .iter()
        .map(|of| {
            let arguments = ["x", "y"][..of.arity()].iter().map(|name| (*name).to_owned()).collect();
            function(of.name(), arguments, &function_program(*of), false)
        })
        .collect();
    functions.extend(code.functions.iter().map(|of| {
        let arguments = code.inputs(of.kind).into_iter().map(str::to_owned).collect();
        function(of.kind.name(), arguments, &of.program, true)
    }));
    functions.extend(more.iter().map(|of| function(of.name, of.arguments.clone(), &of.program, true)));
    Module { functions, custom: (DESCRIPTION_SECTION.to_owned(), description(code)) }.bytes()
}

/// The elementary functions that are called, by these programs or by one of them. Square root and floor are instructions.
fn elementary<'a>(programs: impl Iterator<Item = &'a Program>) -> BTreeSet<Function> {
    let mut all: BTreeSet<Function> = programs.flat_map(Program::functions).collect();
    loop {
        all.retain(|of| !matches!(of, Function::Sqrt | Function::Floor));
        let count = all.len();
        let called: Vec<Function> = all.iter().flat_map(|of| function_program(*of).functions()).collect();
        all.extend(called.into_iter().filter(|of| !matches!(of, Function::Sqrt | Function::Floor)));
        if all.len() == count {
            return all;
        }
    }
}

/// What the functions take and give, as JSON.
fn description(code: &LawCode) -> String {
    let names = |list: Vec<&'static str>| list.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(",");
    let functions = code.functions.iter().map(|of| {
        let (arguments, results) = (names(code.inputs(of.kind)), names(code.outputs(of.kind)));
        format!("{}:{{\"arguments\":[{arguments}],\"results\":[{results}]}}", quoted(of.kind.name()))
    });
    let number = |x: f64| if x.is_finite() { x.to_string() } else { "null".to_owned() };
    let params = code.params().iter().map(|p| {
        let [default, min, max] = [p.default, p.min, p.max].map(number);
        let (name, unit, doc) = (quoted(p.name), quoted(p.unit), quoted(p.doc.trim()));
        format!("{{\"name\":{name},\"unit\":{unit},\"default\":{default},\"min\":{min},\"max\":{max},\"doc\":{doc}}}")
    });
    let states = code.law.states.iter().map(|z| format!("{{\"name\":{},\"unit\":{}}}", quoted(z.name), quoted(z.unit)));
    format!(
        "{{\"law\":{},\"made_by\":{},\"functions\":{{{}}},\"parameters\":[{}],\"states\":[{}]}}",
        quoted(code.law.name),
        quoted(concat!("stiction ", env!("CARGO_PKG_VERSION"))),
        functions.collect::<Vec<_>>().join(","),
        params.collect::<Vec<_>>().join(","),
        states.collect::<Vec<_>>().join(",")
    )
}

/// A text in quotes, as JSON and JavaScript read it.
pub(in crate::export) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            c if c.is_control() => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}
