//! Constant folding and identities that change no bit.
use super::builder::Builder;
use super::operation::{Arithmetic, Function, Operation, OperationId, Value};

/// The id of an earlier operation with the same result, or else the operation to record.
///
/// Operations on literals are evaluated now, in the same arithmetic. Beyond that only identities are used that hold for
/// every number, including zeros of both signs, infinities and NaN: `x·1`, `x/1`, `x − 0`, `x + (−0)`, `−(−x)`, `||x||`.
pub(super) fn fold(builder: &Builder, operation: Operation) -> Result<OperationId, Operation> {
    let literal = |id: OperationId| builder.literal(id);
    if !matches!(operation, Operation::Literal(_) | Operation::Input(_))
        && operation.operands().all(|id| literal(id).is_some())
    {
        let of = |id: OperationId| literal(id).unwrap_or(Value::Boolean(false));
        if let Some(value) = operation.evaluate(builder.precision(), of, &[]) {
            return Err(Operation::Literal(value));
        }
    }
    let is = |id: OperationId, x: f64| literal(id) == Some(Value::number(x));
    let holds = |id: OperationId| match literal(id) {
        Some(Value::Boolean(truth)) => Some(truth),
        _ => None,
    };
    let at = |id: OperationId| builder.operation(id);
    match operation {
        Operation::Arithmetic(Arithmetic::Multiply, a, b) if is(b, 1.0) => Ok(a),
        Operation::Arithmetic(Arithmetic::Multiply, a, b) if is(a, 1.0) => Ok(b),
        Operation::Arithmetic(Arithmetic::Divide, a, b) if is(b, 1.0) => Ok(a),
        Operation::Arithmetic(Arithmetic::Subtract, a, b) if is(b, 0.0) => Ok(a),
        Operation::Arithmetic(Arithmetic::Add, a, b) if is(b, -0.0) => Ok(a),
        Operation::Arithmetic(Arithmetic::Add, a, b) if is(a, -0.0) => Ok(b),
        Operation::Negate(a) => match at(a) {
            Some(Operation::Negate(inner)) => Ok(*inner),
            _ => Err(operation),
        },
        Operation::Abs(a) => match at(a) {
            Some(Operation::Abs(_)) => Ok(a),
            Some(Operation::Negate(inner)) => Err(Operation::Abs(*inner)),
            _ => Err(operation),
        },
        // no number is above infinity or below minus infinity
        Operation::Less(a, b) if is(a, f64::INFINITY) || is(b, f64::NEG_INFINITY) => {
            Err(Operation::Literal(Value::Boolean(false)))
        }
        Operation::Not(a) => match at(a) {
            Some(Operation::Not(inner)) => Ok(*inner),
            _ => Err(operation),
        },
        Operation::And(a, b) if a == b || holds(b) == Some(true) => Ok(a),
        Operation::And(a, b) if holds(a) == Some(true) || holds(b) == Some(false) => Ok(b),
        Operation::And(a, _) if holds(a) == Some(false) => Ok(a),
        Operation::Or(a, b) if a == b || holds(b) == Some(false) => Ok(a),
        Operation::Or(a, b) if holds(a) == Some(false) || holds(b) == Some(true) => Ok(b),
        Operation::Or(a, _) if holds(a) == Some(true) => Ok(a),
        Operation::Select(m, a, b) => match (holds(m), at(m)) {
            (Some(true), _) => Ok(a),
            (Some(false), _) => Ok(b),
            _ if a == b => Ok(a),
            (_, Some(Operation::Not(inner))) => Err(Operation::Select(*inner, b, a)),
            _ => Err(operation),
        },
        // exponents that a power takes apart
        Operation::Call(Function::Pow, x, y) if is(y, 1.0) => Ok(x),
        Operation::Call(Function::Pow, x, y) if is(y, 2.0) => Err(Operation::Arithmetic(Arithmetic::Multiply, x, x)),
        Operation::Call(Function::Pow, _, y) if is(y, 0.0) || is(y, -0.0) => {
            Err(Operation::Literal(Value::number(1.0)))
        }
        // a function of one argument stores it twice
        Operation::Call(function, a, b) if function.arity() == 1 && a != b => Err(Operation::Call(function, a, a)),
        _ => Err(operation),
    }
}
