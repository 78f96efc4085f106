//! The test program generated with the C code.
use crate::export::language_c::{C, real};
use crate::export::source_text::Syntax;
use crate::export::{ControllerProgram, ExportPlan, TestVector};

/// The test program: exit code 0 if every output has the expected bits.
pub(super) fn program(plan: &ExportPlan, controller: &ControllerProgram, vector: &TestVector) -> String {
    let (name, real) = (&plan.name, real(plan.precision));
    let columns = controller.signals.len();
    let say = |x: f64| match x {
        x if x.is_nan() => "NAN".to_owned(),
        f64::INFINITY => "INFINITY".to_owned(),
        f64::NEG_INFINITY => "-INFINITY".to_owned(),
        x => C(name).number(plan.precision, x),
    };
    let mut out = "/* The samples of a random motion with faults and the outputs of the controller, bit for bit. Exit code 1 if it does not. */\n".to_owned();
    out += &format!("#include \"{name}.h\"\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n\n");
    let names: Vec<&str> = controller.signals.iter().map(|f| f.name.as_str()).collect();
    out += &format!(
        "/* {}, command */\nstatic const {real} samples[{}][{}] = {{\n",
        names.join(", "),
        vector.inputs.len(),
        columns + 1
    );
    for (now, command) in vector.inputs.iter().zip(&vector.command) {
        let row: Vec<String> = now.iter().chain([command]).map(|x| say(*x)).collect();
        out += &format!("    {{{}}},\n", row.join(", "));
    }
    let faults: Vec<String> = vector.fault.iter().map(u8::to_string).collect();
    out += &format!("}};\nstatic const unsigned int faults[{}] = {{\n", faults.len());
    for row in faults.chunks(40) {
        out += &format!("    {},\n", row.join(", "));
    }
    out += &format!("}};\n\nint main(void) {{\n    {name}_state state;\n    size_t k;\n    {name}_init(&state);\n");
    out += "    for (k = 0; k < sizeof samples / sizeof samples[0]; k++) {\n";
    out += &format!("        {name}_input input;\n        {name}_output output;\n");
    for (i, field) in names.iter().enumerate() {
        out += &format!("        input.{field} = samples[k][{i}];\n");
    }
    out += &format!("        output = {name}_step(&state, &input);\n");
    out += &format!(
        "        if (memcmp(&output.command, &samples[k][{columns}], sizeof output.command) != 0 || output.fault != faults[k]) {{\n"
    );
    out += &format!(
        "            printf(\"{name}: sample %lu gives %.17g and fault %u, not %.17g and %u\\n\", (unsigned long)k,\n"
    );
    out += &format!(
        "                   (double)output.command, output.fault, (double)samples[k][{columns}], faults[k]);\n"
    );
    out += "            return 1;\n        }\n    }\n";
    out += &format!("    printf(\"{name}: %lu samples agree\\n\", (unsigned long)k);\n    return 0;\n}}\n");
    out
}
