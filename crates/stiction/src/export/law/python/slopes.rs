//! The program of a function's derivatives.
//!
//! A recorded power with the exponent 0, 1 or 2 is 1, x or x·x, as it is in the law. None of these depends on the exponent, so
//! their derivatives by it would be zero, and a fit that begins at a default of 2 would never move it. Before the program is
//! differentiated, such a power is multiplied by `x^(y - floor y)`: that is 1 where y is a whole number, and has the derivative
//! `ln x` by y.
use stiction_core::program::{
    Arithmetic, Builder, Function, Operation, OperationId, Program, Value, directional_derivative,
};

/// The values of a program, then their change along a change of all inputs; see [`directional_derivative`].
pub(in crate::export::law) fn slope_program(program: &Program) -> Option<Program> {
    directional_derivative(&with_exponents(program))
}

fn with_exponents(program: &Program) -> Program {
    let mut builder = Builder::new(program.precision);
    let mut ids: Vec<OperationId> = Vec::with_capacity(program.operations.len());
    for operation in &program.operations {
        let mut copy = operation.clone();
        if let Operation::Repeat(repeat) = &mut copy {
            repeat.body = with_exponents(&repeat.body);
        }
        let mut id = builder.push(copy.renumber(|id| ids[id as usize]));
        if let Some(power) = Power::of(program, operation) {
            id = power.with_exponent(&mut builder, id, |id| ids[id as usize]);
        }
        ids.push(id);
    }
    let outputs: Vec<OperationId> = program.outputs.iter().map(|id| ids[*id as usize]).collect();
    builder.program(program.inputs, &outputs)
}

/// A power `x^y` as [`Builder::power`] writes it.
struct Power {
    x: OperationId,
    y: OperationId,
    /// Whether the exponent is 2, 1, 0.
    special: [OperationId; 3],
}

impl Power {
    /// The power that this operation completes. Within a loop the questions about the exponent may be asked outside, so that only
    /// the results are compared: x·x, x, 1 and the power itself.
    fn of(program: &Program, operation: &Operation) -> Option<Self> {
        let at = |id: OperationId| program.operations.get(id as usize);
        let select = |operation: &Operation| match *operation {
            Operation::Select(which, result, rest) => Some((which, result, at(rest)?)),
            _ => None,
        };
        let (two, square, rest) = select(operation)?;
        let (one, same, rest) = select(rest)?;
        let (zero, unit, rest) = select(rest)?;
        let &Operation::Call(Function::Pow, x, y) = rest else { return None };
        let fits = at(square) == Some(&Operation::Arithmetic(Arithmetic::Multiply, x, x))
            && same == x
            && at(unit) == Some(&Operation::Literal(Value::number(1.0)));
        fits.then_some(Self { x, y, special: [two, one, zero] })
    }
    /// The same value, but with its derivative by the exponent where that is 0, 1 or 2.
    fn with_exponent(
        &self,
        builder: &mut Builder,
        value: OperationId,
        place: impl Fn(OperationId) -> OperationId,
    ) -> OperationId {
        let (x, y) = (place(self.x), place(self.y));
        let [two, one, zero] = self.special.map(&place);
        let special = builder.or(one, zero);
        let special = builder.or(two, special);
        let (nothing, unit) = (builder.number(0.0), builder.number(1.0));
        let positive = builder.less(nothing, x);
        let base = builder.select(positive, x, unit);
        let whole = builder.call(Function::Floor, y);
        let is_whole = builder.equal(y, whole);
        let special = builder.and(special, is_whole);
        let part = builder.subtract(y, whole);
        let factor = builder.push(Operation::Call(Function::Pow, base, part));
        let product = builder.multiply(value, factor);
        builder.select(special, product, value)
    }
}

#[cfg(test)]
mod tests {
    use super::slope_program;
    use crate::Spec;
    use crate::export::law::{FunctionKind, LawCode};

    #[test]
    fn derivatives_by_exponents_are_right_at_their_defaults() {
        let code = LawCode::new(Spec::new("lugre").unwrap().law()).unwrap();
        for kind in [FunctionKind::Steady, FunctionKind::Step, FunctionKind::Contact] {
            let program = &code.function(kind).unwrap().program;
            let slopes = slope_program(program).unwrap();
            let names = code.inputs(kind);
            let value = |name: &str| code.params().iter().find(|p| p.name == name).map_or(0.0, |p| p.default);
            let inputs: Vec<f64> = names
                .iter()
                .map(|name| match *name {
                    "v" => 7e-4,
                    "load" | "mass" => 1.0,
                    "dt" => 1e-3,
                    "applied" => 3.0,
                    "z" => 1e-5,
                    name => value(name),
                })
                .collect();
            for name in ["exponent", "gamma"] {
                let i = names.iter().position(|known| *known == name).unwrap();
                let moved = |h: f64| {
                    let mut at = inputs.clone();
                    at[i] += h;
                    program.evaluate(&at)[0]
                };
                let h = 1e-6;
                let want = (moved(h) - moved(-h)) / (2.0 * h);
                let mut at = inputs.clone();
                at.extend((0..inputs.len()).map(|k| f64::from(u8::from(k == i))));
                let got = slopes.evaluate(&at)[slopes.outputs.len() / 2];
                // the difference of values with rounding errors of 1e-16, divided by 2e-6; its error of second order is less
                assert!(
                    want != 0.0 && (got - want).abs() < 1e-9 + 1e-6 * want.abs(),
                    "{kind:?} by {name}: {got}, {want}"
                );
                assert_eq!(slopes.evaluate(&at)[0].to_bits(), program.evaluate(&inputs)[0].to_bits(), "{kind:?}");
            }
        }
    }
}
