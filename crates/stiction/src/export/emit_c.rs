//! C99 code: a header, a source file, and a test program.
mod self_test;

use super::controller::{ControllerProgram, ExportPlan, OUTPUTS, StructField};
use super::language_c::{C, FLOATS, INCLUDES, comment, elementary, helpers, real, to_ascii};
use super::recorder::function_program;
use super::source_text::{FAULT_DOC, Syntax, field_comment, file_header, statements};
use super::{SourceFile, TestVector};
use crate::Error;
use stiction_core::program::{Function, Precision, Program};

fn fields(out: &mut String, fields: &[StructField], real: &str) {
    for field in fields {
        *out += &format!("    {real} {}; /* {} */\n", field.name, to_ascii(&field_comment(field)));
    }
}

/// The header.
fn header(plan: &ExportPlan, controller: &ControllerProgram) -> String {
    let (name, real, guard) = (&plan.name, real(plan.precision), plan.name.to_uppercase());
    let mut out = comment(&file_header(plan, controller));
    out += &format!("#ifndef {guard}_H\n#define {guard}_H\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n");
    out +=
        &format!("/* Sample time (s). */\n#define {guard}_SAMPLE {}\n\n", C(name).number(plan.precision, plan.period));
    out += &format!("/* State; {name}_init fills it with zeros. */\ntypedef struct {name}_state {{\n");
    fields(&mut out, &controller.state, real);
    out += &format!(
        "}} {name}_state;\n\n/* The inputs of the controller at each sample. */\ntypedef struct {name}_input {{\n"
    );
    fields(&mut out, &controller.signals, real);
    out += &format!("}} {name}_input;\n\n");
    out += &comment(&[format!("Outputs: the command until the next sample (N), and a fault. {FAULT_DOC}.")]);
    out += &format!(
        "typedef struct {name}_output {{\n    {real} command;\n    unsigned int fault;\n}} {name}_output;\n\n"
    );
    out += &format!("/* Before the first sample. */\nvoid {name}_init({name}_state *state);\n\n");
    out += "/* Computes one sample: updates the state and returns the command. */\n";
    out += &format!("{name}_output {name}_step({name}_state *state, const {name}_input *input);\n\n");
    out += "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    out
}

/// The source file without its includes.
fn body(plan: &ExportPlan, controller: &ControllerProgram) -> String {
    let (name, precision) = (&plan.name, plan.precision);
    let mut out = FLOATS.to_owned();
    let functions = controller.program.functions();
    if precision == Precision::Single && !functions.is_empty() {
        // those of the controller first, with or without the library; functions then add what is missing
        let own = helpers(name, std::slice::from_ref(&controller.program));
        own.iter().for_each(|helper| out += helper);
        let guard = name.to_uppercase();
        out += &format!(
            "\n/* With {guard}_LIBM functions are those of the C library, in single: quicker without a unit for doubles, but\n   not the same bits. */\n#if defined({guard}_LIBM)\n#include <math.h>\n"
        );
        let list = |f: &Function, libm: bool| {
            let args = ["float x", "float y"][..f.arity()].join(", ");
            let give = match (f.libm(), libm) {
                (Some(libm), true) => format!("{libm}f({})", ["x", "y"][..f.arity()].join(", ")),
                _ => format!("(float){name}_{}({})", f.name(), ["(double)x", "(double)y"][..f.arity()].join(", ")),
            };
            format!("static float {name}_{}f({args}) {{ return {give}; }}\n", f.name())
        };
        functions.iter().for_each(|f| out += &list(f, true));
        out += "#else\n";
        let programs: Vec<Program> = functions.iter().map(|f| function_program(*f)).collect();
        helpers(name, &programs).iter().filter(|helper| !own.contains(helper)).for_each(|helper| out += helper);
        functions.iter().for_each(|f| out += &elementary(name, *f));
        functions.iter().for_each(|f| out += &list(f, false));
        out += "#endif\n";
    } else {
        let mut all: Vec<Program> = functions.iter().map(|f| function_program(*f)).collect();
        all.push(controller.program.clone());
        helpers(name, &all).iter().for_each(|helper| out += helper);
        functions.iter().for_each(|f| out += &elementary(name, *f));
    }
    out += &format!("\nvoid {name}_init({name}_state *state) {{\n");
    let zero = C(name).number(precision, 0.0);
    for field in &controller.state {
        out += &format!("    state->{} = {zero};\n", field.name);
    }
    out += &format!(
        "}}\n\n{name}_output {name}_step({name}_state *state, const {name}_input *input) {{\n    {name}_output output;\n"
    );
    for i in controller.program.used_inputs() {
        let from = if (i as usize) < controller.signals.len() { "input" } else { "state" };
        out += &format!("    const {} {} = {from}->{};\n", real(precision), controller.name(i), controller.name(i));
    }
    let (lines, outputs) = statements(&controller.program, &C(name), |i| controller.name(i));
    for line in lines {
        out += &line;
        out.push('\n');
    }
    for (field, value) in controller.state.iter().zip(&outputs[OUTPUTS..]) {
        out += &format!("    state->{} = {value};\n", field.name);
    }
    out += &format!(
        "    output.command = {};\n    output.fault = (unsigned int){};\n    return output;\n}}\n",
        outputs[0], outputs[1]
    );
    out
}

/// Header and source in one file.
pub fn single_file(plan: &ExportPlan, controller: &ControllerProgram) -> String {
    format!("{}\n{INCLUDES}{}", header(plan, controller), body(plan, controller))
}

/// Header, source and test program.
///
/// # Errors
/// As [`TestVector::new`].
pub fn files(plan: &ExportPlan, controller: &ControllerProgram) -> Result<Vec<SourceFile>, Error> {
    let (name, vector) = (&plan.name, TestVector::new(plan, controller)?);
    Ok(vec![
        SourceFile { path: format!("{name}.h"), text: header(plan, controller) },
        SourceFile {
            path: format!("{name}.c"),
            text: format!("#include \"{name}.h\"\n{INCLUDES}{}", body(plan, controller)),
        },
        SourceFile { path: format!("{name}_test.c"), text: self_test::program(plan, controller, &vector) },
    ])
}
