//! Angles in degrees or turns within a sine: the number of degrees is not the angle, and the result would be wrong without a sign of it.
use super::compile::SymbolTable;
use super::error::{ExpressionError, ExpressionErrorKind};
use crate::column_name::find_column;
use crate::unit;
use std::f64::consts::PI;
use stiction_io::expression::{Function, Node, Operator, Part};

/// How far a number may be from a factor of conversion and still mean it: 3.14, 57.3 and 0.0175 are meant as such.
const ROUNDED: f64 = 0.01;

/// What is known of a value before any row is read.
#[derive(Clone, Copy)]
enum Operand {
    /// A number, and whether pi is a factor of it.
    Number { value: f64, has_pi: bool },
    /// A multiple of an angle, of this column, that is not in radians.
    Angle { column: usize, multiple: f64 },
    /// Anything else, radians among them.
    Other,
}

/// Tests that sines, cosines and tangents get radians. An angle in another unit counts as converted once it is multiplied by the factor of
/// that unit, or by pi.
///
/// # Errors
/// [`ExpressionErrorKind::NotRadians`] where the argument of such a function is a sum or a multiple of columns with another unit of angle.
pub(super) fn check(parts: &[Part], symbols: &SymbolTable) -> Result<(), ExpressionError> {
    let mut stack = Vec::new();
    for part in parts {
        let operand = operand(part, &mut stack, symbols)?;
        stack.push(operand);
    }
    Ok(())
}

/// The factor to radians of the unit of an angle that is not in radians.
fn factor(units: &[Option<&str>], column: usize) -> Option<f64> {
    let (factor, si) = unit::si(units.get(column).copied().flatten()?)?;
    (si == "rad" && factor != 1.0).then_some(factor)
}

fn operand(part: &Part, stack: &mut Vec<Operand>, symbols: &SymbolTable) -> Result<Operand, ExpressionError> {
    let units = &symbols.units[..];
    let column = |column: usize| match factor(units, column) {
        Some(_) => Operand::Angle { column, multiple: 1.0 },
        None => Operand::Other,
    };
    let mut pop = || stack.pop().unwrap_or(Operand::Other);
    Ok(match &part.node {
        Node::Number(value) => number(*value),
        Node::Column(number) => column(number.saturating_sub(1)),
        Node::Name(name) => match symbols.constants.iter().find(|constant| constant.0 == name) {
            Some((_, value)) => number(*value),
            None => find_column(name, &symbols.columns).map_or(number(PI), column),
        },
        Node::Negate => match pop() {
            Operand::Number { value, has_pi } => Operand::Number { value: -value, has_pi },
            same => same,
        },
        Node::Not => {
            pop();
            Operand::Other
        }
        Node::Operator(operator) => {
            let (right, left) = (pop(), pop());
            match operator {
                Operator::Add | Operator::Subtract => either(&[left, right]),
                Operator::Multiply if matches!(left, Operand::Number { .. }) => product(right, left, units),
                Operator::Multiply => product(left, right, units),
                Operator::Divide => product(left, reciprocal(right), units),
                _ => Operand::Other,
            }
        }
        Node::Call(function, count) => {
            let arguments: Vec<Operand> = (0..*count).map(|_| pop()).collect();
            match (function, &arguments[..]) {
                (Function::Sin | Function::Cos | Function::Tan, [Operand::Angle { column, .. }]) => {
                    let (column, unit) = (symbols.columns[*column], units[*column].unwrap_or_default());
                    let kind = ExpressionErrorKind::NotRadians {
                        function: function.name(),
                        column: column.to_owned(),
                        unit: unit.to_owned(),
                        factor: unit::si(unit).map_or(1.0, |(factor, _)| factor),
                    };
                    return Err(ExpressionError { position: part.position, kind });
                }
                (Function::Abs | Function::Min | Function::Max | Function::Clip | Function::Where, _) => {
                    either(&arguments)
                }
                _ => Operand::Other,
            }
        }
    })
}

fn number(value: f64) -> Operand {
    Operand::Number { value, has_pi: near(value, PI) }
}

fn near(value: f64, factor: f64) -> bool {
    (value.abs() / factor - 1.0).abs() < ROUNDED
}

/// What a sum, or a choice, of these is: an angle, if one of them is.
fn either(operands: &[Operand]) -> Operand {
    operands.iter().copied().find(|operand| matches!(operand, Operand::Angle { .. })).unwrap_or(Operand::Other)
}

/// One by an operand, as far as it is known.
fn reciprocal(operand: Operand) -> Operand {
    match operand {
        Operand::Number { value, has_pi } => Operand::Number { value: value.recip(), has_pi },
        _ => Operand::Other,
    }
}

/// The product of an operand with another; a number stands second.
fn product(operand: Operand, by: Operand, units: &[Option<&str>]) -> Operand {
    let Operand::Number { value: by, has_pi } = by else { return Operand::Other };
    match operand {
        Operand::Number { value, has_pi: also } => Operand::Number { value: value * by, has_pi: has_pi || also },
        Operand::Angle { column, multiple } => {
            let converts = |x: f64| factor(units, column).is_some_and(|factor| near(x, factor));
            let multiple = multiple * by;
            match has_pi || converts(by) || converts(multiple) {
                true => Operand::Other,
                false => Operand::Angle { column, multiple },
            }
        }
        Operand::Other => Operand::Other,
    }
}
