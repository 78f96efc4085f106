//! Modelica syntax.
use crate::export::source_text::{CarriedText, LoopText, Syntax, ValueKind, decimal};
use std::cell::RefCell;
use stiction_core::program::{Arithmetic, Function, Precision, WordOperator};

/// The largest number, for what is infinite or not a number.
const LARGEST: &str = "1.7976931348623157e308";

/// Modelica syntax. A function declares its variables before its statements, so they are noted while these are written.
#[derive(Default)]
pub(super) struct Modelica {
    /// Variables of numbers and of booleans.
    variables: RefCell<[Vec<String>; 2]>,
    /// Whether divisors may be zero. Iterations reject what such a quotient leads to, but a tool would stop at it.
    checks_divisors: bool,
}

impl Modelica {
    /// For a function that iterates.
    pub fn checking_divisors(checks_divisors: bool) -> Self {
        Self { checks_divisors, ..Self::default() }
    }
    fn note(&self, kind: ValueKind, name: &str) {
        self.variables.borrow_mut()[usize::from(kind == ValueKind::Boolean)].push(name.to_owned());
    }
    /// The declarations of all variables.
    pub fn declarations(&self) -> Vec<String> {
        let mut out = Vec::new();
        for (names, of) in self.variables.borrow().iter().zip(["Real", "Boolean"]) {
            out.extend(names.chunks(12).map(|row| format!("    {of} {};", row.join(", "))));
        }
        out
    }
}

impl Syntax for Modelica {
    fn declare(&self, kind: ValueKind, _: Precision, name: &str, value: &str) -> String {
        self.note(kind, name);
        format!("    {name} := {value};")
    }
    fn number(&self, precision: Precision, x: f64) -> String {
        // a sign may not follow an operator
        match x {
            // there is no other way to say that there is no number
            x if x.is_nan() => LARGEST.to_owned(),
            f64::INFINITY => LARGEST.to_owned(),
            f64::NEG_INFINITY => format!("(-{LARGEST})"),
            x if x.is_sign_negative() => format!("({})", decimal(precision, x)),
            x => decimal(precision, x),
        }
    }
    fn word(&self, x: u64) -> String {
        x.to_string()
    }
    fn arithmetic(&self, operator: Arithmetic, a: &str, b: &str) -> String {
        let sign = match operator {
            Arithmetic::Add => '+',
            Arithmetic::Subtract => '-',
            Arithmetic::Multiply => '*',
            // parameters have bounds that keep them from zero where they divide
            Arithmetic::Divide if self.checks_divisors && b.starts_with(['t', 'r']) => {
                return format!("Internal.quotient({a}, {b})");
            }
            Arithmetic::Divide => '/',
        };
        format!("{a} {sign} {b}")
    }
    fn abs(&self, _: Precision, a: &str) -> String {
        format!("abs({a})")
    }
    fn call(&self, _: Precision, function: Function, args: &[&str]) -> String {
        let name = match function {
            Function::Exp => "exp",
            Function::Tanh => "tanh",
            Function::Sqrt => "Internal.root",
            Function::Floor => "floor",
            Function::Ln => "Internal.ln",
            Function::ExpM1 => "Internal.expm1",
            Function::Ln1p => "Internal.log1p",
            Function::Pow => "Internal.power",
            Function::Uniform => "Internal.uniform",
        };
        format!("{name}({})", args.join(", "))
    }
    fn same(&self, a: &str, b: &str) -> String {
        format!("{a} == {b}")
    }
    fn nan(&self, a: &str) -> String {
        format!("not ({a} == {a})")
    }
    fn not(&self, a: &str) -> String {
        format!("not {a}")
    }
    fn and(&self, a: &str, b: &str) -> String {
        format!("{a} and {b}")
    }
    fn or(&self, a: &str, b: &str) -> String {
        format!("{a} or {b}")
    }
    fn select(&self, m: &str, a: &str, b: &str) -> String {
        format!("if {m} then {a} else {b}")
    }
    // laws do not compute with bits
    fn bits(&self, a: &str) -> String {
        a.to_owned()
    }
    fn of_bits(&self, a: &str) -> String {
        a.to_owned()
    }
    fn word_arithmetic(&self, _: WordOperator, a: &str, _: &str) -> String {
        a.to_owned()
    }
    fn repeat(&self, _: Precision, repeat: &LoopText) -> Vec<String> {
        let start = |carried: &CarriedText| {
            self.note(ValueKind::Number, &carried.name);
            format!("    {} := {};", carried.name, carried.start)
        };
        let mut out: Vec<String> = repeat.carried.iter().map(start).collect();
        out.push(format!("    for turn{} in 1:{} loop", repeat.index, repeat.count));
        out.extend(repeat.lines.iter().map(|line| format!("  {line}")));
        let changed = repeat.carried.iter().filter(|carried| carried.name != carried.next);
        out.extend(changed.map(|carried| format!("      {} := {};", carried.name, carried.next)));
        if let Some(done) = &repeat.done {
            out.extend([format!("      if {done} then"), "        break;".to_owned(), "      end if;".to_owned()]);
        }
        out.push("    end for;".to_owned());
        out
    }
}

