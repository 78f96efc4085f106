//! The language C: syntax, helper functions, comments.
use super::recorder::function_program;
use super::source_text::{CarriedText, LoopText, Syntax, ValueKind, decimal, statements, wrapped};
use stiction_core::program::{Function, Operation, Precision, Program, Value, WordOperator};

/// C syntax, with this prefix for all names.
pub(super) struct C<'a>(pub &'a str);
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

/// The type of numbers.
pub(super) fn real(precision: Precision) -> &'static str {
    match precision {
        Precision::Single => "float",
        Precision::Double => "double",
    }
}

/// The suffix of function names in this precision.
pub(super) fn ending(precision: Precision) -> &'static str {
    match precision {
        Precision::Single => "f",
        Precision::Double => "",
    }
}

/// Compiler settings that the bits depend on; a compiler that cannot provide them stops with an error.
pub(super) const FLOATS: &str = include_str!("fmu/sources/rounding.h");

/// Text for a comment: ASCII only, without comment delimiters.
pub(super) fn to_ascii(text: &str) -> String {
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

/// A comment of one or several lines.
pub(super) fn comment(lines: &[String]) -> String {
    let lines = wrapped(lines, 110);
    if let [line] = &lines[..] {
        return format!("/* {} */\n", to_ascii(line));
    }
    let mut out = "/*\n".to_owned();
    for line in lines {
        out += format!(" * {}", to_ascii(&line)).trim_end();
        out.push('\n');
    }
    out + " */\n"
}

/// Helper functions that these programs need: access to bits, absolute values.
pub(super) fn helpers(name: &str, programs: &[Program]) -> Vec<String> {
    let has = |of: Option<Precision>, wanted: fn(&Operation) -> bool| {
        programs.iter().any(|p| of.is_none_or(|of| p.precision == of) && p.any(&wanted))
    };
    let (double, single) = (Some(Precision::Double), Some(Precision::Single));
    let abs = |operation: &Operation| matches!(operation, Operation::Abs(_));
    let infinite = |operation: &Operation| matches!(operation, Operation::Literal(x @ Value::Number(_)) if !x.as_number().is_finite());
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

/// An elementary function, in double precision.
pub(super) fn elementary(name: &str, function: Function) -> String {
    let input = |i: u32| ["x", "y"][i as usize % 2].to_owned();
    let (lines, outputs) = statements(&function_program(function), &C(name), input);
    let args = ["double x", "double y"][..function.arity()].join(", ");
    let lines = lines.join("\n");
    format!("\nstatic double {name}_{}({args}) {{\n{lines}\n    return {};\n}}\n", function.name(), outputs[0])
}

/// What the code includes.
pub(super) const INCLUDES: &str = "#include <float.h>\n#include <stdint.h>\n#include <string.h>\n\n";
