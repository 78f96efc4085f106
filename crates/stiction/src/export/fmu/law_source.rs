//! `law.c`: the functions of the law, over arrays of memory and parameters.
use super::programs::{DIR, LOAD, MEMORY, UnitPrograms, V};
use crate::export::language_c::{C, FLOATS, elementary, helpers};
use crate::export::recorder::function_program;
use crate::export::source_text::statements;
use std::collections::BTreeSet;
use stiction_core::program::Program;

/// The prefix of its names.
const PREFIX: &str = "law";

/// The file.
pub(super) fn text(programs: &UnitPrograms) -> String {
    let functions: BTreeSet<_> = programs.all().flat_map(Program::functions).collect();
    let mut bodies: Vec<Program> = functions.iter().map(|f| function_program(*f)).collect();
    bodies.extend(programs.all().cloned());
    let mut out = format!(
        "/* The law: its programs, recorded from the law that is simulated. Made by stiction {}; generate it again instead of editing it. */\n{FLOATS}{}",
        env!("CARGO_PKG_VERSION"),
        helpers(PREFIX, &bodies).concat()
    );
    functions.iter().for_each(|f| out += &elementary(PREFIX, *f));
    let plain = "const double *z, double v, double load, const double *p";
    let along = format!("{plain}, const double *by_z, double by_v, double by_load, const double *by_p");
    out += &to_array("flow", "Friction force, then the rates of the memory.", plain, &programs.flow, programs);
    out += &to_array(
        "flow_along",
        "Their derivatives along a change of everything.",
        &along,
        &programs.flow_along,
        programs,
    );
    if let Some(hold) = &programs.hold {
        let args = "const double *z, double load, double dir, const double *p";
        out += &to_number(
            "hold",
            "Half-width of the set of forces at rest against motion in a direction.",
            args,
            hold,
            programs,
        );
    }
    if let Some(band) = &programs.band {
        out += &to_number(
            "band",
            "Speed below which a body counts as at rest.",
            "double v, double load, const double *p",
            band,
            programs,
        );
    }
    if let Some(extremum) = &programs.extremum {
        let doc = "The extremum of the speed that changes the memory next: 1 a maximum, -1 a minimum, 0 none.";
        out += &to_number("extremum", doc, "const double *z, const double *p", extremum, programs);
    }
    if !programs.guards.outputs.is_empty() {
        let doc = "Functions whose zeros are kinks of the law or changes of its memory.";
        out += &to_array("guards", doc, plain, &programs.guards, programs);
    }
    if let Some(jump) = &programs.jump {
        out += &to_array("jump", "The memory just after such a zero.", plain, jump, programs);
    }
    out
}

/// What an input of the programs is called.
fn input(i: u32, programs: &UnitPrograms) -> String {
    let (first, states) = (MEMORY, programs.states as u32);
    let count = first + states + programs.params as u32;
    let (i, by) = if i >= count { (i - count, "by_") } else { (i, "") };
    match i {
        V => format!("{by}v"),
        LOAD => format!("{by}load"),
        // a direction does not change
        DIR if !by.is_empty() => "0.0".to_owned(),
        DIR => "dir".to_owned(),
        i if i < first + states => format!("{by}z[{}]", i - first),
        i => format!("{by}p[{}]", i - first - states),
    }
}

/// The statements, the arguments that are not used, and the results.
fn body(args: &str, program: &Program, programs: &UnitPrograms) -> (String, Vec<String>) {
    let (lines, outputs) = statements(program, &C(PREFIX), |i| input(i, programs));
    let used: BTreeSet<String> = program
        .used_inputs()
        .into_iter()
        .map(|i| input(i, programs))
        .map(|name| name.split('[').next().unwrap_or_default().to_owned())
        .collect();
    let names = args.split(", ").filter_map(|arg| arg.rsplit([' ', '*']).next());
    let mut out: String =
        names.filter(|name| !used.contains(*name)).map(|name| format!("    (void){name};\n")).collect();
    lines.iter().for_each(|line| out += &format!("{line}\n"));
    (out, outputs)
}

fn to_array(name: &str, doc: &str, args: &str, program: &Program, programs: &UnitPrograms) -> String {
    let (lines, outputs) = body(args, program, programs);
    let mut out = format!("\n/* {doc} */\nstatic void {PREFIX}_{name}({args}, double *out) {{\n{lines}");
    outputs.iter().enumerate().for_each(|(i, value)| out += &format!("    out[{i}] = {value};\n"));
    out + "}\n"
}

fn to_number(name: &str, doc: &str, args: &str, program: &Program, programs: &UnitPrograms) -> String {
    let (lines, outputs) = body(args, program, programs);
    let value = outputs.first().map_or("0.0", String::as_str);
    format!("\n/* {doc} */\nstatic double {PREFIX}_{name}({args}) {{\n{lines}    return {value};\n}}\n")
}