/// A unit as Modelica writes it; none if it cannot be written so.
pub(super) fn unit(text: &str) -> Option<String> {
    if text == "-" || text.is_empty() {
        return Some("1".to_owned());
    }
    let unit: String = text.replace('·', ".").replace(['^', ' '], "");
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/');
    // one division, one number behind a unit: what all tools understand; a load has a unit of its own
    (unit.chars().all(plain) && unit.matches('/').count() <= 1 && !text.contains("^0.") && text != "1/load")
        .then_some(unit)
}

/// A text within quotes.
pub(super) fn quoted(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Keywords, built-in operators and functions, and the names that the functions and models here use.
const RESERVED: &str = "algorithm and annotation assert block break class connect connector constant constrainedby der discrete \
    each else elseif elsewhen encapsulated end enumeration equation expandable extends external false final flow for function if \
    import impure in initial inner input loop model not operator or outer output package parameter partial protected public pure \
    record redeclare replaceable return stream then true type when while within abs acos asin atan atan2 array cardinality cat ceil \
    change cos cosh cross delay diagonal div edge exp fill floor getInstanceName homotopy identity initial inStream integer \
    interval linspace log log10 matrix max min mod ndims noEvent ones outerProduct pre previous product promote reinit rem sample \
    scalar sign sin sinh size skew smooth spatialDistribution sqrt String subSample sum superSample symmetric tan tanh terminal \
    terminate time transpose vector zeros Boolean Integer Real Modelica Parameters Friction Internal steady force rate step contact \
    hold v load dt mass applied dir p friction v_next stuck flange_a flange_b s_rel v_rel a_rel phi_rel w_rel f tau f_upper f_lower \
    f_middle tau_upper tau_lower tau_middle f0 f0_max tau0 tau0_max v_relfric w_relfric a_relfric free sa mode locked startForward \
    startBackward v_small w_small v_tiny useLoad appliedLoad period Forward Backward Stuck Free Unknown unitForce unitTorque \
    unitAcceleration unitAngularAcceleration stateSelect s_nominal phi_nominal";

/// A name as an identifier that nothing else has: `end` becomes `end_`, and so does `t1`, which a variable could be.
pub(super) fn identifier(name: &str) -> String {
    let variable = |name: &str| {
        let rest = name.strip_prefix(['t', 'm', 'w', 'r']);
        rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit() || c == '_'))
    };
    let mut out = super::super::identifier(name, RESERVED);
    if variable(&out) || out.starts_with("turn") || out.starts_with("der_") || out.ends_with("_next") {
        out.push('_');
    }
    out
}
