//! Expressions of a law file as formulas.
use super::text::{self, NumberForm};
use std::collections::BTreeMap;
use stiction_io::expression::{Function, Node, Operator, Part};

/// How tightly a formula binds: an operand that binds less tightly than its operator needs is put in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Cases,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Function,
    Power,
    Atom,
}

/// A formula in the making.
#[derive(Clone, Debug)]
struct Formula {
    text: String,
    binding: Binding,
    /// The rows of a choice: value and condition; the last one has none.
    cases: Vec<(String, Option<String>)>,
    /// What a sign stands before.
    negated: Option<Box<Formula>>,
}

impl Formula {
    fn new(text: impl Into<String>, binding: Binding) -> Self {
        Self { text: text.into(), binding, cases: Vec::new(), negated: None }
    }
    /// In parentheses, unless it binds at least so tightly.
    fn at(&self, least: Binding) -> String {
        if self.binding >= least { self.text.clone() } else { self.in_parentheses() }
    }
    fn negate(self) -> Self {
        let text = format!("-{}", self.at(Binding::Product));
        Self { negated: Some(Box::new(self)), ..Self::new(text, Binding::Sum) }
    }
    fn in_parentheses(&self) -> String {
        enclosed("(", &self.text, ")")
    }
}

/// Between delimiters, which grow with what is high.
fn enclosed(open: &str, text: &str, close: &str) -> String {
    let high = ["\\frac", "\\begin", "\\left", "\\sqrt"].iter().any(|high| text.contains(high));
    if high { format!("\\left{open}{text}\\right{close}") } else { format!("{open}{text}{close}") }
}

/// An expression as a formula. `names` has the symbols; a name without one is written as it is.
pub(super) fn formula(parts: &[Part], names: &BTreeMap<String, String>) -> String {
    whole(parts, names).text
}

/// The same as one of several conditions that hold together.
pub(super) fn condition(parts: &[Part], names: &BTreeMap<String, String>) -> String {
    whole(parts, names).at(Binding::And)
}

/// The same as a side of a comparison.
pub(super) fn side(parts: &[Part], names: &BTreeMap<String, String>) -> String {
    whole(parts, names).at(Binding::Sum)
}

fn whole(parts: &[Part], names: &BTreeMap<String, String>) -> Formula {
    let mut stack: Vec<Formula> = Vec::new();
    for Part { node, .. } in parts {
        let next = match node {
            Node::Number(x) => {
                let (text, form) = text::number(*x);
                let binding = match form {
                    NumberForm::Decimal => Binding::Atom,
                    NumberForm::Product => Binding::Product,
                    NumberForm::Power => Binding::Power,
                };
                Formula::new(text, binding)
            }
            Node::Name(name) => of_name(name, names),
            Node::Column(number) => Formula::new(format!("\\mathtt{{\\${number}}}"), Binding::Atom),
            Node::Negate => pop(&mut stack).negate(),
            Node::Not => Formula::new(format!("\\lnot {}", pop(&mut stack).at(Binding::Atom)), Binding::Not),
            Node::Operator(operator) => {
                let b = pop(&mut stack);
                let a = pop(&mut stack);
                of_operator(*operator, &a, &b)
            }
            Node::Call(function, count) => {
                let arguments = stack.split_off(stack.len().saturating_sub(*count));
                of_call(*function, &arguments)
            }
        };
        stack.push(next);
    }
    pop(&mut stack)
}

/// Expressions are well formed, so there is always an operand.
fn pop(stack: &mut Vec<Formula>) -> Formula {
    stack.pop().unwrap_or_else(|| Formula::new("", Binding::Atom))
}

fn of_name(name: &str, names: &BTreeMap<String, String>) -> Formula {
    if let Some(state) = name.strip_prefix("rate.") {
        return Formula::new(rate(&of_name(state, names).text), Binding::Product);
    }
    let known = names.get(name).cloned();
    Formula::new(known.unwrap_or_else(|| format!("\\mathtt{{{}}}", name.replace('_', "\\_"))), Binding::Atom)
}

