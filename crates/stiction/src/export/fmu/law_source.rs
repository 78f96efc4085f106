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
    let (plain, changes) = (
        "const double *z, double v, double load",
        "const double *by_z, double by_v, double by_load, const double *by_p",
    );
    let along = format!("{plain}, {changes}");
    let array =
        |name: &str, doc: &str, args: &str, program: Option<&Program>| to_array(name, doc, args, program, programs);
    let number = |name: &str, doc: &str, args: &str, program: &Option<Program>| {
        to_number(name, doc, args, program.as_ref(), programs)
    };
    out += &array("flow", "Friction force, then the rates of the memory.", plain, Some(&programs.flow));
    out += &array("flow_along", "Their derivatives along a change of everything.", &along, Some(&programs.flow_along));
    let doc = "Half-width of the set of forces at rest against motion in a direction.";
    out += &number("hold", doc, "const double *z, double load, double dir", &programs.hold);
    out += &number("band", "Speed below which a body counts as at rest.", "double v, double load", &programs.band);
    let doc = "The extremum of the speed that changes the memory next: 1 a maximum, -1 a minimum, 0 none.";
    out += &number("extremum", doc, "const double *z", &programs.extremum);
    let doc = "Functions whose zeros are kinks of the law or changes of its memory.";
    out += &array("guards", doc, plain, Some(&programs.guards));
    out += &array("jump", "The memory just after such a zero.", plain, programs.jump.as_ref());
    let doc = "Of each condition between parameters 1 if it holds, else 0.";
    out + &array("conditions", doc, "", Some(&programs.conditions.program))
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

/// The statements, with those that mark arguments as not used, and the results.
fn body(args: &str, program: Option<&Program>, programs: &UnitPrograms) -> (String, Vec<String>) {
    let (lines, outputs) =
        program.map_or_else(Default::default, |program| statements(program, &C(PREFIX), |i| input(i, programs)));
    let name = |i: u32| input(i, programs).split('[').next().unwrap_or_default().to_owned();
    let used: BTreeSet<String> = program.into_iter().flat_map(Program::used_inputs).map(name).collect();
    let names = args.split(", ").filter_map(|arg| arg.rsplit([' ', '*']).next()).filter(|name| !name.is_empty());
    let unused = names.chain((!used.contains("p")).then_some("s")).filter(|name| !used.contains(*name));
    let mut out =
        if used.contains("p") { "    const double *p = LAW_PARAMETERS_OF(s);\n".to_owned() } else { String::new() };
    unused.for_each(|name| out += &format!("    (void){name};\n"));
    lines.iter().for_each(|line| out += &format!("{line}\n"));
    (out, outputs)
}

fn to_array(name: &str, doc: &str, args: &str, program: Option<&Program>, programs: &UnitPrograms) -> String {
    let (lines, outputs) = body(args, program, programs);
    let comma = if args.is_empty() { "" } else { ", " };
    let mut out =
        format!("\n/* {doc} */\nstatic void {PREFIX}_{name}(const State *s{comma}{args}, double *out) {{\n{lines}");
    if outputs.is_empty() {
        out += "    (void)out;\n";
    }
    outputs.iter().enumerate().for_each(|(i, value)| out += &format!("    out[{i}] = {value};\n"));
    out + "}\n"
}

fn to_number(name: &str, doc: &str, args: &str, program: Option<&Program>, programs: &UnitPrograms) -> String {
    let (lines, outputs) = body(args, program, programs);
    let value = outputs.first().map_or("0.0", String::as_str);
    format!("\n/* {doc} */\nstatic double {PREFIX}_{name}(const State *s, {args}) {{\n{lines}    return {value};\n}}\n")
}
