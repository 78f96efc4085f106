//! Instructions that need not be recorded: what is known already, and what changes no bit.
use super::op::{Arith, Id, Op, Value};
use super::tape::Tape;

/// The number of an instruction that gives the same, or else the instruction to record.
///
/// What was known beforehand is computed now, in the same arithmetic. Beyond that only identities that hold for every
/// number, zeros of both signs, infinities and NaN included: `x·1`, `x/1`, `x − 0`, `x + (−0)`, `−(−x)`, `||x||`.
pub(super) fn simpler(tape: &mut Tape, op: Op) -> Result<Id, Op> {
    let literal = |id: Id| tape.literal(id);
    if !matches!(op, Op::Lit(_) | Op::Input(_)) && op.operands().all(|id| literal(id).is_some()) {
        let of = |id: Id| literal(id).unwrap_or(Value::Truth(false));
        return Err(Op::Lit(op.value(tape.precision, of, &[])));
    }
    let is = |id: Id, x: f64| literal(id) == Some(Value::number(x));
    let holds = |id: Id| match literal(id) {
        Some(Value::Truth(truth)) => Some(truth),
        _ => None,
    };
    let at = |id: Id| tape.ops.get(id as usize).copied();
    match op {
        Op::Arith(Arith::Mul, a, b) if is(b, 1.0) => Ok(a),
        Op::Arith(Arith::Mul, a, b) if is(a, 1.0) => Ok(b),
        Op::Arith(Arith::Div, a, b) if is(b, 1.0) => Ok(a),
        Op::Arith(Arith::Sub, a, b) if is(b, 0.0) => Ok(a),
        Op::Arith(Arith::Add, a, b) if is(b, -0.0) => Ok(a),
        Op::Arith(Arith::Add, a, b) if is(a, -0.0) => Ok(b),
        Op::Neg(a) => match at(a) {
            Some(Op::Neg(inner)) => Ok(inner),
            _ => Err(op),
        },
        Op::Abs(a) => match at(a) {
            Some(Op::Abs(_)) => Ok(a),
            Some(Op::Neg(inner)) => Err(Op::Abs(inner)),
            _ => Err(op),
        },
        // nothing is above infinity or below minus infinity
        Op::Less(a, b) if is(a, f64::INFINITY) || is(b, f64::NEG_INFINITY) => Err(Op::Lit(Value::Truth(false))),
        Op::Not(a) => match at(a) {
            Some(Op::Not(inner)) => Ok(inner),
            _ => Err(op),
        },
        Op::And(a, b) if a == b || holds(b) == Some(true) => Ok(a),
        Op::And(a, b) if holds(a) == Some(true) || holds(b) == Some(false) => Ok(b),
        Op::And(a, _) if holds(a) == Some(false) => Ok(a),
        Op::Or(a, b) if a == b || holds(b) == Some(false) => Ok(a),
        Op::Or(a, b) if holds(a) == Some(false) || holds(b) == Some(true) => Ok(b),
        Op::Or(a, _) if holds(a) == Some(true) => Ok(a),
        Op::Select(m, a, b) => match (holds(m), at(m)) {
            (Some(true), _) => Ok(a),
            (Some(false), _) => Ok(b),
            _ if a == b => Ok(a),
            (_, Some(Op::Not(inner))) => Err(Op::Select(inner, b, a)),
            _ => Err(op),
        },
        // a function of one number has it twice
        Op::Call(function, a, b) if function.arity() == 1 && a != b => Err(Op::Call(function, a, a)),
        _ => Err(op),
    }
}
