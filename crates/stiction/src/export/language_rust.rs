//! The language Rust: syntax and elementary functions.
use super::recorder::function_program;
use super::source_text::{CarriedText, LoopText, Syntax, ValueKind, decimal, statements};
use stiction_core::program::{Function, Precision, WordOperator};

/// Rust syntax.
pub(super) struct Rust;
impl Syntax for Rust {
    fn declare(&self, kind: ValueKind, precision: Precision, name: &str, value: &str) -> String {
        // of two literals the type is not known
        let of = if kind == ValueKind::Number && value.starts_with("if ") {
            format!(": {}", real(precision))
        } else {
            String::new()
        };
        format!("    let {name}{of} = {value};")
    }
    fn number(&self, precision: Precision, x: f64) -> String {
        let name = real(precision);
        match x {
            x if x.is_nan() => format!("{name}::NAN"),
            f64::INFINITY => format!("{name}::INFINITY"),
            f64::NEG_INFINITY => format!("{name}::NEG_INFINITY"),
            x if precision == Precision::Single => format!("{}_f32", decimal(precision, x)),
            x => decimal(precision, x),
        }
    }
    fn word(&self, x: u64) -> String {
        format!("0x{x:016X}")
    }
    fn abs(&self, _: Precision, a: &str) -> String {
        format!("{a}.abs()")
    }
    fn call(&self, precision: Precision, function: Function, args: &[&str]) -> String {
        match precision {
            Precision::Double => format!("{}({})", function.name(), args.join(", ")),
            Precision::Single => {
                let args: Vec<String> = args.iter().map(|x| format!("f64::from({x})")).collect();
                format!("{}({}) as f32", function.name(), args.join(", "))
            }
        }
    }
    fn same(&self, a: &str, b: &str) -> String {
        format!("{a} == {b}")
    }
    fn nan(&self, a: &str) -> String {
        format!("{a}.is_nan()")
    }
    fn select(&self, m: &str, a: &str, b: &str) -> String {
        format!("if {m} {{ {a} }} else {{ {b} }}")
    }
    fn bits(&self, a: &str) -> String {
        format!("{a}.to_bits()")
    }
    fn of_bits(&self, a: &str) -> String {
        format!("f64::from_bits({a})")
    }
    fn repeat(&self, precision: Precision, repeat: &LoopText) -> Vec<String> {
        let declare =
            |carried: &CarriedText| format!("    let mut {}: {} = {};", carried.name, real(precision), carried.start);
        let head = format!("for _ in 0..{}", repeat.count);
        repeat.with_braces(declare, &head, |done| format!("if {done} {{ break; }}"))
    }
    fn word_arithmetic(&self, operator: WordOperator, a: &str, b: &str) -> String {
        let name = match operator {
            WordOperator::Add => "wrapping_add",
            WordOperator::Subtract => "wrapping_sub",
            WordOperator::Multiply => "wrapping_mul",
            WordOperator::And => return format!("{a} & {b}"),
            WordOperator::Or => return format!("{a} | {b}"),
            WordOperator::Xor => return format!("{a} ^ {b}"),
        };
        // a literal has no method without a type
        let a = if a.starts_with("0x") { format!("{a}_u64") } else { a.to_owned() };
        format!("{a}.{name}({b})")
    }
}

/// The type of numbers.
pub(super) fn real(precision: Precision) -> &'static str {
    match precision {
        Precision::Single => "f32",
        Precision::Double => "f64",
    }
}

/// An elementary function, in double precision.
pub(super) fn elementary(function: Function) -> String {
    let name = |i: u32| ["x", "y"][i as usize % 2].to_owned();
    let (mut lines, outputs) = statements(&function_program(function), &Rust, name);
    let args = ["x: f64", "y: f64"][..function.arity()].join(", ");
    // the last statement is the value
    let result = format!("    {}", outputs[0]);
    if let Some(last) = lines.pop() {
        let declared = last.trim_start().strip_prefix("let ").and_then(|rest| rest.strip_prefix(outputs[0].as_str()));
        let value = declared.and_then(|rest| rest.split_once(" = ")).map(|(_, value)| value.trim_end_matches(';'));
        match value {
            Some(value) => lines.push(format!("    {value}")),
            None => lines.extend([last.clone(), result]),
        }
    }
    format!("fn {}({args}) -> f64 {{\n{}\n}}\n", function.name(), lines.join("\n"))
}