/// The time derivative of a symbol.
pub(super) fn rate(symbol: &str) -> String {
    format!("\\frac{{\\mathrm{{d}}{symbol}}}{{\\mathrm{{d}}t}}")
}

fn of_operator(operator: Operator, a: &Formula, b: &Formula) -> Formula {
    let between = |sign: &str, least, binding| {
        let (a, b) = (a.at(least), b.at(least));
        Formula::new(format!("{a} {sign} {b}"), binding)
    };
    let compared = |sign| between(sign, Binding::Sum, Binding::Comparison);
    match operator {
        // the sign of the first factor is that of the product
        Operator::Multiply | Operator::Divide if a.negated.is_some() => {
            let inner = a.negated.as_deref().unwrap_or(a);
            of_operator(operator, inner, b).negate()
        }
        Operator::Add if b.text.starts_with('-') => {
            Formula::new(format!("{} + {}", a.at(Binding::Sum), b.in_parentheses()), Binding::Sum)
        }
        Operator::Add => between("+", Binding::Sum, Binding::Sum),
        Operator::Subtract => {
            Formula::new(format!("{} - {}", a.at(Binding::Sum), b.at(Binding::Product)), Binding::Sum)
        }
        Operator::Multiply => {
            let (a, b) = (a.at(Binding::Product), b.at(Binding::Product));
            let digits = b.starts_with(|c: char| c.is_ascii_digit());
            Formula::new(format!("{a}{}{b}", if digits { " \\cdot " } else { "\\, " }), Binding::Product)
        }
        Operator::Divide => Formula::new(format!("\\frac{{{}}}{{{}}}", a.text, b.text), Binding::Product),
        Operator::Power => Formula::new(format!("{}^{{{}}}", a.at(Binding::Atom), b.text), Binding::Power),
        Operator::Less => compared("<"),
        Operator::LessOrEqual => compared("\\le"),
        Operator::Greater => compared(">"),
        Operator::GreaterOrEqual => compared("\\ge"),
        Operator::Equal => compared("="),
        Operator::NotEqual => compared("\\ne"),
        Operator::And => between("\\text{ and }", Binding::And, Binding::And),
        Operator::Or => between("\\text{ or }", Binding::Or, Binding::Or),
    }
}

fn of_call(function: Function, arguments: &[Formula]) -> Formula {
    let list: Vec<&str> = arguments.iter().map(|argument| argument.text.as_str()).collect();
    let all = list.join(",\\, ");
    let named = |name: &str| Formula::new(format!("{name}{}", enclosed("(", &all, ")")), Binding::Function);
    match (function, arguments) {
        (Function::Abs, _) => Formula::new(enclosed("|", &all, "|"), Binding::Atom),
        (Function::Sqrt, _) => Formula::new(format!("\\sqrt{{{all}}}"), Binding::Atom),
        (Function::Sign, _) => named("\\operatorname{sgn}"),
        (Function::Pow, [x, y]) => of_operator(Operator::Power, x, y),
        (Function::Clip, [x, low, high]) => {
            let inner = enclosed("(", &format!("{},\\, {}", x.text, high.text), ")");
            let outer = enclosed("(", &format!("{},\\, \\min{inner}", low.text), ")");
            Formula::new(format!("\\max{outer}"), Binding::Function)
        }
        (Function::Where, [condition, yes, no]) => choice(condition, yes, no),
        _ => named(&format!("\\{}", function.name())),
    }
}

/// A choice; one within its last row becomes further rows.
fn choice(condition: &Formula, yes: &Formula, no: &Formula) -> Formula {
    let mut cases = vec![(yes.at(Binding::Or), Some(condition.text.clone()))];
    if no.cases.is_empty() {
        cases.push((no.text.clone(), None));
    } else {
        cases.extend(no.cases.iter().cloned());
    }
    let row = |(value, condition): &(String, Option<String>)| match condition {
        Some(condition) => format!("{value}, & {condition},"),
        None => format!("{value}, & \\text{{otherwise}}"),
    };
    let rows: Vec<String> = cases.iter().map(row).collect();
    let text = format!("\\begin{{cases}} {} \\end{{cases}}", rows.join("\\\\ "));
    Formula { cases, ..Formula::new(text, Binding::Cases) }
}
