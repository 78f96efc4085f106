//! C99 code: a header, a source file, and a test program.
mod self_test;

use super::controller::{ControllerProgram, ExportPlan, OUTPUTS, StructField};
use super::recorder::function_program;
use super::source_text::{
    CarriedText, FAULT_DOC, LoopText, Syntax, ValueKind, decimal, field_comment, file_header, statements, wrapped,
};
use super::{SourceFile, TestVector};
use crate::Error;
use stiction_core::program::Program;
use stiction_core::program::{Function, Operation, Precision, WordOperator};

/// C syntax, with this prefix for all names.
struct C<'a>(&'a str);
impl Syntax for C<'_> {
    fn declare(&self, kind: ValueKind, precision: Precision, name: &str, value: &str) -> String {
        let of = match kind {
            ValueKind::Number => real(precision),
            ValueKind::Boolean => "int",
            ValueKind::Word => "uint64_t",
        };
        format!("    const {of} {name} = {value};")
    }
    fn number(&self, precision: Precision, x: f64) -> String {
        match (x.is_finite(), precision) {
            (true, Precision::Double) => decimal(precision, x),
            (true, Precision::Single) => decimal(precision, x) + "f",
            (false, Precision::Double) => self.of_bits(&self.word(x.to_bits())),
            (false, Precision::Single) => format!("(float){}", self.of_bits(&self.word(x.to_bits()))),
        }
    }
    fn word(&self, x: u64) -> String {
        format!("UINT64_C(0x{x:016X})")
    }
    fn abs(&self, precision: Precision, a: &str) -> String {
        format!("{}_abs{}({a})", self.0, ending(precision))
    }
    fn call(&self, precision: Precision, function: Function, args: &[&str]) -> String {
        format!("{}_{}{}({})", self.0, function.name(), ending(precision), args.join(", "))
    }
    // equivalent to ==, for which compilers warn
    fn same(&self, a: &str, b: &str) -> String {
        format!("({a} <= {b}) & ({a} >= {b})")
    }
    fn nan(&self, a: &str) -> String {
        format!("!({a} <= {a})")
    }
    fn select(&self, m: &str, a: &str, b: &str) -> String {
        format!("{m} ? {a} : {b}")
    }
    fn bits(&self, a: &str) -> String {
        format!("{}_bits({a})", self.0)
    }
    fn of_bits(&self, a: &str) -> String {
        format!("{}_of_bits({a})", self.0)
    }
    fn boolean(&self, truth: bool) -> String {
        u8::from(truth).to_string()
    }
    fn word_arithmetic(&self, operator: WordOperator, a: &str, b: &str) -> String {
        let sign = match operator {
            WordOperator::Add => '+',
            WordOperator::Subtract => '-',
            WordOperator::Multiply => '*',
            WordOperator::And => '&',
            WordOperator::Or => '|',
            WordOperator::Xor => '^',
        };
        format!("{a} {sign} {b}")
    }
    fn repeat(&self, precision: Precision, repeat: &LoopText) -> Vec<String> {
        let k = format!("k{}", repeat.index);
        let mut out = vec![format!("    int {k};")];
        let declare = |carried: &CarriedText| format!("    {} {} = {};", real(precision), carried.name, carried.start);
        let head = format!("for ({k} = 0; {k} < {}; {k}++)", repeat.count);
        out.extend(repeat.with_braces(declare, &head, |done| format!("if ({done}) break;")));
        out
    }
}

fn real(precision: Precision) -> &'static str {
    match precision {
        Precision::Single => "float",
        Precision::Double => "double",
    }
}

/// The suffix of function names in this precision.
fn ending(precision: Precision) -> &'static str {
    match precision {
        Precision::Single => "f",
        Precision::Double => "",
    }
}

/// Compiler settings that the bits depend on; a compiler that cannot provide them stops with an error.
const FLOATS: &str = r#"/* The bits depend on it: products and sums are rounded one by one, in their own precision. */
#if defined(__clang__) || !defined(__GNUC__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif
#if defined(__FAST_MATH__)
#error compile this without -ffast-math
#endif
/* 0: each in its own precision; 16: the same, and half precision too */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error compile this for SSE or another unit that does not compute in a wider precision
#endif
"#;

/// Text for a comment: ASCII only, without comment delimiters.
fn to_ascii(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '²' => out += "^2",
            '³' => out += "^3",
            '·' => out.push(' '),
            'γ' => out += "gamma",
            c if c.is_ascii() => out.push(c),
            _ => out.push('?'),
        }
    }
    out.replace("*/", "* /").replace("/*", "/ *")
}

fn comment(lines: &[String]) -> String {
    let mut out = "/*\n".to_owned();
    for line in wrapped(lines, 100) {
        out += format!(" * {}", to_ascii(&line)).trim_end();
        out.push('\n');
    }
    out + " */\n"
}

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

/// Helper functions that these programs need: access to bits, absolute values.
fn helpers(name: &str, programs: &[Program]) -> Vec<String> {
    let has = |of: Option<Precision>, wanted: fn(&Operation) -> bool| {
        programs.iter().any(|p| of.is_none_or(|of| p.precision == of) && p.operations.iter().any(wanted))
    };
    let (double, single) = (Some(Precision::Double), Some(Precision::Single));
    let abs = |operation: &Operation| matches!(operation, Operation::Abs(_));
    let infinite = |operation: &Operation| matches!(operation, Operation::Literal(x @ stiction_core::program::Value::Number(_)) if !x.as_number().is_finite());
    let mut out = Vec::new();
    if has(None, |operation| matches!(operation, Operation::ToBits(_))) || has(double, abs) {
        out.push(format!(
            "\nstatic uint64_t {name}_bits(double x) {{\n    uint64_t word;\n    memcpy(&word, &x, sizeof word);\n    return word;\n}}\n"
        ));
    }
    if has(None, |operation| matches!(operation, Operation::FromBits(_))) || has(double, abs) || has(None, infinite) {
        out.push(format!(
            "\nstatic double {name}_of_bits(uint64_t word) {{\n    double x;\n    memcpy(&x, &word, sizeof x);\n    return x;\n}}\n"
        ));
    }
    if has(double, abs) {
        let bits = "UINT64_C(0x7FFFFFFFFFFFFFFF)";
        out.push(format!(
            "\nstatic double {name}_abs(double x) {{\n    return {name}_of_bits({name}_bits(x) & {bits});\n}}\n"
        ));
    }
    if has(single, abs) {
        out.push(format!(
            "\nstatic float {name}_absf(float x) {{\n    uint32_t word;\n    memcpy(&word, &x, sizeof word);\n    word &= UINT32_C(0x7FFFFFFF);\n    memcpy(&x, &word, sizeof x);\n    return x;\n}}\n"
        ));
    }
    out
}

fn elementary(name: &str, function: Function) -> String {
    let input = |i: u32| ["x", "y"][i as usize % 2].to_owned();
    let (lines, outputs) = statements(&function_program(function), &C(name), input);
    let args = ["double x", "double y"][..function.arity()].join(", ");
    let lines = lines.join("\n");
    format!("\nstatic double {name}_{}({args}) {{\n{lines}\n    return {};\n}}\n", function.name(), outputs[0])
}

const INCLUDES: &str = "#include <float.h>\n#include <stdint.h>\n#include <string.h>\n\n";

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
